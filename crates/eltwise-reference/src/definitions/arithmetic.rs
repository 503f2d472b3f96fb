//! Sums, products, extremes, signs, and operators made of them.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use std::ops::{Add as _, Mul as _, Neg as _, Sub as _};

use eltwise_core::DType;

use super::compute_type::{binary, quaternary, ternary, unary};
use super::float::Float;
use crate::value::Value;

pub(super) fn Add(args: &[Value], _: Option<DType>) -> Value {
    binary(args, i128::wrapping_add, f32::add, f64::add)
}

pub(super) fn Subtract(args: &[Value], _: Option<DType>) -> Value {
    binary(args, i128::wrapping_sub, f32::sub, f64::sub)
}

pub(super) fn Multiply(args: &[Value], _: Option<DType>) -> Value {
    binary(args, i128::wrapping_mul, f32::mul, f64::mul)
}

pub(super) fn Negative(args: &[Value], _: Option<DType>) -> Value {
    unary(args, i128::wrapping_neg, f32::neg, f64::neg)
}

pub(super) fn Abs(args: &[Value], _: Option<DType>) -> Value {
    unary(args, i128::wrapping_abs, f32::abs, f64::abs)
}

pub(super) fn Sqrt(args: &[Value], _: Option<DType>) -> Value {
    // The catalogue gives `sqrt` no integers.
    unary(args, |x| x, f32::sqrt, f64::sqrt)
}

pub(super) fn Fma(args: &[Value], _: Option<DType>) -> Value {
    ternary(args, |x, y, z| x.wrapping_mul(y).wrapping_add(z), f32::fma, f64::fma)
}

pub(super) fn Maximum(args: &[Value], _: Option<DType>) -> Value {
    args[1..].iter().fold(args[0], |x, &y| binary(&[x, y], i128::max, maximum, maximum))
}

pub(super) fn Minimum(args: &[Value], _: Option<DType>) -> Value {
    args[1..].iter().fold(args[0], |x, &y| binary(&[x, y], i128::min, minimum, minimum))
}

pub(super) fn Fmax(args: &[Value], _: Option<DType>) -> Value {
    binary(args, i128::max, maximum_number, maximum_number)
}

pub(super) fn Fmin(args: &[Value], _: Option<DType>) -> Value {
    binary(args, i128::min, minimum_number, minimum_number)
}

pub(super) fn AddCMul(args: &[Value], _: Option<DType>) -> Value {
    quaternary(
        args,
        |[x, y, z, value]| x.wrapping_add(value.wrapping_mul(y).wrapping_mul(z)),
        |[x, y, z, value]| x + value * y * z,
        |[x, y, z, value]| x + value * y * z,
    )
}

pub(super) fn AddCDiv(args: &[Value], _: Option<DType>) -> Value {
    quaternary(args, |[x, ..]| x, |[x, y, z, value]| x + value * y / z, |[x, y, z, value]| x + value * y / z)
}

pub(super) fn SquaredDifference(args: &[Value], _: Option<DType>) -> Value {
    binary(args, |x, y| x.wrapping_sub(y).wrapping_mul(x.wrapping_sub(y)), squared_difference, squared_difference)
}

pub(super) fn AbsDifference(args: &[Value], _: Option<DType>) -> Value {
    binary(args, |x, y| (x - y).abs(), |x, y| (x - y).abs(), |x, y| (x - y).abs())
}

pub(super) fn Positive(args: &[Value], _: Option<DType>) -> Value {
    args[0]
}

pub(super) fn Sign(args: &[Value], _: Option<DType>) -> Value {
    unary(args, i128::signum, sign, sign)
}

pub(super) fn Square(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x.wrapping_mul(x), |x| x * x, |x| x * x)
}

pub(super) fn Reciprocal(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, |x| 1.0 / x, |x| 1.0 / x)
}

pub(super) fn Lerp(args: &[Value], _: Option<DType>) -> Value {
    ternary(args, |x, _, _| x, lerp, lerp)
}

/// `x` with the sign bit of `y`, even if one is NaN.
pub(super) fn Copysign(args: &[Value], _: Option<DType>) -> Value {
    let (x, y) = (args[0], args[1]);
    let sign = 1 << (8 * x.dtype.size() - 1);
    Value::new(x.dtype, (x.bits & !sign) | (y.bits & sign))
}

pub(super) fn Clamp(args: &[Value], _: Option<DType>) -> Value {
    ternary(args, |x, lo, hi| x.max(lo).min(hi), clamp, clamp)
}

/// IEEE 754-2019 maximumNumber: NaN only if both operands are NaN.
fn maximum_number<F: Float>(x: F, y: F) -> F {
    match (x.is_nan(), y.is_nan()) {
        (true, _) => y,
        (_, true) => x,
        _ => maximum(x, y),
    }
}

/// IEEE 754-2019 minimumNumber: NaN only if both operands are NaN.
fn minimum_number<F: Float>(x: F, y: F) -> F {
    match (x.is_nan(), y.is_nan()) {
        (true, _) => y,
        (_, true) => x,
        _ => minimum(x, y),
    }
}

fn squared_difference<F: Float>(x: F, y: F) -> F {
    (x - y) * (x - y)
}

fn sign<F: Float>(x: F) -> F {
    if x > F::from(0.0) {
        F::from(1.0)
    } else if x < F::from(0.0) {
        F::from(-1.0)
    } else if x.is_nan() {
        x
    } else {
        F::from(0.0)
    }
}

fn lerp<F: Float>(x: F, y: F, t: F) -> F {
    t.fma(y, (-t).fma(x, x))
}

/// IEEE 754-2019 maximum: NaN if either operand is NaN; +0 is larger than -0.
pub(super) fn maximum<F: Float>(x: F, y: F) -> F {
    if x.is_nan() || y.is_nan() {
        return if x.is_nan() { x } else { y };
    }
    if x == y {
        if x.is_sign_negative() { y } else { x }
    } else if x > y {
        x
    } else {
        y
    }
}

/// IEEE 754-2019 minimum: NaN if either operand is NaN; -0 is smaller than +0.
fn minimum<F: Float>(x: F, y: F) -> F {
    if x.is_nan() || y.is_nan() {
        return if x.is_nan() { x } else { y };
    }
    if x == y {
        if x.is_sign_negative() { x } else { y }
    } else if x < y {
        x
    } else {
        y
    }
}

pub(super) fn clamp<F: Float>(x: F, lo: F, hi: F) -> F {
    minimum(maximum(x, lo), hi)
}
