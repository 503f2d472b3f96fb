//! Partition: how the work of a [`Schedule`] is cut into tasks for threads.
//!
//! A schedule has units: rows, parts of rows, or tiles. A task runs consecutive units. [`Cost`](crate::Cost) says how many
//! tasks are worth a thread.

use crate::strategy::{Schedule, Strategy};
use crate::target::Target;
use crate::tuning::{MAX_PARTS, PART_ALIGN_ELEMENTS, PART_ELEMENTS, ROWS_FOR_ROW_TASKS};

impl Schedule {
    /// The number of units: rows or parts of rows for [`Strategy::Direct`], tiles for [`Strategy::Tiled`].
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

    /// The units of [`Strategy::Direct`]: the number of rows, and of the parts of each. Few rows are cut into several parts.
    pub fn direct_grid(&self) -> (usize, usize) {
        let (rows, columns) = (self.nest.rows(), self.nest.columns());
        if rows >= ROWS_FOR_ROW_TASKS {
            return (rows, 1);
        }
        (rows, columns.div_ceil(PART_ELEMENTS).min(MAX_PARTS))
    }

    /// The first column of part `part` of `parts`, and one past its last. Parts start at multiples of 64 elements.
    pub fn part(&self, part: usize, parts: usize) -> (usize, usize) {
        let columns = self.nest.columns();
        let start = |p: usize| {
            if p >= parts {
                return columns;
            }
            // columns * p / parts without overflow.
            let even = columns / parts * p + columns % parts * p / parts;
            (even / PART_ALIGN_ELEMENTS * PART_ALIGN_ELEMENTS).min(columns)
        };
        (start(part), start(part + 1))
    }

    /// How many tasks an executor of `width` threads should run; 1 for work that is too small for several threads.
    pub fn tasks(&self, width: usize, target: &Target) -> usize {
        width.min(self.max_tasks(target)).max(1)
    }

    /// How many tasks are worth a thread each.
    pub fn max_tasks(&self, target: &Target) -> usize {
        self.cost(target).tasks
    }
}
