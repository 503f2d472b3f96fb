//! gelu of `f32`: `x Phi(x)`, Phi the distribution function of the normal distribution. With `Q(a) = Phi(-a)`, Phi is
//! `Q(|x|)` for negative x and `1 - Q(|x|)` for others.
//!
//! 1. |x| < 3.5: `Q(c + r) = Q(c) + r p(r)`, for 16 intervals of |x| with centres c, p of degree 4 (Tang 1989, "Table-driven
//!    implementation of the exponential function in IEEE floating-point arithmetic"). The intervals are about as wide as
//!    the polynomials allow, narrower for larger |x|. The centres are such that Q there is almost exactly a multiple of
//!    2^-24, so that `1 - Q(c)` is exact too and needs no low part (Gal and Bachelis 1991, "An accurate elementary
//!    mathematical library for the IEEE floating point standard").
//! 2. Phi is a sum of two floats, and the product with x is rounded once.
//! 3. Above, in a rare branch: `max(x, 0) - |x| Phi(-|x|)`, `|x| Phi(-|x|) = exp(-x^2/2) q(1/x^2)`, minimax of degree 7
//!    in 1/x^2, in `f64` lanes. x^2 is exact there.
//!
//! Largest error over all 2^32 inputs: 0.9823 ULP. Tables: `tools/coefficients/f32_gelu.py`.

use eltwise_simd::WideLanes;

use super::constants::{ROUND, floats_from_bits};
use super::erf::exp2_wide;
use crate::polynomial::horner;
use crate::vector::{F32, F64};

/// The interval of a is the integer nearest to `a (INTERVALS[0] a + INTERVALS[1])`.
const INTERVALS: [f32; 2] = [0.522, 2.6];

/// The end of the last interval.
const FAR_FROM: f32 = 3.5;

/// The centres of the intervals, `Q` at the centres, and the coefficients of p, the constants first. Error 2^-26.58
/// relative to Q.
#[rustfmt::skip]
const NEAR: [[f32; 16]; 7] = [
    floats_from_bits([
        0x0000_0000, 0x3ec1_7bfb, 0x3f31_da5b, 0x3f7b_9e62, 0x3f9f_dd9a, 0x3fbf_a6cd, 0x3fdd_9298, 0x3ff9_e820,
        0x400a_7d28, 0x4017_6601, 0x4023_c29b, 0x402f_88d4, 0x403a_ddc3, 0x4046_5251, 0x4051_3204, 0x405d_76cc,
    ]),
    floats_from_bits([
        0x3f00_0000, 0x3eb4_9c04, 0x3e79_74d4, 0x3e26_bd68, 0x3dd8_c380, 0x3d89_8b70, 0x3d2a_e560, 0x3cd0_7340,
        0x3c79_a240, 0x3c13_7680, 0x3bac_1c80, 0x3b47_a900, 0x3ae5_8e00, 0x3a7e_b400, 0x3a0d_a000, 0x398d_6800,
    ]),
    floats_from_bits([
        0xbecc_4229, 0xbebe_2ea2, 0xbea0_7636, 0xbe7c_04aa, 0xbe3b_4735, 0xbe05_2b0d, 0xbdb6_a01d, 0xbd72_f611,
        0xbd1d_3744, 0xbcc7_206d, 0xbc77_868f, 0xbc17_febd, 0xbbb8_23d5, 0xbb56_e8c2, 0xbafa_3e79, 0xba83_4c14,
    ]),
    floats_from_bits([
        0xb58e_04aa, 0x3d8f_bcdb, 0x3dde_f4cb, 0x3df7_b454, 0x3de9_e6a8, 0x3dc7_63c9, 0x3d9e_10d9, 0x3d6d_2db5,
        0x3d2a_1956, 0x3ceb_86fc, 0x3c9e_56de, 0x3c50_70c1, 0x3c06_6989, 0x3ba6_7d1d, 0x3b4c_7dd5, 0x3ae3_2b4c,
    ]),
    floats_from_bits([
        0x3d88_363b, 0x3d59_65ed, 0x3cdd_6e19, 0x3ab7_113a, 0xbc8b_c9b0, 0xbcdc_839d, 0xbcf3_14ed, 0xbce3_bbe9,
        0xbcc0_fd88, 0xbc98_8a22, 0xbc64_d9f5, 0xbc25_3c90, 0xbbe6_f2c2, 0xbb9a_0e66, 0xbb49_f257, 0xbaf0_2275,
    ]),
    floats_from_bits([
        0xb918_31e0, 0xbc88_23aa, 0xbcba_4b7b, 0xbca7_860f, 0xbc60_63ba, 0xbbc9_ccfe, 0xb839_e6c4, 0x3b7f_7387,
        0x3bbe_6473, 0x3bcb_8930, 0x3bbb_12ab, 0x3b9d_170e, 0x3b77_9a66, 0x3b37_4556, 0x3b03_0de9, 0x3aa9_bb41,
    ]),
    floats_from_bits([
        0xbc1c_a53b, 0xbbe5_ea5b, 0xbaa3_96b4, 0x3b67_99f4, 0x3bc0_3ea2, 0x3bc4_9f13, 0x3b95_2b3a, 0x3b34_4e0c,
        0x3a97_f86e, 0xb88f_69eb, 0xba4e_a0f7, 0xba8e_d928, 0xba95_f0f9, 0xba89_4ee8, 0xba61_15c0, 0xba2c_d804,
    ]),
];

/// `x Phi(-x) exp(x^2/2)` of `1/x^2`, for 12.25 <= x^2 <= 212. Relative error 2^-29.21.
const FAR: [f64; 8] = [
    f64::from_bits(0x3fd9_8845_1f2f_8377), // 0.39894226117581105
    f64::from_bits(0xbfd9_8822_9b2c_828c), // -0.39893403199861477
    f64::from_bits(0x3ff3_20cd_1aaa_b753), // 1.1955081025766574
    f64::from_bits(0xc017_82a9_1612_98c7), // -5.877598137745912
    f64::from_bits(0x4042_7198_8d6b_3d2a), // 36.88746803032184
    f64::from_bits(0xc06c_6c6c_1338_4024), // -227.38819275843082
    f64::from_bits(0x4090_0906_91fb_7ed0), // 1026.2564162536764
    f64::from_bits(0xc0a1_cb82_ebd4_5b4c), // -2277.7557054864355
];

/// -1/(2 ln 2)
const EXPONENT: f64 = -0.5 * core::f64::consts::LOG2_E;

/// gelu(x) for |x| < 3.5.
#[inline(always)]
fn near<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    let interval = a.mul_add(a.mul_add(INTERVALS[0], INTERVALS[1]), ROUND).bits();
    let r = a - F32::lookup(&NEAR[0], interval);
    let mut p = F32::lookup(&NEAR[6], interval);
    let mut k = 6;
    while k > 2 {
        k -= 1;
        p = p.mul_add(r, F32::lookup(&NEAR[k], interval));
    }
    // Phi = high + low, then sum + lost: -r p is added to 1 - Q(c), r p to Q(c).
    let is_negative = x.bits().lt(x.int(0));
    let value = F32::lookup(&NEAR[1], interval);
    let high = is_negative.select(value, x.splat(1.0) - value);
    let low = (p * r).xor_sign((x.bits() ^ x.int(-1)) & x.int(i32::MIN));
    let sum = high + low;
    let lost = low - (sum - high);
    x.mul_add(sum, x * lost)
}

/// gelu(x) for |x| >= 3.5 and for tiny x.
#[inline(always)]
fn far<L: WideLanes>(x: F64<L>) -> F64<L> {
    // Where x^2 is above 212, the tail is less than half the smallest `f32`, and so is the tail at 212.
    let u = (x * x).least(212.0);
    let one = u.splat(1.0);
    let tail = exp2_wide(u, EXPONENT) * horner(one / u, &FAR);
    x.abs().lt(1.0).select(x * 0.5, x.greatest(0.0) - tail)
}

/// gelu(x) = x Phi(x) = x/2 erfc(-x/sqrt(2)). At most 0.9823 ULP over all 2^32 inputs, the negative tail (to -14.36)
/// with its subnormal results included (Hendrycks and Gimpel 2016).
///
/// gelu(±0) = ±0, gelu(-inf) = -0, gelu(+inf) = +inf. Every NaN result is `f32::NAN`.
#[inline(always)]
pub fn gelu<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Neither tiny, so that no product is subnormal, nor far, nor NaN: one comparison, as the subtraction wraps.
    let first = 0x2000_0000;
    let is_near = (x.abs().bits() - x.int(first ^ i32::MIN)).lt(x.int(i32::MIN + (FAR_FROM.to_bits() as i32 - first)));
    if (!is_near).any() {
        let [low, high] = x.widen();
        let others = x.is_nan().select(f32::NAN, F32::narrow([far(low), far(high)]));
        return is_near.select(near(is_near.select(x, 1.0)), others);
    }
    near(x)
}
