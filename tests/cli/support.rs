//! Running the binary, and inputs to run it on.
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use ge_harness::sample;

/// A fresh folder with the sample models in it, gone when dropped.
pub(crate) struct Workplace {
    folder: tempfile::TempDir,
}

/// What a run printed and how it ended.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Workplace {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    /// With `wyvern.pac` and the files beside it.
    pub(crate) fn with_samples() -> Self {
        let place = Self::new();
        for file in sample::files().unwrap() {
            place.write(&file.name, &file.bytes);
        }
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ge-harness"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .stdin(Stdio::null());
        command
    }

    /// Runs `ge-harness` in the folder. Whatever happens, it may not panic.
    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        let Output {
            status,
            stdout,
            stderr,
        } = self.command(arguments).output().unwrap();
        let run = Run {
            code: status
                .code()
                .unwrap_or_else(|| panic!("{arguments:?} was killed: {status}")),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        };
        for text in [&run.stdout, &run.stderr] {
            assert!(!text.contains("panicked"), "{arguments:?}:\n{text}");
        }
        run
    }

    /// Runs a command that has to succeed, and gives what it printed.
    pub(crate) fn succeed(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 0, "{arguments:?}:\n{}{}", run.stdout, run.stderr);
        run.stdout
    }

    /// Runs a command that has to fail with exit status 1 and one line that ends in a hint; gives the line.
    pub(crate) fn fail(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, 1, "{arguments:?}:\n{}{}", run.stdout, run.stderr);
        run.error_line(arguments)
    }

    /// Every file below the folder with its bytes, to see what a command touched.
    pub(crate) fn contents(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.folder.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path)
                } else {
                    files.push((path.clone(), std::fs::read(path).unwrap()))
                }
            }
        }
        files.sort();
        files
    }
}

impl Run {
    /// The one line on standard error that says what went wrong; notes and warnings may stand before it.
    pub(crate) fn error_line(&self, arguments: &[&str]) -> String {
        let errors: Vec<_> = self
            .stderr
            .lines()
            .filter(|line| !line.starts_with("note:") && !line.starts_with("warning:"))
            .collect();
        let [line] = errors[..] else {
            panic!("{arguments:?}: not one line of error:\n{}", self.stderr)
        };
        assert!(line.starts_with("error: "), "{arguments:?}: {line}");
        assert!(
            line.contains(" (hint: ") && line.ends_with(')'),
            "{arguments:?}: no hint: {line}"
        );
        line.to_owned()
    }
}

/// The data beside the repository, or `None` with the reason printed.
pub(crate) fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

/// Numbers that look random and are the same on every run.
pub(crate) struct Scatter(pub(crate) u64);

impl Scatter {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}
