//! hypot of `f32`, without division, square root or estimate instruction.
//!
//! 1. The sum of the squares s, with its rounding errors (Dekker 1971).
//! 2. `s^(-1/2)`: a seed z from the bits, within 4 %, and one step of the binomial series in `h = 1 - s z^2`, minimax
//!    of degree 5, error 2^-30.
//! 3. The root is `s z (1 - h)^(-1/2)` plus half of the rounding errors of s and of `s z`.
//! 4. Operands outside [2^-40, 2^60] are scaled in a rare branch.
//!
//! Largest error: 0.86 ULP, 0.91 for subnormal results, over 2^28 pairs, random and near every special value and
//! threshold. Tables: `tools/coefficients/f32_power.py`.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::subnormal::{scaled_down, scaled_up};
use crate::polynomial::horner;
use crate::vector::F32;

/// (1 - h)^(-1/2) = 1 + h p(h) for |h| < 0.0684, error 2^-30.
const RSQRT: [f32; 5] = [
    f32::from_bits(0x3f00_0000), // 0.5
    f32::from_bits(0x3ebf_ffb8), // 0.3749978542327881
    f32::from_bits(0x3e9f_ff5a), // 0.31249505281448364
    f32::from_bits(0x3e8c_c149), // 0.27491214871406555
    f32::from_bits(0x3e7d_f1b9), // 0.2479924112558365
];

/// The constant of the seed, which makes h symmetric around 0.
const RSQRT_SEED: i32 = 0x5f37_4753;

/// The length of the hypotenuse, (x^2 + y^2)^(1/2), without overflow or underflow on the way.
///
/// At most 0.86 ULP, 0.91 if the result is subnormal (2^28 pairs; 7 % are not correctly rounded). Exact results are
/// exact.
///
/// hypot(±inf, y) = inf even if y is NaN; hypot(±0, ±0) = +0. The signs and the order of the arguments do not
/// matter.
#[inline(always)]
pub fn hypot<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let (x, y) = (x.abs(), y.abs());
    // A NaN ends up in one of the two: both functions return their second operand if a comparison fails.
    let (long, short) = (x.greatest(y), y.least(x));
    // Outside [2^-40, 2^60], squares and their rounding errors may leave the range of normal numbers.
    if (!short.ge(two_to(-40)) | !long.le(two_to(60))).any() { hypot_rare(x, y) } else { hypot_of_normal(long, short) }
}

/// [`hypot`] if the squares and the rounding error of `short^2` are normal numbers or 0.
#[inline(always)]
fn hypot_of_normal<L: WideLanes>(long: F32<L>, short: F32<L>) -> F32<L> {
    // s + e is the sum of the squares, without the rounding error of s.
    let square = short * short;
    let s = long.mul_add(long, square);
    let e = short.mul_sub(short, square);
    // With s z = q + lost, the root of s + e is about q (1 - h)^(-1/2) + (lost + e z) / 2.
    let z = (s.int(RSQRT_SEED) - (s.bits() >> 1)).float();
    let q = s * z;
    let lost = s.mul_sub(z, q);
    let h = q.neg_mul_add(z, 1.0);
    q.mul_add(h, e.mul_add(z, lost)).mul_add(horner(h, &RSQRT), q)
}

/// [`hypot`] of two lengths of any size.
#[inline(always)]
fn hypot_rare<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let (long, short) = (x.greatest(y), y.least(x));
    let (small, large) = (long.lt(two_to(-27)), long.gt(two_to(60)));
    let scale = large.select(two_to(-70), 1.0);
    // A length that is 2^-13 of the other does not change the result. Small lengths are scaled up before any
    // multiplication.
    let negligible = short.lt(large.select(x.splat(two_to(30)), two_to(-40)));
    let short = small.select(scaled_up(short), negligible.select(0.0, short)) * scale;
    let long = small.select(scaled_up(long), long) * scale;
    let r = hypot_of_normal(long, short);
    let r = small.select(scaled_down(r), r * large.select(two_to(70), 1.0));
    let sum = x + y;
    let r = sum.is_nan().select(sum, r);
    (x.eq(f32::INFINITY) | y.eq(f32::INFINITY)).select(f32::INFINITY, r)
}
