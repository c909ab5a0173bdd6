//! The images of texture banks as PNGs beside them, and back.
use std::path::Path;

use formats::detect::{Kind, detect};
use formats::tmh::{RgbaImage, Tmh, TmhImage};

use super::UnpackedFile;
use crate::error::HarnessError;
use crate::picture::{self, Picture, encode_png};

/// Every palette of every image of a bank; nothing for another member, or for what does not decode.
pub(super) fn pictures(member: usize, bytes: &[u8]) -> Vec<UnpackedFile> {
    let Some(bank) = bank(bytes) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for (index, image) in bank.images.iter().enumerate() {
        for palette in 0..image.palette_count().max(1) {
            let decoded = image.decode(palette).ok().and_then(to_picture);
            if let Some(picture) = decoded.filter(|picture| picture.width() > 0 && picture.height() > 0) {
                files.push((name(member, index, palette), encode_png(&picture)));
            }
        }
    }
    files
}

/// Takes the pictures that differ from what the bank holds into the bank, at its format and size.
/// Gives the names of those taken.
pub(super) fn take_back(
    folder: &Path,
    member: usize,
    bytes: &mut Vec<u8>,
) -> Result<Vec<String>, HarnessError> {
    let mut taken = Vec::new();
    let Some(mut bank) = bank(bytes) else {
        return Ok(taken);
    };
    for (index, image) in bank.images.iter_mut().enumerate() {
        for palette in 0..image.palette_count().max(1) {
            let name = name(member, index, palette);
            let path = folder.join(&name);
            if !path.exists() {
                continue;
            }
            let picture = picture::read(&path)?;
            if replace(image, palette, &picture, &path)? {
                taken.push(name);
            }
        }
    }
    if !taken.is_empty() {
        *bytes = bank.write();
    }
    Ok(taken)
}

/// Whether the picture was another one and is now in the image.
fn replace(
    image: &mut TmhImage,
    palette: usize,
    picture: &Picture,
    path: &Path,
) -> Result<bool, HarnessError> {
    let refuse = |message: String, hint: &str| Err(HarnessError::refused(path.display(), message, hint));
    let size = (u32::from(image.width()), u32::from(image.height()));
    if (picture.width(), picture.height()) != size {
        return refuse(
            format!(
                "is {} x {} pixels, its image {} x {}",
                picture.width(),
                picture.height(),
                size.0,
                size.1
            ),
            "keep the size: everything behind the image would move",
        );
    }
    let stored = image.decode(palette).ok().and_then(to_picture);
    if stored.as_ref() == Some(picture) {
        return Ok(false);
    }
    let pixels: Vec<_> = picture.pixels().collect();
    match image.replace(palette, &pixels) {
        Ok(()) => Ok(true),
        Err(error) => refuse(
            format!("cannot be stored: {error}"),
            "ge-harness inspect shows the image's format",
        ),
    }
}

fn bank(bytes: &[u8]) -> Option<Tmh> {
    if detect(bytes) == Kind::Tmh {
        Tmh::parse(bytes).ok()
    } else {
        None
    }
}

fn to_picture(image: RgbaImage) -> Option<Picture> {
    let rgba = image.pixels.into_flattened();
    Picture::new(
        u32::try_from(image.width).ok()?,
        u32::try_from(image.height).ok()?,
        rgba,
    )
}

/// The folder of a bank's pictures is named as the bank is.
fn name(member: usize, image: usize, palette: usize) -> String {
    match palette {
        0 => format!("{member:03}.textures/{image:02}.png"),
        _ => format!("{member:03}.textures/{image:02}.palette{palette}.png"),
    }
}

#[cfg(test)]
mod tests {
    use formats::pac::{Alignment, Pac};
    use formats::tmh::{ColorFormat, PixelFormat};

    use super::super::{Textures, pack, unpack};
    use super::*;
    use crate::files;

    fn sample() -> Vec<u8> {
        let red = vec![[255, 0, 0, 255]; 32 * 8];
        let image = TmhImage::new(PixelFormat::Clut4, 32, 8, &red, Some(ColorFormat::Rgba8888)).unwrap();
        let bank = Tmh {
            images: vec![image.clone(), image],
            tail: Vec::new(),
        };
        Pac::new(vec![bank.write(), b"other".to_vec()], Alignment::Bytes16)
            .unwrap()
            .write()
    }

    #[test]
    fn a_changed_picture_goes_into_its_bank_and_nothing_else_moves() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = sample();
        for (name, bytes) in unpack(&bytes, Textures::AsPictures).unwrap() {
            files::write(&folder.path().join(name), &bytes).unwrap();
        }
        let unchanged = pack(folder.path(), Textures::AsPictures).unwrap();
        assert_eq!(unchanged.bytes, bytes);
        assert!(unchanged.changed_pictures.is_empty());

        let path = folder.path().join("000.textures/01.png");
        let mut picture = picture::read(&path).unwrap();
        picture.set_pixel(3, 2, [0, 0, 255, 255]);
        picture::write_png(&path, &picture).unwrap();
        let changed = pack(folder.path(), Textures::AsPictures).unwrap();
        assert_eq!(changed.changed_pictures, ["000.textures/01.png"]);
        assert_eq!(changed.bytes.len(), bytes.len());
        let pac = Pac::parse(&changed.bytes).unwrap();
        let bank = Tmh::parse(&pac.entries()[0]).unwrap();
        assert_eq!(
            bank.images[1].decode(0).unwrap().pixels[2 * 32 + 3],
            [0, 0, 255, 255]
        );
        assert_eq!(
            bank.images[0].decode(0).unwrap().pixels[2 * 32 + 3],
            [255, 0, 0, 255]
        );
        assert_eq!(
            pack(folder.path(), Textures::AsStored).unwrap().bytes,
            bytes,
            "pictures are read on request"
        );
    }

    #[test]
    fn a_picture_of_another_size_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in unpack(&sample(), Textures::AsPictures).unwrap() {
            files::write(&folder.path().join(name), &bytes).unwrap();
        }
        let path = folder.path().join("000.textures/00.png");
        picture::write_png(&path, &Picture::filled(16, 8, [1, 2, 3, 255])).unwrap();
        let error = pack(folder.path(), Textures::AsPictures).unwrap_err();
        assert!(
            error.to_string().contains("is 16 x 8 pixels, its image 32 x 8"),
            "{error}"
        );
    }
}
