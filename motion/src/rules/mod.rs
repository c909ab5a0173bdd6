//! What the engine needs of a skeleton, an animation pack and a model, checked.
//!
//! The rules from [`Code::ParentOrder`] to [`Code::Template`] are those of
//! spec/mhp-formats.md §5.11: shipped big monsters break none of them, so a finding on one of those
//! files is a reader's fault. The codes after them are further checks, which shipped files may fail;
//! they have not been run over the games.
//!
//! ```
//! use formats::skeleton::{Bone, BoneEncoding, Skeleton};
//! use motion::rules::{Level, check_skeleton};
//!
//! let skeleton = Skeleton::new(
//!     BoneEncoding::Mhfu,
//!     vec![Bone::new(Some(1), [0.0; 3]), Bone::new(None, [0.0; 3])],
//! );
//! let findings = check_skeleton(&skeleton);
//! assert_eq!(findings[0].level(), Level::Error);
//! assert_eq!(
//!     findings[0].to_string(),
//!     "error PARENT_ORDER: bones 0 (fix: reorder the bones so that parents come first)"
//! );
//! ```

mod model;
mod pack;
mod skeleton;

use std::fmt;

pub use self::model::{ImageCount, check_model};
pub use self::pack::check_pack;
pub use self::skeleton::{check_skeleton, check_template};

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Worth a look; shipped files have it too.
    Note,
    /// The game gets along with it, or it is not certain that it does not.
    Warning,
    /// The game crashes, hangs or shows something else.
    Error,
}

impl fmt::Display for Level {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A rule that was broken, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The rule.
    pub code: Code,
    /// What breaks it: the first eight culprits, then how many more.
    pub message: String,
}

impl Finding {
    /// How bad it is.
    pub const fn level(&self) -> Level {
        self.code.rule().level
    }

    /// How to mend it.
    pub const fn mend(&self) -> &'static str {
        self.code.rule().mend
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = self.code.rule();
        write!(
            formatter,
            "{} {}: {} (fix: {})",
            rule.level, rule.name, self.message, rule.mend
        )
    }
}

struct Rule {
    name: &'static str,
    level: Level,
    mend: &'static str,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident $name:literal $level:ident $mend:literal;)*) => {
        /// The rules.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code { $($(#[$doc])* $code,)* }

        impl Code {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            const fn rule(self) -> Rule {
                match self {
                    $(Self::$code => Rule { name: $name, level: Level::$level, mend: $mend },)*
                }
            }
        }
    };
}

codes! {
    /// Every parent comes before its children.
    ParentOrder "PARENT_ORDER" Error "reorder the bones so that parents come first";
    /// The second parameter, or the bone count without one, is above 0 and at most the bone count.
    AnimatedCount "ANIMATED_COUNT" Error "set the second parameter to the number of animated bones";
    /// Each part is one contiguous run of the animated bones.
    StreamRuns "STREAM_RUNS" Error "reorder the bones so that each part is one run";
    /// Each part after the first hangs off exactly one joint and holds no parent of an earlier bone.
    StreamSubtree "STREAM_SUBTREE" Error "make each later part one subtree";
    /// Each stream's clips have a track for each joint of their part, and each part has clips.
    Partition "PARTITION" Error "give each clip one track for each joint of its part";
    /// No clip is without tracks.
    NoTracks "NO_TRACKS" Error "empty the slot, or give the clip its tracks";
    /// No channel has one of the bits on which Freedom Unite's engine crashes.
    ScaleChannel "SCALE_CHANNEL" Error "remove the scale channels";
    /// No bit is in a track twice.
    DuplicateChannel "DUPLICATE_CHANNEL" Error "keep one channel for each component";
    /// No key lies before frame 0.
    NegativeFrame "NEGATIVE_FRAME" Error "move the keys to frame 0 or later";
    /// Keys ascend by frame.
    FrameOrder "FRAME_ORDER" Warning "sort the keys by frame";
    /// No channel is without keys.
    EmptyChannel "EMPTY_CHANNEL" Warning "remove the channel, or give it a key";
    /// Every bone that a palette names exists.
    PaletteJoint "PALETTE_JOINT" Error "name bones that the skeleton has";
    /// Every group has a vertex.
    EmptyGroup "EMPTY_GROUP" Warning "remove the group, or give it vertices";
    /// Bones and parents are those of the species that the model replaces.
    Template "TEMPLATE" Error "keep the species' bones and parents";

    /// All clips of a Portable 3rd set have the same number of records.
    RecordCount "RECORD_COUNT" Warning "give the clips of a set the same records";
    /// Every entry fills all parts.
    ClipCount "CLIP_COUNT" Note "fill the entry in every part, unless the executor drives one alone";
    /// A palette loads slots 0 to 7 alone.
    PaletteSlot "PALETTE_SLOT" Error "split the group: the GE blends at most eight bones";
    /// A weight above 0 names a slot that has been loaded.
    UnloadedSlot "UNLOADED_SLOT" Error "load the bone before the group that needs it";
    /// Palettes give each drawn group the same bones whether hidden groups count or not.
    PaletteGap "PALETTE_GAP" Warning "load the group's bones again after a group of a hidden material";
    /// A vertex's weights add up to 1.
    SkinWeights "SKIN_WEIGHTS" Warning "make the weights add up to 128 (or 32768, or 1.0)";
    /// Vertices of a model with a skeleton have weights.
    RigidVertices "RIGID_VERTICES" Warning "give the vertices a weight, at least one of 1.0";
    /// A model whose skeleton has a second chain has a mesh 1, the tip of the tail.
    TailMesh "TAIL_MESH" Error "put the tip of the tail into mesh 1: the cut draws it";
    /// Materials name images of the texture bank.
    TextureIndex "TEXTURE_INDEX" Error "name an image of the bank, or none";
    /// Groups and remap entries name materials.
    RemapMaterial "REMAP_MATERIAL" Error "name a material of the model";
    /// Texture coordinates lie in 0 to 2, which fixed-point ones can hold.
    UvRange "UV_RANGE" Warning "wrap the texture coordinates into 0 to 2";
}

impl Code {
    /// The name that reports use: `PARENT_ORDER`.
    pub const fn name(self) -> &'static str {
        self.rule().name
    }
}

/// Collects findings.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, code: Code, message: String) {
        self.0.push(Finding { code, message });
    }

    /// Adds one finding for all culprits, if there are any: `bones 3 5 (+2)`.
    fn list<T: fmt::Display>(&mut self, code: Code, what: &str, culprits: impl IntoIterator<Item = T>) {
        if let Some(list) = listed(culprits, " ") {
            let gap = if what.is_empty() { "" } else { " " };
            self.add(code, format!("{what}{gap}{list}"));
        }
    }
}

/// The first eight of a list, then how many more; `None` for an empty list.
fn listed<T: fmt::Display>(items: impl IntoIterator<Item = T>, between: &str) -> Option<String> {
    const SHOWN: usize = 8;
    let mut items = items.into_iter();
    let shown: Vec<String> = items.by_ref().take(SHOWN).map(|item| item.to_string()).collect();
    if shown.is_empty() {
        return None;
    }
    let list = shown.join(between);
    Some(match items.count() {
        0 => list,
        more => format!("{list} (+{more})"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_stop_after_eight() {
        assert_eq!(listed(0..0, " "), None);
        assert_eq!(listed(0..8, " ").as_deref(), Some("0 1 2 3 4 5 6 7"));
        assert_eq!(listed(0..11, " ").as_deref(), Some("0 1 2 3 4 5 6 7 (+3)"));
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Code::ALL.len());
    }
}
