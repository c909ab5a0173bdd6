// Pixels in VRAM: where they lie, and their formats (format.rs, spec/ge-raster.md §12, §13).

const VRAM_MASK: u32 = 0x1fffffu;

const RGB565: u32 = 0u;
const RGBA5551: u32 = 1u;
const RGBA4444: u32 = 2u;
const RGBA8888: u32 = 3u;

// The byte at which a pixel's colour begins.
fn color_offset(x: u32, y: u32) -> u32 {
    let pixel = y * globals.color_stride + x;
    return (globals.color_offset + (pixel << select(1u, 2u, globals.format == RGBA8888))) & VRAM_MASK;
}

// The byte of the primary copy at which a pixel's depth begins.
fn depth_offset(x: u32, y: u32) -> u32 {
    let offset = (globals.depth_offset + 2u * (y * globals.depth_stride + x)) & VRAM_MASK;
    if globals.translation == NONE {
        return offset;
    }
    if globals.translation == 0u {
        let part = (offset >> 9u) & 3u;
        return select(offset, offset ^ 0x600u, part == 0u || part == 3u);
    }
    return linear_to_primary(offset, globals.translation);
}

fn half_word(word: u32, offset: u32) -> u32 {
    return (word >> ((offset & 2u) * 8u)) & 0xffffu;
}

// A 16-bit pixel as 8888.
fn expanded(pixel: u32) -> u32 {
    switch globals.format {
        case RGB565: {
            let kept = ((pixel & 31u) << 3u) | ((pixel & 0x7e0u) << 5u) | ((pixel & 0xf800u) << 8u);
            return kept | ((kept >> 5u) & 0x00070007u) | ((kept >> 6u) & 0x00000300u);
        }
        case RGBA5551: {
            let kept = ((pixel & 31u) << 3u) | ((pixel & 0x3e0u) << 6u) | ((pixel & 0x7c00u) << 9u);
            return kept | ((kept >> 5u) & 0x00070707u) | (((pixel >> 15u) * 255u) << 24u);
        }
        default: {
            let kept = (pixel & 15u) | ((pixel & 0xf0u) << 4u) | ((pixel & 0xf00u) << 8u) | ((pixel & 0xf000u) << 12u);
            return kept * 17u;
        }
    }
}

// An 8888 colour as a 16-bit pixel, cut.
fn cut(color: u32) -> u32 {
    switch globals.format {
        case RGB565: {
            return field(color, 3u, 5u) | (field(color, 10u, 6u) << 5u) | (field(color, 19u, 5u) << 11u);
        }
        case RGBA5551: {
            return field(color, 3u, 5u) | (field(color, 11u, 5u) << 5u) | (field(color, 19u, 5u) << 10u)
                | (field(color, 31u, 1u) << 15u);
        }
        default: {
            return field(color, 4u, 4u) | (field(color, 12u, 4u) << 4u) | (field(color, 20u, 4u) << 8u)
                | (field(color, 28u, 4u) << 12u);
        }
    }
}

// What remains of an 8888 colour that is stored and read back.
fn quantized(color: u32) -> u32 {
    switch globals.format {
        case RGB565: {
            let kept = color & 0x00f8fcf8u;
            return kept | ((kept >> 5u) & 0x00070007u) | ((kept >> 6u) & 0x00000300u);
        }
        case RGBA5551: {
            let kept = color & 0x00f8f8f8u;
            return kept | ((kept >> 5u) & 0x00070707u) | (((color >> 31u) * 255u) << 24u);
        }
        case RGBA4444: {
            let kept = color & 0xf0f0f0f0u;
            return kept | (kept >> 4u);
        }
        default: {
            return color;
        }
    }
}
