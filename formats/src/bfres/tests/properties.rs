use proptest::prelude::*;
use proptest::sample::Index;

use super::*;
use crate::fsha::tests::properties::any_animation;

prop_compose! {
    fn any_bfres()(
        name in "[a-z]{0,6}",
        version in prop_oneof![Just(Version::LATEST), Just(Version(0x0300_0001)), Just(Version(0x0405_0003))],
        animations in prop::collection::vec(any_animation(), 0..4),
    ) -> Bfres {
        let animations = animations.into_iter().enumerate().map(|(index, animation)| {
            let name = format!("{}{index}", animation.name);
            ShapeAnimation { name: name.as_str().into(), ..animation }
        });
        Bfres::new(&name, version, animations.collect()).unwrap()
    }
}

proptest! {
    #[test]
    fn what_is_written_reads_back(file in any_bfres()) {
        let bytes = file.write();
        let read = Bfres::parse(&bytes).unwrap();
        prop_assert_eq!(read.animations(), file.animations());
        let again = Bfres::new(read.name(), read.version(), read.animations().to_vec()).unwrap();
        prop_assert_eq!(again.write(), bytes);
        for animation in read.animations() {
            prop_assert_eq!(read.animation(&animation.name), Some(animation));
        }
    }

    #[test]
    fn damage_is_an_error_or_another_container_and_never_a_panic(
        file in any_bfres(),
        damage in prop::collection::vec((any::<Index>(), any::<u8>()), 1..6),
        length in any::<Index>(),
    ) {
        let mut bytes = file.write();
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        for bytes in [&bytes[..], &bytes[..length.index(bytes.len())]] {
            if let Ok(mut read) = Bfres::parse(bytes) {
                prop_assert_eq!(&read.write(), bytes);
                let _ = (read.warnings(), read.models());
                for index in 0..read.animations().len() {
                    let animation = read.animations()[index].clone();
                    let _ = read.model_of(index);
                    read.replace(index, animation).unwrap();
                    prop_assert_eq!(&read.write(), bytes);
                }
            }
        }
    }
}
