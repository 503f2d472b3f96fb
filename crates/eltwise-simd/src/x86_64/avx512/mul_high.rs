//! The two operations of divisions by an invariant integer (`divisor.rs`), on AVX-512: upper halves of products, and logical
//! shifts by one count, which give 0 if the count is the lane width or more. Lanes are read as unsigned.

use core::arch::x86_64::*;

/// The upper bytes of the products of unsigned bytes. Even and odd bytes are multiplied separately, in 16-bit lanes, which
/// hold the whole product.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
pub(super) unsafe fn mul_high_8(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm512_set1_epi16(0xff);
        let even = _mm512_mullo_epi16(_mm512_and_si512(a, low), _mm512_and_si512(b, low));
        let odd = _mm512_mullo_epi16(_mm512_srli_epi16::<8>(a), _mm512_srli_epi16::<8>(b));
        _mm512_mask_blend_epi8(0xaaaa_aaaa_aaaa_aaaa, _mm512_srli_epi16::<8>(even), odd)
    }
}

/// # Safety
/// AVX-512 BW.
#[inline(always)]
pub(super) unsafe fn mul_high_16(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_mulhi_epu16(a, b) }
}

/// # Safety
/// AVX-512 F.
#[inline(always)]
pub(super) unsafe fn mul_high_32(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let even = _mm512_mul_epu32(a, b);
        let odd = _mm512_mul_epu32(_mm512_srli_epi64::<32>(a), _mm512_srli_epi64::<32>(b));
        _mm512_mask_blend_epi32(0xaaaa, _mm512_srli_epi64::<32>(even), odd)
    }
}

/// Copies the upper 32 bits of each 64-bit lane to both halves. With shifts instead, LLVM recognizes a 128-bit product
/// and multiplies lane by lane.
const DUPLICATE_ODD: i32 = 0b11_11_01_01;

/// # Safety
/// AVX-512 F.
#[inline(always)]
pub(super) unsafe fn mul_high_64(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        // Schoolbook multiplication of 32-bit digits (Warren, "Hacker's Delight", 8-2).
        let (a1, b1) = (_mm512_shuffle_epi32::<DUPLICATE_ODD>(a), _mm512_shuffle_epi32::<DUPLICATE_ODD>(b));
        let low = _mm512_srli_epi64::<32>(_mm512_mul_epu32(a, b));
        let middle = _mm512_add_epi64(_mm512_mul_epu32(a1, b), low);
        let middle_low = _mm512_and_si512(middle, _mm512_set1_epi64(0xffff_ffff));
        let second_middle = _mm512_add_epi64(_mm512_mul_epu32(a, b1), middle_low);
        let high = _mm512_add_epi64(_mm512_mul_epu32(a1, b1), _mm512_srli_epi64::<32>(middle));
        _mm512_add_epi64(high, _mm512_srli_epi64::<32>(second_middle))
    }
}

/// # Safety
/// AVX-512 BW.
#[inline(always)]
pub(super) unsafe fn shift_right_8(a: __m512i, count: u32) -> __m512i {
    // SAFETY: the caller's contract. The lanes are shifted as 16 bits, then the bits from the byte above are cleared.
    unsafe {
        let kept = _mm512_set1_epi8(0xff_u32.checked_shr(count).unwrap_or(0) as i8);
        _mm512_and_si512(shift_right_16(a, count), kept)
    }
}

/// # Safety
/// AVX-512 BW.
#[inline(always)]
pub(super) unsafe fn shift_right_16(a: __m512i, count: u32) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_srlv_epi16(a, _mm512_set1_epi16(count.min(16) as i16)) }
}

/// # Safety
/// AVX-512 F.
#[inline(always)]
pub(super) unsafe fn shift_right_32(a: __m512i, count: u32) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_srlv_epi32(a, _mm512_set1_epi32(count as i32)) }
}

/// # Safety
/// AVX-512 F.
#[inline(always)]
pub(super) unsafe fn shift_right_64(a: __m512i, count: u32) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_srlv_epi64(a, _mm512_set1_epi64(i64::from(count))) }
}
