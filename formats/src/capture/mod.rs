//! PPSSPP's recordings of a frame's GE commands (`.ppdmp`).
