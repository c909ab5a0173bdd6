//! The keys, in a window of their own.

use egui::{Align2, Button, Context, Grid, Label, RichText, ScrollArea, Ui, Vec2, Window};

use super::style;
use crate::view::keys::{self, Scope};
use crate::view::viewer::{Part, Viewer};

/// Points around the keys that are left free.
const AROUND: f32 = 120.0;

/// Points that the longest line takes.
const WIDTH: f32 = 600.0;

/// Shows the keys for what is looked at.
pub(super) fn show(context: &Context, viewer: &mut Viewer) {
    let room = (context.content_rect().height() - AROUND).max(100.0);
    Window::new("Keys")
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .title_bar(false)
        .auto_sized()
        .show(context, |ui| {
            ui.set_max_width(WIDTH);
            ui.horizontal(|ui| {
                ui.heading("Keys and mouse");
                if ui.add(Button::new("Close")).on_hover_text("key Esc").clicked() {
                    viewer.help = Part::Hidden;
                }
            });
            ui.separator();
            ScrollArea::vertical().max_height(room).show(ui, |ui| {
                ui.spacing_mut().interact_size.y = 16.0;
                let scope = viewer.scope();
                let keys = keys::help(scope).chain(keys::help(Scope::Always));
                rows(
                    ui,
                    keys.chain(keys::mouse_help(scope))
                        .chain(keys::mouse_help(Scope::Always)),
                );
            });
        });
}

fn rows(ui: &mut Ui, rows: impl Iterator<Item = (&'static str, &'static str)>) {
    Grid::new("keys")
        .num_columns(2)
        .spacing([18.0, 3.0])
        .show(ui, |ui| {
            for (what, does) in rows {
                ui.add(Label::new(RichText::new(what).monospace().color(style::ASIDE)).extend());
                ui.add(Label::new(does).extend());
                ui.end_row();
            }
        });
}
