// A level of a texture that lies in VRAM, an invocation a texel (texture/decode.rs, spec/ge-raster.md §8.4 to §8.6).

struct Level {
    // The first byte in the window of VRAM's four copies, and how many bytes there are; others are zero.
    start: u32,
    length: u32,
    // Bytes from row to row.
    row_bytes: u32,
    log2_width: u32,
    log2_height: u32,
    format: u32,
    swizzled: u32,
    // Where the level begins among all texels.
    first: u32,
    // From the bits of a texel to an entry of the palette.
    shift: u32,
    mask: u32,
    entry_start: u32,
    entry_offset: u32,
    last_entry: u32,
    translation: u32,
    padding_0: u32,
    padding_1: u32,
}

@group(0) @binding(0) var<storage, read> vram: array<u32>;
@group(0) @binding(1) var<storage, read_write> texels: array<u32>;
// As 8888.
@group(0) @binding(2) var<storage, read> palette: array<u32>;
@group(0) @binding(3) var<uniform> level: Level;

const VRAM_SIZE: u32 = 0x200000u;
const NONE: u32 = 0xffffffffu;

// The byte of the primary copy that a byte of the window is.
fn primary(window_offset: u32) -> u32 {
    let offset = window_offset % VRAM_SIZE;
    let mirror = (window_offset / VRAM_SIZE) % 4u;
    if (mirror & 1u) == 0u || level.translation == NONE {
        return offset;
    }
    if level.translation == 0u {
        let part = (offset >> 9u) & 3u;
        return select(offset, offset ^ 0x600u, mirror == 1u || part == 0u || part == 3u);
    }
    if mirror == 1u {
        return offset ^ (8u * level.translation) ^ 0x40u;
    }
    return linear_to_primary(offset, level.translation);
}

fn byte_at(at: u32) -> u32 {
    if at >= level.length {
        return 0u;
    }
    let offset = primary(level.start + at);
    return (vram[offset >> 2u] >> ((offset & 3u) * 8u)) & 0xffu;
}

// Bits of texels, as powers of two.
fn log2_bits() -> u32 {
    switch level.format {
        case 0u, 1u, 2u, 6u: { return 4u; }
        case 4u: { return 2u; }
        case 5u: { return 3u; }
        default: { return 5u; }
    }
}

// The bits of a texel.
fn bits_at(x: u32, y: u32) -> u32 {
    let bits = log2_bits();
    let column = (x << bits) >> 3u;
    var at = y * level.row_bytes + column;
    if level.swizzled != 0u {
        at = (y >> 3u) * level.row_bytes * 8u + (y & 7u) * 16u + (column >> 4u) * 128u + (column & 15u);
    }
    if bits == 2u {
        return (byte_at(at) >> ((x & 1u) * 4u)) & 15u;
    }
    var word = 0u;
    for (var number = 0u; number < (1u << (bits - 3u)); number++) {
        word |= byte_at(at + number) << (8u * number);
    }
    return word;
}

// A 16-bit texel as 8888; 565 is opaque.
fn expanded(pixel: u32, format: u32) -> u32 {
    if format == 0u {
        let kept = ((pixel & 31u) << 3u) | ((pixel & 0x7e0u) << 5u) | ((pixel & 0xf800u) << 8u);
        return kept | ((kept >> 5u) & 0x00070007u) | ((kept >> 6u) & 0x00000300u) | 0xff000000u;
    }
    if format == 1u {
        let kept = ((pixel & 31u) << 3u) | ((pixel & 0x3e0u) << 6u) | ((pixel & 0x7c00u) << 9u);
        return kept | ((kept >> 5u) & 0x00070707u) | (((pixel >> 15u) * 255u) << 24u);
    }
    let kept = (pixel & 15u) | ((pixel & 0xf0u) << 4u) | ((pixel & 0xf00u) << 8u) | ((pixel & 0xf000u) << 12u);
    return kept * 17u;
}

@compute @workgroup_size(8, 8)
fn decode_level(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= (1u << level.log2_width) || id.y >= (1u << level.log2_height) {
        return;
    }
    let bits = bits_at(id.x, id.y);
    var texel = bits;
    if level.format >= 4u {
        let entry = (((bits >> level.shift) & level.mask) | level.entry_start) + level.entry_offset;
        texel = palette[entry & level.last_entry];
    } else if level.format < 3u {
        texel = expanded(bits, level.format);
    }
    texels[level.first + (id.y << level.log2_width) + id.x] = texel;
}
