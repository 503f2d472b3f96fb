//! asinh, acosh, atanh of `f32`, in `f64` lanes.
//!
//! asinh(x) = log(x + (x^2 + 1)^(1/2)) for x >= 2^-7, two terms of its series below, and acosh(x) = log(x + (t (t + 2))^(1/2)) with
//! t = x - 1, which is exact: 53 bits are enough for the sums. The square root is a seed from halved bits, one step of the binomial
//! series and one of Newton; the logarithm of 2^e (1 + f) has a minimax polynomial (Remez). atanh is half the logarithm of
//! (1 + x) / (1 - x), which is e log(2) / 2 + atanh(z) with z = ((1 + x) - 2^e (1 - x)) / ((1 + x) + 2^e (1 - x)), 2^e near the
//! quotient; for e = 0, z = x. The division by the denominator, which is near 2, is again a seed and a series.
//!
//! Largest error of all 2^32 inputs: 0.58 ULP.
//!
//! Coefficients: `tools/coefficients/single_inverse_hyperbolic.py`.

use eltwise_simd::WideLanes;

use crate::vector::{F32, F64, horner};

/// (1 - h)^(-1/2) = 1 + h p(h) for |h| < 0.0684, error 2^-19.9: SQRT of `tools/coefficients/single_power.py`.
const RSQRT: [f64; 3] = [0.499_997_764_825_820_9, 0.376_062_542_200_088_5, 0.314_135_730_266_571_04];
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
/// log(1 + f) = f + f^2 q(f) for 1 + f between the roots of 1/2 and 2, error 2^-27.8.
const LN: [f64; 9] = [
    f64::from_bits(0xbfdf_ffff_8b94_b0f3), // -0.49999989157619423
    f64::from_bits(0x3fd5_5554_4877_2eb2), // 0.33333308293070296
    f64::from_bits(0xbfd0_003f_d6bc_05b0), // -0.2500152203575352
    f64::from_bits(0x3fc9_9a96_9093_06ac), // 0.20003015574734684
    f64::from_bits(0xbfc5_4324_4eb0_d539), // -0.1661115059120364
    f64::from_bits(0x3fc2_2115_f0c4_a5a2), // 0.14163469558961334
    f64::from_bits(0xbfc0_e841_f124_6203), // -0.13208793901937108
    f64::from_bits(0x3fc0_a56c_3124_ca74), // 0.1300482978782217
    f64::from_bits(0xbfb4_0721_3331_55cb), // -0.07823379039594795
];
/// The bits that make the ranges of h symmetric around 0.
const RSQRT_SEED: i64 = 0x5fe6_e8ea_6000_0000;
const RECIPROCAL_SEED: i64 = 0x7fde_6238_6000_0000;
/// 1.0 and the root of 1/2 as bits.
const ONE: i64 = 0x3ff0_0000_0000_0000;
const ROOT_OF_HALF: i64 = 0x3fe6_a09e_667f_3bcd;
const SIGN: i64 = i64::MIN;
const EXPONENT: i64 = 0x7ff0_0000_0000_0000;
/// 2^52 as bits: the integer in the lower bits becomes a number above 2^52.
const TWO_52: i64 = 0x4330_0000_0000_0000;
/// 2^52 and the bias of the exponent.
const BIASED: f64 = 4_503_599_627_370_496.0 + 1023.0;

/// The square root of s = 0 and of normal s, relative error 2^-39.
#[inline(always)]
fn root<L: WideLanes>(s: F64<L>) -> F64<L> {
    let y = (s.int(RSQRT_SEED) - (s.bits() >> 1)).float();
    let h = (s * y).neg_mul_add(y, 1.0);
    let y = (y * h).mul_add(horner(h, &RSQRT), y);
    let r = s * y;
    r.neg_mul_add(r, s).mul_add(y * 0.5, r)
}

/// A polynomial of degree 8, even and odd powers apart: half the latency of Horner's rule.
#[inline(always)]
pub(super) fn even_and_odd<L: WideLanes>(x: F64<L>, square: F64<L>, c: [f64; 9]) -> F64<L> {
    let even = horner(square, &[c[0], c[2], c[4], c[6], c[8]]);
    let odd = horner(square, &[c[1], c[3], c[5], c[7]]);
    odd.mul_add(x, even)
}

/// log x for x >= 1, relative to x - 1 within 2^-53 / (x - 1).
#[inline(always)]
fn log<L: WideLanes>(x: F64<L>) -> F64<L> {
    let bits = x.bits();
    let shifted = bits + bits.splat(ONE - ROOT_OF_HALF);
    let e = ((shifted >> 52) | bits.splat(TWO_52)).float() - BIASED;
    let f = ((shifted & bits.splat(!(SIGN | EXPONENT))) + bits.splat(ROOT_OF_HALF)).float() - 1.0;
    let square = f * f;
    let r = e.mul_add(core::f64::consts::LN_2, f);
    square.mul_add(even_and_odd(f, square, LN), r)
}

#[inline(always)]
fn asinh_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    let square = x * x;
    let r = log(x + root(square + 1.0));
    // Below 2^-7 the sum's error counts, and two terms do.
    x.lt(0.007_812_5).select((x * square).mul_add(-1.0 / 6.0, x), r)
}

/// The inverse of sinh, log(x + (x^2 + 1)^(1/2)).
///
/// At most 0.58 ULP (all 2^32 inputs; 0.09 % are not correctly rounded).
///
/// Odd. asinh(+-0) = +-0, asinh(+-inf) = +-inf.
#[inline(always)]
pub fn asinh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    let [low, high] = a.widen();
    let r = F32::narrow([asinh_wide(low), asinh_wide(high)]);
    a.lt(f32::INFINITY).select(r, a).copysign(x)
}

#[inline(always)]
fn acosh_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    let t = x - 1.0;
    log(x + root(t * (t + 2.0)))
}

/// The inverse of cosh, log(x + (x^2 - 1)^(1/2)).
///
/// At most 0.58 ULP (all 2^32 inputs; 0.008 % are not correctly rounded).
///
/// acosh(1) = +0, acosh(x < 1) = NaN, acosh(inf) = inf.
#[inline(always)]
pub fn acosh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.widen();
    let r = F32::narrow([acosh_wide(low), acosh_wide(high)]);
    let r = x.lt(f32::INFINITY).select(r, x);
    x.lt(1.0).select(f32::NAN, r)
}

/// e and 2^e within a factor of 1.502 of n / d, from the difference of their bits, which is near that of their logarithms.
#[inline(always)]
pub(super) fn nearest_power<L: WideLanes>(n: F64<L>, d: F64<L>) -> (F64<L>, F64<L>) {
    let shifted = n.bits() - d.bits() + n.int(ONE + (1 << 51));
    let e = ((shifted >> 52) | shifted.splat(TWO_52)).float() - BIASED;
    (e, (shifted & shifted.splat(EXPONENT)).float())
}

/// atanh(above / below) for quotients within 0.2007.
#[inline(always)]
pub(super) fn atanh_of_quotient<L: WideLanes>(above: F64<L>, below: F64<L>) -> F64<L> {
    let y = (below.int(RECIPROCAL_SEED) - below.bits()).float();
    let h = below.neg_mul_add(y, 1.0);
    let z = above * y;
    let z = (z * h).mul_add(horner(h, &RECIPROCAL), z);
    let square = z * z;
    (z * square).mul_add(horner(square, &ATANH), z)
}

#[inline(always)]
fn atanh_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    let (e, power) = nearest_power(x + 1.0, x.splat(1.0) - x);
    let (more, less) = (power + 1.0, x.splat(1.0) - power);
    let r = atanh_of_quotient(x.mul_add(more, less), x.mul_add(less, more));
    e.mul_add(0.5 * core::f64::consts::LN_2, r)
}

/// The inverse of tanh, log((1 + x) / (1 - x)) / 2.
///
/// At most 0.51 ULP (all 2^32 inputs; 0.02 % are not correctly rounded).
///
/// Odd. atanh(+-0) = +-0, atanh(+-1) = +-inf, atanh(|x| > 1) = NaN.
#[inline(always)]
pub fn atanh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    let [low, high] = a.widen();
    let r = F32::narrow([atanh_wide(low), atanh_wide(high)]);
    let r = a.lt(1.0).select(r, a.eq(1.0).select(f32::INFINITY, f32::NAN));
    r.copysign(x)
}
