//! Rows that meet one and the same row of an operand, whose vectors the kernel holds in registers.

use crate::bind::Place;
use crate::strategy::Schedule;
use crate::target::Target;
use crate::tuning::{MAX_REUSED_ROW_FAR, MAX_REUSED_ROW_NEAR, MIN_REUSED_BYTES, MIN_REUSED_ROWS, SMALL_RUN};

impl Schedule {
    /// The input of a step of two that is the same row for all steps of the row loop, if the kernel may hold it in registers and the other
    /// is contiguous along the columns, or one element.
    pub(crate) fn row_to_reuse(&self, target: &Target) -> Option<usize> {
        let [.., rows, columns] = self.nest.sizes[..] else { return None };
        let [step] = &self.binding.steps[..] else { return None };
        let [Place::Operand(a), Place::Operand(b)] = step.args[..] else { return None };
        let size = self.binding.operands[0].size;
        if a == b || !Schedule::reuses_row(rows, columns.saturating_mul(size), (size, self.bytes), target) {
            return None;
        }
        let along = |operand: usize| {
            let [.., row, column] = self.nest.operands[operand].strides[..] else { return (0, 0) };
            (row, column)
        };
        let is_held = |operand: usize| along(operand) == (0, size as isize);
        // With loops outside, rows that are contiguous are faster as tiles: parts of them are read again from the first level.
        let two = self.nest.sizes.len() == 2;
        let serves = |operand: usize| matches!(along(operand), (1.., 0)) || (two && along(operand).1 == size as isize);
        let is_dense = along(0).1 == size as isize;
        [(a, b), (b, a)].into_iter().find(|&(own, other)| is_dense && is_held(own) && serves(other)).map(|(own, _)| own)
    }

    /// Whether a row of so many bytes is held, which so many rows meet, of elements of `size` bytes, in a run of `bytes`.
    #[inline]
    pub(crate) fn reuses_row(rows: usize, row: usize, (size, bytes): (usize, usize), target: &Target) -> bool {
        let vectors = row / target.kernels.vector_bytes.max(1);
        let far = || vectors.is_power_of_two() && row <= MAX_REUSED_ROW_FAR && (size != 2 || vectors <= 4);
        target.kernels.permutes
            && bytes > SMALL_RUN
            && rows >= MIN_REUSED_ROWS
            && rows.saturating_mul(row) >= MIN_REUSED_BYTES
            && row.is_multiple_of(target.kernels.vector_bytes)
            && if bytes <= target.cpu.l2 { row <= MAX_REUSED_ROW_NEAR } else { far() }
    }
}
