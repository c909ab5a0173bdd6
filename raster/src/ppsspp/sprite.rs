//! Rectangles that PPSSPP draws pixel for texel (spec/ppsspp-profile.md §6.4).

use super::PpssppRules;
use crate::draw::ScreenVertex;
use crate::setup::planes::{Slope, Texel24};
use crate::setup::record::push;
use crate::setup::{AffineCoordinates, Attributes, Primitive, Setup, TextureScale};
use crate::state::StateFlags;

/// A fast sprite: the texel at its top left pixel, and whether the next ones follow or precede it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sprite {
    /// Column and row of the first pixel.
    origin: [i64; 2],
    texel: [i64; 2],
    step: [i64; 2],
}

impl Sprite {
    /// The sprite that a rectangle is, if it is one: in through mode, at whole pixels, texels one to one inside
    /// the texture.
    pub(super) fn of(
        setup: &Setup<'_, PpssppRules>,
        texture: TextureScale,
        [v0, v1]: [&ScreenVertex; 2],
    ) -> Option<Self> {
        let flags = setup.state.flags;
        let size = texture.first;
        if !flags.contains(StateFlags::THROUGH)
            || flags.contains(StateFlags::CLEAR)
            || flags.contains(StateFlags::MIPMAP)
            || size.log2_width > 9
            || size.log2_height > 9
        {
            return None;
        }
        let horizontal = axis([v0.x.0, v1.x.0], [v0.s, v1.s], size.log2_width)?;
        let vertical = axis([v0.y.0, v1.y.0], [v0.t, v1.t], size.log2_height)?;
        Some(Self {
            origin: [horizontal.0, vertical.0],
            texel: [horizontal.1, vertical.1],
            step: [horizontal.2, vertical.2],
        })
    }

    /// Fills in coordinates in the middle of texels, where both filters give the texel itself.
    pub(super) fn coordinates(
        &self,
        setup: &Setup<'_, PpssppRules>,
        attributes: &mut Attributes,
        record: &mut Primitive,
    ) {
        let Some(texture) = setup.texture else { return };
        let first = [i64::from(record.left), i64::from(record.top)];
        let scales = setup.scales(texture);
        let planes = [0, 1].map(|axis: usize| {
            let texel = self.texel[axis] + self.step[axis] * (first[axis] - self.origin[axis]);
            let middle = |texel: i64| Texel24::new(texel as f64 + 0.5, scales[axis]);
            let (from, to) = (middle(texel), middle(texel + self.step[axis]));
            let slope = if axis == 0 {
                Slope::across(from, to, 16)
            } else {
                Slope::along(from, to, 16)
            };
            slope.plane(from, 0, 0)
        });
        record.coordinates = push(&mut attributes.affine, AffineCoordinates { planes });
    }
}

/// First pixel, first texel and step along an axis.
fn axis([c0, c1]: [i32; 2], [u0, u1]: [f32; 2], log2_size: u8) -> Option<(i64, i64, i64)> {
    let size = (1u32 << log2_size) as f32;
    let inside = |u: f32| (0.0..=size).contains(&u);
    let whole = c0 % 16 == 0 && c1 % 16 == 0 && c0 <= c1;
    if !whole || !inside(u0) || !inside(u1) {
        return None;
    }
    let length = i64::from(c1) - i64::from(c0);
    if ((16.0 * (u1 - u0)) as i64).abs() != length {
        return None;
    }
    let texel = u0 as i64;
    Some(if u1 > u0 {
        (i64::from(c0 / 16), texel, 1)
    } else {
        (i64::from(c0 / 16), texel - 1, -1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_run_forwards_or_backwards() {
        assert_eq!(axis([160, 320], [3.5, 13.5], 5), Some((10, 3, 1)));
        assert_eq!(axis([160, 320], [13.5, 3.5], 5), Some((10, 12, -1)));
        assert_eq!(axis([161, 321], [3.0, 13.0], 5), None, "not at whole pixels");
        assert_eq!(axis([160, 320], [3.0, 14.0], 5), None, "not one to one");
        assert_eq!(axis([160, 320], [23.0, 33.0], 5), None, "beyond the texture");
    }
}
