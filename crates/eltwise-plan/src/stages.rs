//! Stages: a program whose values have several shapes runs as several bindings, one after the other.
//!
//! A step whose result has fewer elements than the steps that read it, such as `exp(s)` of a row in `x * exp(s)`, need
//! not be computed for every element. Where that pays, its result is *stored*: an earlier stage computes it at its own
//! shape, and later stages read it as they read any operand that broadcasts. Outputs are stored as well, so that
//! outputs of several shapes are several stages.
//!
//! Values that are stored and have one shape share a stage, unless one of them needs what a stage of another shape makes
//! of the other. Bits do not depend on stages: a step rounds its result wherever it is computed.

use alloc::format;
use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::accuracy::Accuracy;
use crate::bind::{Binding, Part, Written, operand_dtype, outputs};
use crate::broadcast::Broadcast;
use crate::cost::{EXACT, work_of};
use crate::error::Error;
use crate::infer::{Shapes, check_inputs};
use crate::layout::Layout;
use crate::one_call::in_c_order;
use crate::program::{Node, Program, Value, ValueId};
use crate::shape::Shape;

/// When steps of fewer elements than the steps that read them are computed once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Hoist {
    /// Where it saves more work than the memory between the stages costs.
    #[default]
    Gain,
    /// Wherever there are any.
    Always,
    /// Never: a step is computed for every element of the outputs that need it.
    Never,
}

/// Where a value is that one stage writes and others may read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Stored {
    /// The memory of the output with this position.
    Output(usize),
    /// Memory of the run, at this byte offset.
    Scratch(usize),
}

/// How the steps of a program are shared out among stages, over inputs of given shapes.
#[derive(Debug)]
pub struct Staging {
    shapes: Shapes,
    /// The stored values, in the order in which they are written; none for a program of one stage.
    stored: SmallVec<[StoredValue; 0]>,
    /// For each value its position in `stored`, or `NONE`.
    number_of: SmallVec<[u32; 0]>,
    stages: usize,
}

/// A value that a stage writes to memory.
#[derive(Debug)]
struct StoredValue {
    value: ValueId,
    stage: usize,
    /// The first output that it is.
    output: Option<usize>,
    /// Its layout, from the binding of its stage on.
    layout: Option<Layout>,
}

/// No position.
const NONE: u32 = u32::MAX;

/// Elements that a stored value must save the computation of, for each element of its own, in work of an addition: what
/// it costs to write and read it in memory.
const WORK_OF_MEMORY: usize = 8;
/// The same for a stage as a whole: what it costs to begin one, a quarter of a microsecond.
const WORK_OF_STAGE: usize = 4096;
/// The most bytes of a value that is stored to save work.
const MOST_BYTES: usize = 16 << 20;

impl Staging {
    /// Shares a program out.
    ///
    /// # Errors
    /// A wrong number of inputs, or their dtypes; shapes that do not broadcast, those of the outputs with each other
    /// included.
    pub fn new(program: &Program, inputs: &[&Layout], hoist: Hoist) -> Result<Staging, Error> {
        check_inputs(program, inputs)?;
        let shapes = Shapes::infer(program, inputs)?;
        let mut staging = Staging { shapes, stored: SmallVec::new(), number_of: SmallVec::new(), stages: 1 };
        let elements: SmallVec<[usize; 16]> = program.ids().map(|id| count(staging.shapes.of(id))).collect();
        let first = staging.shapes.of(program.outputs()[0]);
        let most = elements[program.outputs()[0].index()];
        let differ = program.outputs().iter().any(|&out| staging.shapes.of(out) != first);
        if differ {
            let all: SmallVec<[&Shape; 4]> = program.outputs().iter().map(|&out| staging.shapes.of(out)).collect();
            let one_space = Broadcast::Numpy.align(&all);
            one_space.map_err(|e| Error::Layout { message: format!("outputs have no common iteration shape: {e}") })?;
        }
        let is_lower = |(value, &n): (&Value, &usize)| n < most && is_step(value);
        if differ || (hoist != Hoist::Never && program.values().iter().zip(&elements).any(is_lower)) {
            let is_stored = choose(program, &elements, hoist);
            let distinct = program.ids().filter(|id| program.outputs().contains(id)).count();
            if differ || is_stored.iter().filter(|&&stored| stored).count() > distinct {
                staging.share_out(program, &elements, &is_stored);
            }
        }
        Ok(staging)
    }

    /// The number of stages.
    pub fn stages(&self) -> usize {
        self.stages
    }

    /// Binds a stage; stages are bound in their order. Outputs have the given layouts; else, dense ones are chosen as
    /// [`Binding::bind`] does, whatever is hoisted.
    ///
    /// # Errors
    /// As [`Binding::bind`].
    pub fn bind(
        &mut self,
        stage: usize,
        into: &mut Binding,
        program: &Program,
        inputs: &[&Layout],
        given: Option<&[&Layout]>,
        c_order: bool,
    ) -> Result<(), Error> {
        let shapes = &self.shapes;
        if self.stored.is_empty() {
            let written: SmallVec<[Written; 2]> = outputs(program).collect();
            let part = Part { program, inputs, shapes, written: &written, before: None };
            return into.bind_part(&part, given, c_order);
        }
        let stage_of = |value: ValueId| self.stored[self.number_of[value.index()] as usize].stage;
        let mut written: SmallVec<[Written; 2]> = outputs(program).filter(|out| stage_of(out.value) == stage).collect();
        let chosen = match given {
            None if !c_order && !written.is_empty() && !inputs.iter().all(|layout| in_c_order(layout)) => {
                let part = Part { program, inputs, shapes, written: &written, before: None };
                let mut flat = Binding::default();
                flat.bind_part(&part, None, false)?;
                Some(flat.outputs)
            }
            _ => None,
        };
        let count = program.outputs().len();
        let between = self.stored.iter().enumerate().filter(|(_, s)| s.stage == stage && s.output.is_none());
        written.extend(between.map(|(number, s)| Written { value: s.value, index: count + number }));
        let part = Part { program, inputs, shapes, written: &written, before: Some((self, stage)) };
        match chosen {
            Some(chosen) => {
                // By position among all outputs, as given ones are; those of other stages are not looked at.
                let mut all: SmallVec<[&Layout; 4]> = (0..count).map(|_| &chosen[0]).collect();
                written.iter().zip(&chosen).for_each(|(out, layout)| all[out.index] = layout);
                into.bind_part(&part, Some(&all), false)?;
            }
            None => into.bind_part(&part, given, c_order)?,
        }
        for (out, layout) in written.iter().zip(&into.outputs) {
            let stored = &mut self.stored[self.number_of[out.value.index()] as usize];
            if stored.output.is_none_or(|output| output == out.index) {
                stored.layout = Some(layout.clone());
            }
        }
        Ok(())
    }

    /// Where the stored values are, by their numbers, and the bytes of scratch that a run needs for them, if it begins at
    /// a multiple of 64.
    ///
    /// # Errors
    /// [`Error::TooLarge`] past `isize::MAX` bytes.
    pub fn places(&self, program: &Program) -> Result<(Vec<Stored>, usize), Error> {
        let mut end = 0usize;
        let mut places = Vec::with_capacity(self.stored.len());
        for stored in &self.stored {
            let (shape, size) = (self.shapes.of(stored.value), program.value(stored.value).dtype.size());
            places.push(match stored.output {
                Some(output) => Stored::Output(output),
                None => {
                    let at = end;
                    let next = shape.bytes(size)?.checked_next_multiple_of(ALIGN).and_then(|n| n.checked_add(at));
                    let next = next.filter(|&next| next <= isize::MAX as usize);
                    end = next.ok_or_else(|| Error::TooLarge { shape: shape.clone(), element_bytes: size })?;
                    Stored::Scratch(at)
                }
            });
        }
        Ok((places, end))
    }

    /// The number and the layout of a value that a stage before `stage` writes.
    pub(crate) fn stored_before(&self, value: ValueId, stage: usize) -> Option<(usize, &Layout)> {
        let number = *self.number_of.get(value.index())? as usize;
        let stored = self.stored.get(number).filter(|stored| stored.stage < stage)?;
        Some((number, stored.layout.as_ref()?))
    }

    /// Decides by which stage each stored value is computed.
    fn share_out(&mut self, program: &Program, elements: &[usize], is_stored: &[bool]) {
        // Few elements first: so what a value needs comes before it, and the largest shape is one stage where it can be.
        let mut order: SmallVec<[ValueId; 16]> = program.ids().filter(|&id| is_step(program.value(id))).collect();
        order.sort_unstable_by_key(|id| (elements[id.index()], *id));
        self.number_of = SmallVec::from_elem(NONE, elements.len());
        // For each value, the stage that its operands need.
        let mut earliest: SmallVec<[usize; 16]> = SmallVec::from_elem(0, elements.len());
        let mut shape_of: SmallVec<[ValueId; 4]> = SmallVec::new();
        for id in order {
            let args = program.value(id).node.args();
            let need = |&arg: &ValueId| {
                let number = self.number_of[arg.index()];
                self.stored.get(number as usize).map_or(earliest[arg.index()], |stored| stored.stage)
            };
            let needs = args.iter().map(need).max().unwrap_or(0);
            earliest[id.index()] = needs;
            if !is_stored[id.index()] {
                continue;
            }
            let alike = |&stage: &usize| self.shapes.of(shape_of[stage]) == self.shapes.of(id);
            let stage = (needs..shape_of.len()).find(alike).unwrap_or_else(|| {
                shape_of.push(id);
                shape_of.len() - 1
            });
            self.number_of[id.index()] = self.stored.len() as u32;
            let output = program.outputs().iter().position(|&out| out == id);
            self.stored.push(StoredValue { value: id, stage, output, layout: None });
        }
        self.stages = shape_of.len();
    }
}

/// Scratch of a stored value begins at a multiple of this many bytes.
const ALIGN: usize = 64;

/// The work of a function that is not in the catalogue, in the work of an addition: a guess.
const WORK_OF_CUSTOM: usize = 8;

/// Whether a value is computed.
fn is_step(value: &Value) -> bool {
    matches!(value.node, Node::Step { .. } | Node::Exact { .. } | Node::Custom { .. })
}

/// The number of elements of a shape that has at most `isize::MAX`.
fn count(shape: &Shape) -> usize {
    shape.iter().fold(1, |n, &d| n.saturating_mul(d))
}

/// Which values are stored: the outputs, and what is computed once.
fn choose(program: &Program, elements: &[usize], hoist: Hoist) -> SmallVec<[bool; 16]> {
    let work = work(program, elements);
    let mut is_stored: SmallVec<[bool; 16]> = SmallVec::from_elem(false, elements.len());
    program.outputs().iter().for_each(|out| is_stored[out.index()] = true);
    // The elements that a step is computed for; 0 for what only empty outputs need.
    let mut over: SmallVec<[usize; 16]> = SmallVec::from_elem(0, elements.len());
    program.outputs().iter().for_each(|out| over[out.index()] = elements[out.index()]);
    for id in program.ids().rev() {
        let (at, value) = (id.index(), program.value(id));
        if !is_step(value) {
            continue;
        }
        let own = elements[at];
        if !is_stored[at] && own < over[at] {
            is_stored[at] = match hoist {
                Hoist::Always => true,
                Hoist::Never => false,
                Hoist::Gain => {
                    let saved = (over[at] - own).saturating_mul(work[at]);
                    let cost = own.saturating_mul(WORK_OF_MEMORY).saturating_add(WORK_OF_STAGE);
                    saved >= cost && own.saturating_mul(value.dtype.size()) <= MOST_BYTES
                }
            };
        }
        if is_stored[at] {
            over[at] = own;
        }
        for arg in value.node.args() {
            over[arg.index()] = over[arg.index()].max(over[at]);
        }
    }
    is_stored
}

/// The work of an element of each value, in the work of an addition: its own step's, and of those below it that have as
/// many elements.
fn work(program: &Program, elements: &[usize]) -> SmallVec<[usize; 16]> {
    let mut work: SmallVec<[usize; 16]> = SmallVec::with_capacity(elements.len());
    for value in program.values() {
        let own = match &value.node {
            Node::Step { op, args, .. } => work_of(*op, operand_dtype(program, *op, args, value.dtype), value.dtype),
            Node::Exact { op, .. } if value.accuracy() == Accuracy::ToNarrow => work_of(*op, value.dtype, value.dtype),
            Node::Exact { op, .. } => EXACT * work_of(*op, value.dtype, value.dtype),
            Node::Custom { .. } => WORK_OF_CUSTOM,
            Node::Input(_) | Node::Constant(_) => 0,
        };
        let alike = value.node.args().iter().filter(|arg| elements[arg.index()] == elements[work.len()]);
        work.push(alike.fold(own, |all, arg| all.saturating_add(work[arg.index()])));
    }
    work
}
