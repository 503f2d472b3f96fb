//! xlogy, xlog1py, entr of `f64`: the logarithm as a pair with an error of 2^-60 (`log_table.rs`), times x, with the
//! rounding error of the product (Dekker 1971).

use eltwise_simd::WideLanes;

use super::double_double::Pair;
use super::elu::mul_pair;
use super::log::{log_pair, log1p_pair};
use crate::vector::F64;

/// `x log` for a pair `log`; +0 where x is 0, unless the logarithm's argument `y` is NaN.
#[inline(always)]
fn times<L: WideLanes>(x: F64<L>, y: F64<L>, log: Pair<L>) -> F64<L> {
    let product = mul_pair::<false, L>(x, x.splat(0.0), log);
    (x.eq(0.0) & y.eq(y)).select(0.0, product)
}

/// `x log y`, at most 0.78 ULP, and 0.9 next to subnormal results.
///
/// xlogy(0, y) = +0 unless y is NaN; otherwise the product of x and log y: -inf or inf for y = 0, NaN for y < 0.
#[inline(always)]
pub fn xlogy<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    times(x, y, log_pair(y))
}

/// `x log(1 + y)`, at most 0.78 ULP, and 0.9 next to subnormal results.
///
/// xlog1py(0, y) = +0 unless y is NaN; otherwise the product of x and log1p y: -inf or inf for y = -1, NaN for y < -1.
#[inline(always)]
pub fn xlog1py<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    times(x, y, log1p_pair(y))
}

/// `-x log x`, at most 0.78 ULP: the summands of Shannon's entropy.
///
/// entr(±0) = entr(1) = +0, entr(inf) = -inf; -inf below 0.
#[inline(always)]
pub fn entr<L: WideLanes>(x: F64<L>) -> F64<L> {
    // A difference from +0 is never -0.
    let entr = x.splat(0.0) - xlogy(x, x);
    x.lt(0.0).select(f64::NEG_INFINITY, entr)
}
