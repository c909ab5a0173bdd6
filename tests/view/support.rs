//! A virtual display, a folder to work in, and a viewer between them.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use ge_harness::picture::Picture;
use ge_harness::sample;

/// How long something may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);
/// Mesa's adapter without hardware, where Debian has it.
const SOFTWARE: &str = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";

/// Says that a test is skipped, or fails where it must not be.
pub(crate) fn skip(reason: &str) {
    let required = std::env::var_os("GE_HARNESS_REQUIRE_GPU").is_some();
    assert!(!required, "GE_HARNESS_REQUIRE_GPU is set, and {reason}");
    eprintln!("skipped: {reason}");
}

/// Asks again and again until there is an answer.
pub(crate) fn wait_for<T>(what: &str, mut ask: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(answer) = ask() {
            return answer;
        }
        assert!(started.elapsed() < PATIENCE, "no {what} after {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// A process that ends with the test.
pub(crate) struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Servers that start at the same time may agree on one number.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A virtual display.
pub(crate) struct Display {
    pub(crate) name: String,
    _server: Process,
    _turn: MutexGuard<'static, ()>,
}

impl Display {
    /// A display of its own, or why there is none.
    pub(crate) fn open() -> Result<Self, String> {
        for tool in ["xdotool", "import"] {
            let mut command = Command::new(tool);
            command
                .arg("-version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            command
                .status()
                .map_err(|error| format!("{tool} is missing: {error}"))?;
        }
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let mut server = Command::new("Xvfb")
            .args([
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1280x800x24",
                "-nolisten",
                "tcp",
                "-noreset",
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("Xvfb is missing: {error}"))?;
        let output = server.stdout.take().expect("it is piped");
        let server = Process(server);
        let mut number = String::new();
        let read = BufReader::new(output).read_line(&mut number);
        match number.trim() {
            "" => Err(format!("Xvfb names no display: {read:?}")),
            number => {
                let display = Self {
                    name: format!(":{number}"),
                    _server: server,
                    _turn: turn,
                };
                // It starts in the middle, where a pixel of the picture would be marked.
                display.tool("xdotool", &["mousemove", "2", "2"]);
                Ok(display)
            }
        }
    }

    pub(crate) fn tool(&self, name: &str, arguments: &[&str]) -> Output {
        Command::new(name)
            .args(arguments)
            .env("DISPLAY", &self.name)
            .output()
            .unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// What the screen shows.
    pub(crate) fn screen(&self) -> Picture {
        let shot = self.tool("import", &["-window", "root", "png:-"]);
        decoded(&shot.stdout)
    }
}

pub(crate) fn decoded(png: &[u8]) -> Picture {
    let picture = image::load_from_memory(png).unwrap().into_rgba8();
    Picture::new(picture.width(), picture.height(), picture.into_raw()).unwrap()
}

/// A folder with the sample models in it.
pub(crate) struct Workplace(pub(crate) tempfile::TempDir);

impl Workplace {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for file in sample::files().unwrap() {
            let path = folder.path().join(&file.name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, &file.bytes).unwrap();
        }
        Self(folder)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ge-harness"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .stdin(Stdio::null());
        command
    }

    /// What a command writes with `-o`.
    pub(crate) fn written(&self, arguments: &[&str]) -> Vec<u8> {
        let output = self
            .command(&[arguments, &["-o", "expected.png"]].concat())
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        std::fs::read(self.path("expected.png")).unwrap()
    }
}

/// A viewer in its window.
pub(crate) struct Viewer<'a> {
    pub(crate) process: Process,
    pub(crate) place: &'a Workplace,
    display: &'a Display,
    /// The window's number.
    pub(crate) window: String,
    /// What its pictures are called.
    pub(crate) stem: &'static str,
    pub(crate) pictures: usize,
}

impl<'a> Viewer<'a> {
    /// Opens a window; `None`, with the reason told, where no adapter can show it.
    pub(crate) fn open(
        place: &'a Workplace,
        display: &'a Display,
        stem: &'static str,
        arguments: &[&str],
    ) -> Option<Self> {
        let mut command = place.command(&[&["view"], arguments].concat());
        command
            .env("DISPLAY", &display.name)
            .env("XDG_RUNTIME_DIR", place.0.path())
            .env_remove("WAYLAND_DISPLAY")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if Path::new(SOFTWARE).exists() {
            command.env("VK_DRIVER_FILES", SOFTWARE);
        }
        let mut process = Process(command.spawn().unwrap());
        let window = wait_for("window", || {
            if let Some(status) = process.0.try_wait().unwrap() {
                let mut text = String::new();
                let _ = process.0.stderr.take().unwrap().read_to_string(&mut text);
                assert!(text.contains("no graphics adapter"), "{status}: {text}");
                return Some(None);
            }
            let found = display.tool("xdotool", &["search", "--name", "ge-harness$"]);
            let windows = String::from_utf8(found.stdout).unwrap();
            windows.lines().next().map(|window| Some(window.to_owned()))
        });
        let Some(window) = window else {
            skip("no Vulkan adapter can show a window");
            return None;
        };
        // No window manager gives it the keys.
        wait_for("focus", || {
            display.tool("xdotool", &["windowfocus", &window]);
            let focus = display.tool("xdotool", &["getwindowfocus"]).stdout;
            (String::from_utf8_lossy(&focus).trim() == window).then_some(())
        });
        Some(Self {
            process,
            place,
            display,
            window,
            stem,
            pictures: 0,
        })
    }

    pub(crate) fn key(&self, key: &str) {
        self.display.tool("xdotool", &["key", key]);
    }

    /// Has the picture written, and reads it.
    pub(crate) fn save(&mut self) -> Vec<u8> {
        self.key("s");
        self.pictures += 1;
        let path = self
            .place
            .path(&format!("{}-{:03}.png", self.stem, self.pictures));
        // It appears whole, under its name, or not at all.
        wait_for("picture", || std::fs::read(&path).ok())
    }

    /// Closes the window with a key, and gives what was printed.
    pub(crate) fn quit(mut self) -> String {
        self.key("q");
        let status = wait_for("end", || self.process.0.try_wait().unwrap());
        let [mut printed, mut errors] = [String::new(), String::new()];
        self.process
            .0
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut printed)
            .unwrap();
        self.process
            .0
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut errors)
            .unwrap();
        assert!(status.success(), "{status}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
        printed
    }
}

/// Where a picture stands on the screen, each of its pixels `scale` wide and high.
pub(crate) fn place_of(screen: &Picture, picture: &Picture, scale: u32) -> Option<[u32; 2]> {
    let colour = |[red, green, blue, _]: [u8; 4]| [red, green, blue];
    let stands_at = |left: u32, top: u32| {
        // From the bottom up, for the top is background.
        (0..picture.height() * scale).rev().all(|y| {
            (0..picture.width() * scale).all(|x| {
                let shown = screen.pixel(left + x, top + y).map(colour);
                shown == picture.pixel(x / scale, y / scale).map(colour)
            })
        })
    };
    let columns = screen.width().checked_sub(picture.width() * scale)?;
    let rows = screen.height().checked_sub(picture.height() * scale)?;
    let places = (0..=rows).flat_map(|top| (0..=columns).map(move |left| [left, top]));
    // Most places fail at their first pixels; the model's own colours are in the middle.
    let middle = [picture.width() / 2, picture.height() / 2];
    let expected = picture.pixel(middle[0], middle[1]).map(colour);
    let likely = |&[left, top]: &[u32; 2]| {
        screen
            .pixel(left + middle[0] * scale, top + middle[1] * scale)
            .map(colour)
            == expected
    };
    { places }
        .filter(likely)
        .find(|&[left, top]| stands_at(left, top))
}
