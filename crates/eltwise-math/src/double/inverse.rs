//! asin, acos, atan, atan2 of `f64`.
//!
//! atan and atan2 take the arc tangent of a quotient z of at most 1/2: of x, of (x - 1) / (x + 1) or of -1 / x, and add π/4 or π/2
//! (fdlibm's reduction, with three ranges for five). The remainder of the division is divided too, so z is a sum of two numbers.
//! asin and acos take the arc sine of x below 1/2, else of √((1 - |x|) / 2) with the root's remainder, and add π/2 or π.
//! The odd polynomial's first term, 1 · z, and the multiple of π/4 are added with their rounding error; the last operation adds a
//! small term to a large one. Coefficients: `tools/coefficients/double_inverse.py`.

use eltwise_simd::WideLanes;

use crate::vector::{F64, horner};

const HALF_PI: f64 = core::f64::consts::FRAC_PI_2;
/// π/2 less `HALF_PI`.
const HALF_PI_TAIL: f64 = f64::from_bits(0x3c91_a626_3314_5c07);

/// (atan z / z - 1) / z² in powers of z², |z| <= 1/2. Error 2^-65.7 of atan.
const ATAN: [f64; 14] = [
    f64::from_bits(0xbfd5_5555_5555_5555), // -0.3333333333333333
    f64::from_bits(0x3fc9_9999_9999_98ac), // 0.1999999999999934
    f64::from_bits(0xbfc2_4924_9248_b0a7), // -0.1428571428563192
    f64::from_bits(0x3fbc_71c7_1c38_88c3), // 0.1111111110590484
    f64::from_bits(0xbfb7_45d1_6bf7_72a4), // -0.0909090889540019
    f64::from_bits(0x3fb3_b13a_4705_43bb), // 0.07692302926922327
    f64::from_bits(0xbfb1_1103_b87d_b5a6), // -0.06666587118316744
    f64::from_bits(0x3fae_1ce2_a2c1_8ba9), // 0.05881412731903108
    f64::from_bits(0xbfaa_e802_86c0_23b2), // -0.0525513448229228
    f64::from_bits(0x3fa8_2025_6f2c_490b), // 0.0471202562531677
    f64::from_bits(0xbfa5_1ac4_0de7_f2d6), // -0.04121983213187767
    f64::from_bits(0x3fa0_b337_be54_8639), // 0.032617322906173425
    f64::from_bits(0xbf94_5d83_6fac_7fda), // -0.019887975398091708
    f64::from_bits(0x3f7b_11a7_fad3_19d2), // 0.006608635111837251
];
/// (asin z / z - 1) / z² in powers of z², |z| <= 1/2. Error 2^-59.9 of asin.
const ASIN: [f64; 13] = [
    f64::from_bits(0x3fc5_5555_5555_5577), // 0.1666666666666676
    f64::from_bits(0x3fb3_3333_3332_e131), // 0.07499999999970865
    f64::from_bits(0x3fa6_db6d_b721_267c), // 0.04464285717456293
    f64::from_bits(0x3f9f_1c71_a94f_30ec), // 0.03038194270975307
    f64::from_bits(0x3f96_e8bd_ee03_a760), // 0.022372214939344715
    f64::from_bits(0x3f91_c49f_05d5_2dfe), // 0.01735161278820207
    f64::from_bits(0x3f8c_a1f8_d640_8cc4), // 0.013980812109429037
    f64::from_bits(0x3f87_5858_a15b_5d87), // 0.01139897577688377
    f64::from_bits(0x3f86_13c8_99f8_e522), // 0.010779921721324973
    f64::from_bits(0x3f6e_5f5b_d953_aa72), // 0.0037075799869986043
    f64::from_bits(0x3f96_39c5_d58c_7b99), // 0.02170476070306968
    f64::from_bits(0xbf95_7fd5_6891_089c), // -0.02099545908664223
    f64::from_bits(0x3fa0_b46a_edbd_3fe8), // 0.03262647773829014
];

/// quarters π/2 + factor (z + correction), with a factor of 1, 2, -1 or -2: products with it and with quarters are exact.
#[inline(always)]
fn from_half_pi<L: WideLanes>(quarters: F64<L>, factor: F64<L>, z: F64<L>, correction: F64<L>) -> F64<L> {
    let turn = quarters * HALF_PI;
    let sum = factor.mul_add(z, turn);
    let error = factor.mul_add(z, turn - sum);
    sum.plus_sticky(error + factor.mul_add(correction, quarters * HALF_PI_TAIL))
}

/// quarters π/2 + factor atan(a / (b + b_low)), a quotient of at most 1/2.
#[inline(always)]
fn of_quotient<L: WideLanes>(a: F64<L>, b: F64<L>, b_low: F64<L>, quarters: F64<L>, factor: F64<L>) -> F64<L> {
    let inverse = b.splat(1.0) / b;
    let z = a * inverse;
    let low = z.neg_mul_add(b_low, z.neg_mul_add(b, a)) * inverse;
    let u = z * z;
    // The derivative, 1 / (1 + u), is 1 - u to what a rounding error needs.
    let correction = (z * u).mul_add(horner(u, &ATAN), u.neg_mul_add(low, low));
    from_half_pi(quarters, factor, z, correction)
}

/// atan x.
///
/// Within 0.69 ULP as measured on 2^24 numbers in each of several ranges and on bit patterns. atan(±0) = ±0, atan(±∞) = ±π/2 rounded.
#[inline(always)]
pub fn atan<L: WideLanes>(x: F64<L>) -> F64<L> {
    let one = x.splat(1.0);
    // From 2^60 on the arc tangent does not change; NaN stays.
    let y = x.splat(2f64.powi(60)).least(x.abs());
    let large = y.gt(2.4375);
    let middle = y.ge(0.5);
    let sum = y + 1.0;
    let a = large.select(-one, middle.select(y - 1.0, y));
    let b = large.select(y, middle.select(sum, one));
    let b_low = (middle & !large).select(y - (sum - 1.0), 0.0);
    let quarters = large.select(one, middle.select(0.5, x.splat(0.0)));
    of_quotient(a, b, b_low, quarters, one).copysign(x)
}

/// atan2(y, x), the angle of the point (x, y).
///
/// Within 0.70 ULP as measured on 2^24 points in each of several ranges and on bit patterns, 0.75 where the result is below 2^-1020.
/// The result has the sign of y, also of zeros. atan2(±0, x) = ±0 for x > 0 and x = +0, ±π for x < 0 and x = -0;
/// atan2(y, ±0) = ±π/2 for y ≠ 0; atan2(±∞, ±∞) = ±π/4 and ±3π/4; results below the smallest normal number are rounded to
/// subnormal ones.
#[inline(always)]
pub fn atan2<L: WideLanes>(y: F64<L>, x: F64<L>) -> F64<L> {
    let (one, sign) = (x.splat(1.0), x.int(i64::MIN));
    let (across, up) = (x.abs(), y.abs());
    let steep = up.gt(across);
    // a <= b, but for NaN.
    let mut a = steep.select(across, up);
    let mut b = steep.select(up, across);
    let usual = b.lt(2f64.powi(900)) & a.ge(2f64.powi(-900));
    if (!usual).any() {
        let infinite = b.eq(f64::INFINITY);
        a = infinite.select(a.eq(f64::INFINITY).select(one, a * 0.0), a);
        b = (infinite | b.eq(0.0)).select(one, b);
        let small = a.lt(2f64.powi(-900)) & b.lt(2f64.powi(100));
        let scale = small.select(2f64.powi(200), b.gt(2f64.powi(900)).select(2f64.powi(-100), one));
        a = a * scale;
        b = b * scale;
    }
    let middle = (a + a).ge(b);
    let sum = a + b;
    let b_low = middle.select(a - (sum - b), 0.0);
    let first = middle.select(x.splat(0.5), 0.0);
    let second = steep.select(one - first, first);
    let quarters = (x.bits() & sign).eq(sign).select(x.splat(2.0) - second, second);
    let factor = one.xor_sign((steep.select_bits(sign, x.int(0)) ^ x.bits()) & sign);
    of_quotient(middle.select(a - b, a), middle.select(sum, b), b_low, quarters, factor).copysign(y)
}

/// The z whose arc sine asin and acos take, and asin z - z.
#[inline(always)]
fn arc_sine<L: WideLanes>(x: F64<L>, large: crate::Mask<f64, L>) -> (F64<L>, F64<L>) {
    let w = (x.splat(1.0) - x) * 0.5;
    let root = w.sqrt();
    // 1 / (2 √w) to 5 bits, all that the root's rounding error is worth.
    let inverse = (x.int(0x5fd6_eb50_c7b5_37a9) - (w.bits() >> 1)).float();
    let low = root.neg_mul_add(root, w) * inverse;
    let z = large.select(root, x);
    let u = large.select(w, x * x);
    (z, (z * u).mul_add(horner(u, &ASIN), large.select(low, 0.0)))
}

/// asin x.
///
/// Within 0.64 ULP as measured on 2^24 numbers in each of several ranges and on bit patterns. asin(±0) = ±0, asin(x) = NaN for |x| > 1.
#[inline(always)]
pub fn asin<L: WideLanes>(x: F64<L>) -> F64<L> {
    let y = x.abs();
    let large = y.ge(0.5);
    let (z, correction) = arc_sine(y, large);
    let one = x.splat(1.0);
    from_half_pi(large.select(one, 0.0), large.select(-2.0, one), z, correction).copysign(x)
}

/// acos x.
///
/// Within 0.62 ULP as measured on 2^24 numbers in each of several ranges and on bit patterns. acos(1) = +0, acos(x) = NaN for |x| > 1.
#[inline(always)]
pub fn acos<L: WideLanes>(x: F64<L>) -> F64<L> {
    let y = x.abs();
    let large = y.ge(0.5);
    let (z, correction) = arc_sine(y, large);
    let sign = x.bits() & x.int(i64::MIN);
    let far = x.lt(0.0).select(x.splat(2.0), 0.0);
    let quarters = large.select(far, 1.0);
    let factor = large.select(x.splat(2.0), -1.0).xor_sign(sign);
    from_half_pi(quarters, factor, z, correction)
}
