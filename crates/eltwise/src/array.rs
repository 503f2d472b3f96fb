//! [`Array`]: owned, dense memory with a layout, aligned to a cache line.

use core::fmt;

use eltwise_core::{DType, Error, Layout, Shape, Strides};

use crate::element::{Element, PlainElement};
use crate::sys::pages::{ask_for_huge, huge_pages_from};
use crate::view::{View, ViewMut, contiguous};

/// The unit of allocation: 16 bytes, the alignment that `calloc` guarantees. For a larger alignment, Rust's system
/// allocator does not call `calloc` and clears the memory itself, even if it consists of fresh pages that are zero
/// already.
#[derive(Clone, Copy, bytemuck::Zeroable)]
#[repr(C, align(16))]
struct Block([u8; 16]);

/// The alignment of the first element: bytes of a cache line.
const CACHE_LINE: usize = 64;

/// An owned array. Its elements fill one block of memory without gaps, in any order of the axes. The block is aligned
/// to 64 bytes. A large array asks the system for [huge pages](crate::huge_pages_from).
pub struct Array {
    /// Padding up to the alignment, then the elements.
    blocks: Vec<Block>,
    layout: Layout,
}

impl Clone for Array {
    /// A copy of all elements, in the same layout.
    ///
    /// # Panics
    /// If there is no memory for it. [`Array::try_clone`] returns an error instead.
    fn clone(&self) -> Array {
        self.try_clone().unwrap_or_else(|error| panic!("cannot clone an array: {error}"))
    }
}

/// The number of blocks for `bytes` bytes of elements and the padding before them.
const fn blocks_for(bytes: usize) -> usize {
    bytes.div_ceil(size_of::<Block>()) + CACHE_LINE / size_of::<Block>() - 1
}

/// `count` blocks of zeros, or an error if there is no memory for them.
#[inline]
fn zeroed(count: usize) -> Result<Vec<Block>, ()> {
    /// The largest number of blocks that are cleared here instead of by `calloc`. Up to 1 KiB, `calloc` takes twice the
    /// time of `malloc`, because the C library reuses recently freed memory for `malloc` only. For larger arrays
    /// `calloc` is not slower, and from the C library's `mmap` threshold on it returns fresh pages, which are zero.
    const MAX_WITHOUT_CALLOC: usize = 1024 / size_of::<Block>();
    if count > MAX_WITHOUT_CALLOC {
        return bytemuck::try_zeroed_vec(count);
    }
    let mut blocks = Vec::new();
    blocks.try_reserve_exact(count).map_err(|_| ())?;
    blocks.resize(count, Block([0; 16]));
    Ok(blocks)
}

/// The number of bytes from `base` to the next cache line.
#[inline]
fn padding(base: *const u8) -> usize {
    base.addr().wrapping_neg() % CACHE_LINE
}

impl Array {
    /// The address of the first element.
    #[inline]
    fn as_ptr(&self) -> *const u8 {
        let base = self.blocks.as_ptr().cast::<u8>();
        base.wrapping_add(padding(base))
    }

    /// The address of the first element, for writing.
    #[inline]
    pub(crate) fn as_mut_ptr(&mut self) -> *mut u8 {
        let base = self.blocks.as_mut_ptr().cast::<u8>();
        base.wrapping_add(padding(base))
    }

    /// An array of zeros (`false`, `+0.0`) in C order.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the array has more than `isize::MAX` bytes or there is no memory for it.
    pub fn zeros(dtype: DType, shape: impl Into<Shape>) -> Result<Array, Error> {
        Array::with_layout(Layout::contiguous(dtype, shape)?)
    }

    /// An array of zeros with exactly this layout. The layout must have no gaps and no negative strides: its elements
    /// fill the bytes from element `[0, 0, ...]` on, in any order of the axes.
    ///
    /// # Errors
    /// [`Error::Layout`] for any other layout; [`Error::TooLarge`] if there is no memory for it.
    pub fn with_layout(layout: Layout) -> Result<Array, Error> {
        let size = layout.dtype().size();
        let in_c_order = layout.is_contiguous();
        // The product fits: making a contiguous layout checks its size in bytes.
        let bytes = if in_c_order { layout.elements() * size } else { layout.shape().bytes(size)? };
        let is_dense = in_c_order || (layout.span()? == (0, bytes as isize) && !layout.overlaps_itself());
        if !is_dense {
            return Err(not_dense(&layout));
        }
        let blocks = zeroed(blocks_for(bytes))
            .map_err(|()| Error::TooLarge { shape: layout.shape().clone(), element_bytes: size })?;
        let mut array = Array { blocks, layout };
        if bytes >= huge_pages_from() {
            ask_for_huge(array.bytes_mut());
        }
        Ok(array)
    }

    /// A copy of all elements, in the same layout.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if there is no memory for it.
    pub fn try_clone(&self) -> Result<Array, Error> {
        let mut array = Array::with_layout(self.layout.clone())?;
        array.bytes_mut().copy_from_slice(self.bytes());
        Ok(array)
    }

    /// A copy of a slice, in C order.
    ///
    /// # Errors
    /// [`Error::Bounds`] if the shape does not have exactly `data.len()` elements; [`Error::TooLarge`] if there is no
    /// memory for it.
    pub fn from_slice<T: Element>(data: &[T], shape: impl Into<Shape>) -> Result<Array, Error> {
        let mut array = Array::with_layout(contiguous::<T>(data.len(), shape.into())?)?;
        array.bytes_mut().copy_from_slice(bytemuck::cast_slice(data));
        Ok(array)
    }

    /// An array of rank 0 with one element.
    ///
    /// # Panics
    /// If there is no memory for it.
    pub fn scalar<T: Element>(value: T) -> Array {
        let mut array = Array::zeros(T::DTYPE, []).unwrap_or_else(|error| panic!("a scalar: {error}"));
        array.bytes_mut().copy_from_slice(bytemuck::bytes_of(&value));
        array
    }

    /// Dtype, shape and byte strides.
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
        // SAFETY: the array owns the elements of its layout and is borrowed while the view exists.
        unsafe { View::from_raw(self.as_ptr(), &self.layout) }
    }

    /// A writable view of all elements.
    #[inline]
    pub fn view_mut(&mut self) -> ViewMut<'_> {
        let ptr = self.as_mut_ptr();
        // SAFETY: the array owns the elements of its layout and is borrowed exclusively while the view exists.
        unsafe { ViewMut::from_raw(ptr, &self.layout) }
    }

    /// The bytes of all elements, in memory order (C order unless [`Array::layout`] has a different order of the axes).
    pub fn bytes(&self) -> &[u8] {
        // The product fits: the array was allocated with it.
        let length = self.layout.elements() * self.dtype().size();
        // SAFETY: the blocks have room for the elements after the padding, and are initialised.
        unsafe { core::slice::from_raw_parts(self.as_ptr(), length) }
    }

    /// The bytes of all elements, in memory order, as a mutable slice.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        let length = self.bytes().len();
        // SAFETY: as for `bytes`, and the array is borrowed exclusively.
        unsafe { core::slice::from_raw_parts_mut(self.as_mut_ptr(), length) }
    }

    /// The elements as a slice, in C order.
    ///
    /// # Errors
    /// [`Error::DType`] if `T` is not the array's dtype; [`Error::Strides`] if the axes are not in C order;
    /// [`Error::Layout`] if `T` is `bool` and a byte is neither 0 nor 1.
    pub fn as_slice<T: Element>(&self) -> Result<&[T], Error> {
        self.view().as_slice()
    }

    /// The elements as a mutable slice, in C order.
    ///
    /// # Errors
    /// [`Error::DType`] if `T` is not the array's dtype; [`Error::Strides`] if the axes are not in C order.
    pub fn as_mut_slice<T: PlainElement>(&mut self) -> Result<&mut [T], Error> {
        let count = self.as_slice::<T>()?.len();
        // SAFETY: `as_slice` checked dtype, contiguity and alignment; every bit pattern is a value of `T`.
        Ok(unsafe { core::slice::from_raw_parts_mut(self.as_mut_ptr().cast(), count) })
    }
}

#[cold]
fn not_dense(layout: &Layout) -> Error {
    let (shape, strides) = (layout.shape(), layout.strides());
    let in_c_order = Strides::contiguous(shape, layout.dtype().size());
    let message = format!(
        "an array of shape {shape} owns dense memory: its strides {strides:?} (bytes) leave gaps, overlap or are negative; \
         C order is {in_c_order:?}"
    );
    Error::Layout { message }
}

impl fmt::Debug for Array {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({})", self.layout)
    }
}
