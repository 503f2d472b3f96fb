//! [`HalfLanes`] of NEON: its conversions of `f16`, and integer arithmetic for `bf16`.

use core::arch::aarch64::*;

use pulp::f32x4;

use super::NeonToken;
use crate::lanes::copy_elements;
use crate::pulp_lanes::cast;
use crate::storage::HalfLanes;
use crate::token::Token;

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
    unsafe fn load_halves_n(self, p: *const u16, n: usize, fill: u16) -> uint16x4_t {
        let mut block = [fill; 4];
        // SAFETY: the caller's contract; the block has 4 >= n elements and the size of the register.
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
    unsafe fn store_halves_n(self, p: *mut u16, n: usize, h: uint16x4_t) {
        // SAFETY: the caller's contract; the register has 4 >= n elements.
        unsafe { copy_elements((&raw const h).cast::<u16>(), p, n) };
    }
    #[inline(always)]
    fn widen_f16(self, h: uint16x4_t) -> f32x4 {
        let wide: float32x4_t;
        // SAFETY: the instruction is base NEON. The intrinsic is only stable since Rust 1.94.
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
