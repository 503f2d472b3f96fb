//! Vectors permuted from windows of memory.
//!
//! A unit is a few vectors of the destination. [`Vectors`] finds their windows and indices; this module chooses the unit and
//! estimates the cost.
//!
//! | form | a window | indices |
//! |---|---|---|
//! | chain | as long as a vector of 64 bytes | one permute for each window but the first. An index takes an element from the new window, or keeps the one that the vector already has |
//! | lookup | 16 bytes, for each block of the vector | one byte lookup for each set of windows; their results are combined by *or* |

use eltwise_core::tables::{CopyTable, CopyWay, Permute, Tables};
use smallvec::SmallVec;

use super::vectors::{Form, Order, Vectors};
use super::{CopyLoop, CopyNest, are_close, extent, fits_i32, gcd, places, total};
use crate::cpu_model::CopyCosts;
use crate::target::{KernelCapabilities, Target};
use crate::tuning::{PERMUTE_MAX_WINDOWS, PERMUTE_UNIT};

/// The costs of 64 bytes: of the first window, and of each one more. `is_one`: units are one vector.
fn costs_of(form: Form, costs: &CopyCosts, is_one: bool) -> [u32; 2] {
    match (form.is_chain(), is_one) {
        (true, true) => costs.vector_64,
        (true, false) => costs.permute_64,
        (false, true) => costs.vector_16,
        (false, false) => costs.permute_16,
    }
}

/// A copy by permutes, with its cost in picoseconds.
pub(super) struct Candidate {
    pub(super) cost: u64,
    /// The outermost loop of a unit, and its iterations there.
    axis: usize,
    steps: usize,
    form: Form,
}

impl Candidate {
    /// The unit and its cost; `None` if there is none.
    pub(super) fn of(nest: &CopyNest, kernels: &KernelCapabilities, costs: &CopyCosts) -> Option<Candidate> {
        let (size, loops) = (nest.size, &nest.loops[..]);
        let form = Form::of(size, kernels)?;
        let is_even = loops.iter().all(|l| l.from.unsigned_abs().is_multiple_of(size));
        if !is_even || !fits_i32(loops) {
            return None;
        }
        let (axis, steps) = unit(nest, form.vector)?;
        let unit = unit_loops(loops, axis, steps);
        if !nest.reads_gaps {
            let (first, end) = extent(size, &unit);
            if end - first < form.window as i64 || !are_close(size, &unit) {
                return None;
            }
        }
        let eighths = window_eighths(size, &unit, form.window);
        if eighths > 8 * PERMUTE_MAX_WINDOWS {
            return None;
        }
        let bytes = unit.iter().map(|l| l.size).product::<usize>() * size;
        let inside = bytes / steps;
        let units = (loops[axis].size.div_ceil(steps)) * (nest.elements() * size / (inside * loops[axis].size));
        let vectors = bytes.div_ceil(form.vector);
        let [first, more] = costs_of(form, costs, vectors == 1).map(|cost| total(form.vector, cost) / 64);
        let each = first + more * (eighths as u64 - 8) / 8;
        let rows: usize = loops[..axis].iter().map(|l| l.size).product();
        let cost = total(units * vectors, each) + total(rows, costs.permute_row) + u64::from(costs.call);
        Some(Candidate { cost, axis, steps, form })
    }

    /// Builds the table, and adds its lists to `tables`.
    pub(super) fn build(&self, nest: &CopyNest, kernels: &KernelCapabilities, tables: &mut Tables) -> CopyTable {
        let (size, loops) = (nest.size, &nest.loops[..]);
        let unit = unit_loops(loops, self.axis, self.steps);
        let CopyLoop { size: n, from, to } = loops[self.axis];
        let at = |step: usize| [from as i64 * step as i64, to as i64 * step as i64];
        let outer = places(&loops[..self.axis]);
        let last = outer.iter().map(|place| place[0]).max().unwrap_or(0) + at(n - self.steps)[0].max(0);
        let permute = Permute {
            count: n / self.steps,
            step: at(self.steps),
            // The last unit ends with the loop.
            rest: (!n.is_multiple_of(self.steps)).then(|| at(n - self.steps)),
            ..Vectors::new(size, self.form, &unit, kernels.blocks, Order::ByWindows).table(&outer, tables)
        };
        let reach = nest.reach(last + i64::from(permute.reach));
        CopyTable { size, way: CopyWay::Permute(permute), reach }
    }
}

/// What it takes to permute the vectors of a unit for a unit kernel.
pub(crate) struct UnitCost {
    /// The estimated windows of a vector.
    pub(crate) windows: usize,
    /// Picoseconds for 64 bytes: in units of one vector, and in others.
    pub(crate) costs: [u64; 2],
}

/// The estimated cost of a unit; `None` if the kernels cannot permute it. `reads_gaps`: the operand is [close](super::is_close).
pub(crate) fn unit_cost(size: usize, unit: &[CopyLoop], reads_gaps: bool, target: &Target) -> Option<UnitCost> {
    let form = Form::of(size, &target.kernels)?;
    let is_even = unit.iter().all(|l| l.from.unsigned_abs().is_multiple_of(size));
    let is_readable = reads_gaps || {
        let (first, end) = extent(size, unit);
        end - first >= form.window as i64 && are_close(size, unit)
    };
    if !is_even || !fits_i32(unit) || !is_readable {
        return None;
    }
    // All vectors of a unit have as many.
    let windows = window_eighths(size, unit, form.window).div_ceil(8);
    let costs = &target.cpu.tiles;
    let costs = if form.is_chain() { costs.unit_64 } else { costs.unit_16 };
    let costs = costs.map(|[first, more]| u64::from(first) + u64::from(more) * (windows as u64 - 1));
    Some(UnitCost { windows, costs })
}

/// The table of a unit whose vectors follow each other, for a unit kernel.
pub fn unit_table(
    size: usize,
    unit: &[CopyLoop],
    kernels: &KernelCapabilities,
    tables: &mut Tables,
) -> Option<Permute> {
    let form = Form::of(size, kernels)?;
    Some(Vectors::new(size, form, unit, kernels.blocks, Order::AsStored).table(&[[0, 0]], tables))
}

/// The outermost loop of a unit, and how many of its iterations: whole vectors if that takes few bytes. `None` if the nest is
/// shorter than a vector, or not dense in the destination.
fn unit(nest: &CopyNest, vector: usize) -> Option<(usize, usize)> {
    let dense_from = nest.loops.len() - nest.dense_loops();
    let mut bytes = nest.size;
    for axis in (dense_from..nest.loops.len()).rev() {
        let n = nest.loops[axis].size;
        if bytes * n < PERMUTE_UNIT.max(vector) && axis > dense_from {
            bytes *= n;
            continue;
        }
        if bytes * n < vector {
            return None;
        }
        let whole = vector / gcd(vector, bytes);
        if whole * bytes == vector && whole <= n {
            // Units of one vector need one set of index vectors, which stays in registers.
            return Some((axis, whole));
        }
        let steps = if whole * bytes <= 2 * PERMUTE_UNIT {
            (PERMUTE_UNIT / (whole * bytes)).max(1) * whole
        } else {
            PERMUTE_UNIT / bytes
        };
        let steps = steps.max(vector.div_ceil(bytes)).min(n);
        // Units of one length, if there is one between a half and the whole.
        let multiples = (1..=steps / whole).rev().map(|multiple| multiple * whole);
        let even = multiples.take_while(|&multiple| 2 * multiple >= steps).find(|&multiple| n.is_multiple_of(multiple));
        let steps = if bytes * n <= 2 * PERMUTE_UNIT { n } else { even.unwrap_or(steps) };
        return Some((axis, steps));
    }
    None
}

/// The loops of a unit.
fn unit_loops(loops: &[CopyLoop], axis: usize, steps: usize) -> SmallVec<[CopyLoop; 8]> {
    let mut unit: SmallVec<[CopyLoop; 8]> = SmallVec::from_slice(&loops[axis..]);
    unit[0].size = steps;
    unit
}

/// An estimate from strides alone of the windows of a vector, or of a block: loops with small strides share a window, those
/// with larger ones multiply. In eighths.
fn window_eighths(size: usize, unit: &[CopyLoop], window: usize) -> usize {
    // Elements still to be counted, and those of each loop, in halves: where a vector does not end with a loop, it meets half
    // an iteration more of the next one.
    let mut left = 2 * window / size;
    let mut counted: SmallVec<[(usize, usize); 8]> = SmallVec::new();
    for l in unit.iter().rev() {
        if l.from != 0 {
            counted.push((l.from.unsigned_abs(), left.min(2 * l.size)));
        }
        if left <= 2 * l.size {
            break;
        }
        left = 2 * left.div_ceil(2 * l.size) + usize::from(!left.is_multiple_of(2 * l.size));
    }
    counted.sort_unstable();
    let (mut extent, mut eighths) = (size, 8);
    for (stride, halves) in counted {
        let whole = extent + stride * (halves.max(2) - 2) / 2;
        if whole <= window {
            extent = whole;
        } else if stride < window {
            let shared = (window - extent) / stride + 1;
            eighths = (eighths * halves / (2 * shared)).max(eighths);
            extent = window;
        } else {
            eighths = (eighths * halves / 2).max(eighths);
        }
    }
    eighths
}
