//! The part of an array that belongs to a piece: separate runs of bytes in the file, one dense array in memory. See
//! [`Subarray`].

use eltwise::{Layout, Shape};

use super::piece_grid::{Piece, axes_slowest_first};
use crate::error::Result;

/// A box of a dense array: a range of indices along each axis.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Subarray {
    /// The layout of the subarray in memory: dense, with the axis order of the array.
    pub(crate) layout: Layout,
    /// The offset of the first element in the array, in bytes.
    at: u64,
    /// The length in bytes of a run: elements that are contiguous in the array and in the subarray.
    run: usize,
    /// The loops over the runs, outermost first: the number of iterations, and the stride in the array in bytes.
    loops: Vec<(usize, u64)>,
}

impl Subarray {
    /// The whole array.
    pub(crate) fn whole(array: &Layout) -> Result<Subarray> {
        let size = array.shape().to_vec();
        Subarray::new(array, &Piece { at: vec![0; size.len()], size })
    }

    /// The part of `array` that `piece` is computed from. The axes of the array are aligned with the last axes of the
    /// result.
    pub(crate) fn new(array: &Layout, piece: &Piece) -> Result<Subarray> {
        let shape = array.shape();
        let missing = piece.size.len() - shape.rank();
        // An axis of size 1 is broadcast, or has size 1 in the result too.
        let size: Shape = (0..shape.rank()).map(|a| if shape[a] == 1 { 1 } else { piece.size[missing + a] }).collect();
        let stride = |a: usize| array.strides()[a].unsigned_abs() as u64;
        let at = |a: usize| if shape[a] == 1 { 0 } else { piece.at[missing + a] as u64 * stride(a) };

        let element = array.dtype().size();
        let (mut strides, mut step) = (vec![0; shape.rank()], element as isize);
        let (mut run, mut is_contiguous, mut loops) = (element, true, Vec::new());
        for &axis in axes_slowest_first(array).iter().rev() {
            strides[axis] = step;
            step = step.wrapping_mul(size[axis].max(1) as isize);
            if is_contiguous {
                run *= size[axis];
                is_contiguous = size[axis] == shape[axis];
            } else if size[axis] > 1 {
                loops.push((size[axis], stride(axis)));
            }
        }
        loops.reverse();
        // The layout of a whole array has the array's own strides, also along axes of size 1, as the plan for whole arrays
        // expects.
        let is_whole = size == *shape;
        let layout = if is_whole { array.clone() } else { Layout::strided(array.dtype(), size, &strides[..])? };
        Ok(Subarray { layout, at: (0..shape.rank()).map(at).sum(), run, loops })
    }

    /// The size in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.loops.iter().map(|(steps, _)| steps).product::<usize>() * self.run
    }

    /// Calls `f` with the offset of each run in the array, and its range of bytes in the subarray.
    pub(crate) fn runs(&self, mut f: impl FnMut(u64, std::ops::Range<usize>) -> Result<()>) -> Result<()> {
        let runs: usize = self.loops.iter().map(|(steps, _)| steps).product();
        for number in 0..runs {
            let (mut at, mut rest) = (self.at, number);
            for (steps, stride) in self.loops.iter().rev() {
                at += (rest % steps) as u64 * stride;
                rest /= steps;
            }
            f(at, number * self.run..(number + 1) * self.run)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use eltwise::DType;

    use super::*;

    /// A subarray, and for each of its elements the element number in the array, gathered by its runs.
    fn gathered(array: &Layout, at: &[usize], size: &[usize]) -> (Subarray, Vec<u64>) {
        let subarray = Subarray::new(array, &Piece { at: at.to_vec(), size: size.to_vec() }).unwrap();
        let mut elements = Vec::new();
        let width = array.dtype().size();
        subarray
            .runs(|at, range| {
                assert_eq!(range.start, elements.len() * width);
                elements.extend((0..range.len() / width).map(|i| at / width as u64 + i as u64));
                Ok(())
            })
            .unwrap();
        assert_eq!(subarray.bytes(), elements.len() * width);
        (subarray, elements)
    }

    #[test]
    fn subarrays_contain_the_elements_of_the_piece() {
        let c = Layout::contiguous(DType::U16, [4, 5, 6]).unwrap();
        let f = c.with_strides(&[2isize, 8, 40][..]).unwrap();
        let k = c.with_strides(&[2isize, 48, 8][..]).unwrap();
        for array in [&c, &f, &k] {
            for at in [[0, 0, 0], [1, 2, 3], [3, 4, 5], [0, 2, 0], [2, 0, 0]] {
                for size in [[4, 5, 6], [1, 1, 1], [1, 3, 2], [2, 5, 6], [4, 2, 6], [4, 5, 1]] {
                    let size: Vec<usize> = (0..3).map(|a| size[a].min([4, 5, 6][a] - at[a])).collect();
                    let (subarray, elements) = gathered(array, &at, &size);
                    let place =
                        |l: &Layout, i: [usize; 3]| (0..3).map(|a| i[a] * l.strides()[a] as usize).sum::<usize>() / 2;
                    for x in 0..size[0] {
                        for y in 0..size[1] {
                            for z in 0..size[2] {
                                let found = elements[place(&subarray.layout, [x, y, z])];
                                let expected = place(array, [at[0] + x, at[1] + y, at[2] + z]);
                                assert_eq!(found as usize, expected, "{array} {at:?} {size:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn broadcast_and_missing_axes_are_read_once() {
        let column = Layout::contiguous(DType::F32, [5, 1]).unwrap();
        let (subarray, elements) = gathered(&column, &[7, 2, 3], &[2, 2, 9]);
        assert_eq!((subarray.layout.shape().dims(), &elements[..]), (&[2, 1][..], &[2, 3][..]));
        let scalar = Layout::contiguous(DType::F32, []).unwrap();
        assert_eq!(gathered(&scalar, &[1, 1], &[2, 2]).1, [0]);
    }

    #[test]
    fn contiguous_elements_form_one_run() {
        let c = Layout::contiguous(DType::F32, [4, 1, 5, 6]).unwrap();
        let runs = |at: [usize; 4], size: [usize; 4]| {
            let mut n = 0;
            let subarray = Subarray::new(&c, &Piece { at: at.to_vec(), size: size.to_vec() }).unwrap();
            subarray
                .runs(|_, _| {
                    n += 1;
                    Ok(())
                })
                .unwrap();
            n
        };
        assert_eq!(runs([0; 4], [4, 1, 5, 6]), 1);
        assert_eq!(runs([1, 0, 0, 0], [2, 1, 5, 6]), 1);
        assert_eq!(runs([1, 0, 1, 0], [2, 1, 3, 6]), 2);
        assert_eq!(runs([1, 0, 1, 0], [1, 1, 3, 6]), 1);
        assert_eq!(runs([1, 0, 1, 2], [2, 1, 3, 2]), 6);
    }
}
