//! Broadcast and strided operands, one thread: each pattern beside the same number of dense elements.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use eltwise::{DType, Error};
use eltwise_benches::{Case, Operand};

/// Name, dtype, the two shapes.
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

fn measure(c: &mut Criterion, name: &str, operands: Vec<Operand>) -> Result<(), Error> {
    let mut ready = Case::new("a + b", operands)?.ready()?;
    let mut group = c.benchmark_group("broadcast");
    group.throughput(Throughput::Bytes(ready.bytes()));
    group.bench_function(name, |b| b.iter(|| ready.run()));
    group.finish();
    Ok(())
}

fn all(c: &mut Criterion) -> Result<(), Error> {
    for &(name, dtype, a, b) in PATTERNS {
        measure(c, &format!("{name}/{dtype}"), vec![Operand::dense(dtype, a)?, Operand::dense(dtype, b)?])?;
    }
    for dtype in [DType::F32, DType::F16] {
        for &(name, a, b) in ORDERS {
            let operand = |axes: [usize; 2]| Operand::permuted(dtype, &[1024, 1024], &axes);
            measure(c, &format!("{name}/{dtype}"), vec![operand(a)?, operand(b)?])?;
        }
    }
    let nhwc = Operand::permuted(DType::F32, &[8, 64, 56, 56], &[0, 2, 3, 1])?;
    measure(c, "nchw + nhwc/f32", vec![Operand::dense(DType::F32, &[8, 64, 56, 56])?, nhwc])?;
    let every_second = || {
        let layout = eltwise::Layout::strided(DType::F32, [1024, 512], [4096, 8])?;
        Operand::with_layout(layout)
    };
    measure(c, "stride 2 + stride 2/f32", vec![every_second()?, every_second()?])
}

fn broadcast(c: &mut Criterion) {
    if let Err(e) = all(c) {
        panic!("{e}");
    }
}

criterion_group!(benches, broadcast);
criterion_main!(benches);
