//! softplus, mish, elu, celu and selu of `f32`, correctly rounded.
//!
//! * softplus: `max(x, 0) + z l(z)`, `z = e^-|x|`, where `l` is `log(1 + z) / z`, a minimax polynomial of degree 13, error 2^-38.3.
//! * celu: `alpha (2^n r g(r) + (2^n - 1))`: where n is 0, this is the first term alone. Where `x / alpha` is below 2^-26, celu is x,
//!   rounded.
//! * mish, elu, selu: the exponential of `exponential.rs`, error 2^-46, or 2^-40 less 1.
//!
//! Of softplus and celu, `2^r - 1 = r g(r)` with a minimax polynomial g of degree 8, error 2^-43.5, for |r| <= 1/2; `e^x = 2^n 2^r` with n
//! the nearest integer of `x / ln 2`.

use core::f64::consts::LOG2_E;

use eltwise_simd::WideLanes;

use super::exponential::{parts, power_of};
use super::rounding::{doubtful, is_small, put_right};
use crate::double;
use crate::single::activation::{SELU_ALPHA_SCALE, SELU_SCALE};
use crate::single::exponential::ROUND_WIDE;
use crate::single::logarithm::two_to;
use crate::vector::{F32, F64, horner};

/// (2^r - 1) / r for |r| <= 1/2 and a little more. Error 2^-43.55.
const GROWTH_2: [f64; 9] = [
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
/// log(1 + t) / t for t from 0 to 1. Error 2^-38.27.
const LOG1P: [f64; 14] = [
    f64::from_bits(0x3fef_ffff_ffff_95b6), // 0.9999999999969791
    f64::from_bits(0xbfdf_ffff_feb2_0aaf), // -0.4999999987850669
    f64::from_bits(0x3fd5_5554_fdda_d62d), // 0.3333332518626289
    f64::from_bits(0xbfcf_ffed_d2ea_561a), // -0.24999783323862418
    f64::from_bits(0x3fc9_989b_13d5_1e32), // 0.19996965855010412
    f64::from_bits(0xbfc5_4ce4_92a4_e5e8), // -0.16640908394201337
    f64::from_bits(0x3fc2_19f1_6d10_d4c5), // 0.1414167196796027
    f64::from_bits(0xbfbe_9107_f347_2a6c), // -0.11940049828914717
    f64::from_bits(0x3fb8_6b95_2958_ab70), // 0.09539158114846003
    f64::from_bits(0xbfb1_3040_7afe_a3aa), // -0.06714251520919726
    f64::from_bits(0x3fa3_8e9c_1bd8_db3f), // 0.03819740142755856
    f64::from_bits(0xbf90_439f_f768_c3c2), // -0.015882968402539673
    f64::from_bits(0x3f71_2a39_c511_a2e1), // 0.004190660155565879
    f64::from_bits(0xbf41_0351_79fd_d590), // -0.0005191943964592428
];

/// `(2^r - 1, 2^n)` of `e^x = 2^n 2^r`, `|x| <= 700`.
#[inline(always)]
fn wide_parts<L: WideLanes>(x: F64<L>) -> (F64<L>, F64<L>) {
    let shifted = x.mul_add(LOG2_E, ROUND_WIDE);
    let r = x.mul_sub(LOG2_E, shifted - ROUND_WIDE);
    let power = (x.splat(1.0).bits() + (shifted.bits() << 52)).float();
    (r * horner(r, &GROWTH_2), power)
}

/// `log(1 + e^x)`, correctly rounded. softplus(-inf) = +0, softplus(+inf) = +inf.
#[inline(always)]
pub fn softplus<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Below, results are subnormal.
    if !(!x.gt(-87.0)).any() {
        let [low, high] = x.widen();
        let sums = [softplus_of(low), softplus_of(high)];
        if !doubtful::<16, L>(sums) {
            return F32::narrow(sums);
        }
    }
    let [low, high] = x.widen();
    put_right(x, F32::narrow([double::softplus(low), double::softplus(high)]), &[(0x39ea_41d0, 0x3f31_80bd)])
}

#[inline(always)]
fn softplus_of<L: WideLanes>(x: F64<L>) -> F64<L> {
    let (p, power) = wide_parts(x.splat(-100.0).greatest(-x.abs()));
    let z = power.mul_add(p, power);
    // Even and odd terms apart: half the chain.
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = LOG1P;
    let square = z * z;
    let (even, odd) = (horner(square, &[a, c, e, g, i, k, m]), horner(square, &[b, d, f, h, j, l, n]));
    z.mul_add(odd.mul_add(z, even), x.splat(0.0).greatest(x))
}

/// `x tanh(log(1 + e^x)) = x g / (g + 2)` with `g = w^2 + 2 w`, `w = e^x`, correctly rounded.
///
/// mish(+-0) = +-0, mish(-inf) = -0, mish(+inf) = +inf.
#[inline(always)]
pub fn mish<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Others may have subnormal results.
    if !(!x.gt(-87.0) | is_small(x)).any() {
        let [low, high] = x.widen();
        let mish = [mish_of(low), mish_of(high)];
        if !doubtful::<11, L>(mish) {
            return F32::narrow(mish);
        }
    }
    let [low, high] = x.widen();
    F32::narrow([double::mish(low), double::mish(high)])
}

#[inline(always)]
fn mish_of<L: WideLanes>(x: F64<L>) -> F64<L> {
    // Beyond 20 the quotient is 1.
    let w = power_of(x.splat(20.0).least(x), LOG2_E);
    let g = w.mul_add(w, w + w);
    x * g / (g + 2.0)
}

/// `max(x, 0) + min(0, alpha (e^(x / alpha) - 1))`, correctly rounded.
///
/// celu(+-0, alpha) = +-0 and celu(-inf, alpha) = -alpha for positive alpha, celu(inf, alpha) = inf.
#[inline(always)]
pub fn celu<L: WideLanes>(x: F32<L>, alpha: F32<L>) -> F32<L> {
    let ([low, high], [a, b]) = (x.widen(), alpha.widen());
    let size = alpha.abs();
    // With other parameters results may be subnormal where x is no result.
    if !(!(size.gt(two_to(-99)) & size.lt(two_to(100)))).any() {
        let all = [celu_of(low, a), celu_of(high, b)];
        if !doubtful::<12, L>(all) {
            return F32::narrow(all);
        }
    }
    F32::narrow([double::to_narrow::celu(low, a), double::to_narrow::celu(high, b)])
}

#[inline(always)]
fn celu_of<L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    let u = x / alpha;
    // Beyond 200 the result is -alpha or infinite.
    let (p, power) = wide_parts(u.splat(-200.0).greatest(u.splat(200.0).least(u)));
    let negative = alpha * power.mul_add(p, power - 1.0);
    (x.gt(0.0) | u.abs().lt(1.0 / (1 << 26) as f64)).select(x, negative)
}

/// `x` where it is above 0, else `alpha (e^x - 1)`, correctly rounded. elu(-inf, alpha) = -alpha.
#[inline(always)]
pub fn elu<L: WideLanes>(x: F32<L>, alpha: F32<L>) -> F32<L> {
    let ([low, high], [a, b]) = (x.widen(), alpha.widen());
    let size = alpha.abs();
    // With others, results may be subnormal.
    if !(!(size.gt(two_to(-60)) & size.lt(two_to(100))) | is_small(x)).any() {
        // -0 for -0.
        let below = [a * decay(low).copysign(low), b * decay(high).copysign(high)];
        let all = [low.gt(0.0).select(low, below[0]), high.gt(0.0).select(high, below[1])];
        if !doubtful::<14, L>(all) {
            return F32::narrow(all);
        }
    }
    F32::narrow([double::to_narrow::elu(low, a), double::to_narrow::elu(high, b)])
}

/// `scale x` where `x` is above 0, else `scale alpha (e^x - 1)`, correctly rounded (Klambauer et al. 2017).
///
/// selu(+-0) = +-0, selu(-inf) = -scale alpha, selu(+inf) = +inf.
#[inline(always)]
pub fn selu<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.widen();
    // Others may have subnormal results.
    if !is_small(x).any() {
        let selu = [selu_of(low), selu_of(high)];
        if !doubtful::<14, L>(selu) {
            return F32::narrow(selu).copysign(x);
        }
    }
    F32::narrow([double::to_narrow::selu(low), double::to_narrow::selu(high)])
}

#[inline(always)]
fn selu_of<L: WideLanes>(x: F64<L>) -> F64<L> {
    x.splat(0.0).greatest(x).mul_add(SELU_SCALE, decay(x) * SELU_ALPHA_SCALE)
}

/// `e^min(x, 0) - 1`
#[inline(always)]
fn decay<L: WideLanes>(x: F64<L>) -> F64<L> {
    // NaN stays.
    let (p, power) = parts(x.splat(-100.0).greatest(x.splat(0.0).least(x)), LOG2_E);
    power.mul_add(p, power - 1.0)
}
