//! Runs that are one kernel call. [`SingleKernel`] is made with the plan and has everything but the addresses.

use core::sync::atomic::AtomicU32;

use eltwise_core::{Layout, layout::Line};
use eltwise_kernels::{Kernel, Operand};
use eltwise_plan::single_call::{CallOperand, Operands, SingleCall, Source};
use eltwise_simd::fp_env::DefaultFpEnv;

use super::blank;
use crate::status::Status;

/// The most inputs of [`DenseOperands`].
const DENSE_INPUTS: usize = 3;

/// A kernel and its call.
#[derive(Clone, Debug)]
pub(crate) struct SingleKernel {
    pub(crate) kernel: Kernel,
    /// The operands' layouts, if they can be checked with a few comparisons.
    dense: Option<DenseOperands>,
    call: SingleCall,
}

/// The operands of a call over one row, if they are the inputs in order and the output, all dense along one axis. Most
/// small runs have these.
#[derive(Clone, Copy, Debug)]
struct DenseOperands {
    inputs: usize,
    /// Bytes of the longest operand.
    longest: usize,
    out: Line,
    ins: [Line; DENSE_INPUTS],
}

impl SingleKernel {
    /// The call of `kernel`. It does not take the fast path of [`SingleKernel::run_dense`].
    #[inline(always)]
    pub(crate) fn new(kernel: Kernel, call: SingleCall) -> SingleKernel {
        SingleKernel { kernel, dense: None, call }
    }

    /// Takes the fast path of [`SingleKernel::run_dense`] if the operands, which have these layouts, allow it.
    #[inline]
    pub(crate) fn allow_dense(&mut self, inputs: &[Layout], output: &Layout) {
        self.dense = DenseOperands::of(&self.call, inputs, output);
    }

    /// Whether these are operands of the plan, and all of them are dense along one axis.
    #[inline(always)]
    pub(crate) fn is_dense_over<'l>(
        &self,
        mut inputs: impl ExactSizeIterator<Item = &'l Layout>,
        output: &Layout,
    ) -> bool {
        self.dense.as_ref().is_some_and(|dense| {
            inputs.len() == dense.inputs
                && output.is_line(dense.out, self.call.cols)
                && dense.ins.iter().zip(&mut inputs).all(|(&line, layout)| layout.is_line(line, self.call.cols))
        })
    }

    /// Whether all operands are dense along one axis, and inputs at these addresses surely do not overlap an output at
    /// that address. If `false`, they may or may not overlap.
    #[inline(always)]
    pub(crate) fn is_dense_apart(&self, inputs: &[*const u8], output: *mut u8) -> bool {
        self.dense.as_ref().is_some_and(|dense| {
            inputs.len() == dense.inputs
                && inputs.iter().all(|input| input.addr().abs_diff(output.addr()) >= dense.longest)
        })
    }

    /// Runs the call over operands at these addresses, which are dense along one axis.
    ///
    /// # Safety
    /// As [`SingleKernel::run`]; [`SingleKernel::is_dense_over`] or [`SingleKernel::is_dense_apart`] holds.
    #[inline(always)]
    pub(crate) unsafe fn run_dense(&self, inputs: impl Iterator<Item = *mut u8>, output: *mut u8) -> Status {
        let _fp_env = DefaultFpEnv::new();
        let flags = AtomicU32::new(0);
        let mut call = blank(1, self.call.cols, &flags);
        call.out.ptr = output;
        call.ins.iter_mut().zip(inputs).for_each(|(into, ptr)| into.ptr = ptr);
        // SAFETY: the pointers are valid for the elements of the row; the kernel was chosen for this CPU.
        unsafe { (self.kernel)(&call) };
        Status(flags.into_inner())
    }

    /// Runs the call; `input` and `output` give element `[0, 0, ...]` of an operand.
    ///
    /// # Safety
    /// As [`Run::new`](super::Run::new), for the operands of the plan that this is the call of.
    #[inline]
    pub(crate) unsafe fn run(&self, input: impl Fn(usize) -> *mut u8, output: *mut u8) -> Status {
        let operands = match &self.call.ins {
            // SAFETY: the caller's contract; the operands of a dense call are the inputs in order.
            &Operands::Dense { inputs } => return unsafe { self.run_dense((0..inputs).map(input), output) },
            Operands::Any(operands) => operands,
        };
        let _fp_env = DefaultFpEnv::new();
        let flags = AtomicU32::new(0);
        let mut call = blank(self.call.rows, self.call.cols, &flags);
        call.out = operand(output, &self.call.out);
        for (into, (source, rows)) in call.ins.iter_mut().zip(operands) {
            *into = match source {
                Source::Input(index) => operand(input(*index), rows),
                Source::Constant(bytes) => Operand { ptr: bytes.as_ptr().cast_mut(), row: 0, splat: true },
                _ => Operand::NONE,
            };
        }
        // SAFETY: the pointers are valid for their operands' rows and columns; the kernel was chosen for this CPU.
        unsafe { (self.kernel)(&call) };
        Status(flags.into_inner())
    }
}

impl DenseOperands {
    #[inline]
    fn of(call: &SingleCall, inputs: &[Layout], output: &Layout) -> Option<DenseOperands> {
        let out = output.line()?;
        if call.ins != (Operands::Dense { inputs: inputs.len() }) || inputs.len() > DENSE_INPUTS {
            return None;
        }
        let (mut ins, mut size) = ([out; DENSE_INPUTS], output.dtype().size());
        for (line, layout) in ins.iter_mut().zip(inputs) {
            *line = layout.line()?;
            size = size.max(layout.dtype().size());
        }
        Some(DenseOperands { inputs: inputs.len(), longest: call.cols * size, out, ins })
    }
}

/// An operand whose element `[0, 0, ...]` is at `ptr`.
#[inline]
fn operand(ptr: *mut u8, rows: &CallOperand) -> Operand {
    Operand { ptr: ptr.wrapping_offset(rows.offset), row: rows.row, splat: rows.splat }
}
