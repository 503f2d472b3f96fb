//! Runs that are one kernel call over rows x columns: everything but the addresses is known when a plan is made.
//!
//! [`OneCall::of`] reads the call off a schedule. [`OneCall::find`] finds the same call of a small program of one step
//! straight from the layouts, several times faster than a binding, a nest and a schedule are made: for small operands,
//! planning is most of the time of a call. [`DenseStep`] finds those over dense operands in a fraction of that.

use smallvec::SmallVec;

use crate::bind::{OnlyStep, only_step, operand_dtype};
use crate::broadcast::Broadcast;
use crate::cost::{Cost, run_ns, step_ns, tasks_worth};
use crate::dtype::DType;
use crate::layout::Layout;
use crate::nest::{continues, further};
use crate::op::Op;
use crate::plan::{Access, Machine, Repeats, Schedule, Slot, Strategy, short_row};
use crate::program::{Node, Program};

/// Where an operand of a call comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Source {
    /// The input with this position.
    Input(usize),
    /// A scalar: the bytes of its element, in memory's order, and zeros.
    Constant([u8; 16]),
}

/// How an operand in memory lies under the rows and columns of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rows {
    /// Bytes from element `[0, 0, ...]` to the first element of the first row.
    pub offset: isize,
    /// Bytes from a row to the next.
    pub row: isize,
    /// One element for all columns; else they lie contiguous.
    pub splat: bool,
}

/// A run that is one kernel call, into the one output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OneCall {
    /// The number of rows.
    pub rows: usize,
    /// The elements of a row.
    pub cols: usize,
    /// The output.
    pub out: Rows,
    /// The operands of the step; constants with any rows.
    pub ins: SmallVec<[(Source, Rows); 3]>,
    /// Whether it is one row whose operands are the inputs in their order, from their first elements on, none of them a splat.
    pub line: bool,
}

/// A call, and what else a plan says of its run. See [`OneCall::find`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The call.
    pub call: OneCall,
    /// The operator.
    pub op: Op,
    /// The dtype T of its operands.
    pub from: DType,
    /// Bytes read and written, as [`Schedule::bytes`].
    pub bytes: usize,
    /// Bytes written, of these.
    pub written: usize,
    /// Nanoseconds on one thread, as of [`Schedule::cost`].
    pub ns: usize,
    /// For each input, whether it may be the same memory as the output.
    pub may_alias: SmallVec<[bool; 4]>,
}

impl Found {
    /// What the run is expected to take.
    #[inline]
    pub fn cost(&self) -> Cost {
        let written = self.written;
        Cost::new(self.bytes - written, written, self.ns, 1)
    }
}

/// The most operands of a call that is found, the output with them, and the highest rank.
const OPERANDS: usize = 4;
const RANK: usize = 8;

/// A loop: its size, and the stride of every operand; the output is the first.
#[derive(Clone, Copy)]
struct Loop {
    size: usize,
    strides: [isize; OPERANDS],
}

impl Loop {
    /// One step, which nothing makes.
    const NONE: Loop = Loop { size: 1, strides: [0; OPERANDS] };
}

/// How the operands of a step are walked by rows and columns; the output is the first.
struct Walk {
    rows: Loop,
    cols: Loop,
    /// Bytes from element `[0, 0, ...]` to the first of the first row.
    offsets: [isize; OPERANDS],
    /// Bytes of an element; 0 for constants.
    sizes: [isize; OPERANDS],
    /// Whether there is more than one row, by the shapes.
    two: bool,
}

impl Walk {
    /// Of inputs that broadcast by NumPy's rule to the output's shape, if one loop or two walk them all.
    fn of(program: &Program, step: &OnlyStep<'_>, inputs: &[&Layout], output: &Layout) -> Option<Walk> {
        // The strides of all operands, axis by axis, and the sizes of the inputs' common shape.
        let dims = output.shape().dims();
        let mut axes = [Loop::NONE; RANK];
        let mut sizes = [0isize; OPERANDS];
        let mut rank = 0;
        for (k, &arg) in step.args.iter().enumerate() {
            let Node::Input(index) = program.value(arg).node else { continue };
            let (shape, strides) = (inputs[index].shape().dims(), inputs[index].strides().values());
            let start = dims.len().checked_sub(shape.len())?;
            rank = rank.max(shape.len());
            sizes[k + 1] = inputs[index].dtype().size() as isize;
            for (axis, (&size, &stride)) in axes[start..].iter_mut().zip(shape.iter().zip(strides)) {
                if size != 1 {
                    if axis.size != 1 && axis.size != size {
                        return None;
                    }
                    axis.size = size;
                    axis.strides[k + 1] = stride;
                }
            }
        }
        sizes[0] = step.to.size() as isize;
        let axes = &mut axes[..dims.len()];
        for (axis, (&size, &stride)) in axes.iter_mut().zip(dims.iter().zip(output.strides().values())) {
            if axis.size != size || size == 0 {
                return None;
            }
            axis.strides[0] = stride;
        }
        if rank != dims.len() || output.overlaps_itself() {
            return None;
        }

        // As `Nest`: drop axes of size 1, order, turn, merge.
        let mut count = 0;
        for i in 0..axes.len() {
            if axes[i].size != 1 {
                let mut j = count;
                let axis = axes[i];
                while j > 0 && further(&axis.strides, &axes[j - 1].strides) {
                    axes[j] = axes[j - 1];
                    j -= 1;
                }
                axes[j] = axis;
                count += 1;
            }
        }
        let mut offsets = [0isize; OPERANDS];
        let mut loops = [Loop::NONE; 2];
        let mut used = 0;
        for axis in &mut axes[..count] {
            if axis.strides.iter().find(|&&s| s != 0).is_some_and(|&s| s < 0) {
                for (offset, stride) in offsets.iter_mut().zip(&mut axis.strides) {
                    *offset += *stride * (axis.size as isize - 1);
                    *stride = -*stride;
                }
            }
            let merges = used > 0 && continues(&loops[used - 1].strides, &axis.strides, axis.size);
            let outer = if merges { loops[used - 1].size } else { 1 };
            used += usize::from(!merges);
            *loops.get_mut(used - 1)? = Loop { size: outer * axis.size, strides: axis.strides };
        }

        // As `Schedule`: columns are contiguous or splat, and worth a kernel's while.
        let (rows, cols) = if used == 2 { (loops[0], loops[1]) } else { (Loop::NONE, loops[0]) };
        let splat = |k: usize| k > 0 && cols.strides[k] == 0;
        let plain = (0..=step.args.len()).all(|k| splat(k) || used == 0 || cols.strides[k] == sizes[k]);
        plain.then_some(Walk { rows, cols, offsets, sizes, two: used == 2 })
    }
}

impl OneCall {
    /// The call of a schedule, if it is one: [`Strategy::Direct`] with at most two loops.
    pub fn of(schedule: &Schedule) -> Option<OneCall> {
        let sizes = &schedule.nest.sizes[..];
        if schedule.strategy != Strategy::Direct || sizes.len() > 2 {
            return None;
        }
        let (rows, cols) = match sizes {
            [] => (1, 1),
            [cols] => (1, *cols),
            [rows, cols, ..] => (*rows, *cols),
        };
        let place = |leaf: usize| {
            let walk = &schedule.nest.walks[leaf];
            let row = if sizes.len() == 2 { walk.strides[0] } else { 0 };
            Rows { offset: walk.offset, row, splat: schedule.access[leaf] == Access::Splat }
        };
        let step = schedule.steps.first()?;
        let mut ins: SmallVec<[(Source, Rows); 3]> = SmallVec::new();
        for &arg in &step.args {
            ins.push(match arg {
                Slot::Leaf(leaf) => (Source::Input(schedule.binding.leaves[leaf].index), place(leaf)),
                Slot::Constant(c) => {
                    (Source::Constant(schedule.binding.constants[c].bits.to_ne_bytes()), Rows::default())
                }
                Slot::Register(_) => return None,
            });
        }
        let Slot::Leaf(out) = step.result else { return None };
        let (out, begins) = (place(out), |rows: &Rows| rows.offset == 0 && !rows.splat);
        let first = |(k, (source, rows)): (usize, &(Source, Rows))| *source == Source::Input(k) && begins(rows);
        let line = rows == 1 && begins(&out) && ins.iter().enumerate().all(first);
        Some(OneCall { rows, cols, out, ins, line })
    }

    /// The output layout that a binding would choose for a program of one step, if an operand has the common shape (as
    /// [`OneCall::find`] will tell): a dense C-order one, over inputs whose axes are in C order. `None` when it is not
    /// so simple.
    pub fn output(program: &Program, inputs: &[&Layout]) -> Option<Layout> {
        let step = only_step(program)?;
        if inputs.len() != program.inputs().len() {
            return None;
        }
        if !inputs.iter().all(|l| in_c_order(l)) {
            return None;
        }
        let layouts = step.args.iter().filter_map(|&arg| match program.value(arg).node {
            Node::Input(index) => Some(inputs[index]),
            _ => None,
        });
        let axes = |layout: &Layout| (layout.shape().rank(), layout.shape().iter().filter(|&&d| d != 1).count());
        let largest = layouts.max_by_key(|layout| axes(layout))?;
        largest.dense_as(step.to).ok()
    }

    /// The call of a program of one step, when it is one, broadcasts by NumPy's rule, has few operands of low rank, and
    /// is too small to share among threads. It is the call [of](OneCall::of) its schedule. `None` in all other cases:
    /// a [`Binding`](crate::Binding) and a [`Schedule`] tell what they are, or what is wrong.
    #[inline]
    pub fn find(program: &Program, inputs: &[&Layout], output: &Layout, machine: &Machine) -> Option<Found> {
        let step = fitting_step(program, inputs, output)?;
        if output.shape().rank() > RANK {
            return None;
        }
        let Walk { rows, cols, offsets, sizes, two } = Walk::of(program, &step, inputs, output)?;
        let splat = |k: usize| k > 0 && cols.strides[k] == 0;
        let place = |k: usize| Rows { offset: offsets[k], row: rows.strides[k], splat: splat(k) };
        let moved = |k: usize| {
            let (r, c) = (rows.strides[k] != 0, cols.strides[k] != 0);
            let elements = (if r { rows.size } else { 1 }) * (if c { cols.size } else { 1 });
            elements.saturating_mul(sizes[k] as usize)
        };
        let line = rows.size == 1 && offsets[0] == 0;
        let mut found = Found {
            call: OneCall { rows: rows.size, cols: cols.size, out: place(0), ins: SmallVec::new(), line },
            op: step.op,
            from: operand_dtype(program, step.op, step.args, step.to),
            bytes: moved(0),
            written: moved(0),
            ns: 0,
            may_alias: SmallVec::new(),
        };
        // An input that nothing reads may be overwritten.
        inputs.iter().for_each(|_| found.may_alias.push(true));
        for (k, &arg) in (1..).zip(step.args) {
            found.call.ins.push(match program.value(arg).node {
                Node::Input(index) => {
                    let same = sizes[k] == sizes[0] && rows.strides[k] == rows.strides[0];
                    found.may_alias[index] = same && cols.strides[k] == cols.strides[0];
                    if !step.args[..k - 1].contains(&arg) {
                        found.bytes = found.bytes.saturating_add(moved(k));
                    }
                    found.call.line &= index + 1 == k && offsets[k] == 0 && !splat(k);
                    (Source::Input(index), place(k))
                }
                Node::Constant(constant) => {
                    found.call.line = false;
                    (Source::Constant(constant.bits.to_ne_bytes()), Rows::default())
                }
                Node::Step { .. } | Node::Exact { .. } | Node::Custom { .. } => return None,
            });
        }
        if two {
            let widest = sizes.iter().fold(1, |widest, &size| widest.max(size)) as usize;
            let output = (rows.strides[0], cols.strides[0]);
            let once =
                || (1..=step.args.len()).all(|k| rows.strides[k] == 0 || (rows.strides[k], cols.strides[k]) == output);
            let repeats = || if once() { Repeats::Everywhere } else { Repeats::Seldom };
            let stands = (1..=step.args.len()).any(|k| cols.strides[k] == 0 && rows.strides[k] != 0);
            let shares = |k: usize| {
                let is_move = matches!(found.op, Op::Copy | Op::BroadcastTo);
                (rows.strides[k] == 0 && cols.strides[k] != 0 && !is_move)
                    && Schedule::is_long_to_share(rows.size, cols.size, sizes[k] as usize, found.bytes, machine)
            };
            let is_row = |k: usize| rows.strides[k] == 0 && cols.strides[k] != 0;
            let holds = step.args.len() == 2
                && (1..=2).any(is_row)
                && Schedule::holds_row(rows.size, cols.size.saturating_mul(widest), (widest, found.bytes), machine);
            if cols.size.saturating_mul(widest) <= short_row(found.bytes, repeats, machine)
                || (stands && Schedule::is_arranged_row(cols.size, widest, found.bytes, machine))
                || (1..=step.args.len()).any(shares)
                || holds
            {
                return None;
            }
        }
        let step = step_ns(found.op, found.from, step.to, rows.size * cols.size, machine);
        found.ns = run_ns(found.bytes, step, 1, rows.size, machine);
        (tasks_worth(found.ns) <= 1).then_some(found)
    }
}

/// What a program of one step says of its call over operands that all lie alike, dense and in C order, whatever their size: what most
/// calls are. Made once for a program, it finds the call in a fraction of the time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DenseStep {
    op: Op,
    from: DType,
    to: DType,
    /// The dtypes of the inputs.
    inputs: SmallVec<[DType; 4]>,
    ins: SmallVec<[(Source, Rows); 3]>,
    line: bool,
    /// Bytes of one element of all operands, each counted once.
    bytes: usize,
    may_alias: SmallVec<[bool; 4]>,
}

impl DenseStep {
    /// Of a program of one step whose few operands are inputs and broadcast by NumPy's rule.
    pub fn of(program: &Program) -> Option<DenseStep> {
        let step = only_step(program)?;
        if *step.broadcast != Broadcast::Numpy || step.args.len() >= OPERANDS {
            return None;
        }
        let inputs: SmallVec<[DType; 4]> = program.inputs().iter().map(|input| input.dtype).collect();
        let along = Rows { offset: 0, row: 0, splat: false };
        // An input that nothing reads may be overwritten.
        let mut may_alias = SmallVec::from_elem(true, inputs.len());
        let mut ins = [(Source::Input(0), along); OPERANDS - 1];
        let (mut bytes, mut line) = (step.to.size(), true);
        for (k, (arg, into)) in step.args.iter().zip(&mut ins).enumerate() {
            let Node::Input(index) = program.value(*arg).node else { return None };
            may_alias[index] = inputs[index].size() == step.to.size();
            bytes += if step.args[..k].contains(arg) { 0 } else { inputs[index].size() };
            line &= index == k;
            into.0 = Source::Input(index);
        }
        let ins = SmallVec::from_slice(&ins[..step.args.len()]);
        let from = operand_dtype(program, step.op, step.args, step.to);
        Some(DenseStep { op: step.op, from, to: step.to, inputs, ins, line, bytes, may_alias })
    }

    /// The output layout that a binding would choose, over inputs of one dtype that all lie alike, dense and in C order: as they do. `None` of
    /// fewer than two elements too.
    #[inline]
    pub fn output(&self, inputs: &[&Layout]) -> Option<Layout> {
        let (first, others) = inputs.split_first()?;
        let alike = inputs.len() == self.inputs.len()
            && first.is_contiguous()
            && first.elements() > 1
            && others.iter().all(|other| other.places_as(first))
            && self.inputs.iter().all(|&dtype| dtype == first.dtype());
        if alike { first.dense_as(self.to).ok() } else { None }
    }

    /// The call over inputs that all lie as the output does, dense and in C order; as [`OneCall::find`], but it does not ask whether the
    /// machine [arranges](Machine::arranges).
    #[inline]
    pub fn find(&self, inputs: &[&Layout], output: &Layout, machine: &Machine) -> Option<Found> {
        let alike = inputs.len() == self.inputs.len()
            && output.is_contiguous()
            && output.dtype() == self.to
            && inputs.iter().zip(&self.inputs).all(|(input, &dtype)| {
                input.is_contiguous() && input.dtype() == dtype && input.shape().is_same(output.shape())
            });
        if alike { self.over(output.elements(), machine) } else { None }
    }

    /// The call over so many elements: of operands that [`DenseStep::output`] has a layout for.
    #[inline(always)]
    pub fn over(&self, elements: usize, machine: &Machine) -> Option<Found> {
        if elements < 2 {
            return None;
        }
        let (bytes, written) = (elements.saturating_mul(self.bytes), elements.saturating_mul(self.to.size()));
        let ns = run_ns(bytes, step_ns(self.op, self.from, self.to, elements, machine), 1, 1, machine);
        if tasks_worth(ns) > 1 {
            return None;
        }
        let out = Rows { offset: 0, row: 0, splat: false };
        // Copied: a clone of such a list goes through an iterator.
        let (ins, may_alias) = (SmallVec::from_slice(&self.ins), SmallVec::from_slice(&self.may_alias));
        let call = OneCall { rows: 1, cols: elements, out, ins, line: self.line };
        Some(Found { call, op: self.op, from: self.from, bytes, written, ns, may_alias })
    }
}

/// The step of a program of one, where the operands are the program's, few, and broadcast by NumPy's rule.
#[inline]
fn fitting_step<'p>(program: &'p Program, inputs: &[&Layout], output: &Layout) -> Option<OnlyStep<'p>> {
    let step = only_step(program)?;
    let fits = inputs.len() == program.inputs().len()
        && inputs.iter().zip(program.inputs()).all(|(layout, input)| layout.dtype() == input.dtype)
        && output.dtype() == step.to
        && *step.broadcast == Broadcast::Numpy
        && step.args.len() < OPERANDS;
    fits.then_some(step)
}

/// Whether no axis strides further than one outside it; axes of size 1 and stride 0 do not count.
#[inline]
pub(crate) fn in_c_order(layout: &Layout) -> bool {
    if layout.is_contiguous() {
        return true;
    }
    let mut outer = usize::MAX;
    layout.shape().iter().zip(layout.strides().values()).all(|(&size, &stride)| {
        let stride = stride.unsigned_abs();
        let counts = size != 1 && stride != 0;
        let falls = !counts || stride <= outer;
        outer = if counts { stride } else { outer };
        falls
    })
}
