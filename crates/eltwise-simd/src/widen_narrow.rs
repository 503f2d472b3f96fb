//! Converts a whole vector of stored elements to compute vectors and back, in registers ([`WidenNarrow`]). Kernels that
//! permute an operand in registers widen it afterwards.

use crate::lanes::Lanes;
use crate::permute::Windows;
use crate::storage::Stored;

/// Converts vectors of elements stored as `S` to one vector of as many lanes, or to two of half as many.
pub trait WidenNarrow<S: Stored, const SIZE: usize>: Windows<SIZE> + Lanes<S::Compute> {
    /// The number of compute vectors: 1 or 2.
    const VECTORS: usize;
    /// Converts to compute vectors. If there is only one, it is returned twice. If there are two, the order of the
    /// elements may be any that [`narrow`](WidenNarrow::narrow) undoes.
    fn widen(self, v: Self::Vector) -> [Self::V; 2];
    /// Converts back to stored elements, from the first vector only if there is only one.
    fn narrow(self, parts: [Self::V; 2]) -> Self::Vector;
    /// Loads and widens a vector; no alignment needed.
    ///
    /// # Safety
    /// `p` is readable for a vector.
    #[inline(always)]
    unsafe fn load_widened(self, p: *const u8) -> [Self::V; 2] {
        // SAFETY: the caller's contract.
        self.widen(unsafe { self.load_window(p) })
    }
    /// Loads one element, and widens a vector of copies of it; no alignment needed.
    ///
    /// # Safety
    /// `p` is readable for an element.
    unsafe fn splat_widened(self, p: *const u8) -> [Self::V; 2];
    /// Narrows and stores a vector; no alignment needed.
    ///
    /// # Safety
    /// `p` is writable for a vector.
    #[inline(always)]
    unsafe fn store_narrowed(self, p: *mut u8, parts: [Self::V; 2]) {
        // SAFETY: the caller's contract.
        unsafe { self.store_window(p, self.narrow(parts)) };
    }
}
