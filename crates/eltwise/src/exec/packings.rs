//! How the operands of a tiled schedule are packed and unpacked. [`Packings`] is made with the plan and used for every
//! tile.

use eltwise_kernels::layout::{CopyCall, CopyKernel, copy_kernel};
use eltwise_plan::bind::loop_nest::Loops;
use eltwise_plan::strategy::copy::{CopyLoop, CopyNest, CopyPlan, is_close};
use eltwise_plan::strategy::{Access, Strategy};
use eltwise_plan::{Schedule, Target};
use eltwise_simd::Isa;
use smallvec::SmallVec;

/// How an operand of a tile is packed, or unpacked if it is an output: the copy and its kernel.
#[derive(Clone, Debug)]
pub(crate) struct Packing {
    kernel: CopyKernel,
    plan: CopyPlan,
}

impl Packing {
    /// Copies a tile from `from` to `to`. See [`Packings::readable_end`] for `end`.
    ///
    /// # Safety
    /// As for [`CopyKernel`]: the operand is valid over the tile, and a contiguous tile on the other side; they do not overlap.
    /// The CPU has the ISA.
    #[inline]
    pub(crate) unsafe fn run(&self, to: *mut u8, from: *const u8, end: *const u8) {
        let CopyPlan { table, tables } = &self.plan;
        // SAFETY: the caller's contract; the kernel was chosen for the table.
        unsafe { (self.kernel)(&CopyCall { to, from, end, table, tables }) };
    }
}

/// How an operand is packed or unpacked, for each size of tile.
#[derive(Clone, Debug)]
pub(crate) struct Packings {
    /// Full tiles first. If the last tile of a loop is shorter, two packings for that loop; see [`Packings::get`].
    by_size: SmallVec<[Packing; 1]>,
    /// See [`readable_end`].
    readable_end: Option<isize>,
}

/// Along which loops a tile is shorter than a full tile, because it is the last one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Remainder {
    /// Along the cut loop.
    pub(crate) steps: bool,
    /// Along the row loop.
    pub(crate) rows: bool,
}

impl Packings {
    /// One for every operand that tiles pack, unpack or move.
    pub(crate) fn of(schedule: &Schedule, isa: Isa, target: &Target) -> SmallVec<[Option<Packings>; 0]> {
        if schedule.strategy != Strategy::Tiled {
            return SmallVec::new();
        }
        let tile = &schedule.tile;
        let inner = schedule.nest.sizes.get(tile.axis + 1..).unwrap_or_default();
        let cut_loop = schedule.nest.sizes.get(tile.axis).copied().unwrap_or(1);
        let all_steps = [Some(tile.length), remainder(cut_loop, tile.length)];
        let all_rows = [Some(tile.rows), remainder(schedule.row_loop(), tile.rows)];
        let of_operand = |operand: usize| {
            let is_packed = matches!(schedule.access[operand], Access::Packed { .. }) || schedule.is_move;
            is_packed.then(|| {
                let strides = &schedule.nest.operands[operand].strides;
                let row_stride = strides.get(tile.row_axis).copied().unwrap_or(0);
                let tile_strides = strides.get(tile.axis..).unwrap_or_default();
                let strides: Loops<isize> = [row_stride].iter().chain(tile_strides).copied().collect();
                let (size, is_output) =
                    (schedule.binding.operands[operand].size, schedule.binding.operands[operand].output);
                // A program that only moves elements reads them alone.
                let readable_end = readable_end(schedule, operand).filter(|_| !schedule.is_move && !is_output);
                let mut by_size = SmallVec::new();
                // An operand that repeats over the rows has one row in tiles of any size.
                let one_row = schedule.packed_rows(operand) == 1;
                for rows in all_rows.into_iter().flatten().map(|rows| if one_row { 1 } else { rows }) {
                    for steps in all_steps.into_iter().flatten() {
                        let sizes: Loops<usize> = [rows, steps].iter().chain(inner).copied().collect();
                        let loops = tile_loops(size, &sizes, &strides, is_output);
                        let plan = CopyNest::new(size, loops, readable_end.is_some()).plan(target);
                        by_size.push(Packing { kernel: copy_kernel(&plan.table, isa), plan });
                    }
                }
                Packings { by_size, readable_end }
            })
        };
        (0..schedule.binding.operands.len()).map(of_operand).collect()
    }

    /// The end of the memory that packing may read, given the address of element `[0, 0, ...]`. Null: only the
    /// elements.
    #[inline]
    pub(crate) fn readable_end(&self, first: *const u8) -> *const u8 {
        self.readable_end.map_or(core::ptr::null(), |end| first.wrapping_offset(end))
    }

    /// The packing of a tile.
    #[inline]
    pub(crate) fn get(&self, remainder: Remainder) -> Option<&Packing> {
        // Four packings: both loops have a shorter last tile. Two: one of them has, and only that one is asked for.
        // One: neither.
        let index = match self.by_size.len() {
            4 => 2 * usize::from(remainder.rows) + usize::from(remainder.steps),
            _ => usize::from(remainder.rows || remainder.steps),
        };
        self.by_size.get(index)
    }
}

/// The loops of the copy between an operand and a contiguous tile, which an output is copied from. Innermost first.
fn tile_loops(size: usize, sizes: &[usize], strides: &[isize], is_output: bool) -> SmallVec<[CopyLoop; 8]> {
    let mut dense = size as isize;
    let mut loops: SmallVec<[CopyLoop; 8]> = SmallVec::new();
    for (&size, &stride) in sizes.iter().zip(strides).rev() {
        let (from, to) = if is_output { (dense, stride) } else { (stride, dense) };
        loops.push(CopyLoop { size, from, to });
        dense = dense.wrapping_mul(size as isize);
    }
    loops
}

/// Bytes from element `[0, 0, ...]` of an operand to the end of its last element, if the memory between its elements is
/// readable too: it is on pages that have elements.
pub(super) fn readable_end(schedule: &Schedule, operand: usize) -> Option<isize> {
    let size = schedule.binding.operands[operand].size;
    let (operand, sizes) = (&schedule.nest.operands[operand], &schedule.nest.sizes);
    let to_last =
        || operand.strides.iter().zip(sizes).map(|(&stride, &n)| stride.max(0) * (n as isize - 1)).sum::<isize>();
    let loops = sizes.iter().copied().zip(operand.strides.iter().copied());
    is_close(size, loops).then(|| operand.offset + to_last() + size as isize)
}

/// The length of the last tile of a loop, if it is shorter than the others.
fn remainder(size: usize, length: usize) -> Option<usize> {
    Some(size % length.max(1)).filter(|&remainder| remainder != 0)
}
