//! The next tile's inputs, asked for before the last step of this one.
//!
//! A step over a tile reads memory in short bursts with the work of the other steps between them, and what the CPU fetches ahead by
//! itself stops at the end of each burst. The last step reads registers mostly, so the memory is free while it works.

use eltwise_plan::Schedule;
use eltwise_plan::plan::{Access, Strategy};

use super::stream::Next;
use super::tiled::{Current, Extent};

/// Bytes of a cache line.
const LINE: usize = 64;

/// Whether a schedule's tiles are worth it: of several steps, over more bytes than the caches have. (Within the last level the
/// CPU's own prefetching keeps up: measured, 0.88 to 1 of the time with it.)
pub(crate) fn pays(schedule: &Schedule, llc: usize) -> bool {
    cfg!(target_arch = "x86_64")
        && schedule.strategy == Strategy::Tiled
        && schedule.steps.len() > 1
        && schedule.bytes > llc
}

/// Asks for what lies behind `steps` steps of the cut loop of an input whose tile begins at `memory`: as much as the tile has, where that
/// is contiguous. The address need not be one of the leaf.
#[inline]
pub(super) fn behind(schedule: &Schedule, leaf: usize, memory: *mut u8, steps: usize) {
    let stride = schedule.nest.walks[leaf].strides.get(schedule.tile.axis).copied().unwrap_or(0);
    let bytes = (stride.unsigned_abs()).saturating_mul(steps);
    let is_read = !schedule.binding.leaves[leaf].output;
    if !is_read || schedule.access[leaf] != Access::Contiguous || stride <= 0 || bytes > 16 << 10 {
        return;
    }
    for line in 0..bytes.div_ceil(LINE) {
        ask(memory.wrapping_add(bytes + line * LINE));
    }
}

/// What two contiguous inputs have behind a tile, by the element; `idle` is an address to ask for where there are
/// fewer. The others are asked for here, and those whose elements are wider than the output's: of them a line of the output needs several
/// lines.
#[inline]
pub(super) fn next(schedule: &Schedule, leaves: &[Current], tile: &Extent, idle: *const u8) -> Next {
    let (mut walks, mut walking) = ([(idle, 0); 2], 0);
    for (i, (current, leaf)) in leaves.iter().zip(&schedule.binding.leaves).enumerate() {
        match walks.get_mut(walking) {
            Some(walk) if walks_along(schedule, i) => {
                let bytes = tile.steps * schedule.tile.inner * leaf.size;
                *walk = (current.memory.wrapping_add(bytes).cast_const(), leaf.size);
                walking += 1;
            }
            _ => behind(schedule, i, current.memory, tile.steps),
        }
    }
    Next { walks }
}

/// Whether a leaf is a contiguous input, of elements no wider than the output's.
#[inline]
fn walks_along(schedule: &Schedule, leaf: usize) -> bool {
    let [output, ..] = &schedule.binding.leaves[..] else { return false };
    let of = &schedule.binding.leaves[leaf];
    !of.output && schedule.access[leaf] == Access::Contiguous && of.size <= output.size
}

#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn ask(at: *mut u8) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    // SAFETY: SSE is part of x86-64; a prefetch touches nothing, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast_const().cast()) };
}

#[inline(always)]
#[cfg(not(target_arch = "x86_64"))]
fn ask(_: *mut u8) {}
