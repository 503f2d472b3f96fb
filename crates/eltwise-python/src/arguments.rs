//! The parameters of an operator's function ([`Parameters`]), and the arguments of a vectorcall bound to them.

use core::slice;

use eltwise::{Accuracy, Op, Signature};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple};
use smallvec::SmallVec;

use crate::errors;
use crate::ufunc_options::{self, has_ufunc_options};

/// The parameters of an operator's function, in order; the first `required` have no default.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    /// The name of the function, for messages.
    pub function: &'static str,
    /// The names of the parameters: operands, then options. Operands of a variadic function have no names.
    pub names: SmallVec<[&'static str; 8]>,
    /// The number of parameters that may be given by position.
    pub positional: usize,
    /// Whether the operator has two operands, without parameters of its own.
    pub is_binary: bool,
    /// The number of parameters without a default.
    pub required: usize,
    /// The operator, if all positional arguments are operands, in any number. All `names` are keyword-only then, and an
    /// unknown keyword may be an argument of NumPy's reduction.
    pub variadic: Option<Op>,
}

/// The arguments given, one entry per parameter; `None` if the parameter was not given.
pub(crate) type BoundArguments<'a, 'py> = SmallVec<[Option<Borrowed<'a, 'py, PyAny>>; 8]>;

impl Parameters {
    /// The parameters of an operator's function, with those of [`Op::with_parameters`].
    pub(crate) fn of(op: Op) -> Parameters {
        let (function, required) = (op.name(), *op.counts_given().start());
        let is_binary = has_ufunc_options(op) && *op.counts().end() == 2;
        let op = op.with_parameters().unwrap_or(op);
        let variadic = *op.counts().end() > op.arity();
        let mut names: SmallVec<[&'static str; 8]> = if variadic { SmallVec::new() } else { op.operand_names().into() };
        match op.signature() {
            Signature::Fold => names.extend(["out", "broadcast", "accuracy"]),
            Signature::Convert => names.extend(["dtype", "out"]),
            Signature::Move => names.push("out"),
            _ => match op.arity() {
                1 => names.extend(["out", "accuracy"]),
                2 => names.extend(["out", "broadcast", "axis", "accuracy"]),
                _ => names.extend(["out", "broadcast", "accuracy"]),
            },
        }
        let required = if variadic { 0 } else { required };
        let positional = if variadic { 0 } else { names.len() };
        if has_ufunc_options(op) {
            names.extend(ufunc_options::NAMES);
        }
        Parameters { function, names, positional, is_binary, required, variadic: variadic.then_some(op) }
    }

    /// Binds the arguments of a vectorcall to the parameters, as Python does.
    ///
    /// # Errors
    /// `TypeError`, in Python's words: too many or missing arguments, unknown or repeated keywords.
    ///
    /// # Safety
    /// `args`, `count` and `keywords` are those of a `METH_FASTCALL | METH_KEYWORDS` call that lasts for `'a`: `count`
    /// positional arguments, followed by one argument for each name in the tuple `keywords`, or null `keywords`.
    pub(crate) unsafe fn bind<'a, 'py>(
        &self,
        py: Python<'py>,
        args: *const *mut PyObject,
        count: ffi::Py_ssize_t,
        keywords: *mut PyObject,
    ) -> PyResult<BoundArguments<'a, 'py>> {
        let mut bound: BoundArguments<'a, 'py> = SmallVec::from_elem(None, self.names.len());
        let positional = usize::try_from(count).unwrap_or(0);
        if self.variadic.is_none() && positional > self.positional {
            return Err(self.error(&format!("takes at most {} arguments ({positional} given)", self.positional)));
        }
        // SAFETY: the caller passes `count` arguments and one for each keyword, all alive during the call.
        let argument = |i: usize| unsafe { Borrowed::from_ptr(py, *args.add(i)) };
        let bound_by_position = if self.variadic.is_some() { 0 } else { positional };
        for (i, place) in bound.iter_mut().enumerate().take(bound_by_position) {
            *place = Some(argument(i));
        }
        if !keywords.is_null() {
            // SAFETY: the caller passes a tuple of strings.
            let keywords: Borrowed<'a, 'py, PyTuple> = unsafe { Borrowed::from_ptr(py, keywords).cast_unchecked() };
            for (i, keyword) in keywords.iter().enumerate() {
                let name = keyword.cast::<PyString>()?.to_cow()?;
                let Some(index) = self.index_of(&name) else {
                    return Err(self.error(&format!(
                        "got an unexpected keyword argument '{name}', expected {}{}",
                        self.names.join(", "),
                        self.variadic.map_or_else(String::new, |op| errors::reduction_advice(op, 1))
                    )));
                };
                if bound[index].replace(argument(positional + i)).is_some() {
                    return Err(self.error(&format!("got multiple values for argument '{name}'")));
                }
            }
        }
        if let Some(missing) = (0..self.required).find(|&i| bound[i].is_none()) {
            return Err(self.error(&format!("missing required argument: '{}'", self.names[missing])));
        }
        Ok(bound)
    }

    /// The index of a parameter. `x1` and `x2` are NumPy's names of the operands of a function of two.
    fn index_of(&self, name: &str) -> Option<usize> {
        match name {
            "x1" if self.is_binary => Some(0),
            "x2" if self.is_binary => Some(1),
            name => self.names.iter().position(|&n| n == name),
        }
    }

    fn error(&self, text: &str) -> PyErr {
        PyTypeError::new_err(format!("{}() {text}", self.function))
    }
}

/// The arguments of a vectorcall as a tuple and a dict.
///
/// # Safety
/// As for [`Parameters::bind`].
pub(crate) unsafe fn as_objects<'py>(
    py: Python<'py>,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> PyResult<(Bound<'py, PyTuple>, Option<Bound<'py, PyDict>>)> {
    // SAFETY: the caller passes `count` arguments and one for each name in the tuple of keywords, all alive during the call.
    unsafe {
        let object = |&object: &*mut PyObject| Borrowed::from_ptr(py, object).to_owned();
        let operands = PyTuple::new(py, positional(args, count).iter().map(object).collect::<Vec<_>>())?;
        if keywords.is_null() {
            return Ok((operands, None));
        }
        let (options, names) = (PyDict::new(py), Borrowed::from_ptr(py, keywords).cast_unchecked::<PyTuple>());
        for (i, name) in names.iter().enumerate() {
            options.set_item(name, object(&*args.add(operands.len() + i)))?;
        }
        Ok((operands, Some(options)))
    }
}

/// The object pointers of a vectorcall's positional arguments.
///
/// # Safety
/// As for [`Parameters::bind`].
#[inline]
pub(crate) unsafe fn positional<'a>(args: *const *mut PyObject, count: ffi::Py_ssize_t) -> &'a [*mut PyObject] {
    match usize::try_from(count) {
        // SAFETY: the caller passes `count` positional arguments, alive during the call.
        Ok(count @ 1..) => unsafe { slice::from_raw_parts(args, count) },
        _ => &[],
    }
}

/// The accuracy that the argument `accuracy` names: `"fast"` or `"correct"`. `None` selects the default of the operator.
///
/// # Errors
/// `ValueError` for anything else.
pub(crate) fn parse_accuracy(object: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Accuracy>> {
    let Some(object) = object else { return Ok(None) };
    let accuracy = object.cast::<PyString>().ok().and_then(|text| text.to_string_lossy().parse::<Accuracy>().ok());
    accuracy.map(Some).ok_or_else(|| match object.repr() {
        Ok(repr) => PyValueError::new_err(format!("accuracy={repr}, expected \"fast\" or \"correct\"")),
        Err(error) => error,
    })
}

/// The keywords that [`fast_args`](crate::fast_args) accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FastKeyword {
    Out,
    DType,
}

/// The keyword that a string is. Compares addresses only: Python interns the keyword names of compiled code.
#[inline]
pub(crate) fn fast_keyword(py: Python<'_>, name: *mut PyObject) -> Option<FastKeyword> {
    static NAMES: PyOnceLock<[Py<PyString>; 2]> = PyOnceLock::new();
    let [out, dtype] = NAMES.get_or_init(py, || ["out", "dtype"].map(|name| PyString::intern(py, name).unbind()));
    if name == out.as_ptr() {
        Some(FastKeyword::Out)
    } else if name == dtype.as_ptr() {
        Some(FastKeyword::DType)
    } else {
        None
    }
}
