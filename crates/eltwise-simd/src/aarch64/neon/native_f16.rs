//! [`NativeF16Lanes`] of NEON, as `asm!`: the compiler floor has no stable intrinsics.

use core::arch::aarch64::uint16x8_t;
use core::arch::asm;

use pulp::{m16x8, u16x8};

use super::NeonFp16;
use crate::lanes::rounding;
use crate::native_f16::NativeF16Lanes;
use crate::pulp_lanes::cast;

// One row per instruction, with one operand or two.
macro_rules! instructions {
    ($($name:ident $mnemonic:literal $($operand:ident)*;)*) => {$(
        #[inline]
        #[target_feature(enable = "neon,fp16")]
        fn $name($($operand: uint16x8_t),*) -> uint16x8_t {
            let result: uint16x8_t;
            // SAFETY: the function has the feature; the instruction reads and writes these registers, and reads FPCR.
            unsafe {
                asm!(concat!($mnemonic, " {result:v}.8h" $(, ", {", stringify!($operand), ":v}.8h")*),
                    result = lateout(vreg) result, $($operand = in(vreg) $operand,)*
                    options(pure, nomem, nostack, preserves_flags));
            }
            result
        }
    )*};
}

instructions! {
    add "fadd" a b;
    sub "fsub" a b;
    mul "fmul" a b;
    div "fdiv" a b;
    sqrt "fsqrt" a;
    maximum "fmax" a b;
    minimum "fmin" a b;
    equal "fcmeq" a b;
    greater "fcmgt" a b;
    greater_equal "fcmge" a b;
    nearest "frintn" a;
    floor "frintm" a;
    ceil "frintp" a;
    trunc "frintz" a;
}

// The token proves half-precision arithmetic.
impl NativeF16Lanes for NeonFp16 {
    const FAST_QUOTIENTS: bool = true;

    #[inline(always)]
    fn add_f16s(self, a: u16x8, b: u16x8) -> u16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe { add(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn sub_f16s(self, a: u16x8, b: u16x8) -> u16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe { sub(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn mul_f16s(self, a: u16x8, b: u16x8) -> u16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe { mul(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn div_f16s(self, a: u16x8, b: u16x8) -> u16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe { div(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn sqrt_f16s(self, a: u16x8) -> u16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe { sqrt(cast(a)) })
    }
    // FMAX and FMIN are IEEE 754-2019 maximum and minimum: NaN propagates, -0 < +0.
    #[inline(always)]
    fn maximum_f16s(self, a: u16x8, b: u16x8) -> u16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe { maximum(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn minimum_f16s(self, a: u16x8, b: u16x8) -> u16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe { minimum(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn equal_f16s(self, a: u16x8, b: u16x8) -> m16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe { equal(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn less_f16s(self, a: u16x8, b: u16x8) -> m16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe { greater(cast(b), cast(a)) })
    }
    #[inline(always)]
    fn less_equal_f16s(self, a: u16x8, b: u16x8) -> m16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe { greater_equal(cast(b), cast(a)) })
    }
    #[inline(always)]
    fn round_to_integral_f16s<const MODE: i32>(self, a: u16x8) -> u16x8 {
        // SAFETY: half-precision arithmetic.
        cast(unsafe {
            match MODE {
                rounding::FLOOR => floor(cast(a)),
                rounding::CEIL => ceil(cast(a)),
                rounding::TRUNC => trunc(cast(a)),
                _ => nearest(cast(a)),
            }
        })
    }
}
