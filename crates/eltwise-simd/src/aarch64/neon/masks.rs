//! [`MaskOps`] of NEON: masks are vectors, narrowed to bytes for booleans.

use core::arch::aarch64::*;

use pulp::{m8x16, m16x8, m32x4, m64x2};

use super::NeonToken;
use crate::lanes::copy_elements;
use crate::pulp_lanes::{MaskOps, cast};
use crate::token::Token;

#[inline(always)]
pub(super) fn raw8(m: m8x16) -> uint8x16_t {
    bytemuck::cast(m)
}
#[inline(always)]
pub(super) fn raw16(m: m16x8) -> uint16x8_t {
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

/// Copies `n` bytes to a block of `N` bytes; the others are zero.
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

impl<X: Copy + 'static> MaskOps<m8x16> for NeonToken<X>
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
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> m8x16 {
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

impl<X: Copy + 'static> MaskOps<m16x8> for NeonToken<X>
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
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> m16x8 {
        // SAFETY: the caller's contract; the block has 8 bytes.
        unsafe { self.mask_from_bytes(first_bytes::<8>(p, n).as_ptr()) }
    }
    #[inline(always)]
    unsafe fn masks_to_bytes(self, p: *mut u8, m: [m16x8; 4]) {
        // SAFETY: the caller's contract, 4 x 8 bytes. The even bytes of 16-bit masks are the narrowed masks.
        unsafe {
            let one = vdupq_n_u8(1);
            let low = vuzp1q_u8(vreinterpretq_u8_u16(raw16(m[0])), vreinterpretq_u8_u16(raw16(m[1])));
            let high = vuzp1q_u8(vreinterpretq_u8_u16(raw16(m[2])), vreinterpretq_u8_u16(raw16(m[3])));
            vst1q_u8(p, vandq_u8(low, one));
            vst1q_u8(p.add(16), vandq_u8(high, one));
        }
    }
}

impl<X: Copy + 'static> MaskOps<m32x4> for NeonToken<X>
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
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> m32x4 {
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

impl<X: Copy + 'static> MaskOps<m64x2> for NeonToken<X>
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
    unsafe fn mask_from_n_bytes(self, p: *const u8, n: usize) -> m64x2 {
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
