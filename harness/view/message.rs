//! What the window has to say in its status line.

use crate::error::HarnessError;

/// How much a message matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// Something was done.
    Done,
    /// Something could not be done.
    Failed,
}

/// One line, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// How much it matters.
    pub weight: Weight,
    /// What happened.
    pub line: String,
    /// What the user can do; empty where nothing is to be done.
    pub hint: String,
}

impl Message {
    /// That something was done.
    #[must_use]
    pub fn done(line: impl Into<String>) -> Self {
        Self {
            weight: Weight::Done,
            line: line.into(),
            hint: String::new(),
        }
    }

    /// That something could not be done.
    #[must_use]
    pub fn of_error(error: &HarnessError) -> Self {
        Self {
            weight: Weight::Failed,
            line: error.to_string().replace(char::is_control, " "),
            hint: error.hint().replace(char::is_control, " "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_with_a_hint() {
        let error = HarnessError::refused("a\nb.pac", "is torn", "mend it");
        let message = Message::of_error(&error);
        assert_eq!(message.line, "a b.pac: is torn");
        assert_eq!(message.hint, "mend it");
        assert_eq!(message.weight, Weight::Failed);
    }
}
