//! Builds without some dtype features: operators over built dtypes equal the reference, others are errors that name the
//! missing feature, and every dtype can always be copied, broadcast and selected.

use eltwise::kernels::{feature_of, is_built};
use eltwise::{Array, BindOptions, Broadcast, DType, ErrorKind, Isa, Layout, Op, Program, Signature};
use eltwise_reference::{Tensor, evaluate};

/// Integers from 1 to 5, which every dtype can hold, so that no divisor is 0.
fn operand(dtype: DType, count: usize, step: usize) -> (Array, Tensor) {
    let mut array = Array::zeros(dtype, [count]).expect("a few elements fit");
    let size = dtype.size();
    for (i, element) in array.bytes_mut().chunks_mut(size).enumerate() {
        let value = 1 + (i * step) % 5;
        let bits: u64 = match dtype {
            DType::F16 => [0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500][value],
            DType::BF16 => [0, 0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0][value],
            DType::F32 => u64::from((value as f32).to_bits()),
            DType::F64 => (value as f64).to_bits(),
            DType::Bool => (value % 2) as u64,
            _ => value as u64,
        };
        element.copy_from_slice(&u128::from(bits).to_le_bytes()[..size]);
    }
    let tensor = Tensor::new(dtype, [count], array.bytes().to_vec()).expect("dense bytes of the shape");
    (array, tensor)
}

#[test]
fn built_dtypes_equal_the_reference_and_others_name_their_feature() {
    let (mut ran, mut failed) = (0, 0);
    // Composite operators are left out because they also need the dtypes of their steps.
    for &op in Op::ALL {
        for from in DType::ALL.into_iter().filter(|&from| !op.is_composite(from)) {
            let targets: Vec<Option<DType>> = match op {
                Op::Cast => DType::VALUES.map(Some).into(),
                Op::Bitcast => DType::ALL.into_iter().filter(|d| d.size() == from.size()).map(Some).collect(),
                _ => vec![None],
            };
            for &target in targets.iter().filter(|&&t| op.info().takes(from) && t != Some(from)) {
                let count = 70;
                let mut dtypes = vec![from; op.arity()];
                if op.signature() == Signature::Select {
                    dtypes[0] = DType::Bool;
                }
                let mode = match op {
                    Op::BroadcastTo => Broadcast::Bidirectional { target: [count].into() },
                    _ => Broadcast::Numpy,
                };
                let operands: Vec<_> = dtypes.iter().enumerate().map(|(k, &d)| operand(d, count, k + 2)).collect();
                let program = Program::single(op, &dtypes, target, mode.clone()).expect("well typed");
                let layouts: Vec<&Layout> = operands.iter().map(|o| o.0.layout()).collect();
                let moves = matches!(op, Op::Where | Op::Copy | Op::BroadcastTo | Op::Bitcast);
                let built = moves || (is_built(from) && target.is_none_or(is_built));
                for isa in Isa::available() {
                    let bound = program.bind_with(&layouts, &BindOptions::new().isa(isa));
                    if !built {
                        let error = bound.expect_err("the dtype is not built");
                        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
                        let missing = [Some(from), target].into_iter().flatten().find(|&d| !is_built(d));
                        let feature = missing.and_then(feature_of).expect("the missing dtype has a feature");
                        assert!(error.to_string().contains(feature), "{error}");
                        failed += 1;
                        continue;
                    }
                    let views: Vec<_> = operands.iter().map(|o| o.0.view()).collect();
                    let results = bound.expect("the dtype is built").run_to_arrays(&eltwise::Serial, &views);
                    let tensors: Vec<&Tensor> = operands.iter().map(|o| &o.1).collect();
                    let expected = evaluate(op, &tensors, target, &mode).expect("well typed");
                    let results = results.expect("it runs");
                    // The test `math` checks math functions.
                    if !op.info().is_math(from) {
                        assert_eq!(results[0].bytes(), expected.data(), "{op} {from} {target:?} {isa}");
                    }
                    ran += 1;
                }
            }
        }
    }
    println!("{ran} runs, {failed} errors");
    let everything = DType::ALL.into_iter().all(is_built);
    assert!(ran > 0 && (failed == 0) == everything);
}
