//! From coordinates to a filtered texel (spec/ge-raster.md §8.3, §9.1 to §9.5).

use super::detail::Selection;
use crate::texture::{Filter, Sampler, Texture};

/// The filtered texel at coordinates in 1/256 texel of the largest level.
pub(super) fn sample(sampler: &Sampler, texture: &Texture, selection: Selection, [s, t]: [i32; 2]) -> u32 {
    let filtered = |number: usize| {
        let level = Level::new(sampler, texture, number);
        match selection.filter {
            Filter::Nearest => level.nearest(s, t),
            Filter::Linear => level.linear(s, t),
        }
    };
    let texel = filtered(selection.level);
    if selection.mix == 0 {
        return texel;
    }
    let next = filtered(selection.level + 1);
    by_component(|component| mix(component(texel), component(next), selection.mix))
}

/// A mip level as the sampler sees it.
struct Level<'a> {
    sampler: &'a Sampler,
    texels: &'a [u32],
    log2_size: [u32; 2],
    /// How much smaller than the largest level it is, as powers of two.
    shifts: [u32; 2],
}

impl<'a> Level<'a> {
    fn new(sampler: &'a Sampler, texture: &'a Texture, number: usize) -> Self {
        let view = &sampler.levels()[number.min(7)];
        Self {
            sampler,
            texels: &texture.texels[view.first..],
            log2_size: [view.log2_width, view.log2_height],
            shifts: [view.shift_s, view.shift_t],
        }
    }

    /// The index of a texel along an axis: it stops at the edges, or repeats.
    fn wrapped(&self, axis: usize, index: i32) -> usize {
        let size = 1 << self.log2_size[axis];
        let wrapped = if self.sampler.clamps()[axis] {
            index.clamp(0, size - 1)
        } else {
            index.rem_euclid(size)
        };
        wrapped as usize
    }

    fn texel(&self, column: i32, row: i32) -> u32 {
        let (column, row) = (self.wrapped(0, column), self.wrapped(1, row));
        self.texels[(row << self.log2_size[0]) + column]
    }

    /// The texel that the coordinates lie in.
    fn nearest(&self, s: i32, t: i32) -> u32 {
        let [shift_s, shift_t] = self.shifts;
        self.texel(s >> shift_s >> 8, t >> shift_t >> 8)
    }

    /// The four around it, in sixteenths.
    fn linear(&self, s: i32, t: i32) -> u32 {
        // Hardware cuts coordinates that have more bits than the level's, PPSSPP rounds them, halves upwards
        // (spec/ppsspp-profile.md §7.1, §10.2). Half a texel further left and up begins the mixture.
        let [s, t] = [(s, 0), (t, 1)].map(|(coordinate, axis): (i32, usize)| {
            let shift = self.shifts[axis];
            let half = if self.sampler.rounds { (1 << shift) / 2 } else { 0 };
            (coordinate.wrapping_add(half) >> shift).wrapping_sub(128)
        });
        let (column, row) = (s >> 8, t >> 8);
        let [fraction_s, fraction_t] = [s, t].map(|coordinate| ((coordinate >> 4) & 15) as u32);
        let corners = [
            self.texel(column, row),
            self.texel(column + 1, row),
            self.texel(column, row + 1),
            self.texel(column + 1, row + 1),
        ];
        by_component(|component| {
            let [top_left, top_right, bottom_left, bottom_right] = corners.map(component);
            if self.sampler.takes_mean_at_once() {
                // As PPSSPP (spec/ppsspp-profile.md §7.2).
                let top = top_left * (16 - fraction_s) + top_right * fraction_s;
                let bottom = bottom_left * (16 - fraction_s) + bottom_right * fraction_s;
                (top * (16 - fraction_t) + bottom * fraction_t) >> 8
            } else {
                // hw: reflection, rendertarget: along the rows first, each mean cut to 8 bits.
                let top = mix(top_left, top_right, fraction_s);
                let bottom = mix(bottom_left, bottom_right, fraction_s);
                mix(top, bottom, fraction_t)
            }
        })
    }
}

/// So many sixteenths of the next component, cut to 8 bits.
fn mix(component: u32, next: u32, sixteenths: u32) -> u32 {
    (component * (16 - sixteenths) + next * sixteenths) >> 4
}

/// A colour, component by component: `value` is told how to get one out of a colour.
fn by_component(value: impl Fn(&dyn Fn(u32) -> u32) -> u32) -> u32 {
    let at = |shift: u32| value(&|color| (color >> shift) & 255) << shift;
    at(0) | at(8) | at(16) | at(24)
}
