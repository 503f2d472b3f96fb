//! Square roots of subnormal numbers, which the instructions of x86 CPUs are slow at: by those of the bits, which count multiples of the
//! smallest number.

use crate::lanes::{Element, Lanes};
use crate::math::MathLanes;

/// What is known of a type of floats.
pub(crate) trait Counted<L: MathLanes<Self>>: Element {
    /// 0 and the bits of the smallest normal number.
    const SUBNORMAL: [L::Int; 2];
    /// The bits of a number whose last bit counts ones, or twos where the smallest number is an odd power of 2.
    const COUNTS: L::Int;
    /// The root of the smallest number, or of half of it.
    const ROOT: Self;
}

impl<L: MathLanes<f32, Int = i32>> Counted<L> for f32 {
    const SUBNORMAL: [i32; 2] = [0, 1 << 23];
    const COUNTS: i32 = (127 + 24) << 23;
    const ROOT: f32 = f32::from_bits((127 - 75) << 23);
}

impl<L: MathLanes<f64, Int = i64>> Counted<L> for f64 {
    const SUBNORMAL: [i64; 2] = [0, 1 << 52];
    const COUNTS: i64 = (1023 + 52) << 52;
    const ROOT: f64 = f64::from_bits((1023 - 537) << 52);
}

/// √x by the instruction, which does not see subnormal numbers.
#[inline(always)]
pub(crate) fn sqrt<C: Counted<L>, L: MathLanes<C>>(l: L, x: L::V) -> L::V {
    let [zero, normal] = C::SUBNORMAL;
    let bits = l.to_bits(x);
    let small = l.mask_and(l.int_lt(bits, l.int(normal)), l.int_lt(l.int(zero), bits));
    if !l.any(small) {
        return l.sqrt(x);
    }
    let counts = l.int(C::COUNTS);
    let count = Lanes::<C>::sub(l, l.with_bits(l.int_or(bits, counts)), l.with_bits(counts));
    let root = l.sqrt(l.select(small, count, x));
    Lanes::<C>::mul(l, root, l.select(small, l.splat(C::ROOT), l.splat(C::ONE)))
}
