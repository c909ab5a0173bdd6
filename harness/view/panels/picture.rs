//! The picture itself, and what the mouse does on it.

use std::sync::Arc;

use egui::{
    Color32, ColorImage, Event, MouseWheelUnit, PointerButton, Pos2, Rect, Response, RichText, Sense,
    TextureHandle, TextureOptions, Ui, pos2, vec2,
};

use super::style;
use crate::replay::Image;
use crate::view::scale::{Fit, Room, Scale};
use crate::view::viewer::{Showing, Viewer};
use crate::view::worker::Shot;

/// Points that a trackpad scrolls for one step of a wheel.
const POINTS_A_STEP: f32 = 50.0;
/// The side of a square behind a transparent picture, in points.
const CHECK: f32 = 12.0;

/// What a picture is dimmed with that is not the one that is wanted.
const STALE: Color32 = Color32::from_gray(0x50);

/// A pixel under the pointer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pointed {
    /// Column and row.
    pub(super) at: [u32; 2],
    /// Its value in words.
    pub(super) value: String,
}

/// The picture as the adapter holds it.
#[derive(Default)]
pub(super) struct PictureView {
    texture: Option<TextureHandle>,
    image: Option<Arc<Image>>,
    fit: Option<Fit>,
    pointed: Option<Pointed>,
    /// Steps of the wheel that do not make a whole one yet.
    scrolled: f32,
}

impl PictureView {
    /// How large the picture's pixels are.
    pub(super) fn scale(&self) -> Option<Scale> {
        self.fit.map(|fit| fit.scale)
    }

    /// The pixel under the pointer.
    pub(super) fn pointed(&self) -> Option<&Pointed> {
        self.pointed.as_ref()
    }

    /// Shows the picture in all of the room that is left.
    pub(super) fn show(&mut self, ui: &mut Ui, viewer: &mut Viewer) {
        let area = ui.available_rect_before_wrap();
        let response = ui.allocate_rect(area, Sense::click_and_drag());
        self.upload(ui, viewer);
        let (Some(texture), Some(image)) = (self.texture.clone(), self.image.clone()) else {
            ui.put(
                area,
                egui::Label::new(RichText::new("drawing").color(style::ASIDE)),
            );
            return;
        };
        let size = image.size();
        let points = ui.ctx().pixels_per_point();
        let room = room(area, points);
        self.steer(ui, viewer, &response, room, size);
        let fit = Fit::new(size, room, viewer.zoom);
        self.fit = Some(fit);
        let corner = fit.corner.map(|pixels| pixels as f32 / points);
        let shown = Rect::from_min_size(
            pos2(corner[0], corner[1]),
            vec2(fit.size[0] as f32, fit.size[1] as f32) / points,
        );
        let painter = ui.painter_at(area);
        if viewer.is_transparent() {
            checks(&painter, shown.intersect(area));
        }
        let whole = Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0));
        let tint = match viewer.is_stale() {
            true => STALE,
            false => Color32::WHITE,
        };
        painter.image(texture.id(), shown, whole, tint);
        let pointer = response
            .hover_pos()
            .map(|at| [at.x, at.y].map(|axis| f64::from(axis * points)));
        let pixel = pointer.and_then(|at| fit.pixel_at(at));
        self.pointed = pixel.and_then(|at| {
            Some(Pointed {
                at,
                value: value(&image, at)?,
            })
        });
        let is_of_subject = matches!(
            (&viewer.showing, viewer.drawn.as_ref().map(|drawn| &drawn.shot)),
            (Showing::Capture(_), Some(Shot::Capture(_)))
        );
        if let (Showing::Capture(state), true) = (&mut viewer.showing, is_of_subject) {
            state.point_at(pixel);
            if response.clicked() {
                state.click(pixel);
            }
            if let Some(asked) = state
                .asked
                .filter(|_| crate::view::recorded::has_history(state.shown))
            {
                let position = asked.position();
                mark(&painter, shown, size, [position.x, position.y]);
            }
        }
    }

    fn upload(&mut self, ui: &Ui, viewer: &Viewer) {
        let Some(drawn) = &viewer.drawn else { return };
        let is_there = self
            .image
            .as_ref()
            .is_some_and(|image| Arc::ptr_eq(image, &drawn.image));
        if is_there {
            return;
        }
        let colours = colours(&drawn.image, !viewer.is_transparent());
        match &mut self.texture {
            Some(texture) => texture.set(colours, TextureOptions::NEAREST),
            None => {
                self.texture = Some(ui.ctx().load_texture("picture", colours, TextureOptions::NEAREST));
            }
        }
        self.image = Some(Arc::clone(&drawn.image));
    }

    /// What drags and the wheel do: they move the camera round a model, and zoom into a recorded frame.
    fn steer(&mut self, ui: &Ui, viewer: &mut Viewer, response: &Response, room: Room, size: [u32; 2]) {
        let points = ui.ctx().pixels_per_point();
        // The last movement may come in the same frame as the button that goes up.
        let drag = match response.dragged() || response.drag_stopped() {
            true => ui.input(|input| input.pointer.delta()),
            false => egui::Vec2::ZERO,
        };
        let steps = if response.contains_pointer() {
            self.wheel(ui)
        } else {
            0.0
        };
        match &mut viewer.showing {
            Showing::Model(state) => {
                let height = self.fit.map_or(room.size[1], |fit| fit.size[1]).max(1);
                let [right, down] =
                    [drag.x, drag.y].map(|points_moved| f64::from(points_moved * points) / f64::from(height));
                let by = |button| response.dragged_by(button) || response.drag_stopped_by(button);
                let sideways = ui.input(|input| input.modifiers.shift)
                    || by(PointerButton::Middle)
                    || by(PointerButton::Secondary);
                if drag != egui::Vec2::ZERO {
                    state.orbit(|orbit| match sideways {
                        true => orbit.pan(right, down),
                        false => orbit.turn(right, down),
                    });
                }
                if steps != 0.0 {
                    state.orbit(|orbit| orbit.zoom(f64::from(steps)));
                }
            }
            Showing::Capture(_) => {
                self.scrolled += steps;
                let whole = self.scrolled.trunc();
                self.scrolled -= whole;
                if let Some(at) = response.hover_pos().filter(|_| whole != 0.0) {
                    let at = [at.x, at.y].map(|axis| f64::from(axis * points));
                    viewer.zoom.change(whole as i32, at, size, room);
                }
                if drag != egui::Vec2::ZERO {
                    let by = [drag.x, drag.y].map(|axis| f64::from(axis * points));
                    viewer.zoom.drag(by, size, room);
                }
            }
        }
    }

    /// Steps of the wheel since the last frame, upwards positive.
    fn wheel(&self, ui: &Ui) -> f32 {
        ui.input(|input| {
            let steps = input.events.iter().map(|event| match event {
                Event::MouseWheel { unit, delta, .. } => match unit {
                    MouseWheelUnit::Point => delta.y / POINTS_A_STEP,
                    MouseWheelUnit::Line => delta.y,
                    MouseWheelUnit::Page => delta.y * 10.0,
                },
                _ => 0.0,
            });
            let steps: f32 = steps.sum();
            steps.clamp(-20.0, 20.0)
        })
    }
}

/// The room of an area, in pixels of the screen that lie inside of it whole.
fn room(area: Rect, points: f32) -> Room {
    let low = [area.left(), area.top()].map(|edge| (edge * points - 0.01).ceil() as i32);
    let high = [area.right(), area.bottom()].map(|edge| (edge * points + 0.01).floor() as i32);
    Room {
        corner: low,
        size: [0, 1].map(|axis| u32::try_from(high[axis] - low[axis]).unwrap_or(0)),
    }
}

/// The picture in the window's colours. Depths are stretched from the lowest to the highest: a game that uses a
/// tenth of them would be one grey.
fn colours(image: &Image, opaque: bool) -> ColorImage {
    let size = image.size().map(|length| length as usize);
    match image {
        Image::Colours(picture) if opaque => {
            let rgb: Vec<u8> = picture
                .pixels()
                .flat_map(|[red, green, blue, _]| [red, green, blue])
                .collect();
            ColorImage::from_rgb(size, &rgb)
        }
        Image::Colours(picture) => ColorImage::from_rgba_unmultiplied(size, picture.rgba()),
        Image::Depths { depths, .. } => {
            let low = depths.iter().copied().min().unwrap_or(0);
            let range = (depths.iter().copied().max().unwrap_or(0) - low).max(1);
            let grey = |depth: &u16| (u32::from(depth - low) * 255 / u32::from(range)) as u8;
            ColorImage::from_gray(size, &depths.iter().map(grey).collect::<Vec<_>>())
        }
    }
}

/// A pixel's value in words.
fn value(image: &Image, [x, y]: [u32; 2]) -> Option<String> {
    match image {
        Image::Colours(picture) => {
            let [red, green, blue, alpha] = picture.pixel(x, y)?;
            Some(format!("{red:02X}{green:02X}{blue:02X} alpha {alpha}"))
        }
        Image::Depths { width, depths, .. } => {
            let depth = depths.get(y as usize * *width as usize + x as usize)?;
            Some(format!("depth {depth}"))
        }
    }
}

/// Squares that show through where a picture is transparent.
fn checks(painter: &egui::Painter, area: Rect) {
    painter.rect_filled(area, 0.0, Color32::from_gray(0x3C));
    let [columns, rows] = [area.width(), area.height()].map(|length| (length / CHECK).ceil() as i32);
    for row in 0..rows {
        for column in (row % 2..columns).step_by(2) {
            let corner = area.min + vec2(column as f32, row as f32) * CHECK;
            let check = Rect::from_min_size(corner, vec2(CHECK, CHECK)).intersect(area);
            painter.rect_filled(check, 0.0, Color32::from_gray(0x4C));
        }
    }
}

/// A frame round a pixel.
fn mark(painter: &egui::Painter, shown: Rect, size: [u32; 2], at: [u32; 2]) {
    let pixel = vec2(
        shown.width() / size[0].max(1) as f32,
        shown.height() / size[1].max(1) as f32,
    );
    let corner = shown.min + vec2(at[0] as f32 * pixel.x, at[1] as f32 * pixel.y);
    let frame = Rect::from_min_size(corner, pixel).expand(2.0);
    for (distance, color) in [(1.0, Color32::BLACK), (0.0, Color32::WHITE)] {
        painter.rect_stroke(
            frame.expand(distance),
            0.0,
            egui::Stroke::new(1.0, color),
            egui::StrokeKind::Outside,
        );
    }
}
