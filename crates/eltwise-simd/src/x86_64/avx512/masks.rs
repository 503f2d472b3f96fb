//! [`MaskOps`] of AVX-512: masks are in mask registers, expanded to bytes for booleans.

use core::arch::x86_64::*;

use pulp::{b8, b16, b32, b64};

use super::{Avx512Token, mask_n};
use crate::pulp_lanes::MaskOps;
use crate::token::Token;

impl<X: Copy + 'static> MaskOps<b64> for Avx512Token<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: b64, b: b64) -> b64 {
        b64(a.0 & b.0)
    }
    #[inline(always)]
    fn or(self, a: b64, b: b64) -> b64 {
        b64(a.0 | b.0)
    }
    #[inline(always)]
    fn xor(self, a: b64, b: b64) -> b64 {
        b64(a.0 ^ b.0)
    }
    #[inline(always)]
    fn not(self, a: b64) -> b64 {
        b64(!a.0)
    }
    #[inline(always)]
    fn any_lane(self, m: b64) -> bool {
        m.0 != 0
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> b64 {
        // SAFETY: the caller's contract, 64 bytes; AVX-512 BW.
        unsafe {
            let bytes = _mm512_loadu_si512(p.cast());
            b64(_mm512_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> b64 {
        // SAFETY: the caller's contract; masked-off bytes are not read.
        unsafe {
            let bytes = _mm512_maskz_loadu_epi8(mask_n(n), p.cast());
            b64(_mm512_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [b64; 4]) {
        // SAFETY: the caller's contract, 4 x 64 bytes; AVX-512 BW.
        unsafe {
            _mm512_storeu_si512(p.cast(), _mm512_maskz_set1_epi8(m[0].0, 1));
            _mm512_storeu_si512(p.add(64).cast(), _mm512_maskz_set1_epi8(m[1].0, 1));
            _mm512_storeu_si512(p.add(128).cast(), _mm512_maskz_set1_epi8(m[2].0, 1));
            _mm512_storeu_si512(p.add(192).cast(), _mm512_maskz_set1_epi8(m[3].0, 1));
        }
    }
}

impl<X: Copy + 'static> MaskOps<b32> for Avx512Token<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: b32, b: b32) -> b32 {
        b32(a.0 & b.0)
    }
    #[inline(always)]
    fn or(self, a: b32, b: b32) -> b32 {
        b32(a.0 | b.0)
    }
    #[inline(always)]
    fn xor(self, a: b32, b: b32) -> b32 {
        b32(a.0 ^ b.0)
    }
    #[inline(always)]
    fn not(self, a: b32) -> b32 {
        b32(!a.0)
    }
    #[inline(always)]
    fn any_lane(self, m: b32) -> bool {
        m.0 != 0
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> b32 {
        // SAFETY: the caller's contract, 32 bytes; AVX-512 BW, VL.
        unsafe {
            let bytes = _mm256_loadu_si256(p.cast());
            b32(_mm256_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> b32 {
        // SAFETY: the caller's contract; masked-off bytes are not read.
        unsafe {
            let bytes = _mm256_maskz_loadu_epi8(mask_n(n) as u32, p.cast());
            b32(_mm256_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [b32; 4]) {
        // SAFETY: the caller's contract, 4 x 32 bytes; AVX-512 BW.
        unsafe {
            let low = _mm512_kunpackd(u64::from(m[1].0), u64::from(m[0].0));
            let high = _mm512_kunpackd(u64::from(m[3].0), u64::from(m[2].0));
            _mm512_storeu_si512(p.cast(), _mm512_maskz_set1_epi8(low, 1));
            _mm512_storeu_si512(p.add(64).cast(), _mm512_maskz_set1_epi8(high, 1));
        }
    }
}

impl<X: Copy + 'static> MaskOps<b16> for Avx512Token<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: b16, b: b16) -> b16 {
        b16(a.0 & b.0)
    }
    #[inline(always)]
    fn or(self, a: b16, b: b16) -> b16 {
        b16(a.0 | b.0)
    }
    #[inline(always)]
    fn xor(self, a: b16, b: b16) -> b16 {
        b16(a.0 ^ b.0)
    }
    #[inline(always)]
    fn not(self, a: b16) -> b16 {
        b16(!a.0)
    }
    #[inline(always)]
    fn any_lane(self, m: b16) -> bool {
        m.0 != 0
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> b16 {
        // SAFETY: the caller's contract, 16 bytes; AVX-512 BW, VL.
        unsafe {
            let bytes = _mm_loadu_si128(p.cast());
            b16(_mm_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> b16 {
        // SAFETY: the caller's contract; masked-off bytes are not read.
        unsafe {
            let bytes = _mm_maskz_loadu_epi8(mask_n(n) as u16, p.cast());
            b16(_mm_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [b16; 4]) {
        // SAFETY: the caller's contract, 4 x 16 bytes; AVX-512 BW.
        unsafe {
            let low = _mm512_kunpackw(u32::from(m[1].0), u32::from(m[0].0));
            let high = _mm512_kunpackw(u32::from(m[3].0), u32::from(m[2].0));
            let all = _mm512_kunpackd(u64::from(high), u64::from(low));
            _mm512_storeu_si512(p.cast(), _mm512_maskz_set1_epi8(all, 1));
        }
    }
}

impl<X: Copy + 'static> MaskOps<b8> for Avx512Token<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: b8, b: b8) -> b8 {
        b8(a.0 & b.0)
    }
    #[inline(always)]
    fn or(self, a: b8, b: b8) -> b8 {
        b8(a.0 | b.0)
    }
    #[inline(always)]
    fn xor(self, a: b8, b: b8) -> b8 {
        b8(a.0 ^ b.0)
    }
    #[inline(always)]
    fn not(self, a: b8) -> b8 {
        b8(!a.0)
    }
    #[inline(always)]
    fn any_lane(self, m: b8) -> bool {
        m.0 != 0
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> b8 {
        // SAFETY: the caller's contract, 8 bytes; AVX-512 BW, VL.
        unsafe {
            let bytes = _mm_loadl_epi64(p.cast());
            b8(_mm_test_epi8_mask(bytes, bytes) as u8)
        }
    }
    #[inline(always)]
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> b8 {
        // SAFETY: the caller's contract; masked-off bytes are not read.
        unsafe {
            let bytes = _mm_maskz_loadu_epi8(mask_n(n) as u16, p.cast());
            b8(_mm_test_epi8_mask(bytes, bytes) as u8)
        }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [b8; 4]) {
        let all = u32::from_le_bytes([m[0].0, m[1].0, m[2].0, m[3].0]);
        // SAFETY: the caller's contract, 4 x 8 bytes; AVX-512 BW, VL.
        unsafe { _mm256_storeu_si256(p.cast(), _mm256_maskz_set1_epi8(all, 1)) };
    }
}
