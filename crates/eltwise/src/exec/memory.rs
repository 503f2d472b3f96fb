//! Memory between the stages of a run, for what does not fit the stack.

use core::ptr::NonNull;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::alloc;

use eltwise_plan::{Error, Shape};

/// Scratch begins at a multiple of this many bytes.
pub(super) const ALIGN: usize = 64;

/// Bytes that are not initialised.
#[derive(Debug)]
pub(crate) struct Memory {
    ptr: NonNull<u8>,
    layout: alloc::Layout,
}

// SAFETY: it owns its bytes.
unsafe impl Send for Memory {}
// SAFETY: a shared one gives no access to its bytes.
unsafe impl Sync for Memory {}

impl Memory {
    /// So many bytes, and at least one.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when the allocator has no such memory.
    pub(super) fn new(bytes: usize) -> Result<Memory, Error> {
        let too_large = || Error::TooLarge { shape: Shape::from([bytes]), element_bytes: 1 };
        let layout = layout(bytes).ok_or_else(too_large)?;
        // SAFETY: the size is not 0.
        let ptr = NonNull::new(unsafe { alloc::alloc(layout) }).ok_or_else(too_large)?;
        Ok(Memory { ptr, layout })
    }

    pub(super) fn as_mut_ptr(&mut self) -> *mut u8 {
        self.ptr.as_ptr()
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: allocated so, and dropped once.
        unsafe { alloc::dealloc(self.ptr.as_ptr(), self.layout) }
    }
}

fn layout(bytes: usize) -> Option<alloc::Layout> {
    alloc::Layout::from_size_align(bytes.max(1), ALIGN).ok()
}

/// Memory that a plan keeps from one run to the next: one piece, of a fixed size, that whoever comes first takes.
#[derive(Debug)]
pub(super) struct Spare {
    bytes: usize,
    kept: AtomicPtr<u8>,
}

impl Spare {
    /// Keeps nothing so far.
    pub(super) fn new(bytes: usize) -> Spare {
        Spare { bytes, kept: AtomicPtr::new(core::ptr::null_mut()) }
    }

    /// What is kept, or new memory.
    pub(super) fn take(&self) -> Result<Memory, Error> {
        let kept = NonNull::new(self.kept.swap(core::ptr::null_mut(), Ordering::Acquire));
        match kept.zip(layout(self.bytes)) {
            Some((ptr, layout)) => Ok(Memory { ptr, layout }),
            None => Memory::new(self.bytes),
        }
    }

    /// Keeps memory that was [taken](Spare::take) here, in place of what is kept.
    pub(super) fn put(&self, memory: Memory) {
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
    fn one_piece_is_kept() {
        let spare = Spare::new(1000);
        let mut first = spare.take().unwrap();
        let at = first.as_mut_ptr();
        assert_eq!(at.addr() % ALIGN, 0);
        let second = spare.take().unwrap();
        spare.put(first);
        let mut again = spare.take().unwrap();
        assert_eq!(again.as_mut_ptr(), at);
        spare.put(again);
        spare.put(second);
        drop(spare.take().unwrap());
        assert!(Memory::new(usize::MAX).is_err());
    }
}
