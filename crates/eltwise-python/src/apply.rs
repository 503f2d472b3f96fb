//! One operator over any operands: promotion, a program, a run, and what is said about it.

use core::ptr;

use eltwise::promote::{
    self, is_comparison, is_logical, literal_dtype, operands_of, operation, promote_with_literals, second_operand,
};
use eltwise::{Accuracy, Broadcast, DType, Literal, Op, Signature, Status};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;

use crate::dtypes::Elements;
use crate::operand::{Operand, Weak};
use crate::programs::{Key, program};
use crate::run::{Failure, Job, Output, Value};
use crate::{array, errors, isa, operand};

/// A call of an operator's function.
pub(crate) struct Request<'py> {
    /// The operator.
    pub op: Op,
    /// Its operands as they were given.
    pub operands: SmallVec<[Bound<'py, PyAny>; 4]>,
    /// Where the result goes.
    pub out: Option<Bound<'py, PyAny>>,
    /// How the operands are brought to one shape.
    pub mode: Broadcast,
    /// The dtype parameter of a conversion.
    pub target: Option<DType>,
    /// The tier of a math operator.
    pub accuracy: Option<Accuracy>,
}

/// Does a call.
///
/// # Errors
/// See `errors.rs`; `FloatingPointError` where `numpy.errstate` asks for it.
pub(crate) fn apply<'py>(py: Python<'py>, request: Request<'py>) -> PyResult<Bound<'py, PyAny>> {
    let op = request.op;
    let operands: SmallVec<[Operand<'py>; 4]> = request
        .operands
        .iter()
        .enumerate()
        .map(|(i, object)| {
            Operand::of(object).map_err(|e| errors::with_context(e, || format!("{op}(): {}", name(op, i))))
        })
        .collect::<PyResult<_>>()?;
    let out = request
        .out
        .as_ref()
        .map(Output::of)
        .transpose()
        .map_err(|e| errors::with_context(e, || format!("{op}(): out")))?;
    let describe = || {
        let texts =
            errors::listed(operands.iter().enumerate().map(|(i, o)| format!("{}: {}", name(op, i), o.describe())));
        let out = request.out.as_ref().and_then(|o| Output::of(o).ok());
        let out = out.map(|o| format!(", out: {}", operand::describe(&o.array, Elements::Value(o.dtype))));
        format!("{op}({texts}{})", out.unwrap_or_default())
    };
    let first = usize::from(op.signature() == Signature::Select);
    let mut values = Values { op, first, values: SmallVec::new(), descr: None, constant: None, overflows: false };
    values.resolve(py, &request.operands, &operands).map_err(|e| e.raise(describe))?;
    let key = Key {
        op: values.constant.map_or(op, |truth| if truth { Op::Equal } else { Op::NotEqual }),
        operands: values.values.iter().map(Value::dtype).collect(),
        target: request.target,
        out: out.as_ref().map(|out| out.dtype),
        mode: request.mode,
        accuracy: request.accuracy,
    };
    let (opaque_out, opaque) = (out.as_ref().is_some_and(|o| o.dtype.is_opaque()), values.descr.is_some());
    if opaque_out || (opaque && out.is_some()) {
        values.check_opaque_out(out.as_ref()).map_err(|e| e.raise(describe))?;
    }
    let program = program(&key).map_err(|e| Failure::Engine(e).raise(describe))?;
    let has_out = out.is_some();
    let job =
        Job { program: &program, values: &values.values, out, descr: values.descr.clone(), isa: isa::current(py)? };
    let (array, status) = job.run(py).map_err(|e| e.raise(describe))?;
    report(py, op.name(), status)?;
    report_overflow(py, values.overflows)?;
    if has_out { Ok(array.into_any()) } else { array::unwrap_scalar(array) }
}

/// The name of operand `i`, of operators over any number of operands its position.
fn name(op: Op, i: usize) -> String {
    match op.operand_names().get(i) {
        Some(name) if op.signature() != Signature::Fold => (*name).into(),
        _ => format!("operand {i}"),
    }
}

/// Operands on the way to a program.
struct Values<'py> {
    op: Op,
    /// The first operand that is of dtype T.
    first: usize,
    values: SmallVec<[Value<'py>; 4]>,
    /// The NumPy dtype of opaque elements.
    descr: Option<Bound<'py, PyAny>>,
    /// The answer of a comparison with a number that no element can equal or pass.
    constant: Option<bool>,
    /// Whether a number became infinite.
    overflows: bool,
}

impl<'py> Values<'py> {
    /// Gives every operand its dtype in memory.
    fn resolve(
        &mut self,
        py: Python<'py>,
        objects: &[Bound<'py, PyAny>],
        operands: &[Operand<'py>],
    ) -> Result<(), Failure> {
        let opaque = operands.iter().skip(self.first).any(is_foreign);
        let (conditions, others) = operands.split_at(self.first);
        for condition in conditions {
            self.push(condition, None)?;
        }
        if let (true, Op::Bitcast, Operand::Array(array, _)) = (opaque, self.op, &others[0]) {
            return Err(self.foreign(array));
        }
        if opaque {
            return self.opaque(py, &objects[self.first..], others);
        }
        if matches!(self.op.signature(), Signature::Scale | Signature::Quantize | Signature::Dequantize) {
            return self.two_dtypes(operands);
        }
        let dtype = |operand: &Operand<'py>| match operand {
            Operand::Array(_, Elements::Value(dtype)) => Some(*dtype),
            _ => None,
        };
        let dtypes: SmallVec<[DType; 4]> = others.iter().filter_map(dtype).collect();
        let literals = literals_of(others);
        if let (true, [Operand::Weak(_), Operand::Weak(_)]) = (is_comparison(self.op), others) {
            return self.two_numbers(&objects[self.first..], &literals);
        }
        // Without a common dtype, the program says what is wrong.
        let t = promote_with_literals(&dtypes, &literals);
        // Where integers become floats, a number needs to fit the float.
        let t = match t {
            Some(integer) if integer.is_integer() && operands_of(self.op, integer) != Some((self.op, integer)) => {
                let dtypes = dtypes.iter().copied().map(promote::Operand::DType);
                let kinds: SmallVec<[_; 4]> =
                    dtypes.chain(literals.into_iter().map(promote::Operand::Literal)).collect();
                operation(self.op, &kinds).map(|found| found.1).filter(|found| found.is_float()).or(t)
            }
            _ => t,
        };
        for operand in others {
            self.push(operand, t)?;
        }
        if let Some(truth) = self.constant {
            self.compare_with_itself(truth);
        }
        Ok(())
    }

    /// Operands of an operator that takes two dtypes: Python numbers take the one of their place.
    fn two_dtypes(&mut self, operands: &[Operand<'py>]) -> Result<(), Failure> {
        let kind = |operand: &Operand<'py>| match operand {
            Operand::Array(_, Elements::Value(dtype)) => Some(promote::Operand::DType(*dtype)),
            Operand::Array(..) => None,
            Operand::Weak(weak) => Some(promote::Operand::Literal(weak.kind())),
        };
        let kinds: Option<Vec<promote::Operand>> = operands.iter().map(kind).collect();
        let kinds = kinds.unwrap_or_default();
        let (t, u) = (operation(self.op, &kinds).map(|found| found.1), second_operand(self.op, &kinds));
        for (i, operand) in operands.iter().enumerate() {
            self.push(operand, if self.op.signature().is_t(i) { t } else { u })?;
        }
        Ok(())
    }

    /// Adds an operand; Python numbers become elements of `t`.
    fn push(&mut self, operand: &Operand<'py>, t: Option<DType>) -> Result<(), Failure> {
        let value = match operand {
            Operand::Array(array, Elements::Value(dtype)) => Value::Array(array.clone(), *dtype),
            Operand::Array(array, _) => return Err(self.foreign(array)),
            Operand::Weak(weak) if is_logical(self.op) => Value::Scalar(DType::Bool, weak.is_true().into()),
            Operand::Weak(weak) => {
                let t = t.unwrap_or_else(|| literal_dtype(&weak.kind()));
                match weak.bits(t) {
                    Ok((bits, overflows)) => {
                        self.overflows |= overflows;
                        Value::Scalar(t, bits)
                    }
                    Err(error) => match self.beyond(weak, t) {
                        Some(truth) => {
                            self.constant = Some(truth);
                            Value::Scalar(t, 0)
                        }
                        None => return Err(error.into()),
                    },
                }
            }
        };
        self.values.push(value);
        Ok(())
    }

    /// What a comparison with an integer out of T's range gives for every element: the number is the next operand.
    fn beyond(&self, weak: &Weak, t: DType) -> Option<bool> {
        let literal = weak.kind();
        if !t.is_integer() || !literal.is_integer() {
            return None;
        }
        // Whether the left side is the smaller one.
        let left_is_less = (literal.to_f64() > 0.0) != self.values.is_empty();
        match self.op {
            Op::Equal => Some(false),
            Op::NotEqual => Some(true),
            Op::Less | Op::LessEqual => Some(left_is_less),
            Op::Greater | Op::GreaterEqual => Some(!left_is_less),
            _ => None,
        }
    }

    /// A comparison of two numbers: of integers, two small ones in their order, which Python knows of any size.
    fn two_numbers(&mut self, objects: &[Bound<'py, PyAny>], literals: &[Literal]) -> Result<(), Failure> {
        if literals.iter().all(Literal::is_integer) {
            let order = objects[0].compare(&objects[1])?;
            let pair = [order.is_gt(), order.is_lt()];
            self.values.extend(pair.map(|above| Value::Scalar(DType::I64, above.into())));
            return Ok(());
        }
        for literal in literals {
            self.values.push(Value::Scalar(DType::F64, literal.to_f64().to_bits().into()));
        }
        Ok(())
    }

    /// Replaces the number of a comparison by the other operand: what is compared with itself is equal.
    fn compare_with_itself(&mut self, truth: bool) {
        let array = self.values.iter().find_map(|value| match value {
            Value::Array(array, dtype) => Some((array.clone(), *dtype)),
            Value::Scalar(..) => None,
        });
        self.constant = Some(truth);
        for value in &mut self.values {
            if let (Value::Scalar(..), Some((array, dtype))) = (&*value, &array) {
                *value = Value::Array(array.clone(), *dtype);
            }
        }
    }

    /// Operands that are only moved: NumPy decides about their dtype.
    fn opaque(
        &mut self,
        py: Python<'py>,
        objects: &[Bound<'py, PyAny>],
        operands: &[Operand<'py>],
    ) -> Result<(), Failure> {
        let moved = DType::ALL.iter().any(|&dtype| dtype.is_opaque() && self.op.info().takes(dtype));
        if let (false, Some(array)) = (moved, operands.iter().find(|o| is_foreign(o)).and_then(|o| o.array())) {
            return Err(self.foreign(array.0));
        }
        let numpy = py.import("numpy")?;
        // Lists and texts would be read as dtypes; Python numbers stay as they are, which is weak.
        let mut typed: SmallVec<[Bound<'py, PyAny>; 4]> = SmallVec::new();
        for (object, operand) in objects.iter().zip(operands) {
            typed.push(match operand {
                Operand::Array(array, _) => array.clone().into_any(),
                Operand::Weak(_) => object.clone(),
            });
        }
        let dtype = numpy.call_method1("result_type", PyTuple::new(py, &typed)?)?;
        for object in objects {
            let array = numpy.call_method1("asarray", (object, &dtype))?;
            let array = array.cast_into::<PyUntypedArray>().map_err(PyErr::from)?;
            match array::elements(&array)? {
                Elements::Opaque(size) if self.op.info().takes(size) => self.values.push(Value::Array(array, size)),
                _ => return Err(self.foreign(&array)),
            }
        }
        self.descr = Some(dtype);
        Ok(())
    }

    /// An output of opaque elements has exactly the operands' dtype.
    fn check_opaque_out(&self, out: Option<&Output<'py>>) -> Result<(), Failure> {
        let Some(out) = out else { return Ok(()) };
        let is_same = match &self.descr {
            Some(descr) => out.array.dtype().as_any().eq(descr)?,
            None => false,
        };
        if is_same {
            return Ok(());
        }
        let expected = self.descr.as_ref().map_or_else(|| "the operands' dtype".into(), ToString::to_string);
        let given = array::fields_dtype(&out.array);
        Err(Failure::Python(PyTypeError::new_err(format!("out has dtype {given}, expected {expected}"))))
    }

    fn foreign(&self, array: &Bound<'_, PyUntypedArray>) -> Failure {
        Failure::Python(PyTypeError::new_err(format!(
            "{} does not take arrays of dtype {}; it takes {}",
            self.op,
            array::fields_dtype(array),
            self.op.info().dtypes().replace("opaque", "plain bytes")
        )))
    }
}

/// The numbers among operands.
fn literals_of(operands: &[Operand<'_>]) -> SmallVec<[Literal; 4]> {
    let number = |operand: &Operand<'_>| if let Operand::Weak(weak) = operand { Some(weak.kind()) } else { None };
    operands.iter().filter_map(number).collect()
}

/// Whether the elements are none that the engine computes with.
fn is_foreign(operand: &Operand<'_>) -> bool {
    matches!(operand, Operand::Array(_, Elements::Opaque(_) | Elements::Foreign))
}

/// Reports a division of integers by zero as `numpy.errstate` says, and raises for a negative power, as NumPy does.
pub(crate) fn report(py: Python<'_>, name: &str, status: Status) -> PyResult<()> {
    if status.negative_exponent() {
        return Err(PyValueError::new_err("Integers to negative integer powers are not allowed."));
    }
    if status.zero_division() {
        py.import("eltwise._conditions")?.call_method1("zero_division", (name,))?;
    }
    Ok(())
}

/// Reports a number that became infinite, as `numpy.errstate` says.
pub(crate) fn report_overflow(py: Python<'_>, overflows: bool) -> PyResult<()> {
    if overflows {
        py.import("eltwise._conditions")?.call_method0("overflow")?;
    }
    Ok(())
}

/// `object`, or null with an exception where the status is one.
#[cold]
pub(crate) fn reported(name: &str, status: Status, object: *mut PyObject) -> *mut PyObject {
    Python::attach(|py| match report(py, name, status) {
        Ok(()) => object,
        Err(error) => {
            // SAFETY: the reference that would have been given to the caller.
            unsafe { ffi::Py_DECREF(object) };
            error.restore(py);
            ptr::null_mut()
        }
    })
}
