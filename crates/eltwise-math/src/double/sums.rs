//! Sums in logarithms, and logit, of `f64`: made of pairs, so that what cancels leaves precise results.
//!
//! Errors are the largest seen among 30,000 arguments in each of several ranges, measured with 220 bits.

use eltwise_simd::WideLanes;

use super::cancelling::cancelled;
use super::extended::{Pair, TINY, exponential, log1p_parts, two_product, two_sum};
use super::logarithm::{INVERSE_LOG_2, reduced_all};
use crate::vector::F64;

/// log(1 + e^(d.hi + d.lo)) for d <= 0.
#[inline(always)]
fn log_of_one_more<L: WideLanes>(d: Pair<L>, most: F64<L>) -> Pair<L> {
    let (mut high, mut low) = (d.hi, d.lo);
    let far = d.hi.lt(-600.0);
    if far.any() {
        // Beside a larger number such results are nothing, and arithmetic on subnormal ones slow; beside smaller ones they are 0 from -1000 on.
        let end = most.abs().gt(TINY).select(-600.0, -1000.0);
        let beyond = d.hi.lt(end);
        (high, low) = (beyond.select(end, d.hi), beyond.select(0.0, d.lo));
    }
    let (hi, lo, n) = exponential(high, None).product();
    // The lower part of a large `d` is too large to be one of what is left of it.
    log1p_parts(hi.scale(n), hi.mul_add(low, lo).scale(n))
}

/// `-|x - y|`, and the larger of `x` and `y`.
#[inline(always)]
fn apart<L: WideLanes>(x: F64<L>, y: F64<L>) -> (Pair<L>, F64<L>) {
    let turned = x.lt(y);
    let (most, least) = (turned.select(y, x), turned.select(x, y));
    let d = two_sum(least, -most);
    // What is taken no result sees; products with subnormal numbers are slow.
    (Pair { hi: d.hi - TINY, ..d }, most)
}

/// From here on log2(1 + 2^d) is a polynomial.
const NEAR: f64 = -f64::from_bits(0x3eb0_0000_0000_0000); // 2^-20

/// Results of which so many are less than the larger argument have lost too many bits.
const CANCELS: f64 = 2048.0;
/// So many times smaller ones may be subnormal, and rounded more than once: 2^-889.
const SMALL: f64 = f64::from_bits(134 << 52);

/// `most` + `more`, rounded, so that it can be rounded again if `NARROW`; `most` where one is infinite, NaN where one is NaN.
#[inline(always)]
fn summed<const BINARY: bool, const NARROW: bool, L: WideLanes>(
    x: F64<L>,
    y: F64<L>,
    most: F64<L>,
    more: Pair<L>,
) -> F64<L> {
    let sum = two_sum(most, more.hi);
    let low = sum.lo + more.lo;
    let mut r = sum.hi + low;
    if NARROW && r.is_short().any() {
        // Neither the larger argument nor a whole number, such as x + 1 of equal ones, is such a half.
        r = (r.eq(most) | r.eq(r.round())).select(r, sum.hi.plus_sticky(low));
    }
    // Where infinite arguments and NaN give no NaN they give `most`.
    let usual = (r.abs() * CANCELS).gt(most.abs().greatest(SMALL));
    if (!usual).any() {
        return unusual::<BINARY, NARROW, L>(x, y, most, r);
    }
    r
}

/// `r` where a vector has a result that is not usual: far nearer to 0 than the arguments, perhaps subnormal, or of infinities and NaN.
#[inline(always)]
fn unusual<const BINARY: bool, const NARROW: bool, L: WideLanes>(
    x: F64<L>,
    y: F64<L>,
    most: F64<L>,
    r: F64<L>,
) -> F64<L> {
    let least = x.lt(y).select(x, y);
    // What is about 2^-1100 adds nothing to any number.
    let counts = least.gt(if BINARY { -1100.0 } else { -763.0 });
    let mut cancels = (r.abs() * CANCELS).lt(most.abs().greatest(SMALL)) & counts;
    if BINARY {
        // x + 1 is exact.
        cancels = cancels & x.ne(y);
    }
    let mut r = r;
    if cancels.any() {
        r = cancels.select(cancelled::<BINARY, NARROW, L>(most, least, cancels), r);
    }
    // Beside NaN, x + y is NaN; unlike infinities are no NaN here.
    let finite = x.abs().le(f64::MAX) & y.abs().le(f64::MAX);
    // log 1 is +0, also of -0 and -inf.
    let ends = (x.is_nan() | y.is_nan()).select(f64::NAN, most + 0.0);
    finite.select(r, ends)
}

/// log(e^x + e^y), at most 0.51 ULP, also near 0, where `x` and `y` cancel.
///
/// Of infinities the larger argument; logaddexp(x, -inf) = x, +0 for x = -0.
#[inline(always)]
pub fn logaddexp<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    logaddexp_to::<false, L>(x, y)
}

#[inline(always)]
pub(super) fn logaddexp_to<const NARROW: bool, L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let (d, most) = apart(x, y);
    summed::<false, NARROW, L>(x, y, most, log_of_one_more(d, most))
}

/// log2(2^x + 2^y), at most 0.82 ULP, also near 0, where `x` and `y` cancel.
///
/// Of infinities the larger argument; logaddexp2(x, -inf) = x, +0 for x = -0; logaddexp2(x, x) = x + 1.
#[inline(always)]
pub fn logaddexp2<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    logaddexp2_to::<false, L>(x, y)
}

#[inline(always)]
pub(super) fn logaddexp2_to<const NARROW: bool, L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let (d, most) = apart(x, y);
    let log = log_of_one_more(times(d, super::extended::LN2), most);
    let mut more = times(log, INVERSE_LOG_2);
    let near = d.hi.gt(NEAR);
    if near.any() {
        // 1 + d / 2 + (log 2) / 8 d^2, error d^4 / 500: of (x + y) / 2 + 1, which may be halfway between two narrower floats, the square
        // says that the result lies above, however small it is.
        let sum = two_sum(x.splat(1.0), d.hi * 0.5);
        let rest = (d.hi * d.hi).mul_add(core::f64::consts::LN_2 / 8.0, d.lo.mul_add(0.5, sum.lo));
        more = Pair { hi: near.select(sum.hi, more.hi), lo: near.select(rest, more.lo) };
    }
    let same = x.eq(y);
    summed::<true, NARROW, L>(x, y, most, Pair { hi: same.select(1.0, more.hi), lo: same.select(0.0, more.lo) })
}

/// A pair times a constant.
#[inline(always)]
fn times<L: WideLanes>(a: Pair<L>, unit: [f64; 2]) -> Pair<L> {
    let product = two_product(a.hi, a.hi.splat(unit[0]));
    Pair { hi: product.hi, lo: a.lo.mul_add(unit[0], a.hi.mul_add(unit[1], product.lo)) }
}

/// log(x / (1 - x)), at most 0.52 ULP, also around 1/2, where it is 0.
///
/// logit(±0) = -inf, logit(1) = inf; NaN below 0 and above 1.
#[inline(always)]
pub fn logit<L: WideLanes>(x: F64<L>) -> F64<L> {
    let usual = x.ge(TINY) & x.lt(1.0);
    let rare = (!usual).any();
    let inside = if rare { usual.select(x, 0.5) } else { x };
    let other = two_sum(x.splat(1.0), -inside);
    let inverse = x.splat(1.0) / other.hi;
    let mut hi = inside * inverse;
    let mut lo = other.lo.neg_mul_add(hi, other.hi.neg_mul_add(hi, inside)) * inverse;
    if rare {
        // Below `TINY`, 1 - x is 1.
        (hi, lo) = (usual.select(hi, x), usual.select(lo, 0.0));
    }
    let mut parts = reduced_all(hi, !usual);
    parts.r = Pair { hi: parts.r.hi, lo: lo.mul_add(parts.factor, parts.r.lo) }.normal();
    let parts = parts.parts();
    if rare {
        let r = x.lt(1.0).select(parts.hi, x.eq(1.0).select(f64::INFINITY, f64::NAN));
        return x.gt(0.0).select(r, x.eq(0.0).select(f64::NEG_INFINITY, f64::NAN));
    }
    parts.hi
}
