//! Orders of x86-64.
//!
//! | level | 1 byte | 2 bytes | 4 bytes |
//! |---|---|---|---|
//! | AVX2 | two `vpshufb` of 16 bytes for each half of the vector; the halves of their own windows | the same | `vpermd`; two, `vblendvps` |
//! | AVX-512 | none | `vpermw`; `vpermt2w` | `vpermd`; `vpermt2d` |
//! | AVX-512 FP16 | none | as AVX-512 | none: uses AVX-512's kernels |
//! | AVX-512 with VBMI | `vpermb`; `vpermt2b` | the same | the same |
//!
//! What stands behind a semicolon is for two windows.

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::avx512::{Avx512, Avx512Fp16, Avx512Vbmi, first};
use super::part;
use super::shuffle::FIRST_WORDS;
use crate::arrange::{Arrange, by_bytes_of_halves, by_elements, by_signed_words};
use crate::lanes::copy_elements;
use crate::over_pulp::cast;

/// The loads and stores of a level, and a row for each size: its orders, whether of two windows, and the
/// functions that put one window and two in order.
macro_rules! arrange {
    ($level:ty, $vector:ty, $bytes:literal, $load:ident, $first:ident, $store:ident, $some:ident,
     $($size:literal: $ordered:expr, $halves:literal, $by:ident, $pair:ident;)*) => {$(
        impl Arrange<$size> for $level {
            const BYTES: usize = $bytes;
            const HALVES: bool = $halves;
            type Arranged = $vector;

            #[inline]
            fn order(places: &[u8]) -> Option<[u8; 64]> {
                $ordered(places)
            }
            #[inline(always)]
            unsafe fn whole(self, p: *const u8) -> $vector {
                // SAFETY: the caller's contract.
                unsafe { $load(p.cast()) }
            }
            #[inline(always)]
            unsafe fn first(self, p: *const u8, n: usize) -> $vector {
                // SAFETY: the caller's contract.
                unsafe { $first::<$size>(p, n) }
            }
            #[inline(always)]
            unsafe fn arrange(self, window: $vector, order: *const u8) -> $vector {
                // SAFETY: the order is readable; the token proves the level.
                unsafe { $by(window, order) }
            }
            #[inline(always)]
            unsafe fn arrange_pair(self, [a, b]: [$vector; 2], order: *const u8) -> $vector {
                // SAFETY: as above.
                unsafe { $pair(a, b, order) }
            }
            #[inline(always)]
            unsafe fn store_whole(self, p: *mut u8, v: $vector) {
                // SAFETY: the caller's contract.
                unsafe { $store(p.cast(), v) };
            }
            #[inline(always)]
            unsafe fn store_some(self, p: *mut u8, n: usize, v: $vector) {
                // SAFETY: the caller's contract.
                unsafe { $some::<$size>(p, n, v) };
            }
        }
    )*};
}

arrange!(Avx2, __m256i, 32, _mm256_loadu_si256, first_32, _mm256_storeu_si256, some_32,
    1: by_bytes_of_halves, true, bytes_32, pair_bytes_32;
    2: by_bytes_of_halves, true, bytes_32, pair_bytes_32;
    4: by_signed_words, false, words_32, pair_words_32;
);
arrange!(Avx512, __m512i, 64, _mm512_loadu_si512, first_64, _mm512_storeu_si512, some_64,
    2: |p| by_elements(p, 2), false, halves_64, pair_halves_64;
    4: |p| by_elements(p, 4), false, words_64, pair_words_64;
);
arrange!(Avx512Vbmi, __m512i, 64, _mm512_loadu_si512, first_64, _mm512_storeu_si512, some_64,
    1: |p| by_elements(p, 1), false, bytes_64, pair_bytes_64;
);
arrange!(Avx512Fp16, __m512i, 64, _mm512_loadu_si512, first_64, _mm512_storeu_si512, some_64,
    2: |p| by_elements(p, 2), false, halves_64, pair_halves_64;
);

/// # Safety
/// AVX2; `p` is writable for `n` bytes, at most 32, elements of `SIZE` bytes.
#[inline(always)]
unsafe fn some_32<const SIZE: usize>(p: *mut u8, n: usize, v: __m256i) {
    // SAFETY: masked-off words are not touched, and `n` bytes are copied.
    unsafe {
        if SIZE == 4 {
            let mask = FIRST_WORDS.as_ptr().add(8 - n / 4);
            return _mm256_maskstore_epi32(p.cast(), _mm256_loadu_si256(mask.cast()), v);
        }
        let block: [u8; 32] = cast(v);
        copy_elements(block.as_ptr(), p, n);
    }
}

/// # Safety
/// AVX-512 BW; `p` is writable for `n` bytes, at most 64.
#[inline(always)]
unsafe fn some_64<const SIZE: usize>(p: *mut u8, n: usize, v: __m512i) {
    // SAFETY: masked-off bytes are not touched.
    unsafe { _mm512_mask_storeu_epi8(p.cast(), first(n), v) };
}

/// # Safety
/// AVX2; `p` is readable for `n` bytes, at most 32, elements of `SIZE` bytes.
#[inline(always)]
unsafe fn first_32<const SIZE: usize>(p: *const u8, n: usize) -> __m256i {
    // SAFETY: masked-off words are not touched; the caller's contract.
    unsafe {
        if SIZE == 4 {
            let mask = FIRST_WORDS.as_ptr().add(8 - n / 4);
            return _mm256_maskload_epi32(p.cast(), _mm256_loadu_si256(mask.cast()));
        }
        part::first_32(p, n)
    }
}

/// # Safety
/// AVX-512 BW; `p` is readable for `n` bytes, at most 64.
#[inline(always)]
unsafe fn first_64<const SIZE: usize>(p: *const u8, n: usize) -> __m512i {
    // SAFETY: masked-off bytes are not touched.
    unsafe { _mm512_maskz_loadu_epi8(first(n), p.cast()) }
}

/// # Safety
/// AVX2; `order` is readable for 32 bytes. So for the following, and their levels.
#[inline(always)]
unsafe fn words_32(window: __m256i, order: *const u8) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { _mm256_permutevar8x32_epi32(window, _mm256_loadu_si256(order.cast())) }
}

/// # Safety
/// See [`words_32`]; 64 bytes.
#[inline(always)]
unsafe fn bytes_32(window: __m256i, order: *const u8) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe { pair_bytes_32(window, window, order) }
}

/// # Safety
/// See [`words_32`]; 64 bytes.
#[inline(always)]
unsafe fn pair_bytes_32(a: __m256i, b: __m256i, order: *const u8) -> __m256i {
    // SAFETY: the caller's contract. The lower 16 bytes of both windows, then the upper ones.
    unsafe {
        let low = _mm256_permute2x128_si256::<0x20>(a, b);
        let high = _mm256_permute2x128_si256::<0x31>(a, b);
        let low = _mm256_shuffle_epi8(low, _mm256_loadu_si256(order.cast()));
        _mm256_or_si256(low, _mm256_shuffle_epi8(high, _mm256_loadu_si256(order.add(32).cast())))
    }
}

/// # Safety
/// See [`words_32`]; AVX-512 F, 64 bytes.
#[inline(always)]
unsafe fn words_64(window: __m512i, order: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi32(_mm512_loadu_si512(order.cast()), window) }
}

/// # Safety
/// See [`words_32`]; AVX-512 BW, 64 bytes.
#[inline(always)]
unsafe fn halves_64(window: __m512i, order: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi16(_mm512_loadu_si512(order.cast()), window) }
}

/// # Safety
/// See [`words_32`]; AVX-512 VBMI, 64 bytes.
#[inline(always)]
unsafe fn bytes_64(window: __m512i, order: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutexvar_epi8(_mm512_loadu_si512(order.cast()), window) }
}

/// # Safety
/// See [`words_32`].
#[inline(always)]
unsafe fn pair_words_32(a: __m256i, b: __m256i, order: *const u8) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let second = _mm256_loadu_ps(order.cast());
        let (a, b) = (_mm256_castsi256_ps(words_32(a, order)), _mm256_castsi256_ps(words_32(b, order)));
        _mm256_castps_si256(_mm256_blendv_ps(a, b, second))
    }
}

/// # Safety
/// See [`words_32`]; AVX-512 F, 64 bytes.
#[inline(always)]
unsafe fn pair_words_64(a: __m512i, b: __m512i, order: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutex2var_epi32(a, _mm512_loadu_si512(order.cast()), b) }
}

/// # Safety
/// See [`words_32`]; AVX-512 BW, 64 bytes.
#[inline(always)]
unsafe fn pair_halves_64(a: __m512i, b: __m512i, order: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutex2var_epi16(a, _mm512_loadu_si512(order.cast()), b) }
}

/// # Safety
/// See [`words_32`]; AVX-512 VBMI, 64 bytes.
#[inline(always)]
unsafe fn pair_bytes_64(a: __m512i, b: __m512i, order: *const u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_permutex2var_epi8(a, _mm512_loadu_si512(order.cast()), b) }
}
