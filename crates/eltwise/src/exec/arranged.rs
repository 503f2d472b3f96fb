//! The operands of a tile that its kernel permutes in registers: [`Arranged`].

use eltwise_kernels::Call;
use eltwise_kernels::arranged::{ArrangedCall, ArrangedKernel, Arrangement, arranged};
use eltwise_plan::bind::loop_nest::Loops;
use eltwise_plan::strategy::copy::is_close;
use eltwise_plan::strategy::{Access, Slot};
use eltwise_plan::{Schedule, Target};
use eltwise_simd::Isa;

use super::packings::readable_end;

/// One permuted operand or two, with the kernel: made with the plan, run for every tile.
#[derive(Clone, Debug)]
pub(crate) struct Arranged {
    kernel: ArrangedKernel,
    /// See [`ArrangedCall::input`].
    input: usize,
    /// The permuted operand. If there are two, both have its strides.
    operand: usize,
    arrangement: Box<Arrangement>,
    /// Bytes that a step of the cut loop spans.
    inner: usize,
    /// For each permuted operand of the step, the operand and its [`readable_end`].
    past: [Option<(usize, isize)>; 2],
}

impl Arranged {
    /// The permuted operand of a schedule; `None` if it has none, or no kernel permutes it.
    pub(crate) fn of(schedule: &Schedule, isa: Isa, target: &Target) -> Option<Arranged> {
        let operand = schedule.permuted?;
        let step = schedule.binding.steps.first()?;
        let size = schedule.binding.operands[operand].size;
        let (nest, nest_operand, tile) = (&schedule.nest, &schedule.nest.operands[operand], &schedule.tile);
        let (strides, inner) = (nest_operand.strides.get(tile.axis..)?, nest.sizes.get(tile.axis + 1..)?);
        let sizes: Loops<usize> = [tile.length].iter().chain(inner).copied().collect();
        if !is_close(size, sizes.iter().copied().zip(strides.iter().copied())) {
            return None;
        }
        let arrangement = if schedule.writes_anywhere(target) { Arrangement::near } else { Arrangement::new };
        let args = &schedule.steps[0].args;
        let mut found = [None; 2];
        for (past_of, &arg) in found.iter_mut().zip(args) {
            *past_of = match arg {
                Slot::Operand(operand) if schedule.access[operand] == Access::Permuted => Some(operand),
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
            operand,
            arrangement: Box::new(arrangement(size, &sizes, strides, isa)?),
            inner: span + size,
            past: found.map(|operand| operand.and_then(|operand| Some((operand, readable_end(schedule, operand)?)))),
        })
    }

    /// Calls the kernel over rows that are `steps` steps of the cut loop; `pointers` are the pointers of the run.
    ///
    /// # Safety
    /// As for [`ArrangedKernel`], with the operands of the schedule's step.
    pub(crate) unsafe fn run(&self, schedule: &Schedule, call: Call, steps: usize, pointers: &[*mut u8]) {
        let stride = schedule.nest.operands[self.operand].strides[schedule.tile.axis];
        let past = |past: (usize, isize)| pointers[past.0].wrapping_offset(past.1).cast_const();
        let call = ArrangedCall {
            call,
            input: self.input,
            arrangement: &raw const *self.arrangement,
            reach: (steps - 1) * stride.max(0) as usize + self.inner,
            past: self.past.map(|operand| operand.map_or(core::ptr::null(), past)),
        };
        // SAFETY: the caller's contract.
        unsafe { (self.kernel)(&call) };
    }
}
