//! Shuffles of x86-64.
//!
//! | level | 1 byte | 2 bytes | 4 bytes |
//! |---|---|---|---|
//! | AVX2 | `vpshufb`, window of 16 bytes | the same | `vpermd` |
//! | AVX-512 | the same, masked load | `vpermw` | `vpermd` |
//! | AVX-512 with VBMI | `vpermb` | `vpermw` | `vpermd` |

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::avx512::{Avx512, Avx512Fp16, Avx512Token};
use crate::shuffle::Shuffle;
use crate::token::Token;

/// Masks of `vpmaskmovd`: eight from `8 - n` on have the first `n` lanes set.
pub(super) const FIRST_WORDS: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

impl Shuffle<4> for Avx2 {
    const WINDOW: usize = 8;
    const OUT: usize = 8;
    const MASKED: bool = true;
    type Order = __m256i;
    type Need = __m256i;
    type Window = __m256i;
    type Vector = __m256i;

    #[inline(always)]
    fn order(self, units: &[u8; 64]) -> __m256i {
        // SAFETY: AVX2; eight of the 64 bytes are read.
        unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(units.as_ptr().cast())) }
    }
    #[inline(always)]
    fn need(self, units: u64) -> __m256i {
        // SAFETY: AVX2. Lane i keeps bit i alone, and is all ones where it is set.
        unsafe {
            let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(units as i32), bits), bits)
        }
    }
    #[inline(always)]
    unsafe fn window(self, p: *const u8, need: __m256i, _: usize) -> __m256i {
        // SAFETY: masked-off lanes are not touched.
        unsafe { _mm256_maskload_epi32(p.cast(), need) }
    }
    #[inline(always)]
    fn shuffle(self, window: __m256i, order: __m256i) -> __m256i {
        // SAFETY: AVX2.
        unsafe { _mm256_permutevar8x32_epi32(window, order) }
    }
    #[inline(always)]
    unsafe fn store_units(self, p: *mut u8, v: __m256i) {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe { _mm256_storeu_si256(p.cast(), v) };
    }
}

impl<X: Copy + 'static> Shuffle<4> for Avx512Token<X>
where
    Self: Token,
{
    const WINDOW: usize = 16;
    const OUT: usize = 16;
    const MASKED: bool = true;
    type Order = __m512i;
    type Need = __mmask16;
    type Window = __m512i;
    type Vector = __m512i;

    #[inline(always)]
    fn order(self, units: &[u8; 64]) -> __m512i {
        // SAFETY: AVX-512 F; 16 of the 64 bytes are read.
        unsafe { _mm512_cvtepu8_epi32(_mm_loadu_si128(units.as_ptr().cast())) }
    }
    #[inline(always)]
    fn need(self, units: u64) -> __mmask16 {
        units as u16
    }
    #[inline(always)]
    unsafe fn window(self, p: *const u8, need: __mmask16, _: usize) -> __m512i {
        // SAFETY: masked-off lanes are not touched.
        unsafe { _mm512_maskz_loadu_epi32(need, p.cast()) }
    }
    #[inline(always)]
    fn shuffle(self, window: __m512i, order: __m512i) -> __m512i {
        // SAFETY: AVX-512 F.
        unsafe { _mm512_permutexvar_epi32(order, window) }
    }
    #[inline(always)]
    unsafe fn store_units(self, p: *mut u8, v: __m512i) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe { _mm512_storeu_si512(p.cast(), v) };
    }
}

impl<X: Copy + 'static> Shuffle<2> for Avx512Token<X>
where
    Self: Token,
{
    const WINDOW: usize = 32;
    const OUT: usize = 32;
    const MASKED: bool = true;
    type Order = __m512i;
    type Need = __mmask32;
    type Window = __m512i;
    type Vector = __m512i;

    #[inline(always)]
    fn order(self, units: &[u8; 64]) -> __m512i {
        // SAFETY: AVX-512 BW; 32 of the 64 bytes are read.
        unsafe { _mm512_cvtepu8_epi16(_mm256_loadu_si256(units.as_ptr().cast())) }
    }
    #[inline(always)]
    fn need(self, units: u64) -> __mmask32 {
        units as u32
    }
    #[inline(always)]
    unsafe fn window(self, p: *const u8, need: __mmask32, _: usize) -> __m512i {
        // SAFETY: masked-off lanes are not touched.
        unsafe { _mm512_maskz_loadu_epi16(need, p.cast()) }
    }
    #[inline(always)]
    fn shuffle(self, window: __m512i, order: __m512i) -> __m512i {
        // SAFETY: AVX-512 BW.
        unsafe { _mm512_permutexvar_epi16(order, window) }
    }
    #[inline(always)]
    unsafe fn store_units(self, p: *mut u8, v: __m512i) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe { _mm512_storeu_si512(p.cast(), v) };
    }
}

impl Shuffle<1> for Avx512Fp16 {
    const WINDOW: usize = 64;
    const OUT: usize = 64;
    const MASKED: bool = true;
    type Order = __m512i;
    type Need = __mmask64;
    type Window = __m512i;
    type Vector = __m512i;

    #[inline(always)]
    fn order(self, units: &[u8; 64]) -> __m512i {
        // SAFETY: AVX-512 F; all 64 bytes are read.
        unsafe { _mm512_loadu_si512(units.as_ptr().cast()) }
    }
    #[inline(always)]
    fn need(self, units: u64) -> __mmask64 {
        units
    }
    #[inline(always)]
    unsafe fn window(self, p: *const u8, need: __mmask64, _: usize) -> __m512i {
        // SAFETY: masked-off lanes are not touched.
        unsafe { _mm512_maskz_loadu_epi8(need, p.cast()) }
    }
    #[inline(always)]
    fn shuffle(self, window: __m512i, order: __m512i) -> __m512i {
        // SAFETY: AVX-512 VBMI, which this level has.
        unsafe { _mm512_permutexvar_epi8(order, window) }
    }
    #[inline(always)]
    unsafe fn store_units(self, p: *mut u8, v: __m512i) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe { _mm512_storeu_si512(p.cast(), v) };
    }
}

impl Shuffle<1> for Avx512 {
    const WINDOW: usize = 16;
    const OUT: usize = 64;
    const MASKED: bool = true;
    type Order = __m512i;
    type Need = __mmask16;
    type Window = __m512i;
    type Vector = __m512i;

    #[inline(always)]
    fn order(self, units: &[u8; 64]) -> __m512i {
        // SAFETY: AVX-512 F; all 64 bytes are read.
        unsafe { _mm512_loadu_si512(units.as_ptr().cast()) }
    }
    #[inline(always)]
    fn need(self, units: u64) -> __mmask16 {
        units as u16
    }
    #[inline(always)]
    unsafe fn window(self, p: *const u8, need: __mmask16, _: usize) -> __m512i {
        // SAFETY: masked-off lanes are not touched; the window is in each of the four parts.
        unsafe { _mm512_broadcast_i32x4(_mm_maskz_loadu_epi8(need, p.cast())) }
    }
    #[inline(always)]
    fn shuffle(self, window: __m512i, order: __m512i) -> __m512i {
        // SAFETY: AVX-512 BW.
        unsafe { _mm512_shuffle_epi8(window, order) }
    }
    #[inline(always)]
    unsafe fn store_units(self, p: *mut u8, v: __m512i) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe { _mm512_storeu_si512(p.cast(), v) };
    }
}

/// A window of 16 bytes in both halves of a vector; `need` is a bit a byte.
///
/// # Safety
/// As [`Shuffle::window`].
#[inline(always)]
unsafe fn window_16(p: *const u8, need: u16, readable: usize) -> __m256i {
    // SAFETY: all 16 bytes are readable, or those needed are; AVX2.
    unsafe {
        if readable >= 16 {
            return _mm256_broadcastsi128_si256(_mm_loadu_si128(p.cast()));
        }
        let mut bytes = [0u8; 16];
        for (i, byte) in bytes.iter_mut().enumerate() {
            if need >> i & 1 != 0 {
                *byte = p.add(i).read();
            }
        }
        _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()))
    }
}

impl Shuffle<1> for Avx2 {
    const WINDOW: usize = 16;
    const OUT: usize = 32;
    const MASKED: bool = false;
    type Order = __m256i;
    type Need = u16;
    type Window = __m256i;
    type Vector = __m256i;

    #[inline(always)]
    fn order(self, units: &[u8; 64]) -> __m256i {
        // SAFETY: AVX2; 32 of the 64 bytes are read.
        unsafe { _mm256_loadu_si256(units.as_ptr().cast()) }
    }
    #[inline(always)]
    fn need(self, units: u64) -> u16 {
        units as u16
    }
    #[inline(always)]
    unsafe fn window(self, p: *const u8, need: u16, readable: usize) -> __m256i {
        // SAFETY: the caller's contract.
        unsafe { window_16(p, need, readable) }
    }
    #[inline(always)]
    fn shuffle(self, window: __m256i, order: __m256i) -> __m256i {
        // SAFETY: AVX2.
        unsafe { _mm256_shuffle_epi8(window, order) }
    }
    #[inline(always)]
    unsafe fn store_units(self, p: *mut u8, v: __m256i) {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe { _mm256_storeu_si256(p.cast(), v) };
    }
}

impl Shuffle<2> for Avx2 {
    const WINDOW: usize = 8;
    const OUT: usize = 16;
    const MASKED: bool = false;
    type Order = __m256i;
    type Need = u16;
    type Window = __m256i;
    type Vector = __m256i;

    #[inline(always)]
    fn order(self, units: &[u8; 64]) -> __m256i {
        // SAFETY: AVX2; 16 of the 64 bytes are read. Unit u is bytes 2u and 2u + 1.
        unsafe {
            let low = _mm256_slli_epi16::<1>(_mm256_cvtepu8_epi16(_mm_loadu_si128(units.as_ptr().cast())));
            _mm256_or_si256(_mm256_or_si256(low, _mm256_slli_epi16::<8>(low)), _mm256_set1_epi16(0x0100))
        }
    }
    #[inline(always)]
    fn need(self, units: u64) -> u16 {
        let mut need = 0;
        for i in 0..8 {
            need |= ((units >> i & 1) as u16 * 3) << (2 * i);
        }
        need
    }
    #[inline(always)]
    unsafe fn window(self, p: *const u8, need: u16, readable: usize) -> __m256i {
        // SAFETY: the caller's contract.
        unsafe { window_16(p, need, readable) }
    }
    #[inline(always)]
    fn shuffle(self, window: __m256i, order: __m256i) -> __m256i {
        // SAFETY: AVX2.
        unsafe { _mm256_shuffle_epi8(window, order) }
    }
    #[inline(always)]
    unsafe fn store_units(self, p: *mut u8, v: __m256i) {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe { _mm256_storeu_si256(p.cast(), v) };
    }
}
