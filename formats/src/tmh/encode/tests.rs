use super::*;
use crate::tmh::PixelLayout;

const RED: Rgba = [255, 0, 0, 255];
const GREEN: Rgba = [0, 255, 0, 255];
const BLUE: Rgba = [0, 0, 255, 255];

fn image(format: PixelFormat, width: u16, height: u16, length: usize, clut: Option<Clut>) -> TmhImage {
    TmhImage::from_parts(format, width, height, vec![0xEE; length], clut).expect("small")
}

#[test]
fn bytes_outside_the_picture_stay() {
    let clut = Clut::new(ColorFormat::Rgba8888, &[RED, GREEN]);
    let mut padded = image(PixelFormat::Clut4, 3, 2, 128, Some(clut));
    padded
        .replace(0, &[RED, GREEN, RED, GREEN, GREEN, GREEN])
        .expect("two colours");
    assert_eq!(padded.pixel_bytes()[..4], [0x10, 0xE0, 0xEE, 0xEE]);
    assert_eq!(padded.pixel_bytes()[16..20], [0x11, 0xE1, 0xEE, 0xEE]);
    assert!(padded.pixel_bytes()[20..].iter().all(|&byte| byte == 0xEE));

    let mut long = image(PixelFormat::Rgba8888, 4, 1, 16 * 9 + 3, None);
    assert_eq!(long.layout(), PixelLayout::Swizzled { pitch: 16 });
    long.replace(0, &[[1, 2, 3, 4]; 4]).expect("direct");
    assert_eq!(long.pixel_bytes()[..16], [1, 2, 3, 4].repeat(4));
    assert_eq!(long.pixel_bytes()[16..], [0xEE].repeat(16 * 8 + 3));
}

#[test]
fn other_palettes_stay() {
    let clut = Clut::new(ColorFormat::Rgba5551, &[[[8, 8, 8, 255]; 16], [RED; 16]].concat());
    let before = clut.bytes().to_vec();
    let mut picture = image(PixelFormat::Clut4, 32, 8, 128, Some(clut));
    let pixels: Vec<Rgba> = (0..32 * 8)
        .map(|pixel| [(pixel % 16 * 16) as u8, 0, 0, 255])
        .collect();
    picture.replace(1, &pixels).expect("sixteen colours");
    assert_eq!(picture.clut_bytes()[..32], before[..32]);
    assert_ne!(picture.clut_bytes()[32..], before[32..]);
    let rounded: Vec<Rgba> = pixels
        .iter()
        .map(|&color| ColorFormat::Rgba5551.round(color))
        .collect();
    assert_eq!(picture.decode(1).expect("valid").pixels, rounded);
    assert_eq!(
        picture.replace(2, &pixels),
        Err(EncodeError::NoPalette { palette: 2, count: 2 })
    );
}

#[test]
fn of_a_color_that_stands_twice_the_last_index_is_taken() {
    let clut = Clut::new(ColorFormat::Rgba8888, &[RED, GREEN, RED, BLUE]);
    let before = clut.clone();
    let mut picture = image(PixelFormat::Clut8, 2, 1, 2, Some(clut));
    picture.replace(0, &[RED, GREEN]).expect("both are there");
    assert_eq!(picture.pixel_bytes(), [2, 1]);
    assert_eq!(picture.clut(), Some(&before));
}

#[test]
fn new_colors_take_the_places_of_those_that_go() {
    let clut = Clut::new(ColorFormat::Rgba8888, &[RED, GREEN, RED]);
    let mut picture = image(PixelFormat::Clut8, 2, 1, 2, Some(clut));
    picture.replace(0, &[BLUE, RED]).expect("two of three");
    assert_eq!(picture.palette(0), Some(vec![BLUE, GREEN, RED]));
    assert_eq!(picture.pixel_bytes(), [0, 2]);
}

#[test]
fn a_short_band_takes_what_it_has_room_for() {
    let clut = Clut::new(ColorFormat::Rgba8888, &[RED, GREEN]);
    let mut picture = image(PixelFormat::Clut4, 64, 12, 384, Some(clut));
    picture.replace(0, &[GREEN; 64 * 12]).expect("one colour");
    // Rows 12 to 15 of the last block stand outside the picture.
    assert_eq!(picture.pixel_bytes()[..320], [0x11; 320]);
    assert_eq!(picture.pixel_bytes()[320..], [0xEE; 64]);
}

#[test]
fn more_colors_than_entries_are_quantised() {
    let pixels: Vec<Rgba> = (0..64 * 64)
        .map(|pixel| [(pixel % 64) as u8 * 4, (pixel / 64) as u8 * 4, 128, 255])
        .collect();
    let picture =
        TmhImage::new(PixelFormat::Clut8, 64, 64, &pixels, Some(ColorFormat::Rgba8888)).expect("drawable");
    let decoded = picture.decode(0).expect("valid").pixels;
    let worst = pixels
        .iter()
        .zip(&decoded)
        .map(|(a, b)| a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1])))
        .max();
    // 4096 colours on a plane in 256 entries: squares of 4 x 4 steps of 4, centre to corner 8.
    assert!(worst <= Some(12), "{worst:?}");
}

#[test]
fn what_cannot_be_stored_is_refused() {
    let four = [RED; 4];
    assert_eq!(
        TmhImage::new(PixelFormat::Clut4, 2, 2, &four, None),
        Err(EncodeError::ClutFormat {
            format: PixelFormat::Clut4,
            clut: None
        })
    );
    assert_eq!(
        TmhImage::new(PixelFormat::Rgb565, 3, 1, &four, None),
        Err(EncodeError::PixelCount {
            found: 4,
            width: 3,
            height: 1
        })
    );
    assert_eq!(
        TmhImage::new(PixelFormat::Rgba8888, 6, 1, &[RED; 6], None),
        Err(EncodeError::Row {
            format: PixelFormat::Rgba8888,
            width: 6
        })
    );
    assert_eq!(
        TmhImage::new(PixelFormat::Dxt5, 2, 2, &four, None),
        Err(EncodeError::NotEncoded(PixelFormat::Dxt5))
    );
    assert_eq!(
        TmhImage::new(PixelFormat::Rgba8888, 65532, u16::MAX, &four, None),
        Err(EncodeError::TooLong)
    );
    let clut = Clut::new(ColorFormat::Rgb565, &four);
    assert_eq!(
        TmhImage::from_indices(PixelFormat::Clut4, 2, 1, &[3, 16], clut),
        Err(EncodeError::Index {
            pixel: 1,
            index: 16,
            format: PixelFormat::Clut4
        })
    );
}

#[test]
fn indices_and_palettes_can_be_given() {
    let clut = Clut::new(ColorFormat::Rgba8888, &[[RED; 16], [BLUE; 16]].concat());
    let indices: Vec<u32> = (0..32 * 8).map(|pixel| pixel % 16).collect();
    let picture = TmhImage::from_indices(PixelFormat::Clut4, 32, 8, &indices, clut).expect("drawable");
    assert_eq!(picture.palette_count(), 2);
    assert_eq!(
        picture.pixel_bytes()[..8],
        [0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE]
    );
    assert_eq!(picture.decode(1).expect("valid").pixels, [BLUE; 32 * 8]);
}
