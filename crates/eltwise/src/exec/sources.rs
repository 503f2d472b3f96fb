//! Operands of kernel calls over tiles, without addresses: [`ShapeOperand`].

use eltwise_plan::Schedule;
use eltwise_plan::bind::loop_nest::Loops;
use eltwise_plan::strategy::{Access, Slot};

/// Where an operand of a call is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// An operand of the schedule, in memory or packed.
    Operand(usize),
    /// A register: bytes from the start of the scratch.
    Register(usize),
    /// A constant.
    Constant(usize),
    /// There is none.
    None,
}

/// An operand of a call, without its address.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShapeOperand {
    pub(super) source: Source,
    pub(super) row: isize,
    pub(super) splat: bool,
}

/// Where a slot is over a tile of these iterations, and its strides along the loops.
#[inline]
pub(super) fn strides_of(
    schedule: &Schedule,
    slot: Option<Slot>,
    size: usize,
    steps: &[usize],
) -> (Source, Loops<isize>) {
    match slot {
        Some(Slot::Operand(operand)) if matches!(schedule.access[operand], Access::Packed { .. }) => {
            (Source::Operand(operand), schedule.packed_strides(operand, steps).0)
        }
        Some(Slot::Operand(operand)) => (Source::Operand(operand), schedule.nest.operands[operand].strides.clone()),
        Some(Slot::Register(at)) => (Source::Register(at), Schedule::dense_strides(size, steps)),
        Some(Slot::Constant(constant)) => (Source::Constant(constant), Loops::zeros(steps.len())),
        _ => (Source::None, Loops::zeros(steps.len())),
    }
}
