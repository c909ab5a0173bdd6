//! Curves as comma-separated values.

use std::fmt::Write as _;

use super::Chart;

/// A line for each frame, a column for each channel, after a line of names.
///
/// Numbers have as many digits as tell them apart.
#[must_use]
pub fn write_csv(chart: &Chart) -> String {
    let mut text = "frame".to_owned();
    let lines = || {
        chart
            .panels
            .iter()
            .flat_map(|panel| panel.lines.iter().map(move |line| (panel, line)))
    };
    for (panel, line) in lines() {
        let name = format!("{} {} {}", panel.driven, panel.quantity.name(), line.name);
        text.push(',');
        text.push_str(&quoted(&name));
    }
    text.push('\n');
    for frame in 0..=chart.last_frame {
        let _ = write!(text, "{frame}");
        for (_, line) in lines() {
            text.push(',');
            if let Some(value) = line.values.get(frame as usize) {
                let _ = write!(text, "{value}");
            }
        }
        text.push('\n');
    }
    text
}

/// A field, in quotes where it needs them.
fn quoted(field: &str) -> String {
    if field.contains(['"', ',', '\n', '\r']) {
        return format!("\"{}\"", field.replace('"', "\"\""));
    }
    field.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::{Line, Panel, Quantity};
    use motion::play::LoopRule;

    #[test]
    fn a_column_a_channel_and_a_line_a_frame() {
        let line = |name: &str, values: [f64; 2]| Line {
            name: name.to_owned(),
            keys: vec![],
            values: values.into(),
        };
        let chart = Chart {
            title: String::new(),
            last_frame: 1,
            frames_per_second: 60.0,
            loop_rule: LoopRule::Once,
            panels: vec![Panel {
                driven: "shape a,b".to_owned(),
                bone: None,
                quantity: Quantity::Weight,
                lines: vec![line("rest", [1.0, 0.75]), line("say \"o\"", [0.0, 0.25])],
            }],
        };
        assert_eq!(
            write_csv(&chart),
            "frame,\"shape a,b weights rest\",\"shape a,b weights say \"\"o\"\"\"\n0,1,0\n1,0.75,0.25\n"
        );
    }
}
