//! pow of `f32` by one exponent for all elements.
//!
//! Powers by integers are products in `f64`, which has twice the digits and eight times the range, and are rounded once.
//! A cube is a product of two floats with its rounding error (Dekker 1971), where that error is exact.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::pow::pow;
use super::roots::rsqrt;
use crate::exponent::{Exponent, for_each_exponent};
use crate::vector::F32;

/// x to the power of y, in every lane as [`pow_by`] one exponent.
#[inline(always)]
pub fn pow_constant<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    for_each_exponent!(f32: x, y)
}

/// x to the power of y, the same in every lane, whose [`Exponent`] is given: for integers from -64 to 64 by products, for
/// 1/2 and -1/2 by a root, else [`pow`]. Of `K` vectors at once. Every NaN result is `f32::NAN`.
///
/// At most 0.5001 ULP for the integers, 0.5 for 1/2, 0.63 for -1/2. Exact results are exact.
///
/// Special values as of [`pow`].
#[inline(always)]
pub fn pow_by<L: WideLanes, const K: usize>(mut x: [F32<L>; K], y: F32<L>, exponent: Exponent) -> [F32<L>; K] {
    if let Exponent::Integer { size: 3, is_inverse: false } = exponent {
        return cubes(x);
    }
    for x in &mut x {
        *x = match exponent {
            Exponent::Integer { size, is_inverse } => product(*x, size, is_inverse),
            Exponent::Root { is_inverse } => root(*x, is_inverse),
            Exponent::Other => pow(*x, y),
        }
        .replace_nan(f32::NAN);
    }
    x
}

/// x to the power of 1/2 or -1/2. Zeros and infinities lose their sign.
#[inline(always)]
fn root<L: WideLanes>(x: F32<L>, is_inverse: bool) -> F32<L> {
    let x = x.eq(f32::NEG_INFINITY).select(f32::INFINITY, x + 0.0);
    if is_inverse { rsqrt(x) } else { x.sqrt() }
}

#[inline(always)]
fn cubes<L: WideLanes, const K: usize>(x: [F32<L>; K]) -> [F32<L>; K] {
    /// Between these magnitudes of a cube the rounding error of the square does not underflow.
    const PLAIN: [i32; 2] = [two_to(-60).to_bits() as i32, two_to(120).to_bits() as i32];
    let mut cubes = x;
    let mut is_rare = x[0].lt(x[0]);
    for k in 0..K {
        let square = x[k] * x[k];
        cubes[k] = square.mul_add(x[k], x[k].mul_sub(x[k], square) * x[k]);
        is_rare = is_rare | !cubes[k].abs().bits().between(PLAIN[0], PLAIN[1]);
    }
    if is_rare.any() {
        for k in 0..K {
            cubes[k] = product(x[k], 3, false).replace_nan(f32::NAN);
        }
    }
    cubes
}

/// x to the power of `size`, or one over it, in `f64`.
#[inline(always)]
fn product<L: WideLanes>(x: F32<L>, size: u32, is_inverse: bool) -> F32<L> {
    let [mut a, mut b] = x.widen();
    let one = a.splat(1.0);
    let (mut c, mut d) = if size & 1 == 1 { (a, b) } else { (one, one) };
    let mut rest = size >> 1;
    while rest != 0 {
        (a, b) = (a * a, b * b);
        if rest & 1 == 1 {
            (c, d) = (c * a, d * b);
        }
        rest >>= 1;
    }
    F32::narrow(if is_inverse { [one / c, one / d] } else { [c, d] })
}
