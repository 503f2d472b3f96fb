//! nextafter, on the bits of floats of any format, so that `f16` and `bf16` step through their own values.

use eltwise_simd::lanes::IntLanes;

use super::BinaryOp;

/// The neighbour of `x` in the direction of `y`, as C's `nextafter`; `y` if they are equal. The format is the one whose
/// infinity has the bits `INFINITY`.
pub struct NextAfter<const INFINITY: u64>;

macro_rules! next_after {
    ($($t:ident)*) => {$(
        impl<const INFINITY: u64, L: IntLanes<$t>> BinaryOp<$t, L> for NextAfter<INFINITY> {
            #[inline(always)]
            fn lanes(l: L, x: L::V, y: L::V) -> L::V {
                let (zero, one) = (l.splat(0), l.splat(1));
                let (sign, infinity) = (l.splat(1 << ($t::BITS - 1)), l.splat(INFINITY as $t));
                // All bits but the sign; as a float, a quiet NaN.
                let not_sign = l.not(sign);
                let (x_size, y_size) = (l.and(x, not_sign), l.and(y, not_sign));
                // Without the sign, bits are ordered like the numbers: the neighbour away from zero has the next bits.
                let away = l.mask_and(l.lt(l.xor(x, y), sign), l.lt(x_size, y_size));
                let next = l.select(away, l.add(x, one), l.sub(x, one));
                let next = l.select(l.eq(x_size, zero), l.or(l.and(y, sign), one), next);
                let equal = l.mask_or(l.eq(x, y), l.eq(l.or(x_size, y_size), zero));
                let nan = l.mask_or(l.lt(infinity, x_size), l.lt(infinity, y_size));
                l.select(nan, not_sign, l.select(equal, y, next))
            }
        }
    )*};
}
next_after!(u16 u32 u64);
