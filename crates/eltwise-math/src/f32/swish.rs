//! swish of `f32`: `x / (1 + e^-w)`, `w = alpha x`, in `f64` lanes, where the product is exact, rounded once.

use core::f64::consts::LOG2_E;

use eltwise_simd::WideLanes;

use super::erf::exp2_wide;
use crate::vector::{F32, F64};

/// swish(x, alpha) = `x / (1 + e^(-alpha x))`, at most 0.55 ULP.
///
/// swish(x, 0) = x / 2. Infinite x, and infinite alpha x: the limit, x or a zero with the sign of x. swish(±0, ±inf) is
/// NaN.
#[inline(always)]
pub fn swish<L: WideLanes>(x: F32<L>, alpha: F32<L>) -> F32<L> {
    let ([x0, x1], [a0, a1]) = (x.widen(), alpha.widen());
    F32::narrow([swish_wide(x0, a0), swish_wide(x1, a1)])
}

#[inline(always)]
fn swish_wide<L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    let w = x * alpha;
    // Beyond 690, t counts for nothing in f32, nor do products with it.
    let t = exp2_wide(w.abs().least(690.0), -LOG2_E);
    let negative = w.lt(0.0);
    let quotient = x * (negative.select(t, 1.0) / (t + 1.0));
    let limit = negative & x.abs().eq(f64::INFINITY);
    let result = limit.select(x.splat(0.0).copysign(x), quotient);
    (w.is_nan() & alpha.ne(0.0)).select(f64::NAN, result)
}
