//! Rasterises screen-space primitives as the PSP's Graphics Engine does.
#![forbid(unsafe_code)]
