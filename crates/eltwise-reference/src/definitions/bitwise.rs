//! Bitwise operators. On `bool` they are the logical operators and give 0 or 1; any non-zero byte is true.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;

use super::comparison::{LogicalAnd, LogicalNot, LogicalOr, LogicalXor};
use crate::value::Value;

pub(super) fn BitwiseAnd(args: &[Value], target: Option<DType>) -> Value {
    match args[0].dtype {
        DType::Bool => LogicalAnd(args, target),
        dtype => Value::new(dtype, args[0].bits & args[1].bits),
    }
}

pub(super) fn BitwiseOr(args: &[Value], target: Option<DType>) -> Value {
    match args[0].dtype {
        DType::Bool => LogicalOr(args, target),
        dtype => Value::new(dtype, args[0].bits | args[1].bits),
    }
}

pub(super) fn BitwiseXor(args: &[Value], target: Option<DType>) -> Value {
    match args[0].dtype {
        DType::Bool => LogicalXor(args, target),
        dtype => Value::new(dtype, args[0].bits ^ args[1].bits),
    }
}

pub(super) fn BitwiseNot(args: &[Value], target: Option<DType>) -> Value {
    match args[0].dtype {
        DType::Bool => LogicalNot(args, target),
        dtype => Value::new(dtype, !args[0].bits),
    }
}
