//! [`WidenNarrow`] on x86-64: most types are stored as they are computed; the 16-bit floats widen to two vectors of
//! `f32`.

use core::arch::x86_64::*;

use half::{bf16, f16};
use pulp::{f32x8, f32x16};

use super::avx2::Avx2;
use super::avx512::{Avx512, Avx512Fp16, Avx512Vbmi};
use super::{avx2, avx512};
use crate::lanes::Lanes;
use crate::native_f16::NativeF16;
use crate::pulp_lanes::cast;
use crate::storage::{HalfLanes, Stored};
use crate::widen_narrow::WidenNarrow;

/// Types that are stored as they are computed.
macro_rules! as_computed {
    ($($token:ty, $vector:ty, $size:literal: $($t:ty)*;)*) => {$($(
        impl WidenNarrow<$t, $size> for $token {
            const VECTORS: usize = 1;
            #[inline(always)]
            fn widen(self, v: $vector) -> [<Self as Lanes<<$t as Stored>::Compute>>::V; 2] {
                [cast(v); 2]
            }
            #[inline(always)]
            fn narrow(self, parts: [<Self as Lanes<<$t as Stored>::Compute>>::V; 2]) -> $vector {
                cast(parts[0])
            }
            #[inline(always)]
            unsafe fn splat_widened(self, p: *const u8) -> [<Self as Lanes<<$t as Stored>::Compute>>::V; 2] {
                // SAFETY: the caller's contract; elements are stored as they are computed.
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
    Avx512Fp16, __m512i, 2: NativeF16;
    Avx512, __m512i, 4: f32 i32 u32 f64 i64 u64;
}

impl WidenNarrow<f16, 2> for Avx2 {
    const VECTORS: usize = 2;
    #[inline(always)]
    fn widen(self, v: __m256i) -> [f32x8; 2] {
        // SAFETY: AVX2.
        let (low, high) = unsafe { (_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)) };
        [self.widen_f16(low), self.widen_f16(high)]
    }
    #[inline(always)]
    fn narrow(self, [low, high]: [f32x8; 2]) -> __m256i {
        // SAFETY: AVX2.
        unsafe { _mm256_set_m128i(self.narrow_f16(high), self.narrow_f16(low)) }
    }
    #[inline(always)]
    unsafe fn load_widened(self, p: *const u8) -> [f32x8; 2] {
        // SAFETY: the caller's contract, 32 bytes.
        let (low, high) = unsafe { (self.load_halves(p.cast()), self.load_halves(p.add(16).cast())) };
        [self.widen_f16(low), self.widen_f16(high)]
    }
    #[inline(always)]
    unsafe fn store_narrowed(self, p: *mut u8, [low, high]: [f32x8; 2]) {
        // SAFETY: the caller's contract, 32 bytes.
        unsafe {
            _mm_storeu_si128(p.cast(), avx2::half::keep_in_register(self.narrow_f16(low)));
            _mm_storeu_si128(p.add(16).cast(), avx2::half::keep_in_register(self.narrow_f16(high)));
        }
    }
    #[inline(always)]
    unsafe fn splat_widened(self, p: *const u8) -> [f32x8; 2] {
        // SAFETY: the caller's contract, 2 bytes; AVX2.
        [self.widen_f16(unsafe { _mm_set1_epi16(p.cast::<i16>().read_unaligned()) }); 2]
    }
}

impl WidenNarrow<f16, 2> for Avx512 {
    const VECTORS: usize = 2;
    #[inline(always)]
    fn widen(self, v: __m512i) -> [f32x16; 2] {
        // SAFETY: AVX-512 F.
        let (low, high) = unsafe { (_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64::<1>(v)) };
        [self.widen_f16(low), self.widen_f16(high)]
    }
    #[inline(always)]
    fn narrow(self, [low, high]: [f32x16; 2]) -> __m512i {
        // SAFETY: AVX-512 F.
        unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(self.narrow_f16(low)), self.narrow_f16(high)) }
    }
    #[inline(always)]
    unsafe fn load_widened(self, p: *const u8) -> [f32x16; 2] {
        // SAFETY: the caller's contract, 64 bytes.
        let (low, high) = unsafe { (self.load_halves(p.cast()), self.load_halves(p.add(32).cast())) };
        [self.widen_f16(low), self.widen_f16(high)]
    }
    #[inline(always)]
    unsafe fn store_narrowed(self, p: *mut u8, [low, high]: [f32x16; 2]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe {
            self.store_halves(p.cast(), self.narrow_f16(low));
            self.store_halves(p.add(32).cast(), self.narrow_f16(high));
        }
    }
    #[inline(always)]
    unsafe fn splat_widened(self, p: *const u8) -> [f32x16; 2] {
        // SAFETY: the caller's contract, 2 bytes; AVX2.
        [self.widen_f16(unsafe { _mm256_set1_epi16(p.cast::<i16>().read_unaligned()) }); 2]
    }
}

// A 32-bit word holds two elements: one vector gets the even elements, the other the odd.
impl WidenNarrow<bf16, 2> for Avx2 {
    const VECTORS: usize = 2;
    #[inline(always)]
    fn widen(self, v: __m256i) -> [f32x8; 2] {
        // SAFETY: AVX2.
        unsafe {
            let odd = _mm256_and_si256(v, _mm256_set1_epi32(0xffff_0000_u32 as i32));
            [cast(_mm256_slli_epi32::<16>(v)), cast(odd)]
        }
    }
    #[inline(always)]
    fn narrow(self, [even, odd]: [f32x8; 2]) -> __m256i {
        // SAFETY: AVX2.
        unsafe {
            let [even, odd, ..] = avx2::half::quiet_nans(cast([even, odd, even, odd]));
            avx2::half::round_pairs(even, odd)
        }
    }
    #[inline(always)]
    unsafe fn splat_widened(self, p: *const u8) -> [f32x8; 2] {
        // SAFETY: the caller's contract. The upper half of an f32 is the `bf16` of the same value.
        let bits = unsafe { p.cast::<u16>().read_unaligned() };
        [Lanes::<f32>::splat(self, f32::from_bits(u32::from(bits) << 16)); 2]
    }
}

impl WidenNarrow<bf16, 2> for Avx512 {
    const VECTORS: usize = 2;
    #[inline(always)]
    fn widen(self, v: __m512i) -> [f32x16; 2] {
        // SAFETY: AVX-512 F.
        unsafe {
            let odd = _mm512_and_si512(v, _mm512_set1_epi32(0xffff_0000_u32 as i32));
            [cast(_mm512_slli_epi32::<16>(v)), cast(odd)]
        }
    }
    #[inline(always)]
    fn narrow(self, [even, odd]: [f32x16; 2]) -> __m512i {
        // SAFETY: AVX-512 F and BW.
        unsafe {
            let [even, odd, ..] = avx512::half::quiet_nans(cast([even, odd, even, odd]));
            avx512::half::round_pairs(even, odd)
        }
    }
    #[inline(always)]
    unsafe fn splat_widened(self, p: *const u8) -> [f32x16; 2] {
        // SAFETY: the caller's contract. The upper half of an f32 is the `bf16` of the same value.
        let bits = unsafe { p.cast::<u16>().read_unaligned() };
        [Lanes::<f32>::splat(self, f32::from_bits(u32::from(bits) << 16)); 2]
    }
}
