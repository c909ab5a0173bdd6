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
struct Wrap {
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

    #[inline]
    fn apply(self, index: i32) -> usize {
        (index.clamp(self.low, self.high) & self.mask) as usize
    }
}

/// A level, as coordinates of the largest level see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LevelView {
    pub(crate) first: usize,
    pub(crate) log2_width: u32,
    pub(crate) log2_height: u32,
    wrap_s: Wrap,
    wrap_t: Wrap,
    pub(crate) shift_s: u32,
    pub(crate) shift_t: u32,
    /// Added before a coordinate is shifted for the bilinear filter.
    half_s: i32,
    half_t: i32,
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

    /// The filtered texel at a coordinate in 1/256 texel of the largest level.
    #[inline]
    pub(crate) fn sample(&self, texture: &Texture, choice: LevelChoice, s: i32, t: i32) -> u32 {
        let filtered = |number: usize| {
            let level = &self.levels[number.min(7)];
            let texels = &texture.texels[level.first..level.first + level.texels()];
            match (choice.filter, self.profile) {
                (Filter::Nearest, _) => level.nearest(texels, s, t),
                (Filter::Linear, Profile::Hardware) => level.linear(texels, s, t, mean_by_rows),
                (Filter::Linear, Profile::Ppsspp) => level.linear(texels, s, t, mean_at_once),
            }
        };
        let texel = filtered(choice.level);
        if choice.mix == 0 {
            return texel;
        }
        mix(texel, filtered(choice.level + 1), choice.mix)
    }

    /// [`Self::sample`] for the pixels of a span whose bit is set in `mask`.
    pub(crate) fn sample_span(
        &self,
        texture: &Texture,
        choice: LevelChoice,
        (s, t): (&[i32], &[i32]),
        mask: u64,
        out: &mut [u32],
    ) {
        let level = &self.levels[choice.level.min(7)];
        if choice.mix > 0 {
            return fill(out, (s, t), mask, |s, t| self.sample(texture, choice, s, t));
        }
        let texels = &texture.texels[level.first..level.first + level.texels()];
        match (choice.filter, self.profile) {
            (Filter::Nearest, _) => fill(out, (s, t), mask, |s, t| level.nearest(texels, s, t)),
            (Filter::Linear, Profile::Hardware) => {
                fill(out, (s, t), mask, |s, t| level.linear(texels, s, t, mean_by_rows));
            }
            (Filter::Linear, Profile::Ppsspp) => {
                fill(out, (s, t), mask, |s, t| level.linear(texels, s, t, mean_at_once));
            }
        }
    }
}

/// Fills in the pixels whose bit is set in `mask`.
#[inline]
fn fill(out: &mut [u32], (s, t): (&[i32], &[i32]), mask: u64, sample: impl Fn(i32, i32) -> u32) {
    for (index, (texel, (&s, &t))) in out.iter_mut().zip(s.iter().zip(t)).enumerate() {
        if (mask >> index) & 1 == 1 {
            *texel = sample(s, t);
        }
    }
}

impl LevelView {
    #[inline]
    fn texels(&self) -> usize {
        1 << (self.log2_width + self.log2_height)
    }

    #[inline]
    fn nearest(&self, texels: &[u32], s: i32, t: i32) -> u32 {
        let column = self.wrap_s.apply(s >> self.shift_s >> 8);
        let row = self.wrap_t.apply(t >> self.shift_t >> 8);
        texels[(row << self.log2_width) | column]
    }

    #[inline]
    fn linear(&self, texels: &[u32], s: i32, t: i32, mean: impl Fn([u32; 4], u32, u32) -> u32) -> u32 {
        let s = (s.wrapping_add(self.half_s) >> self.shift_s) - 128;
        let t = (t.wrapping_add(self.half_t) >> self.shift_t) - 128;
        let (column, row) = (s >> 8, t >> 8);
        let (left, right) = (self.wrap_s.apply(column), self.wrap_s.apply(column + 1));
        let top = self.wrap_t.apply(row) << self.log2_width;
        let bottom = self.wrap_t.apply(row + 1) << self.log2_width;
        mean(
            [
                texels[top | left],
                texels[top | right],
                texels[bottom | left],
                texels[bottom | right],
            ],
            ((s >> 4) & 15) as u32,
            ((t >> 4) & 15) as u32,
        )
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

/// Two components, one in each half of a word.
const PAIR: u32 = 0x00FF_00FF;

/// The weighted mean of top left, top right, bottom left and bottom right as hardware makes it: first along the two
/// rows, then between them, each mean cut to 8 bits. Fractions are sixteenths.
///
/// hw: reflection, rendertarget. Of the 18,008 pixels of reflection's upper box 3 differ, for their coordinates'
/// sake; with one cut at the end 378, with columns before rows 331. The textures of filtering/* cannot tell.
#[inline]
fn mean_by_rows([top_left, top_right, bottom_left, bottom_right]: [u32; 4], s: u32, t: u32) -> u32 {
    mix(mix(top_left, top_right, s), mix(bottom_left, bottom_right, s), t)
}

/// The same mean as PPSSPP makes it, cut once at the end (spec/ppsspp-profile.md §7.2).
#[inline]
fn mean_at_once(texels: [u32; 4], fraction_s: u32, fraction_t: u32) -> u32 {
    let weights = [
        (16 - fraction_s) * (16 - fraction_t),
        fraction_s * (16 - fraction_t),
        (16 - fraction_s) * fraction_t,
        fraction_s * fraction_t,
    ];
    // The weights add up to 256, so that no half overflows.
    let mut even = 0;
    let mut odd = 0;
    for (texel, weight) in texels.into_iter().zip(weights) {
        even += (texel & PAIR) * weight;
        odd += ((texel >> 8) & PAIR) * weight;
    }
    ((even >> 8) & PAIR) | (odd & !PAIR)
}

/// So many sixteenths of the next texel or the next level's (spec/ge-raster.md §9.5), cut to 8 bits.
#[inline]
fn mix(texel: u32, next: u32, sixteenths: u32) -> u32 {
    let even = (texel & PAIR) * (16 - sixteenths) + (next & PAIR) * sixteenths;
    let odd = ((texel >> 8) & PAIR) * (16 - sixteenths) + ((next >> 8) & PAIR) * sixteenths;
    ((even >> 4) & PAIR) | (((odd >> 4) & PAIR) << 8)
}

#[cfg(test)]
mod tests;
