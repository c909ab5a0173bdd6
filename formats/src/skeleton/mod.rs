//! Skeletons: bone trees and bind poses.
//!
//! A skeleton file is a header, a short list of parameters, one section per bone and a tail. The
//! two games differ in the size of a bone's section ([`BoneEncoding`]) and in the magic, and the
//! two do not always go together (`spec/mhp-formats.md` §4.1), so both are kept.
//!
//! ```
//! use formats::skeleton::{Bone, BoneEncoding, Skeleton};
//!
//! let skeleton = Skeleton::new(
//!     BoneEncoding::Mhfu,
//!     vec![
//!         Bone::new(None, [0.0, 100.0, 0.0]),
//!         Bone::new(Some(0), [0.0, 0.0, 50.0]),
//!         Bone::new(Some(0), [10.0, -20.0, 0.0]).in_part(1),
//!     ],
//! );
//! assert_eq!(skeleton.bones[0].child, Some(1));
//! assert_eq!(skeleton.bones[1].sibling, Some(2));
//! assert_eq!(skeleton.bind_positions()[2], [10.0, 80.0, 0.0]);
//! assert_eq!(Skeleton::parse(&skeleton.write())?, skeleton);
//! # Ok::<(), formats::FormatError>(())
//! ```

mod file;
#[cfg(test)]
mod tests;
mod tree;

use std::fmt;

pub(crate) use file::looks_like_skeleton;

/// A bone tree with its bind pose.
///
/// Two values are equal when they write the same bytes, except that a float which is not a number
/// equals nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct Skeleton {
    /// The file's first word.
    pub magic: Magic,
    /// The parameter values: the index of the first bone of each separate chain (`[0, 45]` on a
    /// rig of 45 animated bones with a severable tail). One to three values in shipped files.
    /// Source: `spec/mhp-formats.md` §0 C7; that they are root indices is a reading of two
    /// importers and of the shipped values, not of the engine.
    pub parameters: Vec<u32>,
    /// The count that the file states for [`parameters`](Self::parameters). On some MHP3rd files
    /// it disagrees with the values present (§4.1), so it is kept as read and never used.
    pub stated_parameter_count: u32,
    /// The bones. Parents come before their children in shipped files, which is not checked here.
    pub bones: Vec<Bone>,
    /// Bytes after the last bone.
    pub tail: Vec<u8>,
}

/// The first word of a skeleton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Magic {
    /// 0xC0000000, the magic of MHFU. A file with it and with MHP3rd's bone sections exists
    /// (`spec/mhp-formats.md` §4.1).
    Mhfu,
    /// 0x80000000, the magic of MHP3rd.
    Mhp3rd,
}

impl Magic {
    /// The word as stored.
    pub const fn word(self) -> u32 {
        match self {
            Self::Mhfu => 0xC000_0000,
            Self::Mhp3rd => 0x8000_0000,
        }
    }

    /// The magic that `word` is, if it is one.
    pub const fn from_word(word: u32) -> Option<Self> {
        match word {
            0xC000_0000 => Some(Self::Mhfu),
            0x8000_0000 => Some(Self::Mhp3rd),
            _ => None,
        }
    }
}

/// One bone: its place in the tree and its bind transform relative to its parent.
#[derive(Debug, Clone, PartialEq)]
pub struct Bone {
    /// 1, 2 or 3 in shipped files. Only kind 2 uses [`link`](Self::link); nothing more is known.
    pub kind: u16,
    /// Index of the parent, `None` for the root of a chain.
    pub parent: Option<u16>,
    /// Index of the first child.
    pub child: Option<u16>,
    /// Index of the next child of the same parent. Roots are not siblings of each other.
    pub sibling: Option<u16>,
    /// Bind scale per axis, a factor; 1 on monsters.
    pub scale: [f32; 3],
    /// Bind rotation about X, Y and Z in radians; 0 on monsters.
    pub rotation: [f32; 3],
    /// Bind position relative to the parent, in model units.
    pub position: [f32; 3],
    /// The fourth components of scale, rotation and position, in this order: 1 in shipped files,
    /// and without any known effect.
    pub w: [f32; 3],
    /// On bones of kind 2 the index of an earlier bone, else -1. Its use is not known.
    pub link: i32,
    /// The part of the rig whose clips drive the bone in MHFU; 0 in MHP3rd. Part `k` plays the
    /// animation streams `2k` and `2k + 1`.
    pub stream: u32,
    /// The rest of the section, which also tells its encoding.
    pub rest: BoneRest,
}

/// How the sections of bones are stored. It decides the game, not the magic does
/// (`spec/mhp-formats.md` §4.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BoneEncoding {
    /// Sections of 0x10C bytes, the last 0xB8 zero.
    Mhfu,
    /// Sections of 0x5C bytes with a name in the last 8.
    Mhp3rd,
}

impl BoneEncoding {
    /// Bytes of one bone's section.
    pub const fn section_size(self) -> u32 {
        match self {
            Self::Mhfu => 0x10C,
            Self::Mhp3rd => 0x5C,
        }
    }
}

/// What a bone's section holds after the fields that both games share.
#[derive(Clone, PartialEq, Eq)]
pub enum BoneRest {
    /// MHFU: 0xB8 bytes, zero in shipped files and kept as read.
    Mhfu([u8; 0xB8]),
    /// MHP3rd: the name, a C string with leftovers behind its terminator ([`Bone::name`]).
    Mhp3rd([u8; 8]),
}

impl BoneRest {
    /// The rest of a section that has nothing to say.
    pub const fn empty(encoding: BoneEncoding) -> Self {
        match encoding {
            BoneEncoding::Mhfu => Self::Mhfu([0; 0xB8]),
            BoneEncoding::Mhp3rd => Self::Mhp3rd([0; 8]),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            Self::Mhfu(bytes) => bytes,
            Self::Mhp3rd(bytes) => bytes,
        }
    }
}

impl fmt::Debug for BoneRest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mhfu(bytes) if bytes.iter().all(|&byte| byte == 0) => formatter.write_str("Mhfu(zeros)"),
            Self::Mhfu(bytes) => write!(formatter, "Mhfu({bytes:02x?})"),
            Self::Mhp3rd(name) => write!(formatter, "Mhp3rd(\"{}\")", name.escape_ascii()),
        }
    }
}

impl Bone {
    /// A bone of kind 1 at `position` relative to `parent`, without scale or rotation, in part 0.
    ///
    /// [`Skeleton::new`] gives it its section's encoding and links it to its children.
    pub fn new(parent: Option<u16>, position: [f32; 3]) -> Self {
        Self {
            kind: 1,
            parent,
            child: None,
            sibling: None,
            scale: [1.0; 3],
            rotation: [0.0; 3],
            position,
            w: [1.0; 3],
            link: -1,
            stream: 0,
            rest: BoneRest::empty(BoneEncoding::Mhfu),
        }
    }

    /// The same bone, driven by the clips of part `part` ([`Bone::stream`]).
    pub fn in_part(self, part: u32) -> Self {
        Self { stream: part, ..self }
    }

    /// The same bone in MHP3rd's encoding with a name, cut at 8 bytes.
    pub fn named(self, name: &str) -> Self {
        let mut bytes = [0; 8];
        for (to, from) in bytes.iter_mut().zip(name.bytes()) {
            *to = from;
        }
        Self {
            rest: BoneRest::Mhp3rd(bytes),
            ..self
        }
    }

    /// How the bone's section is stored.
    pub const fn encoding(&self) -> BoneEncoding {
        match self.rest {
            BoneRest::Mhfu(_) => BoneEncoding::Mhfu,
            BoneRest::Mhp3rd(_) => BoneEncoding::Mhp3rd,
        }
    }

    /// The bone's name up to its terminator, if its encoding has names. Leftovers behind the
    /// terminator are in [`Bone::rest`].
    pub fn name(&self) -> Option<&[u8]> {
        match &self.rest {
            BoneRest::Mhfu(_) => None,
            BoneRest::Mhp3rd(name) => name.split(|&byte| byte == 0).next(),
        }
    }
}
