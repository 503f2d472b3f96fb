//! Vector math ([`MathLanes`], [`WideLanes`]) on NEON.

use core::arch::aarch64::*;

use pulp::{f32x4, f64x2, i32x4, i64x2, m32x4, m64x2};

use super::NeonToken;
use crate::lanes::Lanes;
use crate::math::{MathLanes, WideLanes};
use crate::pulp_lanes::cast;
use crate::token::Token;

// Every intrinsic below is in NEON, which the token proves.
macro_rules! neon_math {
    ($($c:ident: $int:ident $bits:ident, vectors $v:ident $i:ident $m:ident of $lanes:literal, dup $dup:ident, add $add:ident,
       sub $sub:ident, shl $shl:ident, ushl $ushl:ident, ceq $ceq:ident, clt $clt:ident, fms $fms:ident;)*) => {$(
        impl<X: Copy + 'static> MathLanes<$c> for NeonToken<X>
        where
            Self: Token,
        {
            type Int = $int;
            type I = $i;

            #[inline(always)]
            fn to_bits(self, v: $v) -> $i {
                cast(v)
            }
            #[inline(always)]
            fn with_bits(self, i: $i) -> $v {
                cast(i)
            }
            #[inline(always)]
            fn int(self, i: $int) -> $i {
                cast([i; $lanes])
            }
            #[inline(always)]
            fn int_add(self, a: $i, b: $i) -> $i {
                // SAFETY: NEON.
                cast(unsafe { $add(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_sub(self, a: $i, b: $i) -> $i {
                // SAFETY: NEON.
                cast(unsafe { $sub(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_and(self, a: $i, b: $i) -> $i {
                // SAFETY: NEON.
                cast(unsafe { vandq_u32(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_or(self, a: $i, b: $i) -> $i {
                // SAFETY: NEON.
                cast(unsafe { vorrq_u32(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_xor(self, a: $i, b: $i) -> $i {
                // SAFETY: NEON.
                cast(unsafe { veorq_u32(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn shift_left(self, a: $i, n: u32) -> $i {
                // LLVM turns it into a shift by a constant.
                // SAFETY: NEON.
                cast(unsafe { $shl(cast(a), $dup(n as $int)) })
            }
            #[inline(always)]
            fn shift_right(self, a: $i, n: u32) -> $i {
                // A negative count shifts right. LLVM turns it into a shift by a constant.
                // SAFETY: NEON.
                cast(unsafe { $ushl(cast(a), $dup(-(n as $int))) })
            }
            #[inline(always)]
            fn int_eq(self, a: $i, b: $i) -> $m {
                // SAFETY: NEON.
                cast(unsafe { $ceq(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_lt(self, a: $i, b: $i) -> $m {
                // SAFETY: NEON.
                cast(unsafe { $clt(cast(a), cast(b)) })
            }
            #[inline(always)]
            fn int_select(self, m: $m, a: $i, b: $i) -> $i {
                cast(Lanes::<$c>::select(self, m, cast(a), cast(b)))
            }
            #[inline(always)]
            fn fnma(self, a: $v, b: $v, c: $v) -> $v {
                // SAFETY: NEON.
                cast(unsafe { $fms(cast(c), cast(a), cast(b)) })
            }
            #[inline(always)]
            fn least(self, a: $v, b: $v) -> $v {
                Lanes::<$c>::select(self, Lanes::<$c>::lt(self, a, b), a, b)
            }
            #[inline(always)]
            fn greatest(self, a: $v, b: $v) -> $v {
                Lanes::<$c>::select(self, Lanes::<$c>::lt(self, b, a), a, b)
            }
            #[inline(always)]
            fn lookup<const K: usize>(self, table: &[$c; K], index: $i) -> $v {
                neon_math!(@lookup $c $bits $lanes table index K)
            }
        }
    )*};
    // Permutes of bytes, in tables of two or four registers.
    (@lookup f32 $bits:ident $lanes:literal $table:ident $index:ident $k:ident) => {
        match $k {
            // SAFETY: NEON; the table has K entries, which are read.
            8 | 16 => cast(unsafe {
                let index = vandq_u32(cast($index), vdupq_n_u32($k as u32 - 1));
                let bytes = cast(vmlaq_n_u32(vdupq_n_u32(0x0302_0100), index, 0x0404_0404));
                let p = $table.as_ptr().cast();
                if $k == 8 { vqtbl2q_u8(vld1q_u8_x2(p), bytes) } else { vqtbl4q_u8(vld1q_u8_x4(p), bytes) }
            }),
            _ => neon_math!(@by_lane f32 $bits $lanes $table $index $k),
        }
    };
    (@lookup f64 $($rest:tt)*) => {
        neon_math!(@by_lane f64 $($rest)*)
    };
    (@by_lane $c:ident $bits:ident $lanes:literal $table:ident $index:ident $k:ident) => {{
        let index: [$bits; $lanes] = cast($index);
        let mut out = [0 as $c; $lanes];
        for lane in 0..$lanes {
            out[lane] = $table[index[lane] as usize & ($k - 1)];
        }
        cast(out)
    }};
}

neon_math! {
    f32: i32 u32, vectors f32x4 i32x4 m32x4 of 4, dup vdupq_n_s32, add vaddq_s32, sub vsubq_s32, shl vshlq_s32, ushl vshlq_u32,
        ceq vceqq_s32, clt vcltq_s32, fms vfmsq_f32;
    f64: i64 u64, vectors f64x2 i64x2 m64x2 of 2, dup vdupq_n_s64, add vaddq_s64, sub vsubq_s64, shl vshlq_s64, ushl vshlq_u64,
        ceq vceqq_s64, clt vcltq_s64, fms vfmsq_f64;
}

impl<X: Copy + 'static> WideLanes for NeonToken<X>
where
    Self: Token,
{
    #[inline(always)]
    fn widen(self, v: f32x4) -> [f64x2; 2] {
        let v: float32x4_t = cast(v);
        // SAFETY: NEON.
        unsafe { [cast(vcvt_f64_f32(vget_low_f32(v))), cast(vcvt_high_f64_f32(v))] }
    }
    #[inline(always)]
    fn narrow(self, v: [f64x2; 2]) -> f32x4 {
        // SAFETY: NEON.
        cast(unsafe { vcvt_high_f32_f64(vcvt_f32_f64(cast(v[0])), cast(v[1])) })
    }
}
