//! Tiles: which part of the nest a tile is, how leaves appear in it, and where registers lie.

use smallvec::SmallVec;

use crate::bind::loop_nest::OperandStrides;
use crate::bind::{BoundOperand, Place};
use crate::strategy::{Access, Schedule, Slot, SlottedStep, slot_of};
use crate::target::Target;
use crate::tuning::{
    ALIAS_PERIOD, ALIASING_TILE_ELEMENTS, CACHE_LINE, LARGE_FIRST_LEVEL, LONG_TILE_BYTES, MANY_SLOTS_TILE_ELEMENTS,
    MIN_TILE_ELEMENTS, PACKED_ONCE_FRACTION, SCRATCH_BYTES, SLOT_ALIGN, SLOT_DISTANCE, SMALL_RUN, TILE_BYTES,
};

/// The shape of a tile: `length` steps of loop `axis`, all of the loops inside; or a [plane](crate::strategy::plane): `rows` steps
/// of loop `row_axis` of those.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tile {
    /// The loop that is cut.
    pub axis: usize,
    /// Steps of that loop in a tile; the last tile may be shorter.
    pub length: usize,
    /// The elements of the loops inside.
    pub inner: usize,
    /// The loop outside that a plane cuts too.
    pub row_axis: usize,
    /// Steps of that loop in a plane; 1 for a tile that is none.
    pub rows: usize,
}

impl Default for Tile {
    fn default() -> Tile {
        Tile { axis: 0, length: 0, inner: 0, row_axis: 0, rows: 1 }
    }
}

impl Tile {
    /// The bytes in scratch of `rows` rows of elements of `size` bytes, and one cache line more.
    pub(crate) fn slot_bytes(&self, size: usize, rows: usize) -> usize {
        (rows * self.length * self.inner * size).next_multiple_of(SLOT_ALIGN) + SLOT_ALIGN
    }
}

/// Parts of a page that are as long: of a byte's bits.
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

/// The bytes of so much scratch that elements may fill in so many slots side by side: every slot is rounded up to a cache line, and one more
/// follows.
pub(crate) fn room_in(scratch: usize, slots: usize) -> usize {
    scratch.saturating_sub(slots * 2 * SLOT_ALIGN)
}

/// The part of its page in which a place lies.
fn part(at: usize) -> u32 {
    (at / SLOT_DISTANCE % PARTS) as u32
}

impl Schedule {
    /// Chooses the tile, how leaves appear in it, and the registers.
    pub(crate) fn cut(&mut self, target: &Target) {
        // First the registers, in bytes an element; then the elements that fit.
        let registers = self.assign_registers();
        if let Some(row_axis) = self.transposed() {
            let turned = self.turn_to_inputs(row_axis);
            if self.shape_plane(row_axis, &registers, target) {
                self.place_tiled(&registers);
                return;
            }
            if turned {
                self.swap_loops(row_axis, self.nest.sizes.len() - 1);
            }
        }
        if self.shape_permuted(target) {
            self.place_tiled(&registers);
            return;
        }
        // A guess of the tile decides what is packed; packing decides how much scratch an element needs.
        let mut length = self.wanted(target);
        for _ in 0..2 {
            self.shape_tile(length);
            let (packings, packed) = self.packed().fold((0, 0), |(n, sum), size| (n + 1, sum + size));
            let per_element = registers.iter().sum::<usize>() + packed;
            let room = self.room(registers.len() + packings, per_element);
            length = length.min(room.checked_div(per_element).unwrap_or(length));
            if target.cpu.l1 < LARGE_FIRST_LEVEL && self.packs_once() {
                length = length.min(once_bytes(target).checked_div(packed).unwrap_or(length));
            }
            if length < MIN_TILE_ELEMENTS {
                length = MANY_SLOTS_TILE_ELEMENTS;
            }
        }
        self.shape_tile(length);
        self.try_planes();
        if target.kernels.permutes && self.bytes > SMALL_RUN {
            // One operand fewer to pack.
            let each_tile = |&i: &usize| {
                matches!(self.access_in_tile(i), Access::Packed { .. })
                    && self.nest.operands[i].strides.get(self.tile.axis) != Some(&0)
            };
            self.permuted = (0..self.binding.operands.len()).filter(each_tile).find(|&i| self.can_permute(i, target));
        }
        // Within the second level, and beyond all, an output in order is worth more than an input that is read once.
        let flat = self.tile;
        if self.permuted.is_none()
            && self.bytes > target.cpu.l2
            && self.bytes <= target.cpu.llc
            && let Some(row_axis) = self.channels()
            && !self.shape_plane(row_axis, &registers, target)
        {
            self.tile = flat;
        }
        self.place_tiled(&registers);
    }

    /// The bytes of the scratch that elements may fill in so many slots, which take so many bytes an element in all: slots of several steps
    /// lie [apart](SLOT_DISTANCE), as far as tiles stay [long](ALIASING_TILE_ELEMENTS).
    fn room(&self, slots: usize, per_element: usize) -> usize {
        let room = room_in(SCRATCH_BYTES, slots);
        if self.binding.steps.len() == 1 {
            return room;
        }
        let between = slots.clamp(1, PARTS) * SLOT_DISTANCE - SLOT_DISTANCE;
        room - between.min(room.saturating_sub(ALIASING_TILE_ELEMENTS * per_element))
    }

    /// The sizes of the operands that lie in scratch for the tile.
    pub(crate) fn packed(&self) -> impl Iterator<Item = usize> {
        let packed = |&i: &usize| self.access_in_tile(i) == Access::Packed { scratch: 0 } && self.has_slot(i);
        (0..self.binding.operands.len()).filter(packed).map(|i| self.binding.operands[i].size)
    }

    /// Whether a operand, if packed, lies in scratch: the input of a move goes straight to the output or its slot.
    pub(crate) fn has_slot(&self, operand: usize) -> bool {
        !self.is_move || self.binding.operands[operand].output
    }

    /// Gives registers and packed leaves their places in scratch.
    pub(crate) fn place_tiled(&mut self, registers: &[usize]) {
        let tile = self.tile;
        let mut places = Places::default();
        if self.binding.steps.len() > 1 && tile.rows == 1 && tile.length * tile.inner >= ALIASING_TILE_ELEMENTS {
            let slots = registers.iter().copied().chain(self.packed()).map(|size| tile.slot_bytes(size, 1));
            places.spare = SCRATCH_BYTES.saturating_sub(slots.sum());
        }
        let offsets: SmallVec<[usize; 8]> =
            registers.iter().map(|&size| places.reserve(tile.slot_bytes(size, tile.rows))).collect();
        for i in 0..self.binding.operands.len() {
            self.access.push(match self.access_in_tile(i) {
                Access::Packed { .. } if self.has_slot(i) => {
                    Access::Packed { scratch: places.reserve(self.slot_bytes(i)) }
                }
                other => other,
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

    /// Elements of a tile before the scratch limits them: for a single step what the first level holds beside the
    /// streams; for several, whose registers lie there too, less within the second-level cache; beyond it a tile begins by waiting for
    /// memory, and is longer where the first level holds that and the next tile, which is asked for meanwhile. (In 32 KiB, on Zen 4,
    /// 8 KiB take 1.4 times as long as 4 KiB.)
    fn wanted(&self, target: &Target) -> usize {
        // Operands with gaps bring more into the first level than the tile has.
        let has_gaps = |(operand, nest_operand): (&BoundOperand, &OperandStrides)| {
            nest_operand.strides.last().is_some_and(|stride| stride.unsigned_abs() > operand.size)
        };
        let bytes = match self.binding.steps.len() {
            1 if self.binding.operands.iter().zip(&self.nest.operands).any(has_gaps) => TILE_BYTES,
            1 => LONG_TILE_BYTES.min(self.longest_tile(target)),
            _ if self.bytes > target.cpu.l2 && target.cpu.l1 >= LARGE_FIRST_LEVEL => LONG_TILE_BYTES,
            _ => TILE_BYTES,
        };
        bytes / self.widest()
    }

    /// Whether a single step's tile packs inputs alone that every tile along the cut loop finds there: its tiles are rows of one call, and
    /// short ones cost little.
    fn packs_once(&self) -> bool {
        let serves = |i: usize| match self.access_in_tile(i) {
            Access::Packed { .. } => {
                !self.binding.operands[i].output && self.nest.operands[i].strides.get(self.tile.axis) == Some(&0)
            }
            _ => true,
        };
        self.binding.steps.len() == 1 && !self.is_move && (0..self.binding.operands.len()).all(serves)
    }

    /// Cuts the nest into tiles of about `elements` elements: as many inner loops as fit, an even part of the next.
    pub(crate) fn shape_tile(&mut self, elements: usize) {
        let sizes = &self.nest.sizes;
        let (mut axis, mut inner) = (sizes.len().saturating_sub(1), 1usize);
        while axis > 0 && inner * sizes[axis] <= elements {
            inner *= sizes[axis];
            axis -= 1;
        }
        if self.binding.steps.len() > 1 && elements / inner < 2 {
            // One step of a loop is all of the loops inside: what stands still along those does over the tile. (Of one step,
            // tiles along the loop [join](Schedule::tiles_join).) There are some: a tile of several steps has 16 elements.
            axis += 1;
            inner /= sizes[axis];
        }
        let size = sizes.get(axis).copied().unwrap_or(1);
        let most = (elements / inner).clamp(1, size);
        let tiles = size.div_ceil(most);
        let mut length = size.div_ceil(tiles);
        if tiles > 1 {
            // Tiles of a contiguous output begin on its cache lines where they can; never above `most`.
            let line = line_steps(inner.saturating_mul(self.binding.operands[0].size)).min(most);
            length = length.next_multiple_of(line).min(most / line * line);
        }
        self.tile = Tile { axis, length, inner, row_axis: axis, rows: 1 };
    }

    /// How a operand appears in a tile; packed ones without their scratch.
    pub(crate) fn access_in_tile(&self, operand: usize) -> Access {
        if self.permuted == Some(operand) || self.second_permuted == Some(operand) {
            return Access::Permuted;
        }
        let strides = &self.nest.operands[operand].strides[self.tile.axis.min(self.nest.sizes.len())..];
        let sizes = &self.nest.sizes[self.tile.axis.min(self.nest.sizes.len())..];
        let (size, output) = (self.binding.operands[operand].size, self.binding.operands[operand].output);
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
        // The rows of a plane may lie apart, and a move writes whole tiles.
        if self.is_move && self.tile.rows > 1 { Access::Packed { scratch: 0 } } else { Access::Contiguous }
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

    /// Whether tiles along the cut loop are rows of one kernel call: of a single step that writes where it is told,
    /// with leaves that are packed once for all of the loop.
    pub fn tiles_join(&self) -> bool {
        let serves = |(operand, access): (usize, &Access)| match access {
            Access::Packed { .. } => {
                !self.binding.operands[operand].output
                    && self.nest.operands[operand].strides.get(self.tile.axis) == Some(&0)
            }
            _ => true,
        };
        self.steps.len() == 1 && !self.is_move && self.tile.rows == 1 && self.access.iter().enumerate().all(serves)
    }

    /// How many tiles the cut loop gives.
    pub fn tiles_along(&self) -> usize {
        let size = self.nest.sizes.get(self.tile.axis).copied().unwrap_or(1);
        size.div_ceil(self.tile.length.max(1))
    }
}

/// Bytes that a single step packs once, at most.
pub(crate) fn once_bytes(target: &Target) -> usize {
    if target.cpu.l1 < LARGE_FIRST_LEVEL { target.cpu.l1 / PACKED_ONCE_FRACTION } else { usize::MAX }
}

/// The smallest number of steps of `bytes` bytes that are whole cache lines.
pub(crate) fn line_steps(bytes: usize) -> usize {
    CACHE_LINE >> bytes.trailing_zeros().min(CACHE_LINE.trailing_zeros())
}
