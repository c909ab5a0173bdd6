//! Kinds of files by the names that programs and sentences use.
use formats::detect::{Kind, detect};

/// The name of a kind in JSON. These names do not change.
pub(crate) const fn identifier(kind: Kind) -> &'static str {
    match kind {
        Kind::StagePac => "stage_pac",
        Kind::Pmo => "pmo",
        Kind::Tmh => "tmh",
        Kind::Skeleton => "skeleton",
        Kind::AnimationPack => "animation_pack",
        Kind::Pac => "pac",
        Kind::DataBin => "data_bin",
        Kind::Capture => "capture",
        Kind::Zip => "zip",
        Kind::Mot => "mot",
        Kind::Bfres => "bfres",
        Kind::Fsha => "fsha",
        Kind::Collision => "collision",
        Kind::Nsp => "nsp",
        Kind::Asb => "asb",
        Kind::Arv => "arv",
        Kind::Psmf => "psmf",
        Kind::Riff => "riff",
        Kind::Vag => "vag",
        Kind::DiscImage => "disc_image",
        Kind::Png => "png",
        _ => "unknown",
    }
}

/// A kind as a sentence names it: `an animation pack`.
pub(crate) fn with_article(kind: Kind) -> String {
    let name = kind.to_string();
    let article = match kind {
        // Said letter by letter, or beginning with a vowel.
        Kind::Nsp | Kind::Asb | Kind::Arv | Kind::AnimationPack | Kind::Mot | Kind::Unknown => "an",
        _ => "a",
    };
    format!("{article} {name}")
}

/// What a file is, with its article: its [`Kind`], or what else can be told of it.
pub(crate) fn described(bytes: &[u8]) -> String {
    match detect(bytes) {
        Kind::Unknown if is_text(bytes) => "a text".into(),
        Kind::Unknown => match image::guess_format(bytes) {
            Ok(format) => {
                let name = format.extensions_str().first().copied().unwrap_or_default();
                format!("a picture ({})", name.to_ascii_uppercase())
            }
            Err(_) => with_article(Kind::Unknown),
        },
        kind => with_article(kind),
    }
}

/// Whether the start of a file is text.
fn is_text(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(1024)];
    let text = match str::from_utf8(start) {
        Ok(text) => text,
        // A character that ends behind the start is no fault of the text.
        Err(error) if error.error_len().is_none() => {
            str::from_utf8(&start[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let is_written = |character: char| !character.is_control() || matches!(character, '\t' | '\n' | '\r');
    !text.is_empty() && text.chars().all(is_written)
}

/// What the user can do with a file: the command that reads it.
pub(crate) fn reader_of(bytes: &[u8], file: &str) -> String {
    match detect(bytes) {
        Kind::Unknown if is_text(bytes) => {
            "models, animations and captures are binary: is this the right file?".into()
        }
        Kind::Pmo | Kind::StagePac => format!("ge-harness render {file} draws it"),
        Kind::Pac => format!("ge-harness inspect {file} lists its members, render draws its model"),
        Kind::Tmh => {
            format!("ge-harness inspect {file} lists it, render MODEL --textures {file} puts it on a model")
        }
        Kind::Skeleton => format!("ge-harness render MODEL --skeleton {file} poses a model with it"),
        Kind::AnimationPack => {
            format!("ge-harness render MODEL --animation {file} plays it, curves {file} plots it")
        }
        Kind::Mot => format!("ge-harness render MODEL --mot {file} plays it, curves {file} plots it"),
        Kind::Bfres | Kind::Fsha => {
            format!("ge-harness render MODEL --fsha {file} plays it, curves {file} plots it")
        }
        Kind::Capture | Kind::Zip => format!("ge-harness replay {file} draws it"),
        Kind::Png => format!("ge-harness diff {file} OTHER compares it with another picture"),
        Kind::DataBin | Kind::DiscImage => "extract its files first, and give one of them".into(),
        Kind::Unknown => "files of the game's archive must be decrypted and unpacked first".into(),
        _ => format!("no command reads such a file; ge-harness inspect {file} only names it"),
    }
}

/// The game that an encoding's identifier in JSON belongs to.
pub(crate) fn game_of(encoding: &str) -> &'static str {
    if encoding == "mhp3rd" {
        "Portable 3rd"
    } else {
        "Freedom Unite"
    }
}

/// The middle and the extension of a member's file name, when it is unpacked.
pub(crate) const fn file_name(kind: Kind) -> &'static str {
    match kind {
        Kind::StagePac | Kind::Pac => "container.pac",
        Kind::Pmo => "model.pmo",
        Kind::Tmh => "textures.tmh",
        Kind::Skeleton => "skeleton.bin",
        Kind::AnimationPack => "animation.bin",
        Kind::Collision => "collision.bin",
        Kind::Nsp => "nsp.bin",
        Kind::Asb => "asb.bin",
        Kind::Arv => "arv.bin",
        Kind::Capture => "capture.ppdmp",
        Kind::Zip => "archive.zip",
        Kind::Mot => "animation.mot",
        Kind::Bfres => "resources.bfres",
        Kind::Fsha => "shapes.fsha",
        Kind::Psmf => "video.pmf",
        Kind::Riff => "sound.riff",
        Kind::Vag => "sound.vag",
        Kind::Png => "picture.png",
        _ => "data.bin",
    }
}
