//! [`Shuffle`] on x86-64: the instructions, and the window if it is smaller than a vector.
//!
//! | ISA | 1 byte | 2 bytes | 4 bytes |
//! |---|---|---|---|
//! | AVX2 | `vpshufb`, a window of 16 bytes | the same | `vpermd` |
//! | AVX-512 | `vpshufb`, a window of 16 bytes, masked load | `vpermw` | `vpermd` |
//! | AVX-512 with VBMI | `vpermb` | as AVX-512 | as AVX-512 |

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::avx512::{Avx512, Avx512Vbmi};
use crate::shuffle::Shuffle;

/// One row per ISA and unit size: units of a window and of a vector, whether masked loads are fast, the types of a mask
/// and of a vector (which is also the type of indices and windows), and the functions that make indices and masks, load
/// a window, shuffle and store.
macro_rules! shuffle {
    ($($token:ty, $size:literal: $window:literal to $out:literal, $masked:literal, $mask:ty, $vector:ty,
       [$indices:ident $to_mask:ident $load:ident $shuffle:ident $store:ident];)*) => {$(
        impl Shuffle<$size> for $token {
            const WINDOW: usize = $window;
            const OUT: usize = $out;
            const FAST_MASKED_LOAD: bool = $masked;
            type Indices = $vector;
            type LoadMask = $mask;
            type Window = $vector;
            type Vector = $vector;

            #[inline(always)]
            fn indices(self, units: &[u8; 64]) -> $vector {
                // SAFETY: the token proves the ISA.
                unsafe { $indices(units) }
            }
            #[inline(always)]
            fn load_mask(self, units: u64) -> $mask {
                // SAFETY: the token proves the ISA.
                unsafe { $to_mask(units) }
            }
            #[inline(always)]
            unsafe fn load_window(self, p: *const u8, mask: $mask, readable: usize) -> $vector {
                // SAFETY: the caller's contract; the token proves the ISA.
                unsafe { $load(p, mask, readable) }
            }
            #[inline(always)]
            fn shuffle(self, window: $vector, indices: $vector) -> $vector {
                // SAFETY: the token proves the ISA.
                unsafe { $shuffle(window, indices) }
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
    Avx2, 1: 16 to 32, false, u16, __m256i, [indices_u8x32 mask_u16 load_window_128 _mm256_shuffle_epi8 _mm256_storeu_si256];
    Avx2, 2: 8 to 16, false, u16, __m256i, [indices_u16x16 mask_byte_pairs load_window_128 _mm256_shuffle_epi8 _mm256_storeu_si256];
    Avx2, 4: 8 to 8, true, __m256i, __m256i, [indices_u32x8 mask_u32x8 load_window_u32x8 shuffle_u32x8 _mm256_storeu_si256];
    Avx512, 1: 16 to 64, true, u16, __m512i, [indices_u8x64 mask_u16 load_window_128_in_512 _mm512_shuffle_epi8 _mm512_storeu_si512];
    Avx512, 2: 32 to 32, true, u32, __m512i, [indices_u16x32 mask_u32 load_window_u16x32 shuffle_u16x32 _mm512_storeu_si512];
    Avx512, 4: 16 to 16, true, u16, __m512i, [indices_u32x16 mask_u16 load_window_u32x16 shuffle_u32x16 _mm512_storeu_si512];
    Avx512Vbmi, 1: 64 to 64, true, u64, __m512i, [indices_u8x64 mask_u64 load_window_u8x64 shuffle_u8x64 _mm512_storeu_si512];
}

/// Byte indices, unchanged.
///
/// # Safety
/// AVX2. The functions below refer to this contract, each with the features of its ISA. Functions that load also have
/// the contract of [`Shuffle::load_window`].
#[inline(always)]
unsafe fn indices_u8x32(units: &[u8; 64]) -> __m256i {
    // SAFETY: 32 of the 64 bytes are read.
    unsafe { _mm256_loadu_si256(units.as_ptr().cast()) }
}

/// Byte indices of units of 2 bytes: unit u is bytes 2u and 2u + 1.
///
/// # Safety
/// See [`indices_u8x32`].
#[inline(always)]
unsafe fn indices_u16x16(units: &[u8; 64]) -> __m256i {
    // SAFETY: 16 of the 64 bytes are read.
    unsafe {
        let low = _mm256_slli_epi16::<1>(_mm256_cvtepu8_epi16(_mm_loadu_si128(units.as_ptr().cast())));
        _mm256_or_si256(_mm256_or_si256(low, _mm256_slli_epi16::<8>(low)), _mm256_set1_epi16(0x0100))
    }
}

/// # Safety
/// See [`indices_u8x32`].
#[inline(always)]
unsafe fn indices_u32x8(units: &[u8; 64]) -> __m256i {
    // SAFETY: eight of the 64 bytes are read.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(units.as_ptr().cast())) }
}

/// # Safety
/// See [`indices_u8x32`]; AVX-512 F.
#[inline(always)]
unsafe fn indices_u8x64(units: &[u8; 64]) -> __m512i {
    // SAFETY: all 64 bytes are read.
    unsafe { _mm512_loadu_si512(units.as_ptr().cast()) }
}

/// # Safety
/// See [`indices_u8x32`]; AVX-512 BW.
#[inline(always)]
unsafe fn indices_u16x32(units: &[u8; 64]) -> __m512i {
    // SAFETY: 32 of the 64 bytes are read.
    unsafe { _mm512_cvtepu8_epi16(_mm256_loadu_si256(units.as_ptr().cast())) }
}

/// # Safety
/// See [`indices_u8x32`]; AVX-512 F.
#[inline(always)]
unsafe fn indices_u32x16(units: &[u8; 64]) -> __m512i {
    // SAFETY: 16 of the 64 bytes are read.
    unsafe { _mm512_cvtepu8_epi32(_mm_loadu_si128(units.as_ptr().cast())) }
}

/// # Safety
/// Safe on any CPU; `unsafe` only to match the other functions.
#[inline(always)]
unsafe fn mask_u16(units: u64) -> u16 {
    units as u16
}

/// # Safety
/// Safe on any CPU; `unsafe` only to match the other functions.
#[inline(always)]
unsafe fn mask_u32(units: u64) -> u32 {
    units as u32
}

/// # Safety
/// Safe on any CPU; `unsafe` only to match the other functions.
#[inline(always)]
unsafe fn mask_u64(units: u64) -> u64 {
    units
}

/// Two bits per unit, one per byte.
///
/// # Safety
/// Safe on any CPU; `unsafe` only to match the other functions.
#[inline(always)]
unsafe fn mask_byte_pairs(units: u64) -> u16 {
    let mut mask = 0;
    for i in 0..8 {
        mask |= ((units >> i & 1) as u16 * 3) << (2 * i);
    }
    mask
}

/// Lane i is all ones if bit i is set.
///
/// # Safety
/// See [`indices_u8x32`].
#[inline(always)]
unsafe fn mask_u32x8(units: u64) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
        _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(units as i32), bits), bits)
    }
}

/// Loads a window of 16 bytes into both blocks of a vector; `mask` has a bit per byte.
///
/// # Safety
/// As [`Shuffle::load_window`].
#[inline(always)]
unsafe fn load_window_128(p: *const u8, mask: u16, readable: usize) -> __m256i {
    // SAFETY: all 16 bytes are readable, or else only the bytes of the mask are read, which are readable; AVX2.
    unsafe {
        if readable >= 16 {
            return _mm256_broadcastsi128_si256(_mm_loadu_si128(p.cast()));
        }
        let mut bytes = [0u8; 16];
        for (i, byte) in bytes.iter_mut().enumerate() {
            if mask >> i & 1 != 0 {
                *byte = p.add(i).read();
            }
        }
        _mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()))
    }
}

/// # Safety
/// See [`indices_u8x32`].
#[inline(always)]
unsafe fn load_window_u32x8(p: *const u8, mask: __m256i, _: usize) -> __m256i {
    // SAFETY: the caller's contract; masked-off lanes are not read.
    unsafe { _mm256_maskload_epi32(p.cast(), mask) }
}

/// Loads a window of 16 bytes into all four blocks.
///
/// # Safety
/// See [`indices_u8x32`]; AVX-512 BW and VL.
#[inline(always)]
unsafe fn load_window_128_in_512(p: *const u8, mask: u16, _: usize) -> __m512i {
    // SAFETY: the caller's contract; masked-off lanes are not read.
    unsafe { _mm512_broadcast_i32x4(_mm_maskz_loadu_epi8(mask, p.cast())) }
}

/// # Safety
/// See [`indices_u8x32`]; AVX-512 BW.
#[inline(always)]
unsafe fn load_window_u8x64(p: *const u8, mask: u64, _: usize) -> __m512i {
    // SAFETY: the caller's contract; masked-off lanes are not read.
    unsafe { _mm512_maskz_loadu_epi8(mask, p.cast()) }
}

/// # Safety
/// See [`indices_u8x32`]; AVX-512 BW.
#[inline(always)]
unsafe fn load_window_u16x32(p: *const u8, mask: u32, _: usize) -> __m512i {
    // SAFETY: the caller's contract; masked-off lanes are not read.
    unsafe { _mm512_maskz_loadu_epi16(mask, p.cast()) }
}

/// # Safety
/// See [`indices_u8x32`]; AVX-512 F.
#[inline(always)]
unsafe fn load_window_u32x16(p: *const u8, mask: u16, _: usize) -> __m512i {
    // SAFETY: the caller's contract; masked-off lanes are not read.
    unsafe { _mm512_maskz_loadu_epi32(mask, p.cast()) }
}

/// # Safety
/// See [`indices_u8x32`].
#[inline(always)]
unsafe fn shuffle_u32x8(window: __m256i, indices: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_permutevar8x32_epi32(window, indices) }
}

/// # Safety
/// See [`indices_u8x32`]; AVX-512 VBMI.
#[inline(always)]
unsafe fn shuffle_u8x64(window: __m512i, indices: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi8(indices, window) }
}

/// # Safety
/// See [`indices_u8x32`]; AVX-512 BW.
#[inline(always)]
unsafe fn shuffle_u16x32(window: __m512i, indices: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi16(indices, window) }
}

/// # Safety
/// See [`indices_u8x32`]; AVX-512 F.
#[inline(always)]
unsafe fn shuffle_u32x16(window: __m512i, indices: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi32(indices, window) }
}
