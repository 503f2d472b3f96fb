//! NumPy arrays as the engine sees them: address, shape, strides, element type.
//!
//! Fields are read straight from NumPy's array structure: its layout is the same for every NumPy from 1.7 on, and a
//! call into Python for each of them would cost more than a small operator.

use core::ptr;

use eltwise::Layout;
use numpy::npyffi::{
    self, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_F_CONTIGUOUS, NPY_ARRAY_WRITEABLE, PY_ARRAY_API, PyArray_Descr,
    PyArrayObject, PyArrayObject_fields,
};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

use crate::dtypes::{self, Elements};

/// The fields of a live array.
#[derive(Clone, Copy)]
pub(crate) struct Fields<'a>(&'a PyArrayObject_fields);

impl<'a> Fields<'a> {
    /// The fields of an array.
    ///
    /// # Safety
    /// `object` is a NumPy array (or a subclass) that lives for `'a`, and nobody changes its shape or dtype meanwhile.
    #[inline]
    pub(crate) unsafe fn of(object: *mut PyObject) -> Fields<'a> {
        // SAFETY: the caller's contract; the structure of an array begins with these fields.
        Fields(unsafe { &*npyffi::_PyArray_GET_ITEM_DATA(object.cast::<PyArrayObject>()) })
    }

    /// Element `[0, 0, ...]`.
    #[inline]
    pub(crate) fn data(self) -> *mut u8 {
        self.0.data.cast()
    }

    /// The sizes of the axes.
    #[inline]
    pub(crate) fn shape(self) -> &'a [usize] {
        // SAFETY: NumPy holds `nd` sizes there, none of them negative; the pointer of rank 0 is not read.
        unsafe { slice(self.0.dimensions.cast(), self.0.nd) }
    }

    /// Bytes from one index of an axis to the next.
    #[inline]
    pub(crate) fn strides(self) -> &'a [isize] {
        // SAFETY: NumPy holds `nd` strides there.
        unsafe { slice(self.0.strides, self.0.nd) }
    }

    /// The element type's descriptor.
    #[inline]
    pub(crate) fn descr(self) -> *mut PyArray_Descr {
        self.0.descr
    }

    /// Whether the elements are dense in C order.
    #[inline]
    pub(crate) fn is_c_contiguous(self) -> bool {
        self.0.flags & NPY_ARRAY_C_CONTIGUOUS != 0
    }

    /// Whether the elements are dense in Fortran order.
    #[inline]
    pub(crate) fn is_f_contiguous(self) -> bool {
        self.0.flags & NPY_ARRAY_F_CONTIGUOUS != 0
    }

    /// Whether the array may be written.
    #[inline]
    pub(crate) fn is_writeable(self) -> bool {
        self.0.flags & NPY_ARRAY_WRITEABLE != 0
    }

    /// The number of elements.
    #[inline]
    pub(crate) fn elements(self) -> usize {
        self.shape().iter().product()
    }
}

/// # Safety
/// `data` points to `rank` values that live for `'a`, unless `rank` is 0.
#[inline]
unsafe fn slice<'a, T>(data: *const T, rank: i32) -> &'a [T] {
    match usize::try_from(rank) {
        // SAFETY: the caller's contract.
        Ok(rank @ 1..) => unsafe { core::slice::from_raw_parts(data, rank) },
        _ => &[],
    }
}

/// The fields of an array that the caller holds.
#[inline]
pub(crate) fn fields<'a>(array: &'a Bound<'_, PyUntypedArray>) -> Fields<'a> {
    // SAFETY: the type says that it is an array, and the borrow keeps it alive. Python code that could resize it does
    // not run while the fields are used: callers copy them before they call anything.
    unsafe { Fields::of(array.as_ptr()) }
}

/// What an array's elements are, and whether their bytes are swapped.
pub(crate) fn elements(array: &Bound<'_, PyUntypedArray>) -> PyResult<Elements> {
    dtypes::elements(array.py(), fields(array).descr())
}

/// Bytes of an element of an array.
pub(crate) fn element_size(array: &Bound<'_, PyUntypedArray>) -> usize {
    // SAFETY: the descriptor of an array that the caller holds.
    let size = unsafe { npyffi::PyDataType_ELSIZE(array.py(), fields(array).descr()) };
    usize::try_from(size).unwrap_or(0)
}

/// A new array with this element type and layout, uninitialised.
pub(crate) fn empty<'py>(
    py: Python<'py>,
    descr: &Bound<'py, PyAny>,
    layout: &Layout,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    make(py, descr, layout.shape(), layout.strides(), ptr::null_mut())
}

/// An array over existing memory with other sizes and strides, which keeps `base` alive.
///
/// # Safety
/// All elements lie in the memory of `base`, an array of the same element type.
pub(crate) unsafe fn view<'py>(
    base: &Bound<'py, PyUntypedArray>,
    shape: &[usize],
    strides: &[isize],
    writeable: bool,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let py = base.py();
    let view = make(py, base.dtype().as_any(), shape, strides, fields(base).data())?;
    // SAFETY: the view is an array of ours that nobody has seen; SetBaseObject takes the new reference.
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

/// A new array object: with memory of its own when `data` is null.
fn make<'py>(
    py: Python<'py>,
    descr: &Bound<'py, PyAny>,
    shape: &[usize],
    strides: &[isize],
    data: *mut u8,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    // SAFETY: NewFromDescr steals the reference to the descriptor that is made for it, copies sizes and strides, and
    // returns a new reference or null with an exception set (a rank that NumPy does not have, no memory).
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
    // SAFETY: reads a pointer of NumPy's table of functions and types.
    unsafe { npyffi::get_type_object(py, npyffi::NpyTypes::PyArray_Type) }
}

/// `object` as an array, as `numpy.asarray` makes one.
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

/// A copy of an array with its bytes in this machine's order.
pub(crate) fn native_order<'py>(array: &Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let dtype = array.dtype().as_any().call_method1("newbyteorder", ("=",))?;
    Ok(array.as_any().call_method1("astype", (dtype,))?.cast_into()?)
}

/// `to[...] = from`, as NumPy does it: byte order and overlap are its business.
pub(crate) fn copy_into(to: &Bound<'_, PyUntypedArray>, from: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    let py = to.py();
    // SAFETY: both are live arrays.
    let status = unsafe { PY_ARRAY_API.PyArray_CopyInto(py, to.as_array_ptr(), from.as_array_ptr()) };
    if status == 0 { Ok(()) } else { Err(PyErr::fetch(py)) }
}

/// The array itself, or a NumPy scalar for rank 0.
pub(crate) fn unwrap_scalar<'py>(array: Bound<'py, PyUntypedArray>) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    // SAFETY: Return takes over the reference and gives back a new one, or null with an exception set.
    unsafe {
        let object = PY_ARRAY_API.PyArray_Return(py, array.into_ptr().cast());
        Bound::from_owned_ptr_or_err(py, object)
    }
}

/// NumPy's text for an array's element type.
pub(crate) fn fields_dtype(array: &Bound<'_, PyUntypedArray>) -> String {
    array.dtype().as_any().str().map_or_else(|_| "?".into(), |text| text.to_string())
}
