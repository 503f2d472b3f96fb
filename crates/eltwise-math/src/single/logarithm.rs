//! log, log2, log10, log1p of `f32`.
//!
//! x = 2^e (1 + f) with 1 + f in [3/4, 3/2), which is exact, and log(1 + f) = f + f^2 q(f) with a minimax polynomial q of degree 8
//! (Remez); e log 2 is split into an upper part whose product with e is exact and a rest (Cody and Waite 1980), and the upper sum's
//! rounding error is carried along (Dekker 1971). Bases 2 and 10 take log2 e and log10 e as two numbers. log1p has f exactly as
//! 2^-e x + (2^-e - 1). Zeros, negative numbers, infinities, NaN and subnormal numbers go through a rare branch.
//!
//! Largest error of all 2^32 inputs: 0.92 ULP (log1p).
//!
//! Coefficients: `tools/coefficients/single_logarithm.py`.

use eltwise_simd::WideLanes;

use crate::vector::{F32, Mask, horner};

/// log(1 + f) = f + f^2 q(f), relative error 2^-27.4.
const LN: [f32; 9] = [
    f32::from_bits(0xbf00_0000), // -0.5
    f32::from_bits(0x3eaa_aad6), // 0.33333462476730347
    f32::from_bits(0xbe80_0041), // -0.2500019371509552
    f32::from_bits(0x3e4c_b38c), // 0.199903666973114
    f32::from_bits(0xbe2a_6b5d), // -0.1664251834154129
    f32::from_bits(0x3e14_3aa4), // 0.14475494623184204
    f32::from_bits(0xbe07_4475), // -0.13209708034992218
    f32::from_bits(0x3dd8_eaa2), // 0.10591627657413483
    f32::from_bits(0xbd3c_91ff), // -0.046037670224905014
];
/// log2(1 + f) = (f - f^2 / 2) log2 e + f^3 q(f), relative error 2^-27.
const LOG2: [f32; 8] = [
    f32::from_bits(0x3ef6_384e), // 0.48089832067489624
    f32::from_bits(0xbeb8_abc9), // -0.3606856167316437
    f32::from_bits(0x3e93_bdbe), // 0.2885569930076599
    f32::from_bits(0xbe75_946c), // -0.23982399702072144
    f32::from_bits(0x3e51_cc3a), // 0.20488062500953674
    f32::from_bits(0xbe42_6940), // -0.18985462188720703
    f32::from_bits(0x3e3c_8fae), // 0.1841418445110321
    f32::from_bits(0xbde1_a816), // -0.11018387973308563
];
/// log10(1 + f) = f log10 e + f^2 q(f), relative error 2^-27.4.
const LOG10: [f32; 9] = [
    f32::from_bits(0xbe5e_5bd6), // -0.21714720129966736
    f32::from_bits(0x3e14_3d49), // 0.14476503431797028
    f32::from_bits(0xbdde_5f0a), // -0.10857971012592316
    f32::from_bits(0x3db1_de2e), // 0.08684955537319183
    f32::from_bits(0xbd93_bc28), // -0.07213622331619263
    f32::from_bits(0x3d7d_da99), // 0.06197604909539223
    f32::from_bits(0xbd6d_1dc4), // -0.05788971483707428
    f32::from_bits(0x3d5b_38a6), // 0.053520821034908295
    f32::from_bits(0xbcec_a2e3), // -0.02888626419007778
];
/// ln 2: 16 bits after the point, and the rest.
const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];
/// log10 2: 16 bits after the point, and the rest.
const LOG10_2: [f32; 2] = [0.301_025_4, 4.605_039e-6];
/// log2 e.
const LOG2_E: [f32; 2] = [core::f32::consts::LOG2_E, 1.925_963e-8];
/// log10 e.
const LOG10_E: [f32; 2] = [core::f32::consts::LOG10_E, -1.010_305e-8];

/// 2^23 as bits: the integer in the lower bits becomes a number above 2^23.
const TWO_23: i32 = 0x4b00_0000;
/// 1.0, 0.75 and the root of 1/2 as bits.
const ONE: i32 = 0x3f80_0000;
const THREE_QUARTERS: i32 = 0x3f40_0000;
const ROOT_OF_HALF: i32 = 0x3f35_04f3;

/// 2^n, for a normal number.
pub(super) const fn two_to(n: i32) -> f32 {
    f32::from_bits(((n + 127) as u32) << 23)
}

/// x = 2^e (1 + f) with the bits of 1 + f not below CUT.
struct Split<L: WideLanes> {
    e: F32<L>,
    f: F32<L>,
    /// Lanes that are not positive normal numbers.
    rare: Mask<f32, L>,
}

#[inline(always)]
fn split<L: WideLanes, const CUT: i32>(x: F32<L>) -> Split<L> {
    let bits = x.bits();
    // One signed comparison for bits below those of the smallest normal number or above those of the largest: 2^31 is added.
    let rare = !(bits + bits.splat(0x7f80_0000)).lt(bits.splat(0x7f00_0000 - i32::MAX - 1));
    let (mut bits, mut bias) = (bits, x.splat(two_to(23) + 127.0));
    if rare.any() {
        let small = x.lt(f32::MIN_POSITIVE);
        bits = small.select(x * two_to(23), x).bits();
        bias = small.select(bias + 23.0, bias);
    }
    let shifted = bits + bits.splat(ONE - CUT);
    let e = ((shifted >> 23) | bits.splat(TWO_23)).float() - bias;
    let f = ((shifted & bits.splat(0x007f_ffff)) + bits.splat(CUT)).float() - 1.0;
    Split { e, f, rare }
}

/// `r` with the values of a logarithm at x = +-0, x < 0, inf and NaN.
#[inline(always)]
fn ends<L: WideLanes>(x: F32<L>, r: F32<L>) -> F32<L> {
    let r = x.lt(f32::INFINITY).select(r, x);
    let r = x.lt(0.0).select(f32::NAN, r);
    x.eq(0.0).select(f32::NEG_INFINITY, r)
}

/// e ln 2 + log(1 + f).
#[inline(always)]
fn sum<L: WideLanes>(e: F32<L>, f: F32<L>) -> F32<L> {
    let q = horner(f, &LN);
    let high = e.mul_add(LN_2[0], f);
    let low = f - e.neg_mul_add(LN_2[0], high);
    let low = e.mul_add(LN_2[1], low);
    high + (f * f).mul_add(q, low)
}

/// The natural logarithm, log x.
///
/// At most 0.90 ULP (all 2^32 inputs; 0.06 % are not correctly rounded).
///
/// log(+-0) = -inf, log(x < 0) = NaN, log(inf) = inf, log(1) = +0.
#[inline(always)]
pub fn log<L: WideLanes>(x: F32<L>) -> F32<L> {
    let Split { e, f, rare } = split::<L, THREE_QUARTERS>(x);
    let r = sum(e, f);
    if rare.any() { ends(x, r) } else { r }
}

/// The logarithm to base 2, log x / log 2.
///
/// At most 0.72 ULP (all 2^32 inputs; 0.03 % are not correctly rounded).
///
/// Powers of two have exact results. Special values as [`log`].
#[inline(always)]
pub fn log2<L: WideLanes>(x: F32<L>) -> F32<L> {
    let Split { e, f, rare } = split::<L, ROOT_OF_HALF>(x);
    // f - f^2 / 2 is g less a rest; its product with log2 e is `product` less another.
    let half = f * 0.5;
    let g = half.neg_mul_add(f, f);
    let rest = half.mul_add(f, g - f);
    let product = g * LOG2_E[0];
    let rest = rest.mul_add(LOG2_E[0], g.neg_mul_add(LOG2_E[0], product));
    let high = e + product;
    let low = g.mul_add(LOG2_E[1], ((e - high) + product) - rest);
    let r = high + (f * f * f).mul_add(horner(f, &LOG2), low);
    if rare.any() { ends(x, r) } else { r }
}

/// The logarithm to base 10, log x / log 10.
///
/// At most 0.85 ULP (all 2^32 inputs; 0.05 % are not correctly rounded).
///
/// Powers of ten have exact results. Special values as [`log`].
#[inline(always)]
pub fn log10<L: WideLanes>(x: F32<L>) -> F32<L> {
    let Split { e, f, rare } = split::<L, 0x3f38_0000>(x);
    let q = horner(f, &LOG10);
    let product = f * LOG10_E[0];
    let rest = f.neg_mul_add(LOG10_E[0], product);
    let high = e.mul_add(LOG10_2[0], product);
    let low = (product - e.neg_mul_add(LOG10_2[0], high)) - rest;
    let low = e.mul_add(LOG10_2[1], f.mul_add(LOG10_E[1], low));
    let r = high + (f * f).mul_add(q, low);
    if rare.any() { ends(x, r) } else { r }
}

/// log(1 + x), also where 1 + x is 1.
///
/// At most 0.92 ULP (all 2^32 inputs; 0.13 % are not correctly rounded).
///
/// log1p(+-0) = +-0, log1p(-1) = -inf, log1p(x < -1) = NaN, log1p(inf) = inf.
#[inline(always)]
pub fn log1p<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Beyond 2^100, 1 + x is x even divided by 2^64, where the power of two of f has an exponent.
    let rare = !(x.gt(-1.0) & x.lt(two_to(100)));
    let (mut y, mut bias) = (x, x.splat(two_to(23) + 127.0));
    if rare.any() {
        let large = x.gt(1.0) & rare;
        y = large.select(x * two_to(-64), x);
        bias = large.select(bias - 64.0, bias);
    }
    let bits = (y + 1.0).bits();
    let shifted = bits + bits.splat(ONE - THREE_QUARTERS);
    let e = ((shifted >> 23) | bits.splat(TWO_23)).float() - bias;
    let scale = (bits.splat(0x7f00_0000) - (shifted & bits.splat(0x7f80_0000))).float();
    let f = y.mul_add(scale, scale - 1.0);
    let r = sum(e, f).copysign(x);
    if rare.any() { ends(x + 1.0, r) } else { r }
}
