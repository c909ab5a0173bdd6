//! What a real PSP computed, for all that needs no display list: the recorded vectors of the specification, drawn
//! through the public interface alone. The count of results that agree must be at least what the vectors' own
//! evaluation states.
#![forbid(unsafe_code)]

mod common;
mod filtering;
mod geometry;
mod memory;
mod pipeline;
mod projected;
mod textures;
