//! Plans: a program bound to layouts, ready to run any number of times.

use core::fmt;

use eltwise_kernels::Kernel;
use eltwise_kernels::table::{feature_of, is_built, kernel};
use eltwise_plan::bind::Place;
use eltwise_plan::explain::Explain;
use eltwise_plan::nest::Loops;
use eltwise_plan::{Binding, Error, Layout, Machine, Schedule};
use eltwise_simd::Isa;
use smallvec::SmallVec;

use crate::exec::{self, MOST_LEAVES};
use crate::machine::machine;
use crate::program::{BindOptions, Program};

/// A program bound to layouts: immutable, shareable, and able to explain itself.
///
/// A run on the calling thread allocates nothing, takes no lock and does not panic.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) program: Program,
    pub(crate) inputs: SmallVec<[Layout; 3]>,
    pub(crate) exec: exec::Program,
    isa: Isa,
    machine: Machine,
}

impl Plan {
    pub(crate) fn new(program: &Program, inputs: &[&Layout], options: &BindOptions) -> Result<Plan, Error> {
        let isa = options.isa.map_or_else(Isa::current, |isa| isa.lowered().min(Isa::current()));
        let machine = machine(isa);
        let binding = match &options.outputs {
            Some(outputs) => {
                let outputs: SmallVec<[&Layout; 2]> = outputs.iter().collect();
                Binding::new(program, inputs, Some(&outputs), options.c_order)?
            }
            None => Binding::new(program, inputs, None, options.c_order)?,
        };
        if binding.leaves.len() > MOST_LEAVES {
            return Err(Error::Limit { what: "operands in memory", given: binding.leaves.len(), most: MOST_LEAVES });
        }
        let mut kernels: SmallVec<[Kernel; 1]> = SmallVec::new();
        for step in &binding.steps {
            let entry = kernel(step.op, step.from, step.to, isa).ok_or_else(|| {
                let missing = [step.from, step.to].into_iter().find(|&d| !is_built(d)).unwrap_or(step.from);
                let why = match feature_of(missing) {
                    Some("f64") => "the feature f64",
                    Some("half") => "the feature half",
                    Some("small-int") => "the feature small-int",
                    Some("wide-int") => "the feature wide-int",
                    _ => "a kernel for it",
                };
                Error::Unsupported { op: step.op, dtype: missing, why }
            })?;
            kernels.push(entry.kernel);
        }
        let schedule = Schedule::new(binding, &machine)?;
        let (axis, length) = (schedule.tile.axis, schedule.tile.length.max(1));
        let mut tile_sizes: Loops<usize> = schedule.nest.sizes.get(axis..).unwrap_or_default().into();
        let mut last_sizes = tile_sizes.clone();
        if let (Some(full), Some(last)) = (tile_sizes.first_mut(), last_sizes.first_mut()) {
            *last = *full - (full.div_ceil(length) - 1) * length;
            *full = length;
        }
        let single = kernels.first().and_then(|&kernel| exec::Single::of(&schedule, kernel));
        let may_alias = (0..schedule.binding.outputs.len())
            .flat_map(|o| (0..inputs.len()).map(move |i| (o, i)))
            .map(|(o, i)| may_alias(&schedule.binding, o, i))
            .collect();
        let most_tasks = schedule.most_tasks(&machine);
        Ok(Plan {
            program: program.clone(),
            inputs: inputs.iter().map(|&l| l.clone()).collect(),
            exec: exec::Program { schedule, kernels, tile_sizes, last_sizes, most_tasks, single, may_alias },
            isa,
            machine,
        })
    }

    /// The layouts of the inputs.
    pub fn input_layouts(&self) -> &[Layout] {
        &self.inputs
    }

    /// The layouts of the outputs.
    pub fn output_layouts(&self) -> &[Layout] {
        &self.exec.schedule.binding.outputs
    }

    /// The ISA that the kernels were chosen for.
    pub fn isa(&self) -> Isa {
        self.isa
    }

    /// Bytes that a run reads and writes, each operand counted once.
    pub fn bytes(&self) -> usize {
        self.exec.schedule.bytes
    }

    /// How many tasks an executor of `width` threads is given: 1 when the work is too small to share.
    pub fn tasks(&self, width: usize) -> usize {
        width.min(self.exec.most_tasks).max(1)
    }

    /// What a run does, in words; chunks are counted for `width` threads.
    pub fn explain(&self, width: usize) -> impl fmt::Display + '_ {
        Explain {
            program: &self.program,
            schedule: &self.exec.schedule,
            machine: &self.machine,
            isa: self.isa.name(),
            inputs: &self.inputs,
            width,
        }
    }

    /// Whether output `output` may share its memory with input `input` exactly.
    #[inline]
    pub(crate) fn may_alias(&self, output: usize, input: usize) -> bool {
        self.exec.may_alias.get(output * self.inputs.len() + input).copied().unwrap_or(false)
    }
}

/// Whether output `output` may share its memory with input `input` exactly: the input is walked as the output is, in
/// one way only, and no step reads it after the output is written.
fn may_alias(binding: &Binding, output: usize, input: usize) -> bool {
    let of_input = |l: &eltwise_plan::bind::Leaf| !l.output && l.index == input;
    let mut leaves = binding.leaves.iter().enumerate().filter(|(_, l)| of_input(l));
    let (Some((at, leaf)), None) = (leaves.next(), leaves.next()) else {
        // An input that nothing reads may be overwritten; one walked in two ways may not.
        return !binding.leaves.iter().any(of_input);
    };
    let written = binding.steps.iter().position(|s| s.output == Some(output));
    let last_read = binding.steps.iter().rposition(|s| s.args.contains(&Place::Leaf(at)));
    let target = &binding.leaves[output];
    leaf.strides == target.strides && leaf.size == target.size && last_read <= written
}
