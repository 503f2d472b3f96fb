//! tanh of `f32`, correctly rounded.
//!
//! 1. `tanh a = (E - 1) / (E + 1)`, `E = e^(2 a) = 2^j 2^r` as in `exp.rs`, `E - 1 = 2^j (2^r - 1) + (2^j - 1)`, error
//!    2^-40.
//! 2. Below 2^-12, tanh rounds to its argument; from 9.5 on to 1.

use core::f64::consts::LOG2_E;

use eltwise_simd::WideLanes;

use super::exp::scaled_exp2_parts;
use super::rounding::near_halfway;
use crate::f32::constants::two_to;
use crate::vector::{F32, F64};

/// Below, tanh rounds to its argument.
const TINY: f32 = two_to(-12);

/// From here on, tanh rounds to 1.
const MOST: f32 = 9.5;

#[inline(always)]
fn tanh_of<L: WideLanes>(a: F64<L>) -> F64<L> {
    let (p, power) = scaled_exp2_parts(a, 2.0 * LOG2_E);
    power.mul_add(p, power - 1.0) / power.mul_add(p, power + 1.0)
}

/// `(e^x - e^-x) / (e^x + e^-x)`, correctly rounded.
///
/// Odd. tanh(±0) = ±0, tanh(±inf) = ±1.
#[inline(always)]
pub fn tanh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let size = x.abs();
    let tiny = size.lt(TINY);
    // `greatest` and `least` return their second operand if one is NaN, so a NaN stays.
    let [low, high] = size.splat(MOST).least(size.splat(TINY).greatest(size)).widen();
    let tanh = [tanh_of(low), tanh_of(high)];
    if !near_halfway::<14, L>(tanh) {
        return tiny.select(x, F32::narrow(tanh).copysign(x));
    }
    let [low, high] = tiny.select(0.5, x).widen();
    tiny.select(x, F32::narrow([crate::f64::tanh(low), crate::f64::tanh(high)]))
}
