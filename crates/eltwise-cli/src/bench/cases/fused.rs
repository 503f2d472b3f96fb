//! Programs of several operators, which run in one pass over the memory.

use eltwise::DType::{F16, F32, U8};
use eltwise::Layout;

use crate::bench::case::{Action, Case};
use crate::bench::memory_level::MemoryLevel::{Dram, L1, L2};
use crate::bench::memory_level::MemoryLevels;
use crate::error::Result;

use super::operators::gelu_tanh;
use super::{DenseRow, cost, dense};

#[rustfmt::skip] // A table.
const DENSE: &[DenseRow] = &[
    DenseRow { name: "scale and shift/f32", expression: "x * 2 + 1", dtypes: &[F32], value: |v| v[0] * 2.0 + 1.0, cost: cost(0, 2, 0, 0), levels: &[L1, L2, Dram] },
    DenseRow { name: "relative difference/f32", expression: "(x - y) / y", dtypes: &[F32; 2], value: |v| (v[0] - v[1]) / v[1], cost: cost(0, 1, 1, 0), levels: &[L2] },
    DenseRow { name: "length/f32", expression: "sqrt(x * x + y * y)", dtypes: &[F32; 2], value: |v| (v[0] * v[0] + v[1] * v[1]).sqrt(), cost: cost(0, 3, 0, 1), levels: &[L2] },
    DenseRow { name: "leaky/f32", expression: "where(x > y, x, y * 0.125)", dtypes: &[F32; 2], value: |v| if v[0] > v[1] { v[0] } else { v[1] * 0.125 }, cost: cost(0, 3, 0, 0), levels: &[L2] },
    DenseRow { name: "polynomial 4/f32", expression: "fma(x, fma(x, fma(x, fma(x, 0.25, 0.5), 0.75), 1.0), 1.5)", dtypes: &[F32], value: |v| horner(v[0], &[0.25, 0.5, 0.75, 1.0, 1.5]), cost: cost(4, 0, 0, 0), levels: &[L1, L2, Dram] },
    DenseRow { name: "swiglu from operators/f32", expression: "x * sigmoid(x) * y", dtypes: &[F32; 2], value: swiglu, cost: None, levels: &[L2] },
    DenseRow { name: "swiglu/f16", expression: "silu(x) * y", dtypes: &[F16; 2], value: swiglu, cost: None, levels: &[L2] },
    DenseRow { name: "gelu from operators/f32", expression: "0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x)))", dtypes: &[F32], value: gelu_tanh, cost: None, levels: &[L2] },
];

/// The degrees of the longer polynomials.
const DEGREES: [usize; 2] = [8, 16];

fn horner(x: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}

fn swiglu(v: &[f64]) -> f64 {
    v[0] / (1.0 + (-v[0]).exp()) * v[1]
}

/// The cases of the group `fused`, and one of `threads`.
pub(super) fn cases(levels: &MemoryLevels) -> Result<Vec<Case>> {
    let mut cases = dense("fused", DENSE, levels, Action::Run)?;
    for degree in DEGREES {
        cases.extend(polynomial(degree, levels)?);
    }
    let normalise =
        [Layout::contiguous(U8, [512, 512, 3])?, Layout::contiguous(F32, [3])?, Layout::contiguous(F32, [3])?];
    for (group, action) in [("fused", Action::Run), ("threads", Action::RunOnAll)] {
        cases.push(Case {
            name: format!("{group}/normalise a photograph/u8"),
            expression: "(cast(x, f32) - y) / z".to_string(),
            operands: normalise.to_vec(),
            value: |v| (v[0] - v[1]) / v[2],
            cost: cost(0, 1, 1, 0),
            action,
        });
    }
    Ok(cases)
}

/// A chain of `degree` fused multiply-adds, `fma(fma(x, 0.5, 0.5), 0.5, 0.5) ...`, whose values stay near 1.
fn polynomial(degree: usize, levels: &MemoryLevels) -> Result<Option<Case>> {
    let Some(bytes) = levels.working_set(L2) else { return Ok(None) };
    let mut text = "x".to_string();
    for _ in 0..degree {
        text = format!("fma({text}, 0.5, 0.5)");
    }
    let value = match degree {
        8 => |v: &[f64]| (0..8).fold(v[0], |x, _| x * 0.5 + 0.5),
        _ => |v: &[f64]| (0..16).fold(v[0], |x, _| x * 0.5 + 0.5),
    };
    let operands = vec![Layout::contiguous(F32, [bytes / 8])?];
    let (name, cost) = (format!("fused/polynomial {degree}/f32/L2"), cost(degree as u32, 0, 0, 0));
    Ok(Some(Case { name, expression: text, operands, value, cost, action: Action::Run }))
}
