//! Selection and copies: operators that only move bits.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;

use crate::value::Value;

pub(super) fn Where(args: &[Value], _: Option<DType>) -> Value {
    if args[0].truth() { args[1] } else { args[2] }
}

pub(super) fn Copy(args: &[Value], _: Option<DType>) -> Value {
    args[0]
}

pub(super) fn BroadcastTo(args: &[Value], _: Option<DType>) -> Value {
    args[0]
}
