//! Logarithms of `f64`.
//!
//! All are those of a table of 16 (`table_logarithm.rs`): `log x = e ln 2 - log c + log(1 + r)`, `|r| < 0.0333`
//! (Tang 1990, "Table-driven implementation of the logarithm function"). Numbers that are not normal are looked at last, together with
//! the sums that may lie halfway between narrower floats.
//!
//! Errors are the largest seen among 2^22 arguments in each interesting range, of every magnitude, near 1 and of bit patterns, and
//! hard ones, compared with correctly rounded results (core-math); those that differed were measured with 220 bits. Rounded to `f32`,
//! the results of all `f32` are correctly rounded.

use eltwise_simd::WideLanes;

use super::extended::{FAR, Logarithm, Pair, reduced};
use super::subnormal::counted;
use super::table_logarithm::{BINARY, Base, DECIMAL, NATURAL, cell};
use crate::vector::{F64, Mask};

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
        let mut parts = reduced(small.select(counted(x), x));
        parts.e = small.select(parts.e - 1074.0, parts.e);
        return parts;
    }
    reduced(x)
}

/// The logarithm of a positive normal number.
#[inline(always)]
fn of_normal<L: WideLanes>(x: F64<L>, base: &Base) -> Pair<L> {
    cell(x, base).log::<false>(x, base)
}

/// The logarithm in a base. If `NARROW`, short results but integers, which may be exact, are sums made sticky.
#[inline(always)]
fn in_base<const NARROW: bool, L: WideLanes>(x: F64<L>, base: &Base) -> F64<L> {
    let log = of_normal(x, base);
    let sum = log.hi + log.lo;
    let rare = !x.bits().between(1 << 52, 2047 << 52);
    if sum.or_tie::<NARROW>(rare).any() {
        let small = x.lt(f64::MIN_POSITIVE);
        // The bits of a subnormal number as an integer: no arithmetic on it, which CPUs are slow at.
        let other = cell(counted(x), base).times_two_to(-1074).log::<false>(x, base);
        let (hi, lo) = (small.select(other.hi, log.hi), small.select(other.lo, log.lo));
        let sum = hi + lo;
        let sum = if NARROW { sum.eq(sum.round()).select(sum, hi.plus_sticky(lo)) } else { sum };
        let finite = x.eq(f64::INFINITY).select(x, sum);
        return x.gt(0.0).select(finite, x.eq(0.0).select(f64::NEG_INFINITY, f64::NAN));
    }
    sum
}

/// log x, at most 0.64 ULP; 0.75 of 1 - 2^-53.
///
/// log(±0) = -inf, log(1) = 0, log(inf) = inf; NaN below 0.
#[inline(always)]
pub fn log<L: WideLanes>(x: F64<L>) -> F64<L> {
    log_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn log_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    in_base::<NARROW, L>(x, &NATURAL)
}

/// 1 / log 2, and what is missing.
pub(crate) const INVERSE_LOG_2: [f64; 2] = [
    f64::from_bits(0x3ff7_1547_652b_82fe), // 1.4426950408889634
    f64::from_bits(0x3c77_77d0_ffda_0d24), // 2.0355273740931033e-17
];

/// log2 x, at most 0.69 ULP; exact for powers of 2.
///
/// log2(±0) = -inf, log2(1) = 0, log2(inf) = inf; NaN below 0.
#[inline(always)]
pub fn log2<L: WideLanes>(x: F64<L>) -> F64<L> {
    in_base::<false, L>(x, &BINARY)
}

/// log10 x, at most 0.62 ULP; exact for powers of 10.
///
/// log10(±0) = -inf, log10(1) = 0, log10(inf) = inf; NaN below 0.
#[inline(always)]
pub fn log10<L: WideLanes>(x: F64<L>) -> F64<L> {
    log10_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn log10_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    in_base::<NARROW, L>(x, &DECIMAL)
}

/// log(1 + x), at most 0.66 ULP.
///
/// log1p(±0) = ±0, log1p(-1) = -inf, log1p(inf) = inf; NaN below -1.
#[inline(always)]
pub fn log1p<L: WideLanes>(x: F64<L>) -> F64<L> {
    log1p_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn log1p_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let tiny = x.is_tiny();
    if tiny.any() {
        return tiny.select(x, log1p_of::<NARROW, L>(tiny.select(1.0, x)));
    }
    log1p_of::<NARROW, L>(x)
}

/// log(1 + x) where x is not tiny.
#[inline(always)]
fn log1p_of<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    // 1 + x = y + low: y - 1 is exact.
    let y = x + 1.0;
    let log = cell(y, &NATURAL).log::<true>(x - (y - 1.0), &NATURAL);
    let sum = log.hi + log.lo;
    let rare = !(x.gt(-1.0) & x.lt(FAR));
    if sum.or_tie::<NARROW>(rare).any() {
        let far = x.ge(FAR);
        let other = of_normal(x, &NATURAL);
        let (hi, lo) = (far.select(other.hi, log.hi), far.select(other.lo, log.lo));
        let finite = x.eq(f64::INFINITY).select(x, hi.plus::<NARROW>(lo).copysign(x));
        return x.gt(-1.0).select(finite, x.eq(-1.0).select(f64::NEG_INFINITY, f64::NAN));
    }
    sum.copysign(x)
}
