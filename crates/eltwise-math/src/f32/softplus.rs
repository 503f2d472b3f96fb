//! softplus of `f32`: `log(1 + e^x) = max(x, 0) + log(1 + e^-|x|)`, in `f64` lanes, rounded once.
//!
//! 1. `t = e^-|x|`: reduction as in `exp.rs`, minimax of degree 6, error 2^-27.56.
//! 2. `log(1 + t)` for t from 0 to 1: `t` times a minimax polynomial of degree 9, error 2^-27.66.
//!
//! Tables: `tools/coefficients/f32_activation.py`.

use eltwise_simd::WideLanes;

use super::exp::reduce;
use crate::polynomial::{horner, quartic};
use crate::vector::{F32, F64};

/// (e^r - 1 - r) / r^2 for |r| <= ln(2) / 2. Error 2^-27.56 of e^r.
const EXP_TAIL: [f64; 5] = [
    f64::from_bits(0x3fdf_ffff_ebe7_87fd), // 0.49999998128453155
    f64::from_bits(0x3fc5_5549_48fd_b1ed), // 0.16666523040784345
    f64::from_bits(0x3fa5_5554_949d_fb71), // 0.04166664423154643
    f64::from_bits(0x3f81_23da_c849_02b2), // 0.008369168507784994
    f64::from_bits(0x3f56_dc7b_17ef_285c), // 0.0013953401646511687
];

/// log(1 + t) / t for t from 0 to 1. Error 2^-27.66.
const LOG1P: [f64; 10] = [
    f64::from_bits(0x3fef_ffff_fd78_4a57), // 0.9999999952872923
    f64::from_bits(0xbfdf_fffb_e848_a72c), // -0.49999902423825193
    f64::from_bits(0x3fd5_54c7_f2a1_9d93), // 0.3332996243902581
    f64::from_bits(0xbfcf_f0f8_779e_3dba), // -0.2495413383553407
    f64::from_bits(0x3fc9_2f69_7920_0f5b), // 0.19675939955061036
    f64::from_bits(0xbfc3_9756_48c7_673c), // -0.15305594018610147
    f64::from_bits(0x3fbb_2536_5a91_5102), // 0.10603656493305283
    f64::from_bits(0xbfad_29cd_1990_dc87), // -0.05695954262812913
    f64::from_bits(0x3f94_53f1_22dd_453f), // 0.01985146308226615
    f64::from_bits(0xbf6a_9336_69fc_2911), // -0.0032440245412362974
];

/// `-log(1 + e^-x)`.
///
/// At most 0.6199 ULP (all 2^32 inputs), increasing. log_sigmoid(-inf) = -inf, log_sigmoid(+inf) = -0.
#[inline(always)]
pub fn log_sigmoid<L: WideLanes>(x: F32<L>) -> F32<L> {
    -softplus(-x)
}

/// `log(1 + e^x)`.
///
/// At most 0.6199 ULP (all 2^32 inputs), increasing. softplus(-inf) = +0, softplus(+inf) = +inf.
#[inline(always)]
pub fn softplus<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.widen();
    F32::narrow([softplus_wide(low), softplus_wide(high)])
}

#[inline(always)]
fn softplus_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    let t = exp_short(x.splat(-110.0).greatest(-x.abs()));
    // Even and odd powers in separate chains, for latency.
    let [a, b, c, d, e, f, g, h, i, j] = LOG1P;
    let square = t * t;
    let (even, odd) = (horner(square, &[a, c, e, g, i]), horner(square, &[b, d, f, h, j]));
    t.mul_add(odd.mul_add(t, even), x.splat(0.0).greatest(x))
}

/// `e^x` for `|x| <= 700` with a relative error of 2^-27.5.
#[inline(always)]
fn exp_short<L: WideLanes>(x: F64<L>) -> F64<L> {
    let (r, n) = reduce(x);
    let square = r * r;
    (square.mul_add(quartic(r, square, EXP_TAIL), r + 1.0).bits() + n).float()
}
