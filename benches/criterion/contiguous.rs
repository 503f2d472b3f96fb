//! Dense operands of one shape: operators by dtype and size, one thread.
//!
//! 1 k elements fit L1, 16 k fit L2, 1 M the last level, 16 M none.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use eltwise::{DType, Error};
use eltwise_benches::{Case, Operand};

const SIZES: [usize; 3] = [1 << 10, 1 << 14, 1 << 20];

fn measure(c: &mut Criterion, name: &str, expression: &str, dtypes: &[DType], sizes: &[usize]) -> Result<(), Error> {
    let mut group = c.benchmark_group(name);
    for &size in sizes {
        let operands = dtypes.iter().map(|&dtype| Operand::dense(dtype, &[size])).collect::<Result<_, _>>()?;
        let mut ready = Case::new(expression, operands)?.ready()?;
        group.throughput(Throughput::Bytes(ready.bytes()));
        group.bench_function(BenchmarkId::from_parameter(size), |b| b.iter(|| ready.run()));
    }
    group.finish();
    Ok(())
}

fn all(c: &mut Criterion) -> Result<(), Error> {
    use DType::{Bool, F16, F32, F64, I8, I32, I64, U8};
    for dtype in [F32, F64, F16, U8, I32] {
        let sizes = if dtype == F32 { &[1 << 10, 1 << 14, 1 << 20, 1 << 24] } else { &SIZES[..] };
        measure(c, &format!("add/{dtype}"), "x + y", &[dtype; 2], sizes)?;
    }
    for (name, expression) in [
        ("multiply", "x * y"),
        ("divide", "x / y"),
        ("maximum", "maximum(x, y)"),
        ("sqrt", "sqrt(x)"),
        ("relu", "relu(x)"),
        ("clamp", "clamp(x, 1, 2)"),
        ("fma", "fma(x, y, z)"),
        ("less", "x < y"),
        ("scale_shift", "x * 2 + 1"),
    ] {
        let inputs = ["x", "y", "z"].into_iter().filter(|name| uses(expression, name));
        measure(c, &format!("{name}/f32"), expression, &vec![F32; inputs.count()], &SIZES)?;
    }
    for dtype in [I8, I64] {
        measure(c, &format!("divide/{dtype}"), "x / y", &[dtype; 2], &SIZES[..2])?;
    }
    measure(c, "where/f32", "where(c, x, y)", &[Bool, F32, F32], &SIZES)?;
    for (from, to) in [(F32, F16), (F16, F32), (U8, F32), (F32, U8), (F32, I32), (I64, F32), (F32, F64)] {
        measure(c, &format!("cast/{from}/{to}"), &format!("cast(x, {to})"), &[from], &SIZES)?;
    }
    Ok(())
}

/// Whether a name stands in an expression as a word.
fn uses(expression: &str, name: &str) -> bool {
    expression.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name)
}

fn contiguous(c: &mut Criterion) {
    if let Err(e) = all(c) {
        panic!("{e}");
    }
}

criterion_group!(benches, contiguous);
criterion_main!(benches);
