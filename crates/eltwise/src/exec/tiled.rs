//! Tiled: every step over one tile after the other, in scratch that fits the first-level cache.

use core::mem::MaybeUninit;
use core::ops::Range;

use eltwise_kernels::Operand;
use eltwise_plan::Schedule;
use eltwise_plan::plan::{Access, PLANE_SCRATCH, SCRATCH_BYTES, Slot, Tile};

use super::steps::Steps;
use super::{Run, Which, leaf_of, offset_at, on_stack};

#[repr(C, align(64))]
struct Scratch<const BYTES: usize>([MaybeUninit<u8>; BYTES]);

/// A leaf while tiles are worked on.
#[derive(Clone, Copy)]
pub(super) struct Current {
    /// Where the tile's elements are: in memory, or in scratch.
    pub(super) at: *mut u8,
    /// Where they come from or go to.
    pub(super) memory: *mut u8,
    /// What the scratch holds: the elements from this place on, this many rows and steps of
    /// the cut loops.
    packed: (*mut u8, usize, usize),
}

impl Current {
    /// The tile begins there in memory.
    #[inline]
    fn begin(&mut self, memory: *mut u8, access: Access, scratch: *mut u8) {
        self.memory = memory;
        self.at = match access {
            Access::Packed { scratch: at } => scratch.wrapping_add(at),
            _ => memory,
        };
    }
}

/// Where a tile lies in the nest, and how much of it there is.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// The number of the tile among the loops outside the cut one.
    block: usize,
    /// The first step of the cut loop.
    start: usize,
    /// Steps of the cut loop.
    pub(super) steps: usize,
    /// Steps of a plane's row loop; 1 without.
    pub(super) rows: usize,
    /// Tiles that follow each other along the cut loop and run as rows of one call, this one included.
    pub(super) tiles: usize,
    which: Which,
}

impl Extent {
    #[inline]
    fn of(schedule: &Schedule, tile: usize) -> Extent {
        let (axis, length) = (schedule.tile.axis, schedule.tile.length);
        let along = schedule.tiles_along();
        let (block, start) = (tile / along, tile % along * length);
        let steps = length.min(schedule.nest.sizes.get(axis).copied().unwrap_or(1) - start);
        let rows = match schedule.tile.rows {
            1 => 1,
            rows => rows.min(schedule.row_loop() - Extent::rows_before(schedule, block)),
        };
        let which = Which { along: steps != length, down: rows != schedule.tile.rows };
        Extent { block, start, steps, rows, tiles: 1, which }
    }

    /// The same with the whole tiles behind it, `most` at most in all.
    #[inline]
    fn with_next(self, schedule: &Schedule, most: usize) -> Extent {
        let Tile { axis, length, .. } = schedule.tile;
        let size = schedule.nest.sizes.get(axis).copied().unwrap_or(1);
        Extent { tiles: ((size - self.start) / length).clamp(1, most), ..self }
    }

    /// The steps of the row loop before a block.
    fn rows_before(schedule: &Schedule, block: usize) -> usize {
        let inside = &schedule.nest.sizes[schedule.tile.row_axis + 1..schedule.tile.axis];
        block / inside.iter().product::<usize>() % schedule.tiles_down() * schedule.tile.rows
    }

    /// The bytes from a leaf's first element to the tile's.
    #[inline]
    fn offset(&self, schedule: &Schedule, leaf: usize) -> isize {
        let walk = &schedule.nest.walks[leaf];
        let (tile, sizes) = (&schedule.tile, &schedule.nest.sizes);
        let outer = tile.axis.min(sizes.len());
        let along = walk.strides.get(tile.axis).copied().unwrap_or(0).wrapping_mul(self.start as isize);
        let base = walk.offset.wrapping_add(along);
        if tile.rows == 1 {
            return base.wrapping_add(offset_at(self.block, &sizes[..outer], &walk.strides[..outer]));
        }
        // The row loop counts planes, not steps.
        let (before, inside) = (0..tile.row_axis, tile.row_axis + 1..outer);
        let within: usize = sizes[inside.clone()].iter().product();
        let above = self.block / within / schedule.tiles_down();
        let rows = Extent::rows_before(schedule, self.block) as isize;
        base.wrapping_add(rows.wrapping_mul(walk.strides[tile.row_axis]))
            .wrapping_add(offset_at(self.block % within, &sizes[inside.clone()], &walk.strides[inside]))
            .wrapping_add(offset_at(above, &sizes[before.clone()], &walk.strides[before]))
    }
}

/// Runs a range of tiles.
pub(super) fn run(run: &Run<'_>, tiles: Range<usize>) {
    let bytes = run.program.schedule.scratch;
    if bytes <= SCRATCH_BYTES {
        run_in::<SCRATCH_BYTES>(run, tiles);
    } else if bytes <= PLANE_SCRATCH {
        run_in::<PLANE_SCRATCH>(run, tiles);
    } else {
        let mut lines = Vec::<Scratch<64>>::with_capacity(bytes.div_ceil(64));
        run_over(run, tiles, lines.as_mut_ptr().cast());
    }
}

/// Runs a range of tiles with that much scratch on the stack.
#[inline(never)]
fn run_in<const BYTES: usize>(run: &Run<'_>, tiles: Range<usize>) {
    let mut scratch = MaybeUninit::<Scratch<BYTES>>::uninit();
    let base = scratch.as_mut_ptr().cast::<u8>();
    run_over(run, tiles, base);
}

/// Runs a range of tiles over scratch.
fn run_over(run: &Run<'_>, tiles: Range<usize>, base: *mut u8) {
    let none = core::ptr::null_mut();
    let blank = Current { at: none, memory: none, packed: (none, 0, 0) };
    let blanks = run.program.schedule.binding.leaves.iter().map(|_| blank);
    on_stack(blanks, |leaves| run_with(run, tiles, base, leaves));
}

/// The same, with a place for each leaf.
#[inline(always)]
fn run_with(run: &Run<'_>, tiles: Range<usize>, base: *mut u8, leaves: &mut [Current]) {
    let schedule = &run.program.schedule;
    let Tile { axis, length, .. } = schedule.tile;
    let size = schedule.nest.sizes.get(axis).copied().unwrap_or(1);
    let mut tile = tiles.start;
    let mut steps = Steps::new(schedule, tiles.len());
    while tile < tiles.end {
        // The tiles of one block follow each other along the cut loop: only the first one's place is counted out.
        let mut at = Extent::of(schedule, tile);
        let joined = |at: Extent, tile| {
            if run.program.tiles_join { at.with_next(schedule, tiles.end - tile) } else { at }
        };
        at = joined(at, tile);
        for (leaf, current) in leaves.iter_mut().enumerate() {
            current.begin(run.pointers[leaf].wrapping_offset(at.offset(schedule, leaf)), schedule.access[leaf], base);
        }
        steps.move_to(run, &at, base, leaves);
        loop {
            one(run, &at, &steps, base, leaves);
            tile += at.tiles;
            let moved = at.steps * at.tiles;
            at.start += moved;
            if at.start >= size || tile >= tiles.end {
                break;
            }
            (at.tiles, at.steps) = (1, length.min(size - at.start));
            at.which.along = at.steps != length;
            at = joined(at, tile);
            for ((current, walk), &access) in leaves.iter_mut().zip(&schedule.nest.walks).zip(&schedule.access) {
                let stride = walk.strides.get(axis).copied().unwrap_or(0);
                current.begin(current.memory.wrapping_offset(stride.wrapping_mul(moved as isize)), access, base);
            }
            steps.move_to(run, &at, base, leaves);
        }
    }
}

/// Runs one tile, or several that [join](Schedule::tiles_join): packs, calls the kernels, unpacks.
#[inline]
fn one(run: &Run<'_>, at: &Extent, steps: &Steps, scratch: *mut u8, leaves: &mut [Current]) {
    let program = run.program;
    let schedule = &program.schedule;
    if schedule.is_move {
        move_tile(run, at, leaves);
        return;
    }
    for (i, current) in leaves.iter_mut().enumerate() {
        if schedule.binding.leaves[i].output || !matches!(schedule.access[i], Access::Packed { .. }) {
            continue;
        }
        // The same source, packed before for as many steps, is still there.
        let here = at.rows.min(schedule.packed_rows(i));
        let (source, rows, steps) = current.packed;
        let is_there =
            source == current.memory && rows == here && (steps == at.steps || (rows == 1 && steps > at.steps));
        if let (Some(packing), false) = (program.packing(i, at.which), is_there) {
            let end = current.at.wrapping_add(schedule.slot_bytes(i));
            let past = program.packings(i).map_or(core::ptr::null(), |p| p.past(run.pointers[i]));
            // SAFETY: the leaf is readable over the tile, and what is up to `past` is on its pages; the scratch has a slot
            // of that many bytes for it; the ISA is the plan's, which the CPU has.
            unsafe { packing.pack(current.at, end, current.memory, past) };
            current.packed = (current.memory, here, at.steps);
        }
    }
    steps.run(run, at, scratch, leaves);
    for (i, current) in leaves.iter().enumerate() {
        if let (true, Access::Packed { .. }, Some(packing)) =
            (schedule.binding.leaves[i].output, schedule.access[i], program.packing(i, at.which))
        {
            // SAFETY: the output is writable over the tile, and its elements are distinct; the scratch holds the tile.
            unsafe { packing.unpack(current.memory, current.at) };
        }
    }
}

/// A tile of a program that is one move: packed straight into the output, or unpacked straight out of the input.
fn move_tile(run: &Run<'_>, at: &Extent, leaves: &[Current]) {
    let schedule = &run.program.schedule;
    let elements = at.rows * at.steps * schedule.tile.inner;
    let step = &schedule.steps[0];
    let out = leaf_of(step.result).unwrap_or(0);
    let to = &leaves[out];
    let size = schedule.binding.leaves[out].size;
    let unpacking = match schedule.access[out] {
        Access::Packed { .. } => run.program.packing(out, at.which),
        _ => None,
    };
    match step.args.first() {
        Some(&Slot::Leaf(input)) => {
            let from = leaves[input].memory;
            if let (Some(unpacking), Access::Contiguous) = (unpacking, schedule.access[input]) {
                // SAFETY: the input is readable over the tile, the output writable; its elements are distinct.
                unsafe { unpacking.unpack(to.memory, from) };
                return;
            }
            if let Some(packing) = run.program.packing(input, at.which) {
                // SAFETY: the input is readable over the tile; `to.at` is the tile in the output or in scratch, and
                // nothing past it is written; the ISA is the plan's, which the CPU has.
                unsafe { packing.pack(to.at, to.at.wrapping_add(elements * size), from, core::ptr::null()) };
            }
        }
        _ => {
            let mut call = run.call(1, elements);
            call.outs[0] = Operand { ptr: to.at, row: 0, splat: false };
            if let Some(&Slot::Constant(c)) = step.args.first() {
                call.ins[0] = run.constant(c);
            }
            // SAFETY: the constant fills the tile in the output or in scratch.
            unsafe { run.program.kernels[0](&call) };
        }
    }
    if let Some(unpacking) = unpacking {
        // SAFETY: the output is writable over the tile; the scratch holds the tile.
        unsafe { unpacking.unpack(to.memory, to.at) };
    }
}
