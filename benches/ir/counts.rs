//! Instructions of small runs and of parsing, binding and calls, counted by valgrind, so that they do not depend on the
//! load of the machine. The ISA is `avx2`, and plans are made for one fixed CPU. `allocations.rs` verifies the results
//! of the same runs.

#![allow(unused_qualifications, missing_docs, reason = "iai-callgrind's attributes generate modules")]

use std::hint::black_box;

use eltwise::kernels::{Entry, kernel};
use eltwise::{Array, DType, Error, Isa, Op, Plan, Program};
use eltwise_benches::Ready;
use eltwise_ir::plans::{self, BindCase, LONG_EXPRESSION, NORMALISE};
use eltwise_ir::runs;
use iai_callgrind::{library_benchmark, library_benchmark_group, main};

#[library_benchmark]
#[bench::add_1(runs::unchecked("add_1"))]
#[bench::add_16(runs::unchecked("add_16"))]
#[bench::add_rank_4(runs::unchecked("add_rank_4"))]
#[bench::tail_1024(runs::unchecked("tail_1024"))]
#[bench::tail_1031(runs::unchecked("tail_1031"))]
#[bench::tail_u8_1055(runs::unchecked("tail_u8_1055"))]
#[bench::direct_f64(runs::unchecked("direct_f64"))]
#[bench::direct_f16(runs::unchecked("direct_f16"))]
#[bench::direct_less(runs::unchecked("direct_less"))]
#[bench::direct_where(runs::unchecked("direct_where"))]
#[bench::direct_divide_i32(runs::unchecked("direct_divide_i32"))]
#[bench::direct_cast(runs::unchecked("direct_cast"))]
#[bench::direct_exp(runs::unchecked("direct_exp"))]
#[bench::direct_exp_f64(runs::unchecked("direct_exp_f64"))]
#[bench::splat(runs::unchecked("splat"))]
#[bench::splat_rows(runs::unchecked("splat_rows"))]
#[bench::splat_nchw(runs::unchecked("splat_nchw"))]
#[bench::splat_divisor_i32(runs::unchecked("splat_divisor_i32"))]
#[bench::packed_once(runs::unchecked("packed_once"))]
#[bench::packed_once_u8(runs::unchecked("packed_once_u8"))]
#[bench::packed_stretched_u8(runs::unchecked("packed_stretched_u8"))]
#[bench::packed_strided_u8(runs::unchecked("packed_strided_u8"))]
#[bench::packed_strided_far(runs::unchecked("packed_strided_far"))]
#[bench::packed_reversed_u8(runs::unchecked("packed_reversed_u8"))]
#[bench::permuted_stretched(runs::unchecked("permuted_stretched"))]
#[bench::permuted_strided(runs::unchecked("permuted_strided"))]
#[bench::permuted_reversed(runs::unchecked("permuted_reversed"))]
#[bench::transposed_f32(runs::unchecked("transposed_f32"))]
#[bench::transposed_u8(runs::unchecked("transposed_u8"))]
#[bench::transposed_f64(runs::unchecked("transposed_f64"))]
#[bench::batch_norm(runs::unchecked("batch_norm"))]
#[bench::fused_16(runs::unchecked("fused_16"))]
#[bench::fused_1000(runs::unchecked("fused_1000"))]
#[bench::fused_normalise(runs::unchecked("fused_normalise"))]
#[bench::fused_gelu(runs::unchecked("fused_gelu"))]
#[bench::fused_shared(runs::unchecked("fused_shared"))]
fn run(mut ready: Box<Ready<'static>>) -> Box<Ready<'static>> {
    black_box(&mut ready).run();
    ready
}

#[library_benchmark]
#[bench::add_16(plans::named("add_16"))]
#[bench::add_nchw(plans::named("add_nchw"))]
#[bench::add_short_rows(plans::named("add_short_rows"))]
#[bench::add_rank_8(plans::named("add_rank_8"))]
#[bench::transposed(plans::named("transposed"))]
#[bench::normalise(plans::named("normalise"))]
#[bench::long(plans::named("long"))]
fn bind(case: BindCase) -> (Result<Plan, Error>, BindCase) {
    (black_box(&case).bind(), case)
}

#[library_benchmark]
#[bench::normalise(NORMALISE)]
fn parse(text: &str) -> Result<Program, Error> {
    Program::parse(black_box(text), &[("img", DType::U8), ("mean", DType::F32), ("std", DType::F32)])
}

#[library_benchmark]
#[bench::long(LONG_EXPRESSION)]
fn parse_long(text: &str) -> Result<Program, Error> {
    Program::parse(black_box(text), &[("x", DType::F32), ("y", DType::F32)])
}

#[library_benchmark]
#[bench::add_16(plans::arrays(16))]
fn call([x, y]: [Array; 2]) -> (Result<Array, Error>, [Array; 2]) {
    (eltwise::add(black_box(&x), black_box(&y)), [x, y])
}

#[library_benchmark]
#[bench::add_f32(Op::Add)]
fn dispatch(op: Op) -> Option<Entry> {
    kernel(black_box(op), DType::F32, DType::F32, Isa::current())
}

library_benchmark_group!(name = group; benchmarks = run, bind, parse, parse_long, call, dispatch);
main!(library_benchmark_groups = group);
