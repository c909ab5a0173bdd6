//! Animations, shapes and keys.

use std::sync::Arc;

use super::{Curve, Generation, InvalidCurve};
use crate::FormatError;

/// A shape animation.
#[derive(Debug, Clone, PartialEq)]
pub struct ShapeAnimation {
    /// Its name.
    pub name: Arc<str>,
    /// The path of the data it was made from; empty in released files.
    pub path: Arc<str>,
    /// How it plays.
    pub flags: PlayFlags,
    /// Its length in frames, not below 0: the period of a loop, whose keys run from 0 up to it
    /// (`spec/fsha.md` §2.4). A second usually has 60 of them, which is not stored.
    pub frame_count: i32,
    /// Bytes that the runtime needs to bake all curves. Kept as read.
    pub baked_length: u32,
    /// The shapes it drives.
    pub shapes: Vec<VertexShapeAnimation>,
}

/// How an animation plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PlayFlags(
    /// The flags as stored. Bits 0 and 2 are known.
    pub u16,
);

impl PlayFlags {
    /// The curves hold samples.
    pub const BAKED: Self = Self(0x0001);
    /// The animation starts over at its end.
    pub const LOOPING: Self = Self(0x0004);

    /// Whether all bits of `other` are set.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// The weights of one shape's keys.
#[derive(Debug, Clone, PartialEq)]
pub struct VertexShapeAnimation {
    /// The name of the shape in the model.
    pub name: Arc<str>,
    /// The shape's place in the model; `None` to go by its name, which is better anyway.
    pub bind_index: Option<u16>,
    /// The keys, at least one: the first is the shape at rest, which is inferred
    /// (`spec/fsha.md` §3.1).
    pub keys: Vec<ShapeKey>,
    /// The curves that the keys name.
    pub curves: Vec<Curve>,
    /// The weights of the keys without a curve, from the second key on; empty if every key has one.
    pub base_values: Vec<f32>,
}

/// A key: a shape that is mixed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShapeKey {
    /// The name of the key shape.
    pub name: Arc<str>,
    /// The curve of the weight, a place in [`VertexShapeAnimation::curves`]; `None` if a constant is
    /// the weight. At most 127.
    pub curve: Option<u8>,
    /// The key shape's place in the shape; `None` to go by its name. At most 127.
    pub sub_bind: Option<u8>,
}

/// What gives a key's weight, when an animation is made.
#[derive(Debug, Clone, PartialEq)]
pub enum KeyWeight {
    /// The same at every frame.
    Constant(f32),
    /// A curve.
    Animated(Curve),
}

/// Why values are no animation that a file can hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidAnimation {
    /// A name that holds a zero, which ends names, or 2 GiB.
    #[error("name {0:?}, where names end at a zero")]
    Name(Arc<str>),
    /// A number of frames that the header has no room for.
    #[error("{0} frames, where an animation holds 0 to 2147483647, below version 3.4 to 65535")]
    FrameCount(i32),
    /// A number of shapes, keys or curves that the header has no room for.
    #[error("{count} {what}, where an animation holds 65535, and a shape below version 3.4 holds 255")]
    Count {
        /// `shapes`, `keys` or `curves`.
        what: &'static str,
        /// How many.
        count: usize,
    },
    /// A shape has at least its key at rest.
    #[error("shape {0}: no keys")]
    NoKeys(usize),
    /// A bind index that stands for none.
    #[error("shape {0}: bind index 65535, which stands for none")]
    BindIndex(usize),
    /// A key names a curve or key shape beyond the last, or beyond 127.
    #[error("shape {shape}, key {key}: curve or sub bind index {index}, at most {most}")]
    Index {
        /// The shape.
        shape: usize,
        /// The key.
        key: usize,
        /// The index.
        index: u8,
        /// The highest it could have been; 0 too if there are no curves.
        most: usize,
    },
    /// There must be a base value for each key but the first, unless all of them have curves.
    #[error("shape {shape}: {values} base values of {keys} keys")]
    BaseValues {
        /// The shape.
        shape: usize,
        /// Its base values.
        values: usize,
        /// Its keys.
        keys: usize,
    },
    /// A base value that is infinite or no number.
    #[error("shape {0}: a base value that is not finite")]
    BaseValueNotFinite(usize),
    /// A curve that is none.
    #[error("shape {shape}, curve {curve}: {invalid}")]
    Curve {
        /// The shape.
        shape: usize,
        /// The curve.
        curve: usize,
        /// What is wrong with it.
        invalid: InvalidCurve,
    },
    /// The file made of it cannot be read: it is too large for its offsets.
    #[error("the file made of the animation does not read: {0}")]
    Unreadable(FormatError),
}

impl ShapeAnimation {
    /// An animation of `shapes` that plays once.
    pub fn new(name: &str, frame_count: i32, shapes: Vec<VertexShapeAnimation>) -> Self {
        let lengths = shapes.iter().flat_map(|shape| &shape.curves);
        let baked_length = lengths.fold(0, |sum: u32, curve| sum.saturating_add(curve.baked_length()));
        Self {
            name: name.into(),
            path: "".into(),
            flags: PlayFlags::default(),
            frame_count,
            baked_length,
            shapes,
        }
    }

    /// The same animation, starting over at its end. Its curves should end with the values they
    /// start with.
    #[must_use]
    pub fn looping(self) -> Self {
        let flags = PlayFlags(self.flags.0 | PlayFlags::LOOPING.0);
        Self { flags, ..self }
    }

    /// Whether the animation starts over at its end.
    pub fn is_looping(&self) -> bool {
        self.flags.contains(PlayFlags::LOOPING)
    }

    /// The same animation with the deltas that files of `generation` store: none below 3.4, else
    /// those it has, or the curves' rises.
    #[must_use]
    pub fn in_generation(mut self, generation: Generation) -> Self {
        for curve in self.shapes.iter_mut().flat_map(|shape| &mut shape.curves) {
            curve.delta = match generation {
                Generation::Early => None,
                Generation::Late => curve.delta.or(Some(curve.rise() as f32)),
            };
        }
        self
    }

    /// What a file asks of an animation.
    ///
    /// # Errors
    ///
    /// See [`InvalidAnimation`].
    pub fn check(&self, generation: Generation) -> Result<(), InvalidAnimation> {
        let names = self.shapes.iter().flat_map(|shape| {
            let keys = shape.keys.iter().map(|key| &key.name);
            keys.chain([&shape.name])
        });
        for name in names.chain([&self.name, &self.path]) {
            if name.contains('\0') || i32::try_from(name.len()).is_err() {
                return Err(InvalidAnimation::Name(Arc::clone(name)));
            }
        }
        let most_frames = match generation {
            Generation::Early => u16::MAX.into(),
            Generation::Late => i32::MAX,
        };
        if !(0..=most_frames).contains(&self.frame_count) {
            return Err(InvalidAnimation::FrameCount(self.frame_count));
        }
        let keys = self.shapes.iter().map(|shape| shape.keys.len());
        let curves = self.shapes.iter().map(|shape| shape.curves.len());
        for (what, count) in [
            ("shapes", self.shapes.len()),
            ("keys", keys.sum()),
            ("curves", curves.sum()),
        ] {
            if count > usize::from(u16::MAX) {
                return Err(InvalidAnimation::Count { what, count });
            }
        }
        for (index, shape) in self.shapes.iter().enumerate() {
            shape.check(index, generation)?;
        }
        Ok(())
    }
}

impl VertexShapeAnimation {
    /// The animation of shape `name` whose key at rest is called `base`. It has no other keys yet.
    pub fn new(name: &str, base: &str) -> Self {
        Self {
            name: name.into(),
            bind_index: None,
            keys: vec![ShapeKey {
                name: base.into(),
                curve: None,
                sub_bind: None,
            }],
            curves: Vec::new(),
            base_values: Vec::new(),
        }
    }

    /// The same animation with a further key.
    #[must_use]
    pub fn with_key(mut self, name: &str, weight: KeyWeight) -> Self {
        let (curve, base_value) = match weight {
            KeyWeight::Constant(value) => (None, value),
            KeyWeight::Animated(mut curve) => {
                // What the runtime makes of it is unknown; the key's place among floats is likely.
                curve.target = 4 * self.keys.len() as u32;
                self.curves.push(curve);
                (Some((self.curves.len() - 1).min(255) as u8), 0.0)
            }
        };
        self.keys.push(ShapeKey {
            name: name.into(),
            curve,
            sub_bind: None,
        });
        self.base_values.push(base_value);
        self
    }

    /// The curve of key `key`, `None` for a key without one.
    pub fn curve_of(&self, key: usize) -> Option<&Curve> {
        self.curves.get(usize::from(self.keys.get(key)?.curve?))
    }

    /// The weight of key `key` where no curve gives it; 0 for the first key, whose weight is 1 less
    /// the others', and where none is stored.
    pub fn base_value(&self, key: usize) -> f32 {
        let value = key.checked_sub(1).and_then(|key| self.base_values.get(key));
        value.copied().unwrap_or(0.0)
    }

    fn check(&self, shape: usize, generation: Generation) -> Result<(), InvalidAnimation> {
        if self.keys.is_empty() {
            return Err(InvalidAnimation::NoKeys(shape));
        }
        for (what, count) in [("keys", self.keys.len()), ("curves", self.curves.len())] {
            if generation == Generation::Early && count > usize::from(u8::MAX) {
                return Err(InvalidAnimation::Count { what, count });
            }
        }
        if self.bind_index == Some(u16::MAX) {
            return Err(InvalidAnimation::BindIndex(shape));
        }
        for (key, ShapeKey { curve, sub_bind, .. }) in self.keys.iter().enumerate() {
            for (index, count) in [(*curve, self.curves.len().min(128)), (*sub_bind, 128)] {
                if let Some(index) = index.filter(|index| usize::from(*index) >= count) {
                    return Err(InvalidAnimation::Index {
                        shape,
                        key,
                        index,
                        most: count.saturating_sub(1),
                    });
                }
            }
        }
        let (values, others) = (self.base_values.len(), self.keys.len() - 1);
        let is_spared = values == 0 && self.keys.iter().skip(1).all(|key| key.curve.is_some());
        if values != others && !is_spared {
            return Err(InvalidAnimation::BaseValues {
                shape,
                values,
                keys: self.keys.len(),
            });
        }
        if !self.base_values.iter().all(|value| value.is_finite()) {
            return Err(InvalidAnimation::BaseValueNotFinite(shape));
        }
        for (index, curve) in self.curves.iter().enumerate() {
            curve.check().map_err(|invalid| InvalidAnimation::Curve {
                shape,
                curve: index,
                invalid,
            })?;
        }
        Ok(())
    }
}
