//! [`BasicFloatLanes`] and [`FloatLanes`], from `pulp`'s methods and [`TargetOps`](super::TargetOps).

use pulp::Simd;

use super::{PulpToken, cast};
use crate::lanes::{BasicFloatLanes, FloatLanes, Lanes};

macro_rules! pulp_floats {
    ($($c:ident: $div:ident $sqrt:ident $alone:ident $fma:ident $integral:ident $up:ident $down:ident, $bits:ident $splat:ident $and:ident $or:ident $xor:ident;)*) => {$(
        impl<T: PulpToken> BasicFloatLanes<$c> for T {
            #[inline(always)]
            fn div(self, a: Self::V, b: Self::V) -> Self::V {
                self.simd().$div(a, b)
            }
            #[inline(always)]
            fn sqrt(self, a: Self::V) -> Self::V {
                self.simd().$sqrt(a)
            }
            #[inline(always)]
            fn sqrt_alone(self, a: Self::V) -> Self::V {
                self.$alone(a)
            }
            #[inline(always)]
            fn copysign(self, a: Self::V, b: Self::V) -> Self::V {
                // `a`, with the sign inverted in lanes where the signs differ.
                let (sign, a) = (self.simd().$splat(1 << ($bits::BITS - 1)), cast(a));
                cast(self.simd().$xor(a, self.simd().$and(sign, self.simd().$xor(a, cast(b)))))
            }
            #[inline(always)]
            fn round_to_integral<const MODE: i32>(self, a: Self::V) -> Self::V {
                self.$integral::<MODE>(a)
            }
        }

        impl<T: PulpToken> FloatLanes<$c> for T {
            #[inline(always)]
            fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
                self.simd().$fma(a, b, c)
            }
            #[inline(always)]
            fn power_of_two(self, n: Self::V) -> Self::V {
                // Adding n + bias to a number whose last bit has the value 1 puts the integer into the lowest bits.
                let ones = (3u64 << (<$c>::MANTISSA_DIGITS - 2)) as $c;
                let ones = Lanes::<$c>::splat(self, ones + (<$c>::MAX_EXP - 1) as $c);
                self.$up(Lanes::<$c>::add(self, n, ones))
            }
            #[inline(always)]
            fn exponent_field(self, a: Self::V) -> Self::V {
                let ones = Lanes::<$c>::splat(self, (1u64 << (<$c>::MANTISSA_DIGITS - 1)) as $c);
                Lanes::<$c>::sub(self, cast(self.simd().$or(cast(self.$down(a)), cast(ones))), ones)
            }
        }
    )*};
}

pulp_floats! {
    f32: div_f32s sqrt_f32s sqrt_alone_f32s mul_add_f32s round_to_integral_f32s shift_to_exponent_f32s shift_from_exponent_f32s, u32 splat_u32s and_u32s or_u32s xor_u32s;
    f64: div_f64s sqrt_f64s sqrt_alone_f64s mul_add_f64s round_to_integral_f64s shift_to_exponent_f64s shift_from_exponent_f64s, u64 splat_u64s and_u64s or_u64s xor_u64s;
}
