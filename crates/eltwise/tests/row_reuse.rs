//! Rows that share a row of an operand equal the reference: the shared row as either operand, with a matrix, a column or the
//! output as the other, of every element size, serially and as tasks.

use eltwise::kernels::is_built;
use eltwise::{BindOptions, Broadcast, CpuModel, DType, Layout, Op, Program, Serial, Shape};
use eltwise_reference::Tensor;
use eltwise_testkit::check::{self, RunMode};
use eltwise_testkit::{Arrangement, Operand};

const OPS: [Op; 6] = [Op::Add, Op::Subtract, Op::Multiply, Op::Maximum, Op::Minimum, Op::Divide];

fn dense(dtype: DType, shape: &[usize], seed: u64) -> Operand {
    Operand::input(dtype, &Shape::new(shape), &Arrangement::dense(), seed)
}

/// Plans depend on the CPU, so all tests of this file plan for the same one on every host.
fn plan_for_one_cpu() {
    eltwise::set_cpu_model(CpuModel::default()).expect("no test here plans for a different CPU");
}

#[test]
fn shared_rows_equal_the_reference() {
    plan_for_one_cpu();
    for (d, dtype) in DType::ALL.into_iter().filter(|&d| is_built(d)).enumerate() {
        let line = 64 / dtype.size();
        let shapes: [(&[usize], &[usize]); 7] = [
            (&[600, 1], &[1, line]),
            (&[600, line], &[1, line]),
            (&[90, 1], &[1, 7 * line]),
            (&[70, 8 * line], &[1, 8 * line]),
            (&[40, 1], &[16 * line]),
            (&[3, 90, 1], &[3, 1, 3 * line]),
            (&[1, 70, 1], &[7, 1, 4 * line]),
        ];
        for (s, (a, b)) in shapes.into_iter().enumerate() {
            let op = OPS[(s + d) % OPS.len()];
            let Ok(program) = Program::single(op, &[dtype; 2], None, Broadcast::Numpy) else { continue };
            let (a, b) = (dense(dtype, a, 1), dense(dtype, b, 3));
            for inputs in [[a.clone(), b.clone()], [b, a]] {
                let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
                let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).unwrap();
                for isa in check::isas() {
                    let (plan, fresh) = check::bind(&program, &inputs, expected[0].shape(), None, isa).unwrap();
                    let text = plan.explain(1).to_string();
                    let shapes = inputs.each_ref().map(|o| o.layout().shape().to_string());
                    for mode in [RunMode::On(&Serial), RunMode::Tasks(3)] {
                        let mut outputs = fresh.clone();
                        let _ = check::run(&plan, mode, &inputs, &mut outputs).unwrap();
                        check::compare_outputs(&expected, &outputs, false)
                            .unwrap_or_else(|e| panic!("{op} {dtype} {shapes:?} {isa}: {e}\n{text}"));
                    }
                }
            }
        }
    }
}

#[test]
fn the_operand_that_is_not_shared_may_be_the_output() {
    plan_for_one_cpu();
    for isa in check::isas() {
        let program = Program::single(Op::Subtract, &[DType::F32; 2], None, Broadcast::Numpy).unwrap();
        for columns in [16, 64, 176] {
            let (mut matrix, row) = (dense(DType::F32, &[400, columns], 5), dense(DType::F32, &[columns], 7));
            for position in [0, 1] {
                let inputs = if position == 0 { [&matrix, &row] } else { [&row, &matrix] };
                let tensors: Vec<Tensor> = inputs.iter().map(|o| o.tensor()).collect();
                let (expected, _) = eltwise_testkit::reference::run(&program, &tensors).unwrap();
                let layouts: Vec<&Layout> = inputs.iter().map(|o| o.layout()).collect();
                let options = BindOptions::new().isa(isa).outputs([matrix.layout().clone()]);
                let plan = program.bind_with(&layouts, &options).unwrap();
                let _ = plan.run_in_place(&Serial, position, &[row.view()], &mut matrix.view_mut()).unwrap();
                check::compare_outputs(&expected, std::slice::from_ref(&matrix), false)
                    .unwrap_or_else(|e| panic!("{columns} columns, operand {position}, {isa}: {e}"));
            }
        }
    }
}
