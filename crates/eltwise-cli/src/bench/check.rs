//! The check of a case before it is timed: compares elements of the result with plain Rust arithmetic in `f64`. See
//! [`check_result`].

use eltwise::Layout;

use crate::error::{CliError, Result};

use super::case::PlannedCase;
use super::operand_values;

/// The number of elements compared.
const SAMPLES: usize = 500;
/// The rounding error allowed for each step of a program, in epsilons of its coarsest float dtype.
const EPSILONS: f64 = 2.0;

/// Compares a result with [`Case::value`](super::case::Case) over the operands: about 500 evenly spaced elements, and the
/// last one.
///
/// # Errors
/// The first element that differs by more than rounding explains.
pub(crate) fn check_result(planned: &PlannedCase, operands: &[&[u8]], result: &[u8]) -> Result<()> {
    let layout = planned.output();
    let count = planned.elements() as usize;
    // The step is odd, so that the samples of a matrix with an even number of columns are not all in the same columns.
    let step = count.div_ceil(SAMPLES).max(1) | 1;
    let tolerance = tolerance(planned);
    for position in (0..count).step_by(step).chain(count.checked_sub(1)) {
        let index = index(layout, position);
        let given: Vec<f64> = planned
            .case
            .operands
            .iter()
            .zip(operands)
            .map(|(l, bytes)| operand_values::element_at(l, bytes, &operand_index(l, &index)))
            .collect();
        let (found, expected) = (operand_values::element_at(layout, result, &index), (planned.case.value)(&given));
        let near = (found - expected).abs() <= tolerance * expected.abs();
        if !near {
            let (name, isa) = (&planned.case.name, planned.plan.isa());
            return Err(CliError::WrongResult(format!(
                "{name}: element {index:?} of {} over {given:?} is {found} on {isa}, expected {expected} within {tolerance:e} (relative)",
                planned.case.expression
            )));
        }
    }
    Ok(())
}

/// The relative difference that rounding explains; 0 for integers.
fn tolerance(planned: &PlannedCase) -> f64 {
    let dtypes = planned.program.values().iter().map(|v| v.dtype);
    let coarsest = dtypes.map(operand_values::epsilon).fold(0.0, f64::max);
    let exact = operand_values::epsilon(planned.output().dtype()) == 0.0;
    if exact { 0.0 } else { EPSILONS * coarsest * planned.program.values().len() as f64 }
}

/// The index of the element at a position in C order.
fn index(layout: &Layout, mut position: usize) -> Vec<usize> {
    let mut index: Vec<usize> = Vec::with_capacity(layout.shape().rank());
    for &size in layout.shape().iter().rev() {
        index.push(position % size);
        position /= size;
    }
    index.reverse();
    index
}

/// The index in an operand for an index of the result: its last axes, with index 0 along axes of size 1.
fn operand_index(operand: &Layout, index: &[usize]) -> Vec<usize> {
    let first = index.len() - operand.shape().rank();
    index[first..].iter().zip(operand.shape().iter()).map(|(&i, &size)| if size == 1 { 0 } else { i }).collect()
}

#[cfg(test)]
mod tests {
    use eltwise::{DType, Isa, View, ViewMut};

    use super::*;
    use crate::bench::case::{Action, Case};

    /// `x + y` over a matrix and a row, with the bytes of the operands and of the result.
    fn sum() -> (PlannedCase, Vec<Vec<u8>>, Vec<u8>) {
        let operands =
            vec![Layout::contiguous(DType::F32, [7, 11]).unwrap(), Layout::contiguous(DType::F32, [11]).unwrap()];
        let case = Case {
            name: "add".into(),
            expression: "x + y".into(),
            operands,
            value: |v| v[0] + v[1],
            cost: None,
            action: Action::Run,
        };
        let planned = case.bind(Isa::current()).unwrap();
        let mut memory: Vec<Vec<u8>> = planned.sizes().unwrap().into_iter().map(|size| vec![0; size]).collect();
        let mut output = memory.pop().unwrap();
        memory.iter_mut().zip(0..).for_each(|(bytes, seed)| operand_values::fill(bytes, DType::F32, seed));
        let views =
            memory.iter().zip(&planned.case.operands).map(|(bytes, l)| View::from_bytes(bytes, l.clone(), 0).unwrap());
        let views: Vec<View<'_>> = views.collect();
        let out = ViewMut::from_bytes(&mut output, planned.output().clone(), 0).unwrap();
        planned.plan.run(&views, &mut [out]).unwrap().check().unwrap();
        (planned, memory, output)
    }

    #[test]
    fn correct_results_pass_and_each_wrong_element_is_found() {
        let (planned, memory, output) = sum();
        let operands: Vec<&[u8]> = memory.iter().map(|m| &m[..]).collect();
        check_result(&planned, &operands, &output).unwrap();
        for element in 0..77 {
            let mut wrong = output.clone();
            let at = 4 * element..4 * element + 4;
            let value = f32::from_le_bytes(wrong[at.clone()].try_into().unwrap());
            // 16 ULP off: more than rounding explains.
            wrong[at].copy_from_slice(&f32::from_bits(value.to_bits() + 16).to_le_bytes());
            let error = check_result(&planned, &operands, &wrong).unwrap_err().to_string();
            assert!(error.contains(&format!("element [{}, {}]", element / 11, element % 11)), "{error}");
        }
    }
}
