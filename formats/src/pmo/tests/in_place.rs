//! Models written over others.

use super::*;

#[test]
fn in_place_blocks_stay_until_they_outgrow_their_room() {
    let original = model(
        Version::Mhfu,
        vec![block(ONE_WEIGHT, 12), block(ONE_WEIGHT, 4), block(ONE_WEIGHT, 2)],
    );
    let file = original.write().expect("valid");
    let before = original.geometry().expect("valid").groups;

    // Smaller, and edited: nothing moves, and what is left over stays.
    let mut smaller = original.clone();
    smaller.blocks[0] = block(ONE_WEIGHT, 6);
    smaller.blocks[1].vertices[0] = 0xAB;
    let in_place = smaller.write_in_place(&file, None).expect("fits");
    assert_eq!((in_place.moved, in_place.bytes.len()), (vec![], file.len()));
    let again = Pmo::parse(&in_place.bytes).expect("written");
    assert_eq!(again.blocks, smaller.blocks);
    assert_eq!(again.geometry().expect("valid").groups, before);

    // The third outgrows its room, and the first leaves a hole between its vertices and indices.
    let mut grown = smaller.clone();
    grown.blocks[0] = block(ONE_WEIGHT, 2);
    grown.blocks[1] = block(ONE_WEIGHT, 2);
    grown.blocks[2] = block(ONE_WEIGHT, 4);
    let in_place = grown.write_in_place(&file, None).expect("fits a hole");
    assert_eq!(in_place.moved, [2]);
    let again = Pmo::parse(&in_place.bytes).expect("written");
    assert_eq!(again.blocks, grown.blocks);
    let after = again.geometry().expect("valid").groups;
    assert_eq!(after[..2], before[..2]);
    assert!(
        after[2].list > before[0].vertices && after[2].list < before[0].indices,
        "{after:x?}"
    );

    grown.blocks[2] = block(ONE_WEIGHT, 40);
    assert!(matches!(
        grown.write_in_place(&file, None),
        Err(InPlaceError::NoHole { block: 2, .. })
    ));
    grown.materials.push(material(255));
    assert_eq!(
        grown.write_in_place(&file, None),
        Err(InPlaceError::Differs("the number of materials"))
    );
}

#[test]
fn in_place_writing_needs_the_companion_too() {
    let mut split = model(Version::Mhp3rd, vec![block(ONE_WEIGHT, 8)]);
    split.geometry_place = GeometryPlace::Companion { tail: vec![7; 5] };
    let file = split.write().expect("valid");
    let companion = split.write_geometry().expect("valid");
    split.blocks[0].vertices[3] = 0xCD;
    assert!(matches!(
        split.write_in_place(&file, None),
        Err(InPlaceError::Original(_))
    ));
    let in_place = split.write_in_place(&file, companion.as_deref()).expect("fits");
    assert_eq!(in_place.bytes, file);
    assert_eq!(in_place.companion, split.write_geometry().expect("valid"));
}
