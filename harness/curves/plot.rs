//! Charts as pictures: small plots in a grid, one a panel.

use std::sync::LazyLock;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::register_font;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::{Chart, Line, Panel};
use crate::picture::Picture;

/// Width of a plot in pixels.
const WIDTH: u32 = 380;
/// Height of a plot in pixels.
const HEIGHT: u32 = 190;
/// Height of the title above all plots.
const TITLE: u32 = 58;
/// Most plots side by side.
const COLUMNS: usize = 4;
/// Plots beyond these are refused: nobody would look at them all.
const MOST_PANELS: usize = 256;
/// Keys are marked where a curve has no more of them than this.
const MARKED_KEYS: usize = 64;

/// A PNG is drawn this much larger and then averaged: lines and small letters come out even.
const OVERSAMPLING: u32 = 2;

const INK: RGBColor = RGBColor(38, 42, 51);
const FAINT: RGBColor = RGBColor(110, 116, 128);
const GRID: RGBColor = RGBColor(226, 229, 235);
/// Of lines; the first three are those of X, Y and Z everywhere.
const COLORS: [RGBColor; 8] = [
    RGBColor(208, 60, 56),
    RGBColor(38, 140, 84),
    RGBColor(44, 102, 204),
    RGBColor(222, 138, 22),
    RGBColor(134, 76, 188),
    RGBColor(18, 150, 168),
    RGBColor(196, 70, 138),
    RGBColor(110, 100, 76),
];

/// Why a chart has no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlotError {
    /// Nothing to draw.
    #[error("there are no channels to plot")]
    Empty,
    /// Too many plots.
    #[error("{0} plots are more than the {MOST_PANELS} that one picture holds")]
    TooMany(usize),
    /// The plotter gave up.
    #[error("plotting failed: {0}")]
    Backend(String),
}

type Result<T> = std::result::Result<T, PlotError>;

/// Draws a chart as a picture.
///
/// # Errors
///
/// See [`PlotError`].
pub fn plot_png(chart: &Chart) -> Result<Picture> {
    let (width, height) = size(chart)?;
    let (wide, high) = (width * OVERSAMPLING, height * OVERSAMPLING);
    let mut rgb = vec![0; wide as usize * high as usize * 3];
    draw(
        &BitMapBackend::with_buffer(&mut rgb, (wide, high)).into_drawing_area(),
        chart,
        OVERSAMPLING,
    )?;
    let mut picture = Picture::filled(width, height, [255; 4]);
    for y in 0..height {
        for x in 0..width {
            let mean = |channel: usize| {
                let inside =
                    (0..OVERSAMPLING).flat_map(|row| (0..OVERSAMPLING).map(move |column| (row, column)));
                let values = inside.filter_map(|(row, column)| {
                    let pixel = (y * OVERSAMPLING + row) as usize * wide as usize
                        + (x * OVERSAMPLING + column) as usize;
                    rgb.get(pixel * 3 + channel).copied().map(u32::from)
                });
                (values.sum::<u32>() / (OVERSAMPLING * OVERSAMPLING)) as u8
            };
            picture.set_pixel(x, y, [mean(0), mean(1), mean(2), 255]);
        }
    }
    Ok(picture)
}

/// Draws a chart as SVG, its text as text.
///
/// # Errors
///
/// See [`PlotError`].
pub fn plot_svg(chart: &Chart) -> Result<String> {
    let size = size(chart)?;
    let mut svg = String::new();
    draw(
        &SVGBackend::with_string(&mut svg, size).into_drawing_area(),
        chart,
        1,
    )?;
    Ok(svg)
}

/// Columns and rows of plots.
fn grid(chart: &Chart) -> (usize, usize) {
    let columns = chart.panels.len().clamp(1, COLUMNS);
    (columns, chart.panels.len().div_ceil(columns))
}

/// Width and height of the picture.
fn size(chart: &Chart) -> Result<(u32, u32)> {
    match chart.panels.len() {
        0 => return Err(PlotError::Empty),
        count if count > MOST_PANELS => return Err(PlotError::TooMany(count)),
        _ => {}
    }
    let (columns, rows) = grid(chart);
    // Few plots are drawn larger.
    let scale = if chart.panels.len() <= 2 { 2 } else { 1 };
    Ok((
        columns as u32 * WIDTH * scale,
        TITLE + rows as u32 * HEIGHT * scale,
    ))
}

fn failed(error: impl std::fmt::Display) -> PlotError {
    PlotError::Backend(error.to_string())
}

/// Text of a size in a colour, from its left upper corner on.
fn text(size: u32, color: &RGBColor) -> TextStyle<'static> {
    let pos = Pos::new(HPos::Left, VPos::Top);
    ("sans-serif", size)
        .into_font()
        .color(color)
        .pos(pos)
        .into_text_style(&(0, 0))
}

/// Draws a chart, `unit` pixels for each.
fn draw<B: DrawingBackend>(root: &DrawingArea<B, Shift>, chart: &Chart, unit: u32) -> Result<()> {
    // The machine's own fonts would make pictures differ, or fail where there are none.
    static FONT: LazyLock<bool> = LazyLock::new(|| {
        let font = epaint_default_fonts::UBUNTU_LIGHT;
        register_font("sans-serif", FontStyle::Normal, font).is_ok()
    });
    if !*FONT {
        return Err(PlotError::Backend("its font cannot be read".into()));
    }
    root.fill(&WHITE).map_err(failed)?;
    let at = |x: i32, y: i32| (x * unit as i32, y * unit as i32);
    let (heading, plots) = root.split_vertically(TITLE * unit);
    heading
        .draw_text(&chart.title, &text(22 * unit, &INK), at(14, 8))
        .map_err(failed)?;
    heading
        .draw_text(&chart.summary(), &text(15 * unit, &FAINT), at(14, 35))
        .map_err(failed)?;
    let (columns, rows) = grid(chart);
    for (area, panel) in plots.split_evenly((rows, columns)).iter().zip(&chart.panels) {
        draw_panel(area, chart, panel, unit)?;
    }
    root.present().map_err(failed)
}

/// The place of a line's colour: that of its axis, or else its own.
fn color(index: usize, line: &Line) -> RGBColor {
    let axis = ["X", "Y", "Z"].iter().position(|axis| *axis == line.name);
    COLORS[axis.unwrap_or(index) % COLORS.len()]
}

fn draw_panel<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    chart: &Chart,
    panel: &Panel,
    unit: u32,
) -> Result<()> {
    let (lowest, highest) = panel.range();
    // A channel that rests is a line in the middle, not one whose noise fills the plot.
    let room = ((highest - lowest) * 0.08)
        .max(highest.abs().max(lowest.abs()) * 0.01)
        .max(0.05);
    let last = f64::from(chart.last_frame.max(1));
    let (heading, plot) = area.split_vertically(26 * unit);
    legend(&heading, panel, unit)?;
    let mut context = ChartBuilder::on(&plot)
        .margin_left(6 * unit)
        .margin_right(16 * unit)
        .margin_top(2 * unit)
        .x_label_area_size(24 * unit)
        .y_label_area_size(46 * unit)
        .build_cartesian_2d(0.0..last, lowest - room..highest + room)
        .map_err(failed)?;
    context
        .configure_mesh()
        .bold_line_style(GRID.stroke_width(unit))
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT.stroke_width(unit))
        .x_labels(7)
        .y_labels(5)
        .x_label_formatter(&|frame| short(*frame))
        .y_label_formatter(&|value| short(*value))
        .label_style(text(14 * unit, &FAINT))
        .draw()
        .map_err(failed)?;
    for (index, line) in panel.lines.iter().enumerate() {
        let color = color(index, line);
        let points = (0_u32..).map(f64::from).zip(line.values.iter().copied());
        context
            .draw_series(LineSeries::new(points, color.stroke_width(3 * unit / 2)))
            .map_err(failed)?;
        if line.keys.len() <= MARKED_KEYS {
            let marks = line.keys.iter().filter_map(|&frame| {
                let value = line.values.get(frame.round().max(0.0) as usize)?;
                Some(Circle::new((frame, *value), 5 * unit / 2, color.filled()))
            });
            context.draw_series(marks).map_err(failed)?;
        }
    }
    Ok(())
}

/// What a panel shows, and the names of its lines in their colours.
fn legend<B: DrawingBackend>(area: &DrawingArea<B, Shift>, panel: &Panel, unit: u32) -> Result<()> {
    let mut x = 52 * unit as i32;
    let title = format!("{}: {}", panel.driven, panel.quantity.label());
    let mut write = |words: &str, color: &RGBColor| -> Result<()> {
        let style = text(16 * unit, color);
        let (width, _) = area.estimate_text_size(words, &style).map_err(failed)?;
        area.draw_text(words, &style, (x, 6 * unit as i32))
            .map_err(failed)?;
        x += (width + 10 * unit) as i32;
        Ok(())
    };
    write(&title, &INK)?;
    for (index, line) in panel.lines.iter().enumerate() {
        write(&line.name, &color(index, line))?;
    }
    Ok(())
}

/// A number as short as the grid's steps allow.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curves::Quantity;
    use motion::play::LoopRule;

    fn chart(panels: usize) -> Chart {
        let line = |name: &str, slope: f64| Line {
            name: name.into(),
            keys: vec![0.0, 4.0],
            values: (0..5).map(|frame| f64::from(frame) * slope).collect(),
        };
        let panel = |index: usize| Panel {
            driven: format!("joint {index}"),
            bone: Some(index as i32),
            quantity: Quantity::Rotation,
            lines: vec![line("X", 1.0), line("<&>", 0.5)],
        };
        Chart {
            title: "test".into(),
            last_frame: 4,
            frames_per_second: 60.0,
            loop_rule: LoopRule::From(0.0),
            panels: (0..panels).map(panel).collect(),
        }
    }

    #[test]
    fn lines_and_labels_are_drawn() {
        let picture = plot_png(&chart(5)).unwrap();
        assert_eq!(
            (picture.width(), picture.height()),
            (4 * WIDTH, TITLE + 2 * HEIGHT)
        );
        let has = |color: RGBColor| {
            picture
                .pixels()
                .any(|pixel| pixel == [color.0, color.1, color.2, 255])
        };
        assert!(has(COLORS[0]) && has(COLORS[1]) && has(GRID) && !has(COLORS[2]));
        let svg = plot_svg(&chart(1)).unwrap();
        for text in [
            "joint 0: rotation in degrees",
            "frames 0 to 4 at 60 a second, loops; 2 channels",
            "&lt;&amp;&gt;",
        ] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(svg.matches("<polyline").count() >= 2);
    }

    #[test]
    fn nothing_and_too_much_are_refused() {
        assert_eq!(plot_png(&chart(0)), Err(PlotError::Empty));
        assert_eq!(
            plot_svg(&chart(MOST_PANELS + 1)),
            Err(PlotError::TooMany(MOST_PANELS + 1))
        );
    }

    #[test]
    fn grid_numbers_are_short() {
        assert_eq!(
            [short(-0.0), short(0.25), short(-12.0), short(1e-9)],
            ["0", "0.25", "-12", "0"]
        );
    }
}
