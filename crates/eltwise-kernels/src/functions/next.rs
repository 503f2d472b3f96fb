//! nextafter, on the bits of floats of any format, so that 16-bit floats step by their own numbers.

use eltwise_simd::lanes::IntLanes;

use super::Same2;

/// The neighbour of x in the direction of y, of the format whose infinity has the bits `INFINITY`.
pub struct NextAfter<const INFINITY: u64>;

macro_rules! next_after {
    ($($t:ident)*) => {$(
        impl<const INFINITY: u64, L: IntLanes<$t>> Same2<$t, L> for NextAfter<INFINITY> {
            #[inline(always)]
            fn lanes(l: L, x: L::V, y: L::V) -> L::V {
                let (zero, one) = (l.splat(0), l.splat(1));
                let (sign, infinity) = (l.splat(1 << ($t::BITS - 1)), l.splat(INFINITY as $t));
                let magnitude = l.not(sign);
                let (size, other) = (l.and(x, magnitude), l.and(y, magnitude));
                // The bits without the sign are ordered as the numbers: away from zero is one more of them.
                let away = l.mask_and(l.lt(l.xor(x, y), sign), l.lt(size, other));
                let next = l.select(away, l.add(x, one), l.sub(x, one));
                let next = l.select(l.eq(size, zero), l.or(l.and(y, sign), one), next);
                let equal = l.mask_or(l.eq(x, y), l.eq(l.or(size, other), zero));
                let nan = l.mask_or(l.lt(infinity, size), l.lt(infinity, other));
                // All bits but the sign: a quiet NaN.
                l.select(nan, magnitude, l.select(equal, y, next))
            }
        }
    )*};
}
next_after!(u16 u32 u64);
