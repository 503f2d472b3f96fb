//! 64-bit integers as floats: to the nearest `f64`, and to an `f32` *rounded to odd*, whose rounding to `f16` or `bf16` then is
//! the only one (Boldo and Melquiond, 2008).

use bytemuck::{Pod, Zeroable};

use crate::half_bits::f64_to_f32_odd;
use crate::lanes::{Lanes, copy_elements};
use crate::storage::{Load, Stored};

/// A 64-bit integer.
pub trait Wide: Pod + Send + Sync {
    /// 1.
    const ONE: Self;
    /// `self as f64`.
    fn nearest(self) -> f64;
    /// As an `f32`, exact or rounded to odd.
    fn to_odd(self) -> f32;
    /// The lowest eight bits.
    fn low_byte(self) -> u8;
}

impl Wide for u64 {
    const ONE: u64 = 1;
    #[inline(always)]
    fn nearest(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn to_odd(self) -> f32 {
        f64_to_f32_odd(sticky(self))
    }
    #[inline(always)]
    fn low_byte(self) -> u8 {
        self as u8
    }
}

impl Wide for i64 {
    const ONE: i64 = 1;
    #[inline(always)]
    fn nearest(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn to_odd(self) -> f32 {
        let magnitude = sticky(self.unsigned_abs());
        f64_to_f32_odd(if self < 0 { -magnitude } else { magnitude })
    }
    #[inline(always)]
    fn low_byte(self) -> u8 {
        self as u8
    }
}

/// `x` with at most 53 significant bits: the lower bits of a large value are joined into its last kept one, which
/// rounding to odd then sees.
#[inline(always)]
fn sticky(x: u64) -> f64 {
    let joined = (x & !0x7ff) | (u64::from(x & 0x7ff != 0) << 11);
    (if x >> 53 == 0 { x } else { joined }) as f64
}

/// The most lanes of a vector of `f32`.
const MOST: usize = 16;

/// Vectors of floats from 64-bit integers, and their lowest bytes.
pub trait IntegerSource<I: Wide>: Lanes<f32> + Lanes<f64> {
    /// A vector of `f64`, each the nearest.
    ///
    /// # Safety
    /// `p` is valid for reading as many elements as a vector of `f64` has.
    #[inline(always)]
    unsafe fn load_nearest(self, p: *const I) -> <Self as Lanes<f64>>::V {
        let mut floats = [0f64; MOST];
        for (i, float) in floats.iter_mut().enumerate().take(<Self as Lanes<f64>>::N) {
            // SAFETY: the caller's contract.
            *float = unsafe { p.add(i).read_unaligned() }.nearest();
        }
        // SAFETY: the array has room for any vector.
        unsafe { Lanes::<f64>::load(self, floats.as_ptr()) }
    }
    /// A vector of `f32`, exact or rounded to odd.
    ///
    /// # Safety
    /// `p` is valid for reading as many elements as a vector of `f32` has.
    #[inline(always)]
    unsafe fn load_to_odd(self, p: *const I) -> <Self as Lanes<f32>>::V {
        let mut floats = [0f32; MOST];
        for (i, float) in floats.iter_mut().enumerate().take(<Self as Lanes<f32>>::N) {
            // SAFETY: the caller's contract.
            *float = unsafe { p.add(i).read_unaligned() }.to_odd();
        }
        // SAFETY: the array has room for any vector.
        unsafe { Lanes::<f32>::load(self, floats.as_ptr()) }
    }
    /// Writes the lowest byte of each.
    ///
    /// # Safety
    /// `p` is valid for writing sixteen bytes.
    #[inline(always)]
    unsafe fn store_low_bytes(self, p: *mut u8, v: [I; 16]) {
        let mut bytes = [0u8; 16];
        for (byte, integer) in bytes.iter_mut().zip(v) {
            *byte = integer.low_byte();
        }
        // SAFETY: the caller's contract.
        unsafe { p.cast::<[u8; 16]>().write_unaligned(bytes) };
    }
}

/// A stored 64-bit integer whose lanes are the nearest `f64`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Nearest<I>(I);

/// A stored 64-bit integer whose lanes are `f32`, exact or rounded to odd.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct ToOdd<I>(I);

// One row a source: its lanes.
macro_rules! sources {
    ($($source:ident $float:ident $load:ident;)*) => {$(
        // SAFETY: a transparent wrapper of plain data.
        unsafe impl<I: Zeroable> Zeroable for $source<I> {}
        // SAFETY: as above.
        unsafe impl<I: Pod> Pod for $source<I> {}
        impl<I: Wide> Stored for $source<I> {
            type Compute = $float;
        }
        impl<I: Wide, T: IntegerSource<I>> Load<$source<I>> for T {
            #[inline(always)]
            unsafe fn load_stored(self, p: *const $source<I>) -> <T as Lanes<$float>>::V {
                // SAFETY: the caller's contract.
                unsafe { self.$load(p.cast::<I>()) }
            }
            #[inline(always)]
            unsafe fn load_stored_first(self, p: *const $source<I>, n: usize) -> <T as Lanes<$float>>::V {
                let mut block = [I::ONE; MOST];
                // SAFETY: the caller's contract; the block has room for any vector.
                unsafe {
                    copy_elements(p.cast::<I>(), block.as_mut_ptr(), n);
                    self.$load(block.as_ptr())
                }
            }
        }
    )*};
}

sources! {
    Nearest f64 load_nearest;
    ToOdd f32 load_to_odd;
}

macro_rules! by_element {
    ($($t:ty)*) => {$(
        impl IntegerSource<$t> for crate::scalar::Scalar {}
        #[cfg(target_arch = "aarch64")]
        impl IntegerSource<$t> for crate::aarch64::Neon {}
        #[cfg(target_arch = "aarch64")]
        impl IntegerSource<$t> for crate::aarch64::NeonFp16 {}
    )*};
}

by_element!(i64 u64);
