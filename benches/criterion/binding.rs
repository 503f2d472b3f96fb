//! Fixed cost of a call: parsing, binding, small runs, and functions such as `eltwise::add`.

mod support;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use eltwise::{Array, BindOptions, Broadcast, DType, Error, Layout, Op, Plan, PlanCache, Program};
use eltwise_benches::Operand;
use support::{Group, require};

const NORMALISE: &str = "(cast(img, f32) - mean) / std";

/// From integers to f32, `gelu`, and back.
const QUANTISED_GELU: &str = "cast_saturating(round(gelu((cast(x, f32) - zero) * scale) / scale + zero), i8)";

/// Name, and the shapes of two f32 operands.
const ADDITIONS: [(&str, &[usize], &[usize]); 3] = [
    ("add [16]", &[16], &[16]),
    ("add nchw", &[8, 64, 56, 56], &[64, 1, 1]),
    ("add rank 8", &[2, 3, 2, 3, 2, 3, 2, 3], &[3, 1, 3, 1, 3]),
];

fn assert_shape(plan: &Plan, shape: &[usize]) {
    assert_eq!(plan.output_layouts()[0].shape().dims(), shape);
}

fn bind(c: &mut Criterion) -> Result<(), Error> {
    let mut group = Group::new(c, "bind");
    let add = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy)?;
    for (name, a, b) in ADDITIONS {
        let (x, y) = (Layout::contiguous(DType::F32, a)?, Layout::contiguous(DType::F32, b)?);
        assert_shape(&add.bind(&[&x, &y])?, a);
        group.call(name, || add.bind(black_box(&[&x, &y])));
    }
    let inputs = [("img", DType::U8), ("mean", DType::F32), ("std", DType::F32)];
    let normalise = Program::parse(NORMALISE, &inputs)?;
    let (img, three) = (Layout::contiguous(DType::U8, [512, 512, 3])?, Layout::contiguous(DType::F32, [3])?);
    assert_shape(&normalise.bind(&[&img, &three, &three])?, &[512, 512, 3]);
    group.call("normalise", || normalise.bind(black_box(&[&img, &three, &three])));
    let cache = PlanCache::new(normalise.clone(), BindOptions::new(), 64);
    group.call("normalise, from a cache", || cache.plan(black_box(&[&img, &three, &three])));
    group.call("normalise, parsing", || Program::parse(black_box(NORMALISE), &inputs));
    group.call("normalise, from text", || Program::parse(black_box(NORMALISE), &inputs)?.bind(&[&img, &three, &three]));
    let inputs = [("x", DType::I8), ("scale", DType::F32), ("zero", DType::F32)];
    let quantised = Program::parse(QUANTISED_GELU, &inputs)?;
    let (x, one) = (Layout::contiguous(DType::I8, [8, 128, 3072])?, Layout::contiguous(DType::F32, [1])?);
    assert_shape(&quantised.bind(&[&x, &one, &one])?, &[8, 128, 3072]);
    group.call("quantised gelu", || quantised.bind(black_box(&[&x, &one, &one])));
    Ok(())
}

fn small_runs(c: &mut Criterion) -> Result<(), Error> {
    for size in [1usize, 16, 64, 256, 1024] {
        let operands =
            || Ok::<_, Error>(vec![Operand::dense(DType::F32, &[size])?, Operand::dense(DType::F32, &[size])?]);
        Group::new(c, "run/add/f32").case(&size.to_string(), "x + y", operands()?);
        Group::new(c, "run/two steps/f32").case(&size.to_string(), "x * y + 1", operands()?);
    }
    let operands = vec![Operand::dense(DType::F32, &[4, 4])?, Operand::dense(DType::F32, &[4])?];
    Group::new(c, "run/two steps/f32").case("4x4", "x * y + 1", operands);
    Ok(())
}

/// Functions that plan and allocate the result in each call.
fn calls(c: &mut Criterion) -> Result<(), Error> {
    let mut group = Group::new(c, "call");
    for size in [1usize, 16, 256] {
        let (x, y) = (Array::from_slice(&vec![1.5f32; size], [size])?, Array::from_slice(&vec![2.5f32; size], [size])?);
        assert_eq!(eltwise::add(&x, &y)?.as_slice::<f32>()?, vec![4.0; size]);
        group.call(&format!("eltwise::add/f32/{size}"), || eltwise::add(black_box(&x), black_box(&y)));
    }
    Ok(())
}

fn binding(c: &mut Criterion) {
    require("bind", bind(c));
    require("run", small_runs(c));
    require("call", calls(c));
}

criterion_group! { name = benches; config = support::settings(); targets = binding }
criterion_main!(benches);
