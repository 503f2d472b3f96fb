//! ndtr and log_ndtr, the distribution function of the normal distribution and its logarithm, and erfcx of `f64`.
//!
//! 1. All three come from `M(a) = e^(a^2/2) Phi(-a)`, which `gelu.rs` computes for a from 0 to 39 as a quotient of pairs;
//!    beyond, its asymptotic series in 1/a^2 (Laplace 1812).
//! 2. `Phi(-a) = e^(-a^2/2) M(a)`, with a^2 exact, `Phi(a) = 1 - Phi(-a)`.
//! 3. `log Phi(-a) = log M(a) - a^2/2`, `log Phi(a) = log(1 - Phi(-a))`: no terms cancel.
//! 4. `erfcx x = 2 M(sqrt 2 x)`, for negative x `2 e^(x^2) - erfcx(-x)`.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::double_double::{Pair, quotient, two_product};
use super::exp_pair::exponential;
use super::gelu::tail_ratio;
use super::log::{log, log1p};
use super::subnormal;
use crate::polynomial::horner;
use crate::vector::F64;

/// The largest a for which M is a quotient.
const FAR: f64 = 39.0;

/// `sqrt(2 pi) a M(a)` of 1/a^2: the beginning of the asymptotic series.
const SERIES: [f64; 7] = [1.0, -1.0, 3.0, -15.0, 105.0, -945.0, 10395.0];

/// 1 / sqrt(2 pi).
const DENSITY: f64 = 0.3989422804014327;

/// M(a), for a >= 0.
#[inline(always)]
fn mills<L: WideLanes>(a: F64<L>) -> F64<L> {
    let ratio = tail_ratio(a.splat(FAR).least(a));
    let q = quotient(ratio.tail, ratio.below, ratio.inverse);
    let near = q.hi + q.lo;
    let far = a.gt(FAR);
    if !far.any() {
        return near;
    }
    let inverse = a.splat(1.0) / a;
    far.select(horner(inverse * inverse, &SERIES) * (inverse * DENSITY), near)
}

/// `(q, n)`: `Phi(-a) = 2^n q`, for a from 0 to 39; q is a pair.
#[inline(always)]
fn lower_tail<L: WideLanes>(a: F64<L>) -> (Pair<L>, F64<L>) {
    let square = two_product(a, a);
    let e = exponential(square.hi * -0.5, square.lo * -0.5);
    let ratio = tail_ratio(a);
    let above = two_product(ratio.tail.hi, e.value.hi);
    let low = ratio.tail.hi.mul_add(e.value.lo, ratio.tail.lo.mul_add(e.value.hi, above.lo));
    (quotient(Pair { lo: low, ..above }, ratio.below, ratio.inverse), e.n)
}

/// The distribution function of the normal distribution, at most 1 ULP.
///
/// ndtr(-inf) = +0, ndtr(inf) = 1.
#[inline(always)]
pub fn ndtr<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.splat(FAR).least(x.abs());
    let (q, n) = lower_tail(a);
    // The subtraction from 1 is rounded once.
    let factor = n.greatest(-200.0).power_of_two();
    let one = x.splat(1.0);
    let above = one - q.hi * factor;
    let lost = (one - above) - q.hi * factor;
    let above = above + q.lo.neg_mul_add(factor, lost);
    // q is from 1/140 to 1/2, and n at least -1098.
    let below = subnormal::scaled((q.hi + q.lo) * 16.0, n - 4.0);
    let v = x.lt(0.0).select(below, above);
    x.is_nan().select(x, v)
}

/// The logarithm of [`ndtr`], at most 3 ULP.
///
/// log_ndtr(-inf) = -inf, log_ndtr(inf) = -0.
#[inline(always)]
pub fn log_ndtr<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    let square = two_product(a * 0.5, a);
    let below = (log(mills(a)) - square.lo) - square.hi;
    let below = square.hi.eq(f64::INFINITY).select(f64::NEG_INFINITY, below);
    let positive = !x.lt(0.0);
    if !positive.any() {
        return below;
    }
    positive.select(log1p(-ndtr(-a)), below)
}

/// `e^(x^2) erfc x`, at most 3 ULP.
///
/// erfcx(±0) = 1, erfcx(inf) = +0, inf below -26.63.
#[inline(always)]
pub fn erfcx<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    // M is proportional to 1/a there: the product by sqrt 2 must not overflow.
    let factor = a.gt(two_to(500)).select(x.splat(two_to(-60)), 1.0);
    let above = mills(a * factor * core::f64::consts::SQRT_2) * (factor + factor);
    let negative = x.lt(0.0);
    if !negative.any() {
        return x.is_nan().select(x, above);
    }
    let t = negative.select(x.splat(27.0).least(a), 0.0);
    let square = two_product(t, t);
    let e = exponential(square.hi, square.lo);
    let factor = (-e.n).greatest(-200.0).power_of_two();
    let below = above.neg_mul_add(factor, e.value.hi + e.value.hi) + (e.value.lo + e.value.lo);
    negative.select(below.scale(e.n), x.is_nan().select(x, above))
}
