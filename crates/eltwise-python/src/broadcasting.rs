//! Broadcasting by itself: shapes, and views without copies, for arrays of any dtype.

use eltwise::{Broadcast, Shape};
use numpy::PyUntypedArray;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyInt, PySequence, PyString, PyTuple};

use crate::array::{self, fields};
use crate::errors;
use crate::operand::is_masked;

/// The mode that `broadcast`, `axis` and `target` name.
///
/// # Errors
/// `ValueError` for an unknown name, an axis or a target that the mode does not have; `TypeError` for other types.
pub(crate) fn mode(
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
            let text = format!("axis={}, expected an int: -1, or an axis of x", show(object));
            if object.cast::<PyInt>().is_ok() { PyValueError::new_err(text) } else { PyTypeError::new_err(text) }
        })?,
    };
    let mode = match name.as_str() {
        "none" => Broadcast::None,
        "numpy" => Broadcast::Numpy,
        "unidirectional" => Broadcast::Unidirectional,
        "pdpd" => Broadcast::Pdpd { axis },
        "bidirectional" => match target {
            Some(target) => Broadcast::Bidirectional { target: shape(target)? },
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

fn show(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "?".into(), |text| text.to_string())
}

/// A shape: an int, or a sequence of ints.
fn shape(object: &Bound<'_, PyAny>) -> PyResult<Shape> {
    let wrong = |what: &str| {
        let text = format!("shape {}: {what}, expected sizes of 0 and more", show(object));
        if what == "negative size" { PyValueError::new_err(text) } else { PyTypeError::new_err(text) }
    };
    let size = |object: &Bound<'_, PyAny>| -> PyResult<usize> {
        if let Ok(size) = object.extract::<usize>() {
            return Ok(size);
        }
        match object.extract::<i64>() {
            Ok(_) => Err(wrong("negative size")),
            Err(_) if object.cast::<PyInt>().is_ok() => {
                Err(PyValueError::new_err(format!("shape {}: a size is too large", show(object))))
            }
            Err(_) => Err(wrong("not integers")),
        }
    };
    if let Ok(one) = object.extract::<i64>() {
        return Ok(Shape::new(&[usize::try_from(one).map_err(|_| wrong("negative size"))?]));
    }
    if object.cast::<PyString>().is_ok() {
        return Err(wrong("a str"));
    }
    let Ok(sequence) = object.cast::<PySequence>() else { return Err(wrong("no sequence")) };
    sequence.try_iter()?.map(|item| size(&item?)).collect()
}

/// The common shape of shapes (ints or sequences of ints), as a tuple.
///
/// broadcast: "none": all equal; "numpy": right-aligned, sizes equal or 1; "unidirectional": as "numpy", and the result
/// is the first shape; "pdpd": the second shape starts at `axis` of the first, and only it is repeated;
/// "bidirectional": of one shape and `target`.
///
/// Raises ValueError for shapes that do not fit, with both shapes, the axis and the rule.
#[pyfunction]
#[pyo3(signature = (*shapes, broadcast=None, axis=None, target=None),
       text_signature = "(*shapes, broadcast=\"numpy\", axis=-1, target=None)")]
pub(crate) fn broadcast_shapes<'py>(
    shapes: &Bound<'py, PyTuple>,
    broadcast: Option<&Bound<'py, PyAny>>,
    axis: Option<&Bound<'py, PyAny>>,
    target: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let mode = mode(broadcast, axis, target)?;
    let all: Vec<Shape> = shapes.iter().map(|object| shape(&object)).collect::<PyResult<_>>()?;
    let all: Vec<&Shape> = all.iter().collect();
    let common = eltwise::broadcast_shapes(&mode, &all).map_err(|e| errors::described(&e, "broadcast_shapes()"))?;
    PyTuple::new(shapes.py(), common.dims())
}

/// Views of arrays in their common shape, as a tuple; nothing is copied.
///
/// Arrays of any dtypes, mixed, objects and strings too. A view with repeated elements is read-only. For the modes, see
/// `broadcast_shapes`.
///
/// Raises ValueError for shapes that do not fit, with both shapes, the axis and the rule.
#[pyfunction]
#[pyo3(signature = (*arrays, broadcast=None, axis=None, target=None),
       text_signature = "(*arrays, broadcast=\"numpy\", axis=-1, target=None)")]
pub(crate) fn broadcast_arrays<'py>(
    arrays: &Bound<'py, PyTuple>,
    broadcast: Option<&Bound<'py, PyAny>>,
    axis: Option<&Bound<'py, PyAny>>,
    target: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyTuple>> {
    let mode = mode(broadcast, axis, target)?;
    let arrays: Vec<Bound<'py, PyUntypedArray>> =
        arrays.iter().map(|object| unmasked(&object)).collect::<PyResult<_>>()?;
    let views = expand(&arrays, &mode, "broadcast_arrays()")?;
    match views.first() {
        Some(first) => PyTuple::new(first.py(), &views),
        None => Err(PyValueError::new_err("broadcast_arrays(): no arrays")),
    }
}

/// A read-only view of an array in another shape, its elements repeated; nothing is copied. Any dtype.
///
/// broadcast: "numpy", "unidirectional": the result has exactly this shape; "none": `x` has it already; "pdpd": `x`
/// starts at `axis` of it; "bidirectional": the shape is repeated too where it has 1s, so the result may be larger.
///
/// Raises ValueError when the array cannot be repeated to the shape.
#[pyfunction]
#[pyo3(signature = (x, shape, broadcast=None, axis=None), text_signature = "(x, shape, broadcast=\"numpy\", axis=-1)")]
pub(crate) fn broadcast_to<'py>(
    x: &Bound<'py, PyAny>,
    shape: &Bound<'py, PyAny>,
    broadcast: Option<&Bound<'py, PyAny>>,
    axis: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let is_bidirectional = broadcast.is_some_and(|name| name.eq("bidirectional").unwrap_or(false));
    let mode = mode(broadcast, axis, is_bidirectional.then_some(shape))?;
    let array = unmasked(x)?;
    let context = "broadcast_to()";
    if is_bidirectional {
        return Ok(expand(&[array], &mode, context)?.remove(0).into_any());
    }
    let target = self::shape(shape)?;
    let mode = if mode == Broadcast::Numpy { Broadcast::Unidirectional } else { mode };
    let own = Shape::new(fields(&array).shape());
    let alignment = mode.align(&[&target, &own]).map_err(|e| errors::described(&e, context))?;
    Ok(expanded(&array, &alignment.shape, alignment.starts[1], false)?.into_any())
}

/// An array; a masked one is refused, because its mask would be lost.
fn unmasked<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    if is_masked(object)? {
        return Err(PyTypeError::new_err("a masked array cannot be broadcast: its mask would be lost; use .data"));
    }
    array::asarray(object)
}

/// Views of arrays in their common shape.
fn expand<'py>(
    arrays: &[Bound<'py, PyUntypedArray>],
    mode: &Broadcast,
    context: &str,
) -> PyResult<Vec<Bound<'py, PyUntypedArray>>> {
    let shapes: Vec<Shape> = arrays.iter().map(|a| Shape::new(fields(a).shape())).collect();
    let shapes: Vec<&Shape> = shapes.iter().collect();
    let alignment = mode.align(&shapes).map_err(|e| errors::described(&e, context))?;
    let starts = alignment.starts.iter();
    arrays.iter().zip(starts).map(|(array, &start)| expanded(array, &alignment.shape, start, true)).collect()
}

/// A view of an array over a larger shape, its first axis on axis `start`. It may be written if `writeable` says so,
/// the array may be, and no element is repeated.
fn expanded<'py>(
    array: &Bound<'py, PyUntypedArray>,
    shape: &Shape,
    start: usize,
    writeable: bool,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    let own = fields(array);
    let mut strides = vec![0isize; shape.rank()];
    for (axis, (&size, &stride)) in own.shape().iter().zip(own.strides()).enumerate() {
        // Trailing 1s of a "pdpd" operand may lie past the last axis.
        if size != 1
            && let Some(place) = strides.get_mut(start + axis)
        {
            *place = stride;
        }
    }
    let repeats = shape.iter().zip(&strides).any(|(&size, &stride)| size > 1 && stride == 0);
    let writeable = writeable && !repeats && own.is_writeable();
    // SAFETY: every axis has the array's own size and stride, or size 1, or stride 0.
    unsafe { array::view(array, shape, &strides, writeable) }
}
