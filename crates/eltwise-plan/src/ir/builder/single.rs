//! Programs of one operator, built without the search for equal values: a call of one operator builds a program each time.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use eltwise_core::{Accuracy, Broadcast, DType, Error, Op};
use smallvec::SmallVec;

use super::composite::{has_tier_kernel, is_composite};
use super::{ProgramBuilder, typed};
use crate::ir::program::{Input, Node, Program, Value, ValueId};

impl Program {
    /// A program of one operator over inputs `a`, `b`, `c`, `d`, `e`. `target` is the dtype parameter of `cast` and similar
    /// operators.
    ///
    /// # Errors
    /// [`ProgramBuilder::step`] lists them.
    pub fn single(op: Op, operands: &[DType], target: Option<DType>, broadcast: Broadcast) -> Result<Program, Error> {
        Program::single_at(op, operands, target, broadcast, Accuracy::Fast)
    }

    /// A program of one operator, as [`Program::single`], at a tier of accuracy.
    ///
    /// # Errors
    /// [`ProgramBuilder::step`] lists them.
    pub fn single_at(
        op: Op,
        operands: &[DType],
        target: Option<DType>,
        broadcast: Broadcast,
        accuracy: Accuracy,
    ) -> Result<Program, Error> {
        const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
        let name = |i: usize| NAMES.get(i).copied().unwrap_or("x");
        if is_composite(op, operands, accuracy) || has_tier_kernel(op, operands, accuracy) {
            let mut builder = ProgramBuilder::new();
            builder.set_accuracy(accuracy);
            let args: SmallVec<[ValueId; 4]> =
                operands.iter().enumerate().map(|(i, &dtype)| builder.input(name(i), dtype)).collect();
            let out = builder.step(op, &args, target, broadcast)?;
            builder.output(out);
            return builder.finish();
        }
        let (dtype, is_step) = typed(op, operands, target, &broadcast)?;
        let mut program = Program {
            inputs: Vec::with_capacity(operands.len()),
            values: Vec::with_capacity(operands.len() + 1),
            outputs: SmallVec::new(),
        };
        let mut args = SmallVec::new();
        for (i, &dtype) in operands.iter().enumerate() {
            program.inputs.push(Input { name: Cow::Borrowed(name(i)), dtype });
            program.values.push(Value { node: Node::Input(i), dtype });
            args.push(ValueId(i as u32));
        }
        // A cast to the same dtype is not a step, and an output must be the result of one.
        let (op, broadcast) = if is_step { (op, broadcast) } else { (Op::Copy, Broadcast::Numpy) };
        program.outputs.push(ValueId(operands.len() as u32));
        program.values.push(Value { node: Node::Step { op, args, broadcast, accuracy: Accuracy::Fast }, dtype });
        Ok(program)
    }
}
