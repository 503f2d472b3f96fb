//! Rearranging the units of a window of memory: what packing needs of an ISA.
//!
//! A *window* is a few units (of 1, 2 or 4 bytes) that lie together in memory; one instruction places them, in any order
//! and with repeats, in an output vector.

use crate::token::Token;

/// Units of `SIZE` bytes: 1, 2 or 4. Larger elements are several units.
pub trait Shuffle<const SIZE: usize>: Token {
    /// The units of a window, at most 64.
    const WINDOW: usize;
    /// The units of an output vector, at most 64.
    const OUT: usize;
    /// Whether a window that is read in part loads as fast as a whole one.
    const MASKED: bool;
    /// An order, ready for use.
    type Order: Copy;
    /// Which units of a window are read, ready for use.
    type Need: Copy;
    /// A window in registers.
    type Window: Copy;
    /// An output vector.
    type Vector: Copy;

    /// The order that gives output unit `i` the unit `units[i]` of the window; all are below `WINDOW`.
    fn order(self, units: &[u8; 64]) -> Self::Order;
    /// The units whose bits are set.
    fn need(self, units: u64) -> Self::Need;
    /// Loads the units needed; the others are anything. No alignment needed.
    ///
    /// # Safety
    /// Every unit needed is readable, and so are all units of the window that lie below `p + readable` bytes.
    unsafe fn window(self, p: *const u8, need: Self::Need, readable: usize) -> Self::Window;
    /// Puts units in order.
    fn shuffle(self, window: Self::Window, order: Self::Order) -> Self::Vector;
    /// Stores `OUT` units; no alignment needed.
    ///
    /// # Safety
    /// `p` is writable for `OUT` units.
    unsafe fn store_units(self, p: *mut u8, v: Self::Vector);
}

/// Vectors as a few 128-bit parts, and the interleaving of elements within parts: what transposing needs of an ISA.
pub trait Parts: Token {
    /// The parts of a vector.
    const PARTS: usize;
    /// A vector.
    type Parted: Copy;

    /// Loads 16 bytes at `p`, at `p + stride`, ... into the parts.
    ///
    /// # Safety
    /// Every one is readable.
    unsafe fn load_parts(self, p: *const u8, stride: isize) -> Self::Parted;
    /// Whether [`load_thirds`](Parts::load_thirds) serves elements of so many bytes.
    fn has_thirds(size: usize) -> bool;
    /// Loads as many elements of `SIZE` bytes as a vector has, of which each third one is taken, the first at `p`. In the three vectors from `p`
    /// on no two of them have the same place: they are merged, and put in order at once.
    ///
    /// # Safety
    /// [`has_thirds`](Parts::has_thirds), and `p` is readable for three vectors.
    unsafe fn load_thirds<const SIZE: usize>(self, p: *const u8) -> Self::Parted;
    /// Loads parts that lie side by side.
    ///
    /// # Safety
    /// `p` is readable for `16 * PARTS` bytes.
    unsafe fn load_whole(self, p: *const u8) -> Self::Parted;
    /// Stores the parts side by side.
    ///
    /// # Safety
    /// `p` is writable for `16 * PARTS` bytes.
    unsafe fn store_parts(self, p: *mut u8, v: Self::Parted);
    /// Stores the parts at `p`, at `p + stride`, ...
    ///
    /// # Safety
    /// 16 bytes are writable at every one.
    unsafe fn store_apart(self, p: *mut u8, stride: isize, v: Self::Parted);
    /// In each part, the elements of `SIZE` bytes of the lower halves: `a0 b0 a1 b1 ...`.
    fn low<const SIZE: usize>(self, a: Self::Parted, b: Self::Parted) -> Self::Parted;
    /// The same of the upper halves.
    fn high<const SIZE: usize>(self, a: Self::Parted, b: Self::Parted) -> Self::Parted;
    /// The same 16 bytes in every part.
    fn splat_part(self, bytes: &[u8; 16]) -> Self::Parted;
    /// In each part, byte `order[i]` of it for byte `i`; 0 where `order[i]` is 128.
    fn pick(self, v: Self::Parted, order: Self::Parted) -> Self::Parted;
    /// The bits that are set in either.
    fn either(self, a: Self::Parted, b: Self::Parted) -> Self::Parted;
    /// Asks for the cache line at `p`, if it is one, to come into the second-level cache: lines that lie a power of two apart share few sets of
    /// the first, and would push each other out. (4096 by 4096, transposed, on Zen 4: 0.78 to 0.89 of the time.)
    fn prefetch(self, p: *const u8);
}

/// Vectors of four parts.
pub trait Quarters: Parts {
    /// Part `j` of vector `i` becomes part `i` of vector `j`.
    fn cross(self, v: [Self::Parted; 4]) -> [Self::Parted; 4];
}
