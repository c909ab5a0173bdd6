// What a primitive's colour becomes before the tests: texture function, secondary colour, fog.

const MODULATE: u32 = 0u;
const DECAL: u32 = 1u;
const BLEND: u32 = 2u;
const REPLACE: u32 = 3u;

// Primitive colour, texel and secondary colour combined and clamped (cpu/texture_function.rs).
fn combine(
    state: u32,
    flags: u32,
    primitive_flags: u32,
    primitive: vec4<u32>,
    texel: vec4<u32>,
    secondary: vec4<u32>,
) -> vec4<u32> {
    let function = field(states[state].y, 0u, 3u);
    let environment = components(states[state + 1u].x).xyz;
    let uses_alpha = has(flags, TEXTURE_ALPHA);
    let double = u32(has(flags, DOUBLE_COLOR));
    let p = primitive.xyz;
    let t = texel.xyz;
    var color = vec3<u32>(0u);
    var alpha = primitive.w;
    let modulated_alpha = ((primitive.w + 1u) * texel.w) >> 8u;
    if function == MODULATE && has(primitive_flags, COLOR_WITHOUT_NUMBER) {
        // -2^15 + 1 times the texel, in 16 bits.
        let products = (texel * 0x8001u) & vec4<u32>(0xffffu);
        color = (products.xyz << vec3<u32>(double)) >> vec3<u32>(8u);
        alpha = products.w >> 8u;
    } else if function == MODULATE {
        color = (((p + 1u) * t) << vec3<u32>(double)) >> vec3<u32>(8u);
        alpha = modulated_alpha;
    } else if function == DECAL && uses_alpha {
        color = ((p + 1u) * (255u - texel.w) + (t + 1u) * texel.w) >> vec3<u32>(8u - double);
    } else if function == BLEND {
        color = ((vec3<u32>(255u) - t) * p + t * environment + 255u) >> vec3<u32>(8u - double);
        alpha = modulated_alpha;
    } else if function == DECAL || function == REPLACE {
        color = t << vec3<u32>(double);
        alpha = select(texel.w, primitive.w, function == DECAL);
    } else {
        color = (p + t) << vec3<u32>(double);
        alpha = modulated_alpha;
    }
    return vec4<u32>(min(color + secondary.xyz, vec3<u32>(255u)), select(primitive.w, alpha, uses_alpha));
}

// The colour that comes to the tests, but for fog.
fn source_color(primitive: u32, primitive_flags: u32, state: u32, flags: u32, pixel: Pixel) -> vec4<u32> {
    let words_2 = primitives[primitive + 2u];
    let gouraud = primitives[primitive + 3u].w;
    var color = vec4<u32>(0u);
    var secondary = vec4<u32>(0u);
    if gouraud == NONE {
        color = components(words_2.z);
        secondary = components(words_2.w);
    } else {
        color = color_planes(21u * gouraud, pixel);
        if has(flags, SECONDARY_COLOR) {
            secondary = secondary_planes(21u * gouraud, pixel);
        }
    }
    if !has(flags, SECONDARY_COLOR) {
        secondary = vec4<u32>(0u);
    }
    if has(flags, TEXTURED) {
        let texel = texel_at(primitive, primitive_flags, state, flags, pixel);
        return combine(state, flags, primitive_flags, color, components(texel), secondary);
    }
    return vec4<u32>(min(color.xyz + secondary.xyz, vec3<u32>(255u)), color.w);
}

// The colour in the fog; a factor of 255 leaves it, 0 is nothing but fog.
fn fogged(primitive: u32, primitive_flags: u32, state: u32, color: vec4<u32>, pixel: Pixel) -> vec4<u32> {
    var factor = primitives[primitive + 4u].y;
    if has(primitive_flags, FOG_PLANE) {
        // 32 bits behind the point: the floor is the high word.
        let value = bitcast<i32>(plane_64(globals.planes + 6u * factor, pixel.dx, pixel.dy).y);
        factor = u32(clamp(value, 0, 255));
    }
    let fog_color = components(states[state + 1u].y).xyz;
    let mixed = (color.xyz * factor + fog_color * (255u - factor) + 255u) >> vec3<u32>(8u);
    return vec4<u32>(mixed, color.w);
}
