//! [`Windows`] and [`Permute`] on x86-64. AVX2 has no permutes of whole vectors that pay off: its kernels look up bytes in blocks
//! of 128 bits ([`Blocks128`](crate::Blocks128)).
//!
//! | ISA | 1 byte | 2 bytes | 4 bytes |
//! |---|---|---|---|
//! | AVX-512 | none | `vpermw`; two windows: `vpermt2w` | `vpermd`; `vpermt2d` |
//! | AVX-512 with VBMI | `vpermb`; `vpermt2b` | none: as AVX-512 | none: as AVX-512 |
//! | AVX-512 FP16 | none | as AVX-512 | none: as AVX-512 |

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::avx2::load_n::{N_WORDS, load_n_256, store_last_n_256, store_n_256};
use super::avx512::{Avx512, Avx512Fp16, Avx512Vbmi, mask_n};
use crate::permute::{Permute, Windows};

/// The loads and stores of an ISA, for each element size.
macro_rules! windows {
    ($($token:ty: $vector:ty, $bytes:literal, $load:ident $load_n:ident, $store:ident $store_n:ident $store_last_n:ident, $($size:literal)*;)*) => {$($(
        impl Windows<$size> for $token {
            const BYTES: usize = $bytes;
            type Vector = $vector;

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
            unsafe fn store_window(self, p: *mut u8, v: $vector) {
                // SAFETY: the caller's contract.
                unsafe { $store(p.cast(), v) };
            }
            #[inline(always)]
            unsafe fn store_window_n(self, p: *mut u8, n: usize, v: $vector) {
                // SAFETY: the caller's contract.
                unsafe { $store_n(p, n, v) };
            }
            #[inline(always)]
            unsafe fn store_window_last_n(self, p: *mut u8, n: usize, v: $vector) {
                // SAFETY: the caller's contract.
                unsafe { $store_last_n(p, n, v) };
            }
        }
    )*)*};
}

windows! {
    Avx2: __m256i, 32, _mm256_loadu_si256 load_window_n_256, _mm256_storeu_si256 store_n_256 store_last_n_256, 1 2 4;
    Avx512: __m512i, 64, _mm512_loadu_si512 load_window_n_512, _mm512_storeu_si512 store_n_512 store_last_n_512, 2 4;
    Avx512Vbmi: __m512i, 64, _mm512_loadu_si512 load_window_n_512, _mm512_storeu_si512 store_n_512 store_last_n_512, 1;
    Avx512Fp16: __m512i, 64, _mm512_loadu_si512 load_window_n_512, _mm512_storeu_si512 store_n_512 store_last_n_512, 2;
}

/// The instructions that permute one window and two.
macro_rules! permute {
    ($($token:ty, $size:literal: $permute:ident, $permute2:ident;)*) => {$(
        impl Permute<$size> for $token {
            #[inline(always)]
            unsafe fn permute(self, window: __m512i, indices: *const u8) -> __m512i {
                // SAFETY: the indices are readable; the token proves the ISA.
                unsafe { $permute(_mm512_loadu_si512(indices.cast()), window) }
            }
            #[inline(always)]
            unsafe fn permute2(self, [a, b]: [__m512i; 2], indices: *const u8) -> __m512i {
                // SAFETY: the indices are readable; the token proves the ISA.
                unsafe { $permute2(a, _mm512_loadu_si512(indices.cast()), b) }
            }
        }
    )*};
}

permute! {
    Avx512, 2: _mm512_permutexvar_epi16, _mm512_permutex2var_epi16;
    Avx512, 4: _mm512_permutexvar_epi32, _mm512_permutex2var_epi32;
    Avx512Vbmi, 1: _mm512_permutexvar_epi8, _mm512_permutex2var_epi8;
    Avx512Fp16, 2: _mm512_permutexvar_epi16, _mm512_permutex2var_epi16;
}

/// # Safety
/// AVX-512 BW; `p` is writable for `n` bytes, at most 64.
#[inline(always)]
unsafe fn store_n_512(p: *mut u8, n: usize, v: __m512i) {
    // SAFETY: the caller's contract; masked-off bytes are not accessed.
    unsafe { _mm512_mask_storeu_epi8(p.cast(), mask_n(n), v) };
}

/// # Safety
/// AVX-512 BW; the last `n` of the 64 bytes at `p` are writable.
#[inline(always)]
unsafe fn store_last_n_512(p: *mut u8, n: usize, v: __m512i) {
    // SAFETY: the caller's contract; masked-off bytes are not accessed.
    unsafe { _mm512_mask_storeu_epi8(p.cast(), !mask_n(64 - n), v) };
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
