//! A draw while it is taken over: its texture, and where that lies.

use std::sync::Arc;

use crate::code::TextureFormat;
use crate::draw::{Draw, TextureLevel, TextureSource, VramRange};
use crate::hazard::PendingWrites;
use crate::profile::Profile;
use crate::setup::{PixelRectangle, Rules, Setup, TextureScale};
use crate::state::{LevelSize, StateFlags};
use crate::statistics::Statistics;
use crate::texture::{Sampler, Texture, TextureCache};
use crate::vram::Vram;

/// A draw that is being taken over.
pub(super) struct CurrentDraw<'a> {
    profile: Profile,
    pub(super) draw: &'a Draw<'a>,
    /// The levels in use; none without a texture that can be sampled.
    levels: &'a [TextureLevel<'a>],
    scale: Option<TextureScale>,
    /// The texture as it was when last looked at.
    pub(super) texture: Option<Arc<Texture>>,
    /// How often everything was fetched from the GPU when the texture was looked at.
    pub(super) settlements: u64,
    /// The state's index in the batch, while it has one.
    pub(super) state_index: Option<u32>,
    /// The number of the primitive that is being set up.
    pub(super) primitive: usize,
    /// What the next primitives' texture costs.
    cost: TextureCost,
}

/// When a look at a draw's texture is paid for: see [`CurrentDraw::texture_cost`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TextureCost {
    /// No primitive was set up yet.
    First,
    /// Once, by the first primitive: it is paid for.
    Paid,
    /// By every primitive.
    Each,
}

/// Texels of a texture for the price of a pixel.
const TEXELS_PER_PIXEL: u64 = 8;

impl<'a> CurrentDraw<'a> {
    /// With the set-up of its primitives by the rules of the profile.
    pub(super) fn new<R: Rules>(profile: Profile, draw: &'a Draw<'a>) -> (Self, Setup<'a, R>) {
        let flags = draw.state.flags;
        let textured = flags.contains(StateFlags::TEXTURE) && !flags.contains(StateFlags::CLEAR);
        let highest = if flags.contains(StateFlags::MIPMAP) {
            draw.state.texture.highest_level.min(7)
        } else {
            0
        };
        let levels = match &draw.texture {
            Some(source) if textured && source.format != TextureFormat::INVALID => {
                &source.levels[..source.levels.len().min(usize::from(highest) + 1)]
            }
            _ => &[],
        };
        let limited = |size: LevelSize| LevelSize {
            log2_width: size.log2_width.min(15),
            log2_height: size.log2_height.min(15),
        };
        let scale = levels.first().map(|first| {
            let mut largest = limited(first.size);
            for level in levels {
                largest.log2_width = largest.log2_width.max(limited(level.size).log2_width);
                largest.log2_height = largest.log2_height.max(limited(level.size).log2_height);
            }
            TextureScale {
                first: limited(first.size),
                largest: LevelSize {
                    log2_width: largest.log2_width + R::EXTRA_COORDINATE_BITS,
                    log2_height: largest.log2_height + R::EXTRA_COORDINATE_BITS,
                },
            }
        });
        let current = Self {
            profile,
            draw,
            levels,
            scale,
            texture: None,
            settlements: 0,
            state_index: None,
            primitive: 0,
            cost: TextureCost::First,
        };
        (current, Setup::new(draw.state, scale))
    }

    /// The texture's source and its levels in use, if some of it lies in VRAM.
    pub(super) fn source_in_vram(&self) -> Option<(&'a TextureSource<'a>, usize)> {
        self.vram_ranges().next()?;
        let source = self.draw.texture.as_ref()?;
        Some((source, self.levels.len()))
    }

    /// The VRAM that the texture is read from.
    pub(super) fn vram_ranges(&self) -> impl Iterator<Item = VramRange> + use<'a> {
        let levels = self.levels.iter().filter(|level| level.bytes.is_empty());
        levels.filter_map(|level| level.vram)
    }

    /// Whether the texture lies where something is written.
    pub(super) fn reads(&self, written: &PendingWrites, vram: &Vram) -> bool {
        let mut ranges = self.levels.iter().filter_map(|level| level.vram);
        ranges.any(|range| written.overlap(range, vram.translation()))
    }

    /// Has the texture looked at anew by the next primitive, if it lies where something is written.
    pub(super) fn note_written(&mut self, written: &PendingWrites, vram: &Vram) {
        if self.reads(written, vram) {
            (self.texture, self.state_index) = (None, None);
        }
    }

    /// What the look at the texture costs the next primitive, in pixels: an eighth of the texels of its levels for
    /// the draw's first one, and for each if the draw may write where the texture lies, inside its scissor.
    ///
    /// It follows from the draw alone: not from what is pending, nor from which textures are known, nor from who
    /// draws.
    pub(super) fn texture_cost(&mut self, writes_color: bool, writes_depth: bool, vram: &Vram) -> u64 {
        if self.cost == TextureCost::Paid || self.levels.is_empty() {
            return 0;
        }
        if self.cost == TextureCost::First {
            let state = self.draw.state;
            let (scissor, target) = (state.scissor, state.target);
            let reachable = PendingWrites {
                target,
                area: PixelRectangle {
                    left: scissor.left.into(),
                    top: scissor.top.into(),
                    right: i32::from(scissor.right) + 1,
                    bottom: i32::from(scissor.bottom) + 1,
                },
                color: writes_color,
                depth: writes_depth,
            };
            self.cost = if self.reads(&reachable, vram) {
                TextureCost::Each
            } else {
                TextureCost::Paid
            };
        }
        let texels = |level: &TextureLevel<'_>| {
            u64::from(level.size.sampled_width()) * u64::from(level.size.sampled_height())
        };
        self.levels.iter().map(texels).sum::<u64>() / TEXELS_PER_PIXEL
    }

    pub(super) fn find_texture(
        &self,
        textures: &mut TextureCache,
        vram: &Vram,
        statistics: &mut Statistics,
    ) -> Arc<Texture> {
        match &self.draw.texture {
            Some(source) if !self.levels.is_empty() => {
                textures.get(source, self.levels.len(), vram, statistics)
            }
            _ => textures.null(),
        }
    }

    pub(super) fn sampler(&self, texture: &Texture) -> Sampler {
        let mut sizes = [LevelSize::default(); 8];
        for (size, level) in sizes.iter_mut().zip(self.levels) {
            *size = level.size;
        }
        let largest = self.scale.map_or(LevelSize::default(), |scale| scale.largest);
        Sampler::new(
            self.draw.state.flags,
            &self.draw.state.texture,
            texture,
            &sizes[..self.levels.len()],
            largest,
            self.profile,
        )
    }
}
