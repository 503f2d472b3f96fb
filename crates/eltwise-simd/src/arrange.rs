//! Any order of the bytes of one window, or two, as wide as a vector: what packing by cycles needs of an ISA.

use crate::token::Token;

/// Vectors whose elements of `SIZE` bytes (1, 2 or 4; larger ones are several) come from anywhere in a window of memory of
/// the same width.
pub trait Arrange<const SIZE: usize>: Token {
    /// Bytes of a vector and of a window.
    const BYTES: usize;
    /// Whether two windows can be put in order.
    const PAIRS: bool;
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
    /// `order` points to an order; the ISA has `PAIRS`.
    unsafe fn arrange_pair(self, windows: [Self::Arranged; 2], order: *const u8) -> Self::Arranged;
    /// Stores a vector; no alignment needed.
    ///
    /// # Safety
    /// `p` is writable for `BYTES` bytes.
    unsafe fn store_whole(self, p: *mut u8, v: Self::Arranged);
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

/// An order of two steps: the numbers of four words of 4 bytes for each 16 bytes, then that of the bytes within these.
/// `None`: 16 bytes come from more than four words.
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "no other level arranges"))]
pub(crate) fn by_words(places: &[u8]) -> Option<[u8; 64]> {
    let mut order = [0; 64];
    let (words, bytes) = order.split_at_mut(places.len());
    for ((words, bytes), part) in
        words.chunks_exact_mut(16).zip(bytes.chunks_exact_mut(16)).zip(places.chunks_exact(16))
    {
        let mut count = 0;
        for (byte, &place) in bytes.iter_mut().zip(part) {
            let known = (0..count).find(|w| words[4 * w] == place / 4);
            let word = known.unwrap_or(count);
            if known.is_none() {
                if count == 4 {
                    return None;
                }
                words[4 * count] = place / 4;
                count += 1;
            }
            *byte = (4 * word) as u8 + place % 4;
        }
    }
    Some(order)
}
