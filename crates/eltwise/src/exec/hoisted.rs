//! Plans of several stages: values of lower rank are computed first and stored for the stages that read them.
//!
//! [`HoistedStages`] has the stages before the last one, and where the stored values are. `run/staged.rs` runs them.

use eltwise_core::{Error, Layout};
use eltwise_plan::bind::BoundOperand;
pub(crate) use eltwise_plan::bind::Layouts;
use eltwise_plan::bind::hoist::{Hoist, StagedProgram, Stored};
use eltwise_plan::tuning::CACHE_LINE;
use eltwise_plan::{Binding, Cost, Program, Schedule};
use smallvec::SmallVec;

use super::scratch::Spare;
use super::select::KernelChoice;
use super::{ExecPlan, SingleKernel};

/// The stages of a plan. The schedule of the last one is the plan's own.
#[derive(Clone, Debug)]
pub(crate) struct HoistedStages {
    pub(crate) before: Vec<Stage>,
    /// The last stage as one kernel call, if it is one.
    pub(crate) last_single: Option<SingleKernel>,
    pub(crate) stored: Vec<Stored>,
    /// The scratch for stored values, if it is too large for the stack.
    pub(crate) spare: Spare,
}

/// A stage that runs before the last.
#[derive(Clone, Debug)]
pub(crate) struct Stage {
    pub(crate) exec: ExecPlan,
    pub(crate) single: Option<SingleKernel>,
    pub(crate) cost: Cost,
}

/// The largest number of bytes of stored values that a run keeps on its stack.
pub(crate) const STACK_SCRATCH: usize = 16 << 10;

impl HoistedStages {
    /// The nanoseconds of the last stage of a plan of this cost.
    pub(crate) fn last_ns(&self, all: &Cost) -> usize {
        self.before.iter().fold(all.ns, |ns, stage| ns.saturating_sub(stage.cost.ns))
    }

    /// Binds a program, the last stage into `last`. Returns `None` if that is the only stage.
    pub(crate) fn bind(
        last: &mut ExecPlan,
        program: &Program,
        layouts: Layouts<'_>,
        hoist: Hoist,
        choice: &KernelChoice<'_>,
    ) -> Result<Option<Box<HoistedStages>>, Error> {
        let mut staged = StagedProgram::new(program, layouts.inputs, hoist)?;
        let count = staged.stages() - 1;
        let mut before = Vec::with_capacity(count);
        let mut bind = |stage: usize, exec: &mut ExecPlan| {
            staged.bind(stage, &mut exec.schedule.binding, program, layouts)?;
            exec.plan(choice)
        };
        for stage in 0..count {
            let mut exec = ExecPlan::default();
            bind(stage, &mut exec)?;
            let (single, cost) = (exec.single_kernel(), exec.schedule.cost(choice.target));
            before.push(Stage { exec, single, cost });
        }
        bind(count, last)?;
        if before.is_empty() {
            return Ok(None);
        }
        let (stored, bytes) = staged.places(program)?;
        let last_single = last.single_kernel();
        Ok(Some(Box::new(HoistedStages { before, last_single, stored, spare: Spare::new(bytes) })))
    }

    /// The schedules that run before the last.
    pub(crate) fn before(&self) -> impl Iterator<Item = &Schedule> {
        self.before.iter().map(|stage| &stage.exec.schedule)
    }

    /// The bindings of all stages.
    fn bindings<'s>(&'s self, last: &'s Schedule) -> impl Iterator<Item = &'s Binding> {
        self.before().chain([last]).map(|schedule| &schedule.binding)
    }

    /// The layouts of the plan's `count` outputs.
    pub(crate) fn outputs(&self, last: &Schedule, count: usize) -> SmallVec<[Layout; 1]> {
        let layout =
            |output| self.bindings(last).find_map(|binding| Some(binding.outputs[writes(binding, output)?].clone()));
        (0..count).filter_map(layout).collect()
    }

    /// Whether an output may be the memory of an input: the output's stage allows it, and no later stage reads the
    /// input.
    pub(crate) fn may_alias(&self, last: &Schedule, output: usize, input: usize) -> bool {
        let mut stages = self.bindings(last);
        let in_its_stage = stages.by_ref().find_map(|binding| Some(binding.may_alias(writes(binding, output)?, input)));
        let is_input = |operand: &BoundOperand| !operand.output && operand.index == input;
        in_its_stage == Some(true) && !stages.any(|binding| binding.operands.iter().any(is_input))
    }

    /// The cost of all stages, given that of the last one.
    pub(crate) fn cost(&self, last: Cost) -> Cost {
        self.before.iter().fold(last, |mut all, stage| {
            all.read = all.read.saturating_add(stage.cost.read);
            all.written = all.written.saturating_add(stage.cost.written);
            all.ns = all.ns.saturating_add(stage.cost.ns);
            all
        })
    }

    /// Bytes of scratch that the caller of a run may provide: with room for alignment, 0 if the stack is enough.
    pub(crate) fn scratch(&self) -> usize {
        if self.spare.bytes <= STACK_SCRATCH { 0 } else { self.spare.bytes + CACHE_LINE - 1 }
    }
}

/// The operand of a stage that is the plan's output `output`, if the stage writes it.
fn writes(binding: &Binding, output: usize) -> Option<usize> {
    binding.operands.iter().position(|operand| operand.output && operand.index == output)
}
