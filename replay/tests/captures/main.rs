//! Captures whose results are known: games against PPSSPP's pictures, test programs against what a real PSP showed and
//! read back, and every capture against itself on a GE that has run before.
//!
//! They are shared data; without them the tests are skipped, or fail where `GE_HARNESS_REQUIRE_DATA` is set. What a
//! result may be is a table in `tests/baselines`, a row a capture: `GOLDEN=bless cargo test -p replay --test captures`
//! writes the tables anew.

mod baseline;
mod frametests;
mod overlap;
mod pictures;
mod png;
mod reads;
mod shared;
mod warm;
