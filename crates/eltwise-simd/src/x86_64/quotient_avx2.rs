//! Integer division on AVX2: as on AVX-512, whose file has the reasons, with other ways to a reciprocal.
//!
//! | width | in | quotient | its error | allowed |
//! |---|---|---|---|---|
//! | 8 | `f32` | `vrcpps` | 1.5 * 2^-12 | 2^-9 |
//! | 16 | `f32` | `vdivps`, whose rounding cannot pass an integer | | |
//! | 32 | `f64` | `vrcpps` in `f32`, one cubic step | 2^-34 | 2^-33 |
//! | 64 | `f64` | see `wide_avx2` | | |

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::high_avx2::*;
use crate::over_pulp::cast;
use crate::quotient::{QuotientLanes, byte_fraction};

/// `1.5 * 2^52`: added to an integer of less than 51 bits it leaves the integer in the low bits.
pub(super) const MAGIC: f64 = 6755399441055744.0;

/// `a / b` of 8-bit integers, both times `scale`, in the low bits of each lane.
///
/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn byte_quotient<const DOWN: bool>(a: __m256i, b: __m256i, scale: f32) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let (a, y) = (_mm256_cvtepi32_ps(a), _mm256_rcp_ps(_mm256_cvtepi32_ps(b)));
        if DOWN {
            let size = _mm256_andnot_ps(_mm256_set1_ps(-0.0), y);
            let shift = _mm256_fmadd_ps(size, _mm256_set1_ps(scale * 0.5), _mm256_set1_ps(-0.5));
            cast(_mm256_add_ps(_mm256_fmadd_ps(a, y, shift), _mm256_set1_ps(12582912.0)))
        } else {
            // Too large by 2^-11.
            let y = _mm256_mul_ps(y, _mm256_set1_ps(1.0 + 1.0 / 2048.0));
            _mm256_cvttps_epi32(_mm256_mul_ps(a, y))
        }
    }
}

/// `a / b` of 16-bit integers, both scaled alike, in each lane.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn word_quotient<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let t = _mm256_div_ps(_mm256_cvtepi32_ps(a), _mm256_cvtepi32_ps(b));
        _mm256_cvttps_epi32(if DOWN { _mm256_floor_ps(t) } else { t })
    }
}

/// The reciprocal to 2^-34, times `one`, from an estimate in `f32`.
///
/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn reciprocal(b: __m256d, estimate: __m128, one: f64) -> __m256d {
    // SAFETY: the caller's contract.
    unsafe {
        let y = _mm256_cvtps_pd(estimate);
        let error = _mm256_fnmadd_pd(b, y, _mm256_set1_pd(one));
        _mm256_fmadd_pd(_mm256_fmadd_pd(error, error, error), y, y)
    }
}

/// `a / b` rounded down, in the low 32 bits of each lane.
///
/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn double_down(a: __m256d, b: __m256d, estimate: __m128) -> __m256d {
    // SAFETY: the caller's contract.
    unsafe {
        let y = reciprocal(b, estimate, 1.0);
        let size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), y);
        let shift = _mm256_fmadd_pd(size, _mm256_set1_pd(0.5), _mm256_set1_pd(-0.5));
        _mm256_add_pd(_mm256_fmadd_pd(a, y, shift), _mm256_set1_pd(MAGIC))
    }
}

/// `a / b` toward zero, for `i32`.
///
/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn double_toward_zero(a: __m256d, b: __m256d, estimate: __m128) -> __m128i {
    // SAFETY: the caller's contract. Too large by 2^-33.
    unsafe { _mm256_cvttpd_epi32(_mm256_mul_pd(a, reciprocal(b, estimate, 1.0 + 1.0 / 8589934592.0))) }
}

/// The low 32 bits of eight 64-bit lanes.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn low_words(low: __m256d, high: __m256d) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let words = _mm256_shuffle_ps::<0b10_00_10_00>(cast(low), cast(high));
        _mm256_permute4x64_epi64::<0b11_01_10_00>(cast(words))
    }
}

// One row a type: the function of raw vectors.
macro_rules! quotients {
    ($($t:ty, $function:ident $high:ident $down:ident $(by $quotient:ident $remainder:ident)?;)*) => {$(
        impl QuotientLanes<$t> for Avx2 {
            #[inline(always)]
            fn quotient_toward_zero(self, a: Self::V, b: Self::V) -> Self::V {
                // SAFETY: the token.
                cast(unsafe { $function::<false>(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn quotient_down(self, a: Self::V, b: Self::V) -> Self::V {
                // SAFETY: the token.
                cast(unsafe { $function::<true>(cast(a), cast(b)) })
            }
            $(
                #[inline(always)]
                fn fraction(self, d: $t) -> Self::V {
                    // SAFETY: the token.
                    cast(unsafe { _mm256_set1_epi16(byte_fraction(d) as i16) })
                }
                #[inline(always)]
                fn quotient_by<const DOWN: bool>(self, a: Self::V, fraction: Self::V) -> Option<Self::V> {
                    // SAFETY: the token.
                    Some(cast(unsafe { $quotient(cast(a), cast(fraction)) }))
                }
                #[inline(always)]
                fn remainder_by(self, a: Self::V, d: Self::V, fraction: Self::V) -> Option<Self::V> {
                    // SAFETY: the token.
                    Some(cast(unsafe { $remainder(cast(a), cast(d), cast(fraction)) }))
                }
            )?
            #[inline(always)]
            fn mul_high(self, a: Self::V, b: Self::V) -> Self::V {
                // SAFETY: the token.
                cast(unsafe { $high(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn shift_down(self, a: Self::V, count: u32) -> Self::V {
                // SAFETY: the token.
                cast(unsafe { $down(cast(a), count) })
            }
        }
    )*};
}

quotients! {
    i8, quotient_i8 mul_high_8 shift_down_8; u8, quotient_u8 mul_high_8 shift_down_8 by quotient_by_u8 remainder_u8;
    i16, quotient_i16 mul_high_16 shift_down_16; u16, quotient_u16 mul_high_16 shift_down_16;
    i32, quotient_i32 mul_high_32 shift_down_32; u32, quotient_u32 mul_high_32 shift_down_32;
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn quotient_i8<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let top = _mm256_set1_epi32(0xff00_0000_u32 as i32);
        let (x, y) = (_mm256_slli_epi32::<24>(a), _mm256_slli_epi32::<24>(b));
        let q0 = byte_quotient::<DOWN>(x, y, 16777216.0);
        let (x, y) = (_mm256_slli_epi32::<16>(a), _mm256_slli_epi32::<16>(b));
        let q1 = byte_quotient::<DOWN>(_mm256_and_si256(x, top), _mm256_and_si256(y, top), 16777216.0);
        let (x, y) = (_mm256_slli_epi32::<8>(a), _mm256_slli_epi32::<8>(b));
        let q2 = byte_quotient::<DOWN>(_mm256_and_si256(x, top), _mm256_and_si256(y, top), 16777216.0);
        let q3 = byte_quotient::<DOWN>(_mm256_and_si256(a, top), _mm256_and_si256(b, top), 16777216.0);
        join_bytes(q0, q1, q2, q3)
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn quotient_u8<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract. Toward zero is down.
    unsafe {
        let mask = _mm256_set1_epi32(0xff);
        let q0 = byte_quotient::<false>(_mm256_and_si256(a, mask), _mm256_and_si256(b, mask), 1.0);
        let mask = _mm256_set1_epi32(0xff00);
        let q1 = byte_quotient::<false>(_mm256_and_si256(a, mask), _mm256_and_si256(b, mask), 1.0);
        let mask = _mm256_set1_epi32(0x00ff_0000);
        let q2 = byte_quotient::<false>(_mm256_and_si256(a, mask), _mm256_and_si256(b, mask), 1.0);
        let q3 = byte_quotient::<false>(_mm256_srli_epi32::<24>(a), _mm256_srli_epi32::<24>(b), 1.0);
        join_bytes(q0, q1, q2, q3)
    }
}

/// The quotients by one divisor: with `m = floor((2^16 - 1) / d)`, which is `fraction - 1`, `(a + 1) m / 2^16` is less than the next integer
/// above `a / d`, and not less than the one below, as `(a + 1) / 2^16 < 1 / d`. In the upper byte of 16 bits stands `a + 255 / 256`, for which
/// that holds too; the test goes through all pairs.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn quotient_by_u8(a: __m256i, fraction: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let (low, ones) = (_mm256_set1_epi16(0xff), _mm256_set1_epi16(-1));
        let m = _mm256_add_epi16(fraction, ones);
        let even = _mm256_mulhi_epu16(_mm256_sub_epi16(_mm256_and_si256(a, low), ones), m);
        let odd = _mm256_mulhi_epu16(_mm256_or_si256(a, low), m);
        _mm256_or_si256(even, _mm256_andnot_si256(low, odd))
    }
}

/// The remainders of a division by `d`: the lower 16 bits of `a` times the divisor's fraction are those of `a / d` after the point,
/// and times `d` the remainder (Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019, theorem 1: 8 bits and
/// those of the divisor are no more than 16).
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn remainder_u8(a: __m256i, d: __m256i, fraction: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm256_set1_epi16(0xff);
        let even = _mm256_mullo_epi16(_mm256_and_si256(a, low), fraction);
        let odd = _mm256_mullo_epi16(_mm256_srli_epi16::<8>(a), fraction);
        let even = _mm256_mulhi_epu16(even, _mm256_and_si256(d, low));
        let odd = _mm256_mulhi_epu16(odd, _mm256_andnot_si256(low, d));
        _mm256_or_si256(even, _mm256_andnot_si256(low, odd))
    }
}

/// The low bytes of four vectors of 32-bit lanes, one after the other in each lane.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn join_bytes(q0: __m256i, q1: __m256i, q2: __m256i, q3: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm256_set1_epi32(0xff);
        let first = _mm256_or_si256(_mm256_and_si256(q0, low), _mm256_slli_epi32::<8>(q1));
        let second = _mm256_or_si256(_mm256_and_si256(q2, low), _mm256_slli_epi32::<8>(q3));
        _mm256_blend_epi16::<0b1010_1010>(first, _mm256_slli_epi32::<16>(second))
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn quotient_i16<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let top = _mm256_set1_epi32(0xffff_0000_u32 as i32);
        let low = word_quotient::<DOWN>(_mm256_slli_epi32::<16>(a), _mm256_slli_epi32::<16>(b));
        let high = word_quotient::<DOWN>(_mm256_and_si256(a, top), _mm256_and_si256(b, top));
        _mm256_blend_epi16::<0b1010_1010>(low, _mm256_slli_epi32::<16>(high))
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn quotient_u16<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract. Toward zero is down.
    unsafe {
        let bottom = _mm256_set1_epi32(0xffff);
        let low = word_quotient::<false>(_mm256_and_si256(a, bottom), _mm256_and_si256(b, bottom));
        let high = word_quotient::<false>(_mm256_srli_epi32::<16>(a), _mm256_srli_epi32::<16>(b));
        _mm256_blend_epi16::<0b1010_1010>(low, _mm256_slli_epi32::<16>(high))
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn quotient_i32<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let estimates = _mm256_rcp_ps(_mm256_cvtepi32_ps(b));
        let (y0, y1) = (_mm256_castps256_ps128(estimates), _mm256_extractf128_ps::<1>(estimates));
        let (a0, a1) = (_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
        let (b0, b1) = (_mm256_castsi256_si128(b), _mm256_extracti128_si256::<1>(b));
        let (a0, a1) = (_mm256_cvtepi32_pd(a0), _mm256_cvtepi32_pd(a1));
        let (b0, b1) = (_mm256_cvtepi32_pd(b0), _mm256_cvtepi32_pd(b1));
        if DOWN {
            low_words(double_down(a0, b0, y0), double_down(a1, b1, y1))
        } else {
            _mm256_set_m128i(double_toward_zero(a1, b1, y1), double_toward_zero(a0, b0, y0))
        }
    }
}

/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn from_u32(words: __m128i) -> __m256d {
    // SAFETY: the caller's contract.
    unsafe {
        let signed = _mm256_cvtepi32_pd(_mm_xor_si128(words, _mm_set1_epi32(i32::MIN)));
        _mm256_add_pd(signed, _mm256_set1_pd(2147483648.0))
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn quotient_u32<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract. Toward zero is down.
    unsafe {
        let (a0, a1) = (from_u32(_mm256_castsi256_si128(a)), from_u32(_mm256_extracti128_si256::<1>(a)));
        let (b0, b1) = (from_u32(_mm256_castsi256_si128(b)), from_u32(_mm256_extracti128_si256::<1>(b)));
        let (y0, y1) = (_mm_rcp_ps(_mm256_cvtpd_ps(b0)), _mm_rcp_ps(_mm256_cvtpd_ps(b1)));
        low_words(double_down(a0, b0, y0), double_down(a1, b1, y1))
    }
}
