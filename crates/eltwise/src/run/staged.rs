//! Runs plans of several stages, one after the other: [`HoistedStages::run`]. [`StageRun`] runs one stage, or the only
//! schedule of a plan without stages.
//!
//! All stages run on the same executor, and each ends before the next begins. Values between stages are in scratch: up
//! to 16 KiB on the stack, above that in the caller's memory or in memory that the plan keeps.

use core::mem::MaybeUninit;

use eltwise_core::Error;
use eltwise_plan::Cost;
use eltwise_plan::bind::BoundOperand;
use eltwise_plan::bind::hoist::Stored;
use eltwise_plan::tuning::CACHE_LINE;

use super::{Addresses, Done};
use crate::exec::scratch::StackScratch;
use crate::exec::{Cancel, ExecPlan, HoistedStages, STACK_SCRATCH, SingleKernel, Stage};
use crate::plan::Plan;
use crate::status::{CANCELLED, Status};
use crate::threads::{Executor, tasks_on};

/// A run of one schedule.
#[derive(Clone, Copy)]
pub(super) struct StageRun<'r> {
    pub(super) executor: &'r dyn Executor,
    pub(super) cancel: Option<&'r Cancel>,
    pub(super) cost: &'r Cost,
    /// The schedule as one kernel call, if it is one, and the memory of its output.
    pub(super) single: Option<(&'r SingleKernel, *mut u8)>,
}

impl<'r> StageRun<'r> {
    /// Runs a single call if the schedule is one and has one task, otherwise its tasks. `exec` gives the schedule,
    /// `non_temporal` says whether a run of that many tasks uses non-temporal stores, `input` and `output` give the
    /// memory of operands.
    ///
    /// # Safety
    /// As for [`Run::new`](crate::exec::Run::new). The output of a non-temporal run overlaps no input, not even
    /// exactly.
    #[inline(always)]
    pub(super) unsafe fn run(
        self,
        exec: impl Fn() -> Result<&'r ExecPlan, Error>,
        non_temporal: impl FnOnce(usize) -> bool,
        input: impl Fn(usize) -> *mut u8,
        output: impl Fn(usize) -> *mut u8,
    ) -> Result<Done, Error> {
        let StageRun { executor, cancel, cost, single } = self;
        // If the schedule cannot be made, the error is returned below.
        let tasks = tasks_on(executor, cost, || exec().map_or(1, |exec| exec.schedule.units()));
        let non_temporal = non_temporal(tasks);
        // Work that is large enough for several tasks checks for cancellation in between, which a single call cannot.
        if let (Some((single, output)), 1, false) = (single, tasks, non_temporal)
            && (cancel.is_none() || cost.tasks == 1)
        {
            let status = match cancel {
                Some(cancel) if cancel.is_cancelled() => Status(CANCELLED),
                // SAFETY: the caller's contract.
                _ => unsafe { single.run(input, output) },
            };
            return Ok(Done { status, tasks, non_temporal });
        }
        let exec = exec()?;
        let place = |operand: &BoundOperand| if operand.output { output(operand.index) } else { input(operand.index) };
        let parallel_for = |tasks: usize, f: &(dyn Fn(usize) + Sync)| executor.parallel_for(tasks, f);
        let cancel = cancel.map(|cancel| (cancel, cost.ns));
        // SAFETY: the caller's contract.
        let status = unsafe { exec.run_tasks(tasks, &parallel_for, non_temporal, cancel, place) };
        Ok(Done { status, tasks, non_temporal })
    }
}

/// The memory of a run of several stages.
pub(super) struct StageMemory<'r> {
    pub(super) plan: &'r Plan,
    /// The stages of the plan.
    pub(super) stages: &'r HoistedStages,
    pub(super) input: Addresses<'r>,
    pub(super) output: Addresses<'r>,
    /// Room for all stored values.
    pub(super) scratch: *mut u8,
}

impl StageMemory<'_> {
    /// The address of element `[0, 0, ...]` of an operand of a stage.
    pub(super) fn place(&self, operand: &BoundOperand) -> *mut u8 {
        if operand.output { self.output(operand.index) } else { self.input(operand.index) }
    }

    fn input(&self, index: usize) -> *mut u8 {
        let number = index.checked_sub(self.plan.0.inputs.len());
        number.map_or_else(|| (self.input)(index), |number| self.stored(number))
    }

    fn output(&self, index: usize) -> *mut u8 {
        let number = index.checked_sub(self.plan.0.outputs.len());
        number.map_or_else(|| (self.output)(index), |number| self.stored(number))
    }

    /// Stored values are numbered after the inputs and after the outputs of the plan.
    fn stored(&self, number: usize) -> *mut u8 {
        match self.stages.stored.get(number) {
            Some(&Stored::Scratch(offset)) => self.scratch.wrapping_add(offset),
            Some(&Stored::Output(index)) => (self.output)(index),
            _ => core::ptr::null_mut(),
        }
    }

    /// Runs a stage.
    ///
    /// # Safety
    /// As [`StageRun::run`], for the memory that this gives.
    unsafe fn run(
        &self,
        (executor, cancel): (&dyn Executor, Option<&Cancel>),
        exec: &ExecPlan,
        single: Option<&SingleKernel>,
        cost: &Cost,
        non_temporal: impl FnOnce(usize) -> bool,
    ) -> Result<Done, Error> {
        let output = exec.schedule.binding.operands.first();
        let single = single.zip(output).map(|(single, output)| (single, self.place(output)));
        let stage = StageRun { executor, cancel, cost, single };
        // SAFETY: the caller's contract.
        unsafe { stage.run(|| Ok(exec), non_temporal, |i| self.input(i), |o| self.output(o)) }
    }

    /// Runs all stages but the last.
    ///
    /// # Safety
    /// As [`StageRun::run`], for the memory that this gives.
    pub(super) unsafe fn run_before(&self, executor: (&dyn Executor, Option<&Cancel>)) -> Result<Status, Error> {
        let mut met = Status::default();
        for Stage { exec, single, cost } in &self.stages.before {
            // SAFETY: the caller's contract; earlier stages wrote what this one reads.
            met |= unsafe { self.run(executor, exec, single.as_ref(), cost, |_| false) }?.status;
        }
        Ok(met)
    }
}

impl HoistedStages {
    /// Runs all stages.
    ///
    /// # Safety
    /// As for [`Plan::execute`]; [`HoistedStages::may_alias`] allows all overlaps.
    #[inline(never)]
    pub(super) unsafe fn run(
        &self,
        plan: &Plan,
        (executor, cancel): (&dyn Executor, Option<&Cancel>),
        input: Addresses<'_>,
        output: Addresses<'_>,
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Done, Error> {
        let mut on_stack = MaybeUninit::<StackScratch<STACK_SCRATCH>>::uninit();
        let mut kept = None;
        let scratch = match scratch {
            _ if self.spare.bytes <= STACK_SCRATCH => on_stack.as_mut_ptr().cast(),
            Some(given) => aligned(given),
            None => kept.insert(self.spare.take()?).as_mut_ptr().cast(),
        };
        let last = plan.exec()?;
        let memory = StageMemory { plan, stages: self, input, output, scratch };
        // SAFETY: the caller's contract; the scratch has room for all stored values.
        let met = unsafe { memory.run_before((executor, cancel)) }?;
        let index = last.schedule.binding.operands[0].index;
        let non_temporal = |tasks| plan.is_non_temporal() && plan.uses_non_temporal(index, tasks, input, output);
        let single = self.last_single.as_ref();
        let mut cost = plan.cost();
        cost.ns = self.last_ns(&cost);
        // SAFETY: the caller's contract; the scratch has room for all stored values; a non-temporal output is no input.
        let done = unsafe { memory.run((executor, cancel), last, single, &cost, non_temporal) }?;
        if let Some(memory) = kept {
            self.spare.put(memory);
        }
        Ok(Done { status: met | done.status, ..done })
    }
}

/// The first address of memory that is aligned for scratch.
fn aligned(memory: &mut [MaybeUninit<u8>]) -> *mut u8 {
    let start = memory.as_mut_ptr().cast::<u8>();
    start.wrapping_add(start.addr().wrapping_neg() % CACHE_LINE)
}
