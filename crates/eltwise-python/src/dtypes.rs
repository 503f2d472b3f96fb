//! NumPy's element types and the engine's [`DType`].
//!
//! [`native_dtype`] is the fast test of the hot path; [`element_kind`] classifies any NumPy descriptor.

use core::ptr;
use core::sync::atomic::{AtomicI32, Ordering};

use eltwise::{DType, Op, Signature};
use numpy::npyffi::{self, NPY_TYPES, PY_ARRAY_API, PyArray_Descr, PyDataType_ELSIZE, PyDataType_FLAGS};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

/// How the engine treats the elements of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ElementKind {
    /// Values that operators compute with, in native byte order.
    Value(DType),
    /// The same values in the other byte order.
    Swapped(DType),
    /// Plain bytes that can be moved only: dates, complex numbers, records.
    Opaque(DType),
    /// Elements that the engine cannot handle: Python objects, long strings.
    Unsupported,
}

/// The type number of `bfloat16`, which `ml_dtypes` registers at run time; `i32::MIN` until the first array of that
/// dtype.
static BFLOAT16_TYPE_NUM: AtomicI32 = AtomicI32::new(i32::MIN);

/// The engine's dtype for each of NumPy's built-in type numbers.
const DTYPE_OF_TYPE_NUM: [Option<DType>; 24] = {
    use NPY_TYPES as T;
    let long = if size_of::<core::ffi::c_long>() == 8 { (DType::I64, DType::U64) } else { (DType::I32, DType::U32) };
    let mut dtypes = [None; 24];
    dtypes[T::NPY_BOOL as usize] = Some(DType::Bool);
    dtypes[T::NPY_BYTE as usize] = Some(DType::I8);
    dtypes[T::NPY_UBYTE as usize] = Some(DType::U8);
    dtypes[T::NPY_SHORT as usize] = Some(DType::I16);
    dtypes[T::NPY_USHORT as usize] = Some(DType::U16);
    dtypes[T::NPY_INT as usize] = Some(DType::I32);
    dtypes[T::NPY_UINT as usize] = Some(DType::U32);
    dtypes[T::NPY_LONG as usize] = Some(long.0);
    dtypes[T::NPY_ULONG as usize] = Some(long.1);
    dtypes[T::NPY_LONGLONG as usize] = Some(DType::I64);
    dtypes[T::NPY_ULONGLONG as usize] = Some(DType::U64);
    dtypes[T::NPY_FLOAT as usize] = Some(DType::F32);
    dtypes[T::NPY_DOUBLE as usize] = Some(DType::F64);
    dtypes[T::NPY_HALF as usize] = Some(DType::F16);
    dtypes
};

/// The dtype of a descriptor whose elements are values in native byte order. Does not call into Python.
///
/// `bfloat16` is `None` until [`element_kind`] has seen it.
///
/// # Safety
/// `descr` is a live descriptor.
#[inline]
pub(crate) unsafe fn native_dtype(descr: *mut PyArray_Descr) -> Option<DType> {
    // SAFETY: the caller passes a live descriptor.
    let (number, order) = unsafe { ((*descr).fields.type_num, (*descr).fields.byteorder) };
    if order == b'>' as core::ffi::c_char {
        return None;
    }
    match DTYPE_OF_TYPE_NUM.get(number as usize) {
        Some(dtype) => *dtype,
        None if number == BFLOAT16_TYPE_NUM.load(Ordering::Relaxed) => Some(DType::BF16),
        None => None,
    }
}

/// The descriptor that an object is, if it is an instance of `numpy.dtype`.
#[inline]
pub(crate) fn as_descr(py: Python<'_>, object: *mut PyObject) -> Option<*mut PyArray_Descr> {
    // SAFETY: callers pass a live object; the class is NumPy's type of descriptors.
    let is_descr = unsafe {
        let class = npyffi::get_type_object(py, npyffi::NpyTypes::PyArrayDescr_Type);
        ffi::PyType_IsSubtype(ffi::Py_TYPE(object), class) != 0
    };
    is_descr.then_some(object.cast())
}

/// The dtype that an object names, if `numpy.dtype` takes it and its elements are values in native byte order.
///
/// # Safety
/// `object` is a live object.
pub(crate) unsafe fn parse_native(py: Python<'_>, object: *mut PyObject) -> Option<DType> {
    // SAFETY: the object is live, and the descriptor during the call.
    unsafe {
        if let Some(descr) = as_descr(py, object) {
            return native_dtype(descr);
        }
        let object = Bound::from_borrowed_ptr(py, object);
        // NumPy reads None as float64.
        if object.is_none() { None } else { native_dtype(convert(&object).ok()?.as_ptr().cast()) }
    }
}

/// The descriptor that `numpy.dtype` makes of an object.
fn convert<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let mut descr = ptr::null_mut();
    // SAFETY: the object is live. On success `descr` holds a new reference, on failure an exception is set.
    unsafe {
        if PY_ARRAY_API.PyArray_DescrConverter(py, object.as_ptr(), &raw mut descr) == 0 {
            return Err(PyErr::fetch(py));
        }
        Ok(Bound::from_owned_ptr(py, descr.cast()))
    }
}

/// The dtype of NumPy's scalars of a class; `None` for any other class.
#[inline]
pub(crate) fn of_scalar_class(py: Python<'_>, class: *mut ffi::PyTypeObject) -> Option<DType> {
    use npyffi::NpyTypes as T;
    static CLASSES: PyOnceLock<[(usize, DType); 14]> = PyOnceLock::new();
    let classes = CLASSES.get_or_init(py, || {
        let long =
            if size_of::<core::ffi::c_long>() == 8 { (DType::I64, DType::U64) } else { (DType::I32, DType::U32) };
        [
            (T::PyDoubleArrType_Type, DType::F64),
            (T::PyFloatArrType_Type, DType::F32),
            (T::PyHalfArrType_Type, DType::F16),
            (T::PyBoolArrType_Type, DType::Bool),
            (T::PyLongArrType_Type, long.0),
            (T::PyULongArrType_Type, long.1),
            (T::PyIntArrType_Type, DType::I32),
            (T::PyUIntArrType_Type, DType::U32),
            (T::PyShortArrType_Type, DType::I16),
            (T::PyUShortArrType_Type, DType::U16),
            (T::PyByteArrType_Type, DType::I8),
            (T::PyUByteArrType_Type, DType::U8),
            (T::PyLongLongArrType_Type, DType::I64),
            (T::PyULongLongArrType_Type, DType::U64),
        ]
        // SAFETY: reads a pointer from NumPy's table of functions and types.
        .map(|(name, dtype)| (unsafe { npyffi::get_type_object(py, name) }.addr(), dtype))
    });
    classes.iter().find(|(address, _)| *address == class.addr()).map(|(_, dtype)| *dtype)
}

/// The bits of a NumPy scalar.
///
/// # Safety
/// `object` is a live scalar of a class that [`of_scalar_class`] knows.
#[inline]
pub(crate) unsafe fn scalar_bits(py: Python<'_>, object: *mut PyObject) -> u128 {
    let mut bits = 0u128;
    // SAFETY: an element of these dtypes has at most 8 bytes.
    unsafe { PY_ARRAY_API.PyArray_ScalarAsCtype(py, object, (&raw mut bits).cast()) };
    bits
}

/// How the engine treats elements of a descriptor's type.
pub(crate) fn element_kind(py: Python<'_>, descr: *mut PyArray_Descr) -> PyResult<ElementKind> {
    // SAFETY: the descriptor belongs to an array or a reference that the caller holds. The same holds for the reads
    // below.
    if let Some(dtype) = unsafe { native_dtype(descr) } {
        return Ok(ElementKind::Value(dtype));
    }
    // SAFETY: the caller holds the descriptor, as above.
    let (number, flags, size, object) = unsafe {
        let object = Bound::from_borrowed_ptr(py, descr.cast());
        ((*descr).fields.type_num, PyDataType_FLAGS(py, descr), PyDataType_ELSIZE(py, descr), object)
    };
    if let Some(Some(dtype)) = DTYPE_OF_TYPE_NUM.get(number as usize) {
        return Ok(ElementKind::Swapped(*dtype));
    }
    if number >= NPY_TYPES::NPY_USERDEF as i32 && is_bfloat16(&object)? {
        BFLOAT16_TYPE_NUM.store(number, Ordering::Relaxed);
        // SAFETY: the caller holds the descriptor, as above.
        let is_swapped = unsafe { (*descr).fields.byteorder } == b'>' as core::ffi::c_char;
        return Ok(if is_swapped { ElementKind::Swapped(DType::BF16) } else { ElementKind::Value(DType::BF16) });
    }
    const HAS_REFERENCES: u64 = 1;
    // Elements of the new-style dtypes (variable-length strings) may hold pointers. Those of the fixed type numbers are
    // plain bytes if the dtype has no reference flag.
    let plain = flags & HAS_REFERENCES == 0 && (0..NPY_TYPES::NPY_VSTRING as i32).contains(&number);
    let opaque = usize::try_from(size).ok().and_then(DType::opaque).filter(|_| plain);
    Ok(opaque.map_or(ElementKind::Unsupported, ElementKind::Opaque))
}

/// Whether a descriptor is the `bfloat16` of `ml_dtypes`.
fn is_bfloat16(descr: &Bound<'_, PyAny>) -> PyResult<bool> {
    let scalar_type = descr.getattr("type")?;
    let has = |attribute: &str, expected: &str| -> PyResult<bool> {
        Ok(scalar_type.getattr(attribute)?.cast::<PyString>().is_ok_and(|text| text == expected))
    };
    Ok(has("__name__", "bfloat16")? && has("__module__", "ml_dtypes")?)
}

/// The NumPy descriptor of a dtype that operators compute with.
///
/// # Errors
/// `ImportError` for `bfloat16` without the package `ml_dtypes`; `TypeError` for opaque dtypes.
pub(crate) fn descr(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyAny>> {
    use NPY_TYPES as T;
    let number = match dtype {
        DType::Bool => T::NPY_BOOL as i32,
        DType::I8 => T::NPY_BYTE as i32,
        DType::I16 => T::NPY_SHORT as i32,
        // NumPy prefers `long` if two C types have the same size.
        DType::I32 if size_of::<core::ffi::c_long>() == 4 => T::NPY_LONG as i32,
        DType::I32 => T::NPY_INT as i32,
        DType::I64 if size_of::<core::ffi::c_long>() == 8 => T::NPY_LONG as i32,
        DType::I64 => T::NPY_LONGLONG as i32,
        DType::U8 => T::NPY_UBYTE as i32,
        DType::U16 => T::NPY_USHORT as i32,
        DType::U32 if size_of::<core::ffi::c_long>() == 4 => T::NPY_ULONG as i32,
        DType::U32 => T::NPY_UINT as i32,
        DType::U64 if size_of::<core::ffi::c_long>() == 8 => T::NPY_ULONG as i32,
        DType::U64 => T::NPY_ULONGLONG as i32,
        DType::F16 => T::NPY_HALF as i32,
        DType::F32 => T::NPY_FLOAT as i32,
        DType::F64 => T::NPY_DOUBLE as i32,
        DType::BF16 => return bfloat16(py),
        other => return Err(PyTypeError::new_err(format!("{other} is no dtype of NumPy's"))),
    };
    // SAFETY: the number is one of NumPy's built-in types; the result is a new reference, or null with an exception
    // set.
    unsafe { Bound::from_owned_ptr_or_err(py, PY_ARRAY_API.PyArray_DescrFromType(py, number).cast()) }
}

/// The descriptor of `bfloat16`.
fn bfloat16(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static DESCR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let descr = DESCR.get_or_try_init(py, || {
        let scalar = py.import("ml_dtypes")?.getattr("bfloat16")?;
        PyResult::Ok(py.import("numpy")?.call_method1("dtype", (scalar,))?.unbind())
    })?;
    Ok(descr.bind(py).clone())
}

/// The dtype that a Python object names: anything that `numpy.dtype` takes, or the str `bfloat16`, which NumPy accepts
/// only after `ml_dtypes` is imported.
///
/// # Errors
/// `TypeError` for an object that is not a dtype, and for a dtype that operators do not compute with.
pub(crate) fn parse(object: &Bound<'_, PyAny>) -> PyResult<DType> {
    let py = object.py();
    if let Ok(text) = object.cast::<PyString>()
        && text == "bfloat16"
    {
        return Ok(DType::BF16);
    }
    let descr = match as_descr(py, object.as_ptr()) {
        Some(_) => object.clone(),
        None => convert(object)?,
    };
    match element_kind(py, descr.as_ptr().cast())? {
        ElementKind::Value(dtype) => Ok(dtype),
        _ => Err(PyTypeError::new_err(format!(
            "dtype {descr} is not one of bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64 in \
             this machine's byte order"
        ))),
    }
}

/// The dtype of the result of an operator that computes in `t`, unless the operator is a conversion or quantises.
pub(crate) fn of_result(op: Op, t: DType) -> DType {
    match op.signature() {
        Signature::UnaryPredicate | Signature::BinaryPredicate | Signature::Tolerance => DType::Bool,
        Signature::Exponent => DType::I32,
        Signature::Count => DType::U8,
        Signature::ToF64 => DType::F64,
        _ => t,
    }
}

/// NumPy's name for a dtype, for messages.
pub(crate) fn name(dtype: DType) -> &'static str {
    match dtype {
        DType::I8 => "int8",
        DType::I16 => "int16",
        DType::I32 => "int32",
        DType::I64 => "int64",
        DType::U8 => "uint8",
        DType::U16 => "uint16",
        DType::U32 => "uint32",
        DType::U64 => "uint64",
        DType::F16 => "float16",
        DType::BF16 => "bfloat16",
        DType::F32 => "float32",
        DType::F64 => "float64",
        other => other.name(),
    }
}

/// The dtypes that an operator takes, in Python's words.
pub(crate) fn accepted(op: Op) -> String {
    let word = |class| match class {
        "int" => "integers",
        "float" => "floats",
        "f16" => "float16",
        "f32" => "float32",
        "opaque" => "plain bytes of size 1, 2, 4, 8 or 16",
        other => other,
    };
    op.info().dtypes().split(' ').map(word).collect::<Vec<&str>>().join(", ")
}
