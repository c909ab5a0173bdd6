//! Whose arithmetic is followed.

/// Compiles an expression for the rules of each profile, and chooses among them: `in_rules!(profile, R => ...)`.
///
/// The choice is made once for a draw; nothing else in set-up asks for the profile.
macro_rules! in_rules {
    ($profile:expr, $rules:ident => $expression:expr) => {
        match $profile {
            $crate::Profile::Hardware => {
                type $rules = $crate::setup::HardwareRules;
                $expression
            }
            $crate::Profile::Ppsspp => {
                type $rules = $crate::ppsspp::PpssppRules;
                $expression
            }
        }
    };
}

pub(crate) use in_rules;

/// Whose pixels are drawn where a real PSP and PPSSPP's software renderer differ
/// (spec/ppsspp-profile.md).
///
/// The choice lives in set-up: back ends get the same kind of integers from both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Profile {
    /// A real PSP's.
    #[default]
    Hardware,
    /// PPSSPP's software renderer's, for comparisons with its pictures.
    Ppsspp,
}
