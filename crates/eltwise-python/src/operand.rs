//! Python objects as operands.

use eltwise::{DType, Error, Literal};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyType};

use crate::array::{self, native_order};
use crate::dtypes::{self, Elements};

/// An operand of a call.
pub(crate) enum Operand<'py> {
    /// An array.
    Array(Bound<'py, PyUntypedArray>, Elements),
    /// A Python number, which takes its dtype from the arrays around it.
    Weak(Weak),
}

/// A Python `int` or `float`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weak {
    literal: Literal,
    /// The value of an `int` that 128 bits do not hold.
    huge: Option<f64>,
}

impl Weak {
    /// The number for promotion.
    pub(crate) fn kind(&self) -> Literal {
        self.literal
    }

    /// Whether the number is not zero; NaN is true.
    pub(crate) fn is_true(&self) -> bool {
        match self.literal {
            Literal::Int(value) => value != 0,
            Literal::Float(value) => value != 0.0,
            _ => true,
        }
    }

    /// The number as an element of `dtype`; floats past the largest one are infinite, as in NumPy.
    ///
    /// # Errors
    /// An integer that an integer dtype cannot hold, a float for an integer dtype.
    pub(crate) fn bits(&self, dtype: DType) -> Result<u128, Error> {
        if !dtype.is_float() {
            return Ok(self.literal.constant(dtype)?.bits);
        }
        let (literal, negative) = match (self.literal, self.huge) {
            (_, Some(value)) => (Literal::Float(value), value < 0.0),
            (Literal::Int(value), None) => (self.literal, value < 0),
            (Literal::Float(value), None) => (self.literal, value < 0.0),
            (literal, None) => (literal, false),
        };
        let infinity = Literal::Float(if negative { f64::NEG_INFINITY } else { f64::INFINITY });
        Ok(literal.constant(dtype).or_else(|_| infinity.constant(dtype))?.bits)
    }
}

impl<'py> Operand<'py> {
    /// Takes any object that `numpy.asarray` takes; arrays are used where they are.
    ///
    /// # Errors
    /// `TypeError` for `None`, masked arrays and complex numbers; what `numpy.asarray` raises.
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Operand<'py>> {
        let py = object.py();
        if object.get_type_ptr() != array::array_type(py) {
            if let Some(weak) = weak(object)? {
                return Ok(Operand::Weak(weak));
            }
            if object.is_none() {
                return Err(PyTypeError::new_err("None is no operand"));
            }
            if is_masked(object)? {
                return Err(PyTypeError::new_err(
                    "a masked array is no operand: its mask would be lost; use .filled() or .data",
                ));
            }
        }
        let array = array::asarray(object)?;
        let elements = array::elements(&array)?;
        if let Elements::Swapped(_) = elements {
            let native = native_order(&array)?;
            // A subclass may convert as it likes.
            let elements = array::elements(&native)?;
            return Ok(Operand::Array(native, elements));
        }
        Ok(Operand::Array(array, elements))
    }

    /// The array and its elements, if it is one.
    pub(crate) fn array(&self) -> Option<(&Bound<'py, PyUntypedArray>, Elements)> {
        match self {
            Operand::Array(array, elements) => Some((array, *elements)),
            Operand::Weak(_) => None,
        }
    }

    /// As messages show it: `float32[3, 4]`, `int`.
    pub(crate) fn describe(&self) -> String {
        match self {
            Operand::Array(array, elements) => describe(array, *elements),
            Operand::Weak(Weak { literal: Literal::Float(_), .. }) => "float".into(),
            Operand::Weak(_) => "int".into(),
        }
    }
}

/// `float32[3, 4]`.
pub(crate) fn describe(array: &Bound<'_, PyUntypedArray>, elements: Elements) -> String {
    let shape = array::fields(array).shape();
    match elements {
        Elements::Value(dtype) => format!("{}{shape:?}", dtypes::name(dtype)),
        _ => format!("{}{shape:?}", array::fields_dtype(array)),
    }
}

/// A Python number; `bool` is none, nor are NumPy's scalars.
fn weak(object: &Bound<'_, PyAny>) -> PyResult<Option<Weak>> {
    if object.cast::<PyBool>().is_ok() {
        return Ok(None);
    }
    if let Ok(int) = object.cast::<PyInt>() {
        let (literal, huge) = match int.extract::<i64>() {
            Ok(value) => (Literal::Int(value.into()), None),
            Err(_) => match int.extract::<i128>() {
                Ok(value) => (Literal::Int(value), None),
                Err(_) => beyond_128_bits(int)?,
            },
        };
        return Ok(Some(Weak { literal, huge }));
    }
    if object.cast::<PyFloat>().is_ok() && !is_numpy_scalar(object)? {
        return Ok(Some(Weak { literal: Literal::Float(object.extract()?), huge: None }));
    }
    if object.cast::<PyComplex>().is_ok() && !is_numpy_scalar(object)? {
        return Err(PyTypeError::new_err("a complex number is no operand"));
    }
    Ok(None)
}

/// An integer past 128 bits: any integer dtype is too small for it, and floats may hold it or be infinite.
fn beyond_128_bits(int: &Bound<'_, PyInt>) -> PyResult<(Literal, Option<f64>)> {
    let negative = int.lt(0)?;
    let value = match int.extract::<f64>() {
        Ok(value) => value,
        Err(error) if error.is_instance_of::<PyOverflowError>(int.py()) => {
            f64::INFINITY.copysign(if negative { -1.0 } else { 1.0 })
        }
        Err(error) => return Err(error),
    };
    Ok((Literal::Int(if negative { i128::MIN } else { i128::MAX }), Some(value)))
}

/// `numpy.float64` is a `float`, and `numpy.complex128` a `complex`.
fn is_numpy_scalar(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static GENERIC: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    object.is_instance(GENERIC.import(object.py(), "numpy", "generic")?)
}

/// Whether an object is a masked array, whose mask the engine would pass over.
pub(crate) fn is_masked(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.get_type_ptr() == array::array_type(object.py()) {
        return Ok(false);
    }
    static MASKED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    object.is_instance(MASKED.import(object.py(), "numpy.ma", "MaskedArray")?)
}
