//! Calls that need no planning: arrays of one dtype that lie densely in one order, and Python numbers, small enough for
//! one thread.
//!
//! Everything here works on raw objects, makes no Python call but that for a new array, and gives up (`None`) at
//! anything unusual; the general way then does the same, or says what is wrong.

use eltwise::kernels::{Flat, kernel, run_flat};
use eltwise::promote::is_logical;
use eltwise::{DType, Literal, Op, Signature};
use numpy::npyffi::{PY_ARRAY_API, PyArray_Descr};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use smallvec::SmallVec;

use crate::array::{Fields, array_type};
use crate::{apply, arguments, dtypes, functions, isa};

/// Calls that touch more go the general way, which has threads and lets other Python threads run.
const MOST_BYTES: usize = 512 << 10;

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
    let (info, arity) = (op.info(), op.arity());
    if info.signature == Signature::Move {
        return None;
    }
    // SAFETY: the caller's contract.
    let (given, out, target) = unsafe { named(py, op, args, count, keywords)? };
    let ndarray = array_type(py);
    // SAFETY: live objects.
    let is_array = |object: *mut PyObject| unsafe { ffi::Py_TYPE(object) == ndarray };
    if out.is_some_and(|out| !is_array(out)) {
        return None;
    }
    // SAFETY: an array, alive during the call; nothing here runs Python code.
    let array = |object: *mut PyObject| is_array(object).then(|| unsafe { Fields::of(object) });

    // Dtypes: T for all operands, but for a condition.
    let first = usize::from(op.signature() == Signature::Select);
    // SAFETY: the descriptor of a live array.
    let dtype = |array: Fields<'_>| unsafe { dtypes::quick(array.descr()) };
    let t = dtype(given[first..].iter().find_map(|&object| array(object))?)?;
    if !info.takes(t) {
        return None;
    }
    let mut numbers = [0u128; 4];
    for (i, &object) in given.iter().enumerate() {
        match array(object) {
            Some(array) if dtype(array)? == if i < first { DType::Bool } else { t } => {}
            None if i >= first && !is_logical(op) => numbers[i] = number(object, t)?,
            _ => return None,
        }
    }
    for (number, &default) in
        numbers[..arity].iter_mut().rev().zip(info.defaults.iter().rev()).take(arity - given.len())
    {
        *number = Literal::Float(default).constant(t).ok()?.bits;
    }
    let result = match op.signature() {
        Signature::Test1 | Signature::Test2 => DType::Bool,
        // A conversion to the same dtype is a copy.
        Signature::Convert => match target {
            Some(target) => target,
            None => dtype(array(out?)?)?,
        },
        _ => t,
    };
    if op.signature() == Signature::Convert && (result == t || !info.takes(result)) {
        return None;
    }

    // Shapes: every operand has the result's, in one dense order, or is one element.
    let model = match out {
        Some(out) => array(out)?,
        None => given.iter().filter_map(|&object| array(object)).max_by_key(|f| f.elements())?,
    };
    let shape = model.shape();
    let elements = model.elements();
    if elements.checked_mul((arity + 1) * t.size().max(result.size())).is_none_or(|bytes| bytes > MOST_BYTES) {
        return None;
    }
    let (mut c, mut f) = (model.is_c_contiguous(), model.is_f_contiguous());
    let mut ins: SmallVec<[Flat; 4]> = SmallVec::new();
    for (i, number) in numbers[..arity].iter().enumerate() {
        let Some(array) = given.get(i).and_then(|&object| array(object)) else {
            ins.push(Flat { ptr: (&raw const *number).cast(), splat: true });
            continue;
        };
        let splat = array.shape() != shape;
        if splat && (array.elements() != 1 || array.shape().len() > shape.len()) {
            return None;
        }
        if !splat {
            c &= array.is_c_contiguous();
            f &= array.is_f_contiguous();
        }
        ins.push(Flat { ptr: array.data(), splat });
    }
    if !c && !f {
        return None;
    }

    let kernel = kernel(op, t, result, isa::current(py).ok()?)?.kernel;
    let (object, to) = match out {
        Some(out) => {
            let array = array(out)?;
            if dtype(array) != Some(result) || !array.is_writeable() {
                return None;
            }
            let to = array.data();
            if !disjoint(to, elements * result.size(), &ins, first, t, elements) {
                return None;
            }
            // SAFETY: a live object; the caller gets a reference of its own.
            unsafe { ffi::Py_INCREF(out) };
            (out, to)
        }
        None => {
            let object = empty(py, model, result, t, c)?;
            (object, array(object)?.data())
        }
    };
    // SAFETY: dense operands of `elements` elements or one, of the dtypes that the kernel was looked up for; `to` is a
    // new array or was checked to overlap none but exactly; the level is this machine's.
    let status = unsafe { run_flat(kernel, elements, to, &ins) };
    let object = if shape.is_empty() && out.is_none() {
        // SAFETY: Return takes over the reference to the new array and gives one to a scalar, or null and an exception.
        unsafe { PY_ARRAY_API.PyArray_Return(py, object.cast()) }
    } else {
        object
    };
    if status.zero_division() && !object.is_null() {
        return Some(apply::reported(op.name(), object));
    }
    Some(object)
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
    let (operands, rest) = given.split_at(given.len().min(op.arity()));
    match rest {
        [] if op.counts_given().contains(&operands.len()) => {}
        [object] if converts => target = Some(dtype(*object)?),
        _ => return None,
    }
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

/// Whether the output overlaps no operand, but exactly one of its own size.
fn disjoint(to: *mut u8, bytes: usize, ins: &[Flat], conditions: usize, t: DType, elements: usize) -> bool {
    ins.iter().enumerate().all(|(i, flat)| {
        let size = if i < conditions { 1 } else { t.size() };
        let length = if flat.splat { size } else { size * elements };
        let (from, to) = (flat.ptr.addr(), to.addr());
        let apart = from + length <= to || to + bytes <= from;
        apart || (from == to && !flat.splat && length == bytes)
    })
}

/// A new array of the model's shape, in C order if `c`, else in Fortran order.
fn empty(py: Python<'_>, model: Fields<'_>, result: DType, t: DType, c: bool) -> Option<*mut PyObject> {
    // SAFETY: NewFromDescr steals the reference to the descriptor made here and returns a new reference or null.
    unsafe {
        let descr: *mut PyArray_Descr = if result == t && dtypes::quick(model.descr()) == Some(t) {
            ffi::Py_INCREF(model.descr().cast());
            model.descr()
        } else {
            dtypes::descr(py, result).ok()?.into_ptr().cast()
        };
        let object = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            array_type(py),
            descr,
            i32::try_from(model.shape().len()).ok()?,
            model.shape().as_ptr().cast_mut().cast(),
            core::ptr::null_mut(),
            core::ptr::null_mut(),
            i32::from(!c),
            core::ptr::null_mut(),
        );
        if object.is_null() {
            // The general way meets the same error and reports it.
            ffi::PyErr_Clear();
            return None;
        }
        Some(object)
    }
}
