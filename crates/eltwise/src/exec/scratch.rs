//! Uninitialised memory for a run: [`StackScratch`] on the stack, [`Memory`] on the heap, and [`Spare`], which keeps a
//! heap block from one run of a plan to the next.

use core::mem::MaybeUninit;
use std::sync::Mutex;

use eltwise_core::{Error, Shape};
use eltwise_plan::tuning::CACHE_LINE;

/// Scratch on the stack, aligned to a cache line. Use it as `MaybeUninit::<StackScratch<BYTES>>::uninit()`.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct StackScratch<const BYTES: usize>([MaybeUninit<u8>; BYTES]);

/// Uninitialised bytes on the heap, aligned to a cache line.
pub(crate) type Memory = Vec<StackScratch<CACHE_LINE>>;

/// Allocates `bytes` bytes: the capacity of the vector, which stays empty.
///
/// # Errors
/// [`Error::TooLarge`] if the allocator fails.
pub(crate) fn memory(bytes: usize) -> Result<Memory, Error> {
    let mut lines = Memory::new();
    let too_large = |_| Error::TooLarge { shape: Shape::from([bytes]), element_bytes: 1 };
    lines.try_reserve_exact(bytes.div_ceil(CACHE_LINE)).map_err(too_large)?;
    Ok(lines)
}

/// A heap block of a fixed size that a plan keeps between runs. One run at a time can take it; concurrent runs
/// allocate.
#[derive(Debug)]
pub(crate) struct Spare {
    pub(crate) bytes: usize,
    kept: Mutex<Option<Memory>>,
}

impl Spare {
    /// Keeps no block yet.
    pub(crate) fn new(bytes: usize) -> Spare {
        Spare { bytes, kept: Mutex::new(None) }
    }

    /// The kept block, or a new one. Never waits for another thread.
    pub(crate) fn take(&self) -> Result<Memory, Error> {
        let kept = self.kept.try_lock().ok().and_then(|mut kept| kept.take());
        kept.map_or_else(|| memory(self.bytes), Ok)
    }

    /// Keeps a block that was [taken](Spare::take) here, unless another thread is using the place for it.
    pub(crate) fn put(&self, memory: Memory) {
        if let Ok(mut kept) = self.kept.try_lock() {
            *kept = Some(memory);
        }
    }
}

impl Clone for Spare {
    fn clone(&self) -> Spare {
        Spare::new(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spare_keeps_one_aligned_block() {
        let spare = Spare::new(1000);
        let mut first = spare.take().unwrap();
        let address = first.as_mut_ptr();
        assert_eq!(address.addr() % CACHE_LINE, 0);
        let second = spare.take().unwrap();
        spare.put(first);
        let mut reused = spare.take().unwrap();
        assert_eq!(reused.as_mut_ptr(), address);
        spare.put(reused);
        spare.put(second);
        drop(spare.take().unwrap());
        assert!(memory(usize::MAX).is_err());
    }
}
