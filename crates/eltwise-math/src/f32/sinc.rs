//! sinc of `f32`: `sin(pi x) / (pi x)` in `f64` lanes, rounded once.
//!
//! 1. The distance t of x from the nearest integer is exact.
//! 2. `sin(pi t) / t`, minimax of degree 6 in t^2. Error 2^-43.86.
//!
//! Table: `tools/coefficients/cancelling.py`.

use core::f64::consts::PI;

use eltwise_simd::WideLanes;

use super::constants::two_to;
use crate::polynomial::horner;
use crate::vector::{F32, F64};

/// `sin(pi t) / t` of `t^2`, for |t| <= 1/2.
const SINE: [f64; 7] = [
    f64::from_bits(0x4009_21fb_5444_2b5f), // 3.1415926535895973
    f64::from_bits(0xc014_abbc_e624_7edc), // -5.167712779977332
    f64::from_bits(0x4004_66bc_66dc_823a), // 2.5501640354198374
    f64::from_bits(0xbfe3_2d2c_96c6_c3ef), // -0.5992644257404417
    f64::from_bits(0x3fb5_076f_ea0a_2ead), // 0.08214473213063896
    f64::from_bits(0xbf7e_297c_fdb8_34cd), // -0.0073637850250751315
    f64::from_bits(0x3f3d_4ec6_5ad7_86d6), // 0.00044720022819265176
];

/// `sin(pi x) / (pi x)`, at most 0.501 ULP over all 2^32 inputs.
///
/// sinc(±0) = 1; +0 for other integers and infinities.
#[inline(always)]
pub fn sinc<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Below 2^-20 the result is 1, from 2^24 on it is 0.
    let a = x.splat(two_to(-20)).greatest(x.splat(two_to(24)).least(x.abs()));
    let [low, high] = a.widen();
    x.is_nan().select(f32::NAN, F32::narrow([sinc_wide(low), sinc_wide(high)]))
}

#[inline(always)]
fn sinc_wide<L: WideLanes>(a: F64<L>) -> F64<L> {
    let even = (a * 0.5).round().neg_mul_add(2.0, a);
    let t = even.abs().least(a.splat(1.0) - even.abs());
    let sine = t * horner(t * t, &SINE);
    // Adding +0 makes a zero positive.
    sine.copysign(even) / (a * PI) + 0.0
}
