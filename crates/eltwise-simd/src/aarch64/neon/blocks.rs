//! [`Blocks128`] on NEON, whose vectors are one block.

use core::arch::aarch64::*;

use super::Neon;
use crate::blocks::{Blocks128, NarrowBlocks};

/// Interleaves lanes of `SIZE` bytes with the instruction of that lane type.
macro_rules! interleave {
    ($name:ident, $zip8:ident $zip16:ident $zip32:ident $zip64:ident) => {
        #[inline(always)]
        fn $name<const SIZE: usize>(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
            // SAFETY: the token proves the ISA.
            unsafe {
                match SIZE {
                    1 => $zip8(a, b),
                    2 => vreinterpretq_u8_u16($zip16(vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b))),
                    4 => vreinterpretq_u8_u32($zip32(vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b))),
                    _ => vreinterpretq_u8_u64($zip64(vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b))),
                }
            }
        }
    };
}

impl Blocks128 for Neon {
    const BLOCKS: usize = 1;
    type Vector = uint8x16_t;

    #[inline(always)]
    unsafe fn load_rows(self, rows: *const *const u8, _: usize, at: isize) -> uint8x16_t {
        // SAFETY: the caller's contract.
        unsafe { vld1q_u8((*rows).wrapping_offset(at)) }
    }
    #[inline(always)]
    unsafe fn load_windows(self, p: *const u8, offsets: *const i32) -> uint8x16_t {
        // SAFETY: the caller's contract.
        unsafe { vld1q_u8(p.wrapping_offset(*offsets as isize)) }
    }
    #[inline(always)]
    unsafe fn load_blocks(self, p: *const u8) -> uint8x16_t {
        // SAFETY: the caller's contract.
        unsafe { vld1q_u8(p) }
    }
    #[inline(always)]
    unsafe fn store_blocks(self, p: *mut u8, v: uint8x16_t) {
        // SAFETY: the caller's contract.
        unsafe { vst1q_u8(p, v) };
    }
    #[inline(always)]
    unsafe fn store_overlapping(self, p: *mut u8, _: isize, v: uint8x16_t) {
        // SAFETY: the caller's contract.
        unsafe { vst1q_u8(p, v) };
    }
    #[inline(always)]
    unsafe fn store_halves(self, p: *mut u8, q: *mut u8, v: uint8x16_t) {
        // SAFETY: the caller's contract.
        unsafe {
            vst1_u8(p, vget_low_u8(v));
            vst1_u8(q, vget_high_u8(v));
        }
    }
    interleave!(interleave_lower, vzip1q_u8 vzip1q_u16 vzip1q_u32 vzip1q_u64);
    interleave!(interleave_upper, vzip2q_u8 vzip2q_u16 vzip2q_u32 vzip2q_u64);
    #[inline(always)]
    fn table_lookup_bytes_or_0(self, v: uint8x16_t, indices: uint8x16_t) -> uint8x16_t {
        // SAFETY: the token proves the ISA. Indices out of range give 0.
        unsafe { vqtbl1q_u8(v, indices) }
    }
    #[inline(always)]
    fn or(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        // SAFETY: the token proves the ISA.
        unsafe { vorrq_u8(a, b) }
    }
}

impl NarrowBlocks for Neon {
    type Narrow = Neon;

    #[inline(always)]
    fn narrow(self) -> Neon {
        self
    }
}
