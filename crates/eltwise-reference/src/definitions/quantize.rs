//! Linear quantization to integers, and back.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;

use crate::number::{Number, integer_range};
use crate::value::Value;

/// `round(x / scale) + zero_point`, saturated: the quotient is computed in `f32`, the sum exactly.
pub(super) fn QuantizeLinear(args: &[Value], _: Option<DType>) -> Value {
    let (x, scale, zero_point) = (args[0], args[1], args[2]);
    let rounded = Value::from_f32(DType::F32, (x.to_f32() / scale.to_f32()).round_ties_even());
    let sum = match rounded.number() {
        // From 2^100 on the zero point does not count.
        Number::Finite { exponent: 77.., .. } | Number::Infinite { .. } | Number::Nan { .. } => {
            return Value::from_number(zero_point.dtype, rounded.number());
        }
        Number::Finite { .. } => rounded.to_i128() + zero_point.to_i128(),
    };
    let (low, high) = integer_range(zero_point.dtype);
    Value::from_i128(zero_point.dtype, sum.clamp(low, high))
}

/// `(x - zero_point) * scale`: the difference is exact and rounded to `f32`, the product is computed in `f32`.
pub(super) fn DequantizeLinear(args: &[Value], _: Option<DType>) -> Value {
    let (x, scale, zero_point) = (args[0], args[1], args[2]);
    let difference = Value::from_i128(DType::F32, x.to_i128() - zero_point.to_i128());
    Value::from_f32(scale.dtype, difference.to_f32() * scale.to_f32())
}
