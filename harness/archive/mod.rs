//! PACs taken apart into files and put together again, byte for byte.
//!
//! A folder holds one file a member, [`MANIFEST`], and the PAC's tail if it has one. Textures may
//! stand beside their banks as PNGs, and changed ones are taken back into the banks.
mod manifest;
mod textures;

use std::path::Path;

use formats::FormatError;
use formats::detect::detect;
use formats::pac::{Alignment, Pac, Packing};

pub use manifest::{MANIFEST, Manifest, Member};

use crate::error::HarnessError;
use crate::files;
use crate::inspect::{file_name, identifier};

/// The tail's file.
const TAIL: &str = "tail.bin";

/// Whether textures stand beside their banks as pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Textures {
    /// Banks alone.
    AsStored,
    /// A PNG for every palette of every image.
    AsPictures,
}

/// A file of an unpacked PAC: its name below the folder, and its bytes.
pub type UnpackedFile = (String, Vec<u8>);

/// Takes a PAC apart. The manifest comes last, so that a folder with a manifest is whole.
///
/// # Errors
/// Bytes that are no PAC.
pub fn unpack(bytes: &[u8], textures: Textures) -> Result<Vec<UnpackedFile>, FormatError> {
    let pac = Pac::parse(bytes)?;
    let mut unpacked = Vec::new();
    let mut members = Vec::new();
    for (index, entry) in pac.entries().iter().enumerate() {
        if entry.is_empty() {
            members.push(Member {
                file: None,
                kind: "empty".into(),
            });
            continue;
        }
        let kind = detect(entry);
        let name = format!("{index:03}.{}", file_name(kind));
        if textures == Textures::AsPictures {
            unpacked.extend(textures::pictures(index, entry));
        }
        members.push(Member {
            file: Some(name.clone()),
            kind: identifier(kind).into(),
        });
        unpacked.push((name, entry.clone()));
    }
    let (alignment, gaps) = match pac.packing() {
        Packing::Aligned(alignment) => (Some(alignment.bytes()), None),
        Packing::Gaps(gaps) => (None, Some(gaps.iter().map(|gap| manifest::to_hex(gap)).collect())),
    };
    let tail = (!pac.tail().is_empty()).then(|| TAIL.to_owned());
    if let Some(tail) = &tail {
        unpacked.push((tail.clone(), pac.tail().to_vec()));
    }
    let manifest = Manifest {
        version: manifest::VERSION,
        format: "pac".into(),
        alignment,
        gaps,
        members,
        tail,
    };
    unpacked.push((MANIFEST.into(), manifest.to_json()));
    Ok(unpacked)
}

/// Puts the PAC of a folder together.
///
/// # Errors
/// A missing or wrong manifest, a file that it names and that cannot be read, members that no PAC
/// can hold, or a changed picture that its bank cannot take.
pub fn pack(folder: &Path, textures: Textures) -> Result<Packed, HarnessError> {
    let manifest = Manifest::read(folder)?;
    let mut entries = Vec::with_capacity(manifest.members.len());
    let mut changed_pictures = Vec::new();
    for (index, member) in manifest.members.iter().enumerate() {
        let mut entry = match &member.file {
            Some(file) => files::read(&folder.join(file))?,
            None => Vec::new(),
        };
        if textures == Textures::AsPictures {
            changed_pictures.extend(textures::take_back(folder, index, &mut entry)?);
        }
        entries.push(entry);
    }
    let tail = match &manifest.tail {
        Some(tail) => files::read(&folder.join(tail))?,
        None => Vec::new(),
    };
    let refuse = |message: String| {
        let file = folder.join(MANIFEST);
        HarnessError::refused(
            file.display(),
            message,
            "unpack the PAC again to see what a manifest holds",
        )
    };
    let bytes = match (manifest.alignment, &manifest.gaps) {
        (Some(alignment), None) => {
            let alignment = match alignment {
                16 => Alignment::Bytes16,
                8 => Alignment::Bytes8,
                4 => Alignment::Bytes4,
                other => {
                    return Err(refuse(format!(
                        "an alignment of {other}, where a PAC has 16, 8 or 4"
                    )));
                }
            };
            let pac = Pac::new(entries, alignment).map_err(|invalid| refuse(invalid.to_string()))?;
            pac.with_tail(tail).write()
        }
        (None, Some(gaps)) => with_gaps(&entries, gaps, &tail).map_err(refuse)?,
        _ => return Err(refuse("needs either `alignment` or `gaps`".into())),
    };
    Ok(Packed {
        bytes,
        members: manifest.members.len(),
        changed_pictures,
    })
}

/// A PAC put together.
#[derive(Debug)]
pub struct Packed {
    /// The file.
    pub bytes: Vec<u8>,
    /// How many members it has, empty ones included.
    pub members: usize,
    /// The pictures that differed from their bank and were taken into it.
    pub changed_pictures: Vec<String>,
}

/// Lays members out with the bytes before each, as the tools of the community do it.
fn with_gaps(entries: &[Vec<u8>], gaps: &[String], tail: &[u8]) -> Result<Vec<u8>, String> {
    if gaps.len() != entries.len() {
        return Err(format!("{} gaps for {} members", gaps.len(), entries.len()));
    }
    let count = u32::try_from(entries.len()).map_err(|_| "too many members".to_owned())?;
    let mut table = count.to_le_bytes().to_vec();
    let mut content = Vec::new();
    for (entry, gap) in entries.iter().zip(gaps) {
        let mut place = [0; 2];
        if !entry.is_empty() {
            content.extend(manifest::from_hex(gap).ok_or_else(|| format!("`{gap}` is not hexadecimal"))?);
            place = [4 + 8 * entries.len() + content.len(), entry.len()];
            content.extend_from_slice(entry);
        }
        for number in place {
            let number = u32::try_from(number).map_err(|_| "more than 4 GiB".to_owned())?;
            table.extend(number.to_le_bytes());
        }
    }
    let bytes = [table, content, tail.to_vec()].concat();
    Pac::parse(&bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn write_all(folder: &Path, unpacked: &[UnpackedFile]) {
        for (name, bytes) in unpacked {
            files::write(&folder.join(name), bytes).unwrap();
        }
    }

    fn round_trip(bytes: &[u8]) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        write_all(folder.path(), &unpack(bytes, Textures::AsStored).unwrap());
        pack(folder.path(), Textures::AsStored).unwrap().bytes
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_pac_comes_back_byte_for_byte(
            entries in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 6..9),
            tail in proptest::collection::vec(any::<u8>(), 0..20),
            alignment in prop_oneof![Just(Alignment::Bytes16), Just(Alignment::Bytes8), Just(Alignment::Bytes4)],
        ) {
            let bytes = Pac::new(entries, alignment).unwrap().with_tail(tail).write();
            prop_assert_eq!(round_trip(&bytes), bytes);
        }
    }

    /// `spec/mhp-formats.md` §1.2: an exporter starts the first entry 20 or 28 bytes after the table.
    #[test]
    fn unusual_gaps_come_back() {
        let bytes = with_gaps(
            &[b"abc".to_vec(), vec![], b"defgh".to_vec()],
            &["00".repeat(28), String::new(), "0102".into()],
            b"tail",
        )
        .unwrap();
        assert!(matches!(Pac::parse(&bytes).unwrap().packing(), Packing::Gaps(_)));
        assert_eq!(round_trip(&bytes), bytes);
    }

    #[test]
    fn a_manifest_cannot_reach_outside_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let bytes = Pac::new(vec![b"abc".to_vec()], Alignment::Bytes16)
            .unwrap()
            .write();
        write_all(folder.path(), &unpack(&bytes, Textures::AsStored).unwrap());
        let manifest = folder.path().join(MANIFEST);
        let text = std::fs::read_to_string(&manifest).unwrap();
        for outside in ["../secret", "/etc/passwd", "a/b", "..", ""] {
            std::fs::write(&manifest, text.replace("000.data.bin", outside)).unwrap();
            let error = pack(folder.path(), Textures::AsStored).unwrap_err();
            assert!(
                error.to_string().contains("plain file name"),
                "{outside}: {error}"
            );
        }
    }

    #[test]
    fn a_folder_without_a_manifest_says_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let error = pack(folder.path(), Textures::AsStored).unwrap_err();
        assert!(error.hint().contains("unpack"), "{error} {}", error.hint());
    }
}
