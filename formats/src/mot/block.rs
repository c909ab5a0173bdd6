//! Curve blocks: what a record's offset points at.

use super::curve::{FullPrecisionKey, Quantization, QuantizedKey, SemiPrecisionKey, Steps};
use super::{Curve, Family, Float16};

/// Bytes of a block of `key_count` keys.
pub(super) fn size(family: Family, key_count: usize) -> usize {
    family.header_size() + key_count * family.key_size()
}

/// The numbers of a header of floats.
pub(super) fn floats<const N: usize>(bytes: &[u8]) -> [f32; N] {
    let mut floats = [0.0; N];
    for (float, &word) in floats.iter_mut().zip(bytes.as_chunks().0) {
        *float = f32::from_le_bytes(word);
    }
    floats
}

/// The numbers of a header of 16-bit floats.
pub(super) fn halves<const N: usize>(bytes: &[u8]) -> [Float16; N] {
    let mut halves = [Float16::ZERO; N];
    for (half, &pair) in halves.iter_mut().zip(bytes.as_chunks().0) {
        *half = Float16(u16::from_le_bytes(pair));
    }
    halves
}

/// Reads a whole block of [`size`] bytes.
pub(super) fn parse(family: Family, bytes: &[u8]) -> Curve {
    let (header, keys) = bytes.split_at(family.header_size().min(bytes.len()));
    match family {
        Family::SinglePose => Curve::single_pose(0.0),
        Family::Quantized => Curve::Quantized {
            header: Quantization::from_numbers(halves(header)),
            keys: keys
                .as_chunks()
                .0
                .iter()
                .map(|&[frames, value, incoming, outgoing]| QuantizedKey {
                    frames,
                    value,
                    incoming,
                    outgoing,
                })
                .collect(),
        },
        Family::SemiPrecision => Curve::SemiPrecision {
            header: Quantization::from_numbers(floats(header)),
            keys: keys
                .as_chunks()
                .0
                .iter()
                .map(|&[f0, f1, v0, v1, i0, i1, o0, o1]| SemiPrecisionKey {
                    frame: u16::from_le_bytes([f0, f1]),
                    value: u16::from_le_bytes([v0, v1]),
                    incoming: u16::from_le_bytes([i0, i1]),
                    outgoing: u16::from_le_bytes([o0, o1]),
                })
                .collect(),
        },
        Family::FullPrecision => Curve::FullPrecision {
            keys: keys
                .as_chunks::<16>()
                .0
                .iter()
                .map(|key| {
                    let [value, incoming, outgoing] = floats(&key[4..]);
                    FullPrecisionKey {
                        frame: u16::from_le_bytes([key[0], key[1]]),
                        filler: u16::from_le_bytes([key[2], key[3]]),
                        value,
                        incoming,
                        outgoing,
                    }
                })
                .collect(),
        },
        Family::Linear => {
            let [bias, step] = floats(header);
            Curve::Linear {
                header: Steps { bias, step },
                samples: keys
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&pair| u16::from_le_bytes(pair))
                    .collect(),
            }
        }
    }
}

/// The block of `curve`, empty for a Single Pose.
pub(super) fn bytes(curve: &Curve) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(size(curve.family(), curve.key_count()));
    let halves = |bytes: &mut Vec<u8>, halves: &[u16]| {
        bytes.extend(halves.iter().flat_map(|half| half.to_le_bytes()));
    };
    let floats = |bytes: &mut Vec<u8>, floats: &[f32]| {
        bytes.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
    };
    match curve {
        Curve::SinglePose { .. } => {}
        Curve::Quantized { header, keys } => {
            halves(&mut bytes, &header.numbers().map(|number| number.0));
            for key in keys {
                bytes.extend([key.frames, key.value, key.incoming, key.outgoing]);
            }
        }
        Curve::SemiPrecision { header, keys } => {
            floats(&mut bytes, &header.numbers());
            for key in keys {
                halves(&mut bytes, &[key.frame, key.value, key.incoming, key.outgoing]);
            }
        }
        Curve::FullPrecision { keys } => {
            for key in keys {
                halves(&mut bytes, &[key.frame, key.filler]);
                floats(&mut bytes, &[key.value, key.incoming, key.outgoing]);
            }
        }
        Curve::Linear { header, samples } => {
            floats(&mut bytes, &[header.bias, header.step]);
            halves(&mut bytes, samples);
        }
    }
    bytes
}
