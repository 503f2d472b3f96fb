//! divide of floats, and the divisions of integers: trunc_divide (which is also divide), floor_divide, remainder, fmod.
//!
//! For integers, `x / 0` and `x % 0` are 0 and are reported; `MIN / -1` wraps to `MIN`, and `MIN % -1` is 0.

use eltwise_simd::divisor::{Divisor, Invertible};
use eltwise_simd::int_div::IntDivLanes;
use eltwise_simd::lanes::Element;

use super::{BinaryOp, ByScalar, lane_functions};
use crate::abi::ZERO_DIVISION;

lane_functions! {
    /// `x / y` of floats. Integers use [`TruncDivide`].
    Divide: BinaryOp(l: BasicFloatLanes, x, y) -> V => l.div(x, y);
}

/// `floor(x / y)`
pub struct FloorDivide;
/// `trunc(x / y)`
pub struct TruncDivide;
/// `x - y * floor_divide(x, y)`: the sign of `y`.
pub struct Remainder;
/// `x - y * trunc_divide(x, y)`: the sign of `x`.
pub struct Fmod;

// A row is an operator, its result for divisors other than 0, and the compute types.
macro_rules! integer_divisions {
    ($($name:ident ($l:ident $a:ident $b:ident) $result:expr, [$($t:ty)*];)*) => {$($(
        impl<L: IntDivLanes<$t>> BinaryOp<$t, L> for $name {
            const CONDITION: u32 = ZERO_DIVISION;
            #[inline(always)]
            fn lanes($l: L, $a: L::V, $b: L::V) -> L::V {
                let zero = $l.splat(<$t>::ZERO);
                let result = $result;
                $l.select($l.eq($b, zero), zero, result)
            }
            #[inline(always)]
            fn condition(l: L, _a: L::V, b: L::V) -> L::M {
                l.eq(b, l.splat(<$t>::ZERO))
            }
        }
    )*)*};
}

integer_divisions! {
    TruncDivide(l a b) l.div_trunc(a, b), [i8 i16 i32 i64 u8 u16 u32 u64];
    FloorDivide(l a b) l.div_floor(a, b), [i8 i16 i32 i64 u8 u16 u32 u64];
    Remainder(l a b) l.sub(a, l.mul(l.div_floor(a, b), b)), [i8 i16 i32 i64 u8 u16 u32 u64];
    Fmod(l a b) l.sub(a, l.mul(l.div_trunc(a, b), b)), [i8 i16 i32 i64 u8 u16 u32 u64];
}

/// A prepared divisor for remainders.
#[derive(Clone, Copy)]
pub struct RemainderDivisor<V> {
    divisor: Divisor<V>,
    d: V,
}

// A row is a rounding: the quotient, the remainder that belongs to it, and the method of `Divisor`.
macro_rules! by_divisor {
    ($($quotient:ident $remainder:ident $rounded:ident;)*) => {$(
        impl<C: Invertible, L: IntDivLanes<C>> ByScalar<C, L> for $quotient
        where
            $quotient: BinaryOp<C, L>,
        {
            const VECTORS: usize = 4;
            type Prepared = Divisor<L::V>;
            #[inline(always)]
            fn prepare(l: L, d: C) -> Divisor<L::V> {
                Divisor::new(l, d)
            }
            #[inline(always)]
            fn by<const K: usize>(l: L, mut a: [L::V; K], divisor: &Divisor<L::V>) -> [L::V; K] {
                for a in &mut a {
                    *a = divisor.$rounded(l, *a);
                }
                a
            }
        }
        impl<C: Invertible, L: IntDivLanes<C>> ByScalar<C, L> for $remainder
        where
            $remainder: BinaryOp<C, L>,
        {
            const VECTORS: usize = 4;
            type Prepared = RemainderDivisor<L::V>;
            #[inline(always)]
            fn prepare(l: L, d: C) -> RemainderDivisor<L::V> {
                // The remainder of a division by 0 is defined as 0, like that of a division by 1.
                let d = if d == C::ZERO { C::ONE } else { d };
                RemainderDivisor { divisor: Divisor::new(l, d), d: l.splat(d) }
            }
            #[inline(always)]
            fn by<const K: usize>(l: L, mut a: [L::V; K], by: &RemainderDivisor<L::V>) -> [L::V; K] {
                for a in &mut a {
                    *a = match l.rem_by_fraction(*a, by.d, by.divisor.fraction()) {
                        Some(remainder) => remainder,
                        None => l.sub(*a, l.mul(by.divisor.$rounded(l, *a), by.d)),
                    };
                }
                a
            }
        }
    )*};
}

by_divisor! {
    TruncDivide Fmod div_trunc;
    FloorDivide Remainder div_floor;
}
