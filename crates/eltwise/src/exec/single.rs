//! A run that is one kernel call: everything but the addresses is known when a plan is made.

use core::sync::atomic::AtomicU32;

use eltwise_kernels::{Kernel, Operand};
use eltwise_plan::Layout;
use eltwise_plan::layout::Line;
use eltwise_plan::one_call::{OneCall, Rows, Source};
use eltwise_simd::control::DefaultControl;

use super::blank;
use crate::status::Status;

/// A kernel and its call.
#[derive(Clone, Debug)]
pub(crate) struct Single {
    pub(crate) kernel: Kernel,
    pub(crate) call: OneCall,
}

impl Single {
    /// Runs the call; `input` and `output` give element `[0, 0, ...]` of an operand.
    ///
    /// # Safety
    /// As [`Run::new`](super::Run::new), for the operands of the plan that this is the call of.
    #[inline]
    pub(super) unsafe fn run(&self, input: impl Fn(usize) -> *mut u8, output: *mut u8) -> Status {
        let _control = DefaultControl::new();
        let flags = AtomicU32::new(0);
        let mut call = blank(self.call.rows, self.call.cols, &flags);
        if self.call.line {
            // What most calls are: there is nothing to look up.
            call.outs[0].ptr = output;
            for (k, into) in call.ins.iter_mut().enumerate().take(self.call.ins.len()) {
                into.ptr = input(k);
            }
        } else {
            call.outs[0] = place(output, &self.call.out);
            for (into, (source, rows)) in call.ins.iter_mut().zip(&self.call.ins) {
                *into = match source {
                    Source::Input(index) => place(input(*index), rows),
                    Source::Constant(bytes) => Operand { ptr: bytes.as_ptr().cast_mut(), row: 0, splat: true },
                    _ => Operand::NONE,
                };
            }
        }
        // SAFETY: the pointers are valid for their operands' rows and columns; the kernel was chosen for this CPU.
        unsafe { (self.kernel)(&call) };
        Status::from_flags(flags.into_inner())
    }
}

/// The most inputs of a [`LineCall`].
const LINES: usize = 3;

/// A single call over operands that are all dense along one axis, the inputs in their order: what most runs of few elements are.
/// Nothing is looked up but whether the operands are of the plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineCall {
    kernel: Kernel,
    elements: usize,
    pub(super) inputs: usize,
    /// Bytes of the operand that has most.
    most: usize,
    out: Line,
    ins: [Line; LINES],
}

impl LineCall {
    /// Of a plan's call and layouts, if it is one.
    #[inline]
    pub(crate) fn of(single: &Single, inputs: &[Layout], output: &Layout) -> Option<LineCall> {
        let out = output.line()?;
        if !single.call.line || inputs.len() > LINES || inputs.len() != single.call.ins.len() {
            return None;
        }
        let (mut ins, mut size) = ([out; LINES], output.dtype().size());
        for (line, layout) in ins.iter_mut().zip(inputs) {
            *line = layout.line()?;
            size = size.max(layout.dtype().size());
        }
        let elements = single.call.cols;
        Some(LineCall { kernel: single.kernel, elements, inputs: inputs.len(), most: elements * size, out, ins })
    }

    /// Whether the layouts are the plan's; there are [`LineCall::inputs`] of inputs.
    #[inline(always)]
    pub(super) fn fits<'l>(&self, mut inputs: impl Iterator<Item = &'l Layout>, output: &Layout) -> bool {
        output.is_line(self.out, self.elements)
            && self.ins.iter().zip(&mut inputs).all(|(&line, layout)| layout.is_line(line, self.elements))
    }

    /// Whether inputs at these addresses overlap nothing of an output there. `false` also of some that do not.
    #[inline(always)]
    pub(super) fn is_apart(&self, inputs: &[*const u8], output: *mut u8) -> bool {
        inputs.iter().all(|input| input.addr().abs_diff(output.addr()) >= self.most)
    }

    /// Runs the call over operands whose elements begin at these addresses.
    ///
    /// # Safety
    /// As [`Single::run`], of whose call this is; there are [`LineCall::inputs`] of inputs.
    #[inline(always)]
    pub(super) unsafe fn run(&self, inputs: impl Iterator<Item = *mut u8>, output: *mut u8) -> Status {
        let _control = DefaultControl::new();
        let flags = AtomicU32::new(0);
        let mut call = blank(1, self.elements, &flags);
        call.outs[0].ptr = output;
        call.ins.iter_mut().zip(inputs).for_each(|(into, ptr)| into.ptr = ptr);
        // SAFETY: the pointers are valid for so many elements; the kernel was chosen for this CPU.
        unsafe { (self.kernel)(&call) };
        Status::from_flags(flags.into_inner())
    }
}

/// An operand whose element `[0, 0, ...]` is at `ptr`.
#[inline]
fn place(ptr: *mut u8, rows: &Rows) -> Operand {
    Operand { ptr: ptr.wrapping_offset(rows.offset), row: rows.row, splat: rows.splat }
}
