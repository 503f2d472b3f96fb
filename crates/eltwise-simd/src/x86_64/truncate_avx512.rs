//! `f32` to integers of 8 and 16 bits on AVX-512: four vectors are clamped, converted and packed at once.
//!
//! `vmaxps` gives its second operand beside a NaN: of integers without a sign that bound is 0, the result of a NaN, and of others the
//! lane is 0 by a mask. Clamped numbers fit, so that packing, which saturates, keeps them; it joins halves of 128 bits, and one shuffle
//! puts these in order. (Four `vpmovdb` take eight shuffles on Intel's CPUs and as many on AMD's.)

use core::arch::x86_64::*;

use pulp::f32x16;

use super::avx512::Avx512Token;
use crate::lanes::Lanes;
use crate::over_pulp::cast;
use crate::truncate::TruncateLanes;

/// Whole numbers between bounds; NaN is 0.
///
/// # Safety
/// AVX-512 F.
#[inline(always)]
unsafe fn whole(v: __m512, low: f32, high: f32) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let bound = _mm512_set1_ps(low);
        let above = if low == 0.0 {
            _mm512_max_ps(v, bound)
        } else {
            _mm512_maskz_max_ps(_mm512_cmp_ps_mask::<_CMP_ORD_Q>(v, v), v, bound)
        };
        _mm512_cvttps_epi32(_mm512_min_ps(above, _mm512_set1_ps(high)))
    }
}

/// The bytes of whole numbers that fit either kind of byte.
///
/// # Safety
/// AVX-512 BW; `p` is valid for writing 64 bytes.
#[inline(always)]
unsafe fn store_bytes<I>(p: *mut I, v: [f32x16; 4], low: f32, high: f32) {
    // SAFETY: the caller's contract.
    unsafe {
        let [a, b, c, d]: [__m512; 4] = [cast(v[0]), cast(v[1]), cast(v[2]), cast(v[3])];
        let first = _mm512_packs_epi32(whole(a, low, high), whole(b, low, high));
        let second = _mm512_packs_epi32(whole(c, low, high), whole(d, low, high));
        let bytes = if low == 0.0 { _mm512_packus_epi16(first, second) } else { _mm512_packs_epi16(first, second) };
        let order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
        _mm512_storeu_si512(p.cast(), _mm512_permutexvar_epi32(order, bytes));
    }
}

/// Two vectors of whole numbers as one of 16 bits, joined by halves of 128 bits.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
unsafe fn packed(a: __m512, b: __m512, low: f32, high: f32) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let (a, b) = (whole(a, low, high), whole(b, low, high));
        if low == 0.0 { _mm512_packus_epi32(a, b) } else { _mm512_packs_epi32(a, b) }
    }
}

/// The same of 16 bits.
///
/// # Safety
/// AVX-512 BW; `p` is valid for writing 128 bytes.
#[inline(always)]
unsafe fn store_halves<I>(p: *mut I, v: [f32x16; 4], low: f32, high: f32) {
    // SAFETY: the caller's contract.
    unsafe {
        let [a, b, c, d]: [__m512; 4] = [cast(v[0]), cast(v[1]), cast(v[2]), cast(v[3])];
        let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
        let p = p.cast::<u8>();
        _mm512_storeu_si512(p.cast(), _mm512_permutexvar_epi64(order, packed(a, b, low, high)));
        _mm512_storeu_si512(p.add(64).cast(), _mm512_permutexvar_epi64(order, packed(c, d, low, high)));
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
        unsafe { store_bytes(p, v, 0.0, 255.0) };
    }
}

impl<X> TruncateLanes<i8> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut i8, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe { store_bytes(p, v, -128.0, 127.0) };
    }
}

impl<X> TruncateLanes<u16> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut u16, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe { store_halves(p, v, 0.0, 65535.0) };
    }
}

impl<X> TruncateLanes<i16> for Avx512Token<X>
where
    Avx512Token<X>: Lanes<f32, V = f32x16>,
{
    #[inline(always)]
    unsafe fn store4_truncated(self, p: *mut i16, v: [f32x16; 4]) {
        // SAFETY: the caller's contract, 128 bytes.
        unsafe { store_halves(p, v, -32768.0, 32767.0) };
    }
}
