//! tanhshrink of `f32`: `x - tanh x` in `f64` lanes, rounded once.
//!
//! 1. |x| < 3/4: `x^3 p(x^2)`, minimax of degree 7.
//! 2. Above: `|x| - (1 - t) / (1 + t)`, `t = e^(-2 |x|)`.
//!
//! Table: `tools/coefficients/cancelling.py`.

use eltwise_simd::WideLanes;

use super::erf::exp2_wide;
use crate::polynomial::second_order_horner;
use crate::vector::{F32, F64};

/// `(x - tanh x) / x^3` of `x^2`, for |x| <= 3/4. Error 2^-33.30.
const SHRUNK: [f64; 8] = [
    f64::from_bits(0x3fd5_5555_554c_b014), // 0.3333333333018811
    f64::from_bits(0xbfc1_1111_01aa_070d), // -0.13333332616098695
    f64::from_bits(0x3fab_a1b1_09f2_d99d), // 0.053967983688767186
    f64::from_bits(0xbf96_63ed_eee4_c567), // -0.02186557550993964
    f64::from_bits(0x3f82_1820_8121_a178), // 0.008835081043984103
    f64::from_bits(0xbf6c_81f6_8a76_1857), // -0.0034799399615535287
    f64::from_bits(0x3f53_a354_63d3_e6ec), // 0.0011986087914110334
    f64::from_bits(0xbf30_a6f1_3193_4170), // -0.00025409115330623285
];

/// `x - tanh x`, at most 0.6 ULP over all 2^32 inputs.
///
/// tanhshrink(±0) = ±0, tanhshrink(±inf) = ±inf. Odd.
#[inline(always)]
pub fn tanhshrink<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.abs().widen();
    F32::narrow([shrink(low), shrink(high)]).copysign(x)
}

/// `a - tanh a` for a >= 0.
#[inline(always)]
fn shrink<L: WideLanes>(a: F64<L>) -> F64<L> {
    let square = a * a;
    let small = (a * square) * second_order_horner(square, &SHRUNK);
    let t = exp2_wide(a.least(300.0), -2.0 * core::f64::consts::LOG2_E);
    let one = a.splat(1.0);
    let large = a - (one - t) / (one + t);
    a.lt(0.75).select(small, large)
}
