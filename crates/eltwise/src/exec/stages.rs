//! Plans of several stages: how they are made, and how they run one after the other.
//!
//! Every stage runs as a plan of its own would, on the same executor, and ends before the next begins. What lies between
//! them is in scratch: on the stack up to 16 KiB, then in the caller's memory or, without, in memory that the plan keeps.

use core::mem::MaybeUninit;

use eltwise_kernels::arranged::arranged;
use eltwise_plan::bind::Leaf;
use eltwise_plan::one_call::OneCall;
use eltwise_plan::stages::{Hoist, Staging, Stored};
use eltwise_plan::{Cost, Error, Layout, Machine, Schedule};
use eltwise_simd::Isa;

use super::memory::{ALIGN, Memory, Spare};
use super::run::Done;
use super::{Cancel, Program, Single};
use crate::executor::{Executor, Serial, tasks_on};
use crate::lanes::Operator;
use crate::plan::Plan;
use crate::status::{CANCELLED, Status};

/// The stages of a plan, but for the last one's schedule, which is the plan's own.
#[derive(Clone, Debug)]
pub(crate) struct Stages {
    before: Vec<Stage>,
    /// The last stage as one kernel call, when it is one.
    single: Option<Single>,
    pub(crate) stored: Vec<Stored>,
    /// Bytes of all that is stored in scratch.
    bytes: usize,
    spare: Spare,
}

/// A stage that runs before the last.
#[derive(Clone, Debug)]
struct Stage {
    program: Program,
    single: Option<Single>,
    cost: Cost,
}

/// Bytes of scratch that a run has on its stack.
const STACK: usize = 16 << 10;

#[repr(C, align(64))]
struct OnStack([MaybeUninit<u8>; STACK]);

/// The memory of a run of stages.
struct Places<'r> {
    input: &'r dyn Fn(usize) -> *mut u8,
    output: &'r mut dyn FnMut(usize) -> *mut u8,
    /// The numbers of inputs and outputs of the plan.
    counts: (usize, usize),
    stored: &'r [Stored],
    scratch: *mut u8,
}

impl Places<'_> {
    /// Element `[0, 0, ...]` of a leaf.
    fn of(&mut self, leaf: &Leaf) -> *mut u8 {
        if leaf.output { self.output(leaf.index) } else { self.input(leaf.index) }
    }

    fn input(&mut self, index: usize) -> *mut u8 {
        match index.checked_sub(self.counts.0) {
            None => (self.input)(index),
            Some(number) => self.stored(number),
        }
    }

    fn output(&mut self, index: usize) -> *mut u8 {
        match index.checked_sub(self.counts.1) {
            None => (self.output)(index),
            Some(number) => self.stored(number),
        }
    }

    fn stored(&mut self, number: usize) -> *mut u8 {
        match self.stored.get(number) {
            Some(&Stored::Scratch(at)) => self.scratch.wrapping_add(at),
            Some(&Stored::Output(index)) => (self.output)(index),
            _ => core::ptr::null_mut(),
        }
    }

    /// Runs a stage.
    ///
    /// # Safety
    /// As [`Run::new`](super::Run::new), for the memory that this gives.
    unsafe fn run(
        &mut self,
        program: &Program,
        single: Option<&Single>,
        (executor, cancel, cost): (&dyn Executor, Option<&Cancel>, Cost),
        tasks: usize,
        streams: bool,
    ) -> Status {
        if cancel.is_some_and(Cancel::is_cancelled) {
            return Status::from_flags(CANCELLED);
        }
        match single {
            Some(single) if tasks <= 1 && !streams && (cancel.is_none() || cost.tasks == 1) => {
                let output = self.output(program.schedule.binding.leaves[0].index);
                // The call asks for each input once, and all of them are known before.
                let mut ins = [core::ptr::null_mut(); 4];
                for (ptr, leaf) in ins.iter_mut().zip(&program.schedule.binding.leaves[1..]) {
                    *ptr = self.input(leaf.index);
                }
                let leaves = &program.schedule.binding.leaves[1..];
                let input = |index: usize| {
                    let at = leaves.iter().position(|leaf| leaf.index == index);
                    at.and_then(|at| ins.get(at)).copied().unwrap_or(core::ptr::null_mut())
                };
                // SAFETY: the caller's contract.
                unsafe { single.run(input, output) }
            }
            // SAFETY: the caller's contract.
            _ => unsafe { program.run_over(executor, tasks, streams, (cancel, cost.ns), |leaf| self.of(leaf)) },
        }
    }
}

impl Stages {
    /// Binds a program: the last stage into `whole`, which is the only one where this gives none.
    pub(crate) fn bind(
        whole: &mut Program,
        program: &eltwise_plan::Program,
        inputs: &[&Layout],
        outputs: Option<&[&Layout]>,
        c_order: bool,
        hoist: Hoist,
        (operators, isa, machine): (&[Operator], Isa, &Machine),
    ) -> Result<Option<Box<Stages>>, Error> {
        let mut staging = Staging::new(program, inputs, hoist)?;
        let last = staging.stages() - 1;
        if last == 0 {
            staging.bind(0, &mut whole.schedule.binding, program, inputs, outputs, c_order)?;
            whole.finish(operators, isa, machine)?;
            return Ok(None);
        }
        let mut before = Vec::with_capacity(last);
        for stage in 0..last {
            let mut own = Program::default();
            staging.bind(stage, &mut own.schedule.binding, program, inputs, outputs, c_order)?;
            own.finish_stage(operators, isa, machine)?;
            let (single, cost) = (own.single(), own.schedule.cost(machine));
            before.push(Stage { program: own, single, cost });
        }
        staging.bind(last, &mut whole.schedule.binding, program, inputs, outputs, c_order)?;
        whole.finish_stage(operators, isa, machine)?;
        let (stored, bytes) = staging.places(program)?;
        Ok(Some(Box::new(Stages { before, single: whole.single(), stored, bytes, spare: Spare::new(bytes) })))
    }

    /// The schedules that run before the last.
    pub(crate) fn before(&self) -> impl Iterator<Item = &Schedule> {
        self.before.iter().map(|stage| &stage.program.schedule)
    }

    /// The layouts of the outputs, in their order.
    pub(crate) fn outputs(&self, last: &Schedule) -> Vec<Layout> {
        let mut all: Vec<(usize, Layout)> = Vec::new();
        for binding in self.before().chain([last]).map(|schedule| &schedule.binding) {
            all.extend(binding.leaves.iter().zip(&binding.outputs).map(|(leaf, layout)| (leaf.index, layout.clone())));
        }
        all.sort_by_key(|output| output.0);
        // Those between stages come after the outputs.
        let between = self.stored.iter().filter(|place| matches!(place, Stored::Scratch(_))).count();
        all.truncate(all.len() - between);
        all.into_iter().map(|output| output.1).collect()
    }

    /// Whether an output may be the memory of an input: its stage allows it, and no later stage reads the input.
    pub(crate) fn may_alias(&self, last: &Schedule, output: usize, input: usize) -> bool {
        let mut stages = self.before().chain([last]).map(|schedule| &schedule.binding);
        let own = stages.by_ref().find_map(|binding| {
            let leaf = binding.leaves.iter().position(|leaf| leaf.output && leaf.index == output)?;
            Some(binding.may_alias(leaf, input))
        });
        own == Some(true) && !stages.any(|b| b.leaves.iter().any(|leaf| !leaf.output && leaf.index == input))
    }

    /// What all stages take, given what the last does.
    pub(crate) fn cost(&self, last: Cost) -> Cost {
        self.before.iter().fold(last, |mut all, stage| {
            all.read = all.read.saturating_add(stage.cost.read);
            all.written = all.written.saturating_add(stage.cost.written);
            all.ns = all.ns.saturating_add(stage.cost.ns);
            all
        })
    }

    /// Lets every stage before the last have as many tasks as it has units.
    pub(super) fn share_at_any_cost(&mut self) {
        for stage in &mut self.before {
            stage.cost.tasks = stage.program.schedule.units().max(1);
        }
    }

    /// Bytes that a run asks of its caller.
    fn scratch(&self) -> usize {
        if self.bytes <= STACK { 0 } else { self.bytes + ALIGN - 1 }
    }

    /// Runs all stages.
    ///
    /// # Safety
    /// The pointers are valid for the plan's layouts; overlaps are only those that [`Stages::may_alias`] allows. The
    /// scratch, where it is given, overlaps none of them.
    #[inline(never)]
    pub(crate) unsafe fn run(
        &self,
        plan: &Plan,
        (executor, cancel): (&dyn Executor, Option<&Cancel>),
        input: &dyn Fn(usize) -> *mut u8,
        output: &mut dyn FnMut(usize) -> *mut u8,
        scratch: Option<&mut [MaybeUninit<u8>]>,
    ) -> Result<Done, Error> {
        let mut on_stack = MaybeUninit::<OnStack>::uninit();
        let mut kept = None;
        let scratch = match scratch {
            _ if self.bytes <= STACK => on_stack.as_mut_ptr().cast(),
            Some(given) => aligned(given),
            None => kept.insert(self.spare.take()?).as_mut_ptr(),
        };
        let last = plan.whole()?;
        let counts = (plan.input_layouts().len(), plan.output_layouts().len());
        let mut places = Places { input, output, counts, stored: &self.stored, scratch };
        // SAFETY: the caller's contract; the scratch has room for all that is stored.
        let mut met = unsafe { self.run_before(executor, cancel, &mut places) };
        let cost = plan.0.cost;
        let tasks = tasks_on(executor, &cost, || last.schedule.units());
        let first = last.schedule.binding.leaves[0].index;
        let streams =
            plan.0.streams && plan.is_worth_streaming(first, tasks, &|i| input(i), &mut |o| (places.output)(o));
        // SAFETY: as above; an output that streams is no input.
        met |= unsafe { places.run(last, self.single.as_ref(), (executor, cancel, cost), tasks, streams) };
        if let Some(memory) = kept {
            self.spare.put(memory);
        }
        Ok(Done { status: met, tasks, streamed: streams })
    }

    /// Runs all stages but the last.
    ///
    /// # Safety
    /// As [`Stages::run`].
    unsafe fn run_before(&self, executor: &dyn Executor, cancel: Option<&Cancel>, places: &mut Places<'_>) -> Status {
        let mut met = Status::default();
        for stage in &self.before {
            let cost = stage.cost;
            let tasks = tasks_on(executor, &cost, || stage.program.schedule.units());
            // SAFETY: the caller's contract; what the stage reads was written by those before.
            met |= unsafe { places.run(&stage.program, stage.single.as_ref(), (executor, cancel, cost), tasks, false) };
        }
        met
    }

    /// Runs all stages but the last on the calling thread, and gives what they met, the memory between the stages, and
    /// the pointers of the last stage's leaves.
    ///
    /// # Safety
    /// As [`Stages::run`].
    pub(crate) unsafe fn prepare(
        &self,
        last: &Program,
        counts: (usize, usize),
        input: &dyn Fn(usize) -> *mut u8,
        output: &mut dyn FnMut(usize) -> *mut u8,
    ) -> Result<(Status, Memory, Vec<*mut u8>), Error> {
        let mut memory = Memory::new(self.bytes)?;
        let mut places = Places { input, output, counts, stored: &self.stored, scratch: memory.as_mut_ptr() };
        // SAFETY: the caller's contract; the memory has room for all that is stored.
        let met = unsafe { self.run_before(&Serial, None, &mut places) };
        let pointers = last.schedule.binding.leaves.iter().map(|leaf| places.of(leaf)).collect();
        Ok((met, memory, pointers))
    }
}

impl Program {
    /// As [`Program::finish`], for a stage: what is one step may put an operand in order.
    fn finish_stage(&mut self, operators: &[Operator], isa: Isa, machine: &Machine) -> Result<(), Error> {
        let arranges = match &self.schedule.binding.steps[..] {
            [one] => one.op.op().is_some_and(|op| arranged(op, one.from, isa).is_some()),
            _ => false,
        };
        self.finish(operators, isa, &Machine { arranges, ..*machine })
    }

    /// The run as one kernel call, when it is one.
    pub(crate) fn single(&self) -> Option<Single> {
        let call = OneCall::of(&self.schedule)?;
        self.kernels.first().map(|&kernel| Single { kernel, call })
    }
}

impl Plan {
    /// Bytes of memory that a run needs beside its operands and its stack, for values between stages: 0 for most plans.
    /// Runs that are given it ([`Plan::run_with_scratch`]) allocate nothing. Of the others the first allocates it, and the
    /// plan keeps it for the next; runs at the same time have one each.
    pub fn scratch(&self) -> usize {
        self.0.stages.as_ref().map_or(0, |stages| stages.scratch())
    }

    /// Checks the caller's scratch.
    pub(crate) fn check_scratch(&self, scratch: &[MaybeUninit<u8>]) -> Result<(), Error> {
        let (given, needed) = (scratch.len(), self.scratch());
        if given < needed {
            return Err(Error::Bounds { what: "scratch (bytes)".into(), needed, given });
        }
        Ok(())
    }
}

/// The first address of memory that is aligned as scratch is.
fn aligned(memory: &mut [MaybeUninit<u8>]) -> *mut u8 {
    let start = memory.as_mut_ptr().cast::<u8>();
    start.wrapping_add(start.addr().wrapping_neg() % ALIGN)
}
