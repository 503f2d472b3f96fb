//! pow of integers, by squaring. A negative exponent is reported; 1 and -1 have their powers then, others 0.

use eltwise_simd::lanes::Element;
use eltwise_simd::quotient::QuotientLanes;
use eltwise_simd::reciprocal::Invertible;

use super::Same2;
use crate::abi::NEGATIVE_EXPONENT;

/// x^y, wrapping.
pub struct Pow;

macro_rules! pow {
    ($($t:ty, $condition:expr;)*) => {$(
        impl<L: QuotientLanes<$t>> Same2<$t, L> for Pow {
            const CONDITION: u32 = $condition;
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V) -> L::V {
                if $condition == 0 {
                    return power::<$t, L>(l, a, b);
                }
                // Of a negative exponent the parity is left.
                let (zero, one) = (l.splat(<$t>::ZERO), l.splat(<$t>::ONE));
                let below = l.lt(b, zero);
                let powers = power::<$t, L>(l, a, l.select(below, l.and(b, one), b));
                let unit = l.mask_or(l.eq(a, one), l.eq(a, l.splat(<$t>::MINUS_ONE)));
                l.select(l.mask_and(below, l.mask_not(unit)), zero, powers)
            }
            #[inline(always)]
            fn condition(l: L, _a: L::V, b: L::V) -> L::M {
                l.lt(b, l.splat(<$t>::ZERO))
            }
        }
    )*};
}

pow! {
    i8, NEGATIVE_EXPONENT; i16, NEGATIVE_EXPONENT; i32, NEGATIVE_EXPONENT; i64, NEGATIVE_EXPONENT;
    u8, 0; u16, 0; u32, 0; u64, 0;
}

/// The power, for exponents read as unsigned numbers: as many squares as the largest exponent of the vector has bits.
#[inline(always)]
fn power<C: Invertible, L: QuotientLanes<C>>(l: L, a: L::V, b: L::V) -> L::V {
    let (zero, one) = (l.splat(C::ZERO), l.splat(C::ONE));
    let (mut square, mut left, mut power) = (a, b, one);
    loop {
        power = l.select(l.eq(l.and(left, one), zero), power, l.mul(power, square));
        left = l.shift_down(left, 1);
        if !l.any(l.mask_not(l.eq(left, zero))) {
            return power;
        }
        square = l.mul(square, square);
    }
}
