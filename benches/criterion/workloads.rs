//! Operations of real models (`tests/conformance/workloads.json`), over the shapes and dtypes that a forward pass has.

mod support;

use criterion::{Criterion, criterion_group, criterion_main};
use eltwise::{DType, Error};
use eltwise_benches::Operand;
use serde_json::Value;
use support::{Group, require};

/// Larger ones would be a benchmark of the memory alone.
const MOST_BYTES: u64 = 32 << 20;

/// The operation's name, or what it begins with, and its expression over operands of one dtype.
const OF_ONE_DTYPE: &[(&str, usize, &str)] = &[
    ("Add+Gelu", 2, "gelu(x + y)"),
    ("Add bias + residual", 3, "x + y + z"),
    ("Add bias + Relu", 2, "relu(x + y)"),
    ("Add x3", 3, "x + y + z"),
    ("Add", 2, "x + y"),
    ("elementwise_add", 2, "x + y"),
    ("u8+u8 saturating", 2, "saturating_add(x, y)"),
    ("Mul(1-mask", 2, "(1 - x) * y"),
    ("Mul", 2, "x * y"),
    ("RoPE k*cos", 2, "x * y"),
    ("RoPE q*cos + rot(q)*sin", 4, "x * c + y * s"),
    ("RoPE q*cos", 2, "x * y"),
    ("Div", 2, "x / y"),
    ("HardSwish", 1, "hard_swish(x)"),
    ("HardSigmoid", 1, "clamp(x * 0.16666667 + 0.5, 0, 1)"),
    ("Gelu", 1, "gelu(x)"),
    ("GeGLU", 2, "gelu_tanh(x) * y"),
    ("SwiGLU", 2, "silu(x) * y"),
    ("RMSNorm", 3, "x * y * z"),
    ("LayerNorm affine", 3, "x * y + z"),
    ("LayerNorm normalise", 3, "(x - y) * z"),
    ("modulate", 3, "x * (1 + y) + z"),
    ("guidance", 3, "x + (y - x) * z"),
    ("x*a + noise*b", 4, "x * a + y * b"),
    ("(1-z)*n + z*h", 3, "(1 - z) * n + z * h"),
    ("Clip", 1, "clamp(x, -1, 1)"),
    ("Sigmoid", 1, "sigmoid(x)"),
    ("Tanh(a)*Sigmoid(b)", 2, "tanh(x) * sigmoid(y)"),
    ("Tanh", 1, "tanh(x)"),
    ("Exp(x-max)", 2, "exp(x - y)"),
    ("Log10(Max", 2, "log10(maximum(x, y))"),
    ("Log(Max", 1, "log(maximum(x, 0) + 1)"),
    ("softcap 30", 1, "30 * tanh(x / 30)"),
    ("softcap 50", 1, "50 * tanh(x / 50)"),
    ("Less", 2, "x < y"),
    ("Greater", 2, "x > y"),
    ("Mod", 2, "remainder(x, y)"),
    ("(x-mean)/std", 3, "(x - y) / z"),
];

/// Operations whose first operand is cast to the result's dtype, as [`OF_ONE_DTYPE`].
const OF_A_CAST: &[(&str, usize, &str)] = &[
    ("Cast i16", 2, "cast(x, f32) * y"),
    ("Cast", 1, "cast(x, f32)"),
    ("(x-mean)/std", 3, "(cast(x, f32) - y) / z"),
    ("x*(1/255)", 2, "cast(x, f32) * y"),
    ("Dequantize", 2, "cast(x, f32) * y"),
    ("DequantizeLinear", 2, "cast(x, f32) * y"),
];

fn workloads() -> Vec<Value> {
    let text = include_str!("../../tests/conformance/workloads.json");
    serde_json::from_str(text).unwrap_or_else(|e| panic!("workloads.json: {e}"))
}

/// The expression of a workload that has a row above.
fn expression(workload: &Value, dtypes: &[DType]) -> Option<&'static str> {
    let op = workload["op"].as_str()?;
    let first = *dtypes.first()?;
    let table = if dtypes.iter().all(|&dtype| dtype == first) && !op.starts_with("Cast") {
        OF_ONE_DTYPE
    } else if workload["output"]["dtype"] == "f32" {
        OF_A_CAST
    } else {
        return None;
    };
    let row = table.iter().find(|(name, operands, _)| op.starts_with(name) && *operands == dtypes.len())?;
    // Of these operators, as of math, there are no integers.
    let floats_only = ["hard_swish", "gelu", "clamp(x * "].iter().any(|text| row.2.starts_with(text));
    (first.is_float() || !floats_only).then_some(row.2)
}

fn dtypes(workload: &Value) -> Option<Vec<DType>> {
    workload["inputs"].as_array()?.iter().map(|input| input["dtype"].as_str()?.parse().ok()).collect()
}

fn operand(input: &Value, dtype: DType) -> Result<Operand, Error> {
    let shape: Vec<usize> =
        input["shape"].as_array().into_iter().flatten().filter_map(|d| Some(d.as_u64()? as usize)).collect();
    Operand::dense(dtype, &shape)
}

fn all(c: &mut Criterion) {
    let mut measured = 0;
    let mut group = Group::new(c, "workload");
    for workload in workloads() {
        let small = workload["bytes_min"].as_u64().is_some_and(|bytes| bytes <= MOST_BYTES);
        let (Some(dtypes), Some(id), true) = (dtypes(&workload), workload["id"].as_str(), small) else { continue };
        let Some(expression) = expression(&workload, &dtypes) else { continue };
        let inputs = workload["inputs"].as_array().into_iter().flatten().zip(&dtypes);
        let operands = inputs.map(|(input, &dtype)| operand(input, dtype)).collect();
        group.case(id, expression, require(id, operands));
        measured += 1;
    }
    assert!(measured >= 150, "only {measured} workloads were measured");
}

criterion_group! { name = benches; config = support::settings(); targets = all }
criterion_main!(benches);
