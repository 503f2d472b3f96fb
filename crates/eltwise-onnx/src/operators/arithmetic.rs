//! Arithmetic with attributes, or with operands of several dtypes.

use eltwise::{DType, Expr, Op};

use super::Call;
use crate::node::{Attribute, Translation, Unsupported};

/// Bounds are attributes before opset 11, optional operands since. A missing bound limits nothing.
pub(super) fn clip(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let x = call.operand(0)?;
    let bound = |index: usize, name: &str| -> Result<Option<Expr>, Unsupported> {
        if call.node.opset >= 11 {
            return Ok(call.optional(index).map(|bound| bound.expr.clone()));
        }
        match call.node.attribute(name) {
            None => Ok(None),
            Some(Attribute::Float(bound)) => Ok(Some(bound.into())),
            Some(other) => Err(call.unsupported(format!("attribute {name} is {other:?}, expected a float"))),
        }
    };
    let expr = match (bound(1, "min")?, bound(2, "max")?) {
        (Some(low), Some(high)) => x.expr.clamp(low, high),
        (Some(low), None) => x.expr.maximum(low),
        (None, Some(high)) => x.expr.minimum(high),
        (None, None) => x.expr.copy(),
    };
    Ok(Translation::new(expr, x.dtype))
}

/// `fmod=0`: the sign of the divisor. `fmod=1`: C's fmod.
pub(super) fn modulo(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let (x, y) = (call.operand(0)?, call.operand(1)?);
    let op = match call.node.int("fmod", 0)? {
        0 => Op::Remainder,
        _ => Op::Fmod,
    };
    Ok(Translation::new(call.apply(op, &[x.expr.clone(), y.expr.clone()])?, x.dtype))
}

/// The result has the dtype of the base. An exponent of another dtype is converted to it, unless it is a float and the base is not:
/// then both are f64.
pub(super) fn pow(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let (x, y) = (call.operand(0)?, call.operand(1)?);
    let expr = if x.dtype == y.dtype {
        x.expr.pow(&y.expr)
    } else if y.dtype.is_float() && !x.dtype.is_float() {
        x.expr.cast(DType::F64).pow(y.expr.cast(DType::F64)).cast(x.dtype)
    } else {
        x.expr.pow(y.expr.cast(x.dtype))
    };
    Ok(Translation::new(expr, x.dtype))
}

pub(super) fn bit_shift(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let (x, y) = (call.operand(0)?, call.operand(1)?);
    let op = match call.node.text("direction", "")? {
        "LEFT" => Op::ShiftLeft,
        "RIGHT" => Op::ShiftRight,
        other => return Err(call.unsupported(format!("attribute direction is {other:?}, expected LEFT or RIGHT"))),
    };
    Ok(Translation::new(call.apply(op, &[x.expr.clone(), y.expr.clone()])?, x.dtype))
}

pub(super) fn is_inf(call: &Call<'_>) -> Result<Translation, Unsupported> {
    let x = &call.operand(0)?.expr;
    let expr = match (call.node.int("detect_negative", 1)? != 0, call.node.int("detect_positive", 1)? != 0) {
        (true, true) => x.isinf(),
        (true, false) => x.isneginf(),
        (false, true) => x.isposinf(),
        // Of the right shape, and false everywhere.
        (false, false) => x.isnan().logical_and(false),
    };
    Ok(Translation::new(expr, DType::Bool))
}
