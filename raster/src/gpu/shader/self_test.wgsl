// What the kernel builds on, on numbers that are hard (spec/gpu-notes.md §7.2). Results are compared with the
// processor's.

@group(0) @binding(0) var<storage, read> inputs: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> results: array<u32>;

const RESULTS: u32 = 16u;

@compute @workgroup_size(64)
fn self_test(@builtin(global_invocation_id) id: vec3<u32>) {
    let number = id.x;
    if number >= arrayLength(&inputs) {
        return;
    }
    let input = inputs[number];
    let a = input.x;
    let b = input.y;
    let shift = input.z & 31u;
    let signed_a = bitcast<i32>(a);
    let first = number * RESULTS;
    results[first] = a + b;
    results[first + 1u] = a * b;
    results[first + 2u] = bitcast<u32>(signed_a >> shift);
    results[first + 3u] = a << shift;
    results[first + 4u] = bitcast<u32>(extractBits(signed_a, shift & 15u, 4u));
    results[first + 5u] = extractBits(a, shift & 15u, 7u);
    results[first + 6u] = countLeadingZeros(a);
    results[first + 7u] = countTrailingZeros(a);
    results[first + 8u] = a / (b | 1u);
    results[first + 9u] = bitcast<u32>(clamp(signed_a, -1000, 1000));
    let wide = product(a, b);
    results[first + 10u] = wide.x;
    results[first + 11u] = wide.y;
    results[first + 12u] = bitcast<u32>(quotient_by_reciprocal(input.xy, input.zw, i32(shift) - 16));
    results[first + 13u] = exact_quotient(input.xy, input.zw, i32(shift) - 16, LIMIT_BITS).x;
    let finer = exact_quotient(input.xy, input.zw, i32(shift) - 8, LIMIT_BITS + 8u);
    results[first + 14u] = finer.x;
    results[first + 15u] = finer.y;
}
