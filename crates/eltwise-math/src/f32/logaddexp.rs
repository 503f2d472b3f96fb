//! logaddexp, logaddexp2 of `f32`, in `f64` lanes: `log(e^x + e^y) = m + log(1 + w)`, `m = max(x, y)`,
//! `w = e^-|x - y|`.
//!
//! 1. `w`: reduction in two parts (Cody and Waite 1980), minimax of degree 10, error 2^-51.5.
//! 2. `log(1 + w)`: the series of atanh, `log((1 + z) / (1 - z)) = 2 z + z^3 q(z^2)`, q minimax of degree 6, error
//!    2^-58. For `1 + w` above the square root of 2, `(1 + w) / 2` and log 2.
//! 3. The precision is that of `f64`, because `m` may be negative and cancel with the logarithm. If the result is below
//!    2^-20, the absolute error of 1e-15 is too large, and a rare branch computes it with the functions of `f64`.
//!
//! Largest error: 0.54 ULP over 2^28 pairs. Tables: `tools/coefficients/f32_sums.py`.

use eltwise_simd::WideLanes;

use super::constants::ROUND_WIDE;
use crate::polynomial::horner;
use crate::vector::{F32, F64};

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

/// ln 2: with 40 bits after the binary point, and the remainder.
const LN_2_SPLIT: [f64; 2] = [0.693_147_180_559_208_2, 7.371_002_565_167_799e-13];

/// 2^-20. Smaller results come from cancellation of the larger argument and the logarithm, or both are that small.
const CANCELLED: f64 = f64::from_bits(0x3eb0_0000_0000_0000);

/// A polynomial of degree 8, with even and odd powers in separate chains: half the latency of Horner's rule.
#[inline(always)]
fn even_and_odd<L: WideLanes>(x: F64<L>, square: F64<L>, c: [f64; 9]) -> F64<L> {
    let even = horner(square, &[c[0], c[2], c[4], c[6], c[8]]);
    let odd = horner(square, &[c[1], c[3], c[5], c[7]]);
    odd.mul_add(x, even)
}

/// `unit * log(1 + w)` for w in [0, 1]; `two` is `unit * log(2)`.
#[inline(always)]
fn log_1p<L: WideLanes>(w: F64<L>, unit: f64, two: f64) -> F64<L> {
    // 1 + w above the square root of 2 is divided by 2.
    let large = w.gt(core::f64::consts::SQRT_2 - 1.0);
    let above = large.select(w - 1.0, w);
    let z = above / (w + large.select(3.0, 2.0));
    let square = z * z;
    let r = (z * square).mul_add(horner(square, &LOG), z + z);
    r.mul_add(unit, large.select(two, 0.0))
}

/// 2^n e^r for |r| <= ln(2) / 2, n in the lowest bits of `shifted`.
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
    x.greatest(y) + log_1p(w, 1.0, core::f64::consts::LN_2)
}

#[inline(always)]
fn logaddexp2_wide<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let d = (x - y).abs().least(300.0);
    let shifted = x.splat(ROUND_WIDE) - d;
    let n = shifted - ROUND_WIDE;
    let w = exp_of_parts(shifted, -(d + n) * core::f64::consts::LN_2);
    x.greatest(y) + log_1p(w, core::f64::consts::LOG2_E, 1.0)
}

/// log(e^x + e^y).
///
/// At most 0.54 ULP (2^28 pairs), also around e^x + e^y = 1, where the result is near 0.
///
/// logaddexp(-inf, y) = y, logaddexp(inf, y) = inf. The order of the arguments does not matter.
#[inline(always)]
pub fn logaddexp<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let ([x0, x1], [y0, y1]) = (x.widen(), y.widen());
    let (mut low, mut high) = (logaddexp_wide(x0, y0), logaddexp_wide(x1, y1));
    let (low_cancels, high_cancels) = (low.abs().lt(CANCELLED), high.abs().lt(CANCELLED));
    if (low_cancels | high_cancels).any() {
        low = low_cancels.select(crate::f64::to_narrow::logaddexp(x0, y0), low);
        high = high_cancels.select(crate::f64::to_narrow::logaddexp(x1, y1), high);
    }
    special_values(x, y, F32::narrow([low, high]))
}

/// `sum`, or its special value: the other operand if one is -inf, NaN if one is NaN.
#[inline(always)]
fn special_values<L: WideLanes>(x: F32<L>, y: F32<L>, sum: F32<L>) -> F32<L> {
    // Adding 0 turns -0 to +0: the result is log(e^-0 + 0) = log 1 = +0.
    let (alone, other) = (x + 0.0, y + 0.0);
    let sum = x.eq(f32::NEG_INFINITY).select(other, y.eq(f32::NEG_INFINITY).select(alone, sum));
    (x.is_nan() | y.is_nan()).select(f32::NAN, sum)
}

/// log2(2^x + 2^y).
///
/// Accuracy and special values as [`logaddexp`].
#[inline(always)]
pub fn logaddexp2<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let ([x0, x1], [y0, y1]) = (x.widen(), y.widen());
    let (mut low, mut high) = (logaddexp2_wide(x0, y0), logaddexp2_wide(x1, y1));
    let (low_cancels, high_cancels) = (low.abs().lt(CANCELLED), high.abs().lt(CANCELLED));
    if (low_cancels | high_cancels).any() {
        low = low_cancels.select(crate::f64::to_narrow::logaddexp2(x0, y0), low);
        high = high_cancels.select(crate::f64::to_narrow::logaddexp2(x1, y1), high);
    }
    special_values(x, y, F32::narrow([low, high]))
}
