//! Branch-free scalar conversions between `f32` and the 16-bit floats `f16` and `bf16`, for ISAs that lack an
//! instruction: integer arithmetic and exact float operations, on bit patterns ([`f16_to_f32`], [`f32_to_f16`],
//! [`bf16_to_f32`], [`f32_to_bf16`]).
//!
//! Conversions round to nearest even, keep subnormals, and turn every NaN into a quiet NaN. The vector ISAs use the
//! CPU's conversions if it has them; the results differ in NaN payloads only.

/// `a` if `c`, else `b`. LLVM vectorizes the masks; it would keep an `if` as a branch.
#[inline(always)]
fn select(c: bool, a: u32, b: u32) -> u32 {
    b ^ ((a ^ b) & u32::from(c).wrapping_neg())
}

/// `f16` bits to `f32`, exactly.
#[inline(always)]
pub fn f16_to_f32(h: u16) -> f32 {
    let h = u32::from(h);
    let sign = (h & 0x8000) << 16;
    let magnitude = (h & 0x7fff) << 13;
    // The exponent is in place but 112 too small. Multiplying by 2^112 corrects it and normalizes subnormals.
    let finite = f32::from_bits(magnitude) * f32::from_bits(0x7780_0000);
    let special = magnitude | 0x7f80_0000 | (u32::from(h & 0x03ff != 0) << 22);
    let bits = select(h & 0x7c00 == 0x7c00, special, finite.to_bits());
    f32::from_bits(sign | bits)
}

/// `f32` to `f16` bits, rounded to nearest even; overflow gives infinity.
#[inline(always)]
pub fn f32_to_f16(x: f32) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 16) & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    // Normal results: add half a unit in the last place of the result (minus one, plus the last kept bit), shift,
    // change the bias.
    let normal = (magnitude.wrapping_add(0x0fff + ((magnitude >> 13) & 1)) >> 13).wrapping_sub(112 << 10);
    // Subnormal results: adding 0.5 aligns the last place of the result with the last place of the `f32`, and the adder
    // rounds.
    let subnormal = (f32::from_bits(magnitude) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits());
    let finite = select(magnitude < 0x3880_0000, subnormal, normal);
    let overflowed = select(magnitude >= 0x4780_0000, 0x7c00, finite);
    let result = select(magnitude > 0x7f80_0000, 0x7e00 | ((magnitude >> 13) & 0x3ff), overflowed);
    (sign | result) as u16
}

/// `bf16` bits to `f32`, exactly.
#[inline(always)]
pub fn bf16_to_f32(h: u16) -> f32 {
    f32::from_bits(u32::from(h) << 16)
}

/// `f32` to `bf16` bits, rounded to nearest even; a NaN is quieted.
#[inline(always)]
pub fn f32_to_bf16(x: f32) -> u16 {
    let bits = x.to_bits();
    let rounded = bits.wrapping_add(0x7fff + ((bits >> 16) & 1)) >> 16;
    let nan = (bits >> 16) | 0x40;
    select(bits & 0x7fff_ffff > 0x7f80_0000, nan, rounded) as u16
}

/// `f64` to `f32`, rounded to odd. A second rounding, to `f16` or `bf16`, then gives the correctly rounded result.
#[inline(always)]
pub fn f64_to_f32_odd(x: f64) -> f32 {
    let near = x as f32;
    let back = f64::from(near);
    let bits = near.to_bits();
    // If the conversion rounded away from zero, the truncated value is one step back. An inexact result gets its last
    // bit set.
    let truncated = bits.wrapping_sub(u32::from(back.abs() > x.abs()));
    let odd = truncated | u32::from(back != x);
    f32::from_bits(if near.is_nan() { bits } else { odd })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_f16_round_trips_and_agrees_with_half() {
        for h in 0..=u16::MAX {
            let x = f16_to_f32(h);
            let expect = half::f16::from_bits(h).to_f32();
            assert!(x.to_bits() == expect.to_bits() || (x.is_nan() && expect.is_nan()), "{h:04x}");
            if !x.is_nan() {
                assert_eq!(f32_to_f16(x), h);
            }
            let b = bf16_to_f32(h);
            assert_eq!(f32_to_bf16(b), if b.is_nan() { h | 0x40 } else { h });
        }
    }

    #[test]
    fn rounding_agrees_with_half_around_every_boundary() {
        for h in 0..0x7c00u16 {
            let (lo, hi) = (f16_to_f32(h), f16_to_f32(h + 1));
            let middle = if hi.is_finite() { lo + (hi - lo) / 2.0 } else { 65520.0 };
            for bits in [middle.to_bits() - 1, middle.to_bits(), middle.to_bits() + 1] {
                for x in [f32::from_bits(bits), -f32::from_bits(bits)] {
                    assert_eq!(f32_to_f16(x), half::f16::from_f32(x).to_bits(), "{x:e}");
                }
            }
        }
        for i in 0..(1u32 << 20) {
            let x = f32::from_bits(i.wrapping_mul(0x9e37_79b9));
            if !x.is_nan() {
                assert_eq!(f32_to_f16(x), half::f16::from_f32(x).to_bits(), "{x:e}");
                assert_eq!(f32_to_bf16(x), half::bf16::from_f32(x).to_bits(), "{x:e}");
            } else {
                assert!(f16_to_f32(f32_to_f16(x)).is_nan() && bf16_to_f32(f32_to_bf16(x)).is_nan());
            }
        }
    }

    #[test]
    fn odd_rounding_brackets_the_value() {
        let mut state = 1u64;
        for _ in 0..1_000_000 {
            let bits = crate::test_random::next(&mut state);
            let x = f64::from_bits((bits & 0x800f_ffff_ffff_ffff) | ((900 + (bits >> 52) % 250) << 52));
            let odd = f64_to_f32_odd(x);
            if f64::from(odd) != x {
                assert_eq!(odd.to_bits() & 1, 1);
                assert!(f64::from(odd).abs() < f64::from(f32::from_bits(odd.to_bits() + 1)).abs());
                let below = f64::from(f32::from_bits(odd.to_bits() - 1)).abs();
                assert!(x.abs() > below, "{x:e} {odd:e}");
            }
        }
        assert_eq!(f64_to_f32_odd(1e300), f32::MAX);
        assert_eq!(f64_to_f32_odd(5e-324), f32::from_bits(1));
        assert!(f64_to_f32_odd(f64::NAN).is_nan());
        assert_eq!(f64_to_f32_odd(f64::INFINITY), f32::INFINITY);
    }
}
