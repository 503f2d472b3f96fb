//! 64-bit integers as floats, which the compiler converts by the instructions of AVX-512 DQ, and their lowest bytes.

use core::arch::x86_64::*;

use super::avx512::Avx512Token;
use crate::over_pulp::cast;
use crate::token::Token;
use crate::wide::IntegerSource;

impl<X: Copy + 'static> IntegerSource<i64> for Avx512Token<X> where Self: Token {}

impl<X: Copy + 'static> IntegerSource<u64> for Avx512Token<X>
where
    Self: Token,
{
    /// `vpmovqb` of both vectors would take four shuffles, and one to join them: these are three.
    #[inline(always)]
    unsafe fn store_low_bytes(self, p: *mut u8, v: [u64; 16]) {
        // SAFETY: the token; the caller's contract.
        unsafe {
            let [first, second]: [__m512i; 2] = cast(v);
            // `vpternlog` of (x, y, mask): x where the mask is set, else y.
            let pairs = _mm512_ternarylogic_epi64::<0b1110_0100>(
                first,
                _mm512_slli_epi64::<8>(second),
                _mm512_set1_epi64(0xff),
            );
            let order = _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
            let bytes = _mm_shuffle_epi8(_mm512_cvtepi64_epi16(pairs), order);
            p.cast::<__m128i>().write_unaligned(bytes);
        }
    }
}
