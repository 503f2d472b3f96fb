//! Owned arrays, aligned to cache lines.

use core::fmt;

use eltwise_plan::{DType, Error, Layout, Shape};

use crate::element::{Element, PlainElement};
use crate::view::{View, ViewMut, check_bools, slice_length};

/// A cache line: what arrays are made of.
#[derive(Clone, Copy, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// An owned array: dense memory in some order of the axes, aligned to 64 bytes.
#[derive(Clone)]
pub struct Array {
    lines: Vec<Line>,
    layout: Layout,
}

impl Array {
    /// An array of zeros (false, +0.0) in C order.
    ///
    /// # Errors
    /// When its bytes exceed `isize::MAX`.
    pub fn zeros(dtype: DType, shape: impl Into<Shape>) -> Result<Array, Error> {
        Array::with_layout(Layout::contiguous(dtype, shape)?)
    }

    /// An array of zeros with the axis order of `layout`, whose elements are dense: its strides are positive and its
    /// bytes are exactly those of its elements.
    ///
    /// # Errors
    /// When the layout is not dense.
    pub fn with_layout(layout: Layout) -> Result<Array, Error> {
        let bytes = layout.shape().bytes(layout.dtype().size())?;
        if layout.span()? != (0, bytes as isize) || layout.overlaps_itself() {
            return Err(Error::Strides {
                what: "an owned array".into(),
                given: layout.strides().clone(),
                expected: eltwise_plan::Strides::contiguous(layout.shape(), layout.dtype().size()),
            });
        }
        let lines = bytemuck::try_zeroed_vec(bytes.div_ceil(64))
            .map_err(|()| Error::TooLarge { shape: layout.shape().clone(), element_bytes: layout.dtype().size() })?;
        Ok(Array { lines, layout })
    }

    /// A copy of a slice in C order.
    ///
    /// # Errors
    /// When the shape does not have exactly `data.len()` elements.
    pub fn from_slice<T: Element>(data: &[T], shape: impl Into<Shape>) -> Result<Array, Error> {
        let shape = shape.into();
        let view = View::new(data, shape.clone())?;
        let mut array = Array::zeros(view.dtype(), shape)?;
        array.bytes_mut().copy_from_slice(bytemuck::cast_slice(data));
        Ok(array)
    }

    /// An array of rank 0.
    pub fn scalar<T: Element>(value: T) -> Array {
        let mut array = Array {
            lines: bytemuck::zeroed_vec(1),
            layout: Layout::contiguous(T::DTYPE, []).unwrap_or_else(|_| unreachable!("one element fits")),
        };
        array.bytes_mut().copy_from_slice(bytemuck::bytes_of(&value));
        array
    }

    /// Dtype, shape and strides.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The dtype.
    pub fn dtype(&self) -> DType {
        self.layout.dtype()
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        self.layout.shape()
    }

    /// A read-only view of all elements.
    pub fn view(&self) -> View<'_> {
        // SAFETY: the array owns the elements of its layout, and is borrowed for the view's life.
        unsafe { View::from_raw(self.lines.as_ptr().cast(), self.layout.clone()) }
    }

    /// A writable view of all elements.
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        // SAFETY: the array owns the elements of its layout, and is borrowed exclusively for the view's life.
        unsafe { ViewMut::from_raw(self.lines.as_mut_ptr().cast(), self.layout.clone()) }
    }

    fn byte_length(&self) -> usize {
        // The layout was checked when the array was made.
        self.shape().bytes(self.dtype().size()).unwrap_or(0)
    }

    /// The bytes of all elements, in the order they lie in memory.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the lines cover the elements and are initialised.
        unsafe { core::slice::from_raw_parts(self.lines.as_ptr().cast(), self.byte_length()) }
    }

    /// The bytes of all elements, in the order they lie in memory.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `bytes`, borrowed exclusively; any byte is a value of a byte.
        unsafe { core::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), self.byte_length()) }
    }

    /// The elements as a slice.
    ///
    /// # Errors
    /// When `T` is another dtype, the axes are not in C order, or `T` is `bool` and a byte is neither 0 nor 1.
    pub fn as_slice<T: Element>(&self) -> Result<&[T], Error> {
        let count = slice_length::<T>(&self.layout, self.lines.as_ptr().addr())?;
        if T::DTYPE == DType::Bool {
            check_bools(self.bytes())?;
        }
        // SAFETY: dtype, density and alignment were checked, bool bytes too.
        Ok(unsafe { core::slice::from_raw_parts(self.lines.as_ptr().cast(), count) })
    }

    /// The elements as a slice to write.
    ///
    /// # Errors
    /// When `T` is another dtype, or the axes are not in C order.
    pub fn as_mut_slice<T: PlainElement>(&mut self) -> Result<&mut [T], Error> {
        let count = slice_length::<T>(&self.layout, self.lines.as_ptr().addr())?;
        // SAFETY: dtype, density and alignment were checked; every bit pattern is a value of `T`.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), count) })
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({})", self.layout)
    }
}
