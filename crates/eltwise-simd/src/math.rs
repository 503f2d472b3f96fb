//! What vector math needs beyond [`FloatLanes`]: bits as integers, exact scaling, table lookups, widening.
//!
//! Every operation is exact, or one correctly rounded IEEE operation: a function made of these has the same bits on every
//! level.

use crate::lanes::{Element, FloatLanes, Lanes};
use crate::scalar::{OneLane, Scalar};

/// Vectors of floats whose bits are also integers of the same width.
pub trait MathLanes<C: Element>: FloatLanes<C> {
    /// The integer of a lane: `i32` for `f32`, `i64` for `f64`.
    type Int: Copy;
    /// A vector of them, as many as floats.
    type I: Copy;

    /// The bits.
    fn to_bits(self, v: Self::V) -> Self::I;
    /// The floats with these bits.
    fn with_bits(self, i: Self::I) -> Self::V;
    /// `i` in every lane.
    fn int(self, i: Self::Int) -> Self::I;
    /// `a + b`, wrapping.
    fn int_add(self, a: Self::I, b: Self::I) -> Self::I;
    /// `a - b`, wrapping.
    fn int_sub(self, a: Self::I, b: Self::I) -> Self::I;
    /// Bits set in both.
    fn int_and(self, a: Self::I, b: Self::I) -> Self::I;
    /// Bits set in one or both.
    fn int_or(self, a: Self::I, b: Self::I) -> Self::I;
    /// Bits set in exactly one.
    fn int_xor(self, a: Self::I, b: Self::I) -> Self::I;
    /// The bits `n` places higher; `n` is less than the width and known when this is compiled.
    fn shift_left(self, a: Self::I, n: u32) -> Self::I;
    /// The bits `n` places lower, zeros above; `n` is less than the width and known when this is compiled.
    fn shift_right(self, a: Self::I, n: u32) -> Self::I;
    /// `a == b`
    fn int_eq(self, a: Self::I, b: Self::I) -> Self::M;
    /// `a < b`, signed.
    fn int_lt(self, a: Self::I, b: Self::I) -> Self::M;
    /// `a` where the mask is set, else `b`.
    fn int_select(self, m: Self::M, a: Self::I, b: Self::I) -> Self::I;

    /// `c - a * b`, rounded once.
    fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a < b ? a : b`: `b` where one is NaN or both are zeros.
    fn least(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a > b ? a : b`: `b` where one is NaN or both are zeros.
    fn greatest(self, a: Self::V, b: Self::V) -> Self::V;
    /// `v`, or `by` where it is NaN.
    #[inline(always)]
    fn replace_nan(self, v: Self::V, by: Self::V) -> Self::V {
        self.select(self.ne(v, v), by, v)
    }
    /// Whether [`MathLanes::scale`] and [`MathLanes::scale_floor`] take any `n`: the result is NaN where that is, infinite where it is
    /// infinite even if `v` is NaN, and else zero or infinite beyond the exponents.
    const SCALES_ALL: bool = false;
    /// `v * 2^n`, rounded once, for integers `n` of which half may be an exponent of `C`, and `v * 2^(n / 2)` is a normal
    /// number: for `v` between 1/4 and 4, that is `|n| <= 250` for `f32` and 2000 for `f64`. `ones` is a number whose last bit
    /// counts ones, and whose lowest bits are twice the bias of `C`.
    #[inline(always)]
    fn scale(self, v: Self::V, n: Self::V, ones: Self::V) -> Self::V {
        // Two exponent fields that add up to n and twice the bias.
        let mantissa = if size_of::<C>() == 4 { 23 } else { 52 };
        let both = self.to_bits(self.add(n, ones));
        let first = self.shift_left(self.shift_right(both, 1), mantissa);
        let second = self.int_sub(self.shift_left(both, mantissa), first);
        self.mul(self.mul(v, self.with_bits(first)), self.with_bits(second))
    }
    /// `v * 2^floor(n)`, rounded once, as [`MathLanes::scale`], for numbers `n` of three bits behind the point; +0 where `dead` is set.
    /// `ones` is a number whose last bit counts eighths, and whose lowest bits are 16 times the bias of `C`.
    #[inline(always)]
    fn scale_floor(self, dead: Self::M, v: Self::V, n: Self::V, ones: Self::V) -> Self::V {
        let mantissa = if size_of::<C>() == 4 { 23 } else { 52 };
        let both = self.to_bits(self.add(n, ones));
        let first = self.shift_left(self.shift_right(both, 4), mantissa);
        let second = self.int_sub(self.shift_left(self.shift_right(both, 3), mantissa), first);
        self.select(dead, self.splat(C::ZERO), self.mul(self.mul(v, self.with_bits(first)), self.with_bits(second)))
    }
    /// The entries of a table of `K` (a power of two) at the lower bits of the indices.
    fn lookup<const K: usize>(self, table: &[C; K], at: Self::I) -> Self::V;
    /// Of each of `N` tables the entries at the lower four bits of the indices. `columns` are the same tables, an entry of each
    /// together: where lanes are loaded one by one, they come from there.
    #[inline(always)]
    fn lookup_all<const N: usize>(self, tables: &[[C; 16]; N], columns: &[[C; N]; 16], at: Self::I) -> [Self::V; N] {
        let _ = columns;
        let mut found = [self.splat(C::ZERO); N];
        let mut k = 0;
        while k < N {
            found[k] = self.lookup(&tables[k], at);
            k += 1;
        }
        found
    }
}

/// Vectors of `f32` as two of `f64`: the lower half of the lanes first.
pub trait WideLanes: MathLanes<f32, Int = i32> + MathLanes<f64, Int = i64> {
    /// The same values.
    fn widen(self, v: <Self as Lanes<f32>>::V) -> [<Self as Lanes<f64>>::V; 2];
    /// Rounded to the nearest, ties to even.
    fn narrow(self, v: [<Self as Lanes<f64>>::V; 2]) -> <Self as Lanes<f32>>::V;
    /// `e` with `2^e <= v < 2^(e + 1)` for positive normal numbers; any number for others.
    #[inline(always)]
    fn exponent(self, v: <Self as Lanes<f32>>::V) -> <Self as Lanes<f32>>::V {
        let one = (1 << 23) as f32;
        let upper = MathLanes::<f32>::shift_right(self, MathLanes::<f32>::to_bits(self, v), 23);
        let joined = MathLanes::<f32>::int_or(self, upper, MathLanes::<f32>::int(self, one.to_bits() as i32));
        Lanes::<f32>::sub(self, MathLanes::<f32>::with_bits(self, joined), Lanes::<f32>::splat(self, one + 127.0))
    }
    /// Whether a lane is not a positive normal number: a zero, subnormal, negative, infinite, NaN.
    #[inline(always)]
    fn irregular(self, v: <Self as Lanes<f32>>::V) -> <Self as Lanes<f32>>::M {
        // One signed comparison for bits below those of the smallest normal number or above those of the largest: 2^31 is added.
        let bits = MathLanes::<f32>::to_bits(self, v);
        let moved = MathLanes::<f32>::int_add(self, bits, MathLanes::<f32>::int(self, 0x7f80_0000));
        let most = MathLanes::<f32>::int(self, 0x7f00_0000 - i32::MAX - 2);
        MathLanes::<f32>::int_lt(self, most, moved)
    }
    /// The upper halves of integers of 32 bits, one place lower, and zeros below.
    #[inline(always)]
    fn half_of_upper(self, i: <Self as MathLanes<f32>>::I) -> <Self as MathLanes<f32>>::I {
        let mask = MathLanes::<f32>::int(self, -1 << 16);
        MathLanes::<f32>::int_and(self, MathLanes::<f32>::shift_right(self, i, 1), mask)
    }
    /// What [`WideLanes::whole`] makes of 2^52.
    const WHOLE: f64 = 1.0;
    /// The values of integers that are multiples of 2^52, times `WHOLE` 2^-52: exact.
    #[inline(always)]
    fn whole(self, i: <Self as MathLanes<f64>>::I) -> <Self as Lanes<f64>>::V {
        let one = (1u64 << 52) as f64;
        let upper = MathLanes::<f64>::int_xor(self, i, MathLanes::<f64>::int(self, i64::MIN));
        let upper = MathLanes::<f64>::shift_right(self, upper, 52);
        let joined = MathLanes::<f64>::int_or(self, upper, MathLanes::<f64>::int(self, one.to_bits() as i64));
        Lanes::<f64>::sub(self, MathLanes::<f64>::with_bits(self, joined), Lanes::<f64>::splat(self, one + 2048.0))
    }
}

/// An element for each lane. (`core::array::from_fn` is left to the compiler to inline.)
#[inline(always)]
fn each<T: Copy + Default, const N: usize>(lane: impl Fn(usize) -> T) -> [T; N] {
    let mut lanes = [T::default(); N];
    let mut k = 0;
    while k < N {
        lanes[k] = lane(k);
        k += 1;
    }
    lanes
}

macro_rules! scalar_math {
    ($($token:ident $c:ident $n:literal $int:ident $bits:ident;)*) => {$(
        impl MathLanes<$c> for $token {
            type Int = $int;
            type I = [$int; $n];

            #[inline(always)]
            fn to_bits(self, v: Self::V) -> Self::I {
                bytemuck::cast(v)
            }
            #[inline(always)]
            fn with_bits(self, i: Self::I) -> Self::V {
                bytemuck::cast(i)
            }
            #[inline(always)]
            fn int(self, i: $int) -> Self::I {
                [i; $n]
            }
            #[inline(always)]
            fn int_add(self, a: Self::I, b: Self::I) -> Self::I {
                each(|k| a[k].wrapping_add(b[k]))
            }
            #[inline(always)]
            fn int_sub(self, a: Self::I, b: Self::I) -> Self::I {
                each(|k| a[k].wrapping_sub(b[k]))
            }
            #[inline(always)]
            fn int_and(self, a: Self::I, b: Self::I) -> Self::I {
                each(|k| a[k] & b[k])
            }
            #[inline(always)]
            fn int_or(self, a: Self::I, b: Self::I) -> Self::I {
                each(|k| a[k] | b[k])
            }
            #[inline(always)]
            fn int_xor(self, a: Self::I, b: Self::I) -> Self::I {
                each(|k| a[k] ^ b[k])
            }
            #[inline(always)]
            fn shift_left(self, a: Self::I, n: u32) -> Self::I {
                each(|k| a[k] << n)
            }
            #[inline(always)]
            fn shift_right(self, a: Self::I, n: u32) -> Self::I {
                each(|k| ((a[k] as $bits) >> n) as $int)
            }
            #[inline(always)]
            fn int_eq(self, a: Self::I, b: Self::I) -> Self::M {
                each(|k| a[k] == b[k])
            }
            #[inline(always)]
            fn int_lt(self, a: Self::I, b: Self::I) -> Self::M {
                each(|k| a[k] < b[k])
            }
            #[inline(always)]
            fn int_select(self, m: Self::M, a: Self::I, b: Self::I) -> Self::I {
                each(|k| if m[k] { a[k] } else { b[k] })
            }
            #[inline(always)]
            fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
                FloatLanes::<$c>::fma(self, Lanes::<$c>::neg(self, a), b, c)
            }
            #[inline(always)]
            fn least(self, a: Self::V, b: Self::V) -> Self::V {
                each(|k| if a[k] < b[k] { a[k] } else { b[k] })
            }
            #[inline(always)]
            fn greatest(self, a: Self::V, b: Self::V) -> Self::V {
                each(|k| if a[k] > b[k] { a[k] } else { b[k] })
            }
            #[inline(always)]
            fn lookup<const K: usize>(self, table: &[$c; K], at: Self::I) -> Self::V {
                each(|k| table[at[k] as usize & (K - 1)])
            }
        }
    )*};
}

scalar_math! {
    Scalar f32 4 i32 u32;
    Scalar f64 2 i64 u64;
    OneLane f32 1 i32 u32;
    OneLane f64 1 i64 u64;
}

impl WideLanes for Scalar {
    #[inline(always)]
    fn widen(self, v: [f32; 4]) -> [[f64; 2]; 2] {
        [[v[0].into(), v[1].into()], [v[2].into(), v[3].into()]]
    }
    #[inline(always)]
    fn narrow(self, v: [[f64; 2]; 2]) -> [f32; 4] {
        [v[0][0] as f32, v[0][1] as f32, v[1][0] as f32, v[1][1] as f32]
    }
}

impl WideLanes for OneLane {
    /// The one lane twice: what is computed of the second, the compiler finds to be what was computed of the first.
    #[inline(always)]
    fn widen(self, [v]: [f32; 1]) -> [[f64; 1]; 2] {
        [[v.into()], [v.into()]]
    }
    #[inline(always)]
    fn narrow(self, [[v], _]: [[f64; 1]; 2]) -> [f32; 1] {
        [v as f32]
    }
}

/// Which token a level has for long functions of floats.
pub trait LongLanes: WideLanes {
    /// The level's own, or one with fewer lanes.
    type Long: WideLanes;
}

impl LongLanes for Scalar {
    type Long = OneLane;
}

macro_rules! own {
    ($($token:path)*) => {$(
        impl LongLanes for $token {
            type Long = $token;
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
own!(crate::x86_64::Avx2 crate::x86_64::Avx512 crate::x86_64::Avx512Fp16);
#[cfg(target_arch = "aarch64")]
own!(crate::aarch64::Neon crate::aarch64::NeonFp16);
