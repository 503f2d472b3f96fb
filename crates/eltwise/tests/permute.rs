//! Plans that permute an operand in registers equal the reference and write nothing outside the output.
//!
//! The permuted operand is broadcast along the columns, a short row that repeats, strided or reversed. It is either
//! operand or both. All element sizes occur, the last vector has every length, and runs as tasks start at any tile.

use eltwise::kernels::is_built;
use eltwise::{BindOptions, Broadcast, DType, Layout, Op, Program, Serial, Shape};
use eltwise_kernels::layout::unit_kernel;
use eltwise_reference::Tensor;
use eltwise_testkit::check::{self, RunMode};
use eltwise_testkit::{Arrangement, Operand};
use rayon::prelude::*;

const OPS: [Op; 6] = [Op::Add, Op::Subtract, Op::Multiply, Op::Maximum, Op::Minimum, Op::Divide];
const DTYPES: [DType; 12] = [
    DType::F32,
    DType::F64,
    DType::I32,
    DType::U32,
    DType::I64,
    DType::U64,
    DType::I8,
    DType::U8,
    DType::I16,
    DType::U16,
    DType::F16,
    DType::BF16,
];

/// The shapes of two operands, and the layout of their last axis.
struct Pattern {
    shapes: [Vec<usize>; 2],
    /// Elements between neighbours.
    gap: u8,
    /// Reversed.
    flip: bool,
    /// Whether `gap` and `flip` apply to both operands, or to the first one only.
    both: bool,
}

fn dense(a: &[usize], b: &[usize]) -> Pattern {
    Pattern { shapes: [a.to_vec(), b.to_vec()], gap: 0, flip: false, both: false }
}

/// Patterns for elements of `size` bytes. Each has more than 16 KiB of operands, the least at which the planner
/// permutes; the last vector has every number of elements.
fn patterns(size: usize) -> Vec<Pattern> {
    // Narrow elements need more rows to reach 16 KiB.
    let k = 4 / size.min(4);
    let mut all = vec![
        dense(&[1, 67, 5], &[41 * k, 1, 5]),
        dense(&[1, 64, 17], &[13 * k, 1, 17]),
        dense(&[3, 1, 67, 2], &[1, 43 * k, 1, 2]),
        dense(&[61 * k, 1, 5], &[1, 40, 5]),
        dense(&[131 * k, 1, 7], &[1, 9, 1]),
        dense(&[3 * k, 4, 64, 33], &[3 * k, 1, 64, 1]),
        dense(&[3 * k, 65, 49], &[65, 1]),
        dense(&[97 * k, 1], &[1, 64]),
    ];
    for columns in [2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 64, 100] {
        let rows = 12_000 * k / columns;
        all.extend([0, 1, 2].map(|extra| dense(&[rows + extra, columns], &[rows + extra, 1])));
    }
    for n in (0..20).chain([size, 64, 65]).map(|n| 9000 * k + n) {
        all.push(Pattern { gap: 1, ..dense(&[n], &[]) });
        all.push(Pattern { flip: true, ..dense(&[n], &[n]) });
        all.push(Pattern { gap: 1, both: true, ..dense(&[n], &[n]) });
        all.push(Pattern { flip: true, both: true, ..dense(&[n], &[n]) });
    }
    for both in [false, true] {
        for gap in [1, 2, 3] {
            all.push(Pattern { gap, both, ..dense(&[37 * k, 301], &[37 * k, 301]) });
        }
        all.push(Pattern { flip: true, both, ..dense(&[37 * k, 301], &[37 * k, 301]) });
    }
    all
}

fn operands(pattern: &Pattern, dtype: DType) -> [Operand; 2] {
    let mut first = Arrangement { offset: dtype.size() as u8, ..Arrangement::dense() };
    let last = pattern.shapes[0].len() - 1;
    first.gaps[last] = pattern.gap * dtype.size() as u8;
    first.flips = u16::from(pattern.flip) << last;
    let [a, b] = pattern.shapes.each_ref().map(|shape| Shape::new(shape));
    let second = if pattern.both { first.clone() } else { Arrangement::dense() };
    [Operand::input(dtype, &a, &first, 1), Operand::input(dtype, &b, &second, 3)]
}

#[test]
fn permuted_operands_equal_the_reference() {
    let isas = check::isas();
    for (d, dtype) in DTYPES.into_iter().filter(|&d| is_built(d)).enumerate() {
        let patterns = patterns(dtype.size());
        let check = |(p, pattern): (usize, &Pattern)| {
            let op = OPS[(p + d) % if dtype.is_float() { 6 } else { 5 }];
            let program = Program::single(op, &[dtype; 2], None, Broadcast::Numpy).unwrap();
            let [a, b] = operands(pattern, dtype);
            let mut permuted = 0;
            for inputs in [[a.clone(), b.clone()], [b, a]] {
                let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
                let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).unwrap();
                for &isa in &isas {
                    let out = [Arrangement { offset: 4 * (p % 3) as u8, ..Arrangement::dense() }];
                    let (plan, fresh) = check::bind(&program, &inputs, expected[0].shape(), Some(&out), isa).unwrap();
                    let text = plan.explain(1).to_string();
                    permuted += usize::from(text.contains(" permuted"));
                    for mode in [RunMode::On(&Serial), RunMode::Tasks(3)] {
                        let mut outputs = fresh.clone();
                        let _ = check::run(&plan, mode, &inputs, &mut outputs).unwrap();
                        check::compare_outputs(&expected, &outputs, false)
                            .unwrap_or_else(|e| panic!("{op} {dtype} {:?} {isa}: {e}\n{text}", pattern.shapes));
                    }
                }
            }
            permuted
        };
        let permuted: usize = patterns.par_iter().enumerate().map(check).sum();
        let permuting = isas.iter().filter(|&&isa| unit_kernel(Op::Add, dtype, isa).is_some()).count();
        let expected = patterns.len() * 2 * permuting * 3 / 4;
        assert!(
            permuted >= expected,
            "only {permuted} plans of {dtype} permute an operand, expected at least {expected}"
        );
    }
}

/// An input that is both operands of a step is permuted twice.
#[test]
fn one_input_as_both_operands_is_permuted() {
    // Vectors of 64 bytes permute twice in less time than it takes to pack.
    let mut permuted = [0, 0];
    let has_kernels = check::isas().iter().any(|isa| isa.vector_bytes() == 64);
    for isa in check::isas() {
        for (dtype, flip) in [(DType::F32, false), (DType::F32, true), (DType::U8, false), (DType::F16, true)] {
            if !is_built(dtype) {
                continue;
            }
            for n in [40_000, 40_001, 40_063] {
                let pattern = Pattern { gap: u8::from(!flip), flip, both: true, ..dense(&[n], &[n]) };
                let [a, _] = operands(&pattern, dtype);
                let program = Program::parse("x * x", &[("x", dtype)]).unwrap();
                let (expected, _) = eltwise_testkit::reference::run(&program, &[a.tensor()]).unwrap();
                let (plan, mut outputs) =
                    check::bind(&program, std::slice::from_ref(&a), expected[0].shape(), None, isa).unwrap();
                let _ = check::run(&plan, RunMode::On(&Serial), std::slice::from_ref(&a), &mut outputs).unwrap();
                check::compare_outputs(&expected, &outputs, false).unwrap_or_else(|e| panic!("{dtype} {n} {isa}: {e}"));
                let is_permuted = plan.explain(1).to_string().contains(" permuted");
                assert!(!is_permuted || unit_kernel(Op::Multiply, dtype, isa).is_some(), "{dtype} {n} {isa}");
                permuted[usize::from(isa.vector_bytes() == 64)] += usize::from(is_permuted);
            }
        }
    }
    assert_eq!(permuted[1] > 0, has_kernels, "{permuted:?}");
}

#[test]
fn the_operand_that_is_not_permuted_may_be_the_output() {
    for isa in check::isas() {
        for (rows, columns) in [(4001, 3), (700, 17), (2500, 5)] {
            let program = Program::single(Op::Subtract, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
            let (matrix_shape, column_shape) = (Shape::new(&[rows, columns]), Shape::new(&[rows, 1]));
            let mut matrix = Operand::input(DType::F32, &matrix_shape, &Arrangement::dense(), 5);
            let column = Operand::input(DType::F32, &column_shape, &Arrangement::dense(), 7);
            for position in [0, 1] {
                let inputs = if position == 0 { [&matrix, &column] } else { [&column, &matrix] };
                let tensors: Vec<Tensor> = inputs.iter().map(|o| o.tensor()).collect();
                let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).unwrap();
                let layouts: Vec<&Layout> = inputs.iter().map(|o| o.layout()).collect();
                let options = BindOptions::new().isa(isa).outputs([matrix.layout().clone()]);
                let plan = program.bind_with(&layouts, &options).unwrap();
                let _ = plan.run_in_place(&Serial, position, &[column.view()], &mut matrix.view_mut()).unwrap();
                check::compare_outputs(&expected, std::slice::from_ref(&matrix), false)
                    .unwrap_or_else(|e| panic!("{rows} x {columns}, operand {position}, {isa}: {e}"));
            }
        }
    }
}
