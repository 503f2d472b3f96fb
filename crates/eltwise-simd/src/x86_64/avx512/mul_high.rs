//! Upper halves of products, and logical shifts by a common count, on AVX-512; lanes are read as unsigned.

use core::arch::x86_64::*;

/// Each 16-bit lane holds two 8-bit lanes, whose products fit into 16 bits. (A 16-bit `mulhi` would need them widened.)
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
    unsafe { _mm512_srlv_epi16(a, _mm512_set1_epi16(count as i16)) }
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
