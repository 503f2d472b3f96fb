//! asinh, acosh, atanh of `f64`.
//!
//! 1. Each is the logarithm (`log_table.rs`) of a number that is known as a sum of two floats:
//!
//!    ```text
//!    asinh:  y = a + sqrt(a^2 + 1)            below 3/8 an odd minimax polynomial of degree 21
//!    acosh:  y = 1 + (z + sqrt(z^2 + 2 z))    z = a - 1
//!    atanh:  y = 1 + 2 a / (1 - a)            and half the logarithm
//!    ```
//!
//!    The number added to 1 has its own low part, so that nothing cancels near 1.
//! 2. The residual of the square root is multiplied by an estimate of the root's inverse, to 3.5 %, from its bits.
//!
//! Errors are the largest of 2^22 arguments in each relevant range, of every magnitude, near 1, of bit patterns, and of
//! hard arguments. Results that differ from the correctly rounded ones of core-math were measured with 220 bits.
//! Rounded to `f32`, the results for all `f32` are correctly rounded. Tables:
//! `tools/coefficients/f64_logarithm.py` and `f64_inverse_hyperbolic.py`.

use eltwise_simd::WideLanes;

use super::constants::TINY;
use super::double_double::{Pair, fast_two_sum};
use super::log_table::{NATURAL, cell};
use crate::polynomial::horner;
use crate::vector::F64;

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

/// `log 1.5`: the upper 42 bits, and the remainder.
pub(super) const LOG_3_2: [f64; 2] = [f64::from_bits(0x3fd9_f323_ecbf_9000), f64::from_bits(0x3d40_97e5_6d1a_ecdf)];

/// (asinh a - a) / a^3 of a^2, a <= 3/8. Error 2^-59 of asinh.
const ASINH: [f64; 10] = [
    f64::from_bits(0xbfc5_5555_5555_5552), // -0.16666666666666657
    f64::from_bits(0x3fb3_3333_3333_1a65), // 0.07499999999991187
    f64::from_bits(0xbfa6_db6d_b6b7_cdf0), // -0.044642857126657165
    f64::from_bits(0x3f9f_1c71_b1c6_a817), // 0.030381943202577668
    f64::from_bits(0xbf96_e8b6_c9aa_e74e), // -0.02237210851556109
    f64::from_bits(0x3f91_c49a_489e_5753), // 0.01735154216984054
    f64::from_bits(0xbf8c_8fe9_612f_7775), // -0.013946364668239156
    f64::from_bits(0x3f87_4b46_27af_9a4d), // 0.01137404259311583
    f64::from_bits(0xbf81_cbc5_c794_cdf8), // -0.008689446595417913
    f64::from_bits(0x3f72_9fe0_b006_fe86), // 0.0045470024928701055
];

/// From here on, the results are log(2 a), and a^2 may be infinite.
const LARGE: f64 = 1e150;

/// `base + 2 atanh s` for `|s| < 0.145`. `base[0]` is 0 or larger than `2 s`.
#[inline(always)]
pub(super) fn log_pair<L: WideLanes>(s: Pair<L>, base: [F64<L>; 2]) -> Pair<L> {
    let square = s.hi * s.hi;
    let rest = horner(square, &ATANH).mul_add(square * s.hi, s.lo);
    let lead = fast_two_sum(base[0], s.hi + s.hi);
    Pair { lo: lead.lo + rest.mul_add(2.0, base[1]), ..lead }
}

/// The low part of the square root of `square + square_low`, given the rounded `root`; to about 5 bits.
#[inline(always)]
fn root_low<L: WideLanes>(square: F64<L>, root: F64<L>, square_low: F64<L>) -> F64<L> {
    // 1 / (2 sqrt(square)) to 3.5 % (Lomont 2003).
    let inverse = (square.int(0x5fd6_eb50_c7b5_37a9) - (square.bits() >> 1)).float();
    (root.neg_mul_add(root, square) + square_low) * inverse
}

/// asinh x, at most 0.55 ULP; odd bit for bit.
///
/// asinh(±0) = ±0, asinh(±inf) = ±inf.
#[inline(always)]
pub fn asinh<L: WideLanes>(x: F64<L>) -> F64<L> {
    asinh_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn asinh_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.splat(TINY).greatest(x.abs());
    let square = a * a;
    let plus_1 = a.mul_add(a, 1.0);
    let root = plus_1.sqrt();
    // `plus_1 - 1` is exact if a is small enough for the error to matter.
    let low = root_low(plus_1, root, a.mul_sub(a, plus_1 - 1.0));
    let y = fast_two_sum(root, a);
    let log = cell(y.hi, &NATURAL).log::<true>(y.lo + low, &NATURAL);
    // Odd and even powers in separate chains, for latency.
    let fourth = square * square;
    let t = &ASINH;
    let even = fourth.mul_add(t[8], t[6]).mul_add(fourth, t[4]).mul_add(fourth, t[2]).mul_add(fourth, t[0]);
    let odd = fourth.mul_add(t[9], t[7]).mul_add(fourth, t[5]).mul_add(fourth, t[3]).mul_add(fourth, t[1]);
    let tail = odd.mul_add(square, even);
    let near = a.lt(0.375);
    let v = near.select((square * a).mul_add(tail, a), log.hi + log.lo);
    let large = !a.lt(LARGE);
    let recompute = v.or_tie::<NARROW>(large);
    if (recompute | a.le(TINY)).any() {
        let twice = cell(a, &NATURAL).times_two_to(1).log::<false>(a, &NATURAL);
        let (hi, lo) = (near.select(a, log.hi), near.select(square * a * tail, log.lo));
        // Other lanes keep v, which has a fused operation.
        let v = recompute.select(large.select(twice.hi, hi).plus::<NARROW>(large.select(twice.lo, lo)), v);
        return (a.lt(f64::INFINITY) & a.gt(TINY)).select(v.copysign(x), x);
    }
    v.copysign(x)
}

/// acosh x, at most 0.64 ULP, 0.67 within some 2^-50 of 1.
///
/// acosh(1) = 0, acosh(inf) = inf; NaN below 1.
#[inline(always)]
pub fn acosh<L: WideLanes>(x: F64<L>) -> F64<L> {
    acosh_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn acosh_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    // x^2 - 1 = z^2 + 2 z.
    let z = x - 1.0;
    let twice = z + z;
    let square = z.mul_add(z, twice);
    let root = square.sqrt();
    let low = root_low(square, root, z.mul_add(z, twice - square));
    // y = 1 + (z + root).
    let v = fast_two_sum(root, z);
    let y = v.hi + 1.0;
    let low = (v.hi - (y - 1.0)) + (v.lo + low);
    let log = cell(y, &NATURAL).log::<true>(low, &NATURAL);
    let sum = log.hi + log.lo;
    let rare = !(x.ge(1.0) & x.lt(LARGE));
    if sum.or_tie::<NARROW>(rare).any() {
        let twice = cell(x, &NATURAL).times_two_to(1).log::<false>(x, &NATURAL);
        let large = x.ge(LARGE);
        let v = large.select(twice.hi, log.hi).plus::<NARROW>(large.select(twice.lo, log.lo));
        return x.ge(1.0).select(x.eq(f64::INFINITY).select(x, v), f64::NAN);
    }
    sum
}

/// atanh x, at most 0.64 ULP; odd bit for bit.
///
/// atanh(±0) = ±0, atanh(±1) = ±inf; NaN beyond.
#[inline(always)]
pub fn atanh<L: WideLanes>(x: F64<L>) -> F64<L> {
    atanh_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn atanh_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.splat(TINY).greatest(x.abs());
    // (1 + a) / (1 - a) = 1 + v, v = 2 a / (1 - a).
    let denominator = a.splat(1.0) - a;
    let denominator_low = (a.splat(1.0) - denominator) - a;
    let inverse = a.splat(1.0) / denominator;
    let twice = a + a;
    let v = twice * inverse;
    let v_low = v.neg_mul_add(denominator_low, v.neg_mul_add(denominator, twice)) * inverse;
    let y = v + 1.0;
    let log = cell(y, &NATURAL).log::<true>((v - (y - 1.0)) + v_low, &NATURAL);
    let sum = log.hi + log.lo;
    // Below 2^-27 the result is a; y - 1 and the low part would be of similar size.
    let (near, inside) = (a.lt(7.450580596923828e-9), a.lt(1.0));
    let rare = near | !inside;
    if sum.or_tie::<NARROW>(rare).any() {
        let v = (log.hi.plus::<NARROW>(log.lo) * 0.5).copysign(x);
        let end = a.eq(1.0).select(x * f64::INFINITY, f64::NAN);
        return inside.select(near.select(x, v), end);
    }
    (sum * 0.5).copysign(x)
}
