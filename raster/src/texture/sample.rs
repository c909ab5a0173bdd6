//! From coordinates to filtered texels (spec/ge-raster.md §8.3, §9).

use super::Texture;
use crate::profile::Profile;
use crate::state::{LevelSize, StateFlags, TextureState};

/// How texels of a level become one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Filter {
    /// The texel that the coordinate lies in.
    Nearest,
    /// The four around it, in 16 steps.
    Linear,
}

/// What a level of detail selects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LevelChoice {
    pub(crate) filter: Filter,
    pub(crate) level: usize,
    /// How much of the next level is mixed in, in sixteenths, 0..=15.
    pub(crate) mix: u32,
}

/// How an axis of a level repeats or ends: an index is clamped to `low..=high`, then masked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Wrap {
    low: i32,
    high: i32,
    mask: i32,
}

impl Wrap {
    /// For a size of two to the power `log2_size`, at most 9: hardware has 9 bits of texel index (hw:
    /// textures/size).
    fn new(log2_size: u32, clamp: bool) -> Self {
        let last = (1 << log2_size) - 1;
        if clamp {
            Self {
                low: 0,
                high: last,
                mask: last,
            }
        } else {
            Self {
                low: i32::MIN,
                high: i32::MAX,
                mask: last,
            }
        }
    }

    /// What an index is clamped to, and masked with.
    pub(crate) fn parts(self) -> [i32; 3] {
        [self.low, self.high, self.mask]
    }
}

/// A level, as coordinates of the largest level see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LevelView {
    pub(crate) first: usize,
    pub(crate) log2_width: u32,
    pub(crate) log2_height: u32,
    pub(crate) wrap_s: Wrap,
    pub(crate) wrap_t: Wrap,
    pub(crate) shift_s: u32,
    pub(crate) shift_t: u32,
    /// Added before a coordinate is shifted for the bilinear filter.
    pub(crate) half_s: i32,
    pub(crate) half_t: i32,
}

/// All that sampling a texture in a state depends on, beside the texels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sampler {
    levels: [LevelView; 8],
    pub(crate) highest_level: usize,
    pub(crate) minify: Filter,
    pub(crate) magnify: Filter,
    pub(crate) mipmaps: bool,
    pub(crate) mix_levels: bool,
    /// Whose bilinear filter.
    profile: Profile,
    /// Whether the bilinear filter rounds coordinates that have more bits than the level's.
    pub(crate) rounds: bool,
    /// The difference of the largest level's size to level 0's, as powers of two.
    pub(crate) first_shifts: [u32; 2],
}

impl Sampler {
    /// For a texture with levels of these sizes, the largest of which is `largest`.
    pub(crate) fn new(
        flags: StateFlags,
        texture_state: &TextureState,
        texture: &Texture,
        sizes: &[LevelSize],
        largest: LevelSize,
        profile: Profile,
    ) -> Self {
        let filter = |flag| {
            if flags.contains(flag) {
                Filter::Linear
            } else {
                Filter::Nearest
            }
        };
        let clamp_s = flags.contains(StateFlags::CLAMP_S);
        let clamp_t = flags.contains(StateFlags::CLAMP_T);
        let shifts = |size: &LevelSize| {
            let (width, height) = (size.log2_width.min(15), size.log2_height.min(15));
            [
                u32::from(largest.log2_width.saturating_sub(width)),
                u32::from(largest.log2_height.saturating_sub(height)),
            ]
        };
        // Hardware cuts coordinates that have more bits than the level's, PPSSPP rounds them, halves upwards
        // (spec/ppsspp-profile.md §7.1), unless its sampler is not compiled yet (§10.2).
        let rounds = profile == Profile::Ppsspp && !flags.contains(StateFlags::CUT_COORDINATES);
        let half = |shift: u32| if rounds { (1 << shift) >> 1 } else { 0 };
        let highest_level = texture.levels.len().min(8) - 1;
        let levels = [0, 1, 2, 3, 4, 5, 6, 7].map(|number: usize| {
            let level = &texture.levels[number.min(highest_level)];
            let [shift_s, shift_t] = sizes.get(number).map_or([0, 0], shifts);
            LevelView {
                first: level.first as usize,
                log2_width: level.log2_width,
                log2_height: level.log2_height,
                wrap_s: Wrap::new(level.log2_width, clamp_s),
                wrap_t: Wrap::new(level.log2_height, clamp_t),
                shift_s,
                shift_t,
                half_s: half(shift_s),
                half_t: half(shift_t),
            }
        });
        Self {
            levels,
            highest_level,
            minify: filter(StateFlags::MINIFY_LINEAR),
            magnify: filter(StateFlags::MAGNIFY_LINEAR),
            mipmaps: flags.contains(StateFlags::MIPMAP) && texture_state.highest_level > 0,
            mix_levels: flags.contains(StateFlags::MIPMAP_LINEAR),
            profile,
            rounds,
            first_shifts: sizes.first().map_or([0, 0], shifts),
        }
    }

    /// A level; those above the highest in use are that.
    pub(crate) fn level(&self, number: usize) -> &LevelView {
        &self.levels[number.min(7)]
    }

    /// The levels.
    pub(crate) fn levels(&self) -> &[LevelView; 8] {
        &self.levels
    }

    /// Whether s and t end at the texture's edges.
    pub(crate) fn clamps(&self) -> [bool; 2] {
        let level = &self.levels[0];
        [level.wrap_s, level.wrap_t].map(|wrap| wrap.low == 0)
    }

    /// Whether the bilinear filter is PPSSPP's.
    pub(crate) fn takes_mean_at_once(&self) -> bool {
        self.profile == Profile::Ppsspp
    }
}

impl LevelView {
    /// The level's texels, row after row.
    pub(crate) fn texels_of<'a>(&self, texture: &'a Texture) -> &'a [u32] {
        &texture.texels[self.first..self.first + self.texels()]
    }

    #[inline]
    fn texels(&self) -> usize {
        1 << (self.log2_width + self.log2_height)
    }
}

/// The level, the filter and the mixture for a level of detail in 1/16 level (spec/ge-raster.md §9.3, §9.5).
pub(crate) fn choose_level(sampler: &Sampler, detail: i32) -> LevelChoice {
    let filter = if detail > 0 {
        sampler.minify
    } else {
        sampler.magnify
    };
    if !sampler.mipmaps || detail <= 0 {
        return LevelChoice {
            filter,
            level: 0,
            mix: 0,
        };
    }
    let detail = (detail as usize).min(16 * sampler.highest_level);
    if sampler.mix_levels {
        LevelChoice {
            filter,
            level: detail >> 4,
            mix: (detail & 15) as u32,
        }
    } else {
        LevelChoice {
            filter,
            level: (detail + 8) >> 4,
            mix: 0,
        }
    }
}

#[cfg(test)]
mod tests;
