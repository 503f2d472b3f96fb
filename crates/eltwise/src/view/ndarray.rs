//! Conversions between views and `ndarray` arrays, without copies (feature `ndarray`).

use eltwise_core::{Error, Layout, Shape, Strides};
use ndarray::{ArrayView, ArrayViewMut, Dimension, IxDyn, ShapeBuilder};

use super::{View, ViewMut, check_distinct};
use crate::array::Array;
use crate::element::{Element, PlainElement};

/// The layout of an `ndarray` shape and its strides, which count elements.
fn layout_of<T: Element>(shape: &[usize], strides: &[isize]) -> Result<Layout, Error> {
    let strides: Strides = strides.iter().map(|&s| s.wrapping_mul(size_of::<T>() as isize)).collect();
    Layout::strided(T::DTYPE, Shape::new(shape), strides)
}

impl<'a> View<'a> {
    /// A view of an `ndarray` view with any number of dimensions and any strides.
    ///
    /// # Errors
    /// If the layout is larger than the address space, which no array of `ndarray` is.
    #[allow(clippy::needless_pass_by_value, reason = "a view is passed by value, like a slice")]
    pub fn from_ndarray<T: Element, D: Dimension>(array: ArrayView<'a, T, D>) -> Result<View<'a>, Error> {
        let layout = layout_of::<T>(array.shape(), array.strides())?;
        // SAFETY: the array view is valid for its shape and strides for 'a.
        Ok(unsafe { View::from_raw(array.as_ptr().cast(), layout) })
    }
}

impl<'a> ViewMut<'a> {
    /// A writable view of an `ndarray` view. For booleans, pass their bytes to [`ViewMut::bools`].
    ///
    /// # Errors
    /// [`Error::OverlappingOutput`] if two elements share memory.
    pub fn from_ndarray<T: PlainElement, D: Dimension>(
        mut array: ArrayViewMut<'a, T, D>,
    ) -> Result<ViewMut<'a>, Error> {
        let layout = layout_of::<T>(array.shape(), array.strides())?;
        check_distinct(&layout, "an ndarray view")?;
        // SAFETY: the array view is valid for its shape and strides for 'a, and exclusive; no two elements share memory.
        Ok(unsafe { ViewMut::from_raw(array.as_mut_ptr().cast(), layout) })
    }
}

impl Array {
    /// The array as an `ndarray` view of the same shape.
    ///
    /// # Errors
    /// [`Error::DType`] if `T` is not the array's dtype.
    pub fn as_ndarray<T: PlainElement>(&self) -> Result<ArrayView<'_, T, IxDyn>, Error> {
        if self.dtype() != T::DTYPE {
            return Err(Error::DType { what: "the array".into(), given: self.dtype(), expected: T::DTYPE });
        }
        let strides: Vec<usize> = self.layout().strides().iter().map(|&s| s.unsigned_abs() / size_of::<T>()).collect();
        let shape = IxDyn(self.shape().dims()).strides(IxDyn(&strides));
        let elements: &[T] = bytemuck::try_cast_slice(self.bytes())
            .map_err(|e| Error::Layout { message: format!("the array as a slice: {e}") })?;
        ArrayView::from_shape(shape, elements).map_err(|e| Error::Layout { message: format!("the array: {e}") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ndarray_views_are_read_and_written_with_any_strides() {
        let a = ndarray::arr2(&[[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        let t = a.t();
        let view = View::from_ndarray(t).unwrap();
        assert_eq!(view.shape().dims(), [3, 2]);
        let doubled = crate::add(&view, &view).unwrap();
        assert_eq!(doubled.as_ndarray::<f32>().unwrap(), (&t + &t).into_dyn());
        let reversed = a.slice(ndarray::s![.., ..;-1]);
        let copy = crate::copy(&View::from_ndarray(reversed).unwrap()).unwrap();
        assert_eq!(copy.as_ndarray::<f32>().unwrap(), reversed.into_dyn());
        let mut out = ndarray::Array2::<f32>::zeros((3, 2));
        crate::into::add(&view, &view, &mut ViewMut::from_ndarray(out.view_mut()).unwrap()).unwrap();
        assert_eq!(out, &t + &t);
    }
}
