//! The levels of the memory, as the caches of this machine have them: how large the operands of a case are.

use eltwise::{DType, Error, Expr, Program};

use crate::caches;

/// A level of the memory.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    /// The first-level data cache.
    L1,
    /// The second-level cache.
    L2,
    /// The third-level cache.
    L3,
    /// Beyond the caches.
    Dram,
}

/// Where the system does not tell: common sizes of L1d, L2, L3.
const COMMON: [usize; 3] = [32 << 10, 1 << 20, 32 << 20];
/// Bounds of what lies beyond the caches.
const DRAM: (usize, usize) = (64 << 20, 512 << 20);
/// Elements are a multiple of this.
const GRAIN: usize = 256;

impl Level {
    /// Every level, the nearest first.
    pub const ALL: [Level; 4] = [Level::L1, Level::L2, Level::L3, Level::Dram];

    /// `L1`, `L2`, `L3`, `DRAM`.
    pub fn name(self) -> &'static str {
        match self {
            Level::L1 => "L1",
            Level::L2 => "L2",
            Level::L3 => "L3",
            Level::Dram => "DRAM",
        }
    }

    /// Bytes of operands and results that lie at this level together: half of a cache of one core, a quarter of the
    /// last one, which others share, four times that one beyond it. A machine with two caches has no third level.
    pub fn bytes(self) -> Option<usize> {
        let found: Vec<usize> = caches::list().iter().filter(|c| c.kind != "i").map(|c| c.bytes).collect();
        self.bytes_of(if found.len() >= 2 { &found } else { &COMMON })
    }

    fn bytes_of(self, caches: &[usize]) -> Option<usize> {
        match self {
            Level::L1 | Level::L2 => Some(caches[self as usize] / 2),
            Level::L3 => Some((caches.get(2)? / 4).max(2 * caches[1])),
            Level::Dram => Some((4 * caches.last()?).clamp(DRAM.0, DRAM.1)),
        }
    }
}

/// The elements of each operand of an expression over dense operands of one shape that has so many bytes with its
/// results.
///
/// # Errors
/// Those of parsing and typing.
pub fn elements(expression: &str, dtypes: &[DType], bytes: usize) -> Result<usize, Error> {
    let expression = Expr::parse(expression)?;
    let inputs: Vec<_> = expression.names().into_iter().zip(dtypes.iter().copied()).collect();
    let program = Program::new(&[&expression], &inputs)?;
    let results = program.outputs().iter().map(|&id| program.value(id).dtype);
    let element: usize = dtypes.iter().copied().chain(results).map(DType::size).sum();
    Ok((bytes / element / GRAIN).max(1) * GRAIN)
}
