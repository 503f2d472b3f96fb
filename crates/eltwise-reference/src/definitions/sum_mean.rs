//! `sum` and `mean`, which take any number of operands.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use std::ops::Add;

use eltwise_core::DType;

use crate::value::Value;

/// The sum from left to right in the compute type, rounded to the dtype once at the end.
pub(super) fn Sum(args: &[Value], _: Option<DType>) -> Value {
    let dtype = args[0].dtype;
    if let [one] = args {
        return *one;
    }
    match dtype.compute() {
        DType::F32 => Value::from_f32(dtype, sum(args.iter().map(|x| x.to_f32()))),
        DType::F64 => Value::from_f64(dtype, sum(args.iter().map(|x| x.to_f64()))),
        _ => Value::from_i128(dtype, args.iter().fold(0, |sum: i128, x| sum.wrapping_add(x.to_i128()))),
    }
}

/// The sum in the compute type, divided by the number of operands.
pub(super) fn Mean(args: &[Value], _: Option<DType>) -> Value {
    let dtype = args[0].dtype;
    match dtype.compute() {
        DType::F64 => Value::from_f64(dtype, sum(args.iter().map(|x| x.to_f64())) / args.len() as f64),
        // The catalogue gives `mean` no integers.
        _ => Value::from_f32(dtype, sum(args.iter().map(|x| x.to_f32())) / args.len() as f32),
    }
}

/// The sum starts at the first operand, because `0.0 + -0.0` would be `0.0`.
fn sum<F: Add<Output = F> + From<f32>>(values: impl Iterator<Item = F>) -> F {
    values.reduce(|sum, x| sum + x).unwrap_or_else(|| F::from(0.0))
}
