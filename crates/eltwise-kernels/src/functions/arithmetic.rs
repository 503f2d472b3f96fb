//! add, subtract, multiply, maximum, minimum, fmax, fmin, squared_difference, abs_difference, negative, abs, sign,
//! square, reciprocal, sqrt, clamp, fma, lerp. `positive`, and `fmax` and `fmin` of integers, have the functions of other
//! operators (see the table).

use eltwise_simd::HalfLanes;
use eltwise_simd::lanes::{BasicFloatLanes, Element, FloatLanes, Lanes};

use super::{Same1, Same2, Same3};

/// x + y
pub struct Add;
impl<C: Element, L: Lanes<C>> Same2<C, L> for Add {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.add(a, b)
    }
}

/// x - y
pub struct Subtract;
impl<C: Element, L: Lanes<C>> Same2<C, L> for Subtract {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.sub(a, b)
    }
}

/// x + y of `f16`, converted.
pub struct AddConverted;
impl<L: HalfLanes> Same2<f32, L> for AddConverted {
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.add_converted(a, b)
    }
}

/// x - y of `f16`, converted.
pub struct SubtractConverted;
impl<L: HalfLanes> Same2<f32, L> for SubtractConverted {
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.sub_converted(a, b)
    }
}

/// x * y
pub struct Multiply;
impl<C: Element, L: Lanes<C>> Same2<C, L> for Multiply {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.mul(a, b)
    }
}

/// IEEE 754-2019 maximum.
pub struct Maximum;
impl<C: Element, L: Lanes<C>> Same2<C, L> for Maximum {
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.maximum(a, b)
    }
}

/// IEEE 754-2019 minimum.
pub struct Minimum;
impl<C: Element, L: Lanes<C>> Same2<C, L> for Minimum {
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.minimum(a, b)
    }
}

/// IEEE 754-2019 maximumNumber.
pub struct Fmax;
impl<C: Element, L: BasicFloatLanes<C>> Same2<C, L> for Fmax {
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.select(l.eq(a, a), l.select(l.eq(b, b), l.maximum(a, b), a), b)
    }
}

/// IEEE 754-2019 minimumNumber.
pub struct Fmin;
impl<C: Element, L: BasicFloatLanes<C>> Same2<C, L> for Fmin {
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.select(l.eq(a, a), l.select(l.eq(b, b), l.minimum(a, b), a), b)
    }
}

/// (x - y) * (x - y)
pub struct SquaredDifference;
impl<C: Element, L: Lanes<C>> Same2<C, L> for SquaredDifference {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        let difference = l.sub(a, b);
        l.mul(difference, difference)
    }
}

/// The larger less the smaller, wrapping: |x - y|, for floats too, because rounding does not see the sign.
pub struct AbsDifference;
impl<C: Element, L: Lanes<C>> Same2<C, L> for AbsDifference {
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.sub(l.maximum(a, b), l.minimum(a, b))
    }
}

/// -x
pub struct Negative;
impl<C: Element, L: Lanes<C>> Same1<C, L> for Negative {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        l.neg(a)
    }
}

/// |x|
pub struct Abs;
impl<C: Element, L: Lanes<C>> Same1<C, L> for Abs {
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        l.abs(a)
    }
}

/// 1, -1, +0, or a NaN as it is.
pub struct Sign;
impl<C: Element, L: Lanes<C>> Same1<C, L> for Sign {
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        let (zero, one) = (l.splat(C::ZERO), l.splat(C::ONE));
        // A sum of zeros is +0 unless both are -0.
        l.select(l.lt(zero, a), one, l.select(l.lt(a, zero), l.neg(one), l.add(a, zero)))
    }
}

/// x * x
pub struct Square;
impl<C: Element, L: Lanes<C>> Same1<C, L> for Square {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        l.mul(a, a)
    }
}

/// 1 / x
pub struct Reciprocal;
impl<C: Element, L: BasicFloatLanes<C>> Same1<C, L> for Reciprocal {
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        l.div(l.splat(C::ONE), a)
    }
}

/// The square root, correctly rounded.
pub struct Sqrt;
impl<C: Element, L: BasicFloatLanes<C>> Same1<C, L> for Sqrt {
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        l.sqrt_alone(a)
    }
}

/// minimum(maximum(x, lo), hi)
pub struct Clamp;
impl<C: Element, L: Lanes<C>> Same3<C, L> for Clamp {
    #[inline(always)]
    fn lanes(l: L, x: L::V, lo: L::V, hi: L::V) -> L::V {
        l.minimum(l.maximum(x, lo), hi)
    }
}

/// x * y + z, rounded once; integers wrap.
pub struct Fma;
macro_rules! fma_of_floats {
    ($($t:ty)*) => {$(
        impl<L: FloatLanes<$t>> Same3<$t, L> for Fma {
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V, c: L::V) -> L::V {
                l.fma(a, b, c)
            }
        }
    )*};
}
fma_of_floats!(f32 f64);
macro_rules! fma_of_ints {
    ($($t:ty)*) => {$(
        impl<L: Lanes<$t>> Same3<$t, L> for Fma {
            const SIGNLESS: bool = true;
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V, c: L::V) -> L::V {
                l.add(l.mul(a, b), c)
            }
        }
    )*};
}
fma_of_ints!(i8 i16 i32 i64 u8 u16 u32 u64);

/// fma(t, y, fma(-t, x, x)): exact at both ends if they are finite, but for the sign of zero. `fma(t, y - x, x)` is not, and its difference
/// may overflow.
pub struct Lerp;
impl<C: Element, L: FloatLanes<C>> Same3<C, L> for Lerp {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V, t: L::V) -> L::V {
        l.fma(t, y, l.fma(l.neg(t), x, x))
    }
}

/// x as it is: `positive`, and a conversion between stored types of one compute type.
pub struct Identity;
impl<C: Element, L: Lanes<C>> Same1<C, L> for Identity {
    const SIGNLESS: bool = true;
    #[inline(always)]
    fn lanes(_: L, a: L::V) -> L::V {
        a
    }
}
