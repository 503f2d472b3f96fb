//! Conversions, selection and copies.

use eltwise::Shape;

use super::Call;
use crate::node::{Translation, Unsupported, data_type};

/// Floats to integers round toward zero and saturate, where ONNX leaves values outside of the range undefined.
pub(super) fn cast(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let number = call.node.int("to", 0)?;
    let to = data_type(number)
        .ok_or_else(|| call.unsupported(format!("data type {number} of attribute to is not supported")))?;
    Ok(Translation::new(call.operand(0)?.expr.cast(to), to))
}

pub(super) fn cast_like(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let to = call.operand(1)?.dtype;
    Ok(Translation::new(call.operand(0)?.expr.cast(to), to))
}

pub(super) fn identity(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let x = call.operand(0)?;
    Ok(Translation::new(x.expr.copy(), x.dtype))
}

pub(super) fn select(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let (condition, x, y) = (call.operand(0)?, call.operand(1)?, call.operand(2)?);
    Ok(Translation::new(condition.expr.where_(&x.expr, &y.expr), x.dtype))
}

/// To the shape that operand 0 and a constant shape broadcast to.
pub(super) fn expand(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let (x, shape) = (call.operand(0)?, call.operand(1)?);
    let sizes = shape.integers.as_ref().ok_or_else(|| call.unsupported("the shape is not a constant"))?;
    let shape: Option<Shape> = sizes.iter().map(|&size| usize::try_from(size).ok()).collect();
    let shape = shape.ok_or_else(|| call.unsupported(format!("the shape {sizes:?} has a negative size")))?;
    Ok(Translation::new(x.expr.broadcast_to(shape), x.dtype))
}
