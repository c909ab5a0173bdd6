//! The bones as a tree: links, roots, bind positions.

use super::{Bone, BoneEncoding, BoneRest, Magic, Skeleton};

impl Skeleton {
    /// A skeleton of `bones`, of which only the parents, transforms, kinds and parts count.
    ///
    /// First children and siblings follow from the parents, in bone order; the parameters become
    /// the roots; every section gets `encoding`, and names are kept where it has names.
    pub fn new(encoding: BoneEncoding, bones: Vec<Bone>) -> Self {
        let mut skeleton = Self {
            magic: match encoding {
                BoneEncoding::Mhfu => Magic::Mhfu,
                BoneEncoding::Mhp3rd => Magic::Mhp3rd,
            },
            parameters: Vec::new(),
            stated_parameter_count: 0,
            bones,
            tail: Vec::new(),
        };
        for bone in &mut skeleton.bones {
            if bone.encoding() != encoding {
                bone.rest = BoneRest::empty(encoding);
            }
        }
        skeleton.link_children();
        skeleton.parameters = skeleton.root_bones().map(|bone| bone as u32).collect();
        skeleton.stated_parameter_count = skeleton.parameters.len() as u32;
        skeleton
    }

    /// Sets every first child and next sibling from the parents, children in bone order.
    pub fn link_children(&mut self) {
        let mut last_child: Vec<Option<usize>> = vec![None; self.bones.len()];
        for bone in &mut self.bones {
            bone.child = None;
            bone.sibling = None;
        }
        for index in 0..self.bones.len() {
            let (Some(parent), Ok(link)) = (self.bones[index].parent, u16::try_from(index)) else {
                continue;
            };
            let parent = usize::from(parent);
            let Some(last) = last_child.get_mut(parent) else {
                continue;
            };
            match last.replace(index) {
                None => self.bones[parent].child = Some(link),
                Some(elder) => self.bones[elder].sibling = Some(link),
            }
        }
    }

    /// How the bones are stored: as the first one is, or as the magic says when there is none.
    pub fn encoding(&self) -> BoneEncoding {
        match (self.bones.first(), self.magic) {
            (Some(bone), _) => bone.encoding(),
            (None, Magic::Mhfu) => BoneEncoding::Mhfu,
            (None, Magic::Mhp3rd) => BoneEncoding::Mhp3rd,
        }
    }

    /// How many bones, from the first on, clips can drive: the second parameter, which is where
    /// the second chain starts, or all bones. Never more than there are bones.
    pub fn animated_count(&self) -> usize {
        self.parameters
            .get(1)
            .map_or(self.bones.len(), |&count| self.bones.len().min(count as usize))
    }

    /// The indices of the bones without a usable parent ([`Skeleton::parents`]), ascending.
    pub fn root_bones(&self) -> impl Iterator<Item = usize> {
        self.parents()
            .into_iter()
            .enumerate()
            .filter_map(|(index, parent)| parent.is_none().then_some(index))
    }

    /// Each bone's parent, made safe to follow: a parent that does not exist becomes none, and of
    /// a cycle the bone that closes it, in bone order, becomes a root. Parents -1, 2, 1, 7 give
    /// -1, 2, -1, -1 (`spec/mhp-formats.md` §4.2).
    pub fn parents(&self) -> Vec<Option<usize>> {
        // A forest under construction: `up` leads towards the root of the chain so far, and is
        // shortened on the way, so that a chain of all bones costs no quadratic time.
        let mut up: Vec<usize> = (0..self.bones.len()).collect();
        let mut parents = vec![None; self.bones.len()];
        for (index, bone) in self.bones.iter().enumerate() {
            let Some(parent) = bone.parent.map(usize::from) else {
                continue;
            };
            if parent >= up.len() {
                continue;
            }
            let mut root = parent;
            while up[root] != root {
                up[root] = up[up[root]];
                root = up[root];
            }
            // `index` has no parent yet, so it is the root of its own chain: the new link closes
            // a cycle exactly if the parent hangs below it.
            if root != index {
                up[index] = root;
                parents[index] = Some(parent);
            }
        }
        parents
    }

    /// Each bone's bind position in model units: the sum of the positions up its chain.
    ///
    /// That is the bind pose where bind rotations are 0 and scales 1, as on all monsters
    /// (`spec/mhp-formats.md` §4.3).
    pub fn bind_positions(&self) -> Vec<[f32; 3]> {
        let parents = self.parents();
        let mut placed: Vec<Option<[f32; 3]>> = vec![None; self.bones.len()];
        let mut chain = Vec::new();
        for index in 0..self.bones.len() {
            let mut next = Some(index);
            while let Some(bone) = next.filter(|&bone| placed[bone].is_none()) {
                chain.push(bone);
                next = parents[bone];
            }
            let mut at = next.and_then(|bone| placed[bone]);
            while let Some(bone) = chain.pop() {
                let [x, y, z] = self.bones[bone].position;
                // A root takes its position as it is: adding 0 would turn -0 into 0.
                at = Some(at.map_or([x, y, z], |[px, py, pz]| [px + x, py + y, pz + z]));
                placed[bone] = at;
            }
        }
        placed.into_iter().flatten().collect()
    }
}
