//! Vectors as a few blocks of 128 bits ([`Blocks128`]): loads and stores block by block, interleaving and byte lookups within
//! blocks. The layout kernels use them. "Block" is Highway's term.

use crate::token::Token;

/// Operations on the 128-bit blocks of vectors.
pub trait Blocks128: Token {
    /// The number of blocks in a vector.
    const BLOCKS: usize;
    /// A vector.
    type Vector: Copy;

    /// Loads 16 bytes at `rows[0] + at`, `rows[step] + at`, `rows[2 * step] + at`, ... into the blocks.
    ///
    /// # Safety
    /// `rows` has a pointer for each block, and 16 bytes are readable at each.
    unsafe fn load_rows(self, rows: *const *const u8, step: usize, at: isize) -> Self::Vector;
    /// Loads 16 bytes at `p + offsets[0]`, `p + offsets[1]`, ... into the blocks.
    ///
    /// # Safety
    /// `offsets` has a number for each block, and 16 bytes are readable at each.
    unsafe fn load_windows(self, p: *const u8, offsets: *const i32) -> Self::Vector;
    /// Loads a contiguous vector.
    ///
    /// # Safety
    /// `p` is readable for `16 * BLOCKS` bytes.
    unsafe fn load_blocks(self, p: *const u8) -> Self::Vector;
    /// Stores a contiguous vector.
    ///
    /// # Safety
    /// `p` is writable for `16 * BLOCKS` bytes.
    unsafe fn store_blocks(self, p: *mut u8, v: Self::Vector);
    /// Stores the blocks 16 bytes after each other, but none later than `last` bytes after `p`.
    ///
    /// # Safety
    /// `p` is writable for 16 bytes from each of these places on; `last` is not above the place of the last block.
    unsafe fn store_overlapping(self, p: *mut u8, last: isize, v: Self::Vector);
    /// Stores the lower half of the first block at `p`, and its upper half at `q`.
    ///
    /// # Safety
    /// `p` and `q` are writable for 8 bytes.
    unsafe fn store_halves(self, p: *mut u8, q: *mut u8, v: Self::Vector);
    /// Interleaves the elements of `SIZE` bytes in the lower half of each block: `a0 b0 a1 b1 ...`.
    fn interleave_lower<const SIZE: usize>(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Interleaves the elements of `SIZE` bytes in the upper half of each block.
    fn interleave_upper<const SIZE: usize>(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// In each block, byte `i` of the result is byte `indices[i]` of the same block of `v`, or 0 if `indices[i]` is
    /// 128.
    fn table_lookup_bytes_or_0(self, v: Self::Vector, indices: Self::Vector) -> Self::Vector;
    /// Bitwise or.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
}

/// A choice of narrower vectors, with fewer blocks, for rows that do not fill the vectors of [`Blocks128`].
pub trait NarrowBlocks: Blocks128 {
    /// The token of the narrower vectors; the same one if there are none.
    type Narrow: Blocks128;

    /// That token.
    fn narrow(self) -> Self::Narrow;
}
