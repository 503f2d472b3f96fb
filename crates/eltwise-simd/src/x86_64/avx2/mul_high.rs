//! The two operations of divisions by an invariant integer (`divisor.rs`), on AVX2: upper halves of products, and logical
//! shifts by one count, which give 0 if the count is the lane width or more. Lanes are read as unsigned.

use core::arch::x86_64::*;

/// The upper bytes of the products of unsigned bytes. Even and odd bytes are multiplied separately, in 16-bit lanes, which
/// hold the whole product.
///
/// # Safety
/// AVX2.
#[inline(always)]
pub(super) unsafe fn mul_high_8(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm256_set1_epi16(0xff);
        let even = _mm256_mullo_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low));
        let odd = _mm256_mullo_epi16(_mm256_srli_epi16::<8>(a), _mm256_srli_epi16::<8>(b));
        _mm256_or_si256(_mm256_srli_epi16::<8>(even), _mm256_andnot_si256(low, odd))
    }
}

/// # Safety
/// AVX2.
#[inline(always)]
pub(super) unsafe fn mul_high_16(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_mulhi_epu16(a, b) }
}

/// # Safety
/// AVX2.
#[inline(always)]
pub(super) unsafe fn mul_high_32(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let even = _mm256_mul_epu32(a, b);
        let odd = _mm256_mul_epu32(_mm256_srli_epi64::<32>(a), _mm256_srli_epi64::<32>(b));
        _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(even), odd)
    }
}

/// Copies the upper 32 bits of each 64-bit lane to both halves. With shifts instead, LLVM recognizes a 128-bit product
/// and multiplies lane by lane.
const DUPLICATE_ODD: i32 = 0b11_11_01_01;

/// # Safety
/// AVX2.
#[inline(always)]
pub(super) unsafe fn mul_high_64(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        // Schoolbook multiplication of 32-bit digits (Warren, "Hacker's Delight", 8-2).
        let (a1, b1) = (_mm256_shuffle_epi32::<DUPLICATE_ODD>(a), _mm256_shuffle_epi32::<DUPLICATE_ODD>(b));
        let low = _mm256_srli_epi64::<32>(_mm256_mul_epu32(a, b));
        let middle = _mm256_add_epi64(_mm256_mul_epu32(a1, b), low);
        let middle_low = _mm256_and_si256(middle, _mm256_set1_epi64x(0xffff_ffff));
        let second_middle = _mm256_add_epi64(_mm256_mul_epu32(a, b1), middle_low);
        let high = _mm256_add_epi64(_mm256_mul_epu32(a1, b1), _mm256_srli_epi64::<32>(middle));
        _mm256_add_epi64(high, _mm256_srli_epi64::<32>(second_middle))
    }
}

/// # Safety
/// AVX2.
#[inline(always)]
pub(super) unsafe fn shift_right_8(a: __m256i, count: u32) -> __m256i {
    // SAFETY: the caller's contract. The lanes are shifted as 16 bits, then the bits from the byte above are cleared.
    unsafe {
        let kept = _mm256_set1_epi8(0xff_u32.checked_shr(count).unwrap_or(0) as i8);
        _mm256_and_si256(shift_right_16(a, count), kept)
    }
}

/// # Safety
/// AVX2.
#[inline(always)]
pub(super) unsafe fn shift_right_16(a: __m256i, count: u32) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_srl_epi16(a, _mm_cvtsi32_si128(count as i32)) }
}

/// # Safety
/// AVX2.
#[inline(always)]
pub(super) unsafe fn shift_right_32(a: __m256i, count: u32) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_srlv_epi32(a, _mm256_set1_epi32(count as i32)) }
}

/// # Safety
/// AVX2.
#[inline(always)]
pub(super) unsafe fn shift_right_64(a: __m256i, count: u32) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_srlv_epi64(a, _mm256_set1_epi64x(i64::from(count))) }
}
