//! Operands and loops of kernel calls over tiles, without addresses: [`ShapeOperand`], [`CallLoop`].

use eltwise_plan::Schedule;
use eltwise_plan::bind::loop_nest::{Loops, coalesces};
use eltwise_plan::strategy::{Access, Slot};
use smallvec::SmallVec;

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
pub(super) fn source_and_strides(
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

/// A loop of a tile, and the strides of the operands of a call along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallLoop<S> {
    pub(super) count: usize,
    pub(super) strides: S,
}

/// The loops of a tile of these iterations, outermost first. `strides` gives those of the operands along a loop. Neighbouring loops
/// that all operands walk as one are one loop.
pub(super) fn coalesced_loops<S: AsRef<[isize]>>(
    steps: &[usize],
    strides: impl Fn(usize) -> S,
) -> SmallVec<[CallLoop<S>; 4]> {
    let mut loops: SmallVec<[CallLoop<S>; 4]> = SmallVec::new();
    for (axis, &count) in steps.iter().enumerate().filter(|&(_, &count)| count > 1) {
        let inner = CallLoop { count, strides: strides(axis) };
        match loops.last_mut() {
            Some(outer) if coalesces(outer.strides.as_ref(), inner.strides.as_ref(), count) => {
                *outer = CallLoop { count: outer.count * count, ..inner };
            }
            _ => loops.push(inner),
        }
    }
    loops
}
