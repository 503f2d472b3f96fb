//! [`HalfLanes`] of AVX-512: its conversions of `f16`, and integer arithmetic for `bf16`.

use core::arch::x86_64::*;

use pulp::f32x16;

use super::{Avx512Token, mask_n};
use crate::pulp_lanes::cast;
use crate::storage::HalfLanes;
use crate::token::Token;

// Every intrinsic below is in AVX-512 F, BW or VL, which the token proves.
impl<X: Copy + 'static> HalfLanes for Avx512Token<X>
where
    Self: Token,
{
    type H = __m256i;
    #[inline(always)]
    unsafe fn load_halves(self, p: *const u16) -> __m256i {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe { _mm256_loadu_si256(p.cast()) }
    }
    #[inline(always)]
    unsafe fn load_halves_n(self, p: *const u16, n: usize, fill: u16) -> __m256i {
        // SAFETY: the caller's contract; masked-off elements are not accessed.
        unsafe { _mm256_mask_loadu_epi16(_mm256_set1_epi16(fill as i16), mask_n(n) as u16, p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_halves(self, p: *mut u16, h: __m256i) {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe { _mm256_storeu_si256(p.cast(), h) };
    }
    #[inline(always)]
    unsafe fn store_halves_n(self, p: *mut u16, n: usize, h: __m256i) {
        // SAFETY: the caller's contract; masked-off elements are not accessed.
        unsafe { _mm256_mask_storeu_epi16(p.cast(), mask_n(n) as u16, h) };
    }
    #[inline(always)]
    fn widen_f16(self, h: __m256i) -> f32x16 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_cvtph_ps(h) })
    }
    #[inline(always)]
    fn narrow_f16(self, v: f32x16) -> __m256i {
        // SAFETY: AVX-512 F.
        unsafe { _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(cast(v)) }
    }
    #[inline(always)]
    fn widen_bf16(self, h: __m256i) -> f32x16 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_slli_epi32::<16>(_mm512_cvtepu16_epi32(h)) })
    }
    #[inline(always)]
    fn narrow_bf16(self, v: f32x16) -> __m256i {
        let bits: __m512i = cast(v);
        // SAFETY: AVX-512 F. Rounding to nearest even is an integer addition. A NaN keeps its upper bits and becomes
        // quiet.
        unsafe {
            let upper = _mm512_srli_epi32::<16>(bits);
            let bias = _mm512_add_epi32(_mm512_set1_epi32(0x7fff), _mm512_and_si512(upper, _mm512_set1_epi32(1)));
            let rounded = _mm512_srli_epi32::<16>(_mm512_add_epi32(bits, bias));
            let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(cast(v), cast(v));
            let words = _mm512_mask_or_epi32(rounded, nan, upper, _mm512_set1_epi32(0x40));
            _mm512_cvtepi32_epi16(words)
        }
    }

    #[inline(always)]
    unsafe fn store4_bf16(self, p: *mut u16, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe {
            let v = quiet_nans(cast(v));
            _mm512_storeu_si512(p.cast(), round_in_memory_order(v[0], v[1]));
            _mm512_storeu_si512(p.add(32).cast(), round_in_memory_order(v[2], v[3]));
        }
    }
    // A 32-bit word holds two elements: one vector gets the even elements, the other the odd.
    #[inline(always)]
    unsafe fn load4_permuted_bf16(self, p: *const u16) -> [f32x16; 4] {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe {
            let (x, y) = (_mm512_loadu_si512(p.cast()), _mm512_loadu_si512(p.add(32).cast()));
            let odd = _mm512_set1_epi32(0xffff_0000_u32 as i32);
            [
                cast(_mm512_slli_epi32::<16>(x)),
                cast(_mm512_and_si512(x, odd)),
                cast(_mm512_slli_epi32::<16>(y)),
                cast(_mm512_and_si512(y, odd)),
            ]
        }
    }
    #[inline(always)]
    unsafe fn store4_permuted_bf16(self, p: *mut u16, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe {
            let v = quiet_nans(cast(v));
            _mm512_storeu_si512(p.cast(), round_pairs(v[0], v[1]));
            _mm512_storeu_si512(p.add(32).cast(), round_pairs(v[2], v[3]));
        }
    }
}

/// Turns NaNs into quiet NaNs whose lower halves are 0, which rounding keeps. In the usual case without NaN, that costs
/// two comparisons and a branch.
///
/// # Safety
/// AVX-512 F.
#[inline(always)]
pub(in crate::x86_64) unsafe fn quiet_nans(v: [__m512; 4]) -> [__m512; 4] {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(v[0], v[1]);
        let high = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(v[2], v[3]);
        if low | high == 0 {
            return v;
        }
        [quiet_nans_in(v[0]), quiet_nans_in(v[1]), quiet_nans_in(v[2]), quiet_nans_in(v[3])]
    }
}

/// # Safety
/// AVX-512 F.
#[inline(always)]
unsafe fn quiet_nans_in(v: __m512) -> __m512 {
    // SAFETY: the caller's contract.
    unsafe {
        let nan = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(v, v);
        let bits = _mm512_castps_si512(v);
        let quieted = _mm512_mask_or_epi32(bits, nan, bits, _mm512_set1_epi32(0x0040_0000));
        let upper = _mm512_set1_epi32(0xffff_0000_u32 as i32);
        _mm512_castsi512_ps(_mm512_mask_and_epi32(quieted, nan, quieted, upper))
    }
}

/// Rounds even and odd elements to `bf16`, to nearest even, and interleaves them.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
pub(in crate::x86_64) unsafe fn round_pairs(even: __m512, odd: __m512) -> __m512i {
    // SAFETY: the caller's contract. Words are rotated by two bytes within 128 bits. A lower half of 0x8000 or more
    // rounds up; subtracting 1 from it, if the upper half is even, makes ties round down there.
    unsafe {
        let (even, odd) = (_mm512_castps_si512(even), _mm512_castps_si512(odd));
        let upper = _mm512_mask_alignr_epi8::<2>(odd, 0x3333_3333_3333_3333, even, even);
        let lower = _mm512_mask_alignr_epi8::<14>(even, 0xcccc_cccc_cccc_cccc, odd, odd);
        let is_even = _mm512_andnot_si512(upper, _mm512_set1_epi16(1));
        let up = _mm512_srai_epi16::<15>(_mm512_subs_epu16(lower, is_even));
        _mm512_sub_epi16(upper, up)
    }
}

/// Rounds the elements of two vectors to `bf16`, in memory order.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
unsafe fn round_in_memory_order(a: __m512, b: __m512) -> __m512i {
    /// Indices that separate alternating words: first the words of the first vector, then the words of the second.
    const SEPARATED: [u16; 32] = {
        let mut words = [0; 32];
        let mut i = 0;
        while i < 32 {
            words[i] = (i % 16 * 2 + i / 16) as u16;
            i += 1;
        }
        words
    };
    // SAFETY: the caller's contract; the indices are 64 bytes.
    unsafe { _mm512_permutexvar_epi16(_mm512_loadu_si512(SEPARATED.as_ptr().cast()), round_pairs(a, b)) }
}
