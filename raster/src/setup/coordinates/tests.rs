use super::*;
use crate::code::TextureFormat;
use crate::draw::Subpixel;
use crate::state::{LevelSize, PixelState, Scissor, TextureState};
use proptest::prelude::*;

const SIZE: LevelSize = LevelSize {
    log2_width: 9,
    log2_height: 9,
};
const SCALE: TextureScale = TextureScale {
    first: SIZE,
    largest: SIZE,
};

fn state(flags: StateFlags) -> PixelState {
    PixelState {
        flags,
        scissor: Scissor {
            left: 0,
            top: 0,
            right: 1023,
            bottom: 1023,
        },
        depth_maximum: 0xFFFF,
        texture: TextureState {
            format: TextureFormat::RGBA8888,
            ..TextureState::default()
        },
        ..PixelState::default()
    }
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
        let state = state(StateFlags::empty());
        let mut attributes = Attributes::default();
        let set_up = Setup::new(Profile::Ppsspp, &state, Some(SCALE)).triangle(vertices.each_ref(), &mut attributes);
        let Some((record, _)) = set_up else { return Ok(()) };
        prop_assert!(record.flags.contains(PrimitiveFlags::PERSPECTIVE));
        let planes = attributes.perspective[0];

        // A pixel inside.
        let (a, b) = if a + b > 1.0 { (1.0 - a, 1.0 - b) } else { (a, b) };
        let inside = |c0: i64, c1: i64, c2: i64| (c0 as f64 + a * (c1 - c0) as f64 + b * (c2 - c0) as f64) as i64;
        let (px, py) = (inside(x0, x1, x2) / 16, inside(y0, y1, y2) / 16);
        // The sample of the profile whose planes these are.
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

/// s, t and w of a triangle of hw: rendertarget, and the numerators and denominators that a pixel's texel tells of.
#[test]
fn corners_of_perspective_planes_have_fifteen_bits() {
    let corner = |(x, y), s, t, w: f32| ScreenVertex {
        x: Subpixel(x),
        y: Subpixel(y),
        s,
        t,
        q: 1.0,
        w: w / 16_384.0,
        ..ScreenVertex::default()
    };
    let vertices = [
        corner((1925, 2410), 0.0, 0.0, 41_396.0),
        corner((5168, 126), 1.0, 1.0, 16_342.0),
        corner((2714, 4626), 0.0, 1.0, 19_516.0),
    ];
    let mut attributes = Attributes::default();
    let state = state(StateFlags::empty());
    let setup = Setup::new(Profile::Hardware, &state, Some(SCALE));
    let (record, _) = setup
        .triangle(vertices.each_ref(), &mut attributes)
        .expect("a triangle");
    let planes = attributes.perspective[0];
    // The corner on top is the anchor. Its sample is (8 - 0) - 5168 and (8 - 0) - 126 sub units away.
    let (x, y) = (
        5168 - 16 * i64::from(record.left) - 8,
        126 - 16 * i64::from(record.top) - 8,
    );
    let at_corner = |plane: Plane64| {
        let down = plane.at(0, 1) - plane.at(0, 0);
        plane.at(0, 0) + (plane.right() * x + down * y) / 16
    };
    assert_eq!(at_corner(planes.denominator), 16_426 << 14);
    assert_eq!(at_corner(planes.numerators[0]), 16_426 << 14);
    assert_eq!(at_corner(planes.numerators[1]), 16_426 << 14);
    // Gradients are multiples of 1/1024 a pixel: area 8,988,564, its reciprocal 61,161 / 2^39.
    let numerator: i128 = (16_426 - 6484) * 2216 - (13_754 - 6484) * -2284;
    assert_eq!(
        i128::from(planes.denominator.right()),
        16 * ((numerator * 61_161) << 14 >> 39)
    );
    assert_eq!(planes.shifts, [17, 17]);
}

#[test]
fn coordinates_that_are_no_numbers_are_coordinate_zero() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let corner = |x, y, s| ScreenVertex {
            x: Subpixel(x),
            y: Subpixel(y),
            s,
            t: 0.5,
            q: 1.0,
            w: 1.0,
            ..ScreenVertex::default()
        };
        let vertices = [corner(0, 0, 0.25), corner(160, 0, bad), corner(0, 160, 0.25)];
        let state = state(StateFlags::empty());
        let mut attributes = Attributes::default();
        let setup = Setup::new(Profile::Hardware, &state, Some(SCALE));
        setup.triangle(vertices.each_ref(), &mut attributes);
        setup.rectangle([&vertices[1], &vertices[2]], &mut attributes, |_| ());
        for coordinates in &attributes.affine {
            assert_eq!(coordinates.planes[0], ExactPlane::default());
            assert_eq!(coordinates.planes[1].at(3, 4) >> 64, 256 * 256);
        }
        assert_eq!(attributes.affine.len(), 2);
    }
}

#[test]
fn equal_divisors_make_affine_coordinates() {
    let corner = |x, y, s| ScreenVertex {
        x: Subpixel(x),
        y: Subpixel(y),
        s,
        q: 0.5,
        w: 3.0,
        ..ScreenVertex::default()
    };
    let vertices = [corner(0, 0, 0.0), corner(8192, 0, 0.5), corner(0, 8192, 0.0)];
    let mut attributes = Attributes::default();
    let state = state(StateFlags::PROJECTED);
    Setup::new(Profile::Hardware, &state, Some(SCALE)).triangle(vertices.each_ref(), &mut attributes);
    assert!(attributes.perspective.is_empty());
    // s / q goes from 0 to 1 over 512 pixels: a texel a pixel.
    assert_eq!(
        attributes.affine[0].planes[0].at(7, 0) >> 56,
        7 * 256 * 256 + 128 * 256
    );
}
