//! softcap of `f64`: `c tanh(x / c)`. The quotient and tanh are pairs (`tanh_pair`), and the product keeps its rounding
//! error.
//!
//! Errors are the largest over some 500,000 inputs in the relevant ranges, measured with 220 bits (MPFR). They are
//! larger if the result is subnormal, because the sum of the two parts is rounded before it is scaled.

use eltwise_simd::WideLanes;

use super::constants::TINY;
use super::elu::{is_moderate, mul_pair, ratio};
use super::exp_pair::tanh_pair;
use crate::vector::F64;

/// softcap x = `c tanh(x / c)`, at most 0.56 ULP (0.75 if the result is subnormal); odd bit for bit, and at most |c| in
/// magnitude.
///
/// softcap(±0) = ±0, softcap(±inf) = ±|c|, and x if c is infinite.
#[inline(always)]
pub fn softcap<L: WideLanes>(x: F64<L>, c: F64<L>) -> F64<L> {
    softcap_to::<false, L>(x, c)
}

#[inline(always)]
pub(super) fn softcap_to<const NARROW: bool, L: WideLanes>(x: F64<L>, c: F64<L>) -> F64<L> {
    // The original x, for the results that are x itself.
    let original = x;
    let tiny = x.abs().lt(TINY);
    let x = if tiny.any() { (tiny & is_moderate(c)).select(c * 1e-20, x) } else { x };
    let (q, up, down) = ratio(x.abs(), c.abs());
    let t = x.splat(22.0).least(q.hi);
    let tanh = tanh_pair(t, q.hi.lt(22.0).select(q.lo, 0.0));
    let v = mul_pair::<NARROW, L>(c.abs() * up, x.splat(0.0), tanh) * down;
    q.hi.lt(3e-9).select(original, v.copysign(original))
}
