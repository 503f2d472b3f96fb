//! logaddexp, logaddexp2, logit of `f32`, in `f64` lanes.
//!
//! log(e^x + e^y) = max + log(1 + e^-|x - y|), with an exponential and a logarithm of `f64` accuracy (Cody and Waite 1980 for the
//! reduction, atanh's series for the logarithm), because the sum of a negative maximum and the logarithm may cancel.
//! logit(x) = log(x / (1 - x)) = e log 2 + 2 atanh(z) with z = (x - 2^e (1 - x)) / (x + 2^e (1 - x)), 2^e near the quotient: exact
//! where it vanishes, at 1/2. The division by the denominator is a seed from its bits and a series.
//!
//! Largest errors: logit 0.51 ULP of all 2^32 inputs; logaddexp and logaddexp2 0.54 ULP of 2^28 pairs. Where they cancel to less than 2^-20,
//! the absolute error of 1e-15 would be too much, and the results are those of the functions of `f64`.
//!
//! Coefficients: `tools/coefficients/single_sums.py`.

use eltwise_simd::WideLanes;

use super::exponential::ROUND_WIDE;
use crate::double;
use crate::vector::{F32, F64, horner};

/// e^r = 1 + r + r^2 q(r) for |r| <= ln(2) / 2, error 2^-51.5.
const EXP: [f64; 9] = [
    f64::from_bits(0x3fe0_0000_0000_000d), // 0.5000000000000014
    f64::from_bits(0x3fc5_5555_5555_07ca), // 0.16666666666611568
    f64::from_bits(0x3fa5_5555_5554_ef66), // 0.041666666666485594
    f64::from_bits(0x3f81_1111_125b_c50e), // 0.00833333337092992
    f64::from_bits(0x3f56_c16c_189e_2987), // 0.0013888888956637717
    f64::from_bits(0x3f2a_0198_d29e_5a59), // 0.00019841185104204037
    f64::from_bits(0x3efa_0198_a9a6_f4bd), // 2.4801479051585142e-05
    f64::from_bits(0x3ec7_2e95_75ad_d4c2), // 2.7635059444650358e-06
    f64::from_bits(0x3e92_8bb6_6918_2f67), // 2.7635324170780367e-07
];
/// log((1 + z) / (1 - z)) = 2 z + z^3 q(z^2) for 1 + z over 1 - z up to the root of 2, error 2^-58.
const LOG: [f64; 7] = [
    f64::from_bits(0x3fe5_5555_5555_5592), // 0.6666666666666734
    f64::from_bits(0x3fd9_9999_9997_fdde), // 0.3999999999941489
    f64::from_bits(0x3fd2_4924_941e_f5a5), // 0.2857142874234689
    f64::from_bits(0x3fcc_71c5_20aa_0227), // 0.2222219857685712
    f64::from_bits(0x3fc7_4663_ead5_aaf6), // 0.18183564154181625
    f64::from_bits(0x3fc3_9a1c_020b_35ad), // 0.15314054584307027
    f64::from_bits(0x3fc2_f053_1404_01e3), // 0.14795912244154782
];
/// ln 2: 40 bits after the point, and the rest.
const LN_2_SPLIT: [f64; 2] = [0.693_147_180_559_208_2, 7.371_002_565_167_799e-13];
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
/// 2^-20: results are less in magnitude where the larger argument and the logarithm cancel, or both are as small.
const CANCELLED: f64 = f64::from_bits(0x3eb0_0000_0000_0000);
/// The bits that make the range of h symmetric around 0.
const RECIPROCAL_SEED: i64 = 0x7fde_6238_6000_0000;
/// 1.0 as bits.
const ONE: i64 = 0x3ff0_0000_0000_0000;
const EXPONENT: i64 = 0x7ff0_0000_0000_0000;
/// 2^52 as bits: the integer in the lower bits becomes a number above 2^52.
const TWO_52: i64 = 0x4330_0000_0000_0000;
/// 2^52 and the bias of the exponent.
const BIASED: f64 = 4_503_599_627_370_496.0 + 1023.0;

/// A polynomial of degree 8, even and odd powers apart: half the latency of Horner's rule.
#[inline(always)]
fn even_and_odd<L: WideLanes>(x: F64<L>, square: F64<L>, c: [f64; 9]) -> F64<L> {
    let even = horner(square, &[c[0], c[2], c[4], c[6], c[8]]);
    let odd = horner(square, &[c[1], c[3], c[5], c[7]]);
    odd.mul_add(x, even)
}

/// log(1 + w) times `unit` for w in [0, 1]; `two` is log(2) times `unit`.
#[inline(always)]
fn log_of_one_and<L: WideLanes>(w: F64<L>, unit: f64, two: f64) -> F64<L> {
    // 1 + w beyond the root of 2 is divided by 2.
    let large = w.gt(core::f64::consts::SQRT_2 - 1.0);
    let above = large.select(w - 1.0, w);
    let z = above / (w + large.select(3.0, 2.0));
    let square = z * z;
    let r = (z * square).mul_add(horner(square, &LOG), z + z);
    r.mul_add(unit, large.select(two, 0.0))
}

/// 2^n e^r for |r| <= ln(2) / 2 and n in the lower bits of `shifted`.
#[inline(always)]
fn exp_of_parts<L: WideLanes>(shifted: F64<L>, r: F64<L>) -> F64<L> {
    let square = r * r;
    let p = square.mul_add(even_and_odd(r, square, EXP), r) + 1.0;
    (p.bits() + (shifted.bits() << 52)).float()
}

#[inline(always)]
fn logaddexp_wide<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let d = (x - y).abs().least(300.0);
    let shifted = d.mul_add(-core::f64::consts::LOG2_E, ROUND_WIDE);
    let n = shifted - ROUND_WIDE;
    let r = n.mul_add(-LN_2_SPLIT[0], -d);
    let w = exp_of_parts(shifted, n.mul_add(-LN_2_SPLIT[1], r));
    x.greatest(y) + log_of_one_and(w, 1.0, core::f64::consts::LN_2)
}

#[inline(always)]
fn logaddexp2_wide<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let d = (x - y).abs().least(300.0);
    let shifted = x.splat(ROUND_WIDE) - d;
    let n = shifted - ROUND_WIDE;
    let w = exp_of_parts(shifted, -(d + n) * core::f64::consts::LN_2);
    x.greatest(y) + log_of_one_and(w, core::f64::consts::LOG2_E, 1.0)
}

/// log(e^x + e^y) = max + log(1 + e^-|x - y|).
///
/// At most 0.54 ULP (2^28 pairs), also around e^x + e^y = 1, where the result is near 0.
///
/// logaddexp(-inf, y) = y, logaddexp(inf, y) = inf. The order of the arguments does not matter.
#[inline(always)]
pub fn logaddexp<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let ([x0, x1], [y0, y1]) = (x.widen(), y.widen());
    let (mut low, mut high) = (logaddexp_wide(x0, y0), logaddexp_wide(x1, y1));
    let (near, also) = (low.abs().lt(CANCELLED), high.abs().lt(CANCELLED));
    if (near | also).any() {
        low = near.select(double::to_narrow::logaddexp(x0, y0), low);
        high = also.select(double::to_narrow::logaddexp(x1, y1), high);
    }
    of_both(x, y, F32::narrow([low, high]))
}

/// The sum, where both count: a number beside -inf stays as it is, NaN stays NaN.
#[inline(always)]
fn of_both<L: WideLanes>(x: F32<L>, y: F32<L>, sum: F32<L>) -> F32<L> {
    // log 1 is +0, also of -0 and -inf.
    let (alone, other) = (x + 0.0, y + 0.0);
    let sum = x.eq(f32::NEG_INFINITY).select(other, y.eq(f32::NEG_INFINITY).select(alone, sum));
    (x.is_nan() | y.is_nan()).select(f32::NAN, sum)
}

/// log2(2^x + 2^y) = max + log2(1 + 2^-|x - y|).
///
/// Accuracy and special values as [`logaddexp`].
#[inline(always)]
pub fn logaddexp2<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let ([x0, x1], [y0, y1]) = (x.widen(), y.widen());
    let (mut low, mut high) = (logaddexp2_wide(x0, y0), logaddexp2_wide(x1, y1));
    let (near, also) = (low.abs().lt(CANCELLED), high.abs().lt(CANCELLED));
    if (near | also).any() {
        low = near.select(double::to_narrow::logaddexp2(x0, y0), low);
        high = also.select(double::to_narrow::logaddexp2(x1, y1), high);
    }
    of_both(x, y, F32::narrow([low, high]))
}

/// e and 2^e within a factor of 1.502 of n / d, from the difference of their bits, which is near that of their logarithms.
#[inline(always)]
fn nearest_power<L: WideLanes>(n: F64<L>, d: F64<L>) -> (F64<L>, F64<L>) {
    let shifted = n.bits() - d.bits() + n.int(ONE + (1 << 51));
    let e = ((shifted >> 52) | shifted.splat(TWO_52)).float() - BIASED;
    (e, (shifted & shifted.splat(EXPONENT)).float())
}

/// atanh(above / below) for quotients within 0.2007.
#[inline(always)]
fn atanh_of_quotient<L: WideLanes>(above: F64<L>, below: F64<L>) -> F64<L> {
    let y = (below.int(RECIPROCAL_SEED) - below.bits()).float();
    let h = below.neg_mul_add(y, 1.0);
    let z = above * y;
    let z = (z * h).mul_add(horner(h, &RECIPROCAL), z);
    let square = z * z;
    (z * square).mul_add(horner(square, &ATANH), z)
}

#[inline(always)]
fn logit_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    let (e, power) = nearest_power(x, x.splat(1.0) - x);
    let above = x.mul_add(power + 1.0, -power);
    let below = x.mul_add(x.splat(1.0) - power, power);
    let r = atanh_of_quotient(above, below);
    e.mul_add(core::f64::consts::LN_2, r + r)
}

/// log(x / (1 - x)), the inverse of sigmoid.
///
/// At most 0.51 ULP (all 2^32 inputs; 0.002 % are not correctly rounded).
///
/// logit(+-0) = -inf, logit(1) = inf, logit(1/2) = +0, NaN outside [0, 1].
#[inline(always)]
pub fn logit<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [low, high] = x.widen();
    let r = F32::narrow([logit_wide(low), logit_wide(high)]);
    let end = x.eq(0.0).select(f32::NEG_INFINITY, x.eq(1.0).select(f32::INFINITY, f32::NAN));
    (x.gt(0.0) & x.lt(1.0)).select(r, end)
}
