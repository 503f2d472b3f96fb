//! Subnormal `f32` numbers, read and written by their bits, because arithmetic on them is slow on many CPUs.
//!
//! The bits of a subnormal number count multiples of 2^-149. In a sum with 2^23 the last place is 1, so the sum rounds
//! a count as a subnormal result is rounded.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use crate::vector::F32;

/// The bits of 2^23. Or-ed to an integer below 2^23, they make the float `2^23 + integer`.
pub(super) const TWO_23: i32 = 0x4b00_0000;

/// `2^149 x` for subnormal numbers `x >= 0`; unspecified for other values.
#[inline(always)]
pub(super) fn counted<L: WideLanes>(x: F32<L>) -> F32<L> {
    (x.bits() | x.int(TWO_23)).float() - two_to(23)
}

/// `2^90 x` for `0 <= x < 2^-36`, exact.
#[inline(always)]
pub(super) fn scaled_up<L: WideLanes>(x: F32<L>) -> F32<L> {
    let count = counted(x);
    let normal = (x.bits() + x.int(90 << 23)).float();
    x.bits().lt(x.int(1 << 23)).select(count * two_to(-59), normal)
}

/// `2^-90 x` for `0 <= x < 2^65`, rounded once.
#[inline(always)]
pub(super) fn scaled_down<L: WideLanes>(x: F32<L>) -> F32<L> {
    let count = (x * two_to(59) + two_to(23)).bits() - x.int(TWO_23);
    let normal = x.bits() - x.int(90 << 23);
    x.lt(two_to(-36)).select_bits(count, normal).float()
}
