//! asinh, acosh, atanh of `f32`, correctly rounded, as logarithms (`log.rs`) of a sum of two floats.
//!
//! 1. The argument, in `f32` lanes, with an error of 2^-46 in both parts together:
//!
//!    ```text
//!    asinh:  a + s, s = (a^2 + 1)^(1/2)
//!    acosh:  x + s, s = (x^2 - 1)^(1/2)
//!    atanh:  (1 + a) / (1 - a), and half the logarithm
//!    ```
//!
//!    The low part has the rounding errors of the sums (Dekker 1971), the residual of s^2 times 1 / 2s, and the
//!    remainder of the quotient (Markstein 1990).
//! 2. From 2^12 on, where the rounding errors of x^2 ± 1 differ, the function of `f64`.
//! 3. Below 2^-12, asinh and atanh round to their argument.

use eltwise_simd::WideLanes;

use super::log::log_of;
use super::rounding::{near_halfway, patch_exceptions};
use crate::f32::constants::two_to;
use crate::vector::F32;

/// Below, asinh and atanh round to their argument.
const TINY: f32 = two_to(-12);

/// From here on, the rounding errors of x^2 ± 1 differ.
const LARGE: f32 = two_to(12);

/// Minus the bits of s, the bits of 1 / 2s: exact for powers of two, up to 12 % too large between them.
const HALF_RECIPROCAL: i32 = 0x7e80_0000;

/// `1 / 2s` to 2^-12, and more precisely near s = 1, by two Newton steps.
#[inline(always)]
fn half_reciprocal<L: WideLanes>(s: F32<L>) -> F32<L> {
    let h = (s.int(HALF_RECIPROCAL) - s.bits()).float();
    let twice = s + s;
    let h = h.mul_add(h.neg_mul_add(twice, 1.0), h);
    h.mul_add(h.neg_mul_add(twice, 1.0), h)
}

/// The inverse of sinh, correctly rounded.
///
/// Odd. asinh(±0) = ±0, asinh(±inf) = ±inf.
#[inline(always)]
pub fn asinh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let size = x.abs();
    let tiny = size.lt(TINY);
    if !(!size.lt(LARGE)).any() {
        let a = size.splat(TINY).greatest(size);
        let square = a.mul_add(a, 1.0);
        let s = square.sqrt();
        let rest = s.neg_mul_add(s, square) + a.mul_add(a, a.splat(1.0) - square);
        let sum = s + a;
        let low = rest.mul_add(half_reciprocal(s), a - (sum - s));
        let log = log_of(sum, low);
        if !near_halfway::<17, L>(log) {
            return tiny.select(x, F32::narrow(log).copysign(x));
        }
    }
    let [low, high] = tiny.select(1.0, x).widen();
    let y = F32::narrow([crate::f64::to_narrow::asinh(low), crate::f64::to_narrow::asinh(high)]);
    let y = patch_exceptions(
        size,
        y.abs(),
        &[(0x4bdd_65a5, 0x418f_034b), (0x6558_90d3, 0x4254_d1f9), (0x6eb1_a8ec, 0x4284_5a89)],
    );
    tiny.select(x, y.copysign(x))
}

/// The inverse of cosh, correctly rounded.
///
/// acosh(1) = +0, acosh(x < 1) = NaN, acosh(inf) = inf.
#[inline(always)]
pub fn acosh<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !(!(x.ge(1.0) & x.lt(LARGE))).any() {
        let one = x.splat(1.0);
        let square = x.mul_sub(x, one);
        let s = square.sqrt();
        // x^2 - (square + 1), plus the rounding error of that sum.
        let plus_1 = square + 1.0;
        let lost = x.mul_sub(x, plus_1) - (square.least(one) - (plus_1 - square.greatest(one)));
        let rest = s.neg_mul_add(s, square) + lost;
        let sum = x + s;
        // At 1 the root and `rest` are 0; TINY keeps the reciprocal finite.
        let low = rest.mul_add(half_reciprocal(s.greatest(TINY)), s - (sum - x));
        let log = log_of(sum, low);
        if !near_halfway::<17, L>(log) {
            return F32::narrow(log);
        }
    }
    let [low, high] = x.widen();
    let y = F32::narrow([crate::f64::to_narrow::acosh(low), crate::f64::to_narrow::acosh(high)]);
    patch_exceptions(x, y, &[(0x6558_90d3, 0x4254_d1f9), (0x6eb1_a8ec, 0x4284_5a89)])
}

/// The inverse of tanh, correctly rounded.
///
/// Odd. atanh(±0) = ±0, atanh(±1) = ±inf, atanh(|x| > 1) = NaN.
#[inline(always)]
pub fn atanh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let size = x.abs();
    let tiny = size.lt(TINY);
    if !(!size.lt(1.0)).any() {
        let a = size.splat(TINY).greatest(size);
        let one = a.splat(1.0);
        let (numerator, denominator) = (one + a, one - a);
        let inverse = one / denominator;
        let q = numerator * inverse;
        let lost = q.neg_mul_add((one - denominator) - a, a - (numerator - one));
        let low = (q.neg_mul_add(denominator, numerator) + lost) * inverse;
        let log = log_of(q, low);
        if !near_halfway::<17, L>(log) {
            return tiny.select(x, (F32::narrow(log) * 0.5).copysign(x));
        }
    }
    let [low, high] = tiny.select(0.5, x).widen();
    tiny.select(x, F32::narrow([crate::f64::to_narrow::atanh(low), crate::f64::to_narrow::atanh(high)]))
}
