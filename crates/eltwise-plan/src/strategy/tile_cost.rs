//! What a tile costs: packing, kernel calls and memory, in picoseconds. The numbers are in [`CpuModel`](crate::CpuModel).

use smallvec::{SmallVec, smallvec};

use crate::bind::Place;
use crate::bind::loop_nest::Loops;
use crate::strategy::copy::CopyNest;
use crate::strategy::tile::{Tile, slot_bytes};
use crate::strategy::{Schedule, Strategy};
use crate::target::Target;
use crate::tuning::{CACHE_LINE, LARGE_SCRATCH_BYTES, OVERLAP_PERCENT, SHARED_RUN_BYTES, SHORT_ROW};

/// A candidate with its cost.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Evaluation {
    pub(crate) strategy: Strategy,
    pub(crate) tile: Tile,
    /// Picoseconds of a run.
    pub(crate) cost: u64,
    /// Operands that are packed.
    pub(crate) packed: usize,
}

/// The costs of the tiles of one schedule.
pub(crate) struct TileCost<'a> {
    pub(crate) schedule: &'a Schedule,
    pub(crate) target: &'a Target,
    /// Bytes of an element of all registers, and how many there are.
    pub(crate) registers: (usize, usize),
    /// Bytes of the widest element.
    pub(crate) widest: usize,
    /// The loops of each operand along which it moves, smallest stride first.
    pub(crate) by_stride: SmallVec<[Loops<usize>; 4]>,
    /// Where the operands fit: 0 for the second-level cache, 1 for the last level, 2 for neither.
    pub(crate) level: usize,
    /// Bytes of scratch of a candidate, at most.
    pub(crate) most_scratch: usize,
}

/// Runs of memory.
#[derive(Clone, Copy)]
struct Runs {
    count: usize,
    /// Bytes of each, with the gaps in it.
    bytes: usize,
}

impl Runs {
    /// Bytes of the cache lines.
    fn lines(self) -> usize {
        self.count.saturating_mul(self.bytes.next_multiple_of(CACHE_LINE))
    }
}

/// A box with rows from one loop on.
struct Candidate<'a> {
    steps: &'a Loops<usize>,
    row: usize,
    direct: &'a [(usize, bool)],
    memory: &'a [u64],
    /// Bytes of the cache lines of all operands.
    lines: usize,
    /// Picoseconds above which the candidate does not matter.
    bound: u64,
}

/// The longer of two times that overlap, and a part of the shorter.
pub(super) fn overlapped(a: u64, b: u64) -> u64 {
    a.max(b).saturating_add(a.min(b) / 100 * OVERLAP_PERCENT)
}

impl<'a> TileCost<'a> {
    pub(crate) fn new(schedule: &'a Schedule, registers: &[usize], target: &'a Target) -> TileCost<'a> {
        let by_stride = schedule.nest.operands.iter().map(|operand| {
            let strides = &operand.strides;
            let mut loops: Loops<usize> = (0..strides.len()).filter(|&axis| strides[axis] != 0).collect();
            loops.sort_unstable_by_key(|&axis| strides[axis].unsigned_abs());
            loops
        });
        let mut cost = TileCost {
            schedule,
            target,
            registers: (registers.iter().sum(), registers.len()),
            widest: schedule.widest(),
            by_stride: by_stride.collect(),
            level: 0,
            most_scratch: LARGE_SCRATCH_BYTES,
        };
        let touched = cost.runs(&schedule.nest.sizes).map(Runs::lines).fold(0, usize::saturating_add);
        cost.level = match touched {
            _ if touched <= target.cpu.l2 / 8 * 7 => 0,
            _ if touched <= target.cpu.llc / 16 * 7 => 1,
            _ => 2,
        };
        cost
    }

    /// The number of tiles of these iterations.
    pub(super) fn tiles(&self, steps: &[usize]) -> u64 {
        let along = self.schedule.nest.sizes.iter().zip(steps).map(|(size, &steps)| size.div_ceil(steps) as u64);
        along.fold(1, u64::saturating_mul)
    }

    /// The runs of memory that a box of each operand is.
    fn runs<'s>(&'s self, steps: &'s [usize]) -> impl Iterator<Item = Runs> + 's {
        (0..self.by_stride.len()).map(|operand| {
            let strides = &self.schedule.nest.operands[operand].strides;
            let mut runs = Runs { count: 1, bytes: self.schedule.binding.operands[operand].size };
            for &axis in self.by_stride[operand].iter().filter(|&&axis| steps[axis] > 1) {
                let stride = strides[axis].unsigned_abs();
                if stride < runs.bytes + CACHE_LINE {
                    runs.bytes = runs.bytes.saturating_add(stride.saturating_mul(steps[axis] - 1));
                } else {
                    runs.count = runs.count.saturating_mul(steps[axis]);
                }
            }
            runs
        })
    }

    /// The time of the memory of all operands in a box.
    pub(super) fn memory(&self, steps: &[usize]) -> u64 {
        self.runs(steps).map(|runs| self.memory_of(runs)).fold(0, u64::saturating_add)
    }

    /// The time of runs of memory. A single one is a part of what neighbouring boxes read.
    fn memory_of(&self, runs: Runs) -> u64 {
        let (run, line) = (self.target.cpu.tiles.run[self.level] as u64, self.target.cpu.tiles.line[self.level] as u64);
        let (runs, bytes) = (runs.count as u64, runs.bytes as u64);
        if runs == 1 {
            let part = SHARED_RUN_BYTES as u64;
            return (line.saturating_mul(bytes) / 64).saturating_add(line / 10 + run * bytes.min(part) / part);
        }
        runs.saturating_mul((line.saturating_mul(bytes) / 64).saturating_add(run + line * 3 / 4))
    }

    /// The copy of a box of an operand to or from scratch.
    fn pack(&self, operand: usize, steps: &[usize], row: usize) -> u64 {
        let size = self.schedule.binding.operands[operand].size;
        CopyNest::new(size, self.schedule.copy_loops(operand, steps, row), true).cost(self.target)
    }

    /// The run of the steps over contiguous operands, one row each, that move the same cache lines.
    pub(crate) fn floor(&self) -> u64 {
        let sizes = &self.schedule.nest.sizes;
        let steps = self.schedule.binding.steps.len();
        overlapped(self.calls(steps, steps, self.schedule.nest.elements()), self.memory(sizes))
    }

    /// The run of the whole nest by one kernel, whose rows are the innermost loop.
    pub(crate) fn direct(&self) -> u64 {
        let sizes = &self.schedule.nest.sizes;
        let columns = sizes.last().copied().unwrap_or(1);
        let rows = self.schedule.nest.rows();
        let calls = rows / sizes.iter().rev().nth(1).copied().unwrap_or(1);
        // The memory of some rows together, shared out.
        let mut steps: Loops<usize> = sizes.iter().map(|_| 1).collect();
        let mut elements = 1;
        for axis in (0..sizes.len()).rev() {
            steps[axis] = sizes[axis].min((SHARED_RUN_BYTES / self.widest / elements).max(1));
            if axis + 1 == sizes.len() {
                steps[axis] = columns;
            }
            elements *= steps[axis];
        }
        let memory = u128::from(self.memory(&steps)) * self.schedule.nest.elements() as u128 / elements as u128;
        let memory = u64::try_from(memory).unwrap_or(u64::MAX);
        overlapped(self.calls(calls, rows, columns), memory)
    }

    /// Kernel calls of so many rows in all, of so many elements each.
    fn calls(&self, calls: usize, rows: usize, columns: usize) -> u64 {
        let costs = &self.target.cpu.tiles;
        let bytes = columns.saturating_mul(self.widest);
        let [row, short, partial] = costs.row.map(u64::from);
        let vector = self.target.kernels.vector_bytes.max(16);
        let row =
            row + if bytes < SHORT_ROW { short } else { 0 } + if bytes.is_multiple_of(vector) { 0 } else { partial };
        let vectors = (bytes as u64).saturating_mul(costs.vector.into()) / 64;
        (calls as u64)
            .saturating_mul(costs.call.into())
            .saturating_add((rows as u64).saturating_mul(vectors.saturating_add(row)))
    }

    /// The steps over a box: each runs over rows if an operand is not dense in it.
    fn steps(&self, steps: &[usize], row: usize, direct: &[(usize, bool)]) -> u64 {
        let elements: usize = steps.iter().product();
        let row_from = |place: Place| match place {
            Place::Operand(operand) if direct[operand].0 <= row => direct[operand].0,
            Place::Operand(operand) => {
                let strides = &self.schedule.nest.operands[operand].strides;
                let output = self.schedule.binding.operands[operand].output;
                let repeats = |&axis: &usize| strides[axis] == 0 && steps[axis] > 1 && !output;
                (0..row).rev().find(repeats).map_or(0, |axis| axis + 1)
            }
            _ => 0,
        };
        let mut sum = 0u64;
        for step in &self.schedule.binding.steps {
            let from = step.args.iter().copied().map(row_from).max().unwrap_or(0);
            let from = from.max(step.output.map_or(0, |output| row_from(Place::Operand(output))));
            let rows: usize = steps[..from].iter().product();
            let inner = steps[..from].iter().rev().find(|&&n| n > 1).copied().unwrap_or(1);
            sum = sum.saturating_add(self.calls(rows / inner, rows, elements / rows.max(1)));
        }
        sum
    }

    /// The cheapest way to run boxes of these iterations, if it takes less than `bound`; `None` if there is none, or their values
    /// do not fit in scratch. `row`: the loop at which rows begin, if it is given.
    pub(crate) fn evaluate(&self, steps: &Loops<usize>, row: Option<usize>, bound: u64) -> Option<Evaluation> {
        let schedule = self.schedule;
        let operands = schedule.binding.operands.len();
        let direct: SmallVec<[(usize, bool); 4]> = (0..operands).map(|i| schedule.direct_from(i, steps)).collect();
        if schedule.is_move {
            return Some(self.evaluate_move(steps));
        }
        let runs: SmallVec<[Runs; 4]> = self.runs(steps).collect();
        let memory: SmallVec<[u64; 4]> = runs.iter().map(|&runs| self.memory_of(runs)).collect();
        let lines = runs.into_iter().map(Runs::lines).fold(0, usize::saturating_add);
        let mut best: Option<Evaluation> = None;
        // What each operand takes to pack, by the number of loops outside of the rows along which it repeats.
        let mut known: SmallVec<[(usize, usize, u64); 8]> = SmallVec::new();
        let rows = row.map_or_else(|| self.row_candidates(steps, &direct), |row| smallvec![row]);
        for row in rows {
            let bound = best.as_ref().map_or(bound, |best| best.cost);
            let candidate = Candidate { steps, row, direct: &direct, memory: &memory, lines, bound };
            best = self.evaluate_rows(&candidate, &mut known).or(best);
        }
        best
    }

    /// The loops at which the rows of kernels may begin.
    fn row_candidates(&self, steps: &[usize], direct: &[(usize, bool)]) -> SmallVec<[usize; 8]> {
        let mut rows: SmallVec<[usize; 8]> = SmallVec::from_slice(&[0]);
        for (operand, &(from, _)) in direct.iter().enumerate() {
            if from < steps.len() {
                rows.push(from);
            }
            // What repeats along loops outside of the rows is packed once for all of them.
            let strides = &self.schedule.nest.operands[operand].strides;
            let repeats = |&axis: &usize| strides[axis] == 0 && steps[axis] > 1;
            if from > 0
                && let Some(axis) = (0..from.min(steps.len())).rev().find(repeats)
                && axis + 1 < steps.len()
            {
                rows.push(axis + 1);
            }
        }
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    /// A box with rows from one loop on, if it takes less than the bound.
    fn evaluate_rows(
        &self,
        candidate: &Candidate<'_>,
        known: &mut SmallVec<[(usize, usize, u64); 8]>,
    ) -> Option<Evaluation> {
        let &Candidate { steps, row, direct, memory, lines, bound } = candidate;
        let (schedule, costs) = (self.schedule, &self.target.cpu.tiles);
        let elements: usize = steps.iter().product();
        let counts: Loops<usize> = schedule.nest.sizes.iter().zip(steps).map(|(n, &t)| n.div_ceil(t)).collect();
        let (mut scratch, mut near) = (self.registers.1 * CACHE_LINE + self.registers.0 * elements, 0u64);
        let mut packed: SmallVec<[(usize, usize); 4]> = SmallVec::new();
        // A tile that packs and then computes does not overlap its reads with its writes.
        let packed_memory = |operand: usize| memory[operand] / 100 * u64::from(costs.packed_memory[self.level]);
        let mut least = 0u64;
        for (operand, &(from, _)) in direct.iter().enumerate() {
            if from <= row {
                near = near.saturating_add(memory[operand]);
                continue;
            }
            let moving =
                counts.iter().zip(&schedule.nest.operands[operand].strides).filter(|(_, stride)| **stride != 0);
            let times = moving.fold(1u64, |times, (&count, _)| times.saturating_mul(count as u64));
            least = least.saturating_add(times.saturating_mul(packed_memory(operand)));
            let repeats = |axis: &usize| *axis < row && schedule.nest.operands[operand].strides[*axis] == 0;
            let once: usize = (0..steps.len()).filter(repeats).map(|axis| steps[axis]).product();
            scratch += slot_bytes(elements / once * schedule.binding.operands[operand].size);
            packed.push((operand, once));
        }
        if scratch > self.most_scratch {
            return None;
        }
        // Scratch is read after the sources of the packed operands were, and while the other operands are.
        let passed = lines.saturating_add(scratch);
        let beyond = passed.saturating_sub(self.target.cpu.l1).min(scratch) as u64 / 64 * u64::from(costs.far_scratch);
        let compute = overlapped(self.steps(steps, row, direct), near) + beyond + u64::from(costs.tile);
        // Below the bound of the first candidate, so that there always is one.
        let compute = self.tiles(steps).saturating_mul(compute).min(u64::MAX - 1);
        if compute.saturating_add(least).min(u64::MAX - 1) >= bound {
            return None;
        }
        let mut packs = SmallVec::<[(usize, u64); 4]>::new();
        for &(operand, once) in &packed {
            let found = known.iter().find(|known| (known.0, known.1) == (operand, once)).map(|known| known.2);
            let pack = found.unwrap_or_else(|| {
                let pack = self.pack(operand, steps, row);
                known.push((operand, once, pack));
                pack
            });
            packs.push((operand, overlapped(pack, packed_memory(operand))));
        }
        let (order, packing) = self.order(&counts, &packs);
        let cost = compute.saturating_add(packing).min(u64::MAX - 1);
        let tile = Tile { steps: steps.clone(), row, order, unit: None };
        (cost < bound).then_some(Evaluation { strategy: Strategy::Tiled, tile, cost, packed: packed.len() })
    }

    /// The order of tiles in which packing takes the least time, and that time.
    fn order(&self, counts: &[usize], packs: &[(usize, u64)]) -> (Loops<usize>, u64) {
        let plain: Loops<usize> = (0..counts.len()).collect();
        let time = |order: &[usize]| {
            let of_operand = |&(operand, each): &(usize, u64)| {
                let strides = &self.schedule.nest.operands[operand].strides;
                let repeats = |axis: &&usize| counts[**axis] == 1 || strides[**axis] == 0;
                let moving = order.iter().rev().skip_while(repeats);
                moving.fold(each, |all, &axis| all.saturating_mul(counts[axis] as u64))
            };
            packs.iter().map(of_operand).fold(0u64, u64::saturating_add)
        };
        let mut best = (plain.clone(), time(&plain));
        for &(operand, _) in packs {
            let strides = &self.schedule.nest.operands[operand].strides;
            let (moving, standing) =
                ((0..counts.len()).filter(|&axis| strides[axis] != 0), |&axis: &usize| strides[axis] == 0);
            let order: Loops<usize> = moving.chain((0..counts.len()).filter(standing)).collect();
            let time = time(&order);
            if time < best.1 {
                best = (order, time);
            }
        }
        best
    }

    /// A box of a step that only moves elements.
    fn evaluate_move(&self, steps: &Loops<usize>) -> Evaluation {
        let loops = self.schedule.move_loops(steps);
        let copy = CopyNest::new(self.schedule.binding.operands[0].size, loops, false).cost(self.target);
        let each = overlapped(copy, self.memory(steps)) + u64::from(self.target.cpu.tiles.tile);
        let tile = Tile { steps: steps.clone(), order: (0..steps.len()).collect(), ..Tile::default() };
        Evaluation { strategy: Strategy::Tiled, tile, cost: self.tiles(steps).saturating_mul(each), packed: 0 }
    }
}
