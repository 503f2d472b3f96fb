//! Rows that meet one and the same row of an operand, whose vectors the kernel holds in registers.

use crate::bind::Place;
use crate::plan::{FEW_BYTES, Machine, Schedule};

/// The fewest rows that meet one row for it to be held, and their bytes.
const FEWEST: usize = 8;
const FEWEST_BYTES: usize = 2 << 10;
/// Bytes of the longest rows: of those a kernel writes a part of all rows, then the next part. Beyond the second-level cache rows are written
/// whole, which it does with 1, 2, 4 and 8 vectors, of 2-byte elements with 4 at most, for they may be converted.
const NEAR_ROW: usize = 1 << 10;
const FAR_ROW: usize = 256;

impl Schedule {
    /// The input of a step of two that is the same row for all steps of the row loop, if the kernel may hold it in registers and the other
    /// is contiguous along the columns, or one element.
    pub(crate) fn row_to_hold(&self, machine: &Machine) -> Option<usize> {
        let [.., rows, columns] = self.nest.sizes[..] else { return None };
        let [step] = &self.binding.steps[..] else { return None };
        let [Place::Leaf(a), Place::Leaf(b)] = step.args[..] else { return None };
        let size = self.binding.leaves[0].size;
        if a == b || !Schedule::holds_row(rows, columns.saturating_mul(size), (size, self.bytes), machine) {
            return None;
        }
        let along = |leaf: usize| {
            let [.., row, column] = self.nest.walks[leaf].strides[..] else { return (0, 0) };
            (row, column)
        };
        let is_held = |leaf: usize| along(leaf) == (0, size as isize);
        // With loops outside, rows that are contiguous are faster as tiles: parts of them are read again from the first level.
        let two = self.nest.sizes.len() == 2;
        let serves = |leaf: usize| matches!(along(leaf), (1.., 0)) || (two && along(leaf).1 == size as isize);
        let is_dense = along(0).1 == size as isize;
        [(a, b), (b, a)].into_iter().find(|&(own, other)| is_dense && is_held(own) && serves(other)).map(|(own, _)| own)
    }

    /// Whether a row of so many bytes is held, which so many rows meet, of elements of `size` bytes, in a run of `bytes`.
    #[inline]
    pub(crate) fn holds_row(rows: usize, row: usize, (size, bytes): (usize, usize), machine: &Machine) -> bool {
        let vectors = row / machine.vector_bytes.max(1);
        let far = || vectors.is_power_of_two() && row <= FAR_ROW && (size != 2 || vectors <= 4);
        machine.arranges
            && bytes > FEW_BYTES
            && rows >= FEWEST
            && rows.saturating_mul(row) >= FEWEST_BYTES
            && row.is_multiple_of(machine.vector_bytes)
            && if bytes <= machine.l2 { row <= NEAR_ROW } else { far() }
    }
}
