//! Exponentials of `f64`.
//!
//! `x = j ln 2 + r`, `j` a multiple of 1/16, and `e^x = 2^floor(j) T (1 + p)`, where `T = 2^frac(j)` is a pair of a table and
//! `p = e^r - 1 <= 0.022` a polynomial: the errors of `p` count a fiftieth (Tang 1989, "Table-driven implementation of the
//! exponential function"). The other bases reduce in their own measure, where it is exact, and turn the rest into `r`. `e^x - 1` is
//! summed in pairs.
//!
//! Errors are the largest seen among 2^24 arguments in each interesting range and 2^24 bit patterns, compared with correctly rounded
//! results (core-math); those that differed were measured with 220 bits.

use eltwise_simd::WideLanes;

use super::extended::{EXP, LN2, SIXTEENTHS, expm1_parts, near_expm1, power_at};
use crate::vector::{F64, horner};

/// `x` within `[low, high]`, where the result is not yet constant; NaN stays.
#[inline(always)]
pub(crate) fn within<L: WideLanes>(x: F64<L>, low: f64, high: f64) -> F64<L> {
    x.splat(high).least(x.splat(low).greatest(x))
}

/// `2^j e^r`; `sixteenths` is `j + SIXTEENTHS`, and `plain` says that all lanes' results are normal numbers.
#[inline(always)]
pub(crate) fn raised<L: WideLanes>(sixteenths: F64<L>, j: F64<L>, r: F64<L>, plain: bool) -> F64<L> {
    let power = power_at(sixteenths.bits());
    let p = (r * r).mul_add(horner(r, &EXP), r);
    let unscaled = power.hi.mul_add(p, power.lo) + power.hi;
    if plain {
        // As scaled, but one addition.
        return (unscaled.bits() + ((sixteenths.bits() >> 4) << 52)).float();
    }
    unscaled.scale(j.floor())
}

/// e^x, at most 0.56 ULP (0.77 where the result is subnormal: it is rounded twice).
///
/// exp(±0) = 1, exp(-inf) = 0, exp(inf) = inf.
#[inline(always)]
pub fn exp<L: WideLanes>(x: F64<L>) -> F64<L> {
    let plain = !(!x.abs().le(708.0)).any();
    let x = if plain { x } else { within(x, -746.0, 710.0) };
    let sixteenths = x.mul_add(core::f64::consts::LOG2_E, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    // The first step is exact.
    let r = j.neg_mul_add(LN2[1], j.neg_mul_add(LN2[0], x));
    raised(sixteenths, j, r, plain)
}

/// 2^x, at most 0.56 ULP (0.77 where the result is subnormal); exact for integers.
///
/// exp2(±0) = 1, exp2(-inf) = 0, exp2(inf) = inf.
#[inline(always)]
pub fn exp2<L: WideLanes>(x: F64<L>) -> F64<L> {
    let plain = !(!x.abs().le(1022.0)).any();
    let x = if plain { x } else { within(x, -1076.0, 1025.0) };
    let sixteenths = x + SIXTEENTHS;
    let j = sixteenths - SIXTEENTHS;
    raised(sixteenths, j, (x - j) * LN2[0], plain)
}

/// log10 2, and what is missing.
const LOG10_2: [f64; 2] = [
    f64::from_bits(0x3fd3_4413_509f_79ff), // 0.30102999566398120
    f64::from_bits(0xbc49_dc1d_a994_fd21), // -2.8037281277851704e-18
];

/// 10^x, at most 0.59 ULP (0.77 where the result is subnormal); exact for integers up to 22.
///
/// exp10(±0) = 1, exp10(-inf) = 0, exp10(inf) = inf.
#[inline(always)]
pub fn exp10<L: WideLanes>(x: F64<L>) -> F64<L> {
    let plain = !(!x.abs().le(307.0)).any();
    let x = if plain { x } else { within(x, -324.0, 309.0) };
    let sixteenths = x.mul_add(core::f64::consts::LOG2_10, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    // The first step is exact, as for e^x.
    let rest = j.neg_mul_add(LOG10_2[1], j.neg_mul_add(LOG10_2[0], x));
    raised(sixteenths, j, rest * core::f64::consts::LN_10, plain)
}

/// e^x - 1, at most 0.5003 ULP.
///
/// expm1(±0) = ±0, expm1(-inf) = -1, expm1(inf) = inf.
#[inline(always)]
pub fn expm1<L: WideLanes>(x: F64<L>) -> F64<L> {
    if (!x.abs().le(700.0)).any() {
        let (parts, n) = expm1_parts(x, x.splat(0.0));
        return parts.hi.scale(n).copysign(x);
    }
    near_expm1(x).copysign(x)
}
