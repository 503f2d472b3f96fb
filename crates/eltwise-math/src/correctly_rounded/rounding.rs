//! The test whether rounding an `f64` to `f32` is safe, and the results of the few inputs for which it never is.

use eltwise_simd::WideLanes;

use crate::vector::{F32, F64, Mask};

/// The midpoint of two `f32`, in the lowest 29 bits of an `f64`.
const HALFWAY: i64 = 1 << 28;

/// Whether a lane is within `2^BITS` of its last places of the midpoint of two `f32`. For results that are normal `f32`
/// numbers.
#[inline(always)]
pub(super) fn near_halfway<const BITS: u32, L: WideLanes>([low, high]: [F64<L>; 2]) -> bool {
    // After adding `offset`, the doubtful values are those from 0 to 2^(BITS + 1).
    let (offset, mask) = (low.int((1 << BITS) - HALFWAY), low.int((1 << 29) - (1 << (BITS + 1))));
    let zero = low.int(0);
    (((low.bits() + offset) & mask).eq(zero) | ((high.bits() + offset) & mask).eq(zero)).any()
}

/// Whether `0 < |x| < 2^-63`, so that results may be subnormal.
#[inline(always)]
pub(super) fn is_small<L: WideLanes>(x: F32<L>) -> Mask<f32, L> {
    // One signed comparison; 0 wraps around to the largest value.
    let below = x.abs().bits() + x.int(i32::MAX);
    below.lt(x.int((0x2000_0000 - 1) ^ i32::MIN))
}

/// `y`, or the result that `exceptions` has for `x`: pairs of the bits of an input and of its result.
#[inline(always)]
pub(super) fn patch_exceptions<L: WideLanes>(x: F32<L>, y: F32<L>, exceptions: &[(u32, u32)]) -> F32<L> {
    let mut y = y;
    let mut k = 0;
    while k < exceptions.len() {
        let (input, result) = exceptions[k];
        y = x.bits().eq(x.int(input as i32)).select(f32::from_bits(result), y);
        k += 1;
    }
    y
}
