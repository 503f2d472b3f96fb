//! Plans whose tiles cut several loops equal the reference: transposed operands, and operands that repeat along an outer loop.
//!
//! Tiles have every size, with and without shorter ones at the ends of both loops. Elements have every size, plans are
//! copies, one step or two, and runs as tasks start at any tile.

use eltwise::{Broadcast, DType, Op, Program, ProgramBuilder, Serial, Shape};
use eltwise_reference::Tensor;
use eltwise_testkit::check::{self, RunMode};
use eltwise_testkit::{Arrangement, Operand};

/// Axes in reverse order, with `gap` bytes between the elements of the first axis, which is then the innermost.
fn transposed(gap: u8) -> Arrangement {
    let mut arrangement = Arrangement { order: std::array::from_fn(|a| 15 - a as u8), ..Arrangement::dense() };
    arrangement.gaps[0] = gap;
    arrangement
}

/// A copy of `a` for 0 steps, `a + b` for 1, `(a + b) - a` for 2.
fn program(dtype: DType, steps: usize) -> Program {
    if steps == 0 {
        return Program::single(Op::Copy, &[dtype; 1], None, Broadcast::Numpy).unwrap();
    }
    let mut b = ProgramBuilder::new();
    let (x, y) = (b.input("a", dtype), b.input("b", dtype));
    let mut value = b.step(Op::Add, &[x, y], None, Broadcast::Numpy).unwrap();
    if steps == 2 {
        value = b.step(Op::Subtract, &[value, x], None, Broadcast::Numpy).unwrap();
    }
    b.output(value);
    Program::from(b.finish().unwrap())
}

#[test]
fn transposed_operands_equal_the_reference() {
    let dense = Arrangement::dense();
    let shapes: [&[usize]; 8] =
        [&[130, 150], &[8, 70], &[67, 9], &[64, 256], &[3, 83, 97], &[2, 70, 3, 90], &[71, 2, 130], &[33, 41, 17]];
    let isas = check::isas();
    let mut rearranged = 0;
    for (s, shape) in shapes.into_iter().enumerate() {
        let shape = Shape::new(shape);
        for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
            for (steps, second) in [(0, &dense), (1, &dense), (1, &transposed(0)), (2, &dense), (2, &transposed(0))] {
                let program = program(dtype, steps);
                let size = dtype.size() as u8;
                let arrangements = [&transposed(size * (s % 3) as u8), second];
                let count = program.inputs().len();
                let inputs: Vec<Operand> = (arrangements.into_iter().zip(4..).take(count))
                    .map(|(a, seed)| Operand::input(dtype, &shape, a, seed))
                    .collect();
                let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
                let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).unwrap();
                for &isa in &isas {
                    let out = Some(std::slice::from_ref(&dense));
                    let (plan, fresh) = check::bind(&program, &inputs, &shape, out, isa).unwrap();
                    let text = plan.explain(1).to_string();
                    rearranged +=
                        usize::from([" packed", " permuted", " unpacked"].iter().any(|word| text.contains(word)));
                    for mode in [RunMode::On(&Serial), RunMode::Tasks(2), RunMode::Tasks(7)] {
                        let mut outputs = fresh.clone();
                        let _ = check::run(&plan, mode, &inputs, &mut outputs).unwrap();
                        check::compare_outputs(&expected, &outputs, steps == 0)
                            .unwrap_or_else(|e| panic!("{dtype} {shape}, {steps} steps, {isa}: {e}\n{text}"));
                    }
                }
            }
        }
    }
    assert!(rearranged >= 25 * isas.len(), "only {rearranged} plans pack or permute");
}

#[test]
fn transposed_operands_larger_than_the_l2_cache_equal_the_reference() {
    let dense = Arrangement::dense();
    for &isa in &check::isas() {
        for (dtype, columns) in [(DType::U8, 611), (DType::F16, 333), (DType::F32, 320), (DType::F64, 401)] {
            let size = dtype.size();
            let shape = Shape::new(&[eltwise::target(isa).cpu.l2 / (2 * size * columns) + 3, columns]);
            for (steps, first, second) in [
                (0, transposed(0), &dense),
                (1, transposed(0), &dense),
                (1, transposed(3 * size as u8), &dense),
                (1, transposed(0), &transposed(0)),
                (2, transposed(0), &dense),
            ] {
                let program = program(dtype, steps);
                let inputs: Vec<Operand> = ([&first, second].into_iter().zip(4..).take(program.inputs().len()))
                    .map(|(a, seed)| Operand::input(dtype, &shape, a, seed))
                    .collect();
                let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
                let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).unwrap();
                let (plan, fresh) =
                    check::bind(&program, &inputs, &shape, Some(std::slice::from_ref(&dense)), isa).unwrap();
                let text = plan.explain(1).to_string();
                for mode in [RunMode::On(&Serial), RunMode::Tasks(3)] {
                    let mut outputs = fresh.clone();
                    let _ = check::run(&plan, mode, &inputs, &mut outputs).unwrap();
                    check::compare_outputs(&expected, &outputs, steps == 0)
                        .unwrap_or_else(|e| panic!("{dtype} {shape}, {steps} steps, {isa}: {e}\n{text}"));
                }
            }
        }
    }
}

#[test]
fn packed_operands_that_repeat_over_an_outer_loop_equal_the_reference() {
    // The shapes of the operands. One of them, or both, must be packed and repeats over an outer loop.
    let shapes: [(&[usize], &[usize]); 6] = [
        (&[5, 1, 64, 1, 8], &[1, 16, 1, 8, 8]),
        (&[3, 1, 61, 1, 8], &[1, 37, 1, 5, 8]),
        (&[40, 130, 9], &[130, 1]),
        (&[67, 301, 3], &[301, 1]),
        (&[2, 35, 150, 7], &[2, 1, 150, 1]),
        (&[33, 1, 90, 5], &[1, 40, 1, 5]),
    ];
    let (dense, isas) = (Arrangement::dense(), check::isas());
    let mut rearranged = 0;
    for (first, second) in shapes {
        let (first, second) = (Shape::new(first), Shape::new(second));
        for dtype in [DType::U8, DType::F16, DType::F32, DType::F64] {
            let program = program(dtype, 1);
            let inputs = [Operand::input(dtype, &first, &dense, 4), Operand::input(dtype, &second, &dense, 5)];
            let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
            let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).unwrap();
            let shape = expected[0].shape().clone();
            for &isa in &isas {
                let out = Some(std::slice::from_ref(&dense));
                let (plan, fresh) = check::bind(&program, &inputs, &shape, out, isa).unwrap();
                let text = plan.explain(1).to_string();
                rearranged += usize::from([" packed", " permuted"].iter().any(|word| text.contains(word)));
                for mode in [RunMode::On(&Serial), RunMode::Tasks(2), RunMode::Tasks(7)] {
                    let mut outputs = fresh.clone();
                    let _ = check::run(&plan, mode, &inputs, &mut outputs).unwrap();
                    check::compare_outputs(&expected, &outputs, false)
                        .unwrap_or_else(|e| panic!("{dtype} {first} {second}, {isa}: {e}\n{text}"));
                }
            }
        }
    }
    assert!(rearranged >= 5 * isas.len(), "only {rearranged} plans pack or permute");
}
