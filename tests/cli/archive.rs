//! Containers taken apart and put together again.
use crate::support::Workplace;

#[test]
fn a_container_comes_back_byte_for_byte() {
    let place = Workplace::with_samples();
    for pac in ["wyvern.pac", "wyvern-p3rd.pac"] {
        let listing = place.succeed(&["unpack", pac, "folder", "--force"]);
        assert!(listing.contains("manifest.json"), "{listing}");
        let said = place.succeed(&["pack", "folder", "back.pac", "--force"]);
        assert!(said.contains("7 members") || said.contains("3 members"), "{said}");
        assert!(place.read("back.pac") == place.read(pac), "{pac}");
        std::fs::remove_dir_all(place.path("folder")).unwrap();
    }
}

#[test]
fn members_are_named_by_their_content() {
    let place = Workplace::with_samples();
    place.succeed(&["unpack", "wyvern.pac", "folder"]);
    for name in [
        "000.skeleton.bin",
        "001.model.pmo",
        "002.textures.tmh",
        "003.animation.bin",
    ] {
        assert!(place.path("folder").join(name).is_file(), "{name}");
    }
    assert!(place.read("folder/001.model.pmo") == place.read("loose/wyvern.pmo"));
}

#[test]
fn nothing_is_replaced_without_force() {
    let place = Workplace::with_samples();
    place.succeed(&["unpack", "wyvern.pac", "folder"]);
    let line = place.fail(&["unpack", "wyvern.pac", "folder"]);
    assert!(
        line.starts_with("error: folder: already exists (hint: give --force"),
        "{line}"
    );
    place.succeed(&["unpack", "wyvern.pac", "folder", "--force"]);
    place.succeed(&["pack", "folder", "new.pac"]);
    let line = place.fail(&["pack", "folder", "new.pac"]);
    assert!(line.starts_with("error: new.pac: already exists"), "{line}");
}

#[test]
fn textures_go_out_as_pictures_and_come_back() {
    let place = Workplace::with_samples();
    place.succeed(&["unpack", "wyvern.pac", "folder", "--textures"]);
    place.succeed(&["pack", "folder", "same.pac", "--textures"]);
    assert!(
        place.read("same.pac") == place.read("wyvern.pac"),
        "unchanged pictures change nothing"
    );

    let picture = "folder/002.textures/00.png";
    let mut image = ge_harness::picture::read(&place.path(picture)).unwrap();
    image.set_pixel(0, 0, [255, 0, 255, 255]);
    ge_harness::picture::write_png(&place.path(picture), &image).unwrap();
    let said = place.succeed(&["pack", "folder", "new.pac", "--textures"]);
    assert!(
        said.starts_with("took 002.textures/00.png into its bank\n"),
        "{said}"
    );
    assert_eq!(place.read("new.pac").len(), place.read("wyvern.pac").len());
    assert!(place.read("new.pac") != place.read("wyvern.pac"));
}

#[test]
fn a_member_that_is_missing_is_told() {
    let place = Workplace::with_samples();
    place.succeed(&["unpack", "wyvern.pac", "folder"]);
    std::fs::remove_file(place.path("folder/001.model.pmo")).unwrap();
    let line = place.fail(&["pack", "folder", "new.pac"]);
    assert!(line.contains("001.model.pmo: no such file"), "{line}");
    assert!(!place.path("new.pac").exists());
}
