//! `f32` to integers on AVX2: four vectors are packed at once.
//!
//! `vcvttps2dq` makes the smallest number of all that does not fit. What is too large is clamped before; what is too small
//! becomes the smallest number, and packing saturates it. Clamps and compares are those of integers, on the bits, which order
//! like the numbers above 0: they leave the units of floats to the conversions.

use core::arch::x86_64::*;

use pulp::f32x8;

use super::avx2::Avx2;
use crate::over_pulp::cast;
use crate::truncate::TruncateLanes;

// Every intrinsic below is in AVX2, which the token proves.
impl TruncateLanes<u8> for Avx2 {
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut u8, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe {
            let v = numbers(cast(v));
            let low = _mm256_packs_epi32(below(v[0], 255.0), below(v[1], 255.0));
            let high = _mm256_packs_epi32(below(v[2], 255.0), below(v[3], 255.0));
            _mm256_storeu_si256(p.cast(), bytes_in_order(_mm256_packus_epi16(low, high)));
        }
    }
}

impl TruncateLanes<i8> for Avx2 {
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut i8, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe {
            let v = numbers(cast(v));
            let low = _mm256_packs_epi32(below(v[0], 127.0), below(v[1], 127.0));
            let high = _mm256_packs_epi32(below(v[2], 127.0), below(v[3], 127.0));
            _mm256_storeu_si256(p.cast(), bytes_in_order(_mm256_packs_epi16(low, high)));
        }
    }
}

impl TruncateLanes<u16> for Avx2 {
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut u16, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe {
            let v = numbers(cast(v));
            let low = _mm256_packus_epi32(below(v[0], 65535.0), below(v[1], 65535.0));
            let high = _mm256_packus_epi32(below(v[2], 65535.0), below(v[3], 65535.0));
            _mm256_storeu_si256(p.cast(), halves_in_order(low));
            _mm256_storeu_si256(p.add(16).cast(), halves_in_order(high));
        }
    }
}

impl TruncateLanes<i16> for Avx2 {
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut i16, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe {
            let v = numbers(cast(v));
            let low = _mm256_packs_epi32(below(v[0], 32767.0), below(v[1], 32767.0));
            let high = _mm256_packs_epi32(below(v[2], 32767.0), below(v[3], 32767.0));
            _mm256_storeu_si256(p.cast(), halves_in_order(low));
            _mm256_storeu_si256(p.add(16).cast(), halves_in_order(high));
        }
    }
}

impl TruncateLanes<i32> for Avx2 {
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut i32, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe {
            let v = numbers(cast(v));
            _mm256_storeu_si256(p.cast(), word(v[0]));
            _mm256_storeu_si256(p.add(8).cast(), word(v[1]));
            _mm256_storeu_si256(p.add(16).cast(), word(v[2]));
            _mm256_storeu_si256(p.add(24).cast(), word(v[3]));
        }
    }
}

/// The vectors, with 0 for a NaN. Without one, which is usual, that costs three operations and a jump.
///
/// # Safety
/// AVX.
#[inline(always)]
unsafe fn numbers(v: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm256_cmp_ps::<_CMP_UNORD_Q>(v[0], v[1]);
        let high = _mm256_cmp_ps::<_CMP_UNORD_Q>(v[2], v[3]);
        if _mm256_movemask_ps(_mm256_or_ps(low, high)) == 0 {
            return v;
        }
        [number(v[0]), number(v[1]), number(v[2]), number(v[3])]
    }
}

/// # Safety
/// AVX.
#[inline(always)]
unsafe fn number(v: __m256) -> __m256 {
    // SAFETY: the caller's contract.
    unsafe { _mm256_and_ps(v, _mm256_cmp_ps::<_CMP_ORD_Q>(v, v)) }
}

/// Numbers truncated, and at most `top`; the smallest integer where they are below all.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn below(v: __m256, top: f32) -> __m256i {
    // SAFETY: the caller's contract. The bits of numbers below 0 are below those of `top`, too.
    unsafe {
        let bits = _mm256_min_epi32(_mm256_castps_si256(v), _mm256_set1_epi32(top.to_bits() as i32));
        _mm256_cvttps_epi32(_mm256_castsi256_ps(bits))
    }
}

/// Numbers as 32-bit integers.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn word(v: __m256) -> __m256i {
    // SAFETY: the caller's contract. Turned, the smallest integer is the largest.
    unsafe {
        let last = _mm256_set1_epi32(2_147_483_648f32.next_down().to_bits() as i32);
        let past = _mm256_cmpgt_epi32(_mm256_castps_si256(v), last);
        _mm256_xor_si256(_mm256_cvttps_epi32(v), past)
    }
}

/// Bytes of four vectors, packed within 128-bit halves, in their order.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn bytes_in_order(v: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)) }
}

/// Elements of 2 bytes of two vectors, packed within 128-bit halves, in their order.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn halves_in_order(v: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(v) }
}
