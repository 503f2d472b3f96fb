//! [`Traffic`]: the bytes that a pattern reads and writes, and the contiguous operation with the same traffic
//! ([`Traffic::baseline`]).

use eltwise::{Error, Layout};

/// Bytes of a cache line.
const LINE: usize = 64;

/// Bytes transferred between the core and the level of the memory that has the operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Bytes read, each once, as [`bytes_moved`] counts them.
    pub reads: u64,
    /// Bytes written.
    pub writes: u64,
    /// Bytes per element read.
    pub read_size: usize,
    /// Bytes per element written.
    pub write_size: usize,
}

/// A part of at most this fraction of the output, 1/50, is merged into the other part, so that no call is timed for it.
const MERGED_FRACTION: usize = 50;

/// A part of a contiguous operation, over a range of the output. Some inputs have the range's length, the rest are
/// scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Inputs as long as the range: 2 is `x + y`, 1 is `x + scalar`, 0 is a fill.
    pub full_inputs: usize,
    /// The first element of the output.
    pub from: usize,
    /// Elements.
    pub elements: usize,
}

/// A contiguous operation with the same reads and writes as a pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct Baseline {
    /// The parts, run in turn; together they write the output once.
    pub pieces: Vec<Piece>,
    /// Factor for their time: 1, or the ratio of the pattern's bytes to theirs if the pattern reads more than two full
    /// inputs.
    pub scale: f64,
}

impl Traffic {
    /// All bytes.
    pub fn total(&self) -> u64 {
        self.reads + self.writes
    }

    /// The contiguous operation that reads and writes as many bytes. `x + y` over a part of the output and `x + scalar` over
    /// the rest read between one and two full inputs; `x + scalar` and a fill read less than one. A part of at most 2 % of
    /// the output is merged into the other, so the bytes may differ by that much. If the pattern reads more than two full
    /// inputs, the operation is `x + y`, and [`Baseline::scale`] accounts for the rest.
    pub fn baseline(&self) -> Baseline {
        let out_elements = (self.writes as usize / self.write_size).max(1);
        let in_elements = self.reads as usize / self.read_size;
        // Each part is its number of full inputs and its number of elements.
        let (first, second) = if in_elements > out_elements {
            let two_inputs = (in_elements - out_elements).min(out_elements);
            ((2, two_inputs), (1, out_elements - two_inputs))
        } else {
            ((1, in_elements), (0, out_elements - in_elements))
        };
        let few = out_elements / MERGED_FRACTION;
        let (first, second) = match (first, second) {
            ((full_inputs, n), (_, rest)) if rest <= few => ((full_inputs, n + rest), (0, 0)),
            ((_, n), (full_inputs, rest)) if n <= few => ((full_inputs, n + rest), (0, 0)),
            unchanged => unchanged,
        };
        let mut pieces = vec![Piece { full_inputs: first.0, from: 0, elements: first.1 }];
        if second.1 > 0 {
            pieces.push(Piece { full_inputs: second.0, from: first.1, elements: second.1 });
        }
        let bytes_of_add = out_elements * (2 * self.read_size + self.write_size);
        let scale = if in_elements > 2 * out_elements { self.total() as f64 / bytes_of_add as f64 } else { 1.0 };
        Baseline { pieces, scale }
    }

    /// Bytes of the baseline's input `operand`, 0 or 1.
    pub fn input_bytes(&self, operand: usize) -> usize {
        let pieces = self.baseline().pieces;
        let elements = pieces.iter().filter(|p| p.full_inputs > operand).map(|p| p.elements).sum::<usize>();
        elements.max(1) * self.read_size
    }
}

impl Baseline {
    /// The longest piece, extended to all elements, for operations so small that every call matters.
    pub fn in_one_call(mut self) -> Baseline {
        let elements = self.pieces.iter().map(|p| p.elements).sum();
        let full_inputs = self.pieces.iter().max_by_key(|p| p.elements).map_or(0, |p| p.full_inputs);
        self.pieces = vec![Piece { full_inputs, from: 0, elements }];
        self
    }
}

/// The bytes that reading a layout transfers, each once: elements, and gaps between them of up to a cache line. Runs of
/// elements that are farther apart are read in whole cache lines.
pub fn bytes_moved(layout: &Layout) -> u64 {
    let axes = layout.shape().iter().zip(layout.strides().iter());
    let mut axes: Vec<(usize, usize)> =
        axes.filter(|(d, s)| **d > 1 && **s != 0).map(|(&d, &s)| (s.unsigned_abs(), d)).collect();
    axes.sort_unstable();
    // From the smallest stride. An axis extends the run of bytes as long as its steps leave no whole line unread. From the
    // first axis that does, there are several runs, each of whole lines.
    let (mut run, mut runs) = (layout.dtype().size(), 1);
    for (stride, size) in axes {
        if runs == 1 && stride <= run.max(LINE) {
            run += (size - 1) * stride;
        } else {
            runs *= size;
        }
    }
    let run = if runs > 1 { run.next_multiple_of(LINE) } else { run };
    if layout.shape().contains(&0) { 0 } else { (run * runs) as u64 }
}

/// Bytes of the cache lines that the elements of a layout occupy, if element `[0, 0, ...]` is at the start of a line. Unlike
/// [`bytes_moved`], it counts the lines of any layout exactly, and takes time for each element.
///
/// # Errors
/// As [`Layout::span`].
pub fn bytes_of_lines(layout: &Layout) -> Result<u64, Error> {
    let (low, high) = layout.span()?;
    let line = |byte: isize| byte.div_euclid(LINE as isize);
    let first = line(low);
    let mut touched = vec![false; (line(high) - first + 1) as usize];
    offsets(layout).into_iter().for_each(|offset| touched[(line(offset) - first) as usize] = true);
    Ok((touched.into_iter().filter(|&t| t).count() * LINE) as u64)
}

/// The byte offsets of the elements of a layout from element `[0, 0, ...]`, without those that broadcast axes repeat.
pub fn offsets(layout: &Layout) -> Vec<isize> {
    let mut offsets = vec![0];
    for (&size, &stride) in layout.shape().iter().zip(layout.strides().iter()) {
        if size != 1 && stride != 0 {
            offsets = offsets.iter().flat_map(|start| (0..size as isize).map(move |i| start + i * stride)).collect();
        }
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;
    use eltwise::DType;

    fn f32s(shape: &[usize], strides: &[isize]) -> u64 {
        bytes_moved(&Layout::strided(DType::F32, shape, strides).unwrap())
    }

    #[test]
    fn dense_operands_move_their_elements_in_any_order_and_direction() {
        assert_eq!(f32s(&[10, 3], &[12, 4]), 120);
        assert_eq!(f32s(&[10, 3], &[4, 40]), 120);
        assert_eq!(f32s(&[100], &[-4]), 400);
        assert_eq!(f32s(&[], &[]), 4);
        assert_eq!(f32s(&[0, 3], &[12, 4]), 0);
    }

    #[test]
    fn repeated_elements_move_once() {
        assert_eq!(f32s(&[100], &[0]), 4);
        assert_eq!(f32s(&[100, 5], &[0, 4]), 20);
    }

    #[test]
    fn gaps_move_with_their_lines() {
        assert_eq!(f32s(&[1000], &[8]), 7996);
        assert_eq!(f32s(&[1000], &[64]), 63940);
        // Elements more than a line apart: one line each.
        assert_eq!(f32s(&[1000], &[256]), 64000);
        // Rows of 20 bytes, 4096 bytes apart: one line each.
        assert_eq!(f32s(&[1000, 5], &[4096, 4]), 64000);
    }

    #[test]
    fn lines_are_counted_exactly() {
        let lines = |shape: &[usize], strides: &[isize]| {
            bytes_of_lines(&Layout::strided(DType::F32, shape, strides).unwrap()).unwrap() / LINE as u64
        };
        assert_eq!(lines(&[], &[]), 1);
        assert_eq!(lines(&[32], &[4]), 2);
        // Backwards from the start of a line.
        assert_eq!(lines(&[32], &[-4]), 3);
        // Rows of a cropped operand share lines.
        assert_eq!(lines(&[4, 5], &[24, 4]), 2);
        assert_eq!(lines(&[1000, 7, 5], &[4096, 0, 4]), 1000);
        assert_eq!(offsets(&Layout::strided(DType::F32, [2, 3, 2], [-8, 0, 4]).unwrap()), [0, 4, -8, -4]);
    }

    fn baseline(reads: u64, writes: u64) -> Baseline {
        Traffic { reads, writes, read_size: 4, write_size: 4 }.baseline()
    }

    #[test]
    fn baselines_have_the_traffic_of_the_pattern() {
        for (reads, writes) in [(4000, 4000), (8000, 4000), (6000, 4000), (2000, 4000), (0, 4000), (5324, 4000)] {
            let baseline = baseline(reads, writes);
            let read: usize = baseline.pieces.iter().map(|p| p.full_inputs * p.elements * 4).sum();
            let written: usize = baseline.pieces.iter().map(|p| p.elements * 4).sum();
            assert_eq!((read as u64, written as u64, baseline.scale), (reads, writes, 1.0));
            let mut next = 0;
            for piece in &baseline.pieces {
                assert_eq!(piece.from, next);
                next += piece.elements;
            }
        }
    }

    #[test]
    fn small_parts_join_and_excess_is_scaled() {
        assert_eq!(baseline(4020, 4000).pieces, [Piece { full_inputs: 1, from: 0, elements: 1000 }]);
        assert_eq!(baseline(20, 4000).pieces, [Piece { full_inputs: 0, from: 0, elements: 1000 }]);
        // The sum reads every second element of both operands: 20 bytes for each 12 of the baseline.
        let two_strided = baseline(16000, 4000);
        assert_eq!(two_strided.pieces, [Piece { full_inputs: 2, from: 0, elements: 1000 }]);
        assert_eq!(two_strided.scale, 20.0 / 12.0);
    }

    #[test]
    fn one_call_extends_the_longest_piece() {
        let one = baseline(112, 96).in_one_call();
        assert_eq!(one.pieces, [Piece { full_inputs: 1, from: 0, elements: 24 }]);
    }

    #[test]
    fn comparisons_write_one_byte_per_element() {
        let compare = Traffic { reads: 4000, writes: 1000, read_size: 4, write_size: 1 };
        assert_eq!(compare.baseline().pieces, [Piece { full_inputs: 1, from: 0, elements: 1000 }]);
    }
}
