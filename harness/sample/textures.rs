//! Painted pictures as images of a texture bank.

use formats::tmh::{ColorFormat, EncodeError, PixelFormat, TmhImage};

use super::paint::Picture;

/// A picture in a stored format.
pub(crate) fn image(
    format: PixelFormat,
    picture: &Picture,
    clut: Option<ColorFormat>,
) -> Result<TmhImage, EncodeError> {
    TmhImage::new(format, picture.width, picture.height, &picture.pixels, clut)
}
