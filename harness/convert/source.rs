//! Motions in files: a MOT, a pack of clips, a model's PAC.
use formats::animation::{AnimationPack, Encoding};
use formats::detect::{Kind, ModelRoles, detect};
use formats::pac::Pac;
use formats::skeleton::Skeleton;
use motion::clip::Clip;
use motion::library::{Library, Motion, Selection};
use motion::mot::BoneMap;
use motion::rig::Rig;
use motion::rig::entry::{ClipNumber, Entry, StreamSlot};
use motion::rig::records::MonsterId;

use crate::error::HarnessError;
use crate::files::Input;
use crate::model::MotFile;

/// Which motion of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The only one.
    Only,
    /// The clip in a slot.
    Slot(StreamSlot),
    /// All parts of an entry.
    Entry(Entry),
}

/// A pack, on its own or in a model's PAC.
#[derive(Debug, Clone)]
pub struct PackFile {
    /// What messages call it.
    pub name: String,
    /// The pack.
    pub pack: AnimationPack,
    /// The skeleton beside it in the PAC.
    pub skeleton: Option<Skeleton>,
    /// The PAC, and which of its members the pack is.
    container: Option<(Pac, usize)>,
}

impl PackFile {
    /// Reads a pack, or the PAC of a model that has one.
    ///
    /// # Errors
    ///
    /// Another kind of file, a PAC without a pack, a damaged file.
    pub fn read(input: &Input) -> Result<Self, HarnessError> {
        let of_file = |source| input.format_error(source);
        let name = input.name.clone();
        match detect(&input.bytes) {
            Kind::AnimationPack => {
                let pack = AnimationPack::parse(&input.bytes).map_err(of_file)?;
                Ok(Self {
                    name,
                    pack,
                    skeleton: None,
                    container: None,
                })
            }
            Kind::Pac => {
                let pac = Pac::parse(&input.bytes).map_err(of_file)?;
                let roles = ModelRoles::of(&pac);
                let Some((index, bytes)) = roles.animation.and_then(|index| Some((index, pac.entry(index)?)))
                else {
                    return Err(HarnessError::refused(
                        name,
                        "is a PAC without an animation pack",
                        "ge-harness inspect shows what it holds",
                    ));
                };
                let member = |index: usize| {
                    let name = format!("{}#{index}", input.name);
                    move |source| HarnessError::Format { file: name, source }
                };
                let pack = AnimationPack::parse(bytes).map_err(member(index))?;
                let skeleton = roles.skeleton.and_then(|index| Some((index, pac.entry(index)?)));
                let skeleton = skeleton
                    .map(|(index, bytes)| Skeleton::parse(bytes).map_err(member(index)))
                    .transpose()?;
                Ok(Self {
                    name,
                    pack,
                    skeleton,
                    container: Some((pac, index)),
                })
            }
            _ => Err(HarnessError::wrong_kind(
                &input.name,
                &input.bytes,
                "an animation pack, or a model's PAC",
            )),
        }
    }

    /// The file with another pack in it.
    ///
    /// # Errors
    ///
    /// A pack that the PAC has no room for.
    pub fn with(&self, pack: &AnimationPack) -> Result<Vec<u8>, HarnessError> {
        let bytes = pack.write();
        let Some((pac, index)) = &self.container else {
            return Ok(bytes);
        };
        let mut pac = pac.clone();
        pac.replace(*index, bytes).map_err(|error| {
            HarnessError::refused(
                &self.name,
                error,
                "unpack it, and give --into its animation pack alone",
            )
        })?;
        Ok(pac.write())
    }

    /// The slot to take where none is named: the only filled one.
    fn only(&self) -> Result<StreamSlot, HarnessError> {
        let slots = self
            .pack
            .streams()
            .iter()
            .enumerate()
            .flat_map(|(stream, slots)| {
                let filled = slots.iter().enumerate().filter(|(_, clip)| clip.is_some());
                filled.map(move |(slot, _)| StreamSlot { stream, slot })
            });
        match slots.take(2).collect::<Vec<_>>()[..] {
            [only] => Ok(only),
            [] => Err(HarnessError::refused(
                &self.name,
                "holds no clip",
                "take a pack with clips",
            )),
            _ => Err(HarnessError::refused(
                &self.name,
                "holds several clips",
                "say which with --from STREAM/SLOT or --from-entry N; ge-harness entries lists them",
            )),
        }
    }

    fn motion(
        &self,
        choice: Choice,
        rig: Option<&Rig>,
        monster: Option<MonsterId>,
    ) -> Result<Motion, HarnessError> {
        let is_portable = self.pack.encoding() == Some(Encoding::Mhp3rd);
        let selection = match choice {
            Choice::Only => Selection::Slot(self.only()?),
            Choice::Slot(slot) => Selection::Slot(slot),
            Choice::Entry(entry) => Selection::Entry(entry),
        };
        let Some(rig) = rig else {
            let Selection::Slot(slot) = selection else {
                return Err(HarnessError::refused(
                    &self.name,
                    "has entries only on a skeleton, and there is none",
                    "name the model's skeleton with --skeleton, or give its PAC",
                ));
            };
            let clip = self
                .pack
                .clip(slot.stream, slot.slot)
                .ok_or_else(|| self.empty(&slot.to_string()))?;
            let encoding = self.pack.encoding().unwrap_or(Encoding::Mhfu);
            return Ok(Motion::of_clip(&Clip::new(clip, encoding)));
        };
        if let (Selection::Entry(entry), true) = (selection, is_portable) {
            return Err(HarnessError::refused(
                &self.name,
                format_args!("is a Portable 3rd pack, whose clips have no {entry}"),
                "say which clip with --from STREAM/SLOT",
            ));
        }
        let selection = match selection {
            Selection::Slot(slot) if is_portable => ClipNumber::of(slot).map_or(selection, Selection::Clip),
            selection => selection,
        };
        let motion = Library::new(rig, &self.pack, monster).motion(rig, selection);
        motion.ok_or_else(|| {
            self.empty(&match selection {
                Selection::Entry(entry) => entry.to_string(),
                Selection::Clip(clip) => clip.to_string(),
                Selection::Slot(slot) => slot.to_string(),
            })
        })
    }

    fn empty(&self, what: &str) -> HarnessError {
        let hint = format!("ge-harness entries {} lists those that are filled", self.name);
        HarnessError::refused(&self.name, format_args!("{what} is empty"), hint)
    }
}

/// A file with motions.
#[derive(Debug, Clone)]
pub enum Source {
    /// One motion.
    Mot(MotFile),
    /// Clips.
    Pack(Box<PackFile>),
}

impl Source {
    /// What messages call it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Mot(file) => &file.name,
            Self::Pack(file) => &file.name,
        }
    }

    /// The skeleton that the file holds too.
    #[must_use]
    pub fn skeleton(&self) -> Option<&Skeleton> {
        match self {
            Self::Mot(_) => None,
            Self::Pack(file) => file.skeleton.as_ref(),
        }
    }

    /// The motion, on a skeleton if there is one.
    ///
    /// # Errors
    ///
    /// A choice that names no motion, or that needs a skeleton.
    pub fn motion(
        &self,
        choice: Choice,
        rig: Option<&Rig>,
        map: &BoneMap,
        monster: Option<MonsterId>,
    ) -> Result<Motion, HarnessError> {
        match (self, choice) {
            (Self::Mot(file), Choice::Only) => {
                Ok(rig.map_or_else(|| file.clip.unrigged(map), |rig| file.clip.motion(rig, map)))
            }
            (Self::Mot(file), _) => Err(HarnessError::refused(
                &file.name,
                "is one motion, of which there is nothing to choose",
                "leave --from and --from-entry out",
            )),
            (Self::Pack(file), choice) => file.motion(choice, rig, monster),
        }
    }
}
