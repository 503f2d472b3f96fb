//! The levels of the memory hierarchy. [`MemoryLevels`] gives the working set of cases at each level, and the level that holds
//! the operands of a case.

use serde::{Deserialize, Serialize};

use crate::caches;

/// A level of the memory hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum MemoryLevel {
    L1,
    L2,
    L3,
    #[serde(rename = "DRAM")]
    Dram,
}

impl MemoryLevel {
    /// Every level, fastest first.
    pub(crate) const ALL: [MemoryLevel; 4] = [MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::L3, MemoryLevel::Dram];

    /// The name: `L1`, `L2`, `L3` or `DRAM`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            MemoryLevel::L1 => "L1",
            MemoryLevel::L2 => "L2",
            MemoryLevel::L3 => "L3",
            MemoryLevel::Dram => "DRAM",
        }
    }
}

/// The sizes of a level.
#[derive(Clone, Copy, Debug)]
struct Size {
    level: MemoryLevel,
    /// The capacity in bytes; `usize::MAX` for DRAM.
    capacity: usize,
    /// The bytes of the operands of a case at this level.
    working_set: usize,
}

/// The memory levels of this machine.
#[derive(Clone, Debug)]
pub(crate) struct MemoryLevels {
    sizes: Vec<Size>,
    /// Whether the system reports the sizes. Otherwise common sizes are assumed.
    pub(crate) known: bool,
}

/// The sizes of L1d, L2 and L3 that are assumed if the system does not report them.
const COMMON: [usize; 3] = [32 << 10, 1 << 20, 32 << 20];
/// The bounds of the working set in DRAM, which is four times the last cache otherwise.
const DRAM: (usize, usize) = (64 << 20, 1 << 30);
/// The largest working set with `--quick`. Larger levels are left out.
const QUICK: usize = 4 << 20;

impl MemoryLevels {
    /// The levels of this machine. `quick` leaves out levels with a working set above 4 MiB, whose runs take milliseconds.
    pub(crate) fn detect(quick: bool) -> MemoryLevels {
        let found: Vec<usize> = caches::list().iter().filter(|c| c.kind != "i").map(|c| c.bytes).collect();
        let known = found.len() >= 2;
        MemoryLevels::of_caches(if known { &found } else { &COMMON }, known, quick)
    }

    /// The levels for two or three caches of these sizes, L1 first.
    fn of_caches(caches: &[usize], known: bool, quick: bool) -> MemoryLevels {
        let mut sizes = Vec::new();
        let last = caches.last().copied().unwrap_or(COMMON[2]);
        for (&level, &capacity) in MemoryLevel::ALL.iter().zip(caches.iter().take(3)) {
            // Half of a private cache; a quarter of the last one, which other cores share.
            let below = sizes.last().map_or(0, |s: &Size| s.capacity);
            let working_set = if level == MemoryLevel::L3 { (capacity / 4).max(2 * below) } else { capacity / 2 };
            sizes.push(Size { level, capacity, working_set });
        }
        sizes.push(Size {
            level: MemoryLevel::Dram,
            capacity: usize::MAX,
            working_set: (4 * last).clamp(DRAM.0, DRAM.1),
        });
        if quick {
            sizes.retain(|s| s.working_set <= QUICK);
        }
        MemoryLevels { sizes, known }
    }

    /// The levels, fastest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = MemoryLevel> {
        self.sizes.iter().map(|s| s.level)
    }

    /// The bytes of all operands of a case at a level; `None` if the run leaves out the level.
    pub(crate) fn working_set(&self, level: MemoryLevel) -> Option<usize> {
        self.sizes.iter().find(|s| s.level == level).map(|s| s.working_set)
    }

    /// The largest working set in bytes.
    pub(crate) fn largest(&self) -> usize {
        self.sizes.iter().map(|s| s.working_set).max().unwrap_or(0)
    }

    /// The level that holds operands of `bytes` bytes that are divided among `threads` threads. Each core has its own L1 and
    /// L2.
    pub(crate) fn level_of(&self, bytes: usize, threads: usize) -> MemoryLevel {
        let share = |level| if level < MemoryLevel::L3 { bytes / threads.max(1) } else { bytes };
        let fits = self.sizes.iter().find(|s| share(s.level) <= s.capacity);
        fits.or(self.sizes.last()).map_or(MemoryLevel::Dram, |s| s.level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_at_the_first_level_where_they_fit() {
        let levels = MemoryLevels::of_caches(&[48 << 10, 1 << 20, 32 << 20], true, false);
        let at = |bytes| levels.level_of(bytes, 1);
        assert_eq!([at(0), at(48 << 10), at((48 << 10) + 1)], [MemoryLevel::L1, MemoryLevel::L1, MemoryLevel::L2]);
        assert_eq!([at(1 << 20), at(32 << 20), at(33 << 20)], [MemoryLevel::L2, MemoryLevel::L3, MemoryLevel::Dram]);
        assert_eq!([levels.level_of(2 << 20, 2), levels.level_of(64 << 20, 2)], [MemoryLevel::L2, MemoryLevel::Dram]);
        for level in levels.all() {
            assert_eq!(levels.level_of(levels.working_set(level).unwrap(), 1), level);
        }
        assert_eq!(levels.largest(), 128 << 20);
    }

    #[test]
    fn two_caches_and_quick_runs_have_fewer_levels() {
        let two = MemoryLevels::of_caches(&[64 << 10, 4 << 20], true, false);
        assert_eq!(two.all().collect::<Vec<_>>(), [MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::Dram]);
        assert_eq!(two.working_set(MemoryLevel::Dram), Some(64 << 20));
        let quick = MemoryLevels::of_caches(&COMMON, false, true);
        assert_eq!(quick.all().collect::<Vec<_>>(), [MemoryLevel::L1, MemoryLevel::L2]);
        assert_eq!(quick.level_of(1 << 30, 1), MemoryLevel::L2);
    }
}
