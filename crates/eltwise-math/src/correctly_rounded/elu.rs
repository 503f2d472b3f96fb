//! elu, celu, selu of `f32`, correctly rounded.
//!
//! * elu, selu: `e^x - 1` by the exponential of `exp.rs`, error 2^-40.
//! * celu: `alpha (2^n r g(r) + (2^n - 1))`; for n = 0 only the first term remains. For `x / alpha` below 2^-26, celu
//!   rounds to x.

use core::f64::consts::LOG2_E;

use eltwise_simd::WideLanes;

use super::exp::{exp_parts, scaled_exp2_parts};
use super::rounding::{is_small, near_halfway};
use crate::f32::constants::two_to;
use crate::f32::elu::{SELU_ALPHA_SCALE, SELU_SCALE};
use crate::vector::{F32, F64};

/// `max(x, 0) + min(0, alpha (e^(x / alpha) - 1))`, correctly rounded.
///
/// celu(±0, alpha) = ±0 and celu(-inf, alpha) = -alpha for positive alpha, celu(inf, alpha) = inf.
#[inline(always)]
pub fn celu<L: WideLanes>(x: F32<L>, alpha: F32<L>) -> F32<L> {
    let ([low, high], [a, b]) = (x.widen(), alpha.widen());
    let size = alpha.abs();
    // With other parameters, results may be subnormal.
    if !(!(size.gt(two_to(-99)) & size.lt(two_to(100)))).any() {
        let all = [celu_of(low, a), celu_of(high, b)];
        if !near_halfway::<12, L>(all) {
            return F32::narrow(all);
        }
    }
    F32::narrow([crate::f64::to_narrow::celu(low, a), crate::f64::to_narrow::celu(high, b)])
}

#[inline(always)]
fn celu_of<L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    let u = x / alpha;
    // Below -200 the result is -alpha, above 200 infinite.
    let (p, power) = exp_parts(u.splat(-200.0).greatest(u.splat(200.0).least(u)));
    let negative = alpha * power.mul_add(p, power - 1.0);
    (x.gt(0.0) | u.abs().lt(1.0 / (1 << 26) as f64)).select(x, negative)
}

/// `x` for x > 0, else `alpha (e^x - 1)`, correctly rounded. elu(-inf, alpha) = -alpha.
#[inline(always)]
pub fn elu<L: WideLanes>(x: F32<L>, alpha: F32<L>) -> F32<L> {
    let ([low, high], [a, b]) = (x.widen(), alpha.widen());
    let size = alpha.abs();
    // With other parameters, results may be subnormal.
    if !(!(size.gt(two_to(-60)) & size.lt(two_to(100))) | is_small(x)).any() {
        // The sign of -0.
        let below = [a * expm1_of_negative(low).copysign(low), b * expm1_of_negative(high).copysign(high)];
        let all = [low.gt(0.0).select(low, below[0]), high.gt(0.0).select(high, below[1])];
        if !near_halfway::<14, L>(all) {
            return F32::narrow(all);
        }
    }
    F32::narrow([crate::f64::to_narrow::elu(low, a), crate::f64::to_narrow::elu(high, b)])
}

/// `scale x` for x > 0, else `scale alpha (e^x - 1)`, correctly rounded; the constants of Klambauer et al. 2017.
///
/// selu(±0) = ±0, selu(-inf) = -scale alpha, selu(+inf) = +inf.
#[inline(always)]
pub fn selu<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.widen();
    // Otherwise, results may be subnormal.
    if !is_small(x).any() {
        let selu = [selu_of(low), selu_of(high)];
        if !near_halfway::<14, L>(selu) {
            return F32::narrow(selu).copysign(x);
        }
    }
    F32::narrow([crate::f64::to_narrow::selu(low), crate::f64::to_narrow::selu(high)])
}

#[inline(always)]
fn selu_of<L: WideLanes>(x: F64<L>) -> F64<L> {
    x.splat(0.0).greatest(x).mul_add(SELU_SCALE, expm1_of_negative(x) * SELU_ALPHA_SCALE)
}

/// `e^min(x, 0) - 1`.
#[inline(always)]
fn expm1_of_negative<L: WideLanes>(x: F64<L>) -> F64<L> {
    // `greatest` and `least` return their second operand if one is NaN, so a NaN stays.
    let (p, power) = scaled_exp2_parts(x.splat(-100.0).greatest(x.splat(0.0).least(x)), LOG2_E);
    power.mul_add(p, power - 1.0)
}
