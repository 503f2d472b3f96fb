//! NumPy's element types and ours.

use core::ptr;
use core::sync::atomic::{AtomicI32, Ordering};

use eltwise::DType;
use numpy::npyffi::{self, NPY_TYPES, PY_ARRAY_API, PyArray_Descr, PyDataType_ELSIZE, PyDataType_FLAGS};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

/// What the elements of an array are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Elements {
    /// Values that operators compute with.
    Value(DType),
    /// The same, with the bytes of each element in the other order.
    Swapped(DType),
    /// Bytes that can be moved: dates, complex numbers, records.
    Opaque(DType),
    /// Python objects, long strings: nothing for the engine.
    Foreign,
}

/// `bfloat16`'s type number, once it was met; `ml_dtypes` registers it at run time.
static BFLOAT16: AtomicI32 = AtomicI32::new(i32::MIN);

/// NumPy's type numbers from 0 on that are dtypes of ours.
const VALUES: [Option<DType>; 24] = {
    use NPY_TYPES as T;
    let long = if size_of::<core::ffi::c_long>() == 8 { (DType::I64, DType::U64) } else { (DType::I32, DType::U32) };
    let mut values = [None; 24];
    values[T::NPY_BOOL as usize] = Some(DType::Bool);
    values[T::NPY_BYTE as usize] = Some(DType::I8);
    values[T::NPY_UBYTE as usize] = Some(DType::U8);
    values[T::NPY_SHORT as usize] = Some(DType::I16);
    values[T::NPY_USHORT as usize] = Some(DType::U16);
    values[T::NPY_INT as usize] = Some(DType::I32);
    values[T::NPY_UINT as usize] = Some(DType::U32);
    values[T::NPY_LONG as usize] = Some(long.0);
    values[T::NPY_ULONG as usize] = Some(long.1);
    values[T::NPY_LONGLONG as usize] = Some(DType::I64);
    values[T::NPY_ULONGLONG as usize] = Some(DType::U64);
    values[T::NPY_FLOAT as usize] = Some(DType::F32);
    values[T::NPY_DOUBLE as usize] = Some(DType::F64);
    values[T::NPY_HALF as usize] = Some(DType::F16);
    values
};

/// The dtype of a descriptor whose elements are values in this machine's byte order, without a call into Python.
///
/// # Safety
/// `descr` is a live descriptor.
#[inline]
pub(crate) unsafe fn quick(descr: *mut PyArray_Descr) -> Option<DType> {
    // SAFETY: the caller's contract.
    let (number, order) = unsafe { ((*descr).fields.type_num, (*descr).fields.byteorder) };
    if order == b'>' as core::ffi::c_char {
        return None;
    }
    match VALUES.get(number as usize) {
        Some(value) => *value,
        None if number == BFLOAT16.load(Ordering::Relaxed) => Some(DType::BF16),
        None => None,
    }
}

/// An object as a descriptor, if it is a `numpy.dtype`.
#[inline]
pub(crate) fn as_descr(py: Python<'_>, object: *mut PyObject) -> Option<*mut PyArray_Descr> {
    // SAFETY: a live object, and NumPy's type of descriptors.
    let is = unsafe {
        let class = npyffi::get_type_object(py, npyffi::NpyTypes::PyArrayDescr_Type);
        ffi::PyType_IsSubtype(ffi::Py_TYPE(object), class) != 0
    };
    is.then_some(object.cast())
}

/// What the elements of a descriptor are.
pub(crate) fn elements(py: Python<'_>, descr: *mut PyArray_Descr) -> PyResult<Elements> {
    // SAFETY: the descriptor belongs to an array, or a reference, that the caller holds; so for the reads below.
    if let Some(dtype) = unsafe { quick(descr) } {
        return Ok(Elements::Value(dtype));
    }
    // SAFETY: as above.
    let (number, flags, size, object) = unsafe {
        let object = Bound::from_borrowed_ptr(py, descr.cast());
        ((*descr).fields.type_num, PyDataType_FLAGS(py, descr), PyDataType_ELSIZE(py, descr), object)
    };
    if let Some(Some(dtype)) = VALUES.get(number as usize) {
        return Ok(Elements::Swapped(*dtype));
    }
    if number >= NPY_TYPES::NPY_USERDEF as i32 && is_bfloat16(&object)? {
        BFLOAT16.store(number, Ordering::Relaxed);
        // SAFETY: as above.
        let is_swapped = unsafe { (*descr).fields.byteorder } == b'>' as core::ffi::c_char;
        return Ok(if is_swapped { Elements::Swapped(DType::BF16) } else { Elements::Value(DType::BF16) });
    }
    const HAS_REFERENCES: u64 = 1;
    // Dtypes of the new kind (variable-length strings) may point anywhere; those with fixed numbers are plain bytes.
    let plain = flags & HAS_REFERENCES == 0 && (0..NPY_TYPES::NPY_VSTRING as i32).contains(&number);
    let opaque = usize::try_from(size).ok().and_then(DType::opaque).filter(|_| plain);
    Ok(opaque.map_or(Elements::Foreign, Elements::Opaque))
}

fn is_bfloat16(descr: &Bound<'_, PyAny>) -> PyResult<bool> {
    let name = descr.getattr("type")?;
    let is = |attribute: &str, expected: &str| -> PyResult<bool> {
        Ok(name.getattr(attribute)?.cast::<PyString>().is_ok_and(|text| text == expected))
    };
    Ok(is("__name__", "bfloat16")? && is("__module__", "ml_dtypes")?)
}

/// The NumPy descriptor of a dtype that has values.
///
/// # Errors
/// `ImportError` for `bfloat16` without the package `ml_dtypes`.
pub(crate) fn descr(py: Python<'_>, dtype: DType) -> PyResult<Bound<'_, PyAny>> {
    use NPY_TYPES as T;
    let number = match dtype {
        DType::Bool => T::NPY_BOOL as i32,
        DType::I8 => T::NPY_BYTE as i32,
        DType::I16 => T::NPY_SHORT as i32,
        // Of two C types of one size NumPy prefers `long`.
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
    // SAFETY: a type number of NumPy's own; the result is a new reference.
    unsafe { Bound::from_owned_ptr_or_err(py, PY_ARRAY_API.PyArray_DescrFromType(py, number).cast()) }
}

fn bfloat16(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static DESCR: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let descr = DESCR.get_or_try_init(py, || {
        let scalar = py.import("ml_dtypes")?.getattr("bfloat16")?;
        PyResult::Ok(py.import("numpy")?.call_method1("dtype", (scalar,))?.unbind())
    })?;
    Ok(descr.bind(py).clone())
}

/// A dtype given from Python: anything that `numpy.dtype` takes, or the text `bfloat16`, which NumPy knows only after
/// `ml_dtypes` was imported.
///
/// # Errors
/// `TypeError` for what is no dtype, or none of the engine's.
pub(crate) fn parse(object: &Bound<'_, PyAny>) -> PyResult<DType> {
    let py = object.py();
    if let Ok(text) = object.cast::<PyString>()
        && text == "bfloat16"
    {
        return Ok(DType::BF16);
    }
    let descr = match as_descr(py, object.as_ptr()) {
        Some(_) => object.clone(),
        None => {
            let mut descr = ptr::null_mut();
            // SAFETY: a live object; success leaves a new reference in `descr`, failure an exception.
            unsafe {
                if PY_ARRAY_API.PyArray_DescrConverter(py, object.as_ptr(), &raw mut descr) == 0 {
                    return Err(PyErr::fetch(py));
                }
                Bound::from_owned_ptr(py, descr.cast())
            }
        }
    };
    match elements(py, descr.as_ptr().cast())? {
        Elements::Value(dtype) => Ok(dtype),
        _ => Err(PyTypeError::new_err(format!(
            "dtype {descr} is not one of bool, int8 to int64, uint8 to uint64, float16, bfloat16, float32, float64 in \
             this machine's byte order"
        ))),
    }
}

/// NumPy's name of a dtype, for messages.
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
