//! logaddexp, logaddexp2 of `f64`.
//!
//! 1. `m + log(1 + e^d)`, m the larger operand, `d = -|x - y|` as a pair; e^d and log(1 + ..) in double-double.
//! 2. The final sum is a pair too, so that cancellation leaves a precise result, up to a factor of [`CANCELS`].
//! 3. If more bits than that cancel, a rare branch computes the result in triple precision (`near_zero.rs`, with its
//!    tables in `tables.rs`).
//! 4. logaddexp2 with x and y closer than 2^-20: a polynomial, `1 + d / 2 + (log 2) / 8 d^2`.
//!
//! Errors are the largest seen over 30,000 arguments in each of several ranges, measured with 220 bits.

mod near_zero;
mod tables;

use eltwise_simd::WideLanes;

use self::near_zero::log_of_sum_near_1;
use crate::f64::constants::{LN2, TINY};
use crate::f64::double_double::exp::exponential;
use crate::f64::double_double::log::log1p_parts;
use crate::f64::double_double::{Pair, two_product, two_sum};
use crate::vector::F64;

/// 1 / log 2 as a sum of two floats.
const INVERSE_LOG_2: [f64; 2] = [
    f64::from_bits(0x3ff7_1547_652b_82fe), // 1.4426950408889634
    f64::from_bits(0x3c77_77d0_ffda_0d24), // 2.0355273740931033e-17
];

/// log(1 + e^(d.hi + d.lo)) for d <= 0; `most` is the larger operand.
#[inline(always)]
fn log1p_exp<L: WideLanes>(d: Pair<L>, most: F64<L>) -> Pair<L> {
    let (mut high, mut low) = (d.hi, d.lo);
    let far = d.hi.lt(-600.0);
    if far.any() {
        // Next to an operand above TINY, results below e^-600 are negligible, and would become subnormal. Next to
        // smaller operands, e^-1000 counts as 0.
        let end = most.abs().gt(TINY).select(-600.0, -1000.0);
        let beyond = d.hi.lt(end);
        (high, low) = (beyond.select(end, d.hi), beyond.select(0.0, d.lo));
    }
    let (hi, lo, n) = exponential(high, None).product();
    // `d.lo` is added to the low part of the exponential: for large d it is too large for a low part of the reduced
    // argument.
    log1p_parts(hi.scale(n), hi.mul_add(low, lo).scale(n))
}

/// `-|x - y|` as a pair, and the larger of `x` and `y`.
#[inline(always)]
fn distance<L: WideLanes>(x: F64<L>, y: F64<L>) -> (Pair<L>, F64<L>) {
    let swapped = x.lt(y);
    let (most, least) = (swapped.select(y, x), swapped.select(x, y));
    let d = two_sum(least, -most);
    // Subtracting TINY changes no result and keeps products from being subnormal.
    (Pair { hi: d.hi - TINY, ..d }, most)
}

/// -2^-20. Above, log2(1 + 2^d) is a polynomial.
const NEAR: f64 = -f64::from_bits(0x3eb0_0000_0000_0000); // 2^-20

/// A result that is smaller than the larger operand by this factor has lost too many bits.
const CANCELS: f64 = 2048.0;
/// 2^-889. Results that are smaller than this by [`CANCELS`] may be subnormal, and rounded more than once.
const SMALL: f64 = f64::from_bits(134 << 52);

/// `most + more`, rounded (with `NARROW` by [`F64::plus_sticky`]). If an operand is infinite, `most`; if one is NaN,
/// NaN.
#[inline(always)]
fn round_sum<const BINARY: bool, const NARROW: bool, L: WideLanes>(
    x: F64<L>,
    y: F64<L>,
    most: F64<L>,
    more: Pair<L>,
) -> F64<L> {
    let sum = two_sum(most, more.hi);
    let low = sum.lo + more.lo;
    let mut r = sum.hi + low;
    if NARROW && r.is_short().any() {
        // The larger operand and integers, such as x + 1 for x = y, may be exact.
        r = (r.eq(most) | r.eq(r.round())).select(r, sum.hi.plus_sticky(low));
    }
    // The comparison fails for NaN; infinities that do not become NaN give `most`.
    let usual = (r.abs() * CANCELS).gt(most.abs().greatest(SMALL));
    if (!usual).any() {
        return rare_results::<BINARY, NARROW, L>(x, y, most, r);
    }
    r
}

/// The results, given `r`, if some cancel, may be subnormal, or have infinite or NaN operands.
#[inline(always)]
fn rare_results<const BINARY: bool, const NARROW: bool, L: WideLanes>(
    x: F64<L>,
    y: F64<L>,
    most: F64<L>,
    r: F64<L>,
) -> F64<L> {
    let least = x.lt(y).select(x, y);
    // A power below about 2^-1100 adds nothing to any number.
    let counts = least.gt(if BINARY { -1100.0 } else { -763.0 });
    let mut cancels = (r.abs() * CANCELS).lt(most.abs().greatest(SMALL)) & counts;
    if BINARY {
        // For x = y, x + 1 is exact.
        cancels = cancels & x.ne(y);
    }
    let mut r = r;
    if cancels.any() {
        r = cancels.select(log_of_sum_near_1::<BINARY, NARROW, L>(most, least, cancels), r);
    }
    // Infinities of different sign do not give NaN.
    let finite = x.abs().le(f64::MAX) & y.abs().le(f64::MAX);
    // Adding 0 turns -0 to +0: logaddexp(-0, -inf) = log 1 = +0.
    let ends = (x.is_nan() | y.is_nan()).select(f64::NAN, most + 0.0);
    finite.select(r, ends)
}

/// log(e^x + e^y), at most 0.51 ULP, also near 0, where the operands cancel.
///
/// With infinities, the larger operand; logaddexp(x, -inf) = x, but +0 for x = -0.
#[inline(always)]
pub fn logaddexp<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    logaddexp_to::<false, L>(x, y)
}

#[inline(always)]
pub(super) fn logaddexp_to<const NARROW: bool, L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let (d, most) = distance(x, y);
    round_sum::<false, NARROW, L>(x, y, most, log1p_exp(d, most))
}

/// log2(2^x + 2^y), at most 0.82 ULP, also near 0, where the operands cancel.
///
/// With infinities, the larger operand; logaddexp2(x, -inf) = x, but +0 for x = -0; logaddexp2(x, x) = x + 1.
#[inline(always)]
pub fn logaddexp2<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    logaddexp2_to::<false, L>(x, y)
}

#[inline(always)]
pub(super) fn logaddexp2_to<const NARROW: bool, L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let (d, most) = distance(x, y);
    let log = log1p_exp(mul_constant(d, LN2), most);
    let mut more = mul_constant(log, INVERSE_LOG_2);
    let near = d.hi.gt(NEAR);
    if near.any() {
        // 1 + d / 2 + (log 2) / 8 d^2, error d^4 / 500. (x + y) / 2 + 1 may be the midpoint of two narrower floats;
        // however small the square is, it shows that the result is above.
        let sum = two_sum(x.splat(1.0), d.hi * 0.5);
        let rest = (d.hi * d.hi).mul_add(core::f64::consts::LN_2 / 8.0, d.lo.mul_add(0.5, sum.lo));
        more = Pair { hi: near.select(sum.hi, more.hi), lo: near.select(rest, more.lo) };
    }
    let same = x.eq(y);
    round_sum::<true, NARROW, L>(x, y, most, Pair { hi: same.select(1.0, more.hi), lo: same.select(0.0, more.lo) })
}

/// A pair times a constant, itself a sum of two floats.
#[inline(always)]
fn mul_constant<L: WideLanes>(a: Pair<L>, unit: [f64; 2]) -> Pair<L> {
    let product = two_product(a.hi, a.hi.splat(unit[0]));
    Pair { hi: product.hi, lo: a.lo.mul_add(unit[0], a.hi.mul_add(unit[1], product.lo)) }
}
