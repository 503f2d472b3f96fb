//! Pages of memory: huge ones for large arrays, and whether memory was touched before.

use core::sync::atomic::{AtomicUsize, Ordering};

/// Bytes from which on arrays ask for huge pages.
static HUGE_FROM: AtomicUsize = AtomicUsize::new(4 << 20);

/// Bytes from which on a new [`Array`](crate::Array) asks the system for huge pages (2 MiB; Linux only): 4 MiB unless
/// [set](set_huge_pages_from).
pub fn huge_pages_from() -> usize {
    HUGE_FROM.load(Ordering::Relaxed)
}

/// Sets the bytes from which on a new [`Array`](crate::Array) asks for huge pages; `usize::MAX` for never. Gives back
/// what was set before.
pub fn set_huge_pages_from(bytes: usize) -> usize {
    HUGE_FROM.swap(bytes, Ordering::Relaxed)
}

/// Asks for huge pages for the part of an allocation that they fit. It is a wish: nothing says whether it was granted.
#[cfg(target_os = "linux")]
pub(crate) fn ask_for_huge(memory: &mut [u8]) {
    const HUGE: usize = 2 << 20;
    if memory.len() < huge_pages_from() {
        return;
    }
    let ahead = memory.as_ptr().addr().next_multiple_of(HUGE) - memory.as_ptr().addr();
    let whole = memory.len().saturating_sub(ahead) / HUGE * HUGE;
    if whole > 0 {
        let start = memory.as_mut_ptr().wrapping_add(ahead);
        // SAFETY: the pages lie within the allocation, and the advice changes no contents. A refusal (old systems, other
        // settings) leaves small pages, which serve as well.
        let _ = unsafe { libc::madvise(start.cast(), whole, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn ask_for_huge(_memory: &mut [u8]) {}

/// Whether memory has pages behind it: samples of it were touched before. Where nothing tells, yes.
#[cfg(target_os = "linux")]
pub(super) fn are_touched(start: *const u8, bytes: usize) -> bool {
    const SAMPLES: usize = 8;
    // SAFETY: a query without arguments that point anywhere.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as usize;
    (0..SAMPLES).all(|sample| {
        let at = start.wrapping_add(bytes.saturating_sub(1) / (SAMPLES - 1) * sample);
        let at = at.wrapping_sub(at.addr() % page);
        let mut state = 0u8;
        // SAFETY: it writes one byte for the one page, and refuses addresses that are none of the process's.
        let refused = unsafe { libc::mincore(at.cast_mut().cast(), page, &raw mut state) } != 0;
        refused || state & 1 != 0
    })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn are_touched(_start: *const u8, _bytes: usize) -> bool {
    true
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn memory_is_touched_when_it_was_written() {
        const BYTES: usize = 64 << 20;
        let before = set_huge_pages_from(usize::MAX);
        let mut memory = vec![0u8; BYTES];
        assert!(!are_touched(memory.as_ptr(), BYTES));
        memory[..BYTES / 2].fill(1);
        assert!(are_touched(memory.as_ptr(), BYTES / 2) && !are_touched(memory.as_ptr(), BYTES));
        memory.fill(1);
        assert!(are_touched(memory.as_ptr(), BYTES));
        assert_eq!(set_huge_pages_from(before), usize::MAX);
    }
}
