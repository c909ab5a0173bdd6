//! What is looked at, and how a file that is named or dropped becomes it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use formats::bfres::Bfres;
use formats::detect::{Kind, detect};
use formats::fsha::Fsha;
use motion::library::Motion;
use motion::mot::BoneMap;
use motion::rig::records::MonsterId;
use motion::rotation::RotationOrder;
use replay::ReplayOptions;

use crate::error::HarnessError;
use crate::files::Input;
use crate::inspect::described;
use crate::model::{Companions, Model, Morphs, MotFile};
use crate::replay::NamedCapture;

/// A model that is looked at, with where it came from.
#[derive(Debug, Clone)]
pub struct OpenModel {
    /// Its file.
    pub path: PathBuf,
    /// Files that were named for it.
    pub companions: Companions,
    /// The monster whose clips a Portable 3rd pack has, if it was named.
    pub monster: Option<MonsterId>,
    /// The model.
    pub model: Arc<Model>,
}

impl OpenModel {
    fn open(path: PathBuf, companions: Companions, monster: Option<MonsterId>) -> Result<Self, HarnessError> {
        let model = Model::open(&path, &companions, monster)?;
        Ok(Self {
            path,
            companions,
            monster,
            model: Arc::new(model),
        })
    }
}

/// A capture that is looked at.
#[derive(Debug, Clone)]
pub struct OpenCapture {
    /// Its file.
    pub path: PathBuf,
    /// What was recorded.
    pub capture: Arc<NamedCapture>,
    /// How it is replayed.
    pub options: ReplayOptions,
}

impl OpenCapture {
    /// Opens a capture.
    ///
    /// # Errors
    /// As [`NamedCapture::open`].
    pub fn open(path: &Path, options: ReplayOptions) -> Result<Self, HarnessError> {
        Ok(Self {
            path: path.to_owned(),
            capture: Arc::new(NamedCapture::open(path)?),
            options,
        })
    }
}

/// What is looked at.
#[derive(Debug, Clone)]
pub enum Subject {
    /// A model.
    Model(OpenModel),
    /// A recorded frame.
    Capture(OpenCapture),
}

impl Subject {
    /// The file that it came from.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Model(open) => &open.path,
            Self::Capture(open) => &open.path,
        }
    }

    /// The same, read again.
    ///
    /// # Errors
    /// As at first.
    pub fn reopened(&self) -> Result<Self, HarnessError> {
        match self {
            Self::Model(open) => {
                OpenModel::open(open.path.clone(), open.companions.clone(), open.monster).map(Self::Model)
            }
            Self::Capture(open) => OpenCapture::open(&open.path, open.options).map(Self::Capture),
        }
    }
}

/// What a dropped file brings.
#[derive(Debug)]
pub enum Dropped {
    /// Something else to look at.
    Subject(Subject),
    /// The same model with another companion.
    Companion(Subject),
    /// A motion for the model.
    Motion(Motion),
    /// What moves the model's morph targets.
    Morphs(Morphs),
}

/// Whether a file is a capture, or an archive that may hold one.
///
/// # Errors
/// A file that cannot be read.
pub fn is_capture(path: &Path) -> Result<bool, HarnessError> {
    let input = Input::open(path)?;
    Ok(matches!(detect(&input.bytes), Kind::Capture | Kind::Zip))
}

/// Opens a dropped file while something is looked at. Captures are replayed as `options` say.
///
/// # Errors
/// A file that cannot be read or is of no use here; then what is looked at stays.
pub fn dropped(path: &Path, current: &Subject, options: ReplayOptions) -> Result<Dropped, HarnessError> {
    let input = Input::open(path)?;
    let kind = detect(&input.bytes);
    let model = || match current {
        Subject::Model(open) => Ok(open),
        Subject::Capture(_) => Err(HarnessError::refused(
            &input.name,
            format_args!("is {}, which needs a model to go with", described(&input.bytes)),
            "drop the model first",
        )),
    };
    let with = |change: &dyn Fn(&mut Companions)| {
        let open = model()?;
        let mut companions = open.companions.clone();
        change(&mut companions);
        OpenModel::open(open.path.clone(), companions, open.monster)
            .map(|open| Dropped::Companion(Subject::Model(open)))
    };
    match kind {
        Kind::Capture | Kind::Zip => {
            OpenCapture::open(path, options).map(|open| Dropped::Subject(Subject::Capture(open)))
        }
        Kind::Pmo | Kind::Pac | Kind::StagePac => {
            OpenModel::open(path.to_owned(), Companions::default(), None)
                .map(|open| Dropped::Subject(Subject::Model(open)))
        }
        Kind::Skeleton => with(&|companions| companions.skeleton = Some(path.to_owned())),
        Kind::AnimationPack => with(&|companions| companions.animation = Some(path.to_owned())),
        Kind::Tmh => with(&|companions| companions.textures = Some(path.to_owned())),
        Kind::Mot => {
            let file = MotFile::read(&input, None, RotationOrder::default())?;
            file.motion(&model()?.model, &BoneMap::default())
                .map(Dropped::Motion)
        }
        Kind::Bfres | Kind::Fsha => morphs(&input, kind, &model()?.model).map(Dropped::Morphs),
        _ => Err(HarnessError::wrong_kind(
            &input.name,
            &input.bytes,
            "something to look at: a model, a capture, or a file that goes with a model",
        )),
    }
}

/// The first shape animation of a file on a model.
fn morphs(input: &Input, kind: Kind, model: &Model) -> Result<Morphs, HarnessError> {
    let of_file = |source| input.format_error(source);
    let animation = match kind {
        Kind::Fsha => Some(Fsha::parse(&input.bytes).map_err(of_file)?.animation().clone()),
        _ => Bfres::parse(&input.bytes)
            .map_err(of_file)?
            .animations()
            .first()
            .cloned(),
    };
    let animation = animation.ok_or_else(|| {
        HarnessError::refused(
            &input.name,
            "holds no shape animations",
            "its group 9 is empty: take a file that has some",
        )
    })?;
    Morphs::new(model, Some(&animation), &[]).map_err(|error| {
        HarnessError::refused(
            &input.name,
            format_args!("does not move {}: {error}", model.name),
            "ge-harness inspect shows the shapes of the one and the targets of the other",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(name: &str) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("golden/models")
            .join(name)
    }

    fn opened(name: &str) -> Subject {
        let open = OpenModel::open(sample(name), Companions::default(), None).unwrap();
        Subject::Model(open)
    }

    fn drop_on(current: &Subject, name: &str) -> Result<Dropped, HarnessError> {
        dropped(&sample(name), current, ReplayOptions::default())
    }

    #[test]
    fn a_dropped_model_replaces_the_one_that_is_shown() {
        let Dropped::Subject(subject) = drop_on(&opened("stage.pac"), "wyvern.pac").unwrap() else {
            panic!()
        };
        assert_eq!(subject.path(), sample("wyvern.pac"));
    }

    #[test]
    fn a_dropped_skeleton_goes_with_the_model_that_is_shown() {
        let name = "loose/wyvern.skeleton";
        let Dropped::Companion(Subject::Model(open)) = drop_on(&opened("loose/wyvern.pmo"), name).unwrap()
        else {
            panic!()
        };
        assert_eq!(open.companions.skeleton, Some(sample(name)));
        assert_eq!(open.path, sample("loose/wyvern.pmo"));
    }

    #[test]
    fn dropped_shapes_move_a_model_that_has_targets() {
        let head = opened("wyvern-head.pac");
        assert!(matches!(
            drop_on(&head, "wyvern-head.bfres").unwrap(),
            Dropped::Morphs(_)
        ));
        let error = drop_on(&opened("wyvern.pac"), "wyvern-head.bfres").unwrap_err();
        assert!(error.to_string().contains("does not move"), "{error}");
    }

    #[test]
    fn a_file_of_no_use_is_refused_with_a_hint() {
        let wyvern = opened("wyvern.pac");
        for name in ["README.md", "no-such-file"] {
            let error = drop_on(&wyvern, name).unwrap_err();
            assert!(!error.hint().is_empty());
            assert!(!error.to_string().contains('\n'));
        }
    }
}
