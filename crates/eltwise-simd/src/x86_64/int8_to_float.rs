//! 8-bit integers to `f32` on AVX2 and AVX-512: widen to 32 bits, then convert.

use core::arch::x86_64::*;

use pulp::{f32x8, f32x16};

use super::avx2::Avx2;
use super::avx2::load_n::load_n_128_or;
use super::avx512::{Avx512Token, mask_n};
use crate::int8_to_float::Int8ToFloatLanes;
use crate::pulp_lanes::cast;
use crate::token::Token;

// One row per integer: how each ISA widens it to 32 bits.
macro_rules! sources {
    ($($t:ident $avx2:ident $avx512:ident;)*) => {$(
        impl Int8ToFloatLanes<$t> for Avx2 {
            #[inline(always)]
            unsafe fn load_int8(self, p: *const $t) -> f32x8 {
                // SAFETY: the caller's contract, 8 bytes; AVX2.
                cast(unsafe { _mm256_cvtepi32_ps($avx2(_mm_loadl_epi64(p.cast()))) })
            }
            #[inline(always)]
            unsafe fn load_int8_n(self, p: *const $t, n: usize) -> f32x8 {
                // SAFETY: the caller's contract, n <= 8; AVX2.
                cast(unsafe { _mm256_cvtepi32_ps($avx2(load_n_128_or(p.cast(), n, _mm_set1_epi8(1)))) })
            }
        }
        impl<X: Copy + 'static> Int8ToFloatLanes<$t> for Avx512Token<X>
        where
            Self: Token,
        {
            #[inline(always)]
            unsafe fn load_int8(self, p: *const $t) -> f32x16 {
                // SAFETY: the caller's contract, 16 bytes; AVX-512 F.
                cast(unsafe { _mm512_cvtepi32_ps($avx512(_mm_loadu_si128(p.cast()))) })
            }
            #[inline(always)]
            unsafe fn load_int8_n(self, p: *const $t, n: usize) -> f32x16 {
                // SAFETY: masked-off lanes are not read; the caller's contract covers the others, n <= 16; AVX-512 F,
                // BW, VL.
                cast(unsafe {
                    let bytes = _mm_mask_loadu_epi8(_mm_set1_epi8(1), mask_n(n) as __mmask16, p.cast());
                    _mm512_cvtepi32_ps($avx512(bytes))
                })
            }
        }
    )*};
}

sources! {
    i8 _mm256_cvtepi8_epi32 _mm512_cvtepi8_epi32;
    u8 _mm256_cvtepu8_epi32 _mm512_cvtepu8_epi32;
}
