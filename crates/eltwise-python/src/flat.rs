//! Calls that need no planning: arrays that lie densely in one order, and numbers, small enough for one thread.

use eltwise::Status;
use eltwise::kernels::{Flat, flat_level, kernel, run_flat};
use numpy::npyffi::{PY_ARRAY_API, PyArray_Descr};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::array::{Fields, array_type};
use crate::dtypes;
use crate::short::{Operand, Short};
use crate::threads::width;

/// Calls that touch more are planned: a plan has threads, and lets other Python threads run.
const MOST_BYTES: usize = 512 << 10;
/// The same of math functions where there are threads: they compute for so long that those may share less. (gelu of 16384 `f32`, 128 KiB, takes
/// 12 us on one.)
const MOST_SHARED_BYTES: usize = 64 << 10;

/// The result, a new reference if there is no `out`; `None` if the call is not of this kind.
pub(crate) fn run(py: Python<'_>, call: &Short<'_>) -> Option<(*mut PyObject, Status)> {
    // More operands than a kernel takes are several steps; only plans are compared with the definitions.
    if cfg!(feature = "check") || call.operands.len() != call.op.arity() {
        return None;
    }
    // Every operand has the result's shape, in one dense order, or is one element.
    let model = match call.out {
        Some((_, out)) => out,
        None => call.arrays().max_by_key(|array| array.elements())?,
    };
    let shape = model.shape();
    let elements = model.elements();
    let largest = call.t.size().max(call.result.size());
    let most = if call.op.info().is_math(call.t) && width() > 1 { MOST_SHARED_BYTES } else { MOST_BYTES };
    if elements.checked_mul((call.operands.len() + 1) * largest).is_none_or(|bytes| bytes > most) {
        return None;
    }
    let (mut c, mut f) = (model.is_c_contiguous(), model.is_f_contiguous());
    let mut ins: SmallVec<[Flat; 4]> = SmallVec::new();
    for operand in &call.operands {
        let array = match operand {
            Operand::Array(array) => array,
            Operand::Number(bits) => {
                ins.push(Flat { ptr: (&raw const *bits).cast(), splat: true });
                continue;
            }
        };
        let splat = array.shape() != shape;
        if splat && (array.elements() != 1 || array.shape().len() > shape.len()) {
            return None;
        }
        if !splat {
            c &= array.is_c_contiguous();
            f &= array.is_f_contiguous();
        }
        ins.push(Flat { ptr: array.data(), splat });
    }
    if !c && !f {
        return None;
    }

    let level = flat_level(call.op, call.t, call.result, call.isa);
    let kernel = kernel(call.op, call.t, call.result, level)?.kernel;
    let (object, to) = match call.out {
        Some((out, array)) => {
            let to = array.data();
            if !disjoint(to, elements, &ins, call) {
                return None;
            }
            (out, to)
        }
        None => empty(py, model, call, c)?,
    };
    // SAFETY: dense operands of `elements` elements or one, of the dtypes that the kernel was looked up for; `to` is a
    // new array or was checked to overlap none but exactly; the level is this machine's.
    let status = unsafe { run_flat(kernel, elements, to, &ins) };
    Some((object, status))
}

/// Whether the output overlaps no operand, but exactly one of its own size.
fn disjoint(to: *mut u8, elements: usize, ins: &[Flat], call: &Short<'_>) -> bool {
    let bytes = elements * call.result.size();
    ins.iter().enumerate().all(|(i, flat)| {
        let size = call.dtype(i).size();
        let length = if flat.splat { size } else { size * elements };
        let (from, to) = (flat.ptr.addr(), to.addr());
        let apart = from + length <= to || to + bytes <= from;
        apart || (from == to && !flat.splat && length == bytes)
    })
}

/// A new array of the model's shape, in C order if `c`, else in Fortran order, and its memory.
fn empty(py: Python<'_>, model: Fields<'_>, call: &Short<'_>, c: bool) -> Option<(*mut PyObject, *mut u8)> {
    // SAFETY: NewFromDescr steals the reference to the descriptor made here and returns a new reference or null.
    unsafe {
        let descr: *mut PyArray_Descr = if dtypes::quick(model.descr()) == Some(call.result) {
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
            i32::from(!c),
            core::ptr::null_mut(),
        );
        if object.is_null() {
            // The general way meets the same error and reports it.
            ffi::PyErr_Clear();
            return None;
        }
        Some((object, Fields::of(object).data()))
    }
}
