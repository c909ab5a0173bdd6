//! Motions from one format into another, and clips into the slots of packs.
//!
//! What is resampled, and how closely, is [`motion::convert`]'s; here a motion is found in a file, its
//! tracks are given to the joints that a pack's slots drive, and the pack is written anew.
mod place;
mod source;

use formats::animation::{AnimationPack, Clip, Encoding};
use formats::mot::Form;
use motion::convert::{Bound, ConvertError, Converted, Errors, clip_of, mot_of};
use motion::library::Motion;
use motion::mot::BoneMap;
use motion::rig::Rig;
use motion::rig::entry::{Entry, StreamSlot};
use motion::rig::records::MonsterId;

pub use place::{Change, replace};
pub use source::{Choice, PackFile, Source};

use crate::error::HarnessError;

/// What converting needs to know besides the motion.
#[derive(Debug)]
pub struct Converter<'a> {
    /// The skeleton that the motion moves, if it is known.
    pub rig: Option<&'a Rig>,
    /// Whose record map a Portable 3rd pack has.
    pub monster: Option<MonsterId>,
    /// Which joint each bone of a MOT moves.
    pub map: &'a BoneMap,
    /// How far curves may be off.
    pub bound: Bound,
}

/// A pack with a motion in it.
#[derive(Debug, Clone)]
pub struct Placed {
    /// The pack.
    pub pack: AnimationPack,
    /// How far its new clips lie from the motion.
    pub errors: Errors,
    /// Keys of the new clips.
    pub keys: usize,
    /// What else the user should know.
    pub notes: Vec<String>,
}

impl Converter<'_> {
    /// A MOT of a motion.
    ///
    /// # Errors
    ///
    /// What a MOT cannot hold.
    pub fn mot(
        &self,
        name: &str,
        motion: &Motion,
        form: Form,
    ) -> Result<Converted<formats::mot::Mot>, HarnessError> {
        mot_of(motion, self.rig, self.map, form, self.bound).map_err(|error| refused(name, &error))
    }

    /// A pack of a motion alone. With a skeleton, a Freedom Unite pack has two streams for each part, and the motion
    /// is entry 0; else it is slot 0 of stream 0, and its tracks drive the bones in order.
    ///
    /// # Errors
    ///
    /// What a clip cannot hold.
    pub fn pack(&self, name: &str, motion: &Motion, encoding: Encoding) -> Result<Placed, HarnessError> {
        if let (Some(rig), Encoding::Mhfu) = (self.rig, encoding) {
            let parts = rig
                .parts()
                .iter()
                .map(|part| part.id as usize + 1)
                .max()
                .unwrap_or(1)
                .min(127);
            let streams = (0..2 * parts)
                .map(|stream| vec![None; if stream % 2 == 0 { 1 } else { 0 }])
                .collect();
            let empty =
                AnimationPack::new(encoding, streams, Vec::new()).map_err(|error| unwritable(name, error))?;
            return self.into_entry(name, motion, &empty, Entry(0));
        }
        let joints: Vec<usize> = (0..motion.joint_count()).collect();
        let clip = self.clip(name, motion, &joints, encoding)?;
        let streams = vec![vec![Some(clip.value)]];
        let pack = AnimationPack::from_streams(encoding, streams).map_err(|error| unwritable(name, error))?;
        let notes = match encoding {
            Encoding::Mhfu => vec![
                "without a skeleton the tracks drive the bones in order: name one with --skeleton".into(),
            ],
            Encoding::Mhp3rd => vec!["the records drive the bones in order, from bone 0 on".into()],
        };
        Ok(Placed {
            pack,
            errors: clip.errors,
            keys: clip.keys,
            notes,
        })
    }

    /// A pack with a motion in one of its slots.
    ///
    /// # Errors
    ///
    /// A slot that the pack does not have; joints that are not known without a skeleton; what a clip
    /// cannot hold.
    pub fn into_slot(
        &self,
        name: &str,
        motion: &Motion,
        pack: &AnimationPack,
        slot: StreamSlot,
    ) -> Result<Placed, HarnessError> {
        let encoding = pack.encoding().unwrap_or(Encoding::Mhfu);
        let joints =
            place::joints_of(pack, slot, self.rig, self.monster).map_err(|reason| reason.refused(name))?;
        let mut clip = self.clip(name, motion, &joints.joints, encoding)?;
        clip.value
            .tracks
            .resize(joints.tracks, formats::animation::Track::default());
        let pack = replace(
            pack,
            &[Change {
                slot,
                clip: Some(clip.value),
            }],
        )
        .map_err(|error| unwritable(name, error))?;
        Ok(Placed {
            pack,
            errors: clip.errors,
            keys: clip.keys,
            notes: joints.notes,
        })
    }

    /// A pack with a motion in an entry: each part's tracks where that entry's parts read them. Slots of
    /// parts that the motion does not move become empty.
    ///
    /// # Errors
    ///
    /// As [`into_slot`](Self::into_slot), a Portable 3rd pack, and an entry past the table.
    pub fn into_entry(
        &self,
        name: &str,
        motion: &Motion,
        pack: &AnimationPack,
        entry: Entry,
    ) -> Result<Placed, HarnessError> {
        let slots = place::entry_slots(pack, entry, self.rig).map_err(|reason| reason.refused(name))?;
        let (mut changes, mut notes) = (Vec::new(), Vec::new());
        let (mut errors, mut keys) = (Errors::default(), 0);
        for (part, slot) in slots {
            let moves = |joint: &usize| motion.drive(*joint).is_some_and(|drive| !drive.track.is_empty());
            if !part.joints.iter().any(moves) {
                notes.push(format!("part {} is not moved: {slot} is empty now", part.id));
                changes.push(Change { slot, clip: None });
                continue;
            }
            let clip = self.clip(name, motion, &part.joints, Encoding::Mhfu)?;
            errors = errors.max(clip.errors);
            keys += clip.keys;
            changes.push(Change {
                slot,
                clip: Some(clip.value),
            });
        }
        let pack = replace(pack, &changes).map_err(|error| unwritable(name, error))?;
        Ok(Placed {
            pack,
            errors,
            keys,
            notes,
        })
    }

    fn clip(
        &self,
        name: &str,
        motion: &Motion,
        joints: &[usize],
        encoding: Encoding,
    ) -> Result<Converted<Clip>, HarnessError> {
        clip_of(motion, joints, self.rig, encoding, self.bound).map_err(|error| refused(name, &error))
    }
}

/// What a conversion was refused for, and what helps.
fn refused(name: &str, error: &ConvertError) -> HarnessError {
    let hint = match error {
        ConvertError::Bound { reached, .. } => format!("allow more with --error {}", (reached * 1.01).ceil()),
        ConvertError::Range { .. } => "move or turn less, or scale the motion down where it was made".into(),
        ConvertError::TooLong { .. } => "cut the motion into shorter ones".into(),
        ConvertError::Lengths { .. } => "convert its parts one by one with --from STREAM/SLOT".into(),
        ConvertError::LoopStart { .. } => "convert it from a clip that loops as a whole".into(),
        ConvertError::Order { .. } => "leave --rotation-order out, or turn about one axis at a time".into(),
        ConvertError::NoBone { .. } => {
            "name the bone in the file of --bone-map, with a number up to 126".into()
        }
        _ => "split the motion: a MOT holds 254 curves".into(),
    };
    HarnessError::refused(name, error, hint)
}

/// What a pack was refused for.
fn unwritable(name: &str, error: formats::animation::InvalidPack) -> HarnessError {
    HarnessError::refused(name, error, "allow a larger --error, which needs fewer keys")
}
