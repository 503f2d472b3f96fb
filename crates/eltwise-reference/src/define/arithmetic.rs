//! Arithmetic, extremes, and what is made of them.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use std::ops::{Add as _, Mul as _, Neg as _, Sub as _};

use eltwise_plan::DType;

use super::domain::{same1, same2, same3};
use super::real::Real;
use crate::value::Value;

pub(super) fn Add(args: &[Value], _: Option<DType>) -> Value {
    same2(args, i128::wrapping_add, f32::add, f64::add)
}

pub(super) fn Subtract(args: &[Value], _: Option<DType>) -> Value {
    same2(args, i128::wrapping_sub, f32::sub, f64::sub)
}

pub(super) fn Multiply(args: &[Value], _: Option<DType>) -> Value {
    same2(args, i128::wrapping_mul, f32::mul, f64::mul)
}

pub(super) fn Negative(args: &[Value], _: Option<DType>) -> Value {
    same1(args, i128::wrapping_neg, f32::neg, f64::neg)
}

pub(super) fn Abs(args: &[Value], _: Option<DType>) -> Value {
    same1(args, i128::wrapping_abs, f32::magnitude, f64::magnitude)
}

pub(super) fn Sqrt(args: &[Value], _: Option<DType>) -> Value {
    // The catalogue gives it no integers.
    same1(args, |x| x, f32::root, f64::root)
}

pub(super) fn Fma(args: &[Value], _: Option<DType>) -> Value {
    same3(args, |x, y, z| x.wrapping_mul(y).wrapping_add(z), f32::fused, f64::fused)
}

pub(super) fn Maximum(args: &[Value], _: Option<DType>) -> Value {
    args[1..].iter().fold(args[0], |x, &y| same2(&[x, y], i128::max, larger, larger))
}

pub(super) fn Minimum(args: &[Value], _: Option<DType>) -> Value {
    args[1..].iter().fold(args[0], |x, &y| same2(&[x, y], i128::min, smaller, smaller))
}

pub(super) fn Fmax(args: &[Value], _: Option<DType>) -> Value {
    same2(args, i128::max, larger_number, larger_number)
}

pub(super) fn Fmin(args: &[Value], _: Option<DType>) -> Value {
    same2(args, i128::min, smaller_number, smaller_number)
}

pub(super) fn SquaredDifference(args: &[Value], _: Option<DType>) -> Value {
    same2(args, |x, y| x.wrapping_sub(y).wrapping_mul(x.wrapping_sub(y)), squared_difference, squared_difference)
}

pub(super) fn AbsDifference(args: &[Value], _: Option<DType>) -> Value {
    same2(args, |x, y| (x - y).abs(), |x, y| (x - y).magnitude(), |x, y| (x - y).magnitude())
}

pub(super) fn Positive(args: &[Value], _: Option<DType>) -> Value {
    args[0]
}

pub(super) fn Sign(args: &[Value], _: Option<DType>) -> Value {
    same1(args, i128::signum, sign, sign)
}

pub(super) fn Square(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x.wrapping_mul(x), |x| x * x, |x| x * x)
}

pub(super) fn Reciprocal(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x, |x| 1.0 / x, |x| 1.0 / x)
}

pub(super) fn Lerp(args: &[Value], _: Option<DType>) -> Value {
    same3(args, |x, _, _| x, lerp, lerp)
}

/// The sign bit of y on x, of a NaN too.
pub(super) fn Copysign(args: &[Value], _: Option<DType>) -> Value {
    let (x, y) = (args[0], args[1]);
    let sign = 1 << (8 * x.dtype.size() - 1);
    Value::new(x.dtype, (x.bits & !sign) | (y.bits & sign))
}

pub(super) fn Clamp(args: &[Value], _: Option<DType>) -> Value {
    same3(args, |x, lo, hi| x.max(lo).min(hi), clamped, clamped)
}

/// IEEE 754-2019 maximumNumber: a NaN only of two.
fn larger_number<F: Real>(x: F, y: F) -> F {
    match (x.nan(), y.nan()) {
        (true, _) => y,
        (_, true) => x,
        _ => larger(x, y),
    }
}

/// IEEE 754-2019 minimumNumber: a NaN only of two.
fn smaller_number<F: Real>(x: F, y: F) -> F {
    match (x.nan(), y.nan()) {
        (true, _) => y,
        (_, true) => x,
        _ => smaller(x, y),
    }
}

fn squared_difference<F: Real>(x: F, y: F) -> F {
    (x - y) * (x - y)
}

fn sign<F: Real>(x: F) -> F {
    if x > F::from(0.0) {
        F::from(1.0)
    } else if x < F::from(0.0) {
        F::from(-1.0)
    } else if x.nan() {
        x
    } else {
        F::from(0.0)
    }
}

fn lerp<F: Real>(x: F, y: F, t: F) -> F {
    t.fused(y, (-t).fused(x, x))
}

/// IEEE 754-2019 maximum: a NaN of either operand, else the larger, +0 before -0.
pub(super) fn larger<F: Real>(x: F, y: F) -> F {
    if x.nan() || y.nan() {
        return if x.nan() { x } else { y };
    }
    if x == y {
        if x.negative() { y } else { x }
    } else if x > y {
        x
    } else {
        y
    }
}

/// IEEE 754-2019 minimum: a NaN of either operand, else the smaller, -0 before +0.
fn smaller<F: Real>(x: F, y: F) -> F {
    if x.nan() || y.nan() {
        return if x.nan() { x } else { y };
    }
    if x == y {
        if x.negative() { x } else { y }
    } else if x < y {
        x
    } else {
        y
    }
}

pub(super) fn clamped<F: Real>(x: F, lo: F, hi: F) -> F {
    smaller(larger(x, lo), hi)
}
