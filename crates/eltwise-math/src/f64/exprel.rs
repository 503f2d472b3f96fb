//! exprel of `f64`: `(e^x - 1) / x`, the quotient of the pair of `exp_pair.rs` and x, corrected by its remainder
//! (Markstein 1990).

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::double_double::{Pair, quotient};
use super::exp_pair::{expm1_pair, exponential};
use crate::vector::F64;

/// `(e^x - 1) / x`, at most 0.76 ULP.
///
/// exprel(±0) = 1, exprel(-inf) = +0, exprel(inf) = inf.
#[inline(always)]
pub fn exprel<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    let zero = x.splat(0.0);
    let usual = a.ge(two_to(-60)) & x.ge(-40.0) & x.le(700.0);
    let over = |value: Pair<L>, x: F64<L>| quotient(value, Pair { hi: x, lo: zero }, x.splat(1.0) / x);
    if (!usual).any() {
        let inside = usual.select(x, 1.0);
        let near = over(expm1_pair(inside, zero), inside);
        // Above 700 the power of two is multiplied in last, after 2^10.
        let large = x.splat(700.0).greatest(x.splat(1000.0).least(x));
        let e = exponential(large, zero);
        let far = over(e.value, large);
        let far = ((far.hi + far.lo) * 1024.0).scale(e.n - 10.0);
        let high = x.gt(700.0).select(far, near.hi + near.lo);
        // Below -40 the power counts for nothing.
        let result = x.lt(-40.0).select(x.splat(-1.0) / x, a.lt(1e-16).select(1.0, high));
        return x.is_nan().select(f64::NAN, result);
    }
    let near = over(expm1_pair(x, zero), x);
    near.hi + near.lo
}
