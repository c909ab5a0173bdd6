//! How far two pictures are apart, in numbers whose meaning does not move.
use super::Picture;

/// What two pictures of one size have not in common. Colours are red, green and blue: alpha is
/// counted apart, since a screen shows none and PPSSPP's pictures carry none
/// (`spec/capture.md` §8).
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Comparison {
    /// Width of the compared area in pixels.
    pub width: u32,
    /// Height of the compared area in pixels.
    pub height: u32,
    /// Pixels of which red, green or blue differs.
    pub differing_pixels: u64,
    /// Pixels of which alpha differs, whether the colour does or not.
    pub differing_alpha: u64,
    /// The largest difference of any red, green or blue, 0 to 255.
    pub largest_difference: u8,
    /// The smallest rectangle around all pixels whose colour differs.
    pub difference_box: Option<DifferenceBox>,
    /// The first pixel whose colour differs, row by row from the top left.
    pub first_difference: Option<(u32, u32)>,
    /// Mean over all pixels and the three colours of the squared difference, PPSSPP's measure.
    pub mse: f64,
}

/// A rectangle in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct DifferenceBox {
    /// Left column.
    pub x: u32,
    /// Top row.
    pub y: u32,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

/// Two pictures cannot be compared, since their sizes differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}x{} pixels against {}x{}", actual.0, actual.1, expected.0, expected.1)]
pub struct SizesDiffer {
    /// Width and height of the expected picture.
    pub expected: (u32, u32),
    /// Width and height of the actual picture.
    pub actual: (u32, u32),
}

impl Comparison {
    /// Whether every red, green and blue is equal.
    #[must_use]
    pub const fn same_colours(&self) -> bool {
        self.differing_pixels == 0
    }
}

/// Compares two pictures, which must have one size. A picture of 512 x 272 is a saved PSP screen
/// and takes part with its 480 visible columns.
///
/// # Errors
/// [`SizesDiffer`].
///
/// ```
/// use ge_harness::picture::{Picture, compare};
/// let expected = Picture::filled(480, 272, [10, 20, 30, 255]);
/// let mut actual = expected.clone();
/// actual.set_pixel(7, 3, [124, 134, 144, 255]);
/// let comparison = compare(&expected, &actual)?;
/// assert_eq!((comparison.differing_pixels, comparison.largest_difference), (1, 114));
/// assert!(comparison.mse <= 0.1, "a single pixel wrong by 114 in all three still passes PPSSPP's bar");
/// # Ok::<(), ge_harness::picture::SizesDiffer>(())
/// ```
pub fn compare(expected: &Picture, actual: &Picture) -> Result<Comparison, SizesDiffer> {
    let expected = &expected.clone().visible_screen();
    let actual = &actual.clone().visible_screen();
    let size = |picture: &Picture| (picture.width(), picture.height());
    if size(expected) != size(actual) {
        return Err(SizesDiffer {
            expected: size(expected),
            actual: size(actual),
        });
    }
    let mut sum_of_squares = 0u64;
    let mut differing_pixels = 0;
    let mut differing_alpha = 0;
    let mut largest_difference = 0;
    let mut first_difference = None;
    let mut corners: Option<[u32; 4]> = None;
    for (index, (left, right)) in expected.pixels().zip(actual.pixels()).enumerate() {
        differing_alpha += u64::from(left[3] != right[3]);
        let steps = [0, 1, 2].map(|channel: usize| left[channel].abs_diff(right[channel]));
        let step = steps[0].max(steps[1]).max(steps[2]);
        if step == 0 {
            continue;
        }
        sum_of_squares += steps
            .iter()
            .map(|&step| u64::from(step) * u64::from(step))
            .sum::<u64>();
        differing_pixels += 1;
        largest_difference = largest_difference.max(step);
        let (x, y) = (index as u32 % expected.width(), index as u32 / expected.width());
        first_difference.get_or_insert((x, y));
        let [left, top, right, bottom] = corners.unwrap_or([x, y, x, y]);
        corners = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }
    let channels = u64::from(expected.width()) * u64::from(expected.height()) * 3;
    Ok(Comparison {
        width: expected.width(),
        height: expected.height(),
        differing_pixels,
        differing_alpha,
        largest_difference,
        difference_box: corners.map(|[left, top, right, bottom]| DifferenceBox {
            x: left,
            y: top,
            width: right - left + 1,
            height: bottom - top + 1,
        }),
        first_difference,
        mse: if channels == 0 {
            0.0
        } else {
            sum_of_squares as f64 / channels as f64
        },
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::places;
    use super::*;

    #[test]
    fn equal_pictures_are_at_zero() {
        let comparison = compare(&places(480, 272), &places(480, 272)).unwrap();
        assert!(comparison.same_colours());
        assert_eq!(comparison.mse, 0.0);
        assert_eq!(comparison.difference_box, None);
    }

    /// `spec/capture.md` §8: 39 168 channels off by one make an MSE of 0.1.
    #[test]
    fn the_mse_is_ppsspps() {
        let expected = Picture::filled(480, 272, [100, 100, 100, 255]);
        let mut actual = expected.clone();
        for index in 0..39_168 / 3 {
            actual.set_pixel(index % 480, index / 480, [101, 99, 101, 255]);
        }
        let comparison = compare(&expected, &actual).unwrap();
        assert!((comparison.mse - 0.1).abs() < 1e-12, "{}", comparison.mse);
        assert_eq!(comparison.largest_difference, 1);
        assert_eq!(comparison.differing_pixels, 13_056);
        assert_eq!(
            comparison.difference_box,
            Some(DifferenceBox {
                x: 0,
                y: 0,
                width: 480,
                height: 28
            })
        );
    }

    #[test]
    fn columns_past_480_of_a_saved_screen_do_not_count() {
        let screen = places(480, 272);
        let mut saved = Picture::filled(512, 272, [1, 2, 3, 0]);
        saved.paste(&screen, 0, 0);
        let comparison = compare(&saved, &screen).unwrap();
        assert!(comparison.same_colours());
        assert_eq!(comparison.width, 480);
    }

    #[test]
    fn alpha_is_counted_apart() {
        let mut other = places(4, 4);
        other.set_pixel(1, 2, [1, 2, 9, 0]);
        let comparison = compare(&places(4, 4), &other).unwrap();
        assert!(comparison.same_colours());
        assert_eq!(comparison.differing_alpha, 1);
    }

    #[test]
    fn the_box_and_the_first_pixel_are_where_the_difference_is() {
        let mut other = places(10, 10);
        other.set_pixel(7, 2, [0, 0, 0, 255]);
        other.set_pixel(3, 6, [255, 255, 255, 255]);
        let comparison = compare(&places(10, 10), &other).unwrap();
        assert_eq!(
            comparison.difference_box,
            Some(DifferenceBox {
                x: 3,
                y: 2,
                width: 5,
                height: 5
            })
        );
        assert_eq!(comparison.first_difference, Some((7, 2)));
        assert_eq!(comparison.largest_difference, 252);
    }

    #[test]
    fn sizes_must_be_equal() {
        let error = compare(&places(4, 4), &places(4, 5)).unwrap_err();
        assert_eq!(error.to_string(), "4x5 pixels against 4x4");
    }
}
