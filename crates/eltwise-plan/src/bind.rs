//! Binding a program to layouts: shapes of all values, where each value's axes lie, and which leaves are walked how.

use alloc::format;

use smallvec::SmallVec;

use crate::accuracy::Accuracy;
use crate::broadcast::{Alignment, Broadcast};
use crate::dtype::DType;
use crate::error::Error;
use crate::fuse::Operation;
use crate::infer::{Shapes, check_inputs};
use crate::layout::Layout;
use crate::list::List;
use crate::op::{Op, Signature};
use crate::program::{Constant, Node, Program, ValueId};
use crate::shape::{INLINE_RANK, Shape, Strides};
use crate::stages::Staging;

/// Strides of one leaf over the axes of the iteration shape.
pub type AxisStrides = List<isize, INLINE_RANK>;

/// Where a step reads from or writes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Place {
    /// An operand in memory: position in [`Binding::leaves`]; outputs come first.
    Leaf(usize),
    /// A constant: position in [`Binding::constants`].
    Constant(usize),
    /// The result of an earlier step: its position in [`Binding::steps`].
    Step(usize),
}

/// One step over the iteration shape.
#[derive(Clone, PartialEq, Debug)]
pub struct BoundStep {
    /// What it computes.
    pub op: Operation,
    /// The dtype T of its operands.
    pub from: DType,
    /// The dtype of its result.
    pub to: DType,
    /// Its operands.
    pub args: SmallVec<[Place; 3]>,
    /// The output leaf that its result is, if it is one.
    pub output: Option<usize>,
}

/// An operand in memory.
#[derive(Clone, PartialEq, Debug)]
pub struct Leaf {
    /// Whether it is an output.
    pub output: bool,
    /// The position among the program's outputs, or among its inputs; from the number of those on, it is
    /// [memory between stages](crate::stages::Stored).
    pub index: usize,
    /// Bytes of an element.
    pub size: usize,
    /// Bytes from one index of each axis of the iteration shape to the next.
    pub strides: AxisStrides,
}

/// A program over an iteration shape.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Binding {
    /// The iteration shape, which is the shape of every output of the stage.
    pub shape: Shape,
    /// The operands in memory: the outputs, then each way in which an input is walked.
    pub leaves: SmallVec<[Leaf; 4]>,
    /// The scalars.
    pub constants: SmallVec<[Constant; 2]>,
    /// The steps in the order of computation.
    pub steps: SmallVec<[BoundStep; 1]>,
    /// The layouts of the outputs.
    pub outputs: SmallVec<[Layout; 1]>,
}

/// Where one value is needed in the iteration shape: the axis on which its axis 0 lies, and then its place.
type Instances = SmallVec<[(usize, Option<Place>); 1]>;

impl Binding {
    /// Binds `program` to input layouts, and to output layouts if they are given; else dense outputs are chosen in the
    /// axis order of the inputs (NumPy's `order="K"`), or in C order.
    ///
    /// # Errors
    /// A wrong number of layouts, dtypes or shapes other than the program's, shapes that do not broadcast, an output
    /// whose elements share memory, sizes past `isize::MAX`.
    pub fn new(
        program: &Program,
        inputs: &[&Layout],
        outputs: Option<&[&Layout]>,
        c_order: bool,
    ) -> Result<Binding, Error> {
        let mut binding = Binding::default();
        binding.bind(program, inputs, outputs, c_order)?;
        Ok(binding)
    }

    /// As [`Binding::new`], in place of what this one was; after an error it is of no use. A `Binding` is large: where
    /// it is a part of something larger, filling it there spares moving it.
    ///
    /// # Errors
    /// As [`Binding::new`].
    pub fn bind(
        &mut self,
        program: &Program,
        inputs: &[&Layout],
        outputs: Option<&[&Layout]>,
        c_order: bool,
    ) -> Result<(), Error> {
        let Some(step) = only_step(program) else {
            check_inputs(program, inputs)?;
            let shapes = Shapes::infer(program, inputs)?;
            let written = whole(program, &shapes)?;
            return self.bind_part(
                &Part { program, inputs, shapes: &shapes, written: &written, before: None },
                outputs,
                c_order,
            );
        };
        check_inputs(program, inputs)?;
        let written = [Written { value: program.outputs()[0], index: 0 }];
        self.begin(program, &written);
        self.place_one(program, inputs, &step)?;
        self.lay_out(program, &written, outputs, c_order)
    }

    /// Binds a part of a program.
    pub(crate) fn bind_part(
        &mut self,
        part: &Part<'_>,
        outputs: Option<&[&Layout]>,
        c_order: bool,
    ) -> Result<(), Error> {
        self.begin(part.program, part.written);
        if let Some(first) = part.written.first() {
            self.shape = part.shapes.of(first.value).clone();
        }
        self.place(part);
        self.lay_out(part.program, part.written, outputs, c_order)
    }

    /// Empties the binding, but for leaves of what it will write.
    fn begin(&mut self, program: &Program, written: &[Written]) {
        self.leaves.clear();
        self.constants.clear();
        self.steps.clear();
        self.outputs.clear();
        for &Written { value, index } in written {
            let size = program.value(value).dtype.size();
            self.leaves.push(Leaf { output: true, index, size, strides: AxisStrides::new() });
        }
    }

    /// Whether the output of leaf `output` may be the same memory as input `input`: the input is walked as the output is, in one
    /// way only, and no step reads it after the output is written; or nothing reads it.
    pub fn may_alias(&self, output: usize, input: usize) -> bool {
        let mut leaves = self.leaves.iter().enumerate().filter(|(_, l)| !l.output && l.index == input);
        let (at, leaf) = match (leaves.next(), leaves.next()) {
            (Some(one), None) => one,
            (first, _) => return first.is_none(),
        };
        let written = self.steps.iter().position(|s| s.output == Some(output));
        let last_read = self.steps.iter().rposition(|s| s.args.contains(&Place::Leaf(at)));
        let target = &self.leaves[output];
        leaf.strides == target.strides && leaf.size == target.size && last_read <= written
    }

    /// Leaves and the step of a program of one step: what [`Binding::place`] makes of it, without the search for
    /// instances.
    fn place_one(&mut self, program: &Program, inputs: &[&Layout], only: &OnlyStep<'_>) -> Result<(), Error> {
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
        only.args.iter().for_each(|_| places.push(Place::Leaf(0)));
        // In the order of the values, as leaves and constants are numbered.
        for (id, value) in program.ids().zip(program.values()) {
            for (k, _) in only.args.iter().enumerate().filter(|&(_, &arg)| arg == id) {
                places[k] = match value.node {
                    Node::Input(index) => self.input_leaf(index, inputs[index], alignment.starts[k]),
                    Node::Constant(constant) => self.constant(constant),
                    Node::Step { .. } | Node::Exact { .. } | Node::Custom { .. } => continue,
                };
            }
        }
        let from = operand_dtype(program, only.op, only.args, only.to);
        self.steps.push(BoundStep { op: only.op.into(), from, to: only.to, args: places, output: Some(0) });
        Ok(())
    }

    /// Finds the instances that the outputs need, and makes leaves and steps of them.
    fn place(&mut self, part: &Part<'_>) {
        let Part { program, inputs, shapes, written, before } = *part;
        let stored = |value: ValueId| before.and_then(|(staging, stage)| staging.stored_before(value, stage));
        // A step's operands have smaller numbers: one pass over descending values finds every instance that is wanted,
        // one over ascending values gives each its place.
        self.steps.reserve(program.step_count());
        let mut instances: SmallVec<[Instances; 8]> = program.values().iter().map(|_| Instances::new()).collect();
        for out in written {
            want(&mut instances[out.value.index()], 0);
        }
        for id in program.ids().rev() {
            let at = id.index();
            if instances[at].is_empty() || stored(id).is_some() {
                continue;
            }
            let args = program.value(id).node.args();
            for i in 0..instances[at].len() {
                let start = instances[at][i].0;
                for (&arg, &offset) in args.iter().zip(shapes.starts(id)) {
                    want(&mut instances[arg.index()], shapes.canonical(arg, start + offset));
                }
            }
        }
        for (id, value) in program.ids().zip(program.values()) {
            for i in 0..instances[id.index()].len() {
                let start = instances[id.index()][i].0;
                let place = match (&value.node, stored(id)) {
                    (_, Some((number, layout))) => self.input_leaf(inputs.len() + number, layout, start),
                    (Node::Input(index), _) => self.input_leaf(*index, inputs[*index], start),
                    (Node::Constant(constant), _) => self.constant(*constant),
                    (node @ (Node::Step { args, .. } | Node::Exact { args, .. } | Node::Custom { args, .. }), _) => {
                        let places = (args.iter().zip(shapes.starts(id)))
                            // Every operand was wanted, and has its place before its reader.
                            .filter_map(|(&arg, &offset)| {
                                let start = shapes.canonical(arg, start + offset);
                                place_of(&instances[arg.index()], start)
                            })
                            .collect();
                        let (op, from) = match node {
                            Node::Custom { function, .. } => (Operation::Custom(*function), function.from),
                            Node::Exact { op, .. } if value.accuracy() == Accuracy::Exact => {
                                (Operation::Exact(*op), value.dtype)
                            }
                            Node::Exact { op, .. } => (Operation::ToNarrow(*op), value.dtype),
                            Node::Step { op, .. } => ((*op).into(), operand_dtype(program, *op, args, value.dtype)),
                            _ => continue,
                        };
                        let output = written.iter().position(|out| out.value == id && start == 0);
                        self.steps.push(BoundStep { op, from, to: value.dtype, args: places, output });
                        Place::Step(self.steps.len() - 1)
                    }
                };
                instances[id.index()][i].1 = Some(place);
            }
        }
        // A value that is several outputs is copied to the later ones.
        for (leaf, out) in written.iter().enumerate() {
            if written[..leaf].iter().any(|other| other.value == out.value) {
                let dtype = program.value(out.value).dtype;
                let args = place_of(&instances[out.value.index()], 0).into_iter().collect();
                self.steps.push(BoundStep { op: Op::Copy.into(), from: dtype, to: dtype, args, output: Some(leaf) });
            }
        }
    }

    /// The leaf of an input whose axis 0 lies on axis `start`, one for each different way of walking it.
    fn input_leaf(&mut self, index: usize, layout: &Layout, start: usize) -> Place {
        let mut strides = AxisStrides::zeros(self.shape.rank());
        for (axis, (&size, &stride)) in layout.shape().iter().zip(layout.strides().iter()).enumerate() {
            // Axes of size 1 repeat; trailing ones of a PDPD operand may even stick out.
            if size != 1
                && let Some(s) = strides.get_mut(start + axis)
            {
                *s = stride;
            }
        }
        let same = |l: &Leaf| l.index == index && !l.output && l.strides == strides;
        if let Some(found) = self.leaves.iter().position(same) {
            return Place::Leaf(found);
        }
        self.leaves.push(Leaf { output: false, index, size: layout.dtype().size(), strides });
        Place::Leaf(self.leaves.len() - 1)
    }

    fn constant(&mut self, constant: Constant) -> Place {
        // Values that are equal are one value.
        let found = self.constants.iter().position(|&c| c == constant);
        Place::Constant(found.unwrap_or_else(|| {
            self.constants.push(constant);
            self.constants.len() - 1
        }))
    }

    /// Takes or chooses the layouts of what is written; memory between stages is never given.
    fn lay_out(
        &mut self,
        program: &Program,
        written: &[Written],
        given: Option<&[&Layout]>,
        c_order: bool,
    ) -> Result<(), Error> {
        let count = program.outputs().len();
        if let Some(given) = given
            && given.len() != count
        {
            return Err(Error::Count { what: "outputs", given: given.len(), expected: count });
        }
        for (leaf, &Written { value, index }) in written.iter().enumerate() {
            let dtype = program.value(value).dtype;
            let layout = match given.and_then(|given| given.get(index)) {
                Some(&given) => {
                    check_output(given, index, dtype, &self.shape)?;
                    given.clone()
                }
                None if c_order => Layout::contiguous(dtype, self.shape.clone())?,
                None => self.dense_like_inputs(dtype)?,
            };
            let strides = &mut self.leaves[leaf].strides;
            *strides = AxisStrides::zeros(self.shape.rank());
            for (into, (&d, &s)) in strides.iter_mut().zip(layout.shape().iter().zip(layout.strides().iter())) {
                *into = if d == 1 { 0 } else { s };
            }
            self.outputs.push(layout);
        }
        Ok(())
    }

    /// Whether the inputs want axis `a`, inside `b` now, outside it; `None` when none of them tells.
    fn belongs_outside(&self, a: usize, b: usize) -> Option<bool> {
        let mut outside = None;
        for leaf in self.leaves.iter().filter(|l| !l.output) {
            let (sa, sb) = (leaf.strides[a].unsigned_abs(), leaf.strides[b].unsigned_abs());
            if sa != 0 && sb != 0 {
                outside = Some(sa > sb && outside.unwrap_or(true));
            }
        }
        outside
    }

    /// A dense layout whose axes have the order of the inputs' strides; where they do not decide, C order.
    fn dense_like_inputs(&self, dtype: DType) -> Result<Layout, Error> {
        let contiguous = Layout::contiguous(dtype, self.shape.clone())?;
        // Axes of size 1 have no say and no place in the order.
        let mut order: SmallVec<[usize; INLINE_RANK]> =
            (0..self.shape.rank()).rev().filter(|&axis| self.shape[axis] > 1).collect();
        // NumPy's order "K": an insertion sort, innermost first. An axis moves in past another when an input strides it
        // less far and none disagrees: in a conflict C order wins. Axes that no input tells apart are stepped over.
        for i in 1..order.len() {
            let mut to = i;
            for j in (0..i).rev() {
                match self.belongs_outside(order[j], order[i]) {
                    Some(true) => to = j,
                    Some(false) => break,
                    None => {}
                }
            }
            order[to..=i].rotate_right(1);
        }
        if order.is_sorted_by(|a, b| a > b) || self.shape.contains(&0) {
            return Ok(contiguous);
        }
        let mut strides = AxisStrides::zeros(self.shape.rank());
        strides.fill(dtype.size() as isize);
        let mut step = dtype.size() as isize;
        for &axis in &order {
            strides[axis] = step;
            step = step.wrapping_mul(self.shape[axis] as isize);
        }
        Layout::strided(dtype, self.shape.clone(), Strides::new(&strides))
    }
}

/// A value that a binding writes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    pub(crate) value: ValueId,
    /// The [index](Leaf::index) of its leaf.
    pub(crate) index: usize,
}

/// What a binding computes of a program: the values that it writes, all of one shape, from inputs and from what earlier
/// stages wrote.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) program: &'a Program,
    pub(crate) inputs: &'a [&'a Layout],
    pub(crate) shapes: &'a Shapes,
    pub(crate) written: &'a [Written],
    /// The stages, and which of them this is.
    pub(crate) before: Option<(&'a Staging, usize)>,
}

/// All outputs of a program, which must have one shape.
fn whole(program: &Program, shapes: &Shapes) -> Result<SmallVec<[Written; 2]>, Error> {
    let first = shapes.of(program.outputs()[0]);
    if let Some(other) = program.outputs().iter().map(|&out| shapes.of(out)).find(|&shape| shape != first) {
        return Err(Error::Layout {
            message: format!("outputs of different shapes, {first} and {other}: bind in stages"),
        });
    }
    Ok(outputs(program).collect())
}

/// The outputs of a program.
pub(crate) fn outputs(program: &Program) -> impl Iterator<Item = Written> {
    program.outputs().iter().enumerate().map(|(index, &value)| Written { value, index })
}

/// The step of a program that has one, as its last value and its one output.
pub(crate) struct OnlyStep<'p> {
    pub(crate) op: Op,
    pub(crate) args: &'p [ValueId],
    pub(crate) broadcast: &'p Broadcast,
    pub(crate) to: DType,
}

pub(crate) fn only_step(program: &Program) -> Option<OnlyStep<'_>> {
    let (last, others) = program.values().split_last()?;
    let Node::Step { op, args, broadcast } = &last.node else { return None };
    let one = program.outputs().len() == 1 && !others.iter().any(|v| v.node.broadcast().is_some());
    one.then_some(OnlyStep { op: *op, args, broadcast, to: last.dtype })
}

/// The dtype T of a step's operands: that of the first operand that is no condition.
pub(crate) fn operand_dtype(program: &Program, op: Op, args: &[ValueId], result: DType) -> DType {
    let t = usize::from(op.signature() == Signature::Select);
    args.get(t).map_or(result, |&a| program.value(a).dtype)
}

fn want(instances: &mut Instances, start: usize) {
    if !instances.iter().any(|i| i.0 == start) {
        instances.push((start, None));
    }
}

fn place_of(instances: &Instances, start: usize) -> Option<Place> {
    instances.iter().find(|i| i.0 == start)?.1
}

fn check_output(layout: &Layout, index: usize, dtype: DType, shape: &Shape) -> Result<(), Error> {
    if layout.dtype() != dtype {
        return Err(Error::DType { what: format!("output {index}"), given: layout.dtype(), expected: dtype });
    }
    if layout.shape() != shape {
        return Err(Error::Shape {
            what: format!("output {index}"),
            given: layout.shape().clone(),
            expected: shape.clone(),
        });
    }
    if layout.overlaps_itself() {
        return Err(Error::OverlappingOutput {
            what: format!("output {index}"),
            shape: shape.clone(),
            strides: layout.strides().clone(),
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Broadcast;

    fn chosen(shape: &[usize], inputs: &[&[isize]]) -> Strides {
        let dtypes: SmallVec<[DType; 4]> = inputs.iter().map(|_| DType::F32).collect();
        let op = if inputs.len() == 1 { Op::Negative } else { Op::Add };
        let program = Program::single(op, &dtypes, None, Broadcast::Numpy).unwrap();
        let layouts: SmallVec<[Layout; 4]> =
            inputs.iter().map(|&s| Layout::strided(DType::F32, shape, s).unwrap()).collect();
        let layouts: SmallVec<[&Layout; 4]> = layouts.iter().collect();
        Binding::new(&program, &layouts, None, false).unwrap().outputs[0].strides().clone()
    }

    #[test]
    fn outputs_follow_the_inputs_and_c_order_wins_conflicts() {
        assert_eq!(chosen(&[3, 5], &[&[4, 12]]).values(), [4, 12]);
        assert_eq!(chosen(&[3, 5], &[&[4, 12], &[4, 12]]).values(), [4, 12]);
        assert_eq!(chosen(&[3, 5], &[&[4, 12], &[20, 4]]).values(), [20, 4]);
        assert_eq!(chosen(&[3, 5], &[&[20, 4], &[4, 12]]).values(), [20, 4]);
        // A broadcast operand has no say; a reversed one counts by its size; a middle axis that nobody walks is
        // stepped over.
        assert_eq!(chosen(&[3, 5], &[&[4, 12], &[0, 4]]).values(), [4, 12]);
        assert_eq!(chosen(&[3, 5], &[&[-4, -12]]).values(), [4, 12]);
        assert_eq!(chosen(&[2, 3, 5], &[&[4, 0, 8]]).values(), [4, 40, 8]);
        // Axes of size 1 have no place in the order.
        assert_eq!(chosen(&[3, 1, 5], &[&[4, 60, 12]]).values(), [4, 4, 12]);
        assert_eq!(chosen(&[3, 1, 5], &[&[20, 4, 4]]).values(), [20, 20, 4]);
    }
}
