//! [`TargetOps`] of NEON: operations that `pulp`'s `Neon` lacks.

use core::arch::aarch64::*;

use bytemuck::Pod;
use pulp::{f32x4, f64x2, m8x16, m16x8, m32x4, m64x2, u8x16, u16x8, u64x2};

use super::NeonToken;
use super::masks::{raw8, raw16};
use crate::lanes::{copy_elements, rounding};
use crate::pulp_lanes::{PulpToken, TargetOps, cast};
use crate::token::Token;

// Every intrinsic below is in NEON, which the token proves.
impl<X: Copy + 'static> TargetOps for NeonToken<X>
where
    Self: Token,
{
    type Simd = pulp::aarch64::Neon;
    #[inline(always)]
    fn simd(self) -> pulp::aarch64::Neon {
        self.neon
    }

    #[inline(always)]
    unsafe fn load_n_bytes<V: Pod>(self, p: *const u8, bytes: usize, fill: V) -> V {
        let mut block: [u8; 16] = cast(fill);
        // SAFETY: the caller's contract; the block has 16 >= bytes bytes.
        unsafe { copy_elements(p, block.as_mut_ptr(), bytes) };
        cast(block)
    }
    #[inline(always)]
    unsafe fn store_n_bytes<V: Pod>(self, p: *mut u8, bytes: usize, v: V) {
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
    fn not_equal_f32s(self, a: f32x4, b: f32x4) -> m32x4 {
        pulp::Simd::not_m32s(self.neon, pulp::Simd::equal_f32s(self.neon, a, b))
    }
    #[inline(always)]
    fn not_equal_f64s(self, a: f64x2, b: f64x2) -> m64x2 {
        pulp::Simd::not_m64s(self.neon, pulp::Simd::equal_f64s(self.neon, a, b))
    }
    #[inline(always)]
    fn round_to_integral_f32s<const MODE: i32>(self, a: f32x4) -> f32x4 {
        // SAFETY: NEON.
        cast(unsafe {
            match MODE {
                rounding::FLOOR => vrndmq_f32(cast(a)),
                rounding::CEIL => vrndpq_f32(cast(a)),
                rounding::TRUNC => vrndq_f32(cast(a)),
                _ => vrndnq_f32(cast(a)),
            }
        })
    }
    #[inline(always)]
    fn round_to_integral_f64s<const MODE: i32>(self, a: f64x2) -> f64x2 {
        // SAFETY: NEON.
        cast(unsafe {
            match MODE {
                rounding::FLOOR => vrndmq_f64(cast(a)),
                rounding::CEIL => vrndpq_f64(cast(a)),
                rounding::TRUNC => vrndq_f64(cast(a)),
                _ => vrndnq_f64(cast(a)),
            }
        })
    }
    #[inline(always)]
    fn shift_to_exponent_f32s(self, a: f32x4) -> f32x4 {
        // SAFETY: NEON.
        cast(unsafe { vshlq_n_u32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn shift_to_exponent_f64s(self, a: f64x2) -> f64x2 {
        // SAFETY: NEON.
        cast(unsafe { vshlq_n_u64::<52>(cast(a)) })
    }
    #[inline(always)]
    fn shift_from_exponent_f32s(self, a: f32x4) -> f32x4 {
        // SAFETY: NEON.
        cast(unsafe { vshrq_n_u32::<23>(cast(a)) })
    }
    #[inline(always)]
    fn shift_from_exponent_f64s(self, a: f64x2) -> f64x2 {
        // SAFETY: NEON.
        cast(unsafe { vshrq_n_u64::<52>(cast(a)) })
    }
}

impl<X: Copy + 'static> PulpToken for NeonToken<X> where Self: Token {}
