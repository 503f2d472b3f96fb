//! sinc of `f64`: `sin(pi x) / (pi x)`.
//!
//! 1. `x = n/16 + d` is exact, modulo 2; `pi d` is a sum of two floats, and its sine the pair of `trigonometric.rs`.
//! 2. The quotient by `pi x`, another pair, is corrected by its remainder (Markstein 1990).
//!
//! Constants: `tools/coefficients/cancelling.py`.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::double_double::{Pair, quotient, two_product};
use super::trigonometric::sine_of_sixteenths;
use crate::vector::F64;

/// pi as a sum of two floats.
const PI: [f64; 2] = [core::f64::consts::PI, f64::from_bits(0x3ca1_a626_3314_5c07)];

/// `pi x` as a pair.
#[inline(always)]
pub(super) fn times_pi<L: WideLanes>(x: F64<L>) -> Pair<L> {
    let product = two_product(x, x.splat(PI[0]));
    Pair { lo: x.mul_add(PI[1], product.lo), ..product }
}

/// `sin(pi x) / (pi x)`, at most 0.52 ULP.
///
/// sinc(±0) = 1; +0 for other integers and infinities.
#[inline(always)]
pub fn sinc<L: WideLanes>(x: F64<L>) -> F64<L> {
    // Below 2^-28 the result is 1, from 2^53 on it is 0.
    let a = x.splat(two_to(-28)).greatest(x.splat(two_to(53)).least(x.abs()));
    let even = (a * 0.5).round().neg_mul_add(2.0, a);
    let sixteenths = (even * 16.0).round();
    let rest = times_pi(sixteenths.neg_mul_add(1.0 / 16.0, even));
    let sine = sine_of_sixteenths(sixteenths, rest);
    let angle = times_pi(a);
    let q = quotient(sine, angle, a.splat(1.0) / angle.hi);
    let sinc = even.eq(even.round()).select(0.0, q.hi + q.lo);
    let sinc = a.gt(two_to(-28)).select(sinc, 1.0);
    x.is_nan().select(f64::NAN, sinc)
}
