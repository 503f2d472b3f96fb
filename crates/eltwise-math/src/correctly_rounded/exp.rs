//! exp, exp2, exp10 of `f32`, correctly rounded, and the exponentials that other functions of this module use.
//!
//! exp, exp2:
//!
//! 1. `2^t = 2^n 2^r`, n the integer nearest to t, found in `f32` lanes. For e^x, `t = x / ln 2` with an error below
//!    2^-46.
//! 2. `2^r` in `f64` lanes, minimax of degree 8, error 2^-40.1. There is no table: lookups are slow on AVX2.
//! 3. `2^r` is rounded. `2^n` is then added to the exponent, as long as results are normal numbers.
//!
//! exp10, and `e^x` and `e^x - 1` for other functions ([`scaled_exp2_parts`]):
//!
//! 1. `2^t = 2^j 2^r`, j a multiple of 1/16, `2^j` from the table of `f64/exp.rs`.
//! 2. `2^r - 1 = r g(r)`, g minimax of degree 4, error 2^-41.1, which is 2^-46 of the power.
//!
//! softplus and celu use a third one, [`exp_parts`]: `2^r - 1 = r g(r)`, g minimax of degree 8, error 2^-43.5, for
//! integers n and |r| <= 1/2.

use core::f64::consts::{LOG2_10, LOG2_E};

use eltwise_simd::WideLanes;

use super::rounding::{near_halfway, patch_exceptions};
use crate::f32::constants::{ROUND, ROUND_WIDE};
use crate::f64::constants::SIXTEENTHS;
use crate::f64::exp::power;
use crate::polynomial::horner;
use crate::vector::{F32, F64};

/// 2^r for |r| slightly above 1/2. Error 2^-40.13.
const EXP2: [f64; 9] = [
    f64::from_bits(0x3fef_ffff_ffff_f79e), // 0.9999999999997617
    f64::from_bits(0x3fe6_2e42_fef8_6072), // 0.6931471805464879
    f64::from_bits(0x3fce_bfbd_ff93_2278), // 0.24022650698886472
    f64::from_bits(0x3fac_6b08_dd49_306b), // 0.05550410939449154
    f64::from_bits(0x3f83_b2ab_5c4a_db1d), // 0.009618128541985233
    f64::from_bits(0x3f55_d874_80a2_1a9b), // 0.0013333451957195156
    f64::from_bits(0x3f24_30ac_d6ba_6f69), // 0.00015403852318207213
    f64::from_bits(0x3ef0_0daf_dacb_a040), // 1.530977685862433e-05
    f64::from_bits(0x3eb6_1af8_618a_f0f0), // 1.3175816830210569e-06
];

/// (2^r - 1) / r for |r| slightly above 1/32. Error 2^-41.13.
const EXP2M1_SHORT: [f64; 5] = [
    f64::from_bits(0x3fe6_2e42_fefa_39db), // 0.6931471805599431
    f64::from_bits(0x3fce_bfbd_ff69_8100), // 0.24022650691313885
    f64::from_bits(0x3fac_6b08_d723_4dbe), // 0.0555041086787713
    f64::from_bits(0x3f83_b2c4_b0d1_0cbb), // 0.009618317266477985
    f64::from_bits(0x3f55_d87f_9b94_113c), // 0.001333355538293792
];

/// 2^-100. Adding it to an argument changes no result, and keeps numbers from being subnormal.
const NOTHING: f32 = f32::from_bits(27 << 23);

/// `2^n 2^r`, correctly rounded; `shifted` is `n + ROUND`. `None` if a lane is too close to a midpoint.
#[inline(always)]
fn exp2_rounded<L: WideLanes>(r: [F64<L>; 2], shifted: F32<L>) -> Option<F32<L>> {
    let power = [horner(r[0], &EXP2), horner(r[1], &EXP2)];
    if near_halfway::<14, L>(power) {
        return None;
    }
    Some((F32::narrow(power).bits() + (shifted.bits() << 23)).float())
}

/// `(2^r - 1, 2^j)`, `2^(scale x) = 2^j 2^r` with j a multiple of 1/16, for `|scale x| <= 1000`. Error of
/// `2^(scale x)`: 2^-46.
#[inline(always)]
pub(super) fn scaled_exp2_parts<L: WideLanes>(x: F64<L>, scale: f64) -> (F64<L>, F64<L>) {
    let shifted = x.mul_add(scale, SIXTEENTHS);
    let r = x.mul_sub(scale, shifted - SIXTEENTHS);
    let [power, _] = power(shifted.bits());
    (r * horner(r, &EXP2M1_SHORT), power)
}

/// `2^(scale x)` for `|scale x| <= 1000`. Error 2^-46, plus the error of `scale x`.
#[inline(always)]
pub(super) fn scaled_exp2<L: WideLanes>(x: F64<L>, scale: f64) -> F64<L> {
    let (p, power) = scaled_exp2_parts(x, scale);
    power.mul_add(p, power)
}

/// `e^x`, correctly rounded. exp(±0) = 1, exp(-inf) = +0, exp(+inf) = +inf.
#[inline(always)]
pub fn exp<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !(!x.abs().lt(87.3)).any() {
        let y = x + NOTHING;
        let shifted = y.mul_add(core::f32::consts::LOG2_E, ROUND);
        let ([low, high], [n, m]) = (y.widen(), (shifted - ROUND).widen());
        if let Some(power) = exp2_rounded([low.mul_sub(LOG2_E, n), high.mul_sub(LOG2_E, m)], shifted) {
            return power;
        }
    }
    let [low, high] = x.widen();
    F32::narrow([crate::f64::exp(low), crate::f64::exp(high)])
}

/// `10^x`, correctly rounded. exp10(±0) = 1, exp10(-inf) = +0, exp10(+inf) = +inf.
#[inline(always)]
pub fn exp10<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.widen();
    if !(!x.abs().lt(37.9)).any() {
        let powers = [scaled_exp2(low, LOG2_10), scaled_exp2(high, LOG2_10)];
        if !near_halfway::<9, L>(powers) {
            return F32::narrow(powers);
        }
    }
    F32::narrow([crate::f64::exp10(low), crate::f64::exp10(high)])
}

/// `2^x`, correctly rounded. exp2(±0) = 1, exp2(-inf) = +0, exp2(+inf) = +inf.
#[inline(always)]
pub fn exp2<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !(!x.abs().lt(126.0)).any() {
        let y = x + NOTHING;
        let shifted = y + ROUND;
        if let Some(power) = exp2_rounded((y - (shifted - ROUND)).widen(), shifted) {
            return power;
        }
    }
    let [low, high] = x.widen();
    let y = F32::narrow([crate::f64::exp2(low), crate::f64::exp2(high)]);
    patch_exceptions(x, y, &[(0x3b42_9d37, 0x3f80_4385), (0xbcf3_a937, 0x3f7a_c6b1)])
}

/// (2^r - 1) / r for |r| slightly above 1/2. Error 2^-43.55.
const EXP2M1_WIDE: [f64; 9] = [
    f64::from_bits(0x3fe6_2e42_fefa_39ab), // 0.6931471805599377
    f64::from_bits(0x3fce_bfbd_ff82_3e1a), // 0.24022650695813824
    f64::from_bits(0x3fac_6b08_d706_a08e), // 0.05550410866573073
    f64::from_bits(0x3f83_b2ab_717f_8dc0), // 0.009618129159156719
    f64::from_bits(0x3f55_d87f_e31a_ca15), // 0.001333355798504803
    f64::from_bits(0x3f24_308a_cc4a_8d41), // 0.00015403456031491162
    f64::from_bits(0x3eef_fcca_5d22_fb0d), // 1.5252810872443752e-05
    f64::from_bits(0x3eb6_3d0f_5620_fca5), // 1.3255188027331679e-06
    f64::from_bits(0x3e7b_5282_ad76_4913), // 1.0178352326796259e-07
];

/// `(2^r - 1, 2^n)`, `e^x = 2^n 2^r`, for `|x| <= 700`.
#[inline(always)]
pub(super) fn exp_parts<L: WideLanes>(x: F64<L>) -> (F64<L>, F64<L>) {
    let shifted = x.mul_add(LOG2_E, ROUND_WIDE);
    let r = x.mul_sub(LOG2_E, shifted - ROUND_WIDE);
    let power = (x.splat(1.0).bits() + (shifted.bits() << 52)).float();
    (r * horner(r, &EXP2M1_WIDE), power)
}
