//! Operands of other libraries, such as pandas and PyTorch: `_protocols.py` unwraps them, calls the function again, and wraps the
//! result.

use numpy::PyArrayDescr;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyComplex, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple, PyType};

use crate::{array, dtypes};

/// The result of a call whose operands or outputs are objects of other libraries. `None` if there is nothing special about them.
///
/// # Errors
/// What the call raises, and refusals: labels that differ, other devices, gradients, classes that compute by themselves.
pub(crate) fn call<'py>(
    function: &Bound<'py, PyAny>,
    operands: &Bound<'py, PyTuple>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = function.py();
    let in_options = || options.into_iter().flatten().any(|(_, value)| is_foreign(&value));
    if !operands.iter().any(|operand| is_foreign(&operand)) && !in_options() {
        return Ok(None);
    }
    let options = options.map_or_else(|| PyDict::new(py), Clone::clone);
    let result = py.import("eltwise._protocols")?.call_method1("call", (function, operands, options))?;
    Ok(if result.is(py.NotImplemented()) { None } else { Some(result) })
}

/// Whether an argument may be an object of another library, or is a tuple with one.
#[pyfunction]
#[pyo3(name = "_is_foreign", text_signature = "(value)")]
pub(crate) fn is_foreign(object: &Bound<'_, PyAny>) -> bool {
    if let Ok(tuple) = object.cast_exact::<PyTuple>() {
        return tuple.len() <= MAX_TUPLE && tuple.iter().any(|part| is_foreign(&part));
    }
    !is_plain(object)
}

/// The length of the longest tuple that may be a tuple of outputs.
const MAX_TUPLE: usize = 8;

/// Whether an object is a number, a sequence, or another value that NumPy converts.
fn is_plain(object: &Bound<'_, PyAny>) -> bool {
    object.get_type_ptr() == array::array_type(object.py())
        || object.is_none()
        || object.is_exact_instance_of::<PyFloat>()
        || object.is_exact_instance_of::<PyInt>()
        || object.is_exact_instance_of::<PyBool>()
        || object.is_exact_instance_of::<PyList>()
        || object.is_exact_instance_of::<PyString>()
        || object.is_exact_instance_of::<PyComplex>()
        || object.is_exact_instance_of::<PyBytes>()
        || object.is_instance_of::<PyType>()
        || object.is_instance_of::<PyArrayDescr>()
        || dtypes::of_scalar_class(object.py(), object.get_type_ptr()).is_some()
}
