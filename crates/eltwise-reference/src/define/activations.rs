//! Activations that are formulas in IEEE operations, and the step function.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_plan::DType;

use super::arithmetic::{clamped, larger};
use super::domain::{same1, same2, same3};
use super::real::Real;
use crate::value::Value;

pub(super) fn Relu(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x.max(0), |x| larger(x, 0.0), |x| larger(x, 0.0))
}

// The catalogue gives integers to none of those below.

pub(super) fn Relu6(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x, |x| clamped(x, 0.0, 6.0), |x| clamped(x, 0.0, 6.0))
}

pub(super) fn HardSwish(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x, hard_swish, hard_swish)
}

pub(super) fn Softsign(args: &[Value], _: Option<DType>) -> Value {
    same1(args, |x| x, |x| x / (1.0 + x.magnitude()), |x| x / (1.0 + x.magnitude()))
}

pub(super) fn Prelu(args: &[Value], _: Option<DType>) -> Value {
    same2(args, |x, _| x, |x, s| if x < 0.0 { s * x } else { x }, |x, s| if x < 0.0 { s * x } else { x })
}

pub(super) fn LeakyRelu(args: &[Value], target: Option<DType>) -> Value {
    Prelu(args, target)
}

pub(super) fn ThresholdedRelu(args: &[Value], _: Option<DType>) -> Value {
    same2(args, |x, _| x, |x, alpha| if x > alpha { x } else { 0.0 }, |x, alpha| if x > alpha { x } else { 0.0 })
}

pub(super) fn Shrink(args: &[Value], _: Option<DType>) -> Value {
    same3(args, |x, _, _| x, shrink, shrink)
}

pub(super) fn HardSigmoid(args: &[Value], _: Option<DType>) -> Value {
    same3(args, |x, _, _| x, hard_sigmoid, hard_sigmoid)
}

pub(super) fn HardTanh(args: &[Value], _: Option<DType>) -> Value {
    same3(args, |x, _, _| x, clamped, clamped)
}

pub(super) fn Heaviside(args: &[Value], _: Option<DType>) -> Value {
    same2(args, |x, _| x, heaviside, heaviside)
}

fn hard_swish<F: Real>(x: F) -> F {
    x * (clamped(x + F::from(3.0), F::from(0.0), F::from(6.0)) / F::from(6.0))
}

fn hard_sigmoid<F: Real>(x: F, alpha: F, beta: F) -> F {
    clamped(alpha.fused(x, beta), F::from(0.0), F::from(1.0))
}

fn shrink<F: Real>(x: F, lambd: F, bias: F) -> F {
    if x < -lambd {
        x + bias
    } else if x > lambd {
        x - bias
    } else {
        F::from(0.0)
    }
}

fn heaviside<F: Real>(x: F, h: F) -> F {
    if x.nan() {
        x
    } else if x < F::from(0.0) {
        F::from(0.0)
    } else if x > F::from(0.0) {
        F::from(1.0)
    } else {
        h
    }
}
