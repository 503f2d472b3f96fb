//! Data conditions of a call. An integer division by zero and a number that overflows to infinity go through
//! `numpy.errstate`, by the Python module `eltwise._conditions`, as for NumPy's ufuncs. A negative exponent of an integer
//! raises `ValueError`.

use core::ptr;

use eltwise::Status;
use pyo3::exceptions::PyValueError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

/// Reports the conditions of a run of the operator or expression `name`.
///
/// # Errors
/// `ValueError` with NumPy's text for a negative exponent of an integer; unlike in NumPy, the result was written. For an
/// integer division by zero, the exception that `numpy.errstate(divide=...)` or a warning filter asks for.
pub(crate) fn report(py: Python<'_>, name: &str, status: Status) -> PyResult<()> {
    if status.negative_exponent() {
        return Err(PyValueError::new_err("Integers to negative integer powers are not allowed."));
    }
    if status.zero_division() {
        py.import("eltwise._conditions")?.call_method1("zero_division", (name,))?;
    }
    Ok(())
}

/// If `overflows`, reports that a Python number or a literal became infinite in its dtype.
///
/// # Errors
/// The exception that `numpy.errstate(over=...)` or a warning filter asks for.
pub(crate) fn report_overflow(py: Python<'_>, overflows: bool) -> PyResult<()> {
    if overflows {
        py.import("eltwise._conditions")?.call_method0("overflow")?;
    }
    Ok(())
}

/// As [`report`], for a new reference `result`: returns it, or releases it and returns null with an exception set.
#[cold]
pub(crate) fn report_for(name: &str, status: Status, result: *mut PyObject) -> *mut PyObject {
    Python::attach(|py| match report(py, name, status) {
        Ok(()) => result,
        Err(error) => {
            // SAFETY: `result` is a new reference, which the caller of the operator does not get.
            unsafe { ffi::Py_DECREF(result) };
            error.restore(py);
            ptr::null_mut()
        }
    })
}
