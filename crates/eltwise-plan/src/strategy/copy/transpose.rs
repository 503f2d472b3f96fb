//! Transpositions in registers, described by tables.
//!
//! Some loops with small strides in the source are covered by windows of 16 bytes: `windows`. The loops inside of them in the
//! destination are the elements of its rows: `rows`. A kernel loads one window for each element of a block of rows,
//! transposes the block in registers, and stores a vector to each row. All other loops are a list of places.

use alloc::vec::Vec;

use eltwise_core::tables::{CopyTable, CopyWay, NO_ROW, Store, Tables, Transpose};
use smallvec::SmallVec;

use super::{CopyLoop, CopyNest, are_close, extent, fits_i32, has_blocks, offsets, places, total};
use crate::cpu_model::CopyCosts;
use crate::target::KernelCapabilities;
use crate::tuning::{TRANSPOSE_MAX_COVERED, TRANSPOSE_PARTIAL_PERCENT};

/// Bytes of a window.
const WINDOW: usize = 16;

/// A transposition, with its cost in picoseconds.
pub(super) struct Candidate {
    pub(super) cost: u64,
    /// Which loops the windows cover, and the innermost of them.
    covered: u32,
    innermost: usize,
}

impl Candidate {
    /// The cheapest transposition; `None` if there is none.
    pub(super) fn of(nest: &CopyNest, kernels: &KernelCapabilities, costs: &CopyCosts) -> Option<Candidate> {
        let (loops, size) = (&nest.loops[..], nest.size);
        if loops.len() < 2 || loops.len() > 32 || !has_blocks(kernels, size) || !fits_i32(loops) {
            return None;
        }
        let dense_from = loops.len() - nest.dense_loops();
        let mut by_stride: SmallVec<[usize; 8]> = (0..loops.len()).filter(|&i| loops[i].from != 0).collect();
        by_stride.sort_unstable_by_key(|&i| loops[i].from.unsigned_abs());
        let (mut best, mut covered, mut innermost) = (None::<Candidate>, 0u32, 0);
        // The bytes of one run of the covered loops, and the number of runs.
        let (mut run, mut runs) = (size, 1usize);
        for &i in by_stride.iter().take(TRANSPOSE_MAX_COVERED) {
            if i == loops.len() - 1 {
                break;
            }
            let (n, stride) = (loops[i].size, loops[i].from.unsigned_abs());
            if stride < run + WINDOW {
                run += stride * (n - 1);
            } else {
                runs = runs.saturating_mul(n);
            }
            covered |= 1 << i;
            innermost = innermost.max(i);
            let rows: usize = loops[innermost + 1..].iter().map(|l| l.size).product();
            if innermost + 1 < dense_from || rows * size < WINDOW / 2 || !may_read(nest, covered) {
                continue;
            }
            let outer: usize = (0..innermost).filter(|&j| covered >> j & 1 == 0).map(|j| loops[j].size).product();
            let vector = blocks_for(rows, size, kernels);
            let block_rows = WINDOW / size * vector;
            let blocks = outer * rows.div_ceil(block_rows);
            let per_window = costs.transpose[usize::from(vector == 4)][size.trailing_zeros() as usize];
            let is_partial = rows < block_rows;
            let per_window = if is_partial { per_window * TRANSPOSE_PARTIAL_PERCENT / 100 } else { per_window };
            let windows = runs * run.div_ceil(WINDOW);
            let cost = total(blocks * block_rows, costs.transpose_row)
                + total(blocks * windows, per_window)
                + u64::from(costs.call);
            if best.as_ref().is_none_or(|best| cost < best.cost) {
                best = Some(Candidate { cost, covered, innermost });
            }
        }
        best
    }

    pub(super) fn build(&self, nest: &CopyNest, kernels: &KernelCapabilities, tables: &mut Tables) -> CopyTable {
        let (size, loops) = (nest.size, &nest.loops[..]);
        let inside = &loops[self.innermost + 1..];
        let outside: SmallVec<[CopyLoop; 8]> =
            (0..self.innermost).filter(|&i| self.covered >> i & 1 == 0).map(|i| loops[i]).collect();
        let covered = covered_loops(loops, self.covered);
        let (windows, places_of_windows) = cover(size, &covered);
        let mut rows = offsets(inside.iter().map(|l| (l.size, l.from)), 0);
        let blocks = blocks_for(rows.len(), size, kernels);
        let store = fill_block(&mut rows, size, blocks);
        let outer = places(&outside);
        let greatest = |list: &[i32]| i64::from(list.iter().copied().max().unwrap_or(0));
        let read = outer.iter().map(|place| place[0]).max().unwrap_or(0)
            + greatest(&rows)
            + greatest(&windows)
            + WINDOW as i64;
        let has_gaps = places_of_windows.contains(&NO_ROW);
        let transpose = Transpose {
            outer: tables.push(&outer),
            rows: tables.push(&rows),
            windows: tables.push(&windows),
            places: tables.push(&places_of_windows),
            has_gaps,
            store,
            blocks,
        };
        let reach = nest.reach(read);
        CopyTable { size, way: CopyWay::Transpose(transpose), reach }
    }
}

/// The covered loops, largest stride in the source first.
fn covered_loops(loops: &[CopyLoop], covered: u32) -> SmallVec<[CopyLoop; 4]> {
    let mut found: SmallVec<[CopyLoop; 4]> =
        (0..loops.len()).filter(|&i| covered >> i & 1 == 1).map(|i| loops[i]).collect();
    found.sort_by_key(|l| core::cmp::Reverse(l.from.unsigned_abs()));
    found
}

/// Whether windows over the covered loops read only what is readable: gaps of less than a page between elements, and what
/// follows them if the operand goes on there.
fn may_read(nest: &CopyNest, covered: u32) -> bool {
    if nest.reads_gaps {
        return true;
    }
    let covered = covered_loops(&nest.loops, covered);
    let (first, end) = extent(nest.size, &covered);
    // The last window can end with the elements only if they are whole elements apart.
    let is_even = covered.iter().all(|l| l.from.unsigned_abs().is_multiple_of(nest.size));
    is_even && end - first >= WINDOW as i64 && are_close(nest.size, &covered)
}

/// Windows that cover loops, and for each element of each window its row in the destination, or [`NO_ROW`].
fn cover(size: usize, loops: &[CopyLoop]) -> (Vec<i32>, Vec<i32>) {
    if let &[l] = loops
        && l.from.unsigned_abs() == size
        && l.size * size >= WINDOW
    {
        return cover_run(size, l);
    }
    let from = offsets(loops.iter().map(|l| (l.size, l.from)), 0);
    let to = offsets(loops.iter().map(|l| (l.size, l.to)), 0);
    let mut elements: Vec<(i32, i32)> = from.into_iter().zip(to).collect();
    if !elements.is_sorted() {
        elements.sort_unstable();
    }
    let (width, size) = (WINDOW as i32, size as i32);
    let (first, end) = (elements[0].0, elements[elements.len() - 1].0 + size);
    let lanes = WINDOW / size as usize;
    let (mut windows, mut places) = (Vec::new(), Vec::new());
    let mut next = 0;
    while next < elements.len() {
        // The last window ends with the elements.
        let mut window = elements[next].0.min((end - width).max(first));
        if (elements[next].0 - window) % size != 0 {
            window = elements[next].0;
        }
        let at = places.len();
        places.resize(at + lanes, NO_ROW);
        // Elements before the next one may be in this window as well; they are stored again.
        let (begin, back) = (next, elements[..next].iter().rev().take_while(|element| element.0 >= window).count());
        for (i, &(from, to)) in elements.iter().enumerate().skip(begin - back) {
            // A window stores each byte of the source once. If the source overlaps itself, the next window has the rest.
            let is_stored = i > begin && elements[i - 1].0 == from;
            if from + size > window + width || is_stored {
                break;
            }
            if (from - window) % size != 0 {
                if i >= begin {
                    break;
                }
                continue;
            }
            places[at + ((from - window) / size) as usize] = to;
            next = next.max(i + 1);
        }
        windows.push(window);
    }
    (windows, places)
}

/// As [`cover`], for one loop that is contiguous in the source, forward or backward.
fn cover_run(size: usize, l: CopyLoop) -> (Vec<i32>, Vec<i32>) {
    let (lanes, n) = (WINDOW / size, l.size);
    let count = n.div_ceil(lanes);
    let (mut windows, mut places) = (Vec::with_capacity(count), Vec::with_capacity(count * lanes));
    // The lowest address is that of the last iteration if the loop goes backward.
    let (first, first_to, step) = match l.from {
        1.. => (0, 0, l.to),
        _ => (l.from * (n as isize - 1), l.to * (n as isize - 1), -l.to),
    };
    for window in 0..count {
        // The last window ends with the elements.
        let at = (window * lanes).min(n - lanes) as isize;
        windows.push((first + at * size as isize) as i32);
        places.extend((at..at + lanes as isize).map(|i| (first_to + i * step) as i32));
    }
    (windows, places)
}

/// Blocks of the vectors that rows of so many elements are transposed by: fewer for short rows, if the ISA has them.
fn blocks_for(rows: usize, size: usize, kernels: &KernelCapabilities) -> usize {
    if rows * size < WINDOW * kernels.blocks { kernels.blocks.min(2) } else { kernels.blocks }
}

/// Makes the rows of a transposition at least one block, and says how blocks are stored.
fn fill_block(rows: &mut Vec<i32>, size: usize, blocks: usize) -> Store {
    let (count, lanes) = (rows.len(), WINDOW / size);
    if count >= lanes * blocks {
        return Store::Whole;
    }
    let given = core::mem::take(rows);
    if count >= lanes {
        // Blocks that overlap: none begins later than the one that ends with the rows.
        for block in 0..blocks {
            rows.extend_from_slice(&given[(block * lanes).min(count - lanes)..][..lanes]);
        }
        return Store::Overlapping(((count - lanes) * size) as i32);
    }
    let half = lanes / 2;
    rows.extend_from_slice(&given[..half]);
    (1..2 * blocks).for_each(|_| rows.extend_from_slice(&given[count - half..]));
    Store::Halves(((count - half) * size) as i32)
}
