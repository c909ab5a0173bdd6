//! The definition of what a record draws, stage by stage.

pub(crate) mod blend;
pub(crate) mod compare;
pub(crate) mod fog;
pub(crate) mod logic;
pub(crate) mod quotient;
pub(crate) mod stencil;
pub(crate) mod texture_function;

#[cfg(all(test, feature = "gpu"))]
pub(crate) use compare::passes;
#[cfg(feature = "gpu")]
pub(crate) use quotient::{by_reciprocal, exact, exact_finer};

/// Something of red, green and blue.
#[inline(always)]
fn each<T>(component: impl Fn(usize) -> T) -> [T; 3] {
    [component(0), component(1), component(2)]
}
