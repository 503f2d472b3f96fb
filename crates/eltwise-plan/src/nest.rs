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
use crate::shape::Shape;

/// Loop sizes or strides of a nest; no heap up to six loops.
pub type Loops<T> = SmallVec<[T; 6]>;

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Nest {
    /// The sizes of the loops, all at least 2; none for a single element.
    pub sizes: Loops<usize>,
    /// One walk a leaf.
    pub walks: SmallVec<[Walk; 4]>,
}

impl Nest {
    /// The nest of an iteration shape without zeros.
    pub fn new(shape: &Shape, leaves: &[Leaf]) -> Nest {
        let mut axes: Loops<usize> = (0..shape.rank()).filter(|&a| shape[a] != 1).collect();
        // A stable insertion sort; an axis moves out past another when the first leaf that tells them apart strides it
        // further. Outputs come first in `leaves`.
        for i in 1..axes.len() {
            let mut j = i;
            while j > 0 && further(leaves, axes[j], axes[j - 1]) {
                axes.swap(j, j - 1);
                j -= 1;
            }
        }
        let mut walks: SmallVec<[Walk; 4]> = leaves.iter().map(|_| Walk { offset: 0, strides: Loops::new() }).collect();
        let mut sizes = Loops::new();
        for &axis in &axes {
            let size = shape[axis];
            let turn = leaves.iter().map(|l| l.strides[axis]).find(|&s| s != 0).is_some_and(|s| s < 0);
            let steps = |leaf: &Leaf| if turn { -leaf.strides[axis] } else { leaf.strides[axis] };
            // Merge with the loop outside when every leaf goes on where this one ends.
            let joins = !sizes.is_empty()
                && (walks.iter().zip(leaves))
                    .all(|(w, l)| w.strides.last() == Some(&steps(l).wrapping_mul(size as isize)));
            for (walk, leaf) in walks.iter_mut().zip(leaves) {
                if turn {
                    walk.offset += leaf.strides[axis] * (size as isize - 1);
                }
                match walk.strides.last_mut() {
                    Some(last) if joins => *last = steps(leaf),
                    _ => walk.strides.push(steps(leaf)),
                }
            }
            match sizes.last_mut() {
                Some(last) if joins => *last *= size,
                _ => sizes.push(size),
            }
        }
        Nest { sizes, walks }
    }

    /// The number of elements.
    pub fn elements(&self) -> usize {
        self.sizes.iter().product()
    }
}

/// Whether axis `a` belongs outside axis `b`.
fn further(leaves: &[Leaf], a: usize, b: usize) -> bool {
    for leaf in leaves {
        let (sa, sb) = (leaf.strides[a].unsigned_abs(), leaf.strides[b].unsigned_abs());
        if sa != 0 && sb != 0 && sa != sb {
            return sa > sb;
        }
    }
    false
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
