// What the kernel reads and writes. Records are those of set-up, word for word.

struct Globals {
    // The colour buffer: offset in bytes, pixels from row to row, format.
    color_offset: u32,
    color_stride: u32,
    format: u32,
    // The depth buffer, as its linear view shows it.
    depth_offset: u32,
    depth_stride: u32,
    // The permutation of the linear view; all bits set for none.
    translation: u32,
    // Whether stored depth is looked at.
    uses_depth: u32,
    // Where in `attributes` each kind begins, in words.
    affine: u32,
    perspective: u32,
    planes: u32,
    padding_0: u32,
    padding_1: u32,
}

@group(0) @binding(0) var<storage, read_write> vram: array<u32>;
// Left column, top row, first visit, number of visits.
@group(0) @binding(1) var<storage, read> tiles: array<vec4<u32>>;
// Primitive, and the values of its three edges at the tile's first pixel.
@group(0) @binding(2) var<storage, read> visits: array<vec4<i32>>;
@group(0) @binding(3) var<storage, read> primitives: array<vec4<u32>>;
// Colour planes, then affine coordinates, perspective coordinates, other planes.
@group(0) @binding(4) var<storage, read> attributes: array<u32>;
@group(0) @binding(5) var<storage, read> states: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read> texels: array<u32>;
// Pairs of 64-bit counters, low word first: pixels covered, pixels passed.
@group(0) @binding(7) var<storage, read_write> counters: array<atomic<u32>>;
@group(0) @binding(8) var<uniform> globals: Globals;

// What a batch does not need is left out (gpu/variant.rs).
override SAMPLES: bool = true;
override DIVIDES_BY_RECIPROCAL: bool = true;
override DIVIDES_EXACTLY: bool = true;
override DETAIL_CHANGES: bool = true;

const NONE: u32 = 0xffffffffu;

// Words of four of a primitive and of a state.
const PRIMITIVE_SIZE: u32 = 5u;
const STATE_SIZE: u32 = 8u;

// Flags of a primitive.
const EDGES: u32 = 1u;
const ODD_QUAD_COLUMN: u32 = 2u;
const ODD_QUAD_ROW: u32 = 4u;
const PERSPECTIVE: u32 = 8u;
const EXACT_QUOTIENT: u32 = 16u;
const FOG_PLANE: u32 = 32u;
const DETAIL_PER_QUAD: u32 = 64u;
const DETAIL_FROM_SLOPE: u32 = 128u;
const COLOR_WITHOUT_NUMBER: u32 = 256u;

// Flags of a state.
const DEPTH_RANGE: u32 = 1u;
const TEXTURED: u32 = 2u;
const TEXTURE_ALPHA: u32 = 4u;
const DOUBLE_COLOR: u32 = 8u;
const SECONDARY_COLOR: u32 = 16u;
const FOG: u32 = 32u;
const ALPHA_TEST: u32 = 64u;
const COLOR_TEST: u32 = 128u;
const STENCIL_TEST: u32 = 256u;
const DEPTH_TEST: u32 = 512u;
const DEPTH_FIRST: u32 = 1024u;
const DITHER: u32 = 2048u;
const LOGIC_OPERATION: u32 = 4096u;
const WRITES_DEPTH: u32 = 8192u;
const WRITES_COLOR: u32 = 16384u;
const MINIFY_LINEAR: u32 = 32768u;
const MAGNIFY_LINEAR: u32 = 65536u;
const MIPMAPS: u32 = 131072u;
const MIX_LEVELS: u32 = 262144u;
const MEAN_AT_ONCE: u32 = 524288u;
const CLAMP_S: u32 = 1048576u;
const CLAMP_T: u32 = 2097152u;
const ROUNDS: u32 = 4194304u;

// A primitive at a pixel.
struct Pixel {
    x: i32,
    y: i32,
    // The same, from the primitive's first pixel.
    dx: i32,
    dy: i32,
}

fn has(flags: u32, flag: u32) -> bool {
    return (flags & flag) != 0u;
}

// A field of `count` bits.
fn field(word: u32, first: u32, count: u32) -> u32 {
    return extractBits(word, first, count);
}

// Red, green, blue, alpha.
fn components(color: u32) -> vec4<u32> {
    return (vec4<u32>(color) >> vec4<u32>(0u, 8u, 16u, 24u)) & vec4<u32>(255u);
}

fn packed(color: vec4<u32>) -> u32 {
    return color.x | (color.y << 8u) | (color.z << 16u) | (color.w << 24u);
}
