//! Raw runs over operands that interleave in one buffer equal the reference, and write no other byte. Operands that share
//! a byte are errors.

use eltwise::{
    BindOptions, Broadcast, DType, Error, ErrorBound, ErrorKind, Executor, Layout, Op, Program, RawView, Serial,
};
use eltwise_reference::Tensor;
use eltwise_testkit::check::{self, RunMode, tested_isas};
use eltwise_testkit::executors::ReverseOrder;
use eltwise_testkit::typed_ops::TypedOp;
use eltwise_testkit::{Arrangement, Operand, reference, runner, values};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// A part of a buffer: the byte of element `[0, 0, ...]`, and the layout.
#[derive(Clone, Debug)]
struct Part(usize, Layout);

/// A matrix in a buffer, with elements before the first row and after the last.
#[derive(Clone, Copy, Debug)]
struct Matrix {
    dtype: DType,
    rows: usize,
    columns: usize,
}

/// The elements before the first row of a [`Matrix`], and after the last.
const MARGIN: usize = 16;

impl Matrix {
    /// `count` columns from `first` on, with a distance of `step` columns. If `step` is negative, they go backward.
    fn columns(self, first: usize, count: usize, step: isize) -> Part {
        let size = self.dtype.size();
        let strides = [(self.columns * size) as isize, step * size as isize];
        Part((MARGIN + first) * size, Layout::strided(self.dtype, [self.rows, count], strides).unwrap())
    }

    /// A transposed view.
    fn transposed(Part(at, layout): Part) -> Part {
        let (shape, strides) = (layout.shape(), layout.strides());
        Part(at, Layout::strided(layout.dtype(), [shape[1], shape[0]], [strides[1], strides[0]]).unwrap())
    }

    /// A buffer with pseudo-random elements.
    fn buffer(self, seed: u64) -> Vec<u8> {
        values::bytes(self.dtype, self.rows * self.columns + 2 * MARGIN, seed)
    }
}

/// The bytes of a buffer at which the elements of a part start, in C order.
fn starts(Part(at, layout): &Part) -> Vec<usize> {
    let mut starts = vec![*at];
    for (&size, &stride) in layout.shape().iter().zip(layout.strides().iter()) {
        let along = |start: usize| (0..size).map(move |i| start.wrapping_add_signed(i as isize * stride));
        starts = starts.into_iter().flat_map(along).collect();
    }
    starts
}

fn tensor(buffer: &[u8], part: &Part) -> Tensor {
    let size = part.1.dtype().size();
    let data = starts(part).into_iter().flat_map(|start| &buffer[start..start + size]).copied().collect();
    Tensor::new(part.1.dtype(), part.1.shape().clone(), data).unwrap()
}

/// Runs a program whose operands are parts of `buffer`.
fn run(
    program: &Program,
    buffer: &mut [u8],
    (inputs, outputs): (&[Part], &[Part]),
    executor: &dyn Executor,
    options: BindOptions,
) -> Result<(), Error> {
    let base = buffer.as_mut_ptr();
    let view = |part: &Part| RawView { ptr: base.wrapping_add(part.0), layout: part.1.clone() };
    let layouts: Vec<&Layout> = inputs.iter().map(|part| &part.1).collect();
    let given: Vec<Layout> = outputs.iter().map(|part| part.1.clone()).collect();
    let plan = program.bind_with(&layouts, &options.outputs(given))?;
    let (inputs, outputs): (Vec<_>, Vec<_>) = (inputs.iter().map(view).collect(), outputs.iter().map(view).collect());
    // SAFETY: every element of every part is within the buffer, which is borrowed exclusively.
    unsafe { plan.run_raw(executor, &inputs, &outputs) }.map(drop)
}

/// Compares a run with the reference, on every ISA, in one task and in several: the outputs, and that the run writes no other
/// byte.
fn check(program: &Program, matrix: Matrix, parts: (&[Part], &[Part])) -> Result<(), String> {
    let expected = |inputs: &[Tensor]| reference::run(program, inputs).map(|(outputs, _)| outputs);
    check_against(program, matrix, parts, expected)
}

/// As [`check`], against a definition of the outputs. They also have the bits of a run over separate operands.
fn check_against(
    program: &Program,
    matrix: Matrix,
    (inputs, outputs): (&[Part], &[Part]),
    expected: impl Fn(&[Tensor]) -> Result<Vec<Tensor>, Error>,
) -> Result<(), String> {
    let before = matrix.buffer(7 + inputs.len() as u64);
    let tensors: Vec<Tensor> = inputs.iter().map(|part| tensor(&before, part)).collect();
    let expected = expected(&tensors).map_err(|e| e.to_string())?;
    let separate = run_apart(program, &tensors);
    for isa in tested_isas() {
        for executor in [&Serial as &dyn Executor, &ReverseOrder(5)] {
            let about = |e: String| format!("{e}\n{isa}, width {}, {inputs:?} to {outputs:?}", executor.width());
            let mut buffer = before.clone();
            let options = BindOptions::new().isa(isa).min_task_ns(0);
            run(program, &mut buffer, (inputs, outputs), executor, options).map_err(|e| about(e.to_string()))?;
            for ((part, expected), separate) in outputs.iter().zip(&expected).zip(&separate) {
                let got = tensor(&buffer, part);
                check::compare_tensors(expected, &got, false).map_err(about)?;
                check::compare_tensors(separate, &got, false).map_err(about)?;
                for start in starts(part) {
                    let element = start..start + part.1.dtype().size();
                    buffer[element.clone()].copy_from_slice(&before[element]);
                }
            }
            if let Some(at) = buffer.iter().zip(&before).position(|(now, was)| now != was) {
                return Err(about(format!("byte {at} is in no output and was written")));
            }
        }
    }
    Ok(())
}

/// The outputs of a run over dense operands that share no memory.
fn run_apart(program: &Program, inputs: &[Tensor]) -> Vec<Tensor> {
    let inputs: Vec<Operand> = inputs.iter().map(|x| Operand::from_tensor(x, &Arrangement::dense())).collect();
    let layouts: Vec<&Layout> = inputs.iter().map(Operand::layout).collect();
    let plan = program.bind(&layouts).unwrap();
    let mut outputs: Vec<Operand> = plan.output_layouts().iter().map(|l| Operand::with_layout(l.clone())).collect();
    let _ = check::run(&plan, RunMode::On(&Serial), &inputs, &mut outputs).unwrap();
    outputs.iter().map(Operand::tensor).collect()
}

fn parse(text: &str, names: &[&str], dtype: DType) -> Program {
    let inputs: Vec<(&str, DType)> = names.iter().map(|&name| (name, dtype)).collect();
    Program::parse(text, &inputs).unwrap()
}

/// Whether this build has the kernel.
fn is_built(op: Op, dtype: DType, target: Option<DType>) -> bool {
    TypedOp { op, dtype, target }.is_built()
}

/// Rotary embeddings: the two lanes of a pair are even and odd columns, or the halves of a row.
#[test]
fn rotary_embeddings_equal_the_reference() {
    let rotate = parse("e * c - o * s; e * s + o * c", &["e", "o", "c", "s"], DType::F32);
    let even = parse("e * c - o * s", &["e", "o", "c", "s"], DType::F32);
    let odd = parse("e * s + o * c", &["e", "o", "c", "s"], DType::F32);
    for (rows, pairs) in [(1, 1), (1, 40), (3, 8), (7, 32), (33, 5), (64, 64)] {
        // The columns: x in the first part of a row, then c and s, then another matrix like x.
        let matrix = Matrix { dtype: DType::F32, rows, columns: 6 * pairs };
        let [c, s] = [2, 3].map(|block| matrix.columns(block * pairs, pairs, 1));
        let interleaved = |block: usize| [0, 1].map(|lane| matrix.columns(block * pairs + lane, pairs, 2));
        let halves = |block: usize| [0, 1].map(|half| matrix.columns((block + half) * pairs, pairs, 1));
        for lanes in [&interleaved as &dyn Fn(usize) -> [Part; 2], &halves] {
            let ([e, o], [to_e, to_o]) = (lanes(0), lanes(4));
            let inputs = [e.clone(), o.clone(), c.clone(), s.clone()];
            check(&rotate, matrix, (&inputs, &[to_e, to_o])).unwrap();
            // One lane in place, next to the other, which the run reads.
            check(&even, matrix, (&inputs, std::slice::from_ref(&e))).unwrap();
            check(&odd, matrix, (&inputs, std::slice::from_ref(&o))).unwrap();
            // From one order of lanes into the other.
            check(&rotate, matrix, (&inputs, &interleaved(4))).unwrap();
        }
    }
}

/// The first lane may not overwrite its input, which the steps of the second lane read.
#[test]
fn rotary_embeddings_in_place_on_both_lanes_in_one_run_are_an_error() {
    let rotate = parse("e * c - o * s; e * s + o * c", &["e", "o", "c", "s"], DType::F32);
    let matrix = Matrix { dtype: DType::F32, rows: 5, columns: 64 };
    let lanes = [0, 1].map(|lane| matrix.columns(lane, 16, 2));
    let inputs = [&lanes[..], &[32, 48].map(|first| matrix.columns(first, 16, 1))].concat();
    let mut buffer = matrix.buffer(3);
    let error = run(&rotate, &mut buffer, (&inputs, &lanes), &Serial, BindOptions::new()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Alias, "{error}");
    assert_overlap(&error.to_string(), "output 0", "input e");
    assert!(buffer == matrix.buffer(3), "a run that failed wrote to its output");
}

/// A gated linear unit: the first third of a row times the sigmoid of the second, written to the third.
#[test]
fn gated_units_in_one_buffer_equal_the_reference() {
    let glu = parse("a * sigmoid(b)", &["a", "b"], DType::F32);
    let (sigmoid, product) = (parse("sigmoid(b)", &["b"], DType::F32), parse("a * b", &["a", "b"], DType::F32));
    // The product of a subnormal sigmoid, which is up to one step off, may be many steps off.
    let expected = |inputs: &[Tensor]| {
        let gate = run_apart(&sigmoid, &inputs[1..]).remove(0);
        check::compare_tensors_within(&reference::run(&sigmoid, &inputs[1..])?.0[0], &gate, false, ErrorBound::ONE_ULP)
            .unwrap();
        Ok(reference::run(&product, &[inputs[0].clone(), gate])?.0)
    };
    for (rows, n) in [(1, 1), (1, 100), (4, 16), (9, 33), (40, 64), (128, 7)] {
        let matrix = Matrix { dtype: DType::F32, rows, columns: 3 * n };
        let thirds = [0, 1, 2].map(|block| matrix.columns(block * n, n, 1));
        let every_third = [0, 1, 2].map(|lane| matrix.columns(lane, n, 3));
        for [a, b, out] in [thirds, every_third] {
            check_against(&glu, matrix, (&[a.clone(), b.clone()], &[out]), expected).unwrap();
            check_against(&glu, matrix, (&[a.clone(), b.clone()], std::slice::from_ref(&a)), expected).unwrap();
            check_against(&glu, matrix, (&[a, b.clone()], &[b]), expected).unwrap();
        }
    }
}

/// Blocks of the columns of a matrix: a cut of the columns into parts, and for each part whether it is reversed.
fn blocks(matrix: Matrix, cuts: &[usize], reversed: u8) -> Vec<Part> {
    let mut ends: Vec<usize> = cuts.iter().map(|cut| cut % (matrix.columns + 1)).collect();
    ends.sort_unstable();
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let ends = ends.iter().copied().chain([matrix.columns]);
    let width = starts.clone().zip(ends.clone()).map(|(start, end)| end - start).min().unwrap();
    let part = |(i, start): (usize, usize)| {
        if reversed >> i & 1 == 1 && width > 0 {
            matrix.columns(start + width - 1, width, -1)
        } else {
            matrix.columns(start, width, 1)
        }
    };
    starts.enumerate().map(part).collect()
}

/// Split and concatenation: blocks of columns are read and others written, as copies and in expressions.
#[test]
fn runs_between_blocks_of_columns_equal_the_reference() {
    let dtypes = [DType::F32, DType::I16, DType::I64, DType::U8, DType::F64];
    let dtypes: Vec<DType> = dtypes.into_iter().filter(|&dtype| is_built(Op::Maximum, dtype, None)).collect();
    let strategy = (
        (1usize..20, 4usize..100, prop::sample::select(dtypes)),
        (prop::array::uniform3(any::<prop::sample::Index>()), any::<u8>(), any::<bool>(), 0u8..3),
    );
    let result = runner(0.5).run(&strategy, |((rows, columns, dtype), (cuts, reversed, is_transposed, kind))| {
        let matrix = Matrix { dtype, rows, columns };
        let parts = blocks(matrix, &cuts.map(|cut| cut.index(columns + 1)), reversed);
        let parts: Vec<Part> =
            parts.into_iter().map(|part| if is_transposed { Matrix::transposed(part) } else { part }).collect();
        let (inputs, outputs) = match kind {
            0 => (&parts[2..3], &parts[..1]),
            1 => (&parts[..2], &parts[2..]),
            _ => (&parts[1..], &parts[..1]),
        };
        let program = match kind {
            0 => Program::single(Op::Copy, &[dtype], None, Broadcast::Numpy).unwrap(),
            1 => parse("maximum(a, b); a - b", &["a", "b"], dtype),
            _ => parse("maximum(a - b, c)", &["a", "b", "c"], dtype),
        };
        check(&program, matrix, (inputs, outputs)).map_err(TestCaseError::fail)
    });
    result.unwrap_or_else(|e| panic!("{e}"));
}

/// Fields of records: elements of different sizes at a distance of one record.
#[test]
fn conversions_between_fields_of_records_equal_the_reference() {
    let casts = [(DType::U16, DType::F64), (DType::I32, DType::F32)];
    for (from, to) in casts.into_iter().filter(|&(from, to)| is_built(Op::Cast, from, Some(to))) {
        let cast = Program::single(Op::Cast, &[from], Some(to), Broadcast::Numpy).unwrap();
        for rows in [1, 2, 17, 300] {
            // A record of 12 bytes has the output first, a byte that is in no field, and the input.
            let matrix = Matrix { dtype: DType::U8, rows, columns: 12 };
            let field = |dtype, at: usize| Part(MARGIN + at, Layout::strided(dtype, [rows], [12]).unwrap());
            check(&cast, matrix, (&[field(from, to.size() + 1)], &[field(to, 0)])).unwrap();
        }
    }
}

/// Checks that an error names both operands, each with its layout and address, and the rule.
fn assert_overlap(error: &str, output: &str, operand: &str) {
    let rule = "an output may share memory only with an input that has the same address and strides, and that the plan does not \
                read after it has written the output";
    let (operands, given_rule) = error.split_once(": ").unwrap();
    let (first, second) = operands.split_once(" overlaps ").unwrap();
    for (text, name) in [(first, output), (second, operand)] {
        let described = text.strip_prefix(name).unwrap_or_else(|| panic!("{name} is expected in {error:?}"));
        assert!(described.contains("strides [") && described.contains(" at 0x"), "{error}");
    }
    assert_eq!(given_rule, rule);
}

#[test]
fn operands_that_share_a_byte_are_errors_and_nothing_is_written() {
    let matrix = Matrix { dtype: DType::F32, rows: 6, columns: 16 };
    let add = parse("a + b", &["a", "b"], DType::F32);
    let two = parse("a + b; a - b", &["a", "b"], DType::F32);
    let block = |first, count, step| matrix.columns(first, count, step);
    let before = matrix.buffer(5);
    let is_error = |program: &Program, inputs: [Part; 2], outputs: &[Part], message: &str| {
        let mut buffer = before.clone();
        let error = run(program, &mut buffer, (&inputs, outputs), &Serial, BindOptions::new()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Alias, "{error}");
        let (output, operand) = message.split_once(" overlaps ").unwrap();
        assert_overlap(&error.to_string(), output, operand);
        assert!(buffer == before, "a run that failed wrote to its output");
    };
    // The last column of `b` is the first of the output.
    is_error(&add, [block(0, 5, 1), block(5, 5, 1)], &[block(9, 5, 1)], "output 0 overlaps input b");
    // The output has the even columns, and `a` all columns.
    is_error(&add, [block(0, 8, 1), block(1, 8, 2)], &[block(0, 8, 2)], "output 0 overlaps input a");
    // The same columns, one of them reversed.
    is_error(&add, [block(8, 8, 1), block(7, 8, -1)], &[block(0, 8, 1)], "output 0 overlaps input b");
    // The output begins in the row after `a`, and shares its columns.
    let next_row = Part((MARGIN + 16) * 4, Layout::strided(DType::F32, [5, 4], [64, 4]).unwrap());
    let first_rows = |first: usize| Part((MARGIN + first) * 4, Layout::strided(DType::F32, [5, 4], [64, 4]).unwrap());
    is_error(&add, [first_rows(0), first_rows(4)], &[next_row], "output 0 overlaps input a");
    // Two outputs share a column.
    let outputs = [block(8, 4, 1), block(11, 4, 1)];
    is_error(&two, [block(0, 4, 1), block(4, 4, 1)], &outputs, "output 1 overlaps output 0");
}
