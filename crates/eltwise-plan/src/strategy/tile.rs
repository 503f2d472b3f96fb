//! Tiles: boxes of the loop nest, how operands appear in them, and where values lie in scratch.

use core::ops::Range;

use smallvec::SmallVec;

use crate::bind::Place;
use crate::bind::loop_nest::Loops;
use crate::strategy::copy::{CopyLoop, is_close};
use crate::strategy::{Access, Schedule, Slot, SlottedStep, slot_of};
use crate::tuning::{
    ALIAS_PERIOD, ALIASING_TILE_ELEMENTS, CACHE_LINE, SCRATCH_BYTES, SLOT_ALIGN, SLOT_DISTANCE, SMALL_OPERAND,
};

/// A box of the loop nest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tile {
    /// Iterations of each loop. The last tile along a loop may have fewer.
    pub steps: Loops<usize>,
    /// The loop at which the rows of kernel calls begin: from it on, every operand that is not packed is contiguous, or one element.
    pub row: usize,
    /// The loops in the order in which tiles follow each other, outermost first.
    pub order: Loops<usize>,
    /// If a unit kernel runs the tile: the iterations of loop `row` in a unit, which has all of the loops inside.
    pub unit: Option<usize>,
}

/// Tiles of one size: full ones, or the last ones along some loops.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// Iterations of each loop in a tile.
    pub steps: Loops<usize>,
    /// The first iteration of each loop.
    pub first: Loops<usize>,
    /// Tiles along each loop.
    pub counts: Loops<usize>,
}

impl Region {
    /// The number of tiles.
    pub fn tiles(&self) -> usize {
        self.counts.iter().product()
    }
}

impl Tile {
    /// The number of elements of a full tile.
    pub fn elements(&self) -> usize {
        self.steps.iter().product()
    }

    /// The box over which an operand is contiguous, one element, or permuted: the tile, or a unit of it.
    pub(crate) fn access_box(&self) -> Loops<usize> {
        match self.unit {
            Some(unit) => unit_box(&self.steps, self.row, unit.min(self.steps[self.row])),
            None => self.steps.clone(),
        }
    }
}

/// The box of one unit in a box: `unit` iterations of loop `row`, and all of the loops inside.
pub fn unit_box(steps: &[usize], row: usize, unit: usize) -> Loops<usize> {
    let mut one: Loops<usize> = steps.iter().enumerate().map(|(axis, &n)| if axis < row { 1 } else { n }).collect();
    one[row] = unit;
    one
}

/// Parts of a page of [`SLOT_DISTANCE`] bytes: a bit of a byte for each.
const PARTS: usize = ALIAS_PERIOD / SLOT_DISTANCE;

/// Where the slots of a tile lie in scratch, one after the other.
#[derive(Default)]
struct Places {
    next: usize,
    /// Bytes that may lie between slots, to keep them [apart](SLOT_DISTANCE).
    spare: usize,
    /// A bit for each part of a page in which one of the last slots begins.
    taken: u8,
    /// The part in which the last one begins.
    last: u32,
}

impl Places {
    /// The place of the next slot: at the beginning of a part of a page, as far from the places of the others as can be
    /// where there is much room, else in the first part that is free; directly after the last slot where there is none.
    fn reserve(&mut self, bytes: usize) -> usize {
        let at = if self.spare > 0 { self.apart() } else { self.next };
        self.spare -= at - self.next;
        self.next = at + bytes;
        at
    }

    fn apart(&mut self) -> usize {
        if self.taken == u8::MAX {
            // Only the slots that are read and written next matter.
            self.taken = 1 << self.last;
        }
        let first = self.next.next_multiple_of(SLOT_DISTANCE);
        // A bit for each part from there on: the parts in which slots begin, then also their neighbours, and so on.
        let mut near = self.taken.rotate_right(part(first));
        let mut parts = near.trailing_ones();
        while near != 0 && self.spare > 2 * ALIAS_PERIOD {
            near |= near.rotate_left(1) | near.rotate_right(1);
            if near == u8::MAX {
                break;
            }
            parts = near.trailing_ones();
        }
        let at = first + parts as usize * SLOT_DISTANCE;
        let at = if at - self.next <= self.spare { at } else { self.next };
        self.last = part(at);
        self.taken |= 1 << self.last;
        at
    }
}

/// The part of its page in which a place lies.
fn part(at: usize) -> u32 {
    (at / SLOT_DISTANCE % PARTS) as u32
}

/// Bytes of scratch of a value with so many bytes.
pub(crate) fn slot_bytes(bytes: usize) -> usize {
    bytes.next_multiple_of(SLOT_ALIGN)
}

impl Schedule {
    /// The first loop from which on an operand is contiguous in a box, or one element (`true`).
    pub(crate) fn direct_from(&self, operand: usize, steps: &[usize]) -> (usize, bool) {
        let (strides, output) = (&self.nest.operands[operand].strides, self.binding.operands[operand].output);
        let (mut contiguous, mut splat) = (steps.len(), steps.len());
        let mut expect = self.binding.operands[operand].size as isize;
        for (axis, (&stride, &n)) in strides.iter().zip(steps).enumerate().rev() {
            if contiguous == axis + 1 && (n == 1 || stride == expect) {
                contiguous = axis;
                expect = expect.wrapping_mul(n as isize);
            }
            if splat == axis + 1 && (n == 1 || stride == 0) {
                splat = axis;
            }
        }
        if splat <= contiguous && !output { (splat, true) } else { (contiguous, false) }
    }

    /// The bytes from element `[0, 0, ...]` of an operand that its elements are in, if the memory between them is readable too:
    /// it is on pages that have elements.
    pub fn span(&self, operand: usize) -> Option<Range<isize>> {
        let size = self.binding.operands[operand].size;
        let (operand, sizes) = (&self.nest.operands[operand], &self.nest.sizes);
        let loops = || sizes.iter().copied().zip(operand.strides.iter().copied());
        if !is_close(size, loops()) {
            return None;
        }
        let reach = |stride: fn(isize) -> isize| loops().map(|(n, s)| stride(s) * (n as isize - 1)).sum::<isize>();
        let (first, last) = (reach(|stride| stride.min(0)), reach(|stride| stride.max(0)));
        Some(operand.offset + first..operand.offset + last + size as isize)
    }

    /// How an operand appears in a tile; a packed one without its scratch.
    pub(crate) fn access_in_tile(&self, operand: usize) -> Access {
        match self.direct_from(operand, &self.tile.access_box()) {
            (from, is_splat) if from <= self.tile.row => {
                if is_splat {
                    Access::Splat
                } else {
                    Access::Contiguous
                }
            }
            _ if self.tile.unit.is_some() => Access::Permuted { copy: None },
            _ => Access::Packed { scratch: 0 },
        }
    }

    /// The strides in scratch of a value that has all elements of a box.
    pub fn dense_strides(size: usize, steps: &[usize]) -> Loops<isize> {
        let mut strides: Loops<isize> = Loops::zeros(steps.len());
        let mut next = size as isize;
        for (stride, &n) in strides.iter_mut().zip(steps).rev() {
            *stride = next;
            next = next.wrapping_mul(n as isize);
        }
        strides
    }

    /// The strides in scratch of a packed operand of a box, and its bytes there. An input that repeats along the rows is there
    /// once.
    pub fn packed_strides(&self, operand: usize, steps: &[usize]) -> (Loops<isize>, usize) {
        self.packed_with_rows(operand, steps, self.tile.row)
    }

    /// The same, for rows from one loop on.
    fn packed_with_rows(&self, operand: usize, steps: &[usize], row: usize) -> (Loops<isize>, usize) {
        let (strides, operand) = (&self.nest.operands[operand].strides, &self.binding.operands[operand]);
        let mut packed: Loops<isize> = Loops::zeros(steps.len());
        let mut bytes = operand.size;
        for axis in (0..steps.len()).rev() {
            let repeats = axis < row && strides[axis] == 0 && !operand.output;
            if !repeats {
                packed[axis] = bytes as isize;
                bytes = bytes.saturating_mul(steps[axis]);
            }
        }
        (packed, bytes)
    }

    /// The loops that pack a box of an input with rows from one loop on, or unpack one of an output.
    pub fn copy_loops(&self, operand: usize, steps: &[usize], row: usize) -> impl Iterator<Item = CopyLoop> {
        let memory = &self.nest.operands[operand].strides;
        let output = self.binding.operands[operand].output;
        let (packed, _) = self.packed_with_rows(operand, steps, row);
        let of_axis = move |axis: usize| {
            let (from, to) = (memory[axis], packed[axis]);
            let (from, to) = if output { (to, from) } else { (from, to) };
            CopyLoop { size: steps[axis], from, to }
        };
        (0..steps.len()).map(of_axis).filter(|l| l.from != 0 || l.to != 0)
    }

    /// The tiles, those of one size together.
    pub fn regions(&self) -> SmallVec<[Region; 1]> {
        let (sizes, steps) = (&self.nest.sizes, &self.tile.steps);
        let full = Region {
            steps: steps.clone(),
            first: Loops::zeros(sizes.len()),
            counts: sizes.iter().zip(steps).map(|(&size, &steps)| size / steps).collect(),
        };
        let mut regions: SmallVec<[Region; 1]> = SmallVec::new();
        regions.push(full);
        for (axis, (&size, &steps)) in sizes.iter().zip(steps).enumerate() {
            let rest = size % steps;
            if rest != 0 {
                for i in 0..regions.len() {
                    let mut region = regions[i].clone();
                    (region.steps[axis], region.first[axis], region.counts[axis]) = (rest, size - rest, 1);
                    regions.push(region);
                }
            }
        }
        regions
    }

    /// How many tiles there are.
    pub(crate) fn tile_units(&self) -> usize {
        let along = self.nest.sizes.iter().zip(&self.tile.steps).map(|(size, &steps)| size.div_ceil(steps));
        along.fold(1, usize::saturating_mul)
    }

    /// How often a packed operand is packed while one task runs all tiles: not again while the next tile has its source.
    pub(crate) fn packs(&self, operand: usize) -> usize {
        let strides = &self.nest.operands[operand].strides;
        let tiles = |&axis: &usize| self.nest.sizes[axis].div_ceil(self.tile.steps[axis]);
        let moving = self.tile.order.iter().rev().skip_while(|&axis| tiles(axis) == 1 || strides[*axis] == 0);
        moving.map(tiles).fold(1, usize::saturating_mul)
    }

    /// Whether an operand, if packed, lies in scratch: a move copies from its input to its output.
    pub(crate) fn has_slot(&self) -> bool {
        !self.is_move
    }

    /// Gives registers and packed operands their places in scratch.
    pub(crate) fn place_tiled(&mut self, registers: &[usize]) {
        let elements = self.tile.elements();
        let mut places = Places::default();
        let slots_of_operands: SmallVec<[Option<usize>; 8]> = (0..self.binding.operands.len())
            .map(|i| {
                let is_packed = matches!(self.access_in_tile(i), Access::Packed { .. }) && self.has_slot();
                is_packed.then(|| slot_bytes(self.packed_strides(i, &self.tile.steps).1))
            })
            .collect();
        if self.binding.steps.len() > 1 && elements >= ALIASING_TILE_ELEMENTS {
            let registers = registers.iter().map(|&size| slot_bytes(elements * size));
            let all = registers.chain(slots_of_operands.iter().copied().flatten()).sum();
            places.spare = SCRATCH_BYTES.saturating_sub(all);
        }
        let offsets: SmallVec<[usize; 8]> =
            registers.iter().map(|&size| places.reserve(slot_bytes(elements * size))).collect();
        for (i, slot) in slots_of_operands.into_iter().enumerate() {
            self.access.push(match (slot, self.access_in_tile(i)) {
                (Some(bytes), _) => Access::Packed { scratch: places.reserve(bytes) },
                (None, Access::Permuted { .. }) => {
                    let bytes =
                        self.span(i).map(|span| span.len() + CACHE_LINE).filter(|&bytes| bytes <= SMALL_OPERAND);
                    Access::Permuted { copy: bytes.map(|bytes| places.reserve(slot_bytes(bytes))) }
                }
                (None, access) => access,
            });
        }
        self.scratch = places.next;
        for step in &mut self.steps {
            for slot in step.args.iter_mut().chain([&mut step.result]) {
                if let Slot::Register(r) = slot {
                    *r = offsets[*r];
                }
            }
        }
    }

    /// Gives each step's result a register, reused after its last use. Returns the bytes an element of each
    /// register; the steps hold register numbers.
    pub(crate) fn assign_registers(&mut self) -> SmallVec<[usize; 8]> {
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
        let mut slotted: SmallVec<[SlottedStep; 1]> = SmallVec::new();
        for (i, step) in steps.iter().enumerate() {
            let args = step.args.iter().map(|&place| match place {
                Place::Step(s) => steps[s].output.map_or(Slot::Register(register_of[s]), Slot::Operand),
                other => slot_of(other),
            });
            let args = args.collect();
            let result = match step.output {
                Some(output) => {
                    register_of.push(usize::MAX);
                    Slot::Operand(output)
                }
                None => {
                    let size = step.to.size();
                    // A register is free for a result when its last use is in an earlier step: a kernel's output
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
}
