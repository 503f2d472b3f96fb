//! One block of memory in which the operands of each case lie, elsewhere in each round.

use eltwise::{Array, DType};

use crate::error::Result;

const PAGE: usize = 4096;
/// Between the ends of operands: pages, so that no two begin at the same sets of a cache, and lines, so that no load waits
/// for a store 4096 bytes away.
const STAGGER: usize = 3 * PAGE + 1024;
/// Room to move about in, for operands that are smaller than all.
const SLACK: usize = 8 << 20;
/// The most operands of a case.
pub(crate) const MOST: usize = 8;

/// The block.
pub(crate) struct Arena {
    memory: Array,
    /// The state of the generator that moves operands.
    random: u64,
}

impl Arena {
    /// A block for operands of `bytes` bytes together.
    pub(crate) fn new(bytes: usize) -> Result<Arena> {
        let memory = Array::zeros(DType::U8, [bytes + SLACK + MOST * (PAGE + STAGGER)])?;
        Ok(Arena { memory, random: 0x9e37_79b9_7f4a_7c15 })
    }

    /// Memory for operands of these sizes, one after the other from a page that changes with each call: where operands lie
    /// decides which of them share the sets of a cache, and a median over many places is one that another run gives too.
    /// Each operand is aligned to 64 bytes. `None` when the block is too small.
    pub(crate) fn place(&mut self, sizes: &[usize]) -> Option<Vec<&mut [u8]>> {
        let taken: usize = sizes.iter().map(|s| s.next_multiple_of(PAGE) + STAGGER).sum();
        let free = self.memory.bytes().len().checked_sub(taken)?;
        self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let page = (self.random >> 33) as usize % (free.min(SLACK) / PAGE + 1);
        let mut rest = self.memory.bytes_mut().get_mut(page * PAGE..)?;
        let mut operands = Vec::with_capacity(sizes.len());
        for &size in sizes {
            let (operand, after) = rest.split_at_mut_checked(size.next_multiple_of(PAGE) + STAGGER)?;
            operands.push(operand.get_mut(..size)?);
            rest = after;
        }
        Some(operands)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_lie_apart_and_move() {
        let mut arena = Arena::new(3 << 20).unwrap();
        let mut starts = Vec::new();
        for _ in 0..20 {
            let operands = arena.place(&[1 << 20, 1000, 2 << 20]).unwrap();
            assert_eq!(operands.iter().map(|o| o.len()).collect::<Vec<_>>(), [1 << 20, 1000, 2 << 20]);
            let at: Vec<usize> = operands.iter().map(|o| o.as_ptr().addr()).collect();
            assert!(at.iter().all(|a| a % 64 == 0) && at.windows(2).all(|w| (w[1] - w[0]) % PAGE != 0));
            starts.push(at[0]);
        }
        starts.sort_unstable();
        starts.dedup();
        assert!(starts.len() > 15, "{starts:?}");
        assert!(arena.place(&[64 << 20]).is_none());
    }
}
