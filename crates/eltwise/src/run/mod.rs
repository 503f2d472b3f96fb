//! Runs plans: the ways to call a plan, and the one place that checks what is known only at run time: overlaps, the
//! executor's width, and whether the output's pages exist. [`Plan::run_with`] is the usual entry.
//!
//! From [`Plan::run`] to the kernel:
//!
//! | function | what it does |
//! |---|---|
//! | [`Plan::run`], [`Plan::run_at`] | a fast path for small dense operands, and in `run` for any single call |
//! | [`Plan::run_with`], [`Plan::run_raw`], ... | check layouts (`check.rs`) and overlaps (`alias.rs`) |
//! | `Plan::execute` | checks once whether the run is instrumented: check mode, observers, cancellation |
//! | `Plan::dispatch` | runs the stages of a plan one after the other, or its only schedule |
//! | `StageRun::run` | counts tasks, decides about non-temporal stores, and picks a single call or tasks |
//! | `SingleKernel::run` | calls the kernel |
//! | `ExecPlan::run_tasks` | runs tasks on the executor |
//! | `Run::task`, `Run::units` | set the floating-point environment and run a range of rows or tiles |
//! | `direct::run` or `tiled::run` | call kernels |

mod alias;
mod check;
#[cfg(feature = "check")]
mod check_mode;
mod dense;
mod in_place;
mod raw;
mod staged;
mod tasks;

use core::mem::MaybeUninit;
use std::time::Instant;

use eltwise_core::Error;
use eltwise_plan::store_policy::tasks_use_non_temporal;
use eltwise_plan::tuning::NT_MIN_TASK;

pub(crate) use dense::apply_dense;
pub use dense::dense_kernel;
pub use tasks::Tasks;

use crate::array::Array;
use crate::debug::observe::{RunReport, is_instrumented, report};
#[cfg(feature = "check")]
use crate::debug::switches::is_check_mode;
use crate::exec::{Cancel, SingleKernel};
use crate::plan::Plan;
use crate::status::Status;
use crate::sys::cpu::target;
use crate::sys::pages;
use crate::threads::{Executor, Serial};
use crate::view::{View, ViewMut};
use check::have_layouts;
use staged::StageRun;

impl Plan {
    /// Runs on the calling thread.
    ///
    /// # Errors
    /// Views whose layouts are not those the plan was bound to. Nothing is written then.
    #[inline]
    pub fn run(&self, inputs: &[View<'_>], outputs: &mut [ViewMut<'_>]) -> Result<Status, Error> {
        if let (Some(single), [output]) = (self.single_call(), &mut *outputs)
            && single.is_dense_over(inputs.iter().map(View::layout), output.layout())
        {
            let input = inputs.iter().map(|view| view.as_ptr().cast_mut());
            // SAFETY: views are valid for their layouts, which are the plan's; outputs are exclusive borrows.
            return Ok(unsafe { single.run_dense(input, output.as_mut_ptr()) });
        }
        self.run_serial(inputs, outputs)
    }

    /// [`Plan::run`] without its fast path for dense operands. A single call on this thread needs no count of tasks.
    #[inline(never)]
    fn run_serial(&self, inputs: &[View<'_>], outputs: &mut [ViewMut<'_>]) -> Result<Status, Error> {
        if let (Some(single), [output], [expected]) = (self.single_call(), &mut *outputs, &self.0.outputs[..])
            && !self.0.non_temporal
            && have_layouts(inputs.iter().map(View::layout), &self.0.inputs)
            && output.layout().places_as(expected)
        {
            // SAFETY: views are valid for their layouts, which are the plan's; outputs are exclusive borrows.
            return Ok(unsafe { single.run(|i| inputs[i].as_ptr().cast_mut(), output.as_mut_ptr()) });
        }
        self.run_with(&Serial, inputs, outputs)
    }

    /// Runs on an executor's threads.
    ///
    /// # Errors
    /// As [`Plan::run`].
    pub fn run_with(
        &self,
        executor: &dyn Executor,
        inputs: &[View<'_>],
        outputs: &mut [ViewMut<'_>],
    ) -> Result<Status, Error> {
        self.run_views(executor, inputs, outputs, None)
    }

    /// As [`Plan::run_with`], with [`Plan::scratch`] bytes of memory for values between stages. Such a run allocates
    /// nothing except what its executor does.
    ///
    /// # Errors
    /// As [`Plan::run`]; [`Error::Bounds`] if the memory is smaller.
    pub fn run_with_scratch(
        &self,
        executor: &dyn Executor,
        inputs: &[View<'_>],
        outputs: &mut [ViewMut<'_>],
        scratch: &mut [MaybeUninit<u8>],
    ) -> Result<Status, Error> {
        self.run_views(executor, inputs, outputs, Some(scratch))
    }

    /// Checks the views and the scratch, and runs.
    #[inline(never)]
    fn run_views(
        &self,
        executor: &dyn Executor,
        inputs: &[View<'_>],
        outputs: &mut [ViewMut<'_>],
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Status, Error> {
        self.check_layouts(inputs.iter().map(View::layout), outputs.iter().map(ViewMut::layout))?;
        self.check_scratch(scratch.as_deref())?;
        let (input, output) = (input_pointers(inputs), output_pointers(outputs));
        // SAFETY: views are valid for their layouts, which are the plan's; outputs and scratch are exclusive borrows.
        unsafe { self.execute(executor, input, output, scratch) }
    }

    /// Runs on an executor's threads and turns data conditions into errors. The outputs are written in any case.
    ///
    /// # Errors
    /// As [`Plan::run`], and [`Error::Data`].
    pub fn run_checked(
        &self,
        executor: &dyn Executor,
        inputs: &[View<'_>],
        outputs: &mut [ViewMut<'_>],
    ) -> Result<(), Error> {
        self.run_with(executor, inputs, outputs)?.check()
    }

    /// Runs into new arrays and returns them.
    ///
    /// # Errors
    /// As [`Plan::run_checked`].
    pub fn run_to_arrays(&self, executor: &dyn Executor, inputs: &[View<'_>]) -> Result<Vec<Array>, Error> {
        let mut arrays: Vec<Array> =
            self.output_layouts().iter().map(|l| Array::with_layout(l.clone())).collect::<Result<_, _>>()?;
        let mut views: Vec<ViewMut<'_>> = arrays.iter_mut().map(Array::view_mut).collect();
        self.run_checked(executor, inputs, &mut views)?;
        drop(views);
        Ok(arrays)
    }

    /// The kernel call that is the whole run, unless the run is instrumented.
    #[inline]
    fn single_call(&self) -> Option<&SingleKernel> {
        if is_instrumented() { None } else { self.0.single.as_ref() }
    }

    /// Runs over memory. `input` and `output` give the addresses of element `[0, 0, ...]`.
    ///
    /// # Safety
    /// The pointers are valid for the plan's layouts, inputs for reading, outputs for writing. An output overlaps
    /// another operand only if it is exactly an input and `may_alias` allows it. The scratch overlaps no operand.
    #[inline]
    unsafe fn execute(
        &self,
        executor: &dyn Executor,
        input: impl Fn(usize) -> *mut u8,
        output: impl Fn(usize) -> *mut u8,
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Status, Error> {
        if !is_instrumented() && executor.options().is_none() {
            // SAFETY: the caller's contract.
            return Ok(unsafe { self.dispatch(executor, None, input, output, scratch) }?.status);
        }
        #[cfg(feature = "check")]
        if is_check_mode() {
            // SAFETY: the caller's contract.
            return unsafe { check_mode::run(self, executor, input, output, scratch) };
        }
        // SAFETY: the caller's contract.
        unsafe { self.execute_observed(executor, input, output, scratch) }
    }

    /// Runs with the options of the executor, and reports to observers.
    ///
    /// # Safety
    /// As for [`Plan::execute`].
    #[cold]
    #[inline(never)]
    pub(crate) unsafe fn execute_observed(
        &self,
        executor: &dyn Executor,
        input: impl Fn(usize) -> *mut u8,
        output: impl Fn(usize) -> *mut u8,
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Status, Error> {
        let options = executor.options().copied().unwrap_or_default();
        let start = Instant::now();
        // SAFETY: the caller's contract.
        let done = unsafe { self.dispatch(executor, options.cancel, input, output, scratch) }?;
        let Done { status, tasks, non_temporal: streamed } = done;
        report(options.observer, &RunReport { plan: self, tasks, streamed, status, elapsed: start.elapsed() });
        Ok(status)
    }

    /// Runs all stages, or the only schedule.
    ///
    /// # Safety
    /// As for [`Plan::execute`].
    #[inline(always)]
    pub(crate) unsafe fn dispatch(
        &self,
        executor: &dyn Executor,
        cancel: Option<&Cancel>,
        input: impl Fn(usize) -> *mut u8,
        output: impl Fn(usize) -> *mut u8,
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Done, Error> {
        if let Some(stages) = &self.0.stages {
            // SAFETY: the caller's contract.
            return unsafe { stages.run(self, (executor, cancel), &input, &output, scratch) };
        }
        let single = self.0.single.as_ref().map(|single| (single, output(0)));
        let stage = StageRun { executor, cancel, cost: &self.0.cost, single };
        let non_temporal = |tasks| self.0.non_temporal && self.uses_non_temporal(0, tasks, &input, &output);
        // SAFETY: the caller's contract; a non-temporal output is no input.
        unsafe { stage.run(|| self.exec(), non_temporal, &input, &output) }
    }

    /// Whether a run of a plan with non-temporal stores uses them for output `index`: they pay off for that many tasks,
    /// each task writes enough, the output is no input, and its pages were touched before. (The system creates a new
    /// page in the cache, where regular stores find it.)
    fn uses_non_temporal(&self, index: usize, tasks: usize, input: Addresses<'_>, output: Addresses<'_>) -> bool {
        let layout = &self.0.outputs[index];
        let (to, size) = (output(index), layout.dtype().size());
        let (low, high) = layout.span().unwrap_or_default();
        let cost = &self.0.cost;
        tasks_use_non_temporal((cost.read, cost.written), tasks, &target(self.isa()))
            // A block ends on a cache line only if elements do.
            && to.addr().is_multiple_of(size.max(1))
            && layout.elements() * size / tasks >= NT_MIN_TASK
            && (0..self.0.inputs.len()).all(|i| input(i) != to)
            && pages::are_touched(to.wrapping_offset(low), high.abs_diff(low))
    }
}

/// The addresses of the inputs' elements `[0, 0, ...]`.
fn input_pointers<'v>(inputs: &'v [View<'_>]) -> impl Fn(usize) -> *mut u8 + 'v {
    |i| inputs[i].as_ptr().cast_mut()
}

/// The addresses of the outputs' elements `[0, 0, ...]`, which stay borrowed exclusively.
fn output_pointers<'v>(outputs: &'v mut [ViewMut<'_>]) -> impl Fn(usize) -> *mut u8 + 'v {
    |o| outputs[o].as_view().as_ptr().cast_mut()
}

/// Gives the address of element `[0, 0, ...]` of an operand by its number.
type Addresses<'a> = &'a dyn Fn(usize) -> *mut u8;

/// The result of a run, and how it ran.
pub(crate) struct Done {
    pub(crate) status: Status,
    tasks: usize,
    non_temporal: bool,
}
