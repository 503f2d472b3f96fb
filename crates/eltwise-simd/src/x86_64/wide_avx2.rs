//! Division of 64-bit integers on AVX2, where conversions are made of additions.
//!
//! * Vectors of lanes below 2^50: one `vdivpd`, as on AVX-512.
//! * Of quotients below 2^49: the nearest integer of `a` times the reciprocal, off by 3/4 at most. The sign of the rest tells
//!   on which side it lies. Divisors of 2^63 and more have the quotient 0 or 1.
//! * By divisors below 2^18, to which greater quotients belong: the upper word and then, behind what it leaves, the lower
//!   word are divided as above; all products are below 2^53, so the lanes stay `f64`.
//! * Vectors with both are divided lane after lane: a second step as on AVX-512 takes as long here.

use core::arch::x86_64::*;

use super::avx2::Avx2;
use super::high_avx2::*;
use super::quotient_avx2::MAGIC;
use crate::lanes::Lanes;
use crate::over_pulp::cast;
use crate::quotient::{QuotientLanes, lane_after_lane};

// One row a type: its division by any divisor.
macro_rules! wide_quotients {
    ($($t:ident $any:ident;)*) => {$(
        impl QuotientLanes<$t> for Avx2 {
            #[inline(always)]
            fn quotient_toward_zero(self, a: Self::V, b: Self::V) -> Self::V {
                if let Some(quotient) = QuotientLanes::<$t>::quotient_by::<false>(self, a, b) {
                    return quotient;
                }
                // SAFETY: the token.
                match unsafe { $any::<false>(self, cast(a), cast(b)) } {
                    Some(quotient) => cast(quotient),
                    None => lane_after_lane::<$t, Self, false>(self, a, b),
                }
            }
            #[inline(always)]
            fn quotient_down(self, a: Self::V, b: Self::V) -> Self::V {
                if let Some(quotient) = QuotientLanes::<$t>::quotient_by::<true>(self, a, b) {
                    return quotient;
                }
                // SAFETY: the token.
                match unsafe { $any::<true>(self, cast(a), cast(b)) } {
                    Some(quotient) => cast(quotient),
                    None => lane_after_lane::<$t, Self, true>(self, a, b),
                }
            }
            #[inline(always)]
            fn fraction(self, d: $t) -> Self::V {
                // The divisor; for 0 one that is not small.
                self.splat(if d == 0 { !($t::MAX >> 1) } else { d })
            }
            #[inline(always)]
            fn quotient_by<const DOWN: bool>(self, a: Self::V, b: Self::V) -> Option<Self::V> {
                // Where all lanes are small.
                // SAFETY: the token.
                unsafe {
                    let (a, b) = (cast(a), cast(b));
                    if is_small(a, b, $t::MIN != 0) { Some(cast(small::<DOWN>(a, b))) } else { None }
                }
            }
            #[inline(always)]
            fn mul_high(self, a: Self::V, b: Self::V) -> Self::V {
                // SAFETY: the token.
                cast(unsafe { mul_high_64(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn shift_down(self, a: Self::V, count: u32) -> Self::V {
                // SAFETY: the token.
                cast(unsafe { shift_down_64(cast(a), count) })
            }
        }
    )*};
}

wide_quotients! {
    i64 any_i64; u64 any_u64;
}

/// Whether all lanes are from -2^50 to 2^50 - 1 (unsigned: below 2^51).
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn is_small(a: __m256i, b: __m256i, signed: bool) -> bool {
    // SAFETY: the caller's contract.
    unsafe {
        let half = _mm256_set1_epi64x(if signed { 1 << 50 } else { 0 });
        let either = _mm256_or_si256(_mm256_add_epi64(a, half), _mm256_add_epi64(b, half));
        _mm256_testz_si256(either, _mm256_set1_epi64x(-1 << 51)) != 0
    }
}

/// The quotient of small lanes.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn small<const DOWN: bool>(a: __m256i, b: __m256i) -> __m256i {
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

/// The nearest `f64`: the words stand in the fractions of 2^84 and 2^52, and the sum is rounded once.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn to_double<const SIGNED: bool>(x: __m256i) -> __m256d {
    // SAFETY: the caller's contract.
    unsafe {
        // 2^84, for signed numbers with the sign bit of the high word turned: 2^63 more.
        let top = 0x4530_0000_0000_0000 | if SIGNED { 0x8000_0000 } else { 0 };
        let high = _mm256_xor_si256(_mm256_srli_epi64::<32>(x), _mm256_set1_epi64x(top));
        let low = _mm256_blend_epi32::<0b1010_1010>(x, _mm256_set1_epi64x(0x4330_0000_0000_0000));
        let excess = f64::from_bits(top as u64) + 4503599627370496.0;
        _mm256_add_pd(_mm256_sub_pd(cast(high), _mm256_set1_pd(excess)), cast(low))
    }
}

/// The quotient of magnitudes, toward zero, and whether something is left; `None` where a divisor is 2^18 and more.
///
/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn by_word(a: __m256i, b: __m256i) -> Option<(__m256i, __m256i)> {
    // SAFETY: the caller's contract.
    unsafe {
        if _mm256_testz_si256(b, _mm256_set1_epi64x(-1 << 18)) == 0 {
            return None;
        }
        // Words in the fraction of 2^52.
        let one = _mm256_set1_epi64x(0x4330_0000_0000_0000);
        let (words, excess) = (_mm256_set1_pd(4294967296.0), _mm256_set1_pd(4503599627370496.0));
        let b = _mm256_sub_pd(cast(_mm256_or_si256(b, one)), excess);
        let high = _mm256_sub_pd(cast(_mm256_or_si256(_mm256_srli_epi64::<32>(a), one)), excess);
        let low = _mm256_sub_pd(cast(_mm256_blend_epi32::<0b1010_1010>(a, one)), excess);
        let first = _mm256_floor_pd(_mm256_div_pd(high, b));
        let rest = _mm256_fmadd_pd(_mm256_fnmadd_pd(first, b, high), words, low);
        let second = _mm256_floor_pd(_mm256_div_pd(rest, b));
        let left = _mm256_cmp_pd::<_CMP_NEQ_UQ>(_mm256_fnmadd_pd(second, b, rest), _mm256_setzero_pd());
        let quotient = _mm256_slli_epi64::<32>(cast(_mm256_add_pd(first, excess)));
        // What the second quotient is below 2^32 and its exponent's bits.
        let second = _mm256_blend_epi32::<0b1010_1010>(cast(_mm256_add_pd(second, excess)), _mm256_setzero_si256());
        Some((_mm256_or_si256(quotient, second), cast(left)))
    }
}

/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn times(l: Avx2, a: __m256i, b: __m256i) -> __m256i {
    cast(Lanes::<u64>::mul(l, cast(a), cast(b)))
}

/// The nearest integer of a number below 2^51.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn to_small_integer(x: __m256d) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let sum = _mm256_add_pd(x, _mm256_set1_pd(MAGIC));
        _mm256_sub_epi64(cast(sum), _mm256_set1_epi64x(MAGIC.to_bits() as i64))
    }
}

/// The quotient to the nearest integer or beside it, and the rest; `None` where it may be 2^49 and more, or b is 0.
///
/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn nearest<const SIGNED: bool>(l: Avx2, a: __m256i, b: __m256i) -> Option<(__m256i, __m256i)> {
    // SAFETY: the caller's contract.
    unsafe {
        let y = _mm256_div_pd(_mm256_set1_pd(1.0), to_double::<SIGNED>(b));
        let t = _mm256_mul_pd(to_double::<SIGNED>(a), y);
        let size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), t);
        let large = _mm256_cmp_pd::<_CMP_NLT_UQ>(size, _mm256_set1_pd(562949953421312.0));
        if _mm256_testz_pd(large, large) == 0 {
            return None;
        }
        let quotient = to_small_integer(t);
        Some((quotient, _mm256_sub_epi64(a, times(l, quotient, b))))
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn any_i64<const DOWN: bool>(l: Avx2, a: __m256i, b: __m256i) -> Option<__m256i> {
    // SAFETY: the caller's contract.
    unsafe {
        let zero = _mm256_setzero_si256();
        let Some((quotient, rest)) = nearest::<true>(l, a, b) else {
            let (negative_a, negative_b) = (_mm256_cmpgt_epi64(zero, a), _mm256_cmpgt_epi64(zero, b));
            let a = _mm256_sub_epi64(_mm256_xor_si256(a, negative_a), negative_a);
            let b = _mm256_sub_epi64(_mm256_xor_si256(b, negative_b), negative_b);
            let (quotient, left) = by_word(a, b)?;
            // Below zero: the quotient turned, and one less where something is left.
            let negative = _mm256_xor_si256(negative_a, negative_b);
            let more = if DOWN { _mm256_andnot_si256(left, negative) } else { negative };
            return Some(_mm256_sub_epi64(_mm256_xor_si256(quotient, negative), more));
        };
        let none = _mm256_cmpeq_epi64(rest, zero);
        let above = _mm256_cmpgt_epi64(zero, _mm256_xor_si256(rest, b));
        Some(if DOWN {
            _mm256_add_epi64(quotient, _mm256_andnot_si256(none, above))
        } else {
            // -1 where the quotient is above, 1 where it is below.
            let step = _mm256_sub_epi64(_mm256_add_epi64(above, above), _mm256_set1_epi64x(-1));
            let wrong = _mm256_andnot_si256(none, _mm256_cmpgt_epi64(zero, _mm256_xor_si256(rest, a)));
            _mm256_add_epi64(quotient, _mm256_and_si256(wrong, step))
        })
    }
}

/// # Safety
/// AVX2 and FMA.
#[inline(always)]
unsafe fn any_u64<const DOWN: bool>(l: Avx2, a: __m256i, b: __m256i) -> Option<__m256i> {
    // SAFETY: the caller's contract. Toward zero is down.
    unsafe {
        let Some((quotient, rest)) = nearest::<false>(l, a, b) else {
            return Some(by_word(a, b)?.0);
        };
        let quotient = _mm256_add_epi64(quotient, _mm256_cmpgt_epi64(_mm256_setzero_si256(), rest));
        let top = _mm256_set1_epi64x(i64::MIN);
        let less = _mm256_cmpgt_epi64(_mm256_xor_si256(b, top), _mm256_xor_si256(a, top));
        let once = _mm256_add_epi64(less, _mm256_set1_epi64x(1));
        Some(cast(_mm256_blendv_pd(cast(quotient), cast(once), cast(b))))
    }
}
