//! Inputs by name: a file, or a member of a PAC inside it, `em75.pac#2`.
use std::path::{Path, PathBuf};

use formats::detect::{Kind, detect};
use formats::pac::Pac;

use super::read;
use crate::error::HarnessError;

/// Bytes that a command was given, with the name that its messages call them by.
#[derive(Debug, Clone)]
pub struct Input {
    /// The name as it was given: `em75.pac#2`.
    pub name: String,
    /// The file on disk.
    pub path: PathBuf,
    /// The members that were followed, outermost first; empty for a whole file.
    pub members: Vec<usize>,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Input {
    /// Opens what `argument` names. A file whose name really ends in `#2` comes first; otherwise each
    /// `#` and number at the end of the argument steps into a PAC.
    ///
    /// # Errors
    /// As [`read`]; a member that is not there or empty; something else than a PAC on the way.
    pub fn open(argument: &Path) -> Result<Self, HarnessError> {
        let (path, members) = split(argument);
        let mut input = Self {
            name: path.display().to_string(),
            bytes: read(&path)?,
            path,
            members: Vec::new(),
        };
        for member in members {
            input = input.into_member(member)?;
        }
        Ok(input)
    }

    fn into_member(mut self, member: usize) -> Result<Self, HarnessError> {
        let pac = match (Pac::parse(&self.bytes), detect(&self.bytes)) {
            (Ok(pac), _) => pac,
            // A PAC that is damaged may not be recognised.
            (Err(source), Kind::Pac | Kind::StagePac | Kind::Unknown) => {
                return Err(self.format_error(source));
            }
            (Err(_), _) => {
                return Err(HarnessError::wrong_kind(
                    &self.name,
                    &self.bytes,
                    "a container (PAC) with members",
                ));
            }
        };
        let count = pac.entries().len();
        let Some(bytes) = pac.entry(member) else {
            let members = if member < count {
                "that member is empty".into()
            } else {
                format!("its members are 0 to {}", count.saturating_sub(1))
            };
            return Err(HarnessError::Member {
                file: self.name,
                member: member.to_string(),
                members,
            });
        };
        self.bytes = bytes.to_vec();
        self.name = format!("{}#{member}", self.name);
        self.members.push(member);
        Ok(self)
    }

    /// A format's error about this input.
    #[must_use]
    pub fn format_error(&self, source: formats::FormatError) -> HarnessError {
        HarnessError::Format {
            file: self.name.clone(),
            source,
        }
    }
}

/// Takes the member numbers off the end of an argument, unless a file has that very name.
fn split(argument: &Path) -> (PathBuf, Vec<usize>) {
    let mut members = Vec::new();
    let mut path = argument.to_owned();
    while !path.exists() {
        let Some(text) = path.to_str() else { break };
        let Some((outer, member)) = text.rsplit_once('#') else {
            break;
        };
        let Ok(member) = member.parse() else { break };
        members.insert(0, member);
        path = PathBuf::from(outer);
    }
    (path, members)
}

#[cfg(test)]
mod tests {
    use formats::pac::Alignment;

    use super::*;

    #[test]
    fn members_are_followed_and_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("stage.pac");
        let inner = Pac::new(vec![b"deep".to_vec()], Alignment::Bytes4)
            .unwrap()
            .write();
        let outer = Pac::new(vec![b"flat".to_vec(), vec![], inner], Alignment::Bytes16)
            .unwrap()
            .write();
        super::super::write(&file, &outer).unwrap();
        let open = |suffix: &str| Input::open(Path::new(&format!("{}{suffix}", file.display())));
        assert_eq!(open("").unwrap().bytes, outer);
        assert_eq!(open("#0").unwrap().bytes, b"flat");
        let deep = open("#2#0").unwrap();
        assert_eq!((deep.bytes.as_slice(), deep.members), (&b"deep"[..], vec![2, 0]));
        assert!(deep.name.ends_with("stage.pac#2#0"));
        assert!(
            open("#1")
                .unwrap_err()
                .to_string()
                .ends_with("no member 1: that member is empty")
        );
        assert!(
            open("#3")
                .unwrap_err()
                .to_string()
                .ends_with("no member 3: its members are 0 to 2")
        );
        assert!(matches!(open("#0#0"), Err(HarnessError::Format { .. })));
        assert!(matches!(open("#x"), Err(HarnessError::Missing { .. })));
    }

    #[test]
    fn a_file_that_really_has_that_name_comes_first() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("odd#1");
        super::super::write(&file, b"x").unwrap();
        let input = Input::open(&file).unwrap();
        assert_eq!(input.bytes, b"x");
        assert!(input.members.is_empty());
    }
}
