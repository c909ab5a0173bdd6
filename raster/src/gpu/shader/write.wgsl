// Tests, and how a colour is written (spec/ge-raster.md §11).

// A comparison is three bits: passes when less, when equal, when greater.
fn passes(comparison: u32, incoming: u32, stored: u32) -> bool {
    let order = select(select(4u, 2u, incoming == stored), 1u, incoming < stored);
    return (comparison & order) != 0u;
}

fn passes_alpha_test(state: u32, alpha: u32) -> bool {
    let words = states[state + 3u];
    let mask = field(words.x, 8u, 8u);
    return passes(field(words.y, 0u, 3u), alpha & mask, field(words.x, 0u, 8u) & mask);
}

fn passes_color_test(state: u32, color: vec4<u32>) -> bool {
    let words = states[state + 1u];
    let function = field(states[state].y, 22u, 2u);
    let equal = ((packed(vec4<u32>(color.xyz, 0u)) ^ words.z) & words.w) == 0u;
    return (function == 2u && equal) || (function == 3u && !equal);
}

// The stencil value after an operation (cpu/stencil.rs).
fn stencil_value(operation: u32, stored: u32, reference: u32) -> u32 {
    var step = 0xffu;
    if globals.format == RGBA8888 {
        step = 1u;
    } else if globals.format == RGBA4444 {
        step = 0x10u;
    }
    switch operation {
        case 1u: { return 0u; }
        case 2u: { return reference; }
        case 3u: { return ~stored & 0xffu; }
        case 4u: {
            if step == 0xffu { return 0xffu; }
            return select(stored, stored + step, stored + step <= 0xffu);
        }
        case 5u: {
            if step == 0xffu { return 0u; }
            return select(stored, stored - step, stored >= step);
        }
        default: { return stored; }
    }
}

// The hardware's product of a component and a factor of up to 510.
fn multiply(component: vec3<u32>, factor: vec3<u32>) -> vec3<i32> {
    return vec3<i32>(((2u * component + 1u) * (2u * factor + 1u)) >> vec3<u32>(10u));
}

fn blend_factor(code: u32, other: vec4<u32>, source_alpha: u32, stored_alpha: u32, fixed_color: u32) -> vec3<u32> {
    if code == 10u {
        return components(fixed_color).xyz;
    }
    var value = other.xyz;
    if code >= 2u {
        // Source or stored alpha, from code 6 on twice that.
        let is_stored = (code >> 1u) == 2u || (code >> 1u) == 4u;
        value = vec3<u32>(select(source_alpha, stored_alpha, is_stored));
        if code >= 6u {
            value = 2u * value;
        }
    }
    if (code & 1u) == 1u {
        return vec3<u32>(255u) - min(value, vec3<u32>(255u));
    }
    return value;
}

// Red, green and blue of source and stored colour blended; neither dithered nor clamped.
fn blended(state: u32, selectors: u32, source: vec4<u32>, stored: vec4<u32>) -> vec3<i32> {
    let equation = field(selectors, 5u, 3u);
    let s = vec3<i32>(source.xyz);
    let d = vec3<i32>(stored.xyz);
    switch equation {
        case 3u: { return min(s, d); }
        case 4u: { return max(s, d); }
        case 5u: { return abs(s - d); }
        case 6u: { return s; }
        default: {}
    }
    let fixed_colors = states[state + 2u].xy;
    let source_factor = blend_factor(field(selectors, 8u, 4u), stored, source.w, stored.w, fixed_colors.x);
    let stored_factor = blend_factor(field(selectors, 12u, 4u), source, source.w, stored.w, fixed_colors.y);
    // Each product is cut before they are added.
    let from_source = multiply(source.xyz, source_factor);
    let from_stored = multiply(stored.xyz, stored_factor);
    switch equation {
        case 1u: { return from_source - from_stored; }
        case 2u: { return from_stored - from_source; }
        default: { return from_source + from_stored; }
    }
}

// What is added to the components at a pixel.
fn dither_entry(state: u32, pixel: Pixel) -> i32 {
    let rows = states[state + 2u].zw;
    let row = u32(pixel.y) & 3u;
    let pair = select(rows.x, rows.y, row >= 2u);
    return extractBits(bitcast<i32>(pair), (row & 1u) * 16u + (u32(pixel.x) & 3u) * 4u, 4u);
}

// The code of a logic operation is its truth table.
fn logic_result(code: u32, source: u32, stored: u32) -> u32 {
    let both_clear = select(0u, ~source & ~stored, (code & 8u) != 0u);
    let stored_only = select(0u, ~source & stored, (code & 4u) != 0u);
    let source_only = select(0u, source & ~stored, (code & 2u) != 0u);
    let both_set = select(0u, source & stored, (code & 1u) != 0u);
    return both_clear | stored_only | source_only | both_set;
}

// The stored colour after a fragment that passed every test. `stencil` is what the stencil operation left.
fn written(state: u32, flags: u32, source: vec4<u32>, stored: u32, stencil: u32, pixel: Pixel) -> u32 {
    let words = states[state];
    let selectors = words.y;
    var color = vec3<i32>(source.xyz);
    if field(selectors, 3u, 2u) != 0u {
        color = blended(state, selectors, source, components(stored));
    }
    if has(flags, DITHER) {
        color += dither_entry(state, pixel);
    }
    var result = packed(vec4<u32>(vec3<u32>(clamp(color, vec3<i32>(0), vec3<i32>(255))), 0u));
    if has(flags, LOGIC_OPERATION) {
        result = logic_result(field(selectors, 16u, 4u), result, stored) & 0x00ffffffu;
    }
    // Where the stored alpha stays, `kept` protects it.
    let alpha_source = field(selectors, 20u, 2u);
    if alpha_source == 1u {
        result |= stencil << 24u;
    } else if alpha_source == 2u {
        result |= source.w << 24u;
    }
    let kept = words.z;
    return quantized((result & ~kept) | (stored & kept));
}
