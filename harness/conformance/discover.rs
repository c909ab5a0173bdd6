//! Finding captures and what they are held against.
use std::path::{Path, PathBuf};
use std::{fs, io};

use raster::Profile;
use replay::ReplayMode;

use crate::error::HarnessError;
use crate::replay::stem;

/// Folders below this depth are not looked into.
const DEEPEST: usize = 8;

/// Who made a reference: it decides how a capture is replayed and what passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Maker {
    /// A real PSP: every pixel counts.
    Hardware,
    /// PPSSPP's software renderer, with the tolerance of its own frame tests (`spec/capture.md` §8).
    Ppsspp,
}

impl Maker {
    /// The largest MSE that passes.
    #[must_use]
    pub const fn max_mse(self) -> f64 {
        match self {
            Self::Hardware => 0.0,
            Self::Ppsspp => 0.1,
        }
    }

    /// Whose pixels its pictures show.
    #[must_use]
    pub const fn profile(self) -> Profile {
        match self {
            Self::Hardware => Profile::Hardware,
            Self::Ppsspp => Profile::Ppsspp,
        }
    }

    /// Which reading of captures its pictures follow.
    #[must_use]
    pub const fn mode(self) -> ReplayMode {
        match self {
            Self::Hardware => ReplayMode::Faithful,
            Self::Ppsspp => ReplayMode::Reference,
        }
    }
}

/// What a capture is held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reference {
    /// A picture of the shown buffer.
    Picture(PathBuf),
    /// A table of values that VRAM has at moments of the capture.
    Checks(PathBuf),
}

/// A capture and one thing that is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The capture's path below the folder, with `/`.
    pub name: String,
    /// The capture.
    pub capture: PathBuf,
    /// Who made the reference.
    pub maker: Maker,
    /// What is known.
    pub reference: Reference,
}

/// The captures of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Those of which something is known, by name.
    pub cases: Vec<Case>,
    /// The names of the others.
    pub without_reference: Vec<String>,
}

/// Finds captures in a folder and below, by the layouts that suites of captures have:
///
/// - `NAME.ppdmp` with `NAME.png` beside it: the picture of the hardware;
/// - `NAME.ppdmp` with `NAME.checks.tsv` beside it: values that the hardware has in VRAM;
/// - `dumps/.../NAME.zip` with `ref/.../NAME.png`, or `NAME-` and more: PPSSPP's picture, as in its own frame tests.
///
/// # Errors
/// A folder that cannot be read.
pub fn discover(folder: &Path) -> Result<Found, HarnessError> {
    let mut captures = Vec::new();
    walk(folder, 0, &mut captures)?;
    captures.sort();
    let mut found = Found::default();
    for capture in captures {
        let name = name_below(folder, &capture);
        let references = references(&capture)?;
        if references.is_empty() {
            found.without_reference.push(name.clone());
        }
        found
            .cases
            .extend(references.into_iter().map(|(maker, reference)| Case {
                name: name.clone(),
                capture: capture.clone(),
                maker,
                reference,
            }));
    }
    Ok(found)
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, HarnessError> {
    let fail = |source: io::Error| match source.kind() {
        io::ErrorKind::NotADirectory => HarnessError::refused(
            folder.display(),
            "is a file, not a folder",
            "replay compares a single capture",
        ),
        _ => HarnessError::read(folder, source),
    };
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        paths.push(entry.map_err(fail)?.path());
    }
    Ok(paths)
}

fn walk(folder: &Path, depth: usize, captures: &mut Vec<PathBuf>) -> Result<(), HarnessError> {
    for path in entries(folder)? {
        if path.is_dir() {
            if depth < DEEPEST {
                walk(&path, depth + 1, captures)?;
            }
        } else if has_extension(&path, "ppdmp") || has_extension(&path, "zip") {
            captures.push(path);
        }
    }
    Ok(())
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

fn name_below(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).unwrap_or(path);
    let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

fn references(capture: &Path) -> Result<Vec<(Maker, Reference)>, HarnessError> {
    let stem = stem(capture);
    let mut references = Vec::new();
    let beside = |name: String| Some(capture.with_file_name(name)).filter(|path| path.is_file());
    if let Some(picture) = beside(format!("{stem}.png")) {
        references.push((Maker::Hardware, Reference::Picture(picture)));
    }
    if let Some(table) = beside(format!("{stem}.checks.tsv")) {
        references.push((Maker::Hardware, Reference::Checks(table)));
    }
    if references.is_empty()
        && let Some(folder) = reference_folder(capture)
        && folder.is_dir()
    {
        let mut pictures: Vec<_> = entries(&folder)?
            .into_iter()
            .filter(|path| has_extension(path, "png") && belongs(path, &stem))
            .collect();
        // The shortest name is the one with the least beside the capture's.
        pictures.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
        references.extend(
            pictures
                .into_iter()
                .next()
                .map(|path| (Maker::Ppsspp, Reference::Picture(path))),
        );
    }
    Ok(references)
}

/// The folder of a capture below `dumps`, below `ref`.
fn reference_folder(capture: &Path) -> Option<PathBuf> {
    let folder = capture.parent()?;
    let dumps = folder
        .iter()
        .collect::<Vec<_>>()
        .into_iter()
        .rposition(|part| part == "dumps")?;
    let parts = folder.iter().enumerate();
    Some(
        parts
            .map(|(index, part)| if index == dumps { "ref".as_ref() } else { part })
            .collect(),
    )
}

/// Whether a picture is named as a capture, or so with a mark behind: `frame-soft.png`, but not `frame2.png`.
fn belongs(picture: &Path, stem: &str) -> bool {
    let name = picture.file_stem().unwrap_or_default().to_string_lossy();
    let rest = name.strip_prefix(stem);
    rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_layouts_are_found() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "images/a.ppdmp",
            "images/a.png",
            "reads/b.ppdmp",
            "reads/b.checks.tsv",
            "reads/c.ppdmp",
            "dumps/Depth/frame.ppdmp.zip",
            "dumps/Depth/frame2.zip",
            "ref/Depth/frame-soft.png",
            "ref/Depth/frame2-soft.png",
            "ref/Depth/frame-soft-old.png",
            "readme.txt",
        ] {
            crate::files::write(&folder.path().join(name), b"x").unwrap();
        }
        let found = discover(folder.path()).unwrap();
        let path = |name: &str| folder.path().join(name);
        let seen: Vec<_> = found
            .cases
            .iter()
            .map(|case| (case.name.as_str(), case.maker, case.reference.clone()))
            .collect();
        let frame = path("ref/Depth/frame-soft.png");
        let frame2 = path("ref/Depth/frame2-soft.png");
        assert_eq!(
            seen,
            [
                (
                    "dumps/Depth/frame.ppdmp.zip",
                    Maker::Ppsspp,
                    Reference::Picture(frame)
                ),
                (
                    "dumps/Depth/frame2.zip",
                    Maker::Ppsspp,
                    Reference::Picture(frame2)
                ),
                (
                    "images/a.ppdmp",
                    Maker::Hardware,
                    Reference::Picture(path("images/a.png"))
                ),
                (
                    "reads/b.ppdmp",
                    Maker::Hardware,
                    Reference::Checks(path("reads/b.checks.tsv"))
                ),
            ]
        );
        assert_eq!(found.without_reference, ["reads/c.ppdmp"]);
        // From inside, the pictures are still beside `dumps`.
        let inside = discover(&path("dumps")).unwrap();
        assert_eq!(inside.cases[0].name, "Depth/frame.ppdmp.zip");
        assert!(discover(&path("none")).is_err());
    }
}
