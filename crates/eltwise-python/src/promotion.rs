//! The dtypes of the operands of a general call ([`Promotion::resolve`]), as NumPy 2 promotes them (NEP 50).
//!
//! Arrays keep their dtype: the program converts them. Python numbers become elements of the dtype that the arrays
//! promote to. Arrays of opaque elements (dates, complex numbers, records) get their common dtype from NumPy.

use eltwise::promote::{
    self, is_comparison, is_logical, literal_dtype, operands_of, operation, promote_with_literals, second_operand,
};
use eltwise::{DType, Literal, Op, Signature};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use smallvec::SmallVec;

use crate::array;
use crate::dtypes::{self, ElementKind};
use crate::errors::CallError;
use crate::operand::{Operand, WeakNumber};
use crate::run::{Output, TypedOperand};

/// The operands of a call while their dtypes are resolved.
pub(crate) struct Promotion<'py> {
    op: Op,
    compute: Option<DType>,
    /// The number of leading operands that are conditions, not of dtype T.
    conditions: usize,
    /// The operands resolved so far.
    pub operands: SmallVec<[TypedOperand<'py>; 4]>,
    /// The NumPy dtype of the result, if the elements are opaque.
    pub descr: Option<Bound<'py, PyAny>>,
    /// The result of a comparison with an integer out of range of the dtype, the same for every element.
    pub constant: Option<bool>,
    /// Whether a Python number became infinite.
    pub overflows: bool,
}

impl<'py> Promotion<'py> {
    /// `compute`: the dtype in which the operator computes, if the caller chose it.
    pub(crate) fn new(op: Op, compute: Option<DType>) -> Promotion<'py> {
        let conditions = usize::from(op.signature() == Signature::Select);
        Promotion { op, compute, conditions, operands: SmallVec::new(), descr: None, constant: None, overflows: false }
    }

    /// Resolves the dtype in memory of every operand. `objects` are the Python objects that `operands` were made from.
    pub(crate) fn resolve(
        &mut self,
        py: Python<'py>,
        objects: &[Bound<'py, PyAny>],
        operands: &[Operand<'py>],
    ) -> Result<(), CallError> {
        let any_opaque = operands.iter().skip(self.conditions).any(is_opaque_or_unsupported);
        let (conditions, operands_of_t) = operands.split_at(self.conditions);
        for condition in conditions {
            self.push(condition, None)?;
        }
        if let (true, Op::Bitcast, Operand::Array(array, _)) = (any_opaque, self.op, &operands_of_t[0]) {
            return Err(self.unsupported_dtype(array));
        }
        if any_opaque {
            return self.resolve_opaque(py, &objects[self.conditions..], operands_of_t);
        }
        if self.op == Op::NanToNum
            || matches!(
                self.op.signature(),
                Signature::Scale
                    | Signature::Quantize
                    | Signature::Dequantize
                    | Signature::Tolerance
                    | Signature::ToF64
            )
        {
            return self.resolve_by_position(operands);
        }
        let literals = literals_of(operands_of_t);
        if let (true, [Operand::Weak(_), Operand::Weak(_)]) = (is_comparison(self.op), operands_of_t) {
            return self.resolve_compared_numbers(&objects[self.conditions..], &literals);
        }
        let t = self.compute.or_else(|| self.common_dtype(operands_of_t, &literals));
        for operand in operands_of_t {
            self.push(operand, t)?;
        }
        if let Some(truth) = self.constant {
            self.compare_with_itself(truth);
        }
        Ok(())
    }

    /// The dtype of the Python numbers. `None` if the operands have no common dtype: the program then reports the
    /// error.
    fn common_dtype(&self, operands: &[Operand<'py>], literals: &[Literal]) -> Option<DType> {
        let dtype = |operand: &Operand<'py>| match operand {
            Operand::Array(_, ElementKind::Value(dtype)) => Some(*dtype),
            _ => None,
        };
        let dtypes: SmallVec<[DType; 4]> = operands.iter().filter_map(dtype).collect();
        let t = promote_with_literals(&dtypes, literals);
        match t {
            // The operator converts integers to floats: a number has to fit the float only.
            Some(integer) if integer.is_integer() && operands_of(self.op, integer) != Some((self.op, integer)) => {
                let dtypes = dtypes.iter().copied().map(promote::Operand::DType);
                let literals = literals.iter().copied().map(promote::Operand::Literal);
                let kinds: SmallVec<[_; 4]> = dtypes.chain(literals).collect();
                operation(self.op, &kinds).map(|found| found.1).filter(|found| found.is_float()).or(t)
            }
            _ => t,
        }
    }

    /// Resolves operands whose positions decide what Python numbers become: of an operator with two operand dtypes, or
    /// whose T is not the common dtype. If another operator takes the place of this one, numbers keep their own dtype.
    fn resolve_by_position(&mut self, operands: &[Operand<'py>]) -> Result<(), CallError> {
        let kind = |operand: &Operand<'py>| match operand {
            Operand::Array(_, ElementKind::Value(dtype)) => Some(promote::Operand::DType(*dtype)),
            Operand::Array(..) => None,
            Operand::Weak(number) => Some(promote::Operand::Literal(number.literal())),
        };
        let kinds: Option<Vec<promote::Operand>> = operands.iter().map(kind).collect();
        let kinds = kinds.unwrap_or_default();
        let found = operation(self.op, &kinds).filter(|(op, _)| *op == self.op);
        let (t, u) = (found.map(|(_, t)| t), second_operand(self.op, &kinds));
        for (i, operand) in operands.iter().enumerate() {
            self.push(operand, if self.op.signature().is_t(i) { t } else { u })?;
        }
        Ok(())
    }

    /// Adds an operand. A Python number becomes an element of `t`, or of the dtype of its literal if `t` is `None`.
    fn push(&mut self, operand: &Operand<'py>, t: Option<DType>) -> Result<(), CallError> {
        let typed = match operand {
            Operand::Array(array, ElementKind::Value(dtype)) => TypedOperand::Array(array.clone(), *dtype),
            Operand::Array(array, _) => return Err(self.unsupported_dtype(array)),
            Operand::Weak(number) if is_logical(self.op) || t == Some(DType::Bool) => {
                TypedOperand::Scalar(DType::Bool, number.is_true().into())
            }
            Operand::Weak(number) => {
                let t = t.unwrap_or_else(|| literal_dtype(&number.literal()));
                match number.bits(t) {
                    Ok((bits, overflows)) => {
                        self.overflows |= overflows;
                        TypedOperand::Scalar(t, bits)
                    }
                    Err(error) => match self.constant_comparison(number, t) {
                        Some(truth) => {
                            self.constant = Some(truth);
                            TypedOperand::Scalar(t, 0)
                        }
                        None if t.is_integer() && !number.literal().is_integer() => {
                            let given = number.literal();
                            return Err(PyTypeError::new_err(format!("{given} is not an integer")).into());
                        }
                        None => return Err(error.into()),
                    },
                }
            }
        };
        self.operands.push(typed);
        Ok(())
    }

    /// The result of a comparison with an integer out of range of `t`, which is the same for every element. `number` is
    /// the operand about to be added.
    fn constant_comparison(&self, number: &WeakNumber, t: DType) -> Option<bool> {
        let literal = number.literal();
        if !t.is_integer() || !literal.is_integer() {
            return None;
        }
        let is_left = self.operands.is_empty();
        let left_is_less = (literal.to_f64() > 0.0) != is_left;
        match self.op {
            Op::Equal => Some(false),
            Op::NotEqual => Some(true),
            Op::Less | Op::LessEqual => Some(left_is_less),
            Op::Greater | Op::GreaterEqual => Some(!left_is_less),
            _ => None,
        }
    }

    /// Resolves a comparison of two Python numbers. Python compares ints of any size exactly, so two ints are replaced
    /// by 0 and 1 in the same order.
    fn resolve_compared_numbers(
        &mut self,
        objects: &[Bound<'py, PyAny>],
        literals: &[Literal],
    ) -> Result<(), CallError> {
        if literals.iter().all(Literal::is_integer) {
            let order = objects[0].compare(&objects[1])?;
            let pair = [order.is_gt(), order.is_lt()];
            self.operands.extend(pair.map(|is_greater| TypedOperand::Scalar(DType::I64, is_greater.into())));
            return Ok(());
        }
        for literal in literals {
            self.operands.push(TypedOperand::Scalar(DType::F64, literal.to_f64().to_bits().into()));
        }
        Ok(())
    }

    /// Replaces the number of a constant comparison by the array, so that the array is compared with itself. Equality
    /// of integers is then true everywhere, inequality false, and the result still has the array's layout.
    fn compare_with_itself(&mut self, truth: bool) {
        let array = self.operands.iter().find_map(|operand| match operand {
            TypedOperand::Array(array, dtype) => Some((array.clone(), *dtype)),
            TypedOperand::Scalar(..) => None,
        });
        self.constant = Some(truth);
        for operand in &mut self.operands {
            if let (TypedOperand::Scalar(..), Some((array, dtype))) = (&*operand, &array) {
                *operand = TypedOperand::Array(array.clone(), *dtype);
            }
        }
    }

    /// Resolves operands of opaque elements: NumPy promotes and converts them.
    fn resolve_opaque(
        &mut self,
        py: Python<'py>,
        objects: &[Bound<'py, PyAny>],
        operands: &[Operand<'py>],
    ) -> Result<(), CallError> {
        let takes_opaque = DType::ALL.iter().any(|&dtype| dtype.is_opaque() && self.op.info().takes(dtype));
        let opaque = operands.iter().find(|operand| is_opaque_or_unsupported(operand)).and_then(Operand::array);
        if let (false, Some((array, _))) = (takes_opaque, opaque) {
            return Err(self.unsupported_dtype(array));
        }
        let numpy = py.import("numpy")?;
        // `result_type` reads lists and strings as dtypes, so it gets arrays. Python numbers stay, to be weak.
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
            match array::element_kind(&array)? {
                ElementKind::Opaque(size) if self.op.info().takes(size) => {
                    self.operands.push(TypedOperand::Array(array, size));
                }
                _ => return Err(self.unsupported_dtype(&array)),
            }
        }
        self.descr = Some(dtype);
        Ok(())
    }

    /// Checks that an output has exactly the NumPy dtype of opaque operands: the engine cannot cast opaque elements.
    pub(crate) fn check_opaque_out(&self, out: &Output<'py>) -> Result<(), CallError> {
        let is_same = match &self.descr {
            Some(descr) => out.array.dtype().as_any().eq(descr)?,
            None => false,
        };
        if is_same {
            return Ok(());
        }
        let expected = self.descr.as_ref().map_or_else(|| "the operands' dtype".into(), ToString::to_string);
        let given = array::dtype_text(&out.array);
        Err(CallError::Python(PyTypeError::new_err(format!("out has dtype {given}, expected {expected}"))))
    }

    fn unsupported_dtype(&self, array: &Bound<'_, PyUntypedArray>) -> CallError {
        CallError::Python(PyTypeError::new_err(format!(
            "{} does not take arrays of dtype {}; it takes {}",
            self.op,
            array::dtype_text(array),
            dtypes::accepted(self.op)
        )))
    }
}

/// The Python numbers among operands.
fn literals_of(operands: &[Operand<'_>]) -> SmallVec<[Literal; 4]> {
    let literal = |operand: &Operand<'_>| match operand {
        Operand::Weak(number) => Some(number.literal()),
        Operand::Array(..) => None,
    };
    operands.iter().filter_map(literal).collect()
}

/// Whether an operand has elements that operators do not compute with.
fn is_opaque_or_unsupported(operand: &Operand<'_>) -> bool {
    matches!(operand, Operand::Array(_, ElementKind::Opaque(_) | ElementKind::Unsupported))
}
