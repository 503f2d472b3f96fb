//! elu, celu, selu of `f64`.
//!
//! 1. `e^x - 1` as a pair ([`expm1_pair`]).
//! 2. Times alpha, or scale times alpha as a sum of two floats, with the rounding error of the product (Dekker 1971).
//! 3. A vector without a negative number needs no exponential.
//! 4. Arguments below 2^-200 are scaled in a rare branch, so that products are not subnormal.
//!
//! Errors are the largest over some 500,000 inputs in the relevant ranges, measured with 220 bits (MPFR). They are
//! larger if the result is subnormal, because the sum of the two parts is rounded before it is scaled. Constants:
//! `tools/coefficients/f64_activation.py`.

use eltwise_simd::WideLanes;

use super::constants::{TINY, two_to};
use super::double_double::{Pair, two_product};
use super::exp_pair::{expm1_pair, exponential};
use super::subnormal::{linear, scaled_down, scaled_up};
use crate::vector::{F64, Mask};

/// `(a + a_low) v`, rounded, with the infinities, the zeros and the sign of `a v`.
#[inline(always)]
pub(super) fn mul_pair<const NARROW: bool, L: WideLanes>(a: F64<L>, a_low: F64<L>, v: Pair<L>) -> F64<L> {
    let lead = two_product(a, v.hi);
    let all = lead.hi.plus::<NARROW>(a.mul_add(v.lo, a_low.mul_add(v.hi, lead.lo)));
    lead.hi.abs().lt(f64::INFINITY).select(all, lead.hi).copysign(lead.hi)
}

/// elu x = `x > 0 ? x : alpha (e^x - 1)` (Clevert, Unterthiner and Hochreiter 2015), at most 0.54 ULP (0.75 if the
/// result is subnormal).
///
/// elu(±0) = ±0 and elu(-inf) = -alpha for positive alpha, elu(inf) = inf.
#[inline(always)]
pub fn elu<L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    elu_to::<false, L>(x, alpha)
}

#[inline(always)]
pub(super) fn elu_to<const NARROW: bool, L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    if !(!x.ge(0.0)).any() {
        return x.gt(0.0).select(x, alpha * x);
    }
    let tiny = x.abs().lt(TINY);
    if tiny.any() {
        let tiny = tiny & is_moderate(alpha);
        let size = scaled_down::<600, L>(scaled_up::<600, L>(x.abs()) * alpha.abs());
        let v = size.copysign(x).xor_sign(alpha.bits() & x.int(i64::MIN));
        return tiny.select(x.gt(0.0).select(x, v), elu_of::<NARROW, L>(tiny.select(1.0, x), alpha));
    }
    elu_of::<NARROW, L>(x, alpha)
}

/// Whether a parameter is from 2^-100 to 2^100 in magnitude.
#[inline(always)]
pub(super) fn is_moderate<L: WideLanes>(alpha: F64<L>) -> Mask<f64, L> {
    alpha.abs().ge(two_to(-100)) & alpha.abs().le(two_to(100))
}

#[inline(always)]
fn elu_of<const NARROW: bool, L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    let t = x.splat(-800.0).greatest(x.splat(0.0).least(x));
    let m = expm1_pair(t, x.splat(0.0));
    let m = Pair { hi: m.hi.copysign(x), ..m };
    x.gt(0.0).select(x, mul_pair::<NARROW, L>(alpha, x.splat(0.0), m))
}

/// scale = 1.0507009873554804934193349852946, this decimal as a sum of two floats.
const SELU: [f64; 2] = [f64::from_bits(0x3ff0_cfab_d6a9_1132), f64::from_bits(0x3c86_fc7d_272f_2695)];

/// scale times alpha = 1.6732632423543772848170429916717.
const SELU_ALPHA: [f64; 2] = [f64::from_bits(0x3ffc_212c_c640_f031), f64::from_bits(0x3c70_5161_b045_a1fe)];

/// selu x = `scale (x > 0 ? x : alpha (e^x - 1))`, at most 0.54 ULP (0.75 if the result is subnormal); the constants of
/// Klambauer et al. 2017 with 31 digits.
///
/// selu(±0) = ±0, selu(-inf) = -scale alpha, selu(inf) = inf.
#[inline(always)]
pub fn selu<L: WideLanes>(x: F64<L>) -> F64<L> {
    selu_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn selu_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    if !(!(x.ge(TINY) | x.eq(0.0))).any() {
        return positive_selu(x);
    }
    let tiny = x.abs().lt(TINY);
    if tiny.any() {
        let slope = x.lt(0.0).select(linear(x, SELU_ALPHA[0], SELU_ALPHA[1]), linear(x, SELU[0], SELU[1]));
        return tiny.select(slope, selu_of::<NARROW, L>(tiny.select(1.0, x)));
    }
    selu_of::<NARROW, L>(x)
}

#[inline(always)]
fn selu_of<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let t = x.splat(-800.0).greatest(x.splat(0.0).least(x));
    let m = expm1_pair(t, x.splat(0.0));
    let m = Pair { hi: m.hi.copysign(x), ..m };
    let negative = mul_pair::<NARROW, L>(x.splat(SELU_ALPHA[0]), x.splat(SELU_ALPHA[1]), m);
    x.gt(0.0).select(positive_selu(x), negative)
}

/// `scale x`, for x that are not tiny.
#[inline(always)]
fn positive_selu<L: WideLanes>(x: F64<L>) -> F64<L> {
    x.eq(f64::INFINITY).select(x, x.mul_add(SELU[0], x * SELU[1]))
}

/// `(a / b, up, down)`: the quotient as a pair, the factor by which a and b were multiplied first, and its reciprocal.
/// The factor is 1, or 2^100 for b below 1e-270, where the remainder would underflow.
#[inline(always)]
pub(super) fn ratio<L: WideLanes>(a: F64<L>, b: F64<L>) -> (Pair<L>, F64<L>, F64<L>) {
    let small = b.abs().lt(1e-270);
    let up = small.select(two_to(100), a.splat(1.0));
    let down = small.select(two_to(-100), a.splat(1.0));
    let (a, b) = (a * up, b * up);
    let high = a / b;
    (Pair { hi: high, lo: high.neg_mul_add(b, a) / b }, up, down)
}

/// celu x = `max(x, 0) + min(0, alpha (e^(x / alpha) - 1))` (Barron 2017), at most 0.56 ULP (0.75 if the result is
/// subnormal).
///
/// celu(±0) = ±0 and celu(-inf) = -alpha for positive alpha, celu(inf) = inf.
#[inline(always)]
pub fn celu<L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    celu_to::<false, L>(x, alpha)
}

#[inline(always)]
pub(super) fn celu_to<const NARROW: bool, L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    if !(!(x.gt(0.0) | (x.eq(0.0) & alpha.abs().gt(0.0)))).any() {
        return x;
    }
    // The original x, for the results that are x itself.
    let original = x;
    let tiny = x.abs().lt(TINY);
    let x = if tiny.any() { (tiny & is_moderate(alpha)).select(alpha * 1e-20, x) } else { x };
    let (q, up, down) = ratio(x, alpha);
    let near = q.hi.gt(-800.0) & q.hi.lt(709.0);
    let t = x.splat(-800.0).greatest(x.splat(709.0).least(q.hi));
    let m = expm1_pair(t, near.select(q.lo, 0.0));
    let mut v = mul_pair::<NARROW, L>(alpha * up, x.splat(0.0), m) * down;
    // Only with a negative alpha: alpha e^q, scaled last.
    let far = q.hi.ge(709.0);
    if far.any() {
        // Above these, all results are infinite.
        let small = down.lt(1.0);
        let most = small.select(1460.0, x.splat(1380.0));
        let within = q.hi.lt(most);
        let e = exponential(within.select(q.hi, most), within.select(q.lo, 0.0));
        let lead = two_product(alpha * up, e.value.hi);
        let all = lead.hi + (alpha * up).mul_add(e.value.lo, lead.lo);
        v = far.select(all.scale(small.select(e.n - 100.0, e.n)).copysign(alpha), v);
    }
    // Below 2^-54 the result is x, and the quotient may be subnormal.
    let small = q.hi.abs().lt(5e-17);
    (x.gt(0.0) | small).select(original, v)
}
