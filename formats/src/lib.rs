//! Readers and writers of the file formats around the PSP's Graphics Engine.
#![forbid(unsafe_code)]
