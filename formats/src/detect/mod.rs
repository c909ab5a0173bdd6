//! What a file is, told by its content: extractors name the same thing `.bin`, `.pak`, `.pac` and
//! `.tmh`, so a name tells nothing.
//!
//! ```
//! use formats::detect::{Kind, detect};
//!
//! assert_eq!(detect(b".TMH0.14\0\0\0\0\0\0\0\0"), Kind::Tmh);
//! assert_eq!(detect(b"PPSSPPGE").to_string(), "GE capture (.ppdmp)");
//! assert_eq!(detect(b"mhm"), Kind::Unknown);
//! ```

mod roles;
#[cfg(test)]
mod tests;

use std::fmt;

pub use roles::{ModelRoles, SecondSet, StageRoles};

use crate::{animation, pac, skeleton};

/// A kind of file that is told by its content. Its `Display` is a name for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// The PAC of a stage, which may be a placeholder without content.
    StagePac,
    /// A model.
    Pmo,
    /// A texture bank.
    Tmh,
    /// A skeleton of either game.
    Skeleton,
    /// An animation pack of either game.
    AnimationPack,
    /// Any other PAC.
    Pac,
    /// The games' archive, decrypted.
    DataBin,
    /// A GE capture.
    Capture,
    /// A zip, perhaps round a capture.
    Zip,
    /// An animation of the `.mot` formats.
    Mot,
    /// A container of the Wii U or the Switch, perhaps with shape animations.
    Bfres,
    /// A shape animation taken out of its container.
    Fsha,
    /// A block of a stage's collision.
    Collision,
    /// A file starting `NSP`, which no public tool reads.
    Nsp,
    /// A file starting `ASB`, which no public tool reads.
    Asb,
    /// A file starting `ARV`, which no public tool reads.
    Arv,
    /// A PSP video.
    Psmf,
    /// A RIFF container: sound, as a rule.
    Riff,
    /// A VAG sound.
    Vag,
    /// The image of a disc.
    DiscImage,
    /// A PNG picture.
    Png,
    /// Nothing that is known here.
    Unknown,
}

impl fmt::Display for Kind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::StagePac => "stage (PAC)",
            Self::Pmo => "model (PMO)",
            Self::Tmh => "texture bank (TMH)",
            Self::Skeleton => "skeleton",
            Self::AnimationPack => "animation pack",
            Self::Pac => "container (PAC)",
            Self::DataBin => "game archive (DATA.BIN)",
            Self::Capture => "GE capture (.ppdmp)",
            Self::Zip => "zip archive",
            Self::Mot => "animation (MOT)",
            Self::Bfres => "resource container (BFRES)",
            Self::Fsha => "shape animation (FSHA)",
            Self::Collision => "collision (HITS)",
            Self::Nsp => "NSP file",
            Self::Asb => "ASB file",
            Self::Arv => "ARV file",
            Self::Psmf => "PSP video (PSMF)",
            Self::Riff => "sound (RIFF)",
            Self::Vag => "sound (VAG)",
            Self::DiscImage => "disc image (ISO)",
            Self::Png => "picture (PNG)",
            Self::Unknown => "unknown file",
        })
    }
}

/// Says what `bytes` are. Kinds are tried in the order of `spec/mhp-formats.md` §1.4, the first
/// match wins; a match is no promise that the file reads without an error.
pub fn detect(bytes: &[u8]) -> Kind {
    /// Magics without a further rule. None of them can start a PAC: as a count each is too large.
    const MAGICS: [(&[u8], Kind); 15] = [
        (b".TMH0.14", Kind::Tmh),
        (b"PPSSPPGE", Kind::Capture),
        (b"PK\x03\x04", Kind::Zip),
        (b"PK\x05\x06", Kind::Zip),
        (b"mtb3", Kind::Mot),
        (b"mot\0", Kind::Mot),
        (b"FRES", Kind::Bfres),
        (b"FSHA", Kind::Fsha),
        (b"HITS", Kind::Collision),
        (b"NSP\0", Kind::Nsp),
        (b"ASB\0", Kind::Asb),
        (b"ARV\0", Kind::Arv),
        (b"PSMF", Kind::Psmf),
        (b"RIFF", Kind::Riff),
        (b"VAGp", Kind::Vag),
    ];
    if is_stage(bytes) {
        Kind::StagePac
    } else if is_pmo(bytes) {
        Kind::Pmo
    } else if let Some((_, kind)) = MAGICS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        *kind
    } else if skeleton::looks_like_skeleton(bytes) {
        Kind::Skeleton
    } else if animation::looks_like_pack(bytes) {
        Kind::AnimationPack
    } else if pac::recognise(bytes).is_some() {
        Kind::Pac
    } else if is_data_bin(bytes) {
        Kind::DataBin
    } else if bytes.get(0x8001..0x8006) == Some(b"CD001") {
        Kind::DiscImage
    } else if bytes.starts_with(b"\x89PNG\r\n\x1A\n") {
        Kind::Png
    } else {
        Kind::Unknown
    }
}

/// A PAC of six entries or more that are all empty, or whose first is a model and whose sixth is
/// a PAC that starts with collision.
fn is_stage(bytes: &[u8]) -> bool {
    let Some(spans) = pac::recognise(bytes) else {
        return false;
    };
    if spans.iter().all(|span| span.is_empty()) {
        return spans.len() >= pac::FEWEST_EMPTY_ENTRIES;
    }
    let entry = |index: usize| bytes.get(spans.get(index)?.clone());
    let is_model = entry(0).is_some_and(|terrain| terrain.starts_with(b"pmo\0"));
    let has_collision = entry(5).is_some_and(|collision| {
        pac::recognise(collision)
            .and_then(|spans| collision.get(spans.first()?.clone()))
            .is_some_and(|walls| walls.starts_with(b"HITS"))
    });
    is_model && has_collision
}

fn is_pmo(bytes: &[u8]) -> bool {
    bytes.len() >= 0x40 && (bytes.starts_with(b"pmo\x001.0\0") || bytes.starts_with(b"pmo\x00102\0"))
}

/// The archive's table: start blocks that ascend, the first of them the table's own length, up to
/// one that is the archive's length in blocks (`spec/mhp-formats.md` §7).
fn is_data_bin(bytes: &[u8]) -> bool {
    const BLOCK: usize = 2048;
    if bytes.is_empty() || !bytes.len().is_multiple_of(BLOCK) {
        return false;
    }
    let blocks = bytes.len() / BLOCK;
    let mut starts = bytes
        .as_chunks()
        .0
        .iter()
        .map(|&word| u32::from_le_bytes(word) as usize);
    let Some(table) = starts.next().filter(|table| (1..blocks).contains(table)) else {
        return false;
    };
    let mut last = table;
    for start in starts.take(table * BLOCK / 4 - 1) {
        if start == blocks {
            return true;
        }
        if start < last || start > blocks {
            return false;
        }
        last = start;
    }
    false
}
