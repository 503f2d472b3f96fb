//! The loop nest: drop size-1 axes, order, turn, coalesce.
//!
//! | step | why |
//! |---|---|
//! | drop axes of size 1 | they are no loops |
//! | order axes by the outputs' strides, outermost first | writes walk memory forward, whatever the axis order |
//! | turn axes along which the output runs backwards | a reversed output is a forward output of reversed inputs |
//! | coalesce neighbours that *every* leaf walks with one stride | long loops, few of them |

use smallvec::SmallVec;

use crate::bind::Leaf;
use crate::list::List;
use crate::shape::Shape;

/// Loop sizes or strides of a nest; no heap up to six loops.
pub type Loops<T> = List<T, 6>;

/// How a leaf is walked by the loops of a nest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Walk {
    /// Bytes from element `[0, 0, ...]` of the operand to the first element of the walk (turned axes start at their
    /// last element).
    pub offset: isize,
    /// Bytes a step of each loop, outermost first.
    pub strides: Loops<isize>,
}

/// A few loops, outermost first, and how each leaf is walked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nest {
    /// The sizes of the loops, all at least 2; none for a single element.
    pub sizes: Loops<usize>,
    /// One walk a leaf.
    pub walks: SmallVec<[Walk; 4]>,
}

impl Nest {
    /// The nest of an iteration shape without zeros.
    pub fn new(shape: &Shape, leaves: &[Leaf]) -> Nest {
        let mut nest = Nest::default();
        nest.fill(shape, leaves);
        nest
    }

    /// Becomes the nest of an iteration shape without zeros.
    pub(crate) fn fill(&mut self, shape: &Shape, leaves: &[Leaf]) {
        self.sizes.clear();
        self.walks.clear();
        let mut axes: Loops<usize> = Loops::new();
        for (axis, &size) in shape.iter().enumerate() {
            if size != 1 {
                axes.push(axis);
            }
        }
        let mut table = AxisTable::new(shape.rank(), leaves);
        // A stable insertion sort; an axis moves out past another when the first leaf that tells them apart strides it
        // further. Outputs come first in `leaves`.
        for i in 1..axes.len() {
            let mut j = i;
            while j > 0 && further(table.row(axes[j]), table.row(axes[j - 1])) {
                axes.swap(j, j - 1);
                j -= 1;
            }
        }
        leaves.iter().for_each(|_| self.walks.push(Walk { offset: 0, strides: Loops::new() }));
        // The innermost axis of each loop.
        let mut inner: Loops<usize> = Loops::new();
        for &axis in &axes {
            let size = shape[axis];
            let row = table.row_mut(axis);
            if row.iter().find(|&&s| s != 0).is_some_and(|&s| s < 0) {
                for (walk, stride) in self.walks.iter_mut().zip(row) {
                    walk.offset += *stride * (size as isize - 1);
                    *stride = -*stride;
                }
            }
            // Merge with the loop outside when every leaf goes on where this one ends.
            match (inner.last_mut(), self.sizes.last_mut()) {
                (Some(outer), Some(merged)) if continues(table.row(*outer), table.row(axis), size) => {
                    *outer = axis;
                    *merged *= size;
                }
                _ => {
                    inner.push(axis);
                    self.sizes.push(size);
                }
            }
        }
        for (leaf, walk) in self.walks.iter_mut().enumerate() {
            walk.strides = Loops::zeros(inner.len());
            for (stride, &axis) in walk.strides.iter_mut().zip(&inner) {
                *stride = table.row(axis)[leaf];
            }
        }
    }

    /// The number of elements.
    pub fn elements(&self) -> usize {
        self.sizes.iter().product()
    }
}

/// The strides of all leaves, axis by axis: the decisions on an axis look at all leaves at once.
struct AxisTable {
    strides: List<isize, 32>,
    leaves: usize,
}

impl AxisTable {
    #[inline]
    fn new(rank: usize, leaves: &[Leaf]) -> AxisTable {
        let mut strides = List::zeros(rank * leaves.len());
        let all: &mut [isize] = &mut strides;
        for (i, leaf) in leaves.iter().enumerate() {
            let column = all.iter_mut().skip(i).step_by(leaves.len());
            column.zip(&leaf.strides).for_each(|(into, &stride)| *into = stride);
        }
        AxisTable { strides, leaves: leaves.len() }
    }

    #[inline]
    fn row(&self, axis: usize) -> &[isize] {
        &self.strides[axis * self.leaves..][..self.leaves]
    }

    #[inline]
    fn row_mut(&mut self, axis: usize) -> &mut [isize] {
        &mut self.strides[axis * self.leaves..][..self.leaves]
    }
}

/// Whether the axis with strides `a` belongs outside the one with strides `b`.
#[inline]
pub(crate) fn further(a: &[isize], b: &[isize]) -> bool {
    let told = a.iter().zip(b).find(|&(&a, &b)| a != 0 && b != 0 && a.unsigned_abs() != b.unsigned_abs());
    told.is_some_and(|(a, b)| a.unsigned_abs() > b.unsigned_abs())
}

/// Whether every leaf, at the end of the axis with strides `inner`, is at the next index of the one with `outer`.
#[inline]
pub(crate) fn continues(outer: &[isize], inner: &[isize], size: usize) -> bool {
    outer.iter().zip(inner).all(|(&outer, inner)| outer == inner.wrapping_mul(size as isize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::AxisStrides;

    fn leaf(output: bool, strides: &[isize]) -> Leaf {
        Leaf { output, index: 0, size: 4, strides: AxisStrides::from_slice(strides) }
    }

    fn nest(shape: &[usize], leaves: &[&[isize]]) -> Nest {
        let leaves: SmallVec<[Leaf; 4]> = leaves.iter().enumerate().map(|(i, s)| leaf(i == 0, s)).collect();
        Nest::new(&Shape::new(shape), &leaves)
    }

    #[test]
    fn dense_operands_become_one_loop() {
        let n = nest(&[2, 3, 1, 4], &[&[48, 16, 0, 4], &[48, 16, 0, 4]]);
        assert_eq!(n.sizes.as_slice(), [24]);
        assert_eq!(n.walks[1].strides.as_slice(), [4]);
        assert!(nest(&[1, 1], &[&[0, 0]]).sizes.is_empty());
    }

    #[test]
    fn a_broadcast_splits_where_it_must() {
        // [8, 64, 56, 56] + [64, 1, 1]
        let n = nest(&[8, 64, 56, 56], &[&[802816, 12544, 224, 4], &[802816, 12544, 224, 4], &[0, 4, 0, 0]]);
        assert_eq!(n.sizes.as_slice(), [8, 64, 3136]);
        assert_eq!(n.walks[2].strides.as_slice(), [0, 4, 0]);
    }

    #[test]
    fn the_first_leaf_that_tells_two_axes_apart_decides() {
        assert!(further(&[8, 4], &[4, 8]) && !further(&[4, 8], &[8, 4]));
        assert!(further(&[-8], &[4]) && !further(&[4], &[-8]) && !further(&[-4], &[4]));
        // A leaf that stands still along one of them does not tell.
        assert!(further(&[0, 8], &[4, 4]) && further(&[4, 8], &[0, 4]));
        assert!(!further(&[4, 4], &[0, 8]) && !further(&[0, 4], &[4, 8]));
        assert!(!further(&[0], &[4]) && !further(&[4], &[0]) && !further(&[0, 4], &[0, 4]));
    }

    #[test]
    fn axes_follow_the_output_and_turn_with_it() {
        // A transposed output: the loops are ordered by its strides.
        let n = nest(&[3, 5], &[&[4, 12], &[20, 4]]);
        assert_eq!(n.sizes.as_slice(), [5, 3]);
        assert_eq!(n.walks[1].strides.as_slice(), [4, 20]);
        // Everything backwards is forwards from the other end.
        let n = nest(&[3, 5], &[&[-20, -4], &[-20, -4]]);
        assert_eq!(n.sizes.as_slice(), [15]);
        assert_eq!((n.walks[0].offset, n.walks[0].strides[0]), (-56, 4));
        // A reversed input under a forward output stays reversed.
        let n = nest(&[15], &[&[4], &[-4]]);
        assert_eq!((n.walks[1].offset, n.walks[1].strides[0]), (0, -4));
    }
}
