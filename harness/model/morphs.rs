//! Shape animations on a model's morph targets.

use std::collections::BTreeMap;

use formats::fsha::{ShapeAnimation, VertexShapeAnimation};
use motion::morph::{MOST_TARGETS, MorphAnimation, MorphError, MorphTargets, MorphWeights};
use motion::play::Timeline;

use super::Model;

/// A mesh's number, and how many morph targets its vertices have: groups of one mesh may differ.
type Place = (usize, usize);

/// What moves the morph targets of a model: a shape animation, fixed weights, or both.
///
/// A PMO names neither its meshes nor their targets. So a shape drives the mesh of its bind index, or the one that
/// it is named after (`mesh3`); the only shape of an animation otherwise drives every mesh that has targets. Target `i`
/// is key `i` (`spec/fsha.md` §6.2).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Morphs {
    name: Option<String>,
    timeline: Timeline,
    bound: BTreeMap<Place, MorphAnimation>,
}

/// Why a shape animation does not move a model (`spec/fsha.md` §6.3).
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MorphsError {
    /// Nothing to move.
    #[error("none of its groups has morph targets")]
    NoTargets,
    /// A shape of several, which no mesh claims.
    #[error("shape {0:?} of several names no mesh")]
    WhichMesh(String),
    /// A shape for a mesh that is not there or has no targets.
    #[error("shape {shape:?} is for mesh {mesh}, which has no morph targets")]
    NoSuchMesh {
        /// The shape.
        shape: String,
        /// The mesh.
        mesh: usize,
    },
    /// Two shapes for one mesh.
    #[error("two shapes are for mesh {0}")]
    MeshTwice(usize),
    /// What the GE cannot do, or the animation lacks.
    #[error(transparent)]
    Morph(#[from] MorphError),
}

impl Morphs {
    /// A shape animation on a model, with the weights of `keys` fixed; without an animation keys are called by
    /// their targets' numbers, from 1.
    ///
    /// # Errors
    ///
    /// See [`MorphsError`].
    pub fn new(
        model: &Model,
        animation: Option<&ShapeAnimation>,
        keys: &[(String, f32)],
    ) -> Result<Self, MorphsError> {
        let places = places(model)?;
        let mut morphs = Self {
            name: animation.map(|animation| animation.name.to_string()),
            ..Self::default()
        };
        match animation {
            Some(animation) => {
                for shape in &animation.shapes {
                    morphs.bind(&places, animation, shape)?;
                }
            }
            None => {
                for (&place, targets) in &places {
                    morphs.bound.insert(place, MorphAnimation::still(targets));
                }
            }
        }
        for (name, weight) in keys {
            morphs.fix(name, *weight)?;
        }
        Ok(morphs)
    }

    /// Binds a shape to the meshes that it drives.
    fn bind(
        &mut self,
        places: &BTreeMap<Place, MorphTargets>,
        animation: &ShapeAnimation,
        shape: &VertexShapeAnimation,
    ) -> Result<(), MorphsError> {
        let name = shape.name.to_string();
        let morph = MorphAnimation::new(animation, Some(&shape.name))?;
        self.timeline = morph.timeline();
        let mesh = mesh_of(shape);
        if mesh.is_none() && animation.shapes.len() > 1 {
            return Err(MorphsError::WhichMesh(name));
        }
        let mut own = places
            .iter()
            .filter(|&(&(other, _), _)| mesh.is_none_or(|mesh| mesh == other))
            .peekable();
        if let (None, Some(mesh)) = (own.peek(), mesh) {
            return Err(MorphsError::NoSuchMesh { shape: name, mesh });
        }
        for (&place, targets) in own {
            if self.bound.insert(place, morph.clone().bind(targets)?).is_some() {
                return Err(MorphsError::MeshTwice(place.0));
            }
        }
        Ok(())
    }

    /// Fixes the weight of a key in every shape that has one of that name.
    fn fix(&mut self, name: &str, weight: f32) -> Result<(), MorphsError> {
        let has_key = |morph: &MorphAnimation| morph.keys().skip(1).any(|key| key == name);
        let anywhere = self.bound.values().any(has_key);
        for morph in self.bound.values_mut() {
            // Where no shape has the key, the first one's error names those that there are.
            if has_key(morph) || !anywhere {
                *morph = morph.clone().with_key(name, weight)?;
            }
        }
        Ok(())
    }

    /// The animation's name; `None` without one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Length and loop of the animation, in frames of which 60 make a second.
    #[must_use]
    pub fn timeline(&self) -> Timeline {
        self.timeline
    }

    /// The weights at a frame.
    ///
    /// # Errors
    ///
    /// Weights that the GE cannot hold.
    pub fn at(&self, frame: f64) -> Result<MorphPose, MorphError> {
        let weights = self
            .bound
            .iter()
            .map(|(&place, morph)| Ok((place, morph.weights(frame)?)));
        weights.collect::<Result<_, _>>().map(MorphPose)
    }
}

/// The weights of a model's morph targets at one moment; by default all are at rest.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MorphPose(BTreeMap<Place, MorphWeights>);

impl MorphPose {
    /// The weights of a mesh's vertices that have `targets` targets.
    #[must_use]
    pub fn of(&self, mesh: usize, targets: usize) -> MorphWeights {
        self.0
            .get(&(mesh, targets))
            .copied()
            .unwrap_or_else(|| MorphWeights::at_rest(targets))
    }

    /// The same as the GE's eight registers hold them.
    #[must_use]
    pub fn registers(&self, mesh: usize, targets: usize) -> [f32; MOST_TARGETS] {
        let weights = self.of(mesh, targets);
        std::array::from_fn(|target| weights.as_slice().get(target).map_or(0.0, |weight| weight.get()))
    }
}

/// The meshes of a model whose vertices have more than one target.
fn places(model: &Model) -> Result<BTreeMap<Place, MorphTargets>, MorphsError> {
    let mut places = BTreeMap::new();
    for pmo in &model.pmos {
        for place in pmo.groups() {
            let block = pmo.blocks.get(place.group.block);
            let Some(vertex_type) = block.and_then(|block| block.vertex_type()) else {
                continue;
            };
            let targets = MorphTargets::of_vertex_type(vertex_type)?;
            if targets.count() > 1 {
                places.insert((place.mesh, targets.count()), targets);
            }
        }
    }
    if places.is_empty() {
        return Err(MorphsError::NoTargets);
    }
    Ok(places)
}

/// The mesh that a shape says it is for: by its bind index, or by its name.
fn mesh_of(shape: &VertexShapeAnimation) -> Option<usize> {
    let named = shape
        .name
        .strip_prefix("mesh")
        .and_then(|number| number.parse().ok());
    named.or(shape.bind_index.map(usize::from))
}
