//! One Python function per operator of the catalogue ([`add_to`]), from the C entry point to the fast or general path.
//!
//! The functions are built-in functions with the calling convention `METH_FASTCALL | METH_KEYWORDS`: a call costs a few
//! nanoseconds before it reaches this module, which matters for small arrays. Each operator has its own C function,
//! which identifies the operator and lets the function be pickled by name.

use core::ffi::{CStr, c_char};
use core::ptr;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use eltwise::pairs::Pair;
use eltwise::{Broadcast, Literal, Op, Signature, Status};
use eltwise_core::names::ALIASES;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{
    self, METH_FASTCALL, METH_KEYWORDS, PyCFunctionFastWithKeywords, PyMethodDef, PyMethodDefPointer, PyObject,
};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyString};
use smallvec::SmallVec;

use crate::arguments::{self, Parameters, parse_accuracy};
use crate::broadcasting::parse_mode;
use crate::docstrings::docstring;
use crate::general_call::{self, GeneralCall};
use crate::run::Output;
use crate::ufunc_options::{UfuncOptions, has_ufunc_options};
use crate::{cached_plan, conditions, dense_call, dtypes, errors, fast_args, protocols};

macro_rules! entries {
    ($(#[doc = $doc:literal] $variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident $cost:ident $half:ident [$($kernel:ident)*] [$($condition:ident)*];)*) => {
        /// The C function of each operator.
        const ENTRIES: &[(Op, PyCFunctionFastWithKeywords)] = &[$((Op::$variant, entry::<{ Op::$variant as u8 }>),)*];
    };
}

eltwise_core::catalogue!(entries);

/// Runs a C function. A panic becomes an exception, and null.
fn guarded(function: impl FnOnce() -> *mut PyObject) -> *mut PyObject {
    catch_unwind(AssertUnwindSafe(function)).unwrap_or_else(|panic| {
        Python::attach(|py| errors::from_panic(&*panic).restore(py));
        ptr::null_mut()
    })
}

/// The C function of one operator.
///
/// # Safety
/// Python calls it by the convention `METH_FASTCALL | METH_KEYWORDS`.
unsafe extern "C" fn entry<const OP: u8>(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> *mut PyObject {
    const { assert!((OP as usize) < Op::ALL.len()) };
    let op = Op::ALL[OP as usize];
    guarded(|| {
        // SAFETY: Python passes the arguments of a call, alive until it returns.
        match unsafe { try_fast(op, args, count, keywords, Some(op.name())) } {
            Some(object) => object,
            // SAFETY: the same arguments.
            None => Python::attach(|py| match unsafe { call_any(py, op, args, count, keywords) } {
                Ok(object) => object.into_ptr(),
                Err(error) => {
                    error.restore(py);
                    ptr::null_mut()
                }
            }),
        }
    })
}

/// Runs a call of the common kind: returns a new reference, or null with an exception set. `None` if the call needs
/// [`call_general`]; nothing is written then. Data conditions are reported under the name `reports`.
///
/// # Safety
/// As for [`Parameters::bind`].
unsafe fn try_fast(
    op: Op,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
    reports: Option<&str>,
) -> Option<*mut PyObject> {
    // SAFETY: Python makes the call, so this thread is attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller's contract is the same.
    let call = unsafe { fast_args::read(py, op, args, count, keywords)? };
    let (object, status) = match dense_call::try_run(py, &call) {
        Some(done) => done,
        None => cached_plan::try_run(py, &call)?,
    };
    let object = match call.out {
        Some((out, _)) if !object.is_null() => {
            // SAFETY: `out` is a live argument; the result of the call is a new reference to it.
            unsafe { ffi::Py_INCREF(out) };
            out
        }
        _ => object,
    };
    if let Some(name) = reports
        && status != Status::default()
        && !object.is_null()
    {
        return Some(conditions::report_for(name, status, object));
    }
    Some(object)
}

/// The C function of a pair: a tuple of the results of both operators, or None if a call is not of the common kind. Data
/// conditions are reported once. A call without a plan runs the operators one after the other, other calls run both in one
/// pass.
///
/// # Safety
/// As for [`entry`].
unsafe extern "C" fn pair_entry<const PAIR: usize>(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> *mut PyObject {
    let pair = Pair::ALL[PAIR];
    let [first, second] = pair.parts();
    guarded(|| {
        // SAFETY: Python passes the arguments of a call, alive until it returns. Both results are new references, which the
        // tuple takes over, or null with an exception set.
        unsafe {
            let py = Python::assume_attached();
            let Some(call) = fast_args::read(py, first, args, count, keywords) else {
                return ffi::Py_NewRef(ffi::Py_None());
            };
            let (a, b, status) = match dense_call::try_run(py, &call) {
                Some((a, _)) if a.is_null() => return a,
                Some((a, status)) => (a, try_fast(second, args, count, keywords, None), status),
                None => match cached_plan::try_run_pair(py, pair, &call) {
                    Some(([a, b], _)) if a.is_null() => {
                        ffi::Py_XDECREF(b);
                        return a;
                    }
                    Some(([a, b], status)) => (a, Some(b), status),
                    None => return ffi::Py_NewRef(ffi::Py_None()),
                },
            };
            let Some(b) = b.filter(|b| !b.is_null()) else {
                ffi::Py_DECREF(a);
                return if b.is_some() { ptr::null_mut() } else { ffi::Py_NewRef(ffi::Py_None()) };
            };
            let both = ffi::PyTuple_New(2);
            if both.is_null() {
                ffi::Py_DECREF(a);
                ffi::Py_DECREF(b);
                return both;
            }
            ffi::PyTuple_SetItem(both, 0, a);
            ffi::PyTuple_SetItem(both, 1, b);
            if status == Status::default() { both } else { conditions::report_for(pair.name(), status, both) }
        }
    })
}

/// Runs any call. Operands of other libraries are unwrapped first, and the result is an object of their library.
///
/// # Safety
/// As for [`Parameters::bind`].
unsafe fn call_any<'py>(
    py: Python<'py>,
    op: Op,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the caller's contract is the same.
    unsafe {
        let named = if keywords.is_null() { 0 } else { ffi::PyTuple_Size(keywords) };
        let all = arguments::positional(args, count + named);
        if !all.iter().any(|&object| protocols::is_foreign(&Borrowed::from_ptr(py, object))) {
            return call_general(py, op, args, count, keywords);
        }
        let (operands, options) = arguments::as_objects(py, args, count, keywords)?;
        let function = py.import("eltwise._eltwise")?.getattr(op.name())?;
        match protocols::call(&function, &operands, options.as_ref())? {
            Some(result) => Ok(result),
            None => call_general(py, op, args, count, keywords),
        }
    }
}

/// Runs a call over operands that NumPy converts.
///
/// # Safety
/// As for [`Parameters::bind`].
unsafe fn call_general<'py>(
    py: Python<'py>,
    op: Op,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> PyResult<Bound<'py, PyAny>> {
    let parameters = Parameters::of(op);
    // SAFETY: the caller's contract is the same.
    let bound = unsafe { parameters.bind(py, args, count, keywords)? };
    let with_parameters = op.with_parameters().unwrap_or(op);
    let named_operands = if parameters.variadic.is_some() { 0 } else { with_parameters.arity() };
    let (mut operands, options) = bound.split_at(named_operands);
    let (called, mut op) = (op, op);
    if op != with_parameters {
        let is_given = |operand: &Option<Borrowed<'_, '_, PyAny>>| operand.is_some_and(|x| !x.is_none());
        if operands[op.arity()..].iter().any(is_given) {
            op = with_parameters;
        } else {
            operands = &operands[..op.arity()];
        }
    }
    let option = |name: &str| {
        let index = parameters.names.iter().skip(named_operands).position(|&n| n == name)?;
        // `out=None` and `dtype=None` mean the default.
        options[index].filter(|object| !matches!(name, "out" | "dtype") || !object.is_none())
    };
    let accuracy = parse_accuracy(option("accuracy").as_deref())?;
    let mut defaults = SmallVec::new();
    let operands = if parameters.variadic.is_some() {
        // SAFETY: the caller's contract is the same.
        let all = unsafe { arguments::positional(args, count) };
        // SAFETY: the arguments of a call are live objects.
        let all = all.iter().map(|&object| unsafe { Borrowed::from_ptr(py, object) }.to_owned()).collect();
        check_variadic(op, &all)?;
        all
    } else {
        for (i, operand) in operands.iter().enumerate() {
            let default = Literal::default_of(op, i);
            // None is the default of a parameter. As in NumPy, it is also one that depends on the dtype.
            let may_be_none = i >= called.arity() || matches!(default, Some(Literal::Largest { .. }));
            let is_none = may_be_none && operand.is_some_and(|x| x.is_none());
            match default {
                Some(default) if operand.is_none() || is_none => defaults.push((i, default)),
                None if operand.is_none() => {
                    let name = op.operand_names()[i];
                    return Err(PyTypeError::new_err(format!("{called}() missing required argument: '{name}'")));
                }
                _ => {}
            }
        }
        operands.iter().map(|operand| operand.map_or_else(|| py.None().into_bound(py), |x| x.to_owned())).collect()
    };
    let out = option("out");
    let (mut target, mut ufunc) = (None, UfuncOptions::default());
    if has_ufunc_options(op) {
        let owned = |name: &str| option(name).map(Borrowed::to_owned);
        ufunc = UfuncOptions::parse(owned).map_err(|e| errors::with_context(e, || format!("{called}()")))?;
    } else {
        target = option("dtype").map(|dtype| dtypes::parse(&dtype)).transpose()?;
    }
    if op.signature() == Signature::Convert && target.is_none() {
        let out = out.ok_or_else(|| PyTypeError::new_err(format!("{op}() missing required argument: 'dtype'")))?;
        let out = Output::from_object(&out).map_err(|e| errors::with_context(e, || format!("{op}(): out")))?;
        target = Some(out.dtype);
    }
    let mode = match (option("broadcast"), option("axis")) {
        (None, None) => Broadcast::Numpy,
        (name, axis) => parse_mode(name.as_deref(), axis.as_deref(), None)?,
    };
    let out = out.map(Borrowed::to_owned);
    let name = called.name();
    general_call::run(py, GeneralCall { op, name, operands, defaults, out, mode, target, accuracy, ufunc })
}

/// The operands of a call.
type Operands<'py> = SmallVec<[Bound<'py, PyAny>; 4]>;

/// Checks the operands of a variadic function, which users of NumPy may take for a reduction: their number, and an int
/// in the position of an axis.
fn check_variadic(op: Op, operands: &Operands<'_>) -> PyResult<()> {
    if !op.counts().contains(&operands.len()) {
        let (words, advice) = (op.operands_in_words(), errors::reduction_advice(op, operands.len()));
        return Err(PyTypeError::new_err(format!("{op}() takes {words}, {} given{advice}", operands.len())));
    }
    if let ([x, y], Op::Sum | Op::Mean) = (operands.as_slice(), op)
        && y.is_exact_instance_of::<PyInt>()
        && !x.is_instance_of::<PyInt>()
        && !x.is_instance_of::<PyFloat>()
    {
        let advice = errors::reduction_advice(op, 1);
        return Err(PyTypeError::new_err(format!("{op}(): an int after an array looks like an axis{advice}")));
    }
    Ok(())
}

/// Adds the functions of all operators, and their aliases, to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for &(op, function) in ENTRIES {
        if op == Op::BroadcastTo {
            // `broadcasting` has this function: in Python it returns a view, not a copy.
            continue;
        }
        let function = builtin(module, op.name(), function, &docstring(op))?;
        for &(alias, name) in ALIASES {
            if name == op.name() {
                module.add(alias, &function)?;
            }
        }
        module.add(op.name(), function)?;
    }
    let pairs: [PyCFunctionFastWithKeywords; 4] = [pair_entry::<0>, pair_entry::<1>, pair_entry::<2>, pair_entry::<3>];
    for (pair, function) in Pair::ALL.into_iter().zip(pairs) {
        let name = format!("_{}", pair.name());
        module.add(name.as_str(), builtin(module, &name, function, "Both results, or None: see `_pairs.py`.")?)?;
    }
    Ok(())
}

/// A built-in function of the package.
fn builtin<'py>(
    module: &Bound<'py, PyModule>,
    name: &str,
    function: PyCFunctionFastWithKeywords,
    doc: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let c_string = |s: &str| CString::new(s).map_err(|_| PyTypeError::new_err("a text with a zero byte"));
    // Python keeps pointers to the definition for the life of the function, which is that of the process.
    let definition = Box::leak(Box::new(PyMethodDef {
        ml_name: leak(c_string(name)?),
        ml_meth: PyMethodDefPointer { PyCFunctionFastWithKeywords: function },
        ml_flags: METH_FASTCALL | METH_KEYWORDS,
        ml_doc: leak(c_string(doc)?),
    }));
    let package = PyString::intern(module.py(), "eltwise");
    // SAFETY: the definition lives forever; the result is a new reference, or null with an exception set.
    unsafe {
        let object = ffi::PyCFunction_NewEx(definition, module.as_ptr(), package.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), object)
    }
}

fn leak(text: CString) -> *const c_char {
    let text: &'static CStr = Box::leak(text.into_boxed_c_str());
    text.as_ptr()
}
