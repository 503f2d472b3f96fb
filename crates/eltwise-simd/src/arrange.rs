//! Any order of the bytes of one window, or two, as wide as a vector: what packing by cycles needs of an ISA, and kernels
//! that put an operand in order.

use half::{bf16, f16};

use crate::lanes::{Lanes, Level};
use crate::storage::Stored;
use crate::token::Token;

/// Vectors whose elements of `SIZE` bytes (1, 2 or 4; larger ones are several) come from anywhere in a window of memory of
/// the same width.
pub trait Arrange<const SIZE: usize>: Token {
    /// Bytes of a vector and of a window.
    const BYTES: usize;
    /// Whether of two windows the first one gives the lower half of the vector, the second one the upper half.
    const HALVES: bool;
    /// A vector.
    type Arranged: Copy;

    /// The order that gives byte `i` the byte `places[i]` of the window;
    /// `None`: this ISA has none. Elements are whole in `places`. From `BYTES` on, places are those of a second window.
    fn order(places: &[u8]) -> Option<[u8; 64]>;
    /// Loads a window; no alignment needed.
    ///
    /// # Safety
    /// `p` is readable for `BYTES` bytes.
    unsafe fn whole(self, p: *const u8) -> Self::Arranged;
    /// Loads the first `n` bytes of a window, whole elements; the others are anything.
    ///
    /// # Safety
    /// `p` is readable for `n` bytes, at most `BYTES`.
    unsafe fn first(self, p: *const u8, n: usize) -> Self::Arranged;
    /// Puts a window in order.
    ///
    /// # Safety
    /// `order` points to an order.
    unsafe fn arrange(self, window: Self::Arranged, order: *const u8) -> Self::Arranged;
    /// Puts two windows in order.
    ///
    /// # Safety
    /// `order` points to an order.
    unsafe fn arrange_pair(self, windows: [Self::Arranged; 2], order: *const u8) -> Self::Arranged;
    /// Stores a vector; no alignment needed.
    ///
    /// # Safety
    /// `p` is writable for `BYTES` bytes.
    unsafe fn store_whole(self, p: *mut u8, v: Self::Arranged);
    /// Stores the first `n` bytes of a vector, whole elements.
    ///
    /// # Safety
    /// `p` is writable for `n` bytes, at most `BYTES`.
    unsafe fn store_some(self, p: *mut u8, n: usize, v: Self::Arranged);
}

/// What vectors of elements stored as `S` are computed in: one vector of as many lanes, or two of half as many.
pub trait Opens<S: Stored, const SIZE: usize>: Arrange<SIZE> + Lanes<S::Compute> {
    /// How many vectors.
    const PARTS: usize;
    /// The vectors that are computed in; where it is one, twice.
    fn open(self, v: Self::Arranged) -> [Self::V; 2];
    /// The stored elements again: of the first vector, where it is one.
    fn close(self, parts: [Self::V; 2]) -> Self::Arranged;
    /// Opens a vector in memory; no alignment needed.
    ///
    /// # Safety
    /// `p` is readable for a vector.
    #[inline(always)]
    unsafe fn open_at(self, p: *const u8) -> [Self::V; 2] {
        // SAFETY: the caller's contract.
        self.open(unsafe { self.whole(p) })
    }
    /// Opens a vector of one element in memory, again and again; no alignment needed.
    ///
    /// # Safety
    /// `p` is readable for an element.
    unsafe fn splat_at(self, p: *const u8) -> [Self::V; 2];
    /// Closes a vector in memory; no alignment needed.
    ///
    /// # Safety
    /// `p` is writable for a vector.
    #[inline(always)]
    unsafe fn close_at(self, p: *mut u8, parts: [Self::V; 2]) {
        // SAFETY: the caller's contract.
        unsafe { self.store_whole(p, self.close(parts)) };
    }
}

/// A level that puts elements of 2, 4 and 8 bytes in order.
pub trait Arranges:
    Level
    + Opens<f16, 2>
    + Opens<bf16, 2>
    + Opens<i16, 2>
    + Opens<u16, 2>
    + Opens<f32, 4>
    + Opens<i32, 4>
    + Opens<u32, 4>
    + Opens<f64, 4>
    + Opens<i64, 4>
    + Opens<u64, 4>
{
}

impl<T> Arranges for T where
    T: Level
        + Opens<f16, 2>
        + Opens<bf16, 2>
        + Opens<i16, 2>
        + Opens<u16, 2>
        + Opens<f32, 4>
        + Opens<i32, 4>
        + Opens<u32, 4>
        + Opens<f64, 4>
        + Opens<i64, 4>
        + Opens<u64, 4>
{
}

/// An order of elements: their numbers, as integers of `size` bytes.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
pub(crate) fn by_elements(places: &[u8], size: usize) -> Option<[u8; 64]> {
    let mut order = [0; 64];
    for (number, element) in order.chunks_exact_mut(size).zip(places.chunks_exact(size)) {
        number[0] = element[0] / size as u8;
        if usize::from(element[0]) % size != 0 {
            return None;
        }
    }
    Some(order)
}

/// An order of words of 4 bytes of two windows of 32 bytes: the sign bit is set where a word is of the second.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
pub(crate) fn by_signed_words(places: &[u8]) -> Option<[u8; 64]> {
    let mut order = by_elements(places, 4)?;
    for word in order.chunks_exact_mut(4) {
        word[3] = (word[0] & 8) << 4;
    }
    Some(order)
}

/// An order of bytes of 32, in two steps: the numbers of those among the lower 16, and of those among the upper 16; elsewhere
/// the sign bit is set. The halves of a vector have 32 bytes each, or the same.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
pub(crate) fn by_bytes_of_halves(places: &[u8]) -> Option<[u8; 64]> {
    let mut order = [0x80; 64];
    let (low, high) = order.split_at_mut(places.len());
    for ((low, high), &place) in low.iter_mut().zip(high).zip(places) {
        *(if place & 16 == 0 { low } else { high }) = place & 15;
    }
    Some(order)
}
