//! The broadcasting rule as written: [`Indices`] visits the multi-indices of the result, [`BroadcastIndex`] finds an
//! operand's element for each.

use eltwise_core::Shape;
use eltwise_core::broadcast::Alignment;

/// The multi-indices of a shape in C order (last axis fastest).
#[derive(Clone, Debug)]
pub struct Indices {
    dims: Vec<usize>,
    index: Vec<usize>,
    done: bool,
}

impl Indices {
    /// Every multi-index of `shape`: one empty index for a scalar, none if an axis has size 0.
    pub fn new(shape: &Shape) -> Indices {
        Indices { dims: shape.to_vec(), index: vec![0; shape.rank()], done: shape.contains(&0) }
    }

    /// The current multi-index; `None` after the last.
    pub fn current(&self) -> Option<&[usize]> {
        (!self.done).then_some(self.index.as_slice())
    }

    /// Advances to the next multi-index.
    pub fn advance(&mut self) {
        for (i, &d) in self.index.iter_mut().zip(&self.dims).rev() {
            *i += 1;
            if *i < d {
                return;
            }
            *i = 0;
        }
        self.done = true;
    }
}

/// The `f` of `Z[i] = Y[f(i)]`: the position of an operand's element for an index of the result. The operand is
/// contiguous in C order.
#[derive(Clone, Debug)]
pub struct BroadcastIndex {
    start: usize,
    /// Size and stride (in elements) of each axis.
    axes: Vec<(usize, usize)>,
}

impl BroadcastIndex {
    /// The positions of operand number `operand`, which has shape `shape`.
    ///
    /// # Panics
    /// If the alignment has fewer operands.
    pub fn new(shape: &Shape, alignment: &Alignment, operand: usize) -> BroadcastIndex {
        let mut stride = 1usize;
        let mut axes: Vec<(usize, usize)> = Vec::with_capacity(shape.rank());
        for &size in shape.iter().rev() {
            axes.push((size, stride));
            stride = stride.wrapping_mul(size);
        }
        axes.reverse();
        BroadcastIndex { start: alignment.starts[operand], axes }
    }

    /// The position of the operand's element for index `i` of the result: on each axis the index itself, or 0 if the
    /// operand has size 1. Axes of the operand beyond the last axis of the result (see [`Alignment`]) have size 1, so
    /// they count 0.
    pub fn position(&self, i: &[usize]) -> usize {
        let aligned = &i[self.start.min(i.len())..];
        aligned.iter().zip(&self.axes).map(|(&at, &(size, stride))| if size == 1 { 0 } else { at * stride }).sum()
    }
}
