//! The GPU that tests draw on.

use ge_harness::backend::Backend;
use raster::AdapterChoice;

/// The best adapter, software ones included. Where there is none tests say so and pass, unless
/// `GE_HARNESS_REQUIRE_GPU` is set: then they fail.
pub(crate) fn gpu() -> Option<Backend> {
    match Backend::gpu(AdapterChoice::Best) {
        Ok(backend) => Some(backend),
        Err(error) if std::env::var_os("GE_HARNESS_REQUIRE_GPU").is_some() => panic!("{error}"),
        Err(error) => {
            eprintln!("skipped: {error}");
            None
        }
    }
}
