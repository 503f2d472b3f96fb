//! Copies of a loop nest from one layout to another: packing, unpacking, and steps that only move elements.
//!
//! | way | elements | module |
//! |---|---|---|
//! | runs, fills | contiguous, or one that repeats; or one element at a time | `runs` |
//! | permute | in few windows of memory for each vector of the destination | `permute` |
//! | transpose | close in the source, apart in the destination | `transpose` |
//!
//! Each way has an estimated cost; the cheapest wins. All ways give the same bits.

pub(crate) mod permute;
mod runs;
mod transpose;
mod vectors;

use alloc::vec::Vec;

use eltwise_core::tables::{CopyTable, Place, Tables};
use smallvec::SmallVec;

use crate::strategy::ways::Ways;
use crate::target::{KernelCapabilities, Target};

/// The cost of a way that is not allowed: more than that of any other.
const FORBIDDEN: u64 = 1 << 40;

/// A loop of a copy: its size, and the bytes from one iteration to the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CopyLoop {
    /// Iterations.
    pub size: usize,
    /// In the source.
    pub from: isize,
    /// In the destination.
    pub to: isize,
}

/// The loops of a copy, outermost first in the destination, without loops of size 1, and with neighbours coalesced.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopyNest {
    /// Bytes of an element.
    size: usize,
    loops: SmallVec<[CopyLoop; 8]>,
    /// Whether all bytes between the first and the last element of the operand may be read.
    reads_gaps: bool,
}

pub use permute::unit_table;

/// A table with its lists.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CopyPlan {
    /// The table.
    pub table: CopyTable,
    /// The lists of the table.
    pub tables: Tables,
}

/// Bytes of the smallest page of memory. Where elements are closer than that, every byte between them is readable.
const PAGE: usize = 4 << 10;

impl CopyNest {
    /// The nest of these loops over elements of `size` bytes. `reads_gaps`: the source is [close](is_close).
    pub fn new(size: usize, loops: impl IntoIterator<Item = CopyLoop>, reads_gaps: bool) -> CopyNest {
        let mut nest = CopyNest { size, loops: SmallVec::new(), reads_gaps };
        for l in loops.into_iter().filter(|l| l.size != 1) {
            let is_outside = |other: &CopyLoop| other.to.unsigned_abs() >= l.to.unsigned_abs();
            match nest.loops.iter().rposition(is_outside) {
                Some(at) => nest.loops.insert(at + 1, l),
                None => nest.loops.insert(0, l),
            }
        }
        nest.coalesce();
        nest.widen();
        nest
    }

    /// Makes neighbours one loop where the outer one goes on where the inner one ends.
    fn coalesce(&mut self) {
        let mut kept = 0;
        for i in 1..self.loops.len() {
            let (outer, l) = (self.loops[kept], self.loops[i]);
            if follows(outer.from, l.from, l.size) && follows(outer.to, l.to, l.size) {
                self.loops[kept] = CopyLoop { size: outer.size * l.size, ..l };
            } else {
                kept += 1;
                self.loops[kept] = l;
            }
        }
        self.loops.truncate(kept + 1);
    }

    /// Makes elements of several contiguous ones, if the innermost loop is so short.
    fn widen(&mut self) {
        if let Some(&CopyLoop { size, from, to }) = self.loops.last()
            && (from, to) == (self.size as isize, self.size as isize)
            && [2, 4, 8, 16].contains(&(size * self.size))
        {
            self.loops.pop();
            self.size *= size;
        }
    }

    fn elements(&self) -> usize {
        self.loops.iter().map(|l| l.size).product()
    }

    /// The number of inner loops that are dense in the destination.
    fn dense_loops(&self) -> usize {
        let mut expect = self.size as isize;
        let dense = |l: &&CopyLoop| {
            let follows = l.to == expect;
            expect = l.to.wrapping_mul(l.size as isize);
            follows
        };
        self.loops.iter().rev().take_while(dense).count()
    }

    /// The estimated time of the cheapest plan, in picoseconds.
    pub fn cost(&self, target: &Target) -> u64 {
        let (runs, permute, transpose) = self.candidates(target);
        let permute = permute.map_or(u64::MAX, |candidate| candidate.cost);
        let transpose = transpose.map_or(u64::MAX, |candidate| candidate.cost);
        runs.cost.min(permute).min(transpose)
    }

    /// The ways of copying. Runs always can, but at a [high cost](FORBIDDEN) if they are not [allowed](Ways).
    fn candidates(
        &self,
        target: &Target,
    ) -> (runs::Candidate, Option<permute::Candidate>, Option<transpose::Candidate>) {
        let (kernels, costs, ways) = (&target.kernels, &target.cpu.copies, Ways::allowed());
        let mut runs = runs::Candidate::of(self, costs);
        if !ways.has(Ways::RUNS) {
            runs.cost = FORBIDDEN;
        }
        let permute = ways.has(Ways::PERMUTES).then(|| permute::Candidate::of(self, kernels, costs)).flatten();
        let transpose = ways.has(Ways::TRANSPOSES).then(|| transpose::Candidate::of(self, kernels, costs)).flatten();
        (runs, permute, transpose)
    }

    /// The cheapest plan for a target.
    pub fn plan(&self, target: &Target) -> CopyPlan {
        let kernels = &target.kernels;
        let (runs, permute, transpose) = self.candidates(target);
        let (permute_cost, transpose_cost) =
            (permute.as_ref().map_or(u64::MAX, |c| c.cost), transpose.as_ref().map_or(u64::MAX, |c| c.cost));
        let mut tables = Tables::default();
        let table = match (permute, transpose) {
            (Some(candidate), _) if permute_cost < runs.cost.min(transpose_cost) => {
                candidate.build(self, kernels, &mut tables)
            }
            (_, Some(candidate)) if transpose_cost < runs.cost => candidate.build(self, kernels, &mut tables),
            _ => runs.build(self, &mut tables),
        };
        CopyPlan { table, tables }
    }

    /// The [reach](CopyTable::reach) of a table that reads the source up to `end`.
    fn reach(&self, end: i64) -> i64 {
        if end > extent(self.size, &self.loops).1 { end } else { 0 }
    }
}

/// Whether a loop with stride `outer` goes on where the loop inside it, with stride `inner` and `size` iterations, ends.
fn follows(outer: isize, inner: isize, size: usize) -> bool {
    inner.checked_mul(size as isize) == Some(outer)
}

/// The first and the last byte, exclusive, of the source of loops, from element `[0, 0, ...]`.
fn extent(size: usize, loops: &[CopyLoop]) -> (i64, i64) {
    let mut extent = (0, size as i64);
    for l in loops {
        let last = (l.from as i64).saturating_mul(l.size as i64 - 1);
        extent = (extent.0 + last.min(0), extent.1 + last.max(0));
    }
    extent
}

/// Whether every byte between the first and the last element of an operand, of elements of `size` bytes, is on a page that has
/// an element.
pub fn is_close(size: usize, loops: impl Iterator<Item = (usize, isize)>) -> bool {
    let mut by_stride: SmallVec<[(usize, usize); 8]> =
        loops.filter(|&(n, stride)| n > 1 && stride != 0).map(|(n, s)| (s.unsigned_abs(), n)).collect();
    by_stride.sort_unstable();
    let mut span = size;
    by_stride.into_iter().all(|(stride, steps)| {
        let reached = span;
        span = span.saturating_add(steps.saturating_sub(1).saturating_mul(stride));
        stride < reached.saturating_add(PAGE)
    })
}

/// Whether the source of loops is [close](is_close).
fn are_close(size: usize, loops: &[CopyLoop]) -> bool {
    is_close(size, loops.iter().map(|l| (l.size, l.from)))
}

/// The places of all iterations of loops.
fn places(loops: &[CopyLoop]) -> Vec<Place> {
    let mut all: Vec<Place> = alloc::vec![[0, 0]];
    for l in loops.iter().rev() {
        let inside = all.len();
        all.reserve(inside * (l.size - 1));
        for i in 1..l.size as i64 {
            let step = [l.from as i64 * i, l.to as i64 * i];
            (0..inside).for_each(|k| all.push([all[k][0] + step[0], all[k][1] + step[1]]));
        }
    }
    all
}

/// The offsets of all iterations of loops of so many iterations and strides; they fit, because [`fits_i32`] is true. There is room
/// for `more`.
fn offsets(loops: impl DoubleEndedIterator<Item = (usize, isize)> + Clone, more: usize) -> Vec<i32> {
    let count = loops.clone().map(|(size, _)| size).product::<usize>();
    let mut all = Vec::with_capacity(count + more);
    all.push(0);
    for (size, stride) in loops.rev() {
        let inside = all.len();
        for i in 1..size {
            let by = (stride * i as isize) as i32;
            all.extend_from_within(..inside);
            all[i * inside..].iter_mut().for_each(|at| *at += by);
        }
    }
    all
}

/// Whether all offsets of loops are numbers of 32 bits.
fn fits_i32(loops: &[CopyLoop]) -> bool {
    let reach = |stride: fn(&CopyLoop) -> isize| {
        loops.iter().fold(0usize, |sum, l| sum.saturating_add(stride(l).unsigned_abs().saturating_mul(l.size)))
    };
    reach(|l| l.from).max(reach(|l| l.to)) < 1 << 30
}

/// The greatest common divisor.
pub(super) fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whether there are kernels that transpose and permute elements of `size` bytes.
fn has_blocks(kernels: &KernelCapabilities, size: usize) -> bool {
    kernels.blocks > 0 && size <= 8
}

/// Picoseconds of `count` parts of `cost` picoseconds.
pub(super) fn total(count: usize, cost: impl Into<u64>) -> u64 {
    (count as u64).saturating_mul(cost.into())
}
