use super::*;
use proptest::prelude::*;

#[test]
fn indices_wrap_and_clamp() {
    // spec/ge-raster.md §8.3.
    let repeat = Wrap::new(3, false);
    let clamp = Wrap::new(3, true);
    for (index, repeated, clamped) in [
        (0, 0, 0),
        (7, 7, 7),
        (8, 0, 7),
        (-1, 7, 0),
        (-9, 7, 0),
        (100, 4, 7),
    ] {
        assert_eq!(
            (repeat.apply(index), clamp.apply(index)),
            (repeated, clamped),
            "{index}"
        );
    }
}

#[test]
fn coordinates_with_a_bit_more_are_rounded() {
    // A black texel and a white one, 1/256 texel per unit; spec/ppsspp-profile.md §7.1.
    let texels = [0, 255];
    let view = |shift, half| LevelView {
        first: 0,
        log2_width: 1,
        log2_height: 0,
        wrap_s: Wrap::new(1, true),
        wrap_t: Wrap::new(0, true),
        shift_s: shift,
        shift_t: shift,
        half_s: half,
        half_t: half,
    };
    // The filter has 16 steps: the second begins at 144.
    let (cut, rounded) = (view(1, 0), view(1, 1));
    assert_eq!(
        [
            cut.linear(&texels, 287, 0, mean_at_once),
            cut.linear(&texels, 288, 0, mean_at_once)
        ],
        [0, 15]
    );
    assert_eq!(
        [
            rounded.linear(&texels, 286, 0, mean_at_once),
            rounded.linear(&texels, 287, 0, mean_at_once)
        ],
        [0, 15]
    );
    assert_eq!(
        [rounded.nearest(&texels, 511, 0), rounded.nearest(&texels, 512, 0)],
        [0, 255]
    );
}

fn sampler(mipmaps: bool, mix_levels: bool) -> Sampler {
    let texture = Texture {
        levels: vec![
            crate::texture::Level {
                first: 0,
                log2_width: 0,
                log2_height: 0
            };
            8
        ],
        texels: vec![0],
    };
    let flags = StateFlags::MINIFY_LINEAR
        .with(StateFlags::MIPMAP, mipmaps)
        .with(StateFlags::MIPMAP_LINEAR, mix_levels);
    let state = TextureState {
        highest_level: 7,
        ..TextureState::default()
    };
    Sampler::new(
        flags,
        &state,
        &texture,
        &[],
        LevelSize::default(),
        Profile::Hardware,
    )
}

#[test]
fn details_choose_levels() {
    let choice = |filter, level, mix| LevelChoice { filter, level, mix };
    let trilinear = sampler(true, true);
    assert_eq!(choose_level(&trilinear, 0), choice(Filter::Nearest, 0, 0));
    assert_eq!(choose_level(&trilinear, 7), choice(Filter::Linear, 0, 7));
    assert_eq!(choose_level(&trilinear, 0x58), choice(Filter::Linear, 5, 8));
    assert_eq!(choose_level(&trilinear, 9999), choice(Filter::Linear, 7, 0));
    let nearest = sampler(true, false);
    assert_eq!(choose_level(&nearest, 7), choice(Filter::Linear, 0, 0));
    assert_eq!(choose_level(&nearest, 8), choice(Filter::Linear, 1, 0));
    assert_eq!(choose_level(&nearest, 9999), choice(Filter::Linear, 7, 0));
    // The filter switches even without mipmaps.
    assert_eq!(
        choose_level(&sampler(false, false), 1),
        choice(Filter::Linear, 0, 0)
    );
}

proptest! {
    #[test]
    fn pairs_of_components_are_filtered_like_single_ones(
        texels in prop::array::uniform4(any::<u32>()), fu in 0u32..16, fv in 0u32..16, m in 0u32..16,
    ) {
        let [mut by_rows_expected, mut at_once_expected, mut mixed] = [[0; 4]; 3];
        for index in 0..4 {
            let (by_rows, at_once) = (&mut by_rows_expected[index], &mut at_once_expected[index]);
            let [t00, t10, t01, t11] = texels.map(|texel| u32::from(texel.to_le_bytes()[index]));
            let top = t00 * (16 - fu) + t10 * fu;
            let bottom = t01 * (16 - fu) + t11 * fu;
            *at_once = ((top * (16 - fv) + bottom * fv) >> 8) as u8;
            *by_rows = (((top >> 4) * (16 - fv) + (bottom >> 4) * fv) >> 4) as u8;
            mixed[index] = ((t00 * (16 - m) + t10 * m) >> 4) as u8;
        }
        prop_assert_eq!(mean_by_rows(texels, fu, fv).to_le_bytes(), by_rows_expected);
        prop_assert_eq!(mean_at_once(texels, fu, fv).to_le_bytes(), at_once_expected);
        prop_assert_eq!(mix(texels[0], texels[1], m).to_le_bytes(), mixed);
    }
}
