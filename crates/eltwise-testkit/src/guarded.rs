//! Memory between two guard pages, which cannot be read or written ([`Guarded`]): an access past its end faults and ends
//! the process.

use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

/// The guard page that the memory touches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The memory starts at the end of the page before it.
    Front,
    /// The memory ends at the start of the page after it.
    Back,
}

/// Bytes, initially 0. One end touches a guard page; the other end is less than a page from one.
#[derive(Debug)]
pub struct Guarded {
    /// The start of the mapping: the first guard page.
    map: NonNull<u8>,
    /// Bytes of the mapping, including the guard pages.
    mapped: usize,
    side: Side,
    bytes: usize,
}

// SAFETY: this value alone owns the memory, as a vector does.
unsafe impl Send for Guarded {}
// SAFETY: this value alone owns the memory, and shared references only read.
unsafe impl Sync for Guarded {}

impl Guarded {
    /// Maps `bytes` bytes.
    ///
    /// # Panics
    /// If the system is out of memory.
    pub fn new(bytes: usize, side: Side) -> Guarded {
        let page = page();
        let mapped = bytes.max(1).next_multiple_of(page) + 2 * page;
        // SAFETY: a new anonymous mapping at an address that the system chooses; it replaces no other mapping.
        let map = unsafe {
            let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            libc::mmap(core::ptr::null_mut(), mapped, libc::PROT_NONE, kind, -1, 0)
        };
        assert_ne!(map, libc::MAP_FAILED, "no memory for {bytes} bytes: {}", std::io::Error::last_os_error());
        let map = NonNull::new(map.cast::<u8>()).expect("the system should map nothing at address 0");
        // SAFETY: the range is the pages between the first and the last of the mapping made above.
        let done = unsafe {
            libc::mprotect(map.add(page).as_ptr().cast(), mapped - 2 * page, libc::PROT_READ | libc::PROT_WRITE)
        };
        assert_eq!(done, 0, "no memory for {bytes} bytes: {}", std::io::Error::last_os_error());
        Guarded { map, mapped, side, bytes }
    }

    fn start(&self) -> NonNull<u8> {
        let offset = match self.side {
            Side::Front => page(),
            Side::Back => self.mapped - page() - self.bytes,
        };
        // SAFETY: the offset is at most `mapped`: the readable pages, which start after one page, have room for the
        // bytes.
        unsafe { self.map.add(offset) }
    }
}

impl Deref for Guarded {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: these are readable bytes of the mapping, which this value owns; the system initialized them to 0.
        unsafe { core::slice::from_raw_parts(self.start().as_ptr(), self.bytes) }
    }
}

impl DerefMut for Guarded {
    fn deref_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `deref`; the borrow is exclusive.
        unsafe { core::slice::from_raw_parts_mut(self.start().as_ptr(), self.bytes) }
    }
}

impl Clone for Guarded {
    fn clone(&self) -> Guarded {
        let mut other = Guarded::new(self.bytes, self.side);
        other.copy_from_slice(self);
        other
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: this is the whole mapping, and nothing borrows it any more.
        let done = unsafe { libc::munmap(self.map.as_ptr().cast(), self.mapped) };
        debug_assert_eq!(done, 0);
    }
}

/// The size of a page in bytes.
fn page() -> usize {
    // SAFETY: `sysconf` takes no pointers.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("the system should report the size of a page")
}
