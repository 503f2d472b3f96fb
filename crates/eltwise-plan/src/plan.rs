//! From a nest to a schedule: strategy, tiles, registers, chunks, cost.

use smallvec::SmallVec;

use crate::bind::{Binding, Leaf, Place};
use crate::dtype::DType;
use crate::error::Error;
use crate::nest::Nest;
use crate::op::Op;

/// What the planner knows of the machine: plain numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Bytes of a vector register.
    pub vector_bytes: usize,
    /// Bytes of a core's second-level cache.
    pub l2: usize,
}

impl Default for Machine {
    fn default() -> Machine {
        Machine { vector_bytes: 32, l2: 1 << 20 }
    }
}

/// The bytes of scratch that a run keeps on its stack.
pub const SCRATCH_BYTES: usize = 32 << 10;

/// How the nest is run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Strategy {
    /// There is nothing to compute.
    #[default]
    Empty,
    /// One kernel over rows x columns: the two innermost loops.
    Direct,
    /// Steps over tiles that fit the first-level cache.
    Tiled,
}

/// How a leaf appears in a tile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Access {
    /// Its elements lie contiguous over the tile.
    Contiguous,
    /// One element for the whole tile.
    Splat,
    /// Copied into (or, an output, out of) scratch at this byte offset; not again while the source stays the same.
    Packed {
        /// Bytes from the start of the scratch.
        scratch: usize,
    },
}

/// The shape of a tile: `length` steps of loop `axis`, all of the loops inside.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tile {
    /// The loop that is cut.
    pub axis: usize,
    /// Steps of that loop in a tile; the last tile may be shorter.
    pub length: usize,
    /// The elements of the loops inside.
    pub inner: usize,
}

/// Where a step's operand or result is while a tile is worked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Slot {
    /// A leaf: position in [`Binding::leaves`].
    Leaf(usize),
    /// A constant: position in [`Binding::constants`].
    Constant(usize),
    /// Scratch at this byte offset.
    Register(usize),
}

/// A step with its operands placed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlottedStep {
    /// The operands.
    pub args: SmallVec<[Slot; 3]>,
    /// The result.
    pub result: Slot,
}

/// A binding, ready to run but for its kernels.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Schedule {
    /// The bound program.
    pub binding: Binding,
    /// The loops.
    pub nest: Nest,
    /// How they run.
    pub strategy: Strategy,
    /// The tile, for [`Strategy::Tiled`].
    pub tile: Tile,
    /// How each leaf appears in a tile (for [`Strategy::Direct`]: in a row).
    pub access: SmallVec<[Access; 4]>,
    /// The steps, one for each of [`Binding::steps`].
    pub steps: SmallVec<[SlottedStep; 1]>,
    /// Bytes of scratch a task needs, at most [`SCRATCH_BYTES`].
    pub scratch: usize,
    /// Bytes read and written, each operand in memory counted once (an input that is walked in two ways twice).
    pub bytes: usize,
    /// One step that moves bits only: tiles are packed straight into the output, or unpacked straight out of the input.
    pub is_move: bool,
}

impl Schedule {
    /// Plans a binding for a machine.
    ///
    /// # Errors
    /// [`Error::Limit`] for a program with so many live values that no tile fits the scratch.
    pub fn new(binding: Binding, machine: &Machine) -> Result<Schedule, Error> {
        let mut schedule = Schedule { binding, ..Schedule::default() };
        schedule.plan(machine)?;
        Ok(schedule)
    }

    /// Plans its own binding, which was [made in place](Binding::bind); what was planned before is dropped.
    ///
    /// # Errors
    /// As [`Schedule::new`].
    pub fn plan(&mut self, machine: &Machine) -> Result<(), Error> {
        self.strategy = Strategy::Empty;
        self.tile = Tile::default();
        self.access.clear();
        self.steps.clear();
        (self.scratch, self.bytes, self.is_move) = (0, 0, false);
        if self.binding.shape.contains(&0) {
            self.nest = Nest::default();
            return Ok(());
        }
        self.nest.fill(&self.binding.shape, &self.binding.leaves);
        self.bytes = self.count_bytes();
        self.is_move = matches!(&self.binding.steps[..], [one] if matches!(one.op, Op::Copy | Op::BroadcastTo));
        if self.is_direct(machine) {
            self.strategy = Strategy::Direct;
            self.place_direct();
            return Ok(());
        }
        self.strategy = Strategy::Tiled;
        self.cut(machine)
    }

    /// How a leaf appears in a row, the innermost loop; `None` when it must be packed.
    #[inline]
    fn access_in_row(&self, leaf: usize) -> Option<Access> {
        let Leaf { output, size, .. } = self.binding.leaves[leaf];
        match self.nest.walks[leaf].strides.last() {
            Some(&0) | None if !output => Some(Access::Splat),
            Some(&stride) if stride != size as isize => None,
            _ => Some(Access::Contiguous),
        }
    }

    /// One step, contiguous or splat columns, and rows worth a kernel's while.
    fn is_direct(&self, machine: &Machine) -> bool {
        let (leaves, sizes) = (&self.binding.leaves, &self.nest.sizes);
        if self.binding.steps.len() != 1 || self.binding.outputs.len() != 1 {
            return false;
        }
        let columns = sizes.last().copied().unwrap_or(1);
        let widest = leaves.iter().map(|l| l.size).max().unwrap_or(1);
        (sizes.len() <= 1 || columns.saturating_mul(widest) >= machine.vector_bytes)
            && (0..leaves.len()).all(|leaf| self.access_in_row(leaf).is_some())
    }

    fn place_direct(&mut self) {
        for leaf in 0..self.binding.leaves.len() {
            let access = self.access_in_row(leaf).unwrap_or(Access::Contiguous);
            self.access.push(access);
        }
        for step in &self.binding.steps {
            let mut args: SmallVec<[Slot; 3]> = SmallVec::new();
            step.args.iter().for_each(|&place| args.push(slot_of(place)));
            self.steps.push(SlottedStep { args, result: Slot::Leaf(step.output.unwrap_or(0)) });
        }
    }

    /// Chooses the tile, how leaves appear in it, and the registers.
    fn cut(&mut self, machine: &Machine) -> Result<(), Error> {
        // First the registers, in bytes an element; then the elements that fit.
        let registers = self.assign_registers();
        // A guess of the tile decides what is packed; packing decides how much scratch an element needs.
        let mut length = self.wanted(machine);
        for _ in 0..2 {
            self.shape_tile(length);
            let packed: usize = (0..self.binding.leaves.len())
                .filter(|&i| self.access_in_tile(i) == Access::Packed { scratch: 0 })
                .map(|i| self.binding.leaves[i].size)
                .sum();
            // Every slot is rounded up to a cache line.
            let slots = registers.len() + self.binding.leaves.len();
            let room = SCRATCH_BYTES.saturating_sub(slots * 64);
            let per_element = registers.iter().sum::<usize>() + packed;
            length = length.min(room.checked_div(per_element).unwrap_or(length));
            if length < 16 {
                return Err(Error::Limit {
                    what: "bytes of live values an element",
                    given: per_element,
                    most: room / 16,
                });
            }
        }
        self.shape_tile(length);
        let elements = self.tile.length * self.tile.inner;
        let mut next = 0;
        let mut reserve = |size: usize| {
            let at = next;
            next += (elements * size).next_multiple_of(64);
            at
        };
        let offsets: SmallVec<[usize; 8]> = registers.iter().map(|&size| reserve(size)).collect();
        for i in 0..self.binding.leaves.len() {
            self.access.push(match self.access_in_tile(i) {
                Access::Packed { .. } => Access::Packed { scratch: reserve(self.binding.leaves[i].size) },
                other => other,
            });
        }
        self.scratch = next;
        for step in &mut self.steps {
            for slot in step.args.iter_mut().chain([&mut step.result]) {
                if let Slot::Register(r) = slot {
                    *r = offsets[*r];
                }
            }
        }
        Ok(())
    }

    /// Elements of a tile before the scratch limits them: small beyond the second-level cache, where memory is what
    /// counts and the tile must not push the streams out of the first level; larger within it.
    fn wanted(&self, machine: &Machine) -> usize {
        let widest = self.binding.leaves.iter().map(|l| l.size).max().unwrap_or(4).max(2);
        let bytes = if self.bytes > machine.l2 { 2 << 10 } else { 4 << 10 };
        bytes / widest
    }

    /// Cuts the nest into tiles of about `elements` elements: as many inner loops as fit, an even part of the next.
    fn shape_tile(&mut self, elements: usize) {
        let sizes = &self.nest.sizes;
        let (mut axis, mut inner) = (sizes.len().saturating_sub(1), 1usize);
        while axis > 0 && inner * sizes[axis] <= elements {
            inner *= sizes[axis];
            axis -= 1;
        }
        let size = sizes.get(axis).copied().unwrap_or(1);
        let most = (elements / inner).clamp(1, size);
        let tiles = size.div_ceil(most);
        let mut length = size.div_ceil(tiles);
        if inner == 1 && tiles > 1 {
            // Tiles of a contiguous output begin on its cache lines; never above `most`.
            let line = 64.min(most);
            length = length.next_multiple_of(line).min(most / line * line);
        }
        self.tile = Tile { axis, length, inner };
    }

    /// How a leaf appears in a tile; packed ones without their scratch.
    fn access_in_tile(&self, leaf: usize) -> Access {
        let strides = &self.nest.walks[leaf].strides[self.tile.axis.min(self.nest.sizes.len())..];
        let sizes = &self.nest.sizes[self.tile.axis.min(self.nest.sizes.len())..];
        let (size, output) = (self.binding.leaves[leaf].size, self.binding.leaves[leaf].output);
        if strides.iter().all(|&s| s == 0) && (!output || sizes.is_empty()) {
            return if output { Access::Contiguous } else { Access::Splat };
        }
        let mut expect = size as isize;
        for (&s, &d) in strides.iter().zip(sizes).rev() {
            if s != expect {
                return Access::Packed { scratch: 0 };
            }
            expect = s.wrapping_mul(d as isize);
        }
        Access::Contiguous
    }

    /// Gives each step's result a register, reused once its last reader is done. Returns the bytes an element of each
    /// register; the steps hold register numbers.
    fn assign_registers(&mut self) -> SmallVec<[usize; 8]> {
        let steps = &self.binding.steps;
        let mut last_use: SmallVec<[usize; 8]> = (0..steps.len()).collect();
        for (i, step) in steps.iter().enumerate() {
            for &place in &step.args {
                if let Place::Step(s) = place {
                    last_use[s] = i;
                }
            }
        }
        let mut registers: SmallVec<[usize; 8]> = SmallVec::new();
        let mut busy_until: SmallVec<[usize; 8]> = SmallVec::new();
        let mut register_of: SmallVec<[usize; 8]> = SmallVec::new();
        let mut slotted: SmallVec<[SlottedStep; 1]> = SmallVec::with_capacity(steps.len());
        for (i, step) in steps.iter().enumerate() {
            let args = step.args.iter().map(|&place| match place {
                Place::Step(s) => steps[s].output.map_or(Slot::Register(register_of[s]), Slot::Leaf),
                other => slot_of(other),
            });
            let args = args.collect();
            let result = match step.output {
                Some(output) => {
                    register_of.push(usize::MAX);
                    Slot::Leaf(output)
                }
                None => {
                    let size = step.to.size();
                    // A register is free for a result when its last reader is an earlier step: a kernel's output
                    // overlaps an input only where both have one element size, so sharing within a step is not used.
                    let free = (0..registers.len()).find(|&r| busy_until[r] < i && registers[r] >= size);
                    let r = free.unwrap_or_else(|| {
                        registers.push(size);
                        busy_until.push(0);
                        registers.len() - 1
                    });
                    busy_until[r] = last_use[i];
                    register_of.push(r);
                    Slot::Register(r)
                }
            };
            slotted.push(SlottedStep { args, result });
        }
        self.steps = slotted;
        registers
    }

    /// Whether the output is so large that writing it past the caches pays: 32 MiB and more, beside two inputs of its
    /// length. Of plans that write long rows directly. Measured: 0.92 of the time of regular stores at 64 and 128 MiB,
    /// 1.03 at 16 MiB, and with one input never below 1.
    pub fn is_worth_streaming(&self) -> bool {
        if self.strategy != Strategy::Direct {
            return false;
        }
        let (columns, elements) = (self.nest.sizes.last().copied().unwrap_or(1), self.nest.elements());
        let out = self.binding.leaves[0].size;
        let moves_all = |leaf: usize| self.nest.walks[leaf].strides.iter().all(|&s| s != 0);
        let inputs = (1..self.binding.leaves.len()).filter(|&leaf| moves_all(leaf)).count();
        inputs >= 2 && columns.saturating_mul(out) >= 1 << 10 && elements.saturating_mul(out) >= 32 << 20
    }

    /// Distinct bytes of every leaf.
    fn count_bytes(&self) -> usize {
        let mut total = 0usize;
        for (leaf, walk) in self.binding.leaves.iter().zip(&self.nest.walks) {
            let moving = walk.strides.iter().zip(&self.nest.sizes).filter(|(s, _)| **s != 0);
            let elements = moving.fold(1usize, |n, (_, &d)| n.saturating_mul(d));
            total = total.saturating_add(elements.saturating_mul(leaf.size));
        }
        total
    }

    /// The number of units that tasks are made of: rows (or parts of them) for Direct, tiles for Tiled.
    pub fn units(&self) -> usize {
        match self.strategy {
            Strategy::Empty => 0,
            Strategy::Direct => {
                let (rows, parts) = self.direct_grid();
                rows * parts
            }
            Strategy::Tiled => {
                let outer: usize = self.nest.sizes[..self.tile.axis.min(self.nest.sizes.len())].iter().product();
                outer * self.tiles_along()
            }
        }
    }

    /// How many tiles the cut loop gives.
    pub fn tiles_along(&self) -> usize {
        let size = self.nest.sizes.get(self.tile.axis).copied().unwrap_or(1);
        size.div_ceil(self.tile.length.max(1))
    }

    /// The units of [`Strategy::Direct`]: all rows, and the parts each is cut into when rows are few.
    pub fn direct_grid(&self) -> (usize, usize) {
        let columns = self.nest.sizes.last().copied().unwrap_or(1);
        let rows = self.nest.sizes.iter().rev().skip(1).product::<usize>();
        if rows >= 64 {
            return (rows, 1);
        }
        (rows, columns.div_ceil(PART).min(256))
    }

    /// The columns of part `part` of `parts`, starting on a multiple of 64 elements.
    pub fn part(&self, part: usize, parts: usize) -> (usize, usize) {
        let columns = self.nest.sizes.last().copied().unwrap_or(1);
        let at = |p: usize| {
            if p >= parts {
                return columns;
            }
            // columns * p / parts without overflow.
            let even = columns / parts * p + columns % parts * p / parts;
            (even / PART_ALIGN * PART_ALIGN).min(columns)
        };
        (at(part), at(part + 1))
    }

    /// An estimate of the time of a run on one core, in nanoseconds: bytes at the speed of the level they lie in, and
    /// the work of every step. It decides how many tasks are worth it, nothing else.
    pub fn cost(&self, machine: &Machine) -> usize {
        cost(self.bytes, self.nest.elements(), self.binding.steps.iter().map(|s| (s.op, s.from)), machine)
    }

    /// How many tasks an executor of `width` threads should run: one for work too small to share.
    pub fn tasks(&self, width: usize, machine: &Machine) -> usize {
        width.min(self.most_tasks(machine)).max(1)
    }

    /// How many tasks are worth it on any number of threads.
    pub fn most_tasks(&self, machine: &Machine) -> usize {
        tasks_worth(self.cost(machine)).min(self.units()).max(1)
    }
}

/// [`Schedule::cost`] of steps over some elements.
#[inline]
pub(crate) fn cost(
    bytes: usize,
    elements: usize,
    steps: impl Iterator<Item = (Op, DType)>,
    machine: &Machine,
) -> usize {
    let per_kib = if bytes > machine.l2 { 60 } else { 20 };
    let memory = (bytes >> 10).saturating_mul(per_kib);
    let steps: usize = steps.map(|(op, from)| if op == Op::Divide && from.is_integer() { 24 } else { 1 }).sum();
    let work = (elements >> 5).saturating_mul(steps.saturating_mul(2));
    memory.saturating_add(work).saturating_add(10)
}

/// How many tasks a cost is worth.
#[inline]
pub(crate) fn tasks_worth(cost: usize) -> usize {
    // Waking another thread costs about 6 us; below a few times that, one thread is faster.
    const WORTH: usize = 20_000;
    cost / WORTH
}

/// Elements of a part of a row, when one row is cut for several tasks.
const PART: usize = 8 << 10;
/// Parts start on multiples of this many elements: cache lines, for every element size.
const PART_ALIGN: usize = 64;

/// The slot of an operand that is no step's result.
fn slot_of(place: Place) -> Slot {
    match place {
        Place::Leaf(l) => Slot::Leaf(l),
        Place::Constant(c) => Slot::Constant(c),
        Place::Step(step) => Slot::Register(step),
    }
}
