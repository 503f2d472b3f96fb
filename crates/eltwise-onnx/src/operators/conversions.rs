//! Conversions, selection and copies.

use eltwise::DType;

use super::{Call, Output};
use crate::node::Unsupported;

/// The dtype of a number of ONNX's `TensorProto.DataType`; `None` for those that have no elements of ours.
pub(super) fn dtype(number: i64) -> Option<DType> {
    Some(match number {
        1 => DType::F32,
        2 => DType::U8,
        3 => DType::I8,
        4 => DType::U16,
        5 => DType::I16,
        6 => DType::I32,
        7 => DType::I64,
        9 => DType::Bool,
        10 => DType::F16,
        11 => DType::F64,
        12 => DType::U32,
        13 => DType::U64,
        16 => DType::BF16,
        _ => return None,
    })
}

/// Floats to integers round toward zero and saturate, where ONNX leaves values outside of the range undefined.
pub(super) fn cast(call: &Call<'_>) -> Result<Output, Unsupported> {
    let number = call.node.int("to", 0)?;
    let to = dtype(number)
        .ok_or_else(|| call.unsupported(format!("data type {number} of attribute to is not supported")))?;
    Ok(Output::new(call.operand(0)?.expr.cast(to), to))
}

pub(super) fn cast_like(call: &Call<'_>) -> Result<Output, Unsupported> {
    let to = call.operand(1)?.dtype;
    Ok(Output::new(call.operand(0)?.expr.cast(to), to))
}

pub(super) fn identity(call: &Call<'_>) -> Result<Output, Unsupported> {
    let x = call.operand(0)?;
    Ok(Output::new(x.expr.copy(), x.dtype))
}

pub(super) fn select(call: &Call<'_>) -> Result<Output, Unsupported> {
    let (condition, x, y) = (call.operand(0)?, call.operand(1)?, call.operand(2)?);
    Ok(Output::new(condition.expr.where_(&x.expr, &y.expr), x.dtype))
}
