//! Python objects as operands.

use eltwise::{DType, Decimal, Error, Literal};
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
pub(crate) struct Weak(Literal);

impl Weak {
    /// The number for promotion.
    pub(crate) fn kind(&self) -> Literal {
        self.0
    }

    /// Whether the number is not zero; NaN is true.
    pub(crate) fn is_true(&self) -> bool {
        self.0.to_f64() != 0.0
    }

    /// The number as an element of `dtype`, and whether it is past the largest float of it, which makes it infinite, as in NumPy.
    ///
    /// # Errors
    /// An integer that an integer dtype cannot hold, a float for an integer dtype.
    pub(crate) fn bits(&self, dtype: DType) -> Result<(u128, bool), Error> {
        self.0.constant_or_infinity(dtype).map(|(constant, infinite)| (constant.bits, infinite))
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
            Operand::Weak(weak) => if weak.kind().is_integer() { "int" } else { "float" }.into(),
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
        let literal = match int.extract::<i64>() {
            Ok(value) => Literal::Int(value.into()),
            Err(_) => match int.extract::<i128>() {
                Ok(value) => Literal::Int(value),
                Err(_) => beyond_128_bits(int)?,
            },
        };
        return Ok(Some(Weak(literal)));
    }
    if object.cast::<PyFloat>().is_ok() && !is_numpy_scalar(object)? {
        return Ok(Some(Weak(Literal::Float(object.extract()?))));
    }
    if object.cast::<PyComplex>().is_ok() && !is_numpy_scalar(object)? {
        return Err(PyTypeError::new_err("a complex number is no operand"));
    }
    Ok(None)
}

/// An integer past 128 bits: any integer dtype is too small for it, and floats may hold it or be infinite.
fn beyond_128_bits(int: &Bound<'_, PyInt>) -> PyResult<Literal> {
    let nearest = match int.extract::<f64>() {
        Ok(value) => value,
        Err(error) if error.is_instance_of::<PyOverflowError>(int.py()) => {
            f64::INFINITY.copysign(if int.lt(0)? { -1.0 } else { 1.0 })
        }
        Err(error) => return Err(error),
    };
    let order = int.as_any().compare(nearest)?;
    let side = if nearest < 0.0 { order.reverse() } else { order };
    Ok(Literal::Decimal(Decimal::integer(nearest, side)))
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
