//! Conversion of floats to integers ([`FloatToIntLanes`]): toward zero, saturating, NaN becomes 0, as `as` does. It
//! stores through the stored type [`Truncated`].
//!
//! The default is a loop that LLVM vectorizes (on x86-64, `as` is a saturating intrinsic that keeps a loop scalar).
//! x86-64 has its own instruction sequences for most integers.

use bytemuck::{Pod, Zeroable};

use crate::lanes::{Lanes, copy_elements};
use crate::storage::{Store, Stored};

/// An integer type that floats of type `F` convert to.
pub trait Truncate<F>: Pod {
    /// `x as Self`.
    fn truncate(x: F) -> Self;
}

// One row per float: the integers whose largest value the float holds exactly, and the integers whose largest value
// it rounds up.
macro_rules! truncations {
    ($($f:ident => exact $($i:ident)*, rounded $($j:ident)*;)*) => {$(
        $(
            impl Truncate<$f> for $i {
                #[inline(always)]
                fn truncate(x: $f) -> $i {
                    const MIN: $f = $i::MIN as $f;
                    const MAX: $f = $i::MAX as $f;
                    // A NaN compares false, becomes MIN here, and 0 at the end.
                    let clamped = if x > MIN { x } else { MIN };
                    let clamped = if clamped < MAX { clamped } else { MAX };
                    // SAFETY: `clamped` is between the integer's bounds.
                    let truncated = unsafe { clamped.to_int_unchecked::<$i>() };
                    if x.is_nan() { 0 } else { truncated }
                }
            }
        )*
        $(
            impl Truncate<$f> for $j {
                #[inline(always)]
                fn truncate(x: $f) -> $j {
                    const MIN: $f = $j::MIN as $f;
                    // The first power of two above the integer range, and the largest float below it.
                    const ABOVE: $f = $j::MAX as $f;
                    const MAX: $f = ABOVE.next_down();
                    let clamped = if x > MIN { x } else { MIN };
                    let clamped = if clamped < MAX { clamped } else { MAX };
                    // SAFETY: `clamped` is between the integer's bounds.
                    let truncated = unsafe { clamped.to_int_unchecked::<$j>() };
                    let truncated = if x >= ABOVE { $j::MAX } else { truncated };
                    if x.is_nan() { 0 } else { truncated }
                }
            }
        )*
    )*};
}

truncations! {
    f32 => exact i8 i16 u8 u16, rounded i32 i64 u32 u64;
    f64 => exact i8 i16 i32 u8 u16 u32, rounded i64 u64;
}

/// The largest number of lanes in four vectors of `f32`.
const MAX_LANES: usize = 64;
/// Elements per iteration of the portable loop.
const GROUP: usize = 16;

/// Converts vectors of `f32` to integers `I`.
pub trait FloatToIntLanes<I: Truncate<f32>>: Lanes<f32> {
    /// Converts and stores four vectors.
    ///
    /// # Safety
    /// `p` is valid for writing `4 N` elements.
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut I, v: [Self::V; 4]) {
        let mut floats = [0f32; MAX_LANES];
        let n = Self::N;
        // SAFETY: the array has room for four vectors, whose number of lanes is a multiple of GROUP on every ISA; the
        // caller's contract covers `p`.
        unsafe {
            self.store(floats.as_mut_ptr(), v[0]);
            self.store(floats.as_mut_ptr().add(n), v[1]);
            self.store(floats.as_mut_ptr().add(2 * n), v[2]);
            self.store(floats.as_mut_ptr().add(3 * n), v[3]);
            let mut first = 0;
            while first < 4 * n {
                let mut truncated = [I::zeroed(); GROUP];
                for i in 0..GROUP {
                    truncated[i] = I::truncate(floats[first + i]);
                }
                p.add(first).cast::<[I; GROUP]>().write_unaligned(truncated);
                first += GROUP;
            }
        }
    }
}

/// An integer in memory that `f32` lanes are converted to.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Truncated<I>(I);

// SAFETY: a transparent wrapper of plain data.
unsafe impl<I: Zeroable> Zeroable for Truncated<I> {}
// SAFETY: a transparent wrapper of plain data.
unsafe impl<I: Pod> Pod for Truncated<I> {}

impl<I: Pod + Send + Sync> Stored for Truncated<I> {
    type Compute = f32;
}

macro_rules! truncated {
    ($($t:ty)*) => {$(
        impl<T: FloatToIntLanes<$t>> Store<Truncated<$t>> for T {
            #[inline(always)]
            unsafe fn store_stored(self, p: *mut Truncated<$t>, v: Self::V) {
                // SAFETY: the caller's contract.
                unsafe { self.store_stored_n(p, Self::N, v) };
            }
            #[inline(always)]
            unsafe fn store_stored_n(self, p: *mut Truncated<$t>, n: usize, v: Self::V) {
                let mut block = [<$t>::zeroed(); MAX_LANES];
                // SAFETY: the block has room for four vectors; the caller's contract covers `p`.
                unsafe {
                    self.store4_as_int(block.as_mut_ptr(), [v; 4]);
                    copy_elements(block.as_ptr(), p.cast::<$t>(), n);
                }
            }
            #[inline(always)]
            unsafe fn store4(self, p: *mut Truncated<$t>, v: [Self::V; 4]) {
                // SAFETY: the caller's contract.
                unsafe { self.store4_as_int(p.cast::<$t>(), v) };
            }
        }
    )*};
}

// No `u32`: a scalar expression, which LLVM vectorizes, casts to it.
truncated!(i8 i16 i32 i64 u8 u16 u64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truncate_equals_as() {
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
