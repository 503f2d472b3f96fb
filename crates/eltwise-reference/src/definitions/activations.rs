//! Activations that are formulas of IEEE operations (formulas with `exp`, `erf` or `tanh` are in `math`), and
//! `heaviside`.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;

use super::arithmetic::{clamp, maximum};
use super::compute_type::{binary, ternary, unary};
use super::float::Float;
use crate::value::Value;

pub(super) fn Relu(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x.max(0), |x| maximum(x, 0.0), |x| maximum(x, 0.0))
}

// The catalogue gives no integers to the operators below, so their integer formula is a placeholder.

pub(super) fn Relu6(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, |x| clamp(x, 0.0, 6.0), |x| clamp(x, 0.0, 6.0))
}

pub(super) fn HardSwish(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, hard_swish, hard_swish)
}

pub(super) fn Softsign(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, |x| x / (1.0 + x.abs()), |x| x / (1.0 + x.abs()))
}

pub(super) fn Prelu(args: &[Value], _: Option<DType>) -> Value {
    binary(args, |x, _| x, |x, s| if x < 0.0 { s * x } else { x }, |x, s| if x < 0.0 { s * x } else { x })
}

pub(super) fn LeakyRelu(args: &[Value], target: Option<DType>) -> Value {
    Prelu(args, target)
}

pub(super) fn ThresholdedRelu(args: &[Value], _: Option<DType>) -> Value {
    binary(args, |x, _| x, |x, alpha| if x > alpha { x } else { 0.0 }, |x, alpha| if x > alpha { x } else { 0.0 })
}

pub(super) fn Shrink(args: &[Value], _: Option<DType>) -> Value {
    ternary(args, |x, _, _| x, shrink, shrink)
}

pub(super) fn HardShrink(args: &[Value], _: Option<DType>) -> Value {
    binary(args, |x, _| x, hard_shrink, hard_shrink)
}

pub(super) fn HardSigmoid(args: &[Value], _: Option<DType>) -> Value {
    ternary(args, |x, _, _| x, hard_sigmoid, hard_sigmoid)
}

pub(super) fn HardTanh(args: &[Value], _: Option<DType>) -> Value {
    ternary(args, |x, _, _| x, clamp, clamp)
}

pub(super) fn Heaviside(args: &[Value], _: Option<DType>) -> Value {
    binary(args, |x, _| x, heaviside, heaviside)
}

fn hard_swish<F: Float>(x: F) -> F {
    x * (clamp(x + F::from(3.0), F::from(0.0), F::from(6.0)) / F::from(6.0))
}

fn hard_sigmoid<F: Float>(x: F, alpha: F, beta: F) -> F {
    clamp(alpha.fma(x, beta), F::from(0.0), F::from(1.0))
}

fn shrink<F: Float>(x: F, lambd: F, bias: F) -> F {
    if x < -lambd {
        x + bias
    } else if x > lambd {
        x - bias
    } else {
        F::from(0.0)
    }
}

fn hard_shrink<F: Float>(x: F, lambd: F) -> F {
    let size = if x < F::ZERO { -x } else { x };
    if size <= lambd { F::from(0.0) } else { x }
}

fn heaviside<F: Float>(x: F, h: F) -> F {
    if x.is_nan() {
        x
    } else if x < F::from(0.0) {
        F::from(0.0)
    } else if x > F::from(0.0) {
        F::from(1.0)
    } else {
        h
    }
}
