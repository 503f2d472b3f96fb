//! NumPy arrays: their fields ([`ArrayFields`]), and the few operations of NumPy's C API that the package needs.
//!
//! Fields are read straight from NumPy's array structure. Its layout has been the same since NumPy 1.7, and a call into
//! Python for each field would cost more than a small operator.

use core::ptr;

use eltwise::Layout;
use numpy::npyffi::{
    self, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS, NPY_ARRAY_WRITEABLE, PY_ARRAY_API, PyArray_Descr,
    PyArrayObject, PyArrayObject_fields,
};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::dtypes::{self, ElementKind};

/// The fields of a live array.
#[derive(Clone, Copy)]
pub(crate) struct ArrayFields<'a>(&'a PyArrayObject_fields);

impl<'a> ArrayFields<'a> {
    /// The fields of an array.
    ///
    /// # Safety
    /// `object` is a NumPy array, or an instance of a subclass, that lives for `'a`. Nothing changes its shape or dtype
    /// during `'a`.
    #[inline]
    pub(crate) unsafe fn of(object: *mut PyObject) -> ArrayFields<'a> {
        // SAFETY: the caller passes a live array, and NumPy's array structure begins with these fields.
        ArrayFields(unsafe { &*npyffi::_PyArray_GET_ITEM_DATA(object.cast::<PyArrayObject>()) })
    }

    /// The address of element `[0, 0, ...]`.
    #[inline]
    pub(crate) fn data(self) -> *mut u8 {
        self.0.data.cast()
    }

    /// The sizes of the axes.
    #[inline]
    pub(crate) fn shape(self) -> &'a [usize] {
        // SAFETY: NumPy stores `nd` non-negative sizes there, for as long as the array keeps its shape. Rank 0 is not
        // read.
        unsafe { slice_of_rank(self.0.dimensions.cast(), self.0.nd) }
    }

    /// The strides of the axes, in bytes.
    #[inline]
    pub(crate) fn strides(self) -> &'a [isize] {
        // SAFETY: NumPy stores `nd` strides there, for as long as the array keeps its shape. Rank 0 is not read.
        unsafe { slice_of_rank(self.0.strides, self.0.nd) }
    }

    /// The descriptor of the element type.
    #[inline]
    pub(crate) fn descr(self) -> *mut PyArray_Descr {
        self.0.descr
    }

    /// Whether the elements are contiguous in C order.
    #[inline]
    pub(crate) fn is_c_contiguous(self) -> bool {
        self.0.flags & NPY_ARRAY_C_CONTIGUOUS != 0
    }

    /// Whether the elements are contiguous in Fortran order.
    #[inline]
    pub(crate) fn is_f_contiguous(self) -> bool {
        self.0.flags & NPY_ARRAY_F_CONTIGUOUS != 0
    }

    /// Whether the array is writeable.
    #[inline]
    pub(crate) fn is_writeable(self) -> bool {
        self.0.flags & NPY_ARRAY_WRITEABLE != 0
    }
}

/// # Safety
/// `data` points to `rank` values that live for `'a`, unless `rank` is 0.
#[inline]
unsafe fn slice_of_rank<'a, T>(data: *const T, rank: i32) -> &'a [T] {
    match usize::try_from(rank) {
        // SAFETY: the caller passes a pointer to `rank` values that live for `'a`.
        Ok(rank @ 1..) => unsafe { core::slice::from_raw_parts(data, rank) },
        _ => &[],
    }
}

/// The fields of an array that the caller holds.
#[inline]
pub(crate) fn fields<'a>(array: &'a Bound<'_, PyUntypedArray>) -> ArrayFields<'a> {
    // SAFETY: `PyUntypedArray` is an array, and the borrow keeps it alive. Python code that could resize it does not
    // run while the fields are in use: callers copy the fields before they call into Python.
    unsafe { ArrayFields::of(array.as_ptr()) }
}

/// How the engine treats the elements of an array.
pub(crate) fn element_kind(array: &Bound<'_, PyUntypedArray>) -> PyResult<ElementKind> {
    dtypes::element_kind(array.py(), fields(array).descr())
}

/// The size of an element, in bytes.
pub(crate) fn element_size(array: &Bound<'_, PyUntypedArray>) -> usize {
    // SAFETY: the descriptor belongs to an array that the caller holds.
    let size = unsafe { npyffi::PyDataType_ELSIZE(array.py(), fields(array).descr()) };
    usize::try_from(size).unwrap_or(0)
}

/// A new, uninitialised array with this element type and layout.
pub(crate) fn empty<'py>(
    py: Python<'py>,
    descr: &Bound<'py, PyAny>,
    layout: &Layout,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    new_array(py, descr, layout.shape(), layout.strides(), ptr::null_mut())
}

/// A new array whose axes have an order that NumPy's function `empty` takes: `"C"` or `"F"`.
///
/// # Errors
/// Errors of `numpy.empty`.
pub(crate) fn empty_in_order<'py>(
    py: Python<'py>,
    descr: &Bound<'py, PyAny>,
    shape: &[usize],
    order: &str,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    Ok(py.import("numpy")?.call_method1("empty", (PyTuple::new(py, shape)?, descr, order))?.cast_into()?)
}

/// A view of the memory of `base` with another shape and other strides (in bytes). The view keeps `base` alive.
///
/// # Safety
/// All elements of the view are inside the memory of `base`.
pub(crate) unsafe fn view<'py>(
    base: &Bound<'py, PyUntypedArray>,
    shape: &[usize],
    strides: &[isize],
    writeable: bool,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = base.py();
    let view = new_array(py, base.dtype().as_any(), shape, strides, fields(base).data())?;
    // SAFETY: `view` is a new array that no other code has seen. SetBaseObject steals the new reference to `base`.
    unsafe {
        let array = view.as_ptr().cast::<PyArrayObject>();
        if PY_ARRAY_API.PyArray_SetBaseObject(py, array, base.clone().into_any().into_ptr()) != 0 {
            return Err(PyErr::fetch(py));
        }
        let flags = &raw mut (*npyffi::_PyArray_GET_ITEM_DATA(array)).flags;
        if writeable {
            *flags |= NPY_ARRAY_WRITEABLE;
        } else {
            *flags &= !NPY_ARRAY_WRITEABLE;
        }
    }
    Ok(view)
}

/// A new array object over `data`; NumPy allocates the memory if `data` is null.
fn new_array<'py>(
    py: Python<'py>,
    descr: &Bound<'py, PyAny>,
    shape: &[usize],
    strides: &[isize],
    data: *mut u8,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    // SAFETY: NewFromDescr steals the new reference to the descriptor and copies the sizes and strides. It returns a
    // new reference, or null with an exception set (for a rank that NumPy does not support, or no memory).
    unsafe {
        let descr = descr.clone().into_ptr().cast::<PyArray_Descr>();
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            array_type(py),
            descr,
            i32::try_from(shape.len()).unwrap_or(i32::MAX),
            shape.as_ptr().cast_mut().cast(),
            strides.as_ptr().cast_mut(),
            data.cast(),
            0,
            ptr::null_mut(),
        );
        Ok(Bound::from_owned_ptr_or_err(py, array)?.cast_into_unchecked())
    }
}

/// The type `numpy.ndarray`.
#[inline]
pub(crate) fn array_type(py: Python<'_>) -> *mut ffi::PyTypeObject {
    // SAFETY: reads a pointer from NumPy's table of functions and types.
    unsafe { npyffi::get_type_object(py, npyffi::NpyTypes::PyArray_Type) }
}

/// `numpy.asarray(object)`. Arrays are returned as they are, instances of subclasses too.
pub(crate) fn asarray<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = object.py();
    if let Ok(array) = object.cast::<PyUntypedArray>() {
        return Ok(array.clone());
    }
    // SAFETY: FromAny takes a live object and returns a new reference to an array, or null with an exception set.
    unsafe {
        let array = PY_ARRAY_API.PyArray_FromAny(py, object.as_ptr(), ptr::null_mut(), 0, 0, 0, ptr::null_mut());
        Ok(Bound::from_owned_ptr_or_err(py, array)?.cast_into_unchecked())
    }
}

/// A copy of an array in native byte order.
pub(crate) fn to_native_order<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let dtype = array.dtype().as_any().call_method1("newbyteorder", ("=",))?;
    Ok(array.as_any().call_method1("astype", (dtype,))?.cast_into()?)
}

/// `to[...] = from` by NumPy, which handles byte order and overlap.
pub(crate) fn copy_into(to: &Bound<'_, PyUntypedArray>, from: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    let py = to.py();
    // SAFETY: both are live arrays.
    let status = unsafe { PY_ARRAY_API.PyArray_CopyInto(py, to.as_array_ptr(), from.as_array_ptr()) };
    if status == 0 { Ok(()) } else { Err(PyErr::fetch(py)) }
}

/// The array itself, or a NumPy scalar if its rank is 0.
pub(crate) fn unwrap_scalar<'py>(array: Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    // SAFETY: Return steals the reference and returns a new one, or null with an exception set.
    unsafe {
        let object = PY_ARRAY_API.PyArray_Return(py, array.into_ptr().cast());
        Bound::from_owned_ptr_or_err(py, object)
    }
}

/// NumPy's text for the element type of an array, for messages.
pub(crate) fn dtype_text(array: &Bound<'_, PyUntypedArray>) -> String {
    array.dtype().as_any().str().map_or_else(|_| "?".into(), |text| text.to_string())
}
