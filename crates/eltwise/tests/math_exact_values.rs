//! Math functions return exact values exactly: where the exact value is a number of the dtype, and at the neighbours of
//! those inputs, in every dtype and tier and on every ISA. Operators with an error of more than 1 ULP are left out.

use eltwise::{Accuracy, Array, BindOptions, Broadcast, DType, ErrorKind, Isa, Layout, Op, Program, Serial, View};
use eltwise_oracle::{Format, Function, correctly_rounded, representable_inputs};
use eltwise_testkit::check;

/// The results of an operator as bits. `None` if the tier or this build has no kernel.
fn results(op: Op, dtype: DType, tier: Accuracy, isa: Isa, inputs: &[[u64; 2]]) -> Option<Vec<u64>> {
    let program = Program::single_at(op, &vec![dtype; op.arity()], None, Broadcast::Numpy, tier).ok()?;
    let size = dtype.size();
    let operand = |k: usize| {
        let mut array = Array::zeros(dtype, [inputs.len()]).unwrap();
        let elements = array.bytes_mut().chunks_exact_mut(size);
        elements.zip(inputs).for_each(|(into, x)| into.copy_from_slice(&x[k].to_le_bytes()[..size]));
        array
    };
    let operands: Vec<Array> = (0..op.arity()).map(operand).collect();
    let layouts: Vec<&Layout> = operands.iter().map(Array::layout).collect();
    let plan = match program.bind_with(&layouts, &BindOptions::new().isa(isa)) {
        Ok(plan) => plan,
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
            return None;
        }
    };
    let views: Vec<View<'_>> = operands.iter().map(Array::view).collect();
    let out = plan.run_to_arrays(&Serial, &views).unwrap().remove(0);
    let element = |bytes: &[u8]| bytes.iter().rev().fold(0u64, |bits, &byte| bits << 8 | u64::from(byte));
    Some(out.bytes().chunks_exact(size).map(element).collect())
}

#[test]
fn exact_values_are_returned_exactly() {
    let isas = check::isas();
    let dtypes =
        [(DType::F32, Format::F32), (DType::F64, Format::F64), (DType::F16, Format::F16), (DType::BF16, Format::BF16)];
    let (mut compared, mut wrong) = (0usize, Vec::new());
    for &function in Function::ALL {
        let Ok(op) = function.name().parse::<Op>() else { continue };
        for (dtype, format) in dtypes {
            // With an error of several ULP, results that are nearly numbers of the dtype need not be these.
            if op.info().error_bound(dtype).ulp > 1 {
                continue;
            }
            let inputs = representable_inputs(format, function);
            let correct_bits: Vec<u64> =
                inputs.iter().map(|&[x, y]| correctly_rounded(format, function, x, y)).collect();
            for tier in Accuracy::ALL {
                for &isa in &isas {
                    let Some(got) = results(op, dtype, tier, isa, &inputs) else { continue };
                    compared += got.len();
                    let missed = got.iter().zip(&correct_bits).filter(|(got, correct)| got != correct).count();
                    if let Some(at) = got.iter().zip(&correct_bits).position(|(got, correct)| got != correct) {
                        let [x, y] = inputs[at].map(|bits| format.to_f64(bits));
                        let (got, expected) = (format.to_f64(got[at]), format.to_f64(correct_bits[at]));
                        let count = inputs.len();
                        let first = format!("{function}({x:e}, {y:e}) is {got:e}, expected {expected:e}");
                        wrong.push(format!("{function} {dtype} {tier} {isa}: {missed} of {count}: {first}"));
                    }
                }
            }
        }
    }
    println!("{compared} results compared");
    assert!(compared > 100_000, "{compared} results compared");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
