//! One operator over dense views without a plan: [`apply_dense`], the fast path of the functions such as
//! `eltwise::add`.

use eltwise_core::{Error, Op};
use eltwise_kernels::table;
use eltwise_plan::single_call::dense_result;
use eltwise_simd::Isa;

use crate::array::Array;
use crate::debug::observe::is_instrumented;
use crate::exec::dense::{DenseInput, dense_isa, run_dense};
use crate::view::View;

/// Runs one operator over views of the same dense layout on the calling thread. `None` if that needs a plan.
#[inline(always)]
pub(crate) fn apply_dense(op: Op, inputs: &[View<'_>]) -> Option<Result<Array, Error>> {
    let to = dense_result(op, inputs.iter().map(View::layout))?;
    if is_instrumented() {
        return None;
    }
    let first = inputs.first()?.layout();
    let from = first.dtype();
    let kernel = table::kernel(op, from, to, dense_isa(op, from, to, Isa::current()))?.kernel;
    let layout = if to == from { Ok(first.clone()) } else { first.dense_as(to) };
    let mut out = match layout.and_then(Array::with_layout) {
        Ok(out) => out,
        Err(error) => return Some(Err(error)),
    };
    let mut ins = [DenseInput { ptr: core::ptr::null(), splat: false }; 4];
    for (into, view) in ins.iter_mut().zip(inputs) {
        into.ptr = view.as_ptr();
    }
    let (ins, elements) = (ins.get(..inputs.len())?, first.elements());
    // SAFETY: the views are readable for the contiguous elements of their layout; the array is new and has as many
    // elements. The kernel is the operator's for these dtypes and this CPU.
    let status = unsafe { run_dense(kernel, elements, out.as_mut_ptr(), ins) };
    Some(status.check().map(|()| out))
}
