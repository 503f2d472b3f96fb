//! Checks that outputs do not overlap other operands in memory that the caller manages: [`Plan::check_at`].

use eltwise_core::{Error, may_overlap};

use crate::plan::Plan;

impl Plan {
    /// Checks whether the plan may run over operands whose elements `[0, 0, ...]` are at these addresses.
    /// [`Plan::run_at`] makes the same check.
    ///
    /// # Errors
    /// As [`Plan::run_at`].
    pub fn check_at(&self, inputs: &[*const u8], outputs: &[*mut u8]) -> Result<(), Error> {
        self.check_counts(inputs.len(), outputs.len())?;
        self.check_overlap(&|i| inputs[i].cast_mut(), &|o| outputs[o])
    }

    /// Checks that no output shares a byte with another operand, unless it is exactly an input that it may overwrite.
    pub(super) fn check_overlap(
        &self,
        input: &impl Fn(usize) -> *mut u8,
        output: &impl Fn(usize) -> *mut u8,
    ) -> Result<(), Error> {
        for (o, layout) in self.0.outputs.iter().enumerate() {
            let written = (output(o).addr(), layout);
            for (i, layout) in self.0.inputs.iter().enumerate() {
                let is_in_place = output(o) == input(i) && self.may_alias(o, i);
                if !is_in_place && may_overlap(written, (input(i).addr(), layout)) {
                    return Err(self.alias_error(o, self.input_name(i)));
                }
            }
            for (p, layout) in self.0.outputs[..o].iter().enumerate() {
                if may_overlap(written, (output(p).addr(), layout)) {
                    return Err(self.alias_error(o, format!("output {p}")));
                }
            }
        }
        Ok(())
    }

    #[cold]
    pub(super) fn alias_error(&self, output: usize, operand: String) -> Error {
        Error::Alias { output: format!("output {output}"), operand }
    }
}
