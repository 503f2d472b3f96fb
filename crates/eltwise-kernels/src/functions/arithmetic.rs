//! add, subtract, multiply, maximum, minimum, negative, abs, sqrt, relu, clamp, fma.

use eltwise_simd::lanes::{Element, FloatLanes, Lanes};

use super::{Same1, Same2, Same3};

/// x + y
pub struct Add;
impl<C: Element, L: Lanes<C>> Same2<C, L> for Add {
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.add(a, b)
    }
}

/// x - y
pub struct Subtract;
impl<C: Element, L: Lanes<C>> Same2<C, L> for Subtract {
    #[inline(always)]
    fn lanes(l: L, a: L::V, b: L::V) -> L::V {
        l.sub(a, b)
    }
}

/// x * y
pub struct Multiply;
impl<C: Element, L: Lanes<C>> Same2<C, L> for Multiply {
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

/// -x
pub struct Negative;
impl<C: Element, L: Lanes<C>> Same1<C, L> for Negative {
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

/// The square root, correctly rounded.
pub struct Sqrt;
impl<C: Element, L: FloatLanes<C>> Same1<C, L> for Sqrt {
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        l.sqrt(a)
    }
}

/// maximum(x, +0)
pub struct Relu;
impl<C: Element, L: Lanes<C>> Same1<C, L> for Relu {
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        l.maximum(a, l.splat(C::ZERO))
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
            #[inline(always)]
            fn lanes(l: L, a: L::V, b: L::V, c: L::V) -> L::V {
                l.add(l.mul(a, b), c)
            }
        }
    )*};
}
fma_of_ints!(i8 i16 i32 i64 u8 u16 u32 u64);

/// x as it is: a conversion between stored types of one compute type.
pub struct Identity;
impl<C: Element, L: Lanes<C>> Same1<C, L> for Identity {
    #[inline(always)]
    fn lanes(_: L, a: L::V) -> L::V {
        a
    }
}
