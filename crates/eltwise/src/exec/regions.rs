//! Tiles of one size with all that runs them: [`TileRegion`] has the copies of packed operands and the shapes of the kernel
//! calls. It is made with the plan; a run adds addresses.

use core::ops::Range;

use eltwise_core::tables::{List, Tables};
use eltwise_kernels::layout::{CopyCall, CopyKernel, UnitSource, copy_kernel};
use eltwise_plan::bind::loop_nest::Loops;
use eltwise_plan::strategy::copy::{CopyNest, CopyPlan, unit_table};
use eltwise_plan::strategy::tile::unit_box;
use eltwise_plan::strategy::{Access, Region, Strategy};
use eltwise_plan::{Schedule, Target};
use eltwise_simd::Isa;
use smallvec::SmallVec;

use super::ElementSizes;
use super::chains::ChainShape;
use super::sources::{CallLoop, ShapeOperand, Source, coalesced_loops, source_and_strides};

/// A copy of a tile with its kernel: a packed input, an unpacked output, or a step that only moves elements.
#[derive(Clone, Debug)]
pub(super) struct TileCopy {
    kernel: CopyKernel,
    plan: CopyPlan,
}

impl TileCopy {
    fn new(nest: &CopyNest, isa: Isa, target: &Target) -> TileCopy {
        let plan = nest.plan(target);
        TileCopy { kernel: copy_kernel(&plan.table, isa), plan }
    }

    /// Copies a tile from `from` to `to`. `end` is the end of the readable memory.
    ///
    /// # Safety
    /// As for [`CopyKernel`]: both sides are valid over the tile, and do not overlap. The CPU has the ISA.
    #[inline]
    pub(super) unsafe fn run(&self, to: *mut u8, from: *const u8, end: *const u8) {
        let CopyPlan { table, tables } = &self.plan;
        // SAFETY: the caller's contract; the kernel was chosen for the table.
        unsafe { (self.kernel)(&CopyCall { to, from, end, table, tables }) };
    }
}

/// An operand of the current tile.
#[derive(Clone, Copy)]
pub(super) struct TileOperand {
    /// Element `[0, 0, ...]`, in memory or in a copy of the operand.
    pub(super) first: *mut u8,
    /// The first element of the current tile in memory.
    pub(super) memory: *mut u8,
    /// The first element for kernels: in scratch if the operand is packed.
    pub(super) data: *mut u8,
    /// The address in memory of the tile that scratch holds; NULL for none.
    pub(super) packed: *mut u8,
}

/// The operands of a call: the output, then the inputs.
const CALL_OPERANDS: usize = 5;

/// A loop around the rows and columns of a call.
pub(super) type StepLoop = CallLoop<[isize; CALL_OPERANDS]>;

/// The kernel calls of a step over a tile, without addresses.
#[derive(Clone, Debug)]
pub(super) struct StepShape {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) operands: [ShapeOperand; CALL_OPERANDS],
    /// Outermost first.
    pub(super) outer_loops: SmallVec<[StepLoop; 1]>,
}

/// Units of a unit kernel that follow each other.
#[derive(Clone, Debug)]
pub(super) struct Units {
    /// Units of a row, and the bytes of one.
    pub(super) units: usize,
    pub(super) bytes: usize,
    /// From one unit of a row to the next: the output, then the inputs.
    pub(super) step: [isize; 3],
    pub(super) inputs: [UnitSource; 2],
    /// Where rows of units begin in the tile.
    pub(super) rows: [List; 3],
    pub(super) tables: Tables,
}

/// Tiles of one size.
#[derive(Clone, Debug)]
pub(crate) struct TileRegion {
    pub(super) region: Region,
    /// How each operand is packed or unpacked, if it is; of a move only the output has a copy, from the input.
    pub(super) copies: SmallVec<[Option<TileCopy>; 4]>,
    pub(super) steps: SmallVec<[StepShape; 1]>,
    /// Chains of these steps, in order.
    pub(super) chains: SmallVec<[ChainShape; 1]>,
    /// The units of a tile if a unit kernel runs it: full ones, and a shorter one.
    pub(super) units: SmallVec<[Units; 1]>,
}

impl TileRegion {
    /// The regions of a tiled schedule.
    pub(crate) fn all(schedule: &Schedule, isa: Isa, target: &Target) -> SmallVec<[TileRegion; 0]> {
        if schedule.strategy != Strategy::Tiled {
            return SmallVec::new();
        }
        let chains = schedule.chains();
        let of_region = |region: Region| TileRegion {
            chains: chains.iter().filter_map(|chain| ChainShape::new(schedule, chain, &region.steps, isa)).collect(),
            copies: copies(schedule, &region.steps, isa, target),
            units: units_of_tile(schedule, &region.steps, target),
            steps: match schedule.is_move || schedule.tile.unit.is_some() {
                true => SmallVec::new(),
                false => (0..schedule.steps.len()).map(|step| step_shape(schedule, step, &region.steps)).collect(),
            },
            region,
        };
        schedule.regions().into_iter().map(of_region).collect()
    }
}

/// The units of a tile of these iterations.
fn units_of_tile(schedule: &Schedule, steps: &[usize], target: &Target) -> SmallVec<[Units; 1]> {
    let (Some(unit), axis) = (schedule.tile.unit, schedule.tile.row) else { return SmallVec::new() };
    let mut found: SmallVec<[Units; 1]> = SmallVec::new();
    let full = steps[axis] / unit;
    if full > 0 {
        found.push(units(schedule, steps, 0..full * unit, unit, target));
    }
    if !steps[axis].is_multiple_of(unit) {
        found.push(units(schedule, steps, full * unit..steps[axis], steps[axis] % unit, target));
    }
    found
}

/// The units of `unit` iterations in a range of a tile's iterations of loop `row`.
fn units(schedule: &Schedule, steps: &[usize], range: Range<usize>, unit: usize, target: &Target) -> Units {
    let axis = schedule.tile.row;
    let size = schedule.binding.operands[0].size;
    let step = &schedule.binding.steps[0];
    let operands = [step.output, step.args[0].operand(), step.args[1].operand()];
    let stride = |operand: Option<usize>, axis: usize| operand.map_or(0, |i| schedule.nest.operands[i].strides[axis]);
    let one = unit_box(steps, axis, unit);
    let mut tables = Tables::default();
    let source = |operand: Option<usize>| match operand.map(|operand| (operand, schedule.access[operand])) {
        Some((operand, Access::Permuted { .. })) => {
            let table = unit_table(size, &schedule.unit_loops(operand, &one), &target.kernels, &mut tables);
            UnitSource::Permuted(table.expect("the planner chooses units only if the kernels permute them"))
        }
        Some((_, Access::Contiguous)) => UnitSource::Contiguous,
        _ => UnitSource::Splat,
    };
    let inputs = [operands[1], operands[2]].map(source);
    // Units of a row follow each other along the innermost loop that has several.
    let mut loops: SmallVec<[(usize, usize, usize); 8]> = (0..axis).map(|outer| (outer, steps[outer], 1)).collect();
    loops.push((axis, range.len() / unit, unit));
    let along = loops.iter().rposition(|&(_, count, _)| count > 1).map_or((0, 1, 0), |at| loops.remove(at));
    let rows = operands.map(|operand| {
        let mut rows: SmallVec<[i64; 16]> = SmallVec::from_slice(&[stride(operand, axis) as i64 * range.start as i64]);
        for &(axis, count, _) in loops.iter().filter(|(_, count, _)| *count > 1) {
            let outer = core::mem::take(&mut rows);
            let by = stride(operand, axis) as i64;
            rows = outer.iter().flat_map(|&at| (0..count as i64).map(move |i| at + i * by)).collect();
        }
        tables.push(&rows)
    });
    Units {
        units: along.1,
        bytes: one.iter().product::<usize>() * size,
        step: operands.map(|operand| stride(operand, along.0) * along.2 as isize),
        inputs,
        rows,
        tables,
    }
}

/// The copies of a tile of these iterations.
fn copies(schedule: &Schedule, steps: &[usize], isa: Isa, target: &Target) -> SmallVec<[Option<TileCopy>; 4]> {
    if schedule.is_move {
        let nest = CopyNest::new(schedule.binding.operands[0].size, schedule.move_loops(steps), false);
        return core::iter::once(Some(TileCopy::new(&nest, isa, target))).collect();
    }
    let of_operand = |operand: usize| {
        let bound = &schedule.binding.operands[operand];
        let is_packed = matches!(schedule.access[operand], Access::Packed { .. });
        is_packed.then(|| {
            let loops = schedule.copy_loops(operand, steps, schedule.tile.row);
            let reads_gaps = !bound.output && schedule.span(operand).is_some();
            TileCopy::new(&CopyNest::new(bound.size, loops, reads_gaps), isa, target)
        })
    };
    (0..schedule.binding.operands.len()).map(of_operand).collect()
}

/// The calls of a step over a tile of these iterations: the innermost loop that all operands walk as one is the columns of a
/// call, the next one its rows, and the others are around them.
fn step_shape(schedule: &Schedule, step: usize, steps: &[usize]) -> StepShape {
    let slots = &schedule.steps[step];
    let sizes = ElementSizes::of_step(schedule, step);
    let mut sources = [Source::None; CALL_OPERANDS];
    let mut element = [0; CALL_OPERANDS];
    let mut strides: [Loops<isize>; CALL_OPERANDS] = core::array::from_fn(|_| Loops::zeros(steps.len()));
    let all = core::iter::once((&slots.result, sizes.out)).chain(slots.args.iter().zip(sizes.ins));
    for (k, (&slot, size)) in all.enumerate() {
        element[k] = size as isize;
        (sources[k], strides[k]) = source_and_strides(schedule, Some(slot), size, steps);
    }
    let mut loops = coalesced_loops(steps, |axis| core::array::from_fn(|k| strides[k][axis]));
    let one = CallLoop { count: 1, strides: element };
    // The columns are contiguous or one element in all operands, or else there is one column.
    let is_columns = |outer: &StepLoop| {
        let is_run = |k: usize| outer.strides[k] == 0 && k > 0 || outer.strides[k] == element[k];
        (0..=slots.args.len()).all(is_run)
    };
    let columns = if loops.last().is_some_and(is_columns) { loops.pop().unwrap_or(one) } else { one };
    let rows = loops.pop().unwrap_or(CallLoop { count: 1, strides: [0; CALL_OPERANDS] });
    let operand = |k: usize| ShapeOperand {
        source: sources[k],
        row: rows.strides[k],
        splat: k > 0 && columns.strides[k] == 0 && !matches!(sources[k], Source::None),
    };
    let operands = core::array::from_fn(operand);
    StepShape { rows: rows.count, cols: columns.count, operands, outer_loops: loops.into_iter().collect() }
}
