//! Tiled plans: every step runs over one tile after the other, in scratch that fits the first-level cache. [`run`] is
//! the loop over the tiles; it packs inputs, runs the [`Steps`] and unpacks outputs.

use core::mem::MaybeUninit;
use core::ops::Range;

use eltwise_kernels::Operand;
use eltwise_plan::strategy::{Access, Slot, Tile};
use eltwise_plan::tuning::{CACHE_LINE, SCRATCH_BYTES, TILE_2D_SCRATCH};

use super::extent::{Extent, TileOperand};
use super::scratch::StackScratch;
use super::steps::Steps;
use super::{Run, blank, on_stack, operand_of_slot};

/// Runs a range of tiles.
pub(super) fn run(run: &Run<'_>, tiles: Range<usize>) {
    let bytes = run.plan.schedule.scratch;
    if bytes <= SCRATCH_BYTES {
        run_on_stack::<SCRATCH_BYTES>(run, tiles);
    } else if bytes <= TILE_2D_SCRATCH {
        run_on_stack::<TILE_2D_SCRATCH>(run, tiles);
    } else {
        let mut lines = Vec::<StackScratch<CACHE_LINE>>::with_capacity(bytes.div_ceil(CACHE_LINE));
        run_in(run, tiles, lines.as_mut_ptr().cast());
    }
}

/// Runs a range of tiles with that much scratch on the stack.
#[inline(never)]
fn run_on_stack<const BYTES: usize>(run: &Run<'_>, tiles: Range<usize>) {
    let mut scratch = MaybeUninit::<StackScratch<BYTES>>::uninit();
    run_in(run, tiles, scratch.as_mut_ptr().cast());
}

/// Runs a range of tiles in this scratch.
fn run_in(run: &Run<'_>, tiles: Range<usize>, scratch: *mut u8) {
    let null = core::ptr::null_mut();
    let unset = TileOperand { data: null, memory: null, packed: (null, 0, 0) };
    let operands = run.plan.schedule.binding.operands.iter().map(|_| unset);
    on_stack(operands, |operands| run_tiles(run, tiles, scratch, operands));
}

/// Runs a range of tiles. `operands` has room for all operands of the schedule.
#[inline(always)]
fn run_tiles(run: &Run<'_>, tiles: Range<usize>, scratch: *mut u8, operands: &mut [TileOperand]) {
    let schedule = &run.plan.schedule;
    let Tile { axis, length, .. } = schedule.tile;
    let size = schedule.nest.sizes.get(axis).copied().unwrap_or(1);
    let mut tile = tiles.start;
    let mut steps = Steps::new(schedule, tiles.len());
    while tile < tiles.end {
        // The tiles of a block follow each other along the cut loop, so only the first one's address is computed from
        // its number.
        let mut extent = Extent::of(schedule, tile);
        let joined = |extent: Extent, tile| {
            if run.plan.tiles_join { extent.join(schedule, tiles.end - tile) } else { extent }
        };
        extent = joined(extent, tile);
        for (i, operand) in operands.iter_mut().enumerate() {
            let memory = run.pointers[i].wrapping_offset(extent.offset(schedule, i));
            operand.move_to(memory, schedule.access[i], scratch);
        }
        steps.move_to(run, &extent, scratch, operands);
        loop {
            run_tile(run, &extent, &steps, scratch, operands);
            tile += extent.tiles;
            let moved = extent.steps * extent.tiles;
            extent.start += moved;
            if extent.start >= size || tile >= tiles.end {
                break;
            }
            (extent.tiles, extent.steps) = (1, length.min(size - extent.start));
            extent.remainder.steps = extent.steps != length;
            extent = joined(extent, tile);
            for ((operand, strides), &access) in operands.iter_mut().zip(&schedule.nest.operands).zip(&schedule.access)
            {
                let stride = strides.strides.get(axis).copied().unwrap_or(0);
                operand.move_to(operand.memory.wrapping_offset(stride.wrapping_mul(moved as isize)), access, scratch);
            }
            steps.move_to(run, &extent, scratch, operands);
        }
    }
}

/// Runs one tile, or several that [join](eltwise_plan::Schedule::tiles_join): packs, calls the kernels, unpacks.
#[inline]
fn run_tile(run: &Run<'_>, extent: &Extent, steps: &Steps, scratch: *mut u8, operands: &mut [TileOperand]) {
    let plan = run.plan;
    let schedule = &plan.schedule;
    if schedule.is_move {
        move_tile(run, extent, operands);
        return;
    }
    for (i, operand) in operands.iter_mut().enumerate() {
        if schedule.binding.operands[i].output || !matches!(schedule.access[i], Access::Packed { .. }) {
            continue;
        }
        // An earlier tile may have packed the same elements, and as many or more of a single row.
        let rows = extent.rows.min(schedule.packed_rows(i));
        let (packed_memory, packed_rows, packed_steps) = operand.packed;
        let is_packed = packed_memory == operand.memory
            && packed_rows == rows
            && (packed_steps == extent.steps || (packed_rows == 1 && packed_steps > extent.steps));
        if let (Some(packings), false) = (plan.packings(i), is_packed)
            && let Some(packing) = packings.get(extent.remainder)
        {
            let readable_end = packings.readable_end(run.pointers[i]);
            // SAFETY: the operand is readable over the tile, and up to `readable_end` on its pages; the scratch has a slot for
            // the tile; the ISA is the plan's, which the CPU has.
            unsafe { packing.run(operand.data, operand.memory, readable_end) };
            operand.packed = (operand.memory, rows, extent.steps);
        }
    }
    steps.run(run, extent, scratch, operands);
    for (i, operand) in operands.iter().enumerate() {
        if let (true, Access::Packed { .. }, Some(packing)) =
            (schedule.binding.operands[i].output, schedule.access[i], plan.packing(i, extent.remainder))
        {
            // SAFETY: the output is writable over the tile, and its elements are distinct; the scratch holds the tile.
            unsafe { packing.run(operand.memory, operand.data, core::ptr::null()) };
        }
    }
}

/// A tile of a program that is one move: packed directly into the output, or unpacked directly from the input.
fn move_tile(run: &Run<'_>, extent: &Extent, operands: &[TileOperand]) {
    let schedule = &run.plan.schedule;
    let elements = extent.rows * extent.steps * schedule.tile.inner;
    let step = &schedule.steps[0];
    let out = operand_of_slot(step.result).unwrap_or(0);
    let to = &operands[out];
    let unpacking = match schedule.access[out] {
        Access::Packed { .. } => run.plan.packing(out, extent.remainder),
        _ => None,
    };
    match step.args.first() {
        Some(&Slot::Operand(input)) => {
            let from = operands[input].memory;
            if let (Some(unpacking), Access::Contiguous) = (unpacking, schedule.access[input]) {
                // SAFETY: the input is readable over the tile, the output writable; its elements are distinct.
                unsafe { unpacking.run(to.memory, from, core::ptr::null()) };
                return;
            }
            if let Some(packing) = run.plan.packing(input, extent.remainder) {
                // SAFETY: the input is readable over the tile; `to.data` is the tile in the output or in scratch; the ISA is
                // the plan's, which the CPU has.
                unsafe { packing.run(to.data, from, core::ptr::null()) };
            }
        }
        _ => {
            let mut call = blank(1, elements, &run.flags);
            call.out = Operand { ptr: to.data, row: 0, splat: false };
            if let Some(&Slot::Constant(c)) = step.args.first() {
                call.ins[0] = run.constant(c);
            }
            // SAFETY: the constant fills the tile in the output or in scratch.
            unsafe { run.plan.kernels[0](&call) };
        }
    }
    if let Some(unpacking) = unpacking {
        // SAFETY: the output is writable over the tile, and its elements are distinct; the scratch holds the tile.
        unsafe { unpacking.run(to.memory, to.data, core::ptr::null()) };
    }
}
