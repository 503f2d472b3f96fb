//! Which `f64` results are too near to halfway between two `f32` to be rounded, and what is done of a few inputs.

use eltwise_simd::WideLanes;

use crate::vector::{F32, F64, Mask};

/// Halfway between two `f32`, in the lower 29 bits of an `f64`.
const HALFWAY: i64 = 1 << 28;

/// Whether a lane is within `2^BITS` of its own last places of halfway between two normal `f32`; not for subnormal results.
#[inline(always)]
pub(super) fn doubtful<const BITS: u32, L: WideLanes>([low, high]: [F64<L>; 2]) -> bool {
    // Moved, so that the numbers in doubt are those from 0 to 2^(BITS + 1).
    let (moved, looked_at) = (low.int((1 << BITS) - HALFWAY), low.int((1 << 29) - (1 << (BITS + 1))));
    let zero = low.int(0);
    (((low.bits() + moved) & looked_at).eq(zero) | ((high.bits() + moved) & looked_at).eq(zero)).any()
}

/// Whether `0 < |x| < 2^-63`: results may be subnormal.
#[inline(always)]
pub(super) fn is_small<L: WideLanes>(x: F32<L>) -> Mask<f32, L> {
    // One signed comparison, of what wraps around for 0.
    let below = x.abs().bits() + x.int(i32::MAX);
    below.lt(x.int((0x2000_0000 - 1) ^ i32::MIN))
}

/// `y`, or at the inputs `x` of a list (their bits) what stands beside them.
#[inline(always)]
pub(super) fn put_right<L: WideLanes>(x: F32<L>, y: F32<L>, exceptions: &[(u32, u32)]) -> F32<L> {
    let mut y = y;
    let mut k = 0;
    while k < exceptions.len() {
        let (input, result) = exceptions[k];
        y = x.bits().eq(x.int(input as i32)).select(f32::from_bits(result), y);
        k += 1;
    }
    y
}
