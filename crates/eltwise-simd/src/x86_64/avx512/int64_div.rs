//! Division of 64-bit integers on AVX-512, in `f64`. The cases:
//!
//! * All lanes below 2^50: one `vdivpd`, whose rounding cannot cross an integer.
//! * Others: `y` is the reciprocal in `f64`, with an error of 2^-52. The first quotient is `a * y` rounded to nearest,
//!   off by less than `1/2 + 2^13`. The remainder of `a` fits into 64 bits with a sign, and is divided in the same way.
//!   The second remainder is at most `|b| (1/2 + 2^-38)` in magnitude, and its sign says whether the quotient is one
//!   too large. Quotients of 2^63 and 2^64 wrap, and the second quotient corrects that. Divisors of 2^63 and more have
//!   the quotient 0 or 1.

use core::arch::x86_64::*;

use super::Avx512Token;
use super::mul_high::*;
use crate::int_div::IntDivLanes;
use crate::lanes::Lanes;
use crate::pulp_lanes::cast;
use crate::token::Token;

// One row per type: its division by any divisor.
macro_rules! int64_divisions {
    ($($t:ident $any:ident;)*) => {$(
        impl<X: Copy + 'static> IntDivLanes<$t> for Avx512Token<X>
        where
            Self: Token,
        {
            #[inline(always)]
            fn div_trunc(self, a: Self::V, b: Self::V) -> Self::V {
                match IntDivLanes::<$t>::div_by_fraction::<false>(self, a, b) {
                    Some(quotient) => quotient,
                    // SAFETY: the token proves the ISA.
                    None => cast(unsafe { $any::<false>(cast(a), cast(b)) }),
                }
            }
            #[inline(always)]
            fn div_floor(self, a: Self::V, b: Self::V) -> Self::V {
                match IntDivLanes::<$t>::div_by_fraction::<true>(self, a, b) {
                    Some(quotient) => quotient,
                    // SAFETY: the token proves the ISA.
                    None => cast(unsafe { $any::<true>(cast(a), cast(b)) }),
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
/// AVX-512 F.
#[inline(always)]
unsafe fn is_small(a: __m512i, b: __m512i, signed: bool) -> bool {
    // SAFETY: the caller's contract.
    unsafe {
        let half = _mm512_set1_epi64(if signed { 1 << 50 } else { 0 });
        let both = _mm512_or_si512(_mm512_add_epi64(a, half), _mm512_add_epi64(b, half));
        _mm512_test_epi64_mask(both, _mm512_set1_epi64(-1 << 51)) == 0
    }
}

/// Divides small lanes.
///
/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn div_small<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let t = _mm512_div_pd(_mm512_cvtepi64_pd(a), _mm512_cvtepi64_pd(b));
        if DOWN {
            _mm512_cvt_roundpd_epi64::<{ _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC }>(t)
        } else {
            _mm512_cvttpd_epi64(t)
        }
    }
}

/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn div_any_i64<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let y = _mm512_div_pd(_mm512_set1_pd(1.0), _mm512_cvtepi64_pd(b));
        let first = _mm512_cvtpd_epi64(_mm512_mul_pd(_mm512_cvtepi64_pd(a), y));
        let remainder = _mm512_sub_epi64(a, _mm512_mullo_epi64(first, b));
        let second = _mm512_cvtpd_epi64(_mm512_mul_pd(_mm512_cvtepi64_pd(remainder), y));
        let remainder = _mm512_sub_epi64(remainder, _mm512_mullo_epi64(second, b));
        let quotient = _mm512_add_epi64(first, second);
        // If the remainder has the wrong sign, the quotient is off by one: too large if the signs of the remainder and
        // of b differ.
        let one = _mm512_set1_epi64(1);
        let above = _mm512_movepi64_mask(_mm512_xor_si512(remainder, b));
        if DOWN {
            _mm512_mask_sub_epi64(quotient, above & _mm512_test_epi64_mask(remainder, remainder), quotient, one)
        } else {
            let wrong =
                _mm512_movepi64_mask(_mm512_xor_si512(remainder, a)) & _mm512_test_epi64_mask(remainder, remainder);
            let quotient = _mm512_mask_sub_epi64(quotient, wrong & above, quotient, one);
            _mm512_mask_add_epi64(quotient, wrong & !above, quotient, one)
        }
    }
}

/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn div_any_u64<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract. Unsigned quotients round the same both ways.
    unsafe {
        let y = _mm512_div_pd(_mm512_set1_pd(1.0), _mm512_cvtepu64_pd(b));
        let first = _mm512_cvtpd_epu64(_mm512_mul_pd(_mm512_cvtepu64_pd(a), y));
        let remainder = _mm512_sub_epi64(a, _mm512_mullo_epi64(first, b));
        let second = _mm512_cvtpd_epi64(_mm512_mul_pd(_mm512_cvtepi64_pd(remainder), y));
        let remainder = _mm512_sub_epi64(remainder, _mm512_mullo_epi64(second, b));
        let quotient = _mm512_add_epi64(first, second);
        let one = _mm512_set1_epi64(1);
        let quotient = _mm512_mask_sub_epi64(quotient, _mm512_movepi64_mask(remainder), quotient, one);
        let once = _mm512_maskz_mov_epi64(_mm512_cmpge_epu64_mask(a, b), one);
        _mm512_mask_mov_epi64(quotient, _mm512_movepi64_mask(b), once)
    }
}
