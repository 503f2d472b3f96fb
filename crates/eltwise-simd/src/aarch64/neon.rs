//! NEON, and NEON with half-precision arithmetic: what `pulp`'s `Neon` lacks.
//!
//! Both levels are one token type with a marker; the code is generic over it, the entries differ in their features.

use core::arch::aarch64::*;
use core::marker::PhantomData;

use bytemuck::Pod;
use pulp::{f32x4, f64x2, m8x16, m16x8, m32x4, m64x2, u8x16, u16x8, u64x2};

use crate::isa::Isa;
use crate::lanes::{copy_elements, integral};
use crate::over_pulp::{Gaps, Masks, OverPulp, cast};
use crate::storage::HalfLanes;
use crate::token::{Entry, Token};

/// A token of NEON; `X` tells the two levels apart.
#[derive(Clone, Copy, Debug)]
pub struct NeonToken<X> {
    neon: pulp::aarch64::Neon,
    level: PhantomData<X>,
}

/// Marks [`Isa::Neon`].
#[derive(Clone, Copy, Debug)]
pub struct Base;
/// Marks [`Isa::NeonFp16`].
#[derive(Clone, Copy, Debug)]
pub struct Fp16;

/// The token of [`Isa::Neon`].
pub type Neon = NeonToken<Base>;
/// The token of [`Isa::NeonFp16`].
pub type NeonFp16 = NeonToken<Fp16>;

impl<X> NeonToken<X> {
    /// The token, without a check.
    ///
    /// # Safety
    /// The level is available.
    #[inline(always)]
    unsafe fn new_unchecked() -> Self {
        // SAFETY: the caller's contract.
        NeonToken { neon: unsafe { pulp::aarch64::Neon::new_unchecked() }, level: PhantomData }
    }
}

impl Token for Neon {
    const ISA: Isa = Isa::Neon;
    fn entry<E: Entry<Neon, A>, A>() -> unsafe fn(&A) {
        enter::<E, A>
    }
}

impl Token for NeonFp16 {
    const ISA: Isa = Isa::NeonFp16;
    fn entry<E: Entry<NeonFp16, A>, A>() -> unsafe fn(&A) {
        enter_fp16::<E, A>
    }
}

/// # Safety
/// [`Isa::Neon`] is available, and `E::run`'s contract.
#[target_feature(enable = "neon")]
unsafe fn enter<E: Entry<Neon, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(Neon::new_unchecked(), argument) };
}

/// # Safety
/// [`Isa::NeonFp16`] is available, and `E::run`'s contract.
#[target_feature(enable = "neon,fp16")]
unsafe fn enter_fp16<E: Entry<NeonFp16, A>, A>(argument: &A) {
    // SAFETY: the caller's contract.
    unsafe { E::run(NeonFp16::new_unchecked(), argument) };
}

// Every intrinsic below is in NEON, which the token proves.
impl<X: Copy + 'static> Gaps for NeonToken<X>
where
    Self: Token,
{
    type Simd = pulp::aarch64::Neon;
    #[inline(always)]
    fn simd(self) -> pulp::aarch64::Neon {
        self.neon
    }

    #[inline(always)]
    unsafe fn load_bytes<V: Pod>(self, p: *const u8, bytes: usize, fill: V) -> V {
        let mut block: [u8; 16] = cast(fill);
        // SAFETY: the caller's contract; the block has 16 >= bytes bytes.
        unsafe { copy_elements(p, block.as_mut_ptr(), bytes) };
        cast(block)
    }
    #[inline(always)]
    unsafe fn store_bytes<V: Pod>(self, p: *mut u8, bytes: usize, v: V) {
        let block: [u8; 16] = cast(v);
        // SAFETY: the caller's contract; the block has 16 >= bytes bytes.
        unsafe { copy_elements(block.as_ptr(), p, bytes) };
    }

    #[inline(always)]
    fn mul_u8s(self, a: u8x16, b: u8x16) -> u8x16 {
        // SAFETY: NEON.
        cast(unsafe { vmulq_u8(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn mul_u64s(self, a: u64x2, b: u64x2) -> u64x2 {
        let (a, b): ([u64; 2], [u64; 2]) = (cast(a), cast(b));
        cast([a[0].wrapping_mul(b[0]), a[1].wrapping_mul(b[1])])
    }
    #[inline(always)]
    fn select_u8s(self, m: m8x16, a: u8x16, b: u8x16) -> u8x16 {
        // SAFETY: NEON.
        cast(unsafe { vbslq_u8(raw8(m), cast(a), cast(b)) })
    }
    #[inline(always)]
    fn select_u16s(self, m: m16x8, a: u16x8, b: u16x8) -> u16x8 {
        // SAFETY: NEON.
        cast(unsafe { vbslq_u16(raw16(m), cast(a), cast(b)) })
    }
    // FMAX and FMIN are IEEE 754-2019 maximum and minimum: NaN propagates, -0 < +0.
    #[inline(always)]
    fn maximum_f32s(self, a: f32x4, b: f32x4) -> f32x4 {
        // SAFETY: NEON.
        cast(unsafe { vmaxq_f32(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn minimum_f32s(self, a: f32x4, b: f32x4) -> f32x4 {
        // SAFETY: NEON.
        cast(unsafe { vminq_f32(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn maximum_f64s(self, a: f64x2, b: f64x2) -> f64x2 {
        // SAFETY: NEON.
        cast(unsafe { vmaxq_f64(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn minimum_f64s(self, a: f64x2, b: f64x2) -> f64x2 {
        // SAFETY: NEON.
        cast(unsafe { vminq_f64(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn unequal_f32s(self, a: f32x4, b: f32x4) -> m32x4 {
        pulp::Simd::not_m32s(self.neon, pulp::Simd::equal_f32s(self.neon, a, b))
    }
    #[inline(always)]
    fn unequal_f64s(self, a: f64x2, b: f64x2) -> m64x2 {
        pulp::Simd::not_m64s(self.neon, pulp::Simd::equal_f64s(self.neon, a, b))
    }
    #[inline(always)]
    fn integral_f32s<const MODE: i32>(self, a: f32x4) -> f32x4 {
        // SAFETY: NEON.
        cast(unsafe {
            match MODE {
                integral::FLOOR => vrndmq_f32(cast(a)),
                integral::CEIL => vrndpq_f32(cast(a)),
                integral::TRUNC => vrndq_f32(cast(a)),
                _ => vrndnq_f32(cast(a)),
            }
        })
    }
    #[inline(always)]
    fn integral_f64s<const MODE: i32>(self, a: f64x2) -> f64x2 {
        // SAFETY: NEON.
        cast(unsafe {
            match MODE {
                integral::FLOOR => vrndmq_f64(cast(a)),
                integral::CEIL => vrndpq_f64(cast(a)),
                integral::TRUNC => vrndq_f64(cast(a)),
                _ => vrndnq_f64(cast(a)),
            }
        })
    }
    #[inline(always)]
    fn up_f32s(self, a: f32x4) -> f32x4 {
        // SAFETY: NEON.
        cast(unsafe { vshlq_n_u32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn up_f64s(self, a: f64x2) -> f64x2 {
        // SAFETY: NEON.
        cast(unsafe { vshlq_n_u64::<52>(cast(a)) })
    }
    #[inline(always)]
    fn down_f32s(self, a: f32x4) -> f32x4 {
        // SAFETY: NEON.
        cast(unsafe { vshrq_n_u32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn down_f64s(self, a: f64x2) -> f64x2 {
        // SAFETY: NEON.
        cast(unsafe { vshrq_n_u64::<52>(cast(a)) })
    }
}

impl<X: Copy + 'static> OverPulp for NeonToken<X> where Self: Token {}

impl<X: Copy + 'static> HalfLanes for NeonToken<X>
where
    Self: Token,
{
    type H = uint16x4_t;
    #[inline(always)]
    unsafe fn load_halves(self, p: *const u16) -> uint16x4_t {
        // SAFETY: the caller's contract, 8 bytes.
        unsafe { p.cast::<uint16x4_t>().read_unaligned() }
    }
    #[inline(always)]
    unsafe fn load_halves_first(self, p: *const u16, n: usize, fill: u16) -> uint16x4_t {
        let mut block = [fill; 4];
        // SAFETY: the caller's contract; the block has 4 >= n elements and the register's size.
        unsafe {
            copy_elements(p, block.as_mut_ptr(), n);
            block.as_ptr().cast::<uint16x4_t>().read_unaligned()
        }
    }
    #[inline(always)]
    unsafe fn store_halves(self, p: *mut u16, h: uint16x4_t) {
        // SAFETY: the caller's contract, 8 bytes.
        unsafe { p.cast::<uint16x4_t>().write_unaligned(h) };
    }
    #[inline(always)]
    unsafe fn store_halves_first(self, p: *mut u16, n: usize, h: uint16x4_t) {
        // SAFETY: the caller's contract; the register has 4 >= n elements.
        unsafe { copy_elements((&raw const h).cast::<u16>(), p, n) };
    }
    #[inline(always)]
    fn widen_f16(self, h: uint16x4_t) -> f32x4 {
        let wide: float32x4_t;
        // SAFETY: the intrinsic is stable since 1.94 only; the instruction is base NEON.
        unsafe {
            core::arch::asm!("fcvtl {0:v}.4s, {1:v}.4h", out(vreg) wide, in(vreg) h,
                options(pure, nomem, nostack, preserves_flags));
        }
        cast(wide)
    }
    #[inline(always)]
    fn narrow_f16(self, v: f32x4) -> uint16x4_t {
        let wide: float32x4_t = cast(v);
        let halves: uint16x4_t;
        // SAFETY: see widen_f16.
        unsafe {
            core::arch::asm!("fcvtn {0:v}.4h, {1:v}.4s", out(vreg) halves, in(vreg) wide,
                options(pure, nomem, nostack, preserves_flags));
        }
        halves
    }
    #[inline(always)]
    fn widen_bf16(self, h: uint16x4_t) -> f32x4 {
        // SAFETY: NEON.
        cast(unsafe { vshll_n_u16::<16>(h) })
    }
    #[inline(always)]
    fn narrow_bf16(self, v: f32x4) -> uint16x4_t {
        let bits: uint32x4_t = cast(v);
        // SAFETY: NEON. Rounding to nearest even is an integer addition; a NaN keeps its upper bits and is quieted.
        unsafe {
            let upper = vshrq_n_u32::<16>(bits);
            let half = vaddq_u32(vdupq_n_u32(0x7fff), vandq_u32(upper, vdupq_n_u32(1)));
            let rounded = vshrq_n_u32::<16>(vaddq_u32(bits, half));
            let quiet = vorrq_u32(upper, vdupq_n_u32(0x40));
            let number = vceqq_f32(cast(v), cast(v));
            vmovn_u32(vbslq_u32(number, rounded, quiet))
        }
    }
}

#[inline(always)]
fn raw8(m: m8x16) -> uint8x16_t {
    bytemuck::cast(m)
}
#[inline(always)]
fn raw16(m: m16x8) -> uint16x8_t {
    bytemuck::cast(m)
}
#[inline(always)]
fn raw32(m: m32x4) -> uint32x4_t {
    bytemuck::cast(m)
}
#[inline(always)]
fn raw64(m: m64x2) -> uint64x2_t {
    bytemuck::cast(m)
}

/// Reads the first `n` bytes of a block of `N` zeros.
///
/// # Safety
/// `p` is valid for reading `n <= N` bytes.
#[inline(always)]
unsafe fn first_bytes<const N: usize>(p: *const u8, n: usize) -> [u8; N] {
    let mut block = [0u8; N];
    // SAFETY: the caller's contract.
    unsafe { copy_elements(p, block.as_mut_ptr(), n) };
    block
}

impl<X: Copy + 'static> Masks<m8x16> for NeonToken<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: m8x16, b: m8x16) -> m8x16 {
        pulp::Simd::and_m8s(self.neon, a, b)
    }
    #[inline(always)]
    fn or(self, a: m8x16, b: m8x16) -> m8x16 {
        pulp::Simd::or_m8s(self.neon, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m8x16, b: m8x16) -> m8x16 {
        pulp::Simd::xor_m8s(self.neon, a, b)
    }
    #[inline(always)]
    fn not(self, a: m8x16) -> m8x16 {
        pulp::Simd::not_m8s(self.neon, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m8x16) -> bool {
        // SAFETY: NEON.
        unsafe { vmaxvq_u8(raw8(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m8x16 {
        // SAFETY: the caller's contract, 16 bytes.
        pulp::Simd::transmute_m8s_u8s(self.neon, unsafe {
            let bytes = vld1q_u8(p);
            cast(vtstq_u8(bytes, bytes))
        })
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> m8x16 {
        // SAFETY: the caller's contract; the block has 16 bytes.
        unsafe { self.mask_from_bytes(first_bytes::<16>(p, n).as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m8x16; 4]) {
        // SAFETY: the caller's contract, 4 x 16 bytes.
        unsafe {
            let one = vdupq_n_u8(1);
            vst1q_u8(p, vandq_u8(raw8(m[0]), one));
            vst1q_u8(p.add(16), vandq_u8(raw8(m[1]), one));
            vst1q_u8(p.add(32), vandq_u8(raw8(m[2]), one));
            vst1q_u8(p.add(48), vandq_u8(raw8(m[3]), one));
        }
    }
}

impl<X: Copy + 'static> Masks<m16x8> for NeonToken<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: m16x8, b: m16x8) -> m16x8 {
        pulp::Simd::and_m16s(self.neon, a, b)
    }
    #[inline(always)]
    fn or(self, a: m16x8, b: m16x8) -> m16x8 {
        pulp::Simd::or_m16s(self.neon, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m16x8, b: m16x8) -> m16x8 {
        pulp::Simd::xor_m16s(self.neon, a, b)
    }
    #[inline(always)]
    fn not(self, a: m16x8) -> m16x8 {
        pulp::Simd::not_m16s(self.neon, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m16x8) -> bool {
        // SAFETY: NEON.
        unsafe { vmaxvq_u16(raw16(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m16x8 {
        // SAFETY: the caller's contract, 8 bytes.
        pulp::Simd::transmute_m16s_u16s(self.neon, unsafe {
            let words = vmovl_u8(vld1_u8(p));
            cast(vtstq_u16(words, words))
        })
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> m16x8 {
        // SAFETY: the caller's contract; the block has 8 bytes.
        unsafe { self.mask_from_bytes(first_bytes::<8>(p, n).as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m16x8; 4]) {
        // SAFETY: the caller's contract, 4 x 8 bytes. The even bytes of 16-bit masks are the masks narrowed.
        unsafe {
            let one = vdupq_n_u8(1);
            let low = vuzp1q_u8(vreinterpretq_u8_u16(raw16(m[0])), vreinterpretq_u8_u16(raw16(m[1])));
            let high = vuzp1q_u8(vreinterpretq_u8_u16(raw16(m[2])), vreinterpretq_u8_u16(raw16(m[3])));
            vst1q_u8(p, vandq_u8(low, one));
            vst1q_u8(p.add(16), vandq_u8(high, one));
        }
    }
}

impl<X: Copy + 'static> Masks<m32x4> for NeonToken<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: m32x4, b: m32x4) -> m32x4 {
        pulp::Simd::and_m32s(self.neon, a, b)
    }
    #[inline(always)]
    fn or(self, a: m32x4, b: m32x4) -> m32x4 {
        pulp::Simd::or_m32s(self.neon, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m32x4, b: m32x4) -> m32x4 {
        pulp::Simd::xor_m32s(self.neon, a, b)
    }
    #[inline(always)]
    fn not(self, a: m32x4) -> m32x4 {
        pulp::Simd::not_m32s(self.neon, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m32x4) -> bool {
        // SAFETY: NEON.
        unsafe { vmaxvq_u32(raw32(m)) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m32x4 {
        // SAFETY: the caller's contract, 4 bytes.
        pulp::Simd::transmute_m32s_u32s(self.neon, unsafe {
            let bytes = vcreate_u8(u64::from(p.cast::<u32>().read_unaligned()));
            let words = vmovl_u16(vget_low_u16(vmovl_u8(bytes)));
            cast(vtstq_u32(words, words))
        })
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> m32x4 {
        // SAFETY: the caller's contract; the block has 4 bytes.
        unsafe { self.mask_from_bytes(first_bytes::<4>(p, n).as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m32x4; 4]) {
        // SAFETY: the caller's contract, 4 x 4 bytes.
        unsafe {
            let low = vuzp1q_u16(vreinterpretq_u16_u32(raw32(m[0])), vreinterpretq_u16_u32(raw32(m[1])));
            let high = vuzp1q_u16(vreinterpretq_u16_u32(raw32(m[2])), vreinterpretq_u16_u32(raw32(m[3])));
            let bytes = vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high));
            vst1q_u8(p, vandq_u8(bytes, vdupq_n_u8(1)));
        }
    }
}

impl<X: Copy + 'static> Masks<m64x2> for NeonToken<X>
where
    Self: Token,
{
    #[inline(always)]
    fn and(self, a: m64x2, b: m64x2) -> m64x2 {
        pulp::Simd::and_m64s(self.neon, a, b)
    }
    #[inline(always)]
    fn or(self, a: m64x2, b: m64x2) -> m64x2 {
        pulp::Simd::or_m64s(self.neon, a, b)
    }
    #[inline(always)]
    fn xor(self, a: m64x2, b: m64x2) -> m64x2 {
        pulp::Simd::xor_m64s(self.neon, a, b)
    }
    #[inline(always)]
    fn not(self, a: m64x2) -> m64x2 {
        pulp::Simd::not_m64s(self.neon, a)
    }
    #[inline(always)]
    fn any_lane(self, m: m64x2) -> bool {
        // SAFETY: NEON.
        unsafe { vmaxvq_u32(vreinterpretq_u32_u64(raw64(m))) != 0 }
    }
    #[inline(always)]
    unsafe fn mask_from_bytes(self, p: *const u8) -> m64x2 {
        // SAFETY: the caller's contract, 2 bytes.
        let [a, b] = unsafe { p.cast::<[u8; 2]>().read_unaligned() };
        pulp::Simd::transmute_m64s_u64s(
            self.neon,
            cast([u64::from(a != 0).wrapping_neg(), u64::from(b != 0).wrapping_neg()]),
        )
    }
    #[inline(always)]
    unsafe fn mask_from_first_bytes(self, p: *const u8, n: usize) -> m64x2 {
        // SAFETY: the caller's contract; the block has 2 bytes.
        unsafe { self.mask_from_bytes(first_bytes::<2>(p, n).as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m64x2; 4]) {
        // SAFETY: the caller's contract, 4 x 2 bytes.
        unsafe {
            let low = vuzp1q_u32(vreinterpretq_u32_u64(raw64(m[0])), vreinterpretq_u32_u64(raw64(m[1])));
            let high = vuzp1q_u32(vreinterpretq_u32_u64(raw64(m[2])), vreinterpretq_u32_u64(raw64(m[3])));
            let words = vuzp1q_u16(vreinterpretq_u16_u32(low), vreinterpretq_u16_u32(high));
            vst1_u8(p, vand_u8(vmovn_u16(words), vdup_n_u8(1)));
        }
    }
}
