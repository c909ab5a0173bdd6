//! The severable tail: a second chain of joints that rides on the body until it is cut.
//!
//! While the tail is whole, the engine gives each joint of the chain the model-space matrix of a
//! tail joint, its carrier (spec/mhp-formats.md §3.12). The chain's root and its first child ride
//! the same carrier, then each next joint the next one.

use formats::skeleton::Skeleton;

use super::Joint;

/// The second chain and what carries it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TailChain {
    /// The chain's joints with their carriers, from its root on.
    pub carriers: Vec<Carrier>,
    /// How the carriers were found.
    pub basis: CarrierBasis,
}

/// A joint of the chain and the body's joint that it rides on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Carrier {
    /// The joint of the chain.
    pub joint: usize,
    /// The joint whose matrix it takes.
    pub carrier: usize,
}

/// How carriers were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CarrierBasis {
    /// One run of the body's joints has the chain's bind offsets. An inference: where the engine
    /// has its carriers from is not known.
    MatchingOffsets,
    /// The rig has the shape of one whose carriers were read out of the game.
    KnownRig(&'static str),
}

/// Rigs with known carriers: bone count, first bone of the chain, carrier of its root.
const KNOWN_RIGS: [(&str, usize, usize, usize); 3] = [
    ("Tigrex", 48, 45, 43),
    ("Brute Tigrex, ported", 47, 44, 42),
    ("Zinogre, ported", 51, 46, 42),
];

/// A palette names bones by a byte: nothing can ride a joint beyond these, so none is searched.
const NAMEABLE_BONES: usize = 256;

/// What a search for carriers ends with.
#[derive(Debug)]
pub(super) enum Search {
    NoChain,
    NoCarriers { first: usize, last: usize },
    Found(TailChain),
}

/// Looks for a second chain and its carriers.
pub(super) fn find(skeleton: &Skeleton, joints: &[Joint]) -> Search {
    let parameter = |index: usize| skeleton.parameters.get(index).map(|&value| value as usize);
    let Some(first) = parameter(1).filter(|&first| first > 0) else {
        return Search::NoChain;
    };
    let end = parameter(2)
        .filter(|&end| end > first)
        .unwrap_or(joints.len())
        .min(joints.len())
        .min(NAMEABLE_BONES);
    let Some(chain) = joints.get(first..end).filter(|chain| !chain.is_empty()) else {
        return Search::NoChain;
    };
    // One joint after the other, the first a root: the only shape with known carriers.
    let is_line = chain
        .iter()
        .enumerate()
        .all(|(index, joint)| joint.parent == index.checked_sub(1).map(|above| first + above));
    let found = if is_line {
        let matching = Run { joints, first, end }.matching();
        matching.or_else(|| Run { joints, first, end }.known())
    } else {
        None
    };
    match found {
        Some((carrier, basis)) => {
            let carriers = (first..end)
                .map(|joint| Carrier {
                    joint,
                    carrier: carrier + (joint - first).saturating_sub(1),
                })
                .collect();
            Search::Found(TailChain { carriers, basis })
        }
        None => Search::NoCarriers { first, last: end - 1 },
    }
}

/// The chain `first..end` and the joints before it, among which the carriers are.
#[derive(Clone, Copy)]
struct Run<'a> {
    joints: &'a [Joint],
    first: usize,
    end: usize,
}

impl Run<'_> {
    /// The carrier of the chain's root, if exactly one run of joints has the chain's offsets from
    /// its third joint on. (The second joint's own offset is the place of the seam in the chain;
    /// where it equals its carrier's, it decides between runs.)
    fn matching(self) -> Option<(usize, CarrierBasis)> {
        let candidates: Vec<usize> = (0..self.first)
            .filter(|&carrier| self.is_run(carrier) && self.offsets_match(carrier))
            .collect();
        let exact: Vec<usize> = candidates
            .iter()
            .copied()
            .filter(|&carrier| self.same_offset(self.first + 1, carrier))
            .collect();
        match (&candidates[..], &exact[..]) {
            (&[carrier], _) | (_, &[carrier]) => Some((carrier, CarrierBasis::MatchingOffsets)),
            _ => None,
        }
    }

    fn known(self) -> Option<(usize, CarrierBasis)> {
        let &(name, _, _, carrier) = KNOWN_RIGS
            .iter()
            .find(|&&(_, bones, first, _)| bones == self.joints.len() && first == self.first)?;
        self.is_run(carrier)
            .then_some((carrier, CarrierBasis::KnownRig(name)))
    }

    /// Joints of the chain that ride on joints behind the first carrier.
    fn followers(self) -> impl Iterator<Item = usize> {
        self.first.saturating_add(2)..self.end
    }

    /// The carrier of a follower.
    fn carrier_of(self, follower: usize, carrier: usize) -> usize {
        carrier + (follower - self.first - 1)
    }

    /// Whether the joints from `carrier` on, one for each follower, are a line of the body.
    fn is_run(self, carrier: usize) -> bool {
        carrier < self.first
            && self.followers().all(|follower| {
                let rides = self.carrier_of(follower, carrier);
                rides < self.first
                    && self
                        .joints
                        .get(rides)
                        .is_some_and(|joint| joint.parent == Some(rides - 1))
            })
    }

    /// Whether each follower has its carrier's offset, and one of them is no zero.
    fn offsets_match(self, carrier: usize) -> bool {
        let mut followers = self.followers().peekable();
        followers.peek().is_some()
            && self
                .followers()
                .all(|follower| self.same_offset(follower, self.carrier_of(follower, carrier)))
            && followers.any(|follower| {
                self.joints
                    .get(follower)
                    .is_some_and(|joint| joint.bind.location.length_squared() > 1e-6)
            })
    }

    /// Whether two joints stand at one offset from their parents, to a thousandth of a unit: ports
    /// write the chain anew and may round.
    fn same_offset(self, a: usize, b: usize) -> bool {
        match (self.joints.get(a), self.joints.get(b)) {
            (Some(a), Some(b)) => a.bind.location.abs_diff_eq(b.bind.location, 1e-3),
            _ => false,
        }
    }
}
