//! The quotient `x / (1 + e^v)` in `f32` lanes, which sigmoid, silu and gelu_tanh share.
//!
//! 1. Divisor: `1 + e^v` as a sum of two floats, so that its rounding error does not show in the result.
//!    `e^v = 2^n e^r` as in `exp.rs`, with an integer `n`.
//! 2. Scale: everything is multiplied by `UNIT = 2^-52`, so that neither `e^v` nor the quotient leaves the range of
//!    normal numbers.
//! 3. Quotient: division, and one correction by its remainder (Dekker 1971).
//! 4. Result: times `UNIT`; results that are subnormal are made as integers in a rare branch.
//!
//! There is no cancellation, so the error is below 1 ULP in the tails too. Tables:
//! `tools/coefficients/f32_activation.py`.

use core::f32::consts::{LN_2, LOG2_E};

use eltwise_simd::WideLanes;

use super::constants::{ROUND, two_to};
use super::exp::EXP;
use super::subnormal::TWO_23;
use crate::polynomial::quartic;
use crate::vector::{F32, Mask};

/// ln(2) minus the nearest float.
pub(super) const LN_2_REST: f32 = f32::from_bits(0xb102_e308);

/// 2^-52, a factor of all divisors that keeps `e^v` and the quotient in the range of normal numbers.
pub(super) const UNIT: f32 = f32::from_bits((127 - UNIT_BITS) << 23);

const UNIT_BITS: u32 = 52;

/// [`ROUND`] plus the exponent field of `UNIT`: after adding it to a number near an integer n, the lowest bits are the
/// exponent field of `2^n UNIT`.
pub(super) const ROUND_TO_UNIT: f32 = ROUND + (127 - UNIT_BITS) as f32;

/// `UNIT + p + slope r + p tail` as a sum of two floats, for powers of two `p` and `|r| <= 1/2`.
#[inline(always)]
pub(super) fn divisor<L: WideLanes>(p: F32<L>, slope: F32<L>, r: F32<L>, tail: F32<L>) -> (F32<L>, F32<L>) {
    let d = p.mul_add(tail, slope.mul_add(r, p + UNIT));
    // The rounding error of `d`. `UNIT - (d - p)` is exact, unless one of UNIT and p is in the last place of the other.
    (d, p.mul_add(tail, slope.mul_add(r, p.splat(UNIT) - (d - p))))
}

/// `UNIT (1 + e^v)` as a sum of two floats, for `-26 <= v <= 110`.
#[inline(always)]
pub(super) fn exp_divisor<L: WideLanes>(v: F32<L>) -> (F32<L>, F32<L>) {
    let t = v.mul_add(LOG2_E, ROUND_TO_UNIT);
    let n = t - ROUND_TO_UNIT;
    // v - n ln(2) = r - low. r is exact; low is multiplied by 1 + r, which is close enough to e^r.
    let r = n.neg_mul_add(LN_2, v);
    let low = n * LN_2_REST;
    let low = low.mul_add(r, low);
    let [_, _, c @ ..] = EXP;
    let square = r * r;
    let p = (t.bits() << 23).float();
    divisor(p, p, r, square.mul_sub(quartic(r, square, c), low))
}

/// `x / (d + d_rest)`; -0 for x = -0.
#[inline(always)]
pub(super) fn quotient<L: WideLanes>(x: F32<L>, (d, d_rest): (F32<L>, F32<L>)) -> F32<L> {
    let inverse = x.splat(1.0) / d;
    let q = x * inverse;
    let excess = q.mul_add(d_rest, q.mul_sub(d, x));
    excess.neg_mul_add(inverse, q)
}

/// `y UNIT`, rounded once, for finite `y`. Subnormal results are made as integers that count 2^-149, rounded by adding
/// 2^23.
#[inline(always)]
pub(super) fn scale_by_unit<L: WideLanes>(y: F32<L>) -> F32<L> {
    let small = y.abs().lt(two_to(UNIT_BITS as i32 - 126));
    let counted = y.abs().mul_add(two_to(149 - UNIT_BITS as i32), two_to(23)).bits() - y.int(TWO_23);
    small.select(counted.float().copysign(y), (y.bits() - y.int((UNIT_BITS as i32) << 23)).float())
}

/// `x / 2`, rounded once, for finite `x`, by the bits.
#[inline(always)]
fn halve<L: WideLanes>(x: F32<L>) -> F32<L> {
    let bits = x.abs().bits();
    let half = bits >> 1;
    let rounded = half + (half & bits & x.int(1));
    bits.lt(x.int(2 << 23)).select_bits(rounded, bits - x.int(1 << 23)).float().copysign(x)
}

/// The result of silu and gelu_tanh in a rare branch: `y UNIT`, which may be subnormal; `x / 2` where `tiny`; NaN where
/// `x` is NaN.
#[inline(always)]
pub(super) fn rare_result<L: WideLanes>(x: F32<L>, y: F32<L>, tiny: Mask<f32, L>) -> F32<L> {
    x.is_nan().select(f32::NAN, tiny.select(halve(x), scale_by_unit(y)))
}
