//! Owned arrays, aligned to cache lines.

use core::fmt;

use eltwise_plan::{DType, Error, Layout, Shape};

use crate::element::{Element, PlainElement};
use crate::exec::pages::{ask_for_huge, huge_pages_from};
use crate::view::{View, ViewMut, check_bools, slice_length};

/// What arrays are made of: as aligned as the C library's `calloc` gives memory. Asked for more, Rust's system allocator
/// writes the zeros itself, where fresh pages from the system have them.
#[derive(Clone, Copy, bytemuck::Zeroable)]
#[repr(C, align(16))]
struct Piece([u8; 16]);

/// Bytes of a cache line, at which the elements begin.
const LINE: usize = 64;

/// An owned array: dense memory in some order of the axes, aligned to 64 bytes. Large ones ask the system for
/// [huge pages](crate::huge_pages_from).
pub struct Array {
    /// The elements and, before them, what their alignment leaves over.
    pieces: Vec<Piece>,
    layout: Layout,
}

impl Clone for Array {
    /// A copy of all elements.
    ///
    /// # Panics
    /// Without memory for it: see [`Array::try_clone`].
    fn clone(&self) -> Array {
        self.try_clone().unwrap_or_else(|error| panic!("a clone of an array: {error}"))
    }
}

/// The pieces of so many bytes, with room to align them.
const fn pieces_of(bytes: usize) -> usize {
    bytes.div_ceil(size_of::<Piece>()) + LINE / size_of::<Piece>() - 1
}

/// So many pieces of zeros; nothing without the memory.
#[inline]
fn zeroed(count: usize) -> Result<Vec<Piece>, ()> {
    /// Beyond, the system's zeros are better than ours. Below, `calloc` takes twice the time of `malloc`: the C library keeps
    /// what was freed last for `malloc` alone.
    const FEW: usize = 1024 / size_of::<Piece>();
    if count > FEW {
        return bytemuck::try_zeroed_vec(count);
    }
    let mut pieces = Vec::new();
    pieces.try_reserve_exact(count).map_err(|_| ())?;
    pieces.resize(count, Piece([0; 16]));
    Ok(pieces)
}

impl Array {
    #[inline]
    fn ptr(&self) -> *const u8 {
        let base = self.pieces.as_ptr().cast::<u8>();
        base.wrapping_add(base.addr().wrapping_neg() % LINE)
    }

    /// The first element.
    #[inline]
    pub(crate) fn mut_ptr(&mut self) -> *mut u8 {
        let base = self.pieces.as_mut_ptr().cast::<u8>();
        base.wrapping_add(base.addr().wrapping_neg() % LINE)
    }

    fn ask_for_huge_pages(&mut self) {
        if self.pieces.len() >= huge_pages_from() / size_of::<Piece>() {
            ask_for_huge(self.bytes_mut());
        }
    }

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
        let size = layout.dtype().size();
        let in_c_order = layout.is_contiguous();
        // The bytes of a dense layout were counted when it was made.
        let bytes = if in_c_order { layout.elements() * size } else { layout.shape().bytes(size)? };
        let is_dense = in_c_order || (layout.span()? == (0, bytes as isize) && !layout.overlaps_itself());
        if !is_dense {
            return Err(Error::Strides {
                what: "an owned array".into(),
                given: layout.strides().clone(),
                expected: eltwise_plan::Strides::contiguous(layout.shape(), layout.dtype().size()),
            });
        }
        let pieces = zeroed(pieces_of(bytes))
            .map_err(|()| Error::TooLarge { shape: layout.shape().clone(), element_bytes: layout.dtype().size() })?;
        let mut array = Array { pieces, layout };
        array.ask_for_huge_pages();
        Ok(array)
    }

    /// A copy of all elements, in the same layout.
    ///
    /// # Errors
    /// [`Error::TooLarge`] without memory for it.
    pub fn try_clone(&self) -> Result<Array, Error> {
        let mut array = Array::with_layout(self.layout.clone())?;
        array.bytes_mut().copy_from_slice(self.bytes());
        Ok(array)
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
            pieces: bytemuck::zeroed_vec(pieces_of(T::DTYPE.size())),
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
    #[inline]
    pub fn view(&self) -> View<'_> {
        // SAFETY: the array owns the elements of its layout, and is borrowed for the view's life.
        unsafe { View::from_raw(self.ptr(), &self.layout) }
    }

    /// A writable view of all elements.
    #[inline]
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        let ptr = self.mut_ptr();
        // SAFETY: the array owns the elements of its layout, and is borrowed exclusively for the view's life.
        unsafe { ViewMut::from_raw(ptr, &self.layout) }
    }

    fn byte_length(&self) -> usize {
        // It fits: the array was made with it.
        self.layout.elements() * self.dtype().size()
    }

    /// The bytes of all elements, in the order they lie in memory.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: the pieces cover the elements and are initialised.
        unsafe { core::slice::from_raw_parts(self.ptr(), self.byte_length()) }
    }

    /// The bytes of all elements, in the order they lie in memory.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as for `bytes`, borrowed exclusively; any byte is a value of a byte.
        unsafe { core::slice::from_raw_parts_mut(self.mut_ptr(), self.byte_length()) }
    }

    /// The elements as a slice.
    ///
    /// # Errors
    /// When `T` is another dtype, the axes are not in C order, or `T` is `bool` and a byte is neither 0 nor 1.
    pub fn as_slice<T: Element>(&self) -> Result<&[T], Error> {
        let count = slice_length::<T>(&self.layout, self.ptr().addr())?;
        if T::DTYPE == DType::Bool {
            check_bools(self.bytes())?;
        }
        // SAFETY: dtype, density and alignment were checked, bool bytes too.
        Ok(unsafe { core::slice::from_raw_parts(self.ptr().cast(), count) })
    }

    /// The elements as a slice to write.
    ///
    /// # Errors
    /// When `T` is another dtype, or the axes are not in C order.
    pub fn as_mut_slice<T: PlainElement>(&mut self) -> Result<&mut [T], Error> {
        let count = slice_length::<T>(&self.layout, self.ptr().addr())?;
        // SAFETY: dtype, density and alignment were checked; every bit pattern is a value of `T`.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.mut_ptr().cast(), count) })
    }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({})", self.layout)
    }
}
