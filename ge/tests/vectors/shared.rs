//! Reading the vector files.

use std::path::PathBuf;

use serde_json::Value;

/// A vector file, or `None` with a printed reason where the shared data are absent.
pub(crate) fn vectors(name: &str) -> Option<Value> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../shared/spec/vectors")
        .join(name)
        .with_extension("json");
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(serde_json::from_str(&text).expect("a vector file is JSON")),
        Err(error) => {
            eprintln!("skipped: {} is not there: {error}", path.display());
            None
        }
    }
}

/// The cases of a file.
pub(crate) fn cases(file: &Value) -> &[Value] {
    array(&file["cases"])
}

/// The items of an array; none where there is no array.
pub(crate) fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// A number as 32 bits; negative ones as two's complement. What is absent is 0.
pub(crate) fn word(value: &Value) -> u32 {
    value.as_i64().unwrap_or_default() as u32
}

/// A number as a float. What is absent is 0.
pub(crate) fn float(value: &Value) -> f32 {
    value.as_f64().unwrap_or_default() as f32
}

/// An array of numbers as 32 bits each.
pub(crate) fn words(value: &Value) -> Vec<u32> {
    array(value).iter().map(word).collect()
}

/// An array of numbers as floats.
pub(crate) fn floats(value: &Value) -> Vec<f32> {
    array(value).iter().map(float).collect()
}

/// Counts outputs, and compares the count with what a file's own evaluation reached.
#[derive(Debug, Default)]
pub(crate) struct Score {
    checked: u64,
    right: u64,
    misses: Vec<String>,
}

impl Score {
    /// Counts an output, described if it is wrong.
    pub(crate) fn check(&mut self, right: bool, describe: impl FnOnce() -> String) {
        self.checked += 1;
        self.right += u64::from(right);
        if !right && self.misses.len() < 8 {
            self.misses.push(describe());
        }
    }

    /// Prints the score, and fails where it is below the file's.
    pub(crate) fn finish(self, name: &str, file: &Value) {
        let stated = file["evaluation"]["reproduced"].as_u64().expect("an evaluation");
        let checked = file["evaluation"]["checked"].as_u64().expect("an evaluation");
        println!(
            "{name}: {} of {} (the specification: {stated} of {checked})",
            self.right, self.checked
        );
        assert!(
            self.checked >= checked,
            "{name}: {} outputs checked of {checked}",
            self.checked
        );
        let missed = self.checked - self.right;
        assert!(
            missed <= checked - stated,
            "{name}: {missed} wrong of {}:\n{}",
            self.checked,
            self.misses.join("\n")
        );
    }
}
