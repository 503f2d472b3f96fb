//! The vectors of a unit: the windows of memory that hold their elements, and the indices that take the elements from them.
//!
//! The windows of a vector are found greedily: the first begins with the element of the lowest address, the next with the
//! lowest that the first does not hold, and so on. No choice of windows needs fewer.

use alloc::vec::Vec;

use eltwise_core::tables::{Line, Permute, Place, Tables};
use smallvec::SmallVec;

use super::{CopyLoop, extent, has_blocks, offsets};
use crate::target::KernelCapabilities;

/// Elements of a vector, at most.
const MAX_LANES: usize = 64;

/// How vectors are permuted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// Bytes of a vector.
    pub(super) vector: usize,
    /// Bytes of a window.
    pub(super) window: usize,
}

impl Form {
    pub(super) fn of(size: usize, kernels: &KernelCapabilities) -> Option<Form> {
        if !has_blocks(kernels, size) {
            return None;
        }
        Some(if size >= kernels.smallest_permuted {
            Form { vector: 64, window: 64 }
        } else {
            Form { vector: 16 * kernels.blocks, window: 16 }
        })
    }

    pub(super) fn is_chain(self) -> bool {
        self.window == 64
    }
}

/// The order of the vectors in a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    /// Those with the same number of windows together.
    ByWindows,
    /// As they are stored. All have as many windows as the one with the most. A unit that is shorter than a vector is followed by
    /// repeats of its last element.
    AsStored,
}

/// A vector and its windows.
#[derive(Clone, Copy)]
struct Vector {
    /// The first element.
    start: usize,
    /// Windows, of each block.
    most: usize,
    /// The first one in the list of all windows.
    first: usize,
}

/// The vectors of a unit.
pub(super) struct Vectors {
    form: Form,
    size: usize,
    blocks: usize,
    /// Where each element is in the source.
    elements: Vec<i32>,
    /// The first and the last byte, exclusive, of the elements.
    extent: [i32; 2],
    vectors: SmallVec<[Vector; 16]>,
    /// The first windows of all blocks of a vector, then the second ones, and so on.
    windows: SmallVec<[i32; 64]>,
}

impl Vectors {
    /// The vectors of a unit with these loops. The last one ends with the elements.
    pub(super) fn new(size: usize, form: Form, unit: &[CopyLoop], blocks: usize, order: Order) -> Vectors {
        let (first, end) = extent(size, unit);
        let lanes = form.vector / size;
        let mut elements = offsets(unit.iter().map(|l| (l.size, l.from)), lanes);
        let count = elements.len().div_ceil(lanes);
        if let (Order::AsStored, Some(&last)) = (order, elements.last()) {
            elements.resize(elements.len().max(lanes), last);
        }
        let mut all = Vectors {
            form,
            size,
            blocks: if form.is_chain() { 1 } else { blocks },
            elements,
            extent: [first as i32, end as i32],
            vectors: SmallVec::new(),
            windows: SmallVec::new(),
        };
        let last = all.elements.len() - lanes;
        (0..count).for_each(|i| all.find((i * lanes).min(last)));
        match order {
            Order::ByWindows => all.vectors.sort_by_key(|vector| vector.most),
            Order::AsStored => {
                let most = all.vectors.iter().map(|vector| vector.most).max().unwrap_or(1);
                if all.vectors.iter().any(|vector| vector.most != most) {
                    all.repeat_last_windows(most);
                }
            }
        }
        all
    }

    /// Finds the windows of the vector from one element on.
    fn find(&mut self, start: usize) {
        let lanes = self.form.vector / self.size / self.blocks;
        let (mut windows, mut counts) = ([0; MAX_LANES], [0; 4]);
        for block in 0..self.blocks {
            let elements = &self.elements[start + block * lanes..][..lanes];
            counts[block] = self.windows_of(elements, &mut windows[block * lanes..][..lanes]);
        }
        let most = counts.iter().copied().max().unwrap_or(1);
        self.vectors.push(Vector { start, most, first: self.windows.len() });
        for j in 0..most {
            // A block with fewer windows repeats its last one.
            let of_block = |block: usize| windows[block * lanes + j.min(counts[block] - 1)];
            self.windows.extend((0..self.blocks).map(of_block));
        }
    }

    /// The windows of some elements; returns their number.
    fn windows_of(&self, elements: &[i32], windows: &mut [i32]) -> usize {
        let (window, size) = (self.form.window as i32, self.size as i32);
        let [first, end] = self.extent;
        let (_, mut next) = around(elements, i32::MIN);
        for (found, place) in windows.iter_mut().enumerate() {
            let lowest = next;
            if lowest == i32::MAX {
                return found;
            }
            let last;
            (last, next) = around(elements, lowest + window - size + 1);
            // A window begins where it may lie in one cache line, if it has the same elements there. It ends with the elements of
            // the unit, if they are that long.
            let line = (lowest & -window).max(first);
            let begin = if line + window >= last + size { line } else { lowest };
            *place = begin.min((end - window).max(first));
        }
        windows.len()
    }

    /// Gives all vectors `most` windows.
    fn repeat_last_windows(&mut self, most: usize) {
        let found = core::mem::take(&mut self.windows);
        self.windows.reserve(self.vectors.len() * most * self.blocks);
        for vector in &mut self.vectors {
            let first = core::mem::replace(&mut vector.first, self.windows.len());
            let has = core::mem::replace(&mut vector.most, most);
            for j in 0..most {
                let set = first + j.min(has - 1) * self.blocks;
                self.windows.extend_from_slice(&found[set..set + self.blocks]);
            }
        }
    }

    /// The windows of a vector.
    fn windows_of_vector(&self, vector: Vector) -> &[i32] {
        &self.windows[vector.first..][..vector.most * self.blocks]
    }

    /// Index vectors of a vector with so many windows: an index needs a window, and a chain has one for the first two.
    fn indices(&self, most: usize) -> usize {
        if self.form.is_chain() { most.max(2) - 1 } else { most }
    }

    /// Adds the lists of all vectors to tables. The table has one unit for each place.
    pub(super) fn table(&self, places: &[Place], tables: &mut Tables) -> Permute {
        let mut groups: SmallVec<[[i32; 2]; 8]> = SmallVec::new();
        let (mut windows, mut indices) = (0, 0);
        for vector in &self.vectors {
            match groups.last_mut() {
                Some(group) if group[0] == vector.most as i32 => group[1] += 1,
                _ => groups.push([vector.most as i32, 1]),
            }
            windows += 1 + vector.most * self.blocks;
            indices += self.indices(vector.most);
        }
        let lines = (indices * self.form.vector).div_ceil(size_of::<Line>());
        // Each list but the first one may begin on the next line.
        let lists = size_of_val(places) + size_of_val(&groups[..]) + windows * size_of::<i32>();
        tables.reserve(lists + (lines + 3) * size_of::<Line>());
        let table = Permute {
            outer: tables.push(places),
            count: 1,
            step: [0, 0],
            rest: None,
            groups: tables.push(&groups),
            windows: tables.push_zeros::<i32>(windows),
            indices: tables.push_zeros::<Line>(lines),
            extent: self.extent,
            reach: self.windows.iter().fold(0, |reach, &at| reach.max(at + self.form.window as i32)),
        };
        let mut left = tables.get_mut::<i32>(table.windows);
        for &vector in &self.vectors {
            let found = self.windows_of_vector(vector);
            let (place, rest) = left.split_at_mut(1 + found.len());
            place[0] = (vector.start * self.size) as i32;
            place[1..].copy_from_slice(found);
            left = rest;
        }
        let lines = tables.get_mut::<Line>(table.indices);
        let mut at = 0;
        for &vector in &self.vectors {
            for j in 0..self.indices(vector.most) {
                let index = &mut lines[at / size_of::<Line>()].0[at % size_of::<Line>()..][..self.form.vector];
                at += self.form.vector;
                if self.form.is_chain() {
                    self.chain(vector, j + 1, index);
                } else {
                    self.lookup(vector, j, index);
                }
            }
        }
        table
    }

    /// The indices by which a vector takes elements from window `j`, and keeps those that it has.
    fn chain(&self, vector: Vector, j: usize, index: &mut [u8]) {
        let (size, shift) = (self.size, self.size.trailing_zeros());
        let lanes = self.form.vector / size;
        let windows = self.windows_of_vector(vector);
        // The only window is the first one, from which elements are taken in any case.
        let (window, has_window) = (windows.get(j).copied().unwrap_or(0), j < windows.len());
        let most = if has_window { (64 - size) as u32 } else { 0 };
        let mut numbers = [0u8; MAX_LANES];
        let elements = &self.elements[vector.start..][..lanes];
        for (lane, (number, &at)) in numbers.iter_mut().zip(elements).enumerate() {
            let offset = at.wrapping_sub(window) as u32;
            let before = if j == 1 { (at.wrapping_sub(windows[0]) >> shift) as usize & (lanes - 1) } else { lane };
            let is_inside = has_window & (offset <= most);
            *number = if is_inside { lanes as u8 + (offset >> shift) as u8 } else { before as u8 };
        }
        match size {
            1 => index.copy_from_slice(&numbers),
            2 => index.chunks_exact_mut(2).zip(numbers).for_each(|(index, number)| index[0] = number),
            4 => index.chunks_exact_mut(4).zip(numbers).for_each(|(index, number)| index[0] = number),
            // Lanes of 8 bytes are two of 4.
            _ => index.chunks_exact_mut(8).zip(numbers).for_each(|(index, number)| {
                (index[0], index[4]) = (2 * number, 2 * number + 1);
            }),
        }
    }

    /// The indices by which the blocks of a vector take elements from their windows of number `j`. Several windows may give the same
    /// byte, which then is combined with itself.
    fn lookup(&self, vector: Vector, j: usize, index: &mut [u8]) {
        let (size, lanes) = (self.size, 16 / self.size);
        let windows = &self.windows_of_vector(vector)[j * self.blocks..];
        for ((block, index), &window) in index.chunks_exact_mut(16).enumerate().zip(windows) {
            let elements = &self.elements[vector.start + block * lanes..][..lanes];
            for (index, &at) in index.chunks_exact_mut(size).zip(elements) {
                let offset = at.wrapping_sub(window) as u32;
                let is_inside = offset <= 16 - size as u32;
                for (i, index) in index.iter_mut().enumerate() {
                    *index = if is_inside { offset as u8 + i as u8 } else { 0x80 };
                }
            }
        }
    }
}

/// The greatest element below a limit, and the lowest one from there on; `i32::MIN` and `i32::MAX` if there is none.
fn around(elements: &[i32], limit: i32) -> (i32, i32) {
    // Lanes without branches, which are vectors.
    let (mut below, mut above) = ([i32::MIN; 4], [i32::MAX; 4]);
    let mut add = |part: &[i32]| {
        for ((below, above), &at) in below.iter_mut().zip(&mut above).zip(part) {
            let is_below = at < limit;
            *below = (*below).max(if is_below { at } else { i32::MIN });
            *above = (*above).min(if is_below { i32::MAX } else { at });
        }
    };
    let parts = elements.chunks_exact(4);
    add(parts.remainder());
    parts.for_each(add);
    (below.into_iter().fold(i32::MIN, i32::max), above.into_iter().fold(i32::MAX, i32::min))
}
