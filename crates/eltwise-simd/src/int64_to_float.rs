//! Conversion of 64-bit integers to floats ([`Int64ToFloatLanes`]), as a way to load them: to the nearest `f64`
//! ([`Int64AsF64`]), or to an `f32` *rounded to odd* ([`Int64AsF32Odd`]), which then rounds correctly to `f16` or
//! `bf16` (Boldo and Melquiond, 2008).

use bytemuck::{Pod, Zeroable};

use crate::half_bits::f64_to_f32_odd;
use crate::lanes::{Lanes, copy_elements};
use crate::storage::{Load, Stored};

/// A 64-bit integer.
pub trait Int64: Pod + Send + Sync {
    /// 1.
    const ONE: Self;
    /// `self as f64`.
    fn to_f64(self) -> f64;
    /// Converts to `f32`: exact, or rounded to odd.
    fn to_f32_odd(self) -> f32;
    /// The low eight bits.
    fn low_byte(self) -> u8;
}

impl Int64 for u64 {
    const ONE: u64 = 1;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn to_f32_odd(self) -> f32 {
        f64_to_f32_odd(sticky(self))
    }
    #[inline(always)]
    fn low_byte(self) -> u8 {
        self as u8
    }
}

impl Int64 for i64 {
    const ONE: i64 = 1;
    #[inline(always)]
    fn to_f64(self) -> f64 {
        self as f64
    }
    #[inline(always)]
    fn to_f32_odd(self) -> f32 {
        let magnitude = sticky(self.unsigned_abs());
        f64_to_f32_odd(if self < 0 { -magnitude } else { magnitude })
    }
    #[inline(always)]
    fn low_byte(self) -> u8 {
        self as u8
    }
}

/// `x` with at most 53 significant bits: for a large value, the lower bits are ORed into the last bit that is kept, so
/// that rounding to odd sees them.
#[inline(always)]
fn sticky(x: u64) -> f64 {
    let joined = (x & !0x7ff) | (u64::from(x & 0x7ff != 0) << 11);
    (if x >> 53 == 0 { x } else { joined }) as f64
}

/// The largest number of lanes in a vector of `f32`.
const MAX_LANES: usize = 16;

/// Loads 64-bit integers as vectors of floats, and stores their low bytes.
pub trait Int64ToFloatLanes<I: Int64>: Lanes<f32> + Lanes<f64> {
    /// Loads a vector of `f64`, each rounded to nearest.
    ///
    /// # Safety
    /// `p` is valid for reading as many elements as a vector of `f64` has.
    #[inline(always)]
    unsafe fn load_as_f64(self, p: *const I) -> <Self as Lanes<f64>>::V {
        let mut floats = [0f64; MAX_LANES];
        for (i, float) in floats.iter_mut().enumerate().take(<Self as Lanes<f64>>::N) {
            // SAFETY: the caller's contract.
            *float = unsafe { p.add(i).read_unaligned() }.to_f64();
        }
        // SAFETY: the array has room for any vector.
        unsafe { Lanes::<f64>::load(self, floats.as_ptr()) }
    }
    /// Loads a vector of `f32`, each exact or rounded to odd.
    ///
    /// # Safety
    /// `p` is valid for reading as many elements as a vector of `f32` has.
    #[inline(always)]
    unsafe fn load_as_f32_odd(self, p: *const I) -> <Self as Lanes<f32>>::V {
        let mut floats = [0f32; MAX_LANES];
        for (i, float) in floats.iter_mut().enumerate().take(<Self as Lanes<f32>>::N) {
            // SAFETY: the caller's contract.
            *float = unsafe { p.add(i).read_unaligned() }.to_f32_odd();
        }
        // SAFETY: the array has room for any vector.
        unsafe { Lanes::<f32>::load(self, floats.as_ptr()) }
    }
    /// Stores the low byte of each integer.
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

/// A 64-bit integer in memory that is loaded as the nearest `f64`.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Int64AsF64<I>(I);

/// A 64-bit integer in memory that is loaded as `f32`, exact or rounded to odd.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Int64AsF32Odd<I>(I);

// One row per stored type: its compute type and how it loads.
macro_rules! sources {
    ($($source:ident $float:ident $load:ident;)*) => {$(
        // SAFETY: a transparent wrapper of plain data.
        unsafe impl<I: Zeroable> Zeroable for $source<I> {}
        // SAFETY: a transparent wrapper of plain data.
        unsafe impl<I: Pod> Pod for $source<I> {}
        impl<I: Int64> Stored for $source<I> {
            type Compute = $float;
        }
        impl<I: Int64, T: Int64ToFloatLanes<I>> Load<$source<I>> for T {
            #[inline(always)]
            unsafe fn load_stored(self, p: *const $source<I>) -> <T as Lanes<$float>>::V {
                // SAFETY: the caller's contract.
                unsafe { self.$load(p.cast::<I>()) }
            }
            #[inline(always)]
            unsafe fn load_stored_n(self, p: *const $source<I>, n: usize) -> <T as Lanes<$float>>::V {
                let mut block = [I::ONE; MAX_LANES];
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
    Int64AsF64 f64 load_as_f64;
    Int64AsF32Odd f32 load_as_f32_odd;
}
