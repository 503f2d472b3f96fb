//! Conversion of 8-bit integers to `f32` ([`Int8ToFloatLanes`]), as a way to load them: the stored type [`Int8AsF32`].

use bytemuck::{Pod, Zeroable};

use crate::lanes::{Lanes, copy_elements};
use crate::storage::{Load, Stored};

/// An 8-bit integer.
pub trait Int8: Pod + Send + Sync {
    /// 1.
    const ONE: Self;
    /// `self as f32`, exact.
    fn to_f32(self) -> f32;
}

impl Int8 for u8 {
    const ONE: u8 = 1;
    #[inline(always)]
    fn to_f32(self) -> f32 {
        f32::from(self)
    }
}

impl Int8 for i8 {
    const ONE: i8 = 1;
    #[inline(always)]
    fn to_f32(self) -> f32 {
        f32::from(self)
    }
}

/// The largest number of lanes in a vector of `f32`.
const MAX_LANES: usize = 16;

/// Loads 8-bit integers as vectors of `f32`.
pub trait Int8ToFloatLanes<I: Int8>: Lanes<f32> {
    /// Loads `N` integers.
    ///
    /// # Safety
    /// `p` is valid for reading `N` elements.
    #[inline(always)]
    unsafe fn load_int8(self, p: *const I) -> Self::V {
        let mut floats = [0f32; MAX_LANES];
        for (i, float) in floats.iter_mut().enumerate().take(Self::N) {
            // SAFETY: the caller's contract.
            *float = unsafe { p.add(i).read_unaligned() }.to_f32();
        }
        // SAFETY: the array has room for any vector.
        unsafe { self.load(floats.as_ptr()) }
    }
    /// Loads `n <= N` integers into the first lanes; the other lanes are 1.
    ///
    /// # Safety
    /// `p` is valid for reading `n <= N` elements.
    #[inline(always)]
    unsafe fn load_int8_n(self, p: *const I, n: usize) -> Self::V {
        let mut block = [I::ONE; MAX_LANES];
        // SAFETY: the caller's contract; the block has room for any vector.
        unsafe {
            copy_elements(p, block.as_mut_ptr(), n);
            self.load_int8(block.as_ptr())
        }
    }
}

/// An 8-bit integer in memory that is loaded as `f32`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Int8AsF32<I>(I);

// SAFETY: a transparent wrapper of plain data.
unsafe impl<I: Zeroable> Zeroable for Int8AsF32<I> {}
// SAFETY: a transparent wrapper of plain data.
unsafe impl<I: Pod> Pod for Int8AsF32<I> {}

impl<I: Int8> Stored for Int8AsF32<I> {
    type Compute = f32;
}

impl<I: Int8, T: Int8ToFloatLanes<I>> Load<Int8AsF32<I>> for T {
    #[inline(always)]
    unsafe fn load_stored(self, p: *const Int8AsF32<I>) -> Self::V {
        // SAFETY: the caller's contract.
        unsafe { self.load_int8(p.cast()) }
    }
    #[inline(always)]
    unsafe fn load_stored_n(self, p: *const Int8AsF32<I>, n: usize) -> Self::V {
        // SAFETY: the caller's contract.
        unsafe { self.load_int8_n(p.cast(), n) }
    }
}
