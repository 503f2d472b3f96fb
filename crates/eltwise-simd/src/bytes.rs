//! Bytes as floats: a cast of 8-bit integers to `f32` as a way to load them.

use bytemuck::{Pod, Zeroable};

use crate::lanes::{Lanes, copy_elements};
use crate::storage::{Load, Stored};

/// An 8-bit integer.
pub trait Byte: Pod + Send + Sync {
    /// 1.
    const ONE: Self;
    /// `self as f32`, exact.
    fn float(self) -> f32;
}

impl Byte for u8 {
    const ONE: u8 = 1;
    #[inline(always)]
    fn float(self) -> f32 {
        f32::from(self)
    }
}

impl Byte for i8 {
    const ONE: i8 = 1;
    #[inline(always)]
    fn float(self) -> f32 {
        f32::from(self)
    }
}

/// The most lanes of a vector of `f32`.
const MOST: usize = 16;

/// Vectors of `f32` from 8-bit integers.
pub trait ByteLanes<I: Byte>: Lanes<f32> {
    /// A vector of as many elements as it has lanes.
    ///
    /// # Safety
    /// `p` is valid for reading `N` elements.
    #[inline(always)]
    unsafe fn load_bytes(self, p: *const I) -> Self::V {
        let mut floats = [0f32; MOST];
        for (i, float) in floats.iter_mut().enumerate().take(Self::N) {
            // SAFETY: the caller's contract.
            *float = unsafe { p.add(i).read_unaligned() }.float();
        }
        // SAFETY: the array has room for any vector.
        unsafe { self.load(floats.as_ptr()) }
    }
    /// The first `n`, and ones behind them.
    ///
    /// # Safety
    /// `p` is valid for reading `n <= N` elements.
    #[inline(always)]
    unsafe fn load_bytes_first(self, p: *const I, n: usize) -> Self::V {
        let mut block = [I::ONE; MOST];
        // SAFETY: the caller's contract; the block has room for any vector.
        unsafe {
            copy_elements(p, block.as_mut_ptr(), n);
            self.load_bytes(block.as_ptr())
        }
    }
}

/// A stored 8-bit integer whose lanes are `f32`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct AsFloat<I>(I);

// SAFETY: a transparent wrapper of plain data.
unsafe impl<I: Zeroable> Zeroable for AsFloat<I> {}
// SAFETY: as above.
unsafe impl<I: Pod> Pod for AsFloat<I> {}

impl<I: Byte> Stored for AsFloat<I> {
    type Compute = f32;
}

impl<I: Byte, T: ByteLanes<I>> Load<AsFloat<I>> for T {
    #[inline(always)]
    unsafe fn load_stored(self, p: *const AsFloat<I>) -> Self::V {
        // SAFETY: the caller's contract.
        unsafe { self.load_bytes(p.cast()) }
    }
    #[inline(always)]
    unsafe fn load_stored_first(self, p: *const AsFloat<I>, n: usize) -> Self::V {
        // SAFETY: the caller's contract.
        unsafe { self.load_bytes_first(p.cast(), n) }
    }
}

macro_rules! by_element {
    ($($t:ty)*) => {$(
        impl ByteLanes<$t> for crate::scalar::Scalar {}
        #[cfg(target_arch = "aarch64")]
        impl ByteLanes<$t> for crate::aarch64::Neon {}
        #[cfg(target_arch = "aarch64")]
        impl ByteLanes<$t> for crate::aarch64::NeonFp16 {}
    )*};
}

by_element!(i8 u8);
