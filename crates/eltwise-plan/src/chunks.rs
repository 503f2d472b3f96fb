//! Units, parts and tasks: how a schedule is shared among threads.

use crate::dtype::DType;
use crate::fuse::Operation;
use crate::op::Op;
use crate::plan::{Machine, Schedule, Strategy};

impl Schedule {
    /// The number of units that tasks are made of: rows (or parts of them) for Direct, tiles for Tiled.
    pub fn units(&self) -> usize {
        match self.strategy {
            Strategy::Empty => 0,
            Strategy::Direct => {
                let (rows, parts) = self.direct_grid();
                rows * parts
            }
            Strategy::Tiled => self.tile_units(),
        }
    }

    /// The units of [`Strategy::Direct`]: all rows, and the parts each is cut into when rows are few.
    pub fn direct_grid(&self) -> (usize, usize) {
        let columns = self.nest.sizes.last().copied().unwrap_or(1);
        let rows = self.nest.sizes.iter().rev().skip(1).product::<usize>();
        if rows >= 64 {
            return (rows, 1);
        }
        (rows, columns.div_ceil(PART).min(256))
    }

    /// The columns of part `part` of `parts`, starting on a multiple of 64 elements.
    pub fn part(&self, part: usize, parts: usize) -> (usize, usize) {
        let columns = self.nest.sizes.last().copied().unwrap_or(1);
        let at = |p: usize| {
            if p >= parts {
                return columns;
            }
            // columns * p / parts without overflow.
            let even = columns / parts * p + columns % parts * p / parts;
            (even / PART_ALIGN * PART_ALIGN).min(columns)
        };
        (at(part), at(part + 1))
    }

    /// An estimate of the time of a run on one core, in nanoseconds: bytes at the speed of the level they lie in, and
    /// the work of every step. It decides how many tasks are worth it, nothing else.
    pub fn cost(&self, machine: &Machine) -> usize {
        cost(
            self.bytes,
            self.nest.elements(),
            self.binding.steps.iter().map(|s| work_of_step(s.op, s.from)).sum(),
            machine,
        )
    }

    /// How many tasks an executor of `width` threads should run: one for work too small to share.
    pub fn tasks(&self, width: usize, machine: &Machine) -> usize {
        width.min(self.most_tasks(machine)).max(1)
    }

    /// How many tasks are worth it on any number of threads.
    pub fn most_tasks(&self, machine: &Machine) -> usize {
        tasks_worth(self.cost(machine)).min(self.units()).max(1)
    }
}

/// [`Schedule::cost`] of steps of that much [work](work_of) over some elements.
#[inline]
pub(crate) fn cost(bytes: usize, elements: usize, steps: usize, machine: &Machine) -> usize {
    let per_kib = if bytes > machine.l2 { 60 } else { 20 };
    let memory = (bytes >> 10).saturating_mul(per_kib);
    let work = (elements >> 5).saturating_mul(steps.saturating_mul(2));
    memory.saturating_add(work).saturating_add(10)
}

/// The work of a step; of one whose code is not known, that of a math function.
fn work_of_step(op: Operation, from: DType) -> usize {
    match op {
        Operation::Custom(_) => 8,
        op => op.ops().map(|op| work_of(op, from)).sum(),
    }
}

/// The work of an operator, in the work of an addition: integers divide in the float units;
/// divisors are found by loops.
pub(crate) fn work_of(op: Op, from: DType) -> usize {
    if matches!(op, Op::Gcd | Op::Lcm) {
        return 96;
    }
    if op.info().is_math(from) {
        return if from == DType::F64 { 24 } else { 8 };
    }
    if op == Op::Pow {
        // A squaring, a product and a choice for each bit of the exponents.
        return 16;
    }
    let divides = matches!(op, Op::Divide | Op::FloorDivide | Op::TruncDivide | Op::Remainder | Op::Fmod);
    match from.size() {
        _ if !divides || from.is_float() => 1,
        1 | 2 => 2,
        4 => 5,
        _ => 10,
    }
}

/// How many tasks a cost is worth.
#[inline]
pub(crate) fn tasks_worth(cost: usize) -> usize {
    // Waking another thread costs about 6 us; below a few times that, one thread is faster.
    const WORTH: usize = 20_000;
    cost / WORTH
}

/// Elements of a part of a row, when one row is cut for several tasks.
const PART: usize = 8 << 10;
/// Parts start on multiples of this many elements: cache lines, for every element size.
const PART_ALIGN: usize = 64;
