//! 64-bit integers to floats on AVX-512: LLVM vectorizes the portable loops with the conversions of AVX-512 DQ. Only
//! the extraction of low bytes has its own code.

use core::arch::x86_64::*;

use super::Avx512Token;
use crate::int64_to_float::Int64ToFloatLanes;
use crate::pulp_lanes::cast;
use crate::token::Token;

impl<X: Copy + 'static> Int64ToFloatLanes<i64> for Avx512Token<X> where Self: Token {}

impl<X: Copy + 'static> Int64ToFloatLanes<u64> for Avx512Token<X>
where
    Self: Token,
{
    /// `vpmovqb` on both vectors and joining the results would take five shuffles; this takes three.
    #[inline(always)]
    unsafe fn store_low_bytes(self, p: *mut u8, v: [u64; 16]) {
        // SAFETY: the token proves the ISA; the caller's contract, 16 bytes.
        unsafe {
            let [first, second]: [__m512i; 2] = cast(v);
            // `vpternlog` of (x, y, mask): x at set bits of the mask, else y.
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
