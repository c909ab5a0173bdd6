// A tile of 8 x 8 pixels, an invocation each: the primitives that touch it, in order (cpu/kernel.rs).

const TILE: u32 = 8u;
const COUNTERS: u32 = 64u;

var<workgroup> shared_colors: array<u32, 64>;
var<workgroup> shared_depths: array<u32, 64>;

@compute @workgroup_size(8, 8)
fn draw_tile(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_id) local: vec3<u32>,
    @builtin(local_invocation_index) number: u32,
) {
    let tile = tiles[group.x];
    let x = tile.x + local.x;
    let y = tile.y + local.y;
    let color_at = color_offset(x, y);
    let depth_at = depth_offset(x, y);
    let is_wide = globals.format == RGBA8888;
    var color = vram[color_at >> 2u];
    if !is_wide {
        color = expanded(half_word(color, color_at));
    }
    var depth = 0u;
    if globals.uses_depth != 0u {
        depth = half_word(vram[depth_at >> 2u], depth_at);
    }
    var color_changed = false;
    var depth_changed = false;
    var covered = 0u;
    var passed = 0u;

    for (var visit_number = 0u; visit_number < tile.w; visit_number++) {
        let visit = visits[tile.z + visit_number];
        let primitive = u32(visit.x) * PRIMITIVE_SIZE;
        let words_0 = primitives[primitive];
        let words_1 = bitcast<vec4<i32>>(primitives[primitive + 1u]);
        let words_2 = bitcast<vec4<i32>>(primitives[primitive + 2u]);
        let primitive_flags = words_0.z;
        let left = words_0.x & 0xffffu;
        let top = words_0.x >> 16u;
        if x < left || y < top || x >= (words_0.y & 0xffffu) || y >= (words_0.y >> 16u) {
            continue;
        }
        let right_steps = i32(local.x);
        let down_steps = i32(local.y);
        let edge_0 = visit.y + words_1.x * right_steps + words_1.y * down_steps;
        let edge_1 = visit.z + words_1.z * right_steps + words_1.w * down_steps;
        let edge_2 = visit.w + words_2.x * right_steps + words_2.y * down_steps;
        if has(primitive_flags, EDGES) && (edge_0 | edge_1 | edge_2) < 0 {
            continue;
        }
        covered += 1u;
        let pixel = Pixel(i32(x), i32(y), i32(x - left), i32(y - top));
        let state = words_0.w * STATE_SIZE;
        let state_words = states[state];
        let flags = state_words.x;
        let tests = states[state + 3u];

        let words_3 = bitcast<vec4<i32>>(primitives[primitive + 3u]);
        let depth_value = words_3.x + words_3.y * pixel.dx + words_3.z * pixel.dy;
        let incoming = u32(clamp(depth_value >> 14u, 0, 0xffff));
        // Depth that is the same everywhere was compared with the range in set-up.
        if has(flags, DEPTH_RANGE) && (words_3.y | words_3.z) != 0
            && (incoming < (state_words.w & 0xffffu) || incoming > (state_words.w >> 16u)) {
            continue;
        }
        let depth_passes = !has(flags, DEPTH_TEST) || passes(field(tests.y, 6u, 3u), incoming, depth);
        if has(flags, DEPTH_FIRST) && !depth_passes {
            continue;
        }
        var source = source_color(primitive, primitive_flags, state, flags, pixel);
        if has(flags, ALPHA_TEST) && !passes_alpha_test(state, source.w) {
            continue;
        }
        if has(flags, FOG) {
            source = fogged(primitive, primitive_flags, state, source, pixel);
        }
        if has(flags, COLOR_TEST) && !passes_color_test(state, source) {
            continue;
        }
        var stencil = 0u;
        if has(flags, STENCIL_TEST) {
            let reference = field(tests.x, 16u, 8u);
            let mask = field(tests.x, 24u, 8u);
            let stored = color >> 24u;
            let stencil_passes = passes(field(tests.y, 3u, 3u), reference & mask, stored & mask);
            let second = depth_passes || has(flags, DEPTH_FIRST);
            let operation = select(
                field(tests.y, 9u, 3u),
                select(field(tests.y, 12u, 3u), field(tests.y, 15u, 3u), second),
                stencil_passes,
            );
            stencil = stencil_value(operation, stored, reference);
            if !stencil_passes || !second {
                let kept = state_words.z | 0x00ffffffu;
                color = quantized(((stencil << 24u) & ~kept) | (color & kept));
                color_changed = true;
                continue;
            }
        }
        passed += 1u;
        if has(flags, WRITES_DEPTH) {
            depth = incoming;
            depth_changed = true;
        }
        if has(flags, WRITES_COLOR) {
            color = written(state, flags, source, color, stencil, pixel);
            color_changed = true;
        }
    }

    count(group.x, covered, passed);
    if color_changed && is_wide {
        vram[color_at >> 2u] = color;
    }
    // Two pixels of 16 bits share a word: the even one's invocation stores both.
    shared_colors[number] = select(0u, 1u << 16u, color_changed) | cut(color);
    shared_depths[number] = select(0u, 1u << 16u, depth_changed) | depth;
    workgroupBarrier();
    if (number & 1u) == 0u {
        let colors = vec2<u32>(shared_colors[number], shared_colors[number + 1u]);
        if !is_wide && ((colors.x | colors.y) >> 16u) != 0u {
            vram[color_at >> 2u] = (colors.x & 0xffffu) | (colors.y << 16u);
        }
        let depths = vec2<u32>(shared_depths[number], shared_depths[number + 1u]);
        if ((depths.x | depths.y) >> 16u) != 0u {
            vram[depth_at >> 2u] = (depths.x & 0xffffu) | (depths.y << 16u);
        }
    }
}

// Adds to 64-bit counters, of which there are several so that tiles do not wait for each other.
fn count(tile: u32, covered: u32, passed: u32) {
    let first = 4u * (tile % COUNTERS);
    add_to_counter(first, covered);
    add_to_counter(first + 2u, passed);
}

fn add_to_counter(first: u32, number: u32) {
    if number == 0u {
        return;
    }
    let before = atomicAdd(&counters[first], number);
    if before + number < before {
        atomicAdd(&counters[first + 1u], 1u);
    }
}
