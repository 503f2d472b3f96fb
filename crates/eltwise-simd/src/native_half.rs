//! `f16` as a compute type, at levels whose CPU has arithmetic on it: NEON with half precision, AVX-512 FP16.
//!
//! Elsewhere an operator on `f16` computes in `f32` and rounds once ([`HalfLanes`](crate::HalfLanes)), and that is its
//! definition. In `f16` itself it rounds once too, and where it is a single operation of those here the bits are the
//! same: a sum, difference, product, quotient or root that was rounded to the 24 bits of `f32` first rounds on to 11 as
//! the exact one would, for 24 >= 2 * 11 + 2 (Figueroa, 1995), and the others are exact. It is not so for `fma`, nor
//! for two operations one after the other; [`BasicFloatLanes`] leaves `fma` out.
//!
//! A level says what its instructions do ([`NativeHalfLanes`]); the rest is done to the bits, in lanes of `u16`.
//! Elements are stored as [`NativeHalf`], which has the bits of `f16`.

use core::cell::Cell;

use half::f16;

use crate::control::DefaultControl;
use crate::half_bits::{f16_to_f32, f32_to_f16};
use crate::lanes::{BasicFloatLanes, IntLanes, Lanes, integral};
use crate::token::Entry;

/// An `f16` in memory that is loaded as it is, to be computed with in `f16`.
#[derive(Clone, Copy, PartialEq, Debug, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(transparent)]
pub struct NativeHalf(pub f16);

const SIGN: u16 = 0x8000;

/// Lanes of 16 bits, and of the same size those of `f16`.
pub type Halves<L> = <L as Lanes<u16>>::V;
/// Masks of such lanes.
pub type HalvesMask<L> = <L as Lanes<u16>>::M;

/// The instructions of a level on `f16`, over vectors of their bits. Subnormals are taken and given as they are.
pub trait NativeHalfLanes: IntLanes<u16> {
    /// Whether quotients and roots in `f16` take less time than in `f32` with the conversions.
    const FAST_QUOTIENTS: bool;

    /// `a + b`
    fn add_f16s(self, a: Halves<Self>, b: Halves<Self>) -> Halves<Self>;
    /// `a - b`
    fn sub_f16s(self, a: Halves<Self>, b: Halves<Self>) -> Halves<Self>;
    /// `a * b`
    fn mul_f16s(self, a: Halves<Self>, b: Halves<Self>) -> Halves<Self>;
    /// `a / b`
    fn div_f16s(self, a: Halves<Self>, b: Halves<Self>) -> Halves<Self>;
    /// The square root.
    fn sqrt_f16s(self, a: Halves<Self>) -> Halves<Self>;
    /// IEEE 754-2019 maximum.
    fn maximum_f16s(self, a: Halves<Self>, b: Halves<Self>) -> Halves<Self>;
    /// IEEE 754-2019 minimum.
    fn minimum_f16s(self, a: Halves<Self>, b: Halves<Self>) -> Halves<Self>;
    /// `a == b`
    fn equal_f16s(self, a: Halves<Self>, b: Halves<Self>) -> HalvesMask<Self>;
    /// `a < b`
    fn less_f16s(self, a: Halves<Self>, b: Halves<Self>) -> HalvesMask<Self>;
    /// `a <= b`
    fn less_equal_f16s(self, a: Halves<Self>, b: Halves<Self>) -> HalvesMask<Self>;
    /// See [`BasicFloatLanes::integral`].
    fn integral_f16s<const MODE: i32>(self, a: Halves<Self>) -> Halves<Self>;
}

impl<T: NativeHalfLanes> Lanes<f16> for T {
    type V = Halves<T>;
    type M = HalvesMask<T>;
    const N: usize = <T as Lanes<u16>>::N;

    #[inline(always)]
    unsafe fn load(self, p: *const f16) -> Self::V {
        // SAFETY: the caller's contract; the elements are two bytes.
        unsafe { Lanes::<u16>::load(self, p.cast()) }
    }
    #[inline(always)]
    unsafe fn store(self, p: *mut f16, v: Self::V) {
        // SAFETY: the caller's contract; the elements are two bytes.
        unsafe { Lanes::<u16>::store(self, p.cast(), v) };
    }
    #[inline(always)]
    unsafe fn load_first(self, p: *const f16, n: usize) -> Self::V {
        // The other lanes are the integer 1: the smallest number above zero, which is harmless as well.
        // SAFETY: the caller's contract; the elements are two bytes.
        unsafe { Lanes::<u16>::load_first(self, p.cast(), n) }
    }
    #[inline(always)]
    unsafe fn store_first(self, p: *mut f16, n: usize, v: Self::V) {
        // SAFETY: the caller's contract; the elements are two bytes.
        unsafe { Lanes::<u16>::store_first(self, p.cast(), n, v) };
    }
    #[inline(always)]
    fn splat(self, c: f16) -> Self::V {
        Lanes::<u16>::splat(self, c.to_bits())
    }
    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        self.add_f16s(a, b)
    }
    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        self.sub_f16s(a, b)
    }
    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        self.mul_f16s(a, b)
    }
    #[inline(always)]
    fn neg(self, a: Self::V) -> Self::V {
        self.xor(a, Lanes::<u16>::splat(self, SIGN))
    }
    #[inline(always)]
    fn abs(self, a: Self::V) -> Self::V {
        self.and(a, Lanes::<u16>::splat(self, !SIGN))
    }
    #[inline(always)]
    fn maximum(self, a: Self::V, b: Self::V) -> Self::V {
        self.maximum_f16s(a, b)
    }
    #[inline(always)]
    fn minimum(self, a: Self::V, b: Self::V) -> Self::V {
        self.minimum_f16s(a, b)
    }
    #[inline(always)]
    fn eq(self, a: Self::V, b: Self::V) -> Self::M {
        self.equal_f16s(a, b)
    }
    #[inline(always)]
    fn lt(self, a: Self::V, b: Self::V) -> Self::M {
        self.less_f16s(a, b)
    }
    #[inline(always)]
    fn le(self, a: Self::V, b: Self::V) -> Self::M {
        self.less_equal_f16s(a, b)
    }
    #[inline(always)]
    fn select(self, m: Self::M, a: Self::V, b: Self::V) -> Self::V {
        Lanes::<u16>::select(self, m, a, b)
    }
    #[inline(always)]
    fn mask_and(self, a: Self::M, b: Self::M) -> Self::M {
        Lanes::<u16>::mask_and(self, a, b)
    }
    #[inline(always)]
    fn mask_or(self, a: Self::M, b: Self::M) -> Self::M {
        Lanes::<u16>::mask_or(self, a, b)
    }
    #[inline(always)]
    fn mask_xor(self, a: Self::M, b: Self::M) -> Self::M {
        Lanes::<u16>::mask_xor(self, a, b)
    }
    #[inline(always)]
    fn mask_not(self, a: Self::M) -> Self::M {
        Lanes::<u16>::mask_not(self, a)
    }
    #[inline(always)]
    fn any(self, m: Self::M) -> bool {
        Lanes::<u16>::any(self, m)
    }
    #[inline(always)]
    unsafe fn load_bools(self, p: *const u8) -> Self::M {
        // SAFETY: the caller's contract.
        unsafe { Lanes::<u16>::load_bools(self, p) }
    }
    #[inline(always)]
    unsafe fn load_bools_first(self, p: *const u8, n: usize) -> Self::M {
        // SAFETY: the caller's contract.
        unsafe { Lanes::<u16>::load_bools_first(self, p, n) }
    }
    #[inline(always)]
    unsafe fn store_bools4(self, p: *mut u8, m: [Self::M; 4]) {
        // SAFETY: the caller's contract.
        unsafe { Lanes::<u16>::store_bools4(self, p, m) };
    }
}

impl<T: NativeHalfLanes> BasicFloatLanes<f16> for T {
    #[inline(always)]
    fn div(self, a: Self::V, b: Self::V) -> Self::V {
        self.div_f16s(a, b)
    }
    #[inline(always)]
    fn sqrt(self, a: Self::V) -> Self::V {
        self.sqrt_f16s(a)
    }
    #[inline(always)]
    fn copysign(self, a: Self::V, b: Self::V) -> Self::V {
        let sign = Lanes::<u16>::splat(self, SIGN);
        self.xor(a, self.and(sign, self.xor(a, b)))
    }
    #[inline(always)]
    fn integral<const MODE: i32>(self, a: Self::V) -> Self::V {
        self.integral_f16s::<MODE>(a)
    }
}

/// Whether the instructions of a level do what `f32` does: 224 pairs of hard values through each of them. A level of which
/// that is not so counts as one that the CPU has not, and `f16` computes in `f32`. It is asked once a process, and
/// takes some tens of microseconds.
///
/// The pairs are a guard against an instruction that is another than was meant, or is emulated badly. AVX-512 FP16 needs it
/// most: tests run it only where a CPU has it.
///
/// # Safety
/// The CPU has the features of the level.
pub(crate) unsafe fn is_sound<L: NativeHalfLanes>() -> bool {
    let _control = DefaultControl::new();
    let sound = Cell::new(true);
    // SAFETY: the caller's contract.
    unsafe { L::entry::<Check, Cell<bool>>()(&sound) };
    sound.get()
}

/// Zeros, subnormals and the numbers beside them, halves, numbers beside powers of two, the largest, infinities, NaNs.
const HARD: [u16; 32] = [
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3800, 0x37ff,
    0x3e00, 0xbe00, 0x4100, 0xc100, 0x2e66, 0x4248, 0xc248, 0x1400, 0x5401, 0x63ff, 0x6401, 0x7800, 0x7bff, 0xfbff,
    0x7c00, 0xfc00, 0x7e00, 0x7d01,
];

/// Runs each instruction, and compares.
struct Check;

impl<L: NativeHalfLanes> Entry<L, Cell<bool>> for Check {
    #[inline(always)]
    unsafe fn run(l: L, sound: &Cell<bool>) {
        let n = <L as Lanes<u16>>::N;
        let (one, zero) = (Lanes::<f16>::splat(l, f16::ONE), Lanes::<f16>::splat(l, f16::ZERO));
        for shift in (0..HARD.len()).step_by(5) {
            let mut turned = HARD;
            turned.rotate_left(shift);
            for (a, b) in HARD.chunks_exact(n).zip(turned.chunks_exact(n)) {
                // SAFETY: a chunk is a vector.
                let (x, y) = unsafe { (Lanes::<u16>::load(l, a.as_ptr()), Lanes::<u16>::load(l, b.as_ptr())) };
                let results: [(Halves<L>, Scalar); 14] = [
                    (l.add_f16s(x, y), |a, b| a + b),
                    (l.sub_f16s(x, y), |a, b| a - b),
                    (l.mul_f16s(x, y), |a, b| a * b),
                    (l.div_f16s(x, y), |a, b| a / b),
                    (l.sqrt_f16s(y), |_, b| b.sqrt()),
                    (l.maximum_f16s(x, y), maximum),
                    (l.minimum_f16s(x, y), |a, b| -maximum(-a, -b)),
                    (Lanes::<u16>::select(l, l.equal_f16s(x, y), one, zero), |a, b| truth(a == b)),
                    (Lanes::<u16>::select(l, l.less_f16s(x, y), one, zero), |a, b| truth(a < b)),
                    (Lanes::<u16>::select(l, l.less_equal_f16s(x, y), one, zero), |a, b| truth(a <= b)),
                    (l.integral_f16s::<{ integral::NEAREST }>(y), |_, b| b.round_ties_even()),
                    (l.integral_f16s::<{ integral::FLOOR }>(y), |_, b| b.floor()),
                    (l.integral_f16s::<{ integral::CEIL }>(y), |_, b| b.ceil()),
                    (l.integral_f16s::<{ integral::TRUNC }>(y), |_, b| b.trunc()),
                ];
                for (v, expected) in results {
                    let mut got = [0; HARD.len()];
                    // SAFETY: the array is a vector and more.
                    unsafe { Lanes::<u16>::store(l, got.as_mut_ptr(), v) };
                    sound.set(sound.get() && agree(expected, a, b, &got[..n]));
                }
            }
        }
    }
}

/// An operation in `f32`.
type Scalar = fn(f32, f32) -> f32;

/// Whether results in `f16` are those in `f32` rounded; one NaN is as good as another.
fn agree(expected: Scalar, a: &[u16], b: &[u16], got: &[u16]) -> bool {
    let number = |bits: u16| bits & !SIGN <= 0x7c00;
    a.iter().zip(b).zip(got).all(|((&a, &b), &got)| {
        let expected = f32_to_f16(expected(f16_to_f32(a), f16_to_f32(b)));
        got == expected || !number(got) && !number(expected)
    })
}

fn truth(b: bool) -> f32 {
    if b { 1.0 } else { 0.0 }
}

fn maximum(a: f32, b: f32) -> f32 {
    match a.partial_cmp(&b) {
        None => f32::NAN,
        Some(core::cmp::Ordering::Less) => b,
        Some(core::cmp::Ordering::Greater) => a,
        Some(core::cmp::Ordering::Equal) => f32::from_bits(a.to_bits() & b.to_bits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_beside_the_right_one_is_seen() {
        let sum: Scalar = |a, b| a + b;
        let right = HARD.map(|a| f32_to_f16(f16_to_f32(a) + f16_to_f32(HARD[7])));
        assert!(agree(sum, &HARD, &[HARD[7]; 32], &right));
        for at in (0..HARD.len()).filter(|&at| !f16::from_bits(right[at]).is_nan()) {
            let mut wrong = right;
            wrong[at] ^= 1;
            assert!(!agree(sum, &HARD, &[HARD[7]; 32], &wrong), "element {at}");
        }
        // Zeros differ in the sign; a NaN is another NaN.
        assert!(!agree(maximum, &[0], &[SIGN], &[SIGN]) && agree(maximum, &[0x7e00], &[0], &[0xfe01]));
    }

    #[test]
    #[cfg(target_arch = "aarch64")]
    fn instructions_of_neon_are_sound() {
        if std::arch::is_aarch64_feature_detected!("fp16") {
            // SAFETY: the CPU has it.
            assert!(unsafe { is_sound::<crate::aarch64::NeonFp16>() });
        } else {
            eprintln!("SKIPPED: this CPU has no FP16");
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn instructions_of_avx512_are_sound() {
        if crate::Isa::Avx512.is_available() && std::arch::is_x86_feature_detected!("avx512fp16") {
            // SAFETY: the CPU has it.
            assert!(unsafe { is_sound::<crate::x86_64::Avx512Fp16>() });
        } else {
            eprintln!("SKIPPED: this CPU has no AVX-512 FP16");
        }
    }
}
