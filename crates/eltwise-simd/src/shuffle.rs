//! Moves the units of a small window of memory to any place of an output vector ([`Shuffle`]): the packing kernels use
//! it to gather short strides. See [`permute`](crate::permute) for windows as wide as a vector.
//!
//! A *window* is a few contiguous units of 1, 2 or 4 bytes. One table-lookup instruction copies them to the output
//! vector, in any order and with repeats.

use crate::token::Token;

/// Units of `SIZE` bytes: 1, 2 or 4. A larger element is several units.
pub trait Shuffle<const SIZE: usize>: Token {
    /// Units of a window, at most 64.
    const WINDOW: usize;
    /// Units of an output vector, at most 64.
    const OUT: usize;
    /// Whether a partial load of a window is as fast as a full load.
    const FAST_MASKED_LOAD: bool;
    /// The prepared indices of a shuffle.
    type Indices: Copy;
    /// The prepared mask of a partial load.
    type LoadMask: Copy;
    /// A window in registers.
    type Window: Copy;
    /// An output vector.
    type Vector: Copy;

    /// Prepares indices: output unit `i` is unit `units[i]` of the window, which is less than `WINDOW`. (Highway's
    /// `SetTableIndices`.)
    fn indices(self, units: &[u8; 64]) -> Self::Indices;
    /// Prepares the mask of a load that needs the units whose bits are set.
    fn load_mask(self, units: u64) -> Self::LoadMask;
    /// Loads at least the units of the mask; the other units are unspecified. No alignment needed.
    ///
    /// # Safety
    /// Every unit of the mask is readable, and so is every unit of the window that is within the first `readable` bytes
    /// from `p`.
    unsafe fn load_window(self, p: *const u8, mask: Self::LoadMask, readable: usize) -> Self::Window;
    /// Copies units of the window to the output vector. (Highway's `TableLookupLanes`.)
    fn shuffle(self, window: Self::Window, indices: Self::Indices) -> Self::Vector;
    /// Stores `OUT` units; no alignment needed.
    ///
    /// # Safety
    /// `p` is writable for `OUT` units.
    unsafe fn store_units(self, p: *mut u8, v: Self::Vector);
}
