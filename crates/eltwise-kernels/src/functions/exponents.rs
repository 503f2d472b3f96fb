//! scalb, logb, mantissa (of `frexp`) and fraction (of `modf`), by exponent fields and exact multiplications.

use eltwise_simd::MathLanes;
use eltwise_simd::lanes::{FloatLanes, rounding};

use super::{BinaryOp, UnaryOp};

/// `x * 2^n`, rounded once; `n` is truncated to an integer. (C's `scalbn`.)
pub struct Scalb;
/// The exponent of `|x|` as a number: `floor(log2(|x|))`, -infinity for 0. (IEEE 754 `logB`.)
pub struct Logb;
/// The `m` in `x = m * 2^e` with `0.5 <= |m| < 1`; `x` for zeros, infinities and NaN. (That of C's `frexp`.)
pub struct Mantissa;
/// `x - trunc(x)`, with the sign of `x`; zero for infinities.
pub struct Fraction;

// For one format: the exponents of its smallest and largest normal power of two, a step down, the largest `|n|` that
// makes a difference in `scalb`, and a power of two that makes subnormals normal.
macro_rules! by_exponent {
    ($(
        $t:ty, lowest $low:literal, highest $high:literal, step $step:literal, most $most:literal, up $up:literal;
    )*) => {$(
        impl<L: MathLanes<$t>> BinaryOp<$t, L> for Scalb {
            /// One instruction, or multiplications by three powers of two. After a step down the result is still normal, or it ends as 0 anyway:
            /// only the last multiplication rounds.
            #[inline(always)]
            fn lanes(l: L, x: L::V, n: L::V) -> L::V {
                let n = l.round_to_integral::<{ rounding::TRUNC }>(n);
                let limited = l.least(l.greatest(n, l.splat(-$most)), l.splat($most));
                if const { <L as MathLanes<$t>>::SCALES_ALL } {
                    return l.select(l.eq(n, n), l.scale(x, limited, n), n);
                }
                let (lowest, highest, step) = (l.splat($low), l.splat($high), l.splat($step));
                let first = l.select(l.lt(limited, lowest), step, l.minimum(limited, highest));
                let rest = l.sub(limited, first);
                let second = l.select(l.lt(rest, lowest), step, l.minimum(rest, highest));
                let third = l.sub(rest, second);
                let y = l.mul(l.mul(x, l.power_of_two(first)), l.power_of_two(second));
                let y = l.mul(y, l.power_of_two(third));
                l.select(l.eq(n, n), y, n)
            }
        }
        impl<L: FloatLanes<$t>> UnaryOp<$t, L> for Logb {
            #[inline(always)]
            fn lanes(l: L, x: L::V) -> L::V {
                let size = l.abs(x);
                let subnormal = l.lt(size, l.splat(<$t>::MIN_POSITIVE));
                let normal = l.select(subnormal, l.mul(size, l.power_of_two(l.splat($up))), size);
                let bias = l.select(subnormal, l.splat($high + $up), l.splat($high));
                let exponent = l.sub(l.exponent_field(normal), bias);
                let infinity = l.splat(<$t>::INFINITY);
                // The logb of an infinity is infinity, and that of a NaN is NaN.
                let exponent = l.select(l.lt(size, infinity), exponent, size);
                l.select(l.eq(x, l.splat(0.0)), l.neg(infinity), exponent)
            }
        }
        impl<L: FloatLanes<$t>> UnaryOp<$t, L> for Mantissa {
            #[inline(always)]
            fn lanes(l: L, x: L::V) -> L::V {
                let size = l.abs(x);
                let subnormal = l.lt(size, l.splat(<$t>::MIN_POSITIVE));
                let normal = l.select(subnormal, l.mul(x, l.power_of_two(l.splat($up))), x);
                // The power of two that gives `normal` a mantissa from 2 to 4 is a normal number for every exponent.
                let power = l.power_of_two(l.sub(l.splat($high + 1.0), l.exponent_field(l.abs(normal))));
                let mantissa = l.mul(l.mul(normal, power), l.splat(0.25));
                let has_exponent = l.mask_and(l.lt(l.splat(0.0), size), l.lt(size, l.splat(<$t>::INFINITY)));
                l.select(has_exponent, mantissa, x)
            }
        }
        impl<L: FloatLanes<$t>> UnaryOp<$t, L> for Fraction {
            #[inline(always)]
            fn lanes(l: L, x: L::V) -> L::V {
                let fraction = l.sub(x, l.round_to_integral::<{ rounding::TRUNC }>(x));
                let infinite = l.eq(l.abs(x), l.splat(<$t>::INFINITY));
                l.copysign(l.select(infinite, l.splat(0.0), fraction), x)
            }
        }
    )*};
}

by_exponent! {
    f32, lowest -126.0, highest 127.0, step -102.0, most 300.0, up 25.0;
    f64, lowest -1022.0, highest 1023.0, step -969.0, most 2200.0, up 54.0;
}
