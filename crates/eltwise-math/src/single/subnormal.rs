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
