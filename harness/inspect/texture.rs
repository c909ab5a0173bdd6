//! What a texture bank holds.
use std::io::{self, Write};

use formats::tmh::{ColorFormat, PixelFormat, PixelLayout, Tmh, TmhImage};
use serde::Serialize;

use super::table::{Align, Table, count};

/// A texture bank in numbers.
#[derive(Debug, Serialize)]
pub struct TextureReport {
    images: Vec<ImageReport>,
    tail_bytes: usize,
}

#[derive(Debug, Serialize)]
struct ImageReport {
    index: usize,
    format: &'static str,
    width: u16,
    height: u16,
    layout: &'static str,
    pixel_bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    clut: Option<ClutReport>,
    /// Whether any pixel of the first palette's picture lets the ground shine through.
    transparency: Transparency,
}

#[derive(Debug, Serialize)]
struct ClutReport {
    format: &'static str,
    entries: usize,
    palettes: usize,
    bytes: usize,
}

/// Which alphas a picture has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Transparency {
    Opaque,
    /// 0 and 255 alone.
    CutOut,
    Blended,
    /// The picture does not decode, such as an index past its palette.
    Unreadable,
}

impl Transparency {
    fn of(image: &TmhImage) -> Self {
        let Ok(picture) = image.decode(0) else {
            return Self::Unreadable;
        };
        let alphas = || picture.pixels.iter().map(|[.., alpha]| *alpha);
        if alphas().all(|alpha| alpha == 255) {
            Self::Opaque
        } else if alphas().all(|alpha| alpha == 255 || alpha == 0) {
            Self::CutOut
        } else {
            Self::Blended
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Opaque => "opaque",
            Self::CutOut => "cut out",
            Self::Blended => "blended",
            Self::Unreadable => "cannot be decoded",
        }
    }
}

impl TextureReport {
    /// The report of a bank.
    #[must_use]
    pub fn new(bank: &Tmh) -> Self {
        let images = bank.images.iter().enumerate().map(|(index, image)| ImageReport {
            index,
            format: pixel_format_name(image.format()),
            width: image.width(),
            height: image.height(),
            layout: match image.layout() {
                PixelLayout::Swizzled { .. } => "swizzled",
                PixelLayout::Padded => "padded rows",
                PixelLayout::Linear => "linear",
                PixelLayout::Blocks => "DXT blocks",
            },
            pixel_bytes: image.pixel_bytes().len(),
            clut: image.clut().map(|clut| ClutReport {
                format: color_format_name(clut.format()),
                entries: clut.entry_count(),
                palettes: image.palette_count(),
                bytes: clut.bytes().len(),
            }),
            transparency: Transparency::of(image),
        });
        Self {
            images: images.collect(),
            tail_bytes: bank.tail.len(),
        }
    }

    /// What it is, on one line.
    pub(super) fn summary(&self) -> String {
        count(self.images.len(), "image")
    }

    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "  {}", self.summary())?;
        let mut table = Table::new([
            ("image", Align::Right),
            ("format", Align::Left),
            ("size", Align::Left),
            ("layout", Align::Left),
            ("bytes", Align::Right),
            ("palette", Align::Left),
            ("alpha", Align::Left),
        ]);
        for image in &self.images {
            let palette = image.clut.as_ref().map_or_else(String::new, |clut| {
                let several = if clut.palettes > 1 {
                    format!(" in {} palettes", clut.palettes)
                } else {
                    String::new()
                };
                format!("{} x {}{several}", clut.entries, clut.format)
            });
            table.row([
                image.index.to_string(),
                image.format.into(),
                format!("{} x {}", image.width, image.height),
                image.layout.into(),
                image.pixel_bytes.to_string(),
                palette,
                image.transparency.name().into(),
            ]);
        }
        writeln!(out)?;
        table.write(out)?;
        if self.tail_bytes > 0 {
            writeln!(out, "\n  {} after the last image", count(self.tail_bytes, "byte"))?;
        }
        Ok(())
    }
}

/// A pixel format by the name that its users call it.
pub(crate) const fn pixel_format_name(format: PixelFormat) -> &'static str {
    match format {
        PixelFormat::Rgb565 => "5650",
        PixelFormat::Rgba5551 => "5551",
        PixelFormat::Rgba4444 => "4444",
        PixelFormat::Rgba8888 => "8888",
        PixelFormat::Clut4 => "CLUT4",
        PixelFormat::Clut8 => "CLUT8",
        PixelFormat::Clut16 => "CLUT16",
        PixelFormat::Clut32 => "CLUT32",
        PixelFormat::Dxt1 => "DXT1",
        PixelFormat::Dxt3 => "DXT3",
        PixelFormat::Dxt5 => "DXT5",
    }
}

/// A colour format by the name that its users call it.
pub(crate) const fn color_format_name(format: ColorFormat) -> &'static str {
    match format {
        ColorFormat::Rgb565 => "5650",
        ColorFormat::Rgba5551 => "5551",
        ColorFormat::Rgba4444 => "4444",
        ColorFormat::Rgba8888 => "8888",
    }
}
