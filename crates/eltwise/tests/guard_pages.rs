//! No kernel reads or writes outside an operand. Every operand starts or ends at a guard page, so that one byte
//! too far ends the process.

use core::sync::atomic::AtomicU32;

use eltwise::kernels::{Call, Kernel, Operand as Place, kernel};
use eltwise::lanes::functions::{Add, Multiply, Silu};
use eltwise::lanes::{Binary, Operator, Then, Unary};
use eltwise::{BindOptions, Broadcast, DType, Isa, Layout, Op, Program, Serial, Shape, Strides};
use eltwise_core::Fused;
use eltwise_kernels::table::fused::fused;
use eltwise_kernels::table::tiers::tier_kernel;
use eltwise_reference::Tensor;
use eltwise_testkit::check::{self, RunMode};
use eltwise_testkit::guarded::{Guarded, Side};
use eltwise_testkit::programs::program;
use eltwise_testkit::typed_ops::fused_operand_dtypes;
use eltwise_testkit::values::bytes;
use eltwise_testkit::{Arrangement, Operand, TypedOp, runner, typed_ops};
use half::f16;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rayon::prelude::*;

/// Custom operators of one, two and three operands, over wide and narrow elements.
fn functions() -> [(Operator, DType); 5] {
    type MulAdd<S> = Then<Binary<Multiply>, Binary<Add>, S>;
    [
        (Operator::new::<Unary<Silu>, f32>("silu"), DType::F32),
        (Operator::new::<Binary<Multiply>, f64>("multiply"), DType::F64),
        (Operator::new::<Binary<Add>, u8>("add"), DType::U8),
        (Operator::new::<MulAdd<f16>, f16>("multiply_add"), DType::F16),
        (Operator::new::<MulAdd<f32>, f32>("multiply_add"), DType::F32),
    ]
}

const SIDES: [Side; 2] = [Side::Front, Side::Back];

/// The rows of a call.
#[derive(Clone, Copy, Debug)]
enum Rows {
    One,
    /// Three, one after the other.
    Three,
    /// Three, the last one first in memory.
    Reversed,
    /// Three rows of output from one row of input.
    Repeated,
}

/// Memory for one operand of a kernel, large enough for the longest call.
struct Room {
    side: Side,
    memory: Guarded,
    size: usize,
}

impl Room {
    fn new(dtype: DType, elements: usize, side: Side, seed: u64) -> Room {
        let mut memory = Guarded::new(elements * dtype.size(), side);
        memory.copy_from_slice(&bytes(dtype, elements, seed));
        Room { side, memory, size: dtype.size() }
    }

    /// The operand of a call, which starts or ends at the guard page.
    fn place(&mut self, rows: Rows, columns: usize, splat: bool, output: bool) -> (usize, Place) {
        let row = self.size * if splat { 1 } else { columns };
        let (count, stride) = match rows {
            Rows::One => (1, 0),
            Rows::Repeated if !output => (1, 0),
            Rows::Three | Rows::Repeated => (3, row as isize),
            Rows::Reversed => (3, -(row as isize)),
        };
        let (from, end) = match self.side {
            Side::Front => (0, row * count),
            Side::Back => (self.memory.len() - row * count, self.memory.len()),
        };
        let first = if stride < 0 { from + (count - 1) * row } else { from };
        let ptr = self.memory[from..end].as_mut_ptr().wrapping_add(first - from);
        (count, Place { ptr, row: stride, splat })
    }
}

/// Calls a kernel with every length up to four vectors plus three, every pattern of splats, each kind of rows, and in
/// place where possible. Returns the number of calls.
fn every_call(dtypes: &[DType], result: DType, kernel: Kernel, isa: Isa) -> usize {
    let smallest = dtypes.iter().map(|d| d.size()).chain([result.size()]).min().unwrap_or(1);
    let longest = 4 * (isa.vector_bytes() / smallest.min(isa.vector_bytes())).max(1) + 3;
    let mut calls = 0;
    for side in SIDES {
        let inputs = dtypes.iter().zip(0u64..);
        let mut inputs: Vec<Room> = inputs.map(|(&d, k)| Room::new(d, 3 * longest, side, 2 * k)).collect();
        let mut output = Room::new(result, 3 * longest, side, 1);
        for columns in 0..=longest {
            for splats in 0..1u32 << inputs.len() {
                for rows in [Rows::One, Rows::Three, Rows::Reversed, Rows::Repeated] {
                    let (count, out) = output.place(rows, columns, false, true);
                    let flags = AtomicU32::new(0);
                    let mut call =
                        Call { rows: count, cols: columns, out, ins: [Place::NONE; 4], flags: &raw const flags };
                    for (k, input) in inputs.iter_mut().enumerate() {
                        call.ins[k] = input.place(rows, columns, splats >> k & 1 == 1, false).1;
                    }
                    // SAFETY: the ISA is available; every operand has memory for the rows and columns of the call.
                    unsafe { kernel(&call) };
                    if splats == 0 && inputs[0].size == output.size && !matches!(rows, Rows::Repeated) {
                        call.out = call.ins[0];
                        // SAFETY: the output is exactly the first input, which a kernel permits. The ISA and the memory
                        // are those of the first call.
                        unsafe { kernel(&call) };
                        calls += 1;
                    }
                    calls += 1;
                }
            }
        }
    }
    calls
}

#[test]
fn table_kernels_stay_within_their_operands() {
    let all: Vec<(Isa, TypedOp)> =
        check::isas().into_iter().flat_map(|isa| typed_ops().into_iter().map(move |c| (isa, c))).collect();
    let run = |(isa, typed_op): (Isa, TypedOp)| {
        // A cast to the same dtype is a copy. An ISA without its own kernel uses that of a lower ISA, which is tested
        // there.
        let op =
            if typed_op.op == Op::Cast && typed_op.target == Some(typed_op.dtype) { Op::Copy } else { typed_op.op };
        let found = kernel(op, typed_op.dtype, typed_op.result(), isa).filter(|found| found.owner == isa)?;
        Some(every_call(&typed_op.operand_dtypes(), typed_op.result(), found.kernel, isa))
    };
    let calls: Vec<usize> = all.into_par_iter().filter_map(run).collect();
    println!("{} kernels, {} calls", calls.len(), calls.iter().sum::<usize>());
    assert!(!calls.is_empty());
}

/// The kernels outside the operator table: correctly rounded ones, fused ones, custom operators.
#[test]
fn correctly_rounded_fused_and_custom_kernels_stay_within_their_operands() {
    let (mut kernels, mut calls) = ([0; 3], [0; 3]);
    let functions = functions();
    for isa in check::isas() {
        let mut call = |kind: usize, dtypes: &[DType], result, kernel| {
            calls[kind] += every_call(dtypes, result, kernel, isa);
            kernels[kind] += 1;
        };
        for &op in Op::ALL {
            for t in [DType::F32, DType::F64] {
                if let Some(found) = tier_kernel(op, t, isa).filter(|found| found.owner == isa) {
                    call(0, &vec![t; op.arity()], t, found.kernel);
                }
            }
        }
        for one in Fused::all() {
            if let Some(found) = fused(one, isa).filter(|found| found.owner == isa) {
                call(1, &fused_operand_dtypes(one), one.store().unwrap_or(one.dtype()), found.kernel);
            }
        }
        for (function, dtype) in &functions {
            call(2, &vec![*dtype; function.arity()], *dtype, function.kernel(isa));
        }
    }
    for ((kind, kernels), calls) in ["correctly rounded", "fused", "custom"].iter().zip(kernels).zip(calls) {
        println!("{kind}: {kernels} kernels, {calls} calls");
        assert!(kernels > 0, "no kernel is {kind}");
    }
}

/// Runs a plan on operands at guard pages and compares the result with the reference.
fn run_between_guards(
    program: &Program,
    inputs: &[Operand],
    out: Option<&[Arrangement]>,
    shape: &Shape,
    isa: Isa,
    (sides, expected): (u8, &[Tensor]),
) -> Result<(), String> {
    let side = |i: usize| SIDES[usize::from(sides >> (i % 8) & 1)];
    let (plan, fresh) = check::bind(program, inputs, shape, out, isa).map_err(|e| format!("bind: {e}"))?;
    let guarded: Vec<Operand> = inputs.iter().enumerate().map(|(i, o)| o.between_guards(side(i))).collect();
    let mut outputs: Vec<Operand> = fresh.iter().enumerate().map(|(i, o)| o.between_guards(side(i + 5))).collect();
    let mode = if sides.is_multiple_of(3) { RunMode::Tasks(3) } else { RunMode::On(&Serial) };
    let _ = check::run(&plan, mode, &guarded, &mut outputs).map_err(|e| format!("run: {e}"))?;
    check::compare_outputs(expected, &outputs, false).map_err(|e| format!("{isa}: {e}\n{}", plan.explain(1)))
}

#[test]
fn random_programs_stay_within_their_operands() {
    let isas = check::isas();
    let strategy = (program(), any::<bool>(), any::<u64>(), any::<u8>());
    let result = runner(4.0).run(&strategy, |(made, chosen, seed, sides)| {
        let each = made.inputs.iter().zip(0u64..);
        let inputs: Vec<Operand> =
            each.map(|((d, shape, a), i)| Operand::input(*d, shape, a, seed.wrapping_add(2 * i))).collect();
        let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
        let (expected, _) =
            eltwise_testkit::reference::run(&made.program, &tensors).expect("typed, and its shapes fit");
        let out = (!chosen).then_some(&made.outputs[..]);
        for &isa in &isas {
            run_between_guards(&made.program, &inputs, out, &made.shape, isa, (sides, &expected))
                .map_err(TestCaseError::fail)?;
        }
        Ok(())
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// An operand with a layout, at one end of its pages, with elements made from a seed.
fn guarded_operand(dtype: DType, shape: [usize; 2], strides: [isize; 2], side: Side, seed: u64) -> Operand {
    let layout = Layout::strided(dtype, shape, Strides::new(&strides)).expect("small layouts fit");
    Operand::with_layout(layout).filled(seed).between_guards(side)
}

/// Runs an operator of one operand from a layout to a dense output and, if its elements are distinct, from a dense
/// input to the layout, on every ISA. Returns the number of plans.
fn run_from_and_to(op: Op, dtype: DType, shape: [usize; 2], strides: [isize; 2], side: Side) -> usize {
    let program = Program::single(op, &[dtype], None, Broadcast::Numpy).expect("well typed");
    let strided = guarded_operand(dtype, shape, strides, side, 2);
    let elements = [strided.tensor()];
    let (expected, _) = eltwise_testkit::reference::run(&program, &elements).expect("shapes fit");
    let dense = Operand::from_tensor(&elements[0], &Arrangement::dense()).between_guards(side);
    let mut directions = vec![(&strided, &dense)];
    if !strided.layout().overlaps_itself() {
        directions.push((&dense, &strided));
    }
    let mut plans = 0;
    for isa in check::tested_isas() {
        for &(from, to) in &directions {
            let options = BindOptions::new().isa(isa).outputs([to.layout().clone()]);
            let plan = program.bind_with(&[from.layout()], &options).expect("shapes fit");
            let mut out = [Operand::with_layout(to.layout().clone()).between_guards(side)];
            let status = check::run(&plan, RunMode::On(&Serial), core::slice::from_ref(from), &mut out).expect("runs");
            assert_eq!(status, eltwise::Status::default());
            check::compare_outputs(&expected, &out, true).unwrap_or_else(|e| {
                panic!("{op} {isa} {side:?} {dtype} {shape:?}, from {} to {}: {e}", from.layout(), to.layout())
            });
            plans += 1;
        }
    }
    plans
}

/// Strided, reversed, stretched, repeated and transposed operands of every element size, with rows of every length, at
/// both ends of their pages.
#[test]
fn pack_unpack_and_permute_stay_within_their_operands() {
    // A copy only touches the elements of an operand. Packing for a kernel may also read the gaps between them.
    let moves =
        [DType::Opaque16, DType::Opaque8, DType::Opaque4, DType::Opaque2, DType::Opaque1].map(|d| (Op::Copy, d));
    let steps = [DType::U64, DType::U32, DType::U16, DType::U8].map(|d| (Op::BitwiseNot, d));
    let all: Vec<(Op, DType)> =
        moves.into_iter().chain(steps).filter(|&(_, d)| eltwise::kernels::is_built(d)).collect();
    let lengths = (1..20).chain([31, 32, 33, 64, 65, 100, 129]);
    let sizes: Vec<_> = lengths.flat_map(|n| [(1, n), (3, n), (n, 3), (9, n), (n, 17), (40, n)]).collect();
    let run = |(rows, columns): (usize, usize)| {
        let mut plans = 0;
        for &(op, dtype) in &all {
            let size = dtype.size() as isize;
            let (r, c) = (rows as isize * size, columns as isize * size);
            let layouts = [
                [2 * c, 2 * size],
                [3 * c + size, 3 * size],
                [4 * c, 4 * size],
                [5 * c, 5 * size],
                [c, -size],
                [-c, -size],
                [2 * c, -2 * size],
                [size, r],
                [size, r + size],
                [-size, r],
                [c + size, size],
                [size, 0],
                [-size, 0],
                [2 * size, 0],
                [0, size],
                [0, -size],
                [0, 2 * size],
            ];
            for (i, strides) in layouts.into_iter().enumerate() {
                let side = SIDES[(i + rows + columns) % 2];
                plans += run_from_and_to(op, dtype, [rows, columns], strides, side);
            }
        }
        plans
    };
    let plans: usize = sizes.into_par_iter().map(run).sum();
    println!("{plans} plans");
}

/// Transposed and strided layouts as one operand of a step of two, which kernels may permute in registers.
#[test]
fn kernels_that_permute_stay_within_their_operands() {
    let dtypes = [DType::I8, DType::F16, DType::I32, DType::I64];
    let sizes = dtypes.into_iter().flat_map(|d| (1..40).flat_map(move |n| [(d, 700, n), (d, 1501, n)]));
    let all: Vec<_> = sizes.filter(|&(d, ..)| eltwise::kernels::is_built(d)).collect();
    let run = |(dtype, rows, columns): (DType, usize, usize)| {
        let mut permuted = 0;
        let size = dtype.size() as isize;
        let add = Program::single(Op::Add, &[dtype; 2], None, Broadcast::Numpy).expect("numbers add");
        let (c, rows) = (columns as isize * size, rows * 4 / size.min(4) as usize);
        let (dense, strided, reversed) = ([c, size], [2 * c, 2 * size], [-c, -size]);
        // Rows more than a page apart: no byte after a row is readable for certain. Few, because they take much memory.
        let far =
            [(dense, [2 * c + 8192, 2 * size]), ([3 * c + 4800, 3 * size], dense), (dense, [8192 - 2 * c, -2 * size])];
        let near = [
            (dense, [size, 0]),
            (dense, [-size, 0]),
            (dense, [0, size]),
            (dense, [c, -size]),
            (dense, strided),
            (dense, [0, -size]),
            (strided, strided),
            (reversed, reversed),
        ];
        let layouts =
            near.into_iter().map(|strides| (rows, strides)).chain(far.into_iter().map(|strides| (60, strides)));
        for (i, (rows, (first, second))) in layouts.enumerate() {
            let side = SIDES[(i + columns) % 2];
            let a = guarded_operand(dtype, [rows, columns], first, side, 2);
            let b = guarded_operand(dtype, [rows, columns], second, side, 4);
            let tensors = [a.tensor(), b.tensor()];
            let (expected, _) = eltwise_testkit::reference::run(&add, &tensors).expect("shapes fit");
            for isa in check::tested_isas() {
                let options = BindOptions::new().isa(isa);
                let plan = add.bind_with(&[a.layout(), b.layout()], &options).expect("shapes fit");
                permuted += usize::from(plan.explain(1).to_string().contains(" permuted"));
                let mut out = [Operand::with_layout(plan.output_layouts()[0].clone()).between_guards(side)];
                let _ = check::run(&plan, RunMode::On(&Serial), &[a.clone(), b.clone()], &mut out).expect("runs");
                // The payload of a NaN produced by arithmetic is unspecified.
                check::compare_outputs(&expected, &out, !dtype.is_float())
                    .unwrap_or_else(|e| panic!("{isa} {side:?} {dtype} [{rows}, {columns}] {first:?} {second:?}: {e}"));
            }
        }
        permuted
    };
    let permuted: usize = all.into_par_iter().map(run).sum();
    println!("{permuted} plans permute an operand");
    assert!(permuted > 0 || check::tested_isas().all(|isa| isa.vector_bytes() <= 16));
}
