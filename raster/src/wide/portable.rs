//! The kernel for machines without vector instructions: the reference kernel, pixel by pixel in tiles.

use super::kernel::{PixelCounts, Work};
use super::lanes::SIDE;
use super::tile::Tile;
use crate::reference::{self, Pixel, Stored};
use crate::setup::{PrimitiveFlags, Visit};

/// Draws primitives into the tile, in order.
pub(super) fn draw_visits(tile: &mut Tile, work: Work<'_>, visits: &[Visit]) -> PixelCounts {
    let mut counts = PixelCounts::default();
    for visit in visits {
        let primitive = &work.primitives[visit.primitive as usize];
        let state = &work.states[primitive.state as usize];
        let has_edges = primitive.flags.contains(PrimitiveFlags::EDGES);
        let columns =
            i32::from(primitive.left).max(tile.left)..i32::from(primitive.right).min(tile.left + tile.size);
        let rows =
            i32::from(primitive.top).max(tile.top)..i32::from(primitive.bottom).min(tile.top + tile.size);
        for y in rows {
            for x in columns.clone() {
                let (dx, dy) = (x - tile.left, y - tile.top);
                let mut edges = primitive.edges.iter().zip(visit.edges);
                if has_edges && !edges.all(|(step, value)| value + step.right * dx + step.down * dy >= 0) {
                    continue;
                }
                let block = ((dy / SIDE) * (tile.size / SIDE) + dx / SIDE) as usize;
                let lane = ((dy % SIDE) * SIDE + dx % SIDE) as usize;
                let pixel = Pixel {
                    primitive,
                    attributes: work.attributes,
                    state,
                    x,
                    y,
                };
                let stored = Stored {
                    color: tile.colors[block][lane],
                    depth: tile.depths[block][lane] as u16,
                };
                let shaded = reference::shade(pixel, stored, &mut ());
                tile.colors[block][lane] = shaded.stored.color;
                tile.depths[block][lane] = shaded.stored.depth.into();
                counts.covered += 1;
                counts.passed += u64::from(shaded.passed);
            }
        }
        tile.color_written |= state.pipeline.writes_color;
        tile.depth_written |= state.pipeline.writes_depth;
    }
    counts
}
