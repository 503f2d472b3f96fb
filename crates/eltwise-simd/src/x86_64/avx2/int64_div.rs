//! Division of 64-bit integers on AVX2, which converts between `i64` and `f64` by additions. The cases, in order:
//!
//! * All lanes below 2^50: one `vdivpd`, as on AVX-512.
//! * Quotients below 2^49: the nearest integer of `a` times the reciprocal, with an error of at most 3/4. The sign of
//!   the remainder says in which direction. Divisors of 2^63 and more have the quotient 0 or 1.
//! * Larger quotients with divisors below 2^18: the upper word is divided as above, then its remainder together with
//!   the lower word. All products are below 2^53, so the lanes stay `f64`.
//! * Vectors with both: lane by lane. A second step as on AVX-512 would take as long here.

use core::arch::x86_64::*;

use super::Avx2;
use super::int_div::MAGIC;
use super::mul_high::*;
use crate::int_div::{IntDivLanes, div_each_lane};
use crate::lanes::Lanes;
use crate::pulp_lanes::cast;

// One row per type: its division by any divisor.
macro_rules! int64_divisions {
    ($($t:ident $any:ident;)*) => {$(
        impl IntDivLanes<$t> for Avx2 {
            #[inline(always)]
            fn div_trunc(self, a: Self::V, b: Self::V) -> Self::V {
                if let Some(quotient) = IntDivLanes::<$t>::div_by_fraction::<false>(self, a, b) {
                    return quotient;
                }
                // SAFETY: the token proves the ISA.
                match unsafe { $any::<false>(self, cast(a), cast(b)) } {
                    Some(quotient) => cast(quotient),
                    None => div_each_lane::<$t, Self, false>(self, a, b),
                }
            }
            #[inline(always)]
            fn div_floor(self, a: Self::V, b: Self::V) -> Self::V {
                if let Some(quotient) = IntDivLanes::<$t>::div_by_fraction::<true>(self, a, b) {
                    return quotient;
                }
                // SAFETY: the token proves the ISA.
                match unsafe { $any::<true>(self, cast(a), cast(b)) } {
                    Some(quotient) => cast(quotient),
                    None => div_each_lane::<$t, Self, true>(self, a, b),
                }
            }
            #[inline(always)]
            fn fraction(self, d: $t) -> Self::V {
                // The divisor; 0 is replaced by one that is not small.
                self.splat(if d == 0 { !($t::MAX >> 1) } else { d })
            }
            #[inline(always)]
            fn div_by_fraction<const DOWN: bool>(self, a: Self::V, b: Self::V) -> Option<Self::V> {
                // Only if all lanes are small.
                // SAFETY: the token proves the ISA.
                unsafe {
                    let (a, b) = (cast(a), cast(b));
                    if is_small(a, b, $t::MIN != 0) { Some(cast(div_small::<DOWN>(a, b))) } else { None }
                }
            }
            #[inline(always)]
            fn mul_high(self, a: Self::V, b: Self::V) -> Self::V {
                // SAFETY: the token proves the ISA.
                cast(unsafe { mul_high_64(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn shift_right_logical(self, a: Self::V, count: u32) -> Self::V {
                // SAFETY: the token proves the ISA.
                cast(unsafe { shift_right_64(cast(a), count) })
            }
        }
    )*};
}

int64_divisions! {
    i64 div_any_i64; u64 div_any_u64;
}

/// Whether all lanes are in [-2^50, 2^50) (unsigned: below 2^51).
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn is_small(a: __m256i, b: __m256i, signed: bool) -> bool {
    // SAFETY: the caller's contract.
    unsafe {
        let half = _mm256_set1_epi64x(if signed { 1 << 50 } else { 0 });
        let both = _mm256_or_si256(_mm256_add_epi64(a, half), _mm256_add_epi64(b, half));
        _mm256_testz_si256(both, _mm256_set1_epi64x(-1 << 51)) != 0
    }
}

/// Divides small lanes.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn div_small<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let (magic, bits) = (_mm256_set1_pd(MAGIC), _mm256_set1_epi64x(MAGIC.to_bits() as i64));
        let a = _mm256_sub_pd(cast(_mm256_add_epi64(a, bits)), magic);
        let b = _mm256_sub_pd(cast(_mm256_add_epi64(b, bits)), magic);
        let t = _mm256_div_pd(a, b);
        let whole =
            if DOWN { _mm256_floor_pd(t) } else { _mm256_round_pd::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(t) };
        _mm256_sub_epi64(cast(_mm256_add_pd(whole, magic)), bits)
    }
}

/// Converts to the nearest `f64`: the 32-bit halves become the fractions of 2^84 and 2^52, and the sum of both is
/// rounded once.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn to_f64<const SIGNED: bool>(x: __m256i) -> __m256d {
    // SAFETY: the caller's contract.
    unsafe {
        // 2^84. For signed numbers the sign bit of the upper half is inverted, which adds 2^63.
        let top = 0x4530_0000_0000_0000 | if SIGNED { 0x8000_0000 } else { 0 };
        let high = _mm256_xor_si256(_mm256_srli_epi64::<32>(x), _mm256_set1_epi64x(top));
        let low = _mm256_blend_epi32::<0b1010_1010>(x, _mm256_set1_epi64x(0x4330_0000_0000_0000));
        let excess = f64::from_bits(top as u64) + 4503599627370496.0;
        _mm256_add_pd(_mm256_sub_pd(cast(high), _mm256_set1_pd(excess)), cast(low))
    }
}

/// Divides magnitudes toward zero, and returns the quotient and a mask of non-zero remainders; `None` if a divisor is
/// 2^18 or more.
///
/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn div_magnitudes_by_18_bits(a: __m256i, b: __m256i) -> Option<(__m256i, __m256i)> {
    // SAFETY: the caller's contract.
    unsafe {
        if _mm256_testz_si256(b, _mm256_set1_epi64x(-1 << 18)) == 0 {
            return None;
        }
        // Words as the fraction of 2^52.
        let one = _mm256_set1_epi64x(0x4330_0000_0000_0000);
        let (words, excess) = (_mm256_set1_pd(4294967296.0), _mm256_set1_pd(4503599627370496.0));
        let b = _mm256_sub_pd(cast(_mm256_or_si256(b, one)), excess);
        let high = _mm256_sub_pd(cast(_mm256_or_si256(_mm256_srli_epi64::<32>(a), one)), excess);
        let low = _mm256_sub_pd(cast(_mm256_blend_epi32::<0b1010_1010>(a, one)), excess);
        let first = _mm256_floor_pd(_mm256_div_pd(high, b));
        let remainder = _mm256_fmadd_pd(_mm256_fnmadd_pd(first, b, high), words, low);
        let second = _mm256_floor_pd(_mm256_div_pd(remainder, b));
        let left = _mm256_cmp_pd::<_CMP_NEQ_UQ>(_mm256_fnmadd_pd(second, b, remainder), _mm256_setzero_pd());
        let quotient = _mm256_slli_epi64::<32>(cast(_mm256_add_pd(first, excess)));
        // The low 32 bits of the second quotient, without exponent bits.
        let second = _mm256_blend_epi32::<0b1010_1010>(cast(_mm256_add_pd(second, excess)), _mm256_setzero_si256());
        Some((_mm256_or_si256(quotient, second), cast(left)))
    }
}

/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn mul_u64(l: Avx2, a: __m256i, b: __m256i) -> __m256i {
    cast(Lanes::<u64>::mul(l, cast(a), cast(b)))
}

/// The nearest integer of a number below 2^51.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn to_integer(x: __m256d) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let sum = _mm256_add_pd(x, _mm256_set1_pd(MAGIC));
        _mm256_sub_epi64(cast(sum), _mm256_set1_epi64x(MAGIC.to_bits() as i64))
    }
}

/// The quotient, off by at most 1, and its remainder; `None` if a quotient may be 2^49 or more, or b is 0.
///
/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn quotient_within_1<const SIGNED: bool>(l: Avx2, a: __m256i, b: __m256i) -> Option<(__m256i, __m256i)> {
    // SAFETY: the caller's contract.
    unsafe {
        let y = _mm256_div_pd(_mm256_set1_pd(1.0), to_f64::<SIGNED>(b));
        let t = _mm256_mul_pd(to_f64::<SIGNED>(a), y);
        let size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), t);
        let large = _mm256_cmp_pd::<_CMP_NLT_UQ>(size, _mm256_set1_pd(562949953421312.0));
        if _mm256_testz_pd(large, large) == 0 {
            return None;
        }
        let quotient = to_integer(t);
        Some((quotient, _mm256_sub_epi64(a, mul_u64(l, quotient, b))))
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn div_any_i64<const DOWN: bool>(l: Avx2, a: __m256i, b: __m256i) -> Option<__m256i> {
    // SAFETY: the caller's contract.
    unsafe {
        let zero = _mm256_setzero_si256();
        let Some((quotient, remainder)) = quotient_within_1::<true>(l, a, b) else {
            let (negative_a, negative_b) = (_mm256_cmpgt_epi64(zero, a), _mm256_cmpgt_epi64(zero, b));
            let a = _mm256_sub_epi64(_mm256_xor_si256(a, negative_a), negative_a);
            let b = _mm256_sub_epi64(_mm256_xor_si256(b, negative_b), negative_b);
            let (quotient, left) = div_magnitudes_by_18_bits(a, b)?;
            // For a negative result, negate the quotient; rounding down, subtract one if there is a remainder.
            let negative = _mm256_xor_si256(negative_a, negative_b);
            let more = if DOWN { _mm256_andnot_si256(left, negative) } else { negative };
            return Some(_mm256_sub_epi64(_mm256_xor_si256(quotient, negative), more));
        };
        let none = _mm256_cmpeq_epi64(remainder, zero);
        let above = _mm256_cmpgt_epi64(zero, _mm256_xor_si256(remainder, b));
        Some(if DOWN {
            _mm256_add_epi64(quotient, _mm256_andnot_si256(none, above))
        } else {
            // -1 if the quotient is too large, 1 if it is too small.
            let step = _mm256_sub_epi64(_mm256_add_epi64(above, above), _mm256_set1_epi64x(-1));
            let wrong = _mm256_andnot_si256(none, _mm256_cmpgt_epi64(zero, _mm256_xor_si256(remainder, a)));
            _mm256_add_epi64(quotient, _mm256_and_si256(wrong, step))
        })
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn div_any_u64<const DOWN: bool>(l: Avx2, a: __m256i, b: __m256i) -> Option<__m256i> {
    // SAFETY: the caller's contract. Toward zero is down.
    unsafe {
        let Some((quotient, remainder)) = quotient_within_1::<false>(l, a, b) else {
            return Some(div_magnitudes_by_18_bits(a, b)?.0);
        };
        let quotient = _mm256_add_epi64(quotient, _mm256_cmpgt_epi64(_mm256_setzero_si256(), remainder));
        let top = _mm256_set1_epi64x(i64::MIN);
        let less = _mm256_cmpgt_epi64(_mm256_xor_si256(b, top), _mm256_xor_si256(a, top));
        let once = _mm256_add_epi64(less, _mm256_set1_epi64x(1));
        Some(cast(_mm256_blendv_pd(cast(quotient), cast(once), cast(b))))
    }
}
