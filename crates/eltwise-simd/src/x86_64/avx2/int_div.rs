//! Integer division of 8, 16 and 32 bits on AVX2, in floating point. The method and its proof are in
//! `avx512/int_div.rs`; only the reciprocals differ.
//!
//! | bits | computed in | quotient | error | allowed error |
//! |---|---|---|---|---|
//! | 8 | `f32` | `vrcpps` | 1.5 * 2^-12 | 2^-9 |
//! | 16 | `f32` | `vdivps`, whose rounding cannot cross an integer | | |
//! | 32 | `f64` | `vrcpps` in `f32`, one cubic step | 2^-34 | 2^-33 |
//! | 64 | `f64` | see `int64_div.rs` | | |

use core::arch::x86_64::*;

use super::Avx2;
use super::mul_high::*;
use crate::int_div::{IntDivLanes, fraction_of_u8};
use crate::pulp_lanes::cast;

/// `1.5 * 2^52`: adding it to an integer of less than 51 bits puts the integer into the low bits.
pub(super) const MAGIC: f64 = 6755399441055744.0;

/// `a / b` of 8-bit integers, which are both multiplied by `scale`, in the low bits of each lane.
///
/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn div_bytes_f32<const DOWN: bool>(a: __m256i, b: __m256i, scale: f32) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let (a, y) = (_mm256_cvtepi32_ps(a), _mm256_rcp_ps(_mm256_cvtepi32_ps(b)));
        if DOWN {
            let size = _mm256_andnot_ps(_mm256_set1_ps(-0.0), y);
            let shift = _mm256_fmadd_ps(size, _mm256_set1_ps(scale * 0.5), _mm256_set1_ps(-0.5));
            cast(_mm256_add_ps(_mm256_fmadd_ps(a, y, shift), _mm256_set1_ps(12582912.0)))
        } else {
            // Increases the magnitude by 2^-11.
            let y = _mm256_mul_ps(y, _mm256_set1_ps(1.0 + 1.0 / 2048.0));
            _mm256_cvttps_epi32(_mm256_mul_ps(a, y))
        }
    }
}

/// `a / b` of 16-bit integers, which have the same scale, in each lane.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn div_words_f32<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let t = _mm256_div_ps(_mm256_cvtepi32_ps(a), _mm256_cvtepi32_ps(b));
        _mm256_cvttps_epi32(if DOWN { _mm256_floor_ps(t) } else { t })
    }
}

/// `one` times the reciprocal, with an error of 2^-34, from an estimate in `f32`.
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
unsafe fn div_floor_f64(a: __m256d, b: __m256d, estimate: __m128) -> __m256d {
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
unsafe fn div_trunc_f64(a: __m256d, b: __m256d, estimate: __m128) -> __m128i {
    // SAFETY: the caller's contract. The reciprocal's magnitude is increased by 2^-33.
    unsafe { _mm256_cvttpd_epi32(_mm256_mul_pd(a, reciprocal(b, estimate, 1.0 + 1.0 / 8589934592.0))) }
}

/// Packs the low 32 bits of eight 64-bit lanes.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn pack_low_words(low: __m256d, high: __m256d) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let words = _mm256_shuffle_ps::<0b10_00_10_00>(cast(low), cast(high));
        _mm256_permute4x64_epi64::<0b11_01_10_00>(cast(words))
    }
}

// One row per type: the functions on raw vectors.
macro_rules! quotients {
    ($($t:ty, $function:ident $high:ident $down:ident $(by $quotient:ident $remainder:ident)?;)*) => {$(
        impl IntDivLanes<$t> for Avx2 {
            #[inline(always)]
            fn div_trunc(self, a: Self::V, b: Self::V) -> Self::V {
                // SAFETY: the token proves the ISA.
                cast(unsafe { $function::<false>(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn div_floor(self, a: Self::V, b: Self::V) -> Self::V {
                // SAFETY: the token proves the ISA.
                cast(unsafe { $function::<true>(cast(a), cast(b)) })
            }
            $(
                #[inline(always)]
                fn fraction(self, d: $t) -> Self::V {
                    // SAFETY: the token proves the ISA.
                    cast(unsafe { _mm256_set1_epi16(fraction_of_u8(d) as i16) })
                }
                #[inline(always)]
                fn div_by_fraction<const DOWN: bool>(self, a: Self::V, fraction: Self::V) -> Option<Self::V> {
                    // SAFETY: the token proves the ISA.
                    Some(cast(unsafe { $quotient(cast(a), cast(fraction)) }))
                }
                #[inline(always)]
                fn rem_by_fraction(self, a: Self::V, d: Self::V, fraction: Self::V) -> Option<Self::V> {
                    // SAFETY: the token proves the ISA.
                    Some(cast(unsafe { $remainder(cast(a), cast(d), cast(fraction)) }))
                }
            )?
            #[inline(always)]
            fn mul_high(self, a: Self::V, b: Self::V) -> Self::V {
                // SAFETY: the token proves the ISA.
                cast(unsafe { $high(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn shift_right_logical(self, a: Self::V, count: u32) -> Self::V {
                // SAFETY: the token proves the ISA.
                cast(unsafe { $down(cast(a), count) })
            }
        }
    )*};
}

quotients! {
    i8, div_i8 mul_high_8 shift_right_8; u8, div_u8 mul_high_8 shift_right_8 by div_by_fraction_u8 rem_by_fraction_u8;
    i16, div_i16 mul_high_16 shift_right_16; u16, div_u16 mul_high_16 shift_right_16;
    i32, div_i32 mul_high_32 shift_right_32; u32, div_u32 mul_high_32 shift_right_32;
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn div_i8<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let top = _mm256_set1_epi32(0xff00_0000_u32 as i32);
        let (x, y) = (_mm256_slli_epi32::<24>(a), _mm256_slli_epi32::<24>(b));
        let q0 = div_bytes_f32::<DOWN>(x, y, 16777216.0);
        let (x, y) = (_mm256_slli_epi32::<16>(a), _mm256_slli_epi32::<16>(b));
        let q1 = div_bytes_f32::<DOWN>(_mm256_and_si256(x, top), _mm256_and_si256(y, top), 16777216.0);
        let (x, y) = (_mm256_slli_epi32::<8>(a), _mm256_slli_epi32::<8>(b));
        let q2 = div_bytes_f32::<DOWN>(_mm256_and_si256(x, top), _mm256_and_si256(y, top), 16777216.0);
        let q3 = div_bytes_f32::<DOWN>(_mm256_and_si256(a, top), _mm256_and_si256(b, top), 16777216.0);
        join_bytes(q0, q1, q2, q3)
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn div_u8<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract. Unsigned quotients round the same both ways.
    unsafe {
        let mask = _mm256_set1_epi32(0xff);
        let q0 = div_bytes_f32::<false>(_mm256_and_si256(a, mask), _mm256_and_si256(b, mask), 1.0);
        let mask = _mm256_set1_epi32(0xff00);
        let q1 = div_bytes_f32::<false>(_mm256_and_si256(a, mask), _mm256_and_si256(b, mask), 1.0);
        let mask = _mm256_set1_epi32(0x00ff_0000);
        let q2 = div_bytes_f32::<false>(_mm256_and_si256(a, mask), _mm256_and_si256(b, mask), 1.0);
        let q3 = div_bytes_f32::<false>(_mm256_srli_epi32::<24>(a), _mm256_srli_epi32::<24>(b), 1.0);
        join_bytes(q0, q1, q2, q3)
    }
}

/// Quotients by one divisor `d`. Let `m = floor((2^16 - 1) / d)`, which is `fraction - 1`. Then `(a + 1) m / 2^16` is
/// less than the next integer above `a / d`, and not less than the integer below, because `(a + 1) / 2^16 < 1 / d`. An
/// odd byte with 0xff below it is `a + 255 / 256` in the upper byte, for which the same holds. A test checks all pairs.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn div_by_fraction_u8(a: __m256i, fraction: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let (low, ones) = (_mm256_set1_epi16(0xff), _mm256_set1_epi16(-1));
        let m = _mm256_add_epi16(fraction, ones);
        let even = _mm256_mulhi_epu16(_mm256_sub_epi16(_mm256_and_si256(a, low), ones), m);
        let odd = _mm256_mulhi_epu16(_mm256_or_si256(a, low), m);
        _mm256_or_si256(even, _mm256_andnot_si256(low, odd))
    }
}

/// Remainders of a division by `d`: the low 16 bits of `a * fraction` are the fraction of `a / d`, and times `d` they
/// give the remainder (Lemire, Kaser and Kurz, "Faster remainder by direct computation", 2019, theorem 1: the 8 bits of
/// `a` and the 8 bits of the divisor are at most 16 together).
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn rem_by_fraction_u8(a: __m256i, d: __m256i, fraction: __m256i) -> __m256i {
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

/// Joins the low bytes of four vectors of 32-bit lanes, in this order, in each lane.
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
unsafe fn div_i16<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let top = _mm256_set1_epi32(0xffff_0000_u32 as i32);
        let low = div_words_f32::<DOWN>(_mm256_slli_epi32::<16>(a), _mm256_slli_epi32::<16>(b));
        let high = div_words_f32::<DOWN>(_mm256_and_si256(a, top), _mm256_and_si256(b, top));
        _mm256_blend_epi16::<0b1010_1010>(low, _mm256_slli_epi32::<16>(high))
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn div_u16<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract. Unsigned quotients round the same both ways.
    unsafe {
        let bottom = _mm256_set1_epi32(0xffff);
        let low = div_words_f32::<false>(_mm256_and_si256(a, bottom), _mm256_and_si256(b, bottom));
        let high = div_words_f32::<false>(_mm256_srli_epi32::<16>(a), _mm256_srli_epi32::<16>(b));
        _mm256_blend_epi16::<0b1010_1010>(low, _mm256_slli_epi32::<16>(high))
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn div_i32<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let estimates = _mm256_rcp_ps(_mm256_cvtepi32_ps(b));
        let (y0, y1) = (_mm256_castps256_ps128(estimates), _mm256_extractf128_ps::<1>(estimates));
        let (a0, a1) = (_mm256_castsi256_si128(a), _mm256_extracti128_si256::<1>(a));
        let (b0, b1) = (_mm256_castsi256_si128(b), _mm256_extracti128_si256::<1>(b));
        let (a0, a1) = (_mm256_cvtepi32_pd(a0), _mm256_cvtepi32_pd(a1));
        let (b0, b1) = (_mm256_cvtepi32_pd(b0), _mm256_cvtepi32_pd(b1));
        if DOWN {
            pack_low_words(div_floor_f64(a0, b0, y0), div_floor_f64(a1, b1, y1))
        } else {
            _mm256_set_m128i(div_trunc_f64(a1, b1, y1), div_trunc_f64(a0, b0, y0))
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
unsafe fn div_u32<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract. Unsigned quotients round the same both ways.
    unsafe {
        let (a0, a1) = (from_u32(_mm256_castsi256_si128(a)), from_u32(_mm256_extracti128_si256::<1>(a)));
        let (b0, b1) = (from_u32(_mm256_castsi256_si128(b)), from_u32(_mm256_extracti128_si256::<1>(b)));
        let (y0, y1) = (_mm_rcp_ps(_mm256_cvtpd_ps(b0)), _mm_rcp_ps(_mm256_cvtpd_ps(b1)));
        pack_low_words(div_floor_f64(a0, b0, y0), div_floor_f64(a1, b1, y1))
    }
}
