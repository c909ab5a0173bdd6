// Attributes at a pixel, from their planes (setup/planes).

fn plane_32(first: u32, pixel: Pixel) -> i32 {
    let base = bitcast<i32>(attributes[first]);
    let right = bitcast<i32>(attributes[first + 1u]);
    let down = bitcast<i32>(attributes[first + 2u]);
    return base + right * pixel.dx + down * pixel.dy;
}

fn word_pair(first: u32) -> vec2<u32> {
    return vec2<u32>(attributes[first], attributes[first + 1u]);
}

fn plane_64(first: u32, dx: i32, dy: i32) -> vec2<u32> {
    let right = multiply_64(word_pair(first + 2u), dx);
    let down = multiply_64(word_pair(first + 4u), dy);
    return add_64(word_pair(first), add_64(right, down));
}

fn word_triple(first: u32) -> vec3<u32> {
    return vec3<u32>(attributes[first], attributes[first + 1u], attributes[first + 2u]);
}

// The floor of a plane with 64 bits behind the point. Inside a primitive neither distance is negative.
fn exact_plane(first: u32, pixel: Pixel) -> i32 {
    let right = multiply_96(word_triple(first + 3u), u32(pixel.dx));
    let down = multiply_96(word_triple(first + 6u), u32(pixel.dy));
    return bitcast<i32>(add_96(word_triple(first), add_96(right, down)).z);
}

// Components of a colour, 22 bits behind the point.
fn color_planes(first: u32, pixel: Pixel) -> vec4<u32> {
    let values = vec4<i32>(
        plane_32(first, pixel),
        plane_32(first + 3u, pixel),
        plane_32(first + 6u, pixel),
        plane_32(first + 9u, pixel),
    );
    return vec4<u32>(clamp(values >> vec4<u32>(22u), vec4<i32>(0), vec4<i32>(255)));
}

fn secondary_planes(first: u32, pixel: Pixel) -> vec4<u32> {
    let values = vec3<i32>(
        plane_32(first + 12u, pixel),
        plane_32(first + 15u, pixel),
        plane_32(first + 18u, pixel),
    );
    return vec4<u32>(vec3<u32>(clamp(values >> vec3<u32>(22u), vec3<i32>(0), vec3<i32>(255))), 0u);
}
