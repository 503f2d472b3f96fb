//! Whole vectors of stored elements on x86-64: as they are, and the 16-bit floats in two vectors of `f32`.

use core::arch::x86_64::*;

use half::{bf16, f16};
use pulp::{f32x8, f32x16};

use super::avx2::Avx2;
use super::avx512::{Avx512, Avx512Fp16, Avx512Vbmi};
use super::{half_avx2, half_avx512};
use crate::arrange::Opens;
use crate::lanes::Lanes;
use crate::native_half::NativeHalf;
use crate::over_pulp::cast;
use crate::storage::{HalfLanes, Stored};

/// Types that are stored as they are computed.
macro_rules! as_computed {
    ($($level:ty, $vector:ty, $size:literal: $($t:ty)*;)*) => {$($(
        impl Opens<$t, $size> for $level {
            const PARTS: usize = 1;
            #[inline(always)]
            fn open(self, v: $vector) -> [<Self as Lanes<<$t as Stored>::Compute>>::V; 2] {
                [cast(v); 2]
            }
            #[inline(always)]
            fn close(self, parts: [<Self as Lanes<<$t as Stored>::Compute>>::V; 2]) -> $vector {
                cast(parts[0])
            }
            #[inline(always)]
            unsafe fn splat_at(self, p: *const u8) -> [<Self as Lanes<<$t as Stored>::Compute>>::V; 2] {
                // SAFETY: the caller's contract: elements are stored as they are computed.
                let element = unsafe { p.cast::<<$t as Stored>::Compute>().read_unaligned() };
                [<Self as Lanes<<$t as Stored>::Compute>>::splat(self, element); 2]
            }
        }
    )*)*};
}

as_computed! {
    Avx2, __m256i, 1: i8 u8;
    Avx2, __m256i, 2: i16 u16;
    Avx2, __m256i, 4: f32 i32 u32 f64 i64 u64;
    Avx512Vbmi, __m512i, 1: i8 u8;
    Avx512, __m512i, 2: i16 u16;
    Avx512Fp16, __m512i, 2: NativeHalf;
    Avx512, __m512i, 4: f32 i32 u32 f64 i64 u64;
}

impl Opens<f16, 2> for Avx2 {
    const PARTS: usize = 2;
    #[inline(always)]
    fn open(self, v: __m256i) -> [f32x8; 2] {
        // SAFETY: AVX2.
        let (low, high) = unsafe { (_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)) };
        [self.widen_f16(low), self.widen_f16(high)]
    }
    #[inline(always)]
    fn close(self, [low, high]: [f32x8; 2]) -> __m256i {
        // SAFETY: AVX2.
        unsafe { _mm256_set_m128i(self.narrow_f16(high), self.narrow_f16(low)) }
    }
    #[inline(always)]
    unsafe fn open_at(self, p: *const u8) -> [f32x8; 2] {
        // SAFETY: the caller's contract, 32 bytes.
        let (low, high) = unsafe { (self.load_halves(p.cast()), self.load_halves(p.add(16).cast())) };
        [self.widen_f16(low), self.widen_f16(high)]
    }
    #[inline(always)]
    unsafe fn close_at(self, p: *mut u8, [low, high]: [f32x8; 2]) {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe {
            _mm_storeu_si128(p.cast(), half_avx2::in_register(self.narrow_f16(low)));
            _mm_storeu_si128(p.add(16).cast(), half_avx2::in_register(self.narrow_f16(high)));
        }
    }
    #[inline(always)]
    unsafe fn splat_at(self, p: *const u8) -> [f32x8; 2] {
        // SAFETY: the caller's contract, and AVX2.
        [self.widen_f16(unsafe { _mm_set1_epi16(p.cast::<i16>().read_unaligned()) }); 2]
    }
}

impl Opens<f16, 2> for Avx512 {
    const PARTS: usize = 2;
    #[inline(always)]
    fn open(self, v: __m512i) -> [f32x16; 2] {
        // SAFETY: AVX-512 F.
        let (low, high) = unsafe { (_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v)) };
        [self.widen_f16(low), self.widen_f16(high)]
    }
    #[inline(always)]
    fn close(self, [low, high]: [f32x16; 2]) -> __m512i {
        // SAFETY: AVX-512 F.
        unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(self.narrow_f16(low)), self.narrow_f16(high)) }
    }
    #[inline(always)]
    unsafe fn open_at(self, p: *const u8) -> [f32x16; 2] {
        // SAFETY: the caller's contract, 64 bytes.
        let (low, high) = unsafe { (self.load_halves(p.cast()), self.load_halves(p.add(32).cast())) };
        [self.widen_f16(low), self.widen_f16(high)]
    }
    #[inline(always)]
    unsafe fn close_at(self, p: *mut u8, [low, high]: [f32x16; 2]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe {
            self.store_halves(p.cast(), self.narrow_f16(low));
            self.store_halves(p.add(32).cast(), self.narrow_f16(high));
        }
    }
    #[inline(always)]
    unsafe fn splat_at(self, p: *const u8) -> [f32x16; 2] {
        // SAFETY: the caller's contract, and AVX2.
        [self.widen_f16(unsafe { _mm256_set1_epi16(p.cast::<i16>().read_unaligned()) }); 2]
    }
}

// Words of 32 bits hold two elements: a vector of the even ones, and one of the odd.
impl Opens<bf16, 2> for Avx2 {
    const PARTS: usize = 2;
    #[inline(always)]
    fn open(self, v: __m256i) -> [f32x8; 2] {
        // SAFETY: AVX2.
        unsafe {
            let odd = _mm256_and_si256(v, _mm256_set1_epi32(0xffff_0000_u32 as i32));
            [cast(_mm256_slli_epi32::<16>(v)), cast(odd)]
        }
    }
    #[inline(always)]
    fn close(self, [even, odd]: [f32x8; 2]) -> __m256i {
        // SAFETY: AVX2.
        unsafe {
            let [even, odd, ..] = half_avx2::quiet(cast([even, odd, even, odd]));
            half_avx2::round_pairs(even, odd)
        }
    }
    #[inline(always)]
    unsafe fn splat_at(self, p: *const u8) -> [f32x8; 2] {
        // SAFETY: the caller's contract. An f32 of the same value begins with the same bits.
        let bits = unsafe { p.cast::<u16>().read_unaligned() };
        [Lanes::<f32>::splat(self, f32::from_bits(u32::from(bits) << 16)); 2]
    }
}

impl Opens<bf16, 2> for Avx512 {
    const PARTS: usize = 2;
    #[inline(always)]
    fn open(self, v: __m512i) -> [f32x16; 2] {
        // SAFETY: AVX-512 F.
        unsafe {
            let odd = _mm512_and_si512(v, _mm512_set1_epi32(0xffff_0000_u32 as i32));
            [cast(_mm512_slli_epi32::<16>(v)), cast(odd)]
        }
    }
    #[inline(always)]
    fn close(self, [even, odd]: [f32x16; 2]) -> __m512i {
        // SAFETY: AVX-512 F and BW.
        unsafe {
            let [even, odd, ..] = half_avx512::quiet(cast([even, odd, even, odd]));
            half_avx512::round_pairs(even, odd)
        }
    }
    #[inline(always)]
    unsafe fn splat_at(self, p: *const u8) -> [f32x16; 2] {
        // SAFETY: the caller's contract. An f32 of the same value begins with the same bits.
        let bits = unsafe { p.cast::<u16>().read_unaligned() };
        [Lanes::<f32>::splat(self, f32::from_bits(u32::from(bits) << 16)); 2]
    }
}
