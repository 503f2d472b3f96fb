//! The operand of a tile that its kernel puts in order in registers.

use eltwise_kernels::Call;
use eltwise_kernels::arranged::{ArrangedCall, ArrangedKernel, Arrangement, arranged};
use eltwise_kernels::pack::is_close;
use eltwise_plan::Schedule;
use eltwise_plan::nest::Loops;
use eltwise_plan::plan::Slot;
use eltwise_simd::Isa;

use super::packings::past;

/// An operand that is put in order: made with the plan, run for every tile.
#[derive(Clone, Debug)]
pub(crate) struct Arranged {
    kernel: ArrangedKernel,
    /// Its place among the step's operands.
    input: usize,
    leaf: usize,
    arrangement: Box<Arrangement>,
    /// Bytes that a step of the cut loop spans.
    inner: usize,
    /// Bytes from element `[0, 0, ...]` to the end of the last element, where all between is on pages of the leaf.
    past: Option<isize>,
}

impl Arranged {
    /// The operand that a schedule has put in order; `None` when it has none, or no order serves it.
    pub(crate) fn of(schedule: &Schedule, isa: Isa) -> Option<Arranged> {
        let leaf = schedule.arranged?;
        let step = schedule.binding.steps.first()?;
        let size = schedule.binding.leaves[leaf].size;
        let (nest, walk, tile) = (&schedule.nest, &schedule.nest.walks[leaf], &schedule.tile);
        let (strides, inner) = (walk.strides.get(tile.axis..)?, nest.sizes.get(tile.axis + 1..)?);
        let sizes: Loops<usize> = [tile.length].iter().chain(inner).copied().collect();
        if !is_close(size, &sizes, strides) {
            return None;
        }
        let span = inner.iter().zip(&strides[1..]).map(|(&n, &stride)| (n - 1) * stride.max(0) as usize).sum::<usize>();
        Some(Arranged {
            kernel: arranged(step.op.op()?, step.from, isa)?,
            input: schedule.steps[0].args.iter().position(|&arg| arg == Slot::Leaf(leaf))?,
            leaf,
            arrangement: Box::new(Arrangement::new(size, &sizes, strides, isa)?),
            inner: span + size,
            past: past(schedule, leaf),
        })
    }

    /// Calls the kernel over rows that are `steps` steps of the cut loop; `pointers` are those of the run.
    ///
    /// # Safety
    /// As for [`ArrangedKernel`], with the operands of the schedule's step.
    pub(crate) unsafe fn run(&self, schedule: &Schedule, call: Call, steps: usize, pointers: &[*mut u8]) {
        let stride = schedule.nest.walks[self.leaf].strides[schedule.tile.axis];
        let past = self.past.map_or(core::ptr::null(), |past| pointers[self.leaf].wrapping_offset(past).cast_const());
        let call = ArrangedCall {
            call,
            input: self.input,
            arrangement: &raw const *self.arrangement,
            reach: (steps - 1) * stride.max(0) as usize + self.inner,
            past,
        };
        // SAFETY: the caller's contract.
        unsafe { (self.kernel)(&call) };
    }
}
