//! Integer division of 8, 16 and 32 bits on AVX-512, in floating point, exact for every pair of operands.
//!
//! Let `t = a / b`, exactly. Unless `t` is an integer, the nearest integers are at least `1 / |b|` away. So:
//!
//! * Toward zero: truncate `a * y`, where `y` is the reciprocal of `b`, increased a little in magnitude. An integer `t`
//!   is reached, and the excess is less than `1 / |b|`.
//! * Down: round `a * y + |y| / 2 - 1 / 2` to the nearest integer. Its distance from a tie is at least `1 / (2 |b|)`.
//!   Adding `1.5 * 2^m`, for a fraction of `m` bits, rounds and leaves the integer in the low bits.
//!
//! | bits | computed in | reciprocal | error | allowed error |
//! |---|---|---|---|---|
//! | 8 | `f32` | `vrcp14ps` | 2^-14 | 2^-9 |
//! | 16 | `f32` | one Newton step | 2^-23 | 2^-17 |
//! | 32 | `f64` | one cubic step | 2^-41 | 2^-33 |
//! | 64 | `f64` | see `int64_div.rs` | | |
//!
//! Eight-bit lanes are divided at their place in a 32-bit lane: both operands have the same scale, which cancels in the
//! quotient. Division by 0 gives infinities and NaN, and then an unspecified integer.

use core::arch::x86_64::*;

use super::Avx512Token;

use super::mul_high::*;
use crate::int_div::{IntDivLanes, fraction_of_u8};
use crate::pulp_lanes::cast;
use crate::token::Token;

/// `vpternlog` of `(x, y, mask)`: x at set bits of the mask, else y.
const SELECT: i32 = 0b1110_0100;

/// `a / b` in the low bits of each lane. `a` and `b` are both multiplied by `scale`; `STEP` adds a Newton step.
///
/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn div_f32<const DOWN: bool, const STEP: bool>(a: __m512, b: __m512, scale: f32) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let y = _mm512_rcp14_ps(b);
        let y = if STEP {
            // For truncation, increases the magnitude by 2^-19.
            let one = _mm512_set1_ps(if DOWN { 1.0 } else { 1.0 + 1.0 / 524288.0 });
            let error = _mm512_fnmadd_ps(b, y, one);
            _mm512_fmadd_ps(error, y, y)
        } else if DOWN {
            y
        } else {
            // Increases the magnitude by 2^-12.
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

/// `one` times the reciprocal, with an error of 2^-41.
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
unsafe fn div_floor_f64(a: __m512d, b: __m512d) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { mul_floor_f64(a, reciprocal(b, 1.0)) }
}

/// `a * y` rounded down, in the low 32 bits of each lane; `y` is the reciprocal of an integer, or 0.
///
/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn mul_floor_f64(a: __m512d, y: __m512d) -> __m512i {
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
unsafe fn div_trunc_f64(a: __m512d, b: __m512d) -> __m256i {
    // SAFETY: the caller's contract. The reciprocal's magnitude is increased by 2^-40.
    unsafe { _mm512_cvttpd_epi32(_mm512_mul_pd(a, reciprocal(b, 1.0 + 1.0 / 1099511627776.0))) }
}

/// Packs the low 32 bits of sixteen 64-bit lanes.
///
/// # Safety
/// AVX-512 F.
#[inline(always)]
unsafe fn pack_low_words(low: __m512i, high: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        _mm512_permutex2var_epi32(low, even, high)
    }
}

// One row per type: its functions on raw vectors and, after `by`, its functions for a single divisor.
macro_rules! quotients {
    ($($t:ty, $function:ident $high:ident $down:ident $(by $fraction:ident $quotient:ident $(remainder $remainder:ident)?)?;)*) => {$(
        impl<X: Copy + 'static> IntDivLanes<$t> for Avx512Token<X>
        where
            Self: Token,
        {
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
                    cast(unsafe { $fraction(d) })
                }
                #[inline(always)]
                fn div_by_fraction<const DOWN: bool>(self, a: Self::V, fraction: Self::V) -> Option<Self::V> {
                    // SAFETY: the token proves the ISA.
                    unsafe { $quotient::<DOWN>(cast(a), cast(fraction)) }.map(cast)
                }
                $(
                    #[inline(always)]
                    fn rem_by_fraction(self, a: Self::V, d: Self::V, fraction: Self::V) -> Option<Self::V> {
                        // SAFETY: the token proves the ISA.
                        Some(cast(unsafe { $remainder(cast(a), cast(d), cast(fraction)) }))
                    }
                )?
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
    i8, div_i8 mul_high_8 shift_right_8; u8, div_u8 mul_high_8 shift_right_8 by fraction_u8 div_by_fraction_u8 remainder rem_by_fraction_u8;
    i16, div_i16 mul_high_16 shift_right_16; u16, div_u16 mul_high_16 shift_right_16;
    i32, div_i32 mul_high_32 shift_right_32 by fraction_i32 div_by_fraction_i32; u32, div_u32 mul_high_32 shift_right_32;
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn div_i8<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let top = _mm512_set1_epi32(0xff00_0000_u32 as i32);
        macro_rules! quotients {
            ($bytes:ident => $lane:expr) => {{
                let $bytes = a;
                let x = _mm512_cvtepi32_ps($lane);
                let $bytes = b;
                let y = _mm512_cvtepi32_ps($lane);
                div_f32::<DOWN, false>(x, y, 16777216.0)
            }};
        }
        let q0 = quotients!(v => _mm512_slli_epi32::<24>(v));
        let q1 = quotients!(v => _mm512_and_si512(_mm512_slli_epi32::<16>(v), top));
        let q2 = quotients!(v => _mm512_and_si512(_mm512_slli_epi32::<8>(v), top));
        let q3 = quotients!(v => _mm512_and_si512(v, top));
        join_bytes(q0, q1, q2, q3)
    }
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn div_u8<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract. Unsigned quotients round the same both ways.
    unsafe {
        macro_rules! quotients {
            ($mask:literal, $scale:literal) => {{
                let mask = _mm512_set1_epi32($mask);
                let (x, y) = (_mm512_and_si512(a, mask), _mm512_and_si512(b, mask));
                div_f32::<false, false>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), $scale)
            }};
        }
        let q0 = quotients!(0xff, 1.0);
        let q1 = quotients!(0xff00, 256.0);
        let q2 = quotients!(0x00ff_0000, 65536.0);
        let (x, y) = (_mm512_srli_epi32::<24>(a), _mm512_srli_epi32::<24>(b));
        let q3 = div_f32::<false, false>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), 1.0);
        join_bytes(q0, q1, q2, q3)
    }
}

/// # Safety
/// AVX-512 BW.
#[inline(always)]
unsafe fn fraction_u8(d: u8) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe { _mm512_set1_epi16(fraction_of_u8(d) as i16) }
}

/// Quotients by one divisor; `avx2/int_div.rs` proves that they are exact.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
unsafe fn div_by_fraction_u8<const DOWN: bool>(a: __m512i, fraction: __m512i) -> Option<__m512i> {
    // SAFETY: the caller's contract.
    unsafe {
        let (low, ones) = (_mm512_set1_epi16(0xff), _mm512_set1_epi16(-1));
        let m = _mm512_add_epi16(fraction, ones);
        let even = _mm512_mulhi_epu16(_mm512_sub_epi16(_mm512_and_si512(a, low), ones), m);
        let odd = _mm512_mulhi_epu16(_mm512_or_si512(a, low), m);
        Some(_mm512_ternarylogic_epi32::<SELECT>(even, odd, low))
    }
}

/// Remainders of a division by one divisor; `avx2/int_div.rs` proves that they are exact.
///
/// # Safety
/// AVX-512 BW.
#[inline(always)]
unsafe fn rem_by_fraction_u8(a: __m512i, d: __m512i, fraction: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm512_set1_epi16(0xff);
        let even = _mm512_mullo_epi16(_mm512_and_si512(a, low), fraction);
        let odd = _mm512_mullo_epi16(_mm512_srli_epi16::<8>(a), fraction);
        let even = _mm512_mulhi_epu16(even, _mm512_and_si512(d, low));
        let odd = _mm512_mulhi_epu16(odd, _mm512_andnot_si512(low, d));
        _mm512_ternarylogic_epi32::<SELECT>(even, odd, low)
    }
}

/// Joins the low bytes of four vectors of 32-bit lanes, in this order, in each lane.
///
/// # Safety
/// AVX-512 F and BW.
#[inline(always)]
unsafe fn join_bytes(q0: __m512i, q1: __m512i, q2: __m512i, q3: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm512_set1_epi16(0x00ff);
        let first = _mm512_ternarylogic_epi32::<SELECT>(q0, _mm512_slli_epi32::<8>(q1), low);
        let second = _mm512_ternarylogic_epi32::<SELECT>(q2, _mm512_slli_epi32::<8>(q3), low);
        _mm512_mask_blend_epi16(0xaaaa_aaaa, first, _mm512_slli_epi32::<16>(second))
    }
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn div_i16<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let top = _mm512_set1_epi32(0xffff_0000_u32 as i32);
        let (x, y) = (_mm512_slli_epi32::<16>(a), _mm512_slli_epi32::<16>(b));
        let low = div_f32::<DOWN, true>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), 65536.0);
        let (x, y) = (_mm512_and_si512(a, top), _mm512_and_si512(b, top));
        let high = div_f32::<DOWN, true>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), 65536.0);
        _mm512_mask_blend_epi16(0xaaaa_aaaa, low, _mm512_slli_epi32::<16>(high))
    }
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn div_u16<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract. Unsigned quotients round the same both ways.
    unsafe {
        let bottom = _mm512_set1_epi32(0xffff);
        let (x, y) = (_mm512_and_si512(a, bottom), _mm512_and_si512(b, bottom));
        let low = div_f32::<false, true>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), 1.0);
        let (x, y) = (_mm512_srli_epi32::<16>(a), _mm512_srli_epi32::<16>(b));
        let high = div_f32::<false, true>(_mm512_cvtepi32_ps(x), _mm512_cvtepi32_ps(y), 1.0);
        _mm512_mask_blend_epi16(0xaaaa_aaaa, low, _mm512_slli_epi32::<16>(high))
    }
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn div_i32<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let (a0, a1) = (_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a));
        let (b0, b1) = (_mm512_castsi512_si256(b), _mm512_extracti64x4_epi64::<1>(b));
        let (a0, a1) = (_mm512_cvtepi32_pd(a0), _mm512_cvtepi32_pd(a1));
        let (b0, b1) = (_mm512_cvtepi32_pd(b0), _mm512_cvtepi32_pd(b1));
        if DOWN {
            pack_low_words(div_floor_f64(a0, b0), div_floor_f64(a1, b1))
        } else {
            let low = _mm512_castsi256_si512(div_trunc_f64(a0, b0));
            _mm512_inserti64x4::<1>(low, div_trunc_f64(a1, b1))
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

/// Quotients by one divisor, rounded down, as products with its reciprocal. Toward zero, the integer multiplication of
/// [`Divisor`](crate::divisor::Divisor) is as fast.
///
/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn div_by_fraction_i32<const DOWN: bool>(a: __m512i, fraction: __m512i) -> Option<__m512i> {
    if !DOWN {
        return None;
    }
    // SAFETY: the caller's contract.
    unsafe {
        let (a0, a1) = (_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a));
        let y = cast(fraction);
        Some(pack_low_words(mul_floor_f64(_mm512_cvtepi32_pd(a0), y), mul_floor_f64(_mm512_cvtepi32_pd(a1), y)))
    }
}

/// # Safety
/// AVX-512 F, BW and DQ.
#[inline(always)]
unsafe fn div_u32<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract. Unsigned quotients round the same both ways.
    unsafe {
        let (a0, a1) = (_mm512_castsi512_si256(a), _mm512_extracti64x4_epi64::<1>(a));
        let (b0, b1) = (_mm512_castsi512_si256(b), _mm512_extracti64x4_epi64::<1>(b));
        let (a0, a1) = (_mm512_cvtepu32_pd(a0), _mm512_cvtepu32_pd(a1));
        let (b0, b1) = (_mm512_cvtepu32_pd(b0), _mm512_cvtepu32_pd(b1));
        pack_low_words(div_floor_f64(a0, b0), div_floor_f64(a1, b1))
    }
}
