use super::*;

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
