//! Colours and sizes.

use egui::{Color32, Context, CornerRadius, FontId, Stroke, TextStyle, Theme, Visuals, vec2};

/// Behind text.
pub(super) const PANEL: Color32 = Color32::from_rgb(0x23, 0x26, 0x2C);
/// Behind the picture: darker than any panel, and no colour that a picture is mistaken for.
pub(super) const CANVAS: Color32 = Color32::from_rgb(0x12, 0x13, 0x16);
/// What is chosen.
const CHOSEN: Color32 = Color32::from_rgb(0x2F, 0x5D, 0x8C);
/// What went wrong.
pub(super) const TROUBLE: Color32 = Color32::from_rgb(0xFF, 0x8A, 0x7A);
/// What was done.
pub(super) const DONE: Color32 = Color32::from_rgb(0x8F, 0xD1, 0x8F);
/// Text of second importance.
pub(super) const ASIDE: Color32 = Color32::from_rgb(0x9A, 0xA3, 0xAF);
const TEXT: Color32 = Color32::from_rgb(0xD8, 0xDC, 0xE2);

/// Dresses a window.
pub(in crate::view) fn dress(context: &Context) {
    context.set_theme(Theme::Dark);
    let mut visuals = Visuals::dark();
    visuals.panel_fill = PANEL;
    visuals.window_fill = PANEL;
    visuals.extreme_bg_color = Color32::from_rgb(0x1A, 0x1C, 0x21);
    visuals.selection.bg_fill = CHOSEN;
    visuals.selection.stroke = Stroke::new(1.0, Color32::WHITE);
    visuals.override_text_color = None;
    visuals.widgets.noninteractive.fg_stroke.color = TEXT;
    visuals.widgets.inactive.fg_stroke.color = TEXT;
    visuals.widgets.noninteractive.bg_stroke.color = Color32::from_rgb(0x3A, 0x3F, 0x48);
    for widget in [
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(4);
    }
    context.style_mut_of(Theme::Dark, |style| {
        style.visuals = visuals;
        style.spacing.item_spacing = vec2(8.0, 5.0);
        style.spacing.button_padding = vec2(8.0, 3.0);
        style.spacing.interact_size.y = 22.0;
        for (text_style, font) in [
            (TextStyle::Body, FontId::proportional(14.0)),
            (TextStyle::Button, FontId::proportional(14.0)),
            (TextStyle::Small, FontId::proportional(12.0)),
            (TextStyle::Heading, FontId::proportional(16.0)),
            (TextStyle::Monospace, FontId::monospace(12.5)),
        ] {
            style.text_styles.insert(text_style, font);
        }
        // Nothing moves by itself, so that the window can sleep.
        style.animation_time = 0.0;
    });
}
