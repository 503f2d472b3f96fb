//! How the leaves of a schedule are packed: made with the plan, run for every tile.

use eltwise_kernels::pack::{Packing, is_close};
use eltwise_plan::Schedule;
use eltwise_plan::nest::Loops;
use eltwise_plan::plan::{Access, Strategy};
use eltwise_simd::Isa;
use smallvec::SmallVec;

/// How a leaf is packed or unpacked, for each size of tile: the last ones of the cut loops may be shorter.
#[derive(Clone, Debug)]
pub(crate) struct Packings {
    /// By [`Which`]: one, or two of each loop whose last tile is shorter.
    all: SmallVec<[Packing; 1]>,
    /// Bytes from element `[0, 0, ...]` to the end of the last element, where all between is on pages of the leaf.
    past: Option<isize>,
}

/// Which size a tile has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Which {
    /// It is shorter along the cut loop.
    pub(crate) along: bool,
    /// It has fewer rows.
    pub(crate) down: bool,
}

impl Packings {
    /// One for every leaf that tiles pack, unpack or move.
    pub(crate) fn of(schedule: &Schedule, isa: Isa) -> SmallVec<[Option<Packings>; 0]> {
        if schedule.strategy != Strategy::Tiled {
            return SmallVec::new();
        }
        let tile = &schedule.tile;
        let inner = schedule.nest.sizes.get(tile.axis + 1..).unwrap_or_default();
        let along = [Some(tile.length), rest(schedule.nest.sizes.get(tile.axis).copied().unwrap_or(1), tile.length)];
        let down = [Some(tile.rows), rest(schedule.row_loop(), tile.rows)];
        let of_leaf = |leaf: usize| {
            let is_packed = matches!(schedule.access[leaf], Access::Packed { .. }) || schedule.is_move;
            is_packed.then(|| {
                let walk = &schedule.nest.walks[leaf];
                let down_stride = walk.strides.get(tile.row_axis).copied().unwrap_or(0);
                let tile_strides = walk.strides.get(tile.axis..).unwrap_or_default();
                let strides: Loops<isize> = [down_stride].iter().chain(tile_strides).copied().collect();
                let mut all = SmallVec::new();
                // A leaf that repeats over the rows has one row in either.
                let one_row = schedule.packed_rows(leaf) == 1;
                for rows in down.into_iter().flatten().map(|rows| if one_row { 1 } else { rows }) {
                    for steps in along.into_iter().flatten() {
                        let sizes: Loops<usize> = [rows, steps].iter().chain(inner).copied().collect();
                        let packing = Packing::new(schedule.binding.leaves[leaf].size, &sizes, &strides, isa);
                        all.push(if schedule.bytes > FAR { packing.of_far_memory() } else { packing });
                    }
                }
                Packings { all, past: past(schedule, leaf) }
            })
        };
        (0..schedule.binding.leaves.len()).map(of_leaf).collect()
    }

    /// The end of what may be read of a leaf whose element `[0, 0, ...]` is at `first`; null: of its elements alone.
    #[inline]
    pub(crate) fn past(&self, first: *const u8) -> *const u8 {
        self.past.map_or(core::ptr::null(), |past| first.wrapping_offset(past))
    }

    /// The packing of a tile.
    #[inline]
    pub(crate) fn get(&self, which: Which) -> Option<&Packing> {
        // One packing: no rest. Four: a rest of both loops. Two: of the one that a tile is asked for to be short of.
        let index = match self.all.len() {
            4 => 2 * usize::from(which.down) + usize::from(which.along),
            _ => usize::from(which.down || which.along),
        };
        self.all.get(index)
    }
}

/// Bytes from element `[0, 0, ...]` of a leaf to the end of its last element, where all between is on pages of the leaf.
pub(super) fn past(schedule: &Schedule, leaf: usize) -> Option<isize> {
    let (size, walk, sizes) = (schedule.binding.leaves[leaf].size, &schedule.nest.walks[leaf], &schedule.nest.sizes);
    let last = || walk.strides.iter().zip(sizes).map(|(&stride, &n)| stride.max(0) * (n as isize - 1)).sum::<isize>();
    is_close(size, sizes, &walk.strides).then(|| walk.offset + last() + size as isize)
}

/// Bytes of a run whose operands lie beyond all caches. Within a last-level cache prefetches cost more than they bring.
const FAR: usize = 24 << 20;

/// What is left for the last tile of a loop, if it is shorter.
fn rest(size: usize, length: usize) -> Option<usize> {
    Some(size % length.max(1)).filter(|&rest| rest != 0)
}
