//! pow of `f64`: `e^(y log |x|)`.
//!
//! 1. `log |x|` in double-double (`double_double/log.rs`), times y.
//! 2. The table-driven e^x of `exp.rs`, with the low part of the product in the reduced argument.
//! 3. Special operands (0, infinities, NaN, negative x, infinite y) take a rare branch, by C23 F.10.4.
//!
//! Errors are the largest of 2^24 arguments in each relevant range and of 2^24 bit patterns. Results that differ
//! from the correctly rounded ones of core-math were measured with 220 bits.

use eltwise_simd::WideLanes;

use super::constants::{LN2, SIXTEENTHS, TINY};
use super::double_double::two_product;
use super::exp::{clamp, exp_of_reduced};
use super::log::{is_special, reduce_positive};
use crate::vector::F64;

/// x^y, at most 0.57 ULP (0.76 if the result is subnormal); exact results are exact.
///
/// pow(x, ±0) = 1 and pow(1, y) = 1, also for NaN; NaN for finite x < 0 if y is not an integer; zeros, infinities and
/// the signs with odd y as in C23 F.10.4.4.
#[inline(always)]
pub fn pow<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let x_abs = x.abs();
    let log = reduce_positive(x_abs, is_special(x_abs)).parts();
    // Adding TINY changes no result and keeps products from being subnormal.
    let times = y + TINY;
    let product = two_product(log.hi, times);
    let low = log.lo.mul_add(times, product.lo);
    let plain = !(!product.hi.abs().le(708.0)).any();
    let (hi, low) = if plain {
        (product.hi, low)
    } else {
        let hi = clamp(product.hi, -746.0, 710.0);
        (hi, hi.eq(product.hi).select(low, 0.0))
    };
    let sixteenths = hi.mul_add(core::f64::consts::LOG2_E, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    let r = j.neg_mul_add(LN2[1], j.neg_mul_add(LN2[0], hi) + low);
    let power = exp_of_reduced(sixteenths, j, r, plain);
    if (is_special(x) | !y.abs().le(f64::MAX)).any() {
        return special_values(x, y, power);
    }
    power
}

/// pow with special operands. `power` is |x|^y in lanes without.
#[inline(always)]
fn special_values<L: WideLanes>(x: F64<L>, y: F64<L>, power: F64<L>) -> F64<L> {
    let (x_abs, infinity) = (x.abs(), f64::INFINITY);
    let (zero, infinite) = (x_abs.eq(0.0), x_abs.eq(infinity));
    // The result is 0 or infinity if x is one of them, or if y is infinite and |x| is not 1.
    let grows = (x_abs.gt(1.0) & y.gt(0.0)) | (x_abs.lt(1.0) & y.lt(0.0));
    let limit = grows.select(infinity, 0.0);
    let y_infinite = y.abs().eq(infinity);
    let size = (zero | infinite | y_infinite).select(limit, power);
    let size = (x_abs.eq(1.0) & y_infinite).select(1.0, size);
    // Numbers from 2^53 on and infinity count as even.
    let integer = y.trunc().eq(y);
    let half = y * 0.5;
    let odd = integer & half.trunc().ne(half);
    let negative = x.splat(1.0).copysign(x).lt(0.0);
    let signed = (negative & odd).select(-size, size);
    let real = zero | infinite | integer | !negative;
    let number = !(x.is_nan() | y.is_nan());
    let result = (real & number).select(signed, f64::NAN);
    (y.eq(0.0) | x.eq(1.0)).select(1.0, result)
}
