//! Putting a model together from what a user names.

use std::path::Path;

use formats::FormatError;
use formats::animation::AnimationPack;
use formats::detect::{Kind, ModelRoles, StageRoles, detect};
use formats::pac::Pac;
use formats::pmo::{PaletteWalk, Pmo};
use formats::skeleton::Skeleton;
use formats::stage;
use formats::tmh::Tmh;
use motion::library::Library;
use motion::rig::Rig;
use motion::rig::records::MonsterId;

use super::companions::{Companions, Neighbours, Wanted};
use super::{Clips, Model, Note, PosedBy};
use crate::error::HarnessError;
use crate::files::{self, Input};

/// How deep PACs are searched for a model.
const DEEPEST: usize = 4;

impl Model {
    /// Opens a model: a model's or stage's PAC, or a bare PMO whose companions lie beside it.
    ///
    /// What a model can be drawn without is only noted when missing: textures, skeleton, clips.
    /// `monster` says whose record map a Portable 3rd pack has.
    ///
    /// # Errors
    ///
    /// A file that cannot be read, that is not a model, or that is damaged; a Portable 3rd model
    /// without its geometry.
    pub fn open(
        path: &Path,
        companions: &Companions,
        monster: Option<MonsterId>,
    ) -> Result<Self, HarnessError> {
        let input = Input::open(path)?;
        let source = Source {
            neighbours: Neighbours::of(&input.path),
            companions,
            monster,
        };
        source
            .model(&input.name, &input.bytes, DEEPEST)?
            .ok_or_else(|| match detect(&input.bytes) {
                Kind::Pac => HarnessError::refused(
                    &input.name,
                    "is a container (PAC) that holds no model",
                    format_args!("ge-harness inspect {} shows what it holds", input.name),
                ),
                _ => HarnessError::wrong_kind(&input.name, &input.bytes, "a model or a container with one"),
            })
    }
}

/// Where a model's parts come from.
struct Source<'a> {
    neighbours: Neighbours,
    companions: &'a Companions,
    monster: Option<MonsterId>,
}

/// Bytes and what messages call them.
struct Named<'a> {
    name: String,
    bytes: &'a [u8],
}

/// A parser's error about a file.
fn of_file(name: &str) -> impl Fn(FormatError) -> HarnessError {
    move |source| HarnessError::Format {
        file: name.to_owned(),
        source,
    }
}

impl Source<'_> {
    /// The model in some bytes; `None` where there is none.
    fn model(&self, name: &str, bytes: &[u8], depth: usize) -> Result<Option<Model>, HarnessError> {
        match detect(bytes) {
            Kind::Pmo => self.bare(name, bytes).map(Some),
            Kind::StagePac => self
                .stage(name, &Pac::parse(bytes).map_err(of_file(name))?)
                .map(Some),
            Kind::Pac if depth > 0 => {
                let pac = Pac::parse(bytes).map_err(of_file(name))?;
                if ModelRoles::of(&pac).pmo.is_some() {
                    return self.packed(name, &pac).map(Some);
                }
                for (index, entry) in pac.entries().iter().enumerate() {
                    if let Some(model) = self.model(&format!("{name}#{index}"), entry, depth - 1)? {
                        return Ok(Some(model));
                    }
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    fn bare(&self, name: &str, bytes: &[u8]) -> Result<Model, HarnessError> {
        let mut notes = Vec::new();
        let pmo = self.pmo(
            Named {
                name: name.to_owned(),
                bytes,
            },
            &mut notes,
        )?;
        self.assemble(name, pmo, [None, None, None], notes)
    }

    fn packed(&self, name: &str, pac: &Pac) -> Result<Model, HarnessError> {
        let roles = ModelRoles::of(pac);
        let entry = |index: Option<usize>| {
            let index = index?;
            Some(Named {
                name: format!("{name}#{index}"),
                bytes: pac.entry(index)?,
            })
        };
        let mut notes = Vec::new();
        let Some(pmo) = entry(roles.pmo) else {
            return Err(HarnessError::refused(
                name,
                "holds no model",
                "ge-harness inspect shows what it holds",
            ));
        };
        if let Some(second) = roles.second {
            notes.push(Note::Found(format!(
                "{name}#{} is a second model, such as a projectile: name it to draw it",
                second.pmo
            )));
        }
        let pmo = self.pmo(pmo, &mut notes)?;
        self.assemble(
            name,
            pmo,
            [entry(roles.skeleton), entry(roles.tmh), entry(roles.animation)],
            notes,
        )
    }

    /// A model whose parts are those given, named by flags or beside it, in this order of
    /// precedence: flag, PAC, neighbour.
    fn assemble(
        &self,
        name: &str,
        pmo: Pmo,
        [skeleton, textures, pack]: [Option<Named<'_>>; 3],
        mut notes: Vec<Note>,
    ) -> Result<Model, HarnessError> {
        let skinned = pmo
            .meshes
            .iter()
            .flat_map(|mesh| &mesh.groups)
            .any(|group| !group.palette.is_empty());
        let textured = pmo.materials.iter().any(|material| material.image.is_some());
        let textures = self.part(Wanted::Textures, textures, textured, &mut notes, Tmh::parse)?;
        if textures.is_none() && textured {
            warn(
                &mut notes,
                "no texture bank: drawn without textures; name one with --textures",
            );
        }
        let skeleton = self.part(Wanted::Skeleton, skeleton, skinned, &mut notes, Skeleton::parse)?;
        if skeleton.is_none() && skinned {
            warn(
                &mut notes,
                "no skeleton: drawn in the bind pose; name one with --skeleton",
            );
        }
        let pack = self.part(
            Wanted::Animation,
            pack,
            skeleton.is_some(),
            &mut notes,
            AnimationPack::parse,
        )?;
        if pack.is_none() && skeleton.is_some() && skinned {
            warn(
                &mut notes,
                "no animation pack: drawn in the bind pose; name one with --animation",
            );
        }
        let skeleton = skeleton.map(|skeleton| {
            let rig = Rig::new(&skeleton);
            notes.extend(
                rig.diagnostics()
                    .iter()
                    .map(|odd| Note::Warning(format!("skeleton: {odd}"))),
            );
            let clips = pack.map(|pack| Clips {
                library: Library::new(&rig, &pack, self.monster),
                pack,
            });
            PosedBy { skeleton, rig, clips }
        });
        Ok(Model {
            name: name.to_owned(),
            pmos: vec![pmo],
            textures,
            skeleton,
            environment: None,
            notes,
        })
    }

    /// A part: the file that a flag names, what the PAC holds, or, where it is wanted, a neighbour.
    fn part<T>(
        &self,
        wanted: Wanted,
        packed: Option<Named<'_>>,
        is_wanted: bool,
        notes: &mut Vec<Note>,
        parse: impl Fn(&[u8]) -> Result<T, FormatError>,
    ) -> Result<Option<T>, HarnessError> {
        let flag = match wanted {
            Wanted::Skeleton => &self.companions.skeleton,
            Wanted::Animation => &self.companions.animation,
            Wanted::Textures => &self.companions.textures,
        };
        if let Some(path) = flag {
            let input = Input::open(path)?;
            if detect(&input.bytes) != wanted.kind() {
                return Err(HarnessError::wrong_kind(
                    &input.name,
                    &input.bytes,
                    wanted.with_article(),
                ));
            }
            return parse(&input.bytes).map(Some).map_err(of_file(&input.name));
        }
        if let Some(packed) = packed {
            return parse(packed.bytes).map(Some).map_err(of_file(&packed.name));
        }
        let Some((path, bytes)) = is_wanted.then(|| self.neighbours.find(wanted)).flatten() else {
            return Ok(None);
        };
        let name = path.display().to_string();
        let parsed = parse(&bytes).map_err(of_file(&name))?;
        notes.push(Note::Found(format!("{}: {name}", wanted.name())));
        Ok(Some(parsed))
    }

    /// A model's PMO, with its geometry from a companion file where it has none of its own.
    fn pmo(&self, named: Named<'_>, notes: &mut Vec<Note>) -> Result<Pmo, HarnessError> {
        let name = named.name.clone();
        let pmo = self.whole_pmo(named, notes)?;
        match pmo.bone_palettes(PaletteWalk::AllGroups) {
            Ok(_) => Ok(pmo),
            Err(error) => Err(HarnessError::refused(
                &name,
                error,
                "build it with at most eight bones a group",
            )),
        }
    }

    fn whole_pmo(
        &self,
        Named { name, bytes }: Named<'_>,
        notes: &mut Vec<Note>,
    ) -> Result<Pmo, HarnessError> {
        if !Pmo::needs_geometry(bytes).map_err(of_file(&name))? {
            return Pmo::parse(bytes).map_err(of_file(&name));
        }
        if let Some(path) = &self.companions.geometry {
            let input = Input::open(path)?;
            return Pmo::parse_with_geometry(bytes, &input.bytes).map_err(of_file(&name));
        }
        let found = self.neighbours.geometry().find_map(|path| {
            let companion = files::read(path).ok()?;
            Some((path, Pmo::parse_with_geometry(bytes, &companion).ok()?))
        });
        let Some((path, pmo)) = found else {
            return Err(HarnessError::refused(
                &name,
                "its geometry is in another file, and none beside it fits",
                "it is the game's next file: put it beside this one under the next number, or name it with --geometry",
            ));
        };
        notes.push(Note::Found(format!("geometry: {}", path.display())));
        Ok(pmo)
    }

    fn stage(&self, name: &str, pac: &Pac) -> Result<Model, HarnessError> {
        let roles = StageRoles::of(pac);
        let entry = |index: Option<usize>| {
            let index = index?;
            Some((format!("{name}#{index}"), pac.entry(index)?))
        };
        let mut notes = Vec::new();
        let mut pmos = Vec::new();
        for index in [roles.terrain, roles.props] {
            if let Some((name, bytes)) = entry(index) {
                pmos.push(Pmo::parse(bytes).map_err(of_file(&name))?);
            }
        }
        if pmos.is_empty() {
            return Err(HarnessError::refused(
                name,
                "is a placeholder: a stage without terrain",
                "the game has twenty such stages; try another file",
            ));
        }
        let textures = match entry(roles.tmh) {
            Some((name, bytes)) => Some(Tmh::parse(bytes).map_err(of_file(&name))?),
            None => {
                warn(
                    &mut notes,
                    "the stage has no texture bank: drawn without textures",
                );
                None
            }
        };
        let environment = match entry(roles.environment) {
            Some((name, bytes)) => Some(stage::Environment::parse(bytes).map_err(of_file(&name))?),
            None => None,
        };
        Ok(Model {
            name: name.to_owned(),
            pmos,
            textures,
            skeleton: None,
            environment,
            notes,
        })
    }
}

fn warn(notes: &mut Vec<Note>, text: &str) {
    notes.push(Note::Warning(text.to_owned()));
}
