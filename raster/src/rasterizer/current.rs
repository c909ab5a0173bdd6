//! A draw while it is taken over: its texture, and where that lies.

use std::sync::Arc;

use crate::code::TextureFormat;
use crate::draw::{Draw, TextureLevel, TextureSource, VramRange};
use crate::hazard::PendingWrites;
use crate::profile::Profile;
use crate::setup::{Setup, TextureScale};
use crate::state::{LevelSize, StateFlags};
use crate::statistics::Statistics;
use crate::texture::{Sampler, Texture, TextureCache};
use crate::vram::Vram;

/// Texels that cost as much as a pixel: between those that are decoded and those that are only compared.
const TEXELS_PER_PIXEL: u64 = 8;

/// A draw that is being taken over.
pub(super) struct CurrentDraw<'a> {
    profile: Profile,
    pub(super) draw: &'a Draw<'a>,
    pub(super) setup: Setup<'a>,
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
    /// Whether the next primitive pays for a look at the texture.
    owes_texture: bool,
}

impl<'a> CurrentDraw<'a> {
    pub(super) fn new(profile: Profile, draw: &'a Draw<'a>) -> Self {
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
            // One more bit, to round by (spec/ppsspp-profile.md §7.1).
            let extra = match profile {
                Profile::Hardware => 0,
                Profile::Ppsspp => 1,
            };
            TextureScale {
                first: limited(first.size),
                largest: LevelSize {
                    log2_width: largest.log2_width + extra,
                    log2_height: largest.log2_height + extra,
                },
            }
        });
        Self {
            profile,
            draw,
            setup: Setup::new(profile, draw.state, scale),
            levels,
            scale,
            texture: None,
            settlements: 0,
            state_index: None,
            primitive: 0,
            owes_texture: true,
        }
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

    /// Pixels that the next primitive costs for its texture. The first one pays, and the ones after primitives of this draw
    /// that wrote where the texture lies: whether it is really looked at then, decoded or only compared, depends on what is
    /// pending and on the cache, and what a list may cost does not.
    pub(super) fn take_texture_cost(&mut self) -> u64 {
        if !std::mem::take(&mut self.owes_texture) || self.levels.is_empty() {
            return 0;
        }
        let texels = self.draw.texture.map_or(0, |texture| texture.sampled_texels());
        texels / TEXELS_PER_PIXEL
    }

    /// Notes what a record of this draw writes.
    pub(super) fn note_drawn(&mut self, written: &PendingWrites, vram: &Vram) {
        self.owes_texture = self.owes_texture || self.reads(written, vram);
    }

    /// Has the texture looked at anew by the next primitive, if it lies where something is written.
    pub(super) fn note_written(&mut self, written: &PendingWrites, vram: &Vram) {
        if self.reads(written, vram) {
            (self.texture, self.state_index) = (None, None);
        }
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
