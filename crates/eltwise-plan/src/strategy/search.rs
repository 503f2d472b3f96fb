//! The search for the tile of a loop nest: candidates are proposed by simple rules, and the [cost model](super::tile_cost)
//! chooses.
//!
//! A candidate is the direct call, [units](super::units), or a box: so many iterations of each loop. [Boxes](BOXES) differ in how many bytes they have, in how long their
//! rows are in the output, and in how many bytes they take along the loops with the smallest strides of an operand that is not
//! contiguous. For each box, the rows of kernel calls may begin at several loops: an operand is read where it lies if it is
//! contiguous or one element from there on, and is packed otherwise.

use smallvec::SmallVec;

use crate::bind::loop_nest::Loops;
use crate::strategy::tile::Tile;
use crate::strategy::tile_cost::{Evaluation, TileCost};
use crate::strategy::units::UnitSearch;
use crate::strategy::ways::Ways;
use crate::strategy::{Schedule, Strategy};
use crate::target::Target;
use crate::tuning::{
    ALIAS_PERIOD, ALIASING_TILE_ELEMENTS, BETTER_PERCENT, BOXES, BoxKind, CACHE_LINE, EVALUATION_PS, GOOD_PERCENT,
    LARGE_FIRST_LEVEL, LINEAR_SAVED, LONG_TILE_BYTES, MANY_SLOTS_TILE_ELEMENTS, MIN_TILE_ELEMENTS, SCRATCH_BYTES,
    SLOT_ALIGN, SLOT_DISTANCE, TILE_BYTES, UNITS, UNITS_EVALUATION_PS,
};

/// The candidates of one schedule.
pub(super) struct Search<'a> {
    cost: TileCost<'a>,
    tried: SmallVec<[Loops<usize>; 16]>,
    best: Option<Evaluation>,
    /// Picoseconds of a run over contiguous operands that move the same cache lines.
    floor: u64,
    /// Whether candidates that are not worth their evaluation are left out.
    ends_early: bool,
}

impl<'a> Search<'a> {
    fn new(schedule: &'a Schedule, registers: &[usize], target: &'a Target, ends_early: bool) -> Search<'a> {
        let cost = TileCost::new(schedule, registers, target);
        let floor = cost.floor();
        Search { cost, tried: SmallVec::new(), best: None, floor, ends_early }
    }

    /// The best way to run a schedule whose nest is filled: direct, or in tiles.
    pub(super) fn best(schedule: &'a Schedule, registers: &[usize], target: &'a Target) -> Evaluation {
        let ways = Ways::allowed();
        let mut search = Search::new(schedule, registers, target, ways == Ways::ALL);
        search.propose(ways);
        if search.best.is_none() && ways != Ways::ALL {
            search.propose(Ways::ALL);
        }
        if search.best.is_none() {
            // Hundreds of values that are live at once.
            search.cost.most_scratch = usize::MAX;
            search.tried.clear();
            search.linear();
        }
        search.best.expect("a short tile in any amount of scratch is a candidate")
    }

    /// The best of some ways, however long the search takes; `None` if none can run the schedule.
    pub(super) fn best_of(
        ways: Ways,
        schedule: &'a Schedule,
        registers: &[usize],
        target: &'a Target,
    ) -> Option<Evaluation> {
        let mut search = Search::new(schedule, registers, target, false);
        search.propose(ways);
        search.best
    }

    /// Proposes candidates of these ways, the simple ones first.
    fn propose(&mut self, ways: Ways) {
        if ways.has(Ways::DIRECT) {
            self.direct();
        }
        if let Some(mut units) = UnitSearch::new(&self.cost).filter(|_| ways.has(Ways::UNITS)) {
            for (kind, &(bytes, saved)) in UNITS.iter().enumerate() {
                if ways.has(Ways::of_unit(kind)) && self.is_worth(saved, UNITS_EVALUATION_PS) {
                    let best = &mut self.best;
                    units.propose(&self.cost, bytes, |evaluation| keep(best, evaluation));
                }
            }
        }
        if ways.has(Ways::LINEAR) && !self.is_good() && self.is_worth(LINEAR_SAVED, EVALUATION_PS) {
            self.linear();
        }
        for (at, kind) in BOXES.iter().enumerate() {
            if !ways.has(Ways::of_box(at)) {
                continue;
            }
            // Later boxes save less.
            if self.is_good() || !self.is_worth(kind.saved, EVALUATION_PS) {
                break;
            }
            self.try_box(self.shape(kind));
        }
    }

    fn try_box(&mut self, steps: Loops<usize>) {
        if self.tried.contains(&steps) {
            return;
        }
        let bound = self.best.as_ref().map_or(u64::MAX, better_than);
        if let Some(evaluation) = self.cost.evaluate(&steps, None, bound) {
            keep(&mut self.best, evaluation);
        }
        self.tried.push(steps);
    }

    /// Whether more candidates, which save so many thousandths of a run, are worth the picoseconds of their evaluation.
    fn is_worth(&self, saved: u64, time: u64) -> bool {
        let Some(best) = self.best.as_ref().filter(|_| self.ends_early) else { return true };
        let saved = (best.cost / 1000).saturating_mul(saved);
        saved.saturating_mul(self.cost.target.options.runs as u64) > time
    }

    /// Whether the best candidate comes near the time of contiguous operands, or packs nothing in a program of several steps.
    fn is_good(&self) -> bool {
        let is_single = self.cost.schedule.binding.steps.len() == 1;
        let is_good = |best: &Evaluation| {
            best.cost <= (self.floor / 100).saturating_mul(GOOD_PERCENT) || (best.packed == 0 && !is_single)
        };
        self.ends_early && self.best.as_ref().is_some_and(is_good)
    }

    /// The whole nest by one kernel, if all operands are contiguous or one element along the innermost loop.
    fn direct(&mut self) {
        let schedule = self.cost.schedule;
        let is_single = schedule.binding.steps.len() == 1 && schedule.binding.outputs.len() == 1;
        if is_single && (0..schedule.binding.operands.len()).all(|i| schedule.access_in_row(i).is_some()) {
            let tile = Tile::default();
            let evaluation = Evaluation { strategy: Strategy::Direct, tile, cost: self.cost.direct(), packed: 0 };
            keep(&mut self.best, evaluation);
        }
    }

    /// Inner loops, and an even part of the next one.
    fn linear(&mut self) {
        let schedule = self.cost.schedule;
        let mut elements = self.wanted() / self.cost.widest;
        let (bytes, registers) = self.cost.registers;
        if bytes > 0 {
            // A guess: every operand that is not contiguous in the innermost loop is packed.
            let packed = (0..schedule.binding.operands.len()).filter(|&i| schedule.access_in_row(i).is_none());
            let packed: SmallVec<[usize; 8]> = packed.map(|i| schedule.binding.operands[i].size).collect();
            let each = bytes + packed.iter().sum::<usize>();
            elements = elements.min(self.room(registers + packed.len(), each) / each);
            if elements < MIN_TILE_ELEMENTS {
                elements = MANY_SLOTS_TILE_ELEMENTS;
            }
        }
        let sizes = &schedule.nest.sizes;
        let mut steps: Loops<usize> = sizes.iter().map(|_| 1).collect();
        let mut inner = 1;
        for axis in (0..sizes.len()).rev() {
            let most = (elements / inner).clamp(1, sizes[axis]);
            steps[axis] = self.even_part(sizes[axis], most, inner);
            inner *= steps[axis];
            if steps[axis] < sizes[axis] {
                break;
            }
        }
        self.try_box(steps);
    }

    /// The bytes of the scratch that elements may fill in so many slots, which take so many bytes an element in all: slots of several
    /// steps lie [apart](SLOT_DISTANCE), as far as tiles stay [long](ALIASING_TILE_ELEMENTS).
    fn room(&self, slots: usize, per_element: usize) -> usize {
        let room = SCRATCH_BYTES.saturating_sub(slots * SLOT_ALIGN);
        let between = slots.clamp(1, ALIAS_PERIOD / SLOT_DISTANCE) * SLOT_DISTANCE - SLOT_DISTANCE;
        room - between.min(room.saturating_sub(ALIASING_TILE_ELEMENTS * per_element))
    }

    /// Iterations of a part of a loop: at most `most`, so that parts are even and begin on cache lines of an output that is
    /// contiguous, whose iterations have `inner` elements.
    fn even_part(&self, size: usize, most: usize, inner: usize) -> usize {
        let parts = size.div_ceil(most);
        let even = size.div_ceil(parts);
        if parts == 1 {
            return even;
        }
        let line = line_steps(inner.saturating_mul(self.cost.schedule.binding.operands[0].size)).min(most);
        even.next_multiple_of(line).min(most / line * line)
    }

    /// Bytes of the widest operand of a linear tile. A single step takes a long tile: the first-level cache holds it. Several steps
    /// take a short one, because their registers are in that cache too. Beyond the second-level cache a tile begins by waiting for
    /// memory. There it is long as well, if the first level also holds the next tile, which is prefetched. (On Zen 4, with 32 KiB,
    /// 8 KiB take 1.4 times as long as 4 KiB.)
    fn wanted(&self) -> usize {
        let (schedule, target) = (self.cost.schedule, self.cost.target);
        let is_long = match schedule.binding.steps.len() {
            1 => true,
            _ => schedule.bytes > target.cpu.l2 && target.cpu.l1 >= LARGE_FIRST_LEVEL,
        };
        if is_long { LONG_TILE_BYTES.min(schedule.longest_tile(target)) } else { TILE_BYTES }
    }

    /// A box of a kind: the loops of a row, the closest loops of each operand that is not contiguous, then as many iterations
    /// as fit, from inside.
    fn shape(&self, &BoxKind { bytes: cap, row, close, .. }: &BoxKind) -> Loops<usize> {
        let (sizes, widest) = (&self.cost.schedule.nest.sizes, self.cost.widest);
        let mut steps: Loops<usize> = sizes.iter().map(|_| 1).collect();
        let mut bytes = widest;
        let mut first = sizes.len();
        while first > 0 && bytes < row {
            first -= 1;
            let wanted = row.div_ceil(bytes);
            steps[first] = if 2 * sizes[first] < 3 * wanted { sizes[first] } else { wanted.min(sizes[first]) };
            bytes *= steps[first];
        }
        if close > 0 {
            self.cover(&mut steps, first, close);
        }
        let size = |steps: &[usize]| steps.iter().fold(widest, |all, &n| all.saturating_mul(n));
        let mut bytes = size(&steps);
        if bytes > cap * 3 / 2
            && let Some(axis) = (first..sizes.len()).find(|&axis| steps[axis] > 1)
        {
            steps[axis] = (steps[axis] * cap / bytes).max(1);
            bytes = size(&steps);
        }
        // Filled up from inside.
        for axis in (0..sizes.len()).rev() {
            if 2 * bytes > cap {
                break;
            }
            let more = (steps[axis] * (cap / bytes)).min(sizes[axis]);
            bytes = bytes / steps[axis] * more;
            steps[axis] = more;
        }
        for (steps, &size) in steps.iter_mut().zip(sizes) {
            *steps = size.div_ceil(size.div_ceil(*steps));
        }
        steps
    }

    /// Widens a box along the closest loops of operands that are not contiguous from loop `first` on.
    fn cover(&self, steps: &mut Loops<usize>, first: usize, close: usize) {
        let (schedule, cost) = (self.cost.schedule, &self.cost);
        for operand in 0..schedule.binding.operands.len() {
            if schedule.direct_from(operand, steps).0 <= first {
                continue;
            }
            let strides = &schedule.nest.operands[operand].strides;
            let mut covered = schedule.binding.operands[operand].size;
            for &axis in &cost.by_stride[operand] {
                let (size, stride) = (schedule.nest.sizes[axis], strides[axis].unsigned_abs());
                if covered >= close || stride > covered + 4 * CACHE_LINE {
                    break;
                }
                let wanted = ((close - covered) / stride + 1).min(size);
                let wanted = if size < 2 * wanted { size } else { wanted };
                steps[axis] = steps[axis].max(wanted);
                covered += stride * (steps[axis] - 1);
            }
        }
    }
}

impl Schedule {
    /// What the search estimates for this way of running on the CPU of `target`, in the unit of
    /// [`Schedule::search_cost`]. `None` for an empty result, and for values that need more scratch than the search allows.
    pub fn cost_of_way(&self, target: &Target) -> Option<u64> {
        let registers = self.clone().assign_registers();
        let (cost, tile) = (TileCost::new(self, &registers, target), &self.tile);
        let evaluation = match (self.strategy, tile.unit) {
            (Strategy::Empty, _) => return None,
            (Strategy::Direct, _) => return Some(cost.direct()),
            (Strategy::Tiled, Some(unit)) => UnitSearch::new(&cost)?.of_unit(&cost, tile.row, unit),
            (Strategy::Tiled, None) => cost.evaluate(&tile.steps, Some(tile.row), u64::MAX),
        };
        evaluation.map(|evaluation| evaluation.cost)
    }
}

/// The cost below which another candidate is better than the best one: of two that take about as long, the first, which is simpler.
fn better_than(best: &Evaluation) -> u64 {
    best.cost - best.cost / 100 * (100 - BETTER_PERCENT)
}

/// Keeps the better candidate.
fn keep(best: &mut Option<Evaluation>, evaluation: Evaluation) {
    if best.as_ref().is_none_or(|best| evaluation.cost < better_than(best)) {
        *best = Some(evaluation);
    }
}

/// The smallest number of iterations of `bytes` bytes that are whole cache lines.
fn line_steps(bytes: usize) -> usize {
    CACHE_LINE >> bytes.trailing_zeros().min(CACHE_LINE.trailing_zeros())
}
