//! The part of a dense array that belongs to a piece of the result: runs of bytes in a file, one after the other in memory.

use eltwise::{Layout, Shape};

use super::pieces::Piece;
use crate::error::Result;

/// A part of a dense array: some indices of each axis.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Part {
    /// The layout of the part alone, dense in the array's order of axes.
    pub(crate) layout: Layout,
    /// Where its first element lies in the array, in bytes.
    at: u64,
    /// Bytes that lie together in the array.
    run: usize,
    /// The loops over the runs, outermost first: steps, and bytes of the array from one to the next.
    loops: Vec<(usize, u64)>,
}

impl Part {
    /// All of `array`.
    pub(crate) fn whole(array: &Layout) -> Result<Part> {
        let size = array.shape().to_vec();
        Part::new(array, &Piece { at: vec![0; size.len()], size })
    }

    /// The part of `array`, whose axes lie on the last ones of the result, that `piece` is computed from.
    pub(crate) fn new(array: &Layout, piece: &Piece) -> Result<Part> {
        let shape = array.shape();
        let missing = piece.size.len() - shape.rank();
        // An axis of size 1 is repeated, or the result's is as long.
        let size: Shape = (0..shape.rank()).map(|a| if shape[a] == 1 { 1 } else { piece.size[missing + a] }).collect();
        let stride = |a: usize| array.strides()[a].unsigned_abs() as u64;
        let at = |a: usize| if shape[a] == 1 { 0 } else { piece.at[missing + a] as u64 * stride(a) };

        let element = array.dtype().size();
        let (mut strides, mut step) = (vec![0; shape.rank()], element as isize);
        let (mut run, mut together, mut loops) = (element, true, Vec::new());
        for &axis in axes(array).iter().rev() {
            strides[axis] = step;
            step = step.wrapping_mul(size[axis].max(1) as isize);
            if together {
                run *= size[axis];
                together = size[axis] == shape[axis];
            } else if size[axis] > 1 {
                loops.push((size[axis], stride(axis)));
            }
        }
        loops.reverse();
        let layout = Layout::strided(array.dtype(), size, &strides[..])?;
        Ok(Part { layout, at: (0..shape.rank()).map(at).sum(), run, loops })
    }

    /// The bytes of the part.
    pub(crate) fn bytes(&self) -> usize {
        self.loops.iter().map(|(steps, _)| steps).product::<usize>() * self.run
    }

    /// Calls `f` with each run: where it is in the array, and in the part.
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

/// The axes of a dense array, slowest first.
pub(crate) fn axes(array: &Layout) -> Vec<usize> {
    let mut axes: Vec<usize> = (0..array.shape().rank()).filter(|&a| array.shape()[a] != 1).collect();
    axes.sort_by_key(|&a| std::cmp::Reverse(array.strides()[a]));
    axes
}

#[cfg(test)]
mod tests {
    use eltwise::DType;

    use super::*;

    /// The elements of a part, numbered as they lie in the array, as the runs put them together.
    fn gathered(array: &Layout, at: &[usize], size: &[usize]) -> (Part, Vec<u64>) {
        let part = Part::new(array, &Piece { at: at.to_vec(), size: size.to_vec() }).unwrap();
        let mut elements = Vec::new();
        let width = array.dtype().size();
        part.runs(|at, range| {
            assert_eq!(range.start, elements.len() * width);
            elements.extend((0..range.len() / width).map(|i| at / width as u64 + i as u64));
            Ok(())
        })
        .unwrap();
        assert_eq!(part.bytes(), elements.len() * width);
        (part, elements)
    }

    #[test]
    fn parts_hold_the_elements_of_the_piece() {
        let c = Layout::contiguous(DType::U16, [4, 5, 6]).unwrap();
        let f = c.with_strides(&[2isize, 8, 40][..]).unwrap();
        let k = c.with_strides(&[2isize, 48, 8][..]).unwrap();
        for array in [&c, &f, &k] {
            for at in [[0, 0, 0], [1, 2, 3], [3, 4, 5], [0, 2, 0], [2, 0, 0]] {
                for size in [[4, 5, 6], [1, 1, 1], [1, 3, 2], [2, 5, 6], [4, 2, 6], [4, 5, 1]] {
                    let size: Vec<usize> = (0..3).map(|a| size[a].min([4, 5, 6][a] - at[a])).collect();
                    let (part, elements) = gathered(array, &at, &size);
                    let place =
                        |l: &Layout, i: [usize; 3]| (0..3).map(|a| i[a] * l.strides()[a] as usize).sum::<usize>() / 2;
                    for x in 0..size[0] {
                        for y in 0..size[1] {
                            for z in 0..size[2] {
                                let found = elements[place(&part.layout, [x, y, z])];
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
    fn repeated_and_missing_axes_are_read_once() {
        let column = Layout::contiguous(DType::F32, [5, 1]).unwrap();
        let (part, elements) = gathered(&column, &[7, 2, 3], &[2, 2, 9]);
        assert_eq!((part.layout.shape().dims(), &elements[..]), (&[2, 1][..], &[2, 3][..]));
        let scalar = Layout::contiguous(DType::F32, []).unwrap();
        assert_eq!(gathered(&scalar, &[1, 1], &[2, 2]).1, [0]);
    }

    #[test]
    fn runs_are_as_long_as_the_file_allows() {
        let c = Layout::contiguous(DType::F32, [4, 1, 5, 6]).unwrap();
        let runs = |at: [usize; 4], size: [usize; 4]| {
            let mut n = 0;
            let part = Part::new(&c, &Piece { at: at.to_vec(), size: size.to_vec() }).unwrap();
            part.runs(|_, _| {
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
