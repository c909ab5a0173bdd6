//! Arguments that say what moves a model's morph targets.
use std::path::PathBuf;

use clap::Args;
use formats::bfres::Bfres;
use formats::detect::{Kind, detect};
use formats::fsha::{Fsha, ShapeAnimation};

use super::terminal;
use crate::error::HarnessError;
use crate::files::Input;
use crate::inspect::with_article;
use crate::model::{Model, Morphs, MorphsError};
use crate::render::RenderOptions;

/// What moves morph targets.
#[derive(Debug, Args)]
pub(super) struct MorphArguments {
    /// Play a shape animation on the model's morph targets: a BFRES file with one, or an FSHA
    #[arg(long, value_name = "FILE", help_heading = "Morphing")]
    fsha: Option<PathBuf>,
    /// Which of the file's shape animations [default: the first]
    #[arg(long, value_name = "NAME", requires = "fsha", help_heading = "Morphing")]
    shapes: Option<String>,
    /// Fix the weight of a key shape; without --fsha they are called 1, 2 and so on
    #[arg(long, value_name = "NAME=W", value_parser = parse_key, help_heading = "Morphing")]
    key: Vec<(String, f32)>,
}

impl MorphArguments {
    /// Fills in what moves morph targets, with warnings on standard error of what is odd about the file.
    pub(super) fn apply(&self, model: &Model, options: &mut RenderOptions) -> Result<(), HarnessError> {
        if self.fsha.is_none() && self.key.is_empty() {
            return Ok(());
        }
        let animation = self.animation()?;
        options.morphs = Morphs::new(model, animation.as_ref(), &self.key).map_err(|error| {
            let (file, hint) = match &error {
                MorphsError::NoTargets => (
                    &model.name,
                    "only vertices with several morph targets can be moved; leave --fsha and --key out",
                ),
                MorphsError::WhichMesh(_) | MorphsError::NoSuchMesh { .. } | MorphsError::MeshTwice(_) => (
                    &model.name,
                    "shapes find their meshes by bind index, or by names such as mesh0",
                ),
                _ => (
                    &model.name,
                    "ge-harness inspect shows the shapes and keys of the file",
                ),
            };
            HarnessError::refused(file, error, hint)
        })?;
        Ok(())
    }

    /// The animation that is asked for.
    fn animation(&self) -> Result<Option<ShapeAnimation>, HarnessError> {
        let Some(path) = &self.fsha else { return Ok(None) };
        let input = Input::open(path)?;
        let (animations, warnings) = shape_animations(&input)?;
        for warning in warnings {
            terminal::print_warning(&format!("{}: {warning}", input.name));
        }
        named(&input, &animations, self.shapes.as_deref())
            .cloned()
            .map(Some)
    }
}

/// The shape animation of a name, or the first.
pub(super) fn named<'a>(
    input: &Input,
    animations: &'a [ShapeAnimation],
    name: Option<&str>,
) -> Result<&'a ShapeAnimation, HarnessError> {
    let wanted = |animation: &&ShapeAnimation| name.is_none_or(|name| name == &*animation.name);
    animations.iter().find(wanted).ok_or_else(|| match name {
        Some(name) if !animations.is_empty() => {
            let names: Vec<String> = animations
                .iter()
                .map(|other| format!("{:?}", other.name))
                .collect();
            HarnessError::refused(
                &input.name,
                format_args!("has no shape animation {name:?}"),
                format_args!("it has {}", names.join(", ")),
            )
        }
        _ => HarnessError::refused(
            &input.name,
            "holds no shape animations",
            "its group 9 is empty: take a file that has some",
        ),
    })
}

/// The shape animations of a file, with what is odd about them.
pub(super) fn shape_animations(input: &Input) -> Result<(Vec<ShapeAnimation>, Vec<String>), HarnessError> {
    let of_file = |source| HarnessError::Format {
        file: input.name.clone(),
        source,
    };
    match detect(&input.bytes) {
        Kind::Bfres => {
            let file = Bfres::parse(&input.bytes).map_err(of_file)?;
            let warnings = file.warnings().iter().map(ToString::to_string).collect();
            Ok((file.animations().to_vec(), warnings))
        }
        Kind::Fsha => {
            let file = Fsha::parse(&input.bytes).map_err(of_file)?;
            let warnings = file.warnings().iter().map(ToString::to_string).collect();
            Ok((vec![file.animation().clone()], warnings))
        }
        kind => Err(HarnessError::refused(
            &input.name,
            format_args!("holds no shape animations: it is {}", with_article(kind)),
            "take a .bfres file of the Wii U with a shape animation, or an FSHA taken out of one",
        )),
    }
}

fn parse_key(text: &str) -> Result<(String, f32), String> {
    let key = text
        .rsplit_once('=')
        .and_then(|(name, weight)| Some((name.to_owned(), weight.parse::<f32>().ok()?)));
    key.filter(|(name, weight)| !name.is_empty() && weight.is_finite())
        .ok_or_else(|| "expected a key shape's name and its weight, such as blink=0.5".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read() {
        assert_eq!(parse_key("blink=0.5"), Ok(("blink".to_owned(), 0.5)));
        assert_eq!(parse_key("a=b=-1"), Ok(("a=b".to_owned(), -1.0)));
        for bad in ["", "blink", "=1", "blink=", "blink=inf", "blink=NaN"] {
            assert!(parse_key(bad).is_err(), "{bad}");
        }
    }
}
