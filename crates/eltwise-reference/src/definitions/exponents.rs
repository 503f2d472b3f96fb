//! Scaling by powers of two, and the parts of a float: exponent, mantissa, fraction.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;

use super::compute_type::unary;
use super::float::Float;
use crate::number::{Format, Number};
use crate::value::Value;

pub(super) fn Ldexp(args: &[Value], _: Option<DType>) -> Value {
    scaled(args[0], args[1].to_i128())
}

pub(super) fn Scalb(args: &[Value], _: Option<DType>) -> Value {
    match args[1].is_nan() {
        true => args[1],
        false => scaled(args[0], args[1].to_i128()),
    }
}

pub(super) fn Logb(args: &[Value], _: Option<DType>) -> Value {
    let x = args[0];
    match (exponent(x), x.number()) {
        (Some(e), _) => Value::from_i128(x.dtype, e.into()),
        (None, Number::Infinite { .. }) => Value::from_f64(x.dtype, f64::INFINITY),
        (None, Number::Finite { .. }) => Value::from_f64(x.dtype, f64::NEG_INFINITY),
        (None, Number::Nan { .. }) => x,
    }
}

pub(super) fn Mantissa(args: &[Value], _: Option<DType>) -> Value {
    match exponent(args[0]) {
        Some(e) => scaled(args[0], -i128::from(e) - 1),
        None => args[0],
    }
}

pub(super) fn Exponent(args: &[Value], _: Option<DType>) -> Value {
    Value::from_i128(DType::I32, exponent(args[0]).map_or(0, |e| i128::from(e) + 1))
}

pub(super) fn Fraction(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, fraction, fraction)
}

/// `x * 2^n`, rounded once.
fn scaled(x: Value, n: i128) -> Value {
    match x.number() {
        Number::Finite { negative, magnitude, exponent } => {
            let exponent = exponent + n.clamp(-100_000, 100_000) as i32;
            Value::from_number(x.dtype, Number::Finite { negative, magnitude, exponent })
        }
        _ => x,
    }
}

/// The `e` of `|x| = m * 2^e` with `1 <= m < 2`; `None` for zeros, infinities and NaN.
fn exponent(x: Value) -> Option<i32> {
    debug_assert!(Format::of(x.dtype).is_some(), "a float");
    match x.number() {
        Number::Finite { magnitude, exponent, .. } if magnitude != 0 => Some(magnitude.ilog2() as i32 + exponent),
        _ => None,
    }
}

fn fraction<F: Float>(x: F) -> F {
    let fraction = if x.is_finite() || x.is_nan() { x - x.trunc() } else { F::from(0.0) };
    if fraction.is_nan() { fraction } else { fraction.copysign(x) }
}
