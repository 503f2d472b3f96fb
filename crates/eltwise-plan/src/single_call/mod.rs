//! Runs that are one kernel call over rows x columns.
//!
//! A [`SingleStep`] is made once per program of one step. Its [`bind`](SingleStep::bind) gives the [`SingleCall`] of small
//! operands straight from their layouts, several times faster than a binding, a loop nest and a schedule.
//! [`SingleCall::of_schedule`] reads the call of larger runs off their schedule. A [`DenseCall`] needs no program: it is one
//! operator over dense operands.

mod dense;
mod step;

use eltwise_core::{Constant, Layout};
use smallvec::SmallVec;

use crate::cost::Cost;
use crate::strategy::{Access, Schedule, Slot, Strategy};

pub use dense::{DenseCall, DenseOperand};
pub use step::SingleStep;

/// Where the elements of an operand come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Source {
    /// The input with this position.
    Input(usize),
    /// A scalar: the bytes of its element in memory order, then zeros.
    Constant([u8; 16]),
}

impl From<Constant> for Source {
    fn from(constant: Constant) -> Source {
        Source::Constant(constant.bits.to_ne_bytes())
    }
}

/// The rows and columns of a call in the memory of one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CallOperand {
    /// Bytes from element `[0, 0, ...]` to the first element of the first row.
    pub offset: isize,
    /// Bytes from one row to the next.
    pub row: isize,
    /// Whether one element is read for all columns; otherwise the columns are contiguous.
    pub splat: bool,
}

/// The operands of a call and the sources of their elements.
pub type CallOperands = SmallVec<[(Source, CallOperand); 3]>;

/// What a call reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operands {
    /// The first inputs, in order. There is one row, and each of them and the output is contiguous from element
    /// `[0, 0, ...]`.
    Dense {
        /// How many inputs the step reads.
        inputs: usize,
    },
    /// Operands of any kind. The [`CallOperand`] of a constant is not used.
    Any(CallOperands),
}

/// A run that is one kernel call with one output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SingleCall {
    /// The number of rows.
    pub rows: usize,
    /// The elements of a row.
    pub cols: usize,
    /// The output.
    pub out: CallOperand,
    /// The operands of the step, or [`Operands::Dense`].
    pub ins: Operands,
}

/// The result of [`SingleStep::bind`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoundCall {
    /// The call.
    pub call: SingleCall,
    /// The layout of the output.
    pub output: Layout,
    /// The expected cost of the run, as [`Schedule::cost`].
    pub cost: Cost,
    /// For each input, whether it may be the same memory as the output.
    pub may_alias: SmallVec<[bool; 4]>,
}

impl SingleCall {
    fn new(rows: usize, cols: usize, out: CallOperand, ins: CallOperands) -> SingleCall {
        let is_contiguous = |operand: &CallOperand| operand.offset == 0 && !operand.splat;
        let is_input = |(k, (source, operand)): (usize, &(Source, CallOperand))| {
            *source == Source::Input(k) && is_contiguous(operand)
        };
        let is_dense = rows == 1 && is_contiguous(&out) && ins.iter().enumerate().all(is_input);
        let ins = if is_dense { Operands::Dense { inputs: ins.len() } } else { Operands::Any(ins) };
        SingleCall { rows, cols, out, ins }
    }

    /// The call of a schedule, if it is one call: [`Strategy::Direct`] with at most two loops.
    pub fn of_schedule(schedule: &Schedule) -> Option<SingleCall> {
        let nest = &schedule.nest;
        if schedule.strategy != Strategy::Direct || nest.sizes.len() > 2 {
            return None;
        }
        let call_operand = |operand: usize| {
            let strides = &nest.operands[operand];
            let row = if nest.sizes.len() == 2 { strides.strides[0] } else { 0 };
            CallOperand { offset: strides.offset, row, splat: schedule.access[operand] == Access::Splat }
        };
        let step = schedule.steps.first()?;
        let mut ins = CallOperands::new();
        for &arg in &step.args {
            ins.push(match arg {
                Slot::Operand(operand) => {
                    (Source::Input(schedule.binding.operands[operand].index), call_operand(operand))
                }
                Slot::Constant(c) => (schedule.binding.constants[c].into(), CallOperand::default()),
                Slot::Register(_) => return None,
            });
        }
        let Slot::Operand(out) = step.result else { return None };
        Some(SingleCall::new(nest.rows(), nest.columns(), call_operand(out), ins))
    }
}
