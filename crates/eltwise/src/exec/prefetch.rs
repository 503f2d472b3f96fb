//! Prefetching: the inputs of the next tile or block are requested while the current one is computed or stored.
//!
//! A step over a tile reads memory in short bursts, and the CPU's own prefetcher stops at the end of each burst. The
//! last step mostly reads scratch, so the memory is idle during it. [`after_tile`] prefetches with regular stores,
//! [`PrefetchCursor`] between non-temporal stores. The planner decides whether a run prefetches
//! ([`Schedule::prefetches_next_tile`](eltwise_plan::Schedule)).

use eltwise_kernels::{Call, Operand};
use eltwise_plan::Schedule;
use eltwise_plan::strategy::Access;
use eltwise_plan::tuning::{CACHE_LINE, NT_MAX_RESIDENT_ROW, NT_PREFETCH_ROWS, PREFETCH_MAX_TILE};

use super::ElementSizes;
use super::regions::TileOperand;

/// Prefetches the next tile of an input, which begins `step` bytes after this one at `memory`, if its elements are contiguous: as
/// many bytes. They may be past the end of the operand.
#[inline]
pub(super) fn after_tile(schedule: &Schedule, operand: usize, memory: *mut u8, step: isize) {
    let is_contiguous_input =
        !schedule.binding.operands[operand].output && schedule.access[operand] == Access::Contiguous && step > 0;
    let bytes = step.unsigned_abs();
    if is_contiguous_input && bytes <= PREFETCH_MAX_TILE {
        (0..bytes).step_by(CACHE_LINE).for_each(|line| prefetch_line(memory.wrapping_add(bytes + line), false));
    }
}

/// Prefetches a cache line into the first-level cache; with `nta` (data that is read once) without filling the outer
/// caches.
#[inline(always)]
fn prefetch_line(address: *const u8, nta: bool) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_NTA, _MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64; a prefetch has no effect on memory and does not fault, for any address.
        unsafe {
            if nta {
                _mm_prefetch::<_MM_HINT_NTA>(address.cast());
            } else {
                _mm_prefetch::<_MM_HINT_T0>(address.cast());
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (address, nta);
}

/// The elements of the next tile of two contiguous inputs, and the bytes of an element.
#[derive(Clone, Copy)]
pub(super) struct NextTile([(*const u8, usize); 2]);

impl NextTile {
    /// The first two contiguous inputs whose elements are no wider than the output's. The other contiguous inputs are
    /// prefetched now: a line of the output needs several of their lines.
    #[inline]
    pub(super) fn new(schedule: &Schedule, operands: &[TileOperand], elements: usize) -> NextTile {
        let (mut inputs, mut found) = ([(operands.as_ptr().cast(), 0); 2], 0);
        let output_size = schedule.binding.operands.first().map_or(0, |output| output.size);
        for (i, (current, operand)) in operands.iter().zip(&schedule.binding.operands).enumerate() {
            let is_contiguous_input = !operand.output && schedule.access[i] == Access::Contiguous;
            match inputs.get_mut(found) {
                Some(input) if is_contiguous_input && operand.size <= output_size => {
                    let next = current.memory.wrapping_add(elements * operand.size);
                    *input = (next.cast_const(), operand.size);
                    found += 1;
                }
                _ => after_tile(schedule, i, current.memory, (elements * operand.size) as isize),
            }
        }
        NextTile(inputs)
    }
}

/// The next lines to prefetch of two inputs. If there are fewer inputs, addresses that are cached.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 has these stores"))]
pub(super) struct PrefetchCursor {
    /// An address, and the bytes of the input per cache line of the output.
    inputs: [(*const u8, usize); 2],
    nta: bool,
}

impl PrefetchCursor {
    /// The next tile, from the elements on that belong to element `elements` of an output with elements of `size`
    /// bytes.
    #[inline]
    pub(super) fn in_tile(tile: NextTile, elements: usize, size: usize, nta: bool) -> PrefetchCursor {
        let inputs = tile.0.map(|(start, bytes)| (start.wrapping_add(elements * bytes), CACHE_LINE / size * bytes));
        PrefetchCursor { inputs, nta }
    }

    /// The elements that are read [`NT_PREFETCH_ROWS`] rows after row `row` of `call` (or all its rows, if it has
    /// fewer), for inputs whose rows are apart in memory. At the last rows, these are the first rows of the next tile,
    /// whose columns follow. If an input's rows follow each other, its next row.
    #[inline]
    pub(super) fn rows_ahead(call: &Call, row: usize, sizes: &ElementSizes, nta: bool) -> PrefetchCursor {
        let target = row + NT_PREFETCH_ROWS.min(call.rows);
        PrefetchCursor::of_call(call, sizes, nta, |input, bytes| {
            let Operand { ptr, row: row_stride, .. } = call.ins[input];
            let row_bytes = call.cols * bytes;
            let (first, rows) = match target {
                _ if row_stride.unsigned_abs() <= row_bytes => (ptr.wrapping_add(row_bytes), row),
                target if target < call.rows => (ptr, target),
                target => (ptr.wrapping_add(row_bytes), target - call.rows),
            };
            first.wrapping_offset((rows as isize).wrapping_mul(row_stride))
        })
    }

    /// The first two inputs of `call` that are not splats, each from the address that `start` gives for its position
    /// and the bytes of its elements. Leaves out a short row that all rows read: it stays in the cache.
    #[inline]
    pub(super) fn of_call(
        call: &Call,
        sizes: &ElementSizes,
        nta: bool,
        start: impl Fn(usize, usize) -> *mut u8,
    ) -> PrefetchCursor {
        let mut cursors = [((&raw const *call).cast(), 0); 2];
        let is_resident =
            |row: isize, bytes: usize| call.rows > 1 && row == 0 && call.cols * bytes <= NT_MAX_RESIDENT_ROW;
        let inputs = call.ins.iter().zip(sizes.ins).enumerate();
        let moving = inputs.filter(|&(_, (input, bytes))| !input.splat && bytes != 0 && !is_resident(input.row, bytes));
        for (cursor, (input, (_, bytes))) in cursors.iter_mut().zip(moving) {
            *cursor = (start(input, bytes).cast_const(), CACHE_LINE / sizes.out * bytes);
        }
        PrefetchCursor { inputs: cursors, nta }
    }

    /// Prefetches what belongs to the next cache line of the output, and moves on by that line.
    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    pub(super) fn advance(&mut self) {
        for (address, step) in &mut self.inputs {
            prefetch_line(*address, self.nta);
            if *step > CACHE_LINE {
                // Elements wider than the output's: a line of the output needs several of their lines.
                (CACHE_LINE..*step)
                    .step_by(CACHE_LINE)
                    .for_each(|line| prefetch_line(address.wrapping_add(line), self.nta));
            }
            *address = address.wrapping_add(*step);
        }
    }
}

#[cfg(test)]
mod tests {
    use core::sync::atomic::AtomicU32;

    use super::*;
    use crate::exec::blank;

    #[test]
    fn rows_that_are_apart_in_memory_are_prefetched_ahead() {
        let flags = AtomicU32::new(0);
        let memory = 0x10_0000 as *mut u8;
        let offset = |rows: usize, row_stride: isize, row: usize| {
            let mut call = blank(rows, 100, &flags);
            call.ins[0] = Operand { ptr: memory, row: row_stride, splat: false };
            call.ins[1] = Operand { ptr: memory, row: 0, splat: true };
            let sizes = ElementSizes { out: 4, ins: [4; 4] };
            let [first, second] = PrefetchCursor::rows_ahead(&call, row, &sizes, false).inputs;
            assert_eq!((first.1, second.1), (CACHE_LINE, 0), "one line per line of the output, no splat");
            first.0.addr() as isize - memory.addr() as isize
        };
        // Rows of 400 bytes, 1000 bytes apart: eight rows ahead, then the first rows of the next 400 bytes.
        assert_eq!([0, 11, 12, 19].map(|row| offset(20, 1000, row)), [8000, 19_000, 400, 7400]);
        // Fewer than eight rows: all rows of the next tile.
        assert_eq!([0, 1, 2].map(|row| offset(3, 1000, row)), [400, 1400, 2400]);
        assert_eq!(offset(20, -1000, 0), -8000);
        // Rows that follow each other: the next row.
        assert_eq!([0, 2].map(|row| offset(3, 400, row)), [400, 1200]);
    }
}
