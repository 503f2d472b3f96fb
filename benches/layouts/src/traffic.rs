//! Bytes that a pattern moves, and the contiguous operations that move the same.

use eltwise::Layout;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Bytes that cross between the processor and the memory in question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Bytes read, each once, in whole cache lines where elements have gaps between them.
    pub reads: u64,
    /// Bytes written.
    pub writes: u64,
    /// Bytes of an element read.
    pub read_size: usize,
    /// Bytes of an element written.
    pub write_size: usize,
}

/// Part of a contiguous operation: elements from `from` on, with some of the operands streamed and the rest one value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Inputs as long as the output: 2 is `x + y`, 1 is `x + value`, 0 a fill.
    pub streams: usize,
    /// The first element of the output.
    pub from: usize,
    /// Elements.
    pub elements: usize,
}

/// A contiguous operation with the same reads and writes as a pattern.
#[derive(Clone, PartialEq, Debug)]
pub struct Base {
    /// What runs, one after the other; together they write the output once.
    pub pieces: Vec<Piece>,
    /// What their time is multiplied with: 1, or the pattern's bytes over theirs where two inputs are not enough to read
    /// as much.
    pub scale: f64,
}

impl Traffic {
    /// All bytes.
    pub fn total(&self) -> u64 {
        self.reads + self.writes
    }

    /// The contiguous operation: each byte read by the pattern is read, each one written is written. `x + y` over a part
    /// and `x + value` over the rest read between one and two operands, `x + value` and a fill less than one. A part
    /// of less than a fiftieth joins the other.
    pub fn base(&self) -> Base {
        let writes = (self.writes as usize / self.write_size).max(1);
        let reads = self.reads as usize / self.read_size;
        let both = reads.saturating_sub(writes).min(writes);
        let (first, second) = if reads > writes {
            ((2, both), (1, writes - both))
        } else {
            ((1, reads.min(writes)), (0, writes - reads.min(writes)))
        };
        let few = writes / 50;
        let (first, second) = match (first, second) {
            ((streams, n), (_, rest)) if rest <= few => ((streams, n + rest), (0, 0)),
            ((_, n), (streams, rest)) if n <= few => ((streams, n + rest), (0, 0)),
            both => both,
        };
        let mut pieces = vec![Piece { streams: first.0, from: 0, elements: first.1 }];
        if second.1 > 0 {
            pieces.push(Piece { streams: second.0, from: first.1, elements: second.1 });
        }
        let most = 2 * writes * self.read_size + writes * self.write_size;
        let scale = if reads > 2 * writes { self.total() as f64 / most as f64 } else { 1.0 };
        Base { pieces, scale }
    }
}

impl Base {
    /// The longest piece over all elements, for runs of which each call counts.
    pub fn in_one_call(mut self) -> Base {
        let elements = self.pieces.iter().map(|p| p.elements).sum();
        let streams = self.pieces.iter().max_by_key(|p| p.elements).map_or(0, |p| p.streams);
        self.pieces = vec![Piece { streams, from: 0, elements }];
        self
    }
}

impl Traffic {
    /// Bytes of the base's first or second operand.
    pub fn streamed(&self, operand: usize) -> usize {
        let pieces = self.base().pieces;
        let elements = pieces.iter().filter(|p| p.streams > operand).map(|p| p.elements).sum::<usize>();
        elements.max(1) * self.read_size
    }
}

/// The bytes that reading a layout moves: each element once; whole cache lines where elements, or runs of them, have
/// gaps between them.
pub fn moved(layout: &Layout) -> u64 {
    let axes = layout.shape().iter().zip(layout.strides().iter());
    let mut axes: Vec<(usize, usize)> =
        axes.filter(|(d, s)| **d > 1 && **s != 0).map(|(&d, &s)| (s.unsigned_abs(), d)).collect();
    axes.sort_unstable();
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

#[cfg(test)]
mod tests {
    use super::*;
    use eltwise::DType;

    fn f32s(shape: &[usize], strides: &[isize]) -> u64 {
        moved(&Layout::strided(DType::F32, shape, strides).unwrap())
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
        // Beyond a line between elements: a line each.
        assert_eq!(f32s(&[1000], &[256]), 64000);
        // Rows of 20 bytes that lie 4096 apart: a line each.
        assert_eq!(f32s(&[1000, 5], &[4096, 4]), 64000);
    }

    fn base(reads: u64, writes: u64) -> Base {
        Traffic { reads, writes, read_size: 4, write_size: 4 }.base()
    }

    #[test]
    fn bases_read_and_write_as_much() {
        for (reads, writes) in [(4000, 4000), (8000, 4000), (6000, 4000), (2000, 4000), (0, 4000), (5324, 4000)] {
            let base = base(reads, writes);
            let read: usize = base.pieces.iter().map(|p| p.streams * p.elements * 4).sum();
            let written: usize = base.pieces.iter().map(|p| p.elements * 4).sum();
            assert_eq!((read as u64, written as u64, base.scale), (reads, writes, 1.0));
            let mut next = 0;
            for piece in &base.pieces {
                assert_eq!(piece.from, next);
                next += piece.elements;
            }
        }
    }

    #[test]
    fn small_parts_join_and_excess_is_scaled() {
        assert_eq!(base(4020, 4000).pieces, [Piece { streams: 1, from: 0, elements: 1000 }]);
        assert_eq!(base(20, 4000).pieces, [Piece { streams: 0, from: 0, elements: 1000 }]);
        // Two operands of which every second element is read, in whole lines: 20 bytes for 12.
        let two_strided = base(16000, 4000);
        assert_eq!(two_strided.pieces, [Piece { streams: 2, from: 0, elements: 1000 }]);
        assert_eq!(two_strided.scale, 20.0 / 12.0);
    }

    #[test]
    fn one_call_is_that_of_the_longest_piece() {
        let one = base(112, 96).in_one_call();
        assert_eq!(one.pieces, [Piece { streams: 1, from: 0, elements: 24 }]);
    }

    #[test]
    fn compares_write_bytes() {
        let compare = Traffic { reads: 4000, writes: 1000, read_size: 4, write_size: 1 };
        assert_eq!(compare.base().pieces, [Piece { streams: 1, from: 0, elements: 1000 }]);
    }
}
