//! Activations that are formulas in IEEE operations, and the step function.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_plan::DType;

use super::arithmetic::{clamped, larger};
use super::domain::{same1, same2};
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

pub(super) fn Heaviside(args: &[Value], _: Option<DType>) -> Value {
    same2(args, |x, _| x, heaviside, heaviside)
}

fn hard_swish<F: Real>(x: F) -> F {
    let sixth = F::from(1.0) / F::from(6.0);
    x * clamped(sixth.fused(x, F::from(0.5)), F::from(0.0), F::from(1.0))
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
