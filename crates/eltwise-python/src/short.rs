//! Calls of the common kind, which are read without a Python call: arrays of one dtype and Python numbers, `out`, NumPy's
//! broadcasting. Dense ones need no planning ([`flat`]), others take their last plan ([`planned`]).
//!
//! Everything here works on raw objects and gives up (`None`) at anything unusual, before anything is written; the
//! general way then does the same, or says what is wrong.

use eltwise::promote::is_logical;
use eltwise::{DType, Isa, Literal, Op, Signature, Status};
use numpy::npyffi::PY_ARRAY_API;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::array::{Fields, array_type};
use crate::{apply, arguments, dtypes, flat, functions, isa, planned};

/// An operand.
#[derive(Clone, Copy)]
pub(crate) enum Operand<'a> {
    /// An array.
    Array(Fields<'a>),
    /// One element, as bits.
    Number(u128),
}

/// A call that was read.
pub(crate) struct Short<'a> {
    /// The operator.
    pub op: Op,
    /// The dtype T of its operands.
    pub t: DType,
    /// The dtype of the result.
    pub result: DType,
    /// The operands; a condition is the first, and bool.
    pub operands: SmallVec<[Operand<'a>; 4]>,
    /// The array to write, of the result's dtype and writeable.
    pub out: Option<(*mut PyObject, Fields<'a>)>,
    /// The level in force.
    pub isa: Isa,
}

impl<'a> Short<'a> {
    /// The operands that are arrays.
    pub(crate) fn arrays(&self) -> impl Iterator<Item = Fields<'a>> {
        self.operands.iter().filter_map(|operand| match operand {
            Operand::Array(array) => Some(*array),
            Operand::Number(_) => None,
        })
    }

    /// The dtype of operand `i`.
    pub(crate) fn dtype(&self, i: usize) -> DType {
        if i == 0 && self.op.signature() == Signature::Select { DType::Bool } else { self.t }
    }
}

/// The result of a call, or `None` to take the general way.
///
/// # Safety
/// As for [`arguments::Parameters::place`].
pub(crate) unsafe fn call(
    op: Op,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> Option<*mut PyObject> {
    // SAFETY: called by Python, so this thread is attached.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller's contract.
    let call = unsafe { read(py, op, args, count, keywords)? };
    let (object, status) = match flat::run(py, &call) {
        Some(done) => done,
        None => planned::run(py, &call)?,
    };
    let object = match call.out {
        Some((out, _)) => {
            // SAFETY: a live object; the caller gets a reference of its own.
            unsafe { ffi::Py_INCREF(out) };
            out
        }
        // SAFETY: Return takes over the reference to a new array and gives one to it, or to a scalar for rank 0, or
        // null and an exception.
        None => unsafe { PY_ARRAY_API.PyArray_Return(py, object.cast()) },
    };
    if status != Status::default() && !object.is_null() {
        return Some(apply::reported(op.name(), status, object));
    }
    Some(object)
}

/// Reads a call.
///
/// # Safety
/// As for [`arguments::Parameters::place`]; the result is for the time of the call.
#[inline]
unsafe fn read<'a>(
    py: Python<'_>,
    op: Op,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> Option<Short<'a>> {
    let info = op.info();
    let first = usize::from(info.signature == Signature::Select);
    match info.signature {
        Signature::Same1 | Signature::Same2 | Signature::Same3 | Signature::Fold => {}
        Signature::Test1 | Signature::Test2 | Signature::Select | Signature::Convert => {}
        _ => return None,
    }
    // SAFETY: the caller's contract.
    let (given, out, target) = unsafe { named(py, op, args, count, keywords)? };
    let ndarray = array_type(py);
    // SAFETY: live objects; an array, alive during the call.
    let array = |object: *mut PyObject| unsafe { (ffi::Py_TYPE(object) == ndarray).then(|| Fields::of(object)) };
    // SAFETY: the descriptor of a live array.
    let dtype = |array: Fields<'_>| unsafe { dtypes::quick(array.descr()) };

    let t = dtype(given.get(first..)?.iter().find_map(|&object| array(object))?)?;
    // `divide` of integers computes in floats.
    if !info.takes(t) || (op == Op::Divide && !t.is_float()) {
        return None;
    }
    // An int after an array may be meant as an axis: the general call decides.
    if matches!(op, Op::Sum | Op::Mean) && given.len() == 2 && given.iter().any(|&object| array(object).is_none()) {
        return None;
    }
    let mut operands: SmallVec<[Operand<'a>; 4]> = SmallVec::new();
    for (i, &object) in given.iter().enumerate() {
        operands.push(match array(object) {
            Some(array) if dtype(array)? == if i < first { DType::Bool } else { t } => Operand::Array(array),
            None if i >= first && !is_logical(op) => Operand::Number(number(object, t)?),
            _ => return None,
        });
    }
    for i in given.len()..*op.counts().start() {
        operands.push(Operand::Number(Literal::default_of(op, i)?.constant(t).ok()?.bits));
    }

    let out = match out {
        Some(out) => Some((out, array(out)?)),
        None => None,
    };
    let result = match info.signature {
        Signature::Test1 | Signature::Test2 => DType::Bool,
        Signature::Convert => match target {
            Some(target) => target,
            None => dtype(out?.1)?,
        },
        _ => t,
    };
    // A conversion to the same dtype is a copy.
    if info.signature == Signature::Convert && (result == t || !info.takes(result)) {
        return None;
    }
    if out.is_some_and(|(_, out)| dtype(out) != Some(result) || !out.is_writeable()) {
        return None;
    }
    Some(Short { op, t, result, operands, out, isa: isa::current(py).ok()? })
}

/// The operands, `out`, and `dtype` of a call, if it has no other arguments.
///
/// # Safety
/// As for [`arguments::Parameters::place`].
#[inline]
unsafe fn named<'a>(
    py: Python<'_>,
    op: Op,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> Option<(&'a [*mut PyObject], Option<*mut PyObject>, Option<DType>)> {
    // SAFETY: the caller's contract.
    let given = unsafe { arguments::positional(args, count) };
    let (mut out, mut target) = (None, None);
    // SAFETY: an argument, alive during the call.
    let dtype = |object: *mut PyObject| unsafe { dtypes::quick(dtypes::as_descr(py, object)?) };
    let converts = op.signature() == Signature::Convert;
    let operands = match given {
        [x, object] if converts => {
            target = Some(dtype(*object)?);
            core::slice::from_ref(x)
        }
        _ if op.counts_given().contains(&given.len()) => given,
        _ => return None,
    };
    if !keywords.is_null() {
        // SAFETY: the caller's contract: a tuple of strings, and an argument for each after the positional ones.
        unsafe {
            for i in 0..ffi::PyTuple_Size(keywords) {
                let value = *args.add(given.len() + i as usize);
                match functions::keyword(py, ffi::PyTuple_GetItem(keywords, i))? {
                    functions::Keyword::Out => out = Some(value).filter(|&value| value != ffi::Py_None()),
                    functions::Keyword::DType if converts && target.is_none() => target = Some(dtype(value)?),
                    functions::Keyword::DType => return None,
                }
            }
        }
    }
    Some((operands, out, target))
}

/// The bits of a Python `int` or `float` as an element of `t`, if `t` holds it and promotion leaves `t` as it is.
#[inline]
fn number(object: *mut PyObject, t: DType) -> Option<u128> {
    // SAFETY: a live object, looked at with Python's lock held; an error of a conversion is cleared.
    let literal = unsafe {
        let class = ffi::Py_TYPE(object);
        if class == &raw mut ffi::PyFloat_Type && t.is_float() {
            Literal::Float(ffi::PyFloat_AsDouble(object))
        } else if class == &raw mut ffi::PyLong_Type && t.is_numeric() {
            let value = ffi::PyLong_AsLongLong(object);
            if value == -1 && !ffi::PyErr_Occurred().is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            Literal::Int(value.into())
        } else {
            return None;
        }
    };
    Some(literal.constant(t).ok()?.bits)
}
