//! Planes: tiles that cut two loops, `rows` steps of an outer one by a row of the loops inside.
//!
//! They serve operands that lie transposed, whose lines in memory run down the rows; and operands that must be packed but
//! repeat over a loop outside the tile: one row of them serves all rows of a plane, and those that repeat along the row
//! are packed once where all rows are in the plane.

use crate::bind::loop_nest::OperandStrides;
use crate::strategy::tile::{Tile, room_in};
use crate::strategy::{Access, Schedule};
use crate::target::Target;
use crate::tuning::{
    CACHE_LINE, FAR_MAX_ROWS, FAR_ROW_BYTES, FAR_RUN_BYTES, MAX_UNCUT_SHARED_ROW, MIN_ROWS_SHARING, MIN_TILE_2D_SIDE,
    NEAR_ROW_BYTES, NEAR_TILE_2D_BYTES, SCRATCH_BYTES, SHARED_ROW_PART, SHARED_TILE_BYTES, TILE_2D_MAX_ROWS,
    TILE_2D_ROW_BYTES, TILE_2D_SCRATCH, TILE_COST, TILE_ROW_COST, TRANSPOSED_STRIDE,
};

impl Schedule {
    /// The loop along which a operand lies closer in memory than along the innermost loop, where it jumps over a
    /// vector and more.
    pub(crate) fn transposed(&self) -> Option<usize> {
        let last = self.nest.sizes.len().checked_sub(1)?;
        if self.nest.sizes[last] < MIN_TILE_2D_SIDE {
            return None;
        }
        let of_operand = |nest_operand: &OperandStrides| {
            let jump = nest_operand.strides[last].unsigned_abs();
            let close = |axis: &usize| (1..jump).contains(&nest_operand.strides[*axis].unsigned_abs());
            let closest = (0..last).filter(close).min_by_key(|&axis| nest_operand.strides[axis].unsigned_abs())?;
            (jump >= TRANSPOSED_STRIDE && self.nest.sizes[closest] >= MIN_TILE_2D_SIDE).then_some(closest)
        };
        self.nest.operands.iter().find_map(of_operand)
    }

    /// The loop of three steps whose elements of 4 bytes an input has side by side, as pixels have channels, where the innermost loop goes from
    /// pixel to pixel: what lies in one cache line goes to rows far apart. Tiles of one row would read each line three times. `None` also where
    /// rows are so short that planes would cost more than that.
    pub(crate) fn channels(&self) -> Option<usize> {
        const CHANNELS: usize = 3;
        const SIZE: usize = 4;
        let last = self.nest.sizes.len().checked_sub(1)?;
        let of_nest_operand = |nest_operand: &OperandStrides| {
            let is_pixel = nest_operand.strides[last] == (CHANNELS * SIZE) as isize;
            (0..last).find(|&axis| {
                is_pixel && self.nest.sizes[axis] == CHANNELS && nest_operand.strides[axis] == SIZE as isize
            })
        };
        let inputs = self
            .binding
            .operands
            .iter()
            .zip(&self.nest.operands)
            .filter(|(operand, _)| !operand.output && operand.size == SIZE);
        if self.nest.sizes[last] < FAR_ROW_BYTES / SIZE {
            None
        } else {
            inputs.map(|(_, nest_operand)| nest_operand).find_map(of_nest_operand)
        }
    }

    /// Turns the innermost loop and `row_axis` the way of the inputs, where two and more lie transposed against outputs
    /// that are contiguous: planes then read them as they lie, and transpose what is written. `false`: as before.
    pub(crate) fn turn_to_inputs(&mut self, row_axis: usize) -> bool {
        let last = self.nest.sizes.len() - 1;
        let mut transposed = 0;
        for (operand, nest_operand) in self.binding.operands.iter().zip(&self.nest.operands) {
            let (down, along, size) =
                (nest_operand.strides[row_axis], nest_operand.strides[last], operand.size as isize);
            match operand.output {
                true if along == size => {}
                false if down == size => transposed += 1,
                false if down == 0 && along == 0 => {}
                _ => return false,
            }
        }
        if transposed < 2 || self.is_move {
            return false;
        }
        self.swap_loops(row_axis, last);
        true
    }

    /// Exchanges two loops.
    pub(crate) fn swap_loops(&mut self, a: usize, b: usize) {
        self.nest.sizes.swap(a, b);
        self.nest.operands.iter_mut().for_each(|nest_operand| nest_operand.strides.swap(a, b));
    }

    /// Makes the tile a plane that fits the scratch; `false`: none worth it does.
    ///
    /// Beyond the second-level cache, runs of memory must be long on both sides for what reads ahead in hardware, and the
    /// scratch may be as large as that cache bears. Within it nothing must be read ahead: a plane that leaves room for
    /// its operands in the first level has rows as long as can be, and as few as fill a cache line of every operand.
    pub(crate) fn shape_plane(&mut self, row_axis: usize, registers: &[usize], target: &Target) -> bool {
        let axis = self.nest.sizes.len() - 1;
        self.tile = Tile { axis, length: 1, inner: 1, row_axis, rows: 2 };
        let per_element = (registers.iter().sum::<usize>() + self.packed().sum::<usize>()).max(1);
        let least = CACHE_LINE / self.binding.operands.iter().map(|l| l.size).min().unwrap_or(1);
        let (all_rows, all_columns, size) = (self.nest.sizes[row_axis], self.nest.sizes[axis], self.widest());
        // Whole lines of every operand, but of a loop that is shorter.
        let lines = |steps: usize| (steps / least * least).max(least);
        let is_far = self.bytes > target.cpu.l2;
        let slots = registers.len() + self.packed().count();
        let elements = room_in(if is_far { TILE_2D_SCRATCH } else { SCRATCH_BYTES }, slots) / per_element;
        let (rows, columns) = if is_far {
            let rows = (FAR_RUN_BYTES / size).min(FAR_MAX_ROWS).min(elements / least).clamp(1, all_rows);
            (rows, (elements / rows).min(FAR_ROW_BYTES / size))
        } else {
            let columns = (elements / least.min(all_rows)).min(NEAR_ROW_BYTES / size).min(all_columns);
            (lines((NEAR_TILE_2D_BYTES / per_element).min(elements) / columns.max(1)), columns)
        };
        let length = part(all_columns, columns, least);
        // Rows of scratch that lie a power of two apart share sets of the caches: an odd number of lines.
        let is_even = (length / least).is_multiple_of(2) && length > least;
        let length = if is_even && length < all_columns { length - least } else { length };
        let rows = part(all_rows, rows, least);
        self.tile = Tile { axis, length, inner: 1, row_axis, rows };
        // There are rows enough: both loops are long, and parts of them whole lines.
        length >= MIN_TILE_2D_SIDE && rows * length <= elements
    }

    /// Replaces the tile by the plane that leaves the least to pack, if one leaves clearly less. A single step only: the
    /// registers of several want small tiles.
    pub(crate) fn try_planes(&mut self) {
        if self.is_move || self.steps.len() != 1 || self.packed().next().is_none() {
            return;
        }
        let flat = self.tile;
        let flat_cost = self.tile_cost();
        // The rows of a plane lie apart, so the output is not written in order: only for a part of its bytes.
        let written = self.nest.elements().saturating_mul(self.binding.operands[0].size);
        let (mut best, mut least) = (flat, flat_cost.saturating_sub((flat_cost / 4).max(written / 4)));
        for row_bytes in TILE_2D_ROW_BYTES {
            self.shape_tile(row_bytes / self.widest());
            let row = self.tile;
            for row_axis in 0..row.axis {
                self.tile = Tile { row_axis, rows: 2, ..row };
                let slots = |schedule: &Schedule| {
                    let packed = |&i: &usize| matches!(schedule.access_in_tile(i), Access::Packed { .. });
                    (0..schedule.binding.operands.len()).filter(packed).map(|i| schedule.slot_bytes(i)).sum::<usize>()
                };
                // Slots grow with the rows by the same bytes each, but for rounding.
                let (two, size) = (slots(self), self.nest.sizes[row_axis]);
                self.tile.rows = 1;
                let (one, slack) = (slots(self), 2 * CACHE_LINE * self.binding.operands.len());
                if one + slack > SCRATCH_BYTES {
                    continue;
                }
                let most =
                    (SCRATCH_BYTES - one - slack).checked_div(two - one).map_or(TILE_2D_MAX_ROWS, |more| more + 1);
                self.tile.rows = size.div_ceil(size.div_ceil(most.min(TILE_2D_MAX_ROWS)));
                while self.tile.rows > 1 && slots(self) > SCRATCH_BYTES {
                    self.tile.rows -= 1;
                }
                if self.tile.rows > 1 && self.tile_cost() < least {
                    (best, least) = (self.tile, self.tile_cost());
                }
            }
        }
        self.tile = best;
    }

    /// Makes the tile a plane of short parts of long rows, where rows share an operand that would leave the first level before the
    /// next row reads it; `false`: there is none, or memory is further away than that.
    pub(crate) fn shape_shared(&mut self, target: &Target) -> bool {
        let [.., all_rows, columns] = self.nest.sizes[..] else { return false };
        let axis = self.nest.sizes.len() - 1;
        let stands =
            |&operand: &usize| matches!(self.nest.operands[operand].strides[..], [.., 0, column] if column != 0);
        let shared =
            (0..self.binding.operands.len()).filter(stands).map(|operand| self.binding.operands[operand].size).max();
        if self.is_move
            || !shared.is_some_and(|size| Schedule::is_long_to_share(all_rows, columns, size, self.bytes, target))
        {
            return false;
        }
        let widest = self.widest();
        let length = part(columns, SHARED_ROW_PART / widest, CACHE_LINE);
        let rows = part(all_rows, (SHARED_TILE_BYTES / (length * widest)).max(1), 1);
        self.tile = Tile { axis, length, inner: 1, row_axis: axis - 1, rows };
        rows > 1
    }

    /// Whether some rows share one of so many elements that leaves the first level before it is read again.
    #[inline]
    pub(crate) fn is_long_to_share(rows: usize, columns: usize, size: usize, bytes: usize, target: &Target) -> bool {
        rows >= MIN_ROWS_SHARING && columns.saturating_mul(size) > MAX_UNCUT_SHARED_ROW && bytes <= target.cpu.l2
    }

    /// What tiles cost beside the steps' work on their elements, in bytes packed: packing, and beginning tiles and rows.
    fn tile_cost(&self) -> usize {
        let tile = &self.tile;
        let inputs = (0..self.binding.operands.len()).filter(|&i| !self.binding.operands[i].output);
        let packed = inputs.filter(|&i| self.access_in_tile(i) != Access::Contiguous);
        let packing = packed.filter(|&i| self.access_in_tile(i) != Access::Splat);
        let packing = packing.map(|i| self.packs(i).saturating_mul(self.slot_bytes(i))).fold(0, usize::saturating_add);
        let units = self.tile_units();
        packing
            .saturating_add(units.saturating_mul(TILE_COST))
            .saturating_add(units.saturating_mul(tile.rows * TILE_ROW_COST))
    }

    /// How often a packed operand is packed while one task runs all tiles: not again while the next tile has its source.
    pub(crate) fn packs(&self, operand: usize) -> usize {
        let (tile, strides) = (&self.tile, &self.nest.operands[operand].strides);
        let outer = (0..tile.axis.min(strides.len())).rev().map(|axis| {
            let is_cut = tile.rows > 1 && axis == tile.row_axis;
            (if is_cut { self.tiles_down() } else { self.nest.sizes[axis] }, strides[axis])
        });
        let along = (self.tiles_along(), strides.get(tile.axis).copied().unwrap_or(0));
        let moving = core::iter::once(along).chain(outer).skip_while(|&(tiles, stride)| tiles == 1 || stride == 0);
        moving.map(|(tiles, _)| tiles).fold(1, usize::saturating_mul)
    }

    /// The rows of a packed operand in a tile: one serves all rows of a plane over which an input repeats.
    pub fn packed_rows(&self, operand: usize) -> usize {
        let repeats = self.nest.operands[operand].strides.get(self.tile.row_axis) == Some(&0);
        if repeats && !self.is_move && !self.binding.operands[operand].output { 1 } else { self.tile.rows }
    }

    /// The bytes of a packed operand's slot in scratch.
    pub fn slot_bytes(&self, operand: usize) -> usize {
        self.tile.slot_bytes(self.binding.operands[operand].size, self.packed_rows(operand))
    }

    /// How many tiles there are.
    pub(crate) fn tile_units(&self) -> usize {
        let outer: usize = self.nest.sizes[..self.tile.axis.min(self.nest.sizes.len())].iter().product();
        outer / self.row_loop() * self.tiles_down() * self.tiles_along()
    }

    /// The steps of the loop that a plane's rows cut; 1 without.
    pub fn row_loop(&self) -> usize {
        if self.tile.rows > 1 { self.nest.sizes[self.tile.row_axis] } else { 1 }
    }

    /// How many tiles a plane's rows give.
    pub fn tiles_down(&self) -> usize {
        self.row_loop().div_ceil(self.tile.rows)
    }
}

/// The steps of one part of a loop: parts of at most `most` steps, as even as multiples of `least` allow.
pub(crate) fn part(size: usize, most: usize, least: usize) -> usize {
    if size <= most {
        return size;
    }
    let most = (most / least * least).max(least);
    size.div_ceil(size.div_ceil(most)).next_multiple_of(least).min(most)
}
