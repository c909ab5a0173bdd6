//! From clip space to the screen, and what a vertex's place means for its primitive.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f32x16, i32x16, mask32x16, u32x16};
use raster::Profile;

use super::lanes::clamped;
use crate::Registers;
use crate::arithmetic::Geometry;
use crate::command::Opcode;

/// Where a vertex lies, as far as rejection and clipping ask (`spec/ge-frontend.md §9`).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Placement(u8);

impl Placement {
    /// Off the 4096 x 4096 screen, or in depth: its primitives are dropped.
    pub(crate) const OUTSIDE: Self = Self(1);
    /// z / w is above 1.
    pub(crate) const TOO_FAR: Self = Self(2);
    /// z / w is below -1.
    pub(crate) const TOO_NEAR: Self = Self(4);
    /// Behind the plane z = -w, at which primitives are clipped.
    pub(crate) const BEHIND: Self = Self(8);
    /// w is negative.
    pub(crate) const NEGATIVE_W: Self = Self(16);

    /// Whether all of `other` holds.
    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// What holds for one or the other.
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What holds for both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[cfg(test)]
    pub(super) fn bits(self) -> u32 {
        self.0.into()
    }

    /// What the bits of a lane say.
    pub(super) const fn of_bits(bits: u32) -> Self {
        Self(bits as u8)
    }

    /// The bits of this placement in the lanes of a mask.
    #[inline(always)]
    fn where_true<S: Simd>(self, mask: mask32x16<S>) -> u32x16<S> {
        let simd = mask.token();
        mask.select(u32x16::splat(simd, self.0.into()), u32x16::splat(simd, 0))
    }

    const fn with(self, other: Self, on: bool) -> Self {
        if on { self.or(other) } else { self }
    }
}

/// What happens to depths out of range: the register that pspgu calls CLIP_PLANES
/// (`spec/ge-frontend.md §9`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DepthRange {
    /// Primitives that leave it are dropped.
    Reject,
    /// Depths are clamped.
    Clamp,
}

/// The viewport and what belongs to it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Viewport {
    pub(crate) scale: [f32; 3],
    pub(crate) center: [f32; 3],
    /// Subtracted from x and y, in sixteenths of a pixel.
    pub(crate) offset: [u16; 2],
    pub(crate) depth_range: DepthRange,
}

/// A vertex on the screen.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Projected {
    /// In sixteenths of a pixel, the offset subtracted.
    pub(crate) x: i32,
    pub(crate) y: i32,
    /// 0..=65535.
    pub(crate) z: u32,
    pub(crate) placement: Placement,
}

/// Vertices on the screen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProjectedLanes<S: Simd> {
    pub(crate) x: i32x16<S>,
    pub(crate) y: i32x16<S>,
    /// 0..=65535.
    pub(crate) z: i32x16<S>,
    /// Bits of a [`Placement`].
    pub(crate) placement: u32x16<S>,
}

/// The first depth ratio that is out of range: 1 and one step of a 24-bit float
/// (`spec/ge-frontend.md §9.2`).
const BEYOND_ONE: f32 = 1.0 + 1.0 / 32768.0;

/// The size of the screen that vertices may lie on, in pixels.
const SCREEN: f32 = 4096.0;

/// Where PPSSPP's screen ends (`spec/ppsspp-profile.md §2.4`).
const PPSSPP_SCREEN: f32 = 4095.0 + 31.0 / 32.0;

/// Whether a value lies from 0 to before `end`, or is no number: PPSSPP's comparisons fail for it.
#[inline]
fn is_not_out(value: f32, end: f32) -> bool {
    value.is_nan() || (0.0..end).contains(&value)
}

/// Whether values lie from 0 to before `end`.
#[inline(always)]
fn starts_before<S: Simd>(value: f32x16<S>, end: f32) -> mask32x16<S> {
    value.simd_ge(0.0) & value.simd_lt(end)
}

/// The opposite of [`is_not_out`].
#[inline(always)]
fn is_out<S: Simd>(value: f32x16<S>, end: f32) -> mask32x16<S> {
    value.simd_lt(0.0) | value.simd_ge(end)
}

impl Viewport {
    pub(crate) fn of(registers: &Registers) -> Self {
        Self {
            scale: registers.floats(Opcode::VPSCALEX),
            center: registers.floats(Opcode::VPCENTERX),
            offset: [Opcode::OFFSETX, Opcode::OFFSETY].map(|opcode| registers.field(opcode, 15, 0) as u16),
            depth_range: if registers.switch(Opcode::DEPTHCLAMP) {
                DepthRange::Clamp
            } else {
                DepthRange::Reject
            },
        }
    }

    /// Divides, scales and rounds a clip position, and finds its placement
    /// (`spec/ge-frontend.md §8, §9`).
    ///
    /// A coordinate that is no number counts as off the screen: with w = 0 hardware draws nothing
    /// (hw: clipping/homogeneous).
    #[inline]
    pub(crate) fn project<A: Geometry>(&self, clip: [f32; 4]) -> Projected {
        let [x, y, z, w] = clip;
        let screen = |axis: usize, value: f32| {
            A::add(A::divide(A::mul(value, self.scale[axis]), w), self.center[axis])
        };
        let (screen_x, screen_y, screen_z) = (screen(0, x), screen(1, y), screen(2, z));
        let inside = self.on_screen::<A>(screen_x, screen_y);
        let ratio = A::divide(z, w);
        let outside = match (self.depth_range, A::PROFILE) {
            (DepthRange::Reject, Profile::Hardware) => !inside || !(0.0..65536.0).contains(&screen_z),
            (DepthRange::Reject, Profile::Ppsspp) => !inside || !is_not_out(screen_z, 65536.0),
            // What is behind the near plane is clipped later, and the cut is tested then; what lies on
            // it is tested here (hw: clipping/guardband, cases 5 and 7).
            (DepthRange::Clamp, Profile::Hardware) => !inside && z >= -w,
            (DepthRange::Clamp, Profile::Ppsspp) => !inside && z > -w,
        };
        let placement = Placement::default()
            .with(Placement::OUTSIDE, outside)
            .with(Placement::TOO_FAR, ratio >= BEYOND_ONE)
            .with(Placement::TOO_NEAR, -ratio >= BEYOND_ONE)
            .with(Placement::BEHIND, z < -w)
            .with(Placement::NEGATIVE_W, w < 0.0);
        Projected {
            x: A::subpixel(screen_x, self.offset[0]),
            y: A::subpixel(screen_y, self.offset[1]),
            // `as` turns what is no number into 0.
            z: screen_z.clamp(0.0, 65535.0) as u32,
            placement,
        }
    }

    /// One coordinate on the screen.
    #[inline(always)]
    fn screen_lanes<A: Geometry, S: Simd>(&self, axis: usize, value: f32x16<S>, w: f32x16<S>) -> f32x16<S> {
        let simd = w.token();
        let scaled = A::mul_lanes(value, f32x16::splat(simd, self.scale[axis]));
        A::add_lanes(A::divide_lanes(scaled, w), f32x16::splat(simd, self.center[axis]))
    }

    /// [`project`](Self::project) of each lane.
    #[inline(always)]
    pub(crate) fn project_lanes<A: Geometry, S: Simd>(&self, clip: [f32x16<S>; 4]) -> ProjectedLanes<S> {
        let [x, y, z, w] = clip;
        let screen_x = self.screen_lanes::<A, S>(0, x, w);
        let screen_y = self.screen_lanes::<A, S>(1, y, w);
        let screen_z = self.screen_lanes::<A, S>(2, z, w);
        let ratio = A::divide_lanes(z, w);
        let behind = z.simd_lt(-w);
        let outside = match (self.depth_range, A::PROFILE) {
            (DepthRange::Reject, Profile::Hardware) => {
                !(starts_before(screen_x, SCREEN)
                    & starts_before(screen_y, SCREEN)
                    & starts_before(screen_z, 65536.0))
            }
            (DepthRange::Reject, Profile::Ppsspp) => {
                let on_edge = screen_x.simd_eq(PPSSPP_SCREEN);
                is_out(screen_x, PPSSPP_SCREEN) & !on_edge
                    | is_out(screen_y, PPSSPP_SCREEN)
                    | is_out(screen_z, 65536.0)
            }
            (DepthRange::Clamp, Profile::Hardware) => {
                let inside = starts_before(screen_x, SCREEN) & starts_before(screen_y, SCREEN);
                !inside & z.simd_ge(-w)
            }
            (DepthRange::Clamp, Profile::Ppsspp) => {
                (is_out(screen_x, PPSSPP_SCREEN) | is_out(screen_y, PPSSPP_SCREEN)) & z.simd_gt(-w)
            }
        };
        let placement = Placement::OUTSIDE.where_true(outside)
            | Placement::TOO_FAR.where_true(ratio.simd_ge(BEYOND_ONE))
            | Placement::TOO_NEAR.where_true((-ratio).simd_ge(BEYOND_ONE))
            | Placement::BEHIND.where_true(behind)
            | Placement::NEGATIVE_W.where_true(w.simd_lt(0.0));
        ProjectedLanes {
            x: A::subpixel_lanes(screen_x, self.offset[0]),
            y: A::subpixel_lanes(screen_y, self.offset[1]),
            z: clamped(screen_z, 0.0, 65535.0),
            placement,
        }
    }

    /// As [`project`](Self::project) for a vertex that clipping has made, whose range is always
    /// tested (`spec/ge-frontend.md §9.3`).
    pub(crate) fn project_cut<A: Geometry>(&self, clip: [f32; 4]) -> Projected {
        // A vertex on the plane is not "behind" it, but rounding may have left it there.
        let projected = self.project::<A>(clip);
        let screen = |axis: usize| {
            A::add(
                A::divide(A::mul(clip[axis], self.scale[axis]), clip[3]),
                self.center[axis],
            )
        };
        let outside = !self.on_screen::<A>(screen(0), screen(1));
        Projected {
            placement: projected.placement.with(Placement::OUTSIDE, outside),
            ..projected
        }
    }

    /// Whether coordinates lie on the screen. What is no number does not on hardware, and does in PPSSPP
    /// (`spec/ppsspp-profile.md §2.4`).
    #[inline]
    fn on_screen<A: Geometry>(&self, x: f32, y: f32) -> bool {
        match A::PROFILE {
            Profile::Hardware => (0.0..SCREEN).contains(&x) && (0.0..SCREEN).contains(&y),
            Profile::Ppsspp => {
                // x stops there or before, as the flag has it.
                let on_edge = self.depth_range == DepthRange::Reject && x == PPSSPP_SCREEN;
                (on_edge || is_not_out(x, PPSSPP_SCREEN)) && is_not_out(y, PPSSPP_SCREEN)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arithmetic::{F32, T24};

    fn viewport(depth_range: DepthRange) -> Viewport {
        Viewport {
            scale: [240.0, -136.0, -32767.5],
            center: [2048.0, 2048.0, 32767.5],
            offset: [1808 * 16, 1912 * 16],
            depth_range,
        }
    }

    #[test]
    fn coordinates_are_pulled_towards_the_center() {
        // spec/ge-raster.md §2.2: left of and above the centre they round up, else down.
        let of = |x: f32| viewport(DepthRange::Clamp).project::<T24>([x, 0.0, 0.0, 1.0]).x;
        let step = 1.0 / (240.0 * 16.0);
        assert_eq!(of(-10.5 * step), 240 * 16 - 10);
        assert_eq!(of(10.5 * step), 240 * 16 + 10);
    }

    #[test]
    fn depth_of_the_recorded_sprite() {
        // hw: depth/precision.
        let z = 28108.0 / 32768.0;
        assert_eq!(
            viewport(DepthRange::Reject).project::<T24>([0.0, 0.0, z, 1.0]).z,
            4660
        );
        let center = |z: f32| Viewport {
            center: [2048.0, 2048.0, z],
            ..viewport(DepthRange::Reject)
        };
        assert_eq!(center(32767.0).project::<T24>([0.0, 0.0, z, 1.0]).z, 4659);
        assert_eq!(center(32768.0).project::<T24>([0.0, 0.0, z, 1.0]).z, 4661);
    }

    #[test]
    fn ppsspp_rounds_otherwise_and_lets_what_is_no_number_stay() {
        // spec/ppsspp-profile.md §2.4.
        let viewport = viewport(DepthRange::Clamp);
        let of = |x: f32| viewport.project::<F32>([x, 0.0, 0.0, 1.0]).x;
        let step = 1.0 / (240.0 * 16.0);
        assert_eq!([of(10.5 * step), of(10.7 * step)], [240 * 16 + 10, 240 * 16 + 11]);
        assert_eq!(
            [of(-10.5 * step), of(-10.3 * step)],
            [240 * 16 - 11, 240 * 16 - 10]
        );
        let nowhere = viewport.project::<F32>([f32::NAN, 0.0, 0.5, 1.0]);
        assert!(!nowhere.placement.has(Placement::OUTSIDE));
        assert!(
            viewport
                .project::<F32>([9.0, 0.0, 0.5, 1.0])
                .placement
                .has(Placement::OUTSIDE)
        );
    }

    #[test]
    fn range_and_depth_decide_the_placement() {
        let place = |depth_range, clip| viewport(depth_range).project::<T24>(clip).placement;
        let far = [0.0, 0.0, 1.2, 1.0];
        assert!(place(DepthRange::Reject, far).has(Placement::OUTSIDE.or(Placement::TOO_FAR)));
        assert_eq!(place(DepthRange::Clamp, far), Placement::TOO_FAR);
        assert_eq!(place(DepthRange::Clamp, [9.0, 0.0, 0.0, 1.0]), Placement::OUTSIDE);
        // Behind the near plane the range does not matter yet.
        let behind = Placement::TOO_NEAR.or(Placement::BEHIND);
        assert_eq!(place(DepthRange::Clamp, [9.0, 0.0, -2.0, 1.0]), behind);
        assert!(place(DepthRange::Clamp, [0.0, 0.0, 1.0, 0.0]).has(Placement::OUTSIDE));
    }
}
