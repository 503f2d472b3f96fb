//! Every operator, over every dtype it takes, on every level, in every layout and broadcast mode, equals the oracle.

mod divisions;

use eltwise::{Broadcast, Isa, Op, Shape};
use eltwise_reference::{Conditions, Tensor, evaluate_with_conditions};
use eltwise_testkit::{Arrangement, Cell, Operand, arrangement, cells, check, family, runner};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rayon::prelude::*;

/// The oracle's answer.
fn answer(cell: Cell, mode: &Broadcast, inputs: &[Operand]) -> (Tensor, Conditions) {
    let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
    let tensors: Vec<&Tensor> = tensors.iter().collect();
    evaluate_with_conditions(cell.op, &tensors, cell.target, mode).expect("the family fits")
}

/// One cell on every level. A result without elements computes nothing: it has no condition.
fn on_every_level(
    cell: Cell,
    mode: &Broadcast,
    inputs: &[Operand],
    out: Option<&Arrangement>,
    levels: &[Isa],
) -> Result<(), TestCaseError> {
    let expected = answer(cell, mode, inputs);
    for &isa in levels {
        check::operator(cell, mode, inputs, out, &expected, isa)
            .map_err(|e| TestCaseError::fail(format!("{cell:?} {mode:?}: {e}")))?;
    }
    Ok(())
}

#[test]
fn every_operator_equals_the_oracle_in_every_layout() {
    let levels = check::levels();
    let cells = cells();
    assert!(Op::ALL.iter().all(|&op| cells.iter().any(|c| c.op == op)));
    let check = |cell: Cell| {
        let layouts = (prop::array::uniform4(arrangement()), prop::option::of(arrangement()));
        let strategy = (family(cell.op), layouts, any::<u64>());
        let result = runner(1.0 / 8.0).run(&strategy, |(family, (arrangements, out), seed)| {
            let operands =
                cell.of_operands(family.shapes.len()).into_iter().zip(&family.shapes).zip(&arrangements).enumerate();
            let inputs: Vec<Operand> = operands
                .map(|(i, ((dtype, shape), a))| Operand::input(dtype, shape, a, seed.wrapping_add(2 * i as u64)))
                .collect();
            on_every_level(cell, &family.mode, &inputs, out.as_ref(), &levels)
        });
        result.err().map(|e| format!("{cell:?}: {e}"))
    };
    let wrong: Vec<String> = cells.into_par_iter().filter_map(check).collect();
    assert!(wrong.is_empty(), "{} cells are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every place at which B can start in A, with and without 1s inside and behind, and the default.
#[test]
fn pdpd_at_every_axis() {
    let levels = check::levels();
    let a = Shape::from([3, 5, 2, 17]);
    for (n, cell) in cells().into_iter().filter(|c| c.op.arity() == 2).enumerate() {
        for start in 0..=a.rank() {
            for end in start..=a.rank() {
                for behind in 0..=a.rank() - (end - start) {
                    let mut b: Vec<usize> = a[start..end].to_vec();
                    // Another axis is 1 for each operator.
                    if let Some(size) = b.get_mut(n % 5) {
                        *size = 1;
                    }
                    b.extend(vec![1; behind]);
                    let (seed, dtypes) = ((n + start) as u64, cell.operands());
                    let inputs = [
                        Operand::input(dtypes[0], &a, &Arrangement::dense(), seed),
                        Operand::input(dtypes[1], &Shape::new(&b), &Arrangement::dense(), seed + 2),
                    ];
                    let default = start + b.len() == a.rank();
                    for axis in [Some(start as i64), default.then_some(-1)].into_iter().flatten() {
                        let mode = Broadcast::Pdpd { axis };
                        let level = levels[(n + start + end) % levels.len()];
                        on_every_level(cell, &mode, &inputs, None, &[level]).unwrap();
                    }
                }
            }
        }
    }
}

/// A division counts when it is computed, and padding does not: lengths that leave tails, without and with one zero.
#[test]
fn zero_divisions_are_reported_exactly() {
    let levels = check::levels();
    for cell in cells().into_iter().filter(|c| c.op == Op::Divide) {
        for length in (1..40).chain([63, 64, 65, 127, 129, 255, 256, 257, 300, 1027]) {
            let shape = Shape::from([length]);
            let mut inputs = vec![
                Operand::input(cell.dtype, &shape, &Arrangement::dense(), 1),
                Operand::input(cell.dtype, &shape, &Arrangement { offset: 3, ..Arrangement::dense() }, 3),
            ];
            let without = answer(cell, &Broadcast::Numpy, &inputs).1;
            assert!(!without.any());
            on_every_level(cell, &Broadcast::Numpy, &inputs, None, &levels).unwrap();
            for zero in [0, length / 2, length - 1] {
                let mut data = inputs[1].tensor().into_data();
                let size = cell.dtype.size();
                data[zero * size..(zero + 1) * size].fill(0);
                let divisor = Tensor::new(cell.dtype, shape.clone(), data).unwrap();
                let kept = std::mem::replace(&mut inputs[1], Operand::holding(&divisor, &Arrangement::dense()));
                assert_eq!(answer(cell, &Broadcast::Numpy, &inputs).1.zero_division, cell.dtype.is_integer());
                on_every_level(cell, &Broadcast::Numpy, &inputs, None, &levels).unwrap();
                inputs[1] = kept;
            }
        }
    }
}

/// Many axes: nothing is special about eight.
#[test]
fn any_rank() {
    let levels = check::levels();
    for cell in cells().into_iter().filter(|c| c.dtype.size() == 4 && c.op != Op::Cast) {
        for rank in [9, 12, 33, 70] {
            let shape: Shape = (0..rank).map(|a| if a % (rank / 8) == 1 { 2 } else { 1 }).collect();
            let turned = Arrangement { order: std::array::from_fn(|a| 15 - a as u8), ..Arrangement::dense() };
            let inputs: Vec<Operand> = (cell.operands().into_iter().zip([&turned, &Arrangement::dense(), &turned]))
                .map(|(dtype, a)| Operand::input(dtype, &shape, a, rank as u64))
                .collect();
            on_every_level(cell, &cell.plain_mode(&shape), &inputs, Some(&turned), &levels).unwrap();
        }
    }
}
