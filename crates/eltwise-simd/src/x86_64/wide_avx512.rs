//! Division of 64-bit integers on AVX-512.
//!
//! * Vectors of lanes below 2^50: one `vdivpd`, whose rounding cannot pass an integer.
//! * Others: `y` is the reciprocal in `f64`, to 2^-52. The first quotient is `a * y` to the nearest integer, off by less than
//!   `1/2 + 2^13`; what `a` exceeds it by fits 64 bits with a sign, and is divided in the same way. Now the rest is at
//!   most `|b| (1/2 + 2^-38)` on either side of 0, and its sign tells whether the quotient is one too large. Quotients of
//!   2^63 and 2^64 wrap, and the second one makes good for it. Divisors of 2^63 and more have the quotient 0 or 1.

use core::arch::x86_64::*;

use super::avx512::Avx512Token;
use super::high_avx512::*;
use crate::lanes::Lanes;
use crate::over_pulp::cast;
use crate::quotient::QuotientLanes;
use crate::token::Token;

// One row a type: its division by any divisor.
macro_rules! wide_quotients {
    ($($t:ident $any:ident;)*) => {$(
        impl<X: Copy + 'static> QuotientLanes<$t> for Avx512Token<X>
        where
            Self: Token,
        {
            #[inline(always)]
            fn quotient_toward_zero(self, a: Self::V, b: Self::V) -> Self::V {
                match QuotientLanes::<$t>::quotient_by::<false>(self, a, b) {
                    Some(quotient) => quotient,
                    // SAFETY: the token.
                    None => cast(unsafe { $any::<false>(cast(a), cast(b)) }),
                }
            }
            #[inline(always)]
            fn quotient_down(self, a: Self::V, b: Self::V) -> Self::V {
                match QuotientLanes::<$t>::quotient_by::<true>(self, a, b) {
                    Some(quotient) => quotient,
                    // SAFETY: the token.
                    None => cast(unsafe { $any::<true>(cast(a), cast(b)) }),
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
/// AVX-512 F.
#[inline(always)]
unsafe fn is_small(a: __m512i, b: __m512i, signed: bool) -> bool {
    // SAFETY: the caller's contract.
    unsafe {
        let half = _mm512_set1_epi64(if signed { 1 << 50 } else { 0 });
        let either = _mm512_or_si512(_mm512_add_epi64(a, half), _mm512_add_epi64(b, half));
        _mm512_test_epi64_mask(either, _mm512_set1_epi64(-1 << 51)) == 0
    }
}

/// The quotient of small lanes.
///
/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn small<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
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
unsafe fn any_i64<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract.
    unsafe {
        let y = _mm512_div_pd(_mm512_set1_pd(1.0), _mm512_cvtepi64_pd(b));
        let first = _mm512_cvtpd_epi64(_mm512_mul_pd(_mm512_cvtepi64_pd(a), y));
        let rest = _mm512_sub_epi64(a, _mm512_mullo_epi64(first, b));
        let second = _mm512_cvtpd_epi64(_mm512_mul_pd(_mm512_cvtepi64_pd(rest), y));
        let rest = _mm512_sub_epi64(rest, _mm512_mullo_epi64(second, b));
        let quotient = _mm512_add_epi64(first, second);
        // A rest of the wrong sign: the quotient is beside the exact one, above it where the rest's sign is not b's.
        let one = _mm512_set1_epi64(1);
        let above = _mm512_movepi64_mask(_mm512_xor_si512(rest, b));
        if DOWN {
            _mm512_mask_sub_epi64(quotient, above & _mm512_test_epi64_mask(rest, rest), quotient, one)
        } else {
            let wrong = _mm512_movepi64_mask(_mm512_xor_si512(rest, a)) & _mm512_test_epi64_mask(rest, rest);
            let quotient = _mm512_mask_sub_epi64(quotient, wrong & above, quotient, one);
            _mm512_mask_add_epi64(quotient, wrong & !above, quotient, one)
        }
    }
}

/// # Safety
/// AVX-512 F and DQ.
#[inline(always)]
unsafe fn any_u64<const DOWN: bool>(a: __m512i, b: __m512i) -> __m512i {
    // SAFETY: the caller's contract. Toward zero is down.
    unsafe {
        let y = _mm512_div_pd(_mm512_set1_pd(1.0), _mm512_cvtepu64_pd(b));
        let first = _mm512_cvtpd_epu64(_mm512_mul_pd(_mm512_cvtepu64_pd(a), y));
        let rest = _mm512_sub_epi64(a, _mm512_mullo_epi64(first, b));
        let second = _mm512_cvtpd_epi64(_mm512_mul_pd(_mm512_cvtepi64_pd(rest), y));
        let rest = _mm512_sub_epi64(rest, _mm512_mullo_epi64(second, b));
        let quotient = _mm512_add_epi64(first, second);
        let one = _mm512_set1_epi64(1);
        let quotient = _mm512_mask_sub_epi64(quotient, _mm512_movepi64_mask(rest), quotient, one);
        let once = _mm512_maskz_mov_epi64(_mm512_cmpge_epu64_mask(a, b), one);
        _mm512_mask_mov_epi64(quotient, _mm512_movepi64_mask(b), once)
    }
}
