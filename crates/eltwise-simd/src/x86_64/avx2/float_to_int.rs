//! `f32` to integers on AVX2: four vectors are converted and packed together.
//!
//! `vcvttps2dq` returns the smallest integer for every value that does not fit. Values that are too large are clamped
//! before the conversion. Values that are too small become the smallest integer, which packing saturates. Clamps and
//! comparisons are integer operations on the bits, which have the order of the numbers above 0; that leaves the
//! floating-point units to the conversions.
//!
//! AVX2 has no conversion to 64-bit integers: the significand is shifted into place.

use core::arch::x86_64::*;

use pulp::f32x8;

use super::Avx2;
use super::half::any_nan;
use crate::float_to_int::FloatToIntLanes;
use crate::pulp_lanes::cast;

// Every intrinsic below is in AVX2, which the token proves.
impl FloatToIntLanes<u8> for Avx2 {
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut u8, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe {
            let v = nan_to_zero_4(cast(v));
            let low = _mm256_packs_epi32(truncate_at_most(v[0], 255.0), truncate_at_most(v[1], 255.0));
            let high = _mm256_packs_epi32(truncate_at_most(v[2], 255.0), truncate_at_most(v[3], 255.0));
            _mm256_storeu_si256(p.cast(), restore_byte_order(_mm256_packus_epi16(low, high)));
        }
    }
}

impl FloatToIntLanes<i8> for Avx2 {
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut i8, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe {
            let v = nan_to_zero_4(cast(v));
            let low = _mm256_packs_epi32(truncate_at_most(v[0], 127.0), truncate_at_most(v[1], 127.0));
            let high = _mm256_packs_epi32(truncate_at_most(v[2], 127.0), truncate_at_most(v[3], 127.0));
            _mm256_storeu_si256(p.cast(), restore_byte_order(_mm256_packs_epi16(low, high)));
        }
    }
}

impl FloatToIntLanes<u16> for Avx2 {
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut u16, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe {
            let v = nan_to_zero_4(cast(v));
            let low = _mm256_packus_epi32(truncate_at_most(v[0], 65535.0), truncate_at_most(v[1], 65535.0));
            let high = _mm256_packus_epi32(truncate_at_most(v[2], 65535.0), truncate_at_most(v[3], 65535.0));
            _mm256_storeu_si256(p.cast(), restore_u16_order(low));
            _mm256_storeu_si256(p.add(16).cast(), restore_u16_order(high));
        }
    }
}

impl FloatToIntLanes<i16> for Avx2 {
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut i16, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe {
            let v = nan_to_zero_4(cast(v));
            let low = _mm256_packs_epi32(truncate_at_most(v[0], 32767.0), truncate_at_most(v[1], 32767.0));
            let high = _mm256_packs_epi32(truncate_at_most(v[2], 32767.0), truncate_at_most(v[3], 32767.0));
            _mm256_storeu_si256(p.cast(), restore_u16_order(low));
            _mm256_storeu_si256(p.add(16).cast(), restore_u16_order(high));
        }
    }
}

impl FloatToIntLanes<i32> for Avx2 {
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut i32, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe {
            let v = nan_to_zero_4(cast(v));
            _mm256_storeu_si256(p.cast(), to_i32(v[0]));
            _mm256_storeu_si256(p.add(8).cast(), to_i32(v[1]));
            _mm256_storeu_si256(p.add(16).cast(), to_i32(v[2]));
            _mm256_storeu_si256(p.add(24).cast(), to_i32(v[3]));
        }
    }
}

/// Replaces NaNs by 0. In the usual case without NaN, that costs one test of all vectors and a branch.
///
/// # Safety
/// AVX.
#[inline(always)]
unsafe fn nan_to_zero_4(v: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: the caller's contract.
    unsafe {
        if !any_nan(v) {
            return v;
        }
        [nan_to_zero(v[0]), nan_to_zero(v[1]), nan_to_zero(v[2]), nan_to_zero(v[3])]
    }
}

impl FloatToIntLanes<u64> for Avx2 {
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut u64, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 256 bytes.
        unsafe {
            let mut k = 0;
            while k < 4 {
                let bits = cast(v[k]);
                let ([b0, b1], [p0, p1]) = (split(bits), split(at_least(bits, 18_446_744_073_709_551_616.0)));
                _mm256_storeu_si256(p.add(8 * k).cast(), to_u64(b0, p0));
                _mm256_storeu_si256(p.add(8 * k + 4).cast(), to_u64(b1, p1));
                k += 1;
            }
        }
    }
}

impl FloatToIntLanes<i64> for Avx2 {
    #[inline(always)]
    unsafe fn store4_as_int(self, p: *mut i64, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 256 bytes.
        unsafe {
            let mut k = 0;
            while k < 4 {
                let bits = cast(v[k]);
                let size = _mm256_and_si256(bits, _mm256_set1_epi32(i32::MAX));
                let ([b0, b1], [p0, p1]) = (split(bits), split(at_least(size, 9_223_372_036_854_775_808.0)));
                _mm256_storeu_si256(p.add(8 * k).cast(), to_i64(b0, p0));
                _mm256_storeu_si256(p.add(8 * k + 4).cast(), to_i64(b1, p1));
                k += 1;
            }
        }
    }
}

/// Converts four `f32` to `u64`; all bits are set in lanes of the mask `past`. A negative number keeps its sign bit
/// above the exponent, so its significand is shifted out.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn to_u64(bits: __m128i, past: __m128i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_or_si256(integer_part(_mm256_cvtepu32_epi64(bits)), _mm256_cvtepi32_epi64(past)) }
}

/// Converts four `f32` to `i64`; lanes of the mask `past` become the largest integer or, if negative, the smallest.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn to_i64(bits: __m128i, past: __m128i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let sign = _mm256_cvtepi32_epi64(_mm_srai_epi32::<31>(bits));
        let integers = integer_part(_mm256_cvtepu32_epi64(_mm_and_si128(bits, _mm_set1_epi32(i32::MAX))));
        let integers = _mm256_sub_epi64(_mm256_xor_si256(integers, sign), sign);
        let bound = _mm256_xor_si256(sign, _mm256_set1_epi64x(i64::MAX));
        _mm256_blendv_epi8(integers, bound, _mm256_cvtepi32_epi64(past))
    }
}

/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn split(v: __m256i) -> [__m128i; 2] {
    // SAFETY: the caller's contract.
    unsafe { [_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)] }
}

/// A mask of lanes with numbers of at least `bound`, including infinity.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn at_least(bits: __m256i, bound: f32) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let reached = _mm256_cmpgt_epi32(bits, _mm256_set1_epi32(bound.to_bits() as i32 - 1));
        _mm256_andnot_si256(_mm256_cmpgt_epi32(bits, _mm256_set1_epi32(f32::INFINITY.to_bits() as i32)), reached)
    }
}

/// The integer part, modulo 2^64, of `f32` whose bits are in 64-bit lanes: the significand is shifted to its place. A
/// count that is negative, or the lane width or more, shifts all bits out, so NaN and lanes with bit 31 set become 0.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn integer_part(bits: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let fraction = _mm256_and_si256(bits, _mm256_set1_epi64x(0x007f_ffff));
        let significand = _mm256_or_si256(fraction, _mm256_set1_epi64x(0x0080_0000));
        let exponent = _mm256_srli_epi64::<23>(bits);
        // 2^23 has the biased exponent 150.
        let left = _mm256_sub_epi64(exponent, _mm256_set1_epi64x(150));
        let right = _mm256_sub_epi64(_mm256_set1_epi64x(150), exponent);
        _mm256_or_si256(_mm256_sllv_epi64(significand, left), _mm256_srlv_epi64(significand, right))
    }
}

/// # Safety
/// AVX.
#[inline(always)]
unsafe fn nan_to_zero(v: __m256) -> __m256 {
    // SAFETY: the caller's contract.
    unsafe { _mm256_and_ps(v, _mm256_cmp_ps::<_CMP_ORD_Q>(v, v)) }
}

/// Truncates toward zero, to at most `max`. Numbers below the range of `i32` become its minimum.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn truncate_at_most(v: __m256, max: f32) -> __m256i {
    // SAFETY: the caller's contract. As signed integers, the bits of negative numbers are also less than the bits
    // of `max`.
    unsafe {
        let bits = _mm256_min_epi32(_mm256_castps_si256(v), _mm256_set1_epi32(max.to_bits() as i32));
        _mm256_cvttps_epi32(_mm256_castsi256_ps(bits))
    }
}

/// Converts to 32-bit integers, saturating.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn to_i32(v: __m256) -> __m256i {
    // SAFETY: the caller's contract. Inverted, the smallest integer is the largest.
    unsafe {
        let last = _mm256_set1_epi32(2_147_483_648f32.next_down().to_bits() as i32);
        let past = _mm256_cmpgt_epi32(_mm256_castps_si256(v), last);
        _mm256_xor_si256(_mm256_cvttps_epi32(v), past)
    }
}

/// Restores the order of bytes that were packed from four vectors within 128-bit blocks.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn restore_byte_order(v: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)) }
}

/// Restores the order of 2-byte elements that were packed from two vectors within 128-bit blocks.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn restore_u16_order(v: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_permute4x64_epi64::<0b11_01_10_00>(v) }
}
