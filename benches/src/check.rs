//! Verifies a result before it is timed: [`output`] compares elements with the reference, computed by definition.

use eltwise::Error;
use eltwise_core::{Accuracy, ErrorBound, Shape};
use eltwise_plan::ir::program::Node;
use eltwise_plan::{Program, ValueId};
use eltwise_reference::{Value, apply, is_within};

use crate::operand::Source;

/// The shape of each value of a program over these operands.
fn shapes(program: &Program, operands: &[Source<'_>]) -> Result<Vec<Shape>, Error> {
    let mut shapes: Vec<Shape> = Vec::new();
    for value in program.values() {
        let shape = match &value.node {
            Node::Input(k) => operands[*k].layout.shape().clone(),
            Node::Step { args, broadcast, .. } => {
                let args: Vec<&Shape> = args.iter().map(|a| &shapes[a.index()]).collect();
                broadcast.align(&args)?.shape
            }
            _ => Shape::scalar(),
        };
        shapes.push(shape);
    }
    Ok(shapes)
}

/// One element of a value, by definition: `Z[i] = op(X[f(i)], Y[g(i)], ...)`.
fn element(
    program: &Program,
    operands: &[Source<'_>],
    shapes: &[Shape],
    id: ValueId,
    index: &[usize],
) -> Result<Value, Error> {
    let value = program.value(id);
    match &value.node {
        Node::Input(k) => Ok(operands[*k].at(index)),
        Node::Constant(constant) => Ok((*constant).into()),
        Node::Step { op, args, broadcast, .. } => {
            let alignment = broadcast.align(&args.iter().map(|a| &shapes[a.index()]).collect::<Vec<_>>())?;
            let mut values = Vec::new();
            for (arg, &start) in args.iter().zip(&alignment.starts) {
                let at = |(axis, &size): (usize, &usize)| if size == 1 { 0 } else { index[start + axis] };
                let arg_index: Vec<usize> = shapes[arg.index()].iter().enumerate().map(at).collect();
                values.push(element(program, operands, shapes, *arg, &arg_index)?);
            }
            Ok(apply(*op, &values, Some(value.dtype)))
        }
        other => Err(Error::Expression { message: format!("no definition of {other:?}") }),
    }
}

/// How far an output may be from the reference: each operator may double the error of its operands.
fn error_bound(program: &Program, output: ValueId) -> ErrorBound {
    let mut bounds: Vec<ErrorBound> = Vec::new();
    for value in program.values() {
        let bound = match &value.node {
            Node::Step { op, args, accuracy, .. } => {
                let is_fast = *accuracy == Accuracy::Fast;
                let own = if is_fast { op.info().error_bound(value.dtype) } else { ErrorBound::EXACT };
                let mut bound = own;
                for operand in args.iter().map(|a| bounds[a.index()]) {
                    bound.ulp = bound.ulp.max(operand.ulp.saturating_mul(2).saturating_add(own.ulp));
                    bound.absolute = bound.absolute.max(2.0 * operand.absolute + own.absolute);
                }
                bound
            }
            _ => ErrorBound::EXACT,
        };
        bounds.push(bound);
    }
    bounds[output.index()]
}

/// Compares output `which`, whose elements are in `result`, with the reference: about `samples` elements, evenly spaced, and
/// the last one.
///
/// # Errors
/// [`Error::Expression`] with the first element that differs.
pub fn output(
    program: &Program,
    operands: &[Source<'_>],
    which: usize,
    result: Source<'_>,
    samples: usize,
) -> Result<(), Error> {
    let shapes = shapes(program, operands)?;
    let id = program.outputs()[which];
    let bound = error_bound(program, id);
    let shape = result.layout.shape();
    let count = shape.elements()?;
    // An odd step visits every row and column of the usual even shapes.
    let step = count.div_ceil(samples.max(1)).max(1) | 1;
    for position in (0..count).step_by(step).chain(count.checked_sub(1)) {
        let mut rest = position;
        let mut index: Vec<usize> = shape
            .iter()
            .rev()
            .map(|&size| {
                let i = rest % size;
                rest /= size;
                i
            })
            .collect();
        index.reverse();
        let (found, expected) = (result.at(&index), element(program, operands, &shapes, id, &index)?);
        if !is_within(expected, found, bound) {
            let message = format!("output {which} at {index:?} is {found}, expected {expected}");
            return Err(Error::Expression { message });
        }
    }
    Ok(())
}
