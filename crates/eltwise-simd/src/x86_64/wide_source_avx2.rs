//! 64-bit integers to floats on AVX2, which has no instruction for it.

use core::arch::x86_64::*;

use pulp::{f32x8, f64x4};

use super::avx2::Avx2;
use crate::over_pulp::cast;
use crate::wide::IntegerSource;

// One row an integer: the upper word of 2^84, turned so that a sign becomes an offset; that offset.
macro_rules! sources {
    ($($t:ident $turn:literal $offset:expr, $centre:literal;)*) => {$(
        impl IntegerSource<$t> for Avx2 {
            #[inline(always)]
            unsafe fn load_nearest(self, p: *const $t) -> f64x4 {
                // SAFETY: the caller's contract, 32 bytes; AVX2.
                cast(unsafe { nearest(_mm256_loadu_si256(p.cast()), $turn, $offset) })
            }
            #[inline(always)]
            unsafe fn load_to_odd(self, p: *const $t) -> f32x8 {
                // SAFETY: the caller's contract, 64 bytes; AVX2.
                unsafe {
                    let (x, y) = (_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(4).cast()));
                    let x = odd(nearest(short(x, $centre), $turn, $offset));
                    let y = odd(nearest(short(y, $centre), $turn, $offset));
                    cast(_mm256_set_m128(_mm256_cvtpd_ps(y), _mm256_cvtpd_ps(x)))
                }
            }
        }
    )*};
}

/// 2^52 and 2^84: the last places of such numbers count ones, and 2^32.
const ONES: f64 = 4_503_599_627_370_496.0;
const WORDS: f64 = ONES * 4_294_967_296.0;

sources! {
    i64 0x4530_0000_8000_0000 WORDS + 9_223_372_036_854_775_808.0 + ONES, 0x0000_0100_0000_0000;
    u64 0x4530_0000_0000_0000 WORDS + ONES, 0;
}

/// The nearest numbers: both halves of an integer stand in the last places of 2^52 and of 2^84, and only the last sum rounds.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn nearest(x: __m256i, turn: i64, offset: f64) -> __m256d {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm256_blend_epi32::<0b1010_1010>(x, _mm256_castpd_si256(_mm256_set1_pd(ONES)));
        let high = _mm256_xor_si256(_mm256_srli_epi64::<32>(x), _mm256_set1_epi64x(turn));
        let high = _mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_set1_pd(offset));
        _mm256_add_pd(high, _mm256_castsi256_pd(low))
    }
}

/// Integers of more than 40 bits rounded to odd multiples of 2^11 where they are none: at most 53 bits, of which the last tells of
/// those that are lost.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn short(x: __m256i, centre: i64) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let rest = _mm256_set1_epi64x(0x7ff);
        let sticky = _mm256_add_epi64(_mm256_and_si256(x, rest), rest);
        let joined = _mm256_andnot_si256(rest, _mm256_or_si256(x, sticky));
        let above = _mm256_srli_epi64::<41>(_mm256_add_epi64(x, _mm256_set1_epi64x(centre)));
        let small = _mm256_cmpeq_epi64(above, _mm256_setzero_si256());
        _mm256_blendv_epi8(joined, x, small)
    }
}

/// Numbers that are integers, to 24 bits, rounded to odd.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn odd(x: __m256d) -> __m256d {
    // SAFETY: the caller's contract. What an `f32` does not hold is joined into its last bit.
    unsafe {
        let (x, rest) = (_mm256_castpd_si256(x), _mm256_set1_epi64x(0x1fff_ffff));
        let sticky = _mm256_add_epi64(_mm256_and_si256(x, rest), rest);
        _mm256_castsi256_pd(_mm256_andnot_si256(rest, _mm256_or_si256(x, sticky)))
    }
}
