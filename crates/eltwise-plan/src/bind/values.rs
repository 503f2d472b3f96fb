//! The operands, constants and steps of a binding.
//!
//! A step may read one value several times, aligned with different axes of the iteration shape (broadcast mode PDPD does
//! so). Each alignment is an [`Occurrence`], and has its own operand or its own step.

use eltwise_core::{Constant, DType, Error, Layout, Op, Shape, broadcast::Alignment};
use smallvec::SmallVec;

use crate::bind::{AxisStrides, Binding, BoundOperand, BoundStep, Layouts, Place, StageSpec};
use crate::ir::operation::Operation;
use crate::ir::program::{Node, OnlyStep, Program, ValueId, operand_dtype};

/// A value at one alignment with the iteration shape.
struct Occurrence {
    /// The axis of the iteration shape that the value's axis 0 is aligned with.
    start: usize,
    /// Where its elements are, once that is decided.
    place: Option<Place>,
}

/// The occurrences of one value.
type Occurrences = SmallVec<[Occurrence; 1]>;

impl Binding {
    /// The operands and the step of a program of one step. The result is that of [`Binding::place_values`], without the
    /// search for occurrences.
    pub(super) fn place_single_step(
        &mut self,
        program: &Program,
        inputs: &[&Layout],
        only: &OnlyStep<'_>,
    ) -> Result<(), Error> {
        let scalar = Shape::scalar();
        let mut shapes: SmallVec<[&Shape; 4]> = SmallVec::new();
        for arg in only.args {
            shapes.push(match program.value(*arg).node {
                Node::Input(index) => inputs[index].shape(),
                _ => &scalar,
            });
        }
        let mut alignment = Alignment::default();
        only.broadcast.align_into(&shapes, &mut alignment)?;
        self.shape = alignment.shape;
        let mut places: SmallVec<[Place; 3]> = SmallVec::new();
        only.args.iter().for_each(|_| places.push(Place::Operand(0)));
        // In the order of the values, which numbers operands and constants.
        for (id, value) in program.ids().zip(program.values()) {
            for (k, _) in only.args.iter().enumerate().filter(|&(_, &arg)| arg == id) {
                places[k] = match value.node {
                    Node::Input(index) => self.input_operand(index, inputs[index], alignment.starts[k]),
                    Node::Constant(constant) => self.constant(constant),
                    Node::Step { .. } | Node::Custom { .. } => continue,
                };
            }
        }
        let OnlyStep { op, from, to, .. } = *only;
        self.steps.push(BoundStep { op: op.into(), from, to, args: places, output: Some(0) });
        Ok(())
    }

    /// Adds the operands, constants and steps that the written values need.
    pub(super) fn place_values(&mut self, stage: &StageSpec<'_>) {
        let StageSpec { program, layouts: Layouts { inputs, .. }, shapes, written, stages } = *stage;
        let stored = |value: ValueId| stages.and_then(|(stages, stage)| stages.stored_before(value, stage));
        self.steps.reserve(program.step_count());
        let mut occurrences = find_occurrences(stage);
        // Operands have smaller numbers than the steps that read them, so they have their places first.
        for (id, value) in program.ids().zip(program.values()) {
            for i in 0..occurrences[id.index()].len() {
                let start = occurrences[id.index()][i].start;
                let place = match (&value.node, stored(id)) {
                    (_, Some((number, layout))) => self.input_operand(inputs.len() + number, layout, start),
                    (Node::Input(index), _) => self.input_operand(*index, inputs[*index], start),
                    (Node::Constant(constant), _) => self.constant(*constant),
                    (Node::Custom { function, .. }, _) => {
                        self.push_step(Operation::Custom(*function), function.from, value.dtype)
                    }
                    (Node::Step { op, args, accuracy, .. }, _) => {
                        let from = operand_dtype(program, *op, args, value.dtype);
                        self.push_step(Operation::new(*op, *accuracy), from, value.dtype)
                    }
                };
                if let Place::Step(position) = place {
                    let places = value.node.args().iter().zip(shapes.starts(id)).filter_map(|(&arg, &offset)| {
                        place_of(&occurrences[arg.index()], shapes.effective_start(arg, start + offset))
                    });
                    let step = &mut self.steps[position];
                    step.args = places.collect();
                    step.output = written.iter().position(|out| out.value == id && start == 0);
                }
                occurrences[id.index()][i].place = Some(place);
            }
        }
        // A value that is several outputs is computed into the first and copied to the others.
        for (operand, out) in written.iter().enumerate() {
            if written[..operand].iter().any(|other| other.value == out.value) {
                let dtype = program.value(out.value).dtype;
                let args = place_of(&occurrences[out.value.index()], 0).into_iter().collect();
                self.steps.push(BoundStep { op: Op::Copy.into(), from: dtype, to: dtype, args, output: Some(operand) });
            }
        }
    }

    /// Adds a step without operands and output.
    fn push_step(&mut self, op: Operation, from: DType, to: DType) -> Place {
        self.steps.push(BoundStep { op, from, to, args: SmallVec::new(), output: None });
        Place::Step(self.steps.len() - 1)
    }

    /// The operand of an input whose axis 0 is aligned with axis `start`. Uses of an input with the same strides
    /// share an operand.
    fn input_operand(&mut self, index: usize, layout: &Layout, start: usize) -> Place {
        let mut strides = AxisStrides::zeros(self.shape.rank());
        for (axis, (&size, &stride)) in layout.shape().iter().zip(layout.strides().iter()).enumerate() {
            // Axes of size 1 broadcast. Trailing ones of a PDPD operand may be outside the iteration shape.
            if size != 1
                && let Some(s) = strides.get_mut(start + axis)
            {
                *s = stride;
            }
        }
        let same = |l: &BoundOperand| l.index == index && !l.output && l.strides == strides;
        if let Some(found) = self.operands.iter().position(same) {
            return Place::Operand(found);
        }
        self.operands.push(BoundOperand { output: false, index, size: layout.dtype().size(), strides });
        Place::Operand(self.operands.len() - 1)
    }

    /// The place of a constant. Constants with the same bits and dtype share one.
    fn constant(&mut self, constant: Constant) -> Place {
        let found = self.constants.iter().position(|&c| c == constant);
        Place::Constant(found.unwrap_or_else(|| {
            self.constants.push(constant);
            self.constants.len() - 1
        }))
    }
}

/// Every alignment at which the written values need each value of the program.
fn find_occurrences(stage: &StageSpec<'_>) -> SmallVec<[Occurrences; 8]> {
    let StageSpec { program, shapes, written, stages, .. } = *stage;
    let stored = |value: ValueId| stages.and_then(|(stages, stage)| stages.stored_before(value, stage));
    let mut occurrences: SmallVec<[Occurrences; 8]> = program.values().iter().map(|_| Occurrences::new()).collect();
    for out in written {
        add_occurrence(&mut occurrences[out.value.index()], 0);
    }
    // Operands have smaller numbers than the steps that read them: one pass over descending numbers finds all.
    for id in program.ids().rev() {
        let step = id.index();
        if occurrences[step].is_empty() || stored(id).is_some() {
            continue;
        }
        let args = program.value(id).node.args();
        for i in 0..occurrences[step].len() {
            let start = occurrences[step][i].start;
            for (&arg, &offset) in args.iter().zip(shapes.starts(id)) {
                add_occurrence(&mut occurrences[arg.index()], shapes.effective_start(arg, start + offset));
            }
        }
    }
    occurrences
}

fn add_occurrence(occurrences: &mut Occurrences, start: usize) {
    if !occurrences.iter().any(|occurrence| occurrence.start == start) {
        occurrences.push(Occurrence { start, place: None });
    }
}

fn place_of(occurrences: &Occurrences, start: usize) -> Option<Place> {
    occurrences.iter().find(|occurrence| occurrence.start == start)?.place
}
