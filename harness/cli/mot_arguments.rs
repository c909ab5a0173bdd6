//! Arguments that say how a MOT file is read.
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use formats::mot::SemiPrecisionBase;
use motion::mot::BoneMap;
use motion::rotation::RotationOrder;

use super::terminal;
use crate::error::HarnessError;
use crate::files::Input;
use crate::model::MotFile;

/// How a MOT file is read.
#[derive(Debug, Args)]
pub(super) struct MotArguments {
    /// Which bone of the model each bone of the MOT moves: a text with lines such as "17 5", # for comments [default:
    /// bone -1 moves bone 0, 0 moves 1, and so on]
    #[arg(long, value_name = "FILE", help_heading = "MOT files")]
    bone_map: Option<PathBuf>,
    /// The order in which a MOT's angles act: xyz (by most accounts), xzy, yxz, yzx, zxy, zyx
    #[arg(long, value_name = "ORDER", value_parser = parse_order, help_heading = "MOT files")]
    rotation_order: Option<RotationOrder>,
    /// What position X of a MOT's 16-bit curves is called: 48 or 50 [default: what the file shows, else by its game]
    #[arg(long, value_name = "BASE", help_heading = "MOT files")]
    semi_precision: Option<BaseArgument>,
}

impl MotArguments {
    /// Opens a MOT, with warnings on standard error of what is odd about it.
    pub(super) fn open(&self, path: &Path) -> Result<MotFile, HarnessError> {
        self.read(&Input::open(path)?)
    }

    /// As [`open`](Self::open), of a file that is open.
    pub(super) fn read(&self, input: &Input) -> Result<MotFile, HarnessError> {
        let base = self.semi_precision.map(|base| match base {
            BaseArgument::Property48 => SemiPrecisionBase::Property48,
            BaseArgument::Property50 => SemiPrecisionBase::Property50,
        });
        let file = MotFile::read(input, base, self.rotation_order.unwrap_or_default())?;
        for warning in &file.warnings {
            terminal::print_warning(&format!("{}: {warning}", file.name));
        }
        Ok(file)
    }

    /// The bone map.
    pub(super) fn bone_map(&self) -> Result<BoneMap, HarnessError> {
        let Some(path) = &self.bone_map else {
            return Ok(BoneMap::default());
        };
        let input = Input::open(path)?;
        let text = String::from_utf8_lossy(&input.bytes);
        text.parse().map_err(|error| {
            HarnessError::refused(
                &input.name,
                error,
                "write a line for each bone: the MOT's number of it, or root, then the model's",
            )
        })
    }

    /// Refuses arguments about a MOT where there is none.
    pub(super) fn expect_unused(&self, wanted: &str) -> Result<(), HarnessError> {
        let given = [
            ("--bone-map", self.bone_map.is_some()),
            ("--rotation-order", self.rotation_order.is_some()),
            ("--semi-precision", self.semi_precision.is_some()),
        ];
        match given.iter().find(|(_, is_given)| *is_given) {
            Some((name, _)) => Err(HarnessError::usage(
                format_args!("{name} says how a MOT is read, and there is none"),
                format_args!("give {wanted}, or leave {name} out"),
            )),
            None => Ok(()),
        }
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum BaseArgument {
    #[value(name = "48")]
    Property48,
    #[value(name = "50")]
    Property50,
}

fn parse_order(text: &str) -> Result<RotationOrder, String> {
    let named = |order: &RotationOrder| order.to_string() == text;
    RotationOrder::ALL
        .into_iter()
        .find(named)
        .ok_or_else(|| "expected xyz, xzy, yxz, yzx, zxy or zyx".into())
}
