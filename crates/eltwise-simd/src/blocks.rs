//! Vectors as a few blocks of 128 bits ([`Blocks128`]): strided block loads and stores, and interleaving within blocks.
//! The transpose kernels and the packing kernels for strides use them. "Block" is Highway's term.

use crate::token::Token;

/// Operations on the 128-bit blocks of vectors.
pub trait Blocks128: Token {
    /// The number of blocks in a vector.
    const BLOCKS: usize;
    /// A vector.
    type Vector: Copy;

    /// Loads 16 bytes at `p`, `p + stride`, ... into the blocks.
    ///
    /// # Safety
    /// `p` is readable for 16 bytes at each of the `BLOCKS` strides.
    unsafe fn gather_blocks(self, p: *const u8, stride: isize) -> Self::Vector;
    /// Whether [`load_every_third`](Blocks128::load_every_third) supports elements of `size` bytes.
    fn has_load_every_third(size: usize) -> bool;
    /// Loads one vector of elements of `SIZE` bytes, taking every third element from `p` on: the first channel of
    /// Highway's `LoadInterleaved3`. In the three vectors at `p`, no two of these elements have the same lane number,
    /// so a blend and one permute do it.
    ///
    /// # Safety
    /// [`has_load_every_third`](Blocks128::has_load_every_third) is true for `SIZE`, and `p` is readable for three
    /// vectors.
    unsafe fn load_every_third<const SIZE: usize>(self, p: *const u8) -> Self::Vector;
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
    /// Stores the blocks at `p`, `p + stride`, ...
    ///
    /// # Safety
    /// `p` is writable for 16 bytes at each of the `BLOCKS` strides.
    unsafe fn scatter_blocks(self, p: *mut u8, stride: isize, v: Self::Vector);
    /// Interleaves the elements of `SIZE` bytes in the lower half of each block: `a0 b0 a1 b1 ...`.
    fn interleave_lower<const SIZE: usize>(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Interleaves the elements of `SIZE` bytes in the upper half of each block.
    fn interleave_upper<const SIZE: usize>(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Copies 16 bytes to every block.
    fn splat_block(self, bytes: &[u8; 16]) -> Self::Vector;
    /// In each block, byte `i` of the result is byte `indices[i]` of the same block of `v`, or 0 if `indices[i]` is
    /// 128.
    fn table_lookup_bytes_or_0(self, v: Self::Vector, indices: Self::Vector) -> Self::Vector;
    /// Bitwise or.
    fn or(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Prefetches the cache line at `p`, which need not be readable, into the second-level cache. Lines a power of two
    /// apart share few sets of the first-level cache and would evict each other. (A transpose of 4096 by 4096 on Zen 4
    /// takes 0.78 to 0.89 of the time.)
    fn prefetch_l2(self, p: *const u8);
}

/// Vectors of four blocks.
pub trait FourBlocks128: Blocks128 {
    /// Transposes a 4 x 4 matrix of blocks: block `j` of vector `i` becomes block `i` of vector `j`.
    fn transpose_blocks(self, v: [Self::Vector; 4]) -> [Self::Vector; 4];
}
