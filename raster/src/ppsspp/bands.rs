//! The bands of rows in which PPSSPP's threads draw (spec/ppsspp-profile.md §8.2). Quads for the level of detail begin anew
//! in each.

use super::PpssppRules;
use crate::setup::{Attributes, PixelRectangle, Primitive, PrimitiveFlags, Setup};

/// Rows of a band when all of a frame of 272 rows waits to be drawn, for four threads. What waits is not followed.
const ROWS: i32 = 68;

impl Setup<'_, PpssppRules> {
    /// A triangle in two parts if its quads begin at an odd row: in the band after, and in all that follow, they begin at an
    /// even one.
    pub(super) fn banded(
        &self,
        triangle: Primitive,
        attributes: &mut Attributes,
    ) -> impl Iterator<Item = Primitive> + use<> {
        let flags = triangle.flags;
        let uses_quads = flags.contains(PrimitiveFlags::DETAIL_PER_QUAD)
            || flags.contains(PrimitiveFlags::DETAIL_FROM_SLOPE);
        let whole = triangle.rectangle();
        if !uses_quads || !flags.contains(PrimitiveFlags::ODD_QUAD_ROW) {
            return [Some(triangle), None].into_iter().flatten();
        }
        // The first quad's row, which may lie above the first sample.
        let first = whole.top - i32::from(whole.top & 1 == 0);
        let next_band = (first / ROWS + 1) * ROWS;
        let upper = PixelRectangle {
            bottom: whole.bottom.min(next_band),
            ..whole
        };
        let lower = PixelRectangle {
            top: whole.top.max(next_band),
            ..whole
        };
        let mut part =
            |rectangle: PixelRectangle| (!rectangle.is_empty()).then(|| triangle.part(rectangle, attributes));
        let (upper, lower) = (part(upper), part(lower));
        let lower = lower.map(|part| Primitive {
            flags: flags.with(PrimitiveFlags::ODD_QUAD_ROW, false),
            ..part
        });
        [upper, lower].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::NONE;
    use crate::state::PixelState;

    fn bands(flags: PrimitiveFlags, rows: [u16; 2]) -> Vec<(u16, u16, bool)> {
        let state = PixelState::default();
        let triangle = Primitive {
            top: rows[0],
            bottom: rows[1],
            right: 8,
            flags,
            gouraud: NONE,
            coordinates: NONE,
            slope: NONE,
            ..Primitive::default()
        };
        Setup::<PpssppRules>::new(&state, None)
            .banded(triangle, &mut Attributes::default())
            .map(|part| {
                let is_odd = part.flags.contains(PrimitiveFlags::ODD_QUAD_ROW);
                (part.top, part.bottom, is_odd)
            })
            .collect()
    }

    #[test]
    fn quads_begin_at_even_rows_in_later_bands() {
        let even = PrimitiveFlags::DETAIL_PER_QUAD;
        let odd = even.with(PrimitiveFlags::ODD_QUAD_ROW, true);
        assert_eq!(bands(odd, [61, 70]), [(61, 68, true), (68, 70, false)]);
        assert_eq!(bands(odd, [69, 250]), [(69, 136, true), (136, 250, false)]);
        // The first sample lies a row below the corner, in the next band.
        assert_eq!(bands(odd, [68, 70]), [(68, 70, false)]);
        assert_eq!(bands(odd, [61, 68]), [(61, 68, true)]);
        assert_eq!(bands(even, [62, 70]), [(62, 70, false)]);
        // Without a level of detail quads do not show.
        let plain = PrimitiveFlags::ODD_QUAD_ROW;
        assert_eq!(bands(plain, [61, 70]), [(61, 70, true)]);
    }
}
