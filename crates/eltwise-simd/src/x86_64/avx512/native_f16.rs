//! [`NativeF16Lanes`] of AVX-512 FP16, as `asm!`: the compiler floor has no stable intrinsics.
//!
//! Only CPUs with AVX-512 FP16 can run this code; no emulator does. The ISA is only offered after its instructions
//! passed a test ([`native_f16::matches_f32`](crate::native_f16)).

use core::arch::asm;
use core::arch::x86_64::*;

use pulp::{b32, u16x32};

use super::Avx512Fp16;
use super::lanes::SIGN_AND_REST_OR;
use crate::native_f16::NativeF16Lanes;
use crate::pulp_lanes::cast;

// One row per instruction: its operands in the order of Intel's manual, and an immediate.
macro_rules! instructions {
    ($($name:ident $mnemonic:literal $($operand:ident)* $([$immediate:ident])?;)*) => {$(
        #[inline]
        #[target_feature(enable = "avx512f")]
        fn $name$(<const $immediate: i32>)?($($operand: __m512i),*) -> __m512i {
            let result: __m512i;
            // SAFETY: the callers' token proves AVX-512 FP16; the instruction reads and writes these registers and
            // reads the modes of MXCSR. Its exceptions are masked.
            unsafe {
                asm!(concat!($mnemonic, " {result}" $(, ", {", stringify!($operand), "}")*
                    $(, ", {", stringify!($immediate), "}")?),
                    result = lateout(zmm_reg) result, $($operand = in(zmm_reg) $operand,)*
                    $($immediate = const $immediate,)?
                    options(pure, nomem, nostack, preserves_flags));
            }
            result
        }
    )*};
}

instructions! {
    add "vaddph" a b;
    sub "vsubph" a b;
    mul "vmulph" a b;
    div "vdivph" a b;
    sqrt "vsqrtph" a;
    second_or_larger "vmaxph" a b;
    second_or_smaller "vminph" a b;
    integral "vrndscaleph" a [MODE];
}

/// # Safety
/// AVX-512 FP16.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
unsafe fn compare<const PREDICATE: i32>(a: __m512i, b: __m512i) -> b32 {
    let mask: u32;
    // SAFETY: the caller's contract; see above.
    unsafe {
        asm!("vcmpph {mask}, {a}, {b}, {predicate}",
            mask = lateout(kreg) mask, a = in(zmm_reg) a, b = in(zmm_reg) b, predicate = const PREDICATE,
            options(pure, nomem, nostack, preserves_flags));
    }
    b32(mask)
}

// The token proves AVX-512 FP16, which includes AVX-512 F and BW.
impl NativeF16Lanes for Avx512Fp16 {
    // They take 1.5 to 1.6 times as long on Sapphire Rapids.
    const FAST_QUOTIENTS: bool = false;

    #[inline(always)]
    fn add_f16s(self, a: u16x32, b: u16x32) -> u16x32 {
        // SAFETY: AVX-512 FP16.
        cast(unsafe { add(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn sub_f16s(self, a: u16x32, b: u16x32) -> u16x32 {
        // SAFETY: AVX-512 FP16.
        cast(unsafe { sub(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn mul_f16s(self, a: u16x32, b: u16x32) -> u16x32 {
        // SAFETY: AVX-512 FP16.
        cast(unsafe { mul(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn div_f16s(self, a: u16x32, b: u16x32) -> u16x32 {
        // SAFETY: AVX-512 FP16.
        cast(unsafe { div(cast(a), cast(b)) })
    }
    #[inline(always)]
    fn sqrt_f16s(self, a: u16x32) -> u16x32 {
        // SAFETY: AVX-512 FP16.
        cast(unsafe { sqrt(cast(a)) })
    }
    #[inline(always)]
    fn maximum_f16s(self, a: u16x32, b: u16x32) -> u16x32 {
        let (a, b): (__m512i, __m512i) = (cast(a), cast(b));
        // Both operand orders, as for f32: see `maximum_f32s`.
        // SAFETY: AVX-512 FP16.
        unsafe {
            let (x, y) = (second_or_larger(a, b), second_or_larger(b, a));
            cast(_mm512_ternarylogic_epi32::<SIGN_AND_REST_OR>(x, y, _mm512_set1_epi16(i16::MIN)))
        }
    }
    #[inline(always)]
    fn minimum_f16s(self, a: u16x32, b: u16x32) -> u16x32 {
        let (a, b): (__m512i, __m512i) = (cast(a), cast(b));
        // Both operand orders, as for f32: see `minimum_f32s`.
        // SAFETY: AVX-512 FP16.
        cast(unsafe { _mm512_or_si512(second_or_smaller(a, b), second_or_smaller(b, a)) })
    }
    #[inline(always)]
    fn equal_f16s(self, a: u16x32, b: u16x32) -> b32 {
        // SAFETY: AVX-512 FP16.
        unsafe { compare::<_CMP_EQ_OQ>(cast(a), cast(b)) }
    }
    #[inline(always)]
    fn less_f16s(self, a: u16x32, b: u16x32) -> b32 {
        // SAFETY: AVX-512 FP16.
        unsafe { compare::<_CMP_LT_OQ>(cast(a), cast(b)) }
    }
    #[inline(always)]
    fn less_equal_f16s(self, a: u16x32, b: u16x32) -> b32 {
        // SAFETY: AVX-512 FP16.
        unsafe { compare::<_CMP_LE_OQ>(cast(a), cast(b)) }
    }
    #[inline(always)]
    fn round_to_integral_f16s<const MODE: i32>(self, a: u16x32) -> u16x32 {
        // With zero fraction bits kept, the modes are the modes of `roundps`.
        // SAFETY: AVX-512 FP16.
        cast(unsafe { integral::<MODE>(cast(a)) })
    }
}
