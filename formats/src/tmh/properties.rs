//! Properties of whole banks and images: what is written is read, what is broken is refused.

use proptest::prelude::*;

use super::{Clut, ColorFormat, EncodeError, PixelFormat, Rgba, Tmh, TmhImage};

fn any_size() -> impl Strategy<Value = (u16, u16)> {
    (0..5_u16, 0..20_u16).prop_map(|(width, height)| (width * 8, height))
}

fn any_image() -> impl Strategy<Value = TmhImage> {
    let clut = (0..4_u32, prop::collection::vec(any::<u8>(), 0..1100));
    (
        0..11_u32,
        0..40_u16,
        0..20_u16,
        prop::collection::vec(any::<u8>(), 0..600),
        prop::option::of(clut),
    )
        .prop_map(|(format, width, height, pixels, clut)| {
            let clut = clut.map(|(format, bytes)| {
                Clut::from_bytes(ColorFormat::from_code(format).expect("below 4"), bytes)
            });
            TmhImage::from_parts(
                PixelFormat::from_code(format).expect("below 11"),
                width,
                height,
                pixels,
                clut,
            )
            .expect("small")
        })
}

fn any_bank() -> impl Strategy<Value = Tmh> {
    (
        prop::collection::vec(any_image(), 0..4),
        prop::collection::vec(any::<u8>(), 0..40),
    )
        .prop_map(|(images, tail)| Tmh { images, tail })
}

proptest! {
    #[test]
    fn banks_come_back(bank in any_bank()) {
        let bytes = bank.write();
        let parsed = Tmh::parse(&bytes);
        prop_assert_eq!(parsed.as_ref(), Ok(&bank));
        prop_assert_eq!(parsed.map(|bank| bank.write()), Ok(bytes));
    }

    #[test]
    fn broken_banks_are_errors_and_no_panics(
        bank in any_bank(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        length in any::<prop::sample::Index>(),
    ) {
        let mut bytes = bank.write();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(length.index(bytes.len() + 1).max(bytes.len() / 2));
        if let Ok(bank) = Tmh::parse(&bytes) {
            prop_assert_eq!(bank.write(), bytes);
            for image in &bank.images {
                let _ = image.decode(0);
            }
        }
    }

    /// What an image decodes to can be put back, and then decodes to the same.
    #[test]
    fn decoded_pictures_go_back_unchanged(image in any_image(), palette in 0..3_usize) {
        if let Ok(picture) = image.decode(palette) {
            let mut again = image.clone();
            match again.replace(palette, &picture.pixels) {
                Ok(()) => {
                    prop_assert_eq!(again.clut_bytes(), image.clut_bytes());
                    prop_assert_eq!(again.pixel_bytes().len(), image.pixel_bytes().len());
                    if !image.format().is_block_compressed() {
                        prop_assert_eq!(again.decode(palette), Ok(picture));
                    }
                    if image.format().color().is_some() {
                        prop_assert_eq!(again, image);
                    }
                }
                Err(error) => {
                    let dxt = matches!(image.format(), PixelFormat::Dxt3 | PixelFormat::Dxt5);
                    prop_assert!(dxt, "{}", error);
                }
            }
        }
    }

    /// Few colours are exact in every indexed format, at the CLUT's precision.
    #[test]
    fn few_colors_are_exact(
        (width, height) in any_size(),
        colors in prop::collection::vec(any::<Rgba>(), 1..16),
        seed in any::<usize>(),
        clut in 0..4_u32,
        format in 4..8_u32,
    ) {
        let clut = ColorFormat::from_code(clut).expect("below 4");
        let format = PixelFormat::from_code(format).expect("below 8");
        let count = usize::from(width) * usize::from(height);
        let pixels: Vec<Rgba> = (0..count).map(|pixel| colors[((pixel * 31) ^ seed) % colors.len()]).collect();
        match TmhImage::new(format, width, height, &pixels, Some(clut)) {
            Ok(image) => {
                let rounded: Vec<Rgba> = pixels.iter().map(|&color| clut.round(color)).collect();
                prop_assert_eq!(image.decode(0).map(|picture| picture.pixels), Ok(rounded));
            }
            Err(error) => prop_assert_eq!(error, EncodeError::Row { format, width }),
        }
    }
}
