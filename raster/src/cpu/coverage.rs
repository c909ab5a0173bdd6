//! Which pixels of a row a triangle covers.

use std::ops::Range;

/// The pixels, counted from the row's first, at which no edge is negative. `edges` are the values at the first pixel,
/// `steps` the changes to the next; a triangle is convex, so that the pixels follow each other.
#[inline]
pub(super) fn covered(edges: [i32; 3], steps: [i32; 3], count: i32) -> Range<i32> {
    let [mut first0, mut first1, mut first2] = edges;
    let last = count - 1;
    let mut last0 = first0 + steps[0] * last;
    let mut last1 = first1 + steps[1] * last;
    let mut last2 = first2 + steps[2] * last;
    // An edge that is negative at both ends is negative between.
    if (first0 & last0) | (first1 & last1) | (first2 & last2) < 0 {
        return 0..0;
    }
    let mut start = 0;
    while (first0 | first1 | first2) < 0 {
        start += 1;
        if start == count {
            return 0..0;
        }
        first0 += steps[0];
        first1 += steps[1];
        first2 += steps[2];
    }
    let mut end = count;
    while (last0 | last1 | last2) < 0 {
        end -= 1;
        last0 -= steps[0];
        last1 -= steps[1];
        last2 -= steps[2];
    }
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn is_what_testing_each_pixel_gives(
            edges in prop::array::uniform3(-200i32..200), steps in prop::array::uniform3(-40i32..40), count in 1i32..64,
        ) {
            let inside = |x: i32| (0..3).all(|k| edges[k] + steps[k] * x >= 0);
            let expected: Vec<i32> = (0..count).filter(|&x| inside(x)).collect();
            prop_assert_eq!(covered(edges, steps, count).collect::<Vec<_>>(), expected);
        }
    }
}
