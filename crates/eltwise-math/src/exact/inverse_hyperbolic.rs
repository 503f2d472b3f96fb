//! asinh, acosh, atanh of `f32`, correctly rounded.
//!
//! All are logarithms (`logarithm.rs`) of a number that is found in two parts in `f32` lanes, together right to 2^-46:
//!
//! ```text
//! asinh:  a + s, s = (a^2 + 1)^(1/2)
//! acosh:  x + s, s = (x^2 - 1)^(1/2)
//! atanh:  (1 + a) / (1 - a), and half the logarithm
//! ```
//!
//! The lower part holds the rounding errors of sums (Dekker 1971), what the square of s lacks, by 1 / 2s, and what the quotient lacks
//! (Markstein 1990). From 2^12 on, where x^2 +- 1 has other errors, the function of `f64` is taken. Below 2^-12, asinh and atanh are
//! their argument, rounded.

use eltwise_simd::WideLanes;

use super::logarithm::log_of;
use super::rounding::{doubtful, put_right};
use crate::double;
use crate::single::logarithm::two_to;
use crate::vector::F32;

/// Below, asinh and atanh are their argument.
const TINY: f32 = two_to(-12);
/// From here on x^2 +- 1 has other rounding errors.
const LARGE: f32 = two_to(12);
/// Less the bits of s, the bits of 1 / 2s: exact for powers of two, 12 % above between them.
const HALF_RECIPROCAL: i32 = 0x7e80_0000;

/// `1 / 2s` to 2^-12, and as precise as s is near 1 (Newton).
#[inline(always)]
fn half_reciprocal<L: WideLanes>(s: F32<L>) -> F32<L> {
    let h = (s.int(HALF_RECIPROCAL) - s.bits()).float();
    let twice = s + s;
    let h = h.mul_add(h.neg_mul_add(twice, 1.0), h);
    h.mul_add(h.neg_mul_add(twice, 1.0), h)
}

/// The inverse of sinh, correctly rounded.
///
/// Odd. asinh(+-0) = +-0, asinh(+-inf) = +-inf.
#[inline(always)]
pub fn asinh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let size = x.abs();
    let tiny = size.lt(TINY);
    if !(!size.lt(LARGE)).any() {
        let a = size.splat(TINY).greatest(size);
        let square = a.mul_add(a, 1.0);
        let s = square.sqrt();
        let rest = s.neg_mul_add(s, square) + a.mul_add(a, a.splat(1.0) - square);
        let sum = s + a;
        let low = rest.mul_add(half_reciprocal(s), a - (sum - s));
        let log = log_of(sum, low);
        if !doubtful::<17, L>(log) {
            return tiny.select(x, F32::narrow(log).copysign(x));
        }
    }
    let [low, high] = tiny.select(1.0, x).widen();
    let y = F32::narrow([double::to_narrow::asinh(low), double::to_narrow::asinh(high)]);
    let y =
        put_right(size, y.abs(), &[(0x4bdd_65a5, 0x418f_034b), (0x6558_90d3, 0x4254_d1f9), (0x6eb1_a8ec, 0x4284_5a89)]);
    tiny.select(x, y.copysign(x))
}

/// The inverse of cosh, correctly rounded.
///
/// acosh(1) = +0, acosh(x < 1) = NaN, acosh(inf) = inf.
#[inline(always)]
pub fn acosh<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !(!(x.ge(1.0) & x.lt(LARGE))).any() {
        let one = x.splat(1.0);
        let square = x.mul_sub(x, one);
        let s = square.sqrt();
        // x^2 - (square + 1), and the rounding error of this sum.
        let more = square + 1.0;
        let lost = x.mul_sub(x, more) - (square.least(one) - (more - square.greatest(one)));
        let rest = s.neg_mul_add(s, square) + lost;
        let sum = x + s;
        // At 1 the root and the rest are 0.
        let low = rest.mul_add(half_reciprocal(s.greatest(TINY)), s - (sum - x));
        let log = log_of(sum, low);
        if !doubtful::<17, L>(log) {
            return F32::narrow(log);
        }
    }
    let [low, high] = x.widen();
    let y = F32::narrow([double::to_narrow::acosh(low), double::to_narrow::acosh(high)]);
    put_right(x, y, &[(0x6558_90d3, 0x4254_d1f9), (0x6eb1_a8ec, 0x4284_5a89)])
}

/// The inverse of tanh, correctly rounded.
///
/// Odd. atanh(+-0) = +-0, atanh(+-1) = +-inf, atanh(|x| > 1) = NaN.
#[inline(always)]
pub fn atanh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let size = x.abs();
    let tiny = size.lt(TINY);
    if !(!size.lt(1.0)).any() {
        let a = size.splat(TINY).greatest(size);
        let one = a.splat(1.0);
        let (above, below) = (one + a, one - a);
        let inverse = one / below;
        let q = above * inverse;
        let lost = q.neg_mul_add((one - below) - a, a - (above - one));
        let low = (q.neg_mul_add(below, above) + lost) * inverse;
        let log = log_of(q, low);
        if !doubtful::<17, L>(log) {
            return tiny.select(x, (F32::narrow(log) * 0.5).copysign(x));
        }
    }
    let [low, high] = tiny.select(0.5, x).widen();
    tiny.select(x, F32::narrow([double::to_narrow::atanh(low), double::to_narrow::atanh(high)]))
}
