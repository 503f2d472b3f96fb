//! Shuffles of x86-64.
//!
//! | level | 1 byte | 2 bytes | 4 bytes |
//! |---|---|---|---|
//! | AVX2 | `vpshufb`, window of 16 bytes | the same | `vpermd` |
//! | AVX-512 | the same, masked load | `vpermw` | `vpermd` |
//! | AVX-512 with VBMI | `vpermb` | `vpermw` | `vpermd` |

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::avx512::{Avx512, Avx512Vbmi};
use crate::shuffle::Shuffle;

/// Masks of `vpmaskmovd`: eight from `8 - n` on have the first `n` lanes set.
pub(super) const FIRST_WORDS: [i32; 16] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];

/// A row for each level and size of units: the units of a window and of a vector, whether windows load under a mask, the
/// types of a need and of a vector (an order and a window are vectors too), and the functions that make an order and a need,
/// load a window, shuffle and store.
macro_rules! shuffle {
    ($($level:ty, $size:literal: $window:literal to $out:literal, $masked:literal, $need:ty, $vector:ty,
       [$order:ident $needed:ident $load:ident $shuffle:ident $store:ident];)*) => {$(
        impl Shuffle<$size> for $level {
            const WINDOW: usize = $window;
            const OUT: usize = $out;
            const MASKED: bool = $masked;
            type Order = $vector;
            type Need = $need;
            type Window = $vector;
            type Vector = $vector;

            #[inline(always)]
            fn order(self, units: &[u8; 64]) -> $vector {
                // SAFETY: the token proves the level.
                unsafe { $order(units) }
            }
            #[inline(always)]
            fn need(self, units: u64) -> $need {
                // SAFETY: the token proves the level.
                unsafe { $needed(units) }
            }
            #[inline(always)]
            unsafe fn window(self, p: *const u8, need: $need, readable: usize) -> $vector {
                // SAFETY: the caller's contract; the token proves the level.
                unsafe { $load(p, need, readable) }
            }
            #[inline(always)]
            fn shuffle(self, window: $vector, order: $vector) -> $vector {
                // SAFETY: the token proves the level.
                unsafe { $shuffle(window, order) }
            }
            #[inline(always)]
            unsafe fn store_units(self, p: *mut u8, v: $vector) {
                // SAFETY: the caller's contract.
                unsafe { $store(p.cast(), v) };
            }
        }
    )*};
}

shuffle! {
    Avx2, 1: 16 to 32, false, u16, __m256i, [bytes_32 first_16 window_16 _mm256_shuffle_epi8 _mm256_storeu_si256];
    Avx2, 2: 8 to 16, false, u16, __m256i, [pairs_32 both_bytes window_16 _mm256_shuffle_epi8 _mm256_storeu_si256];
    Avx2, 4: 8 to 8, true, __m256i, __m256i, [words_32 lanes_32 window_words_32 by_words_32 _mm256_storeu_si256];
    Avx512, 1: 16 to 64, true, u16, __m512i, [bytes_64 first_16 window_16_64 _mm512_shuffle_epi8 _mm512_storeu_si512];
    Avx512, 2: 32 to 32, true, u32, __m512i, [halves_64 first_32 window_halves_64 by_halves_64 _mm512_storeu_si512];
    Avx512, 4: 16 to 16, true, u16, __m512i, [words_64 first_16 window_words_64 by_words_64 _mm512_storeu_si512];
    Avx512Vbmi, 1: 64 to 64, true, u64, __m512i, [bytes_64 first_64 window_bytes_64 by_bytes_64 _mm512_storeu_si512];
}

/// Orders of bytes, as they are.
///
/// # Safety
/// AVX2. So for the other functions, each with the features of its level; those that load have the contract of
/// [`Shuffle::window`].
#[inline(always)]
unsafe fn bytes_32(units: &[u8; 64]) -> __m256i {
    // SAFETY: 32 of the 64 bytes are read.
    unsafe { _mm256_loadu_si256(units.as_ptr().cast()) }
}

/// Orders of 2 bytes: unit u is bytes 2u and 2u + 1.
///
/// # Safety
/// See [`bytes_32`].
#[inline(always)]
unsafe fn pairs_32(units: &[u8; 64]) -> __m256i {
    // SAFETY: 16 of the 64 bytes are read.
    unsafe {
        let low = _mm256_slli_epi16::<1>(_mm256_cvtepu8_epi16(_mm_loadu_si128(units.as_ptr().cast())));
        _mm256_or_si256(_mm256_or_si256(low, _mm256_slli_epi16::<8>(low)), _mm256_set1_epi16(0x0100))
    }
}

/// # Safety
/// See [`bytes_32`].
#[inline(always)]
unsafe fn words_32(units: &[u8; 64]) -> __m256i {
    // SAFETY: eight of the 64 bytes are read.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(units.as_ptr().cast())) }
}

/// # Safety
/// See [`bytes_32`]; AVX-512 F.
#[inline(always)]
unsafe fn bytes_64(units: &[u8; 64]) -> __m512i {
    // SAFETY: all 64 bytes are read.
    unsafe { _mm512_loadu_si512(units.as_ptr().cast()) }
}

/// # Safety
/// See [`bytes_32`]; AVX-512 BW.
#[inline(always)]
unsafe fn halves_64(units: &[u8; 64]) -> __m512i {
    // SAFETY: 32 of the 64 bytes are read.
    unsafe { _mm512_cvtepu8_epi16(_mm256_loadu_si256(units.as_ptr().cast())) }
}

/// # Safety
/// See [`bytes_32`]; AVX-512 F.
#[inline(always)]
unsafe fn words_64(units: &[u8; 64]) -> __m512i {
    // SAFETY: 16 of the 64 bytes are read.
    unsafe { _mm512_cvtepu8_epi32(_mm_loadu_si128(units.as_ptr().cast())) }
}

/// # Safety
/// See [`bytes_32`]; none is needed.
#[inline(always)]
unsafe fn first_16(units: u64) -> u16 {
    units as u16
}

/// # Safety
/// See [`bytes_32`]; none is needed.
#[inline(always)]
unsafe fn first_32(units: u64) -> u32 {
    units as u32
}

/// # Safety
/// See [`bytes_32`]; none is needed.
#[inline(always)]
unsafe fn first_64(units: u64) -> u64 {
    units
}

/// A bit a byte, of units of two.
///
/// # Safety
/// See [`bytes_32`]; none is needed.
#[inline(always)]
unsafe fn both_bytes(units: u64) -> u16 {
    let mut need = 0;
    for i in 0..8 {
        need |= ((units >> i & 1) as u16 * 3) << (2 * i);
    }
    need
}

/// Lane i keeps bit i alone, and is all ones where it is set.
///
/// # Safety
/// See [`bytes_32`].
#[inline(always)]
unsafe fn lanes_32(units: u64) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(units as i32), bits), bits)
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

/// # Safety
/// See [`bytes_32`].
#[inline(always)]
unsafe fn window_words_32(p: *const u8, need: __m256i, _: usize) -> __m256i {
    // SAFETY: masked-off lanes are not touched.
    unsafe { _mm256_maskload_epi32(p.cast(), need) }
}

/// The window is in each of the four parts.
///
/// # Safety
/// See [`bytes_32`]; AVX-512 BW and VL.
#[inline(always)]
unsafe fn window_16_64(p: *const u8, need: u16, _: usize) -> __m512i {
    // SAFETY: masked-off lanes are not touched.
    unsafe { _mm512_broadcast_i32x4(_mm_maskz_loadu_epi8(need, p.cast())) }
}

/// # Safety
/// See [`bytes_32`]; AVX-512 BW.
#[inline(always)]
unsafe fn window_bytes_64(p: *const u8, need: u64, _: usize) -> __m512i {
    // SAFETY: masked-off lanes are not touched.
    unsafe { _mm512_maskz_loadu_epi8(need, p.cast()) }
}

/// # Safety
/// See [`bytes_32`]; AVX-512 BW.
#[inline(always)]
unsafe fn window_halves_64(p: *const u8, need: u32, _: usize) -> __m512i {
    // SAFETY: masked-off lanes are not touched.
    unsafe { _mm512_maskz_loadu_epi16(need, p.cast()) }
}

/// # Safety
/// See [`bytes_32`]; AVX-512 F.
#[inline(always)]
unsafe fn window_words_64(p: *const u8, need: u16, _: usize) -> __m512i {
    // SAFETY: masked-off lanes are not touched.
    unsafe { _mm512_maskz_loadu_epi32(need, p.cast()) }
}

/// # Safety
/// See [`bytes_32`].
#[inline(always)]
unsafe fn by_words_32(window: __m256i, order: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_permutevar8x32_epi32(window, order) }
}

/// # Safety
/// See [`bytes_32`]; AVX-512 VBMI.
#[inline(always)]
unsafe fn by_bytes_64(window: __m512i, order: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi8(order, window) }
}

/// # Safety
/// See [`bytes_32`]; AVX-512 BW.
#[inline(always)]
unsafe fn by_halves_64(window: __m512i, order: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi16(order, window) }
}

/// # Safety
/// See [`bytes_32`]; AVX-512 F.
#[inline(always)]
unsafe fn by_words_64(window: __m512i, order: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi32(order, window) }
}
