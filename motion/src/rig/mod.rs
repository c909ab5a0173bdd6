//! Rigs: a skeleton prepared for posing.

pub mod entry;
pub mod records;
pub mod tail;
#[cfg(test)]
mod tests;

use formats::skeleton::{Bone, Skeleton};
use glam::{DAffine3, DMat3, DVec3};

pub use self::tail::{Carrier, CarrierBasis, TailChain};
use crate::clip::JointTransform;
use crate::rotation::{Angle, RotationOrder};

/// A skeleton with everything that posing needs worked out once: safe parents, an order in which
/// parents come first, bind transforms and their inverses, the parts, the body's fork and the
/// severable tail.
#[derive(Debug, Clone)]
pub struct Rig {
    joints: Vec<Joint>,
    /// Every joint once, parents before children.
    order: Vec<usize>,
    animated: usize,
    parts: Vec<Part>,
    fork: usize,
    root_joint: Option<usize>,
    tail: Option<TailChain>,
    diagnostics: Vec<RigDiagnostic>,
}

/// One joint of a rig.
#[derive(Debug, Clone)]
pub struct Joint {
    /// The joint it hangs off; `None` for the root of a chain. Following parents always ends.
    pub parent: Option<usize>,
    /// The part whose clips drive it, in Freedom Unite.
    pub part: u32,
    /// Its transform relative to its parent in the bind pose.
    pub bind: JointTransform,
    /// From the joint's space to model space in the bind pose.
    pub bind_world: DAffine3,
    /// From model space to the joint's space in the bind pose.
    pub inverse_bind: DAffine3,
    /// Whether it is the body's fork or one of its ancestors.
    pub above_fork: bool,
}

/// How scales go down a chain of joints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Composition {
    /// As Freedom Unite's engine is read: the linear part of a joint is the product of the rotations
    /// down its chain, times the product of the scales, `S(1 / A(parent))` before the rotation and
    /// `S(A)` behind it, where `A` is the accumulated scale. One reading of spec/mhp-formats.md
    /// §4.4, unverified.
    #[default]
    Engine,
    /// Plain products `T * R * S` down the chain, as for MOT (spec/mot.md §8.3, a decision).
    Plain,
}

/// The joints that one set of clips drives, in Freedom Unite: a contiguous run in shipped files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The part's number: [`Bone::stream`].
    pub id: u32,
    /// Its animated joints, ascending. Track `i` of a clip drives the `i`-th of them.
    pub joints: Vec<usize>,
}

/// Something about a skeleton that a careful reader wants to know. None keeps it from being posed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RigDiagnostic {
    /// A parent that does not exist, or that closes a cycle, was dropped.
    #[error("bone {bone}: its parent {parent} does not exist or closes a cycle; it is a root here")]
    ParentDropped {
        /// The bone.
        bone: usize,
        /// The parent as stored.
        parent: u16,
    },
    /// The animated count is 0 or above the number of bones; all bones are taken as animated.
    #[error("{stated} animated of {bones} bones; all are taken as animated")]
    AnimatedCount {
        /// The second parameter.
        stated: u32,
        /// The number of bones.
        bones: usize,
    },
    /// A bind value is infinite or no number; it counts as 0, in a scale as 1.
    #[error("bone {bone}: a bind value is not finite")]
    BindNotFinite {
        /// The bone.
        bone: usize,
    },
    /// A bind scale other than 1: posed as spec/mhp-formats.md §4.4 reads the engine, which is
    /// not certain.
    #[error("bone {bone}: bind scale {scale:?}, whose place in the game's matrix is not certain")]
    BindScaled {
        /// The bone.
        bone: usize,
        /// The scale.
        scale: [f32; 3],
    },
    /// The bind transform cannot be undone (a scale of 0); only its translation is.
    #[error("bone {bone}: the bind transform has no inverse")]
    BindSingular {
        /// The bone.
        bone: usize,
    },
    /// The skeleton has a second chain for which no carriers were found: the tip of its tail lies
    /// at the model's origin and should be hidden.
    #[error("bones {first} to {last}: a second chain without known carriers; hide what rides it")]
    NoCarriers {
        /// First bone of the chain.
        first: usize,
        /// Last bone of the chain.
        last: usize,
    },
}

impl Rig {
    /// Prepares a skeleton. Never fails: what cannot be followed is dropped and named in
    /// [`Rig::diagnostics`].
    pub fn new(skeleton: &Skeleton) -> Self {
        let mut diagnostics = Vec::new();
        let parents = skeleton.parents();
        for (index, bone) in skeleton.bones.iter().enumerate() {
            if let (Some(parent), None) = (bone.parent, parents.get(index).copied().flatten()) {
                diagnostics.push(RigDiagnostic::ParentDropped { bone: index, parent });
            }
        }
        let order = parents_first(&parents);
        let animated = animated_count(skeleton, &mut diagnostics);
        let fork = fork_of(&parents);
        let mut joints: Vec<Joint> = skeleton
            .bones
            .iter()
            .zip(parents)
            .enumerate()
            .map(|(index, (bone, parent))| Joint {
                parent,
                part: bone.stream,
                bind: bind_of(index, bone, &mut diagnostics),
                bind_world: DAffine3::IDENTITY,
                inverse_bind: DAffine3::IDENTITY,
                above_fork: false,
            })
            .collect();
        let mut above = (!joints.is_empty()).then_some(fork);
        while let Some(joint) = above.and_then(|joint| joints.get_mut(joint)) {
            joint.above_fork = true;
            above = joint.parent;
        }
        let mut rig = Self {
            root_joint: root_joint_of(skeleton, &joints),
            parts: parts_of(joints.get(..animated).unwrap_or_default()),
            tail: None,
            joints,
            order,
            animated,
            fork,
            diagnostics,
        };
        rig.bind();
        match tail::find(skeleton, &rig.joints) {
            tail::Search::NoChain => {}
            tail::Search::NoCarriers { first, last } => {
                rig.diagnostics.push(RigDiagnostic::NoCarriers { first, last });
            }
            tail::Search::Found(tail) => rig.tail = Some(tail),
        }
        rig
    }

    /// Works out the bind matrices.
    fn bind(&mut self) {
        let local: Vec<JointTransform> = self.joints.iter().map(|joint| joint.bind).collect();
        let world = self.world_of(&local, Composition::Engine);
        for (index, (joint, world)) in self.joints.iter_mut().zip(world).enumerate() {
            joint.bind_world = world;
            let translation = DAffine3::from_translation(-world.translation);
            let determinant = world.matrix3.determinant();
            joint.inverse_bind = if world.matrix3 == DMat3::IDENTITY {
                translation
            } else if determinant.abs() > 1e-30 && determinant.is_finite() {
                world.inverse()
            } else {
                self.diagnostics.push(RigDiagnostic::BindSingular { bone: index });
                translation
            };
        }
    }

    /// The joints, in bone order. Bone numbers of palettes index them.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// How many joints, from the first on, clips can drive.
    pub fn animated_count(&self) -> usize {
        self.animated
    }

    /// The parts of the animated joints, by their lowest joint.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The lowest joint with more than one child, 0 if there is none: where the body branches.
    pub fn fork(&self) -> usize {
        self.fork
    }

    /// The joint whose travel the game gives to the entity: the first child of joint 0
    /// (spec/mhp-formats.md C5).
    pub fn root_joint(&self) -> Option<usize> {
        self.root_joint
    }

    /// The severable tail, if its carriers are known.
    pub fn tail(&self) -> Option<&TailChain> {
        self.tail.as_ref()
    }

    /// What is odd about the skeleton.
    pub fn diagnostics(&self) -> &[RigDiagnostic] {
        &self.diagnostics
    }

    /// Model-space matrices from transforms relative to the parents, one for each joint; a missing
    /// one is at rest on its parent.
    ///
    /// With scales of 1 both compositions are the plain `parent * T * Rz * Ry * Rx`.
    pub(crate) fn world_of(&self, local: &[JointTransform], composition: Composition) -> Vec<DAffine3> {
        struct Turned {
            rotation: DMat3,
            scale: DVec3,
        }
        let mut turned: Vec<Option<Turned>> = self.joints.iter().map(|_| None).collect();
        let mut world = vec![DAffine3::IDENTITY; self.joints.len()];
        for &index in &self.order {
            let own = local.get(index).copied().unwrap_or_default();
            let mut rotation = own.order.matrix(own.rotation);
            let mut scale = own.scale;
            let mut translation = own.location;
            let parent = self.joints.get(index).and_then(|joint| joint.parent);
            if composition == Composition::Plain {
                let above = parent.and_then(|parent| world.get(parent).copied());
                if let Some(world) = world.get_mut(index) {
                    let local = DAffine3 {
                        matrix3: rotation * DMat3::from_diagonal(scale),
                        translation,
                    };
                    *world = above.map_or(local, |above| above * local);
                }
                continue;
            }
            if let Some(parent) = parent
                && let Some(Some(above)) = turned.get(parent)
                && let Some(above_world) = world.get(parent)
            {
                rotation = above.rotation * rotation;
                scale *= above.scale;
                translation = above_world.transform_point3(translation);
            }
            if let (Some(turned), Some(world)) = (turned.get_mut(index), world.get_mut(index)) {
                *world = DAffine3 {
                    matrix3: rotation * DMat3::from_diagonal(scale),
                    translation,
                };
                *turned = Some(Turned { rotation, scale });
            }
        }
        world
    }
}

/// Every index once, parents before children. `parents` are free of cycles.
fn parents_first(parents: &[Option<usize>]) -> Vec<usize> {
    let mut order = Vec::with_capacity(parents.len());
    let mut placed = vec![false; parents.len()];
    let mut chain = Vec::new();
    for start in 0..parents.len() {
        let mut next = Some(start);
        while let Some(joint) = next
            && let Some(placed) = placed.get_mut(joint)
            && !*placed
        {
            *placed = true;
            chain.push(joint);
            next = parents.get(joint).copied().flatten();
        }
        order.extend(chain.drain(..).rev());
    }
    order
}

fn animated_count(skeleton: &Skeleton, diagnostics: &mut Vec<RigDiagnostic>) -> usize {
    let bones = skeleton.bones.len();
    let Some(&stated) = skeleton.parameters.get(1) else {
        return bones;
    };
    if stated == 0 || stated as usize > bones {
        diagnostics.push(RigDiagnostic::AnimatedCount { stated, bones });
        return bones;
    }
    stated as usize
}

/// The lowest joint that more than one other names as its parent.
fn fork_of(parents: &[Option<usize>]) -> usize {
    let mut children = vec![0_u32; parents.len()];
    for &parent in parents.iter().flatten() {
        if let Some(count) = children.get_mut(parent) {
            *count += 1;
        }
    }
    children.iter().position(|&count| count > 1).unwrap_or(0)
}

/// The first child of joint 0: the one its record names, or the lowest.
fn root_joint_of(skeleton: &Skeleton, joints: &[Joint]) -> Option<usize> {
    let is_child = |&index: &usize| joints.get(index).is_some_and(|joint| joint.parent == Some(0));
    let named = skeleton.bones.first()?.child.map(usize::from).filter(is_child);
    named.or_else(|| (0..joints.len()).find(is_child))
}

fn parts_of(animated: &[Joint]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut by_id = std::collections::HashMap::new();
    for (index, joint) in animated.iter().enumerate() {
        let place = *by_id.entry(joint.part).or_insert_with(|| {
            parts.push(Part {
                id: joint.part,
                joints: Vec::new(),
            });
            parts.len() - 1
        });
        if let Some(part) = parts.get_mut(place) {
            part.joints.push(index);
        }
    }
    parts
}

fn bind_of(index: usize, bone: &Bone, diagnostics: &mut Vec<RigDiagnostic>) -> JointTransform {
    let numbers = [bone.scale, bone.rotation, bone.position];
    if !numbers.iter().flatten().all(|number| number.is_finite()) {
        diagnostics.push(RigDiagnostic::BindNotFinite { bone: index });
    }
    if bone.scale != [1.0; 3] {
        diagnostics.push(RigDiagnostic::BindScaled {
            bone: index,
            scale: bone.scale,
        });
    }
    let or = |number: f32, else_: f64| {
        if number.is_finite() {
            f64::from(number)
        } else {
            else_
        }
    };
    JointTransform {
        scale: DVec3::from_array(bone.scale.map(|number| or(number, 1.0))),
        rotation: bone.rotation.map(|number| Angle::from_radians(or(number, 0.0))),
        order: RotationOrder::default(),
        location: DVec3::from_array(bone.position.map(|number| or(number, 0.0))),
    }
}
