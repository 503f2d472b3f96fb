//! Permutes the elements of one window of memory, or of two, each as wide as a vector ([`Permute`]). The packing
//! kernels for repeating patterns, and the kernels that permute an operand in registers, use it.

use crate::token::Token;

/// Permutes elements of `SIZE` bytes: 1, 2 or 4; a larger element is several of these. Indices are bytes in memory, in
/// a form that the ISA chooses.
pub trait Permute<const SIZE: usize>: Token {
    /// Bytes of a vector, and of a window.
    const BYTES: usize;
    /// With two windows, whether the first gives the lower half of the vector only, and the second the upper half only.
    const BLOCKWISE: bool;
    /// A vector.
    type Vector: Copy;

    /// The indices for [`permute`](Permute::permute) and [`permute2`](Permute::permute2): byte `i` of the vector is
    /// byte `sources[i]` of the window, or, from `BYTES` on, byte `sources[i] - BYTES` of the second window. `sources`
    /// moves whole elements. `None` if this ISA cannot do it.
    fn indices(sources: &[u8]) -> Option<[u8; 64]>;
    /// Loads a window; no alignment needed.
    ///
    /// # Safety
    /// `p` is readable for `BYTES` bytes.
    unsafe fn load_window(self, p: *const u8) -> Self::Vector;
    /// Loads the first `n` bytes of a window, whole elements; the other bytes are unspecified.
    ///
    /// # Safety
    /// `p` is readable for `n` bytes, at most `BYTES`.
    unsafe fn load_window_n(self, p: *const u8, n: usize) -> Self::Vector;
    /// Permutes a window.
    ///
    /// # Safety
    /// `indices` points to a result of [`indices`](Permute::indices).
    unsafe fn permute(self, window: Self::Vector, indices: *const u8) -> Self::Vector;
    /// Permutes the elements of two windows into one vector. (Highway's `TwoTablesLookupLanes`.)
    ///
    /// # Safety
    /// `indices` points to a result of [`indices`](Permute::indices).
    unsafe fn permute2(self, windows: [Self::Vector; 2], indices: *const u8) -> Self::Vector;
    /// Stores a vector; no alignment needed.
    ///
    /// # Safety
    /// `p` is writable for `BYTES` bytes.
    unsafe fn store_window(self, p: *mut u8, v: Self::Vector);
    /// Stores the first `n` bytes of a vector, whole elements.
    ///
    /// # Safety
    /// `p` is writable for `n` bytes, at most `BYTES`.
    unsafe fn store_window_n(self, p: *mut u8, n: usize, v: Self::Vector);
}

/// The index of each element, as an integer of `size` bytes.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 permutes"))]
#[inline]
pub(crate) fn indices_of_elements(sources: &[u8], size: usize) -> Option<[u8; 64]> {
    let mut indices = [0; 64];
    for (index, element) in indices.chunks_exact_mut(size).zip(sources.chunks_exact(size)) {
        index[0] = element[0] / size as u8;
        if usize::from(element[0]) % size != 0 {
            return None;
        }
    }
    Some(indices)
}

/// The indices of 4-byte words in two windows of 32 bytes. The sign bit selects the second window.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 permutes"))]
#[inline]
pub(crate) fn indices_of_words_in_two_windows(sources: &[u8]) -> Option<[u8; 64]> {
    let mut indices = indices_of_elements(sources, 4)?;
    for word in indices.chunks_exact_mut(4) {
        word[3] = (word[0] & 8) << 4;
    }
    Some(indices)
}

/// The indices of bytes in a window of 32, for two table lookups within 128-bit blocks: the first from the lower 16
/// bytes, the second from the upper 16. The sign bit of an index marks a byte of the other lookup, and gives 0. Each
/// block of the vector has its own window of 32 bytes, or both have the same.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only x86-64 permutes"))]
#[inline]
pub(crate) fn indices_of_bytes_by_block(sources: &[u8]) -> Option<[u8; 64]> {
    let mut indices = [0x80; 64];
    let (low, high) = indices.split_at_mut(sources.len());
    for ((low, high), &source) in low.iter_mut().zip(high).zip(sources) {
        *(if source & 16 == 0 { low } else { high }) = source & 15;
    }
    Some(indices)
}
