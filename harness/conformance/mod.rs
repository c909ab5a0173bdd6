//! A folder of captures held against what is known of them: pictures, and values read back from VRAM.
mod base64;
mod case;
mod checks;
mod discover;
mod page;
mod text;

use rayon::prelude::*;

pub use case::{CaseResult, ChecksReport, Pictures, Verdict};
pub use checks::{Check, parse_checks};
pub use discover::{Case, Found, Maker, Reference, discover};
pub use page::write_page;
pub use text::{Totals, write_table};

use crate::backend::Backend;
use crate::error::HarnessError;
use raster::Profile;
use replay::ReplayMode;

/// How cases are run, where they should not be run as their maker's references ask for.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Options {
    /// The largest MSE that passes, whoever made the picture.
    pub max_mse: Option<f64>,
    /// Whose pixels are drawn.
    pub profile: Option<Profile>,
    /// Which reading of captures to follow.
    pub mode: Option<ReplayMode>,
    /// Whether pictures are kept for a report.
    pub keep_pictures: bool,
}

/// Runs cases, `jobs` at a time, each on one thread; `done` is called behind each. Results come in the order of the
/// cases, however many run at once.
///
/// # Errors
/// A system that gives no threads.
pub fn run(
    cases: &[Case],
    options: Options,
    backend: &Backend,
    jobs: usize,
    done: impl Fn() + Sync,
) -> Result<Vec<CaseResult>, HarnessError> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(jobs)
        .build()
        .map_err(|error| HarnessError::refused("conformance", error, "give fewer --jobs"))?;
    Ok(pool.install(|| {
        let results = cases.par_iter().map(|case| {
            let result = case.run(options, backend);
            done();
            result
        });
        results.collect()
    }))
}

/// A part of a folder's cases: the number of the part, from 1, and how many parts there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    count: usize,
}

impl Shard {
    /// Everything.
    pub const ALL: Self = Self { number: 1, count: 1 };

    /// Part `number` of `count`; `None` unless `number` is from 1 to `count`.
    #[must_use]
    pub const fn new(number: usize, count: usize) -> Option<Self> {
        if number >= 1 && number <= count {
            Some(Self { number, count })
        } else {
            None
        }
    }

    /// Whether the case at `index` belongs to this part. Neighbours go to different parts, since they take alike long.
    #[must_use]
    pub const fn has(self, index: usize) -> bool {
        index % self.count == self.number - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_in_one_shard() {
        assert_eq!(Shard::new(0, 3), None);
        assert_eq!(Shard::new(4, 3), None);
        for index in 0..20 {
            let holders = (1..=3).filter(|&number| Shard::new(number, 3).unwrap().has(index));
            assert_eq!(holders.count(), 1, "{index}");
            assert!(Shard::ALL.has(index));
        }
    }
}
