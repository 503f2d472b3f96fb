//! Why a call failed ([`CallError`]), and Python exceptions for the engine's errors ([`to_exception`]).

use eltwise::{DType, Error, ErrorKind, Op};
use pyo3::exceptions::{PyOverflowError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::dtypes;

/// The Python exception for an error. The message starts with `context`, the call that failed, such as
/// `add(x: float32[3], y: float32[4])`.
///
/// | exception | errors |
/// |---|---|
/// | `TypeError` | dtypes that an operator does not take, wrong numbers of operands |
/// | `OverflowError` | a Python integer, or a literal of a text, that its dtype cannot hold |
/// | `RuntimeError` | a result that check mode finds wrong |
/// | `ValueError` | everything else: shapes, modes, expressions |
pub(crate) fn to_exception(error: &Error, context: &str) -> PyErr {
    let message = match error {
        // The context has the dtypes of the operands.
        Error::Operand { op, operand, why, .. } if !context.is_empty() => {
            format!("{context}: {}", at_operand(*op, *operand, why))
        }
        error if context.is_empty() => text(error),
        error => format!("{context}: {}", text(error)),
    };
    exception_of(error.kind(), message)
}

/// The text of an error. An error at a place in an expression has the text of its cause.
pub(crate) fn text(error: &Error) -> String {
    match error {
        // The element size does not matter then, and the engine may not know it: views have any dtype.
        Error::TooLarge { shape, .. } if shape.elements().is_err() => {
            format!("shape {shape} has too many elements: at most 2**63 - 1")
        }
        Error::Arity { op, given } => format!("{error}{}", numpys_reduction(*op, *given)),
        Error::DType { what, given, expected } => {
            format!("{what} is {}, expected {}", dtypes::name(*given), dtypes::name(*expected))
        }
        Error::Operand { op, operands, operand, why } => {
            let operands: Vec<&str> = operands.iter().map(|dtype| dtypes::name(*dtype)).collect();
            format!("{op}({}): {}", operands.join(", "), at_operand(*op, *operand, why))
        }
        Error::Target { op, from, given } => {
            let size = if *op == Op::Bitcast { " of the same size" } else { "" };
            let (from, given) = (dtypes::name(*from), dtypes::name(*given));
            format!("cannot {op} {from} to {given}; {op} takes {}{size}", dtypes::accepted(*op))
        }
        Error::Literal { given, dtype } => format!("the number {given} does not fit {}", dtypes::name(*dtype)),
        Error::Parse { cause: Some(cause), .. } => text(cause),
        other => other.to_string(),
    }
}

/// What is wrong with an operand: its name, the reason, and the dtypes that the operator takes, if it does not take the operand's.
fn at_operand(op: Op, operand: usize, why: &str) -> String {
    let name = op.operand_names().get(operand).copied().unwrap_or("an operand");
    let takes =
        if why.starts_with("not a dtype") { format!("; {op} takes {}", dtypes::accepted(op)) } else { String::new() };
    format!("{name}: {}{takes}", in_numpys_words(why))
}

/// A sentence with NumPy's names of dtypes in place of the engine's.
fn in_numpys_words(sentence: &str) -> String {
    let mut words = String::new();
    for word in sentence.split_inclusive(|c: char| !c.is_alphanumeric()) {
        let bare = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        let dtype = DType::ALL.iter().find(|dtype| dtype.name() == bare);
        words += dtype.map_or(bare, |dtype| dtypes::name(*dtype));
        words += &word[bare.len()..];
    }
    words
}

/// What to add to an error about the number of operands of a function that users of NumPy may take for a reduction, such as
/// `sum(x)`: what it does, and NumPy's function. Empty for other functions and for more than one operand.
pub(crate) fn reduction_advice(op: Op, given: usize) -> String {
    format!("{}{}", op.advice_on_count(given), numpys_reduction(op, given))
}

/// NumPy's function that reduces an array, as the end of an error about `op` of `given` operands.
fn numpys_reduction(op: Op, given: usize) -> &'static str {
    match op {
        _ if given > 1 => "",
        Op::Sum => "; use numpy.sum for that",
        Op::Mean => "; use numpy.mean for that",
        Op::Maximum => "; use numpy.max for that",
        Op::Minimum => "; use numpy.min for that",
        _ => "",
    }
}

/// The exception for a kind of errors.
pub(crate) fn exception_of(kind: ErrorKind, message: String) -> PyErr {
    match kind {
        ErrorKind::DType | ErrorKind::Arity | ErrorKind::Unsupported => PyTypeError::new_err(message),
        ErrorKind::Literal => PyOverflowError::new_err(message),
        ErrorKind::Check => PyRuntimeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// Joins the texts of operands for a message. Shortens long lists.
pub(crate) fn join_operands(operands: impl ExactSizeIterator<Item = String>) -> String {
    /// Lists up to this length are complete.
    const MAX_COMPLETE: usize = 12;
    /// The operands shown of a longer list.
    const SHOWN: usize = 8;
    let count = operands.len();
    if count <= MAX_COMPLETE {
        return operands.collect::<Vec<_>>().join(", ");
    }
    let first = operands.take(SHOWN).collect::<Vec<_>>().join(", ");
    format!("{first}, ... ({count} operands)")
}

/// Puts the call that failed in front of the message of a `TypeError` or `ValueError` of Python or NumPy. Returns other
/// exceptions, such as those of user-defined classes, unchanged.
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

/// The exception for a panic caught at the boundary to Python.
pub(crate) fn from_panic(payload: &(dyn core::any::Any + Send)) -> PyErr {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    PyRuntimeError::new_err(format!(
        "internal error in eltwise (a bug, please report it): {}",
        text.unwrap_or("unknown reason")
    ))
}

/// Why a call failed.
pub(crate) enum CallError {
    /// An error of the engine about the operands or the program.
    Engine(Error),
    /// A Python exception about the call. Its message does not name the call yet.
    Python(PyErr),
    /// An exception that code of the caller raised, which is passed on.
    Raised(PyErr),
}

impl From<Error> for CallError {
    fn from(error: Error) -> CallError {
        CallError::Engine(error)
    }
}

impl From<PyErr> for CallError {
    fn from(error: PyErr) -> CallError {
        CallError::Python(error)
    }
}

impl CallError {
    /// The exception. Its message starts with `context`, the call that failed.
    pub(crate) fn into_exception(self, context: impl FnOnce() -> String) -> PyErr {
        match self {
            CallError::Engine(error) => to_exception(&error, &context()),
            CallError::Python(error) => with_context(error, context),
            CallError::Raised(error) => error,
        }
    }
}
