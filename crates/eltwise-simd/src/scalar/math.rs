//! Vector math ([`MathLanes`], [`WideLanes`]) for the portable tokens, lane by lane.

use super::{OneLane, Scalar};
use crate::lanes::{FloatLanes, Lanes};
use crate::math::{HasMathToken, MathLanes, WideLanes};

/// Computes each lane. (`core::array::from_fn` is not always inlined.)
#[inline(always)]
fn per_lane<T: Copy + Default, const N: usize>(lane: impl Fn(usize) -> T) -> [T; N] {
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
                per_lane(|k| a[k].wrapping_add(b[k]))
            }
            #[inline(always)]
            fn int_sub(self, a: Self::I, b: Self::I) -> Self::I {
                per_lane(|k| a[k].wrapping_sub(b[k]))
            }
            #[inline(always)]
            fn int_and(self, a: Self::I, b: Self::I) -> Self::I {
                per_lane(|k| a[k] & b[k])
            }
            #[inline(always)]
            fn int_or(self, a: Self::I, b: Self::I) -> Self::I {
                per_lane(|k| a[k] | b[k])
            }
            #[inline(always)]
            fn int_xor(self, a: Self::I, b: Self::I) -> Self::I {
                per_lane(|k| a[k] ^ b[k])
            }
            #[inline(always)]
            fn shift_left(self, a: Self::I, n: u32) -> Self::I {
                per_lane(|k| a[k] << n)
            }
            #[inline(always)]
            fn shift_right(self, a: Self::I, n: u32) -> Self::I {
                per_lane(|k| ((a[k] as $bits) >> n) as $int)
            }
            #[inline(always)]
            fn int_eq(self, a: Self::I, b: Self::I) -> Self::M {
                per_lane(|k| a[k] == b[k])
            }
            #[inline(always)]
            fn int_lt(self, a: Self::I, b: Self::I) -> Self::M {
                per_lane(|k| a[k] < b[k])
            }
            #[inline(always)]
            fn int_select(self, m: Self::M, a: Self::I, b: Self::I) -> Self::I {
                per_lane(|k| if m[k] { a[k] } else { b[k] })
            }
            #[inline(always)]
            fn fnma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
                FloatLanes::<$c>::fma(self, Lanes::<$c>::neg(self, a), b, c)
            }
            #[inline(always)]
            fn least(self, a: Self::V, b: Self::V) -> Self::V {
                per_lane(|k| if a[k] < b[k] { a[k] } else { b[k] })
            }
            #[inline(always)]
            fn greatest(self, a: Self::V, b: Self::V) -> Self::V {
                per_lane(|k| if a[k] > b[k] { a[k] } else { b[k] })
            }
            #[inline(always)]
            fn lookup<const K: usize>(self, table: &[$c; K], index: Self::I) -> Self::V {
                per_lane(|k| table[index[k] as usize & (K - 1)])
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
    /// Returns the lane twice; the compiler merges the two computations.
    #[inline(always)]
    fn widen(self, [v]: [f32; 1]) -> [[f64; 1]; 2] {
        [[v.into()], [v.into()]]
    }
    #[inline(always)]
    fn narrow(self, [[v], _]: [[f64; 1]; 2]) -> [f32; 1] {
        [v as f32]
    }
}

impl HasMathToken for Scalar {
    type MathToken = OneLane;
}
