//! `ge-harness convert`: motions between formats, and into a pack's slots.
use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use formats::animation::Encoding;
use formats::detect::{Kind, detect};
use formats::mot::Form;
use formats::skeleton::Skeleton;
use motion::convert::{Bound, Errors};
use motion::rig::Rig;
use motion::rig::entry::{ClipNumber, Entry, StreamSlot};
use motion::rig::records::MonsterId;

use super::mot_arguments::MotArguments;
use super::{Outcome, terminal};
use crate::convert::{Choice, Converter, PackFile, Placed, Source};
use crate::error::HarnessError;
use crate::files::{self, Input};
use crate::inspect::count;

/// Convert a motion: MOT into a clip of either game and back, or into a slot of a pack
///
/// Curves are resampled with as few keys as keep within --error, in steps of a clip's channels: 1/16 of a
/// model unit, 1/16384 of a turn, 1/16 of a scale (Portable 3rd and MOT: 1/256). The largest error that was made is
/// told. Whatever the target cannot hold is refused with the reason.
///
/// FILE is a MOT, an animation pack, or a model's PAC. With --into the clip goes into a pack or a model's PAC, and OUT
/// is that with the clip in it; else OUT is a MOT, or a pack of this clip alone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  ge-harness convert wyvern.mot --into wyvern.pac --entry 3 -o look.pac
  ge-harness convert wyvern.mot --into wyvern.pac --slot 2/24 --bone-map head.txt -o head.pac
  ge-harness convert wyvern.pac --from-entry 24 --to okami -o roar.mot
  ge-harness convert walk.mot --to mhp3rd --error 4 -o walk.bin")]
pub(super) struct Arguments {
    /// The file with the motion
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The clip to take from a pack: STREAM/SLOT, or Portable 3rd's number [default: the only one]
    #[arg(long, value_name = "SLOT", value_parser = parse_slot, conflicts_with = "from_entry")]
    from: Option<StreamSlot>,
    /// The Freedom Unite entry to take from a pack, all its parts
    #[arg(long, value_name = "N")]
    from_entry: Option<u32>,
    /// What to make: okami, god-hand (MOT), mhfu, mhp3rd (a pack of one clip)
    #[arg(
        long,
        value_name = "FORMAT",
        required_unless_present = "into",
        conflicts_with = "into"
    )]
    to: Option<Target>,
    /// The pack that the clip goes into, or a model's PAC with it
    #[arg(long, value_name = "PACK")]
    into: Option<PathBuf>,
    /// Which slot of the pack: STREAM/SLOT, or Portable 3rd's number
    #[arg(long, value_name = "SLOT", value_parser = parse_slot, requires = "into", group = "place")]
    slot: Option<StreamSlot>,
    /// Which entry of a Freedom Unite pack: each part's tracks go where its parts read them
    #[arg(long, value_name = "N", requires = "into", group = "place")]
    entry: Option<u32>,
    /// How far curves may be off, in steps of a channel
    #[arg(long, value_name = "E", value_parser = parse_bound, default_value = "1")]
    error: Bound,
    /// The skeleton, if neither file holds it
    #[arg(long, value_name = "FILE")]
    skeleton: Option<PathBuf>,
    /// Portable 3rd: the monster's number, which tells what bones its clips drive
    #[arg(long, value_name = "ID")]
    monster: Option<u16>,
    /// Where to write
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,
    #[command(flatten)]
    mot: MotArguments,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Target {
    Okami,
    GodHand,
    Mhfu,
    Mhp3rd,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, HarnessError> {
    if arguments.into.is_some() && arguments.slot.is_none() && arguments.entry.is_none() {
        return Err(HarnessError::usage(
            "--into needs the place in the pack",
            "give --slot STREAM/SLOT, or --entry N for all parts of a Freedom Unite model",
        ));
    }
    let input = Input::open(&arguments.file)?;
    let source = match detect(&input.bytes) {
        Kind::Mot => Source::Mot(arguments.mot.read(&input)?),
        _ => Source::Pack(Box::new(PackFile::read(&input)?)),
    };
    let into = arguments
        .into
        .as_ref()
        .map(|path| PackFile::read(&Input::open(path)?))
        .transpose()?;
    let named = arguments
        .skeleton
        .as_ref()
        .map(|path| read_skeleton(&Input::open(path)?))
        .transpose()?;
    let of_target = into.as_ref().and_then(|into| into.skeleton.as_ref());
    let skeleton = named.as_ref().or(of_target).or(source.skeleton());
    let rig = skeleton.map(Rig::new);
    let map = arguments.mot.bone_map()?;
    let monster = arguments.monster.map(MonsterId);
    let choice = match (arguments.from, arguments.from_entry) {
        (Some(slot), _) => Choice::Slot(slot),
        (None, Some(entry)) => Choice::Entry(Entry(entry)),
        (None, None) => Choice::Only,
    };
    let motion = source.motion(choice, rig.as_ref(), &map, monster)?;
    for diagnostic in motion.diagnostics() {
        terminal::print_note(&diagnostic.to_string());
    }
    if motion.driven_count() == 0 {
        return Err(HarnessError::refused(
            source.name(),
            "moves no bone of the skeleton",
            "ge-harness inspect shows its bones; --bone-map FILE gives them to the model's",
        ));
    }
    let converter = Converter {
        rig: rig.as_ref(),
        monster,
        map: &map,
        bound: arguments.error,
    };
    let (bytes, errors, keys, encoding) = match (&into, arguments.to) {
        (Some(into), _) => {
            let placed = match (arguments.slot, arguments.entry) {
                (Some(slot), _) => converter.into_slot(source.name(), &motion, &into.pack, slot)?,
                (None, entry) => {
                    converter.into_entry(source.name(), &motion, &into.pack, Entry(entry.unwrap_or(0)))?
                }
            };
            print_notes(&placed);
            (
                into.with(&placed.pack)?,
                placed.errors,
                placed.keys,
                placed.pack.encoding(),
            )
        }
        (None, Some(Target::Mhfu | Target::Mhp3rd)) => {
            let encoding = match arguments.to {
                Some(Target::Mhp3rd) => Encoding::Mhp3rd,
                _ => Encoding::Mhfu,
            };
            let placed = converter.pack(source.name(), &motion, encoding)?;
            print_notes(&placed);
            (placed.pack.write(), placed.errors, placed.keys, Some(encoding))
        }
        (None, target) => {
            let form = if target == Some(Target::GodHand) {
                Form::GodHand
            } else {
                Form::Okami
            };
            let mot = converter.mot(source.name(), &motion, form)?;
            if mot.length.fract() != 0.0 {
                let last = mot.length.ceil();
                terminal::print_note(&format!(
                    "it ends on frame {}, of which a MOT makes {last}",
                    mot.length
                ));
            }
            (mot.value.write(), mot.errors, mot.keys, None)
        }
    };
    files::write(&arguments.output, &bytes)?;
    writeln!(
        out,
        "{}: {}, {}",
        arguments.output.display(),
        count(keys, "keyframe"),
        told(errors, encoding)
    )?;
    Ok(Outcome::Success)
}

fn print_notes(placed: &Placed) {
    for note in &placed.notes {
        terminal::print_note(note);
    }
}

/// The largest errors, in steps and in what they mean; a MOT has no encoding.
fn told(errors: Errors, encoding: Option<Encoding>) -> String {
    let scale_steps = if encoding == Some(Encoding::Mhfu) {
        16.0
    } else {
        256.0
    };
    let mut parts = vec![
        format!(
            "rotation {:.3} steps ({:.4} degrees)",
            errors.rotation,
            errors.rotation * 360.0 / 16384.0
        ),
        format!(
            "location {:.3} ({:.4} units)",
            errors.location,
            errors.location / 16.0
        ),
    ];
    if errors.scale > 0.0 {
        parts.push(format!(
            "scale {:.3} ({:.4})",
            errors.scale,
            errors.scale / scale_steps
        ));
    }
    format!("off by at most: {}", parts.join(", "))
}

fn read_skeleton(input: &Input) -> Result<Skeleton, HarnessError> {
    match detect(&input.bytes) {
        Kind::Skeleton => Skeleton::parse(&input.bytes).map_err(|source| input.format_error(source)),
        _ => Err(HarnessError::wrong_kind(&input.name, &input.bytes, "a skeleton")),
    }
}

fn parse_slot(text: &str) -> Result<StreamSlot, String> {
    let place = match text.split_once('/') {
        Some((stream, slot)) => stream.parse().ok().zip(slot.parse().ok()),
        None => text
            .parse()
            .ok()
            .map(|number| ClipNumber(number).slot())
            .map(|place| (place.stream, place.slot)),
    };
    place
        .map(|(stream, slot)| StreamSlot { stream, slot })
        .ok_or_else(|| "expected STREAM/SLOT, such as 2/24, or Portable 3rd's clip number".into())
}

fn parse_bound(text: &str) -> Result<Bound, String> {
    let bound = text.parse().ok().and_then(Bound::new);
    bound.ok_or_else(|| "expected a number of steps above 0, such as 1 or 0.75".into())
}
