//! AVX2 (x86-64-v3 with F16C): what `pulp`'s `V3` lacks.

use core::arch::x86_64::*;

use bytemuck::Pod;
use pulp::{f32x8, f64x4, x86::V3};
use pulp::{m8x32, m16x16, m32x8, m64x4, u8x32, u16x16, u64x4};

use super::part::{first_16, first_32, first_32_or, first_half};
use super::shuffle::FIRST_WORDS;
use crate::isa::Isa;
use crate::lanes::copy_elements;
use crate::over_pulp::{Gaps, Masks, OverPulp, cast};
use crate::roots;
use crate::token::{Entry, Token};

/// The token of [`Isa::Avx2`].
#[derive(Clone, Copy, Debug)]
pub struct Avx2 {
    v3: V3,
}

impl Avx2 {
    /// The token, without a check.
    ///
    /// # Safety
    /// [`Isa::Avx2`] is available.
    #[inline(always)]
    unsafe fn new_unchecked() -> Avx2 {
        // SAFETY: the caller's contract.
        Avx2 { v3: unsafe { V3::new_unchecked() } }
    }
}

impl Token for Avx2 {
    const ISA: Isa = Isa::Avx2;
    fn entry<E: Entry<Avx2, A>, A>() -> unsafe fn(&A) {
        enter::<E, A>
    }
}

/// # Safety
/// [`Isa::Avx2`] is available, and `E::run`'s contract.
#[target_feature(enable = "avx,avx2,bmi1,bmi2,f16c,fma,lzcnt,popcnt,sse3,sse4.1,sse4.2,ssse3")]
unsafe fn enter<E: Entry<Avx2, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(Avx2::new_unchecked(), argument) };
}

/// The mask of the first `n <= 8` lanes of 32 bits.
#[inline(always)]
fn first_words(n: usize) -> __m256i {
    debug_assert!(n <= 8, "a vector has eight");
    // SAFETY: eight of the sixteen values from 8 - n on; AVX2.
    unsafe { _mm256_loadu_si256(FIRST_WORDS.as_ptr().add(8 - n).cast()) }
}

// Every intrinsic below is in AVX2, FMA or F16C, which the token proves.
impl Gaps for Avx2 {
    type Simd = V3;
    #[inline(always)]
    fn simd(self) -> V3 {
        self.v3
    }

    #[inline(always)]
    unsafe fn load_bytes<V: Pod>(self, p: *const u8, bytes: usize, fill: V) -> V {
        // Elements of 4 and 8 bytes: the condition is known when this is compiled.
        if bytes.is_multiple_of(4) {
            let mask = first_words(bytes / 4);
            // SAFETY: masked-off lanes are not touched; the caller's contract for the others.
            return cast(unsafe { _mm256_blendv_epi8(cast(fill), _mm256_maskload_epi32(p.cast(), mask), mask) });
        }
        // SAFETY: the caller's contract; a vector has 32 >= bytes bytes.
        cast(unsafe { first_32_or(p, bytes, cast(fill)) })
    }
    #[inline(always)]
    unsafe fn store_bytes<V: Pod>(self, p: *mut u8, bytes: usize, v: V) {
        if bytes.is_multiple_of(4) {
            // SAFETY: masked-off lanes are not touched; the caller's contract for the others.
            return unsafe { _mm256_maskstore_epi32(p.cast(), first_words(bytes / 4), cast(v)) };
        }
        let block: [u8; 32] = cast(v);
        // SAFETY: the caller's contract; the block has 32 >= bytes bytes.
        unsafe { copy_elements(block.as_ptr(), p, bytes) };
    }

    #[inline(always)]
    fn mul_u8s(self, a: u8x32, b: u8x32) -> u8x32 {
        let (a, b): (__m256i, __m256i) = (cast(a), cast(b));
        // SAFETY: AVX2.
        unsafe {
            let low_bytes = _mm256_set1_epi16(0x00ff);
            let even = _mm256_and_si256(_mm256_mullo_epi16(a, b), low_bytes);
            // The second factor stays in the upper byte, and so does the product.
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
        // maxps gives its second operand for NaNs and for two zeros: both orders, then "and" joins the zeros' signs,
        // and an unordered pair becomes all ones, a NaN.
        // SAFETY: AVX.
        cast(unsafe {
            let both = _mm256_and_ps(_mm256_max_ps(a, b), _mm256_max_ps(b, a));
            _mm256_or_ps(both, _mm256_cmp_ps::<_CMP_UNORD_Q>(a, b))
        })
    }
    #[inline(always)]
    fn minimum_f32s(self, a: f32x8, b: f32x8) -> f32x8 {
        let (a, b): (__m256, __m256) = (cast(a), cast(b));
        // SAFETY: AVX. One of the two orders passes a NaN on, and "or" keeps it one; "or" also joins the zeros' signs.
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
    fn unequal_f32s(self, a: f32x8, b: f32x8) -> m32x8 {
        // SAFETY: AVX.
        cast(unsafe { _mm256_cmp_ps::<_CMP_NEQ_UQ>(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn unequal_f64s(self, a: f64x4, b: f64x4) -> m64x4 {
        // SAFETY: AVX.
        cast(unsafe { _mm256_cmp_pd::<_CMP_NEQ_UQ>(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn sqrt_alone_f32s(self, a: f32x8) -> f32x8 {
        roots::sqrt::<f32, Self>(self, a)
    }
    #[inline(always)]
    fn sqrt_alone_f64s(self, a: f64x4) -> f64x4 {
        roots::sqrt::<f64, Self>(self, a)
    }
    #[inline(always)]
    fn integral_f32s<const MODE: i32>(self, a: f32x8) -> f32x8 {
        // SAFETY: AVX.
        cast(unsafe { _mm256_round_ps::<MODE>(cast(a)) })
    }
    #[inline(always)]
    fn integral_f64s<const MODE: i32>(self, a: f64x4) -> f64x4 {
        // SAFETY: AVX.
        cast(unsafe { _mm256_round_pd::<MODE>(cast(a)) })
    }
    #[inline(always)]
    fn up_f32s(self, a: f32x8) -> f32x8 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_slli_epi32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn up_f64s(self, a: f64x4) -> f64x4 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_slli_epi64::<52>(cast(a)) })
    }
    #[inline(always)]
    fn down_f32s(self, a: f32x8) -> f32x8 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_srli_epi32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn down_f64s(self, a: f64x4) -> f64x4 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_srli_epi64::<52>(cast(a)) })
    }
}

impl OverPulp for Avx2 {}

#[inline(always)]
fn raw8(m: m8x32) -> __m256i {
    bytemuck::cast(m)
}
#[inline(always)]
fn raw16(m: m16x16) -> __m256i {
    bytemuck::cast(m)
}
#[inline(always)]
fn raw32(m: m32x8) -> __m256i {
    bytemuck::cast(m)
}
#[inline(always)]
fn raw64(m: m64x4) -> __m256i {
    bytemuck::cast(m)
}

/// The order of 32-bit groups after packing within 128-bit halves.
#[inline(always)]
fn in_order(v: __m256i) -> __m256i {
    // SAFETY: AVX2, by the callers' token.
    unsafe { _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7)) }
}

impl Masks<m8x32> for Avx2 {
    #[inline(always)]
    fn and(self, a: m8x32, b: m8x32) -> m8x32 {
        pulp::Simd::and_m8s(self.v3, a, b)
    }
    #[inline(always)]
    fn or(self, a: m8x32, b: m8x32) -> m8x32 {
        pulp::Simd::or_m8s(self.v3, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m8x32, b: m8x32) -> m8x32 {
        pulp::Simd::xor_m8s(self.v3, a, b)
    }
    #[inline(always)]
    fn not(self, a: m8x32) -> m8x32 {
        pulp::Simd::not_m8s(self.v3, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m8x32) -> bool {
        // SAFETY: AVX2.
        unsafe { _mm256_movemask_epi8(raw8(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m8x32 {
        // SAFETY: the caller's contract; AVX2.
        self.v3.not_m8x32(self.v3.cmp_eq_u8x32(cast(unsafe { _mm256_loadu_si256(p.cast()) }), cast([0u8; 32])))
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> m8x32 {
        // SAFETY: the caller's contract; the block has 32 bytes.
        unsafe { self.mask_from_bytes(cast::<_, [u8; 32]>(first_32(p, n)).as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m8x32; 4]) {
        // SAFETY: the caller's contract, 4 x 32 bytes; AVX2.
        unsafe {
            let one = _mm256_set1_epi8(1);
            _mm256_storeu_si256(p.cast(), _mm256_and_si256(raw8(m[0]), one));
            _mm256_storeu_si256(p.add(32).cast(), _mm256_and_si256(raw8(m[1]), one));
            _mm256_storeu_si256(p.add(64).cast(), _mm256_and_si256(raw8(m[2]), one));
            _mm256_storeu_si256(p.add(96).cast(), _mm256_and_si256(raw8(m[3]), one));
        }
    }
}

impl Masks<m16x16> for Avx2 {
    #[inline(always)]
    fn and(self, a: m16x16, b: m16x16) -> m16x16 {
        pulp::Simd::and_m16s(self.v3, a, b)
    }
    #[inline(always)]
    fn or(self, a: m16x16, b: m16x16) -> m16x16 {
        pulp::Simd::or_m16s(self.v3, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m16x16, b: m16x16) -> m16x16 {
        pulp::Simd::xor_m16s(self.v3, a, b)
    }
    #[inline(always)]
    fn not(self, a: m16x16) -> m16x16 {
        pulp::Simd::not_m16s(self.v3, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m16x16) -> bool {
        // SAFETY: AVX2.
        unsafe { _mm256_movemask_epi8(raw16(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m16x16 {
        // SAFETY: the caller's contract, 16 bytes; AVX2.
        let words = unsafe { _mm256_cvtepu8_epi16(_mm_loadu_si128(p.cast())) };
        self.v3.cmp_gt_i16x16(cast(words), cast([0i16; 16]))
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> m16x16 {
        // SAFETY: the caller's contract; the block has 16 bytes.
        unsafe { self.mask_from_bytes(cast::<_, [u8; 16]>(first_half(p, n)).as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m16x16; 4]) {
        // SAFETY: the caller's contract, 4 x 16 bytes; AVX2.
        unsafe {
            let one = _mm256_set1_epi8(1);
            let low = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(raw16(m[0]), raw16(m[1])));
            let high = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi16(raw16(m[2]), raw16(m[3])));
            _mm256_storeu_si256(p.cast(), _mm256_and_si256(low, one));
            _mm256_storeu_si256(p.add(32).cast(), _mm256_and_si256(high, one));
        }
    }
}

impl Masks<m32x8> for Avx2 {
    #[inline(always)]
    fn and(self, a: m32x8, b: m32x8) -> m32x8 {
        pulp::Simd::and_m32s(self.v3, a, b)
    }
    #[inline(always)]
    fn or(self, a: m32x8, b: m32x8) -> m32x8 {
        pulp::Simd::or_m32s(self.v3, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m32x8, b: m32x8) -> m32x8 {
        pulp::Simd::xor_m32s(self.v3, a, b)
    }
    #[inline(always)]
    fn not(self, a: m32x8) -> m32x8 {
        pulp::Simd::not_m32s(self.v3, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m32x8) -> bool {
        // SAFETY: AVX2.
        unsafe { _mm256_movemask_epi8(raw32(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m32x8 {
        // SAFETY: the caller's contract, 8 bytes; AVX2.
        let words = unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(p.cast())) };
        self.v3.cmp_gt_i32x8(cast(words), cast([0i32; 8]))
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> m32x8 {
        // SAFETY: the caller's contract; the block has 16 bytes, of which 8 are looked at.
        unsafe { self.mask_from_bytes(first_16(p, n).to_le_bytes().as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m32x8; 4]) {
        // SAFETY: the caller's contract, 4 x 8 bytes; AVX2.
        unsafe {
            let low = _mm256_packs_epi32(raw32(m[0]), raw32(m[1]));
            let high = _mm256_packs_epi32(raw32(m[2]), raw32(m[3]));
            let bytes = in_order(_mm256_packs_epi16(low, high));
            _mm256_storeu_si256(p.cast(), _mm256_and_si256(bytes, _mm256_set1_epi8(1)));
        }
    }
}

impl Masks<m64x4> for Avx2 {
    #[inline(always)]
    fn and(self, a: m64x4, b: m64x4) -> m64x4 {
        pulp::Simd::and_m64s(self.v3, a, b)
    }
    #[inline(always)]
    fn or(self, a: m64x4, b: m64x4) -> m64x4 {
        pulp::Simd::or_m64s(self.v3, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m64x4, b: m64x4) -> m64x4 {
        pulp::Simd::xor_m64s(self.v3, a, b)
    }
    #[inline(always)]
    fn not(self, a: m64x4) -> m64x4 {
        pulp::Simd::not_m64s(self.v3, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m64x4) -> bool {
        // SAFETY: AVX2.
        unsafe { _mm256_movemask_epi8(raw64(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m64x4 {
        // SAFETY: the caller's contract, 4 bytes; AVX2.
        let words = unsafe { _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(p.cast::<i32>().read_unaligned())) };
        self.v3.cmp_gt_i64x4(cast(words), cast([0i64; 4]))
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> m64x4 {
        // SAFETY: the caller's contract; the block has 16 bytes, of which 4 are looked at.
        unsafe { self.mask_from_bytes(first_16(p, n).to_le_bytes().as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m64x4; 4]) {
        // SAFETY: the caller's contract, 4 x 4 bytes; AVX2.
        unsafe {
            let low = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(cast(raw64(m[0])), cast(raw64(m[1]))));
            let high = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(cast(raw64(m[2])), cast(raw64(m[3]))));
            let words = in_order(_mm256_packs_epi32(low, high));
            let bytes = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words));
            _mm_storeu_si128(p.cast(), _mm_and_si128(bytes, _mm_set1_epi8(1)));
        }
    }
}
