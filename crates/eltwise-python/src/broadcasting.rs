//! Broadcasting without an operator: `broadcast_shapes`, and views without copies (`broadcast_arrays`, `broadcast_to`)
//! of arrays of any dtype. [`parse_mode`] reads the arguments `broadcast`, `axis` and `target` of all functions.

use eltwise::{Broadcast, Shape};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PySequence, PyString, PyTuple};

use crate::array::{self, fields};
use crate::errors;
use crate::operand::is_masked;

/// The mode that the arguments `broadcast`, `axis` and `target` name.
///
/// # Errors
/// `ValueError` for an unknown name, or an axis or target that the mode does not have; `TypeError` for other types.
pub(crate) fn parse_mode(
    name: Option<&Bound<'_, PyAny>>,
    axis: Option<&Bound<'_, PyAny>>,
    target: Option<&Bound<'_, PyAny>>,
) -> PyResult<Broadcast> {
    let name = match name {
        None => "numpy".into(),
        Some(object) => match object.cast::<PyString>() {
            Ok(text) => text.to_cow()?.into_owned(),
            Err(_) => return Err(PyTypeError::new_err(format!("broadcast={}, expected a str", object.repr()?))),
        },
    };
    let axis: i64 = match axis {
        None => -1,
        Some(object) => object.extract().map_err(|_| {
            let text = format!("axis={}, expected an int: -1, or an axis of x", repr(object));
            if object.cast::<PyInt>().is_ok() { PyValueError::new_err(text) } else { PyTypeError::new_err(text) }
        })?,
    };
    let mode = match name.as_str() {
        "none" => Broadcast::None,
        "numpy" => Broadcast::Numpy,
        "unidirectional" => Broadcast::Unidirectional,
        "pdpd" => Broadcast::Pdpd { axis },
        "bidirectional" => match target {
            Some(target) => Broadcast::Bidirectional { target: parse_shape(target)? },
            None => return Err(PyValueError::new_err("broadcast=\"bidirectional\" needs a target shape")),
        },
        other => {
            return Err(PyValueError::new_err(format!(
                "broadcast={other:?}, expected \"none\", \"numpy\", \"unidirectional\", \"pdpd\" or \"bidirectional\""
            )));
        }
    };
    if axis != -1 && !matches!(mode, Broadcast::Pdpd { .. }) {
        return Err(PyValueError::new_err(format!("axis={axis} is for broadcast=\"pdpd\", not for {name:?}")));
    }
    if target.is_some() && !matches!(mode, Broadcast::Bidirectional { .. }) {
        return Err(PyValueError::new_err(format!("a target is for broadcast=\"bidirectional\", not for {name:?}")));
    }
    Ok(mode)
}

/// `repr(object)`, or `?` if it raises.
fn repr(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "?".into(), |text| text.to_string())
}

/// The shape that an int or a sequence of ints gives.
fn parse_shape(object: &Bound<'_, PyAny>) -> PyResult<Shape> {
    let error = |what: &str| {
        let text = format!("shape {}: {what}, expected sizes of 0 and more", repr(object));
        if what == "negative size" { PyValueError::new_err(text) } else { PyTypeError::new_err(text) }
    };
    let size = |object: &Bound<'_, PyAny>| -> PyResult<usize> {
        if let Ok(size) = object.extract::<usize>() {
            return Ok(size);
        }
        match object.extract::<i64>() {
            Ok(_) => Err(error("negative size")),
            Err(_) if object.cast::<PyInt>().is_ok() => {
                Err(PyValueError::new_err(format!("shape {}: a size is too large", repr(object))))
            }
            Err(_) => Err(error("not integers")),
        }
    };
    if let Ok(one) = object.extract::<i64>() {
        return Ok(Shape::new(&[usize::try_from(one).map_err(|_| error("negative size"))?]));
    }
    if object.cast::<PyString>().is_ok() {
        return Err(error("a str"));
    }
    let Ok(sequence) = object.cast::<PySequence>() else { return Err(error("no sequence")) };
    sequence.try_iter()?.map(|item| size(&item?)).collect()
}

/// The shape that shapes broadcast to.
///
/// Parameters
/// ----------
/// *shapes : int or sequence of int
/// broadcast : {"numpy", "none", "unidirectional", "pdpd", "bidirectional"}
///     "numpy": aligned at the last axis, sizes are equal or 1. "none": all shapes are equal. "unidirectional": as
///     "numpy", and the result is the first shape. "pdpd": the second shape starts at axis `axis` of the first, and
///     only the second is repeated. "bidirectional": one shape with `target`, as "numpy".
/// axis : int
///     For "pdpd": an axis of the first shape; -1 aligns the last axes.
/// target : int or sequence of int
///     For "bidirectional".
///
/// Returns
/// -------
/// tuple of int
///
/// Raises
/// ------
/// ValueError
///     Shapes that do not broadcast: names both shapes, the axis and the mode.
///
/// Examples
/// --------
/// >>> eltwise.broadcast_shapes((2, 3, 4), (3, 1))
/// (2, 3, 4)
/// >>> eltwise.broadcast_shapes((2, 3, 4, 5), (3, 4), broadcast="pdpd", axis=1)
/// (2, 3, 4, 5)
#[pyfunction]
#[pyo3(signature = (*shapes, broadcast=None, axis=None, target=None),
       text_signature = "(*shapes, broadcast=\"numpy\", axis=-1, target=None)")]
pub(crate) fn broadcast_shapes<'py>(
    shapes: &Bound<'py, PyTuple>,
    broadcast: Option<&Bound<'py, PyAny>>,
    axis: Option<&Bound<'py, PyAny>>,
    target: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let mode = parse_mode(broadcast, axis, target)?;
    let all: Vec<Shape> = shapes.iter().map(|object| parse_shape(&object)).collect::<PyResult<_>>()?;
    let all: Vec<&Shape> = all.iter().collect();
    let common = eltwise::broadcast_shapes(&mode, &all).map_err(|e| errors::to_exception(&e, "broadcast_shapes()"))?;
    PyTuple::new(shapes.py(), common.dims())
}

/// Views of arrays in the shape that they broadcast to, without copies.
///
/// Parameters
/// ----------
/// *arrays : array_like
///     Any dtypes, mixed; objects and strings too.
/// broadcast, axis, target
///     See `eltwise.broadcast_shapes`.
///
/// Returns
/// -------
/// tuple of numpy.ndarray
///     A view that repeats elements, or of a read-only array, is read-only.
///
/// Raises
/// ------
/// ValueError
///     Shapes that do not broadcast: names both shapes, the axis and the mode.
/// TypeError
///     A masked array.
///
/// Examples
/// --------
/// >>> [view.shape for view in eltwise.broadcast_arrays(np.ones((2, 1)), np.array(["a", "b", "c"]))]
/// [(2, 3), (2, 3)]
#[pyfunction]
#[pyo3(signature = (*arrays, broadcast=None, axis=None, target=None),
       text_signature = "(*arrays, broadcast=\"numpy\", axis=-1, target=None)")]
pub(crate) fn broadcast_arrays<'py>(
    arrays: &Bound<'py, PyTuple>,
    broadcast: Option<&Bound<'py, PyAny>>,
    axis: Option<&Bound<'py, PyAny>>,
    target: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let mode = parse_mode(broadcast, axis, target)?;
    let arrays: Vec<Bound<'py, PyUntypedArray>> =
        arrays.iter().map(|object| as_unmasked_array(&object)).collect::<PyResult<_>>()?;
    let views = common_views(&arrays, &mode, "broadcast_arrays()")?;
    match views.first() {
        Some(first) => PyTuple::new(first.py(), &views),
        None => Err(PyValueError::new_err("broadcast_arrays(): no arrays")),
    }
}

/// A read-only view of an array in a different shape, its elements repeated, without a copy.
///
/// Parameters
/// ----------
/// x : array_like
///     Any dtype.
/// shape : int or sequence of int
/// broadcast : {"numpy", "none", "unidirectional", "pdpd", "bidirectional"}
///     "numpy", "unidirectional": the result has exactly this shape. "none": x already has it. "pdpd": x starts at axis
///     `axis` of it. "bidirectional": the shape broadcasts too, so the result may be larger; it is read-only only if it
///     repeats elements or x is read-only.
/// axis : int
///     For "pdpd": an axis of the shape; -1 aligns the last axes.
///
/// Returns
/// -------
/// numpy.ndarray
///
/// Raises
/// ------
/// ValueError
///     x does not broadcast to the shape.
/// TypeError
///     A masked array.
///
/// Examples
/// --------
/// >>> eltwise.broadcast_to([1, 2], (3, 2))
/// array([[1, 2],
///        [1, 2],
///        [1, 2]])
#[pyfunction]
#[pyo3(signature = (x, shape, broadcast=None, axis=None), text_signature = "(x, shape, broadcast=\"numpy\", axis=-1)")]
pub(crate) fn broadcast_to<'py>(
    x: &Bound<'py, PyAny>,
    shape: &Bound<'py, PyAny>,
    broadcast: Option<&Bound<'py, PyAny>>,
    axis: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let is_bidirectional = broadcast.is_some_and(|name| name.eq("bidirectional").unwrap_or(false));
    let mode = parse_mode(broadcast, axis, is_bidirectional.then_some(shape))?;
    let array = as_unmasked_array(x)?;
    let context = "broadcast_to()";
    if is_bidirectional {
        return Ok(common_views(&[array], &mode, context)?.remove(0).into_any());
    }
    let target = parse_shape(shape)?;
    let mode = if mode == Broadcast::Numpy { Broadcast::Unidirectional } else { mode };
    let source = Shape::new(fields(&array).shape());
    let alignment = mode.align(&[&target, &source]).map_err(|e| errors::to_exception(&e, context))?;
    Ok(broadcast_view(&array, &alignment.shape, alignment.starts[1], false)?.into_any())
}

/// `numpy.asarray(object)`. A masked array is a `TypeError`, because its mask would be lost.
fn as_unmasked_array<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    if is_masked(object)? {
        return Err(PyTypeError::new_err("a masked array cannot be broadcast: its mask would be lost; use .data"));
    }
    array::asarray(object)
}

/// Views of arrays in the shape that they broadcast to.
fn common_views<'py>(
    arrays: &[Bound<'py, PyUntypedArray>],
    mode: &Broadcast,
    context: &str,
) -> PyResult<Vec<Bound<'py, PyUntypedArray>>> {
    let shapes: Vec<Shape> = arrays.iter().map(|a| Shape::new(fields(a).shape())).collect();
    let shapes: Vec<&Shape> = shapes.iter().collect();
    let alignment = mode.align(&shapes).map_err(|e| errors::to_exception(&e, context))?;
    let starts = alignment.starts.iter();
    arrays.iter().zip(starts).map(|(array, &start)| broadcast_view(array, &alignment.shape, start, true)).collect()
}

/// A view of an array in a larger shape. The first axis of the array is axis `start` of the view. The view is writeable
/// if `may_write`, the array is writeable and no element is repeated.
fn broadcast_view<'py>(
    array: &Bound<'py, PyUntypedArray>,
    shape: &Shape,
    start: usize,
    may_write: bool,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let source = fields(array);
    let mut strides = vec![0isize; shape.rank()];
    for (axis, (&size, &stride)) in source.shape().iter().zip(source.strides()).enumerate() {
        // Trailing axes of size 1 of a "pdpd" operand may be past the last axis of the view.
        if size != 1
            && let Some(place) = strides.get_mut(start + axis)
        {
            *place = stride;
        }
    }
    let repeats = shape.iter().zip(&strides).any(|(&size, &stride)| size > 1 && stride == 0);
    let writeable = may_write && !repeats && source.is_writeable();
    // SAFETY: every axis has the size and stride of an axis of the array, or size 1, or stride 0.
    unsafe { array::view(array, shape, &strides, writeable) }
}
