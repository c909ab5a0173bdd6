//! What must not matter does not: threads, tiles, batches, instruction sets, and the kernel that draws.

use std::num::NonZeroUsize;

use raster::{Method, SimdLevel, Threads, TileSize, Tuning};

fn count(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).expect("not zero")
}

/// The way that defines what is right.
pub(crate) fn reference() -> Tuning {
    Tuning {
        threads: Threads::Count(count(1)),
        method: Method::Reference,
        ..Tuning::default()
    }
}

/// Ways that have to agree with it.
pub(crate) fn tunings() -> [Tuning; 5] {
    let way = |threads, tile_size, batch, simd| Tuning {
        threads: Threads::Count(count(threads)),
        tile_size,
        batch_primitives: count(batch),
        method: Method::Tiles,
        simd,
    };
    [
        way(1, TileSize::Medium, 0x1_0000, SimdLevel::Automatic),
        way(1, TileSize::Small, 3, SimdLevel::Avx2),
        way(2, TileSize::Medium, 0x1_0000, SimdLevel::Sse4),
        way(8, TileSize::Small, 0x1_0000, SimdLevel::Automatic),
        way(2, TileSize::Large, 1, SimdLevel::Portable),
    ]
}
