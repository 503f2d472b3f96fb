//! Runs that write their output over an input: [`Plan::run_in_place`].

use eltwise_core::Error;

use crate::plan::Plan;
use crate::status::Status;
use crate::threads::Executor;
use crate::view::{View, ViewMut};

impl Plan {
    /// Runs a plan of one output in place: `in_out` is input `input_index` and the output. `others` has the other
    /// inputs in order. Bind with the input's layout as the output's ([`BindOptions::outputs`](crate::BindOptions)).
    ///
    /// # Errors
    /// * [`Error::Alias`]: the plan may read elements of the input after it has overwritten them.
    /// * [`Error::Count`], [`Error::DType`], [`Error::Shape`], [`Error::Strides`]: operands whose number or layouts are not
    ///   those that the plan was bound to. The layout of `in_out` must be both the bound input's and the bound output's.
    /// * [`Error::TooLarge`]: no memory for values between stages ([`Plan::scratch`]).
    pub fn run_in_place(
        &self,
        executor: &dyn Executor,
        input_index: usize,
        others: &[View<'_>],
        in_out: &mut ViewMut<'_>,
    ) -> Result<Status, Error> {
        let count = self.0.inputs.len();
        self.check_counts(others.len() + 1, self.0.outputs.len())?;
        if input_index >= count {
            return Err(Error::Count { what: "inputs", given: input_index.saturating_add(1), expected: count });
        }
        let other = |i: usize| if i < input_index { i } else { i - 1 };
        let layout = in_out.layout();
        let layouts = (0..count).map(|i| if i == input_index { layout } else { others[other(i)].layout() });
        self.check_layouts(layouts, core::iter::once(layout))?;
        if !self.may_alias(0, input_index) {
            return Err(Error::Alias { output: "output 0".into(), operand: self.input_name(input_index) });
        }
        let memory = in_out.as_mut_ptr();
        let input = |i: usize| if i == input_index { memory } else { others[other(i)].as_ptr().cast_mut() };
        // SAFETY: views are valid for their layouts, which are the plan's; the only overlap is one that `may_alias`
        // allows.
        unsafe { self.execute(executor, input, |_| memory, None) }
    }
}
