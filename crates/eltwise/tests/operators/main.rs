//! Every operator equals the reference, over every dtype it takes, on every ISA, in every layout and broadcast mode.

mod division;

use eltwise::{Broadcast, Isa, Op, Shape};
use eltwise_reference::{Conditions, Tensor, evaluate_with_conditions};
use eltwise_testkit::{Arrangement, Operand, TypedOp, arrangement, broadcast_case, check, runner, typed_ops};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use rayon::prelude::*;

/// The result and the conditions of the reference.
fn expected(typed_op: TypedOp, mode: &Broadcast, inputs: &[Operand]) -> (Tensor, Conditions) {
    let tensors: Vec<Tensor> = inputs.iter().map(Operand::tensor).collect();
    let tensors: Vec<&Tensor> = tensors.iter().collect();
    evaluate_with_conditions(typed_op.op, &tensors, typed_op.target, mode).expect("the case fits")
}

/// Compares one operator on every ISA with the reference.
fn check_every_isa(
    typed_op: TypedOp,
    mode: &Broadcast,
    inputs: &[Operand],
    out: Option<&Arrangement>,
    isas: &[Isa],
) -> Result<(), TestCaseError> {
    let expected = expected(typed_op, mode, inputs);
    for &isa in isas {
        check::operator(typed_op, mode, inputs, out, &expected, isa)
            .map_err(|e| TestCaseError::fail(format!("{typed_op:?} {mode:?}: {e}")))?;
    }
    Ok(())
}

#[test]
fn every_operator_equals_the_reference_in_every_layout() {
    let isas = check::isas();
    let typed_ops = typed_ops();
    assert!(Op::ALL.iter().all(|&op| typed_ops.iter().any(|c| c.op == op)));
    let check = |typed_op: TypedOp| {
        let layouts = (prop::array::uniform5(arrangement()), prop::option::of(arrangement()));
        let strategy = (broadcast_case(typed_op.op), layouts, any::<u64>());
        let result = runner(1.0 / 8.0).run(&strategy, |(case, (arrangements, out), seed)| {
            let operands = typed_op
                .operand_dtypes_for(case.shapes.len())
                .into_iter()
                .zip(&case.shapes)
                .zip(&arrangements)
                .enumerate();
            let inputs: Vec<Operand> = operands
                .map(|(i, ((dtype, shape), a))| Operand::input(dtype, shape, a, seed.wrapping_add(2 * i as u64)))
                .collect();
            check_every_isa(typed_op, &case.mode, &inputs, out.as_ref(), &isas)
        });
        result.err().map(|e| format!("{typed_op:?}: {e}"))
    };
    let wrong: Vec<String> = typed_ops.into_par_iter().filter_map(check).collect();
    assert!(wrong.is_empty(), "{} operators are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// B starts at every axis of A, and at the default. Its shape has axes of size 1 inside and at the end.
#[test]
fn pdpd_broadcasting_equals_the_reference_at_every_axis() {
    let isas = check::isas();
    let a = Shape::from([3, 5, 2, 17]);
    for (n, typed_op) in typed_ops().into_iter().filter(|c| c.op.arity() == 2).enumerate() {
        for start in 0..=a.rank() {
            for end in start..=a.rank() {
                for trailing in 0..=a.rank() - (end - start) {
                    let mut b: Vec<usize> = a[start..end].to_vec();
                    // A different axis has size 1 for each operator.
                    if let Some(size) = b.get_mut(n % 5) {
                        *size = 1;
                    }
                    b.extend(vec![1; trailing]);
                    let (seed, dtypes) = ((n + start) as u64, typed_op.operand_dtypes());
                    let inputs = [
                        Operand::input(dtypes[0], &a, &Arrangement::dense(), seed),
                        Operand::input(dtypes[1], &Shape::new(&b), &Arrangement::dense(), seed + 2),
                    ];
                    let default = start + b.len() == a.rank();
                    for axis in [Some(start as i64), default.then_some(-1)].into_iter().flatten() {
                        let mode = Broadcast::Pdpd { axis };
                        let isa = isas[(n + start + end) % isas.len()];
                        check_every_isa(typed_op, &mode, &inputs, None, &[isa]).unwrap();
                    }
                }
            }
        }
    }
}

/// Every element counts, and padding does not: lengths with and without tails, no divisor of 0 and one.
#[test]
fn zero_divisions_are_reported_exactly() {
    let isas = check::isas();
    for typed_op in typed_ops().into_iter().filter(|c| c.op == Op::Divide) {
        for length in (1..40).chain([63, 64, 65, 127, 129, 255, 256, 257, 300, 1027]) {
            let shape = Shape::from([length]);
            let mut inputs = vec![
                Operand::input(typed_op.dtype, &shape, &Arrangement::dense(), 1),
                Operand::input(typed_op.dtype, &shape, &Arrangement { offset: 3, ..Arrangement::dense() }, 3),
            ];
            let without = expected(typed_op, &Broadcast::Numpy, &inputs).1;
            assert!(!without.any());
            check_every_isa(typed_op, &Broadcast::Numpy, &inputs, None, &isas).unwrap();
            for zero in [0, length / 2, length - 1] {
                let mut data = inputs[1].tensor().into_data();
                let size = typed_op.dtype.size();
                data[zero * size..(zero + 1) * size].fill(0);
                let divisor = Tensor::new(typed_op.dtype, shape.clone(), data).unwrap();
                let kept = std::mem::replace(&mut inputs[1], Operand::from_tensor(&divisor, &Arrangement::dense()));
                assert_eq!(expected(typed_op, &Broadcast::Numpy, &inputs).1.zero_division, typed_op.dtype.is_integer());
                check_every_isa(typed_op, &Broadcast::Numpy, &inputs, None, &isas).unwrap();
                inputs[1] = kept;
            }
        }
    }
}

/// Ranks above 8, up to which shapes are stored inline.
#[test]
fn operators_equal_the_reference_at_ranks_up_to_70() {
    let isas = check::isas();
    for typed_op in typed_ops().into_iter().filter(|c| c.dtype.size() == 4 && c.op != Op::Cast) {
        for rank in [9, 12, 33, 70] {
            let shape: Shape = (0..rank).map(|a| if a % (rank / 8) == 1 { 2 } else { 1 }).collect();
            let transposed = Arrangement { order: std::array::from_fn(|a| 15 - a as u8), ..Arrangement::dense() };
            let dense = Arrangement::dense();
            let inputs: Vec<Operand> =
                (typed_op.operand_dtypes().into_iter().zip([&transposed, &dense].into_iter().cycle()))
                    .map(|(dtype, a)| Operand::input(dtype, &shape, a, rank as u64))
                    .collect();
            check_every_isa(typed_op, &typed_op.same_shape_mode(&shape), &inputs, Some(&transposed), &isas).unwrap();
        }
    }
}
