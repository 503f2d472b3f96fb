//! The next tile's inputs, asked for before the last step of this one.
//!
//! A step over a tile reads memory in short bursts with the work of the other steps between them, and what the CPU fetches ahead by
//! itself stops at the end of each burst. The last step reads registers mostly, so the memory is free while it works.

use eltwise_plan::plan::{Access, Strategy};
use eltwise_plan::{Machine, Schedule};

use super::stream::Next;
use super::tiled::{Current, Extent};
use crate::machine::CpuModel;

/// Bytes of a cache line.
const LINE: usize = 64;

/// Whether a schedule's tiles are worth it: of several steps, over more bytes than the caches have. (Within the last level the
/// CPU's own prefetching keeps up: measured, 0.88 to 1 of the time with it.) Not on AMD's CPUs with a first level of 32 KiB: on Zen 4 a run
/// takes 0.46 (`sqrt(a * a + b * b)`) to 0.87 (`gelu(abs(a - b))`) of the time without.
pub(crate) fn pays(schedule: &Schedule, machine: &Machine) -> bool {
    /// Bytes of a first level that holds what is asked for beside the tile.
    const ROOM: usize = 48 << 10;
    let harms = machine.l1 < ROOM && CpuModel::current().amd;
    cfg!(target_arch = "x86_64")
        && !harms
        && schedule.strategy == Strategy::Tiled
        && schedule.steps.len() > 1
        && schedule.bytes > machine.llc
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DType, Layout, Program};

    #[test]
    fn the_next_tile_is_asked_for_where_the_first_level_has_room_or_the_cpu_gains_by_it() {
        let layout = Layout::contiguous(DType::F32, [1 << 14]).unwrap();
        let bind = |text: &str| Program::parse(text, &[("x", DType::F32)]).unwrap().bind(&[&layout]).unwrap();
        let pays = |text: &str, l1: usize, llc: usize| {
            pays(&bind(text).whole().unwrap().schedule, &Machine { l1: l1 << 10, llc, ..Machine::default() })
        };
        let (text, bytes) = ("sqrt(abs(x))", 2 << 16);
        assert_eq!(pays(text, 48, bytes - 1), cfg!(target_arch = "x86_64"));
        assert_eq!(pays(text, 47, bytes - 1), cfg!(target_arch = "x86_64") && !CpuModel::current().amd);
        assert!(!pays(text, 48, bytes) && !pays("abs(x)", 48, 1));
    }
}
