//! Copies of programs with some steps replaced: [`Program::rebuilt`].

use alloc::vec::Vec;

use crate::ir::builder::ProgramBuilder;
use crate::ir::program::{Node, Program, Value, ValueId};

impl Program {
    /// The same program with other values instead of some steps and constants. `replace` is called for each of them, in
    /// order, with a builder and the builder's value for every earlier value. It adds a value to the builder and returns it,
    /// or returns `None` to keep the step or constant.
    pub fn rebuilt(
        &self,
        mut replace: impl FnMut(&mut ProgramBuilder, &[ValueId], &Value) -> Option<ValueId>,
    ) -> Program {
        let mut builder = ProgramBuilder::new();
        let mut renamed: Vec<ValueId> = Vec::with_capacity(self.values.len());
        for value in &self.values {
            renamed.push(match value.node {
                Node::Input(index) => builder.input(&self.inputs[index].name, value.dtype),
                _ => replace(&mut builder, &renamed, value).unwrap_or_else(|| builder.push(value.renamed(&renamed))),
            });
        }
        self.outputs.iter().for_each(|out| builder.output(renamed[out.index()]));
        // Cannot fail: the outputs are values of the builder.
        builder.finish().unwrap_or_else(|_| self.clone())
    }
}
