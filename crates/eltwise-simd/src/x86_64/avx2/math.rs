//! Vector math ([`MathLanes`], [`WideLanes`]) on AVX2.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use pulp::{f32x8, f64x4, i32x8, i64x4, m32x8, m64x4};

use super::Avx2;
use crate::lanes::Lanes;
use crate::math::{MathLanes, WideLanes};
use crate::pulp_lanes::cast;

// Every intrinsic of the macro is in AVX2 or FMA, which the token proves.
macro_rules! avx2_math {
    ($($c:ident: $int:ident, vectors $v:ident $i:ident $m:ident of $lanes:literal, set1 $set1:ident, add $add:ident,
       sub $sub:ident, sllv $sllv:ident, srlv $srlv:ident, cmpeq $cmpeq:ident, cmpgt $cmpgt:ident, fnmadd $fnmadd:ident,
       min $min:ident, max $max:ident;)*) => {$(
        impl MathLanes<$c> for Avx2 {
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
                // SAFETY: AVX2.
                cast(unsafe { $add(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_sub(self, a: $i, b: $i) -> $i {
                // SAFETY: AVX2.
                cast(unsafe { $sub(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_and(self, a: $i, b: $i) -> $i {
                // SAFETY: AVX2.
                cast(unsafe { _mm256_and_si256(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_or(self, a: $i, b: $i) -> $i {
                // SAFETY: AVX2.
                cast(unsafe { _mm256_or_si256(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_xor(self, a: $i, b: $i) -> $i {
                // SAFETY: AVX2.
                cast(unsafe { _mm256_xor_si256(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn shift_left(self, a: $i, n: u32) -> $i {
                // LLVM turns it into a shift by a constant.
                // SAFETY: AVX2.
                cast(unsafe { $sllv(cast(a), $set1(n as $int)) })
            }
            #[inline(always)]
            fn shift_right(self, a: $i, n: u32) -> $i {
                // LLVM turns it into a shift by a constant.
                // SAFETY: AVX2.
                cast(unsafe { $srlv(cast(a), $set1(n as $int)) })
            }
            #[inline(always)]
            fn int_eq(self, a: $i, b: $i) -> $m {
                // SAFETY: AVX2.
                cast(unsafe { $cmpeq(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_lt(self, a: $i, b: $i) -> $m {
                // SAFETY: AVX2.
                cast(unsafe { $cmpgt(cast(b), cast(a)) })
            }
            #[inline(always)]
            fn int_select(self, m: $m, a: $i, b: $i) -> $i {
                cast(Lanes::<$c>::select(self, m, cast(a), cast(b)))
            }
            #[inline(always)]
            fn fnma(self, a: $v, b: $v, c: $v) -> $v {
                // SAFETY: FMA.
                cast(unsafe { $fnmadd(cast(a), cast(b), cast(c)) })
            }
            #[inline(always)]
            fn least(self, a: $v, b: $v) -> $v {
                // SAFETY: AVX.
                cast(unsafe { $min(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn greatest(self, a: $v, b: $v) -> $v {
                // SAFETY: AVX.
                cast(unsafe { $max(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn lookup<const K: usize>(self, table: &[$c; K], index: $i) -> $v {
                avx2_math!(@lookup $c table index K)
            }
            avx2_math!(@all $c);
        }
    )*};
    (@all f32) => {};
    (@all f64) => {
        // Two tables at a time: loads two entries per lane, then joins neighbouring lanes.
        #[inline(always)]
        fn lookup_all<const N: usize>(self, _: &[[f64; 16]; N], by_index: &[[f64; N]; 16], index: i64x4) -> [f64x4; N] {
            let [c0, c1, c2, c3] = entries(by_index, index);
            let mut found = [cast([0f64; 4]); N];
            let mut k = 0;
            while k + 1 < N {
                // SAFETY: AVX; an index has N entries, more than k + 1.
                unsafe {
                    let even = _mm256_set_m128d(_mm_loadu_pd(c2.add(k)), _mm_loadu_pd(c0.add(k)));
                    let odd = _mm256_set_m128d(_mm_loadu_pd(c3.add(k)), _mm_loadu_pd(c1.add(k)));
                    found[k] = cast(_mm256_unpacklo_pd(even, odd));
                    found[k + 1] = cast(_mm256_unpackhi_pd(even, odd));
                }
                k += 2;
            }
            if k < N {
                // SAFETY: an index has N entries, more than k.
                found[k] = cast(unsafe { [*c0.add(k), *c1.add(k), *c2.add(k), *c3.add(k)] });
            }
            found
        }
    };
    (@lookup f32 $table:ident $index:ident $k:ident) => {
        // SAFETY: AVX2; the table has K entries, which are read.
        unsafe {
            match $k {
                8 => cast(_mm256_permutevar8x32_ps(_mm256_loadu_ps($table.as_ptr()), cast($index))),
                16 => {
                    // The lower entry, XORed with its difference to the upper one if the index is above 7: two
                    // operations, while a blend by sign bits takes three on some CPUs.
                    let (p, index): (_, __m256i) = ($table.as_ptr(), cast($index));
                    let (low, high): (__m256i, __m256i) = (cast(_mm256_loadu_ps(p)), cast(_mm256_loadu_ps(p.add(8))));
                    let upper = _mm256_srai_epi32::<31>(_mm256_slli_epi32::<28>(index));
                    let differ = _mm256_permutevar8x32_epi32(_mm256_xor_si256(low, high), index);
                    let low = _mm256_permutevar8x32_epi32(low, index);
                    cast(_mm256_xor_si256(low, _mm256_and_si256(differ, upper)))
                }
                _ => {
                    let index: [u32; 8] = cast($index);
                    let mut out = [0f32; 8];
                    for k in 0..8 {
                        out[k] = $table[index[k] as usize & ($k - 1)];
                    }
                    cast(out)
                }
            }
        }
    };
    (@lookup f64 $table:ident $index:ident $k:ident) => {
        // SAFETY: the pointers are to entries of the table.
        cast(unsafe {
            let entries = entries($table, $index);
            let mut out = [0f64; 4];
            for k in 0..4 {
                out[k] = *entries[k];
            }
            out
        })
    };
}

/// Pointers to the table entries of each lane, from the low bits of the indices. An entry is one or more `f64`.
///
/// The indices pass through memory: extracting them from a vector takes twice as many operations, on the ports that
/// compute.
#[inline(always)]
fn entries<E: Copy, const K: usize>(table: &[E; K], indices: i64x4) -> [*const f64; 4] {
    let mut lanes = MaybeUninit::<i64x4>::uninit();
    // SAFETY: AVX2; the lanes are written before they are read, and the offsets are those of entries. The reads are
    // volatile, because LLVM would replace them by extractions.
    unsafe {
        let index = _mm256_and_si256(cast(indices), _mm256_set1_epi64x(K as i64 - 1));
        let size = const { size_of::<E>() as i64 };
        let offset = if const { size_of::<E>().is_power_of_two() } {
            _mm256_sllv_epi64(index, _mm256_set1_epi64x(i64::from(size.trailing_zeros())))
        } else {
            _mm256_mul_epu32(index, _mm256_set1_epi64x(size))
        };
        lanes.as_mut_ptr().write(cast(offset));
        let (table, offsets) = (table.as_ptr().cast::<u8>(), lanes.as_ptr().cast::<usize>());
        let mut entries = [core::ptr::null(); 4];
        for (k, entry) in entries.iter_mut().enumerate() {
            *entry = table.add(offsets.add(k).read_volatile()).cast();
        }
        entries
    }
}

avx2_math! {
    f32: i32, vectors f32x8 i32x8 m32x8 of 8, set1 _mm256_set1_epi32, add _mm256_add_epi32, sub _mm256_sub_epi32,
        sllv _mm256_sllv_epi32, srlv _mm256_srlv_epi32, cmpeq _mm256_cmpeq_epi32, cmpgt _mm256_cmpgt_epi32,
        fnmadd _mm256_fnmadd_ps, min _mm256_min_ps, max _mm256_max_ps;
    f64: i64, vectors f64x4 i64x4 m64x4 of 4, set1 _mm256_set1_epi64x, add _mm256_add_epi64, sub _mm256_sub_epi64,
        sllv _mm256_sllv_epi64, srlv _mm256_srlv_epi64, cmpeq _mm256_cmpeq_epi64, cmpgt _mm256_cmpgt_epi64,
        fnmadd _mm256_fnmadd_pd, min _mm256_min_pd, max _mm256_max_pd;
}

impl WideLanes for Avx2 {
    #[inline(always)]
    fn widen(self, v: f32x8) -> [f64x4; 2] {
        let v: __m256 = cast(v);
        // SAFETY: AVX.
        unsafe {
            [cast(_mm256_cvtps_pd(_mm256_castps256_ps128(v))), cast(_mm256_cvtps_pd(_mm256_extractf128_ps::<1>(v)))]
        }
    }
    #[inline(always)]
    fn narrow(self, v: [f64x4; 2]) -> f32x8 {
        // SAFETY: AVX.
        cast(unsafe { _mm256_set_m128(_mm256_cvtpd_ps(cast(v[1])), _mm256_cvtpd_ps(cast(v[0]))) })
    }
    #[inline(always)]
    fn half_of_upper(self, i: i32x8) -> i32x8 {
        // `x * 2^15 >> 16` shifts each upper half right by one; the factor 0 clears the lower half. One instruction.
        // SAFETY: AVX2.
        cast(unsafe { _mm256_mulhi_epu16(cast(i), _mm256_set1_epi32(i32::MIN)) })
    }
}
