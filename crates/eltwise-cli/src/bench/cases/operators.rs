//! One operator over dense operands, by dtype and memory level, on one thread and on all threads.

use eltwise::DType;

use crate::bench::case::{Action, Case};
use crate::bench::memory_level::{MemoryLevel, MemoryLevels};
use crate::error::Result;

use super::{DenseRow, cost, dense};

use DType::{BF16, Bool, F16, F32, F64, I8, I32, I64, U8};
use MemoryLevel::{Dram, L1, L2, L3};

const ALL_LEVELS: &[MemoryLevel] = &[L1, L2, L3, Dram];
const L1_L2: &[MemoryLevel] = &[L1, L2];

#[rustfmt::skip] // A table.
const ARITHMETIC: &[DenseRow] = &[
    DenseRow { name: "add/f32", expression: "x + y", dtypes: &[F32; 2], value: |v| v[0] + v[1], cost: cost(0, 1, 0, 0), levels: ALL_LEVELS },
    DenseRow { name: "add/f64", expression: "x + y", dtypes: &[F64; 2], value: |v| v[0] + v[1], cost: cost(0, 1, 0, 0), levels: L1_L2 },
    DenseRow { name: "add/f16", expression: "x + y", dtypes: &[F16; 2], value: |v| v[0] + v[1], cost: None, levels: L1_L2 },
    DenseRow { name: "add/bf16", expression: "x + y", dtypes: &[BF16; 2], value: |v| v[0] + v[1], cost: None, levels: L1_L2 },
    DenseRow { name: "add/u8", expression: "x + y", dtypes: &[U8; 2], value: |v| v[0] + v[1], cost: None, levels: L1_L2 },
    DenseRow { name: "add/i64", expression: "x + y", dtypes: &[I64; 2], value: |v| v[0] + v[1], cost: None, levels: &[L2] },
    DenseRow { name: "multiply/f32", expression: "x * y", dtypes: &[F32; 2], value: |v| v[0] * v[1], cost: cost(0, 1, 0, 0), levels: L1_L2 },
    DenseRow { name: "multiply/i32", expression: "x * y", dtypes: &[I32; 2], value: |v| v[0] * v[1], cost: None, levels: &[L2] },
    DenseRow { name: "divide/f32", expression: "x / y", dtypes: &[F32; 2], value: |v| v[0] / v[1], cost: cost(0, 0, 1, 0), levels: L1_L2 },
    DenseRow { name: "divide/f64", expression: "x / y", dtypes: &[F64; 2], value: |v| v[0] / v[1], cost: cost(0, 0, 1, 0), levels: L1_L2 },
    DenseRow { name: "floor_divide/i8", expression: "floor_divide(x, y)", dtypes: &[I8; 2], value: |v| (v[0] / v[1]).floor(), cost: None, levels: &[L2] },
    DenseRow { name: "floor_divide/i32", expression: "floor_divide(x, y)", dtypes: &[I32; 2], value: |v| (v[0] / v[1]).floor(), cost: None, levels: &[L2] },
    DenseRow { name: "floor_divide/i64", expression: "floor_divide(x, y)", dtypes: &[I64; 2], value: |v| (v[0] / v[1]).floor(), cost: None, levels: &[L2] },
    DenseRow { name: "saturating_add/u8", expression: "saturating_add(x, y)", dtypes: &[U8; 2], value: |v| (v[0] + v[1]).min(255.0), cost: None, levels: &[L2] },
    DenseRow { name: "sqrt/f32", expression: "sqrt(x)", dtypes: &[F32], value: |v| v[0].sqrt(), cost: cost(0, 0, 0, 1), levels: L1_L2 },
    DenseRow { name: "fma/f32", expression: "fma(x, y, z)", dtypes: &[F32; 3], value: |v| v[0] * v[1] + v[2], cost: cost(1, 0, 0, 0), levels: ALL_LEVELS },
    DenseRow { name: "maximum/f32", expression: "maximum(x, y)", dtypes: &[F32; 2], value: |v| v[0].max(v[1]), cost: None, levels: &[L2] },
    DenseRow { name: "relu/f32", expression: "relu(x)", dtypes: &[F32], value: |v| v[0].max(0.0), cost: cost(0, 1, 0, 0), levels: &[L2, Dram] },
    DenseRow { name: "clamp/f32", expression: "clamp(x, 1, 2)", dtypes: &[F32], value: |v| v[0].clamp(1.0, 2.0), cost: None, levels: &[L2] },
    DenseRow { name: "less/f32", expression: "x < y", dtypes: &[F32; 2], value: |v| f64::from(v[0] < v[1]), cost: cost(0, 1, 0, 0), levels: L1_L2 },
    DenseRow { name: "where/f32", expression: "where(x, y, z)", dtypes: &[Bool, F32, F32], value: |v| if v[0] != 0.0 { v[1] } else { v[2] }, cost: cost(0, 1, 0, 0), levels: &[L2] },
    DenseRow { name: "copy/f32", expression: "copy(x)", dtypes: &[F32], value: |v| v[0], cost: None, levels: ALL_LEVELS },
    DenseRow { name: "cast/f32/f16", expression: "cast(x, f16)", dtypes: &[F32], value: |v| v[0], cost: None, levels: &[L2] },
    DenseRow { name: "cast/f16/f32", expression: "cast(x, f32)", dtypes: &[F16], value: |v| v[0], cost: None, levels: &[L2] },
    DenseRow { name: "cast/u8/f32", expression: "cast(x, f32)", dtypes: &[U8], value: |v| v[0], cost: None, levels: &[L2] },
    DenseRow { name: "cast/f32/u8", expression: "cast(x, u8)", dtypes: &[F32], value: |v| v[0].trunc(), cost: None, levels: &[L2] },
    DenseRow { name: "cast/i64/f32", expression: "cast(x, f32)", dtypes: &[I64], value: |v| v[0], cost: None, levels: &[L2] },
];

#[rustfmt::skip] // A table.
const MATH: &[DenseRow] = &[
    DenseRow { name: "exp/f32", expression: "exp(x)", dtypes: &[F32], value: |v| v[0].exp(), cost: None, levels: &[L2] },
    DenseRow { name: "exp/f64", expression: "exp(x)", dtypes: &[F64], value: |v| v[0].exp(), cost: None, levels: &[L2] },
    DenseRow { name: "exp/f16", expression: "exp(x)", dtypes: &[F16], value: |v| v[0].exp(), cost: None, levels: &[L2] },
    DenseRow { name: "log/f32", expression: "log(x)", dtypes: &[F32], value: |v| v[0].ln(), cost: None, levels: &[L2] },
    DenseRow { name: "log/f64", expression: "log(x)", dtypes: &[F64], value: |v| v[0].ln(), cost: None, levels: &[L2] },
    DenseRow { name: "pow/f32", expression: "pow(x, y)", dtypes: &[F32; 2], value: |v| v[0].powf(v[1]), cost: None, levels: &[L2] },
    DenseRow { name: "sin/f32", expression: "sin(x)", dtypes: &[F32], value: |v| v[0].sin(), cost: None, levels: &[L2] },
    DenseRow { name: "tanh/f32", expression: "tanh(x)", dtypes: &[F32], value: |v| v[0].tanh(), cost: None, levels: &[L2] },
    DenseRow { name: "sigmoid/f32", expression: "sigmoid(x)", dtypes: &[F32], value: |v| 1.0 / (1.0 + (-v[0]).exp()), cost: None, levels: &[L2] },
    DenseRow { name: "gelu_tanh/f32", expression: "gelu_tanh(x)", dtypes: &[F32], value: gelu_tanh, cost: None, levels: &[L2] },
];

#[rustfmt::skip] // A table.
const ALL_THREADS: &[DenseRow] = &[
    DenseRow { name: "add/f32", expression: "x + y", dtypes: &[F32; 2], value: |v| v[0] + v[1], cost: cost(0, 1, 0, 0), levels: &[L3, Dram] },
    DenseRow { name: "copy/f32", expression: "copy(x)", dtypes: &[F32], value: |v| v[0], cost: None, levels: &[Dram] },
    DenseRow { name: "divide/f64", expression: "x / y", dtypes: &[F64; 2], value: |v| v[0] / v[1], cost: cost(0, 0, 1, 0), levels: &[L3] },
    DenseRow { name: "exp/f32", expression: "exp(x)", dtypes: &[F32], value: |v| v[0].exp(), cost: None, levels: &[L3] },
];

/// `x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2`.
pub(super) fn gelu_tanh(v: &[f64]) -> f64 {
    let x = v[0];
    0.5 * x * (1.0 + ((2.0 / std::f64::consts::PI).sqrt() * (x + 0.044715 * x * x * x)).tanh())
}

/// The cases of the groups `operators` and `math`, and most of `threads`.
pub(super) fn cases(levels: &MemoryLevels) -> Result<Vec<Case>> {
    let mut cases = dense("operators", ARITHMETIC, levels, Action::Run)?;
    cases.extend(dense("math", MATH, levels, Action::Run)?);
    cases.extend(dense("threads", ALL_THREADS, levels, Action::RunOnAll)?);
    Ok(cases)
}
