//! The fused multiply-add in integer arithmetic: [`fma`](fn@fma) computes `a * b + c` exactly and rounds once.

use crate::number::{F32, F64, Format, Number};

/// `a * b + c` rounded once, on the bits of `format`.
///
/// Follows IEEE 754: infinity times zero and infinity minus infinity are NaN; an exact zero sum of opposite signs is
/// +0.
pub const fn fma(format: Format, a: u64, b: u64, c: u64) -> u64 {
    let product = multiply(Number::decode(format, a), Number::decode(format, b));
    add(product, Number::decode(format, c)).encode(format)
}

/// [`fma`](fn@fma) for `f32`.
pub const fn fma_f32(a: f32, b: f32, c: f32) -> f32 {
    f32::from_bits(fma(F32, a.to_bits() as u64, b.to_bits() as u64, c.to_bits() as u64) as u32)
}

/// [`fma`](fn@fma) for `f64`.
pub const fn fma_f64(a: f64, b: f64, c: f64) -> f64 {
    f64::from_bits(fma(F64, a.to_bits(), b.to_bits(), c.to_bits()))
}

const NAN: Number = Number::Nan { negative: false, payload: 1 << 51 };

/// The exact product of two decoded floats, whose magnitudes have at most 53 bits.
const fn multiply(a: Number, b: Number) -> Number {
    use Number::{Finite, Infinite, Nan};
    match (a, b) {
        (Nan { .. }, _) => a,
        (_, Nan { .. }) => b,
        (Infinite { .. }, Finite { magnitude: 0, .. }) | (Finite { magnitude: 0, .. }, Infinite { .. }) => NAN,
        (Infinite { negative: x }, Infinite { negative: y } | Finite { negative: y, .. })
        | (Finite { negative: x, .. }, Infinite { negative: y }) => Infinite { negative: x != y },
        (Finite { negative: x, magnitude: m, exponent: e }, Finite { negative: y, magnitude: n, exponent: f }) => {
            Finite { negative: x != y, magnitude: m * n, exponent: e + f }
        }
    }
}

/// The sum of two numbers whose magnitudes have at most 106 bits. If it is not exact, it still rounds correctly to 53
/// bits or fewer.
const fn add(a: Number, b: Number) -> Number {
    use Number::{Finite, Infinite, Nan};
    match (a, b) {
        (Nan { .. }, _) => a,
        (_, Nan { .. }) => b,
        (Infinite { negative: x }, Infinite { negative: y }) if x != y => NAN,
        (Infinite { .. }, _) => a,
        (_, Infinite { .. }) => b,
        (Finite { negative: x, magnitude: 0, .. }, Finite { negative: y, magnitude: 0, .. }) => {
            Finite { negative: x && y, magnitude: 0, exponent: 0 }
        }
        (_, Finite { magnitude: 0, .. }) => a,
        (Finite { magnitude: 0, .. }, _) => b,
        (Finite { negative: x, magnitude: m, exponent: e }, Finite { negative: y, magnitude: n, exponent: f }) => {
            // Move the highest bits to bit 124: a carry fits above, and at least 19 zeros are below.
            let (m, e) = (m << (m.leading_zeros() - 3), e - m.leading_zeros() as i32 + 3);
            let (n, f) = (n << (n.leading_zeros() - 3), f - n.leading_zeros() as i32 + 3);
            if e > f || e == f && m >= n { add_smaller(x, m, e, y, n, f) } else { add_smaller(y, n, f, x, m, e) }
        }
    }
}

/// The sum of two numbers, the first not smaller in magnitude than the second.
///
/// Bits that the second loses when it is shifted to the exponent of the first are kept as a sticky lowest bit. That
/// happens at a distance of 20 or more, where the sum has over 120 bits.
const fn add_smaller(x: bool, m: u128, e: i32, y: bool, n: u128, f: i32) -> Number {
    let distance = e - f;
    let shifted = if distance > 126 { 1 } else { n >> distance | (n & ((1 << distance) - 1) != 0) as u128 };
    let magnitude = if x == y { m + shifted } else { m - shifted };
    Number::Finite { negative: x && magnitude != 0, magnitude, exponent: e }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::tests::Random;

    fn same_f64(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
    }

    fn check_f64(a: f64, b: f64, c: f64) {
        let (ours, expect) = (fma_f64(a, b, c), a.mul_add(b, c));
        assert!(same_f64(ours, expect), "fma({a:e}, {b:e}, {c:e}) is {expect:e}, not {ours:e}");
    }

    fn check_f32(a: f32, b: f32, c: f32) {
        let (ours, expect) = (fma_f32(a, b, c), a.mul_add(b, c));
        let same = ours.to_bits() == expect.to_bits() || ours.is_nan() && expect.is_nan();
        assert!(same, "fma({a:e}, {b:e}, {c:e}) is {expect:e}, not {ours:e}");
    }

    #[test]
    fn special_values_and_extremes_equal_mul_add() {
        let tiny = f64::from_bits(1);
        let edges = [
            0.0,
            1.0,
            1.5,
            3.0,
            tiny,
            f64::MIN_POSITIVE,
            1.0 + f64::EPSILON,
            1.0 - f64::EPSILON / 2.0,
            2f64.powi(-537),
            2f64.powi(511),
            2f64.powi(1023),
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ];
        let all: Vec<f64> = edges.into_iter().flat_map(|x| [x, -x]).collect();
        for &a in &all {
            for &b in &all {
                for &c in &all {
                    check_f64(a, b, c);
                    check_f32(a as f32, b as f32, c as f32);
                }
            }
        }
    }

    #[test]
    fn random_bits_equal_mul_add() {
        let mut random = Random(3);
        for _ in 0..1_000_000 {
            let [a, b, c] = [random.next(), random.next(), random.next()];
            check_f64(f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
            check_f32(f32::from_bits(a as u32), f32::from_bits(b as u32), f32::from_bits(c as u32));
        }
    }

    /// Addends close to the product: cancellation, ties, sticky bits, subnormal results.
    #[test]
    fn addends_near_the_product_equal_mul_add() {
        let mut random = Random(4);
        for i in 0..2_000_000u64 {
            let fraction = |r: u64, keep: u64| (r << (52 - keep)) & ((1 << 52) - 1);
            let keep = [52, 26, 4, 27][(i % 4) as usize];
            let base = if i % 3 == 0 { 510 } else { 1023 }; // 510: the product is subnormal or almost
            let spread = |r: u64| base + r % 8;
            let [r, s, t, u] = [random.next(), random.next(), random.next(), random.next()];
            let a = f64::from_bits(spread(u) << 52 | fraction(r, keep) | r & 1 << 63);
            let b = f64::from_bits(spread(u >> 8) << 52 | fraction(s, keep));
            let c = match i % 5 {
                0 => -(a * b),
                1 => f64::from_bits((a * b).to_bits() ^ 1 << 63 ^ (t & 3)),
                2 => a * b * 2f64.powi((t % 120) as i32 - 60),
                3 => -f64::from_bits((a * b).to_bits() & !0 << (t % 52)) * 2f64.powi((t >> 8) as i32 % 110 - 55),
                _ => f64::from_bits(t & 0x801f_ffff_ffff_ffff),
            };
            check_f64(a, b, c);
            let (a, b) = (a as f32 * if i % 3 == 0 { 1.0 } else { 2f32.powi(-66) }, b as f32 * 2f32.powi(-66));
            let (a, b) = if a == 0.0 { (1.5e-20 * (r % 1024) as f32, 2.5e-20 * (s % 1024) as f32) } else { (a, b) };
            let c = match i % 3 {
                0 => -(a * b),
                1 => f32::from_bits((a * b).to_bits() ^ 1 << 31 ^ (t as u32 & 3)),
                _ => f32::from_bits(t as u32 & 0x80ff_ffff),
            };
            check_f32(a, b, c);
        }
    }

    /// The product is 2^-24 - 2^-64. The sum is just below the midpoint of two floats. Rounded to `f64` it becomes the
    /// midpoint, which a second rounding takes to the even float above.
    #[test]
    fn f32_is_rounded_once() {
        let (a, b) = (2f32.powi(-12) * (1.0 + 2f32.powi(-20)), 2f32.powi(-12) * (1.0 - 2f32.powi(-20)));
        let c = 1.0 + f32::EPSILON;
        assert_eq!((f64::from(a) * f64::from(b) + f64::from(c)) as f32, 1.0 + 2.0 * f32::EPSILON);
        assert_eq!(fma_f32(a, b, c), c);
        check_f32(a, b, c);
    }
}
