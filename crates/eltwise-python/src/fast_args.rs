//! Reads the common kind of call without calling into Python ([`read`] gives a [`FastCall`]): arrays and NumPy scalars of
//! native dtypes, Python numbers, `out` and `dtype` as the only keywords, NumPy broadcasting.
//!
//! [`dense_call`](crate::dense_call) and [`cached_plan`](crate::cached_plan) run a `FastCall`. All three work on raw
//! objects and return `None` for anything unusual, before anything is written; [`general_call`](crate::general_call)
//! then handles the call, or reports what is wrong with it.

use eltwise::promote::{self, is_logical, literal_dtype, operands_of, operation};
use eltwise::{Constant, DType, Isa, Literal, Op, Signature, constant_power};
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
    /// The bits of one element.
    Number(u128),
}

/// A call of an operator over operands of native dtypes.
pub(crate) struct FastCall<'a> {
    /// The operator.
    pub op: Op,
    /// T: the dtype that the operands promote to, except the condition of `where`.
    pub t: DType,
    /// The dtype of the result.
    pub result: DType,
    /// The operands. A condition is the first, and bool.
    pub operands: SmallVec<[FastOperand<'a>; 4]>,
    /// The dtypes of the operands in memory.
    pub dtypes: SmallVec<[DType; 4]>,
    /// The output if one is given: a writeable array of the result's dtype.
    pub out: Option<(*mut PyObject, ArrayFields<'a>)>,
    /// The ISA to use.
    pub isa: Isa,
}

impl FastCall<'_> {
    /// Whether no operand is converted.
    #[inline]
    pub(crate) fn is_uniform(&self) -> bool {
        let conditions = conditions(self.op.signature());
        self.dtypes[conditions..].iter().all(|&dtype| dtype == self.t)
    }
}

/// The number of leading operands that are conditions.
#[inline]
fn conditions(signature: Signature) -> usize {
    usize::from(signature == Signature::Select)
}

/// An argument as it was given.
#[derive(Clone, Copy)]
enum Given<'a> {
    /// An array or a NumPy scalar, with its dtype.
    Typed(FastOperand<'a>, DType),
    /// A Python number.
    Weak(Literal),
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
    let conditions = conditions(info.signature);
    match info.signature {
        Signature::Unary | Signature::Binary | Signature::Ternary | Signature::Quaternary | Signature::Fold => {}
        Signature::UnaryPredicate | Signature::BinaryPredicate | Signature::Select | Signature::Convert => {}
        Signature::Exponent | Signature::Count => {}
        _ => return None,
    }
    // SAFETY: the caller's contract is the same.
    let (arguments, out, target) = unsafe { split_keywords(py, op, args, count, keywords)? };
    // An int after an array may be meant as an axis, which is an error in the general call.
    // SAFETY: `object` is an argument, alive during the call.
    let is_array = |object: *mut PyObject| unsafe { ffi::Py_TYPE(object) == array_type(py) };
    if matches!(op, Op::Sum | Op::Mean) && arguments.len() == 2 && arguments.iter().any(|&object| !is_array(object)) {
        return None;
    }
    let mut given: SmallVec<[Given<'a>; 4]> = SmallVec::new();
    for &object in arguments {
        // SAFETY: the object is an argument, alive during the call.
        given.push(unsafe { given_of(py, object)? });
    }
    for (i, operand) in given.iter().enumerate() {
        match operand {
            Given::Typed(_, dtype) if i < conditions && *dtype != DType::Bool => return None,
            Given::Weak(_) if i < conditions || is_logical(op) => return None,
            _ => {}
        }
    }
    for i in given.len()..*op.counts().start() {
        given.push(Given::Weak(Literal::default_of(op, i)?));
    }
    let t = common_dtype(op, &given[conditions..])?;
    let (mut operands, mut dtypes) = (SmallVec::new(), SmallVec::new());
    for &operand in &given {
        let (operand, dtype) = match operand {
            Given::Typed(operand, dtype) => (operand, dtype),
            Given::Weak(literal) => (FastOperand::Number(number_bits(literal, t)?), t),
        };
        operands.push(operand);
        dtypes.push(dtype);
    }
    let op = if op == Op::Pow { power_of(&given, &mut operands, &mut dtypes, t)? } else { op };

    let out = match out {
        // SAFETY: the object is an argument, alive during the call.
        Some(object) => match unsafe { given_of(py, object)? } {
            Given::Typed(FastOperand::Array(array), dtype) if array.is_writeable() => Some((object, array, dtype)),
            _ => return None,
        },
        None => None,
    };
    let result = match info.signature {
        Signature::Convert => match target {
            Some(target) => target,
            None => out?.2,
        },
        _ => dtypes::of_result(op, t),
    };
    // A conversion to the same dtype is a copy, which is another operator.
    if info.signature == Signature::Convert && (result == t || !info.takes(result)) {
        return None;
    }
    if out.is_some_and(|(.., dtype)| dtype != result) {
        return None;
    }
    let out = out.map(|(object, array, _)| (object, array));
    Some(FastCall { op, t, result, operands, dtypes, out, isa: isa::current(py).ok()? })
}

/// The operator that computes `pow` over these operands: another one if the exponent is a Python number that chooses it. Drops
/// the exponent if the operator does not take it. `None` if the base has to be converted first.
#[inline]
fn power_of(
    given: &[Given<'_>],
    operands: &mut SmallVec<[FastOperand<'_>; 4]>,
    dtypes: &mut SmallVec<[DType; 4]>,
    t: DType,
) -> Option<Op> {
    let (Given::Weak(_), FastOperand::Number(bits)) = (given[1], operands[1]) else { return Some(Op::Pow) };
    let Some(op) = constant_power(Constant { dtype: t, bits }) else { return Some(Op::Pow) };
    if op.arity() == 1 && dtypes[0] != t {
        return None;
    }
    operands.truncate(op.arity());
    dtypes.truncate(op.arity());
    Some(op)
}

/// An argument that is an array, a NumPy scalar or a Python number; `None` for anything else.
///
/// # Safety
/// `object` is a live object.
#[inline]
unsafe fn given_of<'a>(py: Python<'_>, object: *mut PyObject) -> Option<Given<'a>> {
    // SAFETY: `object` is live, and of the class that each read expects. An error of a conversion is cleared.
    unsafe {
        let class = ffi::Py_TYPE(object);
        if class == array_type(py) {
            let array = ArrayFields::of(object);
            return Some(Given::Typed(FastOperand::Array(array), dtypes::native_dtype(array.descr())?));
        }
        if class == &raw mut ffi::PyFloat_Type {
            return Some(Given::Weak(Literal::Float(ffi::PyFloat_AsDouble(object))));
        }
        if class == &raw mut ffi::PyLong_Type {
            let value = ffi::PyLong_AsLongLong(object);
            if value == -1 && !ffi::PyErr_Occurred().is_null() {
                ffi::PyErr_Clear();
                return None;
            }
            return Some(Given::Weak(Literal::Int(value.into())));
        }
        let dtype = dtypes::of_scalar_class(py, class)?;
        Some(Given::Typed(FastOperand::Number(dtypes::scalar_bits(py, object)), dtype))
    }
}

/// The dtype in which `op` computes these operands; `None` if another operator takes its place.
#[inline]
fn common_dtype(op: Op, given: &[Given<'_>]) -> Option<DType> {
    let mut typed = given.iter().filter_map(|operand| match operand {
        Given::Typed(_, dtype) => Some(*dtype),
        Given::Weak(_) => None,
    });
    let first = typed.next();
    let is_mixed = typed.any(|dtype| Some(dtype) != first);
    let is_weak = |operand: &Given<'_>| matches!(operand, Given::Weak(_));
    // `nan_to_num` takes the dtype of its first operand.
    let is_decided = op != Op::NanToNum || !is_weak(given.first()?);
    let is_computed_in = |t: DType| is_decided && op.info().takes(t) && (op != Op::Divide || t.is_float());
    if let Some(t) = first
        && !is_mixed
        && is_computed_in(t)
    {
        // A Python number that does not fit T changes it: see `number_bits`.
        return Some(t);
    }
    let is_float_number = |operand: &Given<'_>| matches!(operand, Given::Weak(Literal::Float(_)));
    if first.is_none() && given.iter().all(is_float_number) && op.info().takes(DType::F64) {
        return Some(DType::F64);
    }
    if let [Given::Typed(_, x), Given::Typed(_, y)] = given
        && let Some(t) = promote::promote(*x, *y)
        && is_computed_in(t)
    {
        return Some(t);
    }
    if let (Some(t), false, false) = (first, is_mixed, given.iter().any(is_weak)) {
        return operands_of(op, t).filter(|found| found.0 == op).map(|found| found.1);
    }
    let kinds: SmallVec<[promote::Operand; 4]> = given
        .iter()
        .map(|operand| match operand {
            Given::Typed(_, dtype) => promote::Operand::DType(*dtype),
            Given::Weak(literal) if first.is_none() => promote::Operand::DType(literal_dtype(literal)),
            Given::Weak(literal) => promote::Operand::Literal(*literal),
        })
        .collect();
    operation(op, &kinds).filter(|found| found.0 == op).map(|found| found.1)
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
    // SAFETY: `object` is an argument, alive during the call.
    let dtype = |object: *mut PyObject| unsafe { dtypes::parse_native(py, object) };
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

/// The bits of a Python number as an element of `t`; `None` if `t` cannot hold it or it would change T.
#[inline]
fn number_bits(literal: Literal, t: DType) -> Option<u128> {
    if let (Literal::Float(number), DType::F64) = (literal, t)
        && !number.is_nan()
    {
        return Some(number.to_bits().into());
    }
    let fits = if literal.is_integer() { t.is_numeric() } else { t.is_float() };
    if fits { Some(literal.constant(t).ok()?.bits) } else { None }
}
