use std::sync::Arc;

use super::MOST_TARGETS;
use crate::curve::CurveError;

/// Why a shape animation does not drive the morph targets of a mesh (spec/fsha.md §6.3).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MorphError {
    /// The animation has no shape of that name.
    #[error("no shape {shape:?}: the animation drives {}", list(.found))]
    NoShape {
        /// The name asked for.
        shape: Arc<str>,
        /// The shapes that the animation drives.
        found: Vec<Arc<str>>,
    },
    /// No shape was named, and the animation drives none or several.
    #[error("which shape? the animation drives {}", list(.found))]
    WhichShape {
        /// The shapes that the animation drives.
        found: Vec<Arc<str>>,
    },
    /// Two of the animation's parts drive one shape.
    #[error("shape {shape:?} is driven twice")]
    DrivenTwice {
        /// The shape.
        shape: Arc<str>,
    },
    /// A shape without even a key at rest.
    #[error("shape {shape:?} has no keys")]
    NoKeys {
        /// The shape.
        shape: Arc<str>,
    },
    /// More key shapes than the GE has weights for.
    #[error("shape {shape:?} has {count} key shapes; the GE morphs at most {}", MOST_TARGETS - 1)]
    TooManyKeys {
        /// The shape.
        shape: Arc<str>,
        /// Its keys without the one at rest.
        count: usize,
    },
    /// A mesh or a list of weights with more targets than the GE has.
    #[error("{count} morph targets; the GE has {MOST_TARGETS}")]
    TooManyTargets {
        /// How many.
        count: usize,
    },
    /// No key of that name.
    #[error("no key shape {key:?} in shape {shape:?}, which has {}", list(.found))]
    NoKey {
        /// The shape.
        shape: Arc<str>,
        /// The name asked for.
        key: Arc<str>,
        /// The names of its key shapes.
        found: Vec<Arc<str>>,
    },
    /// The key at rest has no weight of its own: it takes what the others leave of 1.
    #[error("key {key:?} is shape {shape:?} at rest, whose weight is 1 less the others'")]
    KeyAtRest {
        /// The shape.
        shape: Arc<str>,
        /// The key.
        key: Arc<str>,
    },
    /// A key that was left out of a selection is not 0 all the time.
    #[error("key shape {key:?} of shape {shape:?} is left out, but its weight is not always 0")]
    LeftOut {
        /// The shape.
        shape: Arc<str>,
        /// The key.
        key: Arc<str>,
    },
    /// A key moves something that the mesh has no target for.
    #[error("key shape {key:?} of shape {shape:?} has no target among the mesh's {targets}")]
    NoTarget {
        /// The shape.
        shape: Arc<str>,
        /// The key.
        key: Arc<str>,
        /// How many targets the mesh has, the one at rest included.
        targets: usize,
    },
    /// Two keys move one target.
    #[error("key shapes {first:?} and {second:?} of shape {shape:?} both move target {target}")]
    SameTarget {
        /// The shape.
        shape: Arc<str>,
        /// The earlier key.
        first: Arc<str>,
        /// The later key.
        second: Arc<str>,
        /// The target.
        target: usize,
    },
    /// Vertices in screen coordinates, whose morphing is not verified on the GE.
    #[error("vertices in screen coordinates (through mode), whose morphing is not verified on the GE")]
    ThroughMode,
    /// A curve that cannot be evaluated.
    #[error("key shape {key:?} of shape {shape:?}: {error}")]
    Curve {
        /// The shape.
        shape: Arc<str>,
        /// The key.
        key: Arc<str>,
        /// What is wrong with it.
        error: CurveError,
    },
    /// A key names a curve, or counts on a base value, that is not there.
    #[error("key shape {key:?} of shape {shape:?} has neither a curve nor a base value")]
    NoWeight {
        /// The shape.
        shape: Arc<str>,
        /// The key.
        key: Arc<str>,
    },
    /// A weight that is infinite or no number.
    #[error("the weight of target {target} is not a finite number")]
    WeightNotFinite {
        /// The target; 0 if the others' sum is too large.
        target: usize,
    },
}

/// Names in quotes, or a word for none.
fn list(names: &[Arc<str>]) -> String {
    match names {
        [] => "none".to_owned(),
        names => names
            .iter()
            .map(|name| format!("{name:?}"))
            .collect::<Vec<_>>()
            .join(", "),
    }
}
