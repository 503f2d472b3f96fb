//! Powers of two and the parts of a float, by its exact value.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_plan::DType;

use super::domain::same1;
use super::real::Real;
use crate::round::{Format, Number};
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
    match (power(x), x.number()) {
        (Some(power), _) => Value::from_i128(x.dtype, power.into()),
        (None, Number::Infinite { .. }) => Value::from_f64(x.dtype, f64::INFINITY),
        (None, Number::Finite { .. }) => Value::from_f64(x.dtype, f64::NEG_INFINITY),
        (None, Number::Nan { .. }) => x,
    }
}

pub(super) fn Mantissa(args: &[Value], _: Option<DType>) -> Value {
    match power(args[0]) {
        Some(power) => scaled(args[0], -i128::from(power) - 1),
        None => args[0],
    }
}

pub(super) fn Exponent(args: &[Value], _: Option<DType>) -> Value {
    Value::from_i128(DType::I32, power(args[0]).map_or(0, |power| i128::from(power) + 1))
}

pub(super) fn Fraction(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x, fraction, fraction)
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

/// The `e` of `|x| = m * 2^e`, `1 <= m < 2`; none for zeros, infinities and NaN.
fn power(x: Value) -> Option<i32> {
    debug_assert!(Format::of(x.dtype).is_some(), "a float");
    match x.number() {
        Number::Finite { magnitude, exponent, .. } if magnitude != 0 => Some(magnitude.ilog2() as i32 + exponent),
        _ => None,
    }
}

fn fraction<F: Real>(x: F) -> F {
    let whole = x.integral()[2];
    let fraction = if x.finite() || x.nan() { x - whole } else { F::from(0.0) };
    if fraction.nan() { fraction } else { fraction.signed_as(x) }
}
