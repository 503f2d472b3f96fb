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
