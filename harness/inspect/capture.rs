//! What a capture of a frame holds.
use std::io::{self, Write};

use formats::capture::{Capture, Display, InitialState, Layout, Payload, RecordKind};
use ge::command::{Command, Opcode};
use replay::ReplayOptions;
use serde::Serialize;

use super::draws::Draw;
use super::table::{Align, Table, count};
use crate::draws::visit;

/// A capture in numbers.
#[derive(Debug, Serialize)]
pub struct CaptureReport {
    file_version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_id: Option<String>,
    push_buffer_bytes: usize,
    trailing_bytes: usize,
    initial_layout: &'static str,
    saved_clut: bool,
    records: usize,
    kinds: Vec<KindReport>,
    commands: usize,
    displays: Vec<DisplayReport>,
    draws: Vec<Draw>,
    /// Why the replay that finds the draws stopped before the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    block_transfers: usize,
    clut_loads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    archive: Option<crate::files::CaptureChoice>,
}

/// How often a kind of record stands in the capture.
#[derive(Debug, Serialize)]
struct KindReport {
    kind: String,
    records: usize,
    bytes: u64,
}

#[derive(Debug, Serialize)]
struct DisplayReport {
    record: usize,
    address: u32,
    stride: i32,
    format: i32,
    /// Whether it is the picture of the frame: the capture's last record (`spec/capture.md` §8).
    shown: bool,
}

impl CaptureReport {
    /// The report of a capture; `archive` says how it was found in a zip archive.
    #[must_use]
    pub fn new(capture: &Capture, archive: Option<crate::files::CaptureChoice>) -> Self {
        let initial: InitialState = capture.initial_state();
        let mut kinds: Vec<KindReport> = Vec::new();
        let mut displays = Vec::new();
        let (mut commands, mut block_transfers, mut clut_loads) = (0, 0, 0);
        let last = capture.records().len().saturating_sub(1);
        for (index, record) in capture.records().iter().enumerate() {
            let kind = kind_name(record.kind);
            let bytes = u64::from(record.size);
            match kinds.iter_mut().find(|known| known.kind == kind) {
                Some(known) => {
                    known.records += 1;
                    known.bytes += bytes;
                }
                None => kinds.push(KindReport {
                    kind,
                    records: 1,
                    bytes,
                }),
            }
            match capture.payload(record) {
                Payload::Registers(words) => {
                    for word in words.iter() {
                        commands += 1;
                        match Command::from_word(word).opcode() {
                            Opcode::XFERSTART => block_transfers += 1,
                            Opcode::LOADCLUT => clut_loads += 1,
                            _ => {}
                        }
                    }
                }
                Payload::Display(Display {
                    address,
                    stride,
                    format,
                }) => {
                    displays.push(DisplayReport {
                        record: index,
                        address,
                        stride,
                        format,
                        shown: index == last,
                    });
                }
                _ => {}
            }
        }
        let mut draws = Vec::new();
        let visited = visit(capture, ReplayOptions::default(), |seen| {
            draws.push(Draw::new(seen))
        });
        Self {
            file_version: capture.version().number(),
            game_id: capture.game_id().map(|id| id.escape_ascii().to_string()),
            push_buffer_bytes: capture.push_buffer().len(),
            trailing_bytes: capture.trailing().len(),
            initial_layout: match initial.layout {
                Layout::B => "b",
                Layout::A => "a",
            },
            saved_clut: capture.saved_clut().is_some(),
            records: capture.records().len(),
            kinds,
            commands,
            displays,
            block_transfers,
            clut_loads,
            draws,
            stopped: visited.err().map(|error| error.to_string()),
            archive,
        }
    }

    /// What it is, on one line.
    pub(super) fn summary(&self) -> String {
        format!(
            "version {}, {}, {}",
            self.file_version,
            count(self.records, "record"),
            count(self.draws.len(), "draw")
        )
    }

    pub(super) fn write_text(&self, out: &mut dyn Write, all: bool) -> io::Result<()> {
        if let Some(archive) = &self.archive {
            write!(out, "  from the zip archive: {}", archive.name)?;
            match archive.candidates.len() {
                0 | 1 => writeln!(out)?,
                several => writeln!(out, " (the last of {several} captures in it)")?,
            }
        }
        write!(out, "  version {}", self.file_version)?;
        if let Some(id) = &self.game_id {
            write!(out, ", game {id}")?;
        }
        writeln!(
            out,
            ", INIT layout {}{}",
            self.initial_layout.to_uppercase(),
            if self.saved_clut {
                " with the saved CLUT"
            } else {
                ""
            }
        )?;
        writeln!(
            out,
            "  {}, push buffer of {}",
            count(self.records, "record"),
            count(self.push_buffer_bytes, "byte")
        )?;
        if self.trailing_bytes > 0 {
            writeln!(
                out,
                "  {} after the push buffer",
                count(self.trailing_bytes, "byte")
            )?;
        }
        writeln!(
            out,
            "  {}: {}, {}, {}\n",
            count(self.commands, "GE command"),
            count(self.draws.len(), "draw"),
            count(self.block_transfers, "block transfer"),
            count(self.clut_loads, "CLUT load")
        )?;
        if let Some(stopped) = &self.stopped {
            writeln!(
                out,
                "  the replay stops at {stopped}: draws behind it are not counted\n"
            )?;
        }
        let mut kinds = Table::new([
            ("record", Align::Left),
            ("count", Align::Right),
            ("bytes", Align::Right),
        ]);
        for kind in &self.kinds {
            kinds.row([
                kind.kind.clone(),
                kind.records.to_string(),
                kind.bytes.to_string(),
            ]);
        }
        kinds.write(out)?;
        if !self.displays.is_empty() {
            writeln!(out)?;
            self.display_table().write(out)?;
        }
        if self.displays.is_empty() {
            writeln!(out, "\n  no DISPLAY record: the frame shows no picture")?;
        }
        writeln!(out)?;
        if all {
            Draw::table(&self.draws).write(out)
        } else {
            self.target_table().write(out)?;
            writeln!(out, "\n  --all lists every draw")
        }
    }

    fn display_table(&self) -> Table<5> {
        let mut table = Table::new([
            ("DISPLAY", Align::Left),
            ("address", Align::Left),
            ("stride", Align::Right),
            ("format", Align::Left),
            ("note", Align::Left),
        ]);
        for display in &self.displays {
            let format = match display.format {
                0 => "5650".to_owned(),
                1 => "5551".to_owned(),
                2 => "4444".to_owned(),
                3 => "8888".to_owned(),
                other => format!("unknown ({other})"),
            };
            table.row([
                format!("record {}", display.record),
                format!("{:#010X}", display.address),
                display.stride.to_string(),
                format,
                if display.shown {
                    "the picture of the frame".into()
                } else {
                    String::new()
                },
            ]);
        }
        table
    }

    /// The render targets, in the order of their first use.
    fn target_table(&self) -> Table<5> {
        let mut targets: Vec<(String, usize, u32, usize, usize)> = Vec::new();
        for draw in &self.draws {
            let target = draw.target_text();
            let textured = usize::from(draw.is_textured());
            let through = usize::from(draw.is_through());
            match targets.iter_mut().find(|(known, ..)| *known == target) {
                Some((_, draws, vertices, with_texture, with_through)) => {
                    *draws += 1;
                    *vertices += draw.vertex_count();
                    *with_texture += textured;
                    *with_through += through;
                }
                None => targets.push((target, 1, draw.vertex_count(), textured, through)),
            }
        }
        let mut table = Table::new([
            ("render target", Align::Left),
            ("draws", Align::Right),
            ("vertices", Align::Right),
            ("textured", Align::Right),
            ("2D (through)", Align::Right),
        ]);
        for (target, draws, vertices, textured, through) in targets {
            table.row([
                target,
                draws.to_string(),
                vertices.to_string(),
                textured.to_string(),
                through.to_string(),
            ]);
        }
        table
    }
}

/// A record kind by its name in `spec/capture.md` §4, texture levels as one.
pub(crate) fn kind_name(kind: RecordKind) -> String {
    match kind {
        RecordKind::Init => "INIT".into(),
        RecordKind::Registers => "REGISTERS".into(),
        RecordKind::Vertices => "VERTICES".into(),
        RecordKind::Indices => "INDICES".into(),
        RecordKind::Clut => "CLUT".into(),
        RecordKind::TransferSource => "TRANSFERSRC".into(),
        RecordKind::MemorySet => "MEMSET".into(),
        RecordKind::CopyDestination => "MEMCPYDEST".into(),
        RecordKind::CopyData => "MEMCPYDATA".into(),
        RecordKind::Display => "DISPLAY".into(),
        RecordKind::ClutAddress => "CLUTADDR".into(),
        RecordKind::EdramTranslation => "EDRAMTRANS".into(),
        RecordKind::Texture(level) => format!("TEXTURE{}", level.index()),
        RecordKind::Framebuffer(level) => format!("FRAMEBUF{}", level.index()),
    }
}
