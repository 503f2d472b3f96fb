//! The levels of the memory: how large the cases of each are, and to which one a case belongs.

use serde::{Deserialize, Serialize};

use crate::caches;

/// A level of the memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub(crate) enum Level {
    L1,
    L2,
    L3,
    #[serde(rename = "DRAM")]
    Dram,
}

impl Level {
    /// Every level, the nearest first.
    pub(crate) const ALL: [Level; 4] = [Level::L1, Level::L2, Level::L3, Level::Dram];

    /// `L1`, `L2`, `L3`, `DRAM`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Level::L1 => "L1",
            Level::L2 => "L2",
            Level::L3 => "L3",
            Level::Dram => "DRAM",
        }
    }
}

/// What a level holds.
#[derive(Clone, Copy, Debug)]
struct Size {
    level: Level,
    /// Bytes that fit; the last level has no end.
    capacity: usize,
    /// Bytes of the operands of a case that is to lie there.
    working_set: usize,
}

/// The levels of this machine.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    sizes: Vec<Size>,
    /// Whether the system told the sizes; else they are common ones.
    pub(crate) known: bool,
}

/// Where the system does not tell: common sizes of L1d, L2, L3.
const COMMON: [usize; 3] = [32 << 10, 1 << 20, 32 << 20];
/// Operands in memory: several times the last cache, within these bounds.
const DRAM: (usize, usize) = (64 << 20, 1 << 30);
/// With `--quick`: enough to be beyond no cache, so that the level is left out.
const QUICK: usize = 4 << 20;

impl Levels {
    /// Those of this machine. `quick` leaves out what takes milliseconds a run.
    pub(crate) fn found(quick: bool) -> Levels {
        let found: Vec<usize> = caches::list().iter().filter(|c| c.kind != "i").map(|c| c.bytes).collect();
        let known = found.len() >= 2;
        Levels::of_caches(if known { &found } else { &COMMON }, known, quick)
    }

    /// Levels of caches of these sizes, L1 first: two of them, or three.
    fn of_caches(caches: &[usize], known: bool, quick: bool) -> Levels {
        let mut sizes = Vec::new();
        let last = caches.last().copied().unwrap_or(COMMON[2]);
        for (&level, &capacity) in Level::ALL.iter().zip(caches.iter().take(3)) {
            // Half of a cache of one core; a quarter of the last one, which others share.
            let below = sizes.last().map_or(0, |s: &Size| s.capacity);
            let working_set = if level == Level::L3 { (capacity / 4).max(2 * below) } else { capacity / 2 };
            sizes.push(Size { level, capacity, working_set });
        }
        sizes.push(Size { level: Level::Dram, capacity: usize::MAX, working_set: (4 * last).clamp(DRAM.0, DRAM.1) });
        if quick {
            sizes.retain(|s| s.working_set <= QUICK);
        }
        Levels { sizes, known }
    }

    /// The levels, the nearest first.
    pub(crate) fn all(&self) -> impl Iterator<Item = Level> {
        self.sizes.iter().map(|s| s.level)
    }

    /// Bytes of all operands of a case that is to lie at a level; `None` when this run has no such level.
    pub(crate) fn working_set(&self, level: Level) -> Option<usize> {
        self.sizes.iter().find(|s| s.level == level).map(|s| s.working_set)
    }

    /// Bytes of the largest working set.
    pub(crate) fn largest(&self) -> usize {
        self.sizes.iter().map(|s| s.working_set).max().unwrap_or(0)
    }

    /// Where operands of so many bytes lie that `threads` threads share: each core has an L1 and an L2 of its own.
    pub(crate) fn of(&self, bytes: usize, threads: usize) -> Level {
        let share = |level| if level < Level::L3 { bytes / threads.max(1) } else { bytes };
        let fits = self.sizes.iter().find(|s| share(s.level) <= s.capacity);
        fits.or(self.sizes.last()).map_or(Level::Dram, |s| s.level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_lie_where_they_fit() {
        let levels = Levels::of_caches(&[48 << 10, 1 << 20, 32 << 20], true, false);
        let at = |bytes| levels.of(bytes, 1);
        assert_eq!([at(0), at(48 << 10), at((48 << 10) + 1)], [Level::L1, Level::L1, Level::L2]);
        assert_eq!([at(1 << 20), at(32 << 20), at(33 << 20)], [Level::L2, Level::L3, Level::Dram]);
        assert_eq!([levels.of(2 << 20, 2), levels.of(64 << 20, 2)], [Level::L2, Level::Dram]);
        for level in levels.all() {
            assert_eq!(levels.of(levels.working_set(level).unwrap(), 1), level);
        }
        assert_eq!(levels.largest(), 128 << 20);
    }

    #[test]
    fn machines_have_two_caches_or_more() {
        let two = Levels::of_caches(&[64 << 10, 4 << 20], true, false);
        assert_eq!(two.all().collect::<Vec<_>>(), [Level::L1, Level::L2, Level::Dram]);
        assert_eq!(two.working_set(Level::Dram), Some(64 << 20));
        let quick = Levels::of_caches(&COMMON, false, true);
        assert_eq!(quick.all().collect::<Vec<_>>(), [Level::L1, Level::L2]);
        assert_eq!(quick.of(1 << 30, 1), Level::L2);
    }
}
