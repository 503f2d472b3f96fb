//! log(e^x + e^y) for e^x + e^y near 1, where the result is near 0: x and y cancel, and so do their exponentials and 1.
//!
//! 1. Reduction: `e^x = T (1 + p)`. T is a number of at most 36 bits, the product of a power of two and one entry of
//!    each of three tables, whose logarithms are known to 2^-160. `p = e^u - 1`, `|u| <= 2^-12.9`, is a sum of three
//!    `f64`.
//! 2. The sum, with a factor of 6 so that no coefficient before 1/20 needs two parts:
//!
//!    ```text
//!    6 (e^x + e^y - 1) = 6 (T_x - 1 + T_y) + T_x 6 p_x + T_y 6 p_y
//!    6 p = 6 u + u^2 (3 + u + u^2 (1/4 + u/20 + u^2/120 + ...))
//!    ```
//!
//!    The first term is exact; the others are sums of exact products with their rounding errors.
//! 3. log(1 + z) by its Taylor polynomial.
//!
//! If T_x is 1, u is x: the measured error is at most about 2^-148 of the larger operand, however small that is. For
//! random operands that cancel, the result is seldom less than 2^-80 of it; no operands were found for which it is less
//! than 2^-106.
//!
//! Tables: `tools/coefficients/f64_cancelling.py`.

use core::f64::consts::LOG2_E;

use eltwise_simd::WideLanes;

use super::tables::{
    FIRST, LN2, LN2_LONG, LOG1P, OVER_20, OVER_120, OVER_840, SECOND, SIXTH, SIXTH_OF_LOG2_E, TAIL, THIRD,
};
use crate::f64::constants::{SIXTEENTHS, TINY, two_to};
use crate::f64::double_double::{Pair, fast_two_sum, two_product, two_sum};
use crate::polynomial::horner;
use crate::vector::{F64, Mask};

/// 1.5 * 2^52: after adding it to a number, the nearest integer is in the lowest bits.
const ROUND: f64 = (3u64 << 51) as f64;

/// Below, products would underflow and not be exact.
const SMALLEST: f64 = two_to(-600);

/// The exponent of the power of two by which smaller operands and their powers are multiplied.
const SCALE: i32 = 560;

/// `e^x` or `2^x` as `power e^(u[0] + u[1] + u[2])`.
struct Reduced<L: WideLanes> {
    power: F64<L>,
    u: [F64<L>; 3],
}

/// Reduces `x`, and multiplies the power by 2^scale.
#[inline(always)]
fn reduce<const BINARY: bool, L: WideLanes>(x: F64<L>, scale: F64<L>) -> Reduced<L> {
    let sixteenths = if BINARY { x + SIXTEENTHS } else { x.mul_add(LOG2_E, SIXTEENTHS) };
    // The nearest integer: 0 on both sides of 0.
    let n = ((sixteenths - SIXTEENTHS) + 0.5).floor();
    // `rest` remains exact: each step leaves a smaller number with the same last place, or that of the table.
    let (of_two, high) = if BINARY {
        let rest = x - n;
        (two_product(rest, x.splat(LN2_LONG[1])), two_product(rest, x.splat(LN2_LONG[0])))
    } else {
        (Pair { hi: n * LN2[1], lo: n * LN2[2] }, Pair { hi: n.neg_mul_add(LN2[0], x), lo: x })
    };
    let [first, log, first_middle, first_low] = FIRST.lookup(sixteenths.bits());
    let rest = high.hi - log;
    let [second, log, second_middle, second_low] = SECOND.lookup(rest.mul_add(304.0, ROUND).bits());
    let rest = rest - log;
    let [third, log, third_middle, third_low] = THIRD.lookup(rest.mul_add(4096.0, ROUND).bits());
    let rest = rest - log;
    let power = (first * second) * (third * (n + scale).power_of_two());
    let middle = two_sum(first_middle + second_middle, third_middle);
    let low = (first_low + second_low) + (third_low + middle.lo);
    let u = if BINARY {
        let low = (x - n).mul_add(LN2_LONG[2], of_two.lo - low);
        let a = two_sum(high.lo, of_two.hi);
        let b = two_sum(a.hi, -middle.hi);
        let sum = two_sum(rest, b.hi);
        [sum.hi, sum.lo, (a.lo + b.lo) + low]
    } else {
        let low = n.mul_add(LN2[3], low);
        let a = two_sum(of_two.hi, middle.hi);
        let b = two_sum(a.lo, of_two.lo);
        let sum = two_sum(rest, -a.hi);
        let next = two_sum(sum.lo, -b.hi);
        [sum.hi, next.hi, next.lo - (b.lo + low)]
    };
    Reduced { power, u }
}

/// `6 (e^u - 1 - u)` as a sum of three floats.
#[inline(always)]
fn curvature<L: WideLanes>(u: [F64<L>; 3]) -> [F64<L>; 3] {
    let square = two_product(u[0], u[0]);
    let twice = u[0] + u[0];
    let cross = two_product(twice, u[1]);
    let middle = two_sum(square.lo, cross.hi);
    let low = middle.lo + twice.mul_add(u[2], u[1].mul_add(u[1], cross.lo));
    let square = [square.hi, middle.hi, low];

    // 1/4 + u/20 + u^2/120 + ... as a pair.
    let sum = fast_two_sum(u[0].splat(OVER_840[0]), u[0] * horner(u[0], &TAIL));
    let mut tail = Pair { hi: sum.hi, lo: sum.lo + OVER_840[1] };
    let mut k = 0;
    while k < 3 {
        let [hi, lo] = [OVER_120, OVER_20, [0.25, 0.0]][k];
        let product = two_product(u[0], tail.hi);
        let sum = fast_two_sum(product.hi.splat(hi), product.hi);
        let low = u[0].mul_add(tail.lo, u[1].mul_add(tail.hi, product.lo));
        tail = Pair { hi: sum.hi, lo: sum.lo + (low + lo) };
        k += 1;
    }
    let product = two_product(square[0], tail.hi);
    let low = square[1].mul_add(tail.hi, square[2].mul_add(tail.hi, product.lo));
    let tail = Pair { hi: product.hi, lo: square[0].mul_add(tail.lo, low) };

    // 3 + u + u^2 tail as a sum of three floats, times u^2.
    let lower = fast_two_sum(u[0], tail.hi);
    let first = fast_two_sum(u[0].splat(3.0), lower.hi);
    let a = two_sum(lower.lo, u[1]);
    let second = two_sum(first.lo, a.hi);
    let factor = [first.hi, second.hi, (a.lo + second.lo) + (tail.lo + u[2])];
    let first = two_product(square[0], factor[0]);
    let (b, c) = (two_product(square[0], factor[1]), two_product(square[1], factor[0]));
    let d = two_sum(b.hi, c.hi);
    let second = two_sum(first.lo, d.hi);
    let low = square[0].mul_add(factor[2], square[1].mul_add(factor[1], square[2] * factor[0]));
    [first.hi, second.hi, ((b.lo + c.lo) + (d.lo + second.lo)) + low]
}

/// The terms of `6 power u + power curvature`: two leading ones, four of about 2^-53 of these, and the sum of the
/// others.
#[inline(always)]
fn terms<L: WideLanes>(at: &Reduced<L>, curvature: [F64<L>; 3]) -> ([F64<L>; 2], [F64<L>; 4], F64<L>) {
    let six = at.power * 6.0;
    let (u0, u1) = (two_product(six, at.u[0]), two_product(six, at.u[1]));
    let (c0, c1) = (two_product(at.power, curvature[0]), two_product(at.power, curvature[1]));
    let low = six.mul_add(at.u[2], at.power.mul_add(curvature[2], u1.lo + c1.lo));
    ([u0.hi, c0.hi], [u0.lo, u1.hi, c0.lo, c1.hi], low)
}

/// Adds `term` to `sum`, and the rounding error to `lost`.
#[inline(always)]
fn collect<L: WideLanes>(sum: F64<L>, term: F64<L>, lost: F64<L>) -> (F64<L>, F64<L>) {
    let next = two_sum(sum, term);
    (next.hi, lost + next.lo)
}

/// log(e^most + e^least), or in base 2, where `cancels` is set: the result is below about 2^-12 of `most`. Unspecified
/// elsewhere.
///
/// At most 0.51 ULP (with `NARROW` 1 ULP, if the result may be the midpoint of two narrower floats) for results down to
/// 2^-88 of `most`, and 1 ULP down to 2^-94. Also for operands near -1 in base 2, relative to their distance from it.
#[inline(always)]
pub(super) fn log_of_sum_near_1<const BINARY: bool, const NARROW: bool, L: WideLanes>(
    most: F64<L>,
    least: F64<L>,
    cancels: Mask<f64, L>,
) -> F64<L> {
    // Other lanes get operands without subnormal intermediate values.
    let (most, least) = (cancels.select(most, -0.6875), cancels.select(least, -0.6875));
    let tiny = most.abs().lt(SMALLEST);
    let scaled = tiny.select(most * two_to(SCALE), most);
    let x = reduce::<BINARY, L>(scaled, most.splat(0.0));
    let y = reduce::<BINARY, L>(least, tiny.select(f64::from(SCALE), 0.0));

    // For tiny operands, e^x - 1 is x.
    let is_linear = most.abs().lt(TINY);
    let curved_u = [is_linear.select(0.0, x.u[0]), is_linear.select(0.0, x.u[1]), is_linear.select(0.0, x.u[2])];
    let (x_first, x_next, x_low) = terms(&x, curvature(curved_u));
    let (y_first, y_next, y_low) = terms(&y, curvature(y.u));

    let of_powers = ((x.power - 1.0) + y.power) * 6.0;
    let a = two_sum(x_first[0], y_first[0]);
    let b = two_sum(a.hi, of_powers);
    let c = two_sum(x_first[1], y_first[1]);
    let d = two_sum(b.hi, c.hi);
    let (mut sum, mut lost) = (a.lo, x_low + y_low);
    (sum, lost) = collect(sum, b.lo, lost);
    (sum, lost) = collect(sum, c.lo, lost);
    (sum, lost) = collect(sum, d.lo, lost);
    let mut k = 0;
    while k < 4 {
        (sum, lost) = collect(sum, x_next[k], lost);
        (sum, lost) = collect(sum, y_next[k], lost);
        k += 1;
    }
    let total = two_sum(d.hi, sum);
    let total = two_sum(total.hi, total.lo + lost);

    // log(1 + z) = z (1 - z/2 + z^2/3 - ...); in base 2, times log2(e).
    let unit = if BINARY { SIXTH_OF_LOG2_E } else { SIXTH };
    let product = two_product(total.hi, most.splat(unit[0]));
    let low = total.lo.mul_add(unit[0], total.hi.mul_add(unit[1], product.lo));
    let z = tiny.select(0.0, total.hi * SIXTH[0]);
    let r = product.hi.plus::<NARROW>(product.hi.mul_add(z * horner(z, &LOG1P), low));
    tiny.select(r * two_to(-SCALE), r)
}
