//! mish of `f32`, correctly rounded: `x tanh(log(1 + e^x)) = x g / (g + 2)`, `g = w^2 + 2 w`, `w = e^x` with an error
//! of 2^-46.

use core::f64::consts::LOG2_E;

use eltwise_simd::WideLanes;

use super::exp::scaled_exp2;
use super::rounding::{is_small, near_halfway};
use crate::vector::{F32, F64};

/// `x tanh(log(1 + e^x))`, correctly rounded.
///
/// mish(±0) = ±0, mish(-inf) = -0, mish(+inf) = +inf.
#[inline(always)]
pub fn mish<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Otherwise, results may be subnormal.
    if !(!x.gt(-87.0) | is_small(x)).any() {
        let [low, high] = x.widen();
        let mish = [mish_of(low), mish_of(high)];
        if !near_halfway::<11, L>(mish) {
            return F32::narrow(mish);
        }
    }
    let [low, high] = x.widen();
    F32::narrow([crate::f64::mish(low), crate::f64::mish(high)])
}

#[inline(always)]
fn mish_of<L: WideLanes>(x: F64<L>) -> F64<L> {
    // Above 20 the quotient is 1.
    let w = scaled_exp2(x.splat(20.0).least(x), LOG2_E);
    let g = w.mul_add(w, w + w);
    x * g / (g + 2.0)
}
