//! Python objects as operands of the general path: [`Operand::from_object`].

use eltwise::{DType, Decimal, Error, Literal};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBool, PyComplex, PyFloat, PyInt, PyType};

use crate::array::{self, to_native_order};
use crate::dtypes::{self, ElementKind};

/// An operand of a call.
pub(crate) enum Operand<'py> {
    /// An array.
    Array(Bound<'py, PyUntypedArray>, ElementKind),
    /// A Python number, which adapts to the dtypes of the other operands.
    Weak(WeakNumber),
}

/// A Python `int` or `float`, weakly typed as in NEP 50.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WeakNumber(Literal);

impl From<Literal> for WeakNumber {
    fn from(literal: Literal) -> WeakNumber {
        WeakNumber(literal)
    }
}

impl WeakNumber {
    /// The number as the engine's literal.
    pub(crate) fn literal(&self) -> Literal {
        self.0
    }

    /// Whether the number is not zero; NaN is true.
    pub(crate) fn is_true(&self) -> bool {
        self.0.to_f64() != 0.0
    }

    /// The bits of the number as an element of `dtype`, and whether it overflowed: a number past the largest finite
    /// float of the dtype becomes infinite, as in NumPy.
    ///
    /// # Errors
    /// An integer that an integer dtype cannot hold; a float for an integer dtype.
    pub(crate) fn bits(&self, dtype: DType) -> Result<(u128, bool), Error> {
        self.0.constant_or_infinity(dtype).map(|(constant, overflows)| (constant.bits, overflows))
    }
}

impl<'py> Operand<'py> {
    /// Accepts any object that `numpy.asarray` accepts. Copies arrays only if they are not in native byte order.
    ///
    /// # Errors
    /// `TypeError` for `None`, masked arrays and complex numbers; errors of `numpy.asarray`.
    pub(crate) fn from_object(object: &Bound<'py, PyAny>) -> PyResult<Operand<'py>> {
        let py = object.py();
        if object.get_type_ptr() != array::array_type(py) {
            if let Some(number) = weak_number(object)? {
                return Ok(Operand::Weak(number));
            }
            if object.is_none() {
                return Err(PyTypeError::new_err("None is not an operand"));
            }
            if is_masked(object)? {
                return Err(PyTypeError::new_err(
                    "a masked array is not an operand: its mask would be lost; use .filled() or .data",
                ));
            }
        }
        let array = array::asarray(object)?;
        let kind = array::element_kind(&array)?;
        if let ElementKind::Swapped(_) = kind {
            let native = to_native_order(&array)?;
            // `astype` of a subclass may return any dtype.
            let kind = array::element_kind(&native)?;
            return Ok(Operand::Array(native, kind));
        }
        Ok(Operand::Array(array, kind))
    }

    /// The array and the kind of its elements, if the operand is an array.
    pub(crate) fn array(&self) -> Option<(&Bound<'py, PyUntypedArray>, ElementKind)> {
        match self {
            Operand::Array(array, kind) => Some((array, *kind)),
            Operand::Weak(_) => None,
        }
    }

    /// The text for messages: `float32[3, 4]`, `int`.
    pub(crate) fn describe(&self) -> String {
        match self {
            Operand::Array(array, kind) => describe_array(array, *kind),
            Operand::Weak(number) => if number.literal().is_integer() { "int" } else { "float" }.into(),
        }
    }
}

/// The text of an array for messages: `float32[3, 4]`.
pub(crate) fn describe_array(array: &Bound<'_, PyUntypedArray>, kind: ElementKind) -> String {
    let shape = array::fields(array).shape();
    match kind {
        ElementKind::Value(dtype) => format!("{}{shape:?}", dtypes::name(dtype)),
        _ => format!("{}{shape:?}", array::dtype_text(array)),
    }
}

/// The number that an object is, if it is a Python `int` or `float`. `bool` and NumPy's scalars are not: they have a
/// dtype.
fn weak_number(object: &Bound<'_, PyAny>) -> PyResult<Option<WeakNumber>> {
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
        return Ok(Some(WeakNumber(literal)));
    }
    if object.cast::<PyFloat>().is_ok() && !is_numpy_scalar(object)? {
        return Ok(Some(WeakNumber(Literal::Float(object.extract()?))));
    }
    if object.cast::<PyComplex>().is_ok() && !is_numpy_scalar(object)? {
        return Err(PyTypeError::new_err("a complex number is not an operand"));
    }
    Ok(None)
}

/// An integer that needs more than 128 bits. No integer dtype can hold it; in a float dtype it is rounded, or infinite.
fn beyond_128_bits(int: &Bound<'_, PyInt>) -> PyResult<Literal> {
    let nearest = match int.extract::<f64>() {
        Ok(value) => value,
        Err(error) if error.is_instance_of::<PyOverflowError>(int.py()) => {
            f64::INFINITY.copysign(if int.lt(0)? { -1.0 } else { 1.0 })
        }
        Err(error) => return Err(error),
    };
    let order = int.as_any().compare(nearest)?;
    let magnitude_order = if nearest < 0.0 { order.reverse() } else { order };
    Ok(Literal::Decimal(Decimal::integer(nearest, magnitude_order)))
}

/// Whether an object is a NumPy scalar: `numpy.float64` is a subclass of `float`, `numpy.complex128` of `complex`.
fn is_numpy_scalar(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    static GENERIC: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    object.is_instance(GENERIC.import(object.py(), "numpy", "generic")?)
}

/// Whether an object is a masked array. The engine would ignore the mask.
pub(crate) fn is_masked(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.get_type_ptr() == array::array_type(object.py()) {
        return Ok(false);
    }
    static MASKED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    object.is_instance(MASKED.import(object.py(), "numpy.ma", "MaskedArray")?)
}
