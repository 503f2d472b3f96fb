//! xlogy, xlog1py, entr of `f32`: the logarithms of `f64` times x, rounded once.

use eltwise_simd::WideLanes;

use crate::vector::{F32, F64};

/// `x log`; +0 where x is 0, unless the logarithm's argument `y` is NaN.
#[inline(always)]
fn times<L: WideLanes>(x: F64<L>, y: F64<L>, log: F64<L>) -> F64<L> {
    (x.eq(0.0) & y.eq(y)).select(0.0, x * log)
}

/// `x log y`, at most 0.501 ULP.
///
/// xlogy(0, y) = +0 unless y is NaN; otherwise the product of x and log y: -inf or inf for y = 0, NaN for y < 0.
#[inline(always)]
pub fn xlogy<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let ([x0, x1], [y0, y1]) = (x.widen(), y.widen());
    F32::narrow([times(x0, y0, crate::f64::log(y0)), times(x1, y1, crate::f64::log(y1))])
}

/// `x log(1 + y)`, at most 0.501 ULP.
///
/// xlog1py(0, y) = +0 unless y is NaN; otherwise the product of x and log1p y: -inf or inf for y = -1, NaN for y < -1.
#[inline(always)]
pub fn xlog1py<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let ([x0, x1], [y0, y1]) = (x.widen(), y.widen());
    F32::narrow([times(x0, y0, crate::f64::log1p(y0)), times(x1, y1, crate::f64::log1p(y1))])
}

/// `-x log x`, at most 0.501 ULP over all 2^32 inputs: the summands of Shannon's entropy.
///
/// entr(±0) = entr(1) = +0, entr(inf) = -inf; -inf below 0.
#[inline(always)]
pub fn entr<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Subtracting from +0 makes a zero positive.
    let entr = x.splat(0.0) - xlogy(x, x);
    x.lt(0.0).select(f32::NEG_INFINITY, entr)
}
