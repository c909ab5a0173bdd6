//! The packed blocks: raw Snappy up to version 4, a Zstandard frame from version 5 on.

use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::{LARGEST_BLOCK, Version};

/// Unpacks `packed` to exactly `size` bytes, or says what is wrong.
///
/// Memory is bound by what is really there: a Snappy block whose header promises more than its
/// bytes could copy together is refused before anything is allocated, and a Zstandard frame is
/// unpacked block by block and left as soon as it passes `size`.
pub(super) fn unpack(version: Version, packed: &[u8], size: usize) -> Result<Vec<u8>, String> {
    let unpacked = if version < Version::V5 {
        unpack_snappy(packed, size)?
    } else {
        unpack_zstandard(packed, size)?
    };
    match unpacked.len() {
        length if length == size => Ok(unpacked),
        length => Err(format!("{length} bytes unpacked")),
    }
}

fn unpack_snappy(packed: &[u8], size: usize) -> Result<Vec<u8>, String> {
    /// The densest element is a copy of 64 bytes stored in 3.
    const MOST_BYTES_A_BYTE: usize = 64 / 3 + 1;
    let stated = snap::raw::decompress_len(packed).map_err(|error| error.to_string())?;
    if stated != size {
        return Err(format!("a Snappy block of {stated} bytes"));
    }
    if stated > packed.len().saturating_mul(MOST_BYTES_A_BYTE) {
        return Err(format!("{} bytes, too few to unpack to as many", packed.len()));
    }
    snap::raw::Decoder::new()
        .decompress_vec(packed)
        .map_err(|error| error.to_string())
}

fn unpack_zstandard(packed: &[u8], size: usize) -> Result<Vec<u8>, String> {
    let mut source = packed;
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(LARGEST_BLOCK as u64);
    decoder.init(&mut source).map_err(|error| error.to_string())?;
    // One byte more than wanted, so that an empty last block still counts as the end.
    let finished = decoder
        .decode_blocks(&mut source, BlockDecodingStrategy::UptoBytes(size + 1))
        .map_err(|error| error.to_string())?;
    if !finished {
        return Err("a Zstandard frame that goes on".to_owned());
    }
    if !source.is_empty() {
        return Err(format!("{} bytes behind the Zstandard frame", source.len()));
    }
    Ok(decoder.collect().unwrap_or_default())
}

/// Packs `bytes` as `version` does. The result is smaller or larger than the recorder's own, and
/// any reader unpacks it to the same bytes.
pub(super) fn pack(version: Version, bytes: &[u8]) -> Vec<u8> {
    if version < Version::V5 {
        // Fails above 4 GiB alone, and a block is LARGEST_BLOCK at most.
        snap::raw::Encoder::new().compress_vec(bytes).unwrap_or_default()
    } else {
        compress_to_vec(bytes, CompressionLevel::Fastest)
    }
}
