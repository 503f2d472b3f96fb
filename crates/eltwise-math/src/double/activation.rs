//! sigmoid, silu, gelu, gelu_tanh, mish, softplus, elu, celu, selu, softcap of `f64`.
//!
//! All are forms without cancellation of one exponential `z = e^-|x|` in `(0, 1]`, known in two parts (`Exponential`), that is
//! scaled at the end only, so that results below the smallest normal number are rounded once. Quotients keep the remainder of
//! their division (Markstein 1990), products and sums their error (Dekker 1971).

use eltwise_simd::WideLanes;

use super::hyperbolic::{Parts, Reduced, any_sum, product, quotient, reduce, sum, tanh_parts};
use super::inverse_hyperbolic::{LOG_3_2, log_of};
use crate::vector::F64;

/// `e^x = 2^n (high + low)`, `high + low` near 0.7 to 1.42, to some 2^-57.
struct Exponential<L: WideLanes> {
    n: F64<L>,
    value: Parts<L>,
}

/// `e^(x + low)`, `|x| <= 1100`.
#[inline(always)]
fn exponential<L: WideLanes>(x: F64<L>, low: F64<L>) -> Exponential<L> {
    let Reduced { n, r, even, odd } = reduce(x, low);
    let lead = sum(x.splat(1.0), r);
    Exponential { n, value: sum(lead.high, lead.low + (even + odd)) }
}

impl<L: WideLanes> Exponential<L> {
    /// The number itself; what is below 2^-200 need not be exact.
    #[inline(always)]
    fn scaled(&self) -> Parts<L> {
        let factor = self.n.greatest(-200.0).power_of_two();
        Parts { high: self.value.high * factor, low: self.value.low * factor }
    }
}

/// `factor / (1 + e^-w)` of `w + low`, `|w| <= 1000`.
#[inline(always)]
fn logistic<L: WideLanes>(factor: F64<L>, w: F64<L>, low: F64<L>) -> F64<L> {
    let negative = w.lt(0.0);
    let e = exponential(-w.abs(), negative.select(low, -low));
    let z = e.scaled();
    let below = sum(w.splat(1.0), z.high);
    let below = Parts { low: below.low + z.low, ..below };
    let above = product(factor, negative.select(e.value.high, 1.0));
    let above = Parts { low: factor.mul_add(negative.select(e.value.low, 0.0), above.low), ..above };
    let q = quotient(above, below, w.splat(1.0) / below.high);
    (q.high + q.low).scale(negative.select(e.n, 0.0))
}

/// `1 / (1 + e^-x)`
#[inline(always)]
pub fn sigmoid<L: WideLanes>(x: F64<L>) -> F64<L> {
    let w = x.splat(-760.0).greatest(x.splat(760.0).least(x));
    logistic(x.splat(1.0), w, x.splat(0.0))
}

/// `x / (1 + e^-x)`
#[inline(always)]
pub fn silu<L: WideLanes>(x: F64<L>) -> F64<L> {
    let w = x.splat(-760.0).greatest(x.splat(760.0).least(x));
    x.gt(40.0).select(x, logistic(w, w, x.splat(0.0)))
}

/// `2 sqrt(2 / pi)`, in two parts.
const TANH_FIRST: [f64; 2] = [f64::from_bits(0x3ff9_8845_33d4_3651), f64::from_bits(0xbc9c_bc0d_30eb_fd15)];
/// `2 sqrt(2 / pi) 0.044715`, in two parts.
const TANH_THIRD: [f64; 2] = [f64::from_bits(0x3fb2_444f_2a4d_8b4b), f64::from_bits(0xbc26_c843_a29d_1c70)];

/// `x / (1 + e^-w)`, `w = 2 sqrt(2 / pi) (x + 0.044715 x^3)`: gelu with `tanh`.
#[inline(always)]
pub fn gelu_tanh<L: WideLanes>(x: F64<L>) -> F64<L> {
    let t = x.splat(-22.0).greatest(x.splat(22.0).least(x));
    let square = product(t, t);
    let third = product(square.high, x.splat(TANH_THIRD[0]));
    let third_low = square.low.mul_add(TANH_THIRD[0], square.high.mul_add(TANH_THIRD[1], third.low));
    // The square term may be the larger one: up to 17 times.
    let inner = any_sum(x.splat(TANH_FIRST[0]), third.high);
    let inner_low = inner.low + (third_low + TANH_FIRST[1]);
    let w = product(t, inner.high);
    let w = sum(w.high, t.mul_add(inner_low, w.low));
    x.gt(20.0).select(x, logistic(t, w.high, w.low))
}

/// `x tanh(log(1 + e^x))`
#[inline(always)]
pub fn mish<L: WideLanes>(x: F64<L>) -> F64<L> {
    let t = x.splat(-760.0).greatest(x.splat(760.0).least(x));
    let negative = t.lt(0.0);
    let e = exponential(-t.abs(), x.splat(0.0));
    let z = e.scaled();
    // With y = z (x < 0) or 2 z, u = 1 + y: x z (1 + u) / (1 + u^2), or 2 x u / (1 + u^2).
    let factor = negative.select(1.0, x.splat(2.0));
    let u = sum(x.splat(1.0), z.high * factor);
    let u = sum(u.high, z.low.mul_add(factor, u.low));
    let square = product(u.high, u.high);
    let below = sum(square.high, x.splat(1.0));
    let below = Parts { low: below.low + (u.high + u.high).mul_add(u.low, square.low), ..below };
    let more = sum(u.high, negative.select(1.0, u.high));
    let more_low = u.low.mul_add(factor, more.low);
    let outer = product(t, negative.select(e.value.high, 1.0));
    let outer_low = t.mul_add(negative.select(e.value.low, 0.0), outer.low);
    let above = product(outer.high, more.high);
    let above = Parts { low: above.low + outer.high.mul_add(more_low, outer_low * more.high), ..above };
    let q = quotient(above, below, x.splat(1.0) / below.high);
    x.gt(40.0).select(x, (q.high + q.low).scale(negative.select(e.n, 0.0)))
}

/// `log(1 + e^x)`
#[inline(always)]
pub fn softplus<L: WideLanes>(x: F64<L>) -> F64<L> {
    let t = x.splat(-760.0).greatest(x.splat(760.0).least(x));
    let zero = x.splat(0.0);
    let e = exponential(-t.abs(), zero);
    let z = e.scaled();
    // log(1 + z) = log c + 2 atanh((1 + z - c) / (1 + z + c)), c = 1 or 1.5.
    let upper = z.high.gt(1.0 / 3.0);
    let below = sum(upper.select(2.5, x.splat(2.0)), z.high);
    let below = Parts { low: below.low + z.low, ..below };
    let above = Parts { high: z.high - upper.select(0.5, zero), low: z.low };
    let s = quotient(above, below, x.splat(1.0) / below.high);
    let log = log_of(s, [upper.select(LOG_3_2[0], zero), upper.select(LOG_3_2[1], zero)]);
    let all = any_sum(zero.greatest(t), log.high);
    // Far out the logarithm is z, perhaps below the smallest normal number.
    let far = t.lt(-40.0);
    let v = far.select(e.value.high, all.high) + far.select(e.value.low, all.low + log.low);
    x.gt(40.0).select(x, v.scale(far.select(e.n, zero)))
}

/// `e^(x + low) - 1`, `-1000 <= x <= 709`, in two parts; near 0 to 2^-55 of itself.
#[inline(always)]
fn less_one<L: WideLanes>(x: F64<L>, low: F64<L>) -> Parts<L> {
    let Reduced { n, r, even, odd } = reduce(x, low);
    let factor = n.greatest(-60.0).power_of_two();
    let whole = factor - 1.0;
    let left = factor - (whole + 1.0);
    let high = factor.mul_add(r, whole);
    let low = factor.mul_add(r, whole - high) + left;
    sum(high, factor.mul_add(even + odd, low))
}

/// `(a + a_low) v`, rounded: infinite and zero as `a v`, with its sign.
#[inline(always)]
fn times<L: WideLanes>(a: F64<L>, a_low: F64<L>, v: Parts<L>) -> F64<L> {
    let lead = product(a, v.high);
    let all = lead.high + a.mul_add(v.low, a_low.mul_add(v.high, lead.low));
    lead.high.abs().lt(f64::INFINITY).select(all, lead.high).copysign(lead.high)
}

/// `x > 0 ? x : alpha (e^x - 1)`
#[inline(always)]
pub fn elu<L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    let t = x.splat(-800.0).greatest(x.splat(0.0).least(x));
    let m = less_one(t, x.splat(0.0));
    let m = Parts { high: m.high.copysign(x), ..m };
    x.gt(0.0).select(x, times(alpha, x.splat(0.0), m))
}

/// The exact decimal 1.0507009873554804934193349852946, in two parts.
const SELU: [f64; 2] = [f64::from_bits(0x3ff0_cfab_d6a9_1132), f64::from_bits(0x3c86_fc7d_272f_2695)];
/// That times 1.6732632423543772848170429916717.
const SELU_ALPHA: [f64; 2] = [f64::from_bits(0x3ffc_212c_c640_f031), f64::from_bits(0x3c70_5161_b045_a1fe)];

/// `scale (x > 0 ? x : alpha (e^x - 1))`
#[inline(always)]
pub fn selu<L: WideLanes>(x: F64<L>) -> F64<L> {
    let t = x.splat(-800.0).greatest(x.splat(0.0).least(x));
    let m = less_one(t, x.splat(0.0));
    let m = Parts { high: m.high.copysign(x), ..m };
    let negative = times(x.splat(SELU_ALPHA[0]), x.splat(SELU_ALPHA[1]), m);
    let positive = x.mul_add(SELU[0], x * SELU[1]);
    x.eq(f64::INFINITY).select(x, x.gt(0.0).select(positive, negative))
}

/// `a / b` in two parts, and what both were multiplied with (1, or 2^100 for so small a `b` that the
/// remainder would not fit), and its reciprocal.
#[inline(always)]
fn ratio<L: WideLanes>(a: F64<L>, b: F64<L>) -> (Parts<L>, F64<L>, F64<L>) {
    let small = b.abs().lt(1e-270);
    let up = small.select(f64::from_bits((1023 + 100) << 52), a.splat(1.0));
    let down = small.select(f64::from_bits((1023 - 100) << 52), a.splat(1.0));
    let (a, b) = (a * up, b * up);
    let high = a / b;
    (Parts { high, low: high.neg_mul_add(b, a) / b }, up, down)
}

/// `max(x, 0) + min(0, alpha (e^(x / alpha) - 1))`
#[inline(always)]
pub fn celu<L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    let (q, up, down) = ratio(x, alpha);
    let near = q.high.gt(-800.0) & q.high.lt(709.0);
    let t = x.splat(-800.0).greatest(x.splat(709.0).least(q.high));
    let m = less_one(t, near.select(q.low, 0.0));
    let v = times(alpha * up, x.splat(0.0), m) * down;
    // Below 2^-54 the result is x; there the quotient may be subnormal.
    let small = q.high.abs().lt(5e-17);
    (x.gt(0.0) | small).select(x, v)
}

/// `c tanh(x / c)`
#[inline(always)]
pub fn softcap<L: WideLanes>(x: F64<L>, c: F64<L>) -> F64<L> {
    let (q, up, down) = ratio(x.abs(), c.abs());
    let t = x.splat(22.0).least(q.high);
    let tanh = tanh_parts(t, q.high.lt(22.0).select(q.low, 0.0));
    let v = times(c.abs() * up, x.splat(0.0), tanh) * down;
    q.high.lt(3e-9).select(x, v.copysign(x))
}
