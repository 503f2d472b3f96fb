//! pow of integers, by repeated squaring.

use eltwise_simd::divisor::Invertible;
use eltwise_simd::int_div::IntDivLanes;
use eltwise_simd::lanes::Element;

use super::BinaryOp;
use crate::abi::NEGATIVE_EXPONENT;

/// `x^y`, wrapping. A negative exponent is reported; the result is then the exact power of 1 and -1, and 0 for other
/// `x`.
pub struct Pow;

macro_rules! pow {
    ($($t:ty, $condition:expr;)*) => {$(
        impl<L: IntDivLanes<$t>> BinaryOp<$t, L> for Pow {
            const CONDITION: u32 = $condition;
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V) -> L::V {
                if $condition == 0 {
                    return power::<$t, L>(l, a, b);
                }
                // The powers of 1 and -1 depend on the parity of the exponent only.
                let (zero, one) = (l.splat(<$t>::ZERO), l.splat(<$t>::ONE));
                let negative = l.lt(b, zero);
                let powers = power::<$t, L>(l, a, l.select(negative, l.and(b, one), b));
                let unit = l.mask_or(l.eq(a, one), l.eq(a, l.splat(<$t>::MINUS_ONE)));
                l.select(l.mask_and(negative, l.mask_not(unit)), zero, powers)
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

/// `a^b` for exponents read as unsigned integers. It squares once per bit of the largest exponent in the vector.
#[inline(always)]
fn power<C: Invertible, L: IntDivLanes<C>>(l: L, a: L::V, b: L::V) -> L::V {
    let (zero, one) = (l.splat(C::ZERO), l.splat(C::ONE));
    let (mut square, mut exponent, mut power) = (a, b, one);
    loop {
        power = l.select(l.eq(l.and(exponent, one), zero), power, l.mul(power, square));
        exponent = l.shift_right_logical(exponent, 1);
        if !l.any(l.mask_not(l.eq(exponent, zero))) {
            return power;
        }
        square = l.mul(square, square);
    }
}
