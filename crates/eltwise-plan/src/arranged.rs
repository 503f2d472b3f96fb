//! Tiles of which an operand is put in order in registers, and no tile of it packed.
//!
//! Kernels of some operators take one operand whose rows are vectors out of windows of memory: stretched elements, short
//! rows that repeat, elements a little apart. A tile is then as long as its other operands allow: they lie contiguous, or
//! are one element, or are packed once and repeat in all tiles; or lie as the first one does, and are put in order as well.

use crate::bind::Place;
use crate::plan::{Access, FEW_BYTES, MANY, Machine, Schedule};
use crate::plane::part;
use crate::tile::{LINE, Tile, line_steps, once_bytes};

impl Schedule {
    /// Whether rows of `columns` elements that fit no other way are short enough for an operand that stands still along
    /// them to be put in order.
    pub(crate) fn is_arranged_row(columns: usize, widest: usize, bytes: usize, machine: &Machine) -> bool {
        machine.arranges && bytes > FEW_BYTES && columns.saturating_mul(widest) <= ARRANGED_ROW
    }

    /// Shapes the tile around an operand that is put in order; `false`: none can be, or nothing is gained.
    pub(crate) fn shape_arranged(&mut self, machine: &Machine) -> bool {
        if !machine.arranges || self.is_move || self.bytes <= FEW_BYTES {
            return false;
        }
        let widest = self.widest();
        let once = if self.bytes > machine.l2 { ONCE_ROW.min(once_bytes(machine)) } else { ONCE_ROW };
        let longest = self.longest_tile(machine);
        for axis in 0..self.nest.sizes.len() {
            let (size, inner) = (self.nest.sizes[axis], self.nest.sizes[axis + 1..].iter().product::<usize>());
            self.tile = Tile { axis, length: size, inner, row_axis: axis, rows: 1 };
            let Some((leaf, twin, packs)) = self.to_arrange(machine) else { continue };
            let outside = axis.checked_sub(1).map(|axis| (self.nest.sizes[axis], self.nest.walks[leaf].strides[axis]));
            if matches!(outside, Some((MANY.., 0))) && size * inner * widest <= once {
                // All rows are the same: packed once.
                return false;
            }
            // What the rows of a call share stays in the first level, and what comes again is written there a part after the other.
            let shares = axis > 0 && !packs && self.bytes <= machine.l2 && self.shares_rows(axis - 1);
            let again = !packs && self.vectors_again(leaf, axis, machine).is_some_and(|vectors| vectors > 1);
            let bytes = match (packs, shares || again) {
                (true, _) => ONCE_TILE,
                (_, true) => SHARED_ROW,
                _ => LONG_TILE,
            };
            let most = bytes.min(longest) / widest / inner;
            if most == 0 && (packs || again) {
                continue;
            }
            // Tiles begin on cycles of vectors where they have some; beyond the caches on cache lines of the output, and are even.
            let far = longest != usize::MAX;
            let steps = if far { line_steps(inner * self.binding.leaves[0].size) } else { 16 };
            self.tile.length = match most {
                _ if most < steps => most.max(1).min(size),
                _ if far => part(size, most, steps),
                _ => (most / steps * steps).min(size),
            };
            if (self.tile.length == size || shares) && axis > 0 && !packs {
                // The steps of the loop outside are rows of one call.
                let (rows, most) = (self.nest.sizes[axis - 1], LONG_TILE / widest / (self.tile.length * inner));
                let rows = rows.div_ceil(rows.div_ceil(most.clamp(1, rows)));
                self.tile = Tile { row_axis: axis - 1, rows, ..self.tile };
            }
            (self.arranged, self.twin) = (Some(leaf), twin);
            return true;
        }
        false
    }

    /// The leaf to put in order in a tile, if all others that are not contiguous or splat lie like it or repeat along the cut
    /// loop; one that lies like it; and whether there are some that repeat.
    fn to_arrange(&self, machine: &Machine) -> Option<(usize, Option<usize>, bool)> {
        let (mut moving, mut twin, mut standing, mut packs) = (None::<usize>, None, None, 0);
        for leaf in 0..self.binding.leaves.len() {
            if matches!(self.access_in_tile(leaf), Access::Packed { .. }) {
                let moves = self.nest.walks[leaf].strides[self.tile.axis] != 0;
                match moving {
                    Some(first) if moves => {
                        let alike = self.nest.walks[leaf].strides == self.nest.walks[first].strides;
                        if !alike || twin.replace(leaf).is_some() {
                            return None;
                        }
                    }
                    None if moves => moving = Some(leaf),
                    _ => {}
                }
                if !moves {
                    standing = Some(leaf);
                    packs += 1;
                }
            }
        }
        if let (None, Some(leaf), 1) = (moving, standing, packs) {
            // It repeats along the cut loop, and is another one for every step of a loop outside.
            let moves = self.nest.walks[leaf].strides[..self.tile.axis].iter().any(|&stride| stride != 0);
            return (moves && self.can_arrange(leaf, machine)).then_some((leaf, None, false));
        }
        let serves =
            |&leaf: &usize| self.can_arrange(leaf, machine) && twin.is_none_or(|leaf| self.can_arrange(leaf, machine));
        moving.filter(serves).map(|leaf| (leaf, twin, packs > 0))
    }

    /// Whether an input lies the same for all steps of a loop outside the tile, and is not one element over it.
    fn shares_rows(&self, row_axis: usize) -> bool {
        let stands = |&leaf: &usize| self.nest.walks[leaf].strides[row_axis] == 0;
        (0..self.binding.leaves.len()).filter(stands).any(|leaf| self.access_in_tile(leaf) == Access::Contiguous)
    }

    /// Whether a leaf is a row that comes again and again over the steps of loop `axis`, or of the loop inside it: vectors of it
    /// are put in order once, and used each time. It is a few vectors, with the steps that make whole ones of it.
    pub(crate) fn comes_again(&self, leaf: usize, axis: usize, machine: &Machine) -> bool {
        self.vectors_again(leaf, axis, machine).is_some()
    }

    /// Whether vectors of a tile may be written in any order. Beyond the second-level cache, what is written in order takes less time; tiles
    /// that may be [streamed](Schedule::is_worth_streaming) are written in scratch first.
    pub fn writes_anywhere(&self, machine: &Machine) -> bool {
        self.bytes <= machine.l2 || self.longest_tile(machine) != usize::MAX
    }

    /// How many vectors come again of a leaf, if it [does](Schedule::comes_again).
    fn vectors_again(&self, leaf: usize, axis: usize, machine: &Machine) -> Option<usize> {
        // A tile has them four times at least.
        let most = match self.longest_tile(machine) {
            usize::MAX if self.bytes > machine.l2 => TOGETHER,
            bytes => MOST_AGAIN.min(bytes / (FEWEST_TIMES * machine.vector_bytes)),
        };
        let (strides, sizes) = (&self.nest.walks[leaf].strides[axis..], &self.nest.sizes[axis..]);
        let at = strides.iter().take(2).position(|&stride| stride == 0)?;
        let (row, size) = (&sizes[at + 1..], self.binding.leaves[leaf].size);
        let mut expect = size as isize;
        let dense = strides[at + 1..].iter().zip(row).rev().all(|(&stride, &n)| {
            let follows = stride == expect;
            expect = stride.wrapping_mul(n as isize);
            follows
        });
        let (columns, lanes) = (row.iter().product::<usize>(), (machine.vector_bytes / size).max(1));
        let steps = lanes / gcd(lanes, columns);
        let is_whole = at == 0 || sizes[at].is_multiple_of(steps);
        let times = sizes[at] / steps;
        let comes = dense
            && !row.is_empty()
            && is_whole
            && steps * columns <= most * lanes
            && times >= fewest_times(size, steps * columns / lanes).max(FEWEST_TIMES);
        comes.then(|| steps * columns / lanes)
    }

    /// Whether a kernel may put a leaf in order over the tile: an operand of two, or both, of elements that lie close, in
    /// cycles of few vectors; or a row that [comes again](Schedule::comes_again).
    pub(crate) fn can_arrange(&self, leaf: usize, machine: &Machine) -> bool {
        let args = &self.binding.steps[0].args;
        let is_used = args.contains(&Place::Leaf(leaf));
        let size = self.binding.leaves[leaf].size;
        let Tile { axis, inner, .. } = self.tile;
        let lanes = machine.vector_bytes / size;
        let (strides, sizes) = (&self.nest.walks[leaf].strides[axis..], &self.nest.sizes[axis..]);
        let is_backwards = || inner == 1 && strides[0] == -(size as isize);
        // Elements that lie close, in a cycle of few vectors, each out of two windows.
        let innermost = strides.iter().zip(sizes).enumerate().rev().find(|&(_, (&stride, _))| stride != 0);
        let is_short = |(i, (&stride, &n)): (usize, (&isize, &usize))| {
            stride <= 4 * size as isize && (i == 0 || stride != size as isize || n * size < 2 * machine.vector_bytes)
        };
        let is_close = || {
            strides.iter().all(|stride| (0..=MOST_GAP).contains(stride))
                && innermost.is_some_and(is_short)
                && inner / gcd(lanes.max(1), inner.max(1)) <= MOST_CYCLE
        };
        args.len() == 2
            && is_used
            && !self.binding.leaves[leaf].output
            && size <= MOST_SIZE
            && (is_backwards() || is_close() || self.comes_again(leaf, axis, machine))
    }
}

/// The fewest times that a cycle of so many vectors comes again where each is made once for all times, not one by one. Elements
/// of 2 bytes may be converted with that.
pub const fn fewest_times(size: usize, vectors: usize) -> usize {
    match (size, vectors) {
        (2, _) => 2,
        (_, 2..8) => 8,
        _ => 4,
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Bytes of the longest rows along which an operand that stands still is put in order (in longer ones it is a splat), and of those
/// that come again.
const ARRANGED_ROW: usize = 8 * LINE;
/// Bytes of a tile that packs nothing: tasks are shares of tiles.
const LONG_TILE: usize = 64 << 10;
/// Bytes of a tile with operands that are packed once.
const ONCE_TILE: usize = 4 << 10;
/// Bytes of its rows where they share an operand, or one comes again in them.
const SHARED_ROW: usize = 8 << 10;
/// The most vectors of rows that come again, with the steps that make whole vectors of them.
pub const MOST_AGAIN: usize = 24;
/// The most of those that kernels hold in registers together while all that they meet passes by, and so write in order.
pub const TOGETHER: usize = 6;
/// The fewest times that they come.
const FEWEST_TIMES: usize = 4;
/// Bytes of the longest rows that are packed once where they repeat.
const ONCE_ROW: usize = 8 << 10;
/// Bytes of the largest elements that are put in order.
const MOST_SIZE: usize = 8;
/// The most vectors of a cycle.
const MOST_CYCLE: usize = 64;
/// The most bytes between elements of an operand that is put in order.
const MOST_GAP: isize = 4 << 10;
