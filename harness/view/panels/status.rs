//! The bar above, and the line below.

use egui::{Align, Button, Label, Layout, RichText, Ui};

use super::picture::Pointed;
use super::style;
use crate::view::keys::Action;
use crate::view::message::Weight;
use crate::view::scale::Scale;
use crate::view::viewer::{Showing, Viewer};

/// What is looked at, and the buttons for what always can be done.
pub(super) fn title(ui: &mut Ui, viewer: &Viewer, scale: Option<Scale>, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let name = viewer.path().file_name().unwrap_or_default().to_string_lossy();
        ui.add(Label::new(RichText::new(name).strong()).truncate())
            .on_hover_text(viewer.path().display().to_string());
        let kind = match &viewer.showing {
            Showing::Model(_) => "model",
            Showing::Capture(_) => "capture",
        };
        let mut about = kind.to_owned();
        if let Some(drawn) = &viewer.drawn {
            let [width, height] = drawn.image.size();
            about += &format!(", {width} x {height}");
        }
        if let Some(scale) = scale {
            about += &format!(", shown {scale}");
        }
        // While playing, every picture is behind for a moment.
        if viewer.is_behind() && !viewer.is_playing() && viewer.message().is_none() {
            about += ", drawing";
        }
        ui.label(RichText::new(about).color(style::ASIDE));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            for (words, key, action) in [
                ("Keys", "F1", Action::Help),
                ("Reload", "R", Action::Reload),
                ("Save picture", "S", Action::Screenshot),
            ] {
                if ui
                    .add(Button::new(words))
                    .on_hover_text(format!("key {key}"))
                    .clicked()
                {
                    actions.push(action);
                }
            }
        });
    });
}

/// What happened last, or else the command that draws what is seen; and the pixel under the pointer.
pub(super) fn line(ui: &mut Ui, viewer: &Viewer, pointed: Option<&Pointed>) {
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if let Some(Pointed { at: [x, y], value }) = pointed {
                ui.label(RichText::new(format!("{x},{y}  {value}")).monospace());
            }
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| message(ui, viewer));
        });
    });
}

fn message(ui: &mut Ui, viewer: &Viewer) {
    let Some(message) = viewer.message() else {
        if let Some(command) = viewer.command() {
            if ui
                .add(Button::new(RichText::new("Copy").small()))
                .on_hover_text("copy the command that draws this picture")
                .clicked()
            {
                ui.ctx().copy_text(command.clone());
            }
            ui.add(Label::new(RichText::new(command).monospace().color(style::ASIDE)).truncate());
        }
        return;
    };
    let color = match message.weight {
        Weight::Done => style::DONE,
        Weight::Failed => style::TROUBLE,
    };
    let mut text = message.line.clone();
    if !message.hint.is_empty() {
        text += &format!("  (hint: {})", message.hint);
    }
    // A long message takes several lines rather than lose its end.
    ui.add(Label::new(RichText::new(text).color(color)).wrap());
}
