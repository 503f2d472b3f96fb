//! Tiled: every step over one tile after the other, in scratch that fits the first-level cache.

use core::mem::MaybeUninit;
use core::ops::Range;

use eltwise_kernels::{Operand, pack};
use eltwise_plan::plan::{Access, SCRATCH_BYTES, Slot};

use super::{MOST_LEAVES, Run, leaf_of, offset_at};

#[repr(C, align(64))]
struct Scratch([MaybeUninit<u8>; SCRATCH_BYTES]);

/// A leaf while tiles are worked on.
#[derive(Clone, Copy)]
struct Current {
    /// Where the tile's elements are: in memory, or in scratch.
    at: *mut u8,
    /// Where they come from or go to.
    memory: *mut u8,
    /// What the scratch holds: the elements from this place on, this many steps of the cut loop.
    packed: (*mut u8, usize),
}

/// Runs a range of tiles.
pub(super) fn run(run: &Run<'_>, tiles: Range<usize>) {
    let mut scratch = MaybeUninit::<Scratch>::uninit();
    let mut leaves = [const { MaybeUninit::<Current>::uninit() }; MOST_LEAVES];
    let count = run.program.schedule.binding.leaves.len();
    let none = core::ptr::null_mut();
    let leaves: &mut [Current] = {
        for leaf in &mut leaves[..count] {
            leaf.write(Current { at: none, memory: none, packed: (none, 0) });
        }
        // SAFETY: the first `count` were just written; MaybeUninit<T> has the layout of T.
        unsafe { core::slice::from_raw_parts_mut(leaves.as_mut_ptr().cast(), count) }
    };
    let base = scratch.as_mut_ptr().cast::<u8>();
    for tile in tiles {
        one(run, tile, base, leaves);
    }
}

/// Runs one tile.
fn one(run: &Run<'_>, tile: usize, scratch: *mut u8, leaves: &mut [Current]) {
    let program = run.program;
    let schedule = &program.schedule;
    let (axis, length) = (schedule.tile.axis, schedule.tile.length);
    let sizes = &schedule.nest.sizes[..];
    let outer = &sizes[..axis.min(sizes.len())];
    let along = schedule.tiles_along();
    let (block, start) = (tile / along, tile % along * length);
    let steps = length.min(sizes.get(axis).copied().unwrap_or(1) - start);
    let loops = if steps == length { &program.tile_sizes[..] } else { &program.last_sizes[..] };
    let elements = steps * schedule.tile.inner;

    for (i, current) in leaves.iter_mut().enumerate() {
        let walk = &schedule.nest.walks[i];
        let step = walk.strides.get(axis).copied().unwrap_or(0);
        let offset = walk.offset.wrapping_add(offset_at(block, outer, &walk.strides[..outer.len()]));
        let offset = offset.wrapping_add((start as isize).wrapping_mul(step));
        current.memory = run.pointers[i].wrapping_offset(offset);
        current.at = match schedule.access[i] {
            Access::Packed { scratch: at } => scratch.wrapping_add(at),
            _ => current.memory,
        };
    }
    if schedule.is_move {
        move_tile(run, loops, elements, leaves);
        return;
    }
    for (i, current) in leaves.iter_mut().enumerate() {
        let leaf = &schedule.binding.leaves[i];
        let is_packed = matches!(schedule.access[i], Access::Packed { .. });
        // The same source, packed before for as many steps, is still there.
        if is_packed && !leaf.output && (current.packed.0 != current.memory || current.packed.1 < steps) {
            // SAFETY: the leaf is readable over the tile; the scratch has room for the tile's elements.
            unsafe {
                pack::pack(leaf.size, current.at, current.memory, loops, &schedule.nest.walks[i].strides[axis..]);
            };
            current.packed = (current.memory, steps);
        }
    }
    for (step, &kernel) in schedule.steps.iter().zip(&program.kernels) {
        let mut call = run.call(1, elements);
        let place = |slot: Slot| match slot {
            Slot::Leaf(leaf) => Operand { ptr: leaves[leaf].at, row: 0, splat: schedule.access[leaf] == Access::Splat },
            Slot::Constant(c) => run.constant(c),
            Slot::Register(at) => Operand { ptr: scratch.wrapping_add(at), row: 0, splat: false },
            _ => Operand::NONE,
        };
        call.outs[0] = place(step.result);
        for (into, &arg) in call.ins.iter_mut().zip(&step.args) {
            *into = place(arg);
        }
        // SAFETY: operands are the tile's elements in memory or in scratch; registers of one step are distinct; the
        // kernel was chosen for this CPU.
        unsafe { kernel(&call) };
    }
    for (i, current) in leaves.iter().enumerate() {
        let leaf = &schedule.binding.leaves[i];
        if leaf.output && matches!(schedule.access[i], Access::Packed { .. }) {
            // SAFETY: the output is writable over the tile, and its elements are distinct; the scratch holds the tile.
            unsafe {
                pack::unpack(leaf.size, current.memory, current.at, loops, &schedule.nest.walks[i].strides[axis..]);
            };
        }
    }
}

/// A tile of a program that is one move: packed straight into the output, or unpacked straight out of the input.
fn move_tile(run: &Run<'_>, loops: &[usize], elements: usize, leaves: &[Current]) {
    let schedule = &run.program.schedule;
    let axis = schedule.tile.axis;
    let step = &schedule.steps[0];
    let out = leaf_of(step.result).unwrap_or(0);
    let to = &leaves[out];
    let size = schedule.binding.leaves[out].size;
    let unpacks = matches!(schedule.access[out], Access::Packed { .. });
    match step.args.first() {
        Some(&Slot::Leaf(input)) => {
            let from = &leaves[input];
            let strides = &schedule.nest.walks[input].strides[axis..];
            // SAFETY: the input is readable over the tile; `to.at` is the tile in the output or in scratch.
            unsafe {
                match schedule.access[input] {
                    Access::Contiguous if unpacks => {
                        pack::unpack(size, to.memory, from.memory, loops, &schedule.nest.walks[out].strides[axis..]);
                        return;
                    }
                    _ => pack::pack(size, to.at, from.memory, loops, strides),
                }
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
    if unpacks {
        // SAFETY: the output is writable over the tile; the scratch holds the tile.
        unsafe { pack::unpack(size, to.memory, to.at, loops, &schedule.nest.walks[out].strides[axis..]) };
    }
}
