//! Integer division on AVX-512.
//!
//! With `t = a / b` exact, the next integers are at least `1 / |b|` away unless `t` is one. So:
//!
//! * toward zero: truncate `a * y`, where `y` is the reciprocal of `b` made a little too large in magnitude: an integer
//!   `t` is not missed, and the excess stays below `1 / |b|`;
//! * down: round `a * y + |y| / 2 - 1 / 2` to the nearest integer: its distance to a tie is at least `1 / (2 |b|)`.
//!   Adding `1.5 * 2^m` (`m` the bits of the fraction) rounds, and leaves the integer in the low bits.
//!
//! | width | in | reciprocal | its error | allowed |
//! |---|---|---|---|---|
//! | 8 | `f32` | `vrcp14ps` | 2^-14 | 2^-9 |
//! | 16 | `f32` | one Newton step | 2^-23 | 2^-17 |
//! | 32 | `f64` | one cubic step | 2^-41 | 2^-33 |
//! | 64 | `f64` | see `wide_avx512` | | |
//!
//! Eight-bit lanes are divided where they stand in their 32 bits: the scale cancels in the quotient. Division by 0 makes infinities and NaN, and any value.

use core::arch::x86_64::*;

use super::avx512::Avx512Token;

use super::high_avx512::*;
use crate::over_pulp::cast;
use crate::quotient::{QuotientLanes, byte_fraction};
use crate::token::Token;

/// `vpternlog` of `(x, y, mask)`: x where the mask is set, else y.
const CHOOSE: i32 = 0b1110_0100;

/// `a / b` in the low bits of each lane; `a` and `b` are scaled alike by `SCALE`, `STEP` asks for a Newton step.
///
/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn single<const DOWN: bool, const STEP: bool>(a: __m512, b: __m512, scale: f32) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let y = _mm512_rcp14_ps(b);
        let y = if STEP {
            // Too large by 2^-19 for truncation.
            let one = _mm512_set1_ps(if DOWN { 1.0 } else { 1.0 + 1.0 / 524288.0 });
            let error = _mm512_fnmadd_ps(b, y, one);
            _mm512_fmadd_ps(error, y, y)
        } else if DOWN {
            y
        } else {
            // Too large by 2^-12.
            _mm512_mul_ps(y, _mm512_set1_ps(1.0 + 1.0 / 4096.0))
        };
        if DOWN {
            let shift = _mm512_fmadd_ps(_mm512_abs_ps(y), _mm512_set1_ps(scale * 0.5), _mm512_set1_ps(-0.5));
            cast(_mm512_add_ps(_mm512_fmadd_ps(a, y, shift), _mm512_set1_ps(12582912.0)))
        } else {
            _mm512_cvttps_epi32(_mm512_mul_ps(a, y))
        }
    }
}

/// The reciprocal to 2^-41, times `one`.
///
/// # Safety
/// AVX-512 F.
#[inline(always)]
unsafe fn reciprocal(b: __m512d, one: f64) -> __m512d {
    // SAFETY: the caller's contract.
    unsafe {
        let y = _mm512_rcp14_pd(b);
        let error = _mm512_fnmadd_pd(b, y, _mm512_set1_pd(one));
        _mm512_fmadd_pd(_mm512_fmadd_pd(error, error, error), y, y)
    }
}

/// `a / b` rounded down, in the low 32 bits of each lane.
///
/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn double_down(a: __m512d, b: __m512d) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { nearest_down(a, reciprocal(b, 1.0)) }
}

/// `a y` rounded down, in the low 32 bits of each lane; `y` is the reciprocal of an integer, or 0.
///
/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn nearest_down(a: __m512d, y: __m512d) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let shift = _mm512_fmadd_pd(_mm512_abs_pd(y), _mm512_set1_pd(0.5), _mm512_set1_pd(-0.5));
        cast(_mm512_add_pd(_mm512_fmadd_pd(a, y, shift), _mm512_set1_pd(6755399441055744.0)))
    }
}

/// `a / b` toward zero, for `i32`.
///
/// # Safety
/// AVX-512 F.
#[inline(always)]
unsafe fn double_toward_zero(a: __m512d, b: __m512d) -> __m256i {
    // SAFETY: the caller's contract. Too large by 2^-40.
    unsafe { _mm512_cvttpd_epi32(_mm512_mul_pd(a, reciprocal(b, 1.0 + 1.0 / 1099511627776.0))) }
}

/// The low 32 bits of sixteen 64-bit lanes.
///
/// # Safety
/// AVX-512 F.
#[inline(always)]
unsafe fn low_words(low: __m512i, high: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        _mm512_permutex2var_epi32(low, even, high)
    }
}

// One row a width and sign: how a vector becomes floats, and how their quotients become a vector.
macro_rules! quotients {
    ($($t:ty, $function:ident $high:ident $down:ident $(by $fraction:ident $quotient:ident $(remainder $remainder:ident)?)?;)*) => {$(
        impl<X: Copy + 'static> QuotientLanes<$t> for Avx512Token<X>
        where
            Self: Token,
        {
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
                    cast(unsafe { $fraction(d) })
                }
                #[inline(always)]
                fn quotient_by<const DOWN: bool>(self, a: Self::V, fraction: Self::V) -> Option<Self::V> {
                    // SAFETY: the token.
                    unsafe { $quotient::<DOWN>(cast(a), cast(fraction)) }.map(cast)
                }
                $(
                    #[inline(always)]
                    fn remainder_by(self, a: Self::V, d: Self::V, fraction: Self::V) -> Option<Self::V> {
                        // SAFETY: the token.
                        Some(cast(unsafe { $remainder(cast(a), cast(d), cast(fraction)) }))
                    }
                )?
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
    i8, quotient_i8 mul_high_8 shift_down_8; u8, quotient_u8 mul_high_8 shift_down_8 by fraction_u8 quotient_by_u8 remainder remainder_u8;
    i16, quotient_i16 mul_high_16 shift_down_16; u16, quotient_u16 mul_high_16 shift_down_16;
    i32, quotient_i32 mul_high_32 shift_down_32 by fraction_i32 quotient_by_i32; u32, quotient_u32 mul_high_32 shift_down_32;
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn quotient_i8<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let top = _mm512_set1_epi32(0xff00_0000_u32 as i32);
        macro_rules! part {
            ($bytes:ident => $lane:expr) => {{
                let $bytes = a;
                let x = _mm512_cvtepi32_ps($lane);
                let $bytes = b;
                let y = _mm512_cvtepi32_ps($lane);
                single::<DOWN, false>(x, y, 16777216.0)
            }};
        }
        let q0 = part!(v => _mm512_slli_epi32::<24>(v));
        let q1 = part!(v => _mm512_and_si512(_mm512_slli_epi32::<16>(v), top));
        let q2 = part!(v => _mm512_and_si512(_mm512_slli_epi32::<8>(v), top));
        let q3 = part!(v => _mm512_and_si512(v, top));
        join_bytes(q0, q1, q2, q3)
    }
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn quotient_u8<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract. Toward zero is down.
    unsafe {
        macro_rules! part {
            ($mask:literal, $scale:literal) => {{
                let mask = _mm512_set1_epi32($mask);
                let (x, y) = (_mm512_and_si512(a, mask), _mm512_and_si512(b, mask));
                single::<false, false>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), $scale)
            }};
        }
        let q0 = part!(0xff, 1.0);
        let q1 = part!(0xff00, 256.0);
        let q2 = part!(0x00ff_0000, 65536.0);
        let (x, y) = (_mm512_srli_epi32::<24>(a), _mm512_srli_epi32::<24>(b));
        let q3 = single::<false, false>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), 1.0);
        join_bytes(q0, q1, q2, q3)
    }
}

/// # Safety
/// AVX-512 BW.
#[inline(always)]
unsafe fn fraction_u8(d: u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_set1_epi16(byte_fraction(d) as i16) }
}

/// The quotients by one divisor; `quotient_avx2` says why they are exact.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
unsafe fn quotient_by_u8<const DOWN: bool>(a: __m512i, fraction: __m512i) -> Option<__m512i> {
    // SAFETY: the caller's contract.
    unsafe {
        let (low, ones) = (_mm512_set1_epi16(0xff), _mm512_set1_epi16(-1));
        let m = _mm512_add_epi16(fraction, ones);
        let even = _mm512_mulhi_epu16(_mm512_sub_epi16(_mm512_and_si512(a, low), ones), m);
        let odd = _mm512_mulhi_epu16(_mm512_or_si512(a, low), m);
        Some(_mm512_ternarylogic_epi32::<CHOOSE>(even, odd, low))
    }
}

/// The remainders of a division by one divisor; `quotient_avx2` says why they are exact.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
unsafe fn remainder_u8(a: __m512i, d: __m512i, fraction: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm512_set1_epi16(0xff);
        let even = _mm512_mullo_epi16(_mm512_and_si512(a, low), fraction);
        let odd = _mm512_mullo_epi16(_mm512_srli_epi16::<8>(a), fraction);
        let even = _mm512_mulhi_epu16(even, _mm512_and_si512(d, low));
        let odd = _mm512_mulhi_epu16(odd, _mm512_andnot_si512(low, d));
        _mm512_ternarylogic_epi32::<CHOOSE>(even, odd, low)
    }
}

/// The low bytes of four vectors of 32-bit lanes, one after the other in each lane.
///
/// # Safety
/// AVX-512 F and BW.
#[inline(always)]
unsafe fn join_bytes(q0: __m512i, q1: __m512i, q2: __m512i, q3: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm512_set1_epi16(0x00ff);
        let first = _mm512_ternarylogic_epi32::<CHOOSE>(q0, _mm512_slli_epi32::<8>(q1), low);
        let second = _mm512_ternarylogic_epi32::<CHOOSE>(q2, _mm512_slli_epi32::<8>(q3), low);
        _mm512_mask_blend_epi16(0xaaaa_aaaa, first, _mm512_slli_epi32::<16>(second))
    }
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn quotient_i16<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let top = _mm512_set1_epi32(0xffff_0000_u32 as i32);
        let (x, y) = (_mm512_slli_epi32::<16>(a), _mm512_slli_epi32::<16>(b));
        let low = single::<DOWN, true>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), 65536.0);
        let (x, y) = (_mm512_and_si512(a, top), _mm512_and_si512(b, top));
        let high = single::<DOWN, true>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), 65536.0);
        _mm512_mask_blend_epi16(0xaaaa_aaaa, low, _mm512_slli_epi32::<16>(high))
    }
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn quotient_u16<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract. Toward zero is down.
    unsafe {
        let bottom = _mm512_set1_epi32(0xffff);
        let (x, y) = (_mm512_and_si512(a, bottom), _mm512_and_si512(b, bottom));
        let low = single::<false, true>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), 1.0);
        let (x, y) = (_mm512_srli_epi32::<16>(a), _mm512_srli_epi32::<16>(b));
        let high = single::<false, true>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), 1.0);
        _mm512_mask_blend_epi16(0xaaaa_aaaa, low, _mm512_slli_epi32::<16>(high))
    }
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn quotient_i32<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let (a0, a1) = (_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a));
        let (b0, b1) = (_mm512_castsi512_si256(b), _mm512_extracti64x4_epi64::<1>(b));
        let (a0, a1) = (_mm512_cvtepi32_pd(a0), _mm512_cvtepi32_pd(a1));
        let (b0, b1) = (_mm512_cvtepi32_pd(b0), _mm512_cvtepi32_pd(b1));
        if DOWN {
            low_words(double_down(a0, b0), double_down(a1, b1))
        } else {
            let low = _mm512_castsi256_si512(double_toward_zero(a0, b0));
            _mm512_inserti64x4::<1>(low, double_toward_zero(a1, b1))
        }
    }
}

/// # Safety
/// AVX-512 F.
#[inline(always)]
unsafe fn fraction_i32(d: i32) -> __m512i {
    // SAFETY: the caller's contract.
    cast(unsafe { _mm512_set1_pd(if d == 0 { 0.0 } else { 1.0 / f64::from(d) }) })
}

/// The quotients by one divisor, rounded down, as products with its reciprocal; toward zero the integers' products are as fast.
///
/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn quotient_by_i32<const DOWN: bool>(a: __m512i, fraction: __m512i) -> Option<__m512i> {
    if !DOWN {
        return None;
    }
    // SAFETY: the caller's contract.
    unsafe {
        let (a0, a1) = (_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a));
        let y = cast(fraction);
        Some(low_words(nearest_down(_mm512_cvtepi32_pd(a0), y), nearest_down(_mm512_cvtepi32_pd(a1), y)))
    }
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn quotient_u32<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract. Toward zero is down.
    unsafe {
        let (a0, a1) = (_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a));
        let (b0, b1) = (_mm512_castsi512_si256(b), _mm512_extracti64x4_epi64::<1>(b));
        let (a0, a1) = (_mm512_cvtepu32_pd(a0), _mm512_cvtepu32_pd(a1));
        let (b0, b1) = (_mm512_cvtepu32_pd(b0), _mm512_cvtepu32_pd(b1));
        low_words(double_down(a0, b0), double_down(a1, b1))
    }
}
