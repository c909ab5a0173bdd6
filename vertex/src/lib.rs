//! Decodes, morphs and skins the vertices of the PSP's Graphics Engine.
#![forbid(unsafe_code)]
