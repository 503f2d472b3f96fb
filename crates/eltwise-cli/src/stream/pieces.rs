//! How a result is cut into pieces: boxes of equal size, but for the last ones along each axis.

use super::part::axes;
use eltwise::Layout;

/// Bytes of operands and results of a piece whose files have one order of axes: what the second-level cache holds.
const BYTES: usize = 1 << 20;
/// Where a file lies across another: the pieces are as long in the one as in the other, and runs want to be long.
const BYTES_ACROSS: usize = 16 << 20;

/// The pieces of a result.
pub(crate) struct Pieces {
    shape: Vec<usize>,
    size: Vec<usize>,
    /// Pieces along each axis.
    counts: Vec<usize>,
}

/// A piece: its first index, and its size along each axis.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Piece {
    pub(crate) at: Vec<usize>,
    pub(crate) size: Vec<usize>,
}

impl Piece {
    /// All of a shape.
    pub(crate) fn whole(shape: &[usize]) -> Piece {
        Piece { at: vec![0; shape.len()], size: shape.to_vec() }
    }
}

impl Pieces {
    /// Cuts `shape` for arrays that are aligned with its last axes; the first one is a result.
    pub(crate) fn new(shape: &[usize], arrays: &[&Layout]) -> Pieces {
        let bytes: usize = arrays.iter().map(|a| a.dtype().size()).sum();
        // The order of each array's axes within the result, fastest first, of the axes that it has.
        let mut orders: Vec<Vec<usize>> = Vec::new();
        for array in arrays {
            let missing = shape.len() - array.shape().rank();
            let order: Vec<usize> = axes(array).iter().rev().map(|a| a + missing).collect();
            if orders.iter().all(|other| other.first() != order.first()) && !order.is_empty() {
                orders.push(order);
            }
        }
        let most = if orders.len() > 1 { BYTES_ACROSS } else { BYTES } / bytes.max(1);
        Pieces::with(shape, sizes(shape, &orders, most.max(1)))
    }

    /// One piece, also of a result without elements: others may have some.
    pub(crate) fn whole(shape: &[usize]) -> Pieces {
        Pieces { shape: shape.to_vec(), size: shape.to_vec(), counts: vec![1; shape.len()] }
    }

    fn with(shape: &[usize], size: Vec<usize>) -> Pieces {
        let counts = shape.iter().zip(&size).map(|(&d, &s)| if s == 0 { 0 } else { d.div_ceil(s) }).collect();
        Pieces { shape: shape.to_vec(), size, counts }
    }

    /// How many there are: of a result that is cut and has no elements, none.
    pub(crate) fn count(&self) -> usize {
        self.counts.iter().product()
    }

    /// The size of the largest.
    pub(crate) fn size(&self) -> &[usize] {
        &self.size
    }

    /// A piece by its number, in C order.
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

/// The size of a piece of about `most` elements. Each order gets a run of about the same length along its fastest
/// axes; what is left goes to the first order.
fn sizes(shape: &[usize], orders: &[Vec<usize>], most: usize) -> Vec<usize> {
    if shape.contains(&0) {
        // Cut as if there were elements: an operand may have some along the other axes.
        let shape_of_some: Vec<usize> = shape.iter().map(|&d| d.max(1)).collect();
        return sizes(&shape_of_some, orders, most).iter().zip(shape).map(|(&s, &d)| s.min(d)).collect();
    }
    let mut size = vec![1; shape.len()];
    let grow = |size: &mut [usize], axis: usize, to: usize| {
        let room = most / size.iter().product::<usize>();
        size[axis] = shape[axis].min(to).min(size[axis].saturating_mul(room)).max(size[axis]);
    };
    let run = (most as f64).powf(1.0 / orders.len().max(1) as f64) as usize;
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
    fn every_element_is_in_one_piece() {
        for shape in [&[][..], &[0], &[7], &[5, 0, 3], &[5, 7], &[1, 1000, 3], &[3, 1, 4, 5]] {
            for size in [1, 2, 3, 1000] {
                let size: Vec<usize> = shape.iter().map(|&d| size.min(d)).collect();
                let pieces = Pieces::with(shape, size);
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
    fn one_order_is_cut_along_its_slowest_axis() {
        let a = f32(&[4000, 1000, 3]);
        let pieces = Pieces::new(a.shape(), &[&a, &a, &f32(&[3])]);
        assert_eq!(pieces.size(), [BYTES / 12 / 3000, 1000, 3]);
        let a = fortran(&[3, 1000, 4000]);
        assert_eq!(Pieces::new(a.shape(), &[&a, &a]).size(), [3, 1000, BYTES / 8 / 3000]);
        let long = f32(&[1 << 40]);
        assert_eq!(Pieces::new(long.shape(), &[&long]).size(), [BYTES / 4]);
        let none = f32(&[3, 0, 5]);
        let pieces = Pieces::new(none.shape(), &[&none, &none]);
        assert_eq!((pieces.size(), pieces.count()), (&[3, 0, 5][..], 0));
        let tall = Pieces::new(&[1 << 40, 0], &[&f32(&[1 << 40, 0]), &f32(&[1 << 40, 1])]);
        assert!(tall.size()[0] <= BYTES_ACROSS / 8 && tall.size()[1] == 0 && tall.count() == 0, "{:?}", tall.size());
        let small = f32(&[10, 10]);
        assert_eq!(Pieces::new(small.shape(), &[&small]).size(), [10, 10]);
    }

    #[test]
    fn orders_that_cross_get_runs_of_equal_length() {
        let (c, f) = (f32(&[100_000, 50_000]), fortran(&[100_000, 50_000]));
        let pieces = Pieces::new(c.shape(), &[&c, &f]);
        let [rows, columns] = pieces.size()[..] else { panic!("rank 2") };
        assert!(rows * columns * 8 <= BYTES_ACROSS && rows >= 1400 && columns >= 1400, "{rows} {columns}");
        // Three columns fit: the rest are rows.
        let (c, f) = (f32(&[10_000_000, 3]), fortran(&[10_000_000, 3]));
        let pieces = Pieces::new(c.shape(), &[&c, &f]);
        let [rows, columns] = pieces.size()[..] else { panic!("rank 2") };
        assert!(columns == 3 && (BYTES_ACROSS / 10..=BYTES_ACROSS / 8).contains(&(rows * 3)), "{rows} {columns}");
    }
}
