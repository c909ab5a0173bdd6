use super::*;
use crate::code::TextureFormat;
use crate::draw::Subpixel;
use crate::setup::{HardwareRules, TextureScale, whole_frame};
use crate::state::{LevelSize, PixelState, StateFlags, TextureState};
use proptest::prelude::*;

fn vertex(x: f32, y: f32, fog: f32) -> ScreenVertex {
    let sub = |coordinate: f32| Subpixel((coordinate * 16.0) as i32);
    ScreenVertex {
        x: sub(x),
        y: sub(y),
        fog,
        w: 1.0,
        q: 1.0,
        ..ScreenVertex::default()
    }
}

/// The pixels of a triangle whose corners are given in sub units.
fn covered<R: Rules>(corners: [(i32, i32); 3]) -> Vec<(i64, i64)> {
    let state = whole_frame(StateFlags::empty());
    let vertices = corners.map(|(x, y)| vertex(x as f32 / 16.0, y as f32 / 16.0, 1.0));
    let setup = Setup::<R>::new(&state, None);
    let Some((record, bases)) = setup.triangle(vertices.each_ref(), &mut Attributes::default()) else {
        return Vec::new();
    };
    let columns = i64::from(record.left)..i64::from(record.right);
    let rows = i64::from(record.top)..i64::from(record.bottom);
    let pixels = rows.flat_map(|y| columns.clone().map(move |x| (x, y)));
    pixels
        .filter(|&(x, y)| {
            let mut edges = record.edges.iter().zip(bases);
            edges.all(|(step, base)| base + i64::from(step.right) * x + i64::from(step.down) * y >= 0)
        })
        .collect()
}

#[test]
fn samples_lie_a_sixteenth_before_the_centre() {
    // spec/ppsspp-profile.md §4.1: the left edge at 8/16 takes no pixel from hardware's sample, one from 7/16.
    let corners = |x| [(x, 0), (x + 64, 0), (x, 640)];
    assert!(covered::<HardwareRules>(corners(8)).contains(&(0, 0)));
    assert!(!covered::<PpssppRules>(corners(8)).contains(&(0, 0)));
    assert!(covered::<PpssppRules>(corners(7)).contains(&(0, 0)));
}

#[test]
fn both_long_edges_of_a_sliver_are_inside() {
    // spec/ppsspp-profile.md §4.2: less than a sub unit from its edge, the third corner does not make it a right one.
    let sliver = [(7, 7), (39, 71), (23, 40)];
    let turned = [sliver[2], sliver[1], sliver[0]];
    for corners in [sliver, turned] {
        assert!(covered::<PpssppRules>(corners).contains(&(1, 2)));
    }
    assert!(!covered::<HardwareRules>([(8, 8), (40, 72), (24, 41)]).contains(&(1, 2)));
    // A whole sub unit does.
    assert!(!covered::<PpssppRules>([(7, 7), (39, 71), (22, 40)]).contains(&(1, 2)));
}

#[test]
fn projected_rectangles_are_triangles() {
    let projected = PixelState {
        flags: StateFlags::TEXTURE.with(StateFlags::PROJECTED, true),
        ..whole_frame(StateFlags::empty())
    };
    let size = LevelSize::default();
    let texture = TextureScale {
        first: size,
        largest: size,
    };
    let ends = [vertex(9.0, 2.0, 1.0), vertex(1.0, 6.0, 0.5)];
    let hardware = Setup::<HardwareRules>::new(&projected, Some(texture));
    assert!(hardware.rectangle_as_triangles(ends.each_ref()).is_none());
    let setup = Setup::<PpssppRules>::new(&projected, Some(texture));
    let corners = setup
        .rectangle_as_triangles(ends.each_ref())
        .expect("two triangles");
    let places = corners.map(|corners| corners.map(|corner| (corner.x.0 / 16, corner.y.0 / 16)));
    assert_eq!(places, [[(1, 2), (9, 2), (1, 6)], [(9, 2), (9, 6), (1, 6)]]);
    assert!(corners.as_flattened().iter().all(|corner| corner.fog == 0.5));
}

#[test]
fn an_edge_on_a_sample_covers_odd_pixels_of_quads() {
    // spec/ppsspp-profile.md §5.2.
    let extent = |state: &PixelState, right: f32, bottom: f32| {
        let vertices = [vertex(3.0, 4.0, 1.0), vertex(right, bottom, 1.0)];
        let mut extents = Vec::new();
        let setup = Setup::<PpssppRules>::new(state, None);
        setup.rectangle(vertices.each_ref(), &mut Attributes::default(), |record| {
            extents.push((record.right, record.bottom));
        });
        extents[0]
    };
    let fog = whole_frame(StateFlags::FOG);
    assert_eq!(extent(&fog, 6.5, 7.5), (7, 8));
    assert_eq!(extent(&fog, 5.5, 6.5), (5, 6));
    assert_eq!(extent(&fog, 6.75, 7.25), (7, 7));
    let clear = PixelState {
        flags: StateFlags::CLEAR.with(StateFlags::THROUGH, true),
        ..fog
    };
    assert_eq!(extent(&clear, 6.5, 7.5), (6, 7));
}

proptest! {
    #[test]
    fn perspective_planes_are_precise(
        corners in prop::array::uniform3((0i32..8192, 0i32..8192)),
        s in prop::array::uniform3(-64i32..64),
        w in prop::array::uniform3(100i32..1000),
        (a, b) in (0.0f64..1.0, 0.0f64..1.0),
    ) {
        prop_assume!(w[0] != w[1]);
        let [(x0, y0), (x1, y1), (x2, y2)] = corners.map(|(x, y)| (i64::from(x), i64::from(y)));
        let area = (x1 - x0) * (y2 - y0) - (y1 - y0) * (x2 - x0);
        let squares = [(x1 - x0, y1 - y0), (x2 - x1, y2 - y1), (x0 - x2, y0 - y2)].map(|(x, y)| x * x + y * y);
        prop_assume!(64 * area.abs() >= squares[0].max(squares[1]).max(squares[2]));

        let vertices = [0, 1, 2].map(|index| ScreenVertex {
            x: Subpixel(corners[index].0),
            y: Subpixel(corners[index].1),
            s: s[index] as f32 / 16.0,
            q: 1.0,
            w: w[index] as f32,
            ..ScreenVertex::default()
        });
        let size = LevelSize { log2_width: 9, log2_height: 9 };
        let texture = TextureScale { first: size, largest: size };
        let state = PixelState {
            texture: TextureState { format: TextureFormat::RGBA8888, ..TextureState::default() },
            ..whole_frame(StateFlags::empty())
        };
        let mut attributes = Attributes::default();
        let set_up = Setup::<PpssppRules>::new(&state, Some(texture))
            .triangle(vertices.each_ref(), &mut attributes);
        let Some((record, _)) = set_up else { return Ok(()) };
        prop_assert!(record.flags.contains(PrimitiveFlags::PERSPECTIVE));
        let planes = attributes.perspective[0];

        // A pixel inside.
        let (a, b) = if a + b > 1.0 { (1.0 - a, 1.0 - b) } else { (a, b) };
        let inside = |c0: i64, c1: i64, c2: i64| (c0 as f64 + a * (c1 - c0) as f64 + b * (c2 - c0) as f64) as i64;
        let (px, py) = (inside(x0, x1, x2) / 16, inside(y0, y1, y2) / 16);
        // PPSSPP's sample.
        let (x, y) = (16 * px + 7, 16 * py + 7);
        let edge = |(px, py): (i64, i64), (qx, qy): (i64, i64)| {
            i128::from((qx - px) * (y - py) - (qy - py) * (x - px)) * i128::from(area.signum())
        };
        let weights = [edge((x1, y1), (x2, y2)), edge((x2, y2), (x0, y0)), edge((x0, y0), (x1, y1))];
        prop_assume!(weights.iter().all(|&weight| weight >= 0));

        // Sums of s / w and of 1 / w, times all w; s * 512 * 256 / 16 = s * 2^13.
        let others = [0, 1, 2].map(|index| i128::from(w[(index + 1) % 3]) * i128::from(w[(index + 2) % 3]));
        let sum = |value: &dyn Fn(usize) -> i128| (0..3).map(|i| weights[i] * others[i] * value(i)).sum::<i128>();
        let (numerator, denominator) = (sum(&|i| i128::from(s[i]) << 13), sum(&|_| 1));
        let exact = (numerator << 8).div_euclid(denominator);

        let (dx, dy) = (px as i32 - i32::from(record.left), py as i32 - i32::from(record.top));
        let (above, below) = (planes.numerators[0].at(dx, dy), planes.denominator.at(dx, dy));
        let shift = planes.shifts[0] + 8;
        let shown = if shift >= 0 {
            (i128::from(above) << shift).div_euclid(i128::from(below))
        } else {
            i128::from(above).div_euclid(i128::from(below) << -shift)
        };
        // Both in 1/256 of 1/256 texel.
        prop_assert!((shown - exact).abs() <= 1, "{shown} {exact}");
    }
}
