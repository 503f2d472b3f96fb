//! sigmoid of `f64`: the quotient of `logistic.rs`, where the method and the measurement of the errors are explained.

use eltwise_simd::WideLanes;

use super::exp::{ZERO_BELOW, clamp};
use super::logistic::{FAR, LARGE, Quotient, logistic};
use crate::vector::F64;

/// sigmoid x = `1 / (1 + e^-x)`, at most 0.67 ULP (0.80 if the result is subnormal), from 0 to 1.
///
/// sigmoid(±0) = 1/2, sigmoid(-inf) = 0, sigmoid(inf) = 1.
#[inline(always)]
pub fn sigmoid<L: WideLanes>(x: F64<L>) -> F64<L> {
    sigmoid_to::<false, L>(x)
}

/// [`sigmoid`], or with `NARROW` the result that narrower floats round: see `to_narrow.rs`.
#[inline(always)]
pub(super) fn sigmoid_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    if (!x.abs().le(LARGE)).any() {
        let w = clamp(x, ZERO_BELOW, LARGE);
        return logistic::<NARROW, L>(Quotient { factor: None, w, low: None, far: Some(x.lt(FAR)) });
    }
    logistic::<NARROW, L>(Quotient { factor: None, w: x, low: None, far: None })
}
