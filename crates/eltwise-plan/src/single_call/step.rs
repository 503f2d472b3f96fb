//! Binding of programs of one step straight from the layouts of their operands.

use eltwise_core::{Broadcast, DType, Layout, Op};
use smallvec::SmallVec;

use super::{BoundCall, CallOperand, CallOperands, Operands, SingleCall, Source};
use crate::bind::loop_nest::{coalesces, is_outer, reverse_backward_axis};
use crate::cost::Cost;
use crate::ir::program::{Node, Program, only_step};
use crate::strategy::rows_run_directly;
use crate::target::Target;

/// The most operands of a single step, including the output.
const MAX_OPERANDS: usize = 4;
/// The highest rank of a single step.
const MAX_RANK: usize = 8;

/// A loop: its size, and its stride for each operand, the output first.
#[derive(Clone, Copy)]
struct Loop {
    size: usize,
    strides: [isize; MAX_OPERANDS],
}

impl Loop {
    /// A loop of one iteration.
    const ONE: Loop = Loop { size: 1, strides: [0; MAX_OPERANDS] };
}

/// The loops of a call, with its operands in the order: output, operands of the step.
struct CallLoops {
    rows: Loop,
    cols: Loop,
    /// Bytes from element `[0, 0, ...]` to the first element of the first row.
    offsets: [isize; MAX_OPERANDS],
    /// Bytes of an element; 0 for constants.
    sizes: [isize; MAX_OPERANDS],
}

impl CallLoops {
    /// The loops over inputs that broadcast by NumPy's rule to the output's shape, if two are enough and the columns of all
    /// operands are contiguous or splat.
    ///
    /// Not inlined into `bind_rows`, which then takes 130 ns instead of 150 ns for a broadcast row (AMD EPYC).
    #[inline(never)]
    fn new(step: &SingleStep, inputs: &[&Layout], output: &Layout) -> Option<CallLoops> {
        let rank = output.shape().rank();
        if rank > MAX_RANK || output.overlaps_itself() {
            return None;
        }
        let mut axes = [Loop::ONE; MAX_RANK];
        let axes = &mut axes[..rank];
        let sizes = step.broadcast_axes(inputs, output, axes)?;

        // As `LoopNest::new`, with the axes and loops in arrays: drop axes of size 1, order, reverse, coalesce.
        let mut count = 0;
        for i in 0..axes.len() {
            if axes[i].size != 1 {
                let mut j = count;
                let axis = axes[i];
                while j > 0 && is_outer(&axis.strides, &axes[j - 1].strides) {
                    axes[j] = axes[j - 1];
                    j -= 1;
                }
                axes[j] = axis;
                count += 1;
            }
        }
        let mut offsets = [0isize; MAX_OPERANDS];
        let mut loops = [Loop::ONE; 2];
        let mut used = 0;
        for axis in &mut axes[..count] {
            reverse_backward_axis(axis.size, &mut axis.strides, offsets.iter_mut());
            let merges = used > 0 && coalesces(&loops[used - 1].strides, &axis.strides, axis.size);
            let outer = if merges { loops[used - 1].size } else { 1 };
            used += usize::from(!merges);
            *loops.get_mut(used - 1)? = Loop { size: outer * axis.size, strides: axis.strides };
        }
        let (rows, cols) = if used == 2 { (loops[0], loops[1]) } else { (Loop::ONE, loops[0]) };
        let call = CallLoops { rows, cols, offsets, sizes };
        let is_plain = |k: usize| call.is_splat(k) || used == 0 || call.cols.strides[k] == sizes[k];
        (0..=step.args.len()).all(is_plain).then_some(call)
    }

    /// Whether an operand is one element for all columns.
    #[inline]
    fn is_splat(&self, k: usize) -> bool {
        k > 0 && self.cols.strides[k] == 0
    }

    #[inline]
    fn operand(&self, k: usize) -> CallOperand {
        CallOperand { offset: self.offsets[k], row: self.rows.strides[k], splat: self.is_splat(k) }
    }

    /// Distinct bytes of an operand.
    #[inline]
    fn bytes(&self, k: usize) -> usize {
        let elements = |l: &Loop| if l.strides[k] != 0 { l.size } else { 1 };
        (elements(&self.rows) * elements(&self.cols)).saturating_mul(self.sizes[k] as usize)
    }
}

/// The facts of a program of one step that do not depend on layouts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SingleStep {
    /// The operator.
    pub op: Op,
    /// The dtype T of its operands.
    pub from: DType,
    /// The dtype of its result.
    pub to: DType,
    /// The dtypes of the program's inputs.
    inputs: SmallVec<[DType; 4]>,
    /// The operands of the step.
    args: SmallVec<[Source; 3]>,
    /// Whether the operands are the inputs in order.
    is_in_order: bool,
}

impl SingleStep {
    /// The single step of a program, if it has few operands and they broadcast by NumPy's rule.
    pub fn of(program: &Program) -> Option<SingleStep> {
        let step = only_step(program)?;
        if *step.broadcast != Broadcast::Numpy || step.args.len() >= MAX_OPERANDS {
            return None;
        }
        let (mut inputs, mut args) = (SmallVec::new(), SmallVec::new());
        program.inputs().iter().for_each(|input| inputs.push(input.dtype));
        let mut is_in_order = step.args.len() == inputs.len();
        for (k, &arg) in step.args.iter().enumerate() {
            let source = match program.value(arg).node {
                Node::Input(index) => Source::Input(index),
                Node::Constant(constant) => constant.into(),
                Node::Step { .. } | Node::Custom { .. } => return None,
            };
            is_in_order &= source == Source::Input(k);
            args.push(source);
        }
        Some(SingleStep { op: step.op, from: step.from, to: step.to, inputs, args, is_in_order })
    }

    /// The call over operands of these layouts. The output has the given layout, or the one that a binding would choose.
    ///
    /// `None` if the run is not one call, is large enough for several threads, is an error, or has an output layout that is
    /// not quickly found. The caller then makes a [`Binding`](crate::Binding) and a [`Schedule`](crate::Schedule).
    #[inline(always)]
    pub fn bind(&self, inputs: &[&Layout], output: Option<&Layout>, target: &Target) -> Option<BoundCall> {
        if inputs.len() != self.inputs.len() || output.is_some_and(|output| output.dtype() != self.to) {
            return None;
        }
        if self.is_in_order
            && let Some(output) = self.dense_output(inputs, output)
        {
            return self.bind_dense(output, target);
        }
        self.bind_general(inputs, output, target)
    }

    /// As [`SingleStep::bind`], without the fast path for dense operands.
    #[inline(never)]
    fn bind_general(&self, inputs: &[&Layout], output: Option<&Layout>, target: &Target) -> Option<BoundCall> {
        if !inputs.iter().zip(&self.inputs).all(|(layout, &dtype)| layout.dtype() == dtype) {
            return None;
        }
        let output = match output {
            Some(output) => output.clone(),
            None => self.simple_output(inputs)?,
        };
        self.bind_rows(inputs, output, target)
    }

    /// The output layout if all operands are dense and have one shape of two elements or more.
    #[inline(always)]
    fn dense_output(&self, inputs: &[&Layout], output: Option<&Layout>) -> Option<Layout> {
        let (first, others) = inputs.split_first()?;
        let (first_dtype, other_dtypes) = self.inputs.split_first()?;
        let is_dense = first.is_contiguous()
            && first.elements() > 1
            && first.dtype() == *first_dtype
            && others.iter().zip(other_dtypes).all(|(other, &dtype)| {
                other.dtype() == dtype
                    && (other.places_as(first) || (other.is_contiguous() && other.shape().is_same(first.shape())))
            });
        match output {
            _ if !is_dense => None,
            None => first.dense_as(self.to).ok(),
            Some(output) => (output.is_contiguous() && output.shape().is_same(first.shape())).then(|| output.clone()),
        }
    }

    /// The output layout that a binding would choose if the axes of all inputs are in C order and one has the common shape:
    /// dense in C order. `None` in other cases.
    fn simple_output(&self, inputs: &[&Layout]) -> Option<Layout> {
        if !inputs.iter().all(|l| l.is_in_c_order()) {
            return None;
        }
        let layouts = self.args.iter().filter_map(|&arg| match arg {
            Source::Input(index) => Some(inputs[index]),
            Source::Constant(_) => None,
        });
        let axes = |layout: &Layout| (layout.shape().rank(), layout.shape().iter().filter(|&&d| d != 1).count());
        let largest = layouts.max_by_key(|layout| axes(layout))?;
        largest.dense_as(self.to).ok()
    }

    /// Fills `axes` with the sizes and strides of the axes of the iteration shape. Returns the element sizes of the operands.
    /// `None` if the shapes of the inputs do not broadcast to that of the output, or it has no elements.
    #[inline(always)]
    fn broadcast_axes(&self, inputs: &[&Layout], output: &Layout, axes: &mut [Loop]) -> Option<[isize; MAX_OPERANDS]> {
        let mut sizes = [0isize; MAX_OPERANDS];
        let mut rank = 0;
        for (k, &arg) in (1..).zip(&self.args) {
            let Source::Input(index) = arg else { continue };
            let (shape, strides) = (inputs[index].shape().dims(), inputs[index].strides().values());
            let start = axes.len().checked_sub(shape.len())?;
            rank = rank.max(shape.len());
            sizes[k] = inputs[index].dtype().size() as isize;
            for (axis, (&size, &stride)) in axes[start..].iter_mut().zip(shape.iter().zip(strides)) {
                if size != 1 {
                    if axis.size != 1 && axis.size != size {
                        return None;
                    }
                    axis.size = size;
                    axis.strides[k] = stride;
                }
            }
        }
        sizes[0] = self.to.size() as isize;
        for (axis, (&size, &stride)) in axes.iter_mut().zip(output.shape().iter().zip(output.strides().values())) {
            if axis.size != size || size == 0 {
                return None;
            }
            axis.strides[0] = stride;
        }
        (rank == axes.len()).then_some(sizes)
    }

    /// The call over inputs that are all dense and have the shape of `output`.
    #[inline(always)]
    fn bind_dense(&self, output: Layout, target: &Target) -> Option<BoundCall> {
        let elements = output.elements();
        let written = elements.saturating_mul(self.to.size());
        let (mut read, mut may_alias) = (0usize, SmallVec::new());
        for dtype in &self.inputs {
            read = read.saturating_add(elements.saturating_mul(dtype.size()));
            may_alias.push(dtype.size() == self.to.size());
        }
        let cost = Cost::of_call(self.op, (self.from, self.to), (1, elements), (read, written), target);
        if cost.tasks > 1 {
            return None;
        }
        let (out, ins) = (CallOperand::default(), Operands::Dense { inputs: self.inputs.len() });
        Some(BoundCall { call: SingleCall { rows: 1, cols: elements, out, ins }, output, cost, may_alias })
    }

    /// The call over rows and columns of operands of any layouts.
    #[inline(always)]
    fn bind_rows(&self, inputs: &[&Layout], output: Layout, target: &Target) -> Option<BoundCall> {
        let call = CallLoops::new(self, inputs, &output)?;
        let CallLoops { rows, cols, sizes, .. } = &call;
        let (mut read, written) = (0usize, call.bytes(0));
        // An input that the step does not read may be overwritten.
        let mut may_alias: SmallVec<[bool; 4]> = SmallVec::new();
        inputs.iter().for_each(|_| may_alias.push(true));
        let mut ins = CallOperands::new();
        for (k, &arg) in (1..).zip(&self.args) {
            ins.push(match arg {
                Source::Input(index) => {
                    may_alias[index] = sizes[k] == sizes[0]
                        && rows.strides[k] == rows.strides[0]
                        && cols.strides[k] == cols.strides[0];
                    if !self.args[..k - 1].contains(&arg) {
                        read = read.saturating_add(call.bytes(k));
                    }
                    (arg, call.operand(k))
                }
                Source::Constant(_) => (arg, CallOperand::default()),
            });
        }
        let cost = Cost::of_call(self.op, (self.from, self.to), (rows.size, cols.size), (read, written), target);
        if cost.tasks > 1 || (rows.size > 1 && self.is_tiled(&call, cost.bytes(), target)) {
            return None;
        }
        let single = SingleCall::new(rows.size, cols.size, call.operand(0), ins);
        Some(BoundCall { call: single, output, cost, may_alias })
    }

    /// Whether [`Schedule`](crate::Schedule) searches for tiles of the rows of this call.
    fn is_tiled(&self, call: &CallLoops, bytes: usize, target: &Target) -> bool {
        let CallLoops { rows, cols, sizes, .. } = call;
        let widest = sizes.iter().fold(1, |widest, &size| widest.max(size)) as usize;
        let shares_row = || (1..=self.args.len()).any(|k| rows.strides[k] == 0 && cols.strides[k] != 0);
        !rows_run_directly(cols.size.saturating_mul(widest), bytes, shares_row, target)
    }
}
