//! [`Blocks128`] on x86-64: loads that insert a 128-bit block, which halves the number of shuffles in a transpose, and
//! unpacks.

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::avx512::Avx512Token;
use crate::blocks::{Blocks128, NarrowBlocks};
use crate::token::Token;

impl Blocks128 for Avx2 {
    const BLOCKS: usize = 2;
    type Vector = __m256i;

    #[inline(always)]
    unsafe fn load_rows(self, rows: *const *const u8, step: usize, at: isize) -> __m256i {
        // SAFETY: the caller's contract.
        unsafe {
            let low = _mm256_castsi128_si256(_mm_loadu_si128((*rows).wrapping_offset(at).cast()));
            _mm256_inserti128_si256::<1>(low, _mm_loadu_si128((*rows.add(step)).wrapping_offset(at).cast()))
        }
    }
    #[inline(always)]
    unsafe fn load_windows(self, p: *const u8, offsets: *const i32) -> __m256i {
        // SAFETY: the caller's contract.
        unsafe {
            let low = _mm256_castsi128_si256(_mm_loadu_si128(p.wrapping_offset(*offsets as isize).cast()));
            let high = _mm_loadu_si128(p.wrapping_offset(*offsets.add(1) as isize).cast());
            _mm256_inserti128_si256::<1>(low, high)
        }
    }
    #[inline(always)]
    unsafe fn store_halves(self, p: *mut u8, q: *mut u8, v: __m256i) {
        // SAFETY: the caller's contract.
        unsafe {
            let v = _mm256_castsi256_si128(v);
            _mm_storel_epi64(p.cast(), v);
            _mm_storeh_pd(q.cast(), _mm_castsi128_pd(v));
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
    unsafe fn store_overlapping(self, p: *mut u8, last: isize, v: __m256i) {
        // SAFETY: the caller's contract.
        unsafe {
            _mm_storeu_si128(p.cast(), _mm256_castsi256_si128(v));
            _mm_storeu_si128(p.wrapping_offset(last).cast(), _mm256_extracti128_si256::<1>(v));
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
    fn table_lookup_bytes_or_0(self, v: __m256i, indices: __m256i) -> __m256i {
        // SAFETY: the token proves the ISA.
        unsafe { _mm256_shuffle_epi8(v, indices) }
    }
    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves the ISA.
        unsafe { _mm256_or_si256(a, b) }
    }
}

impl<X: Copy + 'static> Blocks128 for Avx512Token<X>
where
    Self: Token,
{
    const BLOCKS: usize = 4;
    type Vector = __m512i;

    #[inline(always)]
    unsafe fn load_rows(self, rows: *const *const u8, step: usize, at: isize) -> __m512i {
        // SAFETY: the caller's contract.
        unsafe {
            let v = _mm512_castsi128_si512(_mm_loadu_si128((*rows).wrapping_offset(at).cast()));
            let v = _mm512_inserti32x4::<1>(v, _mm_loadu_si128((*rows.add(step)).wrapping_offset(at).cast()));
            let v = _mm512_inserti32x4::<2>(v, _mm_loadu_si128((*rows.add(2 * step)).wrapping_offset(at).cast()));
            _mm512_inserti32x4::<3>(v, _mm_loadu_si128((*rows.add(3 * step)).wrapping_offset(at).cast()))
        }
    }
    #[inline(always)]
    unsafe fn load_windows(self, p: *const u8, offsets: *const i32) -> __m512i {
        // SAFETY: the caller's contract.
        unsafe {
            let v = _mm512_castsi128_si512(_mm_loadu_si128(p.wrapping_offset(*offsets as isize).cast()));
            let v = _mm512_inserti32x4::<1>(v, _mm_loadu_si128(p.wrapping_offset(*offsets.add(1) as isize).cast()));
            let v = _mm512_inserti32x4::<2>(v, _mm_loadu_si128(p.wrapping_offset(*offsets.add(2) as isize).cast()));
            _mm512_inserti32x4::<3>(v, _mm_loadu_si128(p.wrapping_offset(*offsets.add(3) as isize).cast()))
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
    unsafe fn store_overlapping(self, p: *mut u8, last: isize, v: __m512i) {
        // SAFETY: the caller's contract.
        unsafe {
            _mm_storeu_si128(p.cast(), _mm512_castsi512_si128(v));
            _mm_storeu_si128(p.wrapping_offset(last.min(16)).cast(), _mm512_extracti32x4_epi32::<1>(v));
            _mm_storeu_si128(p.wrapping_offset(last.min(32)).cast(), _mm512_extracti32x4_epi32::<2>(v));
            _mm_storeu_si128(p.wrapping_offset(last).cast(), _mm512_extracti32x4_epi32::<3>(v));
        }
    }
    #[inline(always)]
    unsafe fn store_halves(self, p: *mut u8, q: *mut u8, v: __m512i) {
        // SAFETY: the caller's contract.
        unsafe {
            let v = _mm512_castsi512_si128(v);
            _mm_storel_epi64(p.cast(), v);
            _mm_storeh_pd(q.cast(), _mm_castsi128_pd(v));
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
    fn table_lookup_bytes_or_0(self, v: __m512i, indices: __m512i) -> __m512i {
        // SAFETY: the token proves the ISA.
        unsafe { _mm512_shuffle_epi8(v, indices) }
    }
    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the token proves the ISA.
        unsafe { _mm512_or_si512(a, b) }
    }
}

impl NarrowBlocks for Avx2 {
    type Narrow = Avx2;

    #[inline(always)]
    fn narrow(self) -> Avx2 {
        self
    }
}

impl<X: Copy + 'static> NarrowBlocks for Avx512Token<X>
where
    Self: Token,
{
    type Narrow = Avx2;

    #[inline(always)]
    fn narrow(self) -> Avx2 {
        // SAFETY: AVX-512 includes AVX2.
        unsafe { Avx2::new_unchecked() }
    }
}
