//! A run that is one kernel call: everything but the addresses is known when a plan is made.

use core::sync::atomic::AtomicU32;

use eltwise_kernels::{Kernel, Operand};
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

/// An operand whose element `[0, 0, ...]` is at `ptr`.
#[inline]
fn place(ptr: *mut u8, rows: &Rows) -> Operand {
    Operand { ptr: ptr.wrapping_offset(rows.offset), row: rows.row, splat: rows.splat }
}
