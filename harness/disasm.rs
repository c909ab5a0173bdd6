//! Display lists as text: an offset, the word, and what the GE does with it.
use std::io::{self, Write};

use formats::capture::{Capture, Payload};
use formats::pmo::Pmo;
use ge::command::{Command, Opcode};

use crate::error::HarnessError;
use crate::inspect::kind_name;

/// Follows the commands that steer addresses, so that VADDR, IADDR and the jumps can be shown with
/// the address that they mean (`spec/ge-frontend.md` §2.3), and textures, palettes and transfers, whose addresses
/// are split over two commands, with the whole of theirs.
#[derive(Debug, Clone, Copy)]
struct Steering {
    base: u32,
    offset: u32,
    /// By opcode, a half of an address whose other half has not come yet.
    halves: [Option<u32>; 256],
}

impl Default for Steering {
    fn default() -> Self {
        Self {
            base: 0,
            offset: 0,
            halves: [None; 256],
        }
    }
}

impl Steering {
    /// The address that the command at `at` means, if it is one that means any.
    fn follow(&mut self, at: u32, command: Command) -> Option<u32> {
        let argument = command.argument();
        let opcode = command.opcode();
        self.halves[usize::from(opcode.0)] = Some(argument);
        match opcode {
            Opcode::BASE => self.base = (argument >> 16 & 0xF) << 24,
            Opcode::OFFSETADDR => self.offset = argument << 8,
            Opcode::ORIGIN => self.offset = at,
            Opcode::VADDR | Opcode::IADDR => {
                return Some(self.offset.wrapping_add(self.base | argument) & 0x0FFF_FFFF);
            }
            Opcode::JUMP | Opcode::BJUMP | Opcode::CALL => {
                return Some(self.offset.wrapping_add(self.base | argument & 0xFF_FFFC) & 0x0FFF_FFFC);
            }
            Opcode(low @ 0xA0..=0xA7) => return self.split(Opcode(low), Opcode(low + 8)),
            Opcode(high @ 0xA8..=0xAF) => return self.split(Opcode(high - 8), Opcode(high)),
            Opcode::CLUTADDR | Opcode::CLUTADDRHI => {
                return self.split(Opcode::CLUTADDR, Opcode::CLUTADDRHI);
            }
            Opcode::XFERSRC | Opcode::XFERSRCW => return self.split(Opcode::XFERSRC, Opcode::XFERSRCW),
            Opcode::XFERDST | Opcode::XFERDSTW => return self.split(Opcode::XFERDST, Opcode::XFERDSTW),
            _ => {}
        }
        None
    }

    /// The address whose bits 23 to 4 and 27 to 24 two commands hold, at the second of them: together with a half
    /// from before, the first would tell of an address that nobody means.
    fn split(&mut self, low: Opcode, high: Opcode) -> Option<u32> {
        let [low, high] = [low, high].map(|opcode| usize::from(opcode.0));
        let address = (self.halves[high]? >> 16 & 0xF) << 24 | self.halves[low]? & 0xFF_FFF0;
        self.halves[low] = None;
        self.halves[high] = None;
        Some(address)
    }
}

/// Writes one line a word: the address of the word, counted from `start`, the word and its meaning.
/// Stops behind a RET or END if `stop` asks for it; gives the number of words written.
fn write_list(
    out: &mut dyn Write,
    start: u32,
    words: impl IntoIterator<Item = u32>,
    stop: Stop,
    steering: &mut Steering,
) -> io::Result<usize> {
    let mut count = 0;
    let mut at = start;
    for word in words {
        let command = Command::from_word(word);
        write!(out, "  {at:06X}  {word:08X}  {command}")?;
        match steering.follow(at, command) {
            Some(address) => writeln!(out, "  -> {address:#08X}")?,
            None => writeln!(out)?,
        }
        count += 1;
        at = at.wrapping_add(4);
        if stop == Stop::AtListEnd && matches!(command.opcode(), Opcode::RET | Opcode::END) {
            break;
        }
    }
    Ok(count)
}

/// How far a list is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stop {
    AtListEnd,
    AtLastWord,
}

/// The display lists of a model, group by group. Offsets count from the start of the geometry
/// region, as the list's own addresses do once it is called there.
///
/// # Errors
/// A model whose geometry cannot be laid out, and what `out` returns.
pub fn write_model(out: &mut dyn Write, name: &str, model: &Pmo) -> Result<(), HarnessError> {
    let geometry = model.geometry().map_err(|error| {
        HarnessError::refused(
            name,
            format!("its lists cannot be laid out: {error}"),
            "ge-harness inspect shows its groups",
        )
    })?;
    let mut index = 0;
    for (mesh_index, mesh) in model.meshes.iter().enumerate() {
        for group in &mesh.groups {
            if index > 0 {
                writeln!(out)?;
            }
            write!(
                out,
                "{name}: group {index}, mesh {mesh_index}, material {}",
                group.material
            )?;
            for entry in &group.palette {
                write!(out, ", slot {} = bone {}", entry.slot, entry.bone)?;
            }
            writeln!(out)?;
            if let Some(offsets) = geometry.groups.get(index) {
                let list = geometry.bytes.get(offsets.list as usize..).unwrap_or_default();
                write_list(
                    out,
                    offsets.list,
                    words(list),
                    Stop::AtListEnd,
                    &mut Steering::default(),
                )?;
            }
            index += 1;
        }
    }
    Ok(())
}

/// The commands of a capture in the order in which they ran, with the records of data between them.
///
/// # Errors
/// What `out` returns.
pub fn write_capture(out: &mut dyn Write, capture: &Capture) -> io::Result<()> {
    let mut steering = Steering::default();
    for (index, record) in capture.records().iter().enumerate() {
        let kind = kind_name(record.kind);
        write!(out, "record {index}: {kind}, {} bytes", record.size)?;
        match capture.payload(record) {
            Payload::Registers(words) => {
                writeln!(out)?;
                write_list(out, 0, words.iter(), Stop::AtLastWord, &mut steering)?;
            }
            Payload::Init(state) => {
                writeln!(out)?;
                // Registers not stored start as their number with argument 0; they say nothing.
                let stored = state
                    .registers
                    .iter()
                    .copied()
                    .filter(|word| word & 0xFF_FFFF != 0);
                for word in stored {
                    steering.follow(0, Command::from_word(word));
                    writeln!(out, "          {word:08X}  {}", Command::from_word(word))?;
                }
            }
            Payload::Display(display) => writeln!(
                out,
                ": address {:#010X}, stride {}, format {}",
                display.address, display.stride, display.format
            )?,
            Payload::MemorySet(fill) => writeln!(
                out,
                ": {:#010X}, {} bytes of {:#04X}",
                fill.address, fill.size, fill.value
            )?,
            Payload::CopyDestination(address) => writeln!(out, ": {address:#010X}")?,
            Payload::EdramTranslation(value) => writeln!(out, ": {value:#X}")?,
            Payload::ClutAddress { address, flags } => {
                writeln!(out, ": {address:#010X}, flags {:#X}", flags.0)?;
            }
            Payload::Framebuffer(texture) => writeln!(
                out,
                ": {:#010X}, width {}, flags {:#X}",
                texture.address, texture.width, texture.flags.0
            )?,
            _ => writeln!(out, " at {:#X} of the push buffer", record.offset)?,
        }
    }
    Ok(())
}

/// A file of nothing but words, the first of which stands at `start`.
///
/// # Errors
/// What `out` returns.
pub fn write_raw(out: &mut dyn Write, start: u32, bytes: &[u8]) -> io::Result<()> {
    let count = write_list(
        out,
        start,
        words(bytes),
        Stop::AtLastWord,
        &mut Steering::default(),
    )?;
    match bytes.len() - count * 4 {
        0 => Ok(()),
        rest => writeln!(out, "  {rest} bytes left over: a word has four"),
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|word| u32::from_le_bytes(*word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(start: u32, words: &[u32]) -> String {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut out = Vec::new();
        write_raw(&mut out, start, &bytes).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// `spec/mhp-formats.md` §3.4: ORIGIN at 0x50 and VADDR 0x10 gives 0x60; OFFSETADDR 0x12 then
    /// VADDR 0x10 gives 0x1210; BASE 0x050000 on top gives 0x05001210.
    #[test]
    fn addresses_are_followed() {
        let text = raw(
            0x50,
            &[
                0x1400_0000,
                0x0100_0010,
                0x1300_0012,
                0x0100_0010,
                0x1005_0000,
                0x0100_0010,
            ],
        );
        let targets: Vec<_> = text.lines().filter_map(|line| line.split("-> ").nth(1)).collect();
        assert_eq!(targets, ["0x000060", "0x001210", "0x5001210"]);
        assert!(text.starts_with("  000050  14000000  ORIGIN\n"), "{text}");
    }

    /// Half an address tells nothing; either half completes the other, and an old one does not.
    #[test]
    fn split_addresses_are_put_together() {
        let text = raw(
            0,
            &[
                0xA012_3450,
                0xA809_0080,
                0xB000_0010,
                0xB104_0000,
                0xA012_0000,
                0xB308_0100,
                0xB200_1000,
            ],
        );
        let targets: Vec<_> = text
            .lines()
            .map(|line| line.split("-> ").nth(1).unwrap_or(""))
            .collect();
        assert_eq!(targets, ["", "0x9123450", "", "0x4000010", "", "", "0x8001000"]);
    }

    #[test]
    fn words_after_the_end_are_shown_in_a_raw_file() {
        let text = raw(0, &[0x0F00_0000, 0x0C00_0000, 0x0404_0004]);
        assert_eq!(text.lines().count(), 3);
        assert!(
            text.ends_with("000008  04040004  PRIM triangle strip, 4 vertices\n"),
            "{text}"
        );
    }

    #[test]
    fn left_over_bytes_are_told() {
        let mut out = Vec::new();
        write_raw(&mut out, 0, &[0, 0, 0, 0x0B, 1, 2]).unwrap();
        assert!(
            String::from_utf8(out)
                .unwrap()
                .ends_with("  2 bytes left over: a word has four\n")
        );
    }
}
