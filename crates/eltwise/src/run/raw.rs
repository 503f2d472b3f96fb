//! Runs over memory that the caller manages. [`Plan::run_raw`] takes addresses with layouts, and checks the layouts;
//! [`Plan::run_at`] takes addresses only, for callers that know that the layouts are those of the plan.

use core::mem::MaybeUninit;

use eltwise_core::Error;

use crate::plan::Plan;
use crate::status::Status;
use crate::threads::Executor;
use crate::view::RawView;

impl Plan {
    /// Runs over memory that the caller manages. An output may be exactly an input (same address and layout) that the plan
    /// does not read after it has written the output. An output that shares a byte with an operand in any other way is an
    /// error. Operands that interleave in one buffer are accepted if their strides prove that they share no byte: see
    /// [`may_overlap`](eltwise_core::may_overlap).
    ///
    /// # Errors
    /// * [`Error::Count`], [`Error::DType`], [`Error::Shape`], [`Error::Strides`]: operands whose number or layouts are not
    ///   those that the plan was bound to.
    /// * [`Error::Alias`]: an output that shares memory with another operand, except as above; [`Plan::check_at`] makes the
    ///   same check.
    /// * [`Error::TooLarge`]: no memory for values between stages ([`Plan::scratch`]).
    ///
    /// # Safety
    /// Every element of every layout is valid: inputs for reading, outputs for writing. During the run, nothing else
    /// writes an input, and nothing else reads or writes an output.
    pub unsafe fn run_raw(
        &self,
        executor: &dyn Executor,
        inputs: &[RawView],
        outputs: &[RawView],
    ) -> Result<Status, Error> {
        self.check_layouts(inputs.iter().map(|v| &v.layout), outputs.iter().map(|v| &v.layout))?;
        let (input, output) = (|i: usize| inputs[i].ptr, |o: usize| outputs[o].ptr);
        self.check_overlap(&input, &output)?;
        // SAFETY: the caller's contract, for layouts that are the plan's; overlaps were checked.
        unsafe { self.execute(executor, input, output, None) }
    }

    /// Runs as [`Plan::run_raw`], given the address of element `[0, 0, ...]` of every operand. The layouts are those that
    /// the plan was bound to.
    ///
    /// # Errors
    /// [`Error::Count`] if the number of operands is not the program's. [`Error::Alias`] and [`Error::TooLarge`] as for
    /// [`Plan::run_raw`].
    ///
    /// # Safety
    /// As for [`Plan::run_raw`], with the layouts that the plan was bound to.
    #[inline]
    pub unsafe fn run_at(
        &self,
        executor: &dyn Executor,
        inputs: &[*const u8],
        outputs: &[*mut u8],
    ) -> Result<Status, Error> {
        // A run this small never uses the executor. Options (cancellation, an observer) need `execute`; so do observers of
        // all runs, with which `single_call` returns `None`.
        if let (Some(single), &[output]) = (self.single_call(), outputs)
            && single.is_dense_apart(inputs, output)
            && self.cost().is_inline()
            && executor.options().is_none()
        {
            // SAFETY: the caller's contract; the output overlaps no input.
            return Ok(unsafe { single.run_dense(inputs.iter().map(|ptr| ptr.cast_mut()), output) });
        }
        // SAFETY: the caller's contract.
        unsafe { self.run_at_with(executor, inputs, outputs, None) }
    }

    /// Runs as [`Plan::run_at`], with [`Plan::scratch`] bytes of memory for values between stages. Such a run allocates
    /// nothing except what its executor does.
    ///
    /// # Errors
    /// [`Error::Count`] if the number of operands is not the program's. [`Error::Alias`] if an output shares memory with
    /// another operand; [`Plan::check_at`] makes the same check. [`Error::Bounds`] if the scratch is too small.
    ///
    /// # Safety
    /// As for [`Plan::run_raw`], with the layouts that the plan was bound to. The scratch overlaps no operand.
    pub unsafe fn run_at_with_scratch(
        &self,
        executor: &dyn Executor,
        inputs: &[*const u8],
        outputs: &[*mut u8],
        scratch: &mut [MaybeUninit<u8>],
    ) -> Result<Status, Error> {
        // SAFETY: the caller's contract.
        unsafe { self.run_at_with(executor, inputs, outputs, Some(scratch)) }
    }

    /// [`Plan::run_at`] without its fast path, or [`Plan::run_at_with_scratch`].
    ///
    /// # Safety
    /// As for [`Plan::run_at`]; the scratch overlaps no operand.
    #[inline(never)]
    unsafe fn run_at_with(
        &self,
        executor: &dyn Executor,
        inputs: &[*const u8],
        outputs: &[*mut u8],
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Status, Error> {
        self.check_counts(inputs.len(), outputs.len())?;
        self.check_scratch(scratch.as_deref())?;
        let (input, output) = (|i: usize| inputs[i].cast_mut(), |o: usize| outputs[o]);
        self.check_overlap(&input, &output)?;
        // SAFETY: the caller's contract; overlaps were checked.
        unsafe { self.execute(executor, input, output, scratch) }
    }
}
