//! Selection, conversion, and operators that move bits as they are.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_plan::DType;

use crate::value::Value;

pub(super) fn Where(args: &[Value], _: Option<DType>) -> Value {
    if args[0].truth() { args[1] } else { args[2] }
}

/// To its own dtype, a cast is a copy: NaN payloads and the bytes of `bool` stay.
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

pub(super) fn Copy(args: &[Value], _: Option<DType>) -> Value {
    args[0]
}

pub(super) fn BroadcastTo(args: &[Value], _: Option<DType>) -> Value {
    args[0]
}
