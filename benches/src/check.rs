//! The check before the clock starts: elements of a result equal the oracle's, computed by definition.

use eltwise::{Error, Layout};
use eltwise_plan::program::Node;
use eltwise_plan::{Program, Shape, ValueId};
use eltwise_reference::{Value, apply, same};

use crate::operand::{Source, read};

/// The shape of every value of a program over these operands.
fn shapes(program: &Program, operands: &[Source<'_>]) -> Result<Vec<Shape>, Error> {
    let mut shapes: Vec<Shape> = Vec::new();
    for value in program.values() {
        let shape = match &value.node {
            Node::Input(k) => operands[*k].layout.shape().clone(),
            Node::Step { args, broadcast, .. } | Node::Exact { args, broadcast, .. } => {
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
        Node::Step { op, args, broadcast } | Node::Exact { op, args, broadcast } => {
            let alignment = broadcast.align(&args.iter().map(|a| &shapes[a.index()]).collect::<Vec<_>>())?;
            let mut values = Vec::new();
            for (arg, &start) in args.iter().zip(&alignment.starts) {
                let at = |(axis, &size): (usize, &usize)| if size == 1 { 0 } else { index[start + axis] };
                let own: Vec<usize> = shapes[arg.index()].iter().enumerate().map(at).collect();
                values.push(element(program, operands, shapes, *arg, &own)?);
            }
            Ok(apply(*op, &values, Some(value.dtype)))
        }
        other => Err(Error::Expression { message: format!("no definition of {other:?}") }),
    }
}

/// How many numbers a result may lie from the oracle's: none, but for math functions (within 1 ULP), and twice as many after each operator
/// that reads such a result.
fn apart(program: &Program) -> u128 {
    let mut of: Vec<u128> = Vec::new();
    for value in program.values() {
        let apart = match &value.node {
            Node::Step { op, args, .. } => {
                let own = u128::from(op.info().is_math(value.dtype));
                2 * args.iter().map(|a| of[a.index()]).max().unwrap_or(0) + own
            }
            Node::Exact { args, .. } => 2 * args.iter().map(|a| of[a.index()]).max().unwrap_or(0),
            _ => 0,
        };
        of.push(apart);
    }
    of.into_iter().max().unwrap_or(0)
}

/// Compares elements of output `which`, which lies in `bytes`: all of them, or about `most`, evenly spaced, and the last.
///
/// # Errors
/// [`Error::Expression`] with the first element that differs.
pub fn output(
    program: &Program,
    operands: &[Source<'_>],
    which: usize,
    layout: &Layout,
    bytes: &[u8],
    most: usize,
) -> Result<(), Error> {
    let shapes = shapes(program, operands)?;
    let id = program.outputs()[which];
    let apart = apart(program);
    let shape = layout.shape();
    let count = shape.elements()?;
    // An odd step meets every row and column of shapes that are mostly even.
    let step = count.div_ceil(most.max(1)).max(1) | 1;
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
        let (found, expected) = (read(bytes, layout, 0, &index), element(program, operands, &shapes, id, &index)?);
        if !same(found, expected) && found.bits.abs_diff(expected.bits) > apart {
            let message = format!("output {which} at {index:?} is {found}, expected {expected}");
            return Err(Error::Expression { message });
        }
    }
    Ok(())
}
