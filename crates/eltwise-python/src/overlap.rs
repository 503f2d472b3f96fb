//! [`may_overlap`]: the engine's overlap test for the functions in Python with two outputs.

use eltwise::{DType, Layout};
use numpy::PyUntypedArray;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};
use smallvec::SmallVec;

use crate::array::{self, element_size, fields};

/// Whether two objects may have a byte of memory in common, as arrays. `False` is a proof that they have none: see
/// `eltwise_core::may_overlap`.
#[pyfunction]
#[pyo3(name = "_may_overlap", text_signature = "(x, y)")]
pub(crate) fn may_overlap(x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<bool> {
    let (Some(x), Some(y)) = (memory(x)?, memory(y)?) else { return Ok(false) };
    let layouts = byte_layout(&x).zip(byte_layout(&y));
    // A layout that does not fit the address space may be anywhere.
    Ok(layouts.is_none_or(|(first, second)| {
        let (x, y) = (fields(&x).data().addr(), fields(&y).data().addr());
        eltwise_core::may_overlap((x, &first), (y, &second))
    }))
}

/// The array that an object is, or whose memory it offers; `None` for a number.
fn memory<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyUntypedArray>>> {
    if object.is_instance_of::<PyInt>() || object.is_instance_of::<PyFloat>() {
        return Ok(None);
    }
    array::asarray(object).map(Some)
}

/// The layout of the bytes of an array of any dtype: one more axis for the bytes of an element.
fn byte_layout(array: &Bound<'_, PyUntypedArray>) -> Option<Layout> {
    let mut shape: SmallVec<[usize; 8]> = fields(array).shape().into();
    let mut strides: SmallVec<[isize; 8]> = fields(array).strides().into();
    shape.push(element_size(array));
    strides.push(1);
    Layout::strided(DType::U8, &shape[..], &strides[..]).ok()
}
