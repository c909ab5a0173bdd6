//! The keys of a shape and what their weights are.

use std::sync::Arc;

use formats::fsha::{ShapeAnimation, ShapeKey, VertexShapeAnimation};

use super::MorphError;
use crate::curve::Curve;

/// A key shape with its weight over time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Key {
    pub(super) stored: ShapeKey,
    /// Its place among all keys of the shape, of which a selection may leave some out.
    pub(super) place: usize,
    pub(super) weight: Weight,
    pub(super) target: Option<usize>,
}

/// A weight over time.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Weight {
    /// What the others leave of 1.
    Rest,
    Constant(f32),
    Animated(Curve),
}

impl Weight {
    /// Whether it is 0 all the time.
    pub(super) fn is_zero(&self) -> bool {
        match self {
            Self::Rest => false,
            Self::Constant(weight) => *weight == 0.0,
            Self::Animated(curve) => curve.constant() == Some(0.0),
        }
    }

    /// Whether it never moves anything, so that a missing target does not matter.
    pub(super) fn is_idle(&self) -> bool {
        matches!(self, Self::Rest | Self::Constant(0.0))
    }
}

/// The shape of a name, or the only one there is.
pub(super) fn find_shape<'a>(
    animation: &'a ShapeAnimation,
    name: Option<&str>,
) -> Result<&'a VertexShapeAnimation, MorphError> {
    let found = || {
        animation
            .shapes
            .iter()
            .map(|shape| Arc::clone(&shape.name))
            .collect()
    };
    let shape = match (name, &animation.shapes[..]) {
        (Some(name), shapes) => {
            shapes
                .iter()
                .find(|shape| &*shape.name == name)
                .ok_or_else(|| MorphError::NoShape {
                    shape: name.into(),
                    found: found(),
                })?
        }
        (None, [first, others @ ..]) if others.iter().all(|other| other.name == first.name) => first,
        (None, _) => return Err(MorphError::WhichShape { found: found() }),
    };
    let same = animation.shapes.iter().filter(|other| other.name == shape.name);
    if same.count() > 1 {
        return Err(MorphError::DrivenTwice {
            shape: Arc::clone(&shape.name),
        });
    }
    Ok(shape)
}

/// All keys of a shape with their weights.
pub(super) fn all_keys(shape: &VertexShapeAnimation) -> Result<Vec<Key>, MorphError> {
    if shape.keys.is_empty() {
        return Err(MorphError::NoKeys {
            shape: Arc::clone(&shape.name),
        });
    }
    let keys = shape.keys.iter().enumerate().map(|(place, key)| {
        Ok(Key {
            stored: key.clone(),
            place,
            weight: weight_of(shape, place, key)?,
            target: None,
        })
    });
    keys.collect()
}

/// A key's weight: its curve, else its base value, which are counted without the key at rest
/// (spec/fsha.md §3.2). A curve on the key at rest counts for nothing.
fn weight_of(shape: &VertexShapeAnimation, place: usize, key: &ShapeKey) -> Result<Weight, MorphError> {
    let Some(before) = place.checked_sub(1) else {
        return Ok(Weight::Rest);
    };
    let names = || (Arc::clone(&shape.name), Arc::clone(&key.name));
    let no_weight = || {
        let (shape, key) = names();
        MorphError::NoWeight { shape, key }
    };
    let Some(curve) = key.curve else {
        let value = *shape.base_values.get(before).ok_or_else(no_weight)?;
        return match value.is_finite() {
            true => Ok(Weight::Constant(value)),
            false => Err(MorphError::WeightNotFinite { target: place }),
        };
    };
    let curve = shape.curves.get(usize::from(curve)).ok_or_else(no_weight)?;
    Curve::try_from(curve).map(Weight::Animated).map_err(|error| {
        let (shape, key) = names();
        MorphError::Curve { shape, key, error }
    })
}

/// The place of a key that may be chosen or moved by its name.
pub(super) fn check_name(shape: &Arc<str>, keys: &[Key], name: &str) -> Result<usize, MorphError> {
    match keys.iter().rposition(|key| &*key.stored.name == name) {
        Some(0) => Err(MorphError::KeyAtRest {
            shape: Arc::clone(shape),
            key: name.into(),
        }),
        Some(index) => Ok(index),
        None => Err(MorphError::NoKey {
            shape: Arc::clone(shape),
            key: name.into(),
            found: keys
                .iter()
                .skip(1)
                .map(|key| Arc::clone(&key.stored.name))
                .collect(),
        }),
    }
}
