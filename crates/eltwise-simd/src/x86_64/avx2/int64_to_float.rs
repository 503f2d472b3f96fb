//! 64-bit integers to floats on AVX2, which has no instruction for it: the halves of an integer become the fractions of
//! two floats.

use core::arch::x86_64::*;

use pulp::{f32x8, f64x4};

use super::Avx2;
use crate::int64_to_float::Int64ToFloatLanes;
use crate::pulp_lanes::cast;

// One row per integer: the upper half of 2^84, with the sign bit inverted for signed integers; the offset to subtract;
// and the offset that makes small integers non-negative.
macro_rules! sources {
    ($($t:ident $high_bits:literal $offset:expr, $centre:literal;)*) => {$(
        impl Int64ToFloatLanes<$t> for Avx2 {
            #[inline(always)]
            unsafe fn load_as_f64(self, p: *const $t) -> f64x4 {
                // SAFETY: the caller's contract, 32 bytes; AVX2.
                cast(unsafe { to_f64(_mm256_loadu_si256(p.cast()), $high_bits, $offset) })
            }
            #[inline(always)]
            unsafe fn load_as_f32_odd(self, p: *const $t) -> f32x8 {
                // SAFETY: the caller's contract, 64 bytes; AVX2.
                unsafe {
                    let (x, y) = (_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(4).cast()));
                    let x = round_to_odd_24_bits(to_f64(sticky_53_bits(x, $centre), $high_bits, $offset));
                    let y = round_to_odd_24_bits(to_f64(sticky_53_bits(y, $centre), $high_bits, $offset));
                    cast(_mm256_set_m128(_mm256_cvtpd_ps(y), _mm256_cvtpd_ps(x)))
                }
            }
        }
    )*};
}

/// 2^52 and 2^84: the last place of these numbers has the value 1, and 2^32.
const TWO_52: f64 = 4_503_599_627_370_496.0;
const TWO_84: f64 = TWO_52 * 4_294_967_296.0;

sources! {
    i64 0x4530_0000_8000_0000 TWO_84 + 9_223_372_036_854_775_808.0 + TWO_52, 0x0000_0100_0000_0000;
    u64 0x4530_0000_0000_0000 TWO_84 + TWO_52, 0;
}

/// Converts to the nearest number: the halves of the integer become the fractions of 2^52 and of 2^84, and only the
/// last sum rounds.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn to_f64(x: __m256i, high_bits: i64, offset: f64) -> __m256d {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm256_blend_epi32::<0b1010_1010>(x, _mm256_castpd_si256(_mm256_set1_pd(TWO_52)));
        let high = _mm256_xor_si256(_mm256_srli_epi64::<32>(x), _mm256_set1_epi64x(high_bits));
        let high = _mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_set1_pd(offset));
        _mm256_add_pd(high, _mm256_castsi256_pd(low))
    }
}

/// Rounds integers of more than 40 bits to odd multiples of 2^11, unless they are multiples of it: at most 53 bits
/// remain, and the last records that bits were lost.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn sticky_53_bits(x: __m256i, centre: i64) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let low_bits = _mm256_set1_epi64x(0x7ff);
        let sticky = _mm256_add_epi64(_mm256_and_si256(x, low_bits), low_bits);
        let joined = _mm256_andnot_si256(low_bits, _mm256_or_si256(x, sticky));
        let above = _mm256_srli_epi64::<41>(_mm256_add_epi64(x, _mm256_set1_epi64x(centre)));
        let small = _mm256_cmpeq_epi64(above, _mm256_setzero_si256());
        _mm256_blendv_epi8(joined, x, small)
    }
}

/// Rounds integral numbers to 24 bits, to odd.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn round_to_odd_24_bits(x: __m256d) -> __m256d {
    // SAFETY: the caller's contract. The bits that an `f32` cannot hold are ORed into its last bit.
    unsafe {
        let (x, low_bits) = (_mm256_castpd_si256(x), _mm256_set1_epi64x(0x1fff_ffff));
        let sticky = _mm256_add_epi64(_mm256_and_si256(x, low_bits), low_bits);
        _mm256_castsi256_pd(_mm256_andnot_si256(low_bits, _mm256_or_si256(x, sticky)))
    }
}
