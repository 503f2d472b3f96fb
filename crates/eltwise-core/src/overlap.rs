//! [`may_overlap`]: whether two operands share a byte of memory. [`ranges_overlap`] is the same for contiguous ones.

use core::ops::Range;

use smallvec::SmallVec;

use crate::layout::Layout;
use crate::shape::INLINE_RANK;

/// An axis with more than one index.
struct Axis {
    /// The absolute stride in bytes.
    stride: usize,
    /// Bytes from the first element to the last.
    reach: usize,
}

/// Whether two operands may share a byte. `a` and `b` are the addresses of their elements `[0, 0, ...]`.
///
/// `false` is a proof that they share none. Operands whose address ranges overlap are disjoint if they interleave with a common
/// period: even and odd elements of one array, the two halves of every row of a matrix, the fields of a record.
///
/// The proof: split the axes of both operands at a stride into inner ones (smaller strides) and outer ones. Outer axes move by
/// multiples of their greatest common divisor, the period. If the bytes that the inner axes span are disjoint modulo the
/// period, the operands are disjoint. Every stride of either operand is tried as the split.
pub fn may_overlap((a, first): (usize, &Layout), (b, second): (usize, &Layout)) -> bool {
    let range = |address: usize, layout: &Layout| {
        // The span was checked when the layout was made.
        let (low, high) = layout.span().unwrap_or_default();
        address.wrapping_add_signed(low)..address.wrapping_add_signed(high)
    };
    let (x, y) = (range(a, first), range(b, second));
    let lowest = (x.start, y.start);
    ranges_overlap(x, y) && !interleave((lowest.0, first), (lowest.1, second))
}

/// Whether two ranges of addresses share a byte.
#[inline]
pub fn ranges_overlap(x: Range<usize>, y: Range<usize>) -> bool {
    !x.is_empty() && !y.is_empty() && x.start < y.end && y.start < x.end
}

/// Whether two operands with these lowest addresses interleave with a common period. See [`may_overlap`].
#[cold]
fn interleave((a, first): (usize, &Layout), (b, second): (usize, &Layout)) -> bool {
    let (first_axes, second_axes) = (axes(first), axes(second));
    let all = || first_axes.iter().chain(&second_axes);
    all().any(|split| {
        let outer = |axis: &&Axis| axis.stride >= split.stride;
        let period = all().filter(outer).fold(0, |period, axis| gcd(period, axis.stride));
        let span = |axes: &[Axis], layout: &Layout| {
            axes.iter().filter(|axis| !outer(axis)).map(|axis| axis.reach).sum::<usize>() + layout.dtype().size()
        };
        let (a, b) = (a % period, b % period);
        let forward = |from: usize, to: usize| if to >= from { to - from } else { to + period - from };
        forward(a, b) >= span(&first_axes, first) && forward(b, a) >= span(&second_axes, second)
    })
}

/// The axes of a layout with more than one index and a stride other than 0.
fn axes(layout: &Layout) -> SmallVec<[Axis; INLINE_RANK]> {
    let axes = layout.shape().iter().zip(layout.strides().values());
    axes.filter(|&(&size, &stride)| size > 1 && stride != 0)
        .map(|(&size, stride)| Axis { stride: stride.unsigned_abs(), reach: stride.unsigned_abs() * (size - 1) })
        .collect()
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::vec::Vec;

    use super::*;
    use crate::dtype::DType;

    fn layout(dtype: DType, shape: &[usize], strides: &[isize]) -> Layout {
        Layout::strided(dtype, shape, strides).unwrap()
    }

    /// Every byte of an operand whose element `[0, 0, ...]` is at `at`.
    fn bytes(at: usize, layout: &Layout) -> BTreeSet<usize> {
        let mut starts: Vec<usize> = Vec::from([at]);
        for (&size, &stride) in layout.shape().iter().zip(layout.strides().values()) {
            let step = |&start: &usize| (0..size).map(move |i| start.wrapping_add_signed(stride * i as isize));
            starts = starts.iter().flat_map(step).collect();
        }
        starts.iter().flat_map(|&start| start..start + layout.dtype().size()).collect()
    }

    #[test]
    fn interleaved_operands_are_disjoint() {
        let f32 = DType::F32;
        // Even and odd elements, as in rotary embeddings.
        let pairs = layout(f32, &[3, 8], &[64, 8]);
        assert!(!may_overlap((1000, &pairs), (1004, &pairs)));
        // The halves of every row, as in gated units and splits.
        let half = layout(f32, &[5, 8], &[64, 4]);
        assert!(!may_overlap((1000, &half), (1032, &half)) && may_overlap((1000, &half), (1028, &half)));
        // One half is reversed; one half is a broadcast row.
        let reversed = layout(f32, &[5, 8], &[64, -4]);
        assert!(!may_overlap((1000, &half), (1060, &reversed)) && may_overlap((1000, &half), (1056, &reversed)));
        assert!(may_overlap((1000, &half), (1032, &layout(f32, &[1, 40], &[0, 4]))));
        // Fields of a record of 12 bytes.
        let (wide, narrow) = (layout(DType::F64, &[9], &[12]), layout(DType::U16, &[9], &[12]));
        assert!(!may_overlap((16, &wide), (24, &narrow)) && !may_overlap((16, &wide), (26, &narrow)));
        assert!(may_overlap((16, &wide), (22, &narrow)) && may_overlap((16, &wide), (27, &narrow)));
    }

    #[test]
    fn disjoint_operands_without_a_period_count_as_overlapping() {
        // Strides of 3 and 5 bytes share no byte in two elements each, but have no common period that proves it.
        let (three, five) = (layout(DType::U8, &[2], &[3]), layout(DType::U8, &[2], &[5]));
        assert!(may_overlap((100, &three), (101, &five)));
        assert!(!may_overlap((100, &layout(DType::U8, &[0], &[1])), (100, &five)));
    }

    /// For all small layouts with two axes.
    #[test]
    fn operands_that_may_not_overlap_share_no_byte() {
        let strides = [-6isize, -4, -2, 0, 1, 2, 4, 6, 12];
        let all: Vec<Layout> = [DType::U8, DType::U16]
            .into_iter()
            .flat_map(|dtype| strides.into_iter().flat_map(move |s| strides.map(|t| layout(dtype, &[2, 3], &[s, t]))))
            .collect();
        let mut proofs = 0;
        for (i, a) in all.iter().enumerate() {
            for b in all.iter().skip(i % 3).step_by(3) {
                for at in 100..112 {
                    if !may_overlap((100, a), (at, b)) {
                        proofs += 1;
                        assert!(bytes(100, a).is_disjoint(&bytes(at, b)), "{a} at 100, {b} at {at}");
                    }
                }
            }
        }
        assert!(proofs > 10_000, "{proofs}");
    }
}
