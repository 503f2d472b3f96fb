//! Operators on 16-bit floats that need no arithmetic, computed on the bits as `u16`: twice as many lanes as in `f32`,
//! and no conversions. A NaN keeps its bits.
//!
//! `INFINITY` is the bits of the format's infinity. As `u16`, negative numbers follow non-negative ones; each group is
//! ordered by magnitude, and the NaNs of a sign follow its infinity.

use eltwise_simd::lanes::IntLanes;

use super::{BinaryOp, TernaryOp, UnaryOp};

const SIGN: u16 = 0x8000;

/// `|x|`
pub struct Abs;
impl<L: IntLanes<u16>> UnaryOp<u16, L> for Abs {
    #[inline(always)]
    fn lanes(l: L, x: L::V) -> L::V {
        l.and(x, l.splat(!SIGN))
    }
}

/// `-x`
pub struct Negative;
impl<L: IntLanes<u16>> UnaryOp<u16, L> for Negative {
    #[inline(always)]
    fn lanes(l: L, x: L::V) -> L::V {
        l.xor(x, l.splat(SIGN))
    }
}

/// `x` with the sign bit of `y`.
pub struct Copysign;
impl<L: IntLanes<u16>> BinaryOp<u16, L> for Copysign {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V) -> L::V {
        l.or(l.and(x, l.splat(!SIGN)), l.and(y, l.splat(SIGN)))
    }
}

/// IEEE 754-2019 `maximum`.
pub struct Maximum<const INFINITY: u16>;
impl<const INFINITY: u16, L: IntLanes<u16>> BinaryOp<u16, L> for Maximum<INFINITY> {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V) -> L::V {
        let (last, first) = (l.maximum(x, y), l.minimum(x, y));
        // The last one in the order of bits, unless it is a negative number. Then the first one is non-negative, or
        // negative with a smaller magnitude. (`last - SIGN` is at most INFINITY exactly for negative numbers.)
        let is_last = l.lt(l.splat(INFINITY), l.sub(last, l.splat(SIGN)));
        l.select(is_last, last, first)
    }
}

/// IEEE 754-2019 `minimum`: `-maximum(-x, -y)`.
pub struct Minimum<const INFINITY: u16>;
impl<const INFINITY: u16, L: IntLanes<u16>> BinaryOp<u16, L> for Minimum<INFINITY> {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V) -> L::V {
        let (x, y) = (Negative::lanes(l, x), Negative::lanes(l, y));
        Negative::lanes(l, Maximum::<INFINITY>::lanes(l, x, y))
    }
}

/// `minimum(maximum(x, lo), hi)`
pub struct Clamp<const INFINITY: u16>;
impl<const INFINITY: u16, L: IntLanes<u16>> TernaryOp<u16, L> for Clamp<INFINITY> {
    #[inline(always)]
    fn lanes(l: L, x: L::V, lo: L::V, hi: L::V) -> L::V {
        Minimum::<INFINITY>::lanes(l, Maximum::<INFINITY>::lanes(l, x, lo), hi)
    }
}

/// `maximum(x, +0)`
pub struct Relu<const INFINITY: u16>;
impl<const INFINITY: u16, L: IntLanes<u16>> UnaryOp<u16, L> for Relu<INFINITY> {
    #[inline(always)]
    fn lanes(l: L, x: L::V) -> L::V {
        let is_kept = l.lt(l.splat(INFINITY), l.sub(x, l.splat(SIGN)));
        l.select(is_kept, x, l.splat(0))
    }
}
