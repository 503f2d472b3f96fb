//! Binding a program to layouts: the shapes of its values, its operands and constants in memory, and its steps.
//!
//! [`Binding`] is the result: every operand has one stride for each axis of the iteration shape. [`loop_nest`] turns the axes
//! into loops, [`hoist`] splits programs whose values have several shapes into stages, and [`fuse`](Binding::fuse) joins
//! steps that have a common kernel.

mod fuse;
pub mod hoist;
pub mod loop_nest;
mod outputs;
mod values;

use alloc::format;

use eltwise_core::{Constant, DType, Error, Layout, Shape, list::List, shape::INLINE_RANK};
use smallvec::SmallVec;

use crate::bind::hoist::StagedProgram;
use crate::ir::operation::Operation;
use crate::ir::program::{Program, ValueId, only_step};
use crate::ir::shapes::{Shapes, check_inputs};

/// Strides of one operand over the axes of the iteration shape.
pub type AxisStrides = List<isize, INLINE_RANK>;

/// Where a step reads an operand from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Place {
    /// An operand in memory: position in [`Binding::operands`]; outputs come first.
    Operand(usize),
    /// A constant: position in [`Binding::constants`].
    Constant(usize),
    /// The result of an earlier step: position in [`Binding::steps`].
    Step(usize),
}

impl Place {
    /// The position of an operand in memory.
    pub fn operand(self) -> Option<usize> {
        match self {
            Place::Operand(operand) => Some(operand),
            _ => None,
        }
    }
}

/// One step over the iteration shape.
#[derive(Clone, PartialEq, Debug)]
pub struct BoundStep {
    /// The operation.
    pub op: Operation,
    /// The dtype T of its operands.
    pub from: DType,
    /// The dtype of its result.
    pub to: DType,
    /// Its operands.
    pub args: SmallVec<[Place; 3]>,
    /// The output operand that receives the result, if there is one.
    pub output: Option<usize>,
}

/// An operand in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct BoundOperand {
    /// Whether it is an output.
    pub output: bool,
    /// The position among the program's outputs, or among its inputs. Larger numbers are
    /// [values stored between stages](crate::bind::hoist::Stored).
    pub index: usize,
    /// Bytes of an element.
    pub size: usize,
    /// Bytes from one index of each axis of the iteration shape to the next; 0 along axes that broadcast.
    pub strides: AxisStrides,
}

/// A program over an iteration shape.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Binding {
    /// The iteration shape, which is the shape of every output of the stage.
    pub shape: Shape,
    /// The operands in memory: first the outputs, then one entry for each input and set of strides with which it is
    /// read.
    pub operands: SmallVec<[BoundOperand; 4]>,
    /// The scalars.
    pub constants: SmallVec<[Constant; 2]>,
    /// The steps in the order of computation.
    pub steps: SmallVec<[BoundStep; 1]>,
    /// The layouts of the outputs.
    pub outputs: SmallVec<[Layout; 1]>,
}

/// The layouts that a program is bound to.
#[derive(Clone, Copy, Debug)]
pub struct Layouts<'a> {
    /// The layouts of the inputs.
    pub inputs: &'a [&'a Layout],
    /// The layouts of the outputs. Without them, dense ones are chosen.
    pub outputs: Option<&'a [&'a Layout]>,
    /// Whether chosen layouts are in C order, instead of the axis order of the inputs (NumPy's `order="K"`).
    pub c_order: bool,
}

/// A value that a binding writes to memory: an output, or a value stored between stages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenValue {
    pub(crate) value: ValueId,
    /// The [index](BoundOperand::index) of its operand.
    pub(crate) index: usize,
}

/// The part of a program that one binding computes: some values, all of one shape, from inputs and stored values.
#[derive(Clone, Copy)]
pub(crate) struct StageSpec<'a> {
    pub(crate) program: &'a Program,
    pub(crate) layouts: Layouts<'a>,
    pub(crate) shapes: &'a Shapes,
    pub(crate) written: &'a [WrittenValue],
    /// All stages, and the number of this one; `None` if nothing is stored.
    pub(crate) stages: Option<(&'a StagedProgram, usize)>,
}

impl Binding {
    /// Binds `program` to input layouts, and to output layouts if they are given. Otherwise dense outputs are chosen, in the
    /// axis order of the inputs (NumPy's `order="K"`) or in C order.
    ///
    /// # Errors
    /// * [`Error::Count`], [`Error::DType`], [`Error::Shape`]: a number of layouts, dtypes or output shapes other than the
    ///   program's.
    /// * [`Error::Broadcast`]: shapes that do not broadcast. [`Error::Layout`]: outputs of different shapes.
    /// * [`Error::OverlappingOutput`]: an output whose elements share memory.
    /// * [`Error::TooLarge`]: sizes above `isize::MAX`.
    pub fn new(
        program: &Program,
        inputs: &[&Layout],
        outputs: Option<&[&Layout]>,
        c_order: bool,
    ) -> Result<Binding, Error> {
        let mut binding = Binding::default();
        binding.bind(program, Layouts { inputs, outputs, c_order })?;
        Ok(binding)
    }

    /// Binds as [`Binding::new`] does, and replaces the contents of this binding. A `Binding` is large; a caller that
    /// embeds one in a larger value fills it there instead of moving it. After an error the contents are unspecified.
    ///
    /// # Errors
    /// [`Binding::new`] lists them.
    pub fn bind(&mut self, program: &Program, layouts: Layouts<'_>) -> Result<(), Error> {
        check_inputs(program, layouts.inputs)?;
        let Some(step) = only_step(program) else {
            let shapes = Shapes::infer(program, layouts.inputs)?;
            let written = outputs_of_one_shape(program, &shapes)?;
            return self.bind_stage(&StageSpec { program, layouts, shapes: &shapes, written: &written, stages: None });
        };
        let written = [WrittenValue { value: program.outputs()[0], index: 0 }];
        self.reset(program, &written);
        self.place_single_step(program, layouts.inputs, &step)?;
        self.set_outputs(program, &written, layouts)
    }

    /// Binds a stage.
    pub(crate) fn bind_stage(&mut self, stage: &StageSpec<'_>) -> Result<(), Error> {
        self.reset(stage.program, stage.written);
        if let Some(first) = stage.written.first() {
            self.shape = stage.shapes.of(first.value).clone();
        }
        self.place_values(stage);
        self.set_outputs(stage.program, stage.written, stage.layouts)
    }

    /// Empties the binding, except for the operands of the values that it writes. Their strides follow in
    /// [`Binding::set_outputs`].
    fn reset(&mut self, program: &Program, written: &[WrittenValue]) {
        self.operands.clear();
        self.constants.clear();
        self.steps.clear();
        self.outputs.clear();
        for &WrittenValue { value, index } in written {
            let size = program.value(value).dtype.size();
            self.operands.push(BoundOperand { output: true, index, size, strides: AxisStrides::new() });
        }
    }

    /// Whether the output of operand `output` may be the same memory as input `input`. It may if nothing reads the input; or
    /// if the input is read only with the strides of the output, and no step reads it after the output is written.
    pub fn may_alias(&self, output: usize, input: usize) -> bool {
        let mut operands = self.operands.iter().enumerate().filter(|(_, l)| !l.output && l.index == input);
        let (position, operand) = match (operands.next(), operands.next()) {
            (Some(only), None) => only,
            (first, _) => return first.is_none(),
        };
        let written = self.steps.iter().position(|s| s.output == Some(output));
        let last_read = self.steps.iter().rposition(|s| s.args.contains(&Place::Operand(position)));
        let target = &self.operands[output];
        operand.strides == target.strides && operand.size == target.size && last_read <= written
    }
}

/// All outputs of a program, which must have one shape.
fn outputs_of_one_shape(program: &Program, shapes: &Shapes) -> Result<SmallVec<[WrittenValue; 2]>, Error> {
    let first = shapes.of(program.outputs()[0]);
    if let Some(other) = program.outputs().iter().map(|&out| shapes.of(out)).find(|&shape| shape != first) {
        return Err(Error::Layout {
            message: format!("outputs of different shapes, {first} and {other}: bind in stages"),
        });
    }
    Ok(all_outputs(program).collect())
}

/// The outputs of a program.
pub(crate) fn all_outputs(program: &Program) -> impl Iterator<Item = WrittenValue> {
    program.outputs().iter().enumerate().map(|(index, &value)| WrittenValue { value, index })
}
