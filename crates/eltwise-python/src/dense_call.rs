//! Runs a [`FastCall`] without a plan ([`try_run`]) if it is one kernel call over dense operands, too small for threads.
//! The engine decides both: [`DenseCall`].

use eltwise::kernels::{DenseCall, DenseInput, DenseOperand, dense_kernel, may_write_dense, run_dense};
use eltwise::{DType, Status};
use numpy::npyffi::{PY_ARRAY_API, PyArray_Descr};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::array::{ArrayFields, array_type};
use crate::dtypes;
use crate::fast_args::{FastCall, FastOperand};

/// Runs the call if one kernel call can do it. The object is a new array or, for rank 0, a new scalar, or null with an
/// exception set; or `out` (borrowed) if it is given.
pub(crate) fn try_run(py: Python<'_>, call: &FastCall<'_>) -> Option<(*mut PyObject, Status)> {
    if !call.is_uniform() {
        return None;
    }
    let out = call.out.map(|(_, array)| FastOperand::Array(array));
    let dense = DenseCall::of(call.op, (call.t, call.result), call.operands.iter(), out.as_ref())?;
    if !dense.is_inline(|| eltwise::target(call.isa)) {
        return None;
    }
    let kernel = dense_kernel(&dense, call.isa)?;
    let mut inputs: SmallVec<[DenseInput; 4]> = SmallVec::new();
    for (i, operand) in call.operands.iter().enumerate() {
        inputs.push(DenseInput { ptr: operand.data(), splat: dense.is_splat(i) });
    }
    let (object, output) = match call.out {
        Some((out, array)) => {
            let typed = inputs.iter().enumerate().map(|(i, &input)| (input, call.dtypes[i]));
            if !may_write_dense(dense.elements, (array.data(), call.result), typed) {
                return None;
            }
            (out, array.data())
        }
        None if dense.model.shape().is_empty() => {
            let mut bits = 0u128;
            // SAFETY: the inputs and the output have one element of the dtypes that the kernel was looked up for.
            let status = unsafe { run_dense(kernel, 1, (&raw mut bits).cast(), &inputs) };
            return Some((new_scalar(py, bits, call.result)?, status));
        }
        None => new_output(py, dense.model, call)?,
    };
    // SAFETY: every input is contiguous with `dense.elements` elements or is a splat, and has the dtype that the kernel
    // was looked up for. `output` is a new array of as many elements, or an array that the call may write. The kernel is
    // for an ISA of this machine.
    let status = unsafe { run_dense(kernel, dense.elements, output, &inputs) };
    Some((object, status))
}

impl<'a> FastOperand<'a> {
    /// The operand if it is an array.
    #[inline]
    fn array(&self) -> Option<ArrayFields<'a>> {
        match self {
            FastOperand::Array(array) => Some(*array),
            FastOperand::Number(_) => None,
        }
    }

    /// The address of the first element.
    #[inline]
    fn data(&self) -> *const u8 {
        match self {
            FastOperand::Array(array) => array.data(),
            FastOperand::Number(bits) => (&raw const *bits).cast(),
        }
    }

    /// The sizes of the axes.
    #[inline]
    fn shape(&self) -> &'a [usize] {
        self.array().map_or(&[], ArrayFields::shape)
    }
}

/// The dtypes of a [`FastCall`] were checked when it was read.
impl DenseOperand for FastOperand<'_> {
    #[inline]
    fn elements(&self) -> usize {
        self.shape().iter().product()
    }

    #[inline]
    fn rank(&self) -> usize {
        self.shape().len()
    }

    #[inline]
    fn is_contiguous(&self) -> bool {
        self.array().is_none_or(|array| array.is_c_contiguous() || array.is_f_contiguous())
    }

    #[inline]
    fn is_alike(&self, model: &Self) -> bool {
        let (Some(array), Some(model)) = (self.array(), model.array()) else { return false };
        // The shape alone determines whether a contiguous array is contiguous in both orders.
        let is_same_order = (array.is_c_contiguous() && model.is_c_contiguous())
            || (array.is_f_contiguous() && model.is_f_contiguous());
        let (shape, model) = (array.shape(), model.shape());
        // For a few axes, a loop is faster than `memcmp`.
        is_same_order && shape.len() == model.len() && shape.iter().zip(model).all(|(size, other)| size == other)
    }
}

/// A new NumPy scalar, or null with an exception set.
fn new_scalar(py: Python<'_>, mut bits: u128, dtype: DType) -> Option<*mut PyObject> {
    let descr = dtypes::descr(py, dtype).ok()?;
    // SAFETY: the element has the descriptor's size, which is at most 16 bytes; the result is a new reference.
    Some(unsafe {
        PY_ARRAY_API.PyArray_Scalar(py, (&raw mut bits).cast(), descr.as_ptr().cast(), core::ptr::null_mut())
    })
}

/// A new array of the model's shape, in C order or else in Fortran order, and its memory.
fn new_output(py: Python<'_>, model: &FastOperand<'_>, call: &FastCall<'_>) -> Option<(*mut PyObject, *mut u8)> {
    let shape = model.shape();
    let is_fortran = model.array().is_some_and(|model| !model.is_c_contiguous());
    // The first operand of `where` is a condition, of another dtype.
    let last = call.operands.iter().rev().find_map(FastOperand::array);
    // SAFETY: NewFromDescr steals the reference to the descriptor, which is new here, and returns a new reference or
    // null.
    unsafe {
        let descr: *mut PyArray_Descr = match last {
            Some(array) if dtypes::native_dtype(array.descr()) == Some(call.result) => {
                ffi::Py_INCREF(array.descr().cast());
                array.descr()
            }
            _ => dtypes::descr(py, call.result).ok()?.into_ptr().cast(),
        };
        let object = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            array_type(py),
            descr,
            i32::try_from(shape.len()).ok()?,
            shape.as_ptr().cast_mut().cast(),
            core::ptr::null_mut(),
            core::ptr::null_mut(),
            i32::from(is_fortran),
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
