//! [`HalfLanes`] of AVX2: F16C for `f16`, and integer arithmetic for `bf16`.

use core::arch::x86_64::*;

use pulp::f32x8;

use super::Avx2;
use super::load_n::{load_n_128_or, store_n_128};
use crate::pulp_lanes::cast;
use crate::storage::HalfLanes;

// Every intrinsic below is in AVX2, FMA or F16C, which the token proves.
impl HalfLanes for Avx2 {
    type H = __m128i;
    #[inline(always)]
    unsafe fn load_halves(self, p: *const u16) -> __m128i {
        // SAFETY: the caller's contract, 16 bytes.
        unsafe { _mm_loadu_si128(p.cast()) }
    }
    #[inline(always)]
    unsafe fn load_halves_n(self, p: *const u16, n: usize, fill: u16) -> __m128i {
        // SAFETY: the caller's contract; a register of 16-bit floats has 8 >= n elements.
        unsafe { load_n_128_or(p.cast(), 2 * n, _mm_set1_epi16(fill as i16)) }
    }
    #[inline(always)]
    unsafe fn store_halves(self, p: *mut u16, h: __m128i) {
        // SAFETY: the caller's contract, 16 bytes.
        unsafe { _mm_storeu_si128(p.cast(), h) };
    }
    #[inline(always)]
    unsafe fn store_halves_n(self, p: *mut u16, n: usize, h: __m128i) {
        // SAFETY: the caller's contract; a register of 16-bit floats has 8 >= n elements.
        unsafe { store_n_128(p.cast(), 2 * n, h) };
    }
    #[inline(always)]
    fn widen_f16(self, h: __m128i) -> f32x8 {
        // SAFETY: F16C.
        cast(unsafe { _mm256_cvtph_ps(h) })
    }
    #[inline(always)]
    fn narrow_f16(self, v: f32x8) -> __m128i {
        // SAFETY: F16C.
        unsafe { _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(cast(v)) }
    }
    // An FMA by 1, see `opaque_one`.
    #[inline(always)]
    fn add_converted(self, a: f32x8, b: f32x8) -> f32x8 {
        // SAFETY: FMA.
        unsafe { cast(_mm256_fmadd_ps(cast(a), opaque_one(), cast(b))) }
    }
    #[inline(always)]
    fn sub_converted(self, a: f32x8, b: f32x8) -> f32x8 {
        // SAFETY: FMA.
        unsafe { cast(_mm256_fmsub_ps(cast(a), opaque_one(), cast(b))) }
    }
    #[inline(always)]
    fn widen_bf16(self, h: __m128i) -> f32x8 {
        // SAFETY: AVX2.
        cast(unsafe { _mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(h)) })
    }
    #[inline(always)]
    fn narrow_bf16(self, v: f32x8) -> __m128i {
        let bits: __m256i = cast(v);
        // SAFETY: AVX2. Rounding to nearest even is an integer addition. A NaN keeps its upper bits and becomes quiet.
        unsafe {
            let upper = _mm256_srli_epi32::<16>(bits);
            let bias = _mm256_add_epi32(_mm256_set1_epi32(0x7fff), _mm256_and_si256(upper, _mm256_set1_epi32(1)));
            let rounded = _mm256_srli_epi32::<16>(_mm256_add_epi32(bits, bias));
            let quieted = _mm256_or_si256(upper, _mm256_set1_epi32(0x40));
            let nan = _mm256_castps_si256(_mm256_cmp_ps::<_CMP_UNORD_Q>(cast(v), cast(v)));
            let words = _mm256_blendv_epi8(rounded, quieted, nan);
            _mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256::<1>(words))
        }
    }

    #[inline(always)]
    unsafe fn store4_f16(self, p: *mut u16, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe {
            _mm_storeu_si128(p.cast(), keep_in_register(self.narrow_f16(v[0])));
            _mm_storeu_si128(p.add(8).cast(), keep_in_register(self.narrow_f16(v[1])));
            _mm_storeu_si128(p.add(16).cast(), keep_in_register(self.narrow_f16(v[2])));
            _mm_storeu_si128(p.add(24).cast(), keep_in_register(self.narrow_f16(v[3])));
        }
    }
    #[inline(always)]
    unsafe fn store4_bf16(self, p: *mut u16, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe {
            let v = quiet_nans(cast(v));
            _mm256_storeu_si256(p.cast(), round_in_memory_order(v[0], v[1]));
            _mm256_storeu_si256(p.add(16).cast(), round_in_memory_order(v[2], v[3]));
        }
    }
    // A 32-bit word holds two elements: one vector gets the even elements, the other the odd.
    #[inline(always)]
    unsafe fn load4_permuted_bf16(self, p: *const u16) -> [f32x8; 4] {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe {
            let (x, y) = (_mm256_loadu_si256(p.cast()), _mm256_loadu_si256(p.add(16).cast()));
            let odd = _mm256_set1_epi32(0xffff_0000_u32 as i32);
            [
                cast(_mm256_slli_epi32::<16>(x)),
                cast(_mm256_and_si256(x, odd)),
                cast(_mm256_slli_epi32::<16>(y)),
                cast(_mm256_and_si256(y, odd)),
            ]
        }
    }
    #[inline(always)]
    unsafe fn store4_permuted_bf16(self, p: *mut u16, v: [f32x8; 4]) {
        // SAFETY: the caller's contract, 64 bytes.
        unsafe {
            let v = quiet_nans(cast(v));
            _mm256_storeu_si256(p.cast(), round_pairs(v[0], v[1]));
            _mm256_storeu_si256(p.add(16).cast(), round_pairs(v[2], v[3]));
        }
    }
}

/// 1 in all lanes, hidden from the compiler, which would otherwise turn the product with it into an addition. On Zen 4,
/// additions compete with conversions for ports, and a sum of `f16` has three conversions; products use other ports:
/// 3.4 cycles for 16 sums instead of 4.5.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn opaque_one() -> __m256 {
    // SAFETY: the caller's contract.
    unsafe { _mm256_castsi256_ps(_mm256_sign_epi32(_mm256_castps_si256(_mm256_set1_ps(1.0)), _mm256_set1_epi32(1))) }
}

/// Returns `h`. `vpsignw` by 1 is an identity that LLVM does not know, so it does not fold the conversion into the store. On
/// Zen 5, `vcvtps2ph` to memory has a throughput of one per 2 cycles, to a register of three per 2 cycles.
///
/// # Safety
/// SSSE3.
#[inline(always)]
pub(in crate::x86_64) unsafe fn keep_in_register(h: __m128i) -> __m128i {
    // SAFETY: the caller's contract.
    unsafe { _mm_sign_epi16(h, _mm_set1_epi16(1)) }
}

/// Turns NaNs into quiet NaNs whose lower halves are 0, which rounding keeps. In the usual case without NaN, that costs
/// one test of all vectors and a branch.
///
/// # Safety
/// AVX.
#[inline(always)]
pub(in crate::x86_64) unsafe fn quiet_nans(v: [__m256; 4]) -> [__m256; 4] {
    // SAFETY: the caller's contract.
    unsafe {
        if !any_nan(v) {
            return v;
        }
        [quiet_nans_in(v[0]), quiet_nans_in(v[1]), quiet_nans_in(v[2]), quiet_nans_in(v[3])]
    }
}

/// Whether an element is NaN: two comparisons, an OR and a mask move.
///
/// # Safety
/// AVX.
#[inline(always)]
pub(super) unsafe fn any_nan(v: [__m256; 4]) -> bool {
    // SAFETY: the caller's contract.
    unsafe {
        let low = _mm256_cmp_ps::<_CMP_UNORD_Q>(v[0], v[1]);
        let high = _mm256_cmp_ps::<_CMP_UNORD_Q>(v[2], v[3]);
        _mm256_movemask_ps(_mm256_or_ps(low, high)) != 0
    }
}

/// # Safety
/// AVX.
#[inline(always)]
unsafe fn quiet_nans_in(v: __m256) -> __m256 {
    // SAFETY: the caller's contract.
    unsafe {
        let nan = _mm256_cmp_ps::<_CMP_UNORD_Q>(v, v);
        // Masks of bits, as floats: AVX has no integer operations.
        let (bit, lower) = (f32::from_bits(0x0040_0000), f32::from_bits(0xffff));
        let quieted = _mm256_or_ps(v, _mm256_and_ps(nan, _mm256_set1_ps(bit)));
        _mm256_andnot_ps(_mm256_and_ps(nan, _mm256_set1_ps(lower)), quieted)
    }
}

/// Rounds even and odd elements to `bf16`, to nearest even, and interleaves them.
///
/// # Safety
/// AVX2.
#[inline(always)]
pub(in crate::x86_64) unsafe fn round_pairs(even: __m256, odd: __m256) -> __m256i {
    // SAFETY: the caller's contract. A lower half of 0x8000 or more rounds up; subtracting 1 from it, if the upper half
    // is even, makes ties round down there.
    unsafe {
        let (even, odd) = (_mm256_castps_si256(even), _mm256_castps_si256(odd));
        let upper = _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(even), odd);
        let lower = _mm256_blend_epi16::<0b1010_1010>(even, _mm256_slli_epi32::<16>(odd));
        let is_even = _mm256_andnot_si256(upper, _mm256_set1_epi16(1));
        let up = _mm256_srai_epi16::<15>(_mm256_subs_epu16(lower, is_even));
        _mm256_sub_epi16(upper, up)
    }
}

/// Rounds the elements of two vectors to `bf16`, in memory order.
///
/// # Safety
/// AVX2.
#[inline(always)]
unsafe fn round_in_memory_order(a: __m256, b: __m256) -> __m256i {
    // SAFETY: the caller's contract.
    unsafe {
        let separated =
            _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_shuffle_epi8(round_pairs(a, b), separated))
    }
}
