//! [`Shape`] and [`Strides`]: axis sizes and byte strides, without a heap up to rank 6.

use core::fmt;
use core::ops::Deref;

use crate::list::List;

/// The highest rank that needs no heap.
pub const INLINE_RANK: usize = 6;

/// The sizes of the axes, outermost first. A scalar has rank 0. Any rank is allowed; up to rank 6 there is no heap allocation.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Shape(List<usize, INLINE_RANK>);

/// The distance in *bytes* between neighbours along each axis, outermost first. Strides have any sign, and are 0 along axes that
/// broadcast.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Strides(List<isize, INLINE_RANK>);

impl Shape {
    /// A shape with these axis sizes.
    #[inline]
    pub fn new(dims: &[usize]) -> Shape {
        Shape(List::from_slice(dims))
    }

    /// The shape of a scalar.
    #[inline]
    pub fn scalar() -> Shape {
        Shape::default()
    }

    /// The number of axes.
    #[inline]
    pub fn rank(&self) -> usize {
        self.0.len()
    }

    /// The axis sizes.
    #[inline]
    pub fn dims(&self) -> &[usize] {
        &self.0
    }

    /// A shape whose sizes are all 1.
    #[inline]
    pub(crate) fn ones(rank: usize) -> Shape {
        let mut dims = List::zeros(rank);
        dims.fill(1);
        Shape(dims)
    }

    #[inline]
    pub(crate) fn dims_mut(&mut self) -> &mut [usize] {
        &mut self.0
    }

    /// Whether both shapes are equal, as `==`, by a loop over the inline sizes up to rank 6.
    #[inline]
    pub fn is_same(&self, other: &Shape) -> bool {
        match (self.0.inline_items(), other.0.inline_items()) {
            (Some((rank, a)), Some((other_rank, b))) => {
                rank == other_rank && (0..rank.min(INLINE_RANK)).all(|i| a[i] == b[i])
            }
            _ => self == other,
        }
    }

    /// The rank and the inline array; `None` above rank 6. Entries from the rank on are unspecified.
    #[inline]
    pub(crate) fn inline_items(&self) -> Option<(usize, &[usize; INLINE_RANK])> {
        self.0.inline_items()
    }

    /// Appends an innermost (last) axis.
    #[inline]
    pub fn push(&mut self, dim: usize) {
        self.0.push(dim);
    }
}

impl Strides {
    /// Strides in bytes, outermost first.
    #[inline]
    pub fn new(strides: &[isize]) -> Strides {
        Strides(List::from_slice(strides))
    }

    /// The strides in bytes.
    #[inline]
    pub fn values(&self) -> &[isize] {
        &self.0
    }

    /// The byte strides of a C-contiguous array (last axis fastest) of `shape`, with elements of `element_bytes` bytes. Axes of
    /// size 0 count as size 1. Strides that overflow `isize` wrap: check [`Shape::bytes`] first.
    #[inline]
    pub fn contiguous(shape: &Shape, element_bytes: usize) -> Strides {
        let mut strides = List::zeros(shape.rank());
        let mut step = element_bytes as isize;
        for (s, &d) in strides.iter_mut().zip(shape.dims()).rev() {
            *s = step;
            step = step.wrapping_mul(d.max(1) as isize);
        }
        Strides(strides)
    }

    /// As [`Shape::inline_items`].
    #[inline]
    pub(crate) fn inline_items(&self) -> Option<(usize, &[isize; INLINE_RANK])> {
        self.0.inline_items()
    }

    /// Appends an innermost (last) axis.
    #[inline]
    pub fn push(&mut self, stride: isize) {
        self.0.push(stride);
    }
}

impl Deref for Shape {
    type Target = [usize];
    #[inline]
    fn deref(&self) -> &[usize] {
        &self.0
    }
}

impl Deref for Strides {
    type Target = [isize];
    #[inline]
    fn deref(&self) -> &[isize] {
        &self.0
    }
}

impl From<&[usize]> for Shape {
    fn from(dims: &[usize]) -> Shape {
        Shape::new(dims)
    }
}

impl<const N: usize> From<[usize; N]> for Shape {
    fn from(dims: [usize; N]) -> Shape {
        Shape::new(&dims)
    }
}

impl FromIterator<usize> for Shape {
    fn from_iter<I: IntoIterator<Item = usize>>(iter: I) -> Shape {
        Shape(iter.into_iter().collect())
    }
}

impl From<&[isize]> for Strides {
    fn from(strides: &[isize]) -> Strides {
        Strides::new(strides)
    }
}

impl<const N: usize> From<[isize; N]> for Strides {
    fn from(strides: [isize; N]) -> Strides {
        Strides::new(&strides)
    }
}

impl FromIterator<isize> for Strides {
    fn from_iter<I: IntoIterator<Item = isize>>(iter: I) -> Strides {
        Strides(iter.into_iter().collect())
    }
}

impl fmt::Display for Shape {
    /// `[3, 224, 224]`; a scalar is `[]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.dims(), f)
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.dims(), f)
    }
}

impl fmt::Debug for Strides {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.values(), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::ErrorKind;

    #[test]
    fn elements_count_and_overflow() {
        assert_eq!(Shape::scalar().elements().unwrap(), 1);
        assert_eq!(Shape::new(&[2, 3]).bytes(4).unwrap(), 24);
        assert_eq!(Shape::new(&[usize::MAX, usize::MAX, 0]).elements().unwrap(), 0);
        let huge = Shape::new(&[1 << 40, 1 << 40]);
        assert_eq!(huge.elements().unwrap_err().kind(), ErrorKind::TooLarge);
        assert!(Shape::new(&[1 << 62]).elements().is_ok());
        assert!(Shape::new(&[1 << 62]).bytes(4).is_err());
    }

    #[test]
    fn shapes_and_strides_grow_and_print() {
        let (mut shape, mut strides) = (Shape::scalar(), Strides::default());
        for i in 1..=9 {
            shape.push(i);
            strides.push(-(i as isize));
            let short = (i <= INLINE_RANK).then_some(i);
            assert_eq!(shape.inline_items().map(|(rank, _)| rank), short);
            assert_eq!(strides.inline_items().map(|(rank, _)| rank), short);
        }
        assert_eq!(shape, (1..=9).collect());
        assert_eq!(strides, (1..=9).map(|i: isize| -i).collect());
        assert_eq!(
            alloc::format!("{shape} {shape:?} {strides:?}"),
            concat!("[1, 2, 3, 4, 5, 6, 7, 8, 9] [1, 2, 3, 4, 5, 6, 7, 8, 9] ", "[-1, -2, -3, -4, -5, -6, -7, -8, -9]")
        );
    }

    #[test]
    fn contiguous_strides() {
        assert_eq!(Strides::contiguous(&Shape::new(&[2, 3, 4]), 2).values(), [24, 8, 2]);
        assert_eq!(Strides::contiguous(&Shape::new(&[2, 0, 4]), 1).values(), [4, 4, 1]);
    }
}
