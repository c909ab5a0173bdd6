// The level of detail, and texels of the levels that it selects (texture/sample.rs, cpu/texturing.rs).

// Bits behind the point of planes of hardware's coordinates in perspective.
const PERSPECTIVE_FRACTION: u32 = 14u;

// Bits behind the point of 1/256 texel, where changes of coordinates are looked at.
const FINER: u32 = 8u;

// 16 times the base-2 logarithm of a number with so many bits behind the point.
fn fixed_log2(number: vec2<u32>, fraction_bits: i32) -> i32 {
    if all(number == vec2<u32>(0u)) {
        return -2032;
    }
    let zeros = leading_zeros_64(number);
    let mantissa = (shift_left_64(number, zeros).y >> 27u) & 15u;
    return 16 * (63 - i32(zeros) - fraction_bits) + i32(mantissa);
}

// A numerator of perspective coordinates over their denominator, with finer bits.
fn finer_quotient(first: u32, axis: u32, dx: i32, dy: i32) -> vec2<u32> {
    let shift = bitcast<i32>(attributes[first + 18u + axis]);
    return exact_quotient(
        plane_64(first + 6u * axis, dx, dy),
        plane_64(first + 12u, dx, dy),
        shift + i32(FINER),
        LIMIT_BITS + FINER,
    );
}

fn quad_detail(first: u32, first_shifts: vec2<u32>, dx: i32, dy: i32) -> i32 {
    var largest = vec2<u32>(0u);
    for (var axis = 0u; axis < 2u; axis++) {
        var ends: array<vec2<u32>, 2>;
        for (var end = 0u; end < 2u; end++) {
            let step = i32(end);
            ends[end] = finer_quotient(first, axis, dx + select(0, step, axis == 0u), dy + select(0, step, axis == 1u));
        }
        let first_shift = select(first_shifts.x, first_shifts.y, axis == 1u);
        let change = shift_left_64(magnitude(subtract_64(ends[1], ends[0])), 15u - min(first_shift, 15u));
        if is_less_64(largest, change) {
            largest = change;
        }
    }
    return fixed_log2(largest, 8 + i32(FINER) + 15);
}

fn detail_at(primitive: u32, flags: u32, coordinates: u32, first_shifts: vec2<u32>, pixel: Pixel) -> i32 {
    let words = primitives[primitive + 4u];
    let detail = bitcast<i32>(words.z);
    if !DETAIL_CHANGES || !has(flags, DETAIL_PER_QUAD | DETAIL_FROM_SLOPE) {
        return detail;
    }
    let odd_column = i32(has(flags, ODD_QUAD_COLUMN));
    let odd_row = i32(has(flags, ODD_QUAD_ROW));
    let dx = pixel.dx - ((pixel.x ^ odd_column) & 1);
    let dy = pixel.dy - ((pixel.y ^ odd_row) & 1);
    var found = 0;
    if has(flags, DETAIL_FROM_SLOPE) {
        found = fixed_log2(magnitude(plane_64(globals.planes + 6u * words.w, dx, dy)), 24);
    } else if has(flags, PERSPECTIVE) {
        found = quad_detail(globals.perspective + 20u * coordinates, first_shifts, dx, dy);
    }
    // Both are far from the ends of 32 bits but for a bias that is not.
    return clamp(detail, -0x40000000, 0x40000000) + found;
}

fn coordinates_at(flags: u32, coordinates: u32, pixel: Pixel) -> vec2<i32> {
    if !(DIVIDES_BY_RECIPROCAL || DIVIDES_EXACTLY) || !has(flags, PERSPECTIVE) {
        let first = globals.affine + 18u * coordinates;
        return vec2<i32>(exact_plane(first, pixel), exact_plane(first + 9u, pixel));
    }
    let first = globals.perspective + 20u * coordinates;
    let denominator = plane_64(first + 12u, pixel.dx, pixel.dy);
    var results = vec2<i32>(0);
    for (var axis = 0u; axis < 2u; axis++) {
        let numerator = plane_64(first + 6u * axis, pixel.dx, pixel.dy);
        let shift = bitcast<i32>(attributes[first + 18u + axis]);
        var result = 0;
        if DIVIDES_EXACTLY && (!DIVIDES_BY_RECIPROCAL || has(flags, EXACT_QUOTIENT)) {
            result = bitcast<i32>(exact_quotient(numerator, denominator, shift, LIMIT_BITS).x);
        } else if DIVIDES_BY_RECIPROCAL {
            result = quotient_by_reciprocal(
                shift_right_64(numerator, PERSPECTIVE_FRACTION),
                shift_right_64(denominator, PERSPECTIVE_FRACTION),
                shift,
            );
        }
        if axis == 0u {
            results.x = result;
        } else {
            results.y = result;
        }
    }
    return results;
}

// So many sixteenths of the next texel, cut to 8 bits.
fn mix_texels(texel: u32, next: u32, sixteenths: u32) -> u32 {
    let pair = 0x00ff00ffu;
    let even = (texel & pair) * (16u - sixteenths) + (next & pair) * sixteenths;
    let odd = ((texel >> 8u) & pair) * (16u - sixteenths) + ((next >> 8u) & pair) * sixteenths;
    return ((even >> 4u) & pair) | (((odd >> 4u) & pair) << 8u);
}

fn mean_at_once(top_left: u32, top_right: u32, bottom_left: u32, bottom_right: u32, fraction: vec2<u32>) -> u32 {
    let pair = 0x00ff00ffu;
    let rest = vec2<u32>(16u) - fraction;
    let even = (top_left & pair) * (rest.x * rest.y) + (top_right & pair) * (fraction.x * rest.y)
        + (bottom_left & pair) * (rest.x * fraction.y) + (bottom_right & pair) * (fraction.x * fraction.y);
    let odd = ((top_left >> 8u) & pair) * (rest.x * rest.y) + ((top_right >> 8u) & pair) * (fraction.x * rest.y)
        + ((bottom_left >> 8u) & pair) * (rest.x * fraction.y) + ((bottom_right >> 8u) & pair) * (fraction.x * fraction.y);
    return ((even >> 8u) & pair) | (odd & ~pair);
}

// An index that repeats or ends.
fn wrapped(index: i32, last: i32, clamps: bool) -> u32 {
    return u32(select(index, clamp(index, 0, last), clamps) & last);
}

// The filtered texel of a level.
fn sample_level(state: u32, flags: u32, level: u32, linear: bool, coordinates: vec2<i32>) -> u32 {
    let levels = states[state + 4u + (level >> 1u)];
    let place = select(levels.xy, levels.zw, (level & 1u) == 1u);
    let log2_width = field(place.y, 0u, 4u);
    let last = vec2<i32>((1 << log2_width) - 1, (1 << field(place.y, 4u, 4u)) - 1);
    let shift = vec2<u32>(field(place.y, 8u, 5u), field(place.y, 13u, 5u));
    let clamps_s = has(flags, CLAMP_S);
    let clamps_t = has(flags, CLAMP_T);
    var at = coordinates;
    if linear {
        if has(flags, ROUNDS) {
            // PPSSPP rounds what hardware cuts.
            at += vec2<i32>((vec2<u32>(1u) << shift) >> vec2<u32>(1u));
        }
        at = (at >> shift) - vec2<i32>(128);
    } else {
        at = at >> shift;
    }
    let index = at >> vec2<u32>(8u);
    let left = wrapped(index.x, last.x, clamps_s);
    let top = place.x + (wrapped(index.y, last.y, clamps_t) << log2_width);
    let top_left = texels[top + left];
    if !linear {
        return top_left;
    }
    let right = wrapped(index.x + 1, last.x, clamps_s);
    let bottom = place.x + (wrapped(index.y + 1, last.y, clamps_t) << log2_width);
    let top_right = texels[top + right];
    let bottom_left = texels[bottom + left];
    let bottom_right = texels[bottom + right];
    let fraction = vec2<u32>(at >> vec2<u32>(4u)) & vec2<u32>(15u);
    if has(flags, MEAN_AT_ONCE) {
        return mean_at_once(top_left, top_right, bottom_left, bottom_right, fraction);
    }
    return mix_texels(
        mix_texels(top_left, top_right, fraction.x),
        mix_texels(bottom_left, bottom_right, fraction.x),
        fraction.y,
    );
}

// The filtered texel of a primitive at a pixel.
fn texel_at(primitive: u32, primitive_flags: u32, state: u32, flags: u32, pixel: Pixel) -> u32 {
    let coordinates_index = primitives[primitive + 4u].x;
    if !SAMPLES || coordinates_index == NONE {
        return 0u;
    }
    let selectors = states[state + 3u].z;
    let first_shifts = vec2<u32>(field(selectors, 3u, 5u), field(selectors, 8u, 5u));
    let detail = detail_at(primitive, primitive_flags, coordinates_index, first_shifts, pixel);
    let linear = has(flags, select(MAGNIFY_LINEAR, MINIFY_LINEAR, detail > 0));
    var level = 0u;
    var sixteenths = 0u;
    if has(flags, MIPMAPS) && detail > 0 {
        let limited = min(u32(detail), 16u * field(selectors, 0u, 3u));
        if has(flags, MIX_LEVELS) {
            level = limited >> 4u;
            sixteenths = limited & 15u;
        } else {
            level = (limited + 8u) >> 4u;
        }
    }
    let coordinates = coordinates_at(primitive_flags, coordinates_index, pixel);
    let count = select(1u, 2u, sixteenths > 0u);
    var texel = 0u;
    for (var number = 0u; number < count; number++) {
        let filtered = sample_level(state, flags, level + number, linear, coordinates);
        texel = mix_texels(select(texel, filtered, number == 0u), filtered, select(sixteenths, 0u, number == 0u));
    }
    return texel;
}
