//! Units, parts and tasks: how a schedule is shared among threads. What makes a task worth it is in [`cost`](mod@crate::cost).

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

    /// How many tasks an executor of `width` threads should run: one for work too small to share.
    pub fn tasks(&self, width: usize, machine: &Machine) -> usize {
        width.min(self.most_tasks(machine)).max(1)
    }

    /// How many tasks are worth it on any number of threads.
    pub fn most_tasks(&self, machine: &Machine) -> usize {
        self.cost(machine).tasks
    }
}

/// Elements of a part of a row, when one row is cut for several tasks.
const PART: usize = 8 << 10;
/// Parts start on multiples of this many elements: cache lines, for every element size.
const PART_ALIGN: usize = 64;
