//! Vectors permuted from windows of memory.
//!
//! A unit is a few vectors of the destination. For each vector, the windows that hold its elements are found greedily: the
//! first begins with the element of the lowest address, the next with the lowest that the first does not hold, and so on. No
//! choice of windows needs fewer.
//!
//! | form | a window | indices |
//! |---|---|---|
//! | chain | as long as a vector of 64 bytes | one permute for each window but the first. An index takes an element from the new window, or keeps the one that the vector already has |
//! | lookup | 16 bytes, for each block of the vector | one byte lookup for each set of windows; their results are combined by *or* |

use alloc::vec::Vec;

use eltwise_core::tables::{CopyTable, CopyWay, Line, Permute, Place, Tables};
use smallvec::SmallVec;

use super::{CopyLoop, CopyNest, are_close, extent, fits_i32, gcd, has_blocks, offsets, places, total};
use crate::cpu_model::CopyCosts;
use crate::target::{KernelCapabilities, Target};
use crate::tuning::{PERMUTE_MAX_WINDOWS, PERMUTE_UNIT};

/// How vectors are permuted.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Form {
    /// Bytes of a vector.
    vector: usize,
    /// Bytes of a window.
    window: usize,
}

impl Form {
    fn of(size: usize, kernels: &KernelCapabilities) -> Option<Form> {
        if !has_blocks(kernels, size) {
            return None;
        }
        Some(if size >= kernels.smallest_permuted {
            Form { vector: 64, window: 64 }
        } else {
            Form { vector: 16 * kernels.blocks, window: 16 }
        })
    }

    /// The costs of 64 bytes: of the first window, and of each one more. `is_one`: units are one vector.
    fn costs(self, costs: &CopyCosts, is_one: bool) -> [u32; 2] {
        match (self.is_chain(), is_one) {
            (true, true) => costs.vector_64,
            (true, false) => costs.permute_64,
            (false, true) => costs.vector_16,
            (false, false) => costs.permute_16,
        }
    }

    fn is_chain(self) -> bool {
        self.window == 64
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
        let [first, more] = form.costs(costs, vectors == 1).map(|cost| total(form.vector, cost) / 64);
        let each = first + more * (eighths as u64 - 8) / 8;
        Some(Candidate { cost: (units * vectors) as u64 * each + u64::from(costs.call), axis, steps, form })
    }

    /// Builds the table, and adds its lists to `tables`.
    pub(super) fn build(&self, nest: &CopyNest, kernels: &KernelCapabilities, tables: &mut Tables) -> CopyTable {
        let (size, loops) = (nest.size, &nest.loops[..]);
        let unit = unit_loops(loops, self.axis, self.steps);
        let mut program = Program::new(size, self.form, &unit, kernels.blocks);
        program.permute(false);
        let (first, end) = extent(size, &unit);
        let CopyLoop { size: n, from, to } = loops[self.axis];
        let at = |step: usize| [from as i64 * step as i64, to as i64 * step as i64];
        let outer = places(&loops[..self.axis]);
        let last = outer.iter().map(|place| place[0]).max().unwrap_or(0) + at(n - self.steps)[0].max(0);
        let permute = Permute {
            outer: tables.push(&outer),
            count: n / self.steps,
            step: at(self.steps),
            // The last unit ends with the loop.
            rest: (!n.is_multiple_of(self.steps)).then(|| at(n - self.steps)),
            groups: tables.push(&program.groups),
            windows: tables.push(&program.windows),
            indices: tables.push(&program.indices),
            extent: [first as i32, end as i32],
            reach: program.reach,
            is_shared: false,
        };
        let reach = nest.reach(last + i64::from(program.reach));
        CopyTable { size, way: CopyWay::Permute(permute), reach }
    }
}

/// What it takes to permute the vectors of a unit for a unit kernel.
pub(crate) struct UnitCost {
    /// The estimated windows of a vector.
    pub(crate) windows: usize,
    /// Picoseconds for 64 bytes.
    pub(crate) cost: u64,
    /// Whether all vectors have one window, which is the same for all of them.
    pub(crate) is_shared: bool,
}

/// The estimated cost of a unit; `None` if the kernels cannot permute it. `reads_gaps`: the operand is [close](super::is_close).
pub(crate) fn unit_cost(size: usize, unit: &[CopyLoop], reads_gaps: bool, target: &Target) -> Option<UnitCost> {
    let form = Form::of(size, &target.kernels)?;
    let is_even = unit.iter().all(|l| l.from.unsigned_abs().is_multiple_of(size));
    let (first, end) = extent(size, unit);
    let is_readable = reads_gaps || (end - first >= form.window as i64 && are_close(size, unit));
    if !is_even || !fits_i32(unit) || !is_readable {
        return None;
    }
    // All vectors of a unit have as many.
    let windows = window_eighths(size, unit, form.window).div_ceil(8);
    let bytes = unit.iter().map(|l| l.size).product::<usize>() * size;
    let costs = &target.cpu.tiles;
    let costs = if form.is_chain() { costs.unit_64 } else { costs.unit_16 };
    let is_shared = end - first <= form.window as i64;
    let [first, more] = costs[usize::from(bytes != form.vector && !is_shared)].map(u64::from);
    Some(UnitCost { windows, cost: first + more * (windows as u64 - 1), is_shared })
}

/// The table of a unit whose vectors follow each other, for a unit kernel.
pub fn unit_table(
    size: usize,
    unit: &[CopyLoop],
    kernels: &KernelCapabilities,
    tables: &mut Tables,
) -> Option<Permute> {
    let form = Form::of(size, kernels)?;
    let mut program = Program::new(size, form, unit, kernels.blocks);
    program.permute(true);
    let (first, end) = extent(size, unit);
    Some(Permute {
        outer: tables.push::<Place>(&[[0, 0]]),
        count: 1,
        step: [0, 0],
        rest: None,
        groups: tables.push(&program.groups),
        windows: tables.push(&program.windows),
        indices: tables.push(&program.indices),
        extent: [first as i32, end as i32],
        reach: program.reach,
        is_shared: program.is_shared(),
    })
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

/// The vectors of a unit.
struct Program {
    form: Form,
    size: usize,
    blocks: usize,
    /// Where each element is in the source.
    elements: Vec<i32>,
    /// The first and the last byte of the elements.
    extent: (i32, i32),
    groups: Vec<[i32; 2]>,
    windows: Vec<i32>,
    indices: Vec<Line>,
    /// Bytes in use of `indices`.
    used: usize,
    reach: i32,
}

/// Windows of a vector: one list, or one for each block.
type Windows = SmallVec<[i32; 8]>;

impl Program {
    fn new(size: usize, form: Form, unit: &[CopyLoop], blocks: usize) -> Program {
        let (first, end) = extent(size, unit);
        Program {
            form,
            size,
            blocks: if form.is_chain() { 1 } else { blocks },
            elements: offsets(unit.iter().map(|l| (l.size, l.from))),
            extent: (first as i32, end as i32),
            groups: Vec::new(),
            windows: Vec::new(),
            indices: Vec::new(),
            used: 0,
            reach: 0,
        }
    }

    /// Finds the windows of all vectors and adds them: those with the same number of windows together; or in order, all with the
    /// largest number (`in_order`).
    fn permute(&mut self, in_order: bool) {
        let lanes = self.form.vector / self.size;
        let count = self.elements.len();
        let vectors = count.div_ceil(lanes);
        if in_order {
            // The last vector is partial.
            let last = self.elements[count - 1];
            self.elements.resize(vectors * lanes, last);
        }
        let end = self.elements.len();
        let mut found: Vec<(usize, usize, SmallVec<[Windows; 2]>)> = Vec::with_capacity(vectors);
        // The last vector ends with the elements.
        for start in (0..vectors).map(|i| (i * lanes).min(end - lanes)) {
            let of_block = |block: usize| {
                let lanes = lanes / self.blocks;
                self.windows_of(&self.elements[start + block * lanes..][..lanes])
            };
            let windows: SmallVec<[Windows; 2]> = (0..self.blocks).map(of_block).collect();
            let most = windows.iter().map(|list| list.len()).max().unwrap_or(1);
            found.push((most, start, windows));
        }
        if in_order {
            let most = found.iter().map(|&(most, ..)| most).max().unwrap_or(1);
            found.iter_mut().for_each(|vector| vector.0 = most);
        } else {
            found.sort_by_key(|&(most, ..)| most);
        }
        for (most, start, windows) in found {
            match self.groups.last_mut() {
                Some(group) if group[0] == most as i32 => group[1] += 1,
                _ => self.groups.push([most as i32, 1]),
            }
            self.windows.push((start * self.size) as i32);
            if self.form.is_chain() {
                self.add_chain(start, most, &windows[0]);
            } else {
                self.add_lookups(start, most, &windows);
            }
        }
    }

    /// The windows of some elements. Loops over all elements without branches, so that they are vectors.
    fn windows_of(&self, elements: &[i32]) -> Windows {
        let (window, size) = (self.form.window as i32, self.size as i32);
        let mut windows = Windows::new();
        let mut from = i32::MIN;
        loop {
            let lowest =
                elements.iter().fold(i32::MAX, |lowest, &at| lowest.min(if at >= from { at } else { i32::MAX }));
            if lowest == i32::MAX {
                return windows;
            }
            from = lowest + window - size + 1;
            let last = elements.iter().fold(lowest, |last, &at| last.max(if at < from { at } else { i32::MIN }));
            // A window begins where it may lie in one cache line, if it has the same elements there. It ends with the elements of
            // the unit, if they are that long.
            let line = (lowest & -window).max(self.extent.0);
            let begin = if line + window >= last + size { line } else { lowest };
            windows.push(begin.min((self.extent.1 - window).max(self.extent.0)));
        }
    }

    /// Whether each vector has one window, or one for each block, and the same as the first vector.
    fn is_shared(&self) -> bool {
        let of_vector = 1 + self.blocks;
        let mut vectors = self.windows.chunks_exact(of_vector);
        matches!(self.groups[..], [[1, _]]) && vectors.all(|windows| windows[1..] == self.windows[1..of_vector])
    }

    /// Adds the windows of a vector, `most` with repeats of the last one, and the indices of its permutes.
    fn add_chain(&mut self, start: usize, most: usize, windows: &Windows) {
        let (size, shift) = (self.size, self.size.trailing_zeros());
        let lanes = self.form.vector / size;
        self.windows.extend((0..most).map(|j| windows[j.min(windows.len() - 1)]));
        self.reach = windows.iter().fold(self.reach, |reach, &at| reach.max(at + 64));
        let elements = &self.elements[start..start + lanes];
        for j in 1..most.max(2) {
            let window = windows.get(j).copied();
            // No element is that far from a window that does not exist.
            let begin = window.unwrap_or(i32::MIN);
            let mut numbers = [0u8; 64];
            for (lane, (number, &at)) in numbers.iter_mut().zip(elements).enumerate() {
                let offset = at.wrapping_sub(begin) as u32;
                let before = if j == 1 { (at.wrapping_sub(windows[0]) >> shift) as usize & (lanes - 1) } else { lane };
                let is_inside = offset <= (64 - size) as u32 && window.is_some();
                *number = if is_inside { lanes as u8 + (offset >> shift) as u8 } else { before as u8 };
            }
            self.indices.push(index_line(size, &numbers));
        }
    }

    /// Adds the windows of the blocks of a vector, as many for each block, and the indices of its lookups. Several windows may give
    /// the same byte, which then is combined with itself.
    fn add_lookups(&mut self, start: usize, most: usize, windows: &[Windows]) {
        let (size, lanes) = (self.size, 16 / self.size);
        for j in 0..most {
            let mut indices = [0x80u8; 64];
            for (block, list) in windows.iter().enumerate() {
                let window = list[j.min(list.len() - 1)];
                self.windows.push(window);
                self.reach = self.reach.max(window + 16);
                let elements = &self.elements[start + block * lanes..][..lanes];
                for (index, &at) in indices[16 * block..].chunks_exact_mut(size).zip(elements) {
                    let offset = at.wrapping_sub(window) as u32;
                    if offset <= 16 - size as u32 {
                        index.iter_mut().zip(offset as u8..).for_each(|(index, byte)| *index = byte);
                    }
                }
            }
            let bytes = self.form.vector;
            if self.used.is_multiple_of(64) {
                self.indices.push(Line([0; 64]));
            }
            let line = self.used / 64;
            self.indices[line].0[self.used % 64..][..bytes].copy_from_slice(&indices[..bytes]);
            self.used += bytes;
        }
    }
}

/// An index vector for lanes of a size, which take the elements of these numbers. Lanes of 8 bytes are two of 4.
fn index_line(size: usize, numbers: &[u8; 64]) -> Line {
    let mut line = Line([0; 64]);
    match size {
        1 => line.0 = *numbers,
        2 => line.0.chunks_exact_mut(2).zip(numbers).for_each(|(index, &number)| index[0] = number),
        4 => line.0.chunks_exact_mut(4).zip(numbers).for_each(|(index, &number)| index[0] = number),
        _ => line.0.chunks_exact_mut(8).zip(numbers).for_each(|(index, &number)| {
            (index[0], index[4]) = (2 * number, 2 * number + 1);
        }),
    }
    line
}
