//! Texture coordinates of rectangles as PPSSPP steps them, in single precision (spec/ppsspp-profile.md §5.3).
//!
//! A coordinate depends on the column or on the row alone. Where the noise of the steps moves one over the border of a
//! weight or of a texel, the rectangle is cut: every part is a record of its own, with the exact plane and a
//! correction. So what crosses into the kernels stays planes of integers.

use std::ops::Range;

use crate::setup::planes::{ExactPlane, floored, power_of_two};

/// Corrections that are tried for more than one pixel, in 1/512 texel with 24 fraction bits: far smaller than
/// any distance from a border but 0.
const CORRECTIONS: [i64; 3] = [0, -(1 << 10), 1 << 10];
/// Parts along an axis at most; the pixels after them have no correction.
const MOST_PARTS: u32 = 64;

/// Pixels along an axis whose coordinates a plane gives, once a correction is added to it, in 1/512 texel
/// with 24 fraction bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Part {
    pub(super) pixels: Range<i32>,
    pub(super) correction: i64,
}

/// How the bilinear filter takes coordinates to 1/256 texel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    /// To the nearest.
    Nearest,
    /// Cut.
    Down,
}

/// The steps of a coordinate along an axis, cut into parts.
#[derive(Clone, Debug)]
pub(super) struct Steps {
    pixels: Range<i32>,
    /// Where the exact plane begins.
    origin: i32,
    exact: ExactPlane,
    across: bool,
    scale: i32,
    /// The coordinate at the next even pixel, counted from the first, and the change to the one after it.
    even: f32,
    step: f32,
    is_odd: bool,
    rounding: Rounding,
    parts: u32,
}

impl Steps {
    /// From `first` to `last` over a distance in sub units; `sample` is that from the start to the first pixel's sample.
    /// `exact` is the same in the exact plane, which runs across columns or down rows.
    pub(super) fn new(
        pixels: Range<i32>,
        (first, last): (f32, f32),
        (distance, sample): (i64, i64),
        scale: i32,
        (exact, across): (ExactPlane, bool),
        rounding: Rounding,
    ) -> Self {
        let step = 2.0 * (last - first) / (distance as f32 / 16.0);
        Self {
            origin: pixels.start,
            pixels,
            exact,
            across,
            scale,
            even: first + (step / 32.0) * sample as f32,
            step,
            is_odd: false,
            rounding,
            parts: 0,
        }
    }

    /// The stepped coordinate of the next pixel, in 1/512 texel with 24 fraction bits.
    fn stepped(&self) -> i64 {
        let coordinate = if self.is_odd {
            self.even + self.step / 2.0
        } else {
            self.even
        };
        floored(f64::from(coordinate) * power_of_two(self.scale + 24))
    }

    /// The exact coordinate of the next pixel.
    fn planar(&self) -> i64 {
        let along = self.pixels.start - self.origin;
        let (dx, dy) = if self.across { (along, 0) } else { (0, along) };
        (self.exact.at(dx, dy) >> 40) as i64
    }

    fn advance(&mut self) {
        if self.is_odd {
            self.even += self.step;
        }
        self.is_odd = !self.is_odd;
        self.pixels.start += 1;
    }
}

/// The texel of the nearest filter, and texel and weight of the linear one (spec/ppsspp-profile.md §7.1).
const fn sampled(coordinate: i64, rounding: Rounding) -> (i64, i64) {
    let half_units = coordinate >> 24;
    let half = match rounding {
        Rounding::Nearest => 1,
        Rounding::Down => 0,
    };
    (half_units >> 9, (half_units + half) >> 5)
}

impl Iterator for Steps {
    type Item = Part;

    fn next(&mut self) -> Option<Part> {
        if self.pixels.is_empty() {
            return None;
        }
        self.parts += 1;
        let start = self.pixels.start;
        if self.parts > MOST_PARTS {
            self.pixels.start = self.pixels.end;
            return Some(Part {
                pixels: start..self.pixels.end,
                correction: 0,
            });
        }
        let single = self.stepped().wrapping_sub(self.planar());
        let mut fits = [true; CORRECTIONS.len()];
        let mut best = None;
        while !self.pixels.is_empty() {
            let (wanted, planar) = (sampled(self.stepped(), self.rounding), self.planar());
            for (fits, correction) in fits.iter_mut().zip(CORRECTIONS) {
                *fits &= sampled(planar.wrapping_add(correction), self.rounding) == wanted;
            }
            let Some(fitting) = fits.iter().position(|&fits| fits) else {
                break;
            };
            best = Some(CORRECTIONS[fitting]);
            self.advance();
        }
        if best.is_none() {
            self.advance();
        }
        Some(Part {
            pixels: start..self.pixels.start,
            correction: best.unwrap_or(single),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::setup::planes::{Slope, Texel24};

    const SCALE: i32 = 9 + 6;

    fn parts(ends: (f32, f32), distance: i64, pixels: Range<i32>) -> (ExactPlane, Vec<Part>) {
        let [from, to] = [ends.0, ends.1].map(|end| Texel24::new(end.into(), SCALE));
        let sample = 16 * i64::from(pixels.start) + 8;
        let exact = Slope::across(from, to, distance).plane(from, sample, 0);
        let steps = Steps::new(
            pixels,
            ends,
            (distance, sample),
            SCALE,
            (exact, true),
            Rounding::Nearest,
        );
        (exact, steps.collect())
    }

    /// The sequence of spec/ppsspp-profile.md §5.3, literally.
    fn sequence((first, last): (f32, f32), distance: i64, pixels: Range<i32>) -> Vec<f32> {
        let step = (2.0 * (last - first)) / (distance as f32 / 16.0);
        let start = first + (step / 32.0) * (16 * pixels.start + 8) as f32;
        let mut pairs = vec![start];
        for _ in 0..pixels.len() / 2 {
            pairs.push(pairs[pairs.len() - 1] + step);
        }
        let both = pairs.into_iter().flat_map(|even| [even, even + step / 2.0]);
        both.take(pixels.len()).collect()
    }

    fn check(ends: (f32, f32), distance: i64, pixels: Range<i32>) -> usize {
        let (exact, parts) = parts(ends, distance, pixels.clone());
        let wanted = sequence(ends, distance, pixels.clone());
        let mut next = pixels.start;
        for part in &parts {
            assert_eq!(part.pixels.start, next);
            next = part.pixels.end;
            if parts.len() > MOST_PARTS as usize && next == pixels.end {
                break;
            }
            for pixel in part.pixels.clone() {
                let along = pixel - pixels.start;
                let stepped = f64::from(wanted[along as usize]) * power_of_two(SCALE + 24);
                assert_eq!(
                    sampled(
                        (exact.at(along, 0) >> 40) as i64 + part.correction,
                        Rounding::Nearest
                    ),
                    sampled(stepped.floor() as i64, Rounding::Nearest),
                    "{ends:?} over {distance}, pixel {pixel} of {pixels:?}"
                );
            }
        }
        assert_eq!(next, pixels.end);
        parts.len()
    }

    proptest! {
        #[test]
        fn parts_show_what_the_steps_show(
            first in 0.0f32..2.0,
            last in 0.0f32..2.0,
            distance in 16i64..0x2000,
            start in 0i32..64,
            length in 1i32..448,
        ) {
            check((first, last), distance, start..start + length);
        }
    }

    #[test]
    fn steps_that_hit_no_border_are_one_part() {
        // A texel a pixel, in the middle of texels.
        assert_eq!(check((0.0, 1.0), 64 * 16, 0..64), 1);
    }

    #[test]
    fn noise_on_a_border_is_cut_out() {
        // 64 texels over 480 pixels: the sample of every fifteenth lies on the border of two weights.
        assert!(check((0.0, 1.0), 480 * 16, 0..480) > 1);
    }
}
