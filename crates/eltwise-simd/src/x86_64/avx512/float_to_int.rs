//! `f32` to integers of 8 and 16 bits on AVX-512: four vectors are clamped from above, converted and packed together.
//!
//! `vcvttps2dq` returns the smallest integer for values that are too small and for NaN, and saturating packs turn it
//! into the smallest value of the narrow type. For unsigned types that is 0, which is right for NaN, too (`vminps`
//! returns a NaN in its second operand). For signed types a mask turns NaN into 0. Packs interleave their operands by
//! 128-bit blocks, and one permute restores the order. (Four `vpmovusdb` would take eight shuffles, on Intel and on AMD
//! CPUs.)

use core::arch::x86_64::*;

use pulp::f32x16;

use super::{Avx512, Avx512Fp16, Avx512Token};
use crate::float_to_int::FloatToIntLanes;
use crate::lanes::Lanes;
use crate::pulp_lanes::cast;

/// Truncates toward zero, to at most `max`. Numbers below the range of `i32` become its minimum. NaN becomes 0 if the target
/// is `signed`; otherwise it becomes the minimum, which packing turns into 0.
///
/// # Safety
/// AVX-512 F.
#[inline(always)]
unsafe fn truncate_at_most(v: __m512, max: f32, signed: bool) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let bound = _mm512_set1_ps(max);
        _mm512_cvttps_epi32(if signed {
            _mm512_maskz_min_ps(_mm512_cmp_ps_mask::<_CMP_ORD_Q>(v, v), v, bound)
        } else {
            _mm512_min_ps(bound, v)
        })
    }
}

/// Stores four vectors as bytes.
///
/// # Safety
/// AVX-512 BW; `p` is valid for writing 64 bytes.
#[inline(always)]
unsafe fn store_8(p: *mut u8, v: [f32x16; 4], max: f32, signed: bool) {
    // SAFETY: the caller's contract.
    unsafe {
        let [a, b, c, d]: [__m512; 4] = [cast(v[0]), cast(v[1]), cast(v[2]), cast(v[3])];
        let first = _mm512_packs_epi32(truncate_at_most(a, max, signed), truncate_at_most(b, max, signed));
        let second = _mm512_packs_epi32(truncate_at_most(c, max, signed), truncate_at_most(d, max, signed));
        let bytes = if signed { _mm512_packs_epi16(first, second) } else { _mm512_packus_epi16(first, second) };
        let indices = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        _mm512_storeu_si512(p.cast(), _mm512_permutexvar_epi32(indices, bytes));
    }
}

/// Converts two vectors to one of 16-bit integers, packed within 128-bit blocks.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
unsafe fn pack_16(a: __m512, b: __m512, max: f32, signed: bool) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let (a, b) = (truncate_at_most(a, max, signed), truncate_at_most(b, max, signed));
        if signed { _mm512_packs_epi32(a, b) } else { _mm512_packus_epi32(a, b) }
    }
}

/// Stores four vectors as 16-bit integers.
///
/// # Safety
/// AVX-512 BW; `p` is valid for writing 128 bytes.
#[inline(always)]
unsafe fn store_16(p: *mut u8, v: [f32x16; 4], max: f32, signed: bool) {
    // SAFETY: the caller's contract.
    unsafe {
        let [a, b, c, d]: [__m512; 4] = [cast(v[0]), cast(v[1]), cast(v[2]), cast(v[3])];
        let indices = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        _mm512_storeu_si512(p.cast(), _mm512_permutexvar_epi64(indices, pack_16(a, b, max, signed)));
        _mm512_storeu_si512(p.add(64).cast(), _mm512_permutexvar_epi64(indices, pack_16(c, d, max, signed)));
    }
}

// Every intrinsic above is in AVX-512 F and BW, which the tokens prove.
impl<X> FloatToIntLanes<u8> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut u8, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe { store_8(p, v, 255.0, false) };
    }
}

impl<X> FloatToIntLanes<i8> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut i8, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe { store_8(p.cast(), v, 127.0, true) };
    }
}

impl<X> FloatToIntLanes<u16> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut u16, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe { store_16(p.cast(), v, 65535.0, false) };
    }
}

impl<X> FloatToIntLanes<i16> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut i16, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe { store_16(p.cast(), v, 32767.0, true) };
    }
}

// LLVM vectorizes the portable loop with the conversions of AVX-512 DQ. `u32` is not among the types of `FloatToIntLanes`,
// and `Avx512Vbmi` has no kernels of operators, so none that convert.
impl FloatToIntLanes<i32> for Avx512 {}
impl FloatToIntLanes<i64> for Avx512 {}
impl FloatToIntLanes<u64> for Avx512 {}
impl FloatToIntLanes<i32> for Avx512Fp16 {}
impl FloatToIntLanes<i64> for Avx512Fp16 {}
impl FloatToIntLanes<u64> for Avx512Fp16 {}
