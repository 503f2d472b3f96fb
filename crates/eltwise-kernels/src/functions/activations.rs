//! relu, relu6, hard_swish, hard_sigmoid, softsign, prelu, thresholded_relu, shrink, heaviside. (leaky_relu is prelu,
//! hard_tanh is clamp: see the table.)

use eltwise_simd::lanes::{BasicFloatLanes, Element, FloatLanes, Lanes};
use half::f16;

use super::{Same1, Same2, Same3};

/// maximum(x, +0)
pub struct Relu;
impl<C: Element, L: Lanes<C>> Same1<C, L> for Relu {
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        l.maximum(a, l.splat(C::ZERO))
    }
}

/// minimum(maximum(x, +0), 6)
pub struct Relu6;
/// x * (clamp(x + 3, 0, 6) / 6)
pub struct HardSwish;

macro_rules! relu6 {
    ($($t:ty: $six:expr;)*) => {$(
        impl<L: BasicFloatLanes<$t>> Same1<$t, L> for Relu6 {
            #[inline(always)]
            fn lanes(l: L, a: L::V) -> L::V {
                l.minimum(l.maximum(a, l.splat(<$t>::ZERO)), l.splat($six))
            }
        }
    )*};
}
relu6! {
    f16: f16::from_f32_const(6.0);
    f32: 6.0;
    f64: 6.0;
}

macro_rules! hard_swish {
    ($($t:ty)*) => {$(
        impl<L: FloatLanes<$t>> Same1<$t, L> for HardSwish {
            #[inline(always)]
            fn lanes(l: L, a: L::V) -> L::V {
                let gate = l.minimum(l.maximum(l.add(a, l.splat(3.0)), l.splat(0.0)), l.splat(6.0));
                l.mul(a, l.div(gate, l.splat(6.0)))
            }
        }
    )*};
}
hard_swish!(f32 f64);

/// x / (1 + |x|)
pub struct Softsign;
impl<C: Element, L: FloatLanes<C>> Same1<C, L> for Softsign {
    #[inline(always)]
    fn lanes(l: L, a: L::V) -> L::V {
        l.div(a, l.add(l.splat(C::ONE), l.abs(a)))
    }
}

/// slope * x where x < 0, else x
pub struct Prelu;
impl<C: Element, L: BasicFloatLanes<C>> Same2<C, L> for Prelu {
    #[inline(always)]
    fn lanes(l: L, x: L::V, slope: L::V) -> L::V {
        l.select(l.lt(x, l.splat(C::ZERO)), l.mul(slope, x), x)
    }
}

/// clamp(fma(alpha, x, beta), 0, 1)
pub struct HardSigmoid;
impl<C: Element, L: FloatLanes<C>> Same3<C, L> for HardSigmoid {
    #[inline(always)]
    fn lanes(l: L, x: L::V, alpha: L::V, beta: L::V) -> L::V {
        l.minimum(l.maximum(l.fma(alpha, x, beta), l.splat(C::ZERO)), l.splat(C::ONE))
    }
}

/// x where x > alpha, else +0
pub struct ThresholdedRelu;
impl<C: Element, L: BasicFloatLanes<C>> Same2<C, L> for ThresholdedRelu {
    #[inline(always)]
    fn lanes(l: L, x: L::V, alpha: L::V) -> L::V {
        l.select(l.lt(alpha, x), x, l.splat(C::ZERO))
    }
}

/// x + bias where x < -lambd, x - bias where x > lambd, else +0
pub struct Shrink;
impl<C: Element, L: BasicFloatLanes<C>> Same3<C, L> for Shrink {
    #[inline(always)]
    fn lanes(l: L, x: L::V, lambd: L::V, bias: L::V) -> L::V {
        let right = l.select(l.lt(lambd, x), l.sub(x, bias), l.splat(C::ZERO));
        l.select(l.lt(x, l.neg(lambd)), l.add(x, bias), right)
    }
}

/// 0 below zero, h at zero, 1 above, else x: a NaN.
pub struct Heaviside;
impl<C: Element, L: BasicFloatLanes<C>> Same2<C, L> for Heaviside {
    #[inline(always)]
    fn lanes(l: L, x: L::V, h: L::V) -> L::V {
        let zero = l.splat(C::ZERO);
        let from_zero = l.select(l.lt(zero, x), l.splat(C::ONE), l.select(l.eq(x, zero), h, x));
        l.select(l.lt(x, zero), zero, from_zero)
    }
}
