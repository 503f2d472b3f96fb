//! An element does not depend on its position: element i of a call equals the call on element i alone.
//!
//! This holds for every operator, dtype and ISA, at every length up to four vectors plus three, at the lengths from
//! which on kernels align their output, and with the output at every offset within a vector. Inputs have other offsets
//! than the output.

use std::collections::VecDeque;

use eltwise::kernels::kernel;
use eltwise::lanes::functions::{Add, Multiply, Silu};
use eltwise::lanes::{Binary, Operator, Then, Unary};
use eltwise::{
    Accuracy, BindOptions, Broadcast, DType, Error, Isa, Layout, Op, Plan, Program, ProgramBuilder, Shape, View,
    ViewMut,
};
use eltwise_core::Fused;
use eltwise_reference::{Value, same};
use eltwise_testkit::typed_ops::fused_operand_dtypes;
use eltwise_testkit::values::bytes;
use eltwise_testkit::{TypedOp, check, typed_ops};
use half::f16;

/// Bytes on each side of the elements that must not change.
const MARGIN: usize = 64;
const CANARY: u8 = 0xc5;

/// A buffer whose elements start on a cache line.
struct Buffer {
    bytes: Vec<u8>,
    start: usize,
}

impl Buffer {
    fn new(length: usize) -> Buffer {
        let bytes = vec![CANARY; length + 3 * MARGIN];
        let start = bytes.as_ptr().align_offset(64) % 64 + MARGIN;
        Buffer { bytes, start }
    }
}

/// Copies of an input, copy i at i elements past a cache line.
struct Shifted {
    size: usize,
    copies: Vec<Buffer>,
}

impl Shifted {
    fn new(data: &[u8], size: usize, offsets: usize) -> Shifted {
        let copy = |offset: usize| {
            let mut buffer = Buffer::new(data.len() + offset * size);
            let at = buffer.start + offset * size;
            buffer.bytes[at..at + data.len()].copy_from_slice(data);
            buffer
        };
        Shifted { size, copies: (0..offsets).map(copy).collect() }
    }

    fn view(&self, offset: usize, first: usize, layout: &Layout) -> View<'_> {
        let buffer = &self.copies[offset];
        View::from_bytes(&buffer.bytes, layout.clone(), buffer.start + (offset + first) * self.size).unwrap()
    }
}

/// The kernel under test, as a program that calls it.
struct Subject {
    name: String,
    /// The program for a shape.
    program: Box<dyn Fn(&Shape) -> Program>,
    operands: Vec<DType>,
    result: DType,
    /// Bytes of an element in a register.
    compute: usize,
    /// Bytes of an element of T or of the result, the smaller of the two.
    narrow: usize,
    /// Whether the payload of a NaN must be kept.
    moves: bool,
    /// The name of the kernel in the text of the plan.
    explained: Option<String>,
}

impl Subject {
    fn of_typed_op(typed_op: TypedOp) -> Subject {
        Subject {
            name: format!("{typed_op:?}"),
            program: Box::new(move |shape| typed_op.program(&typed_op.same_shape_mode(shape))),
            operands: typed_op.operand_dtypes(),
            result: typed_op.result(),
            narrow: typed_op.result().size().min(typed_op.dtype.size()),
            compute: typed_op.dtype.compute().size().max(typed_op.result().size().min(typed_op.dtype.size())),
            moves: typed_op.moves_bits(),
            explained: None,
        }
    }

    /// A math function of the correctly rounded tier.
    fn correctly_rounded(op: Op, dtype: DType) -> Option<Subject> {
        let make = move || {
            Program::single_at(op, &vec![dtype; op.arity()], None, Broadcast::Numpy, Accuracy::CorrectlyRounded)
        };
        make().ok()?;
        Some(Subject {
            name: format!("{op} of {dtype}, correctly rounded"),
            program: Box::new(move |_| make().unwrap()),
            operands: vec![dtype; op.arity()],
            result: dtype,
            narrow: dtype.size(),
            compute: dtype.compute().size(),
            moves: false,
            explained: op.has_tier_kernel(dtype, Accuracy::CorrectlyRounded).then(|| format!("correct {op}")),
        })
    }

    /// A fused kernel: the program of its steps, which the planner fuses.
    fn fused(one: Fused) -> Subject {
        let make = move || -> Result<Program, Error> {
            let mut b = ProgramBuilder::new();
            let dtypes = fused_operand_dtypes(one);
            let mut args: VecDeque<_> = dtypes.iter().enumerate().map(|(i, &d)| b.input(&format!("x{i}"), d)).collect();
            let mut value = args.pop_front().unwrap();
            if one.load().is_some() {
                value = b.step(Op::Cast, &[value], Some(one.dtype()), Broadcast::Numpy)?;
            }
            for op in one.first().into_iter().chain([one.last()]) {
                let mut operands = vec![value];
                operands.extend(args.drain(..op.arity() - 1));
                value = b.step(op, &operands, None, Broadcast::Numpy)?;
            }
            if let Some(store) = one.store() {
                value = b.step(Op::Cast, &[value], Some(store), Broadcast::Numpy)?;
            }
            b.output(value);
            Ok(Program::from(b.finish()?))
        };
        Subject {
            name: one.to_string(),
            program: Box::new(move |_| make().unwrap()),
            operands: fused_operand_dtypes(one),
            result: one.store().unwrap_or(one.dtype()),
            narrow: one.store().or(one.load()).unwrap_or(one.dtype()).size(),
            compute: one.dtype().size(),
            moves: false,
            explained: Some(one.to_string()),
        }
    }

    /// A custom operator.
    fn custom(function: &Operator, dtype: DType) -> Subject {
        let program = function.program().unwrap();
        Subject {
            name: format!("custom {} of {dtype}", function.name()),
            program: Box::new(move |_| program.clone()),
            operands: vec![dtype; function.arity()],
            result: dtype,
            narrow: dtype.size(),
            compute: dtype.compute().size(),
            moves: false,
            explained: Some(function.name().to_string()),
        }
    }
}

/// The plan over dense operands of a length, after a check that it calls the kernel under test.
fn plan(subject: &Subject, length: usize, isa: Isa) -> Plan {
    let shape = Shape::from([length]);
    let layouts: Vec<Layout> =
        subject.operands.iter().map(|&d| Layout::contiguous(d, shape.clone()).unwrap()).collect();
    let layouts: Vec<&Layout> = layouts.iter().collect();
    let plan = (subject.program)(&shape).bind_with(&layouts, &BindOptions::new().isa(isa)).unwrap();
    let text = plan.explain(1).to_string();
    let is_called = subject.explained.as_ref().is_none_or(|name| length == 0 || text.contains(name));
    assert!(is_called, "{} is not called {:?} in {text}", subject.name, subject.explained);
    plan
}

/// The lengths to test, for `vector` elements a vector and elements of `compute` bytes in registers.
fn lengths(vector: usize, compute: usize, isa: Isa) -> Vec<usize> {
    let mut all: Vec<usize> = (0..=4 * vector + 3).collect();
    for block in [4 * isa.vector_bytes() / compute, 64, 16] {
        all.extend([4 * block - 1, 4 * block, 4 * block + 1, 4 * block + vector + 3]);
    }
    all.sort_unstable();
    all.dedup();
    all
}

fn is_same(subject: &Subject, got: &[u8], expected: &[u8]) -> bool {
    let dtype = subject.result;
    let pairs = got.chunks_exact(dtype.size()).zip(expected.chunks_exact(dtype.size()));
    got == expected
        || !subject.moves && pairs.into_iter().all(|(a, b)| same(Value::read(dtype, a), Value::read(dtype, b)))
}

fn every_length(subject: &Subject, isa: Isa) {
    let dtypes = &subject.operands;
    let out_size = subject.result.size();
    let vector = isa.vector_bytes() / subject.narrow.min(isa.vector_bytes());
    let lengths = lengths(vector, subject.compute, isa);
    let longest = *lengths.last().unwrap();
    let inputs: Vec<Shifted> = (dtypes.iter().enumerate())
        .map(|(k, &d)| Shifted::new(&bytes(d, longest, 2 * k as u64), d.size(), vector))
        .collect();

    // The calls on single elements, each at its place in the cache line.
    let one = plan(subject, 1, isa);
    let mut expected = vec![0u8; longest * out_size];
    for i in 0..longest {
        let views: Vec<View<'_>> = inputs.iter().zip(one.input_layouts()).map(|(b, l)| b.view(0, i, l)).collect();
        let out = &mut expected[i * out_size..(i + 1) * out_size];
        let mut out = [ViewMut::from_bytes(out, one.output_layouts()[0].clone(), 0).unwrap()];
        let _ = one.run(&views, &mut out).unwrap();
    }

    let mut out = Buffer::new((longest + vector) * out_size);
    for length in lengths {
        let plan = plan(subject, length, isa);
        let end = length * out_size;
        for offset in 0..vector {
            // All pairs of offsets of output and inputs if they are few, else one of the inputs for each of the output.
            let input_offsets = if vector <= 8 { 0..vector } else { offset..offset + 1 };
            for input_offset in input_offsets {
                let views: Vec<View<'_>> = (inputs.iter().zip(plan.input_layouts()).enumerate())
                    .map(|(k, (b, l))| b.view((3 * input_offset + 5 * k + offset / 2) % vector, 0, l))
                    .collect();
                let at = out.start + offset * out_size;
                out.bytes[at - MARGIN..at + end + MARGIN].fill(CANARY);
                let layout = plan.output_layouts()[0].clone();
                let mut view = [ViewMut::from_bytes(&mut out.bytes, layout, at).unwrap()];
                let _ = plan.run(&views, &mut view).unwrap();
                let (before, rest) = out.bytes[at - MARGIN..at + end + MARGIN].split_at(MARGIN);
                let (got, behind) = rest.split_at(end);
                let what = || format!("{} {isa} length {length} offset {offset} inputs {input_offset}", subject.name);
                assert!(is_same(subject, got, &expected[..end]), "{}", what());
                assert!(
                    before == [CANARY; MARGIN] && behind == [CANARY; MARGIN],
                    "{}: written outside the output",
                    what()
                );
            }
        }
    }
}

/// Tests the typed operators that `wanted` selects. Each group is a test, so that groups run in parallel.
fn run(wanted: impl Fn(TypedOp) -> bool) {
    let isas = check::isas();
    let mut count = 0;
    for typed_op in typed_ops().into_iter().filter(|&c| wanted(c)) {
        for &isa in &isas {
            // An ISA without its own kernel uses that of a lower ISA, which is tested there.
            let op = if typed_op.target == Some(typed_op.dtype) { Op::Copy } else { typed_op.op };
            if kernel(op, typed_op.dtype, typed_op.result(), isa).is_some_and(|k| k.owner == isa) {
                every_length(&Subject::of_typed_op(typed_op), isa);
                count += 1;
            }
        }
    }
    println!("{count} kernels");
    assert!(count > 0, "no kernel was tested");
}

/// Tests kernels outside the operator table.
fn run_others(subjects: &[Subject]) {
    let mut count = 0;
    // The ISAs with native f16 have none of these kernels.
    for isa in check::isas().into_iter().filter(|isa| !matches!(isa, Isa::Avx512Fp16 | Isa::NeonFp16)) {
        for subject in subjects {
            every_length(subject, isa);
            count += 1;
        }
    }
    println!("{count} kernels: {} on each ISA", subjects.len());
    assert!(count > 0, "no kernel was tested");
}

#[test]
fn correctly_rounded_kernels() {
    // Over 16-bit floats these are the kernels of f32 between casts. The operators with their own kernel represent all.
    let dtypes = [DType::F32, DType::F16, DType::BF16];
    let typed_ops = dtypes.iter().flat_map(|&d| Op::ALL.iter().map(move |&op| (op, d)));
    let wanted = |&(op, d): &(Op, DType)| {
        op.info().is_math(d) && (d == DType::F32 || op.has_tier_kernel(DType::F32, Accuracy::CorrectlyRounded))
    };
    let all: Vec<Subject> = typed_ops.filter(wanted).filter_map(|(op, d)| Subject::correctly_rounded(op, d)).collect();
    run_others(&all);
}

#[test]
fn fused_kernels() {
    let all: Vec<Subject> = Fused::all().map(Subject::fused).collect();
    run_others(&all);
}

#[test]
fn custom_operators() {
    type MulAdd<S> = Then<Binary<Multiply>, Binary<Add>, S>;
    let all = [
        Subject::custom(&Operator::new::<Unary<Silu>, f32>("silu_of_mine"), DType::F32),
        Subject::custom(&Operator::new::<Binary<Multiply>, f64>("multiply_of_mine"), DType::F64),
        Subject::custom(&Operator::new::<Binary<Add>, u8>("add_of_mine"), DType::U8),
        Subject::custom(&Operator::new::<MulAdd<f16>, f16>("multiply_add_of_mine"), DType::F16),
    ];
    run_others(&all);
}

#[test]
fn casts() {
    run(|c| c.op == Op::Cast);
}

#[test]
fn predicates_and_logic() {
    run(|c| c.op != Op::Cast && c.result() != c.dtype);
}

#[test]
fn elements_of_one_byte() {
    run(|c| c.op != Op::Cast && c.result() == c.dtype && c.dtype.size() == 1);
}

#[test]
fn wider_elements() {
    run(|c| c.op != Op::Cast && c.result() == c.dtype && c.dtype.size() > 1);
}
