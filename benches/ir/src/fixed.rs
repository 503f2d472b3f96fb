//! The standard library's hash maps with the same keys in every process: chains of random length would be counted.

/// Fills memory that a program asks the system to fill at random: a hash map's keys, and nothing else here.
///
/// # Safety
/// `bytes` points to `len` bytes that may be written.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn getrandom(bytes: *mut u8, len: usize, _flags: u32) -> isize {
    // SAFETY: the caller vouches for the memory.
    unsafe { bytes.write_bytes(0x5a, len) };
    len as isize
}
