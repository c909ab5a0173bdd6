//! Files that belong to a model but lie beside it, found by name and by content.

use std::fs;
use std::path::{Path, PathBuf};

use formats::detect::{Kind, detect};

use crate::files;

/// Files named by the user, which are taken whatever lies beside the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Companions {
    /// The skeleton.
    pub skeleton: Option<PathBuf>,
    /// The animation pack.
    pub animation: Option<PathBuf>,
    /// The texture bank.
    pub textures: Option<PathBuf>,
    /// The geometry region of a Portable 3rd model.
    pub geometry: Option<PathBuf>,
}

/// What is looked for beside a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A skeleton.
    Skeleton,
    /// An animation pack.
    Animation,
    /// A texture bank.
    Textures,
}

impl Wanted {
    /// The kind of file that it is.
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self {
            Self::Skeleton => Kind::Skeleton,
            Self::Animation => Kind::AnimationPack,
            Self::Textures => Kind::Tmh,
        }
    }

    /// What messages call it, with its article.
    pub(super) const fn with_article(self) -> &'static str {
        match self {
            Self::Skeleton => "a skeleton",
            Self::Animation => "an animation pack",
            Self::Textures => "a texture bank (TMH)",
        }
    }

    /// What messages call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skeleton => "skeleton",
            Self::Animation => "animation pack",
            Self::Textures => "texture bank",
        }
    }
}

/// Files larger than this beside a model are none of its companions.
const LARGEST: u64 = 64 << 20;
/// Files in a folder beyond these are not looked at.
const MOST_FILES: usize = 4096;

/// The files beside a model, nearest by name first.
#[derive(Debug)]
pub(super) struct Neighbours {
    /// Files whose name begins as the model's: `wyvern.tmh`, `wyvern.moveset.bin`.
    same_stem: Vec<PathBuf>,
    /// The files that the games' archives put behind the model's: its number plus one, plus two.
    following: Vec<PathBuf>,
    /// All others.
    others: Vec<PathBuf>,
}

/// The part of a file's name before its first dot.
fn stem(path: &Path) -> &str {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    name.split('.').next().unwrap_or_default()
}

/// The stem of a numbered file, some numbers further on: `05248` and 1 give `05249`.
fn later_stem(stem: &str, by: u64) -> Option<String> {
    let digits = stem.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (name, number) = stem.split_at(stem.len() - digits);
    let later = number.parse::<u64>().ok()?.checked_add(by)?;
    Some(format!("{name}{later:0digits$}"))
}

impl Neighbours {
    /// What lies in the folder of `model`. A folder that cannot be listed has nothing.
    pub(super) fn of(model: &Path) -> Self {
        let folder = match model.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut files: Vec<PathBuf> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .take(MOST_FILES)
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.file_name() != model.file_name())
            .filter(|path| fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= LARGEST))
            .collect();
        files.sort();
        let model = stem(model);
        let later: Vec<String> = [1, 2].iter().filter_map(|&by| later_stem(model, by)).collect();
        let (same_stem, files): (Vec<_>, Vec<_>) = files.into_iter().partition(|path| stem(path) == model);
        let (following, others) = files
            .into_iter()
            .partition(|path| later.iter().any(|later| stem(path) == later));
        Self {
            same_stem,
            following,
            others,
        }
    }

    /// Files that may hold the model's geometry, likeliest first. Nothing in it says what it is.
    pub(super) fn geometry(&self) -> impl Iterator<Item = &PathBuf> {
        let named = |path: &&PathBuf| path.to_string_lossy().contains("geometry");
        let (first, rest): (Vec<_>, Vec<_>) = self.same_stem.iter().partition(named);
        first.into_iter().chain(&self.following).chain(rest)
    }

    /// The file that is what is wanted: the nearest by name, or the only one of its kind.
    pub(super) fn find(&self, wanted: Wanted) -> Option<(PathBuf, Vec<u8>)> {
        for path in self.same_stem.iter().chain(&self.following) {
            if let Some(bytes) = read_kind(path, wanted.kind()) {
                return Some((path.clone(), bytes));
            }
        }
        let mut only = None;
        for path in &self.others {
            if let Some(bytes) = read_kind(path, wanted.kind()) {
                if only.is_some() {
                    return None;
                }
                only = Some((path.clone(), bytes));
            }
        }
        only
    }
}

/// The bytes of a file that is of a kind. A file that cannot be read is not.
fn read_kind(path: &Path, kind: Kind) -> Option<Vec<u8>> {
    files::read_limited(path, LARGEST)
        .ok()
        .filter(|bytes| detect(bytes) == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_files_follow_each_other() {
        assert_eq!(later_stem("05248", 1).as_deref(), Some("05249"));
        assert_eq!(later_stem("file_06199", 2).as_deref(), Some("file_06201"));
        assert_eq!(later_stem("wyvern", 1), None);
        assert_eq!(later_stem("99999999999999999999999999", 1), None);
    }

    #[test]
    fn a_stem_ends_at_the_first_dot() {
        assert_eq!(stem(Path::new("a/wyvern-p3rd.moveset.bin")), "wyvern-p3rd");
        assert_eq!(stem(Path::new("wyvern")), "wyvern");
    }
}
