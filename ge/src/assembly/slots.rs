//! The order in which PPSSPP holds the corners of a triangle (`spec/ppsspp-profile.md §4.2`). It decides which
//! pieces of a triangle cut at the near plane are lost with a vertex off the screen, how often a triangle without area is
//! drawn, and the last bit of sums over the corners.

use super::{Culling, Parity};

/// Corners by slots, and whether the two orders of handing them over swap their roles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slots {
    corners: [u32; 3],
    parity: Parity,
}

impl Slots {
    /// A triangle on its own.
    pub(super) const fn of_triangle(corners: [u32; 3]) -> Self {
        Self {
            corners,
            parity: Parity::Even,
        }
    }

    /// A triangle of a strip: vertex k is in slot k modulo 3.
    pub(super) fn of_strip(mut corners: [u32; 3], number: u32) -> Self {
        corners.rotate_right(number as usize % 3);
        Self {
            corners,
            parity: Parity::of(number),
        }
    }

    /// A triangle of a fan: the hub is in slot 0, the others take turns in slots 1 and 2.
    pub(super) fn of_fan(corners: [u32; 3], number: u32) -> Self {
        let [hub, a, b] = corners;
        let parity = Parity::of(number);
        Self {
            corners: match parity {
                Parity::Even => [hub, a, b],
                Parity::Odd => [hub, b, a],
            },
            parity,
        }
    }

    /// The orders in which the triangle is handed over: only what is not counter-clockwise then is drawn.
    pub(super) fn orders(self, culling: Culling) -> impl Iterator<Item = [u32; 3]> {
        let plain = self.corners;
        let reversed = [plain[2], plain[1], plain[0]];
        let (plain, reversed) = match self.parity {
            Parity::Even => (plain, reversed),
            Parity::Odd => (reversed, plain),
        };
        let (first, second) = match culling {
            Culling::Off => (plain, Some(reversed)),
            Culling::Clockwise => (reversed, None),
            Culling::CounterClockwise => (plain, None),
        };
        std::iter::once(first).chain(second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_of_a_strip_keep_their_slots() {
        for number in 0..7 {
            let slots = Slots::of_strip([number, number + 1, number + 2], number);
            for (slot, vertex) in slots.corners.into_iter().enumerate() {
                assert_eq!(vertex as usize % 3, slot);
            }
        }
    }

    #[test]
    fn culling_leaves_one_order() {
        let orders = |slots: Slots, culling| slots.orders(culling).collect::<Vec<_>>();
        let even = Slots::of_fan([0, 1, 2], 0);
        assert_eq!(orders(even, Culling::CounterClockwise), [[0, 1, 2]]);
        assert_eq!(orders(even, Culling::Off), [[0, 1, 2], [2, 1, 0]]);
        // Turned around twice, the second triangle of a fan turns like the first.
        let odd = Slots::of_fan([0, 2, 3], 1);
        assert_eq!(orders(odd, Culling::CounterClockwise), [[2, 3, 0]]);
    }
}
