//! The operands of a tile that its kernel puts in order in registers.

use eltwise_kernels::Call;
use eltwise_kernels::arranged::{ArrangedCall, ArrangedKernel, Arrangement, arranged};
use eltwise_kernels::pack::is_close;
use eltwise_plan::nest::Loops;
use eltwise_plan::plan::{Access, Slot};
use eltwise_plan::{Machine, Schedule};
use eltwise_simd::Isa;

use super::packings::past;

/// An operand that is put in order, or both: made with the plan, run for every tile.
#[derive(Clone, Debug)]
pub(crate) struct Arranged {
    kernel: ArrangedKernel,
    /// See [`ArrangedCall::input`].
    input: usize,
    /// The leaf that is put in order; its strides are those of both.
    leaf: usize,
    arrangement: Box<Arrangement>,
    /// Bytes that a step of the cut loop spans.
    inner: usize,
    /// For each operand that is put in order, its leaf, and bytes from element `[0, 0, ...]` to the end of the last element,
    /// where all between is on pages of the leaf.
    past: [Option<(usize, isize)>; 2],
}

impl Arranged {
    /// The operand that a schedule has put in order; `None` when it has none, or no order serves it.
    pub(crate) fn of(schedule: &Schedule, isa: Isa, machine: &Machine) -> Option<Arranged> {
        let leaf = schedule.arranged?;
        let step = schedule.binding.steps.first()?;
        let size = schedule.binding.leaves[leaf].size;
        let (nest, walk, tile) = (&schedule.nest, &schedule.nest.walks[leaf], &schedule.tile);
        let (strides, inner) = (walk.strides.get(tile.axis..)?, nest.sizes.get(tile.axis + 1..)?);
        let sizes: Loops<usize> = [tile.length].iter().chain(inner).copied().collect();
        if !is_close(size, &sizes, strides) {
            return None;
        }
        let arrangement = if schedule.writes_anywhere(machine) { Arrangement::near } else { Arrangement::new };
        let args = &schedule.steps[0].args;
        let mut found = [None; 2];
        for (past_of, &arg) in found.iter_mut().zip(args) {
            *past_of = match arg {
                Slot::Leaf(leaf) if schedule.access[leaf] == Access::Arranged => Some(leaf),
                _ => None,
            };
        }
        let span = inner.iter().zip(&strides[1..]).map(|(&n, &stride)| (n - 1) * stride.max(0) as usize).sum::<usize>();
        Some(Arranged {
            kernel: arranged(step.op.op()?, step.from, isa)?,
            input: match found {
                [Some(_), Some(_)] => ArrangedCall::BOTH,
                found => found.iter().position(Option::is_some)?,
            },
            leaf,
            arrangement: Box::new(arrangement(size, &sizes, strides, isa)?),
            inner: span + size,
            past: found.map(|leaf| leaf.and_then(|leaf| Some((leaf, past(schedule, leaf)?)))),
        })
    }

    /// Calls the kernel over rows that are `steps` steps of the cut loop; `pointers` are those of the run.
    ///
    /// # Safety
    /// As for [`ArrangedKernel`], with the operands of the schedule's step.
    pub(crate) unsafe fn run(&self, schedule: &Schedule, call: Call, steps: usize, pointers: &[*mut u8]) {
        let stride = schedule.nest.walks[self.leaf].strides[schedule.tile.axis];
        let past = |past: (usize, isize)| pointers[past.0].wrapping_offset(past.1).cast_const();
        let call = ArrangedCall {
            call,
            input: self.input,
            arrangement: &raw const *self.arrangement,
            reach: (steps - 1) * stride.max(0) as usize + self.inner,
            past: self.past.map(|of| of.map_or(core::ptr::null(), past)),
        };
        // SAFETY: the caller's contract.
        unsafe { (self.kernel)(&call) };
    }
}
