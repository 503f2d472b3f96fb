//! mish of `f32`: `x tanh(log(1 + e^x)) = x g / (g + 1/2)`, `g = w + w^2`, `w = e^x / 2`.
//!
//! 1. `e^x = 2^n e^r` with an integer `n`; the polynomial for `e^r` is that of `exp.rs`.
//! 2. `w`, `g` and `g + 1/2` as sums of two floats (Dekker 1971), so that their rounding errors do not show in the
//!    quotient.
//! 3. Division, and one correction by its remainder.
//! 4. Below -40 the result is about `x e^x`: the power of two is multiplied in last, in a rare branch, so that the
//!    result is rounded once.
//!
//! There is no cancellation, so the error is below 1 ULP in the negative tail too.

use core::f32::consts::{LN_2, LOG2_E};

use eltwise_simd::WideLanes;

use super::constants::{ROUND, two_to};
use super::exp::EXP;
use super::logistic::LN_2_REST;
use super::subnormal::{TWO_23, scaled_down, scaled_up};
use crate::polynomial::quartic;
use crate::vector::F32;

/// `x tanh(log(1 + e^x))` (Misra 2019).
///
/// At most 0.8386 ULP (all 2^32 inputs; 0.65 where the result is normal). mish(±0) = ±0, mish(-inf) = -0, mish(+inf)
/// = +inf.
#[inline(always)]
pub fn mish<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Lanes with subnormal intermediate values or results.
    if (x.is_tiny() | x.lt(-40.0)).any() {
        return mish_rare(x);
    }
    // Above 20 the quotient is 1.
    let near = x.splat(20.0).least(x);
    let t = near.mul_add(LOG2_E, ROUND + 126.0);
    mish_of(x, near, t - (ROUND + 126.0), (t.bits() << 23).float())
}

/// [`mish`] of `near <= 20`, `near = n ln(2) + r`; `x` is the factor of the quotient. `p` is `2^(n-1)`, or any small
/// power of two in its stead, which is then a factor of the result.
#[inline(always)]
fn mish_of<L: WideLanes>(x: F32<L>, near: F32<L>, n: F32<L>, p: F32<L>) -> F32<L> {
    // r is exact. The error of the float ln(2) is so small that 1.03 + r approximates e^r well enough for its product.
    let r = n.neg_mul_add(LN_2, near);
    let less = n * r.mul_add(LN_2_REST, 1.03 * LN_2_REST);
    let [_, _, c @ ..] = EXP;
    let square = r * r;
    let tail = square.mul_sub(quartic(r, square, c), less);
    // w, g and g + 1/2 as sums of two floats.
    let w = p.mul_add(tail, p.mul_add(r, p));
    let w_low = p.mul_add(tail, p.mul_add(r, p - w));
    let g = w.mul_add(w, w);
    let g_low = w_low.mul_add(w.mul_add(2.0, 1.0), w.mul_add(w, w - g));
    let d = g + 0.5;
    let d_low = g.least(0.5) - (d - g.greatest(0.5));
    let inverse = x.splat(1.0) / d;
    let q = g * inverse;
    let lost = q.neg_mul_add(d_low + g_low, q.neg_mul_add(d, g) + g_low);
    x.mul_add(q, near * (lost * inverse))
}

/// [`mish`] with lanes that are tiny, or below -40.
#[inline(always)]
fn mish_rare<L: WideLanes>(x: F32<L>) -> F32<L> {
    let (tiny, deep) = (x.is_tiny(), x.lt(-40.0));
    let near = tiny.select(1.0, x.splat(-110.0).greatest(x.splat(20.0).least(x)));
    let t = near.mul_add(LOG2_E, ROUND + 126.0);
    let n = t - (ROUND + 126.0);
    // Below -40 the result is x e^x: 2^n is multiplied in last.
    let p = deep.select(two_to(-31), (t.bits() << 23).float());
    let mish = mish_of(x.gt(20.0).select(x, near), near, n, p);
    let mish = deep.select(scale_down(mish.abs() * two_to(24), n + 6.0), mish);
    // At 0 the quotient is 3/5.
    let up = scaled_up(x.abs());
    tiny.select(scaled_down(up.mul_add(0.6, up * -2.384_185_8e-8)), mish).copysign(x)
}

/// `2^n x`, rounded once, for `x` near 1 and integers `n` from -250 to 0. Subnormal results are made as integers,
/// rounded by adding 2^23.
#[inline(always)]
fn scale_down<L: WideLanes>(x: F32<L>, n: F32<L>) -> F32<L> {
    let normal = x.bits() + ((n + ROUND).bits() << 23);
    let count = (x * (n + 149.0).power_of_two() + two_to(23)).bits() - x.int(TWO_23);
    normal.lt(x.int(1 << 23)).select_bits(count, normal).float()
}
