//! Uninitialised memory for a run: [`StackScratch`] on the stack, [`Memory`] on the heap, and [`Spare`], which keeps a
//! heap block from one run of a plan to the next.

use core::mem::MaybeUninit;
use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::alloc;

use eltwise_core::{Error, Shape};
use eltwise_plan::tuning::CACHE_LINE;

/// Scratch on the stack, aligned to a cache line. Use it as `MaybeUninit::<StackScratch<BYTES>>::uninit()`.
#[repr(C, align(64))]
pub(crate) struct StackScratch<const BYTES: usize>([MaybeUninit<u8>; BYTES]);

/// Uninitialised bytes on the heap, aligned to a cache line.
#[derive(Debug)]
pub(crate) struct Memory {
    ptr: NonNull<u8>,
    layout: alloc::Layout,
}

// SAFETY: it owns its bytes.
unsafe impl Send for Memory {}
// SAFETY: a shared reference gives no access to the bytes.
unsafe impl Sync for Memory {}

impl Memory {
    /// Allocates `bytes` bytes, at least one.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the allocator fails.
    pub(crate) fn new(bytes: usize) -> Result<Memory, Error> {
        let too_large = || Error::TooLarge { shape: Shape::from([bytes]), element_bytes: 1 };
        let layout = layout(bytes).ok_or_else(too_large)?;
        // SAFETY: the size is not 0.
        let ptr = NonNull::new(unsafe { alloc::alloc(layout) }).ok_or_else(too_large)?;
        Ok(Memory { ptr, layout })
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.ptr.as_ptr()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the pointer was allocated with this layout and is freed once.
        unsafe { alloc::dealloc(self.ptr.as_ptr(), self.layout) }
    }
}

fn layout(bytes: usize) -> Option<alloc::Layout> {
    alloc::Layout::from_size_align(bytes.max(1), CACHE_LINE).ok()
}

/// A heap block of a fixed size that a plan keeps between runs. One run at a time can take it; concurrent runs
/// allocate.
#[derive(Debug)]
pub(crate) struct Spare {
    bytes: usize,
    kept: AtomicPtr<u8>,
}

impl Spare {
    /// Keeps no block yet.
    pub(crate) fn new(bytes: usize) -> Spare {
        Spare { bytes, kept: AtomicPtr::new(core::ptr::null_mut()) }
    }

    /// The kept block, or a new one.
    pub(crate) fn take(&self) -> Result<Memory, Error> {
        let kept = NonNull::new(self.kept.swap(core::ptr::null_mut(), Ordering::Acquire));
        match kept.zip(layout(self.bytes)) {
            Some((ptr, layout)) => Ok(Memory { ptr, layout }),
            None => Memory::new(self.bytes),
        }
    }

    /// Keeps a block that was [taken](Spare::take) here. Frees the block that was kept before.
    pub(crate) fn put(&self, memory: Memory) {
        let memory = core::mem::ManuallyDrop::new(memory);
        let before = self.kept.swap(memory.ptr.as_ptr(), Ordering::AcqRel);
        if let Some(ptr) = NonNull::new(before) {
            drop(Memory { ptr, layout: memory.layout });
        }
    }
}

impl Drop for Spare {
    fn drop(&mut self) {
        if let (Some(ptr), Some(layout)) = (NonNull::new(*self.kept.get_mut()), layout(self.bytes)) {
            drop(Memory { ptr, layout });
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
        assert!(Memory::new(usize::MAX).is_err());
    }
}
