//! Clipping at the near plane z = -w (`spec/ge-frontend.md §9.3`). There are no other planes.

use raster::{ScreenVertex, Subpixel};

use super::{Rules, Shading};
use crate::arithmetic::Geometry;
use crate::vertex_stage::{ClipVertex, Placement, StagedVertices};

/// The distance of a vertex from the plane; kept from 0 on.
fn distance<A: Geometry>(staged: &StagedVertices, id: u32) -> f32 {
    let [_, _, z, w] = staged.clip[id as usize].position;
    A::add(z, w)
}

/// Clips a line that reaches behind the plane.
pub(super) fn line<A: Geometry>(
    [a, b]: [u32; 2],
    rules: &Rules,
    staged: &mut StagedVertices,
) -> Option<[u32; 2]> {
    let (inside_a, inside_b) = (distance::<A>(staged, a) >= 0.0, distance::<A>(staged, b) >= 0.0);
    let pair = match (inside_a, inside_b) {
        (true, true) => [a, b],
        (false, true) => [cut::<A>(a, b, rules, staged), b],
        (true, false) => [a, cut::<A>(b, a, rules, staged)],
        (false, false) => return None,
    };
    if pair
        .iter()
        .any(|&id| staged.clip[id as usize].placement.has(Placement::OUTSIDE))
    {
        return None;
    }
    if rules.shading == Shading::Flat {
        let [c, d] = pair.map(|id| id as usize);
        let provoking = staged.screen[b as usize];
        return Some([recolored(c, &provoking, staged), recolored(d, &provoking, staged)]);
    }
    Some(pair)
}

/// Clips a triangle that reaches behind the plane, and adds what is left as a fan, as far as it faces the right
/// way. Flat colours are the provoking vertex's.
pub(super) fn triangle<A: Geometry>(
    corners: [u32; 3],
    provoking: u32,
    faces: impl Fn(&Rules, [u32; 3], &StagedVertices) -> bool,
    rules: &Rules,
    staged: &mut StagedVertices,
    out: &mut Vec<[u32; 3]>,
) {
    let distances = corners.map(|id| distance::<A>(staged, id));
    let mut polygon = [0; 4];
    let mut count = 0;
    for edge in 0..3 {
        let next = (edge + 1) % 3;
        if distances[edge] >= 0.0 {
            polygon[count] = corners[edge];
            count += 1;
        }
        // A corner on the plane is kept, and counts as behind where edges are cut.
        let (here, there) = (distances[edge] > 0.0, distances[next] > 0.0);
        if here != there {
            let (outer, inner) = if here { (next, edge) } else { (edge, next) };
            polygon[count] = cut::<A>(corners[outer], corners[inner], rules, staged);
            count += 1;
        }
    }
    if rules.shading == Shading::Flat {
        let provoking = staged.screen[provoking as usize];
        for id in &mut polygon[..count] {
            *id = recolored(*id as usize, &provoking, staged);
        }
    }
    let [first, rim @ ..] = &polygon[..count] else {
        return;
    };
    for pair in rim.windows(2) {
        let corners = [*first, pair[0], pair[1]];
        let outside = corners
            .iter()
            .any(|&id| staged.clip[id as usize].placement.has(Placement::OUTSIDE));
        if !outside && faces(rules, corners, staged) {
            out.push(corners);
        }
    }
}

/// The corners in this order, with the provoking vertex's colours where shading is flat.
pub(super) fn provoked(
    corners: [u32; 3],
    provoking: u32,
    rules: &Rules,
    staged: &mut StagedVertices,
) -> [u32; 3] {
    if rules.shading == Shading::Gouraud {
        return corners;
    }
    let provoking = staged.screen[provoking as usize];
    corners.map(|id| recolored(id as usize, &provoking, staged))
}

/// A vertex with the place of vertex `id` and the colours of `provoking`.
fn recolored(id: usize, provoking: &ScreenVertex, staged: &mut StagedVertices) -> u32 {
    let vertex = ScreenVertex {
        color: provoking.color,
        secondary: provoking.secondary,
        ..staged.screen[id]
    };
    if vertex == staged.screen[id] {
        return id as u32;
    }
    let clip = staged.clip[id];
    staged.push(vertex, clip);
    (staged.screen.len() - 1) as u32
}

/// Adds the vertex where the edge from `outer` to `inner` meets the plane.
fn cut<A: Geometry>(outer: u32, inner: u32, rules: &Rules, staged: &mut StagedVertices) -> u32 {
    let (far, near) = (distance::<A>(staged, outer), distance::<A>(staged, inner));
    let t = A::divide(far, A::subtract(far, near));
    let rest = A::subtract(1.0, t);
    let mix = |a: f32, b: f32| A::add(A::mul(a, rest), A::mul(b, t));
    let [a, b] = [outer, inner].map(|id| staged.screen[id as usize]);
    let [from, to] = [outer, inner].map(|id| staged.clip[id as usize].position);
    let position = [0, 1, 2, 3].map(|axis| mix(from[axis], to[axis]));
    let projected = rules.viewport.project_cut::<A>(position);
    // `as` saturates, and makes 0 of what is no number.
    let share = ((256.0 * t) as u32).min(256);
    let vertex = ScreenVertex {
        x: Subpixel(projected.x),
        y: Subpixel(projected.y),
        z: projected.z,
        color: mix_color(a.color, b.color, share),
        secondary: mix_color(a.secondary, b.secondary, share),
        fog: mix(a.fog, b.fog),
        s: mix(a.s, b.s),
        t: mix(a.t, b.t),
        q: mix(a.q, b.q),
        w: position[3],
    };
    staged.push(
        vertex,
        ClipVertex {
            position,
            placement: projected.placement,
        },
    );
    (staged.screen.len() - 1) as u32
}

/// `share` 256ths of `inner`, the rest `outer`, each part truncated (ppsspp).
fn mix_color(outer: u32, inner: u32, share: u32) -> u32 {
    let [a, b] = [outer, inner].map(u32::to_le_bytes);
    u32::from_le_bytes(std::array::from_fn(|part| {
        ((u32::from(a[part]) * (256 - share) + u32::from(b[part]) * share) / 256) as u8
    }))
}
