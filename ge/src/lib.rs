//! Runs display lists of the PSP's Graphics Engine: memory, registers, transform, lighting, assembly.
#![forbid(unsafe_code)]
