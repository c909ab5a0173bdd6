//! A MOT file as an input: its motion, and what its reading had to note.

use formats::detect::{Kind, detect};
use formats::mot::later::LaterMot;
use formats::mot::{Mot, SemiPrecisionBase, Variant};
use motion::library::Motion;
use motion::mot::{BoneMap, MotClip};
use motion::rotation::RotationOrder;

use super::Model;
use crate::error::HarnessError;
use crate::files::Input;

/// A motion with the name of its file.
#[derive(Debug, Clone)]
pub struct MotFile {
    /// What messages call it.
    pub name: String,
    /// The motion.
    pub clip: MotClip,
    /// What is unusual about the file.
    pub warnings: Vec<String>,
}

impl MotFile {
    /// Reads a MOT of any game. `base` settles what the numbers of 16-bit curves mean, if the file leaves
    /// that open; `order` is the order of its angles.
    ///
    /// # Errors
    ///
    /// Another kind of file, or a damaged one.
    pub fn read(
        input: &Input,
        base: Option<SemiPrecisionBase>,
        order: RotationOrder,
    ) -> Result<Self, HarnessError> {
        if detect(&input.bytes) != Kind::Mot {
            return Err(HarnessError::wrong_kind(
                &input.name,
                &input.bytes,
                "a motion (MOT)",
            ));
        }
        let of_file = |source| input.format_error(source);
        let (clip, warnings) = match Variant::of(&input.bytes) {
            Some(Variant::First(_) | Variant::Second(_)) => {
                let mot = LaterMot::parse(&input.bytes).map_err(of_file)?;
                let warning =
                    "bones have numbers of the whole game: without --bone-map they are taken as the model's";
                (MotClip::of_later(&mot), vec![warning.to_owned()])
            }
            _ => {
                let mot = match base {
                    Some(base) => Mot::parse_with_base(&input.bytes, base),
                    None => Mot::parse(&input.bytes),
                };
                let mot = mot.map_err(of_file)?;
                (
                    MotClip::new(&mot),
                    mot.warnings().iter().map(ToString::to_string).collect(),
                )
            }
        };
        let clip = clip.map_err(|error| {
            HarnessError::refused(
                &input.name,
                error,
                "export the motion again: a curve of it cannot be played",
            )
        })?;
        Ok(Self {
            name: input.name.clone(),
            clip: clip.in_order(order),
            warnings,
        })
    }

    /// The motion on a model's skeleton.
    ///
    /// # Errors
    ///
    /// A model without a skeleton; a motion that moves none of its bones.
    pub fn motion(&self, model: &Model, map: &BoneMap) -> Result<Motion, HarnessError> {
        let Some(rig) = model.rig() else {
            return Err(HarnessError::refused(
                &model.name,
                "has no skeleton, so no motion can drive it",
                "leave --mot out, or name a skeleton with --skeleton",
            ));
        };
        let motion = self.clip.motion(rig, map);
        if motion.driven_count() == 0 {
            return Err(HarnessError::refused(
                &self.name,
                format_args!("moves no bone of {}", model.name),
                "ge-harness inspect shows its bones; --bone-map FILE gives them to the model's",
            ));
        }
        Ok(motion)
    }
}
