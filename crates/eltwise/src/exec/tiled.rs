//! Tiled plans: one tile after the other, with scratch on the stack. For each tile, [`run`] packs inputs, calls kernels and
//! unpacks outputs; or calls a unit kernel; or copies, for a move.

use core::mem::MaybeUninit;
use core::ops::Range;

use eltwise_kernels::layout::{UnitCall, UnitKernel, UnitOperand, UnitSource};
use eltwise_kernels::{Call, Operand};
use eltwise_plan::bind::Place;
use eltwise_plan::strategy::Access;
use eltwise_plan::tuning::{CACHE_LINE, LARGE_SCRATCH_BYTES, SCRATCH_BYTES};

use super::prefetch::{self, NextTile};
use super::regions::{StepLoop, StepShape, TileOperand, TileRegion, Units};
use super::scratch::StackScratch;
use super::sources::Source;
use super::{ElementSizes, Run, blank, non_temporal, on_stack};
use crate::sys::cpu::cpu_model;

/// Runs a range of tiles.
pub(super) fn run(run: &Run<'_>, tiles: Range<usize>) {
    let bytes = run.plan.schedule.scratch;
    if bytes <= SCRATCH_BYTES {
        run_on_stack::<SCRATCH_BYTES>(run, tiles);
    } else if bytes <= LARGE_SCRATCH_BYTES {
        run_on_stack::<LARGE_SCRATCH_BYTES>(run, tiles);
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
    let operands = run.plan.schedule.binding.operands.iter().map(|_| TileOperand {
        first: null,
        memory: null,
        data: null,
        packed: null,
    });
    on_stack(operands, |operands| {
        for (i, operand) in operands.iter_mut().enumerate() {
            operand.first = run.pointers[i];
            if let (Access::Permuted { copy: Some(at) }, Some((first, end))) =
                (run.plan.schedule.access[i], run.plan.spans[i])
            {
                let copy = scratch.wrapping_add(at);
                let from = run.pointers[i].wrapping_offset(first);
                // SAFETY: the span of an operand is readable; the scratch has a slot for it.
                unsafe { core::ptr::copy_nonoverlapping(from, copy, (end - first) as usize) };
                operand.first = copy.wrapping_offset(-first);
            }
        }
        let mut before = 0;
        for region in &run.plan.regions {
            let all = region.region.tiles();
            let (start, end) = (tiles.start.max(before), tiles.end.min(before + all));
            if start < end {
                operands.iter_mut().for_each(|operand| operand.packed = null);
                run_region(&Tiles { run, region, scratch }, start - before..end - before, operands);
            }
            before += all;
        }
    });
}

/// The tiles of a region.
struct Tiles<'a> {
    run: &'a Run<'a>,
    region: &'a TileRegion,
    scratch: *mut u8,
}

/// Runs a range of the tiles of a region. `operands` has room for all operands of the schedule.
fn run_region(tiles: &Tiles<'_>, range: Range<usize>, operands: &mut [TileOperand]) {
    let schedule = &tiles.run.plan.schedule;
    let region = &tiles.region.region;
    // Tiles follow each other along one loop, so only the first one's address is computed from its number.
    let inner = schedule.tile.order.iter().rev().copied().find(|&axis| region.counts[axis] > 1);
    let count = inner.map_or(1, |axis| region.counts[axis]);
    let mut tile = range.start;
    while tile < range.end {
        for (i, operand) in operands.iter_mut().enumerate() {
            let memory = operand.first.wrapping_offset(offset(tiles, tile, i));
            tiles.move_to(operand, i, memory);
        }
        let last = (tile / count * count + count).min(range.end);
        loop {
            tiles.run_tile(inner, operands);
            tile += 1;
            if tile == last {
                break;
            }
            for (i, operand) in operands.iter_mut().enumerate() {
                let step = inner.map_or(0, |axis| tiles.step(i, axis));
                tiles.move_to(operand, i, operand.memory.wrapping_offset(step));
            }
        }
    }
}

/// Bytes from element `[0, 0, ...]` of an operand to the first one of a tile of the region.
fn offset(tiles: &Tiles<'_>, mut tile: usize, operand: usize) -> isize {
    let schedule = &tiles.run.plan.schedule;
    let (region, operand) = (&tiles.region.region, &schedule.nest.operands[operand]);
    let mut offset = operand.offset;
    for &axis in schedule.tile.order.iter().rev() {
        let (count, steps) = (region.counts[axis], region.steps[axis]);
        let at = region.first[axis] + tile % count * steps;
        offset = offset.wrapping_add(operand.strides[axis].wrapping_mul(at as isize));
        tile /= count;
    }
    offset
}

impl Tiles<'_> {
    /// Moves an operand to the tile that begins at `memory`.
    #[inline]
    fn move_to(&self, operand: &mut TileOperand, i: usize, memory: *mut u8) {
        operand.memory = memory;
        operand.data = match self.run.plan.schedule.access[i] {
            Access::Packed { scratch } => self.scratch.wrapping_add(scratch),
            _ => memory,
        };
    }

    /// Bytes from a tile of an operand to the next one along a loop.
    #[inline]
    fn step(&self, operand: usize, axis: usize) -> isize {
        let stride = self.run.plan.schedule.nest.operands[operand].strides[axis];
        stride.wrapping_mul(self.region.region.steps[axis] as isize)
    }

    /// Runs one tile: packs, calls the kernels, unpacks. `inner`: the loop along which the next tile follows.
    #[inline]
    fn run_tile(&self, inner: Option<usize>, operands: &mut [TileOperand]) {
        let (run, plan) = (self.run, self.run.plan);
        let schedule = &plan.schedule;
        if schedule.is_move {
            self.move_tile(operands);
            return;
        }
        if let Some(kernel) = plan.unit_kernel {
            self.region.units.iter().for_each(|units| self.run_units(kernel, units, operands));
            return;
        }
        for (i, operand) in operands.iter_mut().enumerate() {
            if let Some(copy) = &self.region.copies[i]
                && !schedule.binding.operands[i].output
                && operand.packed != operand.memory
            {
                let end = self.end(i);
                // SAFETY: the operand is readable over the tile, and up to `end` on its pages; the scratch has a slot for the
                // tile; the ISA is the plan's, which the CPU has.
                unsafe { copy.run(operand.data, operand.memory, end) };
                operand.packed = operand.memory;
            }
        }
        let mut chains = self.region.chains.iter();
        let (mut chain, mut i, count) = (chains.next(), 0, self.region.steps.len());
        while i < count {
            // The steps that run at once: one, or those of a chain. The last step of a non-temporal run has stores of its own.
            let next = chain.filter(|chain| chain.steps.start == i);
            let end = next.map_or(i + 1, |chain| chain.steps.end.min(count - usize::from(run.non_temporal)).max(i + 1));
            if plan.prefetches && end == count && !run.non_temporal {
                for (operand, current) in operands.iter().enumerate() {
                    let step = inner.map_or(0, |axis| self.step(operand, axis));
                    prefetch::after_tile(schedule, operand, current.memory, step);
                }
            }
            match next {
                // SAFETY: operands are the tile's elements in memory or in scratch; the kernel was chosen for this CPU.
                Some(next) if end > i + 1 => unsafe { next.run(end, |source| self.address(source, operands)) },
                _ => {
                    let step = &self.region.steps[i];
                    let call = self.call(step, operands);
                    for_each_iteration(&step.outer_loops, call, &mut |call| self.invoke(i, call, operands));
                }
            }
            if next.is_some() {
                chain = chains.next();
            }
            i = end;
        }
        for (i, operand) in operands.iter().enumerate() {
            if let Some(copy) = &self.region.copies[i]
                && schedule.binding.operands[i].output
            {
                // SAFETY: the output is writable over the tile, and its elements are distinct; the scratch holds the tile.
                unsafe { copy.run(operand.memory, operand.data, core::ptr::null()) };
            }
        }
    }

    /// The first call of a step over the current tile.
    #[inline]
    fn call(&self, step: &StepShape, operands: &[TileOperand]) -> Call {
        let mut call = blank(step.rows, step.cols, &self.run.flags);
        for (into, operand) in core::iter::once(&mut call.out).chain(&mut call.ins).zip(&step.operands) {
            if matches!(operand.source, Source::None) {
                break;
            }
            *into = Operand { ptr: self.address(operand.source, operands), row: operand.row, splat: operand.splat };
        }
        call
    }

    /// The first element of a source.
    #[inline]
    fn address(&self, source: Source, operands: &[TileOperand]) -> *mut u8 {
        match source {
            Source::Operand(i) => operands[i].data,
            Source::Register(at) => self.scratch.wrapping_add(at),
            Source::Constant(constant) => self.run.constant(constant).ptr,
            Source::None => core::ptr::null_mut(),
        }
    }

    /// Calls the kernel of a step.
    #[inline]
    fn invoke(&self, step: usize, call: &Call, operands: &[TileOperand]) {
        let (run, plan) = (self.run, self.run.plan);
        let (schedule, kernel) = (&plan.schedule, plan.kernels[step]);
        let last = schedule.steps.len() - 1;
        if !(run.non_temporal && step == last && (last == 0 || call.rows == 1)) {
            // SAFETY: operands are the tile's elements in memory or in scratch; the registers of one step are distinct; the
            // kernel was chosen for this CPU.
            unsafe { kernel(call) };
            return;
        }
        let mut sizes = ElementSizes::of_step(schedule, step);
        if last > 0 {
            let elements = self.region.region.steps.iter().product();
            let next = NextTile::new(schedule, operands, elements);
            // SAFETY: as above; the output of a non-temporal run overlaps no input.
            unsafe { non_temporal::call(kernel, call, &sizes, Some(next), &cpu_model()) };
            return;
        }
        // Only contiguous inputs are prefetched.
        for (bytes, operand) in sizes.ins.iter_mut().zip(&self.region.steps[step].operands[1..]) {
            let is_contiguous =
                matches!(operand.source, Source::Operand(i) if schedule.access[i] == Access::Contiguous);
            *bytes *= usize::from(is_contiguous);
        }
        // SAFETY: as above.
        unsafe { non_temporal::rows(|call| kernel(call), call, &sizes, &cpu_model()) };
    }

    /// Calls a unit kernel over units of the current tile.
    #[inline]
    fn run_units(&self, kernel: UnitKernel, units: &Units, operands: &[TileOperand]) {
        let (run, schedule) = (self.run, &self.run.plan.schedule);
        let step = &schedule.binding.steps[0];
        let input = |k: usize| {
            let (ptr, end) = match step.args[k] {
                Place::Operand(operand) => {
                    (operands[operand].memory.cast_const(), self.end_of_units(operand, &units.inputs[k]))
                }
                Place::Constant(constant) => (run.constant(constant).ptr.cast_const(), core::ptr::null()),
                _ => (core::ptr::null(), core::ptr::null()),
            };
            UnitOperand { ptr, step: units.step[k + 1], source: units.inputs[k], end }
        };
        let call = UnitCall {
            out: operands[step.output.unwrap_or(0)].memory,
            step: units.step[0],
            bytes: units.bytes,
            units: units.units,
            ins: [input(0), input(1)],
            rows: units.rows,
            tables: &raw const units.tables,
        };
        // SAFETY: all units are of the tile, over which the operands are valid; a permuted input has other strides than the
        // output, and so does not overlap it; the kernel was chosen for this CPU.
        unsafe { kernel.run(&call) };
    }

    /// The end of an input's readable memory over units. If elements may be more than a page apart, no byte after those of a unit
    /// is readable for certain: it is null then if windows pass them, so that each unit is read from a copy.
    #[inline]
    fn end_of_units(&self, operand: usize, source: &UnitSource) -> *const u8 {
        match source {
            UnitSource::Permuted(table) if table.reach > table.extent[1] && self.run.plan.spans[operand].is_none() => {
                core::ptr::null()
            }
            _ => self.end(operand),
        }
    }

    /// The end of an input's readable memory. The largest address for an input without a span: the windows of its copies end with
    /// the elements that they are for.
    #[inline]
    fn end(&self, operand: usize) -> *const u8 {
        match (self.run.plan.spans[operand], self.run.plan.schedule.access[operand]) {
            (None, _) | (_, Access::Permuted { copy: Some(_) }) => core::ptr::without_provenance(usize::MAX),
            (Some((_, end)), _) => self.run.pointers[operand].wrapping_offset(end).cast_const(),
        }
    }

    /// A tile of a program that is one move.
    fn move_tile(&self, operands: &[TileOperand]) {
        let Some(Some(copy)) = self.region.copies.first() else { return };
        let step = &self.run.plan.schedule.binding.steps[0];
        let from = match step.args.first() {
            Some(&Place::Operand(input)) => operands[input].memory.cast_const(),
            Some(&Place::Constant(constant)) => self.run.constant(constant).ptr.cast_const(),
            _ => return,
        };
        let to = operands[step.output.unwrap_or(0)].memory;
        // SAFETY: the input is readable over the tile, the output writable; its elements are distinct; the CPU has the ISA.
        unsafe { copy.run(to, from, core::ptr::null()) };
    }
}

/// Calls `invoke` for all iterations of the outer loops.
#[inline]
fn for_each_iteration(outer_loops: &[StepLoop], mut call: Call, invoke: &mut impl FnMut(&Call)) {
    let Some((outer, inner)) = outer_loops.split_first() else {
        invoke(&call);
        return;
    };
    for _ in 0..outer.count {
        for_each_iteration(inner, call, invoke);
        for (operand, &stride) in core::iter::once(&mut call.out).chain(&mut call.ins).zip(&outer.strides) {
            operand.ptr = operand.ptr.wrapping_offset(stride);
        }
    }
}

#[cfg(test)]
#[path = "tiled_tests.rs"]
mod tests;
