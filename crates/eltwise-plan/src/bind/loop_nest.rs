//! The loop nest: the axes of the iteration shape as a few loops. [`LoopNest`] is the result.
//!
//! | step | reason |
//! |---|---|
//! | drop axes of size 1 | they need no loop |
//! | order axes by the outputs' strides, outermost first | writes go forward through memory for any axis order |
//! | reverse axes along which the output has a negative stride | a reversed output is a forward output of reversed inputs |
//! | coalesce neighbours along which *every* operand has one stride | few long loops |

use eltwise_core::{Shape, list::List};
use smallvec::SmallVec;

use crate::bind::BoundOperand;

/// Loop sizes or strides of a loop nest; no heap up to six loops.
pub type Loops<T> = List<T, 6>;

/// The strides of one operand along the loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperandStrides {
    /// Bytes from element `[0, 0, ...]` of the operand to the first element of the loops. A reversed axis starts at its last
    /// element.
    pub offset: isize,
    /// Bytes from one iteration of each loop to the next, outermost first.
    pub strides: Loops<isize>,
}

/// A few loops, outermost first, and the strides of each operand along them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopNest {
    /// The sizes of the loops, all at least 2; empty for a single element.
    pub sizes: Loops<usize>,
    /// The strides of each operand.
    pub operands: SmallVec<[OperandStrides; 4]>,
}

impl LoopNest {
    /// The loop nest of an iteration shape without zeros.
    pub fn new(shape: &Shape, operands: &[BoundOperand]) -> LoopNest {
        let mut nest = LoopNest::default();
        nest.fill(shape, operands);
        nest
    }

    /// The nest with its loops in another order.
    pub(crate) fn reordered(&self, order: &[usize]) -> LoopNest {
        let reordered = |operand: &OperandStrides| OperandStrides {
            strides: order.iter().map(|&axis| operand.strides[axis]).collect(),
            ..operand.clone()
        };
        LoopNest {
            sizes: order.iter().map(|&axis| self.sizes[axis]).collect(),
            operands: self.operands.iter().map(reordered).collect(),
        }
    }

    /// Builds the nest as [`LoopNest::new`] does, and replaces the contents of this one.
    pub(crate) fn fill(&mut self, shape: &Shape, operands: &[BoundOperand]) {
        self.sizes.clear();
        self.operands.clear();
        let mut axes: Loops<usize> = Loops::new();
        for (axis, &size) in shape.iter().enumerate() {
            if size != 1 {
                axes.push(axis);
            }
        }
        let mut table = AxisTable::new(shape.rank(), operands);
        // A stable insertion sort by `is_outer`. The outputs are the first operands, so they decide first.
        for i in 1..axes.len() {
            let mut j = i;
            while j > 0 && is_outer(table.row(axes[j]), table.row(axes[j - 1])) {
                axes.swap(j, j - 1);
                j -= 1;
            }
        }
        operands.iter().for_each(|_| self.operands.push(OperandStrides { offset: 0, strides: Loops::new() }));
        // The innermost axis of each loop.
        let mut inner: Loops<usize> = Loops::new();
        for &axis in &axes {
            let size = shape[axis];
            let offsets = self.operands.iter_mut().map(|operand| &mut operand.offset);
            reverse_backward_axis(size, table.row_mut(axis), offsets);
            match (inner.last_mut(), self.sizes.last_mut()) {
                (Some(outer), Some(merged)) if coalesces(table.row(*outer), table.row(axis), size) => {
                    *outer = axis;
                    *merged *= size;
                }
                _ => {
                    inner.push(axis);
                    self.sizes.push(size);
                }
            }
        }
        for (k, operand) in self.operands.iter_mut().enumerate() {
            operand.strides = Loops::zeros(inner.len());
            for (stride, &axis) in operand.strides.iter_mut().zip(&inner) {
                *stride = table.row(axis)[k];
            }
        }
    }

    /// The number of elements.
    pub fn elements(&self) -> usize {
        self.sizes.iter().product()
    }

    /// The size of the innermost loop.
    #[inline]
    pub fn columns(&self) -> usize {
        self.sizes.last().copied().unwrap_or(1)
    }

    /// The iterations of all loops around the innermost one.
    #[inline]
    pub fn rows(&self) -> usize {
        self.sizes.iter().rev().skip(1).fold(1, |rows, &size| rows.saturating_mul(size))
    }
}

/// The strides of all operands, axis by axis: every decision about an axis reads all operands.
struct AxisTable {
    strides: List<isize, 32>,
    operands: usize,
}

impl AxisTable {
    #[inline]
    fn new(rank: usize, operands: &[BoundOperand]) -> AxisTable {
        let mut strides = List::zeros(rank * operands.len());
        let all: &mut [isize] = &mut strides;
        for (i, operand) in operands.iter().enumerate() {
            let column = all.iter_mut().skip(i).step_by(operands.len());
            column.zip(&operand.strides).for_each(|(entry, &stride)| *entry = stride);
        }
        AxisTable { strides, operands: operands.len() }
    }

    #[inline]
    fn row(&self, axis: usize) -> &[isize] {
        &self.strides[axis * self.operands..][..self.operands]
    }

    #[inline]
    fn row_mut(&mut self, axis: usize) -> &mut [isize] {
        &mut self.strides[axis * self.operands..][..self.operands]
    }
}

/// Whether the axis with strides `a` belongs outside the one with strides `b`: the first operand that moves along both
/// with different strides has the larger one along `a`.
#[inline]
pub(crate) fn is_outer(a: &[isize], b: &[isize]) -> bool {
    let differing = a.iter().zip(b).find(|&(&a, &b)| a != 0 && b != 0 && a.unsigned_abs() != b.unsigned_abs());
    differing.is_some_and(|(a, b)| a.unsigned_abs() > b.unsigned_abs())
}

/// Reverses an axis if the first operand that moves along it has a negative stride. `offsets` are the starts of the operands.
#[inline(always)]
pub(crate) fn reverse_backward_axis<'a>(
    size: usize,
    strides: &mut [isize],
    offsets: impl Iterator<Item = &'a mut isize>,
) {
    if strides.iter().find(|&&s| s != 0).is_some_and(|&s| s < 0) {
        for (offset, stride) in offsets.zip(strides) {
            *offset += *stride * (size as isize - 1);
            *stride = -*stride;
        }
    }
}

/// Whether the axes with strides `outer` and `inner` are one loop: for every operand, the end of the inner axis, which has
/// `size` elements, is the next index of the outer one.
#[inline]
pub fn coalesces(outer: &[isize], inner: &[isize], size: usize) -> bool {
    outer.iter().zip(inner).all(|(&outer, inner)| outer == inner.wrapping_mul(size as isize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::AxisStrides;

    fn operand(output: bool, strides: &[isize]) -> BoundOperand {
        BoundOperand { output, index: 0, size: 4, strides: AxisStrides::from_slice(strides) }
    }

    fn nest(shape: &[usize], operands: &[&[isize]]) -> LoopNest {
        let operands: SmallVec<[BoundOperand; 4]> =
            operands.iter().enumerate().map(|(i, s)| operand(i == 0, s)).collect();
        LoopNest::new(&Shape::new(shape), &operands)
    }

    #[test]
    fn dense_operands_become_one_loop() {
        let n = nest(&[2, 3, 1, 4], &[&[48, 16, 0, 4], &[48, 16, 0, 4]]);
        assert_eq!(n.sizes.as_slice(), [24]);
        assert_eq!(n.operands[1].strides.as_slice(), [4]);
        assert!(nest(&[1, 1], &[&[0, 0]]).sizes.is_empty());
    }

    #[test]
    fn an_operand_that_broadcasts_splits_only_its_own_loops() {
        // [8, 64, 56, 56] + [64, 1, 1]
        let n = nest(&[8, 64, 56, 56], &[&[802816, 12544, 224, 4], &[802816, 12544, 224, 4], &[0, 4, 0, 0]]);
        assert_eq!(n.sizes.as_slice(), [8, 64, 3136]);
        assert_eq!(n.operands[2].strides.as_slice(), [0, 4, 0]);
    }

    #[test]
    fn the_first_operand_with_two_different_strides_decides_the_order() {
        assert!(is_outer(&[8, 4], &[4, 8]) && !is_outer(&[4, 8], &[8, 4]));
        assert!(is_outer(&[-8], &[4]) && !is_outer(&[4], &[-8]) && !is_outer(&[-4], &[4]));
        // An operand that broadcasts along one of the axes does not decide.
        assert!(is_outer(&[0, 8], &[4, 4]) && is_outer(&[4, 8], &[0, 4]));
        assert!(!is_outer(&[4, 4], &[0, 8]) && !is_outer(&[0, 4], &[4, 8]));
        assert!(!is_outer(&[0], &[4]) && !is_outer(&[4], &[0]) && !is_outer(&[0, 4], &[0, 4]));
    }

    #[test]
    fn loops_follow_the_order_and_the_direction_of_the_output() {
        // A transposed output: the loops are ordered by its strides.
        let n = nest(&[3, 5], &[&[4, 12], &[20, 4]]);
        assert_eq!(n.sizes.as_slice(), [5, 3]);
        assert_eq!(n.operands[1].strides.as_slice(), [4, 20]);
        // If all operands are reversed, all loops are reversed.
        let n = nest(&[3, 5], &[&[-20, -4], &[-20, -4]]);
        assert_eq!(n.sizes.as_slice(), [15]);
        assert_eq!((n.operands[0].offset, n.operands[0].strides[0]), (-56, 4));
        // A reversed input under a forward output stays reversed.
        let n = nest(&[15], &[&[4], &[-4]]);
        assert_eq!((n.operands[1].offset, n.operands[1].strides[0]), (0, -4));
    }
}
