//! Subnormal `f64` numbers, read and written by their bits, because arithmetic on them is slow on many CPUs.
//!
//! The bits of a subnormal number count multiples of 2^-1074. In a sum with 2^52 the last place is 1, so the sum rounds
//! a count as a subnormal result is rounded.

use eltwise_simd::WideLanes;

use crate::vector::F64;

/// 2^52; its last place is 1.
const TWO_52: f64 = 4_503_599_627_370_496.0;

const TWO_52_BITS: i64 = 0x4330_0000_0000_0000;

/// `2^1074 x` for subnormal numbers `x >= 0`; unspecified for other values.
#[inline(always)]
pub(super) fn counted<L: WideLanes>(x: F64<L>) -> F64<L> {
    (x.bits() | x.int(TWO_52_BITS)).float() - TWO_52
}

/// `2^K x` for `x >= 0`, exact; the result must be finite.
#[inline(always)]
pub(super) fn scaled_up<const K: i64, L: WideLanes>(x: F64<L>) -> F64<L> {
    let count = counted(x);
    let normal = (x.bits() + x.int(K << 52)).float();
    // The factor is 2^(K - 1074).
    x.bits().lt(x.int(1 << 52)).select(count * f64::from_bits(((K - 51) as u64) << 52), normal)
}

/// `2^-K x` for `0 <= x < 2^450`, 512 <= K <= 600, rounded once.
#[inline(always)]
pub(super) fn scaled_down<const K: i64, L: WideLanes>(x: F64<L>) -> F64<L> {
    // The powers are 2^(1074 - K) and 2^(K - 1022).
    let count = (x * f64::from_bits(((2097 - K) as u64) << 52) + TWO_52).bits() - x.int(TWO_52_BITS);
    let normal = x.bits() - x.int(K << 52);
    x.lt(f64::from_bits(((K + 1) as u64) << 52)).select_bits(count, normal).float()
}

/// `2^n x` for `n >= -1100`, otherwise as [`F64::scale`].
#[inline(always)]
pub(super) fn scaled<L: WideLanes>(x: F64<L>, n: F64<L>) -> F64<L> {
    let small = n.lt(-1020.0);
    let v = x.scale(small.select(n + 600.0, n));
    small.select(scaled_down::<600, L>(v), v)
}

/// `(slope + slope_low) x` with the sign of x, for `|x| <= 2^-200` and a slope near 1.
#[inline(always)]
pub(super) fn linear<L: WideLanes>(x: F64<L>, slope: f64, slope_low: f64) -> F64<L> {
    let up = scaled_up::<600, L>(x.abs());
    scaled_down::<600, L>(up.mul_add(slope, up * slope_low)).copysign(x)
}

/// `(m, n)` with `x = 2^n m`, m in [1, 2), for positive finite numbers. (C's `frexp`, but for the range of m.)
#[inline(always)]
pub(super) fn significand_and_exponent<L: WideLanes>(x: F64<L>) -> (F64<L>, F64<L>) {
    let small = x.bits().lt(x.int(1 << 52));
    let normal = small.select(counted(x), x);
    let exponent = ((normal.bits() >> 52) | x.int(TWO_52_BITS)).float() - TWO_52;
    let m = ((normal.bits() & x.int((1 << 52) - 1)) | x.int(1023 << 52)).float();
    (m, exponent - small.select(1023.0 + 1074.0, x.splat(1023.0)))
}
