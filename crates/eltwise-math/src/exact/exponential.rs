//! exp, exp2 and exp10 of `f32`, correctly rounded, and the exponential of other functions.
//!
//! exp and exp2: `2^t = 2^n 2^r`, `n` the nearest integer of `t`, found in `f32` lanes, and `2^r` a minimax polynomial of degree 8 in `f64`
//! lanes, error 2^-40.1; no table, which AVX2 is slow at. Of e^x, `t = x / ln 2` with an error below 2^-46. What is rounded is `2^r`; `2^n`
//! is multiplied in where results are normal numbers, by their exponents.
//!
//! exp10 and functions made of `e^x` and `e^x - 1`: `2^t = 2^j 2^r` with multiples j of 1/16, from the table of `double/exponential.rs`, and
//! `2^r - 1 = r g(r)` with a minimax polynomial g of degree 4, error 2^-41.1, which is 2^-46 of the power.

use core::f64::consts::{LOG2_10, LOG2_E};

use eltwise_simd::WideLanes;

use super::rounding::{doubtful, put_right};
use crate::double;
use crate::double::exponential::power;
use crate::double::extended::SIXTEENTHS;
use crate::single::exponential::ROUND;
use crate::vector::{F32, F64, horner};

/// 2^r for |r| <= 1/2 and a little more. Error 2^-40.13.
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

/// (2^r - 1) / r for |r| <= 1/32 and a little more. Error 2^-41.13.
const GROWTH_SHORT: [f64; 5] = [
    f64::from_bits(0x3fe6_2e42_fefa_39db), // 0.6931471805599431
    f64::from_bits(0x3fce_bfbd_ff69_8100), // 0.24022650691313885
    f64::from_bits(0x3fac_6b08_d723_4dbe), // 0.0555041086787713
    f64::from_bits(0x3f83_b2c4_b0d1_0cbb), // 0.009618317266477985
    f64::from_bits(0x3f55_d87f_9b94_113c), // 0.001333355538293792
];

/// Added to an argument it changes no result, and no number is subnormal, which CPUs are slow at: 2^-100.
const NOTHING: f32 = f32::from_bits(27 << 23);

/// `2^n` times the numbers, rounded; `shifted` is `n + ROUND`. Nothing where a number's rounding is in doubt.
#[inline(always)]
fn scaled<L: WideLanes>(r: [F64<L>; 2], shifted: F32<L>) -> Option<F32<L>> {
    let power = [horner(r[0], &EXP2), horner(r[1], &EXP2)];
    if doubtful::<14, L>(power) {
        return None;
    }
    Some((F32::narrow(power).bits() + (shifted.bits() << 23)).float())
}

/// `(2^r - 1, 2^j)` of `2^(scale x) = 2^j 2^r`, j a multiple of 1/16, `|scale x| <= 1000`. The errors of `2^(scale x)` are 2^-46.
#[inline(always)]
pub(super) fn parts<L: WideLanes>(x: F64<L>, scale: f64) -> (F64<L>, F64<L>) {
    let shifted = x.mul_add(scale, SIXTEENTHS);
    let r = x.mul_sub(scale, shifted - SIXTEENTHS);
    let [power, _] = power(shifted.bits());
    (r * horner(r, &GROWTH_SHORT), power)
}

/// `2^(scale x)`, `|scale x| <= 1000`, error 2^-46 and that of `scale x`.
#[inline(always)]
pub(super) fn power_of<L: WideLanes>(x: F64<L>, scale: f64) -> F64<L> {
    let (p, power) = parts(x, scale);
    power.mul_add(p, power)
}

/// `e^x`, correctly rounded. exp(+-0) = 1, exp(-inf) = +0, exp(+inf) = +inf.
#[inline(always)]
pub fn exp<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !(!x.abs().lt(87.3)).any() {
        let y = x + NOTHING;
        let shifted = y.mul_add(core::f32::consts::LOG2_E, ROUND);
        let ([low, high], [n, m]) = (y.widen(), (shifted - ROUND).widen());
        if let Some(power) = scaled([low.mul_sub(LOG2_E, n), high.mul_sub(LOG2_E, m)], shifted) {
            return power;
        }
    }
    let [low, high] = x.widen();
    F32::narrow([double::exp(low), double::exp(high)])
}

/// `10^x`, correctly rounded. exp10(+-0) = 1, exp10(-inf) = +0, exp10(+inf) = +inf.
#[inline(always)]
pub fn exp10<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.widen();
    if !(!x.abs().lt(37.9)).any() {
        let powers = [power_of(low, LOG2_10), power_of(high, LOG2_10)];
        if !doubtful::<9, L>(powers) {
            return F32::narrow(powers);
        }
    }
    F32::narrow([double::exp10(low), double::exp10(high)])
}

/// `2^x`, correctly rounded. exp2(+-0) = 1, exp2(-inf) = +0, exp2(+inf) = +inf.
#[inline(always)]
pub fn exp2<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !(!x.abs().lt(126.0)).any() {
        let y = x + NOTHING;
        let shifted = y + ROUND;
        if let Some(power) = scaled((y - (shifted - ROUND)).widen(), shifted) {
            return power;
        }
    }
    let [low, high] = x.widen();
    let y = F32::narrow([double::exp2(low), double::exp2(high)]);
    put_right(x, y, &[(0x3b42_9d37, 0x3f80_4385), (0xbcf3_a937, 0x3f7a_c6b1)])
}
