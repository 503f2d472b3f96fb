//! swish of `f64`: `x / (1 + e^-w)`, `w = alpha x` as a sum of two floats, by `logistic.rs`.
//!
//! Rare branch: below w = -600 the result is `x e^w`, with the square of `e^(w/2)` as a pair (`exp_pair.rs`); tiny x are
//! scaled.

use eltwise_simd::WideLanes;

use super::constants::TINY;
use super::double_double::{Pair, two_product};
use super::exp_pair::exponential;
use super::logistic::{LARGE, Quotient, logistic};
use super::subnormal::{linear, scaled_down, scaled_up};
use crate::vector::F64;

/// swish(x, alpha) = `x / (1 + e^(-alpha x))`, at most 0.66 ULP (0.79 if the result is subnormal).
///
/// swish(x, 0) = x / 2. Infinite x, and infinite alpha x: the limit, x or a zero with the sign of x. swish(±0, ±inf) is
/// NaN.
#[inline(always)]
pub fn swish<L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    let w = two_product(x, alpha);
    let (a, size) = (x.abs(), w.hi.abs());
    let usual = a.ge(TINY) & a.lt(f64::INFINITY) & size.ge(TINY) & size.le(LARGE);
    if (!usual).any() {
        return usual.select(
            ordinary(usual.select(x, 1.0), usual.select(w.hi, 1.0), usual.select(w.lo, 0.0)),
            rare(x, alpha, w),
        );
    }
    ordinary(x, w.hi, w.lo)
}

#[inline(always)]
fn ordinary<L: WideLanes>(x: F64<L>, w: F64<L>, low: F64<L>) -> F64<L> {
    logistic::<false, L>(Quotient { factor: Some(x), w, low: Some(low), far: None })
}

/// swish where x is tiny or not finite, or w is tiny, large or not finite.
#[inline(always)]
fn rare<L: WideLanes>(x: F64<L>, alpha: F64<L>, w: Pair<L>) -> F64<L> {
    let a = x.abs();
    let tiny = a.lt(TINY);
    // Tiny x with an ordinary w: 2^600 x, scaled last.
    let near = w.hi.abs().ge(TINY) & w.hi.abs().le(LARGE);
    let up = (tiny & near).select(scaled_up::<600, L>(a), 1.0);
    let scaled = ordinary(up, near.select(w.hi, 1.0), near.select(w.lo, 0.0));
    let scaled = scaled_down::<600, L>(scaled).copysign(x);
    // Below -600: x times the square of e^(w/2). Below -1500 every result is 0.
    let far = w.hi.lt(-LARGE);
    let within = far & w.hi.gt(-1500.0);
    let half = within.select(w.hi * 0.5, -750.0);
    let e = exponential(half, within.select(w.lo * 0.5, 0.0));
    let square = two_product(e.value.hi, e.value.hi);
    let square_low = (e.value.hi + e.value.hi).mul_add(e.value.lo, square.lo);
    // Two of the four powers first, so that neither x nor the product overflows.
    let power = (e.n * 0.5).round();
    let (first, second) = (power.power_of_two(), (e.n - power).power_of_two());
    let moved = x * first;
    let product = moved.mul_add(square.hi, moved * square_low);
    let product = ((product * first) * second) * second;
    let product = a.eq(f64::INFINITY).select(x.splat(0.0).copysign(x), product);
    // Tiny w: x / 2.
    let half = x.abs().lt(TINY).select(linear(x, 0.5, 0.0), x * 0.5);
    let is_zero = w.hi.abs().lt(TINY);
    let result = is_zero.select(half, far.select(product, (tiny & near).select(scaled, x)));
    // Infinite x with alpha 0, where w is NaN.
    let halved = a.eq(f64::INFINITY) & alpha.eq(0.0);
    halved.select(x, w.hi.is_nan().select(f64::NAN, result))
}
