//! Logarithms of `f64`.
//!
//! The reduction of [`extended`](super::extended): `log x = e ln 2 - log c + log(1 + r)`, `|r| <= 1/64`, the sum of the first three
//! exact in its higher part (Tang 1990, "Table-driven implementation of the logarithm function"). The other bases multiply a pair.
//!
//! Errors are the largest seen among 2^24 arguments in each interesting range and 2^24 bit patterns, compared with correctly rounded
//! results (core-math); those that differed were measured with 220 bits.

use eltwise_simd::WideLanes;

use super::extended::{FAR, LOG, LOG_2, LOG_TAIL, Logarithm, Pair, SUBNORMAL, reduced, reduced_above_one};
use crate::vector::{F64, Mask, horner};

/// Whether `x` is not a positive normal number.
#[inline(always)]
pub(crate) fn special<L: WideLanes>(x: F64<L>) -> Mask<f64, L> {
    !(x.ge(f64::MIN_POSITIVE) & x.le(f64::MAX))
}

/// The reduction, also of subnormal numbers; `rare` is [`special`].
#[inline(always)]
pub(crate) fn reduced_all<L: WideLanes>(x: F64<L>, rare: Mask<f64, L>) -> Logarithm<L> {
    if rare.any() {
        let small = x.lt(f64::MIN_POSITIVE);
        let mut parts = reduced(small.select(x * SUBNORMAL, x));
        parts.e = small.select(parts.e - 54.0, parts.e);
        return parts;
    }
    reduced(x)
}

/// `r`, or the logarithm of numbers that have none, of 0 and infinity.
#[inline(always)]
pub(crate) fn ended<L: WideLanes>(x: F64<L>, rare: Mask<f64, L>, r: F64<L>) -> F64<L> {
    if rare.any() {
        let finite = x.eq(f64::INFINITY).select(x, r);
        return x.gt(0.0).select(finite, x.eq(0.0).select(f64::NEG_INFINITY, f64::NAN));
    }
    r
}

/// The logarithm to about 2^-60: its rounded sum is within 0.52 ULP. `lo` may be a hundredth of `hi`.
#[inline(always)]
fn nearly<L: WideLanes>(of: &Logarithm<L>) -> Pair<L> {
    let r = of.r.hi;
    let from = of.e.mul_add(LOG_2[0], F64::lookup(&LOG, of.at));
    let hi = from + r;
    let small = (r - (hi - from)) + of.e.mul_add(LOG_2[1], r.neg_mul_add(of.r.lo, of.r.lo));
    Pair { hi, lo: (r * r).mul_add(r.mul_add(horner(r, &LOG_TAIL), -0.5), small) }
}

/// A pair times a constant, rounded.
#[inline(always)]
fn measured<L: WideLanes>(log: Pair<L>, unit: [f64; 2]) -> F64<L> {
    let hi = log.hi * unit[0];
    hi + log.lo.mul_add(unit[0], log.hi.mul_add(unit[1], log.hi.mul_sub(unit[0], hi)))
}

/// log x, at most 0.52 ULP.
///
/// log(±0) = -inf, log(1) = 0, log(inf) = inf; NaN below 0.
#[inline(always)]
pub fn log<L: WideLanes>(x: F64<L>) -> F64<L> {
    let rare = special(x);
    let log = nearly(&reduced_all(x, rare));
    ended(x, rare, log.hi.plus_sticky(log.lo))
}

/// 1 / log 2, and what is missing.
pub(crate) const INVERSE_LOG_2: [f64; 2] = [
    f64::from_bits(0x3ff7_1547_652b_82fe), // 1.4426950408889634
    f64::from_bits(0x3c77_77d0_ffda_0d24), // 2.0355273740931033e-17
];

/// log2 x, at most 0.52 ULP; exact for powers of 2.
///
/// log2(±0) = -inf, log2(1) = 0, log2(inf) = inf; NaN below 0.
#[inline(always)]
pub fn log2<L: WideLanes>(x: F64<L>) -> F64<L> {
    let rare = special(x);
    ended(x, rare, measured(nearly(&reduced_all(x, rare)), INVERSE_LOG_2))
}

/// 1 / log 10, and what is missing.
const INVERSE_LOG_10: [f64; 2] = [
    f64::from_bits(0x3fdb_cb7b_1526_e50e), // 0.4342944819032518
    f64::from_bits(0x3c69_5355_baaa_fad3), // 1.098319650216765e-17
];

/// log10 x, at most 0.52 ULP; exact for powers of 10.
///
/// log10(±0) = -inf, log10(1) = 0, log10(inf) = inf; NaN below 0.
#[inline(always)]
pub fn log10<L: WideLanes>(x: F64<L>) -> F64<L> {
    let rare = special(x);
    ended(x, rare, measured(nearly(&reduced_all(x, rare)), INVERSE_LOG_10))
}

/// log(1 + x), at most 0.52 ULP.
///
/// log1p(±0) = ±0, log1p(-1) = -inf, log1p(inf) = inf; NaN below -1.
#[inline(always)]
pub fn log1p<L: WideLanes>(x: F64<L>) -> F64<L> {
    let rare = !(x.gt(-1.0) & x.lt(FAR));
    let log = nearly(&reduced_above_one(x, rare));
    let r = log.hi.plus_sticky(log.lo).copysign(x);
    if rare.any() {
        let finite = x.eq(f64::INFINITY).select(x, r);
        return x.gt(-1.0).select(finite, x.eq(-1.0).select(f64::NEG_INFINITY, f64::NAN));
    }
    r
}
