//! Where two pictures differ, as a picture.
use super::Picture;

/// Between the panels of a side by side picture, in pixels.
const GAP: u32 = 4;
/// The gap's colour.
const GAP_COLOUR: [u8; 4] = [24, 24, 24, 255];

/// A map of the differences: equal pixels are the expected picture, dark and grey, for orientation;
/// different ones go from blue (one step) over magenta and orange to white (255 steps), on a
/// logarithmic scale, so that a difference of one step is plain to see. Both pictures must have
/// one size; the map covers what they share.
#[must_use]
pub fn heat_map(expected: &Picture, actual: &Picture) -> Picture {
    let width = expected.width().min(actual.width());
    let height = expected.height().min(actual.height());
    let mut map = Picture::filled(width, height, [0, 0, 0, 255]);
    for y in 0..height {
        for x in 0..width {
            if let (Some(left), Some(right)) = (expected.pixel(x, y), actual.pixel(x, y)) {
                let step = (0..3)
                    .map(|channel| left[channel].abs_diff(right[channel]))
                    .max()
                    .unwrap_or(0);
                map.set_pixel(x, y, if step == 0 { backdrop(left) } else { heat(step) });
            }
        }
    }
    map
}

/// A quarter of the pixel's brightness.
fn backdrop([red, green, blue, _]: [u8; 4]) -> [u8; 4] {
    let grey = ((u32::from(red) * 2 + u32::from(green) * 5 + u32::from(blue)) / 32) as u8;
    [grey, grey, grey, 255]
}

/// The colour of a difference of 1 to 255 steps.
fn heat(step: u8) -> [u8; 4] {
    const STOPS: [[f32; 3]; 5] = [
        [40.0, 90.0, 255.0],
        [190.0, 60.0, 230.0],
        [255.0, 70.0, 60.0],
        [255.0, 190.0, 40.0],
        [255.0, 255.0, 255.0],
    ];
    let place = f32::from(step).ln() / 255f32.ln() * (STOPS.len() - 1) as f32;
    let stop = (place as usize).min(STOPS.len() - 2);
    let share = place - stop as f32;
    let channel = |index: usize| {
        (STOPS[stop][index] + (STOPS[stop + 1][index] - STOPS[stop][index]) * share).round() as u8
    };
    [channel(0), channel(1), channel(2), 255]
}

/// Pictures in one row, tops aligned, with a gap between them.
#[must_use]
pub fn side_by_side(panels: &[&Picture]) -> Picture {
    let width =
        panels.iter().map(|panel| panel.width()).sum::<u32>() + GAP * (panels.len() as u32).saturating_sub(1);
    let height = panels.iter().map(|panel| panel.height()).max().unwrap_or(0);
    let mut row = Picture::filled(width, height, GAP_COLOUR);
    let mut x = 0;
    for panel in panels {
        row.paste(panel, x, 0);
        x += panel.width() + GAP;
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_is_far_from_the_backdrop() {
        let expected = Picture::filled(2, 1, [255, 255, 255, 255]);
        let mut actual = expected.clone();
        actual.set_pixel(1, 0, [255, 254, 255, 255]);
        let map = heat_map(&expected, &actual);
        assert_eq!(map.pixel(0, 0), Some([63, 63, 63, 255]));
        assert_eq!(map.pixel(1, 0), Some([40, 90, 255, 255]));
    }

    #[test]
    fn the_largest_step_is_white() {
        assert_eq!(heat(255), [255, 255, 255, 255]);
    }

    #[test]
    fn panels_stand_beside_each_other() {
        let left = Picture::filled(3, 2, [1, 1, 1, 255]);
        let right = Picture::filled(2, 4, [2, 2, 2, 255]);
        let row = side_by_side(&[&left, &right]);
        assert_eq!((row.width(), row.height()), (3 + GAP + 2, 4));
        assert_eq!(row.pixel(2, 1), Some([1, 1, 1, 255]));
        assert_eq!(row.pixel(3, 1), Some(GAP_COLOUR));
        assert_eq!(row.pixel(3 + GAP, 3), Some([2, 2, 2, 255]));
    }
}
