//! The panels for a recorded frame.

use std::sync::Arc;

use egui::{FontId, Label, RichText, ScrollArea, Slider, Ui};

use super::icons::{self, Icon};
use super::style;
use crate::replay::Shown;
use crate::view::capture_state::{Asked, CaptureState};
use crate::view::command;
use crate::view::keys::Action;
use crate::view::recorded::{DrawList, draw_of_line, has_history};
use crate::view::scrub::Reached;

/// Letters of tables and reports.
const SMALL: FontId = FontId::monospace(11.5);

/// The state of a draw as text, which is not written anew for each frame.
#[derive(Default)]
pub(super) struct Details {
    of: Option<(Arc<DrawList>, u64)>,
    text: String,
    /// The draw that the list was last scrolled to.
    scrolled_to: Option<u64>,
}

impl Details {
    fn text(&mut self, draws: &Arc<DrawList>, draw: u64) -> &str {
        let is_there = self
            .of
            .as_ref()
            .is_some_and(|(list, number)| Arc::ptr_eq(list, draws) && *number == draw);
        if !is_there {
            self.text = draws.details(draw).unwrap_or_default();
            self.of = Some((Arc::clone(draws), draw));
        }
        &self.text
    }
}

/// What is shown, the draws, and the state of the one that was drawn last.
pub(super) fn side(ui: &mut Ui, state: &mut CaptureState, details: &mut Details) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        ui.spacing_mut().button_padding.x = 6.0;
        for (key, shown) in ('1'..).zip([
            Shown::Display,
            Shown::Colour,
            Shown::Depth,
            Shown::Stencil,
            Shown::Texture,
        ]) {
            ui.selectable_value(&mut state.shown, shown, command::name(shown))
                .on_hover_text(format!("key {key}"));
        }
    });
    ui.separator();
    let Some(draws) = state.draws.clone() else {
        ui.label(RichText::new("counting the draws").color(style::ASIDE));
        return;
    };
    if draws.is_empty() {
        ui.label(RichText::new("nothing is drawn").color(style::ASIDE));
        return;
    }
    let room = (ui.available_height() * 0.45).max(120.0);
    ui.allocate_ui(egui::vec2(ui.available_width(), room), |ui| {
        ui.set_min_height(room);
        list(ui, state, &draws, details);
    });
    ui.separator();
    if let Some(draw) = state.scrub.draw() {
        let text = details.text(&draws, draw);
        ScrollArea::vertical()
            .id_salt("details")
            .auto_shrink([false, false])
            .show(ui, |ui| {
                ui.add(Label::new(RichText::new(text).font(SMALL)).wrap());
            });
    }
}

fn list(ui: &mut Ui, state: &mut CaptureState, draws: &Arc<DrawList>, details: &mut Details) {
    let heading = format!(
        "{:>5}  {:<15} {:>6} {:>7}",
        "draw", "primitive", "count", "pixels"
    );
    ui.label(RichText::new(heading).font(SMALL).color(style::ASIDE));
    let height = 18.0;
    ui.spacing_mut().item_spacing.y = 1.0;
    let row_height = height + ui.spacing().item_spacing.y;
    let current = state.scrub.draw();
    let mut area = ScrollArea::vertical()
        .id_salt("draws")
        .auto_shrink([false, false]);
    if current != details.scrolled_to {
        details.scrolled_to = current;
        let above = current.unwrap_or(0) as f32 * row_height - ui.available_height() / 2.0;
        area = area.vertical_scroll_offset(above.max(0.0));
    }
    let mut chosen = None;
    area.show_rows(ui, height, draws.len(), |ui, rows| {
        for number in rows.start as u64..rows.end as u64 {
            let Some(draw) = draws.draw(number) else { continue };
            let text = format!(
                "{:>5}  {:<15.15} {:>6} {:>7}",
                draw.draw, draw.primitive, draw.vertices, draw.pixels_passed
            );
            let label = egui::Button::selectable(current == Some(number), RichText::new(text).font(SMALL));
            if ui
                .add_sized([ui.available_width(), height], label.right_text(""))
                .clicked()
            {
                chosen = Some(number);
            }
        }
    });
    if let Some(number) = chosen {
        // What is in sight stays where it is.
        details.scrolled_to = Some(number);
        state.scrub.go(number);
    }
}

/// How far the frame is drawn.
pub(super) fn transport(ui: &mut Ui, state: &mut CaptureState, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        for (icon, words, action) in [
            (Icon::First, "the first draw (Home)", Action::FirstDraw),
            (Icon::Back, "a draw back (Left)", Action::StepDraws(-1)),
            (Icon::On, "a draw on (Right)", Action::StepDraws(1)),
            (Icon::Last, "the whole frame (End)", Action::WholeFrame),
        ] {
            if icons::button(ui, icon, words).clicked() {
                actions.push(action);
            }
        }
        let draws = state.scrub.draws();
        let text = match state.scrub.reached() {
            Reached::Draw(draw) => format!("behind draw {draw} of {draws}"),
            Reached::Whole => format!("the whole frame, {draws} draws"),
        };
        ui.add_sized([220.0, 20.0], Label::new(RichText::new(text).monospace()));
        let mut place = state.scrub.place();
        ui.spacing_mut().slider_width = (ui.available_width() - 12.0).max(60.0);
        let slider = Slider::new(&mut place, 0..=draws.max(1)).show_value(false);
        if ui.add(slider).changed() {
            state.scrub.go(place);
        }
    });
}

/// What made a pixel what it is. Draws in it can be gone to.
pub(super) fn history(ui: &mut Ui, state: &mut CaptureState) {
    if !has_history(state.shown) {
        let hint = "Histories are of the display's pixels: key 1 shows it.";
        ui.label(RichText::new(hint).color(style::ASIDE));
        ui.allocate_space(ui.available_size());
        return;
    }
    let (title, hint) = match state.asked {
        Some(Asked::Pinned(position)) => (
            format!("Pixel {},{} (pinned)", position.x, position.y),
            "click it again to let it go",
        ),
        Some(Asked::Hovered(position)) => (format!("Pixel {},{}", position.x, position.y), "click to pin it"),
        None => ("Pixel".to_owned(), "point at a pixel of the display"),
    };
    ui.horizontal(|ui| {
        ui.strong(title);
        // The last line tells what it comes to, which is what most ask for.
        let text = state.history().and_then(|history| history.text.as_ref().ok());
        if let Some(sum) = text.and_then(|text| text.lines().last()) {
            ui.label(sum);
        }
        ui.label(RichText::new(hint).color(style::ASIDE));
    });
    let mut wanted = None;
    ScrollArea::both()
        .id_salt("history")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 1.0;
            match state.history().map(|history| &history.text) {
                Some(Ok(text)) => {
                    for line in text.lines() {
                        if let Some(draw) = draw_of_line(line) {
                            let link = ui.link(RichText::new(line).font(SMALL));
                            if link.on_hover_text("go to this draw").clicked() {
                                wanted = Some(draw);
                            }
                        } else {
                            ui.add(Label::new(RichText::new(line).font(SMALL)).extend());
                        }
                    }
                }
                Some(Err(message)) => {
                    let text = format!("{}  (hint: {})", message.line, message.hint);
                    ui.label(RichText::new(text).color(style::TROUBLE));
                }
                None if state.asked.is_some() => {
                    ui.label(RichText::new("replaying").color(style::ASIDE));
                }
                None => {}
            }
        });
    if let Some(draw) = wanted {
        state.scrub.go(draw);
    }
}
