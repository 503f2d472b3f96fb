//! Activations.

use eltwise_simd::WideLanes;

use core::f32::consts::LOG2_E;

use crate::single::exponential::{EXP, LN_2_HIGH, LN_2_LOW, ROUND, exp_wide, expm1_wide};
use crate::vector::{F32, F64, horner};

/// `1 / d` with a relative error of 2^-45, for `d` between 2^-100 and 2^100: a division in `f32` lanes and a step of Newton.
#[inline(always)]
fn reciprocals<L: WideLanes>(d: [F64<L>; 2]) -> [F64<L>; 2] {
    let one = F32::narrow(d);
    let [low, high] = (one.splat(1.0) / one).widen();
    [low.mul_add(low.neg_mul_add(d[0], 1.0), low), high.mul_add(high.neg_mul_add(d[1], 1.0), high)]
}

/// `e^-|v|` down to -150
#[inline(always)]
fn decay<L: WideLanes>(v: F64<L>) -> F64<L> {
    exp_wide(v.splat(-150.0).greatest(-v.abs()))
}

/// `x sigmoid(v)`
#[inline(always)]
fn gated<L: WideLanes>(x: [F64<L>; 2], v: [F64<L>; 2]) -> F32<L> {
    let e = [decay(v[0]), decay(v[1])];
    let y = reciprocals([e[0] + 1.0, e[1] + 1.0]);
    let x = [v[0].lt(0.0).select(x[0] * e[0], x[0]), v[1].lt(0.0).select(x[1] * e[1], x[1])];
    F32::narrow([x[0] * y[0], x[1] * y[1]])
}

/// The sigmoid of `x` within `|x| <= 110` as `(q + rest / d) 2^n`: `q, rest, 1 / d, n`.
#[inline(always)]
fn logistic<L: WideLanes>(x: F32<L>) -> (F32<L>, F32<L>, F32<L>, F32<L>) {
    let v = -x.abs();
    let n = v.mul_add(LOG2_E, ROUND) - ROUND;
    let r = n.neg_mul_add(LN_2_LOW, n.neg_mul_add(LN_2_HIGH, v));
    let [_, rest @ ..] = EXP;
    let h = horner(r, &rest);
    let p = r.mul_add(h, 1.0);
    let p_rest = r.mul_add(h, x.splat(1.0) - p);
    // d = 1 + e^-|x|
    let power = x.splat(-100.0).greatest(n).power_of_two();
    let d = p.mul_add(power, 1.0);
    let d_rest = p_rest.mul_add(power, p.mul_add(power, x.splat(1.0) - d));
    let negative = x.lt(0.0);
    let (top, top_rest, n) = (negative.select(p, 1.0), negative.select(p_rest, 0.0), negative.select(n, 0.0));
    let inverse = x.splat(1.0) / d;
    let q = top * inverse;
    (q, q.neg_mul_add(d, top) + q.neg_mul_add(d_rest, top_rest), inverse, n)
}

/// sigmoid
#[inline(always)]
pub fn sigmoid<L: WideLanes>(x: F32<L>) -> F32<L> {
    let (q, rest, inverse, n) = logistic(x.splat(-110.0).greatest(x.splat(110.0).least(x)));
    rest.mul_add(inverse, q).scale(n)
}

/// silu
#[inline(always)]
pub fn silu<L: WideLanes>(x: F32<L>) -> F32<L> {
    let x = x.splat(-110.0).greatest(x);
    let near = x.splat(110.0).least(x);
    let (q, rest, inverse, n) = logistic(near);
    x.mul_add(q, near * (rest * inverse)).scale(n)
}

/// gelu_tanh
#[inline(always)]
pub fn gelu_tanh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let v = x.splat(-11.0).greatest(x).widen();
    gated(v, [gelu_argument(v[0]), gelu_argument(v[1])])
}

/// 2 sqrt(2 / pi) (x + 0.044715 x^3)
#[inline(always)]
fn gelu_argument<L: WideLanes>(x: F64<L>) -> F64<L> {
    x * (x * x).mul_add(0.071_354_816_272_600_4, 1.595_769_121_605_730_7)
}

/// mish
#[inline(always)]
pub fn mish<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [a, b] = x.splat(-120.0).greatest(x).widen();
    let n = [mish_factor(a), mish_factor(b)];
    let y = reciprocals([n[0] + 2.0, n[1] + 2.0]);
    F32::narrow([a * n[0] * y[0], b * n[1] * y[1]])
}

#[inline(always)]
fn mish_factor<L: WideLanes>(x: F64<L>) -> F64<L> {
    let e = exp_wide(x.splat(20.0).least(x));
    e * (e + 2.0)
}

/// softplus
#[inline(always)]
pub fn softplus<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [a, b] = x.widen();
    F32::narrow([softplus_wide(a), softplus_wide(b)])
}

const LOG1P: [f64; 2] = [1.0, -0.3];

#[inline(always)]
fn softplus_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    let e = decay(x);
    e.mul_add(horner(e, &LOG1P), x.splat(0.0).greatest(x))
}

/// elu
#[inline(always)]
pub fn elu<L: WideLanes>(x: F32<L>, alpha: F32<L>) -> F32<L> {
    let ([a, b], [c, d]) = (x.splat(-100.0).greatest(x.splat(0.0).least(x)).widen(), alpha.widen());
    x.gt(0.0).select(x, F32::narrow([c * expm1_wide(a), d * expm1_wide(b)]))
}
