//! [`Emitter`]: the program under construction and its inputs, for typed and promoting mode.

use std::collections::HashMap;

use eltwise_core::{DType, Error, Op};
use eltwise_plan::{ProgramBuilder, ValueId};

use super::{Apply, Expr};

/// A program under construction. Errors name the inputs and the place in the text.
pub(super) struct Emitter<'a> {
    pub(super) builder: ProgramBuilder,
    inputs: HashMap<&'a str, (ValueId, DType)>,
    /// The names of the inputs, in the order of the program.
    names: Vec<&'a str>,
}

impl<'a> Emitter<'a> {
    /// A program with these inputs and no steps yet.
    pub(super) fn new(inputs: &[(&'a str, DType)]) -> Result<Emitter<'a>, Error> {
        let (mut builder, mut known) = (ProgramBuilder::new(), HashMap::new());
        for &(name, dtype) in inputs {
            if known.insert(name, (builder.input(name, dtype), dtype)).is_some() {
                return Err(Error::Expression { message: format!("the input `{name}` is given twice") });
            }
        }
        Ok(Emitter { builder, inputs: known, names: inputs.iter().map(|input| input.0).collect() })
    }

    /// The value and the dtype of the input `name`, to which the node `expr` refers.
    pub(super) fn input(&self, expr: &Expr, name: &str) -> Result<(ValueId, DType), Error> {
        self.inputs.get(name).copied().ok_or_else(|| {
            let known = match self.names.as_slice() {
                [] => "there are none".to_string(),
                names => format!("the inputs are {}", names.join(", ")),
            };
            expr.place(Error::Expression { message: format!("unknown input `{name}`; {known}") })
        })
    }

    /// Adds a step of `op` with the parameters of the operator node `expr`: broadcast mode, target dtype and accuracy.
    pub(super) fn step(&mut self, expr: &Expr, apply: &Apply, op: Op, args: &[ValueId]) -> Result<ValueId, Error> {
        self.builder.set_accuracy(apply.accuracy.unwrap_or_default());
        let step = self.builder.step(op, args, apply.target, apply.broadcast.clone());
        step.map_err(|error| expr.place(error))
    }
}

/// The node at which an error about operand `operand` of `expr` points: the operand, if it has a place in the text,
/// otherwise the operator.
pub(super) fn blamed_operand<'a>(expr: &'a Expr, apply: &'a Apply, operand: usize) -> &'a Expr {
    apply.args.get(operand).filter(|arg| arg.0.span.is_some()).unwrap_or(expr)
}
