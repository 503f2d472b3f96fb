//! The upper halves of products and shifts by one count on AVX-512, lanes read as unsigned numbers.

use core::arch::x86_64::*;

/// The lanes of 16 bits hold two of 8: their products fit. (`mulhi` of 16 bits would need them widened.)
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

/// The upper words of 64 bits, in both places. Moved by shifts, LLVM knows the sum of products for what it is, and multiplies lane
/// after lane.
const ODD: i32 = 0b11_11_01_01;

/// # Safety
/// AVX-512 F.
#[inline(always)]
pub(super) unsafe fn mul_high_64(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let (a1, b1) = (_mm512_shuffle_epi32::<ODD>(a), _mm512_shuffle_epi32::<ODD>(b));
        let low = _mm512_srli_epi64::<32>(_mm512_mul_epu32(a, b));
        let first = _mm512_add_epi64(_mm512_mul_epu32(a1, b), low);
        let word = _mm512_and_si512(first, _mm512_set1_epi64(0xffff_ffff));
        let second = _mm512_add_epi64(_mm512_mul_epu32(a, b1), word);
        let high = _mm512_add_epi64(_mm512_mul_epu32(a1, b1), _mm512_srli_epi64::<32>(first));
        _mm512_add_epi64(high, _mm512_srli_epi64::<32>(second))
    }
}

/// # Safety
/// AVX-512 BW.
#[inline(always)]
pub(super) unsafe fn shift_down_8(a: __m512i, count: u32) -> __m512i {
    // SAFETY: the caller's contract. Shifted by the lanes of 16 bits, what came from the byte above goes.
    unsafe {
        let kept = _mm512_set1_epi8(0xff_u32.checked_shr(count).unwrap_or(0) as i8);
        _mm512_and_si512(shift_down_16(a, count), kept)
    }
}

/// # Safety
/// AVX-512 BW.
#[inline(always)]
pub(super) unsafe fn shift_down_16(a: __m512i, count: u32) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_srlv_epi16(a, _mm512_set1_epi16(count as i16)) }
}

/// # Safety
/// AVX-512 F.
#[inline(always)]
pub(super) unsafe fn shift_down_32(a: __m512i, count: u32) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_srlv_epi32(a, _mm512_set1_epi32(count as i32)) }
}

/// # Safety
/// AVX-512 F.
#[inline(always)]
pub(super) unsafe fn shift_down_64(a: __m512i, count: u32) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_srlv_epi64(a, _mm512_set1_epi64(i64::from(count))) }
}
