//! What stands around the picture: lists, switches, the transport, the status line.

mod capture;
mod help;
mod icons;
mod model;
mod picture;
mod status;
mod style;

use egui::{CentralPanel, Frame, Margin, Panel, Ui};

pub(super) use style::dress;

use super::keys::Action;
use super::viewer::{Part, Showing, Viewer};
use picture::PictureView;

/// Width of the panel at the side, in points: beside it the PSP's screen fits twice into the window as it opens.
const SIDE: f32 = 304.0;

/// What the panels remember from frame to frame.
#[derive(Default)]
pub(super) struct Panels {
    picture: PictureView,
    details: capture::Details,
}

impl Panels {
    /// Lays out the window and returns what the user asked for.
    pub(super) fn show(&mut self, ui: &mut Ui, viewer: &mut Viewer) -> Vec<Action> {
        let mut actions = Vec::new();
        if viewer.panels == Part::Shown {
            let bar = Frame::new()
                .fill(style::PANEL)
                .inner_margin(Margin::symmetric(10, 6));
            Panel::top("title").frame(bar).show(ui, |ui| {
                status::title(ui, viewer, self.picture.scale(), &mut actions)
            });
            Panel::bottom("status")
                .frame(bar)
                .show(ui, |ui| status::line(ui, viewer, self.picture.pointed()));
            let side = Panel::left("side")
                .frame(Frame::new().fill(style::PANEL).inner_margin(Margin::same(10)))
                .default_size(SIDE)
                .size_range(240.0..=520.0);
            match &mut viewer.showing {
                Showing::Model(state) => {
                    let met = viewer.drawn.as_ref().map_or(&[][..], |drawn| &drawn.met);
                    Panel::bottom("transport")
                        .frame(bar)
                        .show(ui, |ui| model::transport(ui, state, &mut actions));
                    side.show(ui, |ui| model::side(ui, state, met));
                }
                Showing::Capture(state) => {
                    Panel::bottom("transport")
                        .frame(bar)
                        .show(ui, |ui| capture::transport(ui, state, &mut actions));
                    side.show(ui, |ui| capture::side(ui, state, &mut self.details));
                    Panel::bottom("history")
                        .frame(
                            Frame::new()
                                .fill(style::PANEL)
                                .inner_margin(Margin::symmetric(10, 6)),
                        )
                        .resizable(true)
                        .default_size(134.0)
                        .size_range(60.0..=600.0)
                        .show(ui, |ui| capture::history(ui, state));
                }
            }
        }
        CentralPanel::no_frame()
            .frame(Frame::new().fill(style::CANVAS))
            .show(ui, |ui| self.picture.show(ui, viewer));
        if viewer.help == Part::Shown {
            help::show(ui.ctx(), viewer);
        }
        actions
    }
}
