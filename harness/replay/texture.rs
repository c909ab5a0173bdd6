//! The texture of a draw, kept until somebody wants to see it.
use raster::{
    Clut, LevelSize, TexelOrder, Texels, TextureFormat, TextureLevel, TextureSource, Vram, VramRange,
};

/// Level 0 of a draw's texture, with the palette as it was.
#[derive(Debug, Clone)]
pub(super) struct KeptTexture {
    format: TextureFormat,
    order: TexelOrder,
    bytes: Vec<u8>,
    buffer_width: u32,
    size: LevelSize,
    vram: Option<VramRange>,
    palette: [u8; 1024],
    /// The rest of the palette: its memory is in `palette`.
    clut: Clut<'static>,
}

/// What stands for palette memory in a [`Clut`] that has none of its own.
static NO_MEMORY: [u8; 1024] = [0; 1024];

impl KeptTexture {
    /// Takes over level 0 of a texture.
    pub(super) fn of(source: &TextureSource<'_>) -> Option<Self> {
        let level = source.levels.first()?;
        let Clut {
            change: _,
            memory,
            format,
            shift,
            mask,
            start,
            per_level,
        } = source.clut;
        Some(Self {
            format: source.format,
            order: source.order,
            bytes: level.bytes.to_vec(),
            buffer_width: level.buffer_width,
            size: level.size,
            vram: level.vram,
            palette: *memory,
            clut: Clut {
                change: None,
                memory: &NO_MEMORY,
                format,
                shift,
                mask,
                start,
                per_level,
            },
        })
    }

    /// The texels, those in VRAM as they are now; `None` for a format that the GE does not have.
    pub(super) fn texels(&self, vram: &Vram) -> Option<Texels> {
        let level = TextureLevel {
            stamp: None,
            bytes: &self.bytes,
            buffer_width: self.buffer_width,
            size: self.size,
            vram: self.vram,
        };
        let source = TextureSource {
            format: self.format,
            order: self.order,
            levels: &[level],
            clut: Clut {
                change: None,
                memory: &self.palette,
                ..self.clut
            },
        };
        source.texels(0, vram)
    }
}
