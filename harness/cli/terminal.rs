//! Colours, which appear on a terminal alone, and the line that says what went wrong.
use std::io::{IsTerminal, Write};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::error::HarnessError;

/// Whether text may carry colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// None at all.
    Plain,
    /// ANSI escape sequences.
    Coloured,
}

impl Style {
    /// The style for standard error.
    #[must_use]
    pub fn of_stderr() -> Self {
        Self::of(std::io::stderr().is_terminal())
    }

    /// The style for standard output.
    #[must_use]
    pub fn of_stdout() -> Self {
        Self::of(std::io::stdout().is_terminal())
    }

    /// Coloured on a terminal unless `NO_COLOR` is set and not empty (no-color.org) or `TERM` is `dumb`.
    fn of(is_terminal: bool) -> Self {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
            || std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        if is_terminal && !refused {
            Self::Coloured
        } else {
            Self::Plain
        }
    }

    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Coloured => format!("\x1b[{code}m{text}\x1b[0m"),
        }
    }

    /// Text that tells of a failure.
    #[must_use]
    pub fn error(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// Text that tells of something to look at.
    #[must_use]
    pub fn warning(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// Text that tells that all is well.
    #[must_use]
    pub fn success(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// Text of second importance.
    #[must_use]
    pub fn aside(self, text: &str) -> String {
        self.paint("2", text)
    }
}

/// Prints an error as one line: what is wrong, then what to do.
pub(super) fn print_error(error: &HarnessError) {
    let style = Style::of_stderr();
    let hint = style.aside(&format!("(hint: {})", error.hint()));
    // Nothing is left to be done when standard error is gone too.
    let _ = writeln!(
        std::io::stderr(),
        "{} {} {hint}",
        style.error("error:"),
        one_line(&error.to_string())
    );
}

/// Prints what is missing or odd, while the command goes on.
pub(super) fn print_warning(text: &str) {
    let _ = writeln!(
        std::io::stderr(),
        "{} {}",
        Style::of_stderr().warning("warning:"),
        one_line(text)
    );
}

/// Prints what the command found by itself.
pub(super) fn print_note(text: &str) {
    let _ = writeln!(
        std::io::stderr(),
        "{} {}",
        Style::of_stderr().aside("note:"),
        one_line(text)
    );
}

/// A progress bar on standard error that counts `things`; none where that is no terminal.
pub(super) fn progress(length: usize, things: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(length as u64), ProgressDrawTarget::stderr());
    if let Ok(style) =
        ProgressStyle::with_template(&format!("{{bar:40}} {{pos}}/{{len}} {things}, {{eta}} left"))
    {
        bar.set_style(style);
    }
    bar
}

/// Text without control characters: a file's name or bytes must not steer the terminal.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|character| {
            if character.is_control() {
                '\u{FFFD}'
            } else {
                character
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_cannot_steer_the_terminal() {
        assert_eq!(one_line("a\x1b[2Jb\nc"), "a\u{FFFD}[2Jb\u{FFFD}c");
    }

    #[test]
    fn plain_text_is_left_alone() {
        assert_eq!(Style::Plain.error("x"), "x");
        assert_eq!(Style::Coloured.aside("x"), "\x1b[2mx\x1b[0m");
    }
}
