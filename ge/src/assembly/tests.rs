use raster::{ScreenVertex, Subpixel};

use super::*;
use crate::arithmetic::{F32, T24};
use crate::vertex_stage::{DepthRange, Viewport};

const VIEWPORT: Viewport = Viewport {
    scale: [100.0, 100.0, 32767.5],
    center: [2048.0, 2048.0, 32767.5],
    offset: [0; 2],
    depth_range: DepthRange::Clamp,
};

fn rules(culling: Culling, shading: Shading) -> Rules {
    Rules {
        viewport: VIEWPORT,
        culling,
        shading,
        shapes: None,
    }
}

/// Adds a vertex at a clip position, its colour the number of the vertex.
fn push(staged: &mut StagedVertices, position: [f32; 4]) {
    let projected = VIEWPORT.project::<T24>(position);
    let screen = ScreenVertex {
        x: Subpixel(projected.x),
        y: Subpixel(projected.y),
        z: projected.z,
        color: staged.screen.len() as u32,
        ..ScreenVertex::default()
    };
    staged.push(
        screen,
        ClipVertex {
            position,
            placement: projected.placement,
        },
    );
}

/// Vertices of a strip that zigzags to the right: none of its triangles is empty.
fn zigzag(index: u32) -> [f32; 4] {
    let x = index as f32 / 16.0;
    [x, if index.is_multiple_of(2) { 0.0 } else { 0.5 }, 0.0, 1.0]
}

/// Assembles a draw of vertices `from..to` of the zigzag, and gives the colours of its triangles.
fn draw(
    assembler: &mut Assembler,
    code: PrimitiveCode,
    from: u32,
    to: u32,
    culling: Culling,
) -> Vec<Vec<u32>> {
    let (mut staged, mut out) = (StagedVertices::default(), Assembled::default());
    assembler.begin(code, &mut staged).expect("a type");
    for index in from..to {
        push(&mut staged, zigzag(index));
        staged.screen.last_mut().expect("a vertex").color = index;
    }
    let rules = rules(culling, Shading::Gouraud);
    assembler.assemble::<T24>(0..to - from, &rules, &mut staged, &mut out);
    let colors = |ids: &[u32]| ids.iter().map(|&id| staged.screen[id as usize].color).collect();
    let primitives = out.parts().next().expect("a part");
    match primitives {
        Primitives::Points(ids) => ids.iter().map(|id| colors(&[*id])).collect(),
        Primitives::Lines(pairs) | Primitives::Rectangles(pairs) => {
            pairs.iter().map(|pair| colors(pair)).collect()
        }
        Primitives::Triangles(triples) => triples.iter().map(|triple| colors(triple)).collect(),
    }
}

#[test]
fn a_draw_in_two_parts_is_a_draw() {
    for code in (0..7).map(PrimitiveCode::from_bits) {
        for culling in [Culling::Off, Culling::Clockwise, Culling::CounterClockwise] {
            let whole = draw(&mut Assembler::default(), code, 0, 11, culling);
            for cut in 1..11 {
                let mut assembler = Assembler::default();
                let mut parts = draw(&mut assembler, code, 0, cut, culling);
                parts.extend(draw(&mut assembler, PrimitiveCode::Continue, cut, 11, culling));
                assert_eq!(parts, whole, "{code}, {culling:?}, cut at {cut}");
            }
        }
    }
}

#[test]
fn a_strip_is_culled_as_a_whole() {
    let kept = |culling| {
        draw(
            &mut Assembler::default(),
            PrimitiveCode::TriangleStrip,
            0,
            8,
            culling,
        )
        .len()
    };
    assert_eq!(kept(Culling::Off), 6);
    let both = [kept(Culling::Clockwise), kept(Culling::CounterClockwise)];
    assert!(both == [0, 6] || both == [6, 0], "{both:?}");
}

#[test]
fn a_new_type_drops_what_is_left() {
    let mut assembler = Assembler::default();
    draw(&mut assembler, PrimitiveCode::Triangles, 0, 2, Culling::Off);
    assert_eq!(
        draw(&mut assembler, PrimitiveCode::Lines, 2, 4, Culling::Off),
        [[2, 3]]
    );
}

/// Assembles one triangle of clip positions.
fn triangle(corners: [[f32; 4]; 3], shading: Shading) -> (StagedVertices, Vec<[u32; 3]>) {
    let (mut staged, mut out) = (StagedVertices::default(), Assembled::default());
    let mut assembler = Assembler::default();
    assembler.begin(PrimitiveCode::Triangles, &mut staged);
    for corner in corners {
        push(&mut staged, corner);
    }
    assembler.assemble::<T24>(0..3, &rules(Culling::Off, shading), &mut staged, &mut out);
    (staged, out.triangles)
}

/// Assembles strips of four corners in the profile of PPSSPP, and gives the places of the corners of each triangle.
fn strip_of_ppsspp(corners: [[f32; 4]; 4], culling: Culling, shading: Shading) -> Vec<[(i32, u32); 3]> {
    let (mut staged, mut out) = (StagedVertices::default(), Assembled::default());
    let mut assembler = Assembler::default();
    assembler.begin(PrimitiveCode::TriangleStrip, &mut staged);
    for corner in corners {
        push(&mut staged, corner);
    }
    assembler.assemble::<F32>(0..4, &rules(culling, shading), &mut staged, &mut out);
    let corner = |id: u32| {
        let vertex = &staged.screen[id as usize];
        (vertex.x.0, vertex.color)
    };
    out.triangles.iter().map(|triple| triple.map(corner)).collect()
}

#[test]
fn ppsspp_keeps_triangles_without_area() {
    // spec/ppsspp-profile.md §4.2: the second triangle is one of two corners, in either order.
    let [a, b, c] = NEAR.map(|[x, y, _, w]| [x, y, 0.0, w]);
    let kept = |culling| strip_of_ppsspp([a, b, c, c], culling, Shading::Gouraud).len();
    let counts = [Culling::Off, Culling::Clockwise, Culling::CounterClockwise].map(kept);
    assert!(counts == [3, 1, 2] || counts == [3, 2, 1], "{counts:?}");
}

#[test]
fn ppsspp_keeps_corners_in_their_slots() {
    // spec/ppsspp-profile.md §4.2: vertex k in slot k modulo 3, or all of them turned around.
    let corners = [0, 1, 2, 3].map(zigzag);
    let triangles = strip_of_ppsspp(corners, Culling::Off, Shading::Gouraud);
    let numbers = triangles.iter().map(|corners| corners.map(|corner| corner.1));
    for (found, slots) in numbers.zip([[0, 1, 2], [3, 1, 2]]) {
        let [x, y, z] = slots;
        assert!(found == slots || found == [z, y, x], "{found:?}");
    }
    // Wherever it stands, the last vertex gives the colour of flat ones.
    let flat = strip_of_ppsspp(corners, Culling::Off, Shading::Flat);
    for (corners, color) in flat.iter().zip([2, 3]) {
        assert!(corners.iter().all(|corner| corner.1 == color), "{corners:?}");
    }
}

const NEAR: [[f32; 4]; 3] = [[0.0, 0.0, -3.0, 1.0], [1.0, 0.0, 1.0, 1.0], [0.0, 1.0, 1.0, 1.0]];

#[test]
fn a_corner_behind_the_near_plane_is_cut_off() {
    let (staged, triangles) = triangle(NEAR, Shading::Gouraud);
    assert_eq!(triangles.len(), 2, "a quad is left");
    for id in triangles.into_iter().flatten() {
        let [_, _, z, w] = staged.clip[id as usize].position;
        assert!(z >= -w, "({z}, {w})");
    }
    // Two corners behind leave a triangle.
    let [a, b, c] = NEAR;
    let behind = [b[0], b[1], -3.0, 1.0];
    assert_eq!(triangle([a, behind, c], Shading::Gouraud).1.len(), 1);
    // All three are in front of nothing.
    let gone = [c[0], c[1], -3.0, 1.0];
    assert!(triangle([a, behind, gone], Shading::Gouraud).1.is_empty());
}

#[test]
fn a_cut_triangle_keeps_its_flat_color() {
    let (staged, triangles) = triangle(NEAR, Shading::Flat);
    assert!(
        triangles
            .iter()
            .flatten()
            .all(|&id| staged.screen[id as usize].color == 2)
    );
}

#[test]
fn vertices_off_the_screen_drop_their_triangle() {
    let [a, b, c] = NEAR.map(|[x, y, _, w]| [x, y, 0.0, w]);
    assert_eq!(triangle([a, b, c], Shading::Gouraud).1.len(), 1);
    assert!(
        triangle([[-21.0, a[1], 0.0, 1.0], b, c], Shading::Gouraud)
            .1
            .is_empty()
    );
    // All w negative.
    let behind = [a, b, c].map(|[x, y, _, _]| [x, y, 0.0, -1.0]);
    assert!(triangle(behind, Shading::Gouraud).1.is_empty());
}
