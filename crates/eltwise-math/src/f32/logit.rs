//! logit of `f32`, in `f64` lanes: `log(x / (1 - x)) = e log 2 + 2 atanh(z)`.
//!
//! 1. Reduction: `2^e` is within a factor of 1.502 of `x / (1 - x)`, by the difference of the bits;
//!    `z = (x - 2^e (1 - x)) / (x + 2^e (1 - x))`. The numerator is exact where it vanishes, at 1/2.
//! 2. Division: a reciprocal from the bits of the denominator and a polynomial in its error h, error 2^-30.5.
//! 3. `atanh(z) = z + z^3 p(z^2)`, minimax, error 2^-35.
//!
//! Tables: `tools/coefficients/f32_sums.py`.

use eltwise_simd::WideLanes;

use crate::polynomial::horner;
use crate::vector::{F32, F64};

/// 1 / (1 - h) = 1 + h p(h) for |h| < 0.0508, error 2^-30.5.
const RECIPROCAL: [f64; 5] = [
    f64::from_bits(0x3ff0_0000_00a8_c299), // 1.0000000024557834
    f64::from_bits(0x3fef_fff9_fdf8_75b9), // 0.9999971351968987
    f64::from_bits(0x3fef_fff1_0a26_8334), // 0.9999928663492939
    f64::from_bits(0x3ff0_0eb9_6f49_2d35), // 1.0035948130706178
    f64::from_bits(0x3ff0_1467_d82a_4301), // 1.0049818462322835
];

/// atanh(z) = z + z^3 p(z^2) for |z| < 0.2007, error 2^-35.
const ATANH: [f64; 4] = [
    f64::from_bits(0x3fd5_5555_4192_1114), // 0.3333333149278286
    f64::from_bits(0x3fc9_99be_8b13_85fc), // 0.2000044039805714
    f64::from_bits(0x3fc2_3e71_8e91_8b31), // 0.14253062688211451
    f64::from_bits(0x3fbe_dd79_29c2_d0ee), // 0.12056691426807095
];

/// The integer from which the bits of d are subtracted for the bits of about 1 / d, with errors h of either sign.
const RECIPROCAL_SEED: i64 = 0x7fde_6238_6000_0000;

/// The bits of 1.0.
const ONE: i64 = 0x3ff0_0000_0000_0000;

const EXPONENT: i64 = 0x7ff0_0000_0000_0000;

/// The bits of 2^52. Or-ed to an integer below 2^52, they make the float `2^52 + integer`.
const TWO_52: i64 = 0x4330_0000_0000_0000;

/// 2^52 plus the bias of the exponent.
const BIASED: f64 = 4_503_599_627_370_496.0 + 1023.0;

/// `(e, 2^e)`, 2^e within a factor of 1.502 of n / d: the difference of the bits approximates the difference of the
/// logarithms.
#[inline(always)]
fn nearest_power<L: WideLanes>(n: F64<L>, d: F64<L>) -> (F64<L>, F64<L>) {
    let shifted = n.bits() - d.bits() + n.int(ONE + (1 << 51));
    let e = ((shifted >> 52) | shifted.splat(TWO_52)).float() - BIASED;
    (e, (shifted & shifted.splat(EXPONENT)).float())
}

/// atanh(numerator / denominator) for quotients below 0.2007 in magnitude.
#[inline(always)]
fn atanh_of_quotient<L: WideLanes>(numerator: F64<L>, denominator: F64<L>) -> F64<L> {
    let y = (denominator.int(RECIPROCAL_SEED) - denominator.bits()).float();
    let h = denominator.neg_mul_add(y, 1.0);
    let z = numerator * y;
    let z = (z * h).mul_add(horner(h, &RECIPROCAL), z);
    let square = z * z;
    (z * square).mul_add(horner(square, &ATANH), z)
}

#[inline(always)]
fn logit_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    let (e, power) = nearest_power(x, x.splat(1.0) - x);
    let numerator = x.mul_add(power + 1.0, -power);
    let denominator = x.mul_add(x.splat(1.0) - power, power);
    let r = atanh_of_quotient(numerator, denominator);
    e.mul_add(core::f64::consts::LN_2, r + r)
}

/// log(x / (1 - x)), the inverse of sigmoid.
///
/// At most 0.51 ULP (all 2^32 inputs; 0.002 % are not correctly rounded).
///
/// logit(±0) = -inf, logit(1) = inf, logit(1/2) = +0, NaN outside [0, 1].
#[inline(always)]
pub fn logit<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.widen();
    let r = F32::narrow([logit_wide(low), logit_wide(high)]);
    let end = x.eq(0.0).select(f32::NEG_INFINITY, x.eq(1.0).select(f32::INFINITY, f32::NAN));
    (x.gt(0.0) & x.lt(1.0)).select(r, end)
}
