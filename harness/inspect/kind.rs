//! Kinds of files by the names that programs and sentences use.
use formats::detect::Kind;

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
