//! FSHA: shape animations of the Wii U's BFRES files, weights of morph shapes over time.
//!
//! An animation drives the shapes of a model; a shape has keys, of which the first is the shape at
//! rest and each other one a key shape whose weight a curve or a constant gives. An animation lies
//! inside a [`crate::bfres::Bfres`]; [`Fsha`] is one on its own.
//!
//! ```
//! use formats::bfres::{Bfres, Version};
//! use formats::fsha::{Curve, KeyWeight, ShapeAnimation, VertexShapeAnimation};
//!
//! let smile = Curve::linear(&[(0.0, 0.0), (20.0, 0.5), (30.0, 0.25)], 0.01)?;
//! let face = VertexShapeAnimation::new("face", "base")
//!     .with_key("smile", KeyWeight::Animated(smile))
//!     .with_key("blink", KeyWeight::Constant(0.25));
//! let talk = ShapeAnimation::new("talk", 30, vec![face]).looping();
//! let file = Bfres::new("demo", Version::LATEST, vec![talk])?;
//! assert_eq!(Bfres::parse(&file.write())?, file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod animation;
mod curve;
mod element;
mod encode;
mod place;
mod read;
mod read_curve;
mod standalone;
#[cfg(test)]
pub(crate) mod tests;
mod warning;
mod write;

pub use animation::{InvalidAnimation, KeyWeight, PlayFlags, ShapeAnimation, ShapeKey, VertexShapeAnimation};
pub use curve::{Curve, InvalidCurve, Segment};
pub use element::{CurveType, Elements, FrameType, Frames, Offset, Wrap};
pub use encode::HermiteKey;
pub(crate) use place::Place;
pub(crate) use read::parse_animation;
pub(crate) use read_curve::Arrays;
pub use standalone::Fsha;
pub use warning::{CurveWarning, Warning};
pub(crate) use warning::{of_animation, of_place};
pub(crate) use write::{build_animation, replace_animation};

/// Which layout of header, shapes and curves a file has: that of its version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Generation {
    /// 3.0 up to 3.4: narrow counts, curves without a delta. Only one line of tools knows this
    /// layout (`spec/fsha.md` §2.2).
    Early,
    /// 3.4.0.0 and later.
    Late,
}

/// Why an animation does not take another one's place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidReplacement {
    /// It is no animation that a file can hold.
    #[error(transparent)]
    Animation(#[from] InvalidAnimation),
    /// There is none at that place.
    #[error("animation {index} of {count}")]
    NoSuchAnimation {
        /// The animation asked for.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// It has other names, another number of shapes, keys, curves or elements, or elements of other
    /// types than the one in its place: so it needs other room. Or parts of the file overlap, and
    /// its bytes would change others.
    #[error("the animation does not fit into the place of the other one")]
    Room,
}
