//! Binding a program to layouts: shapes of all values, where each value's axes lie, and which leaves are walked how.

use alloc::format;

use smallvec::SmallVec;

use crate::dtype::DType;
use crate::error::Error;
use crate::layout::Layout;
use crate::op::{Op, Signature};
use crate::program::{Constant, Node, Program, ValueId};
use crate::shape::{INLINE_RANK, Shape, Strides};

/// Strides of one leaf over the axes of the iteration shape.
pub type AxisStrides = SmallVec<[isize; INLINE_RANK]>;

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
    /// The operator.
    pub op: Op,
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
    /// The position among the outputs, or among the inputs.
    pub index: usize,
    /// Bytes of an element.
    pub size: usize,
    /// Bytes from one index of each axis of the iteration shape to the next.
    pub strides: AxisStrides,
}

/// A program over an iteration shape.
#[derive(Clone, PartialEq, Debug)]
pub struct Binding {
    /// The iteration shape, which is the shape of every output.
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
        check_inputs(program, inputs)?;
        let shapes = Shapes::infer(program, inputs)?;
        let shape = shapes.of(program.outputs()[0]).clone();
        for &out in program.outputs() {
            if *shapes.of(out) != shape {
                return Err(Error::Layout {
                    message: format!("outputs of different shapes, {shape} and {}", shapes.of(out)),
                });
            }
        }
        let mut binding = Binding {
            shape,
            leaves: SmallVec::new(),
            constants: SmallVec::new(),
            steps: SmallVec::new(),
            outputs: SmallVec::new(),
        };
        for (index, &out) in program.outputs().iter().enumerate() {
            let size = program.value(out).dtype.size();
            binding.leaves.push(Leaf { output: true, index, size, strides: AxisStrides::new() });
        }
        binding.place(program, inputs, &shapes);
        binding.lay_out(program, outputs, c_order)?;
        Ok(binding)
    }

    /// Finds the instances that the outputs need, and makes leaves and steps of them.
    fn place(&mut self, program: &Program, inputs: &[&Layout], shapes: &Shapes) {
        // A step's operands have smaller numbers: one pass over descending values finds every instance that is wanted,
        // one over ascending values gives each its place.
        let mut instances: SmallVec<[Instances; 4]> = program.values().iter().map(|_| Instances::new()).collect();
        for &out in program.outputs() {
            want(&mut instances[out.index()], 0);
        }
        for (at, value) in program.values().iter().enumerate().rev() {
            let Node::Step { args, .. } = &value.node else { continue };
            for i in 0..instances[at].len() {
                let start = instances[at][i].0;
                for (&arg, &offset) in args.iter().zip(&shapes.starts[at]) {
                    want(&mut instances[arg.index()], shapes.canonical(arg, start + offset));
                }
            }
        }
        for (id, value) in program.ids().zip(program.values()) {
            for i in 0..instances[id.index()].len() {
                let start = instances[id.index()][i].0;
                let place = match &value.node {
                    Node::Input(index) => self.input_leaf(*index, inputs[*index], start),
                    Node::Constant(constant) => {
                        self.constants.push(*constant);
                        Place::Constant(self.constants.len() - 1)
                    }
                    Node::Step { op, args, .. } => {
                        let starts = &shapes.starts[id.index()];
                        let places = (args.iter().zip(starts))
                            // Every operand was wanted, and has its place before its reader.
                            .filter_map(|(&arg, &offset)| {
                                let start = shapes.canonical(arg, start + offset);
                                place_of(&instances[arg.index()], start)
                            })
                            .collect();
                        // T is the dtype of the first operand that is no condition.
                        let t = usize::from(op.signature() == Signature::Select);
                        let from = args.get(t).map_or(value.dtype, |&a| program.value(a).dtype);
                        let output = program.outputs().iter().position(|&o| o == id && start == 0);
                        self.steps.push(BoundStep { op: *op, from, to: value.dtype, args: places, output });
                        Place::Step(self.steps.len() - 1)
                    }
                };
                instances[id.index()][i].1 = Some(place);
            }
        }
        // A value that is several outputs is copied to the later ones.
        for (index, &out) in program.outputs().iter().enumerate() {
            if program.outputs()[..index].contains(&out) {
                let dtype = program.value(out).dtype;
                let args = place_of(&instances[out.index()], 0).into_iter().collect();
                self.steps.push(BoundStep { op: Op::Copy, from: dtype, to: dtype, args, output: Some(index) });
            }
        }
    }

    /// The leaf of an input whose axis 0 lies on axis `start`, one for each different way of walking it.
    fn input_leaf(&mut self, index: usize, layout: &Layout, start: usize) -> Place {
        let mut strides = AxisStrides::from_elem(0, self.shape.rank());
        for (axis, (&size, &stride)) in layout.shape().iter().zip(layout.strides().iter()).enumerate() {
            // Axes of size 1 repeat; trailing ones of a PDPD operand may even stick out.
            if size != 1
                && let Some(s) = strides.get_mut(start + axis)
            {
                *s = stride;
            }
        }
        let leaf = Leaf { output: false, index, size: layout.dtype().size(), strides };
        let found = self.leaves.iter().position(|l| *l == leaf);
        Place::Leaf(found.unwrap_or_else(|| {
            self.leaves.push(leaf);
            self.leaves.len() - 1
        }))
    }

    /// Takes or chooses the output layouts.
    fn lay_out(&mut self, program: &Program, given: Option<&[&Layout]>, c_order: bool) -> Result<(), Error> {
        if let Some(given) = given
            && given.len() != program.outputs().len()
        {
            return Err(Error::Count { what: "outputs", given: given.len(), expected: program.outputs().len() });
        }
        for (index, &out) in program.outputs().iter().enumerate() {
            let dtype = program.value(out).dtype;
            let layout = match given {
                Some(given) => {
                    check_output(given[index], index, dtype, &self.shape)?;
                    given[index].clone()
                }
                None if c_order => Layout::contiguous(dtype, self.shape.clone())?,
                None => self.dense_like_inputs(dtype)?,
            };
            let strides = layout.shape().iter().zip(layout.strides().iter());
            self.leaves[index].strides = strides.map(|(&d, &s)| if d == 1 { 0 } else { s }).collect();
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
        let mut strides: SmallVec<[isize; INLINE_RANK]> = SmallVec::from_elem(dtype.size() as isize, self.shape.rank());
        let mut step = dtype.size() as isize;
        for &axis in &order {
            strides[axis] = step;
            step = step.wrapping_mul(self.shape[axis] as isize);
        }
        Layout::strided(dtype, self.shape.clone(), Strides::new(&strides))
    }
}

/// The shapes of all values, and where operands lie in their step's result.
struct Shapes {
    shapes: SmallVec<[Shape; 4]>,
    starts: SmallVec<[SmallVec<[usize; 4]>; 4]>,
}

impl Shapes {
    fn infer(program: &Program, inputs: &[&Layout]) -> Result<Shapes, Error> {
        let mut all = Shapes { shapes: SmallVec::new(), starts: SmallVec::new() };
        for value in program.values() {
            let (shape, starts) = match &value.node {
                Node::Input(index) => (inputs[*index].shape().clone(), SmallVec::new()),
                Node::Constant(_) => (Shape::scalar(), SmallVec::new()),
                Node::Step { args, broadcast, .. } => {
                    let shapes: SmallVec<[&Shape; 4]> = args.iter().map(|a| &all.shapes[a.index()]).collect();
                    let alignment = broadcast.align(&shapes)?;
                    (alignment.shape, alignment.starts)
                }
            };
            all.shapes.push(shape);
            all.starts.push(starts);
        }
        Ok(all)
    }

    fn of(&self, value: ValueId) -> &Shape {
        &self.shapes[value.index()]
    }

    /// Where an instance counts as starting: values of one element are the same wherever they lie.
    fn canonical(&self, value: ValueId, start: usize) -> usize {
        if self.of(value).iter().all(|&d| d == 1) { 0 } else { start }
    }
}

fn want(instances: &mut Instances, start: usize) {
    if !instances.iter().any(|i| i.0 == start) {
        instances.push((start, None));
    }
}

fn place_of(instances: &Instances, start: usize) -> Option<Place> {
    instances.iter().find(|i| i.0 == start)?.1
}

fn check_inputs(program: &Program, inputs: &[&Layout]) -> Result<(), Error> {
    if inputs.len() != program.inputs().len() {
        return Err(Error::Count { what: "inputs", given: inputs.len(), expected: program.inputs().len() });
    }
    for (input, layout) in program.inputs().iter().zip(inputs) {
        if input.dtype != layout.dtype() {
            let what = format!("input {}", input.name);
            return Err(Error::DType { what, given: layout.dtype(), expected: input.dtype });
        }
    }
    Ok(())
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
    }
}
