//! The engine's errors as Python's.

use eltwise::{Error, ErrorKind};
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The Python exception of an error, after `context`: the call that failed, such as
/// `add(x: float32[3], y: float32[4])`.
///
/// | exception | for |
/// |---|---|
/// | `TypeError` | dtypes that an operator does not take, wrong numbers of operands |
/// | `OverflowError` | a Python integer, or a literal of a text, that its dtype cannot hold |
/// | `RuntimeError` | a result that check mode finds wrong |
/// | `ValueError` | everything else: shapes, modes, expressions |
pub(crate) fn described(error: &Error, context: &str) -> PyErr {
    let text = match error {
        // Whatever their bytes, of which the engine has not heard then.
        Error::TooLarge { shape, .. } if shape.elements().is_err() => {
            format!("shape {shape} has more elements than the address space has bytes")
        }
        other => other.to_string(),
    };
    let message = if context.is_empty() { text } else { format!("{context}: {text}") };
    exception(error.kind(), message)
}

/// Operands as messages list them: all of a few, the first of many.
pub(crate) fn listed(operands: impl ExactSizeIterator<Item = String>) -> String {
    const MOST: usize = 12;
    const SHOWN: usize = 8;
    let count = operands.len();
    if count <= MOST {
        return operands.collect::<Vec<_>>().join(", ");
    }
    let first = operands.take(SHOWN).collect::<Vec<_>>().join(", ");
    format!("{first}, ... ({count} operands)")
}

/// The exception of a kind of errors.
pub(crate) fn exception(kind: ErrorKind, message: String) -> PyErr {
    match kind {
        ErrorKind::DType | ErrorKind::Arity | ErrorKind::Unsupported => PyTypeError::new_err(message),
        ErrorKind::Literal => PyOverflowError::new_err(message),
        ErrorKind::Check => PyRuntimeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// A `TypeError` or `ValueError`, Python's own or NumPy's, with the call that failed before its message; any other
/// exception, such as one of the caller's classes, as it is.
pub(crate) fn with_context(error: PyErr, context: impl FnOnce() -> String) -> PyErr {
    Python::attach(|py| {
        let text = || format!("{}: {}", context(), error.value(py));
        let module = error.get_type(py).module().map_or_else(|_| String::new(), |name| name.to_string());
        if module != "builtins" && !module.starts_with("numpy") {
            error
        } else if error.is_instance_of::<PyTypeError>(py) {
            PyTypeError::new_err(text())
        } else if error.is_instance_of::<PyValueError>(py) {
            PyValueError::new_err(text())
        } else {
            error
        }
    })
}

/// Text for a panic that was caught at the border.
pub(crate) fn panicked(payload: &(dyn core::any::Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    PyRuntimeError::new_err(format!("eltwise failed inside: {}", text.unwrap_or("unknown reason")))
}
