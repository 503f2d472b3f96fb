//! [`MaskOps`] of AVX2: masks are vectors, packed to bytes for booleans.

use core::arch::x86_64::*;

use pulp::{m8x32, m16x16, m32x8, m64x4};

use super::Avx2;
use super::load_n::{load_n_128, load_n_256, load_n_u128};
use crate::pulp_lanes::{MaskOps, cast};

#[inline(always)]
pub(super) fn raw8(m: m8x32) -> __m256i {
    bytemuck::cast(m)
}
#[inline(always)]
pub(super) fn raw16(m: m16x16) -> __m256i {
    bytemuck::cast(m)
}
#[inline(always)]
fn raw32(m: m32x8) -> __m256i {
    bytemuck::cast(m)
}
#[inline(always)]
fn raw64(m: m64x4) -> __m256i {
    bytemuck::cast(m)
}

/// Restores the order of 32-bit groups after packing within 128-bit blocks.
#[inline(always)]
fn restore_order(v: __m256i) -> __m256i {
    // SAFETY: AVX2, by the callers' token.
    unsafe { _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)) }
}

impl MaskOps<m8x32> for Avx2 {
    #[inline(always)]
    fn and(self, a: m8x32, b: m8x32) -> m8x32 {
        pulp::Simd::and_m8s(self.v3, a, b)
    }
    #[inline(always)]
    fn or(self, a: m8x32, b: m8x32) -> m8x32 {
        pulp::Simd::or_m8s(self.v3, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m8x32, b: m8x32) -> m8x32 {
        pulp::Simd::xor_m8s(self.v3, a, b)
    }
    #[inline(always)]
    fn not(self, a: m8x32) -> m8x32 {
        pulp::Simd::not_m8s(self.v3, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m8x32) -> bool {
        // SAFETY: AVX2.
        unsafe { _mm256_movemask_epi8(raw8(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m8x32 {
        // SAFETY: the caller's contract; AVX2.
        self.v3.not_m8x32(self.v3.cmp_eq_u8x32(cast(unsafe { _mm256_loadu_si256(p.cast()) }), cast([0u8; 32])))
    }
    #[inline(always)]
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> m8x32 {
        // SAFETY: the caller's contract; the block has 32 bytes.
        unsafe { self.mask_from_bytes(cast::<_, [u8; 32]>(load_n_256(p, n)).as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m8x32; 4]) {
        // SAFETY: the caller's contract, 4 x 32 bytes; AVX2.
        unsafe {
            let one = _mm256_set1_epi8(1);
            _mm256_storeu_si256(p.cast(), _mm256_and_si256(raw8(m[0]), one));
            _mm256_storeu_si256(p.add(32).cast(), _mm256_and_si256(raw8(m[1]), one));
            _mm256_storeu_si256(p.add(64).cast(), _mm256_and_si256(raw8(m[2]), one));
            _mm256_storeu_si256(p.add(96).cast(), _mm256_and_si256(raw8(m[3]), one));
        }
    }
}

impl MaskOps<m16x16> for Avx2 {
    #[inline(always)]
    fn and(self, a: m16x16, b: m16x16) -> m16x16 {
        pulp::Simd::and_m16s(self.v3, a, b)
    }
    #[inline(always)]
    fn or(self, a: m16x16, b: m16x16) -> m16x16 {
        pulp::Simd::or_m16s(self.v3, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m16x16, b: m16x16) -> m16x16 {
        pulp::Simd::xor_m16s(self.v3, a, b)
    }
    #[inline(always)]
    fn not(self, a: m16x16) -> m16x16 {
        pulp::Simd::not_m16s(self.v3, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m16x16) -> bool {
        // SAFETY: AVX2.
        unsafe { _mm256_movemask_epi8(raw16(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m16x16 {
        // SAFETY: the caller's contract, 16 bytes; AVX2.
        let words = unsafe { _mm256_cvtepu8_epi16(_mm_loadu_si128(p.cast())) };
        self.v3.cmp_gt_i16x16(cast(words), cast([0i16; 16]))
    }
    #[inline(always)]
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> m16x16 {
        // SAFETY: the caller's contract; the block has 16 bytes.
        unsafe { self.mask_from_bytes(cast::<_, [u8; 16]>(load_n_128(p, n)).as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m16x16; 4]) {
        // SAFETY: the caller's contract, 4 x 16 bytes; AVX2.
        unsafe {
            let one = _mm256_set1_epi8(1);
            let low = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(raw16(m[0]), raw16(m[1])));
            let high = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(raw16(m[2]), raw16(m[3])));
            _mm256_storeu_si256(p.cast(), _mm256_and_si256(low, one));
            _mm256_storeu_si256(p.add(32).cast(), _mm256_and_si256(high, one));
        }
    }
}

impl MaskOps<m32x8> for Avx2 {
    #[inline(always)]
    fn and(self, a: m32x8, b: m32x8) -> m32x8 {
        pulp::Simd::and_m32s(self.v3, a, b)
    }
    #[inline(always)]
    fn or(self, a: m32x8, b: m32x8) -> m32x8 {
        pulp::Simd::or_m32s(self.v3, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m32x8, b: m32x8) -> m32x8 {
        pulp::Simd::xor_m32s(self.v3, a, b)
    }
    #[inline(always)]
    fn not(self, a: m32x8) -> m32x8 {
        pulp::Simd::not_m32s(self.v3, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m32x8) -> bool {
        // SAFETY: AVX2.
        unsafe { _mm256_movemask_epi8(raw32(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m32x8 {
        // SAFETY: the caller's contract, 8 bytes; AVX2.
        let words = unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(p.cast())) };
        self.v3.cmp_gt_i32x8(cast(words), cast([0i32; 8]))
    }
    #[inline(always)]
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> m32x8 {
        // SAFETY: the caller's contract; the block has 16 bytes, 8 are read.
        unsafe { self.mask_from_bytes(load_n_u128(p, n).to_le_bytes().as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m32x8; 4]) {
        // SAFETY: the caller's contract, 4 x 8 bytes; AVX2.
        unsafe {
            let low = _mm256_packs_epi32(raw32(m[0]), raw32(m[1]));
            let high = _mm256_packs_epi32(raw32(m[2]), raw32(m[3]));
            let bytes = restore_order(_mm256_packs_epi16(low, high));
            _mm256_storeu_si256(p.cast(), _mm256_and_si256(bytes, _mm256_set1_epi8(1)));
        }
    }
}

impl MaskOps<m64x4> for Avx2 {
    #[inline(always)]
    fn and(self, a: m64x4, b: m64x4) -> m64x4 {
        pulp::Simd::and_m64s(self.v3, a, b)
    }
    #[inline(always)]
    fn or(self, a: m64x4, b: m64x4) -> m64x4 {
        pulp::Simd::or_m64s(self.v3, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m64x4, b: m64x4) -> m64x4 {
        pulp::Simd::xor_m64s(self.v3, a, b)
    }
    #[inline(always)]
    fn not(self, a: m64x4) -> m64x4 {
        pulp::Simd::not_m64s(self.v3, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m64x4) -> bool {
        // SAFETY: AVX2.
        unsafe { _mm256_movemask_epi8(raw64(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m64x4 {
        // SAFETY: the caller's contract, 4 bytes; AVX2.
        let words = unsafe { _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(p.cast::<i32>().read_unaligned())) };
        self.v3.cmp_gt_i64x4(cast(words), cast([0i64; 4]))
    }
    #[inline(always)]
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> m64x4 {
        // SAFETY: the caller's contract; the block has 16 bytes, 4 are read.
        unsafe { self.mask_from_bytes(load_n_u128(p, n).to_le_bytes().as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m64x4; 4]) {
        // SAFETY: the caller's contract, 4 x 4 bytes; AVX2.
        unsafe {
            let low = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(cast(raw64(m[0])), cast(raw64(m[1]))));
            let high = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(cast(raw64(m[2])), cast(raw64(m[3]))));
            let words = restore_order(_mm256_packs_epi32(low, high));
            let bytes = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
            _mm_storeu_si128(p.cast(), _mm_and_si128(bytes, _mm_set1_epi8(1)));
        }
    }
}
