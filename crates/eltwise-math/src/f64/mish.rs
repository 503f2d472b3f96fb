//! mish of `f64`.
//!
//! 1. No cancellation: with `z = e^-|x|` as a pair (`exp_pair.rs`), mish is `x z (z + 2) / ((z + 1)^2 + 1)` for x < 0,
//!    else `x (4 z + 2) / ((2 z + 1)^2 + 1)`.
//! 2. The quotient is corrected by its remainder (Markstein 1990); products and sums keep their rounding errors (Dekker
//!    1971).
//! 3. The power of two is multiplied in last.
//!
//! Errors are the largest over some 500,000 inputs in the relevant ranges, measured with 220 bits (MPFR). They are
//! larger if the result is subnormal, because the sum of the two parts is rounded before it is scaled. Tables:
//! `tools/coefficients/f64_activation.py`.

use eltwise_simd::WideLanes;

use super::constants::{TINY, two_to};
use super::double_double::{Pair, fast_two_sum, quotient, two_product};
use super::exp::{ZERO_BELOW, clamp};
use super::exp_pair::exponential;
use super::subnormal::{linear, scaled};
use crate::vector::F64;

/// mish x = `x tanh(log(1 + e^x))` (Misra 2019), at most 0.52 ULP (0.75 if the result is subnormal: down to x =
/// -751.8).
///
/// mish(±0) = ±0, mish(-inf) = -0, mish(inf) = inf.
#[inline(always)]
pub fn mish<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    if (!(a.ge(TINY) & a.le(700.0))).any() {
        let tiny = a.lt(TINY);
        let (v, n) = mish_of(tiny.select(1.0, clamp(x, ZERO_BELOW, -ZERO_BELOW)));
        // For large negative x, v is up to 1065: `scaled` gets 2^-10 v.
        let v = scaled(v.abs() * two_to(-10), n + 10.0).copysign(x);
        return x.gt(40.0).select(x, tiny.select(linear(x, 0.6, SIX_TENTHS_LOW), v));
    }
    let (v, n) = mish_of(x);
    x.gt(40.0).select(x, v.scale(n).copysign(x))
}

/// 0.6 minus the nearest double.
const SIX_TENTHS_LOW: f64 = f64::from_bits(0x3c79_9999_9999_999a);

/// `(v, n)` with `mish t = 2^n v`, for `|t|` from `TINY` to 760.
#[inline(always)]
fn mish_of<L: WideLanes>(t: F64<L>) -> (F64<L>, F64<L>) {
    let negative = t.lt(0.0);
    let e = exponential(-t.abs(), t.splat(0.0));
    let z = e.scaled();
    // With u = 1 + z (x < 0) or u = 1 + 2 z: x z (1 + u) / (1 + u^2), or 2 x u / (1 + u^2).
    let factor = negative.select(1.0, t.splat(2.0));
    let u = fast_two_sum(t.splat(1.0), z.hi * factor);
    let u = fast_two_sum(u.hi, z.lo.mul_add(factor, u.lo));
    let square = two_product(u.hi, u.hi);
    let below = fast_two_sum(square.hi, t.splat(1.0));
    let below = Pair { lo: below.lo + (u.hi + u.hi).mul_add(u.lo, square.lo), ..below };
    let more = fast_two_sum(u.hi, negative.select(1.0, u.hi));
    let more_low = u.lo.mul_add(factor, more.lo);
    let outer = two_product(t, negative.select(e.value.hi, 1.0));
    let outer_low = t.mul_add(negative.select(e.value.lo, 0.0), outer.lo);
    let above = two_product(outer.hi, more.hi);
    let above = Pair { lo: above.lo + outer.hi.mul_add(more_low, outer_low * more.hi), ..above };
    let q = quotient(above, below, t.splat(1.0) / below.hi);
    (q.hi + q.lo, negative.select(e.n, 0.0))
}
