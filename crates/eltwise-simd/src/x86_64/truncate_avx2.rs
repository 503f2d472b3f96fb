//! `f32` to integers on AVX2: four vectors at once are packed.
//!
//! `vcvttps2dq` makes the smallest number of all that does not fit. What is too large is clamped before; what is too small
//! becomes the smallest number, and packing saturates it. Clamps and compares are those of integers, on the bits, which order
//! like the numbers above 0: they leave the units of floats to the conversions.
//!
//! There is no instruction for integers of 64 bits: the significand is shifted to its place.

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

impl TruncateLanes<u64> for Avx2 {
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut u64, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 256 bytes.
        unsafe {
            let mut k = 0;
            while k < 4 {
                let bits = cast(v[k]);
                let ([b0, b1], [p0, p1]) = (halves(bits), halves(past(bits, 18_446_744_073_709_551_616.0)));
                _mm256_storeu_si256(p.add(8 * k).cast(), unsigned(b0, p0));
                _mm256_storeu_si256(p.add(8 * k + 4).cast(), unsigned(b1, p1));
                k += 1;
            }
        }
    }
}

impl TruncateLanes<i64> for Avx2 {
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut i64, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 256 bytes.
        unsafe {
            let mut k = 0;
            while k < 4 {
                let bits = cast(v[k]);
                let size = _mm256_and_si256(bits, _mm256_set1_epi32(i32::MAX));
                let ([b0, b1], [p0, p1]) = (halves(bits), halves(past(size, 9_223_372_036_854_775_808.0)));
                _mm256_storeu_si256(p.add(8 * k).cast(), signed(b0, p0));
                _mm256_storeu_si256(p.add(8 * k + 4).cast(), signed(b1, p1));
                k += 1;
            }
        }
    }
}

/// Four `f32` as `u64`; all bits set where they are past it. What is below 0 keeps its sign above the exponent, and is shifted out.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn unsigned(bits: __m128i, past: __m128i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_or_si256(magnitude(_mm256_cvtepu32_epi64(bits)), _mm256_cvtepi32_epi64(past)) }
}

/// Four `f32` as `i64`; the largest or, below 0, the smallest where they are past it.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn signed(bits: __m128i, past: __m128i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let sign = _mm256_cvtepi32_epi64(_mm_srai_epi32::<31>(bits));
        let whole = magnitude(_mm256_cvtepu32_epi64(_mm_and_si128(bits, _mm_set1_epi32(i32::MAX))));
        let whole = _mm256_sub_epi64(_mm256_xor_si256(whole, sign), sign);
        let bound = _mm256_xor_si256(sign, _mm256_set1_epi64x(i64::MAX));
        _mm256_blendv_epi8(whole, bound, _mm256_cvtepi32_epi64(past))
    }
}

/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn halves(v: __m256i) -> [__m128i; 2] {
    // SAFETY: the caller's contract.
    unsafe { [_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)] }
}

/// Where bits are those of a number of `bound` and above, infinity too.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn past(bits: __m256i, bound: f32) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let reached = _mm256_cmpgt_epi32(bits, _mm256_set1_epi32(bound.to_bits() as i32 - 1));
        _mm256_andnot_si256(_mm256_cmpgt_epi32(bits, _mm256_set1_epi32(f32::INFINITY.to_bits() as i32)), reached)
    }
}

/// The whole part, modulo 2^64, of `f32` whose bits stand in lanes of 64, from the significand shifted to its place: a count that is
/// negative, or past the lane, shifts all out. So it is 0 of a NaN, and where bit 31 is set.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn magnitude(bits: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let fraction = _mm256_and_si256(bits, _mm256_set1_epi64x(0x007f_ffff));
        let significand = _mm256_or_si256(fraction, _mm256_set1_epi64x(0x0080_0000));
        let exponent = _mm256_srli_epi64::<23>(bits);
        // 2^23 has the exponent 150.
        let left = _mm256_sub_epi64(exponent, _mm256_set1_epi64x(150));
        let right = _mm256_sub_epi64(_mm256_set1_epi64x(150), exponent);
        _mm256_or_si256(_mm256_sllv_epi64(significand, left), _mm256_srlv_epi64(significand, right))
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
