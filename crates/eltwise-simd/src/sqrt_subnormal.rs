//! Square roots of subnormal numbers, for which the instructions of x86 CPUs are slow ([`sqrt`]): the bits of a
//! subnormal number count multiples of the smallest number, so the root of that integer is scaled.

use crate::lanes::{Element, Lanes};
use crate::math::MathLanes;

/// The constants of a float type.
pub(crate) trait SubnormalSqrt<L: MathLanes<Self>>: Element {
    /// Zero, and the bits of the smallest normal number: subnormal numbers are between them.
    const BOUNDS: [L::Int; 2];
    /// The bits of a number whose last bit has the value 1; or 2, if the smallest number is an odd power of 2.
    const COUNT_BASE: L::Int;
    /// The root of the smallest number; or of half of it, for the same reason.
    const UNIT_ROOT: Self;
}

impl<L: MathLanes<f32, Int = i32>> SubnormalSqrt<L> for f32 {
    const BOUNDS: [i32; 2] = [0, 1 << 23];
    const COUNT_BASE: i32 = (127 + 24) << 23;
    const UNIT_ROOT: f32 = f32::from_bits((127 - 75) << 23);
}

impl<L: MathLanes<f64, Int = i64>> SubnormalSqrt<L> for f64 {
    const BOUNDS: [i64; 2] = [0, 1 << 52];
    const COUNT_BASE: i64 = (1023 + 52) << 52;
    const UNIT_ROOT: f64 = f64::from_bits((1023 - 537) << 52);
}

/// √x. The instruction never gets a subnormal number.
#[inline(always)]
pub(crate) fn sqrt<C: SubnormalSqrt<L>, L: MathLanes<C>>(l: L, x: L::V) -> L::V {
    let [zero, normal] = C::BOUNDS;
    let bits = l.to_bits(x);
    let small = l.mask_and(l.int_lt(bits, l.int(normal)), l.int_lt(l.int(zero), bits));
    if !l.any(small) {
        return l.sqrt(x);
    }
    let base = l.int(C::COUNT_BASE);
    let count = Lanes::<C>::sub(l, l.with_bits(l.int_or(bits, base)), l.with_bits(base));
    let root = l.sqrt(l.select(small, count, x));
    Lanes::<C>::mul(l, root, l.select(small, l.splat(C::UNIT_ROOT), l.splat(C::ONE)))
}
