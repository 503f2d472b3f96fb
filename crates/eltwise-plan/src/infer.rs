//! Shapes of all values of a program, over inputs of given shapes.

use alloc::format;

use smallvec::SmallVec;

use crate::error::Error;
use crate::layout::Layout;
use crate::list::List;
use crate::program::{Node, Program, ValueId};
use crate::shape::Shape;

/// The shapes of all values, and where operands lie in their step's result.
#[derive(Debug)]
pub(crate) struct Shapes {
    shapes: SmallVec<[Shape; 8]>,
    starts: SmallVec<[List<usize, 4>; 8]>,
}

impl Shapes {
    pub(crate) fn infer(program: &Program, inputs: &[&Layout]) -> Result<Shapes, Error> {
        let mut all = Shapes { shapes: SmallVec::new(), starts: SmallVec::new() };
        for value in program.values() {
            let (shape, starts) = match &value.node {
                Node::Input(index) => (inputs[*index].shape().clone(), List::new()),
                Node::Constant(_) => (Shape::scalar(), List::new()),
                Node::Step { args, broadcast, .. }
                | Node::Exact { args, broadcast, .. }
                | Node::Custom { args, broadcast, .. } => {
                    let shapes: SmallVec<[&Shape; 4]> = args.iter().map(|a| &all.shapes[a.index()]).collect();
                    let alignment = broadcast.align(&shapes)?;
                    (alignment.shape, alignment.starts)
                }
            };
            all.shapes.push(shape);
            all.starts.push(starts);
        }
        Ok(all)
    }

    pub(crate) fn of(&self, value: ValueId) -> &Shape {
        &self.shapes[value.index()]
    }

    /// For each operand of a step, the axis of its result on which the operand's first axis lies.
    pub(crate) fn starts(&self, step: ValueId) -> &[usize] {
        &self.starts[step.index()]
    }

    /// Where an instance counts as starting: values of one element are the same wherever they lie.
    pub(crate) fn canonical(&self, value: ValueId, start: usize) -> usize {
        if self.of(value).iter().all(|&d| d == 1) { 0 } else { start }
    }
}

/// Checks that the inputs are as many as the program's, and of their dtypes.
pub(crate) fn check_inputs(program: &Program, inputs: &[&Layout]) -> Result<(), Error> {
    if inputs.len() != program.inputs().len() {
        return Err(Error::Count { what: "inputs", given: inputs.len(), expected: program.inputs().len() });
    }
    for (input, layout) in program.inputs().iter().zip(inputs) {
        if input.dtype != layout.dtype() {
            let what = format!("input {}", input.name);
            return Err(Error::DType { what, given: layout.dtype(), expected: input.dtype });
        }
    }
    Ok(())
}
