//! logit of `f64`: the logarithm, in double-double, of the quotient `x / (1 - x)`, a pair.
//!
//! Errors are the largest seen over 30,000 arguments in each of several ranges, measured with 220 bits.

use eltwise_simd::WideLanes;

use super::constants::TINY;
use super::double_double::{Pair, two_sum};
use super::log::reduce_positive;
use crate::vector::F64;

/// log(x / (1 - x)), at most 0.52 ULP, also around 1/2, where it is 0.
///
/// logit(±0) = -inf, logit(1) = inf; NaN outside [0, 1].
#[inline(always)]
pub fn logit<L: WideLanes>(x: F64<L>) -> F64<L> {
    let usual = x.ge(TINY) & x.lt(1.0);
    let rare = (!usual).any();
    let inside = if rare { usual.select(x, 0.5) } else { x };
    let other = two_sum(x.splat(1.0), -inside);
    let inverse = x.splat(1.0) / other.hi;
    let mut hi = inside * inverse;
    let mut lo = other.lo.neg_mul_add(hi, other.hi.neg_mul_add(hi, inside)) * inverse;
    if rare {
        // Below TINY, 1 - x is 1.
        (hi, lo) = (usual.select(hi, x), usual.select(lo, 0.0));
    }
    let mut parts = reduce_positive(hi, !usual);
    parts.r = Pair { hi: parts.r.hi, lo: lo.mul_add(parts.factor, parts.r.lo) }.normal();
    let parts = parts.parts();
    if rare {
        let r = x.lt(1.0).select(parts.hi, x.eq(1.0).select(f64::INFINITY, f64::NAN));
        return x.gt(0.0).select(r, x.eq(0.0).select(f64::NEG_INFINITY, f64::NAN));
    }
    parts.hi
}
