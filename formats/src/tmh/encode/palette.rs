//! Colours counted, and kept in a palette.

use std::collections::HashMap;

/// Entries of a CLUT that the engine can reach: it sets the GE's index mask to 0xFF
/// (`spec/mhp-formats.md §2.3`).
pub(super) const REACHABLE_ENTRIES: usize = 256;

/// The different numbers in a picture, in order of appearance.
pub(super) struct Census {
    pub(super) distinct: Vec<u32>,
    pub(super) frequencies: Vec<u64>,
    pub(super) number_of_pixel: Vec<u32>,
}

impl Census {
    pub(super) fn of(stored: &[u32]) -> Self {
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        let mut census = Self {
            distinct: Vec::new(),
            frequencies: Vec::new(),
            number_of_pixel: Vec::with_capacity(stored.len()),
        };
        for &color in stored {
            let number = *numbers.entry(color).or_insert_with(|| {
                census.distinct.push(color);
                census.frequencies.push(0);
                census.distinct.len() as u32 - 1
            });
            census.frequencies[number as usize] += 1;
            census.number_of_pixel.push(number);
        }
        census
    }
}

/// The palette with every wanted colour in it, or `None` where there are more than it holds.
///
/// An entry that is wanted stays in its place, so that a picture of the palette's own colours changes
/// nothing; the others give way in order.
pub(super) fn keep_exactly(entries: &[u32], wanted: &[u32]) -> Option<Vec<u32>> {
    let places: HashMap<u32, usize> = entries.iter().copied().zip(0..).collect();
    let kept: Vec<usize> = wanted
        .iter()
        .filter_map(|color| places.get(color).copied())
        .collect();
    let missing = wanted.iter().filter(|color| !places.contains_key(color));
    if wanted.len() == kept.len() {
        return Some(entries.to_vec());
    }
    if wanted.len() > entries.len().min(REACHABLE_ENTRIES) {
        return None;
    }
    let mut is_kept = vec![false; entries.len()];
    for place in kept {
        is_kept[place] = true;
    }
    let mut result = entries.to_vec();
    let free = (0..entries.len()).filter(|&place| !is_kept[place]);
    for (place, &color) in free.zip(missing) {
        result[place] = color;
    }
    Some(result)
}
