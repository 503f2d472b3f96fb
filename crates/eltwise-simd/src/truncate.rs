//! Floats to integers: toward zero, saturating, NaN to 0 — what `as` does, spelt so that LLVM vectorises it (on x86-64 `as` is
//! a saturating intrinsic that keeps a loop scalar), and a level's own instructions for those that the CPU packs.

use bytemuck::{Pod, Zeroable};

use crate::lanes::{Lanes, copy_elements};
use crate::storage::{Store, Stored};

/// An integer that floats of type `F` are truncated to.
pub trait Truncate<F>: Pod {
    /// `x as Self`.
    fn truncate(x: F) -> Self;
}

// A row: float, integers whose largest value the float holds exactly, integers whose largest value it rounds up.
macro_rules! truncations {
    ($($f:ident => exact $($i:ident)*, rounded $($j:ident)*;)*) => {$(
        $(
            impl Truncate<$f> for $i {
                #[inline(always)]
                fn truncate(x: $f) -> $i {
                    const LOW: $f = $i::MIN as $f;
                    const HIGH: $f = $i::MAX as $f;
                    // A NaN compares false and becomes LOW here, 0 at the end.
                    let inside = if x > LOW { x } else { LOW };
                    let inside = if inside < HIGH { inside } else { HIGH };
                    // SAFETY: `inside` is between the integer's bounds.
                    let whole = unsafe { inside.to_int_unchecked::<$i>() };
                    if x.is_nan() { 0 } else { whole }
                }
            }
        )*
        $(
            impl Truncate<$f> for $j {
                #[inline(always)]
                fn truncate(x: $f) -> $j {
                    const LOW: $f = $j::MIN as $f;
                    // The first power of two past the integer, and the last float before it.
                    const PAST: $f = $j::MAX as $f;
                    const HIGH: $f = PAST.next_down();
                    let inside = if x > LOW { x } else { LOW };
                    let inside = if inside < HIGH { inside } else { HIGH };
                    // SAFETY: `inside` is between the integer's bounds.
                    let whole = unsafe { inside.to_int_unchecked::<$j>() };
                    let whole = if x >= PAST { $j::MAX } else { whole };
                    if x.is_nan() { 0 } else { whole }
                }
            }
        )*
    )*};
}

truncations! {
    f32 => exact i8 i16 u8 u16, rounded i32 i64 u32 u64;
    f64 => exact i8 i16 i32 u8 u16 u32, rounded i64 u64;
}

/// The most lanes of four vectors of `f32`.
const MOST: usize = 64;
/// Elements that are truncated at once where the level has no way of its own.
const GROUP: usize = 16;

/// Vectors of `f32` truncated to `I`.
pub trait TruncateLanes<I: Truncate<f32>>: Lanes<f32> {
    /// Truncates and stores four vectors.
    ///
    /// # Safety
    /// `p` is valid for writing `4 N` elements.
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut I, v: [Self::V; 4]) {
        let mut floats = [0f32; MOST];
        let n = Self::N;
        // SAFETY: the array has room for four vectors, whose lanes are a multiple of a group on every level; the caller's
        // contract for `p`.
        unsafe {
            self.store(floats.as_mut_ptr(), v[0]);
            self.store(floats.as_mut_ptr().add(n), v[1]);
            self.store(floats.as_mut_ptr().add(2 * n), v[2]);
            self.store(floats.as_mut_ptr().add(3 * n), v[3]);
            let mut at = 0;
            while at < 4 * n {
                let mut whole = [I::zeroed(); GROUP];
                for i in 0..GROUP {
                    whole[i] = I::truncate(floats[at + i]);
                }
                p.add(at).cast::<[I; GROUP]>().write_unaligned(whole);
                at += GROUP;
            }
        }
    }
}

/// A stored integer that `f32` lanes are truncated to.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Truncated<I>(I);

// SAFETY: a transparent wrapper of plain data.
unsafe impl<I: Zeroable> Zeroable for Truncated<I> {}
// SAFETY: as above.
unsafe impl<I: Pod> Pod for Truncated<I> {}

impl<I: Pod + Send + Sync> Stored for Truncated<I> {
    type Compute = f32;
}

macro_rules! truncated {
    ($($t:ty)*) => {$(
        impl<T: TruncateLanes<$t>> Store<Truncated<$t>> for T {
            #[inline(always)]
            unsafe fn store_stored(self, p: *mut Truncated<$t>, v: Self::V) {
                // SAFETY: the caller's contract.
                unsafe { self.store_stored_first(p, Self::N, v) };
            }
            #[inline(always)]
            unsafe fn store_stored_first(self, p: *mut Truncated<$t>, n: usize, v: Self::V) {
                let mut block = [<$t>::zeroed(); MOST];
                // SAFETY: the block has room for four vectors; the caller's contract for `p`.
                unsafe {
                    self.store4_truncated(block.as_mut_ptr(), [v; 4]);
                    copy_elements(block.as_ptr(), p.cast::<$t>(), n);
                }
            }
            #[inline(always)]
            unsafe fn store4(self, p: *mut Truncated<$t>, v: [Self::V; 4]) {
                // SAFETY: the caller's contract.
                unsafe { self.store4_truncated(p.cast::<$t>(), v) };
            }
        }
        impl TruncateLanes<$t> for crate::scalar::Scalar {}
        #[cfg(target_arch = "aarch64")]
        impl TruncateLanes<$t> for crate::aarch64::Neon {}
        #[cfg(target_arch = "aarch64")]
        impl TruncateLanes<$t> for crate::aarch64::NeonFp16 {}
    )*};
}

truncated!(i8 i16 i32 i64 u8 u16 u64);

// What LLVM makes of the plain loop is what AVX-512 has for these.
#[cfg(target_arch = "x86_64")]
mod wide {
    use crate::x86_64::{Avx512, Avx512Fp16};

    impl super::TruncateLanes<i32> for Avx512 {}
    impl super::TruncateLanes<i64> for Avx512 {}
    impl super::TruncateLanes<u64> for Avx512 {}
    impl super::TruncateLanes<i32> for Avx512Fp16 {}
    impl super::TruncateLanes<i64> for Avx512Fp16 {}
    impl super::TruncateLanes<u64> for Avx512Fp16 {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncation_is_as() {
        let check = |x: f64| {
            let y = x as f32;
            macro_rules! same {
                ($($i:ident)*) => {$(
                    assert_eq!(<$i as Truncate<f64>>::truncate(x), x as $i, "{x:e}");
                    assert_eq!(<$i as Truncate<f32>>::truncate(y), y as $i, "{y:e}");
                )*};
            }
            same!(i8 i16 i32 i64 u8 u16 u32 u64);
        };
        for x in [0.0, f64::NAN, f64::INFINITY, 5e-324, f64::MAX] {
            check(x);
            check(-x);
        }
        for power in 0..130 {
            let p = 2f64.powi(power);
            for x in
                [p, p - 1.0, p + 1.0, p - 0.5, p + 0.5, p.next_down(), p.next_up(), f64::from((p as f32).next_down())]
            {
                check(x);
                check(-x);
            }
        }
    }
}
