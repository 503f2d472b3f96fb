//! Candidates of unit kernels, which read each of two operands in memory, or permute it in registers.
//!
//! A unit is the loops inside of one loop, and some iterations of that one. The output is contiguous over it. A kernel runs many
//! units, which follow each other along that loop, or along the one outside of it.

use eltwise_core::tables::{BOTH_WINDOWS, HELD_BYTES, LOOP_WINDOWS, SHARED_VECTORS};
use smallvec::SmallVec;

use crate::bind::loop_nest::Loops;
use crate::strategy::copy::permute::{UnitCost, unit_cost};
use crate::strategy::copy::{CopyLoop, gcd, is_close, total};
use crate::strategy::tile::{Tile, unit_box};
use crate::strategy::tile_cost::{Evaluation, TileCost, overlapped};
use crate::strategy::{Schedule, Strategy};
use crate::tuning::{MAX_UNIT, MAX_UNIT_WINDOWS, UNIT_TILE_BYTES};

impl Schedule {
    /// The operands that a unit kernel reads, if the only step has one: its operator has such kernels, and two operands.
    fn unit_operands(&self) -> Option<[Option<usize>; 2]> {
        let ([step], 1) = (&self.binding.steps[..], self.binding.outputs.len()) else { return None };
        match step.args[..] {
            [a, b] => Some([a.operand(), b.operand()]),
            _ => None,
        }
    }

    /// The loops of an operand over a box, from its memory to contiguous memory.
    pub fn unit_loops(&self, operand: usize, steps: &[usize]) -> SmallVec<[CopyLoop; 8]> {
        let strides = &self.nest.operands[operand].strides;
        let mut dense = self.binding.operands[operand].size as isize;
        let mut loops: SmallVec<[CopyLoop; 8]> = SmallVec::new();
        for (&stride, &size) in strides.iter().zip(steps).rev().filter(|(_, size)| **size > 1) {
            loops.push(CopyLoop { size, from: stride, to: dense });
            dense = dense.wrapping_mul(size as isize);
        }
        loops.reverse();
        loops
    }
}

/// The units that were tried.
pub(super) struct UnitSearch {
    /// The operands, and whether they are [close](is_close).
    inputs: [Option<(usize, bool)>; 2],
    /// Loops, and iterations of a unit there.
    tried: SmallVec<[(usize, usize); 12]>,
}

impl UnitSearch {
    /// `None` if no unit kernel runs the schedule.
    pub(super) fn new(cost: &TileCost<'_>) -> Option<UnitSearch> {
        let schedule = cost.schedule;
        let operands = schedule.unit_operands().filter(|_| cost.target.kernels.permutes && !schedule.is_move)?;
        let size = schedule.binding.operands[0].size;
        let is_close = |operand: usize| {
            let strides = &schedule.nest.operands[operand].strides;
            is_close(size, schedule.nest.sizes.iter().copied().zip(strides.iter().copied()))
        };
        let inputs = operands.map(|operand| operand.map(|operand| (operand, is_close(operand))));
        Some(UnitSearch { inputs, tried: SmallVec::new() })
    }

    /// Units of `unit` iterations of loop `axis`; `None` if an operand cannot be read so.
    pub(super) fn of_unit(&self, cost: &TileCost<'_>, axis: usize, unit: usize) -> Option<Evaluation> {
        cost.units_of(&self.inputs, axis, unit)
    }

    /// Gives `offer` the units of about `wanted` bytes, or of one vector if that is 0, of each loop.
    pub(super) fn propose(&mut self, cost: &TileCost<'_>, wanted: usize, mut offer: impl FnMut(Evaluation)) {
        let vector = cost.target.kernels.vector_bytes;
        let sizes = &cost.schedule.nest.sizes;
        let mut inner = cost.schedule.binding.operands[0].size;
        for axis in (0..sizes.len()).rev() {
            let n = sizes[axis];
            // Iterations that are whole vectors.
            let whole = vector / gcd(vector, inner);
            let unit = match wanted {
                0 if whole * inner == vector => whole.min(n),
                0 => n,
                _ => (wanted / inner / whole).max(1).saturating_mul(whole).min(n),
            };
            if unit * inner <= MAX_UNIT && !self.tried.contains(&(axis, unit)) {
                self.tried.push((axis, unit));
                if let Some(evaluation) = self.of_unit(cost, axis, unit) {
                    offer(evaluation);
                }
            }
            inner *= n;
            if inner > MAX_UNIT {
                break;
            }
        }
    }
}

impl TileCost<'_> {
    /// Units of `unit` iterations of loop `axis`; `None` if an operand cannot be read so. `inputs`: the operands, and whether they
    /// are [close](is_close).
    fn units_of(&self, inputs: &[Option<(usize, bool)>; 2], axis: usize, unit: usize) -> Option<Evaluation> {
        let (schedule, costs) = (self.schedule, &self.target.cpu.tiles);
        let (sizes, size) = (&schedule.nest.sizes, schedule.binding.operands[0].size);
        let mut steps = unit_box(sizes, axis, unit);
        if schedule.direct_from(0, &steps).0 > axis {
            return None;
        }
        let vector = self.target.kernels.vector_bytes;
        let bytes = steps.iter().product::<usize>() * size;
        let vectors = bytes.div_ceil(vector);
        let along = if unit < sizes[axis] { Some(axis) } else { axis.checked_sub(1) };
        let (mut work, mut held, mut lines) = ([u64::from(costs.unit_vector); 2], 0, 0);
        let (mut moving, mut direct) = (SmallVec::<[usize; 2]>::new(), SmallVec::<[usize; 2]>::new());
        for &(operand, reads_gaps) in inputs.iter().flatten() {
            let strides = &schedule.nest.operands[operand].strides;
            if schedule.direct_from(operand, &steps).0 <= axis {
                direct.push(operand);
                continue;
            }
            if schedule.binding.operands[operand].size != size {
                return None;
            }
            let UnitCost { windows, costs: of_operand } =
                unit_cost(size, &schedule.unit_loops(operand, &steps), reads_gaps, self.target)?;
            if windows > MAX_UNIT_WINDOWS {
                return None;
            }
            if bytes > HELD_BYTES || along.is_some_and(|along| strides[along] != 0) {
                (0..2).for_each(|how| work[how] += of_operand[how]);
                moving.push(windows);
            } else {
                // What is the same in all units is permuted once in each row.
                held += total(vectors * vector, of_operand[1] + u64::from(costs.unit_vector)) / 64;
            }
            lines += vectors * windows;
        }
        let rows = self.grow(&mut steps, axis, unit, UNIT_TILE_BYTES.max(bytes) / bytes);
        let units = steps.iter().product::<usize>() * size / bytes;
        let has_loop = match moving[..] {
            [] => true,
            [windows] => windows <= LOOP_WINDOWS,
            [a, b] => vectors == 1 && a == b && a <= BOTH_WINDOWS,
            _ => false,
        };
        // Vectors of units that are shorter may be read and stored whole if the units follow each other closely.
        let step = |operand: usize| {
            let iterations = if unit < sizes[axis] { unit } else { 1 };
            along.map_or(0, |along| schedule.nest.operands[operand].strides[along] * iterations as isize)
        };
        let is_close =
            |operand: usize| step(operand) == 0 || (bytes as isize..=vector as isize).contains(&step(operand));
        let has_loop = has_loop
            && (bytes >= vector || (step(0) == bytes as isize && direct.iter().all(|&operand| is_close(operand))));
        let [row, several, short] = costs.unit_row.map(u64::from);
        // The windows of one vector stay in registers.
        let work = work[if vectors == 1 && has_loop { 0 } else { 1 }];
        let each = total(vectors * vector, work) / 64;
        let is_shared = moving.is_empty()
            && vectors <= SHARED_VECTORS
            && bytes.is_multiple_of(vector)
            && direct.iter().any(|&operand| step(operand) == 0);
        let (of_unit, of_row) = match (has_loop, vectors) {
            (false, _) => (each + total(vectors, short), row),
            // The last units of a row are stored alone.
            (true, 1) => (each, row + total(vector.div_ceil(bytes) - 1, short)),
            (true, _) if is_shared => (each, row),
            (true, _) => (each + several, row),
        };
        let of_rows = total(rows, of_row);
        let of_units = total(units, of_unit);
        let compute = of_units + of_rows + total(rows, held) + u64::from(costs.tile);
        let memory = self.memory(&steps);
        // The tables are made once for all runs.
        let planning =
            total(lines, costs.index[size.trailing_zeros().min(3) as usize]) / self.target.options.runs.max(1) as u64;
        let cost = self.tiles(&steps).saturating_mul(overlapped(compute, memory)).saturating_add(planning);
        let tile = Tile { steps, row: axis, order: (0..sizes.len()).collect(), unit: Some(unit) };
        Some(Evaluation { strategy: Strategy::Tiled, tile, cost, packed: usize::from(lines > 0) })
    }

    /// Adds iterations to a box of one unit, from the inside, to at most `most` units. Returns the rows of units in it.
    fn grow(&self, steps: &mut Loops<usize>, axis: usize, unit: usize, most: usize) -> usize {
        let sizes = &self.schedule.nest.sizes;
        let (mut units, mut rows) = (1, 1);
        for at in (0..=axis).rev() {
            let step = if at == axis { unit } else { 1 };
            let (all, room) = (sizes[at].div_ceil(step), most / units);
            let count = if all <= room { all } else { all.div_ceil(all.div_ceil(room.max(1))) };
            steps[at] = (count * step).min(sizes[at]);
            // The innermost loop with several units is the one along which they follow each other.
            rows *= if units == 1 { 1 } else { count };
            units *= count;
            if count < all {
                break;
            }
        }
        rows
    }
}
