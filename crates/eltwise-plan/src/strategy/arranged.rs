//! Tiles of which an operand is put in order in registers, and no tile of it packed.
//!
//! Kernels of some operators take one operand whose rows are vectors out of windows of memory: stretched elements, short
//! rows that repeat, elements a little apart. A tile is then as long as its other operands allow: they lie contiguous, or
//! are one element, or are packed once and repeat in all tiles; or lie as the first one does, and are put in order as well.

use eltwise_core::permute_limits::{MAX_REPEATED_VECTORS, MAX_VECTORS_IN_REGISTERS, min_repeats};

use crate::bind::Place;
use crate::strategy::copy::gcd;
use crate::strategy::plane::part;
use crate::strategy::tile::{Tile, line_steps, once_bytes};
use crate::strategy::{Access, Schedule};
use crate::target::Target;
use crate::tuning::{
    LONG_REPEAT, MAX_PACKED_ONCE_ROW, MAX_PERMUTE_CYCLE, MAX_PERMUTED_ELEMENT, MAX_PERMUTED_ROW, MAX_PERMUTED_STRIDE,
    MIN_PERMUTED_REPEATS, PERMUTED_SHARED_ROW, PERMUTED_TILE_BYTES, PERMUTED_TILE_PACKED_ONCE, SMALL_RUN,
};

impl Schedule {
    /// Whether rows of `columns` elements that fit no other way are short enough for an operand that stands still along
    /// them to be put in order.
    pub(crate) fn is_permuted_row(columns: usize, widest: usize, bytes: usize, target: &Target) -> bool {
        target.kernels.permutes && bytes > SMALL_RUN && columns.saturating_mul(widest) <= MAX_PERMUTED_ROW
    }

    /// Shapes the tile around an operand that is put in order; `false`: none can be, or nothing is gained.
    pub(crate) fn shape_permuted(&mut self, target: &Target) -> bool {
        if !target.kernels.permutes || self.is_move || self.bytes <= SMALL_RUN {
            return false;
        }
        let widest = self.widest();
        let once =
            if self.bytes > target.cpu.l2 { MAX_PACKED_ONCE_ROW.min(once_bytes(target)) } else { MAX_PACKED_ONCE_ROW };
        let longest = self.longest_tile(target);
        for axis in 0..self.nest.sizes.len() {
            let (size, inner) = (self.nest.sizes[axis], self.nest.sizes[axis + 1..].iter().product::<usize>());
            self.tile = Tile { axis, length: size, inner, row_axis: axis, rows: 1 };
            let Some((operand, twin, packs)) = self.to_permute(target) else { continue };
            let outside =
                axis.checked_sub(1).map(|axis| (self.nest.sizes[axis], self.nest.operands[operand].strides[axis]));
            if matches!(outside, Some((LONG_REPEAT.., 0))) && size * inner * widest <= once {
                // All rows are the same: packed once.
                return false;
            }
            // What the rows of a call share stays in the first level, and what comes again is written there a part after the other.
            let shares = axis > 0 && !packs && self.bytes <= target.cpu.l2 && self.shares_rows(axis - 1);
            let again = !packs && self.repeated_vectors(operand, axis, target).is_some_and(|vectors| vectors > 1);
            let bytes = match (packs, shares || again) {
                (true, _) => PERMUTED_TILE_PACKED_ONCE,
                (_, true) => PERMUTED_SHARED_ROW,
                _ => PERMUTED_TILE_BYTES,
            };
            let most = bytes.min(longest) / widest / inner;
            if most == 0 && (packs || again) {
                continue;
            }
            // Tiles begin on cycles of vectors where they have some; beyond the caches on cache lines of the output, and are even.
            let far = longest != usize::MAX;
            let steps = if far { line_steps(inner * self.binding.operands[0].size) } else { 16 };
            self.tile.length = match most {
                _ if most < steps => most.max(1).min(size),
                _ if far => part(size, most, steps),
                _ => (most / steps * steps).min(size),
            };
            if (self.tile.length == size || shares) && axis > 0 && !packs {
                // The steps of the loop outside are rows of one call.
                let (rows, most) =
                    (self.nest.sizes[axis - 1], PERMUTED_TILE_BYTES / widest / (self.tile.length * inner));
                let rows = rows.div_ceil(rows.div_ceil(most.clamp(1, rows)));
                self.tile = Tile { row_axis: axis - 1, rows, ..self.tile };
            }
            (self.permuted, self.second_permuted) = (Some(operand), twin);
            return true;
        }
        false
    }

    /// The operand to put in order in a tile, if all others that are not contiguous or splat lie like it or repeat along the cut
    /// loop; one that lies like it; and whether there are some that repeat.
    fn to_permute(&self, target: &Target) -> Option<(usize, Option<usize>, bool)> {
        let (mut moving, mut twin, mut standing, mut packs) = (None::<usize>, None, None, 0);
        for operand in 0..self.binding.operands.len() {
            if matches!(self.access_in_tile(operand), Access::Packed { .. }) {
                let moves = self.nest.operands[operand].strides[self.tile.axis] != 0;
                match moving {
                    Some(first) if moves => {
                        let alike = self.nest.operands[operand].strides == self.nest.operands[first].strides;
                        if !alike || twin.replace(operand).is_some() {
                            return None;
                        }
                    }
                    None if moves => moving = Some(operand),
                    _ => {}
                }
                if !moves {
                    standing = Some(operand);
                    packs += 1;
                }
            }
        }
        if let (None, Some(operand), 1) = (moving, standing, packs) {
            // It repeats along the cut loop, and differs for every step of a loop outside.
            let moves = self.nest.operands[operand].strides[..self.tile.axis].iter().any(|&stride| stride != 0);
            return (moves && self.can_permute(operand, target)).then_some((operand, None, false));
        }
        let serves = |&operand: &usize| {
            self.can_permute(operand, target) && twin.is_none_or(|operand| self.can_permute(operand, target))
        };
        moving.filter(serves).map(|operand| (operand, twin, packs > 0))
    }

    /// Whether an input lies the same for all steps of a loop outside the tile, and is not one element over it.
    fn shares_rows(&self, row_axis: usize) -> bool {
        let stands = |&operand: &usize| self.nest.operands[operand].strides[row_axis] == 0;
        (0..self.binding.operands.len())
            .filter(stands)
            .any(|operand| self.access_in_tile(operand) == Access::Contiguous)
    }

    /// Whether a operand is a row that comes again and again over the steps of loop `axis`, or of the loop inside it: vectors of it
    /// are put in order once, and used each time. It is a few vectors, with the steps that make whole ones of it.
    pub(crate) fn row_repeats(&self, operand: usize, axis: usize, target: &Target) -> bool {
        self.repeated_vectors(operand, axis, target).is_some()
    }

    /// Whether vectors of a tile may be written in any order. Beyond the second-level cache, what is written in order takes less time; tiles
    /// that may be [streamed](Schedule::prefers_non_temporal) are written in scratch first.
    pub fn writes_anywhere(&self, target: &Target) -> bool {
        self.bytes <= target.cpu.l2 || self.longest_tile(target) != usize::MAX
    }

    /// How many vectors come again of a operand, if it [does](Schedule::row_repeats).
    fn repeated_vectors(&self, operand: usize, axis: usize, target: &Target) -> Option<usize> {
        // A tile has them four times at least.
        let most = match self.longest_tile(target) {
            usize::MAX if self.bytes > target.cpu.l2 => MAX_VECTORS_IN_REGISTERS,
            bytes => MAX_REPEATED_VECTORS.min(bytes / (MIN_PERMUTED_REPEATS * target.kernels.vector_bytes)),
        };
        let (strides, sizes) = (&self.nest.operands[operand].strides[axis..], &self.nest.sizes[axis..]);
        let at = strides.iter().take(2).position(|&stride| stride == 0)?;
        let (row, size) = (&sizes[at + 1..], self.binding.operands[operand].size);
        let mut expect = size as isize;
        let dense = strides[at + 1..].iter().zip(row).rev().all(|(&stride, &n)| {
            let follows = stride == expect;
            expect = stride.wrapping_mul(n as isize);
            follows
        });
        let (columns, lanes) = (row.iter().product::<usize>(), (target.kernels.vector_bytes / size).max(1));
        let steps = lanes / gcd(lanes, columns);
        let is_whole = at == 0 || sizes[at].is_multiple_of(steps);
        let times = sizes[at] / steps;
        let comes = dense
            && !row.is_empty()
            && is_whole
            && steps * columns <= most * lanes
            && times >= min_repeats(size, steps * columns / lanes).max(MIN_PERMUTED_REPEATS);
        comes.then(|| steps * columns / lanes)
    }

    /// Whether a kernel may put a operand in order over the tile: an operand of two, or both, of elements that lie close, in
    /// cycles of few vectors; or a row that [comes again](Schedule::row_repeats).
    pub(crate) fn can_permute(&self, operand: usize, target: &Target) -> bool {
        let args = &self.binding.steps[0].args;
        let is_used = args.contains(&Place::Operand(operand));
        let size = self.binding.operands[operand].size;
        let Tile { axis, inner, .. } = self.tile;
        let lanes = target.kernels.vector_bytes / size;
        let (strides, sizes) = (&self.nest.operands[operand].strides[axis..], &self.nest.sizes[axis..]);
        let is_backwards = || inner == 1 && strides[0] == -(size as isize);
        // Elements that lie close, in a cycle of few vectors, each out of two windows.
        let innermost = strides.iter().zip(sizes).enumerate().rev().find(|&(_, (&stride, _))| stride != 0);
        let is_short = |(i, (&stride, &n)): (usize, (&isize, &usize))| {
            stride <= 4 * size as isize
                && (i == 0 || stride != size as isize || n * size < 2 * target.kernels.vector_bytes)
        };
        let is_close = || {
            strides.iter().all(|stride| (0..=MAX_PERMUTED_STRIDE).contains(stride))
                && innermost.is_some_and(is_short)
                && inner / gcd(lanes.max(1), inner.max(1)) <= MAX_PERMUTE_CYCLE
        };
        args.len() == 2
            && is_used
            && !self.binding.operands[operand].output
            && size <= MAX_PERMUTED_ELEMENT
            && (is_backwards() || is_close() || self.row_repeats(operand, axis, target))
    }
}
