//! Instructions of binding and of small runs, counted by valgrind: they do not depend on the machine's load. valgrind
//! 3.19 has AVX2, so the level is `avx2` on any host that has it.

#![allow(unused_qualifications, missing_docs, reason = "the attributes of iai-callgrind write modules of their own")]

use std::hint::black_box;

use eltwise::{Broadcast, DType, Error, Layout, Op, Plan, Program};
use eltwise_benches::{Case, Operand, Ready};
use iai_callgrind::{library_benchmark, library_benchmark_group, main};

const NORMALISE: &str = "(cast(img, f32) - mean) / std";

/// Setups: what they make is not counted, and it is checked. Boxed, so that no move of it is counted either.
fn case(expression: &str, dtype: DType, shapes: &[&[usize]]) -> Box<Ready> {
    let operands = shapes.iter().map(|shape| Operand::dense(dtype, shape)).collect::<Result<_, _>>();
    let ready = operands.and_then(|operands| Case::new(expression, operands)).and_then(Case::ready);
    Box::new(ready.unwrap_or_else(|e| panic!("{expression}: {e}")))
}

fn f32_add(elements: usize) -> Box<Ready> {
    case("x + y", DType::F32, &[&[elements], &[elements]])
}

fn f16_add(elements: usize) -> Box<Ready> {
    case("x + y", DType::F16, &[&[elements], &[elements]])
}

fn f32_less(elements: usize) -> Box<Ready> {
    case("x < y", DType::F32, &[&[elements], &[elements]])
}

fn f32_two_steps(elements: usize) -> Box<Ready> {
    case("x * y + 1", DType::F32, &[&[elements], &[elements]])
}

fn f32_pixels(pixels: usize) -> Box<Ready> {
    case("x + y", DType::F32, &[&[pixels, 3], &[3]])
}

fn f32_transposed(size: usize) -> Box<Ready> {
    let operands = Operand::permuted(DType::F32, &[size, size], &[1, 0])
        .and_then(|a| Ok(vec![a, Operand::dense(DType::F32, &[size, size])?]));
    let ready = operands.and_then(|operands| Case::new("a + b", operands)).and_then(Case::ready);
    Box::new(ready.unwrap_or_else(|e| panic!("{e}")))
}

fn add_over(a: &[usize], b: &[usize]) -> (Program, Vec<Layout>) {
    let make = || {
        let program = Program::single(Op::Add, &[DType::F32; 2], None, Broadcast::Numpy)?;
        let layouts = vec![Layout::contiguous(DType::F32, a)?, Layout::contiguous(DType::F32, b)?];
        program.bind(&layouts.iter().collect::<Vec<_>>())?;
        Ok::<_, Error>((program, layouts))
    };
    make().unwrap_or_else(|e| panic!("{e}"))
}

fn three_steps() -> (Program, Vec<Layout>) {
    let make = || {
        let program = Program::parse(NORMALISE, &[("img", DType::U8), ("mean", DType::F32), ("std", DType::F32)])?;
        let three = Layout::contiguous(DType::F32, [3])?;
        let layouts = vec![Layout::contiguous(DType::U8, [512, 512, 3])?, three.clone(), three];
        program.bind(&layouts.iter().collect::<Vec<_>>())?;
        Ok::<_, Error>((program, layouts))
    };
    make().unwrap_or_else(|e| panic!("{e}"))
}

#[library_benchmark]
#[bench::add_1(f32_add(1))]
#[bench::add_16(f32_add(16))]
#[bench::add_1000(f32_add(1000))]
#[bench::add_f16_1000(f16_add(1000))]
#[bench::less_1000(f32_less(1000))]
#[bench::two_steps_16(f32_two_steps(16))]
#[bench::two_steps_1000(f32_two_steps(1000))]
#[bench::pixels_1000(f32_pixels(1000))]
#[bench::transposed_64(f32_transposed(64))]
fn run(mut ready: Box<Ready>) -> Box<Ready> {
    black_box(&mut ready).run();
    ready
}

#[library_benchmark]
#[bench::add_16(add_over(&[16], &[16]))]
#[bench::add_nchw(add_over(&[8, 64, 56, 56], &[64, 1, 1]))]
#[bench::add_rank_8(add_over(&[2, 3, 2, 3, 2, 3, 2, 3], &[3, 1, 3, 1, 3]))]
#[bench::normalise(three_steps())]
fn bind((program, layouts): (Program, Vec<Layout>)) -> (Result<Plan, Error>, Program, Vec<Layout>) {
    let borrowed: [Option<&Layout>; 3] = [layouts.first(), layouts.get(1), layouts.get(2)];
    let plan = match borrowed {
        [Some(a), Some(b), Some(c)] => program.bind(black_box(&[a, b, c])),
        [Some(a), Some(b), None] => program.bind(black_box(&[a, b])),
        _ => program.bind(&[]),
    };
    (plan, program, layouts)
}

#[library_benchmark]
#[bench::normalise(NORMALISE)]
fn parse(text: &str) -> Result<Program, Error> {
    Program::parse(black_box(text), &[("img", DType::U8), ("mean", DType::F32), ("std", DType::F32)])
}

library_benchmark_group!(name = group; benchmarks = run, bind, parse);
main!(library_benchmark_groups = group);
