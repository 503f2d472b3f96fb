//! Pages of memory: huge pages for large arrays ([`ask_for_huge`]), and whether memory was touched before
//! ([`are_touched`]).

use core::sync::atomic::{AtomicUsize, Ordering};

use eltwise_plan::tuning::HUGE_PAGES_FROM;

/// Bytes of the smallest array that asks for huge pages.
static HUGE_FROM: AtomicUsize = AtomicUsize::new(HUGE_PAGES_FROM);

/// Bytes of the smallest new [`Array`](crate::Array) that asks the system for huge pages (2 MiB; Linux only): 4 MiB
/// unless [set](set_huge_pages_from).
pub fn huge_pages_from() -> usize {
    HUGE_FROM.load(Ordering::Relaxed)
}

/// Sets the bytes of the smallest new [`Array`](crate::Array) that asks for huge pages; `usize::MAX` for none. Returns
/// the previous number.
pub fn set_huge_pages_from(bytes: usize) -> usize {
    HUGE_FROM.swap(bytes, Ordering::Relaxed)
}

/// Asks the system to use huge pages for the part of an allocation that whole huge pages cover. It may ignore the
/// request. Callers ask for arrays from [`huge_pages_from`] bytes on.
#[cfg(target_os = "linux")]
pub(crate) fn ask_for_huge(memory: &mut [u8]) {
    const HUGE: usize = 2 << 20;
    let unaligned = memory.as_ptr().addr().next_multiple_of(HUGE) - memory.as_ptr().addr();
    let bytes = memory.len().saturating_sub(unaligned) / HUGE * HUGE;
    if bytes > 0 {
        let start = memory.as_mut_ptr().wrapping_add(unaligned);
        // SAFETY: the pages are within the allocation, and the advice does not change their contents. If the system
        // rejects it (old systems, other settings), the pages stay small.
        let _ = unsafe { libc::madvise(start.cast(), bytes, libc::MADV_HUGEPAGE) };
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn ask_for_huge(_memory: &mut [u8]) {}

/// Whether memory was touched before, so that it has pages, by samples of its pages. `true` if the system does not say.
#[cfg(target_os = "linux")]
pub(crate) fn are_touched(start: *const u8, bytes: usize) -> bool {
    const SAMPLES: usize = 8;
    // SAFETY: a query without pointer arguments.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) }.max(1) as usize;
    (0..SAMPLES).all(|sample| {
        let address = start.wrapping_add(bytes.saturating_sub(1) / (SAMPLES - 1) * sample);
        let address = address.wrapping_sub(address.addr() % page);
        let mut state = 0u8;
        // SAFETY: it writes one byte for the one page, and fails for an address that the process has not mapped.
        let failed = unsafe { libc::mincore(address.cast_mut().cast(), page, &raw mut state) } != 0;
        failed || state & 1 != 0
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn are_touched(_start: *const u8, _bytes: usize) -> bool {
    true
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::{Array, DType};

    /// Held by a test that sets [`HUGE_FROM`].
    static SETTING: Mutex<()> = Mutex::new(());

    /// Whether the process asked for huge pages at this address: the flag `hg` of its mapping.
    fn asked_for_huge(address: usize) -> bool {
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        let mut is_mapping = false;
        for line in maps.lines() {
            let first = line.split(' ').next().unwrap_or_default();
            if let Some((start, end)) = first.split_once('-') {
                let bound = |digits: &str| usize::from_str_radix(digits, 16).unwrap_or(0);
                is_mapping = (bound(start)..bound(end)).contains(&address);
            } else if is_mapping && first == "VmFlags:" {
                return line.split(' ').any(|flag| flag == "hg");
            }
        }
        false
    }

    #[test]
    fn arrays_of_at_least_the_set_number_of_bytes_ask_for_huge_pages() {
        // Larger than the largest block of glibc's heap, so each array has a new mapping.
        const BYTES: usize = 64 << 20;
        let _setting = SETTING.lock().unwrap();
        let mut memory = vec![0u8; BYTES];
        ask_for_huge(&mut memory);
        if !asked_for_huge(memory.as_ptr().addr() + BYTES / 2) {
            return; // This system has no huge pages, or does not show the flag.
        }
        let before = set_huge_pages_from(BYTES);
        let arrays = [BYTES - 1, BYTES, BYTES + 1].map(|bytes| Array::zeros(DType::U8, [bytes]).unwrap());
        set_huge_pages_from(before);
        let middles = arrays.each_ref().map(|array| array.bytes().as_ptr().addr() + BYTES / 2);
        assert_eq!(middles.map(asked_for_huge), [false, true, true]);
    }

    #[test]
    fn memory_is_touched_once_all_its_pages_were_written() {
        const BYTES: usize = 64 << 20;
        let _setting = SETTING.lock().unwrap();
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
