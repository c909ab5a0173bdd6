//! Buttons with signs instead of words, drawn as shapes: fonts differ in what they have.

use egui::{Color32, Pos2, Rect, Response, Sense, Shape, Ui, pos2, vec2};

/// A sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Icon {
    Play,
    Pause,
    First,
    Back,
    On,
    Last,
}

/// A button with a sign; the words are its tooltip.
pub(super) fn button(ui: &mut Ui, icon: Icon, words: &str) -> Response {
    let (area, response) = ui.allocate_exact_size(vec2(30.0, 24.0), Sense::click());
    let visuals = ui.style().interact(&response);
    let painter = ui.painter();
    painter.rect_filled(area, visuals.corner_radius, visuals.weak_bg_fill);
    let color = visuals.fg_stroke.color;
    let sign = Rect::from_center_size(area.center(), vec2(10.0, 10.0));
    for shape in shapes(icon, sign, color) {
        painter.add(shape);
    }
    response.on_hover_text(words)
}

fn shapes(icon: Icon, area: Rect, color: Color32) -> Vec<Shape> {
    let bar = |left: f32, width: f32| {
        let corner = pos2(area.left() + left, area.top());
        Shape::rect_filled(
            Rect::from_min_size(corner, vec2(width, area.height())),
            0.0,
            color,
        )
    };
    let triangle = |from: f32, to: f32| {
        let points: Vec<Pos2> = vec![
            pos2(area.left() + from, area.top()),
            pos2(area.left() + to, area.center().y),
            pos2(area.left() + from, area.bottom()),
        ];
        Shape::convex_polygon(points, color, egui::Stroke::NONE)
    };
    match icon {
        Icon::Play => vec![triangle(0.5, 10.5)],
        Icon::Pause => vec![bar(1.0, 3.0), bar(6.0, 3.0)],
        Icon::First => vec![bar(0.5, 2.0), triangle(9.5, 3.0)],
        Icon::Back => vec![triangle(8.0, 1.5)],
        Icon::On => vec![triangle(2.0, 8.5)],
        Icon::Last => vec![triangle(0.5, 7.0), bar(7.5, 2.0)],
    }
}
