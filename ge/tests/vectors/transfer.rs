//! Block transfers and CLUT loads.

use ge::command::Opcode;
use ge::{Address, Ge};
use raster::EdramTranslation;
use serde_json::Value;

use crate::scene::Scene;
use crate::shared::{Score, cases, vectors, word, words};

/// Bytes as the processor writes them, with addresses past VRAM's window taken into it.
fn write(ge: &mut Ge, address: u32, bytes: &[u8]) {
    assert_eq!(ge.write(Address::new(address), bytes), bytes.len());
}

fn read(ge: &mut Ge, address: u32, length: usize) -> Vec<u8> {
    let mut bytes = vec![0; length];
    ge.memory().read(Address::new(address), &mut bytes);
    bytes
}

/// Sets the registers of a transfer, positions 0, and starts it.
fn transfer(scene: &mut Scene, addresses: [u32; 2], stride: u32, size: [u32; 2], bits: u32) {
    for (address, [low, width]) in addresses.into_iter().zip([
        [Opcode::XFERSRC, Opcode::XFERSRCW],
        [Opcode::XFERDST, Opcode::XFERDSTW],
    ]) {
        scene.set(low, address);
        scene.set(width, (address >> 8 & 0xFF_0000) | stride);
    }
    scene.position(Opcode::XFERSRCPOS, 0, 0);
    scene.position(Opcode::XFERDSTPOS, 0, 0);
    scene.position(Opcode::XFERSIZE, size[0] - 1, size[1] - 1);
    scene.set(Opcode::XFERSTART, u32::from(bits == 32));
    scene.run();
}

/// A file of transfers between two places that are filled before: `fill` does that for a case.
fn between(name: &str, fill: impl Fn(&mut Ge, &Value)) {
    let Some(file) = vectors(name) else { return };
    let mut score = Score::default();
    for case in cases(&file) {
        let mut scene = Scene::blank();
        scene
            .ge
            .set_translation(EdramTranslation::from_width(0).expect("a width"));
        fill(&mut scene.ge, case);
        let (source, destination) = (word(&case["src"]), word(&case["dst"]));
        let size = [word(&case["width"]), word(&case["height"])];
        transfer(
            &mut scene,
            [source, destination],
            word(&case["stride"]),
            size,
            word(&case["bpp"]),
        );
        let [from, to] = [source, destination].map(|address| read(&mut scene.ge, address, 0x5000));
        let compared = from[..1024].iter().zip(&to[..1024]);
        let difference = compared
            .map(|(&a, &b)| i64::from(a) - i64::from(b))
            .find(|&difference| difference != 0);
        let mut right = difference.unwrap_or(0) == case["first_difference"].as_i64().unwrap_or_default();
        if let Some(at) = case["at"].as_u64() {
            let at = at as usize;
            for (bytes, expected) in [(&from, &case["src_bytes"]), (&to, &case["dst_bytes"])] {
                let found = [bytes[at], bytes[at + 1]].map(u32::from);
                right &= found[..] == words(expected);
            }
        }
        score.check(right, || format!("{case}: first difference {difference:?}"));
    }
    score.finish(name, &file);
}

fn ramp(length: u32) -> Vec<u8> {
    (0..length).map(|index| index as u8).collect()
}

fn half_ramp(length: u32) -> Vec<u8> {
    (0..length).map(|index| 0x80 | (index as u8 & 0x7F)).collect()
}

#[test]
fn transfer_overlap() {
    between("transfer_overlap", |ge, case| {
        write(ge, 0x0400_0000, &ramp(0x4000));
        write(ge, word(&case["dst"]), &[0xFF; 0x4000]);
    });
}

#[test]
fn transfer_mirrors() {
    between("transfer_mirrors", |ge, case| {
        write(ge, 0x0400_0000, &ramp(0x4000));
        write(ge, 0x043F_C000, &half_ramp(0x4000));
        write(ge, word(&case["dst"]), &[0xFF; 0x4000]);
    });
}

#[test]
fn transfer_wrap() {
    between("transfer_wrap", |ge, case| {
        write(ge, 0x0400_0000, &ramp(0x4000));
        write(ge, 0x0410_0000, &ramp(0x4000));
        write(ge, 0x043F_C000, &half_ramp(0x4000));
        write(ge, word(&case["dst"]), &[0xFF; 1024]);
    });
}

#[test]
fn transfer_stride() {
    let Some(file) = vectors("transfer_stride") else {
        return;
    };
    let mut score = Score::default();
    const SOURCE: u32 = 0x0840_0000;
    const DESTINATION: u32 = 0x0850_0000;
    for case in cases(&file) {
        let mut scene = Scene::blank();
        write(&mut scene.ge, SOURCE, &[1; 0x9_0000]);
        let size = [word(&case["width"]), word(&case["height"])];
        let stride = word(&case["stride_register"]);
        transfer(
            &mut scene,
            [SOURCE, DESTINATION],
            stride,
            size,
            word(&case["bpp"]),
        );
        let copied = read(&mut scene.ge, DESTINATION, 0x9_0000)
            .iter()
            .take_while(|&&byte| byte == 1)
            .count();
        score.check(copied as u32 == word(&case["bytes_copied_from_start"]), || {
            format!("{case}: {copied}")
        });
    }
    score.finish("transfer_stride", &file);
}

#[test]
fn clut_address() {
    let Some(file) = vectors("clut_address") else {
        return;
    };
    let mut score = Score::default();
    let mut scene = Scene::new();
    let mut pattern = words(&file["pattern_words"]);
    pattern.resize(512, 0);
    let ram = scene.data_words(&pattern);
    let start: Vec<u8> = pattern[..4].iter().flat_map(|word| word.to_le_bytes()).collect();
    write(&mut scene.ge, 0x047F_FFF0, &start);
    for case in cases(&file) {
        let base = if case["base"] == "absolute" { 0 } else { ram.get() };
        let address = base + word(&case["address"]);
        scene.set(Opcode::CLUTADDR, address);
        scene.set(Opcode::CLUTADDRHI, address >> 8 & 0x0F_0000);
        scene.set(Opcode::LOADCLUT, word(&case["blocks"]));
        scene.run();
        let clut = scene.ge.clut();
        let found = u32::from_le_bytes([clut[0], clut[1], clut[2], 0]);
        score.check(found == word(&case["rgb"]), || format!("{case}: {found:06x}"));
    }
    score.finish("clut_address", &file);
}
