//! The panels for a model.

use egui::{ComboBox, RichText, ScrollArea, Slider, Ui};

use super::icons::{self, Icon};
use super::style;
use crate::model::Tail;
use crate::scene::Shading;
use crate::view::clock::SPEEDS;
use crate::view::keys::Action;
use crate::view::model_state::{ModelState, Played};

/// Sizes to choose from: the PSP's screen, and whole multiples that the largest picture holds.
const SIZES: [[u32; 2]; 4] = [[480, 272], [960, 544], [1440, 816], [1920, 1088]];
/// Points that the switches below the list take at least.
const SWITCHES: f32 = 170.0;

/// The animations, and what of the model is shown.
pub(super) fn side(ui: &mut Ui, state: &mut ModelState, met: &[String]) {
    ui.heading("Animations");
    let room = (ui.available_height() - SWITCHES).max(120.0);
    ui.allocate_ui(egui::vec2(ui.available_width(), room), |ui| {
        ui.set_min_height(room);
        animations(ui, state);
    });
    ui.separator();
    ScrollArea::vertical()
        .id_salt("switches")
        .auto_shrink([false, false])
        .show(ui, |ui| {
            switches(ui, state);
            let mut notes = state.notes();
            notes.extend_from_slice(met);
            if !notes.is_empty() {
                ui.collapsing(format!("Notes ({})", notes.len()), |ui| {
                    for note in notes {
                        ui.label(RichText::new(note).small().color(style::ASIDE));
                    }
                });
            }
        });
}

fn animations(ui: &mut Ui, state: &mut ModelState) {
    if ui
        .selectable_label(state.played == Played::Bind, "bind pose")
        .clicked()
        && state.played != Played::Bind
    {
        state.act(Action::Bind);
    }
    if let Played::Mot(path) = &state.played {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let _ = ui.selectable_label(true, name);
    }
    if state.list.is_empty() {
        ui.label(
            RichText::new("There is nothing to play: drop an animation pack, or a skeleton first.")
                .color(style::ASIDE),
        );
        return;
    }
    let mut chosen = None;
    let height = ui.spacing().interact_size.y;
    ScrollArea::vertical()
        .id_salt("animations")
        .auto_shrink([false, false])
        .show_rows(ui, height, state.list.len(), |ui, rows| {
            for row in &state.list[rows] {
                let is_chosen = state.played == Played::Listed(row.selection);
                let text = format!("{:>4}   {}", row.number, row.about);
                let label = egui::Button::selectable(is_chosen, RichText::new(text).monospace());
                let response = ui.add_sized([ui.available_width(), height], label.right_text(""));
                if response.clicked() {
                    chosen = Some(row.selection);
                }
            }
        });
    if let Some(selection) = chosen {
        state.choose(selection);
    }
}

fn switches(ui: &mut Ui, state: &mut ModelState) {
    ui.horizontal(|ui| {
        ui.label("Picture");
        size(ui, state);
        let mut unlit = state.options.shading == Shading::Unlit;
        if ui.checkbox(&mut unlit, "unlit").on_hover_text("key U").changed() {
            state.act(Action::Unlit);
        }
    });
    if state.has_tail() {
        ui.horizontal(|ui| {
            ui.label("Tail");
            for (tail, words) in [
                (Tail::Attached, "attached"),
                (Tail::Cut, "cut"),
                (Tail::Dropped, "dropped"),
            ] {
                ui.selectable_value(&mut state.options.tail, tail, words)
                    .on_hover_text("key T");
            }
        });
    }
    let meshes = state.meshes();
    if meshes > 1 {
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = egui::vec2(4.0, 4.0);
            ui.label("Meshes");
            for mesh in 0..meshes {
                let shown = !state.options.hidden_meshes.contains(&mesh);
                let label = ui.selectable_label(shown, mesh.to_string());
                if label
                    .on_hover_text("show it, or hide it; key M shows all")
                    .clicked()
                {
                    state.toggle_mesh(mesh);
                }
            }
        });
    }
}

fn size(ui: &mut Ui, state: &mut ModelState) {
    let words = |[width, height]: [u32; 2]| format!("{width} x {height}");
    let size = &mut state.options.size;
    ComboBox::from_id_salt("size")
        .width(104.0)
        .selected_text(words(*size))
        .show_ui(ui, |ui| {
            for offered in SIZES {
                ui.selectable_value(size, offered, words(offered));
            }
        });
}

/// Play, pause, frames and speed.
pub(super) fn transport(ui: &mut Ui, state: &mut ModelState, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let playing = state.clock.is_playing();
        let (play, words) = match playing {
            true => (Icon::Pause, "pause (Space)"),
            false => (Icon::Play, "play (Space)"),
        };
        for (icon, words, action) in [
            (play, words, Action::Play),
            (Icon::First, "the first frame (Home)", Action::FirstFrame),
            (Icon::Back, "a frame back (Left)", Action::StepFrames(-1)),
            (Icon::On, "a frame on (Right)", Action::StepFrames(1)),
            (Icon::Last, "the last frame (End)", Action::LastFrame),
        ] {
            if icons::button(ui, icon, words).clicked() {
                actions.push(action);
            }
        }
        if !state.clock.moves() {
            ui.label(RichText::new("nothing moves").color(style::ASIDE));
            return;
        }
        let end = state.clock.end();
        let text = format!("frame {} of 0 to {}", short(state.clock.cursor()), short(end));
        ui.add_sized([180.0, 20.0], egui::Label::new(RichText::new(text).monospace()));
        speed(ui, state);
        let mut frame = state.clock.cursor();
        ui.spacing_mut().slider_width = (ui.available_width() - 12.0).max(60.0);
        let slider = Slider::new(&mut frame, 0.0..=end).show_value(false).step_by(1.0);
        if ui.add(slider).changed() {
            state.clock.seek(frame);
        }
    });
}

fn speed(ui: &mut Ui, state: &mut ModelState) {
    let words = |speed: f64| format!("{speed}x");
    ComboBox::from_id_salt("speed")
        .width(64.0)
        .selected_text(words(state.clock.speed()))
        .show_ui(ui, |ui| {
            for (index, speed) in SPEEDS.into_iter().enumerate() {
                if ui
                    .selectable_label(speed == state.clock.speed(), words(speed))
                    .clicked()
                {
                    state.clock.set_speed(index);
                }
            }
        })
        .response
        .on_hover_text("speed (- and +)");
}

/// A frame without more digits than help.
fn short(frame: f64) -> String {
    format!("{}", (frame * 100.0).round() / 100.0)
}
