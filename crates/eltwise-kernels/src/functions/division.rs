//! divide, and the divisions of integers. x / 0 and x % 0 are 0 and reported, MIN / -1 wraps to MIN, MIN % -1 is 0.

use eltwise_simd::lanes::{BasicFloatLanes, Element, Lanes};
use eltwise_simd::quotient::QuotientLanes;
use eltwise_simd::reciprocal::{Divisor, Invertible};
use half::f16;

use super::Same2;
use crate::abi::ZERO_DIVISION;

/// x / y of floats; integers have [`TruncDivide`].
pub struct Divide;
/// The floor of x / y.
pub struct FloorDivide;
/// x / y toward zero.
pub struct TruncDivide;
/// x - y * floor_divide(x, y): the sign of y.
pub struct Remainder;
/// x - y * trunc_divide(x, y): the sign of x.
pub struct Fmod;

macro_rules! divide_floats {
    ($($t:ty)*) => {$(
        impl<L: BasicFloatLanes<$t>> Same2<$t, L> for Divide {
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V) -> L::V {
                l.div(a, b)
            }
        }
    )*};
}

divide_floats!(f16 f32 f64);

// One row an operator: its result where the divisor is not 0.
macro_rules! integer_divisions {
    ($($name:ident ($l:ident $a:ident $b:ident) $result:expr, [$($t:ty)*];)*) => {$($(
        impl<L: QuotientLanes<$t>> Same2<$t, L> for $name {
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
    TruncDivide(l a b) l.quotient_toward_zero(a, b), [i8 i16 i32 i64 u8 u16 u32 u64];
    FloorDivide(l a b) l.quotient_down(a, b), [i8 i16 i32 i64 u8 u16 u32 u64];
    Remainder(l a b) l.sub(a, l.mul(l.quotient_down(a, b), b)), [i8 i16 i32 i64 u8 u16 u32 u64];
    Fmod(l a b) l.sub(a, l.mul(l.quotient_toward_zero(a, b), b)), [i8 i16 i32 i64 u8 u16 u32 u64];
}

/// A division of many vectors by one divisor: the same results as lane by lane.
pub trait ByDivisor<C: Element, L: Lanes<C>>: Same2<C, L> {
    /// What is known of the divisor.
    type Prepared: Copy;
    /// Prepares a divisor.
    fn prepare(l: L, d: C) -> Self::Prepared;
    /// On vectors.
    fn by(l: L, a: L::V, prepared: &Self::Prepared) -> L::V;
}

/// A divisor whose remainders are asked for.
#[derive(Clone, Copy)]
pub struct Remaining<V> {
    divisor: Divisor<V>,
    d: V,
}

// One row a rounding: the quotient, and the remainder that belongs to it.
macro_rules! by_divisor {
    ($($quotient:ident $remainder:ident $rounded:ident;)*) => {$(
        impl<C: Invertible, L: QuotientLanes<C>> ByDivisor<C, L> for $quotient
        where
            $quotient: Same2<C, L>,
        {
            type Prepared = Divisor<L::V>;
            #[inline(always)]
            fn prepare(l: L, d: C) -> Divisor<L::V> {
                Divisor::new(l, d)
            }
            #[inline(always)]
            fn by(l: L, a: L::V, divisor: &Divisor<L::V>) -> L::V {
                divisor.$rounded(l, a)
            }
        }
        impl<C: Invertible, L: QuotientLanes<C>> ByDivisor<C, L> for $remainder
        where
            $remainder: Same2<C, L>,
        {
            type Prepared = Remaining<L::V>;
            #[inline(always)]
            fn prepare(l: L, d: C) -> Remaining<L::V> {
                // Of a division by 1, as by 0, 0 is left.
                let d = if d == C::ZERO { C::ONE } else { d };
                Remaining { divisor: Divisor::new(l, d), d: l.splat(d) }
            }
            #[inline(always)]
            fn by(l: L, a: L::V, by: &Remaining<L::V>) -> L::V {
                match l.remainder_by(a, by.d, by.divisor.fraction()) {
                    Some(remainder) => remainder,
                    None => l.sub(a, l.mul(by.divisor.$rounded(l, a), by.d)),
                }
            }
        }
    )*};
}

by_divisor! {
    TruncDivide Fmod toward_zero;
    FloorDivide Remainder down;
}
