//! [`Permute`] on x86-64: the instructions for one window; after a semicolon, for two windows.
//!
//! | ISA | 1 byte | 2 bytes | 4 bytes |
//! |---|---|---|---|
//! | AVX2 | two `vpshufb` per 128-bit block; the blocks have different windows | the same | `vpermd`; two, and `vblendvps` |
//! | AVX-512 | none | `vpermw`; `vpermt2w` | `vpermd`; `vpermt2d` |
//! | AVX-512 with VBMI | `vpermb`; `vpermt2b` | none: as AVX-512 | none: as AVX-512 |
//! | AVX-512 FP16 | none | as AVX-512 | none: as AVX-512 |

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::avx2::load_n::{N_WORDS, load_n_256, store_n_256};
use super::avx512::{Avx512, Avx512Fp16, Avx512Vbmi, mask_n};
use crate::permute::{Permute, indices_of_bytes_by_block, indices_of_elements, indices_of_words_in_two_windows};

/// The loads and stores of an ISA, and a row for each element size: how indices are made, `BLOCKWISE`, and the
/// functions that permute one window and two.
macro_rules! permute {
    ($token:ty, $vector:ty, $bytes:literal, $load:ident, $load_n:ident, $store:ident, $store_n:ident,
     $($size:literal: $to_indices:expr, $blockwise:literal, $permute:ident, $permute2:ident;)*) => {$(
        impl Permute<$size> for $token {
            const BYTES: usize = $bytes;
            const BLOCKWISE: bool = $blockwise;
            type Vector = $vector;

            #[inline]
            fn indices(sources: &[u8]) -> Option<[u8; 64]> {
                $to_indices(sources)
            }
            #[inline(always)]
            unsafe fn load_window(self, p: *const u8) -> $vector {
                // SAFETY: the caller's contract.
                unsafe { $load(p.cast()) }
            }
            #[inline(always)]
            unsafe fn load_window_n(self, p: *const u8, n: usize) -> $vector {
                // SAFETY: the caller's contract.
                unsafe { $load_n::<$size>(p, n) }
            }
            #[inline(always)]
            unsafe fn permute(self, window: $vector, indices: *const u8) -> $vector {
                // SAFETY: the indices are readable; the token proves the ISA.
                unsafe { $permute(window, indices) }
            }
            #[inline(always)]
            unsafe fn permute2(self, [a, b]: [$vector; 2], indices: *const u8) -> $vector {
                // SAFETY: the indices are readable; the token proves the ISA.
                unsafe { $permute2(a, b, indices) }
            }
            #[inline(always)]
            unsafe fn store_window(self, p: *mut u8, v: $vector) {
                // SAFETY: the caller's contract.
                unsafe { $store(p.cast(), v) };
            }
            #[inline(always)]
            unsafe fn store_window_n(self, p: *mut u8, n: usize, v: $vector) {
                // SAFETY: the caller's contract.
                unsafe { $store_n::<$size>(p, n, v) };
            }
        }
    )*};
}

permute!(Avx2, __m256i, 32, _mm256_loadu_si256, load_window_n_256, _mm256_storeu_si256, store_window_n_256,
    1: indices_of_bytes_by_block, true, permute_by_block, permute2_by_block;
    2: indices_of_bytes_by_block, true, permute_by_block, permute2_by_block;
    4: indices_of_words_in_two_windows, false, permute_u32x8, permute2_u32x8;
);
permute!(Avx512, __m512i, 64, _mm512_loadu_si512, load_window_n_512, _mm512_storeu_si512, store_window_n_512,
    2: |p| indices_of_elements(p, 2), false, permute_u16x32, permute2_u16x32;
    4: |p| indices_of_elements(p, 4), false, permute_u32x16, permute2_u32x16;
);
permute!(Avx512Vbmi, __m512i, 64, _mm512_loadu_si512, load_window_n_512, _mm512_storeu_si512, store_window_n_512,
    1: |p| indices_of_elements(p, 1), false, permute_u8x64, permute2_u8x64;
);
permute!(Avx512Fp16, __m512i, 64, _mm512_loadu_si512, load_window_n_512, _mm512_storeu_si512, store_window_n_512,
    2: |p| indices_of_elements(p, 2), false, permute_u16x32, permute2_u16x32;
);

/// # Safety
/// AVX2; `p` is writable for `n` bytes, at most 32.
#[inline(always)]
unsafe fn store_window_n_256<const SIZE: usize>(p: *mut u8, n: usize, v: __m256i) {
    // SAFETY: the caller's contract.
    unsafe { store_n_256(p, n, v) };
}

/// # Safety
/// AVX-512 BW; `p` is writable for `n` bytes, at most 64.
#[inline(always)]
unsafe fn store_window_n_512<const SIZE: usize>(p: *mut u8, n: usize, v: __m512i) {
    // SAFETY: the caller's contract; masked-off bytes are not accessed.
    unsafe { _mm512_mask_storeu_epi8(p.cast(), mask_n(n), v) };
}

/// # Safety
/// AVX2; `p` is readable for `n` bytes, at most 32, elements of `SIZE` bytes.
#[inline(always)]
unsafe fn load_window_n_256<const SIZE: usize>(p: *const u8, n: usize) -> __m256i {
    // SAFETY: masked-off words are not read; the caller's contract.
    unsafe {
        if SIZE == 4 {
            let mask = N_WORDS.as_ptr().add(8 - n / 4);
            return _mm256_maskload_epi32(p.cast(), _mm256_loadu_si256(mask.cast()));
        }
        load_n_256(p, n)
    }
}

/// # Safety
/// AVX-512 BW; `p` is readable for `n` bytes, at most 64.
#[inline(always)]
unsafe fn load_window_n_512<const SIZE: usize>(p: *const u8, n: usize) -> __m512i {
    // SAFETY: the caller's contract; masked-off bytes are not accessed.
    unsafe { _mm512_maskz_loadu_epi8(mask_n(n), p.cast()) }
}

/// # Safety
/// AVX2; `indices` is readable for 32 bytes. The functions below refer to this contract, with their own features and
/// sizes.
#[inline(always)]
unsafe fn permute_u32x8(window: __m256i, indices: *const u8) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_permutevar8x32_epi32(window, _mm256_loadu_si256(indices.cast())) }
}

/// # Safety
/// See [`permute_u32x8`]; 64 bytes.
#[inline(always)]
unsafe fn permute_by_block(window: __m256i, indices: *const u8) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { permute2_by_block(window, window, indices) }
}

/// # Safety
/// See [`permute_u32x8`]; 64 bytes.
#[inline(always)]
unsafe fn permute2_by_block(a: __m256i, b: __m256i, indices: *const u8) -> __m256i {
    // SAFETY: the caller's contract. First the lower 16 bytes of both windows, then the upper 16.
    unsafe {
        let low = _mm256_permute2x128_si256::<0x20>(a, b);
        let high = _mm256_permute2x128_si256::<0x31>(a, b);
        let low = _mm256_shuffle_epi8(low, _mm256_loadu_si256(indices.cast()));
        _mm256_or_si256(low, _mm256_shuffle_epi8(high, _mm256_loadu_si256(indices.add(32).cast())))
    }
}

/// # Safety
/// See [`permute_u32x8`]; AVX-512 F, 64 bytes.
#[inline(always)]
unsafe fn permute_u32x16(window: __m512i, indices: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi32(_mm512_loadu_si512(indices.cast()), window) }
}

/// # Safety
/// See [`permute_u32x8`]; AVX-512 BW, 64 bytes.
#[inline(always)]
unsafe fn permute_u16x32(window: __m512i, indices: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi16(_mm512_loadu_si512(indices.cast()), window) }
}

/// # Safety
/// See [`permute_u32x8`]; AVX-512 VBMI, 64 bytes.
#[inline(always)]
unsafe fn permute_u8x64(window: __m512i, indices: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi8(_mm512_loadu_si512(indices.cast()), window) }
}

/// # Safety
/// See [`permute_u32x8`].
#[inline(always)]
unsafe fn permute2_u32x8(a: __m256i, b: __m256i, indices: *const u8) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let from_second = _mm256_loadu_ps(indices.cast());
        let (a, b) = (_mm256_castsi256_ps(permute_u32x8(a, indices)), _mm256_castsi256_ps(permute_u32x8(b, indices)));
        _mm256_castps_si256(_mm256_blendv_ps(a, b, from_second))
    }
}

/// # Safety
/// See [`permute_u32x8`]; AVX-512 F, 64 bytes.
#[inline(always)]
unsafe fn permute2_u32x16(a: __m512i, b: __m512i, indices: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutex2var_epi32(a, _mm512_loadu_si512(indices.cast()), b) }
}

/// # Safety
/// See [`permute_u32x8`]; AVX-512 BW, 64 bytes.
#[inline(always)]
unsafe fn permute2_u16x32(a: __m512i, b: __m512i, indices: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutex2var_epi16(a, _mm512_loadu_si512(indices.cast()), b) }
}

/// # Safety
/// See [`permute_u32x8`]; AVX-512 VBMI, 64 bytes.
#[inline(always)]
unsafe fn permute2_u8x64(a: __m512i, b: __m512i, indices: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutex2var_epi8(a, _mm512_loadu_si512(indices.cast()), b) }
}
