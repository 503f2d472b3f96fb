//! Views: dtype, shape and byte strides over borrowed memory, checked when the view is made.
//!
//! [`View`] reads, [`ViewMut`] writes, and [`RawView`] carries a pointer and a layout without a borrow.

#[cfg(feature = "ndarray")]
mod ndarray;

use core::fmt;
use core::marker::PhantomData;
use std::borrow::Cow;

use eltwise_core::{Broadcast, DType, Error, Layout, Shape, Strides};

use crate::element::{Element, PlainElement};

/// A read-only view of elements in borrowed memory, with any dtype, shape and strides. Strides are in bytes; a negative
/// stride runs backwards, and a stride of 0 repeats an element.
///
/// The constructors check that every element is inside the memory, so a run does not check it again. A view of an
/// array also borrows the array's layout instead of cloning it.
#[derive(Clone)]
pub struct View<'a> {
    ptr: *const u8,
    layout: Cow<'a, Layout>,
    memory: PhantomData<&'a [u8]>,
}

/// A writable view of elements in borrowed memory. Strides are as in [`View`], except that no two elements may share
/// memory.
pub struct ViewMut<'a> {
    ptr: *mut u8,
    layout: Cow<'a, Layout>,
    memory: PhantomData<&'a mut [u8]>,
}

// SAFETY: a View is a shared borrow of plain data.
unsafe impl Send for View<'_> {}
// SAFETY: a View is a shared borrow of plain data.
unsafe impl Sync for View<'_> {}
// SAFETY: a ViewMut is an exclusive borrow of plain data.
unsafe impl Send for ViewMut<'_> {}
// SAFETY: a shared ViewMut only hands out read-only views of its memory.
unsafe impl Sync for ViewMut<'_> {}

/// A pointer and a layout without a borrow, for runtimes that manage their own buffers. See
/// [`Plan::run_raw`](crate::Plan::run_raw) for the guarantees that the caller gives.
#[derive(Clone, Debug)]
pub struct RawView {
    /// The address of element `[0, 0, ...]`.
    pub ptr: *mut u8,
    /// Dtype, shape and byte strides.
    pub layout: Layout,
}

impl<'a> View<'a> {
    /// A contiguous C-order view of a slice.
    ///
    /// # Errors
    /// [`Error::Bounds`] if the shape does not have exactly `data.len()` elements.
    pub fn new<T: Element>(data: &'a [T], shape: impl Into<Shape>) -> Result<View<'a>, Error> {
        let layout = contiguous::<T>(data.len(), shape.into())?;
        Ok(View { ptr: data.as_ptr().cast(), layout: layout.into(), memory: PhantomData })
    }

    /// A strided view of a slice. Element `[0, 0, ...]` is `data[offset]`; strides are in bytes.
    ///
    /// # Errors
    /// [`Error::Bounds`] if an element is outside the slice; [`Error::StrideRank`] if shape and strides differ in rank.
    pub fn strided<T: Element>(
        data: &'a [T],
        offset: usize,
        shape: impl Into<Shape>,
        strides: impl Into<Strides>,
    ) -> Result<View<'a>, Error> {
        let layout = Layout::strided(T::DTYPE, shape, strides)?;
        View::from_bytes(bytemuck::cast_slice(data), layout, offset.saturating_mul(size_of::<T>()))
    }

    /// A view of bytes. Element `[0, 0, ...]` starts at byte `offset`; no alignment is needed.
    ///
    /// # Errors
    /// [`Error::Bounds`] if an element is outside the bytes.
    pub fn from_bytes(bytes: &'a [u8], layout: Layout, offset: usize) -> Result<View<'a>, Error> {
        check_span(&layout, bytes.len(), offset)?;
        Ok(View { ptr: bytes.as_ptr().wrapping_add(offset), layout: layout.into(), memory: PhantomData })
    }

    /// A view without checks. `ptr` is the address of element `[0, 0, ...]`; `layout` is a [`Layout`] or a reference to
    /// one.
    ///
    /// # Safety
    /// Every element of the layout is readable, and nothing writes to it, for `'a`.
    #[inline]
    pub unsafe fn from_raw(ptr: *const u8, layout: impl Into<Cow<'a, Layout>>) -> View<'a> {
        View { ptr, layout: layout.into(), memory: PhantomData }
    }

    /// This view, with its layout borrowed instead of copied.
    #[inline]
    pub(crate) fn borrowed(&self) -> View<'_> {
        View { ptr: self.ptr, layout: Cow::Borrowed(&self.layout), memory: PhantomData }
    }

    /// Dtype, shape and byte strides.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The dtype.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.layout.dtype()
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> &Shape {
        self.layout.shape()
    }

    /// The address of element `[0, 0, ...]`.
    #[inline]
    pub fn as_ptr(&self) -> *const u8 {
        self.ptr
    }

    /// The elements as a slice, without a copy.
    ///
    /// # Errors
    /// [`Error::DType`] if `T` is not the view's dtype; [`Error::Strides`] if the elements are not contiguous in C
    /// order; [`Error::Layout`] if they are not aligned for `T`, or if `T` is `bool` and a byte is neither 0 nor 1.
    pub fn as_slice<T: Element>(&self) -> Result<&'a [T], Error> {
        let (dtype, count) = (self.dtype(), self.layout.elements());
        if dtype != T::DTYPE {
            return Err(Error::DType { what: "the view".into(), given: dtype, expected: T::DTYPE });
        }
        if !self.layout.is_contiguous() {
            return Err(Error::Strides {
                what: "a view as a slice".into(),
                given: self.layout.strides().clone(),
                expected: Strides::contiguous(self.shape(), dtype.size()),
            });
        }
        if count == 0 {
            // An empty view may have any address; an empty slice needs an aligned pointer that is not null.
            return Ok(&[]);
        }
        if !self.ptr.addr().is_multiple_of(align_of::<T>()) {
            return Err(Error::Layout { message: format!("the view is not aligned to {} bytes", align_of::<T>()) });
        }
        if T::DTYPE == DType::Bool {
            // SAFETY: the view covers `count` contiguous bytes.
            check_bools(unsafe { core::slice::from_raw_parts(self.ptr, count) })?;
        }
        // SAFETY: the elements are contiguous, aligned and of dtype `T`, and bool bytes are 0 or 1; the memory is
        // borrowed for 'a.
        Ok(unsafe { core::slice::from_raw_parts(self.ptr.cast(), count) })
    }

    /// The view with permuted axes: axis `i` of the result is axis `axes[i]` of this view, as in `numpy.transpose`.
    ///
    /// # Errors
    /// [`Error::Layout`] if `axes` is not a permutation of this view's axes.
    pub fn permuted(&self, axes: &[usize]) -> Result<View<'a>, Error> {
        let rank = self.shape().rank();
        let is_permutation = axes.len() == rank && (0..rank).all(|a| axes.contains(&a));
        if !is_permutation {
            return Err(Error::Layout { message: format!("{axes:?} is no order of the axes of {}", self.shape()) });
        }
        let shape: Shape = axes.iter().map(|&a| self.shape()[a]).collect();
        let strides: Strides = axes.iter().map(|&a| self.layout.strides()[a]).collect();
        let layout = Layout::strided(self.dtype(), shape, strides)?;
        Ok(View { ptr: self.ptr, layout: layout.into(), memory: PhantomData })
    }

    /// The view with its axes reversed: NumPy's `.T`.
    pub fn transposed(&self) -> View<'a> {
        let axes: Vec<usize> = (0..self.shape().rank()).rev().collect();
        self.permuted(&axes).unwrap_or_else(|_| self.clone())
    }

    /// The view with one axis reversed: NumPy's `flip`.
    ///
    /// # Errors
    /// [`Error::Layout`] if the view has no axis `axis`.
    pub fn flipped(&self, axis: usize) -> Result<View<'a>, Error> {
        let Some(&size) = self.shape().get(axis) else {
            return Err(Error::Layout { message: format!("no axis {axis} in {}", self.shape()) });
        };
        let mut strides: Vec<isize> = self.layout.strides().to_vec();
        let is_empty = self.shape().contains(&0);
        let to_last = if is_empty { 0 } else { strides[axis].wrapping_mul(size as isize - 1) };
        strides[axis] = strides[axis].wrapping_neg();
        let layout = self.layout.with_strides(Strides::new(&strides))?;
        Ok(View { ptr: self.ptr.wrapping_offset(to_last), layout: layout.into(), memory: PhantomData })
    }

    /// The view broadcast to `shape` without a copy: axes of size 1 and new leading axes get stride 0.
    ///
    /// # Errors
    /// [`Error::Broadcast`] if the view's shape does not broadcast to exactly `shape` (ONNX unidirectional).
    pub fn broadcast_to(&self, shape: impl Into<Shape>) -> Result<View<'a>, Error> {
        let shape = shape.into();
        let alignment = Broadcast::Unidirectional.align(&[&shape, self.shape()])?;
        self.aligned(&alignment.shape, alignment.starts.get(1).copied().unwrap_or(0))
    }

    /// The view broadcast to `shape`, with the view's first axis on axis `start` of `shape`.
    pub(crate) fn aligned(&self, shape: &Shape, start: usize) -> Result<View<'a>, Error> {
        let strides = aligned_strides(self.shape(), self.layout.strides(), shape.rank(), start);
        let layout = Layout::strided(self.dtype(), shape.clone(), Strides::new(&strides))?;
        Ok(View { ptr: self.ptr, layout: layout.into(), memory: PhantomData })
    }
}

impl<'a> ViewMut<'a> {
    /// A contiguous C-order view of a slice. For `bool`, see [`ViewMut::bools`].
    ///
    /// # Errors
    /// [`Error::Bounds`] if the shape does not have exactly `data.len()` elements.
    pub fn new<T: PlainElement>(data: &'a mut [T], shape: impl Into<Shape>) -> Result<ViewMut<'a>, Error> {
        let layout = contiguous::<T>(data.len(), shape.into())?;
        Ok(ViewMut { ptr: data.as_mut_ptr().cast(), layout: layout.into(), memory: PhantomData })
    }

    /// A contiguous C-order view of bytes as booleans. It takes `u8`, not `bool`, because `copy` and `where` keep the
    /// byte of a boolean, and any non-zero byte is true.
    ///
    /// # Errors
    /// [`Error::Bounds`] if the shape does not have exactly `data.len()` elements.
    pub fn bools(data: &'a mut [u8], shape: impl Into<Shape>) -> Result<ViewMut<'a>, Error> {
        let layout = contiguous::<bool>(data.len(), shape.into())?;
        Ok(ViewMut { ptr: data.as_mut_ptr(), layout: layout.into(), memory: PhantomData })
    }

    /// A strided view of a slice. Element `[0, 0, ...]` is `data[offset]`; strides are in bytes.
    ///
    /// # Errors
    /// [`Error::Bounds`] if an element is outside the slice, [`Error::OverlappingOutput`] if two elements share memory,
    /// [`Error::StrideRank`] if shape and strides differ in rank.
    pub fn strided<T: PlainElement>(
        data: &'a mut [T],
        offset: usize,
        shape: impl Into<Shape>,
        strides: impl Into<Strides>,
    ) -> Result<ViewMut<'a>, Error> {
        let layout = Layout::strided(T::DTYPE, shape, strides)?;
        ViewMut::from_bytes(bytemuck::cast_slice_mut(data), layout, offset.saturating_mul(size_of::<T>()))
    }

    /// A view of bytes. Element `[0, 0, ...]` starts at byte `offset`; no alignment is needed.
    ///
    /// # Errors
    /// [`Error::Bounds`] if an element is outside the bytes, [`Error::OverlappingOutput`] if two elements share memory.
    pub fn from_bytes(bytes: &'a mut [u8], layout: Layout, offset: usize) -> Result<ViewMut<'a>, Error> {
        check_span(&layout, bytes.len(), offset)?;
        check_distinct(&layout, "a writable view")?;
        Ok(ViewMut { ptr: bytes.as_mut_ptr().wrapping_add(offset), layout: layout.into(), memory: PhantomData })
    }

    /// A view without checks. `ptr` is the address of element `[0, 0, ...]`; `layout` is a [`Layout`] or a reference to
    /// one.
    ///
    /// # Safety
    /// Every element of the layout is writable, and nothing else reads or writes it, for `'a`.
    #[inline]
    pub unsafe fn from_raw(ptr: *mut u8, layout: impl Into<Cow<'a, Layout>>) -> ViewMut<'a> {
        ViewMut { ptr, layout: layout.into(), memory: PhantomData }
    }

    /// Dtype, shape and byte strides.
    #[inline]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The dtype.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.layout.dtype()
    }

    /// The shape.
    #[inline]
    pub fn shape(&self) -> &Shape {
        self.layout.shape()
    }

    /// The address of element `[0, 0, ...]`.
    #[inline]
    pub fn as_mut_ptr(&mut self) -> *mut u8 {
        self.ptr
    }

    /// A read-only view of the same elements.
    #[inline]
    pub fn as_view(&self) -> View<'_> {
        View { ptr: self.ptr, layout: Cow::Borrowed(&self.layout), memory: PhantomData }
    }
}

/// The strides of an operand over `rank` axes, with its first axis on axis `start`: 0 along the axes that broadcast.
/// Trailing axes of size 1 may be past the rank.
pub(crate) fn aligned_strides(shape: &Shape, strides: &Strides, rank: usize, start: usize) -> Vec<isize> {
    let mut aligned = vec![0; rank];
    for (axis, (&size, &stride)) in shape.iter().zip(strides.iter()).enumerate() {
        if size != 1
            && let Some(entry) = aligned.get_mut(start + axis)
        {
            *entry = stride;
        }
    }
    aligned
}

/// The contiguous layout of a slice of `length` elements.
pub(crate) fn contiguous<T: Element>(length: usize, shape: Shape) -> Result<Layout, Error> {
    let elements = shape.elements()?;
    if elements != length {
        let what = format!("a dense view of shape {shape}");
        return Err(Error::Bounds { what, needed: elements, given: length });
    }
    Layout::contiguous(T::DTYPE, shape)
}

/// Checks that every element of a layout is inside `bytes` bytes, if element `[0, 0, ...]` starts at byte `offset`.
fn check_span(layout: &Layout, bytes: usize, offset: usize) -> Result<(), Error> {
    let (low, high) = layout.span()?;
    let first = (offset as i128) + (low as i128);
    let end = (offset as i128) + (high as i128);
    if first >= 0 && end <= bytes as i128 {
        return Ok(());
    }
    let what = format!("a view {layout} from byte {offset} on, with bytes {first} to {end} of the buffer,");
    Err(Error::Bounds { what, needed: usize::try_from(end - first.min(0)).unwrap_or(usize::MAX), given: bytes })
}

/// Checks that no two elements of an output share memory; `what` names the output in the error.
fn check_distinct(layout: &Layout, what: &str) -> Result<(), Error> {
    if layout.overlaps_itself() {
        return Err(Error::OverlappingOutput {
            what: what.into(),
            shape: layout.shape().clone(),
            strides: layout.strides().clone(),
        });
    }
    Ok(())
}

/// Checks that every byte is a Rust `bool`: 0 or 1.
fn check_bools(bytes: &[u8]) -> Result<(), Error> {
    match bytes.iter().position(|&b| b > 1) {
        None => Ok(()),
        Some(at) => Err(Error::Layout {
            message: format!("byte {at} is {}, which is true to every operator but no Rust bool", bytes[at]),
        }),
    }
}

impl fmt::Debug for View<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "View({})", self.layout)
    }
}

impl fmt::Debug for ViewMut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ViewMut({})", self.layout)
    }
}
