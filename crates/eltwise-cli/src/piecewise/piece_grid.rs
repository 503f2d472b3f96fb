//! The division of a result into pieces: boxes of equal size, except that the last ones along an axis may be smaller. See
//! [`PieceGrid`].

use eltwise::Layout;

/// Bytes of the operands and results of a piece if all files have the same axis order. They fit in the L2 cache.
const PIECE_BYTES: usize = 1 << 20;
/// Bytes of the operands and results of a piece if files have different axis orders. Pieces are then about equally long along
/// the fastest axis of each order, and a larger piece makes the contiguous runs longer in every file.
const MIXED_ORDER_PIECE_BYTES: usize = 16 << 20;

/// A grid of pieces that covers a result.
pub(crate) struct PieceGrid {
    /// The shape of the result.
    shape: Vec<usize>,
    /// The full size of a piece.
    size: Vec<usize>,
    /// The number of pieces along each axis.
    counts: Vec<usize>,
}

/// A box of the result: its first index and its size along each axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) at: Vec<usize>,
    pub(crate) size: Vec<usize>,
}

impl Piece {
    /// One piece that covers a whole shape.
    pub(crate) fn whole(shape: &[usize]) -> Piece {
        Piece { at: vec![0; shape.len()], size: shape.to_vec() }
    }
}

impl PieceGrid {
    /// Divides `shape` into pieces. `arrays` are the results and operands, aligned with the last axes of `shape`; the first
    /// one is a result.
    pub(crate) fn new(shape: &[usize], arrays: &[&Layout]) -> PieceGrid {
        let bytes: usize = arrays.iter().map(|a| a.dtype().size()).sum();
        // The axis orders of the arrays as axes of the result, fastest first; one for each fastest axis.
        let mut orders: Vec<Vec<usize>> = Vec::new();
        for array in arrays {
            let missing = shape.len() - array.shape().rank();
            let order: Vec<usize> = axes_slowest_first(array).iter().rev().map(|a| a + missing).collect();
            if orders.iter().all(|other| other.first() != order.first()) && !order.is_empty() {
                orders.push(order);
            }
        }
        let max_elements = if orders.len() > 1 { MIXED_ORDER_PIECE_BYTES } else { PIECE_BYTES } / bytes.max(1);
        PieceGrid::with(shape, sizes(shape, &orders, max_elements.max(1)))
    }

    /// One piece, even if `shape` has no elements: another result may have some.
    pub(crate) fn whole(shape: &[usize]) -> PieceGrid {
        PieceGrid { shape: shape.to_vec(), size: shape.to_vec(), counts: vec![1; shape.len()] }
    }

    fn with(shape: &[usize], size: Vec<usize>) -> PieceGrid {
        let counts = shape.iter().zip(&size).map(|(&d, &s)| if s == 0 { 0 } else { d.div_ceil(s) }).collect();
        PieceGrid { shape: shape.to_vec(), size, counts }
    }

    /// The number of pieces; 0 for [`PieceGrid::new`] with an empty shape.
    pub(crate) fn count(&self) -> usize {
        self.counts.iter().product()
    }

    /// The full size of a piece.
    pub(crate) fn size(&self) -> &[usize] {
        &self.size
    }

    /// Piece `number` in C order.
    pub(crate) fn get(&self, mut number: usize) -> Piece {
        let mut at = vec![0; self.shape.len()];
        for (axis, &count) in self.counts.iter().enumerate().rev() {
            at[axis] = number % count * self.size[axis];
            number /= count;
        }
        let size = (0..at.len()).map(|axis| self.size[axis].min(self.shape[axis] - at[axis])).collect();
        Piece { at, size }
    }
}

/// The size of a piece of at most `max_elements` elements. Each axis order gets a run of about the same length along its
/// fastest axes. The rest of `max_elements` extends the first order.
fn sizes(shape: &[usize], orders: &[Vec<usize>], max_elements: usize) -> Vec<usize> {
    if shape.contains(&0) {
        // Divides as if the empty axes had size 1: an operand may have elements along the other axes.
        let nonempty_shape: Vec<usize> = shape.iter().map(|&d| d.max(1)).collect();
        return sizes(&nonempty_shape, orders, max_elements).iter().zip(shape).map(|(&s, &d)| s.min(d)).collect();
    }
    let mut size = vec![1; shape.len()];
    let grow = |size: &mut [usize], axis: usize, to: usize| {
        let room = max_elements / size.iter().product::<usize>();
        size[axis] = shape[axis].min(to).min(size[axis].saturating_mul(room)).max(size[axis]);
    };
    let run = (max_elements as f64).powf(1.0 / orders.len().max(1) as f64) as usize;
    for order in orders {
        let mut length = 1;
        for &axis in order {
            grow(&mut size, axis, run.div_ceil(length));
            length *= size[axis];
            if size[axis] < shape[axis] || length >= run {
                break;
            }
        }
    }
    for &axis in orders.iter().flatten() {
        grow(&mut size, axis, usize::MAX);
    }
    size
}

/// The axes of a dense array that are longer than 1, slowest first.
pub(crate) fn axes_slowest_first(array: &Layout) -> Vec<usize> {
    let mut axes: Vec<usize> = (0..array.shape().rank()).filter(|&a| array.shape()[a] != 1).collect();
    axes.sort_by_key(|&a| std::cmp::Reverse(array.strides()[a]));
    axes
}

#[cfg(test)]
mod tests {
    use eltwise::DType;

    use super::*;

    fn f32(shape: &[usize]) -> Layout {
        Layout::contiguous(DType::F32, shape).unwrap()
    }

    fn fortran(shape: &[usize]) -> Layout {
        let mut step = 4;
        let strides: Vec<isize> = shape.iter().map(|&d| (step, step *= d as isize).0).collect();
        f32(shape).with_strides(&strides[..]).unwrap()
    }

    #[test]
    fn every_element_is_in_exactly_one_piece() {
        for shape in [&[][..], &[0], &[7], &[5, 0, 3], &[5, 7], &[1, 1000, 3], &[3, 1, 4, 5]] {
            for size in [1, 2, 3, 1000] {
                let size: Vec<usize> = shape.iter().map(|&d| size.min(d)).collect();
                let pieces = PieceGrid::with(shape, size);
                let mut seen = vec![0; shape.iter().product()];
                for piece in (0..pieces.count()).map(|i| pieces.get(i)) {
                    for mut i in 0..piece.size.iter().product() {
                        let mut at = 0;
                        let mut step = 1;
                        for axis in (0..shape.len()).rev() {
                            at += (piece.at[axis] + i % piece.size[axis]) * step;
                            i /= piece.size[axis];
                            step *= shape[axis];
                        }
                        seen[at] += 1;
                    }
                }
                assert!(seen.iter().all(|&n| n == 1), "{shape:?}");
            }
        }
    }

    #[test]
    fn arrays_of_one_axis_order_are_divided_along_the_slowest_axis() {
        let a = f32(&[4000, 1000, 3]);
        let pieces = PieceGrid::new(a.shape(), &[&a, &a, &f32(&[3])]);
        assert_eq!(pieces.size(), [PIECE_BYTES / 12 / 3000, 1000, 3]);
        let a = fortran(&[3, 1000, 4000]);
        assert_eq!(PieceGrid::new(a.shape(), &[&a, &a]).size(), [3, 1000, PIECE_BYTES / 8 / 3000]);
        let long = f32(&[1 << 40]);
        assert_eq!(PieceGrid::new(long.shape(), &[&long]).size(), [PIECE_BYTES / 4]);
        let none = f32(&[3, 0, 5]);
        let pieces = PieceGrid::new(none.shape(), &[&none, &none]);
        assert_eq!((pieces.size(), pieces.count()), (&[3, 0, 5][..], 0));
        let tall = PieceGrid::new(&[1 << 40, 0], &[&f32(&[1 << 40, 0]), &f32(&[1 << 40, 1])]);
        assert!(
            tall.size()[0] <= MIXED_ORDER_PIECE_BYTES / 8 && tall.size()[1] == 0 && tall.count() == 0,
            "{:?}",
            tall.size()
        );
        let small = f32(&[10, 10]);
        assert_eq!(PieceGrid::new(small.shape(), &[&small]).size(), [10, 10]);
    }

    #[test]
    fn different_axis_orders_get_runs_of_equal_length() {
        let (c, f) = (f32(&[100_000, 50_000]), fortran(&[100_000, 50_000]));
        let pieces = PieceGrid::new(c.shape(), &[&c, &f]);
        let [rows, columns] = pieces.size()[..] else { panic!("rank 2") };
        assert!(rows * columns * 8 <= MIXED_ORDER_PIECE_BYTES && rows >= 1400 && columns >= 1400, "{rows} {columns}");
        // The rows have 3 elements, fewer than the run length; the rest of the piece is along the columns.
        let (c, f) = (f32(&[10_000_000, 3]), fortran(&[10_000_000, 3]));
        let pieces = PieceGrid::new(c.shape(), &[&c, &f]);
        let [rows, columns] = pieces.size()[..] else { panic!("rank 2") };
        assert!(
            columns == 3 && (MIXED_ORDER_PIECE_BYTES / 10..=MIXED_ORDER_PIECE_BYTES / 8).contains(&(rows * 3)),
            "{rows} {columns}"
        );
    }
}
