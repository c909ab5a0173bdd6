//! What a file is and what is in it, as one structure that text and JSON are written from.
//!
//! The JSON is a promise: its `version` goes up when a field changes its meaning or goes away. The text may change at
//! any time.
mod animation;
mod capture;
mod container;
mod draws;
mod environment;
mod kind;
mod model;
mod mot;
mod shapes;
mod skeleton;
mod table;
mod texture;

use std::io::{self, Write};

use formats::FormatError;
use formats::animation::AnimationPack;
use formats::bfres::Bfres;
use formats::capture::Capture;
use formats::detect::{Kind, detect};
use formats::fsha::Fsha;
use formats::pac::Pac;
use formats::pmo::Pmo;
use formats::skeleton::Skeleton;
use formats::tmh::Tmh;
use serde::Serialize;

pub use animation::AnimationReport;
pub use capture::CaptureReport;
pub(crate) use capture::kind_name;
pub use container::ContainerReport;
pub(crate) use draws::vertex_type_text;
pub use environment::EnvironmentReport;
pub(crate) use kind::{described, file_name, identifier, reader_of, with_article};
pub use model::ModelReport;
pub use mot::MotReport;
pub use shapes::ShapesReport;
pub use skeleton::SkeletonReport;
pub(crate) use table::{Align, Table, count, vector};
pub use texture::TextureReport;

use crate::error::HarnessError;
use crate::files::Input;
use crate::replay::NamedCapture;

/// The version of the JSON.
const VERSION: u32 = 1;

/// What a file is and holds.
#[derive(Debug, Serialize)]
pub struct Inspection {
    version: u32,
    file: String,
    size: usize,
    kind: &'static str,
    #[serde(skip)]
    kind_text: String,
    content: Content,
}

/// What a file of a kind that can be read holds.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Content {
    /// A stage's PAC.
    StagePac(ContainerReport),
    /// Any other PAC.
    Pac(ContainerReport),
    /// A model.
    Model(Box<ModelReport>),
    /// A texture bank.
    Textures(TextureReport),
    /// A skeleton.
    Skeleton(SkeletonReport),
    /// An animation pack.
    Animation(AnimationReport),
    /// A motion of Okami, God Hand or the games after them.
    Motion(MotReport),
    /// Shape animations.
    Shapes(ShapesReport),
    /// A capture of a frame.
    Capture(Box<CaptureReport>),
    /// A stage's fog and lights, which only its place in the PAC tells.
    Environment(EnvironmentReport),
    /// A kind that is recognised, but of which no more is shown.
    Opaque(Opaque),
}

/// A kind that is recognised, but of which no more is shown.
#[derive(Debug, Serialize)]
pub struct Opaque {
    /// What the user can do with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
}

impl Content {
    /// What it is, on one line.
    fn summary(&self) -> String {
        match self {
            Self::StagePac(report) | Self::Pac(report) => report.summary(),
            Self::Model(report) => report.summary(),
            Self::Textures(report) => report.summary(),
            Self::Skeleton(report) => report.summary(),
            Self::Animation(report) => report.summary(),
            Self::Motion(report) => report.summary(),
            Self::Shapes(report) => report.summary(),
            Self::Capture(report) => report.summary(),
            Self::Environment(report) => report.summary(),
            Self::Opaque(opaque) => opaque.note.unwrap_or_default().to_owned(),
        }
    }

    /// Whether inspecting the file alone would show no more.
    const fn is_opaque(&self) -> bool {
        matches!(self, Self::Opaque(_) | Self::Environment(_))
    }
}

/// How much text an inspection prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// A capture's draws as a summary by render target.
    Usual,
    /// Every draw of a capture.
    All,
}

impl Inspection {
    /// Inspects a file or member; `geometry` holds that of a Portable 3rd model whose file has none.
    ///
    /// # Errors
    /// A kind that is not known, or a file that is not what its kind demands.
    pub fn new(input: &Input, geometry: Option<&Input>) -> Result<Self, HarnessError> {
        let around = Surroundings {
            geometry: geometry.map(|input| input.bytes.as_slice()),
            depth: 0,
        };
        let kind = detect(&input.bytes);
        let content = match kind {
            Kind::Unknown => return Err(unknown(input)),
            // Which file of the archive it is belongs to the answer.
            Kind::Zip => {
                let NamedCapture { capture, archive, .. } = NamedCapture::of(input)?;
                Content::Capture(Box::new(CaptureReport::new(&capture, archive)))
            }
            _ => content_of(kind, &input.bytes, around).map_err(|source| input.format_error(source))?,
        };
        Ok(Self {
            version: VERSION,
            file: input.name.clone(),
            size: input.bytes.len(),
            kind: identifier(if kind == Kind::Zip { Kind::Capture } else { kind }),
            kind_text: match kind {
                Kind::Zip => format!("{} in a {kind}", Kind::Capture),
                _ => kind.to_string(),
            },
            content,
        })
    }

    /// Writes it for people.
    ///
    /// # Errors
    /// What `out` returns.
    pub fn write_text(&self, out: &mut dyn Write, detail: Detail) -> io::Result<()> {
        writeln!(
            out,
            "{}: {}, {}",
            self.file,
            self.kind_text,
            count(self.size, "byte")
        )?;
        match &self.content {
            Content::StagePac(report) | Content::Pac(report) => report.write_text(out, &self.file),
            Content::Model(report) => report.write_text(out),
            Content::Textures(report) => report.write_text(out),
            Content::Skeleton(report) => report.write_text(out),
            Content::Animation(report) => report.write_text(out),
            Content::Motion(report) => report.write_text(out),
            Content::Shapes(report) => report.write_text(out),
            Content::Capture(report) => report.write_text(out, detail == Detail::All),
            Content::Environment(report) => writeln!(out, "  {}", report.summary()),
            Content::Opaque(Opaque { note: Some(note) }) => writeln!(out, "  {note}"),
            Content::Opaque(Opaque { note: None }) => {
                writeln!(out, "  recognised, but not read by this program")
            }
        }
    }
}

/// What a file is looked at with.
#[derive(Debug, Clone, Copy)]
struct Surroundings<'a> {
    /// The geometry of a model whose own file has none.
    geometry: Option<&'a [u8]>,
    /// PACs around the file.
    depth: usize,
}

/// Reads `bytes` as what they are.
fn content_of(kind: Kind, bytes: &[u8], around: Surroundings<'_>) -> Result<Content, FormatError> {
    let note = match kind {
        Kind::StagePac => {
            return Ok(Content::StagePac(ContainerReport::new(
                &Pac::parse(bytes)?,
                kind,
                around,
            )));
        }
        Kind::Pac => {
            return Ok(Content::Pac(ContainerReport::new(
                &Pac::parse(bytes)?,
                kind,
                around,
            )));
        }
        Kind::Pmo if Pmo::needs_geometry(bytes)? => match around.geometry {
            Some(geometry) => {
                let model = Pmo::parse_with_geometry(bytes, geometry)?;
                return Ok(Content::Model(Box::new(ModelReport::new(&model))));
            }
            None => Some("its geometry is in the game's next file: name that with --geometry"),
        },
        Kind::Pmo => return Ok(Content::Model(Box::new(ModelReport::new(&Pmo::parse(bytes)?)))),
        Kind::Tmh => return Ok(Content::Textures(TextureReport::new(&Tmh::parse(bytes)?))),
        Kind::Skeleton => return Ok(Content::Skeleton(SkeletonReport::new(&Skeleton::parse(bytes)?))),
        Kind::AnimationPack => {
            return Ok(Content::Animation(AnimationReport::new(&AnimationPack::parse(
                bytes,
            )?)));
        }
        Kind::Mot => return MotReport::parse(bytes).map(Content::Motion),
        Kind::Bfres => return Ok(Content::Shapes(ShapesReport::of_bfres(&Bfres::parse(bytes)?))),
        Kind::Fsha => return Ok(Content::Shapes(ShapesReport::of_fsha(&Fsha::parse(bytes)?))),
        Kind::Capture => {
            return Ok(Content::Capture(Box::new(CaptureReport::new(
                &Capture::parse(bytes)?,
                None,
            ))));
        }
        Kind::DataBin => Some("extract its files with a tool for the game's archive, and give one of them"),
        Kind::DiscImage => Some("extract PSP_GAME/USRDIR/DATA.BIN from it, then that archive's files"),
        Kind::Png => Some("ge-harness diff compares it with another picture"),
        _ => None,
    };
    Ok(Content::Opaque(Opaque { note }))
}

/// A file that is nothing known, told by its first bytes.
fn unknown(input: &Input) -> HarnessError {
    let head: Vec<_> = input
        .bytes
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let zero = input.bytes.iter().all(|byte| *byte == 0);
    HarnessError::refused(
        &input.name,
        if zero {
            "holds nothing but zeros".into()
        } else {
            format!("is no format that is known (begins {})", head.join(" "))
        },
        "files of the game's archive must be decrypted and unpacked first; a list of GE words: ge-harness disasm --raw",
    )
}
