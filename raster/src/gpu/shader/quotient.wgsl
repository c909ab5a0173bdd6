// Quotients of texture coordinates: what cpu/quotient.rs defines, in 32-bit words.

const LIMIT_BITS: u32 = 30u;

// A word of a number of 96 bits that goes on with its sign.
fn word_of(a: vec3<u32>, index: u32) -> u32 {
    if index > 2u {
        return select(0u, 0xffffffffu, (a.z >> 31u) == 1u);
    }
    return select(select(a.x, a.y, index == 1u), a.z, index == 2u);
}

fn funnel(low: u32, high: u32, count: u32) -> u32 {
    if count == 0u {
        return low;
    }
    return (low >> count) | (high << (32u - count));
}

// A number of 96 bits shifted right, or left where `down` is negative, within the limit.
fn shifted(a: vec3<u32>, down: i32) -> i32 {
    let limit = i32(1u << LIMIT_BITS);
    let at_limit = select(limit, -limit, (a.z >> 31u) == 1u);
    if down >= 0 {
        let count = u32(min(down, 127));
        let first = count >> 5u;
        let bits = count & 31u;
        let word_0 = word_of(a, first);
        let word_1 = word_of(a, first + 1u);
        let word_2 = word_of(a, first + 2u);
        let low = bitcast<i32>(funnel(word_0, word_1, bits));
        let sign = bitcast<u32>(low >> 31u);
        let middle = funnel(word_1, word_2, bits);
        let high = funnel(word_2, word_of(a, first + 3u), bits);
        if middle != sign || high != sign {
            return at_limit;
        }
        return clamp(low, -limit, limit);
    }
    let low = bitcast<i32>(a.x);
    let sign = bitcast<u32>(low >> 31u);
    if a.y != sign || a.z != sign {
        return at_limit;
    }
    let count = u32(-down);
    if count > LIMIT_BITS {
        return select(at_limit, 0, low == 0);
    }
    let most = limit >> count;
    if low > most || low < -most {
        return at_limit;
    }
    return low << count;
}

// 2^31 over a number of 16 bits, as hardware has it: a seed of nine bits and one step of Newton's method.
fn reciprocal_of(number: u32) -> u32 {
    if number == 0x8000u {
        return 0x10000u;
    }
    let middle = (number & 0xffffff00u) + 0x80u;
    let seed = ((1u << 24u) + middle / 2u) / middle;
    let rest = (1u << 18u) + 1u - ((number * seed) >> 7u);
    return (seed * rest + 212u) >> 10u;
}

// The numerator times the reciprocal of the denominator's top 16 bits.
fn quotient_by_reciprocal(numerator: vec2<u32>, denominator: vec2<u32>, shift: i32) -> i32 {
    if all(denominator == vec2<u32>(0u)) {
        return 0;
    }
    var wide = vec3<u32>(numerator, bitcast<u32>(bitcast<i32>(numerator.y) >> 31u));
    if is_negative(denominator) {
        wide = negate_96(wide);
    }
    let positive = magnitude(denominator);
    let zeros = leading_zeros_64(positive);
    let reciprocal = reciprocal_of(shift_left_64(positive, zeros).y >> 16u);
    return shifted(multiply_96(wide, reciprocal), 79 - i32(zeros) - shift);
}

// Sixteen more bits of a quotient: `remainder` * 2^16 / `divisor`, whose top bit is set. Changes the remainder.
fn next_digit(remainder: ptr<function, vec2<u32>>, divisor: vec2<u32>) -> u32 {
    let old = *remainder;
    // From the top bits alone it is too large by 2 at most (Knuth's algorithm D).
    var digit = min(old.y / (divisor.y >> 16u), 0xffffu);
    let multiple = multiply_96(vec3<u32>(divisor, 0u), digit);
    let shifted_up = vec3<u32>(old.x << 16u, (old.y << 16u) | (old.x >> 16u), old.y >> 16u);
    var rest = add_96(shifted_up, negate_96(multiple));
    for (var step = 0u; step < 2u; step++) {
        if (rest.z >> 31u) == 0u {
            break;
        }
        digit -= 1u;
        rest = add_96(rest, vec3<u32>(divisor, 0u));
    }
    *remainder = rest.xy;
    return digit;
}

// The floor of numerator * 2^shift / denominator within +-2^limit_bits, as 64 bits.
fn exact_quotient(numerator: vec2<u32>, denominator: vec2<u32>, shift: i32, limit_bits: u32) -> vec2<u32> {
    let none = vec2<u32>(0u);
    if all(denominator == none) || all(numerator == none) {
        return none;
    }
    let negative = is_negative(numerator) != is_negative(denominator);
    var remainder = magnitude(numerator);
    var divisor = magnitude(denominator);
    let remainder_zeros = leading_zeros_64(remainder);
    let divisor_zeros = leading_zeros_64(divisor);
    remainder = shift_left_64(remainder, remainder_zeros);
    divisor = shift_left_64(divisor, divisor_zeros);
    let exponent = clamp(shift, -63, 63) + i32(divisor_zeros) - i32(remainder_zeros);
    let limit = shift_left_64(vec2<u32>(1u, 0u), limit_bits);
    // Both have their top bit set: their quotient lies between 1/2 and 2.
    var quotient = none;
    var inexact = true;
    if exponent > i32(limit_bits) {
        quotient = limit;
        inexact = false;
    } else if exponent >= 0 {
        if !is_less_64(remainder, divisor) {
            quotient.x = 1u;
            remainder = subtract_64(remainder, divisor);
        }
        inexact = false;
        for (var left = u32(exponent); left > 0u; ) {
            let count = min(left, 16u);
            let digit = next_digit(&remainder, divisor);
            quotient = shift_left_64(quotient, count);
            quotient.x |= digit >> (16u - count);
            inexact = (digit & ((1u << (16u - count)) - 1u)) != 0u;
            left -= count;
        }
        inexact = inexact || any(remainder != none);
    }
    if negative {
        if inexact {
            quotient = add_64(quotient, vec2<u32>(1u, 0u));
        }
    }
    if is_less_64(limit, quotient) {
        quotient = limit;
    }
    if negative {
        return subtract_64(none, quotient);
    }
    return quotient;
}
