//! The fuzz targets over their committed seeds, on stable Rust: no old crash comes back unseen.

#[path = "../fuzz/src/lib.rs"]
pub mod fuzz;

use std::fs;
use std::path::{Path, PathBuf};

fn seeds(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/seeds")
        .join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut seeds: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    seeds.sort();
    seeds
}

#[test]
fn every_target_takes_every_seed() {
    for &(target, _) in fuzz::TARGETS {
        let seeds = seeds(target);
        assert!(!seeds.is_empty(), "{target} has no seeds");
        for seed in seeds {
            let bytes = fs::read(&seed).expect("a readable seed");
            for &(other, body) in fuzz::TARGETS {
                eprintln!("{other}: {}", seed.display());
                body(&bytes);
            }
        }
    }
}
