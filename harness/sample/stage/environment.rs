//! The stage's small blocks: fog and lights, parameters, collision.

/// Fog and lights with a sky gradient (`spec/mhp-formats.md` §1.5): kind 2, nothing aligned.
pub(super) fn environment() -> Vec<u8> {
    let mut bytes = Vec::new();
    bytes.extend_from_slice(&2_u16.to_le_bytes());
    bytes.extend_from_slice(&[0x9C, 0xB0, 0xBC, 0xFF]);
    let mut floats = |values: &[f32]| {
        values
            .iter()
            .for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()))
    };
    floats(&[2600.0, 9200.0]);
    // Directions away from the lights: the sun, the sky's bounce, and the camera's own (length 0).
    floats(&[-0.52, -0.72, -0.46, 0.70, 0.10, 0.52, 0.0, 0.0, 0.0]);
    floats(&[0.62, 0.57, 0.48, 0.20, 0.23, 0.32, 0.30, 0.30, 0.30]);
    floats(&[0.26, 0.27, 0.31, 0.26, 0.27, 0.31, 0.26, 0.27, 0.31]);
    floats(&[0.0, 0.0, 0.0]);
    bytes.extend_from_slice(&0_i16.to_le_bytes());
    bytes.extend_from_slice(&448_i16.to_le_bytes());
    // Blue, green, red, alpha from the zenith down to the horizon.
    for step in 0..8_u8 {
        bytes.extend_from_slice(&[200 - 2 * step, 150 + 4 * step, 92 + 9 * step, 255]);
    }
    bytes
}

/// The parameter block; only its first two bytes are known.
pub(super) fn parameters() -> Vec<u8> {
    let mut bytes = vec![0x02, 0x01];
    bytes.resize(16, 0);
    bytes
}

/// A collision block without faces.
pub(super) fn hits() -> Vec<u8> {
    let mut bytes = b"HITS".to_vec();
    bytes.resize(20, 0);
    bytes
}
