//! How the operands of a tiled schedule are packed and unpacked. [`Packings`] is made with the plan and used for every
//! tile.

use eltwise_kernels::pack::{Packing, is_close};
use eltwise_plan::Schedule;
use eltwise_plan::bind::loop_nest::Loops;
use eltwise_plan::strategy::{Access, Strategy};
use eltwise_simd::Isa;
use smallvec::SmallVec;

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
    pub(crate) fn of(schedule: &Schedule, isa: Isa) -> SmallVec<[Option<Packings>; 0]> {
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
                let mut by_size = SmallVec::new();
                // An operand that repeats over the rows has one row in tiles of any size.
                let one_row = schedule.packed_rows(operand) == 1;
                for rows in all_rows.into_iter().flatten().map(|rows| if one_row { 1 } else { rows }) {
                    for steps in all_steps.into_iter().flatten() {
                        let sizes: Loops<usize> = [rows, steps].iter().chain(inner).copied().collect();
                        let packing = Packing::new(schedule.binding.operands[operand].size, &sizes, &strides, isa);
                        by_size.push(if schedule.prefetches_packed() { packing.of_far_memory() } else { packing });
                    }
                }
                Packings { by_size, readable_end: readable_end(schedule, operand) }
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

/// Bytes from element `[0, 0, ...]` of an operand to the end of its last element, if the memory between its elements is
/// readable too: it is on pages that have elements.
pub(super) fn readable_end(schedule: &Schedule, operand: usize) -> Option<isize> {
    let size = schedule.binding.operands[operand].size;
    let (operand, sizes) = (&schedule.nest.operands[operand], &schedule.nest.sizes);
    let to_last =
        || operand.strides.iter().zip(sizes).map(|(&stride, &n)| stride.max(0) * (n as isize - 1)).sum::<isize>();
    is_close(size, sizes, &operand.strides).then(|| operand.offset + to_last() + size as isize)
}

/// The length of the last tile of a loop, if it is shorter than the others.
fn remainder(size: usize, length: usize) -> Option<usize> {
    Some(size % length.max(1)).filter(|&remainder| remainder != 0)
}
