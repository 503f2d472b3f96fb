//! silu of `f64`: the quotient of `logistic.rs` with `x` as numerator.

use eltwise_simd::WideLanes;

use super::constants::TINY;
use super::exp::{ZERO_BELOW, clamp};
use super::logistic::{FAR, LARGE, Quotient, limits, logistic};
use crate::vector::F64;

/// silu x = `x / (1 + e^-x)`, at most 0.66 ULP (0.79 if the result is subnormal: down to x = -751.8).
///
/// silu(±0) = ±0, silu(-inf) = -0, silu(inf) = inf.
#[inline(always)]
pub fn silu<L: WideLanes>(x: F64<L>) -> F64<L> {
    silu_to::<false, L>(x)
}

/// [`silu`], or with `NARROW` the result that narrower floats round: see `to_narrow.rs`.
#[inline(always)]
pub(super) fn silu_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    if (!(a.ge(TINY) & a.le(LARGE))).any() {
        let w = a.lt(TINY).select(1.0, clamp(x, ZERO_BELOW, LARGE));
        let quotient = Quotient { factor: Some(w), w, low: None, far: Some(x.lt(FAR)) };
        return limits(x, logistic::<NARROW, L>(quotient), LARGE);
    }
    logistic::<NARROW, L>(Quotient { factor: Some(x), w: x, low: None, far: None })
}
