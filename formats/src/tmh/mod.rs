//! TMH texture banks.
//!
//! A bank is a run of images without an offset table, each with an optional CLUT, byte-compatible
//! between the games. [`Tmh::parse`] and [`Tmh::write`] keep every byte; [`TmhImage::decode`] gives
//! colours, [`TmhImage::replace`] puts a picture back at the same format, size and length, so that
//! no offset around it moves. A renderer hands [`TmhImage::ge_texture`] and
//! [`TmhImage::clut_bytes`] to the GE: the stored bytes, unchanged wherever the GE can read them.
//!
//! Source: `spec/mhp-formats.md §2`, `spec/ge-raster.md §8.4-8.8`.

mod bank;
mod decode;
mod dxt;
mod encode;
mod format;
mod ge_texture;
mod image;
mod layout;
#[cfg(test)]
mod properties;
mod quantize;

pub use encode::EncodeError;
pub use format::{ColorFormat, PixelFormat, Rgba};
pub use ge_texture::GeTexture;
pub use image::{Clut, RgbaImage, TmhImage};
pub use layout::PixelLayout;

/// A texture bank.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Tmh {
    /// The images, which materials and textures index from 0.
    pub images: Vec<TmhImage>,
    /// Everything after the last image, kept as it is.
    pub tail: Vec<u8>,
}
