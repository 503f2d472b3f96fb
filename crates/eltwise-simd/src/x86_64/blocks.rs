//! [`Blocks128`] on x86-64: loads that insert a 128-bit block, which halves the number of shuffles in a transpose, and
//! unpacks.

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::avx512::Avx512Token;
use crate::blocks::{Blocks128, FourBlocks128};
use crate::token::Token;

impl Blocks128 for Avx2 {
    const BLOCKS: usize = 2;
    type Vector = __m256i;

    #[inline(always)]
    unsafe fn gather_blocks(self, p: *const u8, stride: isize) -> __m256i {
        // SAFETY: the caller's contract.
        unsafe {
            let low = _mm256_castsi128_si256(_mm_loadu_si128(p.cast()));
            _mm256_inserti128_si256::<1>(low, _mm_loadu_si128(p.wrapping_offset(stride).cast()))
        }
    }
    #[inline(always)]
    fn has_load_every_third(size: usize) -> bool {
        size == 4
    }
    #[inline(always)]
    unsafe fn load_every_third<const SIZE: usize>(self, p: *const u8) -> __m256i {
        // SAFETY: the caller's contract.
        unsafe {
            let (a, b) = (_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(32).cast()));
            let c = _mm256_loadu_si256(p.add(64).cast());
            let v = _mm256_blend_epi32::<0b0010_0100>(_mm256_blend_epi32::<0b1001_0010>(a, b), c);
            _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 3, 6, 1, 4, 7, 2, 5))
        }
    }
    #[inline(always)]
    unsafe fn load_blocks(self, p: *const u8) -> __m256i {
        // SAFETY: the caller's contract.
        unsafe { _mm256_loadu_si256(p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_blocks(self, p: *mut u8, v: __m256i) {
        // SAFETY: the caller's contract.
        unsafe { _mm256_storeu_si256(p.cast(), v) };
    }
    #[inline(always)]
    unsafe fn scatter_blocks(self, p: *mut u8, stride: isize, v: __m256i) {
        // SAFETY: the caller's contract.
        unsafe {
            _mm_storeu_si128(p.cast(), _mm256_castsi256_si128(v));
            _mm_storeu_si128(p.wrapping_offset(stride).cast(), _mm256_extracti128_si256::<1>(v));
        }
    }
    #[inline(always)]
    fn interleave_lower<const SIZE: usize>(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves the ISA.
        unsafe {
            match SIZE {
                1 => _mm256_unpacklo_epi8(a, b),
                2 => _mm256_unpacklo_epi16(a, b),
                4 => _mm256_unpacklo_epi32(a, b),
                _ => _mm256_unpacklo_epi64(a, b),
            }
        }
    }
    #[inline(always)]
    fn interleave_upper<const SIZE: usize>(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves the ISA.
        unsafe {
            match SIZE {
                1 => _mm256_unpackhi_epi8(a, b),
                2 => _mm256_unpackhi_epi16(a, b),
                4 => _mm256_unpackhi_epi32(a, b),
                _ => _mm256_unpackhi_epi64(a, b),
            }
        }
    }
    #[inline(always)]
    fn splat_block(self, bytes: &[u8; 16]) -> __m256i {
        // SAFETY: 16 bytes are read; the token proves the ISA.
        unsafe { _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast())) }
    }
    #[inline(always)]
    fn table_lookup_bytes_or_0(self, v: __m256i, indices: __m256i) -> __m256i {
        // SAFETY: the token proves the ISA.
        unsafe { _mm256_shuffle_epi8(v, indices) }
    }
    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves the ISA.
        unsafe { _mm256_or_si256(a, b) }
    }
    #[inline(always)]
    fn prefetch_l2(self, p: *const u8) {
        // SAFETY: a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(p.cast()) };
    }
}

/// The lanes of vector `k` of three that hold every third element, as a bit mask; a vector has `lanes` lanes.
const fn every_third_mask(lanes: usize, k: usize) -> u64 {
    let (mut bits, mut lane) = (0, 0);
    while lane < lanes {
        if (k * lanes + lane).is_multiple_of(3) {
            bits |= 1 << lane;
        }
        lane += 1;
    }
    bits
}

/// The lanes that hold every third element, after three vectors of elements of `size` bytes are blended, in memory
/// order: little-endian integers of `size` bytes.
const fn every_third_indices(size: usize) -> [u8; 64] {
    let (mut indices, mut at) = ([0; 64], 0);
    while at < 64 {
        indices[at] = (3 * (at / size) % (64 / size)) as u8;
        at += size;
    }
    indices
}

impl<X: Copy + 'static> Blocks128 for Avx512Token<X>
where
    Self: Token,
{
    const BLOCKS: usize = 4;
    type Vector = __m512i;

    #[inline(always)]
    unsafe fn gather_blocks(self, p: *const u8, stride: isize) -> __m512i {
        // SAFETY: the caller's contract.
        unsafe {
            let v = _mm512_castsi128_si512(_mm_loadu_si128(p.cast()));
            let v = _mm512_inserti32x4::<1>(v, _mm_loadu_si128(p.wrapping_offset(stride).cast()));
            let v = _mm512_inserti32x4::<2>(v, _mm_loadu_si128(p.wrapping_offset(2 * stride).cast()));
            _mm512_inserti32x4::<3>(v, _mm_loadu_si128(p.wrapping_offset(3 * stride).cast()))
        }
    }
    #[inline(always)]
    fn has_load_every_third(size: usize) -> bool {
        matches!(size, 2 | 4)
    }
    #[inline(always)]
    unsafe fn load_every_third<const SIZE: usize>(self, p: *const u8) -> __m512i {
        // SAFETY: the caller's contract, three vectors; AVX-512 F, and BW for elements of 2 bytes.
        unsafe {
            let (b, c) = (p.add(64), p.add(128));
            let (v, indices) = (
                _mm512_loadu_si512(p.cast()),
                _mm512_loadu_si512(const { &every_third_indices(SIZE) }.as_ptr().cast()),
            );
            if SIZE == 2 {
                let v = _mm512_mask_loadu_epi16(v, const { every_third_mask(32, 1) as u32 }, b.cast());
                let v = _mm512_mask_loadu_epi16(v, const { every_third_mask(32, 2) as u32 }, c.cast());
                _mm512_permutexvar_epi16(indices, v)
            } else {
                let v = _mm512_mask_loadu_epi32(v, const { every_third_mask(16, 1) as u16 }, b.cast());
                let v = _mm512_mask_loadu_epi32(v, const { every_third_mask(16, 2) as u16 }, c.cast());
                _mm512_permutexvar_epi32(indices, v)
            }
        }
    }
    #[inline(always)]
    unsafe fn load_blocks(self, p: *const u8) -> __m512i {
        // SAFETY: the caller's contract.
        unsafe { _mm512_loadu_si512(p.cast()) }
    }
    #[inline(always)]
    unsafe fn store_blocks(self, p: *mut u8, v: __m512i) {
        // SAFETY: the caller's contract.
        unsafe { _mm512_storeu_si512(p.cast(), v) };
    }
    #[inline(always)]
    unsafe fn scatter_blocks(self, p: *mut u8, stride: isize, v: __m512i) {
        // SAFETY: the caller's contract.
        unsafe {
            _mm_storeu_si128(p.cast(), _mm512_castsi512_si128(v));
            _mm_storeu_si128(p.wrapping_offset(stride).cast(), _mm512_extracti32x4_epi32::<1>(v));
            _mm_storeu_si128(p.wrapping_offset(2 * stride).cast(), _mm512_extracti32x4_epi32::<2>(v));
            _mm_storeu_si128(p.wrapping_offset(3 * stride).cast(), _mm512_extracti32x4_epi32::<3>(v));
        }
    }
    #[inline(always)]
    fn interleave_lower<const SIZE: usize>(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves the ISA.
        unsafe {
            match SIZE {
                1 => _mm512_unpacklo_epi8(a, b),
                2 => _mm512_unpacklo_epi16(a, b),
                4 => _mm512_unpacklo_epi32(a, b),
                _ => _mm512_unpacklo_epi64(a, b),
            }
        }
    }
    #[inline(always)]
    fn interleave_upper<const SIZE: usize>(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves the ISA.
        unsafe {
            match SIZE {
                1 => _mm512_unpackhi_epi8(a, b),
                2 => _mm512_unpackhi_epi16(a, b),
                4 => _mm512_unpackhi_epi32(a, b),
                _ => _mm512_unpackhi_epi64(a, b),
            }
        }
    }
    #[inline(always)]
    fn splat_block(self, bytes: &[u8; 16]) -> __m512i {
        // SAFETY: 16 bytes are read; the token proves the ISA.
        unsafe { _mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast())) }
    }
    #[inline(always)]
    fn table_lookup_bytes_or_0(self, v: __m512i, indices: __m512i) -> __m512i {
        // SAFETY: the token proves the ISA.
        unsafe { _mm512_shuffle_epi8(v, indices) }
    }
    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves the ISA.
        unsafe { _mm512_or_si512(a, b) }
    }
    #[inline(always)]
    fn prefetch_l2(self, p: *const u8) {
        // SAFETY: a prefetch of any address is harmless.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(p.cast()) };
    }
}

impl<X: Copy + 'static> FourBlocks128 for Avx512Token<X>
where
    Self: Token,
{
    #[inline(always)]
    fn transpose_blocks(self, [a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
        // SAFETY: the token proves the ISA.
        unsafe {
            let (low_ab, high_ab) = (_mm512_shuffle_i64x2::<0x44>(a, b), _mm512_shuffle_i64x2::<0xee>(a, b));
            let (low_cd, high_cd) = (_mm512_shuffle_i64x2::<0x44>(c, d), _mm512_shuffle_i64x2::<0xee>(c, d));
            [
                _mm512_shuffle_i64x2::<0x88>(low_ab, low_cd),
                _mm512_shuffle_i64x2::<0xdd>(low_ab, low_cd),
                _mm512_shuffle_i64x2::<0x88>(high_ab, high_cd),
                _mm512_shuffle_i64x2::<0xdd>(high_ab, high_cd),
            ]
        }
    }
}
