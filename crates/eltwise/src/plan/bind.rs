//! Binds a program to layouts: [`Program::bind`], [`BindOptions`]. `Plan::new` is the way from a program to a plan.

use std::sync::OnceLock;

use eltwise_core::{Error, Layout};
use eltwise_kernels::table::kernel;
use eltwise_plan::Hoist;
use eltwise_plan::single_call::BoundCall;
use eltwise_simd::Isa;
use smallvec::SmallVec;

use super::{Bound, Plan};
use crate::exec::{ExecPlan, HoistedStages, KernelChoice, Layouts, SingleKernel, kernel_isa};
use crate::program::Program;
use crate::sys::cpu::target;

/// How a program is bound.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct BindOptions {
    /// The highest ISA to use; it only lowers [`Isa::current`].
    pub isa: Option<Isa>,
    /// The layouts of the outputs. By default they are dense, in the axis order of the inputs.
    pub outputs: Option<Vec<Layout>>,
    /// Whether output layouts that the plan chooses are in C order.
    pub c_order: bool,
    /// Whether outputs larger than the caches are written with non-temporal stores. By default they are if the caller
    /// gives the layouts of the outputs: the memory of an output that the plan chooses is mostly new, and non-temporal
    /// stores to pages that were never touched are slower.
    pub non_temporal: Option<bool>,
    /// When sub-expressions with fewer elements than the steps that read them are computed once. By default, if it
    /// saves work.
    pub hoist: Hoist,
    /// The least work of a task in nanoseconds, by default 20 us; 0 if any work is worth a task, as for threads that
    /// wait for it actively. An executor that asks for less ([`min_task_ns`](crate::Executor::min_task_ns)) gets more
    /// tasks. Results do not depend on it.
    pub min_task_ns: Option<usize>,
    /// How often the plan will run, about, by default 32 times. For a plan that runs once, the planner takes the first
    /// good way to run it if a search for a better one would take longer than it saves. Results do not depend on it.
    pub runs: Option<usize>,
}

impl BindOptions {
    /// The defaults: the best ISA, outputs in the axis order of the inputs.
    pub fn new() -> BindOptions {
        BindOptions::default()
    }
    /// Uses at most this ISA.
    pub fn isa(mut self, isa: Isa) -> BindOptions {
        self.isa = Some(isa);
        self
    }
    /// Uses these output layouts.
    pub fn outputs(mut self, outputs: impl Into<Vec<Layout>>) -> BindOptions {
        self.outputs = Some(outputs.into());
        self
    }
    /// Writes outputs larger than the caches with non-temporal stores, or does not. See
    /// [`BindOptions::non_temporal`](field@Self::non_temporal).
    pub fn non_temporal(mut self, non_temporal: bool) -> BindOptions {
        self.non_temporal = Some(non_temporal);
        self
    }
    /// Computes sub-expressions with fewer elements once, or does not. See [`Hoist`]. Results do not depend on it.
    pub fn hoist(mut self, hoist: Hoist) -> BindOptions {
        self.hoist = hoist;
        self
    }
    /// Chooses output layouts in C order.
    pub fn c_order(mut self) -> BindOptions {
        self.c_order = true;
        self
    }
    /// Cuts runs into tasks of at least that many nanoseconds of work. See
    /// [`BindOptions::min_task_ns`](field@Self::min_task_ns).
    pub fn min_task_ns(mut self, ns: usize) -> BindOptions {
        self.min_task_ns = Some(ns);
        self
    }
    /// Plans for about so many runs. See [`BindOptions::runs`](field@Self::runs).
    pub fn runs(mut self, runs: usize) -> BindOptions {
        self.runs = Some(runs);
        self
    }
}

impl Program {
    /// Plans the program for inputs of these layouts.
    ///
    /// # Errors
    /// * [`Error::Count`], [`Error::DType`]: layouts whose number or dtypes are not the program's.
    /// * [`Error::Broadcast`]: shapes that do not broadcast. [`Error::Layout`]: outputs whose shapes do not broadcast with
    ///   each other.
    /// * [`Error::TooLarge`]: a result with more elements or bytes than the address space has.
    /// * [`Error::Unsupported`]: a dtype whose kernels this build lacks.
    pub fn bind(&self, inputs: &[&Layout]) -> Result<Plan, Error> {
        self.bind_with(inputs, &BindOptions::default())
    }

    /// Plans the program for inputs of these layouts, with options.
    ///
    /// # Errors
    /// The errors of [`Program::bind`]. [`Error::Count`], [`Error::Shape`] or [`Error::DType`] for output layouts that are
    /// not those of the results, [`Error::OverlappingOutput`] for one whose elements share memory.
    pub fn bind_with(&self, inputs: &[&Layout], options: &BindOptions) -> Result<Plan, Error> {
        let outputs = options.outputs.as_ref().map(|outputs| outputs.iter().collect::<SmallVec<[&Layout; 2]>>());
        Plan::new(self, Layouts { inputs, outputs: outputs.as_deref(), c_order: options.c_order }, options)
    }

    /// Plans the program for inputs and outputs of these layouts, on at most this ISA: [`Program::bind_with`] for
    /// borrowed layouts.
    ///
    /// # Errors
    /// The errors of [`Program::bind`]. [`Error::Count`], [`Error::Shape`] or [`Error::DType`] for output layouts that are
    /// not those of the results, [`Error::OverlappingOutput`] for one whose elements share memory.
    pub fn bind_to(&self, inputs: &[&Layout], outputs: &[&Layout], isa: Option<Isa>) -> Result<Plan, Error> {
        let layouts = Layouts { inputs, outputs: Some(outputs), c_order: false };
        Plan::new(self, layouts, &BindOptions { isa, ..BindOptions::default() })
    }
}

impl Plan {
    /// Binds a program to layouts. `options.outputs` and `options.c_order` are not read.
    pub(crate) fn new(program: &Program, layouts: Layouts<'_>, options: &BindOptions) -> Result<Plan, Error> {
        let isa = options.isa.map_or_else(Isa::current, |isa| isa.lowered().min(Isa::current()));
        let mut plan = match Plan::of_single_call(program, layouts, isa) {
            Some(plan) => plan,
            None => Plan::of_schedule(program, layouts, options, isa)?,
        };
        if let Some(ns) = options.min_task_ns {
            plan.set_min_task_ns(ns)?;
        }
        Ok(plan)
    }

    /// The plan of a program that needs a schedule.
    fn of_schedule(program: &Program, layouts: Layouts<'_>, options: &BindOptions, isa: Isa) -> Result<Plan, Error> {
        let Layouts { inputs, outputs, .. } = layouts;
        // On other architectures the CPU decides what stays in its caches.
        let non_temporal = cfg!(target_arch = "x86_64") && options.non_temporal.unwrap_or(outputs.is_some());
        let mut target = target(isa);
        target.options.non_temporal = non_temporal;
        if let Some(runs) = options.runs {
            target.options.runs = runs;
        }
        let choice = KernelChoice { operators: &program.0.operators, isa, target: &target };
        let mut exec = Box::new(ExecPlan::default());
        let stages = if program.only_step().is_some() {
            exec.schedule.binding.bind(program, layouts)?;
            exec.plan(&choice)?;
            None
        } else {
            HoistedStages::bind(&mut exec, program, layouts, options.hoist, &choice)?
        };
        let schedule = &exec.schedule;
        let binding = &schedule.binding;
        let may_alias = |output: usize, input: usize| match &stages {
            Some(stages) => stages.may_alias(schedule, output, input),
            None => binding.may_alias(output, input),
        };
        let operands =
            (0..program.outputs().len()).flat_map(|output| (0..inputs.len()).map(move |input| (output, input)));
        let may_alias = operands.map(|(output, input)| may_alias(output, input)).collect();
        let cost = schedule.cost(&target);
        let inputs: SmallVec<[Layout; 3]> = inputs.iter().map(|&l| l.clone()).collect();
        let non_temporal = non_temporal && schedule.prefers_non_temporal(&target);
        let mut single = exec.single_kernel().filter(|_| stages.is_none());
        if let (Some(single), [output], false) = (&mut single, &binding.outputs[..], non_temporal) {
            single.allow_dense(&inputs, output);
        }
        Ok(Plan(Box::new(Bound {
            program: program.clone(),
            inputs,
            outputs: stages
                .as_ref()
                .map_or_else(|| binding.outputs.clone(), |s| s.outputs(schedule, program.outputs().len())),
            single,
            may_alias,
            non_temporal,
            cost: stages.as_ref().map_or(cost, |stages| stages.cost(cost)),
            stages,
            exec: OnceLock::from(exec),
            isa,
        })))
    }

    /// The plan of one step over small operands, without a schedule; `None` if it needs one, or cannot be bound.
    #[inline]
    fn of_single_call(program: &Program, Layouts { inputs, outputs, .. }: Layouts<'_>, isa: Isa) -> Option<Plan> {
        let step = program.0.single.as_ref()?;
        let output = match outputs {
            None => None,
            Some(&[output]) => Some(output),
            Some(_) => return None,
        };
        let target = target(isa);
        let BoundCall { call, output, cost, may_alias } = step.bind(inputs, output, &target)?;
        let kernel_isa = kernel_isa(step.op, (step.from, step.to), cost.bytes(), isa, &target);
        let kernel = kernel(step.op, step.from, step.to, kernel_isa)?.kernel;
        // Allocates first, so that the fields are written in place and not moved.
        let mut bound = Box::write(
            Box::new_uninit(),
            Bound {
                program: program.clone(),
                inputs: SmallVec::new(),
                outputs: SmallVec::new(),
                single: Some(SingleKernel::new(kernel, call)),
                exec: OnceLock::new(),
                stages: None,
                may_alias,
                non_temporal: false,
                cost,
                isa,
            },
        );
        inputs.iter().for_each(|&input| bound.inputs.push(input.clone()));
        let Bound { single, inputs, .. } = &mut *bound;
        single.iter_mut().for_each(|single| single.allow_dense(inputs, &output));
        bound.outputs.push(output);
        Some(Plan(bound))
    }

    /// Counts the tasks of every stage anew: as many as have `min_task_ns` nanoseconds of work each.
    #[cold]
    fn set_min_task_ns(&mut self, min_task_ns: usize) -> Result<(), Error> {
        let tasks = |ns: usize, exec: &ExecPlan| {
            ns.checked_div(min_task_ns).unwrap_or(usize::MAX).min(exec.schedule.units()).max(1)
        };
        let last_ns = self.0.stages.as_ref().map_or(self.0.cost.ns, |stages| stages.last_ns(&self.0.cost));
        for stage in self.0.stages.iter_mut().flat_map(|stages| &mut stages.before) {
            stage.cost.tasks = tasks(stage.cost.ns, &stage.exec);
        }
        self.0.cost.tasks = tasks(last_ns, self.exec()?);
        Ok(())
    }

    /// Makes the schedule and finds the kernels of a plan that was bound as a single call.
    #[cold]
    pub(super) fn make_exec(&self) -> Result<&ExecPlan, Error> {
        let bound = &*self.0;
        let mut exec = Box::new(ExecPlan::default());
        let inputs: SmallVec<[&Layout; 3]> = bound.inputs.iter().collect();
        let outputs: SmallVec<[&Layout; 1]> = bound.outputs.iter().collect();
        let layouts = Layouts { inputs: &inputs, outputs: Some(&outputs), c_order: false };
        exec.schedule.binding.bind(&bound.program, layouts)?;
        let (operators, isa) = (&bound.program.0.operators, bound.isa);
        exec.plan(&KernelChoice { operators, isa, target: &target(isa) })?;
        Ok(self.0.exec.get_or_init(|| exec))
    }
}

#[cfg(test)]
mod tests {
    use eltwise_core::DType;

    use super::*;

    #[test]
    fn the_least_work_of_a_task_gives_the_number_of_tasks() {
        let layouts = [[1000, 100], [1000, 1]].map(|shape| Layout::contiguous(DType::F32, shape).unwrap());
        for text in ["x + 1", "x * sqrt(y)"] {
            let program = Program::parse(text, &[("x", DType::F32), ("y", DType::F32)]).unwrap();
            let bind = |options: BindOptions| {
                program.bind_with(&[&layouts[0], &layouts[1]], &options.hoist(Hoist::Always)).unwrap()
            };
            let tasks = |options| bind(options).tasks(usize::MAX);
            let units = bind(BindOptions::new()).exec().unwrap().schedule.units();
            assert!(units > 1, "{text}");
            assert_eq!(tasks(BindOptions::new().min_task_ns(0)), units, "{text}");
            assert_eq!(tasks(BindOptions::new().min_task_ns(20_000)), tasks(BindOptions::new()), "{text}");
            assert_eq!(tasks(BindOptions::new().min_task_ns(usize::MAX)), 1, "{text}");
        }
    }
}
