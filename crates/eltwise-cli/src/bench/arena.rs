//! One block of memory for the operands of all cases: [`Arena::place`] gives them a different offset in each round.

use eltwise::{Array, DType};

use crate::error::Result;

const PAGE: usize = 4096;
/// The gap between operands: some pages, so that no two operands start at the same cache sets, and some lines, so that no load
/// waits for a store 4096 bytes away (4K aliasing).
const STAGGER: usize = 3 * PAGE + 1024;
/// Bytes by which the operands move between rounds.
const SLACK: usize = 8 << 20;
/// The largest number of operands of a case.
pub(crate) const MAX_OPERANDS: usize = 8;

/// The block of memory.
pub(crate) struct Arena {
    memory: Array,
    /// The state of the random generator for the offsets.
    random: u64,
}

impl Arena {
    /// A block for operands of `bytes` bytes in total.
    pub(crate) fn new(bytes: usize) -> Result<Arena> {
        let memory = Array::zeros(DType::U8, [bytes + SLACK + MAX_OPERANDS * (PAGE + STAGGER)])?;
        Ok(Arena { memory, random: 0x9e37_79b9_7f4a_7c15 })
    }

    /// Memory for operands of these sizes, consecutive from a page that changes with each call. The addresses decide which
    /// operands share cache sets; the median over many addresses is reproducible. Each operand is aligned to 64 bytes. `None`
    /// if the block is too small.
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
    fn operands_are_separate_aligned_and_move() {
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
