//! The history of a pixel as text.
use std::io::{self, Write};

use super::{Event, FragmentReport, History, MadeBy, Position, StepReport, Value};
use crate::draws::{Draw, short_texture};
use crate::inspect::count;

/// How many events of a history are told unless more are asked for.
pub const USUAL_EVENTS: usize = 32;

/// Writes which pixel of which capture a history is of.
///
/// # Errors
/// What `out` returns.
pub fn write_title(out: &mut dyn Write, capture: &str, history: &History) -> io::Result<()> {
    let Position { x, y } = history.position;
    writeln!(
        out,
        "{capture}: pixel {x},{y} at {:08X}, {}",
        history.address, history.format
    )?;
    writeln!(out)
}

/// Writes a history: a paragraph an event, the last `limit` of them.
///
/// # Errors
/// What `out` returns.
pub fn write(out: &mut dyn Write, history: &History, limit: usize) -> io::Result<()> {
    let hidden = history.events.len().saturating_sub(limit);
    if hidden > 0 {
        let hidden = count(hidden, "earlier event");
        writeln!(out, "... {hidden} left out: --all shows everything\n")?;
    }
    for event in &history.events[history.events.len() - history.events.len().min(limit)..] {
        write_event(out, event, history)?;
        writeln!(out)?;
    }
    let made_by = match history.made_by {
        Some(MadeBy::Draw { draw }) => format!("made by draw {draw}"),
        Some(MadeBy::Transfer { source }) => format!("made by a block transfer from {source:08X}"),
        Some(MadeBy::Copy { record }) => format!("copied to VRAM by record {record}"),
        Some(MadeBy::Fill { record }) => format!("filled by record {record}"),
        None if history.events.is_empty() => "nothing covers it".to_owned(),
        None => "nothing that covers it changes it".to_owned(),
    };
    writeln!(out, "shown: {}, {made_by}", value(history.value, history.format))
}

fn write_event(out: &mut dyn Write, event: &Event, history: &History) -> io::Result<()> {
    let format = history.format;
    match event {
        Event::Draw {
            draw,
            fragments,
            by_depth,
        } => {
            write_draw(out, draw)?;
            for fragment in fragments {
                write_fragment(out, fragment, draw, history.position)?;
            }
            if let Some([before, after]) = by_depth {
                write_change(out, "its depth buffer lies there", *before, *after, format)?;
            }
            Ok(())
        }
        Event::Transfer {
            source,
            destination,
            row_bytes,
            rows,
            before,
            after,
        } => {
            let size = format!("{} of {row_bytes} bytes", count(*rows as usize, "row"));
            writeln!(out, "block transfer: {source:08X} to {destination:08X}, {size}")?;
            write_change(out, "written", *before, *after, format)
        }
        Event::Copy {
            record,
            destination,
            bytes,
            before,
            after,
        } => {
            writeln!(
                out,
                "copy to VRAM, record {record}: {bytes} bytes to {destination:08X}"
            )?;
            write_change(out, "written", *before, *after, format)
        }
        Event::Fill {
            record,
            destination,
            bytes,
            before,
            after,
        } => {
            writeln!(
                out,
                "fill of VRAM, record {record}: {bytes} bytes at {destination:08X}"
            )?;
            write_change(out, "written", *before, *after, format)
        }
    }
}

fn write_change(
    out: &mut dyn Write,
    what: &str,
    before: Value,
    after: Value,
    format: &str,
) -> io::Result<()> {
    let (before, after) = (value(before, format), value(after, format));
    writeln!(out, "  {what}: {before} -> {after}")
}

fn write_draw(out: &mut dyn Write, draw: &Draw) -> io::Result<()> {
    let mut words = vec![format!("{:08X} {}", draw.target.address, draw.target.format)];
    words.extend(draw.texture.as_ref().map(short_texture));
    words.extend(draw.state.in_words());
    writeln!(
        out,
        "draw {}, record {}: {}, {}; {}",
        draw.draw,
        draw.record,
        draw.primitive,
        count(draw.vertices as usize, "vertex"),
        words.join("; ")
    )
}

fn write_fragment(
    out: &mut dyn Write,
    fragment: &FragmentReport,
    draw: &Draw,
    position: Position,
) -> io::Result<()> {
    let [x, y] = fragment.position;
    let elsewhere = if (x.into(), y.into()) == (position.x, position.y) {
        String::new()
    } else {
        format!(", at {x},{y} of its target")
    };
    writeln!(
        out,
        "  {} {} of {}{elsewhere}",
        fragment.kind, fragment.primitive, draw.primitives
    )?;
    for step in fragment.steps.iter().filter(|step| !fragment.repeats(step)) {
        let (name, text) = words(step);
        writeln!(out, "    {name:<13} {text}")?;
    }
    let format = draw.target.format;
    let verdict = match fragment.discarded_by() {
        Some(test) => format!("discarded by the {test}"),
        None => "written".to_owned(),
    };
    let before = format!(
        "{}, depth {}",
        value(fragment.before, format),
        fragment.depth_before
    );
    let after = format!(
        "{}, depth {}",
        value(fragment.after, format),
        fragment.depth_after
    );
    if before == after {
        return writeln!(out, "    {verdict}, stays {after}");
    }
    writeln!(
        out,
        "    {verdict}\n      before      {before}\n      after       {after}"
    )
}

/// A step's name and what it decided.
fn words(step: &StepReport) -> (&'static str, String) {
    let verdict = |passes: &bool| if *passes { "passes" } else { "fails" };
    let mask = |mask: u8| match mask {
        0xFF => String::new(),
        mask => format!(", both & 0x{mask:02X}"),
    };
    match step {
        StepReport::DepthRange {
            depth,
            range: [minimum, maximum],
            passes,
        } => (
            "depth range",
            format!("{depth} in {minimum}..{maximum}: {}", verdict(passes)),
        ),
        StepReport::DepthTest {
            incoming,
            compare,
            stored,
            passes,
        } => (
            "depth test",
            format!("{incoming} {compare} {stored}: {}", verdict(passes)),
        ),
        StepReport::Vertices {
            rgba: color,
            secondary,
        } => {
            let secondary = match secondary {
                Some([red, green, blue]) => format!(", secondary {red} {green} {blue}"),
                None => String::new(),
            };
            ("vertices", rgba(*color) + &secondary)
        }
        StepReport::Texel { rgba: color, at } => {
            let at = match at {
                Some([s, t]) => format!(" at {s:.3}, {t:.3}"),
                None => ": the texture cannot be read".to_owned(),
            };
            ("texel", rgba(*color) + &at)
        }
        StepReport::Source { rgba: color } => ("source", rgba(*color)),
        StepReport::AlphaTest {
            incoming,
            compare,
            reference,
            mask: bits,
            passes,
        } => (
            "alpha test",
            format!(
                "{incoming} {compare} {reference}{}: {}",
                mask(*bits),
                verdict(passes)
            ),
        ),
        StepReport::Fog { factor, rgba: color } => (
            "fog",
            format!("{} at {factor} of 255, where 255 is no fog", rgba(*color)),
        ),
        StepReport::ColourTest {
            incoming,
            compare,
            reference,
            mask: bits,
            passes,
        } => {
            let hex = |[red, green, blue]: [u8; 3]| format!("{red:02X}{green:02X}{blue:02X}");
            let bits = match bits {
                [0xFF, 0xFF, 0xFF] => String::new(),
                bits => format!(", both & {}", hex(*bits)),
            };
            (
                "colour test",
                format!(
                    "{} {compare} {}{bits}: {}",
                    hex(*incoming),
                    hex(*reference),
                    verdict(passes)
                ),
            )
        }
        StepReport::StencilTest {
            reference,
            compare,
            stored,
            mask: bits,
            passes,
        } => (
            "stencil test",
            format!(
                "{reference} {compare} {stored}{}: {}",
                mask(*bits),
                verdict(passes)
            ),
        ),
    }
}

fn rgba([red, green, blue, alpha]: [u8; 4]) -> String {
    format!("{red} {green} {blue} {alpha}")
}

/// A colour as it is stored, and as red, green, blue and alpha.
fn value(value: Value, format: &str) -> String {
    let color = rgba(value.rgba);
    match format {
        "8888" => format!("{:08X} ({color})", value.stored),
        _ => format!("{:04X} ({color})", value.stored),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_read_as_they_were_made() {
        let step = StepReport::StencilTest {
            reference: 1,
            compare: "==",
            stored: 0x80,
            mask: 0x0F,
            passes: false,
        };
        assert_eq!(
            words(&step),
            ("stencil test", "1 == 128, both & 0x0F: fails".to_owned())
        );
        let step = StepReport::Texel {
            rgba: [1, 2, 3, 4],
            at: Some([12.5, -0.25]),
        };
        assert_eq!(words(&step).1, "1 2 3 4 at 12.500, -0.250");
    }

    #[test]
    fn colours_have_the_width_of_their_format() {
        let stored = Value {
            stored: 0x801F,
            rgba: [255, 0, 0, 255],
        };
        assert_eq!(value(stored, "5551"), "801F (255 0 0 255)");
        assert_eq!(value(stored, "8888"), "0000801F (255 0 0 255)");
    }
}
