//! The bodies for motions and shape animations of other consoles.

use formats::bfres::Bfres;
use formats::fsha::{Fsha, Generation};
use formats::mot::later::LaterMot;
use formats::mot::{Mot, SemiPrecisionBase, Variant};

/// Containers of the Wii U, with their models and shape animations, each of which is put back into
/// its own place.
pub fn bfres(bytes: &[u8]) {
    if let Ok(mut bfres) = Bfres::parse(bytes) {
        assert_eq!(bfres.write(), bytes);
        let _ = (bfres.warnings(), bfres.models());
        for index in 0..bfres.animations().len().min(4) {
            let _ = bfres.model_of(index);
            let animation = bfres.animations()[index].clone();
            bfres
                .replace(index, animation)
                .expect("an animation in its own place");
            assert_eq!(bfres.write(), bytes);
        }
        let animations = bfres.animations().to_vec();
        if let Ok(rebuilt) = Bfres::new(bfres.name(), bfres.version(), animations) {
            assert!(rebuilt.animations() == bfres.animations());
        }
    }
}

/// Shape animations on their own, in both layouts.
pub fn fsha(bytes: &[u8]) {
    let _ = Fsha::parse(bytes);
    for generation in [Generation::Early, Generation::Late] {
        if let Ok(mut fsha) = Fsha::parse_generation(bytes, generation) {
            assert_eq!(fsha.write(), bytes);
            let _ = fsha.warnings();
            for curve in fsha.animation().shapes.iter().flat_map(|shape| &shape.curves) {
                assert_eq!(curve.segments().len(), curve.key_count());
            }
            let animation = fsha.animation().clone();
            fsha.replace(animation.clone())
                .expect("an animation in its own place");
            assert_eq!(fsha.write(), bytes);
            let rebuilt = Fsha::new(generation, animation.clone()).expect("an animation just read");
            assert!(*rebuilt.animation() == animation);
        }
    }
}

/// Motions of Okami and God Hand, also with a base told and mended, and those of later games.
pub fn mot(bytes: &[u8]) {
    let _ = Variant::of(bytes).map(|variant| variant.to_string());
    let readings = [
        Mot::parse(bytes),
        Mot::parse_with_base(bytes, SemiPrecisionBase::Property48),
        Mot::parse_with_base(bytes, SemiPrecisionBase::Property50),
    ];
    for motion in readings.into_iter().flatten() {
        assert_eq!(motion.write(), bytes);
        let _ = motion.warnings();
        for (_, _, curve) in motion.curves() {
            let _ = curve.keys();
        }
    }
    if let Ok(mended) = Mot::mend(bytes) {
        let written = mended.motion.write();
        let base = mended.motion.semi_precision_base();
        let read = Mot::parse_with_base(&written, base).expect("a mended motion");
        assert!(read.curves().eq(mended.motion.curves()));
    }
    if let Ok(motion) = LaterMot::parse(bytes) {
        for record in &motion.records {
            let _ = record.keys();
        }
    }
}
