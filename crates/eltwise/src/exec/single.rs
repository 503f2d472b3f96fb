//! A run that is one kernel call: everything but the addresses is known when a plan is made.

use eltwise_kernels::{Kernel, Operand};
use eltwise_plan::Schedule;
use eltwise_plan::plan::{Access, Slot, Strategy};
use smallvec::SmallVec;

use super::{Run, leaf_of};

/// The kernel call of a Direct schedule of at most two loops.
#[derive(Clone, Debug)]
pub(crate) struct Single {
    kernel: Kernel,
    rows: usize,
    cols: usize,
    out: Part,
    ins: SmallVec<[Source; 3]>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    leaf: usize,
    offset: isize,
    row: isize,
    splat: bool,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Leaf(Part),
    Constant(usize),
}

impl Single {
    /// The single call of a schedule, if it is one.
    pub(crate) fn of(schedule: &Schedule, kernel: Kernel) -> Option<Single> {
        let sizes = &schedule.nest.sizes[..];
        if schedule.strategy != Strategy::Direct || sizes.len() > 2 {
            return None;
        }
        let (rows, cols) = match sizes {
            [] => (1, 1),
            [cols] => (1, *cols),
            [rows, cols, ..] => (*rows, *cols),
        };
        let part = |leaf: usize| {
            let walk = &schedule.nest.walks[leaf];
            let row = if sizes.len() == 2 { walk.strides[0] } else { 0 };
            Part { leaf, offset: walk.offset, row, splat: schedule.access[leaf] == Access::Splat }
        };
        let step = schedule.steps.first()?;
        let ins = (step.args.iter())
            .map(|&arg| match arg {
                Slot::Leaf(leaf) => Some(Source::Leaf(part(leaf))),
                Slot::Constant(c) => Some(Source::Constant(c)),
                _ => None,
            })
            .collect::<Option<_>>()?;
        Some(Single { kernel, rows, cols, out: part(leaf_of(step.result)?), ins })
    }

    /// Runs the call.
    #[inline]
    pub(super) fn run(&self, run: &Run<'_>) {
        let operand = |part: &Part| Operand {
            ptr: run.pointers[part.leaf].wrapping_offset(part.offset),
            row: part.row,
            splat: part.splat,
        };
        let mut call = run.call(self.rows, self.cols);
        call.outs[0] = operand(&self.out);
        for (into, source) in call.ins.iter_mut().zip(&self.ins) {
            *into = match source {
                Source::Leaf(part) => operand(part),
                Source::Constant(c) => run.constant(*c),
            };
        }
        // SAFETY: the run's pointers are valid for the loops of their leaves; the kernel was chosen for this CPU.
        unsafe { (self.kernel)(&call) };
    }
}
