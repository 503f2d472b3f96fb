//! log, log2, log10, log1p of `f64`.
//!
//! The logarithm is that of `log_table.rs`: `log x = e ln 2 - log c + log(1 + r)`, `|r| < 0.0333`, c from a table of 16
//! (Tang 1990, "Table-driven implementation of the logarithm function in IEEE floating-point arithmetic"). log1p
//! reduces `1 + x = y + low`, with `y - 1` exact. Arguments that are not positive normal numbers, and with `NARROW`
//! sums that may be midpoints of narrower floats, take a rare branch.
//!
//! Errors are the largest of 2^22 arguments in each relevant range, of every magnitude, near 1, of bit patterns, and of
//! hard arguments. Results that differ from the correctly rounded ones of core-math were measured with 220 bits.
//! Rounded to `f32`, the results for all `f32` are correctly rounded.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::double_double::Pair;
use super::log_table::{BINARY, Base, DECIMAL, NATURAL, cell};
use super::subnormal::counted;
use crate::f64::double_double::log::{FAR, Logarithm, reduced};
use crate::vector::{F64, Mask};

/// Whether a lane is not a positive normal number.
#[inline(always)]
pub(super) fn is_special<L: WideLanes>(x: F64<L>) -> Mask<f64, L> {
    !(x.ge(f64::MIN_POSITIVE) & x.le(f64::MAX))
}

/// Reduces positive numbers, also subnormal ones. `rare` is [`is_special`].
#[inline(always)]
pub(super) fn reduce_positive<L: WideLanes>(x: F64<L>, rare: Mask<f64, L>) -> Logarithm<L> {
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
fn log_of_normal<L: WideLanes>(x: F64<L>, base: &Base) -> Pair<L> {
    cell(x, base).log::<false>(x, base)
}

/// The logarithm in a base. With `NARROW`, short results are rounded by [`F64::plus_sticky`], except integers, which
/// may be exact.
#[inline(always)]
fn in_base<const NARROW: bool, L: WideLanes>(x: F64<L>, base: &Base) -> F64<L> {
    let log = log_of_normal(x, base);
    let sum = log.hi + log.lo;
    let rare = !x.bits().between(1 << 52, 2047 << 52);
    if sum.or_tie::<NARROW>(rare).any() {
        let Pair { hi, lo } = with_rare(log, x, base);
        let sum = hi + lo;
        return if NARROW { (sum.eq(sum.round()) | sum.is_nan()).select(sum, hi.plus_sticky(lo)) } else { sum };
    }
    sum
}

/// The logarithm of x if it is not normal or not positive, else `log`: (-inf, 0) for zeros, (inf, 0) for infinity,
/// (NaN, 0) below 0.
#[inline(always)]
fn with_rare<L: WideLanes>(log: Pair<L>, x: F64<L>, base: &Base) -> Pair<L> {
    let small = x.lt(f64::MIN_POSITIVE);
    // Subnormal numbers: by the integer that their bits are.
    let other = cell(counted(x), base).times_two_to(-1074).log::<false>(x, base);
    let pole = x.eq(f64::INFINITY).select(x, x.eq(0.0).select(f64::NEG_INFINITY, f64::NAN));
    let finite = x.gt(0.0) & x.lt(f64::INFINITY);
    Pair {
        hi: finite.select(small.select(other.hi, log.hi), pole),
        lo: finite.select(small.select(other.lo, log.lo), 0.0),
    }
}

/// log y as a pair: (-inf, 0) for zeros, (inf, 0) for infinity, (NaN, 0) below 0.
#[inline(always)]
pub(super) fn log_pair<L: WideLanes>(y: F64<L>) -> Pair<L> {
    let log = log_of_normal(y, &NATURAL);
    let rare = !y.bits().between(1 << 52, 2047 << 52);
    if rare.any() { with_rare(log, y, &NATURAL) } else { log }
}

/// Below this, log(1 + y) is y - y^2/2 to 2^-88; from here on, what `log1p_of_near` drops is below 2^-60 of it.
const SMALL: f64 = two_to(-45);

/// log(1 + y) as a pair, to 2^-60: (y, 0) for tiny y, (-inf, 0) for -1, (inf, 0) for infinity, (NaN, 0) below -1.
#[inline(always)]
pub(super) fn log1p_pair<L: WideLanes>(y: F64<L>) -> Pair<L> {
    let log = log1p_of_near(y).normal();
    // `log1p_of_near` drops half the square of the rounding error of 1 + y, which counts here: log(1 + y) is y - y^2/2.
    let small = y.abs().lt(SMALL);
    let rare = small | !(y.gt(-1.0) & y.lt(FAR));
    if rare.any() {
        let half_square = y.is_tiny().select(0.0, y * y * -0.5);
        let far = y.ge(FAR);
        let other = log_of_normal(y, &NATURAL);
        let pole = y.eq(f64::INFINITY).select(y, y.eq(-1.0).select(f64::NEG_INFINITY, f64::NAN));
        let finite = y.gt(-1.0) & y.lt(f64::INFINITY);
        let (hi, lo) = (far.select(other.hi, log.hi), far.select(other.lo, log.lo));
        return Pair {
            hi: finite.select(small.select(y, hi), pole),
            lo: finite.select(small.select(half_square, lo), 0.0),
        };
    }
    log
}

/// log x, at most 0.64 ULP, and 0.75 at 1 - 2^-53.
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

/// log(1 + x) as a pair, for -1 < x < FAR and x not tiny.
#[inline(always)]
fn log1p_of_near<L: WideLanes>(x: F64<L>) -> Pair<L> {
    // 1 + x = y + (x - (y - 1)); y - 1 is exact.
    let y = x + 1.0;
    cell(y, &NATURAL).log::<true>(x - (y - 1.0), &NATURAL)
}

/// log(1 + x) for x that are not tiny.
#[inline(always)]
fn log1p_of<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let log = log1p_of_near(x);
    let sum = log.hi + log.lo;
    let rare = !(x.gt(-1.0) & x.lt(FAR));
    if sum.or_tie::<NARROW>(rare).any() {
        let far = x.ge(FAR);
        let other = log_of_normal(x, &NATURAL);
        let (hi, lo) = (far.select(other.hi, log.hi), far.select(other.lo, log.lo));
        let finite = x.eq(f64::INFINITY).select(x, hi.plus::<NARROW>(lo).copysign(x));
        return x.gt(-1.0).select(finite, x.eq(-1.0).select(f64::NEG_INFINITY, f64::NAN));
    }
    sum.copysign(x)
}
