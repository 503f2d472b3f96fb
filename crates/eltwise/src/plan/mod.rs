//! Plans: a program bound to layouts, ready to run any number of times.
//!
//! [`Plan`] is the type. `bind.rs` makes it, `cache.rs` keeps several, `explain.rs` describes it, and [`run`](crate::run) runs it.

mod bind;
mod cache;
mod explain;

use std::sync::OnceLock;

use eltwise_core::{Error, Layout};
use eltwise_plan::{Cost, CpuModel, Schedule, Target, Technique};
use eltwise_simd::Isa;
use smallvec::SmallVec;

pub use bind::BindOptions;
pub use cache::{LayoutParts, PlanCache, PlanCacheCounts};

use crate::exec::{ExecPlan, HoistedStages, SingleKernel, target_of};
use crate::program::Program;

/// A program bound to layouts: immutable, shareable, and able to explain itself.
///
/// A run on the calling thread allocates nothing (but see [`Plan::scratch`]), waits for no lock and does not panic.
#[derive(Clone, Debug)]
pub struct Plan(pub(crate) Box<Bound>);

/// The contents of a [`Plan`].
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) program: Program,
    pub(crate) inputs: SmallVec<[Layout; 3]>,
    pub(crate) outputs: SmallVec<[Layout; 1]>,
    /// The run as one kernel call, if it is one.
    pub(crate) single: Option<SingleKernel>,
    /// The schedule and its kernels. A single call that runs as one task needs none, so its schedule is made on demand.
    exec: OnceLock<Box<ExecPlan>>,
    /// Whether an output may be the same memory as an input: for each output, for each input.
    may_alias: SmallVec<[bool; 4]>,
    /// Whether runs may write the output with non-temporal stores.
    pub(crate) non_temporal: bool,
    /// The stages, if there are several. `exec` is the last of them, and `single` is `None`.
    pub(crate) stages: Option<Box<HoistedStages>>,
    /// The cost of all stages, with the tasks of the last one.
    pub(crate) cost: Cost,
    isa: Isa,
}

impl Plan {
    /// The schedule and its kernels.
    ///
    /// # Errors
    /// None for an existing plan, because its layouts were bound before.
    pub(crate) fn exec(&self) -> Result<&ExecPlan, Error> {
        match self.0.exec.get() {
            Some(exec) => Ok(exec),
            None => self.make_exec(),
        }
    }

    /// The layouts of the inputs.
    pub fn input_layouts(&self) -> &[Layout] {
        &self.0.inputs
    }

    /// The layouts of the outputs.
    pub fn output_layouts(&self) -> &[Layout] {
        &self.0.outputs
    }

    /// The ISA that the kernels were chosen for. Some kernels may be of a lower ISA if that is faster on this CPU; the
    /// results are the same.
    pub fn isa(&self) -> Isa {
        self.0.isa
    }

    /// Bytes that a run reads and writes. Each stage counts each of its operands once.
    pub fn bytes(&self) -> usize {
        self.0.cost.bytes()
    }

    /// The expected cost of a run: bytes, time on one thread, and how many tasks are worthwhile.
    pub fn cost(&self) -> Cost {
        self.0.cost
    }

    /// Whether a run may write its output with non-temporal stores, which bypass the caches. Only on x86-64.
    ///
    /// A run does so if each task writes at least 1 MiB of memory that was touched before and is no input. On CPUs with
    /// double-pumped 512-bit vectors (Zen 4), one of several tasks does so only if the run touches more than 1.5 of the
    /// last-level cache, or reads far more than it writes. [`BindOptions::non_temporal`] overrides the planner's
    /// choice.
    pub fn is_non_temporal(&self) -> bool {
        self.0.non_temporal
    }

    /// How many tasks an executor of `width` threads is given: 1 if the work is too small to share. If there are
    /// several stages, the tasks of the last one. An executor whose [`min_task_ns`](crate::Executor::min_task_ns) is
    /// less than 20 us may be given more; [`BindOptions::min_task_ns`] changes the number for all executors.
    pub fn tasks(&self, width: usize) -> usize {
        width.min(self.0.cost.tasks).max(1)
    }

    /// The techniques that a run uses, each once. Measurements and tests group plans by them.
    pub fn techniques(&self) -> Vec<Technique> {
        let bound = &*self.0;
        let mut used = Vec::new();
        if bound.single.is_some() {
            used.push(Technique::SingleCall);
        }
        if let Ok(exec) = self.exec() {
            used.extend(exec.schedule.techniques());
            used.extend(exec.chains().next().map(|_| Technique::Chained));
        }
        for stage in self.earlier_stages() {
            used.push(Technique::Hoisted);
            used.extend(stage.techniques());
        }
        used.sort_unstable();
        used.dedup();
        used
    }

    /// Whether the planner compared ways to run it, so that another number of runs may give another plan.
    fn was_searched(&self) -> bool {
        let last = self.0.exec.get().map(|exec| &exec.schedule);
        self.earlier_stages().chain(last).any(|schedule| schedule.search_cost.is_some())
    }

    /// Picoseconds that the cost model of layouts gives a run of this plan on one thread of a CPU. It ranks the ways of running
    /// one program: it counts every operator as an addition, and does not know non-temporal stores. Copies are those that would be
    /// planned for that CPU. For the time to expect, see [`Plan::cost`].
    ///
    /// `None` if the result has no elements, or the values of a tile need more scratch than the search allows.
    pub fn layout_cost(&self, cpu: &CpuModel) -> Option<u64> {
        let exec = self.exec().ok()?;
        let cost = |schedule: &Schedule| {
            let mut target = Target { cpu: *cpu, ..target_of(schedule, self.0.isa) };
            // Without the time of planning.
            target.options.runs = usize::MAX;
            schedule.cost_of_way(&target)
        };
        self.earlier_stages()
            .chain([&exec.schedule])
            .map(cost)
            .try_fold(0u64, |sum, cost| Some(sum.saturating_add(cost?)))
    }

    /// The schedules that run before the last.
    fn earlier_stages(&self) -> impl Iterator<Item = &Schedule> {
        self.0.stages.iter().flat_map(|stages| stages.before())
    }

    /// Whether output `output` may share its memory with input `input` exactly.
    #[inline]
    pub(crate) fn may_alias(&self, output: usize, input: usize) -> bool {
        self.0.may_alias.get(output * self.0.inputs.len() + input).copied().unwrap_or(false)
    }

    /// Bytes of memory that a run needs for values between stages, in addition to its operands and its stack: 0 for
    /// most plans. A run that is given them ([`Plan::run_with_scratch`]) allocates nothing. Otherwise the first run
    /// allocates them and the plan keeps them for the next run; concurrent runs have one block each.
    pub fn scratch(&self) -> usize {
        self.0.stages.as_ref().map_or(0, |stages| stages.scratch())
    }
}
