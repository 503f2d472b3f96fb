//! Tiles of a schedule: [`Extent`] is the part of the loop nest that a tile covers, [`TileOperand`] where an operand of
//! the tile is in memory and in scratch.

use eltwise_plan::Schedule;
use eltwise_plan::strategy::{Access, Tile};

use super::offset_at;
use super::packings::Remainder;

/// An operand of the current tile.
#[derive(Clone, Copy)]
pub(super) struct TileOperand {
    /// The first element for the kernel: in scratch if the operand is packed, otherwise in memory.
    pub(super) data: *mut u8,
    /// The first element in memory.
    pub(super) memory: *mut u8,
    /// The elements in scratch: the address of the first one in memory, and the number of rows and steps of the cut loop.
    pub(super) packed: (*mut u8, usize, usize),
}

impl TileOperand {
    /// Moves to the tile that starts at `memory`.
    #[inline]
    pub(super) fn move_to(&mut self, memory: *mut u8, access: Access, scratch: *mut u8) {
        self.memory = memory;
        self.data = match access {
            Access::Packed { scratch: offset } => scratch.wrapping_add(offset),
            _ => memory,
        };
    }
}

/// The part of the loop nest that a tile covers.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// The number of the tile among the loops outside the cut loop.
    pub(super) block: usize,
    /// The first step of the cut loop.
    pub(super) start: usize,
    /// Steps of the cut loop.
    pub(super) steps: usize,
    /// Steps of the row loop of a 2-D tile; 1 for other tiles.
    pub(super) rows: usize,
    /// Neighbouring tiles along the cut loop that run as rows of one call, including this one.
    pub(super) tiles: usize,
    pub(super) remainder: Remainder,
}

impl Extent {
    /// The extent of the tile with this number.
    #[inline]
    pub(super) fn of(schedule: &Schedule, tile: usize) -> Extent {
        let (axis, length) = (schedule.tile.axis, schedule.tile.length);
        let along = schedule.tiles_along();
        let (block, start) = (tile / along, tile % along * length);
        let steps = length.min(schedule.nest.sizes.get(axis).copied().unwrap_or(1) - start);
        let rows = match schedule.tile.rows {
            1 => 1,
            rows => rows.min(schedule.row_loop() - Extent::rows_before(schedule, block)),
        };
        let remainder = Remainder { steps: steps != length, rows: rows != schedule.tile.rows };
        Extent { block, start, steps, rows, tiles: 1, remainder }
    }

    /// This tile joined with the full tiles after it, at most `most` tiles in all.
    #[inline]
    pub(super) fn join(self, schedule: &Schedule, most: usize) -> Extent {
        let Tile { axis, length, .. } = schedule.tile;
        let size = schedule.nest.sizes.get(axis).copied().unwrap_or(1);
        Extent { tiles: ((size - self.start) / length).clamp(1, most), ..self }
    }

    /// The steps of the row loop before a block.
    fn rows_before(schedule: &Schedule, block: usize) -> usize {
        let inside = &schedule.nest.sizes[schedule.tile.row_axis + 1..schedule.tile.axis];
        block / inside.iter().product::<usize>() % schedule.tiles_down() * schedule.tile.rows
    }

    /// The bytes from an operand's element `[0, 0, ...]` to the first element of the tile.
    #[inline]
    pub(super) fn offset(&self, schedule: &Schedule, operand: usize) -> isize {
        let operand = &schedule.nest.operands[operand];
        let (tile, sizes) = (&schedule.tile, &schedule.nest.sizes);
        let outer = tile.axis.min(sizes.len());
        let along = operand.strides.get(tile.axis).copied().unwrap_or(0).wrapping_mul(self.start as isize);
        let base = operand.offset.wrapping_add(along);
        if tile.rows == 1 {
            return base.wrapping_add(offset_at(self.block, &sizes[..outer], &operand.strides[..outer]));
        }
        // The row loop counts in tiles of several rows, not in steps.
        let (outside, inside) = (0..tile.row_axis, tile.row_axis + 1..outer);
        let inner_blocks: usize = sizes[inside.clone()].iter().product();
        let outer_block = self.block / inner_blocks / schedule.tiles_down();
        let rows = Extent::rows_before(schedule, self.block) as isize;
        base.wrapping_add(rows.wrapping_mul(operand.strides[tile.row_axis]))
            .wrapping_add(offset_at(self.block % inner_blocks, &sizes[inside.clone()], &operand.strides[inside]))
            .wrapping_add(offset_at(outer_block, &sizes[outside.clone()], &operand.strides[outside]))
    }
}
