//! Numbers below the smallest normal one, read and written by their bits: CPUs are slow at arithmetic on them.
//!
//! The bits of a subnormal number count multiples of 2^-1074, and a sum with 2^52 rounds to integers as a result of that size is rounded.

use eltwise_simd::WideLanes;

use crate::vector::F64;

/// 2^52, whose last bit counts ones.
const TWO_52: f64 = 4_503_599_627_370_496.0;
const TWO_52_BITS: i64 = 0x4330_0000_0000_0000;

/// The bits of a subnormal number as an integer: `2^1074 x`.
#[inline(always)]
pub(super) fn counted<L: WideLanes>(x: F64<L>) -> F64<L> {
    (x.bits() | x.int(TWO_52_BITS)).float() - TWO_52
}

/// `2^K x` for `x >= 0` whose exponent has room for it.
#[inline(always)]
pub(super) fn scaled_up<const K: i64, L: WideLanes>(x: F64<L>) -> F64<L> {
    let count = counted(x);
    let normal = (x.bits() + x.int(K << 52)).float();
    // 2^(K - 1074)
    x.bits().lt(x.int(1 << 52)).select(count * f64::from_bits(((K - 51) as u64) << 52), normal)
}

/// `2^-K x` for `0 <= x < 2^450`, 512 <= K <= 600, rounded once.
#[inline(always)]
pub(super) fn scaled_down<const K: i64, L: WideLanes>(x: F64<L>) -> F64<L> {
    // 2^(1074 - K), and 2^(K - 1022).
    let count = (x * f64::from_bits(((2097 - K) as u64) << 52) + TWO_52).bits() - x.int(TWO_52_BITS);
    let normal = x.bits() - x.int(K << 52);
    x.lt(f64::from_bits(((K + 1) as u64) << 52)).select_bits(count, normal).float()
}

/// `2^n x`, as [`F64::scale`], n from -1100 on.
#[inline(always)]
pub(super) fn scaled<L: WideLanes>(x: F64<L>, n: F64<L>) -> F64<L> {
    let small = n.lt(-1020.0);
    let v = x.scale(small.select(n + 600.0, n));
    small.select(scaled_down::<600, L>(v), v)
}

/// `(slope + slope_low) x` with the sign of x, `|x| <= 2^-200` and a slope near 1.
#[inline(always)]
pub(super) fn line<L: WideLanes>(x: F64<L>, slope: f64, slope_low: f64) -> F64<L> {
    let up = scaled_up::<600, L>(x.abs());
    scaled_down::<600, L>(up.mul_add(slope, up * slope_low)).copysign(x)
}

/// `(m, n)`, `x = 2^n m` with m from 1 to 2, of positive finite numbers.
#[inline(always)]
pub(super) fn taken_apart<L: WideLanes>(x: F64<L>) -> (F64<L>, F64<L>) {
    let small = x.bits().lt(x.int(1 << 52));
    let normal = small.select(counted(x), x);
    let exponent = ((normal.bits() >> 52) | x.int(TWO_52_BITS)).float() - TWO_52;
    let m = ((normal.bits() & x.int((1 << 52) - 1)) | x.int(1023 << 52)).float();
    (m, exponent - small.select(1023.0 + 1074.0, x.splat(1023.0)))
}
