//! Subnormal numbers, read by their bits: CPUs are slow at arithmetic on them.

use eltwise_simd::WideLanes;

use crate::single::logarithm::two_to;
use crate::vector::F32;

/// 2^23 as bits: the integer in the lower bits becomes a number above 2^23.
pub(super) const TWO_23: i32 = 0x4b00_0000;

/// `2^149 x` of a subnormal number `x >= 0`: its bits count multiples of 2^-149. Any number for others.
#[inline(always)]
pub(super) fn counted<L: WideLanes>(x: F32<L>) -> F32<L> {
    (x.bits() | x.int(TWO_23)).float() - two_to(23)
}

/// `2^90 x` for `0 <= x < 2^-36`, without arithmetic on subnormal numbers, which CPUs are slow at: their bits count multiples of
/// 2^-149.
#[inline(always)]
pub(super) fn scaled_up<L: WideLanes>(x: F32<L>) -> F32<L> {
    let count = counted(x);
    let normal = (x.bits() + x.int(90 << 23)).float();
    x.bits().lt(x.int(1 << 23)).select(count * two_to(-59), normal)
}

/// `2^-90 x` for `0 <= x < 2^65`, rounded once: a sum with 2^23 rounds as a subnormal result does.
#[inline(always)]
pub(super) fn scaled_down<L: WideLanes>(x: F32<L>) -> F32<L> {
    let count = (x * two_to(59) + two_to(23)).bits() - x.int(TWO_23);
    let normal = x.bits() - x.int(90 << 23);
    x.lt(two_to(-36)).select_bits(count, normal).float()
}
