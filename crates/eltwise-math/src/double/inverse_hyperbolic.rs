//! asinh, acosh, atanh of `f64`.
//!
//! All are logarithms of a number or quotient that is known in two parts, `y = 2^k m`, and
//!
//! ```text
//! log y = k ln 2 + log c + 2 atanh s,   s = (m - c) / (m + c)
//! ```
//!
//! with a `c` of 1, 1.5 or 2.25 near `m`, so that `|s| < 0.145`, and one polynomial for atanh. `s` keeps the remainder of its division,
//! the leading terms are summed with their error: what is rounded is `s^3`, less than 1/60 of the result. Near 0 (`k = 0`, `c = 1`)
//! nothing cancels, because `s = (y - 1) / (y + 1)` is known without a subtraction:
//!
//! ```text
//! asinh:  y = a + sqrt(a^2 + 1)    s = a / (1 + sqrt(a^2 + 1))
//! acosh:  y = a + sqrt(a^2 - 1)    s = sqrt(a^2 - 1) / (1 + a)
//! atanh:  y = (1 + a) / (1 - a)    s = a                          (and half the logarithm)
//! ```
//!
//! Errors are the largest of some 500,000 inputs in the ranges that matter, measured with 220 bits (MPFR); besides, millions of inputs
//! and of random bit patterns were compared with the correctly rounded results of core-math: none is further than its neighbour.
//! The tables come from tools/coefficients/double_inverse_hyperbolic.py.

use eltwise_simd::WideLanes;

use super::extended::{Pair, fast_two_sum, two_product, two_sum};
use super::hyperbolic::{LN2_HIGH, LN2_LOW, quotient};
use crate::vector::{Bits, F64, horner};

/// (atanh s - s) / s^3 of s^2. Error 2^-63.41 of atanh s.
const ATANH: [f64; 7] = [
    f64::from_bits(0x3fd5_5555_5555_555b), // 0.33333333333333365
    f64::from_bits(0x3fc9_9999_9999_6414), // 0.1999999999996197
    f64::from_bits(0x3fc2_4924_929e_96e0), // 0.14285714301256913
    f64::from_bits(0x3fbc_71c6_9b33_4ab6), // 0.11111108101912745
    f64::from_bits(0x3fb7_4605_a783_c5c0), // 0.09091220226016272
    f64::from_bits(0x3fb3_a5ad_bd71_1ad1), // 0.07674680590671847
    f64::from_bits(0x3fb2_61bc_2ee0_c502), // 0.07180381912691661
];
/// `log 1.5`, upper 42 bits and rest.
pub(super) const LOG_3_2: [f64; 2] = [f64::from_bits(0x3fd9_f323_ecbf_9000), f64::from_bits(0x3d40_97e5_6d1a_ecdf)];
/// `log 2.25`, likewise.
const LOG_9_4: [f64; 2] = [f64::from_bits(0x3fe9_f323_ecbf_9800), f64::from_bits(0x3d02_fcad_a35d_9bd0)];
/// The bits of 2^52: or'ed to an integer below, they make a float of it.
const INTEGER: i64 = 0x4330_0000_0000_0000;

/// `base + 2 atanh s` where `|s| < 0.145`; `base[0]` is 0 or larger than `2 s`.
#[inline(always)]
pub(super) fn log_of<L: WideLanes>(s: Pair<L>, base: [F64<L>; 2]) -> Pair<L> {
    let square = s.hi * s.hi;
    let rest = horner(square, &ATANH).mul_add(square * s.hi, s.lo);
    let lead = fast_two_sum(base[0], s.hi + s.hi);
    Pair { lo: lead.lo + rest.mul_add(2.0, base[1]), ..lead }
}

/// The integers below 2^52 as floats.
#[inline(always)]
fn float_of<L: WideLanes>(k: Bits<f64, L>) -> F64<L> {
    (k | k.splat(INTEGER)).float() - 4503599627370496.0
}

/// `log(a + sqrt(square))`, `square` being `a^2 + 1` or, if `COSH`, `a^2 - 1`; `a` is not infinite.
#[inline(always)]
fn log_of_sum<const COSH: bool, L: WideLanes>(a: F64<L>, square: Pair<L>) -> F64<L> {
    let one = a.splat(1.0);
    let root = square.hi.sqrt();
    let rest = root.neg_mul_add(root, square.hi) + square.lo;
    let y = if COSH { fast_two_sum(a, root) } else { fast_two_sum(root, a) };
    // So large that y is 2 a, and a^2 perhaps infinite.
    let large = a.gt(268435456.0);
    let high = large.select(a, y.hi);
    let small = high.lt(1.2247);
    let bits = high.bits();
    let k = (bits - bits.splat(0.75f64.to_bits() as i64)) >> 52;
    let m = (bits - (k << 52)).float();
    let down = (bits.splat(1.0f64.to_bits() as i64) - (large.select_bits(bits.splat(0), k) << 52)).float();
    let upper = m.gt(1.2247);
    let c = upper.select(1.5, one);
    let below = fast_two_sum(c, small.select(if COSH { a } else { root }, m));
    // One division for 1 / below and for 1 / root, that the lower part of the root needs.
    let bounded = large.select(1.0, if COSH { root.greatest(1e-9) } else { root });
    let both = one / (below.hi * bounded);
    let root_low = rest * (both * below.hi * 0.5);
    let low = large.select(0.0, y.lo + root_low) * down;
    let (num, num_low, low) =
        if COSH { (root, root_low, small.select(0.0, low)) } else { (a, a.splat(0.0), small.select(root_low, low)) };
    let above = Pair { hi: small.select(num, m - c), lo: small.select(num_low, low) };
    let s = quotient(above, Pair { lo: below.lo + low, ..below }, both * bounded);
    let k = float_of(k) + large.select(1.0, a.splat(0.0));
    let base = k.mul_add(LN2_HIGH, upper.select(LOG_3_2[0], a.splat(0.0)));
    let v = log_of(s, [base, k.mul_add(LN2_LOW, upper.select(LOG_3_2[1], a.splat(0.0)))]);
    v.hi + v.lo
}

/// asinh x, at most 0.56 ULP; odd bit for bit.
///
/// asinh(±0) = ±0, asinh(±inf) = ±inf.
#[inline(always)]
pub fn asinh<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    let square = two_product(a, a);
    let more = two_sum(square.hi, x.splat(1.0));
    let v = log_of_sum::<false, L>(a, Pair { lo: more.lo + square.lo, ..more });
    (a.lt(1e-9) | a.eq(f64::INFINITY)).select(x, v.copysign(x))
}

/// acosh x, at most 0.56 ULP.
///
/// acosh(1) = 0, acosh(inf) = inf; NaN below 1.
#[inline(always)]
pub fn acosh<L: WideLanes>(x: F64<L>) -> F64<L> {
    let square = two_product(x, x);
    let less = fast_two_sum(square.hi, x.splat(-1.0));
    let v = log_of_sum::<true, L>(x, fast_two_sum(less.hi, less.lo + square.lo));
    x.ge(1.0).select(x.eq(f64::INFINITY).select(x, v), f64::NAN)
}

/// atanh x, at most 0.58 ULP; odd bit for bit.
///
/// atanh(±0) = ±0, atanh(±1) = ±inf; NaN beyond.
#[inline(always)]
pub fn atanh<L: WideLanes>(x: F64<L>) -> F64<L> {
    let (a, one) = (x.abs(), x.splat(1.0));
    let (p, w) = (fast_two_sum(one, a), fast_two_sum(one, -a));
    let bits = w.hi.bits();
    // (1 + a) / (1 - a) = 2^k p / w, w in [0.75, 1.5): the quotient in (0.83, 2.67).
    let k = (bits.splat(1.5f64.to_bits() as i64 - 1) - bits) >> 52;
    let up = ((k << 52) + bits.splat(1.0f64.to_bits() as i64)).float();
    let w = Pair { hi: w.hi * up, lo: w.lo * up };
    let (middle, upper) = (p.hi.gt(w.hi * 1.2247), p.hi.gt(w.hi * 1.8371));
    let c = upper.select(2.25, middle.select(1.5, one));
    let cw = two_product(w.hi, c);
    let below = fast_two_sum(p.hi, cw.hi);
    let above = Pair { hi: p.hi - cw.hi, lo: c.neg_mul_add(w.lo, p.lo - cw.lo) };
    let below = Pair { lo: below.lo + c.mul_add(w.lo, p.lo + cw.lo), ..below };
    let s = quotient(above, below, one / below.hi);
    let k = float_of(k);
    let base = k.mul_add(LN2_HIGH, upper.select(LOG_9_4[0], middle.select(LOG_3_2[0], x.splat(0.0))));
    let base_low = k.mul_add(LN2_LOW, upper.select(LOG_9_4[1], middle.select(LOG_3_2[1], x.splat(0.0))));
    let v = log_of(s, [base, base_low]);
    let v = ((v.hi + v.lo) * 0.5).copysign(x);
    a.lt(1.0).select(v, a.eq(1.0).select(x * f64::INFINITY, f64::NAN))
}
