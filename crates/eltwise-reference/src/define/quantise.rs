//! Quantised integers from floats and back, and conversions that saturate.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_plan::DType;

use super::movement::Cast;
use crate::round::{Format, Number, integer_range};
use crate::value::Value;

/// As `cast`, within the target's range.
pub(super) fn CastSaturating(args: &[Value], target: Option<DType>) -> Value {
    let x = args[0];
    match target {
        Some(to) if to != x.dtype && to != DType::Bool && x.dtype != DType::Bool => within(x, to),
        _ => Cast(args, target),
    }
}

fn within(x: Value, to: DType) -> Value {
    if to.is_integer() {
        // A float saturates by itself.
        let (low, high) = integer_range(to);
        return if x.dtype.is_float() {
            Value::from_number(to, x.number())
        } else {
            Value::from_i128(to, x.to_i128().clamp(low, high))
        };
    }
    let out = Value::from_number(to, x.number());
    let largest = largest(to);
    // A wider float keeps the infinities that it is given.
    let narrower = !x.dtype.is_float() || largest.to_f64() < self::largest(x.dtype).to_f64();
    if narrower && out.to_f64().is_infinite() {
        let sign = if out.to_f64() < 0.0 { 1u128 << (8 * to.size() - 1) } else { 0 };
        return Value::new(to, largest.bits | sign);
    }
    out
}

/// The largest finite number of a float dtype.
fn largest(dtype: DType) -> Value {
    let infinity = Format::of(dtype).map_or(1, Format::infinity);
    Value::new(dtype, u128::from(infinity - 1))
}

/// The same bits; a byte becomes a `bool` as it is.
pub(super) fn Bitcast(args: &[Value], target: Option<DType>) -> Value {
    Value::new(target.unwrap_or(args[0].dtype), args[0].bits)
}

/// `round(x / scale) + zero_point`: the quotient in `f32`, the sum exact.
pub(super) fn QuantizeLinear(args: &[Value], _: Option<DType>) -> Value {
    let (x, scale, zero_point) = (args[0], args[1], args[2]);
    let whole = Value::from_f32(DType::F32, (x.to_f32() / scale.to_f32()).round_ties_even());
    let sum = match whole.number() {
        // Past 2^100 the zero point does not count.
        Number::Finite { exponent: 77.., .. } | Number::Infinite { .. } | Number::Nan { .. } => {
            return Value::from_number(zero_point.dtype, whole.number());
        }
        Number::Finite { .. } => whole.to_i128() + zero_point.to_i128(),
    };
    let (low, high) = integer_range(zero_point.dtype);
    Value::from_i128(zero_point.dtype, sum.clamp(low, high))
}

/// `(x - zero_point) * scale`: the difference exact, rounded to `f32`.
pub(super) fn DequantizeLinear(args: &[Value], _: Option<DType>) -> Value {
    let (x, scale, zero_point) = (args[0], args[1], args[2]);
    let difference = Value::from_i128(DType::F32, x.to_i128() - zero_point.to_i128());
    Value::from_f32(scale.dtype, difference.to_f32() * scale.to_f32())
}
