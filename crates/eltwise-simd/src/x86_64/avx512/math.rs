//! Vector math ([`MathLanes`], [`WideLanes`]) on AVX-512: `vscalef` scales in one step, `vgetexp` reads exponents,
//! `vfpclass` finds irregular numbers, `vfixupimm` replaces NaN, permutes look up tables of up to 32 entries held in
//! registers.

use core::arch::x86_64::*;

use pulp::{b8, b16, f32x16, f64x8, i32x16, i64x8};

use super::Avx512Token;
use crate::math::{MathLanes, WideLanes};
use crate::pulp_lanes::cast;
use crate::token::Token;

// Every intrinsic of the macro is in AVX-512 F or DQ, which the token proves.
macro_rules! avx512_math {
    ($($c:ident: $int:ident, vectors $v:ident $i:ident $m:ident of $lanes:literal, set1 $set1:ident, add $add:ident,
       sub $sub:ident, sllv $sllv:ident, srlv $srlv:ident, cmpeq $cmpeq:ident, cmplt $cmplt:ident, blend $blend:ident,
       fnmadd $fnmadd:ident, min $min:ident, max $max:ident, fixup $fixup:ident, scalef $scalef:ident,
       maskz_scalef $maskz_scalef:ident;)*) => {$(
        impl<X: Copy + 'static> MathLanes<$c> for Avx512Token<X>
        where
            Self: Token,
        {
            type Int = $int;
            type I = $i;

            #[inline(always)]
            fn to_bits(self, v: $v) -> $i {
                cast(v)
            }
            #[inline(always)]
            fn with_bits(self, i: $i) -> $v {
                cast(i)
            }
            #[inline(always)]
            fn int(self, i: $int) -> $i {
                cast([i; $lanes])
            }
            #[inline(always)]
            fn int_add(self, a: $i, b: $i) -> $i {
                // SAFETY: AVX-512 F.
                cast(unsafe { $add(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_sub(self, a: $i, b: $i) -> $i {
                // SAFETY: AVX-512 F.
                cast(unsafe { $sub(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_and(self, a: $i, b: $i) -> $i {
                // SAFETY: AVX-512 F.
                cast(unsafe { _mm512_and_si512(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_or(self, a: $i, b: $i) -> $i {
                // SAFETY: AVX-512 F.
                cast(unsafe { _mm512_or_si512(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_xor(self, a: $i, b: $i) -> $i {
                // SAFETY: AVX-512 F.
                cast(unsafe { _mm512_xor_si512(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn shift_left(self, a: $i, n: u32) -> $i {
                // LLVM turns it into a shift by a constant.
                // SAFETY: AVX-512 F.
                cast(unsafe { $sllv(cast(a), $set1(n as $int)) })
            }
            #[inline(always)]
            fn shift_right(self, a: $i, n: u32) -> $i {
                // LLVM turns it into a shift by a constant.
                // SAFETY: AVX-512 F.
                cast(unsafe { $srlv(cast(a), $set1(n as $int)) })
            }
            #[inline(always)]
            fn int_eq(self, a: $i, b: $i) -> $m {
                // SAFETY: AVX-512 F.
                $m(unsafe { $cmpeq(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_lt(self, a: $i, b: $i) -> $m {
                // SAFETY: AVX-512 F.
                $m(unsafe { $cmplt(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_select(self, m: $m, a: $i, b: $i) -> $i {
                // SAFETY: AVX-512 F.
                cast(unsafe { $blend(m.0, cast(b), cast(a)) })
            }
            #[inline(always)]
            fn fnma(self, a: $v, b: $v, c: $v) -> $v {
                // SAFETY: AVX-512 F.
                cast(unsafe { $fnmadd(cast(a), cast(b), cast(c)) })
            }
            #[inline(always)]
            fn least(self, a: $v, b: $v) -> $v {
                // SAFETY: AVX-512 F.
                cast(unsafe { $min(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn greatest(self, a: $v, b: $v) -> $v {
                // SAFETY: AVX-512 F.
                cast(unsafe { $max(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn replace_nan(self, v: $v, by: $v) -> $v {
                // One hex digit per class of numbers; the lowest two are the quiet and the signalling NaN. 0 keeps the
                // destination (`by`), 1 takes the source (`v`).
                const CLASSES: $int = 0x1111_1100;
                // SAFETY: AVX-512 F.
                cast(unsafe { $fixup::<0>(cast(by), cast(v), $set1(CLASSES)) })
            }
            const SCALES_ALL: bool = true;
            #[inline(always)]
            fn scale(self, v: $v, n: $v, _ones: $v) -> $v {
                // SAFETY: AVX-512 F.
                cast(unsafe { $scalef(cast(v), cast(n)) })
            }
            #[inline(always)]
            fn scale_floor(self, to_zero: $m, v: $v, n: $v, _ones: $v) -> $v {
                // SAFETY: AVX-512 F.
                cast(unsafe { $maskz_scalef(!to_zero.0, cast(v), cast(n)) })
            }
            #[inline(always)]
            fn lookup<const K: usize>(self, table: &[$c; K], index: $i) -> $v {
                avx512_math!(@lookup $c table index K)
            }
        }
    )*};
    (@lookup f32 $table:ident $index:ident $k:ident) => {
        // SAFETY: AVX-512 F and DQ; the table has K entries, and indices are reduced modulo K.
        unsafe {
            let p = $table.as_ptr();
            cast(match $k {
                8 => _mm512_permutexvar_ps(cast($index), _mm512_broadcast_f32x8(_mm256_loadu_ps(p))),
                16 => _mm512_permutexvar_ps(cast($index), _mm512_loadu_ps(p)),
                32 => _mm512_permutex2var_ps(_mm512_loadu_ps(p), cast($index), _mm512_loadu_ps(p.add(16))),
                _ => {
                    let index = _mm512_and_si512(cast($index), _mm512_set1_epi32($k as i32 - 1));
                    _mm512_i32gather_ps::<4>(index, p)
                }
            })
        }
    };
    (@lookup f64 $table:ident $index:ident $k:ident) => {
        // SAFETY: AVX-512 F; the table has K entries, and indices are reduced modulo K.
        unsafe {
            let (p, index): (_, __m512i) = ($table.as_ptr(), cast($index));
            cast(match $k {
                8 => _mm512_permutexvar_pd(index, _mm512_loadu_pd(p)),
                16 => _mm512_permutex2var_pd(_mm512_loadu_pd(p), index, _mm512_loadu_pd(p.add(8))),
                32 => {
                    let low = _mm512_permutex2var_pd(_mm512_loadu_pd(p), index, _mm512_loadu_pd(p.add(8)));
                    let high = _mm512_permutex2var_pd(_mm512_loadu_pd(p.add(16)), index, _mm512_loadu_pd(p.add(24)));
                    _mm512_mask_blend_pd(_mm512_test_epi64_mask(index, _mm512_set1_epi64(16)), low, high)
                }
                _ => {
                    let index = _mm512_and_si512(index, _mm512_set1_epi64($k as i64 - 1));
                    _mm512_i64gather_pd::<8>(index, p)
                }
            })
        }
    };
}

avx512_math! {
    f32: i32, vectors f32x16 i32x16 b16 of 16, set1 _mm512_set1_epi32, add _mm512_add_epi32, sub _mm512_sub_epi32,
        sllv _mm512_sllv_epi32, srlv _mm512_srlv_epi32, cmpeq _mm512_cmpeq_epi32_mask, cmplt _mm512_cmplt_epi32_mask,
        blend _mm512_mask_blend_epi32, fnmadd _mm512_fnmadd_ps, min _mm512_min_ps, max _mm512_max_ps,
        fixup _mm512_fixupimm_ps, scalef _mm512_scalef_ps, maskz_scalef _mm512_maskz_scalef_ps;
    f64: i64, vectors f64x8 i64x8 b8 of 8, set1 _mm512_set1_epi64, add _mm512_add_epi64, sub _mm512_sub_epi64,
        sllv _mm512_sllv_epi64, srlv _mm512_srlv_epi64, cmpeq _mm512_cmpeq_epi64_mask, cmplt _mm512_cmplt_epi64_mask,
        blend _mm512_mask_blend_epi64, fnmadd _mm512_fnmadd_pd, min _mm512_min_pd, max _mm512_max_pd,
        fixup _mm512_fixupimm_pd, scalef _mm512_scalef_pd, maskz_scalef _mm512_maskz_scalef_pd;
}

impl<X: Copy + 'static> WideLanes for Avx512Token<X>
where
    Self: Token,
{
    #[inline(always)]
    fn widen(self, v: f32x16) -> [f64x8; 2] {
        let v: __m512 = cast(v);
        // SAFETY: AVX-512 F and DQ.
        unsafe {
            [cast(_mm512_cvtps_pd(_mm512_castps512_ps256(v))), cast(_mm512_cvtps_pd(_mm512_extractf32x8_ps::<1>(v)))]
        }
    }
    #[inline(always)]
    fn narrow(self, v: [f64x8; 2]) -> f32x16 {
        // SAFETY: AVX-512 F and DQ.
        unsafe {
            let low = _mm512_castps256_ps512(_mm512_cvtpd_ps(cast(v[0])));
            cast(_mm512_insertf32x8::<1>(low, _mm512_cvtpd_ps(cast(v[1]))))
        }
    }
    #[inline(always)]
    fn exponent(self, v: f32x16) -> f32x16 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_getexp_ps(cast(v)) })
    }
    #[inline(always)]
    fn irregular(self, v: f32x16) -> b16 {
        // 0xff selects every class of the instruction; a positive normal number is in none.
        // SAFETY: AVX-512 DQ.
        b16(unsafe { _mm512_fpclass_ps_mask::<0xff>(cast(v)) })
    }
    #[inline(always)]
    fn half_of_upper(self, i: i32x16) -> i32x16 {
        // `x * 2^15 >> 16` shifts each upper half right by one; the factor 0 clears the lower half. One instruction.
        // SAFETY: AVX-512 BW.
        cast(unsafe { _mm512_mulhi_epu16(cast(i), _mm512_set1_epi32(i32::MIN)) })
    }
    const WHOLE: f64 = (1u64 << 52) as f64;
    #[inline(always)]
    fn whole(self, i: i64x8) -> f64x8 {
        // SAFETY: AVX-512 DQ.
        cast(unsafe { _mm512_cvtepi64_pd(cast(i)) })
    }
}
