//! An element does not depend on its position: for every operator, dtype and level, every length up to four vectors and
//! three, and those at which kernels begin to align their output, at every offset within a vector, element i equals the
//! call on element i alone. Inputs are misaligned on their own.

use std::collections::VecDeque;

use eltwise::kernels::kernel;
use eltwise::lanes::functions::{Add, Multiply, Silu};
use eltwise::lanes::{Binary, Operator, Then, Unary};
use eltwise::{
    Accuracy, BindOptions, Broadcast, DType, Error, Isa, Layout, Op, Plan, Program, ProgramBuilder, Shape, View,
    ViewMut,
};
use eltwise_plan::fuse::Fused;
use eltwise_reference::{Value, same};
use eltwise_testkit::cells::operands_of;
use eltwise_testkit::values::bytes;
use eltwise_testkit::{Cell, cells, check};
use half::f16;

/// Bytes on each side of the elements that nothing may touch.
const MARGIN: usize = 64;
const CANARY: u8 = 0xc5;

/// A buffer that begins on a cache line.
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

/// An input with its elements at each of some offsets (in elements) past a cache line.
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

/// What is run: one kernel.
struct Subject {
    name: String,
    /// For a length.
    program: Box<dyn Fn(&Shape) -> Program>,
    operands: Vec<DType>,
    result: DType,
    /// Bytes of an element in a register.
    compute: usize,
    /// Bytes of an element of T or of the result, whichever is less.
    narrow: usize,
    /// Whether NaN payloads count.
    moves: bool,
    /// What the plan says of the kernel.
    said: Option<String>,
}

impl Subject {
    fn of_cell(cell: Cell) -> Subject {
        Subject {
            name: format!("{cell:?}"),
            program: Box::new(move |shape| cell.program(&cell.plain_mode(shape))),
            operands: cell.operands(),
            result: cell.result(),
            narrow: cell.result().size().min(cell.dtype.size()),
            compute: cell.dtype.compute().size().max(cell.result().size().min(cell.dtype.size())),
            moves: cell.moves(),
            said: None,
        }
    }

    /// A math function whose results are correctly rounded.
    fn exact(op: Op, dtype: DType) -> Option<Subject> {
        let make = move || Program::single_at(op, &vec![dtype; op.arity()], None, Broadcast::Numpy, Accuracy::Exact);
        make().ok()?;
        Some(Subject {
            name: format!("{op} of {dtype}, correctly rounded"),
            program: Box::new(move |_| make().unwrap()),
            operands: vec![dtype; op.arity()],
            result: dtype,
            narrow: dtype.size(),
            compute: dtype.compute().size(),
            moves: false,
            said: op.has_exact_kernel(dtype).then(|| format!("exact {op}")),
        })
    }

    /// A superinstruction: the program of its steps becomes one.
    fn fused(one: Fused) -> Subject {
        let make = move || -> Result<Program, Error> {
            let mut b = ProgramBuilder::new();
            let dtypes = operands_of(one);
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
            operands: operands_of(one),
            result: one.store().unwrap_or(one.dtype()),
            narrow: one.store().or(one.load()).unwrap_or(one.dtype()).size(),
            compute: one.dtype().size(),
            moves: false,
            said: Some(one.to_string()),
        }
    }

    /// A function of the caller's.
    fn function(function: &Operator, dtype: DType) -> Subject {
        let program = function.program().unwrap();
        Subject {
            name: format!("function {} of {dtype}", function.name()),
            program: Box::new(move |_| program.clone()),
            operands: vec![dtype; function.arity()],
            result: dtype,
            narrow: dtype.size(),
            compute: dtype.compute().size(),
            moves: false,
            said: Some(function.name().to_string()),
        }
    }
}

/// A plan over dense operands of some length.
fn plan(subject: &Subject, length: usize, isa: Isa) -> Plan {
    let shape = Shape::from([length]);
    let layouts: Vec<Layout> =
        subject.operands.iter().map(|&d| Layout::contiguous(d, shape.clone()).unwrap()).collect();
    let layouts: Vec<&Layout> = layouts.iter().collect();
    let plan = (subject.program)(&shape).bind_with(&layouts, &BindOptions::new().isa(isa)).unwrap();
    let text = plan.explain(1).to_string();
    let is_said = subject.said.as_ref().is_none_or(|said| length == 0 || text.contains(said));
    assert!(is_said, "{} is not {:?} in {text}", subject.name, subject.said);
    plan
}

/// The lengths to try, by the elements of a vector and of a kernel's block.
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

    // The one-element calls, each at its place in the line.
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
            // All pairs of offsets where they are few; else each output offset with one of every input.
            let turns = if vector <= 8 { 0..vector } else { offset..offset + 1 };
            for turn in turns {
                let views: Vec<View<'_>> = (inputs.iter().zip(plan.input_layouts()).enumerate())
                    .map(|(k, (b, l))| b.view((3 * turn + 5 * k + offset / 2) % vector, 0, l))
                    .collect();
                let at = out.start + offset * out_size;
                out.bytes[at - MARGIN..at + end + MARGIN].fill(CANARY);
                let layout = plan.output_layouts()[0].clone();
                let mut view = [ViewMut::from_bytes(&mut out.bytes, layout, at).unwrap()];
                let _ = plan.run(&views, &mut view).unwrap();
                let (before, rest) = out.bytes[at - MARGIN..at + end + MARGIN].split_at(MARGIN);
                let (got, behind) = rest.split_at(end);
                let what = || format!("{} {isa} length {length} offset {offset} turn {turn}", subject.name);
                assert!(is_same(subject, got, &expected[..end]), "{}", what());
                assert!(before == [CANARY; MARGIN] && behind == [CANARY; MARGIN], "{}: written outside", what());
            }
        }
    }
}

/// One test for each group, so that they run side by side.
fn run(wanted: impl Fn(Cell) -> bool) {
    let levels = check::levels();
    let mut count = 0;
    for cell in cells().into_iter().filter(|&c| wanted(c)) {
        for &isa in &levels {
            // A level without a kernel of its own runs the one below.
            let op = if cell.target == Some(cell.dtype) { Op::Copy } else { cell.op };
            if kernel(op, cell.dtype, cell.result(), isa).is_some_and(|k| k.owner == isa) {
                every_length(&Subject::of_cell(cell), isa);
                count += 1;
            }
        }
    }
    println!("{count} kernels");
    assert!(count > 0, "nothing was tried");
}

/// What the table of operators has not.
fn run_others(subjects: &[Subject]) {
    let mut count = 0;
    // The levels of native f16 have none of these kernels of their own.
    for isa in check::levels().into_iter().filter(|isa| !matches!(isa, Isa::Avx512Fp16 | Isa::NeonFp16)) {
        for subject in subjects {
            every_length(subject, isa);
            count += 1;
        }
    }
    println!("{count} kernels: {} on each level", subjects.len());
    assert!(count > 0, "nothing was tried");
}

#[test]
fn correctly_rounded() {
    // Over 16-bit floats they are those of f32 between casts: the ones with a kernel of their own stand for all.
    let dtypes = [DType::F32, DType::F16, DType::BF16];
    let cells = dtypes.iter().flat_map(|&d| Op::ALL.iter().map(move |&op| (op, d)));
    let wanted = |&(op, d): &(Op, DType)| op.info().is_math(d) && (d == DType::F32 || op.has_exact_kernel(DType::F32));
    let all: Vec<Subject> = cells.filter(wanted).filter_map(|(op, d)| Subject::exact(op, d)).collect();
    run_others(&all);
}

#[test]
fn superinstructions() {
    let all: Vec<Subject> = Fused::all().map(Subject::fused).collect();
    run_others(&all);
}

#[test]
fn functions_of_the_callers() {
    type MulAdd<S> = Then<Binary<Multiply>, Binary<Add>, S>;
    let all = [
        Subject::function(&Operator::new::<Unary<Silu>, f32>("silu_of_mine"), DType::F32),
        Subject::function(&Operator::new::<Binary<Multiply>, f64>("multiply_of_mine"), DType::F64),
        Subject::function(&Operator::new::<Binary<Add>, u8>("add_of_mine"), DType::U8),
        Subject::function(&Operator::new::<MulAdd<f16>, f16>("multiply_add_of_mine"), DType::F16),
    ];
    run_others(&all);
}

#[test]
fn casts() {
    run(|c| c.op == Op::Cast);
}

#[test]
fn tests_and_logic() {
    run(|c| c.op != Op::Cast && c.result() != c.dtype);
}

#[test]
fn bytes_to_bytes() {
    run(|c| c.op != Op::Cast && c.result() == c.dtype && c.dtype.size() == 1);
}

#[test]
fn wider_elements() {
    run(|c| c.op != Op::Cast && c.result() == c.dtype && c.dtype.size() > 1);
}
