//! One operator over dense operands without a plan: [`apply_dense`] is the fast path of the functions such as
//! `eltwise::add`, and [`dense_kernel`] finds the kernel, for other front ends too.

use eltwise_core::{Error, Op};
use eltwise_kernels::Kernel;
use eltwise_kernels::table::kernel;
use eltwise_plan::single_call::DenseCall;
use eltwise_simd::Isa;

use crate::array::Array;
use crate::debug::observe::is_instrumented;
use crate::exec::dense::{DenseInput, dense_isa, run_dense};
use crate::view::View;

/// Runs one operator over dense views of one dtype on the calling thread. `None` if that needs a plan.
#[inline(always)]
pub(crate) fn apply_dense(op: Op, inputs: &[View<'_>]) -> Option<Result<Array, Error>> {
    let call = DenseCall::of_layouts(op, inputs.iter().map(View::layout))?;
    let kernel = dense_kernel(&call, Isa::current())?;
    let layout = if call.to == call.from { Ok(call.model.clone()) } else { call.model.dense_as(call.to) };
    let mut out = match layout.and_then(Array::with_layout) {
        Ok(out) => out,
        Err(error) => return Some(Err(error)),
    };
    let mut ins = [DenseInput { ptr: core::ptr::null(), splat: false }; 4];
    for (i, (into, view)) in ins.iter_mut().zip(inputs).enumerate() {
        *into = DenseInput { ptr: view.as_ptr(), splat: call.is_splat(i) };
    }
    let ins = ins.get(..inputs.len())?;
    // SAFETY: the views are readable for the contiguous elements of their layout, a splat for one; the array is new and
    // has as many elements as the call. The kernel is the operator's for these dtypes and this CPU.
    let status = unsafe { run_dense(kernel, call.elements, out.as_mut_ptr(), ins) };
    Some(status.check().map(|()| out))
}

/// The kernel of a dense call for `isa` or an ISA below it. `None` if this build has none, or if runs are observed or
/// compared with the reference, which takes a plan.
#[inline]
pub fn dense_kernel<O>(call: &DenseCall<'_, O>, isa: Isa) -> Option<Kernel> {
    if is_instrumented() {
        return None;
    }
    let &DenseCall { op, from, to, .. } = call;
    Some(kernel(op, from, to, dense_isa(op, from, to, isa))?.kernel)
}
