//! The file that says how a folder becomes a PAC again.
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::error::HarnessError;
use crate::files;

/// The manifest's name in its folder.
pub const MANIFEST: &str = "manifest.json";
/// What this program writes and reads.
pub(super) const VERSION: u32 = 1;

/// How a folder becomes a PAC again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the manifest: 1.
    pub version: u32,
    /// `pac`.
    pub format: String,
    /// Where members start: at multiples of 16, 8 or 4 bytes. This or `gaps` is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alignment: Option<usize>,
    /// The bytes before each member, hexadecimal, where no alignment explains them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gaps: Option<Vec<String>>,
    /// The members in order.
    pub members: Vec<Member>,
    /// The file with the bytes after the last member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tail: Option<String>,
}

/// One member of a PAC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// Its file; none for an empty member.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What it was when it was unpacked, for people; packing does not read it.
    #[serde(default)]
    pub kind: String,
}

impl Manifest {
    pub(super) fn to_json(&self) -> Vec<u8> {
        let mut json = serde_json::to_vec_pretty(self).unwrap_or_default();
        json.push(b'\n');
        json
    }

    /// Reads the manifest of a folder and checks that it stays inside the folder.
    pub(super) fn read(folder: &Path) -> Result<Self, HarnessError> {
        let path = folder.join(MANIFEST);
        let hint = "ge-harness unpack makes a folder with a manifest";
        if !folder.is_dir() {
            return Err(HarnessError::refused(folder.display(), "is not a folder", hint));
        }
        if !path.exists() {
            return Err(HarnessError::refused(
                folder.display(),
                format!("holds no {MANIFEST}"),
                hint,
            ));
        }
        let refuse = |message: String| HarnessError::refused(path.display(), message, hint);
        let manifest: Self = serde_json::from_slice(&files::read(&path)?)
            .map_err(|error| refuse(format!("is not a manifest: {error}")))?;
        if (manifest.version, manifest.format.as_str()) != (VERSION, "pac") {
            let Self { version, format, .. } = &manifest;
            return Err(refuse(format!(
                "is of format `{format}` version {version}, not `pac` version {VERSION}"
            )));
        }
        let names = manifest
            .members
            .iter()
            .filter_map(|member| member.file.as_deref());
        for name in names.chain(manifest.tail.as_deref()) {
            let mut components = Path::new(name).components();
            if !matches!(
                (components.next(), components.next()),
                (Some(Component::Normal(_)), None)
            ) {
                return Err(refuse(format!("`{name}` is not a plain file name")));
            }
        }
        Ok(manifest)
    }
}

pub(super) fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn from_hex(text: &str) -> Option<Vec<u8>> {
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else {
        return None;
    };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    pairs
        .iter()
        .map(|[high, low]| u8::try_from(digit(*high)? << 4 | digit(*low)?).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hexadecimal_comes_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(from_hex(&to_hex(&bytes)).as_deref(), Some(&bytes[..]));
        assert_eq!(from_hex("0"), None);
        assert_eq!(from_hex("zz"), None);
        assert_eq!(from_hex("+1"), None);
    }
}
