//! Runs a [`FastCall`] without a plan ([`try_run`]): one kernel call over operands that are contiguous in the same axis
//! order or hold one element, few enough bytes for the calling thread.

use eltwise::Status;
use eltwise::kernels::{DenseInput, dense_isa, kernel, run_dense};
use numpy::npyffi::{PY_ARRAY_API, PyArray_Descr};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::array::{ArrayFields, array_type};
use crate::dtypes;
use crate::fast_args::{FastCall, FastOperand};
use crate::threads::width;

/// Calls over more bytes are planned: a plan can use threads, and lets other Python threads run.
const MAX_BYTES: usize = 512 << 10;

/// The same limit for math functions if there are threads: their arithmetic is slow enough to share fewer bytes.
/// (`gelu` of 16384 `f32`, 128 KiB, takes 12 us on one thread.)
const MAX_MATH_BYTES: usize = 64 << 10;

/// Runs the call if one kernel call can do it. The object is a new array, or `out` (borrowed) if it is given.
pub(crate) fn try_run(py: Python<'_>, call: &FastCall<'_>) -> Option<(*mut PyObject, Status)> {
    // A call with more operands than the operator's arity takes several steps. Check mode compares plans only.
    if cfg!(feature = "check") || call.operands.len() != call.op.arity() {
        return None;
    }
    // Every operand is a splat, or has the shape of the result and its axis order.
    let model = match call.out {
        Some((_, out)) => out,
        None => call.arrays().max_by_key(|array| array.elements())?,
    };
    let shape = model.shape();
    let elements = model.elements();
    let element_size = call.t.size().max(call.result.size());
    let max_bytes = if call.op.info().is_math(call.t) && width() > 1 { MAX_MATH_BYTES } else { MAX_BYTES };
    if elements.checked_mul((call.operands.len() + 1) * element_size).is_none_or(|bytes| bytes > max_bytes) {
        return None;
    }
    let (mut c_order, mut f_order) = (model.is_c_contiguous(), model.is_f_contiguous());
    let mut inputs: SmallVec<[DenseInput; 4]> = SmallVec::new();
    for operand in &call.operands {
        let array = match operand {
            FastOperand::Array(array) => array,
            FastOperand::Number(bits) => {
                inputs.push(DenseInput { ptr: (&raw const *bits).cast(), splat: true });
                continue;
            }
        };
        let splat = array.shape() != shape;
        if splat && (array.elements() != 1 || array.shape().len() > shape.len()) {
            return None;
        }
        if !splat {
            c_order &= array.is_c_contiguous();
            f_order &= array.is_f_contiguous();
        }
        inputs.push(DenseInput { ptr: array.data(), splat });
    }
    if !c_order && !f_order {
        return None;
    }

    let level = dense_isa(call.op, call.t, call.result, call.isa);
    let kernel = kernel(call.op, call.t, call.result, level)?.kernel;
    let (object, output) = match call.out {
        Some((out, array)) => {
            let output = array.data();
            if !aliasing_is_safe(output, elements, &inputs, call) {
                return None;
            }
            (out, output)
        }
        None => new_output(py, model, call, c_order)?,
    };
    // SAFETY: every input is contiguous with `elements` elements or is a splat, and has the dtype that the kernel was
    // looked up for. `output` is a new array, or overlaps inputs only exactly. The kernel is for an ISA of this
    // machine.
    let status = unsafe { run_dense(kernel, elements, output, &inputs) };
    Some((object, status))
}

/// Whether every input either shares no byte with the output or is exactly the output's memory.
fn aliasing_is_safe(output: *mut u8, elements: usize, inputs: &[DenseInput], call: &FastCall<'_>) -> bool {
    let output_bytes = elements * call.result.size();
    inputs.iter().enumerate().all(|(i, input)| {
        let size = call.dtype(i).size();
        let input_bytes = if input.splat { size } else { size * elements };
        let (from, to) = (input.ptr.addr(), output.addr());
        let disjoint = from + input_bytes <= to || to + output_bytes <= from;
        disjoint || (from == to && !input.splat && input_bytes == output_bytes)
    })
}

/// A new array of the model's shape, in C order or else in Fortran order, and its memory.
fn new_output(
    py: Python<'_>,
    model: ArrayFields<'_>,
    call: &FastCall<'_>,
    c_order: bool,
) -> Option<(*mut PyObject, *mut u8)> {
    // SAFETY: NewFromDescr steals the reference to the descriptor, which is new here, and returns a new reference or
    // null.
    unsafe {
        let descr: *mut PyArray_Descr = if dtypes::native_dtype(model.descr()) == Some(call.result) {
            ffi::Py_INCREF(model.descr().cast());
            model.descr()
        } else {
            dtypes::descr(py, call.result).ok()?.into_ptr().cast()
        };
        let object = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            array_type(py),
            descr,
            i32::try_from(model.shape().len()).ok()?,
            model.shape().as_ptr().cast_mut().cast(),
            core::ptr::null_mut(),
            core::ptr::null_mut(),
            i32::from(!c_order),
            core::ptr::null_mut(),
        );
        if object.is_null() {
            // The general call meets the same error and reports it.
            ffi::PyErr_Clear();
            return None;
        }
        Some((object, ArrayFields::of(object).data()))
    }
}
