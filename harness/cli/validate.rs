//! `ge-harness validate`: the rules that the game's engine needs kept.
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use formats::detect::{Kind, ModelRoles, detect};
use formats::pac::Pac;
use formats::skeleton::Skeleton;

use super::model_arguments::ModelArguments;
use super::{Outcome, Style, write_json};
use crate::error::HarnessError;
use crate::files::Input;
use crate::validate::Validation;

/// Check a model against the rules that the game's engine needs kept
///
/// One line a finding: its level, the rule's code, what breaks it and how to mend it. An error makes
/// the game crash, hang or draw nonsense; a warning need not; a note is worth a look.
///
/// Exit status: 0 sound or warnings alone, 1 errors.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness validate em75-new.pac
  ge-harness validate em75-new.pac --template em75.pac")]
pub(super) struct Arguments {
    #[command(flatten)]
    source: ModelArguments,
    /// The PAC or skeleton of the species that the model replaces: bones and parents must be equal
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    let model = arguments.source.open()?;
    let template = arguments.template.as_deref().map(Input::open).transpose()?;
    let template = template.as_ref().map(template_skeleton).transpose()?;
    if template.is_some() && model.skeleton.is_none() {
        return Err(HarnessError::refused(
            &model.name,
            "has no skeleton to compare with the template's",
            "name one with --skeleton FILE, or leave --template out",
        ));
    }
    let validation = Validation::new(&model, template.as_ref());
    if arguments.json {
        write_json(out, &validation)?;
    } else {
        validation.write_text(out, Style::of_stdout())?;
    }
    Ok(if validation.is_broken() {
        Outcome::Different
    } else {
        Outcome::Success
    })
}

/// The skeleton of a template: of a PAC, or alone.
fn template_skeleton(input: &Input) -> Result<Skeleton, HarnessError> {
    let fail = |source| input.format_error(source);
    match detect(&input.bytes) {
        Kind::Skeleton => Skeleton::parse(&input.bytes).map_err(fail),
        Kind::Pac => {
            let pac = Pac::parse(&input.bytes).map_err(fail)?;
            let member = ModelRoles::of(&pac).skeleton;
            let Some((member, bytes)) = member.and_then(|member| Some((member, pac.entry(member)?))) else {
                return Err(HarnessError::refused(
                    &input.name,
                    "holds no skeleton",
                    "give the PAC of the species, or its skeleton",
                ));
            };
            let name = format!("{}#{member}", input.name);
            Skeleton::parse(bytes).map_err(|source| HarnessError::Format { file: name, source })
        }
        _ => Err(HarnessError::wrong_kind(
            &input.name,
            &input.bytes,
            "a skeleton or a container with one",
        )),
    }
}
