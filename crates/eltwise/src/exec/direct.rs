//! Direct plans: one kernel over rows x columns. [`run`] makes a call for each block of rows that the two innermost
//! loops cover.

use core::ops::Range;

use eltwise_kernels::{Call, Operand};
use eltwise_plan::strategy::{Access, Slot};

use super::{ElementSizes, Run, blank, non_temporal, offset_at, operand_of_slot};
use crate::sys::cpu::cpu_model;

/// Runs a range of units: whole rows, or parts of rows if there are few rows.
#[inline]
pub(super) fn run(run: &Run<'_>, units: Range<usize>) {
    let schedule = &run.plan.schedule;
    let (all_rows, parts) = schedule.direct_grid();
    if parts == 1 || units.len() == all_rows * parts {
        run_rows(run, units.start / parts..units.end.div_ceil(parts), 0..schedule.nest.columns());
        return;
    }
    let mut unit = units.start;
    while unit < units.end {
        let (row, part) = (unit / parts, unit % parts);
        let end = (row * parts + parts).min(units.end);
        let columns = schedule.part(part, parts).0..schedule.part(end - row * parts - 1, parts).1;
        run_rows(run, row..row + 1, columns);
        unit = end;
    }
}

/// Calls the kernel, with non-temporal stores if the run has them.
///
/// # Safety
/// As for the kernel.
#[inline]
unsafe fn invoke(run: &Run<'_>, call: &Call) {
    let kernel = run.plan.kernels[0];
    if run.non_temporal {
        let sizes = ElementSizes::of_step(&run.plan.schedule, 0);
        // SAFETY: the caller's contract; the output of a non-temporal run overlaps no input.
        unsafe { non_temporal::call(kernel, call, &sizes, None, &cpu_model()) };
    } else {
        // SAFETY: the caller's contract.
        unsafe { kernel(call) };
    }
}

/// Runs `columns` of a range of rows. Rows are counted over all loops outside the columns.
#[inline]
fn run_rows(run: &Run<'_>, rows: Range<usize>, columns: Range<usize>) {
    let schedule = &run.plan.schedule;
    let step = &schedule.steps[0];
    let (outer, inner_rows) = match &schedule.nest.sizes[..] {
        [] | [_] => (&[][..], 1),
        [outer @ .., rows, _] => (outer, *rows),
    };
    // An operand at the first row of the first block; the rows before a call are added for each call.
    let first_row = |operand: usize| {
        let strides = &schedule.nest.operands[operand];
        let splat = schedule.access[operand] == Access::Splat;
        let row = if let [.., row, _] = strides.strides[..] { row } else { 0 };
        let offset = if splat { 0 } else { columns.start * schedule.binding.operands[operand].size };
        Operand { ptr: run.pointers[operand].wrapping_offset(strides.offset).wrapping_add(offset), row, splat }
    };
    let out = operand_of_slot(step.result).unwrap_or(0);
    let mut first = blank(1, columns.len(), &run.flags);
    first.out = first_row(out);
    for (into, &arg) in first.ins.iter_mut().zip(&step.args) {
        *into = match arg {
            Slot::Constant(c) => run.constant(c),
            Slot::Operand(operand) => first_row(operand),
            _ => Operand::NONE,
        };
    }
    let mut call = first;
    let mut row = rows.start;
    while row < rows.end {
        let (block, row_in_block) = (row / inner_rows, row % inner_rows);
        call.rows = (inner_rows - row_in_block).min(rows.end - row);
        let at_row = |first: &Operand, operand: usize| {
            let in_block = (row_in_block as isize).wrapping_mul(first.row);
            let strides = &schedule.nest.operands[operand].strides[..outer.len()];
            first.ptr.wrapping_offset(offset_at(block, outer, strides).wrapping_add(in_block))
        };
        call.out.ptr = at_row(&first.out, out);
        for ((into, first), &arg) in call.ins.iter_mut().zip(&first.ins).zip(&step.args) {
            if let Slot::Operand(operand) = arg {
                into.ptr = at_row(first, operand);
            }
        }
        // SAFETY: the run's pointers are valid over the loops of their operands; the kernel was chosen for this CPU.
        unsafe { invoke(run, &call) };
        row += call.rows;
    }
}
