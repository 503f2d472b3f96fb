//! exprel of `f32`: `(e^x - 1) / x` in `f64` lanes, rounded once.

use eltwise_simd::WideLanes;

use crate::f64::constants::two_to;
use crate::vector::{F32, F64};

/// `(e^x - 1) / x`, at most 0.501 ULP over all 2^32 inputs.
///
/// exprel(±0) = 1, exprel(-inf) = +0, exprel(inf) = inf.
#[inline(always)]
pub fn exprel<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.widen();
    F32::narrow([exprel_wide(low), exprel_wide(high)])
}

#[inline(always)]
fn exprel_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    // Below 2^-20, 1 + x/2 is exact enough.
    let small = x.abs().lt(two_to(-20));
    let large = small.select(1.0, x);
    let quotient = crate::f64::expm1(large) / large;
    let quotient = small.select(x.mul_add(0.5, x.splat(1.0)), quotient);
    x.eq(f64::INFINITY).select(x, quotient)
}
