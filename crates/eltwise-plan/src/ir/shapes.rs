//! Shape inference: the shapes of all values of a program, given those of its inputs. [`Shapes`] is the result.

use alloc::format;

use eltwise_core::{Error, Layout, Shape, broadcast::Alignment};
use smallvec::SmallVec;

use crate::ir::program::{Node, Program, ValueId};

/// The shapes of all values, and the alignment of operands with the result of their step.
#[derive(Debug)]
pub(crate) struct Shapes(SmallVec<[Alignment; 8]>);

impl Shapes {
    pub(crate) fn infer(program: &Program, inputs: &[&Layout]) -> Result<Shapes, Error> {
        let mut all: SmallVec<[Alignment; 8]> = SmallVec::new();
        for value in program.values() {
            all.push(match &value.node {
                Node::Input(index) => Alignment { shape: inputs[*index].shape().clone(), ..Alignment::default() },
                Node::Constant(_) => Alignment::default(),
                Node::Step { args, broadcast, .. } | Node::Custom { args, broadcast, .. } => {
                    let shapes: SmallVec<[&Shape; 4]> = args.iter().map(|arg| &all[arg.index()].shape).collect();
                    broadcast.align(&shapes)?
                }
            });
        }
        Ok(Shapes(all))
    }

    pub(crate) fn of(&self, value: ValueId) -> &Shape {
        &self.0[value.index()].shape
    }

    /// For each operand of a step, the axis of the result that the operand's first axis is aligned with.
    pub(crate) fn starts(&self, step: ValueId) -> &[usize] {
        &self.0[step.index()].starts
    }

    /// The start axis by which a use of a value is identified: values of one element are the same at every start, so theirs is 0.
    pub(crate) fn effective_start(&self, value: ValueId, start: usize) -> usize {
        if self.of(value).iter().all(|&d| d == 1) { 0 } else { start }
    }
}

/// Checks the number and the dtypes of the inputs.
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
