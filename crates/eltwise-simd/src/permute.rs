//! Windows of memory, each as wide as a vector ([`Windows`]), and permutes of the elements of one or two ([`Permute`]). Layout
//! kernels and unit kernels use them.

use crate::token::Token;

/// Vectors as bytes of memory: elements of `SIZE` bytes, 1, 2 or 4; a larger element is several of these.
pub trait Windows<const SIZE: usize>: Token {
    /// Bytes of a vector, and of a window.
    const BYTES: usize;
    /// A vector.
    type Vector: Copy;

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
    /// Stores the last `n` bytes of a vector that would begin at `p`, whole elements.
    ///
    /// # Safety
    /// The last `n` of the `BYTES` bytes at `p` are writable.
    unsafe fn store_window_last_n(self, p: *mut u8, n: usize, v: Self::Vector);
}

/// Permutes elements of `SIZE` bytes. The index of an element is an integer of `SIZE` bytes: the number of an element of the window,
/// or, from the number of elements of a window on, of the second one.
pub trait Permute<const SIZE: usize>: Windows<SIZE> {
    /// Permutes a window.
    ///
    /// # Safety
    /// `indices` is readable for `BYTES` bytes.
    unsafe fn permute(self, window: Self::Vector, indices: *const u8) -> Self::Vector;
    /// Permutes the elements of two windows into one vector. (Highway's `TwoTablesLookupLanes`.)
    ///
    /// # Safety
    /// `indices` is readable for `BYTES` bytes.
    unsafe fn permute2(self, windows: [Self::Vector; 2], indices: *const u8) -> Self::Vector;
}
