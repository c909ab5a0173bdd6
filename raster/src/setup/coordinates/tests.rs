use super::*;
use crate::code::TextureFormat;
use crate::draw::Subpixel;
use crate::setup::HardwareRules;
use crate::state::{LevelSize, PixelState, Scissor, TextureState};

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
    let setup = Setup::<HardwareRules>::new(&state, Some(SCALE));
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
fn coordinates_that_are_not_finite_are_coordinate_zero() {
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
        let setup = Setup::<HardwareRules>::new(&state, Some(SCALE));
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
    Setup::<HardwareRules>::new(&state, Some(SCALE)).triangle(vertices.each_ref(), &mut attributes);
    assert!(attributes.perspective.is_empty());
    // s / q goes from 0 to 1 over 512 pixels: a texel a pixel.
    assert_eq!(
        attributes.affine[0].planes[0].at(7, 0) >> 56,
        7 * 256 * 256 + 128 * 256
    );
}
