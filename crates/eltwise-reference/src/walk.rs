//! The broadcasting rule as written: one multi-index of the result after the other, and where an operand's element lies.

use eltwise_plan::Shape;
use eltwise_plan::broadcast::Alignment;

/// The multi-indices of a shape in C order (last axis fastest).
#[derive(Clone, Debug)]
pub struct Indices {
    dims: Vec<usize>,
    index: Vec<usize>,
    more: bool,
}

impl Indices {
    /// Every multi-index of `shape`; the one empty index of a scalar; none when an axis has size 0.
    pub fn new(shape: &Shape) -> Indices {
        Indices { dims: shape.to_vec(), index: vec![0; shape.rank()], more: !shape.contains(&0) }
    }

    /// The current multi-index, until there is no more.
    pub fn current(&self) -> Option<&[usize]> {
        self.more.then_some(self.index.as_slice())
    }

    /// Goes on to the next one.
    pub fn advance(&mut self) {
        for (i, &d) in self.index.iter_mut().zip(&self.dims).rev() {
            *i += 1;
            if *i < d {
                return;
            }
            *i = 0;
        }
        self.more = false;
    }
}

/// Where the elements of one operand, dense in C order, lie: `Z[i] = Y[f(i)]`.
#[derive(Clone, Debug)]
pub struct Source {
    start: usize,
    /// Size and step (in elements) of each axis.
    axes: Vec<(usize, usize)>,
}

impl Source {
    /// The source of operand `operand`, which has shape `shape`.
    ///
    /// # Panics
    /// When the alignment has no such operand.
    pub fn new(shape: &Shape, alignment: &Alignment, operand: usize) -> Source {
        let mut step = 1usize;
        let mut axes: Vec<(usize, usize)> = Vec::with_capacity(shape.rank());
        for &size in shape.iter().rev() {
            axes.push((size, step));
            step = step.wrapping_mul(size);
        }
        axes.reverse();
        Source { start: alignment.starts[operand], axes }
    }

    /// The position of the operand's element for index `i` of the result: on each axis the index itself, or 0 where
    /// the operand's size is 1. Axes that stick out beyond the result (see [`Alignment`]) have size 1, so index 0.
    pub fn position(&self, i: &[usize]) -> usize {
        let own = &i[self.start.min(i.len())..];
        own.iter().zip(&self.axes).map(|(&at, &(size, step))| if size == 1 { 0 } else { at * step }).sum()
    }
}
