//! Conversions between dtypes, and reinterpretation of bits.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;

use crate::number::{Format, integer_range};
use crate::value::Value;

/// A cast to the operand's own dtype is a copy: it keeps NaN payloads and any non-zero byte of a `bool`.
pub(super) fn Cast(args: &[Value], target: Option<DType>) -> Value {
    let x = args[0];
    match target {
        Some(to) if to == DType::Bool && x.dtype != DType::Bool => Value::from_bool(x.truth()),
        Some(to) if to != x.dtype => {
            if x.dtype.is_float() {
                Value::from_number(to, x.number())
            } else {
                Value::from_i128(to, x.to_i128())
            }
        }
        _ => x,
    }
}

/// Like `cast`, but a value outside the target's range becomes the nearest end of the range.
pub(super) fn CastSaturating(args: &[Value], target: Option<DType>) -> Value {
    let x = args[0];
    match target {
        Some(to) if to != x.dtype && to != DType::Bool && x.dtype != DType::Bool => saturate(x, to),
        _ => Cast(args, target),
    }
}

fn saturate(x: Value, to: DType) -> Value {
    if to.is_integer() {
        // The conversion of a float to an integer saturates already.
        let (low, high) = integer_range(to);
        return if x.dtype.is_float() {
            Value::from_number(to, x.number())
        } else {
            Value::from_i128(to, x.to_i128().clamp(low, high))
        };
    }
    let out = Value::from_number(to, x.number());
    let largest = largest(to);
    // An infinity stays infinite in a float dtype with the same or a wider range.
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

/// The operand's bits as another dtype. A byte becomes a `bool` unchanged, even if it is not 0 or 1.
pub(super) fn Bitcast(args: &[Value], target: Option<DType>) -> Value {
    Value::new(target.unwrap_or(args[0].dtype), args[0].bits)
}
