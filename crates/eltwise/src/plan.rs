//! Plans: a program bound to layouts, ready to run any number of times.

use core::fmt;
use std::sync::OnceLock;

use eltwise_kernels::Kernel;
use eltwise_kernels::arranged::{arranged, held};
use eltwise_kernels::exact::exact;
use eltwise_kernels::fused::fused;
use eltwise_kernels::table::{feature_of, is_built, kernel};
use eltwise_plan::beyond::narrows;
use eltwise_plan::bind::BoundStep;
use eltwise_plan::explain::Explain;
use eltwise_plan::fuse::Operation;
use eltwise_plan::one_call::{Found, OneCall};
use eltwise_plan::{Cost, DType, Error, Hoist, Layout, Machine, Op, Schedule, Technique};
use eltwise_simd::Isa;
use smallvec::SmallVec;

use crate::exec::{self, LineCall, Single, Stages};
use crate::executor::SMALL;
use crate::lanes::Operator;
use crate::machine::machine;
use crate::program::Program;

/// A program bound to layouts: immutable, shareable, and able to explain itself.
///
/// A run on the calling thread allocates nothing (but see [`Plan::scratch`]), takes no lock and does not panic.
#[derive(Clone, Debug)]
pub struct Plan(pub(crate) Box<Bound>);

/// What a plan holds.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub(crate) program: Program,
    pub(crate) inputs: SmallVec<[Layout; 3]>,
    pub(crate) outputs: SmallVec<[Layout; 1]>,
    /// The whole run as one kernel call, when it is one.
    pub(crate) single: Option<Single>,
    /// The same where all operands are dense along one axis, and no output streams.
    pub(crate) line: Option<LineCall>,
    /// The schedule and its kernels. A run that is a single call and no work to share does without: it is made when
    /// somebody asks.
    whole: OnceLock<Box<exec::Program>>,
    /// For each output, for each input: whether they may be the same memory.
    may_alias: SmallVec<[bool; 4]>,
    /// Whether large outputs leave by streaming stores.
    pub(crate) streams: bool,
    /// The stages, where there are several: `whole` is the last of them, and `single` is none.
    pub(crate) stages: Option<Box<Stages>>,
    /// Of all stages; the tasks are the last one's.
    pub(crate) cost: Cost,
    isa: Isa,
}

impl Plan {
    pub(crate) fn new(
        program: &Program,
        inputs: &[&Layout],
        outputs: Option<&[&Layout]>,
        c_order: bool,
        isa: Option<Isa>,
        streams: Option<bool>,
        hoist: Hoist,
    ) -> Result<Plan, Error> {
        let isa = isa.map_or_else(Isa::current, |isa| isa.lowered().min(Isa::current()));
        if let Some(plan) = Plan::of_one_call(program, inputs, outputs, isa) {
            return Ok(plan);
        }
        // Other architectures decide about their caches themselves.
        let streams = cfg!(target_arch = "x86_64") && streams.unwrap_or(outputs.is_some());
        let machine = Machine { streams, ..machine_for(program, isa) };
        let mut whole = Box::new(exec::Program::default());
        let stages = if program.only_step().is_some() {
            whole.schedule.binding.bind(program, inputs, outputs, c_order)?;
            whole.finish(program.operators(), isa, &machine)?;
            None
        } else {
            Stages::bind(&mut whole, program, inputs, outputs, c_order, hoist, (program.operators(), isa, &machine))?
        };
        let schedule = &whole.schedule;
        let binding = &schedule.binding;
        let mut may_alias = SmallVec::new();
        for output in 0..program.outputs().len() {
            (0..inputs.len()).for_each(|input| {
                may_alias.push(match &stages {
                    Some(stages) => stages.may_alias(schedule, output, input),
                    None => binding.may_alias(output, input),
                });
            });
        }
        let cost = schedule.cost(&machine);
        let streams = streams && schedule.is_worth_streaming(&machine);
        let single = if stages.is_none() { whole.single() } else { None };
        let inputs: SmallVec<[Layout; 3]> = inputs.iter().map(|&l| l.clone()).collect();
        let line = match (&single, &binding.outputs[..]) {
            (Some(single), [output]) if !streams => LineCall::of(single, &inputs, output),
            _ => None,
        };
        Ok(Plan(Box::new(Bound {
            program: program.clone(),
            inputs,
            outputs: stages.as_ref().map_or_else(|| binding.outputs.clone(), |s| s.outputs(schedule).into()),
            single,
            line,
            may_alias,
            streams,
            cost: stages.as_ref().map_or(cost, |stages| stages.cost(cost)),
            stages,
            whole: OnceLock::from(whole),
            isa,
        })))
    }

    /// The plan of a small program of one step, without a schedule; `None` when it needs one, or is refused.
    #[inline]
    fn of_one_call(program: &Program, inputs: &[&Layout], outputs: Option<&[&Layout]>, isa: Isa) -> Option<Plan> {
        let dense = program.dense_step();
        let here = machine(isa);
        // What most are: the inputs lie alike, and so will the output.
        if outputs.is_none()
            && let Some(dense) = dense
            && let Some(output) = dense.output(inputs)
            && let Some(found) = dense.over(output.elements(), &here)
        {
            return Plan::of_found(program, inputs, output, found, (isa, &here));
        }
        let (output, found) = match outputs {
            Some([output]) => ((*output).clone(), dense.and_then(|dense| dense.find(inputs, output, &here))),
            Some(_) => return None,
            None => (OneCall::output(program, inputs)?, None),
        };
        let found = found.or_else(|| OneCall::find(program, inputs, &output, &machine_for(program, isa)))?;
        Plan::of_found(program, inputs, output, found, (isa, &here))
    }

    #[inline]
    fn of_found(
        program: &Program,
        inputs: &[&Layout],
        output: Layout,
        found: Found,
        (isa, machine): (Isa, &Machine),
    ) -> Option<Plan> {
        let (from, to) = (found.from, output.dtype());
        let level = level_of(found.op, (from, to), found.bytes, isa, machine);
        let kernel = kernel(found.op, from, to, level)?.kernel;
        let cost = found.cost();
        // The memory first, so that the fields are written there and not moved.
        let mut bound = Box::write(
            Box::new_uninit(),
            Bound {
                program: program.clone(),
                inputs: SmallVec::new(),
                outputs: SmallVec::new(),
                single: Some(Single { kernel, call: found.call }),
                line: None,
                whole: OnceLock::new(),
                stages: None,
                may_alias: found.may_alias,
                streams: false,
                cost,
                isa,
            },
        );
        inputs.iter().for_each(|&input| bound.inputs.push(input.clone()));
        bound.line = bound.single.as_ref().and_then(|single| LineCall::of(single, &bound.inputs, &output));
        bound.outputs.push(output);
        Some(Plan(bound))
    }

    /// The schedule and its kernels.
    ///
    /// # Errors
    /// None for a plan that is there: what it was bound to did fit.
    pub(crate) fn whole(&self) -> Result<&exec::Program, Error> {
        if let Some(whole) = self.0.whole.get() {
            return Ok(whole);
        }
        let bound = &*self.0;
        let mut whole = Box::new(exec::Program::default());
        let inputs: SmallVec<[&Layout; 3]> = bound.inputs.iter().collect();
        let outputs: SmallVec<[&Layout; 1]> = bound.outputs.iter().collect();
        whole.schedule.binding.bind(&bound.program, &inputs, Some(&outputs), false)?;
        whole.finish(bound.program.operators(), bound.isa, &machine_for(&bound.program, bound.isa))?;
        Ok(self.0.whole.get_or_init(|| whole))
    }

    /// The layouts of the inputs.
    pub fn input_layouts(&self) -> &[Layout] {
        &self.0.inputs
    }

    /// The layouts of the outputs.
    pub fn output_layouts(&self) -> &[Layout] {
        &self.0.outputs
    }

    /// The ISA that the kernels were chosen for; some may be those of a level below it, which are faster on this CPU and give the same bits.
    pub fn isa(&self) -> Isa {
        self.0.isa
    }

    /// Bytes that a run reads and writes, each operand counted once in every stage that has it.
    pub fn bytes(&self) -> usize {
        self.0.cost.read.saturating_add(self.0.cost.written)
    }

    /// What a run is expected to take: bytes, time on one thread, tasks that are worth it.
    pub fn cost(&self) -> Cost {
        self.0.cost
    }

    /// Whether a run may write its output by streaming stores, past the caches; never but on x86-64. One does where each task writes 1 MiB or
    /// more of memory that was touched before and is no input; on CPUs whose vectors move by halves (Zen 4) one of several tasks does so only
    /// where it touches more than 1.5 of the last-level cache, or reads far more than it writes. [`BindOptions::streaming`](crate::BindOptions) decides otherwise.
    pub fn streams(&self) -> bool {
        self.0.streams
    }

    /// How many tasks an executor of `width` threads is given: 1 when the work is too small to share. Of stages, the last. An executor
    /// whose [`least_task`](crate::Executor::least_task) is less than 20 us may be given more.
    pub fn tasks(&self, width: usize) -> usize {
        width.min(self.0.cost.tasks).max(1)
    }

    /// Whether a run is too small for any executor to be asked.
    #[inline]
    pub(crate) fn is_small(&self) -> bool {
        self.0.cost.tasks == 1 && self.0.cost.ns < SMALL
    }

    /// What a run does, in words; chunks are counted for `width` threads.
    pub fn explain(&self, width: usize) -> impl fmt::Display + '_ {
        Explained(self, width)
    }

    /// The techniques that a run uses, each once: what measurements and tests group plans by.
    pub fn techniques(&self) -> Vec<Technique> {
        let bound = &*self.0;
        let mut used = Vec::new();
        if bound.single.is_some() {
            used.push(Technique::SingleCall);
        }
        if let Ok(whole) = self.whole() {
            used.extend(whole.schedule.techniques());
        }
        for stage in bound.stages.iter().flat_map(|stages| stages.before()) {
            used.push(Technique::Hoisted);
            used.extend(stage.techniques());
        }
        used.sort_unstable();
        used.dedup();
        used
    }

    /// Whether output `output` may share its memory with input `input` exactly.
    #[inline]
    pub(crate) fn may_alias(&self, output: usize, input: usize) -> bool {
        self.0.may_alias.get(output * self.0.inputs.len() + input).copied().unwrap_or(false)
    }
}

/// This machine, for the planning of a program.
fn machine_for(program: &Program, isa: Isa) -> Machine {
    let arranges = program.only_step().is_some_and(|(op, from)| arranged(op, from, isa).is_some());
    Machine { arranges, ..machine(isa) }
}

/// Explains a plan, whose schedule may not have been made so far.
struct Explained<'a>(&'a Plan, usize);

impl fmt::Display for Explained<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = &*self.0.0;
        let before: Vec<&Schedule> = bound.stages.iter().flat_map(|stages| stages.before()).collect();
        match self.0.whole() {
            Ok(whole) => Explain {
                program: &bound.program,
                schedule: &whole.schedule,
                machine: &machine_for(&bound.program, bound.isa),
                isa: bound.isa.name(),
                inputs: &bound.inputs,
                width: self.1,
                before: &before,
                stored: bound.stages.as_ref().map_or(&[], |stages| &stages.stored),
            }
            .fmt(f),
            Err(error) => error.fmt(f),
        }
    }
}

impl exec::Program {
    /// Plans the binding, which was made in place, and finds the kernels.
    pub(crate) fn finish(&mut self, operators: &[Operator], isa: Isa, machine: &Machine) -> Result<(), Error> {
        self.schedule.binding.fuse();
        self.schedule.plan(machine);
        self.kernels.reserve(self.schedule.binding.steps.len());
        for step in &self.schedule.binding.steps {
            let isa = level_of(step.op, (step.from, step.to), self.schedule.bytes, isa, machine);
            let holds = step.op.op().filter(|_| self.schedule.held.is_some());
            self.kernels.push(match holds.and_then(|op| held(op, step.from, isa)) {
                Some(kernel) => kernel,
                None => kernel_of(step, operators, isa)?,
            });
        }
        self.arranged = exec::Arranged::of(&self.schedule, isa, machine);
        if self.schedule.arranged.is_some() && self.arranged.is_none() {
            // It cannot be put in order after all.
            self.schedule.plan(&Machine { arranges: false, ..*machine });
        }
        self.packings = exec::Packings::of(&self.schedule, isa);
        self.tiles_join = self.schedule.tiles_join();
        self.prefetches = exec::prefetch::pays(&self.schedule, machine);
        Ok(())
    }
}

/// The level of a step's kernel, in a run that touches so many bytes. All levels give the same bits.
#[inline]
pub(crate) fn level_of(
    op: impl Into<Operation>,
    (from, to): (DType, DType),
    bytes: usize,
    isa: Isa,
    machine: &Machine,
) -> Isa {
    if narrows(op, from, to, bytes, machine) { Isa::Avx2.min(isa) } else { isa }
}

/// The kernel of a step.
fn kernel_of(step: &BoundStep, operators: &[Operator], isa: Isa) -> Result<Kernel, Error> {
    let (from, to) = (step.from, step.to);
    let found = match step.op {
        Operation::Op(op) => kernel(op, from, to, isa).ok_or_else(|| unsupported(op, from, to)),
        Operation::Exact(op) | Operation::ToNarrow(op) => exact(op, from, isa).ok_or_else(|| unsupported(op, from, to)),
        Operation::Fused(one) => fused(one, isa).ok_or_else(|| unsupported(one.last(), one.load().unwrap_or(from), to)),
        Operation::Custom(function) => return Operator::kernel_in(operators, function, isa),
        other => return Err(Error::Expression { message: format!("{other} has no kernel") }),
    };
    Ok(found?.kernel)
}

/// A step without a kernel: this build leaves it out.
#[cold]
fn unsupported(op: Op, from: DType, to: DType) -> Error {
    let missing = [from, to].into_iter().find(|&d| !is_built(d)).unwrap_or(from);
    let why = match feature_of(missing) {
        Some("f64") => "the feature f64",
        Some("half") => "the feature half",
        Some("small-int") => "the feature small-int",
        Some("wide-int") => "the feature wide-int",
        _ => "a kernel for it",
    };
    Error::Unsupported { op, dtype: missing, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_fall_to_avx2_where_vectors_narrow_and_never_rise() {
        let machine = Machine { vector_bytes: 64, halves: true, ..Machine::default() };
        let of = |op: Op, bytes, isa, machine: &Machine| level_of(op, (DType::F32, DType::F32), bytes, isa, machine);
        assert_eq!(of(Op::Add, machine.l2 + 1, Isa::Avx512, &machine), Isa::Avx2);
        assert_eq!(of(Op::Add, machine.l2, Isa::Avx512, &machine), Isa::Avx512);
        assert_eq!(of(Op::Exp, machine.l2 + 1, Isa::Avx512, &machine), Isa::Avx512);
        let halves = |op, bytes| level_of(op, (DType::F16, DType::F16), bytes, Isa::Avx512, &machine);
        assert_eq!((halves(Op::Add, 64), halves(Op::Relu6, machine.l2 + 1)), (Isa::Avx2, Isa::Avx512));
        // On bits, as integers.
        assert_eq!((halves(Op::Maximum, 64), halves(Op::Maximum, machine.l2 + 1)), (Isa::Avx512, Isa::Avx2));
        let narrow = Machine { vector_bytes: 16, ..machine };
        assert_eq!(of(Op::Add, machine.l2 + 1, Isa::Scalar, &narrow), Isa::Scalar);
    }
}
