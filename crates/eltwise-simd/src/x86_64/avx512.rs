//! AVX-512 (x86-64-v4 with F16C), with VBMI, and with FP16 and VBMI: what `pulp`'s `V4` lacks.
//!
//! All are one token type with a marker; the code is generic over it, the entries differ in their features.

use core::arch::x86_64::*;
use core::marker::PhantomData;

use bytemuck::Pod;
use pulp::{b8, b16, b32, b64, f32x16, f64x8, u8x64, u16x32, u64x8, x86::V4};

use super::sqrt_avx512::{sqrt_pd, sqrt_ps};
use crate::isa::Isa;
use crate::over_pulp::{Gaps, Masks, OverPulp, cast};
use crate::roots;
use crate::token::{Entry, Token};

/// A token of AVX-512; `X` tells the two levels apart.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Token<X> {
    v4: V4,
    level: PhantomData<X>,
}

/// Marks [`Isa::Avx512`].
#[derive(Clone, Copy, Debug)]
pub struct Base;
/// Marks [`Isa::Avx512`] with VBMI.
#[derive(Clone, Copy, Debug)]
pub struct Vbmi;
/// Marks [`Isa::Avx512Fp16`].
#[derive(Clone, Copy, Debug)]
pub struct Fp16;

/// The token of [`Isa::Avx512`].
pub type Avx512 = Avx512Token<Base>;
/// A token of [`Isa::Avx512`] on CPUs that also shuffle single bytes.
pub type Avx512Vbmi = Avx512Token<Vbmi>;
/// The token of [`Isa::Avx512Fp16`].
pub type Avx512Fp16 = Avx512Token<Fp16>;

impl<X> Avx512Token<X> {
    /// The token, without a check.
    ///
    /// # Safety
    /// The level is available.
    #[inline(always)]
    unsafe fn new_unchecked() -> Self {
        // SAFETY: the caller's contract.
        Avx512Token { v4: unsafe { V4::new_unchecked() }, level: PhantomData }
    }
}

impl Token for Avx512 {
    const ISA: Isa = Isa::Avx512;
    fn entry<E: Entry<Avx512, A>, A>() -> unsafe fn(&A) {
        enter::<E, A>
    }
}

impl Avx512Vbmi {
    /// Whether the CPU has VBMI, which comes with [`Isa::Avx512Fp16`] and with most CPUs of [`Isa::Avx512`], but is no level.
    pub fn is_available() -> bool {
        std::arch::is_x86_feature_detected!("avx512vbmi")
    }
}

impl Token for Avx512Vbmi {
    const ISA: Isa = Isa::Avx512;
    fn entry<E: Entry<Avx512Vbmi, A>, A>() -> unsafe fn(&A) {
        enter_vbmi::<E, A>
    }
}

impl Token for Avx512Fp16 {
    const ISA: Isa = Isa::Avx512Fp16;
    fn entry<E: Entry<Avx512Fp16, A>, A>() -> unsafe fn(&A) {
        enter_fp16::<E, A>
    }
}

/// # Safety
/// [`Isa::Avx512`] is available, and `E::run`'s contract.
#[target_feature(
    enable = "avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vl,bmi1,bmi2,f16c,fma,lzcnt,popcnt,sse3,sse4.1,sse4.2,ssse3"
)]
unsafe fn enter<E: Entry<Avx512, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(Avx512::new_unchecked(), argument) };
}

/// # Safety
/// [`Isa::Avx512`] and VBMI are available, and `E::run`'s contract.
#[target_feature(
    enable = "avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vbmi,avx512vl,bmi1,bmi2,f16c,fma,lzcnt,popcnt,sse3,sse4.1,sse4.2,ssse3"
)]
unsafe fn enter_vbmi<E: Entry<Avx512Vbmi, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(Avx512Vbmi::new_unchecked(), argument) };
}

/// # Safety
/// [`Isa::Avx512Fp16`] is available, and `E::run`'s contract.
#[target_feature(
    enable = "avx,avx2,avx512bw,avx512cd,avx512dq,avx512f,avx512vbmi,avx512vl,bmi1,bmi2,f16c,fma,lzcnt,popcnt,sse3,sse4.1,sse4.2,ssse3"
)]
unsafe fn enter_fp16<E: Entry<Avx512Fp16, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(Avx512Fp16::new_unchecked(), argument) };
}

/// The lowest `n` of 64 bits.
#[inline(always)]
pub(super) fn first(n: usize) -> u64 {
    // SAFETY: BMI2 comes with every AVX-512 token.
    unsafe { _bzhi_u64(u64::MAX, n as u32) }
}

// Every intrinsic below is in AVX-512 F, BW, DQ or VL, which the token proves.
impl<X: Copy + 'static> Gaps for Avx512Token<X>
where
    Self: Token,
{
    type Simd = V4;
    #[inline(always)]
    fn simd(self) -> V4 {
        self.v4
    }

    #[inline(always)]
    unsafe fn load_bytes<V: Pod>(self, p: *const u8, bytes: usize, fill: V) -> V {
        // SAFETY: masked-off bytes are not touched; the caller's contract for the others.
        cast(unsafe { _mm512_mask_loadu_epi8(cast(fill), first(bytes), p.cast()) })
    }
    #[inline(always)]
    unsafe fn store_bytes<V: Pod>(self, p: *mut u8, bytes: usize, v: V) {
        // SAFETY: masked-off bytes are not touched; the caller's contract for the others.
        unsafe { _mm512_mask_storeu_epi8(p.cast(), first(bytes), cast(v)) };
    }

    #[inline(always)]
    fn mul_u8s(self, a: u8x64, b: u8x64) -> u8x64 {
        let (a, b): (__m512i, __m512i) = (cast(a), cast(b));
        // SAFETY: AVX-512 BW.
        unsafe {
            let low_bytes = _mm512_set1_epi16(0x00ff);
            let even = _mm512_mullo_epi16(a, b);
            // The second factor stays in the upper byte, and so does the product.
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
        // maxps gives its second operand for NaNs and for two zeros: take both orders, "and" their signs, "or" the
        // rest. A NaN stays one.
        // SAFETY: AVX-512 F.
        unsafe {
            let (x, y): (__m512i, __m512i) = (cast(_mm512_max_ps(a, b)), cast(_mm512_max_ps(b, a)));
            cast(_mm512_ternarylogic_epi32::<SIGN_AND_REST_OR>(x, y, _mm512_set1_epi32(i32::MIN)))
        }
    }
    #[inline(always)]
    fn minimum_f32s(self, a: f32x16, b: f32x16) -> f32x16 {
        let (a, b): (__m512, __m512) = (cast(a), cast(b));
        // SAFETY: AVX-512 DQ. One of the two orders passes a NaN on; "or" keeps it one and joins the zeros' signs.
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
    fn unequal_f32s(self, a: f32x16, b: f32x16) -> b16 {
        // SAFETY: AVX-512 F.
        b16(unsafe { _mm512_cmp_ps_mask::<_CMP_NEQ_UQ>(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn unequal_f64s(self, a: f64x8, b: f64x8) -> b8 {
        // SAFETY: AVX-512 F.
        b8(unsafe { _mm512_cmp_pd_mask::<_CMP_NEQ_UQ>(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn sqrt_alone_f32s(self, a: f32x16) -> f32x16 {
        // SAFETY: AVX-512 F.
        match unsafe { sqrt_ps(cast(a)) } {
            Some(root) => cast(root),
            None => roots::sqrt::<f32, Self>(self, a),
        }
    }
    #[inline(always)]
    fn sqrt_alone_f64s(self, a: f64x8) -> f64x8 {
        // SAFETY: AVX-512 F.
        match unsafe { sqrt_pd(cast(a)) } {
            Some(root) => cast(root),
            None => roots::sqrt::<f64, Self>(self, a),
        }
    }
    #[inline(always)]
    fn integral_f32s<const MODE: i32>(self, a: f32x16) -> f32x16 {
        // SAFETY: AVX-512 F. With no fraction bits kept, the modes are those of roundps.
        cast(unsafe { _mm512_roundscale_ps::<MODE>(cast(a)) })
    }
    #[inline(always)]
    fn integral_f64s<const MODE: i32>(self, a: f64x8) -> f64x8 {
        // SAFETY: AVX-512 F; see integral_f32s.
        cast(unsafe { _mm512_roundscale_pd::<MODE>(cast(a)) })
    }
    #[inline(always)]
    fn up_f32s(self, a: f32x16) -> f32x16 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_slli_epi32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn up_f64s(self, a: f64x8) -> f64x8 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_slli_epi64::<52>(cast(a)) })
    }
    #[inline(always)]
    fn down_f32s(self, a: f32x16) -> f32x16 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_srli_epi32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn down_f64s(self, a: f64x8) -> f64x8 {
        // SAFETY: AVX-512 F.
        cast(unsafe { _mm512_srli_epi64::<52>(cast(a)) })
    }
}

/// `vpternlog` of `(x, y, sign bit)`: where the third is set x and y, elsewhere x or y.
pub(super) const SIGN_AND_REST_OR: i32 = 0b1101_0100;

/// `vpternlog`: the first where the second is set, and what the third has.
const FIRST_AND_SECOND_OR_THIRD: i32 = 0b1110_1010;

impl<X: Copy + 'static> OverPulp for Avx512Token<X> where Self: Token {}

impl<X: Copy + 'static> Masks<b64> for Avx512Token<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: b64, b: b64) -> b64 {
        b64(a.0 & b.0)
    }
    #[inline(always)]
    fn or(self, a: b64, b: b64) -> b64 {
        b64(a.0 | b.0)
    }
    #[inline(always)]
    fn xor(self, a: b64, b: b64) -> b64 {
        b64(a.0 ^ b.0)
    }
    #[inline(always)]
    fn not(self, a: b64) -> b64 {
        b64(!a.0)
    }
    #[inline(always)]
    fn any_lane(self, m: b64) -> bool {
        m.0 != 0
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> b64 {
        // SAFETY: the caller's contract, 64 bytes; AVX-512 BW.
        unsafe {
            let bytes = _mm512_loadu_si512(p.cast());
            b64(_mm512_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> b64 {
        // SAFETY: masked-off bytes are not touched.
        unsafe {
            let bytes = _mm512_maskz_loadu_epi8(first(n), p.cast());
            b64(_mm512_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [b64; 4]) {
        // SAFETY: the caller's contract, 4 x 64 bytes; AVX-512 BW.
        unsafe {
            _mm512_storeu_si512(p.cast(), _mm512_maskz_set1_epi8(m[0].0, 1));
            _mm512_storeu_si512(p.add(64).cast(), _mm512_maskz_set1_epi8(m[1].0, 1));
            _mm512_storeu_si512(p.add(128).cast(), _mm512_maskz_set1_epi8(m[2].0, 1));
            _mm512_storeu_si512(p.add(192).cast(), _mm512_maskz_set1_epi8(m[3].0, 1));
        }
    }
}

impl<X: Copy + 'static> Masks<b32> for Avx512Token<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: b32, b: b32) -> b32 {
        b32(a.0 & b.0)
    }
    #[inline(always)]
    fn or(self, a: b32, b: b32) -> b32 {
        b32(a.0 | b.0)
    }
    #[inline(always)]
    fn xor(self, a: b32, b: b32) -> b32 {
        b32(a.0 ^ b.0)
    }
    #[inline(always)]
    fn not(self, a: b32) -> b32 {
        b32(!a.0)
    }
    #[inline(always)]
    fn any_lane(self, m: b32) -> bool {
        m.0 != 0
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> b32 {
        // SAFETY: the caller's contract, 32 bytes; AVX-512 BW, VL.
        unsafe {
            let bytes = _mm256_loadu_si256(p.cast());
            b32(_mm256_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> b32 {
        // SAFETY: masked-off bytes are not touched.
        unsafe {
            let bytes = _mm256_maskz_loadu_epi8(first(n) as u32, p.cast());
            b32(_mm256_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [b32; 4]) {
        // SAFETY: the caller's contract, 4 x 32 bytes; AVX-512 BW.
        unsafe {
            let low = _mm512_kunpackd(u64::from(m[1].0), u64::from(m[0].0));
            let high = _mm512_kunpackd(u64::from(m[3].0), u64::from(m[2].0));
            _mm512_storeu_si512(p.cast(), _mm512_maskz_set1_epi8(low, 1));
            _mm512_storeu_si512(p.add(64).cast(), _mm512_maskz_set1_epi8(high, 1));
        }
    }
}

impl<X: Copy + 'static> Masks<b16> for Avx512Token<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: b16, b: b16) -> b16 {
        b16(a.0 & b.0)
    }
    #[inline(always)]
    fn or(self, a: b16, b: b16) -> b16 {
        b16(a.0 | b.0)
    }
    #[inline(always)]
    fn xor(self, a: b16, b: b16) -> b16 {
        b16(a.0 ^ b.0)
    }
    #[inline(always)]
    fn not(self, a: b16) -> b16 {
        b16(!a.0)
    }
    #[inline(always)]
    fn any_lane(self, m: b16) -> bool {
        m.0 != 0
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> b16 {
        // SAFETY: the caller's contract, 16 bytes; AVX-512 BW, VL.
        unsafe {
            let bytes = _mm_loadu_si128(p.cast());
            b16(_mm_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> b16 {
        // SAFETY: masked-off bytes are not touched.
        unsafe {
            let bytes = _mm_maskz_loadu_epi8(first(n) as u16, p.cast());
            b16(_mm_test_epi8_mask(bytes, bytes))
        }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [b16; 4]) {
        // SAFETY: the caller's contract, 4 x 16 bytes; AVX-512 BW.
        unsafe {
            let low = _mm512_kunpackw(u32::from(m[1].0), u32::from(m[0].0));
            let high = _mm512_kunpackw(u32::from(m[3].0), u32::from(m[2].0));
            let all = _mm512_kunpackd(u64::from(high), u64::from(low));
            _mm512_storeu_si512(p.cast(), _mm512_maskz_set1_epi8(all, 1));
        }
    }
}

impl<X: Copy + 'static> Masks<b8> for Avx512Token<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: b8, b: b8) -> b8 {
        b8(a.0 & b.0)
    }
    #[inline(always)]
    fn or(self, a: b8, b: b8) -> b8 {
        b8(a.0 | b.0)
    }
    #[inline(always)]
    fn xor(self, a: b8, b: b8) -> b8 {
        b8(a.0 ^ b.0)
    }
    #[inline(always)]
    fn not(self, a: b8) -> b8 {
        b8(!a.0)
    }
    #[inline(always)]
    fn any_lane(self, m: b8) -> bool {
        m.0 != 0
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> b8 {
        // SAFETY: the caller's contract, 8 bytes; AVX-512 BW, VL.
        unsafe {
            let bytes = _mm_loadl_epi64(p.cast());
            b8(_mm_test_epi8_mask(bytes, bytes) as u8)
        }
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> b8 {
        // SAFETY: masked-off bytes are not touched.
        unsafe {
            let bytes = _mm_maskz_loadu_epi8(first(n) as u16, p.cast());
            b8(_mm_test_epi8_mask(bytes, bytes) as u8)
        }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [b8; 4]) {
        let all = u32::from_le_bytes([m[0].0, m[1].0, m[2].0, m[3].0]);
        // SAFETY: the caller's contract, 4 x 8 bytes; AVX-512 BW, VL.
        unsafe { _mm256_storeu_si256(p.cast(), _mm256_maskz_set1_epi8(all, 1)) };
    }
}
