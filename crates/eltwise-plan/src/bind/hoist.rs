//! Hoisting: a program whose values have several shapes runs as several stages, one binding each. [`StagedProgram`] is the
//! result.
//!
//! A step may have fewer elements than the steps that read its result, such as `exp(s)` in `x * exp(s)` if `s` is a row. If it
//! pays, an earlier stage computes such a value once, at its own shape, and *stores* it; later stages read it as an operand
//! that broadcasts. Outputs are stored values too, so outputs of several shapes are in several stages.
//!
//! Stored values of one shape share a stage, unless one depends on the other by way of a stage with a different shape. Bits do
//! not depend on stages: a step rounds its result in the same way in every stage.

use alloc::format;
use alloc::vec::Vec;

use eltwise_core::{Accuracy, Broadcast, Error, Layout, Shape};
use smallvec::SmallVec;

use crate::bind::{Binding, Layouts, StageSpec, WrittenValue, all_outputs};
use crate::cost::work_of;
use crate::ir::program::{Node, Program, Value, ValueId, operand_dtype};
use crate::ir::shapes::{Shapes, check_inputs};
use crate::tuning::{
    CACHE_LINE, CORRECTLY_ROUNDED_FACTOR, MAX_STORED_BYTES, WORK_OF_CUSTOM, WORK_PER_STAGE, WORK_PER_STORED_ELEMENT,
};

/// When a step with fewer elements than the steps that read it is computed once, in an earlier stage.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Hoist {
    /// If that saves more work than storing the value costs.
    #[default]
    Gain,
    /// Always.
    Always,
    /// Never: the step is computed for every element of the outputs that need it.
    Never,
}

/// Where a value is stored that one stage writes and later stages may read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Stored {
    /// The memory of the output with this position.
    Output(usize),
    /// The scratch of the run, at this byte offset.
    Scratch(usize),
}

/// A program divided into stages, for inputs of given shapes.
#[derive(Debug)]
pub struct StagedProgram {
    shapes: Shapes,
    /// The stored values, in the order in which they are written; empty for a program of one stage.
    stored: SmallVec<[StoredValue; 0]>,
    /// For each value of the program, its position in `stored`, or `NOT_STORED`.
    stored_index: SmallVec<[u32; 0]>,
    stages: usize,
}

/// A value that a stage writes to memory.
#[derive(Debug)]
struct StoredValue {
    value: ValueId,
    stage: usize,
    /// The first output with this value.
    output: Option<usize>,
    /// Its layout, known once its stage is bound.
    layout: Option<Layout>,
}

/// The position of a value that is not stored.
const NOT_STORED: u32 = u32::MAX;

impl StagedProgram {
    /// Divides a program into stages.
    ///
    /// # Errors
    /// [`Error::Count`] or [`Error::DType`] for inputs whose number or dtypes are not the program's; [`Error::Broadcast`] for
    /// shapes that do not broadcast; [`Error::Layout`] for outputs whose shapes do not broadcast with each other.
    pub fn new(program: &Program, inputs: &[&Layout], hoist: Hoist) -> Result<StagedProgram, Error> {
        check_inputs(program, inputs)?;
        let shapes = Shapes::infer(program, inputs)?;
        let mut staged = StagedProgram { shapes, stored: SmallVec::new(), stored_index: SmallVec::new(), stages: 1 };
        let elements: SmallVec<[usize; 16]> =
            program.ids().map(|id| staged.shapes.of(id).elements().unwrap_or(usize::MAX)).collect();
        let first = staged.shapes.of(program.outputs()[0]);
        let most = elements[program.outputs()[0].index()];
        let differ = program.outputs().iter().any(|&out| staged.shapes.of(out) != first);
        if differ {
            let all: SmallVec<[&Shape; 4]> = program.outputs().iter().map(|&out| staged.shapes.of(out)).collect();
            let common = Broadcast::Numpy.align(&all);
            common.map_err(|e| Error::Layout { message: format!("outputs have no common iteration shape: {e}") })?;
        }
        let is_lower = |(value, &n): (&Value, &usize)| n < most && is_step(value);
        if differ || (hoist != Hoist::Never && program.values().iter().zip(&elements).any(is_lower)) {
            let is_stored = choose_stored(program, &elements, hoist);
            let distinct = program.ids().filter(|id| program.outputs().contains(id)).count();
            if differ || is_stored.iter().filter(|&&stored| stored).count() > distinct {
                staged.assign_stages(program, &elements, &is_stored);
            }
        }
        Ok(staged)
    }

    /// The number of stages.
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// Binds a stage into `binding`. Stages must be bound in their order. Missing output layouts are chosen as
    /// [`Binding::bind`] chooses them for the whole program, so they do not depend on hoisting.
    ///
    /// # Errors
    /// [`Binding::new`] lists them.
    pub fn bind(
        &mut self,
        stage: usize,
        binding: &mut Binding,
        program: &Program,
        layouts: Layouts<'_>,
    ) -> Result<(), Error> {
        let shapes = &self.shapes;
        if self.stored.is_empty() {
            let written: SmallVec<[WrittenValue; 2]> = all_outputs(program).collect();
            return binding.bind_stage(&StageSpec { program, layouts, shapes, written: &written, stages: None });
        }
        let Layouts { inputs, outputs, c_order } = layouts;
        let stage_of = |value: ValueId| self.stored[self.stored_index[value.index()] as usize].stage;
        let mut written: SmallVec<[WrittenValue; 2]> =
            all_outputs(program).filter(|out| stage_of(out.value) == stage).collect();
        let order_depends_on_inputs =
            outputs.is_none() && !c_order && !inputs.iter().all(|layout| layout.is_in_c_order());
        // Layouts are given by position among all outputs. Layouts of outputs of other stages are not read.
        let chosen = if order_depends_on_inputs && !written.is_empty() {
            let mut unstaged = Binding::default();
            unstaged.bind_stage(&StageSpec { program, layouts, shapes, written: &written, stages: None })?;
            let mut all: SmallVec<[Layout; 1]> =
                SmallVec::from_elem(unstaged.outputs[0].clone(), program.outputs().len());
            written.iter().zip(unstaged.outputs).for_each(|(out, layout)| all[out.index] = layout);
            Some(all)
        } else {
            None
        };
        let chosen: Option<SmallVec<[&Layout; 4]>> = chosen.as_ref().map(|all| all.iter().collect());
        let layouts = Layouts { outputs: chosen.as_deref().or(outputs), ..layouts };
        let count = program.outputs().len();
        let between = self.stored.iter().enumerate().filter(|(_, s)| s.stage == stage && s.output.is_none());
        written.extend(between.map(|(number, s)| WrittenValue { value: s.value, index: count + number }));
        binding.bind_stage(&StageSpec { program, layouts, shapes, written: &written, stages: Some((self, stage)) })?;
        for (out, layout) in written.iter().zip(&binding.outputs) {
            let stored = &mut self.stored[self.stored_index[out.value.index()] as usize];
            if stored.output.is_none_or(|output| output == out.index) {
                stored.layout = Some(layout.clone());
            }
        }
        Ok(())
    }

    /// Where the values are stored, in the order in which they are written, and the bytes of scratch that a run needs for them.
    /// The scratch must start at a multiple of 64.
    ///
    /// # Errors
    /// [`Error::TooLarge`] above `isize::MAX` bytes.
    pub fn places(&self, program: &Program) -> Result<(Vec<Stored>, usize), Error> {
        let mut end = 0usize;
        let mut places = Vec::with_capacity(self.stored.len());
        for stored in &self.stored {
            let (shape, size) = (self.shapes.of(stored.value), program.value(stored.value).dtype.size());
            places.push(match stored.output {
                Some(output) => Stored::Output(output),
                None => {
                    let start = end;
                    let next =
                        shape.bytes(size)?.checked_next_multiple_of(CACHE_LINE).and_then(|n| n.checked_add(start));
                    let next = next.filter(|&next| next <= isize::MAX as usize);
                    end = next.ok_or_else(|| Error::TooLarge { shape: shape.clone(), element_bytes: size })?;
                    Stored::Scratch(start)
                }
            });
        }
        Ok((places, end))
    }

    /// The position among the stored values and the layout of a value that a stage before `stage` writes.
    pub(crate) fn stored_before(&self, value: ValueId, stage: usize) -> Option<(usize, &Layout)> {
        let number = *self.stored_index.get(value.index())? as usize;
        let stored = self.stored.get(number).filter(|stored| stored.stage < stage)?;
        Some((number, stored.layout.as_ref()?))
    }

    /// Decides which stage computes each stored value.
    fn assign_stages(&mut self, program: &Program, elements: &[usize], is_stored: &[bool]) {
        // By number of elements: the operands of a value come before it, and values of the largest shape share a stage if
        // they can.
        let mut order: SmallVec<[ValueId; 16]> = program.ids().filter(|&id| is_step(program.value(id))).collect();
        order.sort_unstable_by_key(|id| (elements[id.index()], *id));
        self.stored_index = SmallVec::from_elem(NOT_STORED, elements.len());
        // For each value, the first stage in which its operands are known.
        let mut earliest: SmallVec<[usize; 16]> = SmallVec::from_elem(0, elements.len());
        // For each stage, its first value.
        let mut first_value: SmallVec<[ValueId; 4]> = SmallVec::new();
        for id in order {
            let args = program.value(id).node.args();
            let known_in = |&arg: &ValueId| {
                let number = self.stored_index[arg.index()];
                self.stored.get(number as usize).map_or(earliest[arg.index()], |stored| stored.stage)
            };
            let first_stage = args.iter().map(known_in).max().unwrap_or(0);
            earliest[id.index()] = first_stage;
            if !is_stored[id.index()] {
                continue;
            }
            let has_shape = |&stage: &usize| self.shapes.of(first_value[stage]) == self.shapes.of(id);
            let stage = (first_stage..first_value.len()).find(has_shape).unwrap_or_else(|| {
                first_value.push(id);
                first_value.len() - 1
            });
            self.stored_index[id.index()] = self.stored.len() as u32;
            let output = program.outputs().iter().position(|&out| out == id);
            self.stored.push(StoredValue { value: id, stage, output, layout: None });
        }
        self.stages = first_value.len();
    }
}

/// Whether a value is the result of a step.
fn is_step(value: &Value) -> bool {
    matches!(value.node, Node::Step { .. } | Node::Custom { .. })
}

/// For each value, whether it is stored: outputs, and values that are computed once.
fn choose_stored(program: &Program, elements: &[usize], hoist: Hoist) -> SmallVec<[bool; 16]> {
    let work = work(program, elements);
    let mut is_stored: SmallVec<[bool; 16]> = SmallVec::from_elem(false, elements.len());
    program.outputs().iter().for_each(|out| is_stored[out.index()] = true);
    // For each value, how many elements its step computes if it is not stored; 0 if only empty outputs need it.
    let mut computed: SmallVec<[usize; 16]> = SmallVec::from_elem(0, elements.len());
    program.outputs().iter().for_each(|out| computed[out.index()] = elements[out.index()]);
    for id in program.ids().rev() {
        let (step, value) = (id.index(), program.value(id));
        if !is_step(value) {
            continue;
        }
        let once = elements[step];
        if !is_stored[step] && once < computed[step] {
            is_stored[step] = match hoist {
                Hoist::Always => true,
                Hoist::Never => false,
                Hoist::Gain => {
                    let saved = (computed[step] - once).saturating_mul(work[step]);
                    let cost = once.saturating_mul(WORK_PER_STORED_ELEMENT).saturating_add(WORK_PER_STAGE);
                    saved >= cost && once.saturating_mul(value.dtype.size()) <= MAX_STORED_BYTES
                }
            };
        }
        if is_stored[step] {
            computed[step] = once;
        }
        for arg in value.node.args() {
            computed[arg.index()] = computed[arg.index()].max(computed[step]);
        }
    }
    is_stored
}

/// The work per element of each value, in additions: the work of its step and of the steps with as many elements that it
/// depends on.
fn work(program: &Program, elements: &[usize]) -> SmallVec<[usize; 16]> {
    let mut work: SmallVec<[usize; 16]> = SmallVec::with_capacity(elements.len());
    for value in program.values() {
        let own_work = match &value.node {
            Node::Step { op, args, accuracy, .. } => {
                let work = work_of(*op, operand_dtype(program, *op, args, value.dtype), value.dtype);
                if *accuracy == Accuracy::CorrectlyRounded { CORRECTLY_ROUNDED_FACTOR * work } else { work }
            }
            Node::Custom { .. } => WORK_OF_CUSTOM,
            Node::Input(_) | Node::Constant(_) => 0,
        };
        let same_size = value.node.args().iter().filter(|arg| elements[arg.index()] == elements[work.len()]);
        work.push(same_size.fold(own_work, |sum, arg| sum.saturating_add(work[arg.index()])));
    }
    work
}
