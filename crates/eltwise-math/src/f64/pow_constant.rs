//! pow of `f64` by one exponent for all elements.
//!
//! Powers by integers are products of pairs `hi + lo` (Dekker 1971), without renormalisation: after 64 factors `lo` is
//! below 2^-46 `hi`, and its error below 2^-93 `hi`.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::double_double::{Pair, two_product};
use super::pow::pow;
use super::roots::rsqrt;
use crate::exponent::{Exponent, for_each_exponent};
use crate::vector::{F64, Mask};

/// x to the power of y, in every lane as [`pow_by`] one exponent.
#[inline(always)]
pub fn pow_constant<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    for_each_exponent!(f64: x, y)
}

/// x to the power of y, the same in every lane, whose [`Exponent`] is given: for integers from -64 to 64 by products, for
/// 1/2 and -1/2 by a root, else [`pow`]. Of `K` vectors at once. Every NaN result is `f64::NAN`.
///
/// At most 0.5001 ULP for the integers, 0.5 for 1/2, 0.503 for -1/2; 0.57 ULP for results below 2^-900 or above 2^900,
/// 0.76 for subnormal ones, which are those of [`pow`]. Exact results are exact.
///
/// Special values as of [`pow`].
#[inline(always)]
pub fn pow_by<L: WideLanes, const K: usize>(mut x: [F64<L>; K], y: F64<L>, exponent: Exponent) -> [F64<L>; K] {
    if let Exponent::Integer { size, is_inverse } = exponent {
        return integer_power(x, y, size, is_inverse);
    }
    for x in &mut x {
        *x = match exponent {
            Exponent::Root { is_inverse } => root(*x, is_inverse),
            _ => pow(*x, y),
        }
        .replace_nan(f64::NAN);
    }
    x
}

/// x to the power of 1/2 or -1/2. Zeros and infinities lose their sign.
#[inline(always)]
fn root<L: WideLanes>(x: F64<L>, is_inverse: bool) -> F64<L> {
    let x = x.eq(f64::NEG_INFINITY).select(f64::INFINITY, x + 0.0);
    if is_inverse { rsqrt(x) } else { x.sqrt() }
}

#[inline(always)]
fn integer_power<L: WideLanes, const K: usize>(x: [F64<L>; K], y: F64<L>, size: u32, is_inverse: bool) -> [F64<L>; K] {
    let powers = product(x, size);
    // The powers, and the same without their low parts.
    let (mut sums, mut plain) = (x, x);
    let mut is_rare = x[0].lt(x[0]);
    for k in 0..K {
        let power = powers[k];
        (sums[k], plain[k]) = (power.hi + power.lo, power.hi);
        if is_inverse {
            let reciprocal = power.hi.splat(1.0) / power.hi;
            let rest = reciprocal.neg_mul_add(power.lo, reciprocal.neg_mul_add(power.hi, 1.0));
            (sums[k], plain[k]) = (reciprocal.mul_add(rest, reciprocal), reciprocal);
        }
        is_rare = is_rare | is_extreme(plain[k]);
    }
    if is_rare.any() {
        for k in 0..K {
            // Products of zeros, infinities and NaN are exact.
            let is_exact = x[k].eq(0.0) | !x[k].abs().le(f64::MAX);
            let rare = if (!is_exact & is_extreme(plain[k])).any() { pow(x[k], y) } else { plain[k] };
            let rare = is_exact.select(plain[k], rare);
            sums[k] = is_extreme(plain[k]).select(rare, sums[k]).replace_nan(f64::NAN);
        }
    }
    sums
}

/// Whether the low part of a product may be inexact or infinite.
#[inline(always)]
fn is_extreme<L: WideLanes>(power: F64<L>) -> Mask<f64, L> {
    const FIRST: i64 = two_to(-900).to_bits() as i64;
    const END: i64 = two_to(900).to_bits() as i64;
    !power.abs().bits().between(FIRST, END)
}

/// x to the power of `size`, by repeated squaring.
#[inline(always)]
fn product<L: WideLanes, const K: usize>(x: [F64<L>; K], size: u32) -> [Pair<L>; K] {
    let (zero, one) = (x[0].splat(0.0), x[0].splat(1.0));
    let mut powers = [Pair { hi: one, lo: zero }; K];
    if size & 1 == 1 {
        for k in 0..K {
            powers[k].hi = x[k];
        }
    }
    let mut rest = size >> 1;
    if rest == 0 {
        return powers;
    }
    let mut squares = powers;
    for k in 0..K {
        squares[k] = two_product(x[k], x[k]);
    }
    loop {
        if rest & 1 == 1 {
            for k in 0..K {
                let (power, square) = (powers[k], squares[k]);
                let next = two_product(power.hi, square.hi);
                let lo = power.hi.mul_add(square.lo, power.lo.mul_add(square.hi, next.lo));
                powers[k] = Pair { hi: next.hi, lo };
            }
        }
        rest >>= 1;
        if rest == 0 {
            return powers;
        }
        for square in &mut squares {
            let next = two_product(square.hi, square.hi);
            *square = Pair { hi: next.hi, lo: (square.hi + square.hi).mul_add(square.lo, next.lo) };
        }
    }
}
