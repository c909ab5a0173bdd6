//! Morph targets: the weights that a shape animation gives the GE's vertex morphing.
//!
//! A vertex shape animation has a key for the shape at rest and one for each shape that is mixed
//! in. [`MorphAnimation`] takes one of them, [`MorphAnimation::bind`] finds each key's target in a
//! mesh, and [`MorphAnimation::weights`] gives the [`MorphWeights`] at a time, which know their GE
//! commands. Whatever the GE cannot do is a [`MorphError`] with its reason, and never a key that is
//! silently dropped (spec/fsha.md §6).
//!
//! ```
//! use formats::fsha::{Curve, KeyWeight, ShapeAnimation, VertexShapeAnimation};
//! use motion::morph::MorphAnimation;
//!
//! let smile = Curve::linear(&[(0.0, 0.0), (20.0, 0.5), (30.0, 0.25)], 0.0)?;
//! let face = VertexShapeAnimation::new("face", "base")
//!     .with_key("smile", KeyWeight::Animated(smile))
//!     .with_key("blink", KeyWeight::Constant(0.25));
//! let talk = ShapeAnimation::new("talk", 30, vec![face]).looping();
//!
//! let morph = MorphAnimation::new(&talk, None)?.with_key("blink", 0.5)?;
//! let weights = morph.weights(10.0)?;
//! assert_eq!(weights.as_slice().iter().map(|weight| weight.get()).collect::<Vec<_>>(), [0.25, 0.25, 0.5]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod keys;
mod targets;
#[cfg(test)]
mod tests;
mod weights;

use std::sync::Arc;

use formats::fsha::{ShapeAnimation, ShapeKey, VertexShapeAnimation};

pub use self::error::MorphError;
use self::keys::{Key, Weight, all_keys, check_name, find_shape};
pub use self::targets::MorphTargets;
pub use self::weights::{MorphWeight, MorphWeights};
use crate::play::{LoopRule, Timeline};

/// Morph targets that the GE can blend, the one at rest included: bits 18 to 20 of the VTYPE.
pub const MOST_TARGETS: usize = 8;

/// Frames of a shape animation in a second. The files do not say; this is what their console's
/// games usually run at (spec/fsha.md §2.4, an inference).
pub const FRAMES_PER_SECOND: f64 = 60.0;

/// The keys of one shape over time.
#[derive(Debug, Clone, PartialEq)]
pub struct MorphAnimation {
    shape: Arc<str>,
    timeline: Timeline,
    /// The first is the shape at rest. One to eight.
    keys: Vec<Key>,
    target_count: usize,
}

impl MorphAnimation {
    /// The keys of the shape named `shape`, or of the only one there is. Until it is
    /// [bound](Self::bind), target `i` is key `i`.
    ///
    /// # Errors
    ///
    /// No such shape, or one that is driven twice; no keys, or more than the GE morphs; a curve
    /// that cannot be evaluated.
    pub fn new(animation: &ShapeAnimation, shape: Option<&str>) -> Result<Self, MorphError> {
        let shape = find_shape(animation, shape)?;
        Self::of_keys(animation, shape, all_keys(shape)?)
    }

    /// As [`new`](Self::new) with the key shapes of these names alone, in the shape's order, for shapes
    /// that have more than the GE morphs.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); a name that no key has; a key left out whose weight is not 0
    /// throughout.
    pub fn selecting(
        animation: &ShapeAnimation,
        shape: Option<&str>,
        names: &[&str],
    ) -> Result<Self, MorphError> {
        let shape = find_shape(animation, shape)?;
        let mut keys = all_keys(shape)?;
        for name in names {
            check_name(&shape.name, &keys, name)?;
        }
        let is_selected = |key: &Key| key.place == 0 || names.contains(&&*key.stored.name);
        if let Some(key) = keys.iter().find(|key| !is_selected(key) && !key.weight.is_zero()) {
            return Err(MorphError::LeftOut {
                shape: Arc::clone(&shape.name),
                key: Arc::clone(&key.stored.name),
            });
        }
        keys.retain(is_selected);
        Self::of_keys(animation, shape, keys)
    }

    /// No animation: the mesh at rest, for [`with_key`](Self::with_key) to move. Keys have the
    /// targets' names, or their numbers.
    pub fn still(targets: &MorphTargets) -> Self {
        let names = targets.names().iter().enumerate();
        let keys = names.map(|(target, name)| Key {
            stored: ShapeKey {
                name: name.clone().unwrap_or_else(|| target.to_string().into()),
                curve: None,
                sub_bind: None,
            },
            place: target,
            weight: match target {
                0 => Weight::Rest,
                _ => Weight::Constant(0.0),
            },
            target: Some(target),
        });
        Self {
            shape: "mesh".into(),
            timeline: Timeline::default(),
            keys: keys.collect(),
            target_count: targets.count(),
        }
    }

    fn of_keys(
        animation: &ShapeAnimation,
        shape: &VertexShapeAnimation,
        mut keys: Vec<Key>,
    ) -> Result<Self, MorphError> {
        if keys.len() > MOST_TARGETS {
            return Err(MorphError::TooManyKeys {
                shape: Arc::clone(&shape.name),
                count: keys.len() - 1,
            });
        }
        for (target, key) in keys.iter_mut().enumerate() {
            key.target = Some(target);
        }
        let looping = animation.is_looping();
        Ok(Self {
            shape: Arc::clone(&shape.name),
            timeline: Timeline {
                end: f64::from(animation.frame_count.max(0)),
                loop_rule: if looping {
                    LoopRule::From(0.0)
                } else {
                    LoopRule::Once
                },
            },
            target_count: keys.len(),
            keys,
        })
    }

    /// The same animation on the targets of a mesh. Targets that no key drives have weight 0.
    ///
    /// # Errors
    ///
    /// A key that moves something but has no target; two keys for one target.
    pub fn bind(mut self, targets: &MorphTargets) -> Result<Self, MorphError> {
        let mut taken: Vec<Option<Arc<str>>> = vec![None; targets.count()];
        for key in &mut self.keys {
            key.target = targets.find(key.place, &key.stored);
            let Some(target) = key.target else {
                if key.weight.is_idle() {
                    continue;
                }
                return Err(MorphError::NoTarget {
                    shape: self.shape,
                    key: Arc::clone(&key.stored.name),
                    targets: targets.count(),
                });
            };
            let Some(holder) = taken.get_mut(target) else {
                continue;
            };
            if let Some(first) = holder.replace(Arc::clone(&key.stored.name)) {
                return Err(MorphError::SameTarget {
                    shape: self.shape,
                    first,
                    second: Arc::clone(&key.stored.name),
                    target,
                });
            }
        }
        self.target_count = targets.count();
        Ok(self)
    }

    /// The same animation with one key's weight fixed, whatever its curve says.
    ///
    /// # Errors
    ///
    /// No key of that name, or the one at rest; a weight that is not finite; a weight for a key
    /// without a target.
    pub fn with_key(mut self, name: &str, weight: f32) -> Result<Self, MorphError> {
        let index = check_name(&self.shape, &self.keys, name)?;
        let Some(key) = self.keys.get_mut(index) else {
            return Ok(self);
        };
        if !weight.is_finite() {
            return Err(MorphError::WeightNotFinite {
                target: key.target.unwrap_or(key.place),
            });
        }
        key.weight = Weight::Constant(weight);
        if key.target.is_none() && weight != 0.0 {
            return Err(MorphError::NoTarget {
                key: Arc::clone(&key.stored.name),
                shape: self.shape,
                targets: self.target_count,
            });
        }
        Ok(self)
    }

    /// The name of the shape.
    pub fn shape(&self) -> &str {
        &self.shape
    }

    /// The names of the keys, that at rest first.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|key| &*key.stored.name)
    }

    /// How many targets have a weight, the one at rest included.
    pub fn target_count(&self) -> usize {
        self.target_count
    }

    /// Its length in frames, which is the period of a loop, and what happens there.
    pub fn timeline(&self) -> Timeline {
        self.timeline
    }

    /// The frame of the curves at a time: brought into one period of a loop, whose end is its
    /// beginning, or held at both ends (spec/fsha.md §2.4). A time that is no number is 0.
    pub fn frame_at(&self, time: f64) -> f64 {
        let end = self.timeline.end;
        if time.is_nan() || end <= 0.0 {
            return 0.0;
        }
        match self.timeline.loop_rule {
            LoopRule::From(_) if time.is_finite() => time.rem_euclid(end) % end,
            _ => time.clamp(0.0, end),
        }
    }

    /// What the curves say at a time in frames, by target, before the GE's rounding. The first is 1
    /// less the sum of the others (spec/fsha.md §3.3, an inference).
    pub fn exact_weights(&self, time: f64) -> Vec<f64> {
        self.curve_weights(self.frame_at(time))
    }

    fn curve_weights(&self, frame: f64) -> Vec<f64> {
        let mut weights = vec![0.0; self.target_count.max(1)];
        for key in &self.keys {
            let Some(weight) = key.target.and_then(|target| weights.get_mut(target)) else {
                continue;
            };
            match &key.weight {
                Weight::Rest => {}
                Weight::Constant(constant) => *weight = f64::from(*constant),
                Weight::Animated(curve) => *weight = curve.sample(frame),
            }
        }
        weights[0] = 1.0 - weights[1..].iter().sum::<f64>();
        weights
    }

    /// The weights at a time in frames, as the GE holds them.
    ///
    /// # Errors
    ///
    /// A weight, or the sum of them, that is too large for an f32.
    pub fn weights(&self, time: f64) -> Result<MorphWeights, MorphError> {
        let exact = self.exact_weights(time);
        let rounded: Vec<f32> = exact.iter().skip(1).map(|&weight| weight as f32).collect();
        MorphWeights::of_key_shapes(&rounded)
    }
}
