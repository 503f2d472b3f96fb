//! The check before the clock starts: elements of a result are what plain Rust computes in `f64`.

use eltwise::Layout;

use crate::error::{CliError, Result};

use super::case::Bound;
use super::values;

/// Elements compared.
const SAMPLES: usize = 500;
/// What rounding may add up to, in epsilons of the coarsest float of a case, for each step of its program.
const EPSILONS: f64 = 2.0;

/// Compares a result with the case's own arithmetic on the operands: about 500 elements, evenly spaced, and the last one.
///
/// # Errors
/// The first element that is another.
pub(crate) fn result(bound: &Bound, operands: &[&[u8]], result: &[u8]) -> Result<()> {
    let layout = bound.output();
    let count = bound.elements() as usize;
    // An odd step meets every row and column of shapes that are mostly even.
    let step = count.div_ceil(SAMPLES).max(1) | 1;
    let tolerance = tolerance(bound);
    for position in (0..count).step_by(step).chain(count.checked_sub(1)) {
        let index = index(layout, position);
        let given: Vec<f64> =
            bound.case.operands.iter().zip(operands).map(|(l, bytes)| values::at(l, bytes, &own(l, &index))).collect();
        let (found, expected) = (values::at(layout, result, &index), (bound.case.value)(&given));
        let near = (found - expected).abs() <= tolerance * expected.abs();
        if !near {
            let (name, isa) = (&bound.case.name, bound.plan.isa());
            return Err(CliError::Argument(format!(
                "{name}: element {index:?} of {} over {given:?} is {found} on {isa}, expected {expected}",
                bound.case.expression
            )));
        }
    }
    Ok(())
}

/// The relative difference that rounding explains; none for integers.
fn tolerance(bound: &Bound) -> f64 {
    let dtypes = bound.program.values().iter().map(|v| v.dtype);
    let coarsest = dtypes.map(values::epsilon).fold(0.0, f64::max);
    let exact = values::epsilon(bound.output().dtype()) == 0.0;
    if exact { 0.0 } else { EPSILONS * coarsest * bound.program.values().len() as f64 }
}

/// The index of an element with a position in C order.
fn index(layout: &Layout, mut position: usize) -> Vec<usize> {
    let mut index: Vec<usize> = Vec::with_capacity(layout.shape().rank());
    for &size in layout.shape().iter().rev() {
        index.push(position % size);
        position /= size;
    }
    index.reverse();
    index
}

/// The part of a result's index that an operand has: its last axes. (An axis of size 1 has any stride, so its index is 0.)
fn own(operand: &Layout, index: &[usize]) -> Vec<usize> {
    let first = index.len() - operand.shape().rank();
    index[first..].iter().zip(operand.shape().iter()).map(|(&i, &size)| if size == 1 { 0 } else { i }).collect()
}

#[cfg(test)]
mod tests {
    use eltwise::{DType, Isa, View, ViewMut};

    use super::*;
    use crate::bench::case::{Case, What};

    /// `x + y` over a matrix and a row; the operands' bytes, and those of the result.
    fn sum() -> (Bound, Vec<Vec<u8>>, Vec<u8>) {
        let operands =
            vec![Layout::contiguous(DType::F32, [7, 11]).unwrap(), Layout::contiguous(DType::F32, [11]).unwrap()];
        let case = Case {
            name: "add".into(),
            expression: "x + y".into(),
            operands,
            value: |v| v[0] + v[1],
            cost: None,
            what: What::Run,
        };
        let bound = case.bind(Isa::current()).unwrap();
        let mut memory: Vec<Vec<u8>> = bound.sizes().unwrap().into_iter().map(|size| vec![0; size]).collect();
        let mut output = memory.pop().unwrap();
        memory.iter_mut().zip(0..).for_each(|(bytes, seed)| values::fill(bytes, DType::F32, seed));
        let views =
            memory.iter().zip(&bound.case.operands).map(|(bytes, l)| View::from_bytes(bytes, l.clone(), 0).unwrap());
        let views: Vec<View<'_>> = views.collect();
        let out = ViewMut::from_bytes(&mut output, bound.output().clone(), 0).unwrap();
        bound.plan.run(&views, &mut [out]).unwrap().check().unwrap();
        (bound, memory, output)
    }

    #[test]
    fn right_results_pass_and_each_wrong_element_is_found() {
        let (bound, memory, output) = sum();
        let operands: Vec<&[u8]> = memory.iter().map(|m| &m[..]).collect();
        result(&bound, &operands, &output).unwrap();
        for element in 0..77 {
            let mut wrong = output.clone();
            let at = 4 * element..4 * element + 4;
            let value = f32::from_le_bytes(wrong[at.clone()].try_into().unwrap());
            // Sixteen numbers beside: a wrong result, not another rounding.
            wrong[at].copy_from_slice(&f32::from_bits(value.to_bits() + 16).to_le_bytes());
            let error = result(&bound, &operands, &wrong).unwrap_err().to_string();
            assert!(error.contains(&format!("element [{}, {}]", element / 11, element % 11)), "{error}");
        }
    }
}
