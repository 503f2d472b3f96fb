//! Levels of the memory. [`Level::bytes`] is a working set that fits a level of this machine, [`elements`] the size of
//! the operands for it.

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
    /// Memory.
    Dram,
}

/// Sizes of L1d, L2 and L3 if the system does not report them, in bytes.
const DEFAULT_CACHES: [usize; 3] = [32 << 10, 1 << 20, 32 << 20];
/// The smallest and the largest working set in memory, in bytes.
const DRAM: (usize, usize) = (64 << 20, 512 << 20);
/// [`elements`] returns multiples of this.
const GRAIN: usize = 256;

impl Level {
    /// Every level, fastest first.
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

    /// Bytes of inputs and outputs together that fit this level: half of L1 or L2, a quarter of L3, which cores share,
    /// and four times the last cache for memory. `None` for L3 on a machine with two levels of caches.
    pub fn bytes(self) -> Option<usize> {
        let found: Vec<usize> = caches::list().iter().filter(|c| c.kind != "i").map(|c| c.bytes).collect();
        self.bytes_of(if found.len() >= 2 { &found } else { &DEFAULT_CACHES })
    }

    fn bytes_of(self, caches: &[usize]) -> Option<usize> {
        match self {
            Level::L1 | Level::L2 => Some(caches[self as usize] / 2),
            Level::L3 => Some((caches.get(2)? / 4).max(2 * caches[1])),
            Level::Dram => Some((4 * caches.last()?).clamp(DRAM.0, DRAM.1)),
        }
    }
}

/// The number of elements per operand for which an expression over contiguous operands of one shape reads and writes
/// about `bytes` bytes.
///
/// # Errors
/// Errors of parsing and type inference.
pub fn elements(expression: &str, dtypes: &[DType], bytes: usize) -> Result<usize, Error> {
    let expression = Expr::parse(expression)?;
    let inputs: Vec<_> = expression.names().into_iter().zip(dtypes.iter().copied()).collect();
    let program = Program::new(&[&expression], &inputs)?;
    let results = program.outputs().iter().map(|&id| program.value(id).dtype);
    let element: usize = dtypes.iter().copied().chain(results).map(DType::size).sum();
    Ok((bytes / element / GRAIN).max(1) * GRAIN)
}
