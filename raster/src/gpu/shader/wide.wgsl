// Integers of 64 and 96 bits in words, low word first. All wrap.

fn product(a: u32, b: u32) -> vec2<u32> {
    let a_low = a & 0xffffu;
    let a_high = a >> 16u;
    let b_low = b & 0xffffu;
    let b_high = b >> 16u;
    let low = a_low * b_low;
    let cross_0 = a_low * b_high;
    let cross_1 = a_high * b_low;
    let middle = (low >> 16u) + (cross_0 & 0xffffu) + (cross_1 & 0xffffu);
    return vec2<u32>(
        (low & 0xffffu) | (middle << 16u),
        a_high * b_high + (cross_0 >> 16u) + (cross_1 >> 16u) + (middle >> 16u),
    );
}

fn add_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + u32(low < a.x));
}

fn subtract_64(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    return vec2<u32>(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

fn is_less_64(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn is_negative(a: vec2<u32>) -> bool {
    return (a.y >> 31u) == 1u;
}

fn magnitude(a: vec2<u32>) -> vec2<u32> {
    if is_negative(a) {
        return subtract_64(vec2<u32>(0u), a);
    }
    return a;
}

// Times a factor with a sign.
fn multiply_64(a: vec2<u32>, factor: i32) -> vec2<u32> {
    let low = bitcast<u32>(factor);
    let high = bitcast<u32>(factor >> 31u);
    let part = product(a.x, low);
    return vec2<u32>(part.x, part.y + a.y * low + a.x * high);
}

fn leading_zeros_64(a: vec2<u32>) -> u32 {
    if a.y != 0u {
        return countLeadingZeros(a.y);
    }
    return 32u + countLeadingZeros(a.x);
}

// Shifts of at most 63.
fn shift_left_64(a: vec2<u32>, count: u32) -> vec2<u32> {
    if count >= 32u {
        return vec2<u32>(0u, a.x << (count & 31u));
    }
    if count == 0u {
        return a;
    }
    return vec2<u32>(a.x << count, (a.y << count) | (a.x >> (32u - count)));
}

// By 1 to 31 bits, with the sign.
fn shift_right_64(a: vec2<u32>, count: u32) -> vec2<u32> {
    return vec2<u32>((a.x >> count) | (a.y << (32u - count)), bitcast<u32>(bitcast<i32>(a.y) >> count));
}

fn add_96(a: vec3<u32>, b: vec3<u32>) -> vec3<u32> {
    let low = a.x + b.x;
    let carry_0 = u32(low < a.x);
    let sum = a.y + b.y;
    let middle = sum + carry_0;
    let carry_1 = u32(sum < a.y) + u32(middle < sum);
    return vec3<u32>(low, middle, a.z + b.z + carry_1);
}

fn negate_96(a: vec3<u32>) -> vec3<u32> {
    return add_96(~a, vec3<u32>(1u, 0u, 0u));
}

// Times a factor without a sign; right for an `a` with one as well.
fn multiply_96(a: vec3<u32>, factor: u32) -> vec3<u32> {
    let low = product(a.x, factor);
    let middle = product(a.y, factor);
    let sum = low.y + middle.x;
    return vec3<u32>(low.x, sum, a.z * factor + middle.y + u32(sum < low.y));
}
