//! Reads the common kind of call without calling into Python ([`read`] gives a [`FastCall`]): arrays of one native
//! dtype, Python numbers, `out` and `dtype` as the only keywords, NumPy broadcasting.
//!
//! [`dense_call`](crate::dense_call) and [`cached_plan`](crate::cached_plan) run a `FastCall`. All three work on raw
//! objects and return `None` for anything unusual, before anything is written; [`general_call`](crate::general_call)
//! then handles the call, or reports what is wrong with it.

use eltwise::promote::is_logical;
use eltwise::{DType, Isa, Literal, Op, Signature};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::arguments::{self, FastKeyword, fast_keyword};
use crate::array::{ArrayFields, array_type};
use crate::{dtypes, isa};

/// An operand.
#[derive(Clone, Copy)]
pub(crate) enum FastOperand<'a> {
    /// An array.
    Array(ArrayFields<'a>),
    /// The bits of one element of dtype T.
    Number(u128),
}

/// A call of an operator that needs no promotion.
pub(crate) struct FastCall<'a> {
    /// The operator.
    pub op: Op,
    /// T: the common dtype of the operands, except the condition of `where`.
    pub t: DType,
    /// The dtype of the result.
    pub result: DType,
    /// The operands. A condition is the first, and bool.
    pub operands: SmallVec<[FastOperand<'a>; 4]>,
    /// The output if one is given: a writeable array of the result's dtype.
    pub out: Option<(*mut PyObject, ArrayFields<'a>)>,
    /// The ISA to use.
    pub isa: Isa,
}

impl FastCall<'_> {
    /// The dtype of operand `i`.
    pub(crate) fn dtype(&self, i: usize) -> DType {
        if i == 0 && self.op.signature() == Signature::Select { DType::Bool } else { self.t }
    }
}

/// Reads a call; `None` if it is not of the common kind.
///
/// # Safety
/// As for [`arguments::Parameters::bind`]; the result is valid during the call.
#[inline]
pub(crate) unsafe fn read<'a>(
    py: Python<'_>,
    op: Op,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> Option<FastCall<'a>> {
    let info = op.info();
    let conditions = usize::from(info.signature == Signature::Select);
    match info.signature {
        Signature::Unary | Signature::Binary | Signature::Ternary | Signature::Fold => {}
        Signature::UnaryPredicate | Signature::BinaryPredicate | Signature::Select | Signature::Convert => {}
        _ => return None,
    }
    // SAFETY: the caller's contract is the same.
    let (given, out, target) = unsafe { split_keywords(py, op, args, count, keywords)? };
    let ndarray = array_type(py);
    // SAFETY: `object` is an argument, alive during the call, and exactly an ndarray before its fields are read.
    let array = |object: *mut PyObject| unsafe { (ffi::Py_TYPE(object) == ndarray).then(|| ArrayFields::of(object)) };
    // SAFETY: a live array keeps its descriptor alive.
    let dtype = |array: ArrayFields<'_>| unsafe { dtypes::native_dtype(array.descr()) };

    let t = dtype(given.get(conditions..)?.iter().find_map(|&object| array(object))?)?;
    // `divide` computes integers in floats, which needs promotion.
    if !info.takes(t) || (op == Op::Divide && !t.is_float()) {
        return None;
    }
    // An int after an array may be meant as an axis, which is an error in the general call.
    if matches!(op, Op::Sum | Op::Mean) && given.len() == 2 && given.iter().any(|&object| array(object).is_none()) {
        return None;
    }
    let mut operands: SmallVec<[FastOperand<'a>; 4]> = SmallVec::new();
    for (i, &object) in given.iter().enumerate() {
        operands.push(match array(object) {
            Some(array) if dtype(array)? == if i < conditions { DType::Bool } else { t } => FastOperand::Array(array),
            None if i >= conditions && !is_logical(op) => FastOperand::Number(number_bits(object, t)?),
            _ => return None,
        });
    }
    for i in given.len()..*op.counts().start() {
        operands.push(FastOperand::Number(Literal::default_of(op, i)?.constant(t).ok()?.bits));
    }

    let out = match out {
        Some(out) => Some((out, array(out)?)),
        None => None,
    };
    let result = match info.signature {
        Signature::UnaryPredicate | Signature::BinaryPredicate => DType::Bool,
        Signature::Convert => match target {
            Some(target) => target,
            None => dtype(out?.1)?,
        },
        _ => t,
    };
    // A conversion to the same dtype is a copy, which is another operator.
    if info.signature == Signature::Convert && (result == t || !info.takes(result)) {
        return None;
    }
    if out.is_some_and(|(_, out)| dtype(out) != Some(result) || !out.is_writeable()) {
        return None;
    }
    Some(FastCall { op, t, result, operands, out, isa: isa::current(py).ok()? })
}

/// The operands, `out` and `dtype` of a call; `None` if it has other arguments.
///
/// # Safety
/// As for [`arguments::Parameters::bind`].
#[inline]
unsafe fn split_keywords<'a>(
    py: Python<'_>,
    op: Op,
    args: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    keywords: *mut PyObject,
) -> Option<(&'a [*mut PyObject], Option<*mut PyObject>, Option<DType>)> {
    // SAFETY: the caller's contract is the same.
    let given = unsafe { arguments::positional(args, count) };
    let (mut out, mut target) = (None, None);
    // SAFETY: `object` is an argument, alive during the call; its descriptor is the object itself.
    let dtype = |object: *mut PyObject| unsafe { dtypes::native_dtype(dtypes::as_descr(py, object)?) };
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
        // SAFETY: the caller passes a tuple of strings, and one argument per keyword after the positional arguments.
        unsafe {
            for i in 0..ffi::PyTuple_Size(keywords) {
                let value = *args.add(given.len() + i as usize);
                match fast_keyword(py, ffi::PyTuple_GetItem(keywords, i))? {
                    FastKeyword::Out => out = Some(value).filter(|&value| value != ffi::Py_None()),
                    FastKeyword::DType if converts && target.is_none() => target = Some(dtype(value)?),
                    FastKeyword::DType => return None,
                }
            }
        }
    }
    Some((operands, out, target))
}

/// The bits of a Python `int` or `float` as an element of `t`; `None` if `t` cannot hold it or it would change T.
#[inline]
fn number_bits(object: *mut PyObject, t: DType) -> Option<u128> {
    // SAFETY: `object` is a live argument and this thread is attached to Python. An error of a conversion is cleared.
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
