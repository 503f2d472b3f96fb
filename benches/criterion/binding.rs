//! What a call costs besides its elements: parsing, binding, small runs.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use eltwise::{Array, Broadcast, DType, Error, Layout, Op, Program};
use eltwise_benches::{Case, Operand};

const NORMALISE: &str = "(cast(img, f32) - mean) / std";

fn bind(c: &mut Criterion) -> Result<(), Error> {
    let mut group = c.benchmark_group("bind");
    let add = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy)?;
    for (name, a, b) in [
        ("add [16]", &[16][..], &[16][..]),
        ("add nchw", &[8, 64, 56, 56], &[64, 1, 1]),
        ("add rank 8", &[2, 3, 2, 3, 2, 3, 2, 3], &[3, 1, 3, 1, 3]),
    ] {
        let (a, b) = (Layout::contiguous(DType::F32, a)?, Layout::contiguous(DType::F32, b)?);
        add.bind(&[&a, &b])?;
        group.bench_function(name, |bench| bench.iter(|| add.bind(black_box(&[&a, &b]))));
    }
    let inputs = [("img", DType::U8), ("mean", DType::F32), ("std", DType::F32)];
    let normalise = Program::parse(NORMALISE, &inputs)?;
    let (img, three) = (Layout::contiguous(DType::U8, [512, 512, 3])?, Layout::contiguous(DType::F32, [3])?);
    normalise.bind(&[&img, &three, &three])?;
    group.bench_function("normalise", |bench| bench.iter(|| normalise.bind(black_box(&[&img, &three, &three]))));
    group.bench_function("normalise, from text", |bench| {
        bench.iter(|| Program::parse(black_box(NORMALISE), &inputs)?.bind(&[&img, &three, &three]));
    });
    group.finish();
    Ok(())
}

fn small_runs(c: &mut Criterion) -> Result<(), Error> {
    let mut group = c.benchmark_group("run");
    for size in [1usize, 16, 64, 256] {
        let operands = vec![Operand::dense(DType::F32, &[size])?, Operand::dense(DType::F32, &[size])?];
        let mut ready = Case::new("x + y", operands)?.ready()?;
        group.bench_function(BenchmarkId::new("add/f32", size), |b| b.iter(|| ready.run()));
    }
    let operands = vec![Operand::dense(DType::F32, &[4, 4])?, Operand::dense(DType::F32, &[4])?];
    let mut ready = Case::new("x * y + 1", operands)?.ready()?;
    group.bench_function("two steps/f32/4x4", |b| b.iter(|| ready.run()));

    let (x, y) = (Array::from_slice(&[1.5f32; 16], [16])?, Array::from_slice(&[2.5f32; 16], [16])?);
    assert_eq!(eltwise::add(&x, &y)?.as_slice::<f32>()?, [4.0; 16]);
    group.bench_function("eltwise::add/f32/16", |b| b.iter(|| eltwise::add(black_box(&x), black_box(&y))));
    group.finish();
    Ok(())
}

fn binding(c: &mut Criterion) {
    if let Err(e) = bind(c).and_then(|()| small_runs(c)) {
        panic!("{e}");
    }
}

criterion_group!(benches, binding);
criterion_main!(benches);
