//! Operands that kernels put in order in registers: stretched, short rows that repeat, strided, backwards, as either
//! operand or both, of every element size, of every length of the last row, begun at any tile, equal the oracle and write
//! nothing else.

use eltwise::kernels::is_built;
use eltwise::{BindOptions, Broadcast, DType, Layout, Op, Program, Serial, Shape};
use eltwise_kernels::arranged::arranged;
use eltwise_reference::Tensor;
use eltwise_testkit::check::{self, How};
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

/// The shapes of two operands, and gaps (in elements) or a turn of the first one's last axis, or of both.
struct Pattern {
    shapes: [Vec<usize>; 2],
    gap: u8,
    flip: bool,
    both: bool,
}

fn plain(a: &[usize], b: &[usize]) -> Pattern {
    Pattern { shapes: [a.to_vec(), b.to_vec()], gap: 0, flip: false, both: false }
}

/// Patterns of more than 16 KiB in all, that end at any place in a vector, for elements of `size` bytes.
fn patterns(size: usize) -> Vec<Pattern> {
    // Fewer wide elements are as many bytes.
    let k = 4 / size.min(4);
    let mut all = vec![
        plain(&[1, 67, 5], &[41 * k, 1, 5]),
        plain(&[1, 64, 17], &[13 * k, 1, 17]),
        plain(&[3, 1, 67, 2], &[1, 43 * k, 1, 2]),
        plain(&[61 * k, 1, 5], &[1, 40, 5]),
        plain(&[131 * k, 1, 7], &[1, 9, 1]),
        plain(&[3 * k, 4, 64, 33], &[3 * k, 1, 64, 1]),
        plain(&[3 * k, 65, 49], &[65, 1]),
        plain(&[97 * k, 1], &[1, 64]),
    ];
    for columns in [2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 64, 100] {
        let rows = 12_000 * k / columns;
        all.extend([0, 1, 2].map(|more| plain(&[rows + more, columns], &[rows + more, 1])));
    }
    for n in (0..20).chain([size, 64, 65]).map(|n| 9000 * k + n) {
        all.push(Pattern { gap: 1, ..plain(&[n], &[]) });
        all.push(Pattern { flip: true, ..plain(&[n], &[n]) });
        all.push(Pattern { gap: 1, both: true, ..plain(&[n], &[n]) });
        all.push(Pattern { flip: true, both: true, ..plain(&[n], &[n]) });
    }
    for both in [false, true] {
        for gap in [1, 2, 3] {
            all.push(Pattern { gap, both, ..plain(&[37 * k, 301], &[37 * k, 301]) });
        }
        all.push(Pattern { flip: true, both, ..plain(&[37 * k, 301], &[37 * k, 301]) });
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
fn arranged_operands_equal_the_oracle() {
    let levels = check::levels();
    for (d, dtype) in DTYPES.into_iter().filter(|&d| is_built(d)).enumerate() {
        let patterns = patterns(dtype.size());
        let check = |(p, pattern): (usize, &Pattern)| {
            let op = OPS[(p + d) % if dtype.is_float() { 6 } else { 5 }];
            let program = Program::single(op, &[dtype; 2], None, Broadcast::Numpy).unwrap();
            let [a, b] = operands(pattern, dtype);
            let mut met = 0;
            for inputs in [[a.clone(), b.clone()], [b, a]] {
                let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
                let (expected, _) = eltwise_reference::run(&program, &tensors).unwrap();
                for &isa in &levels {
                    let out = [Arrangement { offset: 4 * (p % 3) as u8, ..Arrangement::dense() }];
                    let (plan, fresh) = check::bind(&program, &inputs, expected[0].shape(), Some(&out), isa).unwrap();
                    let text = plan.explain(1).to_string();
                    met += usize::from(text.contains("put in order"));
                    for how in [How::On(&Serial), How::Tasks(3)] {
                        let mut outputs = fresh.clone();
                        let _ = check::run(&plan, how, &inputs, &mut outputs).unwrap();
                        check::outputs_are(&expected, &outputs, false)
                            .unwrap_or_else(|e| panic!("{op} {dtype} {:?} {isa}: {e}\n{text}", pattern.shapes));
                    }
                }
            }
            met
        };
        let met: usize = patterns.par_iter().enumerate().map(check).sum();
        let arranges = levels.iter().filter(|&&isa| arranged(Op::Add, dtype, isa).is_some()).count();
        let expected = patterns.len() * 2 * arranges * 3 / 4;
        assert!(met >= expected, "{met} plans of {dtype} put an operand in order, of {expected} at least");
    }
}

/// An input that is used twice is put in order twice.
#[test]
fn an_operand_may_be_both() {
    for isa in check::levels() {
        for (dtype, flip) in [(DType::F32, false), (DType::F32, true), (DType::U8, false), (DType::F16, true)] {
            if !is_built(dtype) {
                continue;
            }
            for n in [40_000, 40_001, 40_063] {
                let pattern = Pattern { gap: u8::from(!flip), flip, both: true, ..plain(&[n], &[n]) };
                let [a, _] = operands(&pattern, dtype);
                let program = Program::parse("x * x", &[("x", dtype)]).unwrap();
                let (expected, _) = eltwise_reference::run(&program, &[a.tensor()]).unwrap();
                let (plan, mut outputs) =
                    check::bind(&program, std::slice::from_ref(&a), expected[0].shape(), None, isa).unwrap();
                let _ = check::run(&plan, How::On(&Serial), std::slice::from_ref(&a), &mut outputs).unwrap();
                check::outputs_are(&expected, &outputs, false).unwrap_or_else(|e| panic!("{dtype} {n} {isa}: {e}"));
                let arranges = arranged(Op::Multiply, dtype, isa).is_some();
                assert_eq!(plan.explain(1).to_string().contains("put in order"), arranges, "{dtype} {n} {isa}");
            }
        }
    }
}

/// The operand that is not put in order may be the output.
#[test]
fn the_other_operand_may_be_overwritten() {
    for isa in check::levels() {
        for (rows, columns) in [(4001, 3), (700, 17), (2500, 5)] {
            let program = Program::single(Op::Subtract, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
            let (wide, narrow) = (Shape::new(&[rows, columns]), Shape::new(&[rows, 1]));
            let mut whole = Operand::input(DType::F32, &wide, &Arrangement::dense(), 5);
            let column = Operand::input(DType::F32, &narrow, &Arrangement::dense(), 7);
            for first in [0, 1] {
                let inputs = if first == 0 { [&whole, &column] } else { [&column, &whole] };
                let tensors: Vec<Tensor> = inputs.iter().map(|o| o.tensor()).collect();
                let (expected, _) = eltwise_reference::run(&program, &tensors).unwrap();
                let layouts: Vec<&Layout> = inputs.iter().map(|o| o.layout()).collect();
                let options = BindOptions::new().isa(isa).outputs([whole.layout().clone()]);
                let plan = program.bind_with(&layouts, &options).unwrap();
                let _ = plan.run_in_place(&Serial, first, &[column.view()], &mut whole.view_mut()).unwrap();
                check::outputs_are(&expected, std::slice::from_ref(&whole), false)
                    .unwrap_or_else(|e| panic!("{rows} x {columns}, operand {first}, {isa}: {e}"));
            }
        }
    }
}
