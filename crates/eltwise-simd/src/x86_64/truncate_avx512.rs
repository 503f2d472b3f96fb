//! `f32` to integers of 8 and 16 bits on AVX-512: four vectors are clamped from above, converted and packed at once.
//!
//! `vcvttps2dq` makes the smallest number of what is too small, and of a NaN; packing, which saturates, makes the integer's own smallest of it.
//! That is 0, as of a NaN it must be, where there is no sign: `vminps` keeps a NaN that is its second operand. Of others a mask makes 0 of it.
//! Packing joins halves of 128 bits, and one shuffle puts these in order. (Four `vpmovdb` take eight shuffles on Intel's CPUs and as many on
//! AMD's.)

use core::arch::x86_64::*;

use pulp::f32x16;

use super::avx512::Avx512Token;
use crate::lanes::Lanes;
use crate::over_pulp::cast;
use crate::truncate::TruncateLanes;

/// Whole numbers up to a bound; NaN is the smallest, or with a `sign` 0.
///
/// # Safety
/// AVX-512 F.
#[inline(always)]
unsafe fn whole(v: __m512, most: f32, sign: bool) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let bound = _mm512_set1_ps(most);
        _mm512_cvttps_epi32(if sign {
            _mm512_maskz_min_ps(_mm512_cmp_ps_mask::<_CMP_ORD_Q>(v, v), v, bound)
        } else {
            _mm512_min_ps(bound, v)
        })
    }
}

/// As bytes.
///
/// # Safety
/// AVX-512 BW; `p` is valid for writing 64 bytes.
#[inline(always)]
unsafe fn store_bytes<I>(p: *mut I, v: [f32x16; 4], most: f32, sign: bool) {
    // SAFETY: the caller's contract.
    unsafe {
        let [a, b, c, d]: [__m512; 4] = [cast(v[0]), cast(v[1]), cast(v[2]), cast(v[3])];
        let first = _mm512_packs_epi32(whole(a, most, sign), whole(b, most, sign));
        let second = _mm512_packs_epi32(whole(c, most, sign), whole(d, most, sign));
        let bytes = if sign { _mm512_packs_epi16(first, second) } else { _mm512_packus_epi16(first, second) };
        let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        _mm512_storeu_si512(p.cast(), _mm512_permutexvar_epi32(order, bytes));
    }
}

/// Two vectors of whole numbers as one of 16 bits, joined by halves of 128 bits.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
unsafe fn packed(a: __m512, b: __m512, most: f32, sign: bool) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let (a, b) = (whole(a, most, sign), whole(b, most, sign));
        if sign { _mm512_packs_epi32(a, b) } else { _mm512_packus_epi32(a, b) }
    }
}

/// The same of 16 bits.
///
/// # Safety
/// AVX-512 BW; `p` is valid for writing 128 bytes.
#[inline(always)]
unsafe fn store_halves<I>(p: *mut I, v: [f32x16; 4], most: f32, sign: bool) {
    // SAFETY: the caller's contract.
    unsafe {
        let [a, b, c, d]: [__m512; 4] = [cast(v[0]), cast(v[1]), cast(v[2]), cast(v[3])];
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        let p = p.cast::<u8>();
        _mm512_storeu_si512(p.cast(), _mm512_permutexvar_epi64(order, packed(a, b, most, sign)));
        _mm512_storeu_si512(p.add(64).cast(), _mm512_permutexvar_epi64(order, packed(c, d, most, sign)));
    }
}

// Every intrinsic above is in AVX-512 F and BW, which the tokens prove.
impl<X> TruncateLanes<u8> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut u8, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe { store_bytes(p, v, 255.0, false) };
    }
}

impl<X> TruncateLanes<i8> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut i8, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe { store_bytes(p, v, 127.0, true) };
    }
}

impl<X> TruncateLanes<u16> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut u16, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe { store_halves(p, v, 65535.0, false) };
    }
}

impl<X> TruncateLanes<i16> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut i16, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe { store_halves(p, v, 32767.0, true) };
    }
}
