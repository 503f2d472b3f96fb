//! Runs whose tasks the caller runs on its own threads: [`Plan::tasks_over`] and [`Tasks`].

use eltwise_core::Error;
use smallvec::SmallVec;

use super::staged::StageMemory;
use super::{input_pointers, output_pointers};
use crate::exec::scratch::{Memory, memory};
use crate::exec::{ExecPlan, Run};
use crate::plan::Plan;
use crate::status::Status;
use crate::threads::Serial;
use crate::view::{View, ViewMut};

impl Plan {
    /// Prepares a run of `tasks` tasks that the caller runs on its own threads, each once, in any order. All stages
    /// before the last one run in this call.
    ///
    /// # Errors
    /// * [`Error::Count`], [`Error::DType`], [`Error::Shape`], [`Error::Strides`]: operands whose number or layouts are not
    ///   those that the plan was bound to.
    /// * [`Error::TooLarge`]: no memory for values between stages ([`Plan::scratch`]).
    pub fn tasks_over<'a>(
        &'a self,
        tasks: usize,
        inputs: &[View<'a>],
        outputs: &'a mut [ViewMut<'_>],
    ) -> Result<Tasks<'a>, Error> {
        self.check_layouts(inputs.iter().map(View::layout), outputs.iter().map(ViewMut::layout))?;
        let exec = self.exec()?;
        let tasks = tasks.max(1);
        let (input, output) = (input_pointers(inputs), output_pointers(outputs));
        if let Some(stages) = &self.0.stages {
            let mut block = memory(stages.spare.bytes)?;
            let scratch = block.as_mut_ptr().cast();
            let memory = StageMemory { plan: self, stages, input: &input, output: &output, scratch };
            // SAFETY: views are valid for their layouts, which are the plan's; outputs are exclusive borrows. The block has
            // room for all stored values.
            let met = unsafe { memory.run_before((&Serial, None)) }?;
            let pointers = exec.schedule.binding.operands.iter().map(|operand| memory.place(operand)).collect();
            return Ok(Tasks { exec, tasks, pointers, met, _scratch: Some(block) });
        }
        let pointers = (exec.schedule.binding.operands.iter())
            .map(|operand| if operand.output { output(operand.index) } else { input(operand.index) })
            .collect();
        Ok(Tasks { exec, tasks, pointers, met: Status::default(), _scratch: None })
    }
}

/// A run whose tasks the caller runs. See [`Plan::tasks_over`].
pub struct Tasks<'a> {
    exec: &'a ExecPlan,
    tasks: usize,
    pointers: SmallVec<[*mut u8; 4]>,
    /// The data conditions that earlier stages met.
    met: Status,
    /// The values that earlier stages stored.
    _scratch: Option<Memory>,
}

// SAFETY: the pointers come from views that the borrow keeps valid; tasks write disjoint parts.
unsafe impl Sync for Tasks<'_> {}
// SAFETY: the pointers come from views that the borrow keeps valid; tasks write disjoint parts.
unsafe impl Send for Tasks<'_> {}

impl Tasks<'_> {
    /// The number of tasks.
    pub fn count(&self) -> usize {
        self.tasks
    }

    /// Runs one task. It takes up to 256 KiB of the thread's stack.
    ///
    /// # Errors
    /// [`Error::Limit`] if `task` is not less than [`Tasks::count`].
    ///
    /// # Safety
    /// No other thread runs the same task at the same time.
    pub unsafe fn run(&self, task: usize) -> Result<Status, Error> {
        if task >= self.tasks {
            return Err(Error::Limit { what: "task number", given: task, most: self.tasks - 1 });
        }
        // SAFETY: the pointers are to views with the plan's layouts, borrowed while this lives.
        let run = unsafe { Run::new(self.exec, &self.pointers) };
        run.task(task, self.tasks);
        Ok(run.status() | self.met)
    }
}
