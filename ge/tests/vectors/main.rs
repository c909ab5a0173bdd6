//! The hardware vectors of the specification, run through display lists.
//!
//! Each test builds the list that a vector's file describes, runs it, and demands the score that the
//! file states, or more. The files are shared data; without them the tests are skipped.

mod bounding;
mod coverage;
mod filtering;
mod lighting;
mod primitives;
mod registers;
mod scene;
mod shared;
mod texture_matrix;
mod texture_units;
mod transfer;
mod vertices;
