//! [`Layout`]: dtype, shape and strides of one operand.

use alloc::borrow::Cow;
use core::fmt;

use smallvec::SmallVec;

use crate::dtype::DType;
use crate::error::Error;
use crate::shape::{INLINE_RANK, Shape, Strides};

/// The layout of an operand: dtype, shape and strides in bytes, without data.
///
/// A layout is *dense* if its elements fill one block of memory without gaps or repeats, in any order of the axes. It is
/// *contiguous* if it is dense in C order (the last axis is the fastest).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    dtype: DType,
    /// Whether the layout is contiguous. Stored, because every bind and every run reads it.
    contiguous: bool,
    /// A number that is equal only if dtype, rank (up to 255) and contiguity are: see [`kind`].
    kind: u32,
    /// The number of elements.
    elements: usize,
    shape: Shape,
    strides: Strides,
}

impl Layout {
    /// A contiguous layout.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if it has more than `isize::MAX` bytes.
    pub fn contiguous(dtype: DType, shape: impl Into<Shape>) -> Result<Layout, Error> {
        let shape = shape.into();
        let elements = shape.elements()?;
        if elements.checked_mul(dtype.size()).is_none_or(|bytes| bytes > isize::MAX as usize) {
            return Err(shape.too_large(dtype.size()));
        }
        let strides = Strides::contiguous(&shape, dtype.size());
        Ok(Layout { dtype, contiguous: true, kind: kind(dtype, true, &shape), elements, shape, strides })
    }

    /// A layout with any strides in bytes.
    ///
    /// # Errors
    /// [`Error::StrideRank`] if shape and strides differ in rank; [`Error::TooLarge`] for more than `isize::MAX` elements;
    /// [`Error::TooFar`] if the offset of an element does not fit `isize`.
    pub fn strided(dtype: DType, shape: impl Into<Shape>, strides: impl Into<Strides>) -> Result<Layout, Error> {
        let (shape, strides) = (shape.into(), strides.into());
        if shape.rank() != strides.len() {
            return Err(Error::StrideRank { shape, strides });
        }
        let elements = shape.elements()?;
        let contiguous = is_c_contiguous(dtype, &shape, &strides);
        let layout = Layout { dtype, contiguous, kind: kind(dtype, contiguous, &shape), elements, shape, strides };
        layout.reach().map_or_else(|| layout.span_without_reach(), Ok)?;
        Ok(layout)
    }

    /// The dtype of the elements.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The sizes of the axes.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The strides in bytes.
    #[inline]
    pub fn strides(&self) -> &Strides {
        &self.strides
    }

    /// The contiguous layout with this shape and the given dtype. It does not keep the order of the axes of `self`.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if it has more than `isize::MAX` bytes, which needs a wider dtype or a `self` that is not contiguous.
    #[inline]
    pub fn dense_as(&self, dtype: DType) -> Result<Layout, Error> {
        if dtype.size() > self.dtype.size() || !self.contiguous {
            return Layout::contiguous(dtype, self.shape.clone());
        }
        // It has no more bytes than this layout, whose size was checked.
        let strides = Strides::contiguous(&self.shape, dtype.size());
        let (kind, elements) = (kind(dtype, true, &self.shape), self.elements);
        Ok(Layout { dtype, contiguous: true, kind, elements, shape: self.shape.clone(), strides })
    }

    /// The byte range of the elements relative to element `[0, 0, ...]`, as `(lowest, one past highest)`; `(0, 0)` if there are
    /// no elements.
    ///
    /// # Errors
    /// None: the constructors have checked the span.
    #[inline]
    pub fn span(&self) -> Result<(isize, isize), Error> {
        if self.contiguous {
            // The size was checked at construction.
            return Ok((0, self.elements.wrapping_mul(self.dtype.size()) as isize));
        }
        self.reach().map_or_else(|| self.span_without_reach(), Ok)
    }

    /// The span of a layout without elements, or the error of one whose span does not fit.
    #[cold]
    fn span_without_reach(&self) -> Result<(isize, isize), Error> {
        if self.shape.contains(&0) {
            return Ok((0, 0));
        }
        Err(Error::TooFar { shape: self.shape.clone(), strides: self.strides.clone() })
    }

    /// The span of a layout with elements, if it fits `isize`.
    #[inline]
    fn reach(&self) -> Option<(isize, isize)> {
        let (mut low, mut high) = (0isize, self.dtype.size() as isize);
        for (&d, &s) in self.shape.dims().iter().zip(self.strides.values()) {
            // For size 0 the last index wraps to `usize::MAX`, which is not an `isize`.
            let reach = isize::try_from(d.wrapping_sub(1)).ok()?.checked_mul(s)?;
            let side = if reach < 0 { &mut low } else { &mut high };
            *side = side.checked_add(reach)?;
        }
        high.checked_sub(low)?;
        Some((low, high))
    }

    /// Whether the elements are dense in C order. Strides of axes of size 1 do not matter, and no strides without elements.
    #[inline]
    pub fn is_contiguous(&self) -> bool {
        self.contiguous
    }

    /// Whether no axis has a larger stride, in absolute value, than an axis outside it. Axes of size 1 or stride 0 do not matter.
    #[inline]
    pub fn is_in_c_order(&self) -> bool {
        if self.is_contiguous() {
            return true;
        }
        let mut outer = usize::MAX;
        self.shape.iter().zip(self.strides.values()).all(|(&size, &stride)| {
            let stride = stride.unsigned_abs();
            let counts = size != 1 && stride != 0;
            let falls = !counts || stride <= outer;
            outer = if counts { stride } else { outer };
            falls
        })
    }

    /// The number of elements.
    #[inline]
    pub fn elements(&self) -> usize {
        self.elements
    }

    /// Whether two elements may share memory: a stride of 0, or overlapping axes. Axes are compared in the order of their
    /// strides, so a layout whose axes interleave without sharing a byte counts as overlapping too.
    pub fn overlaps_itself(&self) -> bool {
        if self.is_contiguous() {
            return false;
        }
        let mut axes: SmallVec<[(usize, usize); INLINE_RANK]> = (self.shape.iter().zip(self.strides.iter()))
            .filter(|(d, _)| **d != 1)
            .map(|(&d, &s)| (s.unsigned_abs(), d))
            .collect();
        axes.sort_unstable();
        let mut reach = self.dtype.size();
        for (stride, size) in axes {
            if stride < reach {
                return true;
            }
            reach = (size - 1).saturating_mul(stride).saturating_add(reach);
        }
        false
    }

    /// Whether both layouts have the same dtype and shape, and every element at the same offset. Strides of axes of size 1 do
    /// not matter, and no strides of contiguous layouts without elements.
    #[inline]
    pub fn places_as(&self, other: &Layout) -> bool {
        // Every run of a plan compares layouts, so the common case is two comparisons.
        self.kind == other.kind
            && self.elements == other.elements
            && (self.kind & LINE != 0 || self.places_as_along_axes(other))
    }

    /// As `places_as`, for layouts with equal `kind`. For a few axes, a loop over the inline arrays is several times faster than
    /// slices, `memcmp` or vectors.
    #[inline(never)]
    fn places_as_along_axes(&self, other: &Layout) -> bool {
        if self.contiguous {
            // Contiguous layouts differ only in strides of axes of size 1.
            return self.shape.is_same(&other.shape);
        }
        let (shapes, strides) = (
            (self.shape.inline_items(), other.shape.inline_items()),
            (self.strides.inline_items(), other.strides.inline_items()),
        );
        let ((Some((rank, a)), Some((_, b))), (Some((_, s)), Some((_, t)))) = (shapes, strides) else {
            return self.places_as_of_any_rank(other);
        };
        (0..rank.min(INLINE_RANK)).all(|i| a[i] == b[i] && (s[i] == t[i] || a[i] == 1))
    }

    #[cold]
    fn places_as_of_any_rank(&self, other: &Layout) -> bool {
        let axes = self.shape.iter().zip(self.strides.values()).zip(other.strides.values());
        self.shape == other.shape && axes.into_iter().all(|((&size, s), t)| s == t || size == 1)
    }

    /// An identifier of the contiguous layouts of rank 0 or 1 with this rank and dtype, if this is one. To compare it and the
    /// number of elements with [`Layout::is_line`] is a cheaper [`Layout::places_as`].
    #[inline]
    pub fn line(&self) -> Option<Line> {
        (self.kind & LINE != 0).then_some(Line(self.kind))
    }

    /// Whether this layout [places its elements as](Layout::places_as) the layout with `elements` elements whose
    /// [`Layout::line`] is `line`.
    #[inline]
    pub fn is_line(&self, line: Line, elements: usize) -> bool {
        self.kind == line.0 && self.elements == elements
    }

    /// The layout with the same dtype and shape and other strides.
    ///
    /// # Errors
    /// As [`Layout::strided`].
    pub fn with_strides(&self, strides: impl Into<Strides>) -> Result<Layout, Error> {
        Layout::strided(self.dtype, self.shape.clone(), strides)
    }
}

/// The dtype and rank of a contiguous layout of rank 0 or 1. See [`Layout::line`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line(u32);

/// The bit of a [`kind`] for contiguous layouts of rank 0 or 1.
const LINE: u32 = 1 << 24;

/// The dtype, whether the layout is contiguous, its rank (at most 255), and the bit [`LINE`], as one number.
#[inline]
fn kind(dtype: DType, contiguous: bool, shape: &Shape) -> u32 {
    let axes = shape.rank().min(255) as u8;
    let line = if contiguous && axes <= 1 { LINE } else { 0 };
    u32::from_le_bytes([dtype as u8, contiguous.into(), axes, 0]) | line
}

/// Whether a layout with this dtype, shape and strides is contiguous.
fn is_c_contiguous(dtype: DType, shape: &Shape, strides: &Strides) -> bool {
    let mut expect = dtype.size() as isize;
    for (&d, &s) in shape.dims().iter().zip(strides.values()).rev() {
        if d != 1 {
            if s != expect {
                return shape.contains(&0);
            }
            expect = expect.wrapping_mul(d as isize);
        }
    }
    true
}

impl From<Layout> for Cow<'_, Layout> {
    #[inline]
    fn from(layout: Layout) -> Self {
        Cow::Owned(layout)
    }
}

impl<'a> From<&'a Layout> for Cow<'a, Layout> {
    #[inline]
    fn from(layout: &'a Layout) -> Self {
        Cow::Borrowed(layout)
    }
}

impl fmt::Display for Layout {
    /// `f32[8, 64, 56, 56]`; layouts that are not contiguous show their strides: `f32[2, 3] strides [4, 8]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.dtype, self.shape)?;
        if !self.is_contiguous() {
            write!(f, " strides {:?}", self.strides)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn span_covers_both_signs() {
        let l = Layout::strided(DType::F32, [3, 4], [-16, 4]).unwrap();
        assert_eq!(l.span().unwrap(), (-32, 16));
        assert!(!l.is_contiguous());
        assert_eq!(Layout::strided(DType::U8, [5, 0], [-9, 3]).unwrap().span().unwrap(), (0, 0));
        assert!(Layout::strided(DType::U8, [3], [1, 1]).is_err());
        assert!(Layout::strided(DType::U8, [1 << 40, 3], [1 << 40, 1]).is_err());
    }

    #[test]
    fn layouts_whose_elements_share_memory_overlap_themselves() {
        let overlaps =
            |shape: &[usize], strides: &[isize]| Layout::strided(DType::F32, shape, strides).unwrap().overlaps_itself();
        assert!(overlaps(&[3, 4], &[0, 4]) && overlaps(&[3, 4], &[4, 4]) && overlaps(&[2], &[2]));
        assert!(!overlaps(&[3, 4], &[-16, 4]) && !overlaps(&[1, 4], &[0, 4]) && !overlaps(&[0, 4], &[0, 0]));
        assert!(!overlaps(&[4, 3], &[4, 64]));
    }

    #[test]
    fn strides_of_axes_of_size_1_do_not_matter() {
        let layout = |shape: [usize; 3], strides: [isize; 3]| Layout::strided(DType::F32, shape, strides).unwrap();
        let bound = layout([2, 1, 4], [16, 16, 4]);
        assert!(bound.places_as(&bound) && bound.places_as(&layout([2, 1, 4], [16, -3, 4])));
        for other in [layout([2, 1, 4], [-16, 16, 4]), layout([2, 1, 4], [16, 16, 8]), layout([2, 2, 4], [16, 16, 4])] {
            assert!(!bound.places_as(&other) && !other.places_as(&bound), "{other}");
        }
        let flat = Layout::contiguous(DType::F32, [2, 4]).unwrap();
        assert!(!bound.places_as(&flat) && !flat.places_as(&bound));
        assert!(!flat.places_as(&Layout::contiguous(DType::I32, [2, 4]).unwrap()));
    }

    /// Every layout of one dtype with up to two axes of 0 to 3 elements, inside `ones` axes of size 1.
    fn small_layouts(dtype: DType, ones: usize) -> Vec<Layout> {
        let size = dtype.size() as isize;
        let axes: Vec<(usize, isize)> = (0..4)
            .flat_map(|d| [0, size, 2 * size, 3 * size, -size].map(|s| (d, s)))
            // Two strides are enough for axes of size 1.
            .filter(|&(d, s)| d != 1 || s <= size)
            .collect();
        let of = |axes: &[(usize, isize)]| {
            let front = (0..ones).map(|i| (1, i as isize * size));
            let (shape, strides): (Vec<_>, Vec<_>) = front.chain(axes.iter().copied()).unzip();
            Layout::strided(dtype, &shape[..], &strides[..]).unwrap()
        };
        let mut layouts = vec![of(&[])];
        for &a in &axes {
            layouts.push(of(&[a]));
            layouts.extend(axes.iter().map(|&b| of(&[a, b])));
        }
        layouts
    }

    #[test]
    fn layouts_place_alike_if_shapes_and_relevant_strides_are_equal() {
        for ones in [0, 3, INLINE_RANK - 1, INLINE_RANK, INLINE_RANK + 2] {
            let layouts = small_layouts(DType::F32, ones);
            for a in &layouts {
                for b in &layouts {
                    let mut axes = a.shape.iter().zip(a.strides.iter().zip(b.strides.iter()));
                    let alike = a.shape == b.shape && (a.elements == 0 || axes.all(|(&d, (s, t))| d == 1 || s == t));
                    assert_eq!(a.places_as(b), alike, "{a:?} {b:?}");
                }
            }
        }
        for a in small_layouts(DType::F32, 0) {
            for b in small_layouts(DType::F32, 0) {
                let alike = b.line().is_some_and(|line| a.is_line(line, b.elements()));
                assert_eq!(alike, b.is_contiguous() && b.shape().rank() <= 1 && a.places_as(&b), "{a:?} {b:?}");
            }
        }
        for (a, b) in small_layouts(DType::F32, 0).iter().zip(&small_layouts(DType::I32, 0)) {
            assert!(b.line().is_none_or(|line| !a.is_line(line, b.elements())), "{a} {b}");
            assert!(!a.places_as(b) && !b.places_as(a), "{a} {b}");
        }
        // The ranks differ by an axis of size 1.
        for (a, b) in small_layouts(DType::F32, 7).iter().zip(&small_layouts(DType::F32, 8)) {
            assert!(!a.places_as(b) && !b.places_as(a), "{a} {b}");
        }
    }

    #[test]
    fn layouts_have_at_most_isize_max_bytes() {
        assert!(Layout::contiguous(DType::U8, [isize::MAX as usize]).is_ok());
        assert!(Layout::contiguous(DType::U8, [1 << 63]).is_err());
        assert!(Layout::contiguous(DType::U16, [1 << 62]).is_err());
    }

    #[test]
    fn dense_as_equals_a_contiguous_layout_of_the_other_dtype() {
        let of = |shape: [usize; 2]| Layout::contiguous(DType::I16, shape).unwrap();
        for dtype in DType::ALL {
            assert_eq!(of([3, 5]).dense_as(dtype), Layout::contiguous(dtype, [3, 5]));
            // The most 16-bit elements that fit.
            let large = of([1, (isize::MAX / 2) as usize]);
            assert_eq!(large.dense_as(dtype).is_ok(), dtype.size() <= 2, "{dtype}");
        }
    }

    #[test]
    fn layouts_that_are_not_contiguous_print_their_strides() {
        let dense = Layout::contiguous(DType::F32, [2, 3]).unwrap();
        assert_eq!(alloc::format!("{dense}"), "f32[2, 3]");
        assert_eq!(alloc::format!("{}", dense.with_strides([4, 8]).unwrap()), "f32[2, 3] strides [4, 8]");
    }

    #[test]
    fn axes_of_size_1_are_contiguous_with_any_stride() {
        assert!(Layout::strided(DType::F32, [1, 4, 1], [7, 4, -3]).unwrap().is_contiguous());
        assert!(Layout::strided(DType::F32, [0, 4], [7, 9]).unwrap().is_contiguous());
    }
}
