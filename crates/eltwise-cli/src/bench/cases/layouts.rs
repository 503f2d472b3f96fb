//! One operator over operands that are broadcast, transposed or strided.

use eltwise::{DType, Layout};

use crate::bench::case::{Action, Case};
use crate::error::Result;

use super::cost;

/// Cases of `x + y`: name, dtype, and the shapes of the operands.
const BROADCASTS: &[(&str, DType, &[usize], &[usize])] = &[
    ("dense/f32", DType::F32, &[512, 512], &[512, 512]),
    ("row/f32", DType::F32, &[512, 512], &[512]),
    ("column/f32", DType::F32, &[512, 512], &[512, 1]),
    ("scalar/f32", DType::F32, &[512, 512], &[]),
    ("outer/f32", DType::F32, &[512, 1], &[1, 512]),
    ("channels/f32", DType::F32, &[4, 64, 28, 28], &[64, 1, 1]),
    ("channels 7x7/f32", DType::F32, &[8, 512, 7, 7], &[512, 1, 1]),
    ("channels last 3/f32", DType::F32, &[256, 256, 3], &[3]),
    ("channels last 3/u8", DType::U8, &[512, 512, 3], &[3]),
    ("alternating/f32", DType::F32, &[32, 1, 32, 1, 8], &[1, 16, 1, 8, 8]),
];

/// Cases of `x + y` with shape [512, 512]: name, dtype, and the strides of the operands in elements.
const STRIDES: &[(&str, DType, [isize; 2], [isize; 2])] = &[
    ("transposed/f32", DType::F32, [1, 512], [512, 1]),
    ("transposed/u8", DType::U8, [1, 512], [512, 1]),
    ("every second/f32", DType::F32, [1024, 2], [1024, 2]),
    ("rows of a wider array/f32", DType::F32, [640, 1], [640, 1]),
];

/// The cases of the group `layouts`.
pub(super) fn cases() -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for &(name, dtype, x, y) in BROADCASTS {
        cases.push(case(name, vec![Layout::contiguous(dtype, x)?, Layout::contiguous(dtype, y)?]));
    }
    for &(name, dtype, x, y) in STRIDES {
        let strided = |s: [isize; 2]| Layout::strided(dtype, [512, 512], s.map(|s| s * dtype.size() as isize));
        cases.push(case(name, vec![strided(x)?, strided(y)?]));
    }
    Ok(cases)
}

fn case(name: &str, operands: Vec<Layout>) -> Case {
    let cost = if operands.iter().all(|l| l.dtype() == DType::F32) { cost(0, 1, 0, 0) } else { None };
    let (name, expression) = (format!("layouts/{name}"), "x + y".to_string());
    Case { name, expression, operands, value: |v| v[0] + v[1], cost, action: Action::Run }
}
