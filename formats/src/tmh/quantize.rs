//! Fewer colours for a picture that has too many.

use super::Rgba;

/// A run of colours that share one palette entry.
struct Cluster<'a> {
    colors: &'a mut [(Rgba, u64)],
    /// Sum of squared errors times the weight, and the channel that has the most of it.
    spread: u128,
    channel: usize,
}

impl<'a> Cluster<'a> {
    fn new(colors: &'a mut [(Rgba, u64)]) -> Self {
        let mut total = 0;
        let mut channels = [0; 4];
        for (channel, spread) in channels.iter_mut().enumerate() {
            *spread = spread_of(colors, channel);
            total += *spread;
        }
        let channel = (0..4)
            .max_by_key(|&channel| channels[channel])
            .unwrap_or_default();
        Self {
            colors,
            spread: total,
            channel,
        }
    }

    /// Cuts across the widest channel, where the squared errors of both halves sum to the least, and
    /// never through equal values. A median would put a rare colour with its nearest crowd.
    fn cut(self) -> [Self; 2] {
        let Self { colors, channel, .. } = self;
        // The whole colour breaks ties, so that the cut does not depend on the order of pixels.
        colors.sort_unstable_by_key(|&(color, _)| (color[channel], color));
        let moment = |&(color, weight): &(Rgba, u64)| {
            (
                u128::from(weight),
                u128::from(color[channel]) * u128::from(weight),
            )
        };
        let (mut weight_above, mut sum_above) = (0, 0);
        for (weight, sum) in colors.iter().map(moment) {
            weight_above += weight;
            sum_above += sum;
        }
        let (mut weight_below, mut sum_below) = (0, 0);
        let (mut best, mut place) = (0, 1);
        for (number, pair) in colors.windows(2).enumerate() {
            let (weight, sum) = moment(&pair[0]);
            weight_below += weight;
            sum_below += sum;
            weight_above -= weight;
            sum_above -= sum;
            if pair[0].0[channel] == pair[1].0[channel] {
                continue;
            }
            // The error is the sum of squares, which no cut changes, less this.
            let saved =
                sum_below * sum_below / weight_below.max(1) + sum_above * sum_above / weight_above.max(1);
            if saved > best {
                best = saved;
                place = number + 1;
            }
        }
        let (low, high) = colors.split_at_mut(place);
        [Self::new(low), Self::new(high)]
    }

    /// The weighted mean, rounded.
    fn mean(&self) -> Rgba {
        let weight: u64 = self.colors.iter().map(|&(_, weight)| weight).sum();
        let mut mean = [0; 4];
        for (channel, mean) in mean.iter_mut().enumerate() {
            let sum: u64 = self
                .colors
                .iter()
                .map(|&(color, weight)| u64::from(color[channel]) * weight)
                .sum();
            *mean = ((sum + weight / 2) / weight.max(1)) as u8;
        }
        mean
    }
}

/// The sum of squared distances from the mean of one channel. Exact but for a last rounding.
fn spread_of(colors: &[(Rgba, u64)], channel: usize) -> u128 {
    let (mut weights, mut sum, mut squares) = (0_u128, 0_u128, 0_u128);
    for &(color, weight) in colors {
        let value = u128::from(color[channel]);
        let weight = u128::from(weight);
        weights += weight;
        sum += value * weight;
        squares += value * value * weight;
    }
    squares - sum * sum / weights.max(1)
}

/// At most `count` colours for a picture of `colors` with their frequencies, all different.
///
/// A median cut's kin: the cluster whose colours differ most in sum is cut in two until there are
/// enough, then each gives its mean. Integer arithmetic, so the same on every machine.
pub(super) fn reduce(colors: &[(Rgba, u64)], count: usize) -> Vec<Rgba> {
    let mut colors = colors.to_vec();
    if colors.is_empty() || count == 0 {
        return Vec::new();
    }
    let mut clusters = vec![Cluster::new(&mut colors)];
    while clusters.len() < count {
        let widest = (0..clusters.len())
            .filter(|&number| clusters[number].colors.len() > 1)
            .max_by_key(|&number| clusters[number].spread);
        let Some(widest) = widest else { break };
        let [low, high] = clusters.swap_remove(widest).cut();
        clusters.push(low);
        clusters.push(high);
    }
    clusters.iter().map(Cluster::mean).collect()
}

/// The last of the nearest colours of a palette, by the sum of squared differences of all four
/// channels.
pub(super) fn nearest(palette: &[Rgba], color: Rgba) -> u32 {
    let mut best = (u32::MAX, 0);
    for (index, &entry) in (0..).zip(palette) {
        let distance = entry
            .iter()
            .zip(color)
            .map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2))
            .sum();
        if distance <= best.0 {
            best = (distance, index);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn frequent_colors_pull_their_entry() {
        let colors = [([0, 0, 0, 255], 99), ([100, 0, 0, 255], 1)];
        assert_eq!(reduce(&colors, 1), [[1, 0, 0, 255]]);
    }

    #[test]
    fn far_colors_get_entries_of_their_own() {
        let near: Vec<(Rgba, u64)> = (0..20).map(|grey| ([grey, grey, grey, 255], 50)).collect();
        let colors = [near.as_slice(), &[([255, 0, 0, 255], 20), ([0, 255, 0, 0], 20)]].concat();
        let palette = reduce(&colors, 4);
        assert!(palette.contains(&[255, 0, 0, 255]), "{palette:?}");
        assert!(palette.contains(&[0, 255, 0, 0]), "{palette:?}");
    }

    #[test]
    fn of_equally_near_entries_the_last_is_taken() {
        assert_eq!(
            nearest(&[[0; 4], [2, 0, 0, 0], [2, 0, 0, 0], [9; 4]], [2, 0, 0, 0]),
            2
        );
        assert_eq!(nearest(&[[0; 4], [2, 0, 0, 0]], [1, 0, 0, 0]), 1);
    }

    proptest! {
        #[test]
        fn enough_entries_keep_every_color(colors in prop::collection::btree_map(any::<Rgba>(), 1..1000_u64, 1..64)) {
            let colors: Vec<(Rgba, u64)> = colors.into_iter().collect();
            let mut palette = reduce(&colors, colors.len());
            palette.sort_unstable();
            prop_assert!(palette.into_iter().eq(colors.iter().map(|&(color, _)| color)));
        }

        #[test]
        fn the_order_of_colors_does_not_matter(
            colors in prop::collection::btree_map(any::<Rgba>(), 1..1000_u64, 1..64),
            count in 1..20_usize,
        ) {
            let forward: Vec<(Rgba, u64)> = colors.into_iter().collect();
            let backward: Vec<(Rgba, u64)> = forward.iter().rev().copied().collect();
            let palette = reduce(&forward, count);
            prop_assert!(palette.len() <= count);
            prop_assert_eq!(palette, reduce(&backward, count));
        }
    }
}
