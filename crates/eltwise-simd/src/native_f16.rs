//! `f16` as a compute type ([`NativeF16Lanes`]), on ISAs with `f16` arithmetic: NEON with half precision, and AVX-512
//! FP16.
//!
//! On other ISAs, an operator on `f16` computes in `f32` and rounds once ([`HalfLanes`](crate::HalfLanes)); that is its
//! definition. A single operation in `f16` rounds once as well, and gives the same bits: a sum, difference, product,
//! quotient or root that is first rounded to the 24 bits of `f32` and then to 11 is correctly rounded, because
//! 24 >= 2 * 11 + 2 (Figueroa, 1995); the other operations are exact. That does not hold for `fma`, nor for two
//! operations in a row, so [`BasicFloatLanes`] has no `fma`.
//!
//! An ISA implements its instructions in [`NativeF16Lanes`]; everything else is done on the bits, in lanes of `u16`.
//! Elements are stored as [`NativeF16`], which has the bits of `f16`.

use core::cell::Cell;

use half::f16;

use crate::fp_env::DefaultFpEnv;
use crate::half_bits::{f16_to_f32, f32_to_f16};
use crate::lanes::{BasicFloatLanes, IntLanes, Lanes, rounding};
use crate::token::Entry;

/// An `f16` in memory that is loaded without conversion, for arithmetic in `f16`.
#[derive(Clone, Copy, PartialEq, Debug, bytemuck::Zeroable, bytemuck::Pod)]
#[repr(transparent)]
pub struct NativeF16(pub f16);

const SIGN: u16 = 0x8000;

/// A vector of the bits of `f16`.
pub type F16Bits<L> = <L as Lanes<u16>>::V;
/// A mask of `f16` lanes.
pub type F16Mask<L> = <L as Lanes<u16>>::M;

/// The `f16` instructions of an ISA, on vectors of bits. They keep subnormals.
pub trait NativeF16Lanes: IntLanes<u16> {
    /// Whether quotients and roots in `f16` are faster than in `f32` including the conversions.
    const FAST_QUOTIENTS: bool;

    /// `a + b`
    fn add_f16s(self, a: F16Bits<Self>, b: F16Bits<Self>) -> F16Bits<Self>;
    /// `a - b`
    fn sub_f16s(self, a: F16Bits<Self>, b: F16Bits<Self>) -> F16Bits<Self>;
    /// `a * b`
    fn mul_f16s(self, a: F16Bits<Self>, b: F16Bits<Self>) -> F16Bits<Self>;
    /// `a / b`
    fn div_f16s(self, a: F16Bits<Self>, b: F16Bits<Self>) -> F16Bits<Self>;
    /// The square root.
    fn sqrt_f16s(self, a: F16Bits<Self>) -> F16Bits<Self>;
    /// IEEE 754-2019 `maximum`.
    fn maximum_f16s(self, a: F16Bits<Self>, b: F16Bits<Self>) -> F16Bits<Self>;
    /// IEEE 754-2019 `minimum`.
    fn minimum_f16s(self, a: F16Bits<Self>, b: F16Bits<Self>) -> F16Bits<Self>;
    /// `a == b`
    fn equal_f16s(self, a: F16Bits<Self>, b: F16Bits<Self>) -> F16Mask<Self>;
    /// `a < b`
    fn less_f16s(self, a: F16Bits<Self>, b: F16Bits<Self>) -> F16Mask<Self>;
    /// `a <= b`
    fn less_equal_f16s(self, a: F16Bits<Self>, b: F16Bits<Self>) -> F16Mask<Self>;
    /// See [`BasicFloatLanes::round_to_integral`].
    fn round_to_integral_f16s<const MODE: i32>(self, a: F16Bits<Self>) -> F16Bits<Self>;
}

impl<T: NativeF16Lanes> Lanes<f16> for T {
    type V = F16Bits<T>;
    type M = F16Mask<T>;
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
    unsafe fn load_n(self, p: *const f16, n: usize) -> Self::V {
        // The other lanes have the bits 1, which is the smallest number above zero and as harmless as 1.0.
        // SAFETY: the caller's contract; the elements are two bytes.
        unsafe { Lanes::<u16>::load_n(self, p.cast(), n) }
    }
    #[inline(always)]
    unsafe fn store_n(self, p: *mut f16, n: usize, v: Self::V) {
        // SAFETY: the caller's contract; the elements are two bytes.
        unsafe { Lanes::<u16>::store_n(self, p.cast(), n, v) };
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
    unsafe fn load_bools_n(self, p: *const u8, n: usize) -> Self::M {
        // SAFETY: the caller's contract.
        unsafe { Lanes::<u16>::load_bools_n(self, p, n) }
    }
    #[inline(always)]
    unsafe fn store_bools4(self, p: *mut u8, m: [Self::M; 4]) {
        // SAFETY: the caller's contract.
        unsafe { Lanes::<u16>::store_bools4(self, p, m) };
    }
}

impl<T: NativeF16Lanes> BasicFloatLanes<f16> for T {
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
    fn round_to_integral<const MODE: i32>(self, a: Self::V) -> Self::V {
        self.round_to_integral_f16s::<MODE>(a)
    }
}

/// Whether the `f16` instructions of an ISA give the same results as `f32` arithmetic, tested on 224 pairs of hard
/// values. If not, the ISA counts as unavailable, and `f16` computes in `f32`. The test runs once per process and takes
/// some tens of microseconds.
///
/// It guards against a wrongly encoded or badly emulated instruction. AVX-512 FP16 needs that most, because its tests
/// only run on CPUs that have it.
///
/// # Safety
/// The CPU has the features of the ISA.
pub(crate) unsafe fn matches_f32<L: NativeF16Lanes>() -> bool {
    let _control = DefaultFpEnv::new();
    let matching = Cell::new(true);
    // SAFETY: the caller's contract.
    unsafe { L::entry::<CompareWithF32, Cell<bool>>()(&matching) };
    matching.get()
}

/// Zeros, subnormals and their neighbours, halves, neighbours of powers of two, the largest numbers, infinities, NaNs.
const HARD: [u16; 32] = [
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x3c00, 0xbc00, 0x3c01, 0x3bff, 0x3800, 0x37ff,
    0x3e00, 0xbe00, 0x4100, 0xc100, 0x2e66, 0x4248, 0xc248, 0x1400, 0x5401, 0x63ff, 0x6401, 0x7800, 0x7bff, 0xfbff,
    0x7c00, 0xfc00, 0x7e00, 0x7d01,
];

/// Runs each instruction and compares.
struct CompareWithF32;

impl<L: NativeF16Lanes> Entry<L, Cell<bool>> for CompareWithF32 {
    #[inline(always)]
    unsafe fn run(l: L, matching: &Cell<bool>) {
        let n = <L as Lanes<u16>>::N;
        let (one, zero) = (Lanes::<f16>::splat(l, f16::ONE), Lanes::<f16>::splat(l, f16::ZERO));
        for shift in (0..HARD.len()).step_by(5) {
            let mut rotated = HARD;
            rotated.rotate_left(shift);
            for (a, b) in HARD.chunks_exact(n).zip(rotated.chunks_exact(n)) {
                // SAFETY: a chunk has as many elements as a vector.
                let (x, y) = unsafe { (Lanes::<u16>::load(l, a.as_ptr()), Lanes::<u16>::load(l, b.as_ptr())) };
                let results: [(F16Bits<L>, F32Op); 14] = [
                    (l.add_f16s(x, y), |a, b| a + b),
                    (l.sub_f16s(x, y), |a, b| a - b),
                    (l.mul_f16s(x, y), |a, b| a * b),
                    (l.div_f16s(x, y), |a, b| a / b),
                    (l.sqrt_f16s(y), |_, b| b.sqrt()),
                    (l.maximum_f16s(x, y), maximum),
                    (l.minimum_f16s(x, y), |a, b| -maximum(-a, -b)),
                    (Lanes::<u16>::select(l, l.equal_f16s(x, y), one, zero), |a, b| one_if(a == b)),
                    (Lanes::<u16>::select(l, l.less_f16s(x, y), one, zero), |a, b| one_if(a < b)),
                    (Lanes::<u16>::select(l, l.less_equal_f16s(x, y), one, zero), |a, b| one_if(a <= b)),
                    (l.round_to_integral_f16s::<{ rounding::NEAREST }>(y), |_, b| b.round_ties_even()),
                    (l.round_to_integral_f16s::<{ rounding::FLOOR }>(y), |_, b| b.floor()),
                    (l.round_to_integral_f16s::<{ rounding::CEIL }>(y), |_, b| b.ceil()),
                    (l.round_to_integral_f16s::<{ rounding::TRUNC }>(y), |_, b| b.trunc()),
                ];
                for (v, expected) in results {
                    let mut got = [0; HARD.len()];
                    // SAFETY: the array has room for a vector.
                    unsafe { Lanes::<u16>::store(l, got.as_mut_ptr(), v) };
                    matching.set(matching.get() && agree(expected, a, b, &got[..n]));
                }
            }
        }
    }
}

/// An operation in `f32`.
type F32Op = fn(f32, f32) -> f32;

/// Whether `f16` results equal the rounded `f32` results; all NaNs are equal.
fn agree(expected: F32Op, a: &[u16], b: &[u16], got: &[u16]) -> bool {
    let number = |bits: u16| bits & !SIGN <= 0x7c00;
    a.iter().zip(b).zip(got).all(|((&a, &b), &got)| {
        let expected = f32_to_f16(expected(f16_to_f32(a), f16_to_f32(b)));
        got == expected || !number(got) && !number(expected)
    })
}

fn one_if(b: bool) -> f32 {
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
    fn a_result_off_by_one_bit_is_detected() {
        let sum: F32Op = |a, b| a + b;
        let right = HARD.map(|a| f32_to_f16(f16_to_f32(a) + f16_to_f32(HARD[7])));
        assert!(agree(sum, &HARD, &[HARD[7]; 32], &right));
        for i in (0..HARD.len()).filter(|&i| !f16::from_bits(right[i]).is_nan()) {
            let mut wrong = right;
            wrong[i] ^= 1;
            assert!(!agree(sum, &HARD, &[HARD[7]; 32], &wrong), "element {i}");
        }
        // The sign of a zero counts; the payload of a NaN does not.
        assert!(!agree(maximum, &[0], &[SIGN], &[SIGN]) && agree(maximum, &[0x7e00], &[0], &[0xfe01]));
    }

    #[test]
    #[cfg(target_arch = "aarch64")]
    fn neon_fp16_matches_f32() {
        if std::arch::is_aarch64_feature_detected!("fp16") {
            // SAFETY: the CPU has FP16.
            assert!(unsafe { matches_f32::<crate::aarch64::NeonFp16>() });
        } else {
            eprintln!("SKIPPED: this CPU has no FP16");
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn avx512_fp16_matches_f32() {
        if crate::Isa::Avx512.is_available() && std::arch::is_x86_feature_detected!("avx512fp16") {
            // SAFETY: the CPU has FP16.
            assert!(unsafe { matches_f32::<crate::x86_64::Avx512Fp16>() });
        } else {
            eprintln!("SKIPPED: this CPU has no AVX-512 FP16");
        }
    }
}
