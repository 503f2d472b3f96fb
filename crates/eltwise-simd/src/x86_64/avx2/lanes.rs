//! [`TargetOps`] of AVX2: operations that `pulp`'s `V3` lacks.

use core::arch::x86_64::*;

use bytemuck::Pod;
use pulp::{f32x8, f64x4, x86::V3};
use pulp::{m8x32, m16x16, m32x8, m64x4, u8x32, u16x16, u64x4};

use super::Avx2;
use super::load_n::{load_n_256_or, mask_n_words, store_n_256};
use super::masks::{raw8, raw16};
use crate::pulp_lanes::{PulpToken, TargetOps, cast};
use crate::sqrt_subnormal;

// Every intrinsic below is in AVX2, FMA or F16C, which the token proves.
impl TargetOps for Avx2 {
    type Simd = V3;
    #[inline(always)]
    fn simd(self) -> V3 {
        self.v3
    }

    #[inline(always)]
    unsafe fn load_n_bytes<V: Pod>(self, p: *const u8, bytes: usize, fill: V) -> V {
        // Elements of 4 and 8 bytes. The condition is a constant after inlining.
        if bytes.is_multiple_of(4) {
            let mask = mask_n_words(bytes / 4);
            // SAFETY: masked-off lanes are not accessed; the caller's contract covers the others.
            return cast(unsafe { _mm256_blendv_epi8(cast(fill), _mm256_maskload_epi32(p.cast(), mask), mask) });
        }
        // SAFETY: the caller's contract; a vector has 32 >= bytes bytes.
        cast(unsafe { load_n_256_or(p, bytes, cast(fill)) })
    }
    #[inline(always)]
    unsafe fn store_n_bytes<V: Pod>(self, p: *mut u8, bytes: usize, v: V) {
        // SAFETY: the caller's contract; a vector has 32 >= bytes bytes.
        unsafe { store_n_256(p, bytes, cast(v)) };
    }

    #[inline(always)]
    fn mul_u8s(self, a: u8x32, b: u8x32) -> u8x32 {
        let (a, b): (__m256i, __m256i) = (cast(a), cast(b));
        // SAFETY: AVX2.
        unsafe {
            let low_bytes = _mm256_set1_epi16(0x00ff);
            let even = _mm256_and_si256(_mm256_mullo_epi16(a, b), low_bytes);
            // The second factor stays in the upper byte, and so the product is there.
            let odd = _mm256_mullo_epi16(_mm256_srli_epi16::<8>(a), _mm256_andnot_si256(low_bytes, b));
            cast(_mm256_or_si256(even, odd))
        }
    }
    #[inline(always)]
    fn mul_u64s(self, a: u64x4, b: u64x4) -> u64x4 {
        let (a, b): (__m256i, __m256i) = (cast(a), cast(b));
        // SAFETY: AVX2.
        unsafe {
            let low = _mm256_mul_epu32(a, b);
            let cross = _mm256_mul_epu32(_mm256_srli_epi64::<32>(a), b);
            let cross = _mm256_add_epi64(cross, _mm256_mul_epu32(a, _mm256_srli_epi64::<32>(b)));
            cast(_mm256_add_epi64(low, _mm256_slli_epi64::<32>(cross)))
        }
    }
    #[inline(always)]
    fn select_u8s(self, m: m8x32, a: u8x32, b: u8x32) -> u8x32 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_blendv_epi8(cast(b), cast(a), raw8(m)) })
    }
    #[inline(always)]
    fn select_u16s(self, m: m16x16, a: u16x16, b: u16x16) -> u16x16 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_blendv_epi8(cast(b), cast(a), raw16(m)) })
    }
    #[inline(always)]
    fn maximum_f32s(self, a: f32x8, b: f32x8) -> f32x8 {
        let (a, b): (__m256, __m256) = (cast(a), cast(b));
        // maxps returns its second operand for NaNs and for two zeros. With both operand orders, "and" combines the
        // signs of zeros, and an unordered pair becomes all ones, which is a NaN.
        // SAFETY: AVX.
        cast(unsafe {
            let both = _mm256_and_ps(_mm256_max_ps(a, b), _mm256_max_ps(b, a));
            _mm256_or_ps(both, _mm256_cmp_ps::<_CMP_UNORD_Q>(a, b))
        })
    }
    #[inline(always)]
    fn minimum_f32s(self, a: f32x8, b: f32x8) -> f32x8 {
        let (a, b): (__m256, __m256) = (cast(a), cast(b));
        // SAFETY: AVX. One of the two operand orders returns a NaN, and "or" keeps it a NaN; "or" also combines the
        // signs of zeros.
        cast(unsafe { _mm256_or_ps(_mm256_min_ps(a, b), _mm256_min_ps(b, a)) })
    }
    #[inline(always)]
    fn maximum_f64s(self, a: f64x4, b: f64x4) -> f64x4 {
        let (a, b): (__m256d, __m256d) = (cast(a), cast(b));
        // SAFETY: AVX; see maximum_f32s.
        cast(unsafe {
            let both = _mm256_and_pd(_mm256_max_pd(a, b), _mm256_max_pd(b, a));
            _mm256_or_pd(both, _mm256_cmp_pd::<_CMP_UNORD_Q>(a, b))
        })
    }
    #[inline(always)]
    fn minimum_f64s(self, a: f64x4, b: f64x4) -> f64x4 {
        let (a, b): (__m256d, __m256d) = (cast(a), cast(b));
        // SAFETY: AVX; see minimum_f32s.
        cast(unsafe { _mm256_or_pd(_mm256_min_pd(a, b), _mm256_min_pd(b, a)) })
    }
    #[inline(always)]
    fn not_equal_f32s(self, a: f32x8, b: f32x8) -> m32x8 {
        // SAFETY: AVX.
        cast(unsafe { _mm256_cmp_ps::<_CMP_NEQ_UQ>(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn not_equal_f64s(self, a: f64x4, b: f64x4) -> m64x4 {
        // SAFETY: AVX.
        cast(unsafe { _mm256_cmp_pd::<_CMP_NEQ_UQ>(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn sqrt_alone_f32s(self, a: f32x8) -> f32x8 {
        sqrt_subnormal::sqrt::<f32, Self>(self, a)
    }
    #[inline(always)]
    fn sqrt_alone_f64s(self, a: f64x4) -> f64x4 {
        sqrt_subnormal::sqrt::<f64, Self>(self, a)
    }
    #[inline(always)]
    fn round_to_integral_f32s<const MODE: i32>(self, a: f32x8) -> f32x8 {
        // SAFETY: AVX.
        cast(unsafe { _mm256_round_ps::<MODE>(cast(a)) })
    }
    #[inline(always)]
    fn round_to_integral_f64s<const MODE: i32>(self, a: f64x4) -> f64x4 {
        // SAFETY: AVX.
        cast(unsafe { _mm256_round_pd::<MODE>(cast(a)) })
    }
    #[inline(always)]
    fn shift_to_exponent_f32s(self, a: f32x8) -> f32x8 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_slli_epi32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn shift_to_exponent_f64s(self, a: f64x4) -> f64x4 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_slli_epi64::<52>(cast(a)) })
    }
    #[inline(always)]
    fn shift_from_exponent_f32s(self, a: f32x8) -> f32x8 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_srli_epi32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn shift_from_exponent_f64s(self, a: f64x4) -> f64x4 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_srli_epi64::<52>(cast(a)) })
    }
}

impl PulpToken for Avx2 {}
