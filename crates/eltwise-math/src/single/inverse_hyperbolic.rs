//! asinh, acosh, atanh of `f32`, in `f32` lanes.
//!
//! * asinh(x) = log(x + s) with s = (x^2 + 1)^(1/2), and acosh(x) with s = (x^2 - 1)^(1/2). The rounding error of the root is r / 2s, where r
//!   is what the square of s lacks and a reciprocal of 3 bits is enough (as in `single/inverse.rs`); it and the rounding error of
//!   the sum (Dekker 1971) over the sum go into the logarithm, whose argument so has twice the bits: that is relative accuracy where
//!   the logarithm vanishes. 1 / (x + s) is s - x, or x - s. The logarithm is that of `single/logarithm.rs`, with 1 + f
//!   between the roots of 1/2 and 2.
//! * atanh is half the logarithm of (1 + x) / (1 - x), which is e log(2) / 2 + atanh(z) with z = ((1 + x) - 2^e (1 - x)) /
//!   ((1 + x) + 2^e (1 - x)), 2^e near the quotient, and a minimax polynomial. From 1/2 on 1 - x and the numerator are exact; below, e = 0
//!   and z = x.
//!
//! Largest error of all 2^32 inputs: 0.97 ULP (atanh).
//!
//! Coefficients: `tools/coefficients/single_inverse_hyperbolic.py`.

use eltwise_simd::WideLanes;

use super::logarithm::two_to;
use super::subnormal::TWO_23;
use crate::vector::{F32, Mask, horner};

/// log(1 + f) = f + f^2 q(f) for 1 + f between the roots of 1/2 and 2, error 2^-28 of the result; of log 2 more where f < 0.
const LN: [f32; 9] = [
    f32::from_bits(0xbeff_fffd), // -0.49999991059303284
    f32::from_bits(0x3eaa_aab6), // 0.33333367109298706
    f32::from_bits(0xbe80_021f), // -0.2500161826610565
    f32::from_bits(0x3e4c_ce89), // 0.2000066190958023
    f32::from_bits(0xbe2a_0c53), // -0.1660626381635666
    f32::from_bits(0x3e11_5a98), // 0.14194715023040771
    f32::from_bits(0xbe07_f105), // -0.1327553540468216
    f32::from_bits(0x3e03_c3aa), // 0.12867608666419983
    f32::from_bits(0xbd9a_0e82), // -0.07522298395633698
];
/// atanh(z) = z + z^3 p(z^2) for |z| < 1/2, relative error 2^-29.4.
const ATANH: [f32; 6] = [
    f32::from_bits(0x3eaa_aaa0), // 0.33333301544189453
    f32::from_bits(0x3e4c_d33c), // 0.2000245451927185
    f32::from_bits(0x3e11_a6b0), // 0.14223742485046387
    f32::from_bits(0x3df2_0230), // 0.11816823482513428
    f32::from_bits(0x3d53_4b98), // 0.051585763692855835
    f32::from_bits(0x3e34_a3ff), // 0.1764068454504013
];
/// ln 2: 16 bits after the point, and the rest.
const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];
const HALF_LN_2: f32 = 0.5 * core::f32::consts::LN_2;

/// 1.0, the root of 1/2 and 0.6055 as bits.
const ONE: i32 = 0x3f80_0000;
const ROOT_OF_HALF: i32 = 0x3f35_04f3;
const CUT: i32 = 0x3f1b_0000;
const EXPONENT: i32 = 0x7f80_0000;
/// Less the bits of x these have the exponent of 2^-e, where 2^-e x is in [2^-1/2, 2^1/2).
const TURNED: i32 = 0x7f7f_ffff - (ONE - ROOT_OF_HALF);
/// Less the bits of d these have the exponent of 2^e, where 2^e d is in [2 CUT, 4 CUT).
const TURNED_TWICE: i32 = TURNED + 0x0080_0000 - (ROOT_OF_HALF - CUT);
/// Less the bits of s, the bits of 1 / 2s: exact for powers of two, 12 % above between them.
const HALF_RECIPROCAL: i32 = 0x7e80_0000;
/// The same, within 6 %.
const HALF_RECIPROCAL_CENTERED: i32 = 0x7e78_0000;
/// 2^23 and the bias of the exponent.
const BIASED: f32 = two_to(23) + 127.0;

/// Below, asinh and atanh are their argument.
const TINY: f32 = two_to(-12);
/// From here on the root of x^2 +- 1 is that of x^2, but for a rounding error that 1 / (x + s) must not show.
const LARGE: f32 = two_to(12);
/// From here on x is divided by 2^32, and by 2^64 from 2^92 on: then the square is finite.
const HUGE: f32 = two_to(60);

/// Lanes not in [low, high), for positive bounds.
#[inline(always)]
fn outside<L: WideLanes>(x: F32<L>, low: f32, high: f32) -> Mask<f32, L> {
    let (low, high) = (low.to_bits() as i32, high.to_bits() as i32);
    // One signed comparison for bits below or above: 2^31 is added.
    let bits = x.bits();
    !(bits + bits.splat(i32::MIN.wrapping_sub(low))).lt(bits.splat(i32::MIN.wrapping_add(high - low)))
}

/// x 2^-n below 2^64 and BIASED + n.
#[inline(always)]
fn reduced<L: WideLanes>(x: F32<L>) -> (F32<L>, F32<L>) {
    let (usual, huge) = (x.lt(HUGE), x.lt(two_to(92)));
    let scale = usual.select(1.0, huge.select(two_to(-32), two_to(-64)));
    let bias = usual.select(BIASED, huge.select(BIASED + 32.0, BIASED + 64.0));
    (x * scale, bias)
}

/// log(x + low) + n log 2 for x >= 1, its reciprocal and a small `low`; n = `bias` - BIASED.
#[inline(always)]
fn log_of_sum<L: WideLanes>(x: F32<L>, low: F32<L>, reciprocal: F32<L>, bias: F32<L>) -> F32<L> {
    let turned = x.int(TURNED) - x.bits();
    let scale = (turned & x.int(EXPONENT)).float();
    let e = bias - ((turned >> 23) | x.int(TWO_23)).float();
    let f = x.mul_sub(scale, x.splat(1.0));
    let q = horner(f, &LN);
    let high = e.mul_add(LN_2[0], f);
    let rest = f - e.neg_mul_add(LN_2[0], high);
    let rest = e.mul_add(LN_2[1], rest);
    let rest = low.mul_add(reciprocal, rest);
    high + (f * f).mul_add(q, rest)
}

/// asinh of a 2^n for 2^-12 <= a < 2^64, n = `bias` - BIASED, which is 0 where a < 2^28.
#[inline(always)]
fn asinh_of<L: WideLanes>(a: F32<L>, bias: F32<L>) -> F32<L> {
    let square = a.mul_add(a, 1.0);
    let s = square.sqrt();
    let lost = a.mul_add(a, a.splat(1.0) - square);
    let rest = s.neg_mul_add(s, square) + lost;
    // Near s = 1 the root's error counts most.
    let half = (s.int(HALF_RECIPROCAL) - s.bits()).float();
    let sum = a + s;
    let low = rest.mul_add(half, a - (sum - s));
    log_of_sum(sum, low, a.lt(LARGE).select(s - a, 0.0), bias)
}

/// The inverse of sinh, log(x + (x^2 + 1)^(1/2)).
///
/// At most 0.90 ULP (all 2^32 inputs; 0.17 % are not correctly rounded).
///
/// Odd. asinh(+-0) = +-0, asinh(+-inf) = +-inf.
#[inline(always)]
pub fn asinh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    if !outside(a, TINY, HUGE).any() {
        return asinh_of(a, a.splat(BIASED)).copysign(x);
    }
    let (near, bias) = reduced(a.splat(TINY).greatest(a));
    let r = asinh_of(near, bias);
    let r = a.lt(TINY).select(a, r);
    a.lt(f32::INFINITY).select(r, a).copysign(x)
}

/// acosh of x 2^n for 1 <= x < 2^64, n = `bias` - BIASED, which is 0 where x < 2^28.
#[inline(always)]
fn acosh_of<L: WideLanes>(x: F32<L>, bias: F32<L>) -> F32<L> {
    let t = x - 1.0;
    let square = x.mul_sub(x, x.splat(1.0));
    let s = square.sqrt();
    // x^2 - 1 is t^2 + 2 t; where the difference is not exact the error is not worth as much.
    let lost = t.mul_add(t, t.mul_sub(2.0, square));
    let rest = s.neg_mul_add(s, square) + lost;
    let half = (s.int(HALF_RECIPROCAL_CENTERED) - s.bits()).float();
    let sum = x + s;
    let low = rest.mul_add(half, s - (sum - x));
    log_of_sum(sum, low, x.lt(LARGE).select(x - s, 0.0), bias)
}

/// The inverse of cosh, log(x + (x^2 - 1)^(1/2)).
///
/// At most 0.86 ULP (all 2^32 inputs; 0.04 % are not correctly rounded).
///
/// acosh(1) = +0, acosh(x < 1) = NaN, acosh(inf) = inf.
#[inline(always)]
pub fn acosh<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !outside(x, 1.0, HUGE).any() {
        return acosh_of(x, x.splat(BIASED));
    }
    let (near, bias) = reduced(x.splat(1.0).greatest(x));
    let r = acosh_of(near, bias);
    let r = x.lt(1.0).select(f32::NAN, r);
    x.lt(f32::INFINITY).select(r, x)
}

/// atanh of 2^-12 <= a < 1.
#[inline(always)]
fn atanh_of<L: WideLanes>(a: F32<L>) -> F32<L> {
    let d = a.splat(1.0) - a;
    let turned = (d.int(TURNED_TWICE) - d.bits()) & d.int(EXPONENT);
    let power = turned.float();
    let small = a.lt(0.5);
    let e = small.select(0.0, ((turned >> 23) | d.int(TWO_23)).float() - BIASED);
    let above = power.neg_mul_add(d, 1.0) + a;
    let below = d.mul_add(power + power, above);
    let z = small.select(a, above / below);
    let square = z * z;
    let r = (z * square).mul_add(horner(square, &ATANH), z);
    e.mul_add(HALF_LN_2, r)
}

/// The inverse of tanh, log((1 + x) / (1 - x)) / 2.
///
/// At most 0.97 ULP (all 2^32 inputs; 0.05 % are not correctly rounded).
///
/// Odd. atanh(+-0) = +-0, atanh(+-1) = +-inf, atanh(|x| > 1) = NaN.
#[inline(always)]
pub fn atanh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    if !outside(a, TINY, 1.0).any() {
        return atanh_of(a).copysign(x);
    }
    let r = atanh_of(a.splat(TINY).greatest(a));
    let r = a.lt(TINY).select(a, r);
    let r = a.eq(1.0).select(f32::INFINITY, r);
    a.le(1.0).select(r, f32::NAN).copysign(x)
}
