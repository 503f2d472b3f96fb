//! What the 16-bit floats need no arithmetic for, on their bits as `u16`: twice as many lanes as in `f32`, and no conversions.
//!
//! `INFINITY` is the bits of the format's infinity. As `u16`, numbers with a sign come after those without, each in the order of their
//! magnitudes; NaNs come after the infinity of their sign. A NaN keeps its bits.

use eltwise_simd::lanes::IntLanes;

use super::{Same1, Same2, Same3};

const SIGN: u16 = 0x8000;

/// |x|
pub struct Abs;
impl<L: IntLanes<u16>> Same1<u16, L> for Abs {
    #[inline(always)]
    fn lanes(l: L, x: L::V) -> L::V {
        l.and(x, l.splat(!SIGN))
    }
}

/// -x
pub struct Negative;
impl<L: IntLanes<u16>> Same1<u16, L> for Negative {
    #[inline(always)]
    fn lanes(l: L, x: L::V) -> L::V {
        l.xor(x, l.splat(SIGN))
    }
}

/// x with the sign of y
pub struct Copysign;
impl<L: IntLanes<u16>> Same2<u16, L> for Copysign {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V) -> L::V {
        l.or(l.and(x, l.splat(!SIGN)), l.and(y, l.splat(SIGN)))
    }
}

/// IEEE 754-2019 maximum
pub struct Maximum<const INFINITY: u16>;
impl<const INFINITY: u16, L: IntLanes<u16>> Same2<u16, L> for Maximum<INFINITY> {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V) -> L::V {
        let (last, first) = (l.maximum(x, y), l.minimum(x, y));
        // The last in the order of bits, unless it is a number with a sign: then the first is a number of a smaller magnitude, or has no sign.
        let is_larger = l.lt(l.splat(INFINITY), l.sub(last, l.splat(SIGN)));
        l.select(is_larger, last, first)
    }
}

/// IEEE 754-2019 minimum
pub struct Minimum<const INFINITY: u16>;
impl<const INFINITY: u16, L: IntLanes<u16>> Same2<u16, L> for Minimum<INFINITY> {
    #[inline(always)]
    fn lanes(l: L, x: L::V, y: L::V) -> L::V {
        // The numbers' order turned around.
        let (x, y) = (Negative::lanes(l, x), Negative::lanes(l, y));
        Negative::lanes(l, Maximum::<INFINITY>::lanes(l, x, y))
    }
}

/// minimum(maximum(x, lo), hi)
pub struct Clamp<const INFINITY: u16>;
impl<const INFINITY: u16, L: IntLanes<u16>> Same3<u16, L> for Clamp<INFINITY> {
    #[inline(always)]
    fn lanes(l: L, x: L::V, lo: L::V, hi: L::V) -> L::V {
        Minimum::<INFINITY>::lanes(l, Maximum::<INFINITY>::lanes(l, x, lo), hi)
    }
}

/// maximum(x, +0)
pub struct Relu<const INFINITY: u16>;
impl<const INFINITY: u16, L: IntLanes<u16>> Same1<u16, L> for Relu<INFINITY> {
    #[inline(always)]
    fn lanes(l: L, x: L::V) -> L::V {
        let stays = l.lt(l.splat(INFINITY), l.sub(x, l.splat(SIGN)));
        l.select(stays, x, l.splat(0))
    }
}
