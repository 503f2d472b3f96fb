//! isnan, isinf, isposinf, isneginf, isfinite, signbit; and copysign.

use eltwise_simd::lanes::{BasicFloatLanes, Element};
use half::f16;

use super::{Same2, Test1};

/// x is NaN.
pub struct IsNan;
impl<C: Element, L: BasicFloatLanes<C>> Test1<C, L> for IsNan {
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::M {
        l.mask_not(l.eq(a, a))
    }
}

/// x is an infinity.
pub struct IsInf;
/// x is +infinity.
pub struct IsPosInf;
/// x is -infinity.
pub struct IsNegInf;
/// x is neither an infinity nor NaN.
pub struct IsFinite;

macro_rules! against_infinity {
    ($($t:ty)*) => {$(
        impl<L: BasicFloatLanes<$t>> Test1<$t, L> for IsInf {
            #[inline(always)]
            fn lanes(l: L, a: L::V) -> L::M {
                l.eq(l.abs(a), l.splat(<$t>::INFINITY))
            }
        }
        impl<L: BasicFloatLanes<$t>> Test1<$t, L> for IsPosInf {
            #[inline(always)]
            fn lanes(l: L, a: L::V) -> L::M {
                l.eq(a, l.splat(<$t>::INFINITY))
            }
        }
        impl<L: BasicFloatLanes<$t>> Test1<$t, L> for IsNegInf {
            #[inline(always)]
            fn lanes(l: L, a: L::V) -> L::M {
                l.eq(a, l.splat(<$t>::NEG_INFINITY))
            }
        }
        impl<L: BasicFloatLanes<$t>> Test1<$t, L> for IsFinite {
            #[inline(always)]
            fn lanes(l: L, a: L::V) -> L::M {
                l.lt(l.abs(a), l.splat(<$t>::INFINITY))
            }
        }
    )*};
}
against_infinity!(f16 f32 f64);

/// The sign bit of x is set.
pub struct SignBit;
impl<C: Element, L: BasicFloatLanes<C>> Test1<C, L> for SignBit {
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::M {
        l.lt(l.copysign(l.splat(C::ONE), a), l.splat(C::ZERO))
    }
}

/// x with the sign of y
pub struct Copysign;
impl<C: Element, L: BasicFloatLanes<C>> Same2<C, L> for Copysign {
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.copysign(a, b)
    }
}
