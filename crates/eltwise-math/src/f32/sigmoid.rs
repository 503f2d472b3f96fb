//! sigmoid of `f32`: the quotient of `logistic.rs`.

use eltwise_simd::WideLanes;

use super::logistic::{UNIT, exp_divisor, quotient, scale_by_unit};
use crate::vector::F32;

/// `1 / (1 + e^-x)`.
///
/// At most 0.8715 ULP (all 2^32 inputs), increasing, from 0 to 1. sigmoid(±0) = 1/2, sigmoid(-inf) = +0, sigmoid(+inf)
/// = 1.
#[inline(always)]
pub fn sigmoid<L: WideLanes>(x: F32<L>) -> F32<L> {
    let live = !x.lt(-104.0);
    let near = live.select(x.splat(17.5).least(x), 0.0);
    // Subtracting from 2^-36 changes no result and keeps squares of the difference from being subnormal.
    let y = quotient(x.splat(1.0), exp_divisor(x.splat(f32::from_bits(0x2d80_0000)) - near));
    // Subnormal results and NaN.
    if (live & !x.ge(-87.33)).any() {
        return x.is_nan().select(f32::NAN, live.select(scale_by_unit(y), 0.0));
    }
    live.select(y * UNIT, 0.0)
}
