//! Direct: one kernel over rows x columns, the loops outside walked here.

use core::ops::Range;

use eltwise_kernels::{Call, Kernel, Operand};
use eltwise_plan::plan::{Access, Slot};

use super::{Run, leaf_of, offset_at, stream};

/// Runs a range of units: whole rows, or parts of rows when rows are few.
#[inline]
pub(super) fn run(run: &Run<'_>, units: Range<usize>) {
    let schedule = &run.program.schedule;
    let sizes = &schedule.nest.sizes[..];
    let columns = sizes.last().copied().unwrap_or(1);
    let (all_rows, parts) = schedule.direct_grid();
    if parts == 1 || units.len() == all_rows * parts {
        rows(run, units.start / parts..units.end.div_ceil(parts), 0..columns);
        return;
    }
    let mut unit = units.start;
    while unit < units.end {
        let (row, part) = (unit / parts, unit % parts);
        let end = (row * parts + parts).min(units.end);
        let columns = schedule.part(part, parts).0..schedule.part(end - row * parts - 1, parts).1;
        rows(run, row..row + 1, columns);
        unit = end;
    }
}

/// Calls the kernel, with streaming stores if the run has them.
///
/// # Safety
/// As for the kernel.
#[inline]
unsafe fn invoke(run: &Run<'_>, kernel: Kernel, call: &Call) {
    if !run.streams {
        // SAFETY: the caller's contract.
        unsafe { kernel(call) };
        return;
    }
    let schedule = &run.program.schedule;
    let size = |slot: Slot| match slot {
        Slot::Leaf(leaf) => schedule.binding.leaves[leaf].size,
        _ => 0,
    };
    let mut sizes = stream::Sizes { out: size(schedule.steps[0].result), ins: [0; 4] };
    for (into, &arg) in sizes.ins.iter_mut().zip(&schedule.steps[0].args) {
        *into = size(arg);
    }
    // SAFETY: the caller's contract; a streaming run has an output that overlaps no input.
    unsafe { stream::call(kernel, call, &sizes, None) };
}

/// Runs `columns` of a range of rows, counted through all loops outside the columns.
#[inline]
fn rows(run: &Run<'_>, range: Range<usize>, columns: Range<usize>) {
    let schedule = &run.program.schedule;
    let sizes = &schedule.nest.sizes[..];
    let (step, bound) = (&schedule.steps[0], &schedule.binding.steps[0]);
    let (outer, inner_rows) = match sizes {
        [] | [_] => (&sizes[..0], 1),
        [outer @ .., rows, _] => (outer, *rows),
    };
    // The operand of a leaf at its first row and column of this task; columns and rows are added per call.
    let operand = |leaf: usize| {
        let walk = &schedule.nest.walks[leaf];
        let splat = schedule.access[leaf] == Access::Splat;
        let row = if sizes.len() > 1 { walk.strides[sizes.len() - 2] } else { 0 };
        let moved = if splat { 0 } else { columns.start * schedule.binding.leaves[leaf].size };
        Operand { ptr: run.pointers[leaf].wrapping_offset(walk.offset).wrapping_add(moved), row, splat }
    };
    let mut call = run.call(1, columns.len());
    let out = leaf_of(step.result).unwrap_or(0);
    call.outs[0] = operand(out);
    for (into, &arg) in call.ins.iter_mut().zip(&step.args) {
        *into = match arg {
            Slot::Constant(c) => run.constant(c),
            Slot::Leaf(leaf) => operand(leaf),
            _ => Operand::NONE,
        };
    }
    debug_assert_eq!(step.args.len(), bound.args.len(), "every operand has a slot");
    let kernel = run.program.kernels[0];
    if outer.is_empty() && range.start == 0 {
        call.rows = range.len();
        // SAFETY: the run's pointers are valid for the loops of their leaves; the kernel was chosen for this CPU.
        unsafe { invoke(run, kernel, &call) };
        return;
    }
    let first = call;
    let mut row = range.start;
    while row < range.end {
        let (block, within) = (row / inner_rows, row % inner_rows);
        call.rows = (inner_rows - within).min(range.end - row);
        let place = |operand: &Operand, leaf: usize| {
            let walk = &schedule.nest.walks[leaf];
            let down = (within as isize).wrapping_mul(operand.row);
            operand.ptr.wrapping_offset(offset_at(block, outer, &walk.strides[..outer.len()]).wrapping_add(down))
        };
        call.outs[0].ptr = place(&first.outs[0], out);
        for (k, &arg) in step.args.iter().enumerate() {
            if let Slot::Leaf(leaf) = arg {
                call.ins[k].ptr = place(&first.ins[k], leaf);
            }
        }
        // SAFETY: as above.
        unsafe { invoke(run, kernel, &call) };
        row += call.rows;
    }
}
