//! One Python function for each operator of the catalogue.
//!
//! They are built-in functions of the fast calling convention: a call costs a few nanoseconds before the first line of
//! ours, which is what small arrays feel. Each has its own C function, so that it knows its operator, and can be pickled
//! by its name like any function of a module.

use core::ffi::{CStr, c_char};
use core::ptr;
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

use eltwise::{Accuracy, Broadcast, Literal, Op, Signature};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{
    self, METH_FASTCALL, METH_KEYWORDS, PyCFunctionFastWithKeywords, PyMethodDef, PyMethodDefPointer, PyObject,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyFloat, PyInt, PyString};

use crate::apply::{Request, apply};
use crate::arguments::Parameters;
use crate::broadcasting::mode;
use crate::run::Output;
use crate::{arguments, dtypes, errors, short};

macro_rules! entries {
    ($($variant:ident $name:ident $signature:ident ($($operand:ident $(= $default:literal)?),*) [$($class:ident)*] $exactness:ident [$($condition:ident)*] $doc:literal;)*) => {
        /// Each operator's C function.
        const ENTRIES: &[(Op, PyCFunctionFastWithKeywords)] = &[$((Op::$variant, entry::<{ Op::$variant as u8 }>),)*];
    };
}

eltwise_plan::catalogue!(entries);

/// Names that NumPy or the Python array API standard have for an operator whose name here is another.
const ALIASES: &[(&str, &str)] = &[
    ("absolute", "abs"),
    ("invert", "bitwise_not"),
    ("bitwise_invert", "bitwise_not"),
    ("mod", "remainder"),
    ("power", "pow"),
    ("left_shift", "shift_left"),
    ("bitwise_left_shift", "shift_left"),
    ("right_shift", "shift_right"),
    ("bitwise_right_shift", "shift_right"),
    ("true_divide", "divide"),
    ("arcsin", "asin"),
    ("arccos", "acos"),
    ("arctan", "atan"),
    ("arctan2", "atan2"),
    ("arcsinh", "asinh"),
    ("arccosh", "acosh"),
    ("arctanh", "atanh"),
];

/// The C function of one operator.
///
/// # Safety
/// Called by Python, by the convention `METH_FASTCALL | METH_KEYWORDS`.
unsafe extern "C" fn entry<const OP: u8>(
    _module: *mut PyObject,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> *mut PyObject {
    const { assert!((OP as usize) < Op::ALL.len()) };
    let op = Op::ALL[OP as usize];
    let result = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the call's contract.
        match unsafe { short::call(op, args, count, keywords) } {
            Some(object) => object,
            // SAFETY: the call's contract.
            None => Python::attach(|py| match unsafe { general(py, op, args, count, keywords) } {
                Ok(object) => object.into_ptr(),
                Err(error) => {
                    error.restore(py);
                    ptr::null_mut()
                }
            }),
        }
    }));
    result.unwrap_or_else(|panic| {
        Python::attach(|py| errors::panicked(&*panic).restore(py));
        ptr::null_mut()
    })
}

/// Any call of an operator's function.
///
/// # Safety
/// As for [`Parameters::place`].
unsafe fn general<'py>(
    py: Python<'py>,
    op: Op,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> PyResult<Bound<'py, PyAny>> {
    let parameters = parameters(op);
    // SAFETY: the caller's contract.
    let given = unsafe { parameters.place(py, args, count, keywords)? };
    let places = if parameters.variadic { 0 } else { op.arity() };
    let (operands, rest) = given.split_at(places);
    let named = |name: &str| {
        let at = parameters.names.iter().skip(places).position(|&n| n == name)?;
        rest[at].filter(|object| !matches!(name, "out" | "dtype") || !object.is_none())
    };
    let accuracy = accuracy(named("accuracy").as_deref())?;
    let operands = if parameters.variadic {
        // SAFETY: the call's contract: live objects.
        let all = unsafe { arguments::positional(args, count) };
        // SAFETY: as above.
        let all = all.iter().map(|&object| unsafe { Borrowed::from_ptr(py, object) }.to_owned()).collect();
        check_variadic(op, &all)?;
        all
    } else {
        let places = operands.iter().enumerate();
        places.map(|(i, o)| o.map_or_else(|| default(py, op, i), |o| Ok(o.to_owned()))).collect::<PyResult<_>>()?
    };
    let out = named("out");
    let mut target = named("dtype").map(|dtype| dtypes::parse(&dtype)).transpose()?;
    if op.signature() == Signature::Convert && target.is_none() {
        // The dtype of `out` is the dtype asked for.
        let out = out.ok_or_else(|| PyTypeError::new_err(format!("{op}() missing required argument: 'dtype'")))?;
        let out = Output::of(&out).map_err(|e| errors::with_context(e, || format!("{op}(): out")))?;
        target = Some(out.dtype);
    }
    let mode = match (named("broadcast"), named("axis")) {
        (None, None) => Broadcast::Numpy,
        (name, axis) => mode(name.as_deref(), axis.as_deref(), None)?,
    };
    apply(py, Request { op, operands, out: out.map(Borrowed::to_owned), mode, target, accuracy })
}

/// Checks the operands of a function of any number of them, which NumPy's users may take for a reduction.
fn check_variadic(op: Op, operands: &Operands<'_>) -> PyResult<()> {
    if !op.counts().contains(&operands.len()) {
        let (words, advice) = (op.operands_in_words(), op.advice_on_count(operands.len()));
        return Err(PyTypeError::new_err(format!("{op}() takes {words}, {} given{advice}", operands.len())));
    }
    if let ([x, y], Op::Sum | Op::Mean) = (operands.as_slice(), op)
        && y.is_exact_instance_of::<PyInt>()
        && !x.is_instance_of::<PyInt>()
        && !x.is_instance_of::<PyFloat>()
    {
        let advice = op.advice_on_count(1);
        return Err(PyTypeError::new_err(format!("{op}(): an int after an array looks like an axis{advice}")));
    }
    Ok(())
}

/// The operands of a call.
type Operands<'py> = smallvec::SmallVec<[Bound<'py, PyAny>; 4]>;

/// The number that an operand is where it is left out.
fn default(py: Python<'_>, op: Op, i: usize) -> PyResult<Bound<'_, PyAny>> {
    match Literal::default_of(op, i) {
        Some(Literal::Int(value)) => value.into_bound_py_any(py),
        Some(Literal::Float(value)) => value.into_bound_py_any(py),
        _ => Err(PyTypeError::new_err(format!("{op}() missing required argument: '{}'", op.operand_names()[i]))),
    }
}

/// `accuracy` is "fast" or "exact"; without, the fast tier.
pub(crate) fn accuracy(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Accuracy>> {
    let Some(given) = given else { return Ok(None) };
    let tier = given.cast::<PyString>().ok().and_then(|text| text.to_string_lossy().parse::<Accuracy>().ok());
    tier.map(Some).ok_or_else(|| match given.repr() {
        Ok(repr) => PyValueError::new_err(format!("accuracy={repr}, expected \"fast\" or \"exact\"")),
        Err(error) => error,
    })
}

/// The parameters of an operator's function.
fn parameters(op: Op) -> Parameters {
    let variadic = *op.counts().end() > op.arity();
    let mut names: smallvec::SmallVec<[&'static str; 8]> =
        if variadic { smallvec::SmallVec::new() } else { op.operand_names().into() };
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
    let required = if variadic { 0 } else { *op.counts_given().start() };
    let advice = if variadic { op.advice_on_count(1) } else { "" };
    Parameters { function: op.name(), names, required, variadic, advice }
}

/// The default of a parameter, as Python writes it.
fn written(name: &str) -> &'static str {
    match name {
        "broadcast" => "\"numpy\"",
        "axis" => "-1",
        "accuracy" => "\"fast\"",
        _ => "None",
    }
}

/// A function's documentation: the signature in the form that `inspect` reads, then text.
fn documentation(op: Op) -> String {
    let parameters = parameters(op);
    let info = op.info();
    let mut text = format!("{}({}", op.name(), if parameters.variadic { "*operands" } else { "" });
    for (i, name) in parameters.names.iter().enumerate() {
        let comma = if i == 0 && !parameters.variadic { "" } else { ", " };
        let value = match i.checked_sub(parameters.required).and_then(|i| info.defaults.get(i)) {
            _ if i < parameters.required => String::new(),
            Some(default) if !parameters.variadic => format!("={default}"),
            _ => format!("={}", written(name)),
        };
        text += &format!("{comma}{name}{value}");
    }
    text += &format!(")\n--\n\n{}\n\n", info.doc);
    let takes = info.dtypes().replace("opaque", "any plain bytes");
    text += &match info.signature {
        Signature::Select => {
            format!("cond: bool (numbers are true when they are not 0). x, y: {takes}; the result has their dtype.\n")
        }
        Signature::Convert => {
            format!("x: {takes}. dtype: anything that numpy.dtype takes, or \"bfloat16\"; left out, that of `out`.\n")
        }
        Signature::Test1 | Signature::Test2 => format!("Operands: {takes}. The result is bool.\n"),
        Signature::Exponent => format!("x: {takes}. The result is int32.\n"),
        Signature::Count => format!("x: {takes}. The result is uint8.\n"),
        Signature::Scale => format!("x: {takes}; the result has its dtype. n: integers, but not uint64.\n"),
        Signature::Quantize => format!(
            "x, scale: {takes}. zero_point: int8, uint8, int16, uint16 or int32; the result has its dtype. A Python\n\
             number is uint8.\n"
        ),
        Signature::Dequantize => format!(
            "x, zero_point: int8, uint8, int16, uint16 or int32, both of one dtype. scale: {takes}; the result has its\n\
             dtype.\n"
        ),
        _ => format!("Operands: {takes}. The result has their dtype.\n"),
    };
    text += "\nOperands are arrays of any shape and strides, or what numpy.asarray takes. Dtypes promote as in NumPy 2, where\n\
             Python numbers adapt to the arrays; an operator that takes floats only has integers converted to floats, and\n\
             bool is taken where NumPy takes it. A result of rank 0 is a NumPy scalar.\n\n\
             out: an array to write and return, of a shape that the operands broadcast to and a dtype that the result\n\
             casts to within its kind; it may be an operand, or overlap one. Without, the result is a new array in the\n\
             axis order of the operands.\n";
    if parameters.variadic {
        text += &format!("A call takes {}; all other arguments are given by name.\n", op.operands_in_words());
    }
    if op.arity() > 1 {
        text += "broadcast: \"numpy\" or \"none\"";
        text += if parameters.names.contains(&"axis") {
            "; of two operands also \"unidirectional\", \"pdpd\" (y starts at axis `axis` of x).\n"
        } else {
            ".\n"
        };
    }
    if info.conditions.contains(&"zero_division") {
        text += "Division of integers by zero gives 0 and is reported as numpy.errstate(divide=...) says.\n";
    }
    if info.conditions.contains(&"negative_exponent") {
        text += "A negative exponent raises ValueError, with out written.\n";
    }
    if parameters.names.contains(&"accuracy") {
        text += "accuracy: \"fast\" (within 1 ULP) or \"exact\" (correctly rounded; not of float64), for operators that are not\n\
             exact by definition.\n";
    }
    text + "\nRaises TypeError for dtypes, ValueError for shapes, OverflowError for a Python number out of range.\n"
}

/// Adds the functions of all operators, and their aliases, to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    for &(op, function) in ENTRIES {
        if op == Op::BroadcastTo {
            // A view, not a copy: see `broadcasting`.
            continue;
        }
        let function = builtin(module, op.name(), function, &documentation(op))?;
        for &(alias, name) in ALIASES {
            if name == op.name() {
                module.add(alias, &function)?;
            }
        }
        module.add(op.name(), function)?;
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
    let text = |s: &str| CString::new(s).map_err(|_| PyTypeError::new_err("a text with a zero byte"));
    // Python keeps pointers to the definition as long as the function lives: for the life of the process.
    let definition = Box::leak(Box::new(PyMethodDef {
        ml_name: leak(text(name)?),
        ml_meth: PyMethodDefPointer { PyCFunctionFastWithKeywords: function },
        ml_flags: METH_FASTCALL | METH_KEYWORDS,
        ml_doc: leak(text(doc)?),
    }));
    let package = PyString::intern(module.py(), "eltwise");
    // SAFETY: the definition lives forever; the result is a new reference or null with an exception set.
    unsafe {
        let object = ffi::PyCFunction_NewEx(definition, module.as_ptr(), package.as_ptr());
        Bound::from_owned_ptr_or_err(module.py(), object)
    }
}

fn leak(text: CString) -> *const c_char {
    let text: &'static CStr = Box::leak(text.into_boxed_c_str());
    text.as_ptr()
}

/// A keyword that calls in loops have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Keyword {
    Out,
    DType,
}

/// The keyword that a string is, found by its address: Python interns the names in a program's text.
#[inline]
pub(crate) fn keyword(py: Python<'_>, object: *mut PyObject) -> Option<Keyword> {
    static NAMES: PyOnceLock<[Py<PyString>; 2]> = PyOnceLock::new();
    let [out, dtype] = NAMES.get_or_init(py, || ["out", "dtype"].map(|name| PyString::intern(py, name).unbind()));
    if object == out.as_ptr() {
        Some(Keyword::Out)
    } else if object == dtype.as_ptr() {
        Some(Keyword::DType)
    } else {
        None
    }
}
