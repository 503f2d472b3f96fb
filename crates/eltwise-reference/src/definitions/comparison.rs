//! Comparisons, classification and logic: operators whose result is `bool`.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use std::cmp::Ordering;

use eltwise_core::DType;

use crate::value::Value;

pub(super) fn Equal(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(order(args) == Some(Ordering::Equal))
}

pub(super) fn NotEqual(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(order(args) != Some(Ordering::Equal))
}

pub(super) fn Less(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(order(args).is_some_and(Ordering::is_lt))
}

pub(super) fn LessEqual(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(order(args).is_some_and(Ordering::is_le))
}

pub(super) fn Greater(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(order(args).is_some_and(Ordering::is_gt))
}

pub(super) fn GreaterEqual(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(order(args).is_some_and(Ordering::is_ge))
}

pub(super) fn LogicalAnd(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(args[0].truth() && args[1].truth())
}

pub(super) fn LogicalOr(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(args[0].truth() || args[1].truth())
}

pub(super) fn LogicalXor(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(args[0].truth() != args[1].truth())
}

pub(super) fn LogicalNot(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(!args[0].truth())
}

pub(super) fn IsNan(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(args[0].is_nan())
}

pub(super) fn IsInf(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(args[0].to_f64().is_infinite())
}

pub(super) fn IsPosInf(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(args[0].to_f64() == f64::INFINITY)
}

pub(super) fn IsNegInf(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(args[0].to_f64() == f64::NEG_INFINITY)
}

pub(super) fn IsClose(args: &[Value], _: Option<DType>) -> Value {
    let (x, y) = (args[0], args[1]);
    if x.is_nan() && y.is_nan() {
        return Value::from_bool(args[4].truth());
    }
    let is_near = match x.dtype.compute() {
        DType::F32 => is_near(args, Value::to_f32, f32::abs),
        _ => is_near(args, Value::to_f64, f64::abs),
    };
    Value::from_bool(order(args) == Some(Ordering::Equal) || (y.to_f64().is_finite() && is_near))
}

/// `|x - y| <= atol + rtol * |y|`
fn is_near<F>(args: &[Value], number: fn(Value) -> F, abs: fn(F) -> F) -> bool
where
    F: Copy + PartialOrd + std::ops::Sub<Output = F> + std::ops::Mul<Output = F> + std::ops::Add<Output = F>,
{
    let [x, y, rtol, atol] = [0, 1, 2, 3].map(|k| number(args[k]));
    abs(x - y) <= atol + rtol * abs(y)
}

/// The operand that replaces a value, or the value.
pub(super) fn NanToNum(args: &[Value], _: Option<DType>) -> Value {
    match args[0].to_f64() {
        x if x.is_nan() => args[1],
        f64::INFINITY => args[2],
        f64::NEG_INFINITY => args[3],
        _ => args[0],
    }
}

pub(super) fn IsFinite(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(args[0].to_f64().is_finite())
}

pub(super) fn SignBit(args: &[Value], _: Option<DType>) -> Value {
    Value::from_bool(args[0].bits >> (8 * args[0].dtype.size() - 1) == 1)
}

/// The order of two values of one dtype: `None` if one is NaN; the zeros are equal; false is less than true. Every
/// float is exact in `f64`.
fn order(args: &[Value]) -> Option<Ordering> {
    let (x, y) = (args[0], args[1]);
    if x.dtype.is_float() { x.to_f64().partial_cmp(&y.to_f64()) } else { Some(x.to_i128().cmp(&y.to_i128())) }
}
