//! VRAM: ge/edramswizzle.

use raster::{EdramTranslation, Vram};

use crate::common::{Score, cases, load, number, numbers};

#[test]
fn edram_swizzle() {
    let Some(vectors) = load("edram_swizzle") else {
        return;
    };
    let mut score = Score::new("edram_swizzle", &vectors);
    for case in cases(&vectors) {
        let translation = EdramTranslation::from_width(number(case, "t")).expect("one of the five");
        let mirror = number(case, "mirror") * 0x20_0000;
        let mut vram = Vram::new(translation);
        if case["kind"] == "sequence" {
            let bytes: Vec<u8> = (0..=255).collect();
            vram.write(0, &bytes);
            let (first, run) = (number(case, "first"), number(case, "run"));
            let mut seen = vec![0; run as usize + 1];
            vram.read(mirror + number(case, "offset"), &mut seen);
            let continues = |at: u32| u32::from(seen[at as usize]) == first + at;
            let length = (0..run).take_while(|&at| continues(at)).count() as u32;
            let ends = first + run > 255 || !continues(run);
            score.check(if ends { length } else { length + 1 }, run, || case.to_string());
        } else {
            let (start, size) = (number(case, "start"), number(case, "size"));
            vram.write(start, &vec![0xFF; size as usize]);
            let mut seen = vec![0; Vram::SIZE];
            vram.read(mirror, &mut seen);
            let mut expected = vec![0; Vram::SIZE];
            for range in case["ranges"].as_array().expect("ranges") {
                let range = numbers(range);
                expected[range[0] as usize..=range[1] as usize].fill(0xFF);
            }
            score.check(u32::from(seen == expected), 1, || case.to_string());
        }
    }
    score.finish();
}
