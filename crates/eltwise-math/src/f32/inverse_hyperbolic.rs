//! asinh, acosh, atanh of `f32`, in `f32` lanes.
//!
//! asinh(x) = log(x + s), s = sqrt(x^2 + 1); acosh(x) = log(x + s), s = sqrt(x^2 - 1):
//!
//! 1. The rounding error of the square root is r / 2s, where r is the residual of s^2 and a reciprocal of 3 bits
//!    suffices.
//! 2. That and the rounding error of the sum (Dekker 1971), divided by the sum, are added to the logarithm, whose
//!    argument then has twice the bits: the relative accuracy holds where the logarithm vanishes. 1 / (x + s) is s - x,
//!    or x - s.
//! 3. The logarithm is `log(1 + f) = f + f^2 q(f)` with 1 + f in [sqrt(1/2), sqrt(2)), as log1p in `log.rs`.
//!
//! atanh(x) = log((1 + x) / (1 - x)) / 2 = e log(2) / 2 + atanh(z):
//!
//! 1. Reduction: `z = ((1 + x) - 2^e (1 - x)) / ((1 + x) + 2^e (1 - x))`, 2^e near the quotient. From 1/2 on, 1 - x and
//!    the numerator are exact; below, e = 0 and z = x.
//! 2. Polynomial: odd minimax of degree 13.
//!
//! Largest error over all 2^32 inputs: 0.97 ULP (atanh). Tables: `tools/coefficients/f32_inverse_hyperbolic.py`.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::subnormal::TWO_23;
use crate::polynomial::horner;
use crate::vector::{F32, Mask};

/// log(1 + f) = f + f^2 q(f) for 1 + f from sqrt(1/2) to sqrt(2). Error 2^-28 of the result, for f < 0 of the result
/// plus log 2.
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

/// ln 2: with 16 bits after the binary point, and the remainder.
const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

const HALF_LN_2: f32 = 0.5 * core::f32::consts::LN_2;

/// The bits of 1.0, of sqrt(1/2) and of 0.6055; the exponent field.
const ONE: i32 = 0x3f80_0000;

const ROOT_OF_HALF: i32 = 0x3f35_04f3;

const CUT: i32 = 0x3f1b_0000;

const EXPONENT: i32 = 0x7f80_0000;

/// Minus the bits of x, it has the exponent field of 2^-e, with 2^-e x in [2^-1/2, 2^1/2).
const EXPONENT_MIRROR: i32 = 0x7f7f_ffff - (ONE - ROOT_OF_HALF);

/// Minus the bits of d, it has the exponent field of 2^e, with 2^e d in [2 CUT, 4 CUT).
const EXPONENT_MIRROR_2: i32 = EXPONENT_MIRROR + 0x0080_0000 - (ROOT_OF_HALF - CUT);

/// Minus the bits of s, the bits of 1 / 2s: exact for powers of two, up to 12 % too large between them.
const HALF_RECIPROCAL: i32 = 0x7e80_0000;

/// Minus the bits of s, the bits of 1 / 2s to within 6 %.
const HALF_RECIPROCAL_CENTERED: i32 = 0x7e78_0000;

/// 2^23 plus the bias of the exponent.
const BIASED: f32 = two_to(23) + 127.0;

/// Below, asinh and atanh round to their argument.
const TINY: f32 = two_to(-12);

/// From here on, s is x up to a rounding error, and `low / (x + s)` is negligible: the reciprocal is set to 0.
const LARGE: f32 = two_to(12);

/// From here on, x is divided by 2^32, and from 2^92 on by 2^64, so that its square is finite.
const HUGE: f32 = two_to(60);

/// Whether a lane is outside [low, high), for positive bounds.
#[inline(always)]
fn outside<L: WideLanes>(x: F32<L>, low: f32, high: f32) -> Mask<f32, L> {
    let (low, high) = (low.to_bits() as i32, high.to_bits() as i32);
    // One signed comparison: 2^31 is added to the difference from `low`.
    let bits = x.bits();
    !(bits + bits.splat(i32::MIN.wrapping_sub(low))).lt(bits.splat(i32::MIN.wrapping_add(high - low)))
}

/// `(x 2^-n, BIASED + n)`, the first below 2^64.
#[inline(always)]
fn reduced<L: WideLanes>(x: F32<L>) -> (F32<L>, F32<L>) {
    let (usual, huge) = (x.lt(HUGE), x.lt(two_to(92)));
    let scale = usual.select(1.0, huge.select(two_to(-32), two_to(-64)));
    let bias = usual.select(BIASED, huge.select(BIASED + 32.0, BIASED + 64.0));
    (x * scale, bias)
}

/// log(x + low) + n log 2, for x >= 1, a small `low`, and `reciprocal` = 1 / x; n = `bias` - BIASED.
#[inline(always)]
fn log_of_sum<L: WideLanes>(x: F32<L>, low: F32<L>, reciprocal: F32<L>, bias: F32<L>) -> F32<L> {
    let mirrored = x.int(EXPONENT_MIRROR) - x.bits();
    let scale = (mirrored & x.int(EXPONENT)).float();
    let e = bias - ((mirrored >> 23) | x.int(TWO_23)).float();
    let f = x.mul_sub(scale, x.splat(1.0));
    let q = horner(f, &LN);
    let high = e.mul_add(LN_2[0], f);
    let rest = f - e.neg_mul_add(LN_2[0], high);
    let rest = e.mul_add(LN_2[1], rest);
    let rest = low.mul_add(reciprocal, rest);
    high + (f * f).mul_add(q, rest)
}

/// asinh(a 2^n) for 2^-12 <= a < 2^64; n = `bias` - BIASED is 0 for a < 2^28.
#[inline(always)]
fn asinh_of<L: WideLanes>(a: F32<L>, bias: F32<L>) -> F32<L> {
    let square = a.mul_add(a, 1.0);
    let s = square.sqrt();
    let lost = a.mul_add(a, a.splat(1.0) - square);
    let rest = s.neg_mul_add(s, square) + lost;
    // The reciprocal is exact at s = 1, where the error of the root matters most.
    let half = (s.int(HALF_RECIPROCAL) - s.bits()).float();
    let sum = a + s;
    let low = rest.mul_add(half, a - (sum - s));
    log_of_sum(sum, low, a.lt(LARGE).select(s - a, 0.0), bias)
}

/// The inverse of sinh, log(x + (x^2 + 1)^(1/2)).
///
/// At most 0.90 ULP (all 2^32 inputs; 0.17 % are not correctly rounded).
///
/// Odd. asinh(±0) = ±0, asinh(±inf) = ±inf.
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

/// acosh(x 2^n) for 1 <= x < 2^64; n = `bias` - BIASED is 0 for x < 2^28.
#[inline(always)]
fn acosh_of<L: WideLanes>(x: F32<L>, bias: F32<L>) -> F32<L> {
    let t = x - 1.0;
    let square = x.mul_sub(x, x.splat(1.0));
    let s = square.sqrt();
    // x^2 - 1 = t^2 + 2 t. If the last difference is not exact, its error is negligible.
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

/// atanh(a) for 2^-12 <= a < 1.
#[inline(always)]
fn atanh_of<L: WideLanes>(a: F32<L>) -> F32<L> {
    let d = a.splat(1.0) - a;
    let mirrored = (d.int(EXPONENT_MIRROR_2) - d.bits()) & d.int(EXPONENT);
    let power = mirrored.float();
    let small = a.lt(0.5);
    let e = small.select(0.0, ((mirrored >> 23) | d.int(TWO_23)).float() - BIASED);
    let numerator = power.neg_mul_add(d, 1.0) + a;
    let denominator = d.mul_add(power + power, numerator);
    let z = small.select(a, numerator / denominator);
    let square = z * z;
    let r = (z * square).mul_add(horner(square, &ATANH), z);
    e.mul_add(HALF_LN_2, r)
}

/// The inverse of tanh, log((1 + x) / (1 - x)) / 2.
///
/// At most 0.97 ULP (all 2^32 inputs; 0.05 % are not correctly rounded).
///
/// Odd. atanh(±0) = ±0, atanh(±1) = ±inf, atanh(|x| > 1) = NaN.
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
