//! Memory between two unreadable pages: a byte read or written beside it ends the process.

use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;

/// The end of its pages that the memory lies at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// It begins where the unreadable page in front of it ends.
    Front,
    /// It ends where the unreadable page behind it begins.
    Back,
}

/// Bytes, all 0 at first, of which one side touches an unreadable page, and the other lies within a page of one.
#[derive(Debug)]
pub struct Guarded {
    /// The unreadable page in front.
    map: NonNull<u8>,
    /// Bytes of all pages, the unreadable ones too.
    mapped: usize,
    side: Side,
    bytes: usize,
}

// SAFETY: the memory belongs to this value alone, as a vector's does.
unsafe impl Send for Guarded {}
// SAFETY: as above; shared references only read.
unsafe impl Sync for Guarded {}

impl Guarded {
    /// So many bytes.
    ///
    /// # Panics
    /// When the system has no memory.
    pub fn new(bytes: usize, side: Side) -> Guarded {
        let page = page();
        let mapped = bytes.max(1).next_multiple_of(page) + 2 * page;
        // SAFETY: new memory at an address of the system's choice.
        let map = unsafe {
            let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
            libc::mmap(core::ptr::null_mut(), mapped, libc::PROT_NONE, kind, -1, 0)
        };
        assert_ne!(map, libc::MAP_FAILED, "no memory for {bytes} bytes: {}", std::io::Error::last_os_error());
        let map = NonNull::new(map.cast::<u8>()).expect("the system maps nothing at 0");
        // SAFETY: the pages between the first and the last of the map made above.
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
        // SAFETY: within the map, whose readable part has room for the bytes.
        unsafe { self.map.add(offset) }
    }
}

impl Deref for Guarded {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        // SAFETY: readable bytes of the map, which this value owns and which were 0 when they were mapped.
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
        // SAFETY: the whole of the map, which nothing borrows any more.
        let done = unsafe { libc::munmap(self.map.as_ptr().cast(), self.mapped) };
        debug_assert_eq!(done, 0);
    }
}

/// Bytes of a page.
fn page() -> usize {
    // SAFETY: a question without arguments in memory.
    usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).expect("a page has a size")
}
