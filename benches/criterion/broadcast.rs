//! Broadcast and strided operands on one thread. The case `dense` has contiguous operands for comparison.

mod support;

use criterion::{Criterion, criterion_group, criterion_main};
use eltwise::{DType, Error, Layout};
use eltwise_benches::Operand;
use support::Group;

/// Name, dtype, and the shapes of two operands.
const PATTERNS: &[(&str, DType, &[usize], &[usize])] = &[
    ("dense", DType::F32, &[1024, 1024], &[1024, 1024]),
    ("row", DType::F32, &[1024, 1024], &[1024]),
    ("column", DType::F32, &[1024, 1024], &[1024, 1]),
    ("scalar", DType::F32, &[1024, 1024], &[]),
    ("outer", DType::F32, &[1024, 1], &[1, 1024]),
    ("nchw", DType::F32, &[8, 64, 56, 56], &[64, 1, 1]),
    ("nchw 7x7", DType::F32, &[32, 512, 7, 7], &[512, 1, 1]),
    ("nhwc 3", DType::F32, &[540, 960, 3], &[3]),
    ("nhwc 3", DType::U8, &[540, 960, 3], &[3]),
    ("mask", DType::F32, &[8, 12, 128, 128], &[8, 1, 1, 128]),
    ("inner 5", DType::F32, &[2000, 1, 5], &[1, 40, 5]),
    ("alternating", DType::F32, &[64, 1, 64, 1, 8], &[1, 16, 1, 8, 8]),
    ("last axis 1", DType::F32, &[300_000, 2], &[300_000, 1]),
    ("row", DType::F16, &[1024, 1024], &[1024]),
];

/// Name and the memory orders of two operands of shape [1024, 1024].
const ORDERS: &[(&str, [usize; 2], [usize; 2])] =
    &[("transposed + dense", [1, 0], [0, 1]), ("transposed + transposed", [1, 0], [1, 0])];

fn all(group: &mut Group<'_>) -> Result<(), Error> {
    let sum = "a + b";
    for &(name, dtype, a, b) in PATTERNS {
        let operands = vec![Operand::dense(dtype, a)?, Operand::dense(dtype, b)?];
        group.case(&format!("{name}/{dtype}"), sum, operands);
    }
    for dtype in [DType::F32, DType::F16] {
        for &(name, a, b) in ORDERS {
            let operand = |axes: [usize; 2]| Operand::permuted(dtype, &[1024, 1024], &axes);
            group.case(&format!("{name}/{dtype}"), sum, vec![operand(a)?, operand(b)?]);
        }
    }
    let nhwc = Operand::permuted(DType::F32, &[8, 64, 56, 56], &[0, 2, 3, 1])?;
    group.case("nchw + nhwc/f32", sum, vec![Operand::dense(DType::F32, &[8, 64, 56, 56])?, nhwc]);
    for (name, strides) in [("stride 2 + stride 2", [4096, 8]), ("reversed + reversed", [2048, -4])] {
        let operand = || Operand::with_layout(Layout::strided(DType::F32, [1024, 512], strides)?);
        group.case(&format!("{name}/f32"), sum, vec![operand()?, operand()?]);
    }
    Ok(())
}

fn broadcast(c: &mut Criterion) {
    support::require("broadcast", all(&mut Group::new(c, "broadcast")));
}

criterion_group! { name = benches; config = support::settings(); targets = broadcast }
criterion_main!(benches);
