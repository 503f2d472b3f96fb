//! Arguments of a fast call: positions and keywords into named places.

use core::slice;

use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use smallvec::SmallVec;

/// The parameters of a function, in order; the first `required` have no default.
#[derive(Clone, Debug)]
pub(crate) struct Parameters {
    /// The function, for messages.
    pub function: &'static str,
    /// The names.
    pub names: SmallVec<[&'static str; 8]>,
    /// How many must be given.
    pub required: usize,
    /// Whether the function takes any number of positional arguments, which are none of these parameters.
    pub variadic: bool,
    /// What is said after an unknown keyword.
    pub advice: &'static str,
}

/// The arguments given, one place for each parameter.
pub(crate) type Given<'a, 'py> = SmallVec<[Option<Borrowed<'a, 'py, PyAny>>; 8]>;

impl Parameters {
    /// Places the arguments of a fast call.
    ///
    /// # Errors
    /// `TypeError`, in Python's words, for too many or missing arguments, unknown and repeated keywords.
    ///
    /// # Safety
    /// `args`, `count` and `keywords` are those of a call by `METH_FASTCALL | METH_KEYWORDS`, which lives for `'a`.
    pub(crate) unsafe fn place<'a, 'py>(
        &self,
        py: Python<'py>,
        args: *const *mut PyObject,
        count: ffi::Py_ssize_t,
        keywords: *mut PyObject,
    ) -> PyResult<Given<'a, 'py>> {
        let mut given: Given<'a, 'py> = SmallVec::from_elem(None, self.names.len());
        let positional = usize::try_from(count).unwrap_or(0);
        if !self.variadic && positional > self.names.len() {
            return Err(self.wrong(&format!("takes at most {} arguments ({positional} given)", self.names.len())));
        }
        // SAFETY: the call's contract: `count` arguments, then one for each keyword, all alive during the call.
        let argument = |i: usize| unsafe { Borrowed::from_ptr(py, *args.add(i)) };
        let placed = if self.variadic { 0 } else { positional };
        for (i, place) in given.iter_mut().enumerate().take(placed) {
            *place = Some(argument(i));
        }
        if !keywords.is_null() {
            // SAFETY: the call's contract: a tuple of strings.
            let keywords: Borrowed<'a, 'py, PyTuple> = unsafe { Borrowed::from_ptr(py, keywords).cast_unchecked() };
            for (i, keyword) in keywords.iter().enumerate() {
                let name = keyword.cast::<PyString>()?.to_cow()?;
                let Some(at) = self.names.iter().position(|&n| n == name) else {
                    return Err(self.wrong(&format!(
                        "got an unexpected keyword argument '{name}', expected {}{}",
                        self.names.join(", "),
                        self.advice
                    )));
                };
                if given[at].replace(argument(positional + i)).is_some() {
                    return Err(self.wrong(&format!("got multiple values for argument '{name}'")));
                }
            }
        }
        if let Some(missing) = (0..self.required).find(|&i| given[i].is_none()) {
            return Err(self.wrong(&format!("missing required argument: '{}'", self.names[missing])));
        }
        Ok(given)
    }

    fn wrong(&self, what: &str) -> PyErr {
        PyTypeError::new_err(format!("{}() {what}", self.function))
    }
}

/// The object pointers of a fast call's positional arguments.
///
/// # Safety
/// As for [`Parameters::place`].
#[inline]
pub(crate) unsafe fn positional<'a>(args: *const *mut PyObject, count: ffi::Py_ssize_t) -> &'a [*mut PyObject] {
    match usize::try_from(count) {
        // SAFETY: the call's contract.
        Ok(count @ 1..) => unsafe { slice::from_raw_parts(args, count) },
        _ => &[],
    }
}
