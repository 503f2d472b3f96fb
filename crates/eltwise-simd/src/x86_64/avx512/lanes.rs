//! [`TargetOps`] of AVX-512: operations that `pulp`'s `V4` lacks.

use core::arch::x86_64::*;

use bytemuck::Pod;
use pulp::{b8, b16, b32, b64, f32x16, f64x8, u8x64, u16x32, u64x8, x86::V4};

use super::sqrt::{sqrt_pd, sqrt_ps};
use super::{Avx512Token, mask_n};
use crate::pulp_lanes::{PulpToken, TargetOps, cast};
use crate::sqrt_subnormal;
use crate::token::Token;

// Every intrinsic below is in AVX-512 F, BW, DQ or VL, which the token proves.
impl<X: Copy + 'static> TargetOps for Avx512Token<X>
where
    Self: Token,
{
    type Simd = V4;
    #[inline(always)]
    fn simd(self) -> V4 {
        self.v4
    }

    #[inline(always)]
    unsafe fn load_n_bytes<V: Pod>(self, p: *const u8, bytes: usize, fill: V) -> V {
        // SAFETY: masked-off bytes are not accessed; the caller's contract covers the others.
        cast(unsafe { _mm512_mask_loadu_epi8(cast(fill), mask_n(bytes), p.cast()) })
    }
    #[inline(always)]
    unsafe fn store_n_bytes<V: Pod>(self, p: *mut u8, bytes: usize, v: V) {
        // SAFETY: masked-off bytes are not accessed; the caller's contract covers the others.
        unsafe { _mm512_mask_storeu_epi8(p.cast(), mask_n(bytes), cast(v)) };
    }

    #[inline(always)]
    fn mul_u8s(self, a: u8x64, b: u8x64) -> u8x64 {
        let (a, b): (__m512i, __m512i) = (cast(a), cast(b));
        // SAFETY: AVX-512 BW.
        unsafe {
            let low_bytes = _mm512_set1_epi16(0x00ff);
            let even = _mm512_mullo_epi16(a, b);
            // The second factor stays in the upper byte, and so the product is there.
            let odd = _mm512_mullo_epi16(_mm512_srli_epi16::<8>(a), _mm512_andnot_si512(low_bytes, b));
            cast(_mm512_ternarylogic_epi32::<FIRST_AND_SECOND_OR_THIRD>(even, low_bytes, odd))
        }
    }
    #[inline(always)]
    fn mul_u64s(self, a: u64x8, b: u64x8) -> u64x8 {
        // SAFETY: AVX-512 DQ.
        cast(unsafe { _mm512_mullo_epi64(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn select_u8s(self, m: b64, a: u8x64, b: u8x64) -> u8x64 {
        // SAFETY: AVX-512 BW.
        cast(unsafe { _mm512_mask_blend_epi8(m.0, cast(b), cast(a)) })
    }
    #[inline(always)]
    fn select_u16s(self, m: b32, a: u16x32, b: u16x32) -> u16x32 {
        // SAFETY: AVX-512 BW.
        cast(unsafe { _mm512_mask_blend_epi16(m.0, cast(b), cast(a)) })
    }
    #[inline(always)]
    fn maximum_f32s(self, a: f32x16, b: f32x16) -> f32x16 {
        let (a, b): (__m512, __m512) = (cast(a), cast(b));
        // maxps returns its second operand for NaNs and for two zeros. With both operand orders, "and" the signs and
        // "or" the other bits. A NaN stays a NaN.
        // SAFETY: AVX-512 F.
        unsafe {
            let (x, y): (__m512i, __m512i) = (cast(_mm512_max_ps(a, b)), cast(_mm512_max_ps(b, a)));
            cast(_mm512_ternarylogic_epi32::<SIGN_AND_REST_OR>(x, y, _mm512_set1_epi32(i32::MIN)))
        }
    }
    #[inline(always)]
    fn minimum_f32s(self, a: f32x16, b: f32x16) -> f32x16 {
        let (a, b): (__m512, __m512) = (cast(a), cast(b));
        // SAFETY: AVX-512 DQ. One of the two operand orders returns a NaN, and "or" keeps it a NaN; "or" also combines
        // the signs of zeros.
        cast(unsafe { _mm512_or_ps(_mm512_min_ps(a, b), _mm512_min_ps(b, a)) })
    }
    #[inline(always)]
    fn maximum_f64s(self, a: f64x8, b: f64x8) -> f64x8 {
        let (a, b): (__m512d, __m512d) = (cast(a), cast(b));
        // SAFETY: AVX-512 F; see maximum_f32s.
        unsafe {
            let (x, y): (__m512i, __m512i) = (cast(_mm512_max_pd(a, b)), cast(_mm512_max_pd(b, a)));
            cast(_mm512_ternarylogic_epi64::<SIGN_AND_REST_OR>(x, y, _mm512_set1_epi64(i64::MIN)))
        }
    }
    #[inline(always)]
    fn minimum_f64s(self, a: f64x8, b: f64x8) -> f64x8 {
        let (a, b): (__m512d, __m512d) = (cast(a), cast(b));
        // SAFETY: AVX-512 DQ; see minimum_f32s.
        cast(unsafe { _mm512_or_pd(_mm512_min_pd(a, b), _mm512_min_pd(b, a)) })
    }
    #[inline(always)]
    fn not_equal_f32s(self, a: f32x16, b: f32x16) -> b16 {
        // SAFETY: AVX-512 F.
        b16(unsafe { _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn not_equal_f64s(self, a: f64x8, b: f64x8) -> b8 {
        // SAFETY: AVX-512 F.
        b8(unsafe { _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn sqrt_alone_f32s(self, a: f32x16) -> f32x16 {
        // SAFETY: AVX-512 F.
        match unsafe { sqrt_ps(cast(a)) } {
            Some(root) => cast(root),
            None => sqrt_subnormal::sqrt::<f32, Self>(self, a),
        }
    }
    #[inline(always)]
    fn sqrt_alone_f64s(self, a: f64x8) -> f64x8 {
        // SAFETY: AVX-512 F.
        match unsafe { sqrt_pd(cast(a)) } {
            Some(root) => cast(root),
            None => sqrt_subnormal::sqrt::<f64, Self>(self, a),
        }
    }
    #[inline(always)]
    fn round_to_integral_f32s<const MODE: i32>(self, a: f32x16) -> f32x16 {
        // With zero fraction bits kept, the modes are the modes of `roundps`.
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_roundscale_ps::<MODE>(cast(a)) })
    }
    #[inline(always)]
    fn round_to_integral_f64s<const MODE: i32>(self, a: f64x8) -> f64x8 {
        // SAFETY: AVX-512 F; see round_to_integral_f32s.
        cast(unsafe { _mm512_roundscale_pd::<MODE>(cast(a)) })
    }
    #[inline(always)]
    fn shift_to_exponent_f32s(self, a: f32x16) -> f32x16 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_slli_epi32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn shift_to_exponent_f64s(self, a: f64x8) -> f64x8 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_slli_epi64::<52>(cast(a)) })
    }
    #[inline(always)]
    fn shift_from_exponent_f32s(self, a: f32x16) -> f32x16 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_srli_epi32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn shift_from_exponent_f64s(self, a: f64x8) -> f64x8 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_srli_epi64::<52>(cast(a)) })
    }
}

/// `vpternlog` of `(x, y, sign bit)`: `x & y` at set bits of the third operand, else `x | y`.
pub(super) const SIGN_AND_REST_OR: i32 = 0b1101_0100;

/// `vpternlog`: `(first & second) | third`.
const FIRST_AND_SECOND_OR_THIRD: i32 = 0b1110_1010;

impl<X: Copy + 'static> PulpToken for Avx512Token<X> where Self: Token {}
