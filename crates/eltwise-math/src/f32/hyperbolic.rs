//! sinh, cosh of `f32`.
//!
//! 1. Reduction: `x = n ln(2) + r` with an integer n (Cody and Waite 1980).
//! 2. `e^x` and `e^-x` share the even and the odd part of `e^r`: `sinh x = 2^n (e^r - 4^-n e^-r) / 2`, and cosh with a
//!    plus. cosh r is a polynomial of degree 6, sinh r of degree 5. There is no division.
//! 3. The factors of sinh that depend on n alone, `(1 ± 4^-n) / 2`, come from tables of 16; `4^-n` counts as 0 from n
//!    = 15 on.
//!
//! Tables: `tools/coefficients/f32_hyperbolic.py`.

use core::f32::consts::{LN_2, LOG2_E};

use eltwise_simd::WideLanes;

use super::constants::{ROUND, floats_from_bits};
use super::exp::{LN_2_HIGH, LN_2_LOW};
use crate::polynomial::horner;
use crate::vector::F32;

/// `(cosh(r) - 1) / r^2`. Error 2^-33.24 of cosh.
const COSH: [f32; 3] = [
    f32::from_bits(0x3f00_0000), // 0.5
    f32::from_bits(0x3d2a_aa73), // 0.041666459292173386
    f32::from_bits(0x3ab6_a788), // 0.0013935426250100136
];

/// `(sinh(r) - r) / r^3`. Error 2^-27.2 of sinh.
const SINH: [f32; 2] = [
    f32::from_bits(0x3e2a_aa4f), // 0.16666530072689056
    f32::from_bits(0x3c09_1939), // 0.008367829956114292
];

/// `(1 + 4^-n) / 2`, `(1 - 4^-n) / 2`, and the mean error that their rounding causes in `(e^r - 4^-n e^-r) / 2`.
#[rustfmt::skip]
const SUM: [f32; 16] = floats_from_bits([
    0x3f80_0000, 0x3f20_0000, 0x3f08_0000, 0x3f02_0000, 0x3f00_8000, 0x3f00_2000, 0x3f00_0800, 0x3f00_0200,
    0x3f00_0080, 0x3f00_0020, 0x3f00_0008, 0x3f00_0002, 0x3f00_0000, 0x3f00_0000, 0x3f00_0000, 0x3f00_0000,
]);

#[rustfmt::skip]
const DIFFERENCE: [f32; 16] = floats_from_bits([
    0x0000_0000, 0x3ec0_0000, 0x3ef0_0000, 0x3efc_0000, 0x3eff_0000, 0x3eff_c000, 0x3eff_f000, 0x3eff_fc00,
    0x3eff_ff00, 0x3eff_ffc0, 0x3eff_fff0, 0x3eff_fffc, 0x3eff_ffff, 0x3f00_0000, 0x3f00_0000, 0x3f00_0000,
]);

#[rustfmt::skip]
const LOST: [f32; 16] = floats_from_bits([
    0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000,
    0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0xb1cc_cccd, 0xb206_6666, 0xb106_6666, 0x0000_0000,
]);

/// ln(2) minus the nearest float.
const LN_2_REST: f32 = f32::from_bits(0xb102_e308);

/// `4^-n`, or 0 from n = 15 on.
#[rustfmt::skip]
const QUARTERS: [f32; 16] = floats_from_bits([
    0x3f80_0000, 0x3e80_0000, 0x3d80_0000, 0x3c80_0000, 0x3b80_0000, 0x3a80_0000, 0x3980_0000, 0x3880_0000,
    0x3780_0000, 0x3680_0000, 0x3580_0000, 0x3480_0000, 0x3380_0000, 0x3280_0000, 0x3180_0000, 0x0000_0000,
]);

/// 2^-20
const TINY: f32 = f32::from_bits(0x3580_0000);

/// `(e^x - e^-x) / 2`.
///
/// At most 0.9740 ULP (all 2^32 inputs), odd, increasing. sinh(±0) = ±0, sinh(±inf) = ±inf.
#[inline(always)]
pub fn sinh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    let size = x.splat(TINY).greatest(x.splat(90.0).least(a));
    let shifted = size.mul_add(LOG2_E, ROUND);
    let n = shifted - ROUND;
    // r - low = |x| - n ln(2), both exact; t is the rounded difference.
    let r = n.neg_mul_add(LN_2_HIGH, size);
    let low = n * LN_2_LOW;
    let t = r - low;
    let square = t * t;
    let sinh_less_r = (t * square).mul_sub(horner(square, &SINH), low);
    // 2^n (e^r - 4^-n e^-r) / 2. For n = 0 this is sinh(r) alone.
    let index = x.splat(ROUND + 15.0).least(shifted).bits();
    let (sum, difference, lost) =
        (F32::lookup(&SUM, index), F32::lookup(&DIFFERENCE, index), F32::lookup(&LOST, index));
    let rest = (square * difference).mul_add(horner(square, &COSH), sinh_less_r.mul_add(sum, lost));
    let result = (r.mul_add(sum, rest) + difference).scale(n);
    // Below 2^-20 the result is x; products would be subnormal.
    a.bits().lt(x.splat(TINY).bits()).select(x, result.copysign(x))
}

/// `(e^x + e^-x) / 2`.
///
/// At most 0.9741 ULP (all 2^32 inputs), even. cosh(±0) = 1, cosh(±inf) = +inf.
#[inline(always)]
pub fn cosh<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Below 2^-20 the result is 1; squares would be subnormal.
    let x = x.splat(TINY).greatest(x.splat(90.0).least(x.abs()));
    let shifted = x.mul_add(LOG2_E, ROUND);
    let n = shifted - ROUND;
    // r is exact. The error of the float ln(2) is so small that 1.03 + r approximates e^r well enough for its product.
    let r = n.neg_mul_add(LN_2, x);
    let less = r.mul_add(LN_2_REST, 1.03 * LN_2_REST);
    let square = r * r;
    // 2^(n-1) (e^r + k e^-r), with k = 4^-n.
    let k = F32::lookup(&QUARTERS, x.splat(ROUND + 15.0).least(shifted).bits());
    let (sum, difference) = (k + 1.0, x.splat(1.0) - k);
    let odd = (r * difference) * horner(square, &SINH);
    let both = horner(square, &COSH).mul_add(sum, odd);
    let rest = r.mul_add(difference, square.mul_add(both, n.neg_mul_add(less, k)));
    rest.mul_add(0.5, 0.5).scale(n)
}
