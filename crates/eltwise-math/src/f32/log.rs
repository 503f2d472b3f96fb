//! log, log2, log10, log1p of `f32`.
//!
//! log, log2, log10 (base b):
//!
//! 1. Reduction: `x = 2^e c (1 + t)`, with `1/c` from a table of 8 or 16 reciprocals of few bits, so that
//!    `t = m / c - 1` is exact (Tang 1990, "Table-driven implementation of the logarithm function in IEEE
//!    floating-point arithmetic"). The significands m of the cells begin a little above 1; the last cell contains 2 and
//!    has `1/c = 1/2`, and its table entries include the `log_b(2)` that `e` lacks there. So `e` is 0 and `t` small on
//!    both sides of 1, and nothing cancels.
//! 2. Polynomial: `log_b(1 + t)`, minimax of degree 5.
//! 3. Reconstruction: `e log_b(2) + log_b(c)` is exact in its first part ([`LN_2`] and [`LOG_C`] have 16 bits after the
//!    binary point), so that no rounding error except the last one needs to be carried.
//!
//! log1p:
//!
//! 1. Reduction: `1 + x = 2^e (1 + f)` with `1 + f` in [3/4, 3/2), `f = 2^-e x + (2^-e - 1)` exactly.
//! 2. Polynomial: `log(1 + f) = f + f^2 q(f)`, q minimax of degree 8.
//! 3. Reconstruction: `e log 2` in two parts, the product of the first with `e` exact (Cody and Waite 1980); the
//!    rounding error of the upper sum is added (Dekker 1971).
//!
//! Zeros, negative and subnormal numbers, infinities and NaN take a rare branch.
//!
//! Largest error over all 2^32 inputs: 0.92 ULP (log1p). Tables: `tools/coefficients/f32_logarithm.py`.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::subnormal::{TWO_23, counted};
use crate::polynomial::horner;
use crate::vector::{Bits, F32};

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

/// 1/c for eight cells of significands from [`CUT_8`] on; 1/2 for the last, around 2. They have three or four bits, so
/// that t is exact where the logarithm is small.
pub(crate) const RECIPROCALS_8: [f32; 8] = [
    f32::from_bits(0x3f60_0000), // 0.875
    f32::from_bits(0x3f50_0000), // 0.8125
    f32::from_bits(0x3f38_0000), // 0.71875
    f32::from_bits(0x3f28_0000), // 0.65625
    f32::from_bits(0x3f20_0000), // 0.625
    f32::from_bits(0x3f10_0000), // 0.5625
    f32::from_bits(0x3f08_0000), // 0.53125
    f32::from_bits(0x3f00_0000), // 0.5
];

/// log c, with 16 bits after the binary point; for c above 3/2, log(c / 2) plus the first part of [`LN_2`].
pub(crate) const LOG_C: [f32; 8] = [
    f32::from_bits(0x3e08_bc00), // 0.1335296630859375
    f32::from_bits(0x3e54_a000), // 0.2076416015625
    f32::from_bits(0x3ea9_1600), // 0.3302459716796875
    f32::from_bits(0x3ed7_aa00), // 0.4212188720703125
    f32::from_bits(0x3ef0_a400), // 0.470001220703125
    f32::from_bits(0x3f13_4b00), // 0.5753631591796875
    f32::from_bits(0x3f21_ed00), // 0.6325225830078125
    f32::from_bits(0x3f31_7200), // 0.693145751953125
];

/// log c minus [`LOG_C`].
pub(crate) const LOG_C_LOW: [f32; 8] = [
    f32::from_bits(0x35e8_227e), // 1.72953855326341e-06
    f32::from_bits(0xb616_1ba9), // -2.236784212072962e-06
    f32::from_bits(0xb68f_c63b), // -4.284809165255865e-06
    f32::from_bits(0xb6b5_6dba), // -5.406994205259252e-06
    f32::from_bits(0x3621_a272), // 2.408542513876455e-06
    f32::from_bits(0x3584_4d37), // 9.857238865151885e-07
    f32::from_bits(0xb2d0_6dc4), // -2.426430256718959e-08
    f32::from_bits(0x35bf_be8e), // 1.428606765330187e-06
];

/// (log(1 + t) - t) / t^2 for -0.067 < t < 0.0697, error 2^-26.1 of |t|.
const LOG_TAIL: [f32; 4] = [
    f32::from_bits(0xbeff_ffde), // -0.4999989867210388
    f32::from_bits(0x3eaa_aa5a), // 0.3333309292793274
    f32::from_bits(0xbe80_7935), // -0.2509247362613678
    f32::from_bits(0x3e4e_1369), // 0.20124591886997223
];

/// 1/c for 16 cells of significands from [`CUT_16`] on.
const RECIPROCALS_16: [f32; 16] = [
    f32::from_bits(0x3f70_0000), // 0.9375
    f32::from_bits(0x3f64_0000), // 0.890625
    f32::from_bits(0x3f58_0000), // 0.84375
    f32::from_bits(0x3f4c_0000), // 0.796875
    f32::from_bits(0x3f44_0000), // 0.765625
    f32::from_bits(0x3f3c_0000), // 0.734375
    f32::from_bits(0x3f34_0000), // 0.703125
    f32::from_bits(0x3f2c_0000), // 0.671875
    f32::from_bits(0x3f24_0000), // 0.640625
    f32::from_bits(0x3f1c_0000), // 0.609375
    f32::from_bits(0x3f18_0000), // 0.59375
    f32::from_bits(0x3f14_0000), // 0.578125
    f32::from_bits(0x3f0c_0000), // 0.546875
    f32::from_bits(0x3f08_0000), // 0.53125
    f32::from_bits(0x3f04_0000), // 0.515625
    f32::from_bits(0x3f00_0000), // 0.5
];

/// log2 c, with 16 bits after the binary point.
const LOG2_C: [f32; 16] = [
    f32::from_bits(0x3dbe_b000), // 0.093109130859375
    f32::from_bits(0x3e2b_2000), // 0.1671142578125
    f32::from_bits(0x3e7b_0000), // 0.2451171875
    f32::from_bits(0x3ea7_b800), // 0.32757568359375
    f32::from_bits(0x3ec5_4400), // 0.385284423828125
    f32::from_bits(0x3ee4_0c00), // 0.445404052734375
    f32::from_bits(0x3f02_1600), // 0.508148193359375
    f32::from_bits(0x3f12_e000), // 0.57373046875
    f32::from_bits(0x3f24_7700), // 0.6424407958984375
    f32::from_bits(0x3f36_f000), // 0.714599609375
    f32::from_bits(0x3f40_8800), // 0.7520751953125
    f32::from_bits(0x3f4a_6100), // 0.7905426025390625
    f32::from_bits(0x3f5e_e700), // 0.8707122802734375
    f32::from_bits(0x3f69_9c00), // 0.91253662109375
    f32::from_bits(0x3f74_a300), // 0.9556121826171875
    f32::from_bits(0x3f80_0000), // 1.0
];

/// log2 c minus [`LOG2_C`].
const LOG2_C_LOW: [f32; 16] = [
    f32::from_bits(0x3492_d9f7), // 2.7353209475222684e-07
    f32::from_bits(0xb68f_5801), // -4.271977104508551e-06
    f32::from_bits(0xb69d_5be7), // -4.68966345579247e-06
    f32::from_bits(0xb589_a627), // -1.0255652114210534e-06
    f32::from_bits(0x36c0_55fe), // 5.732056706619915e-06
    f32::from_bits(0x36ee_16a3), // 7.0955879891698714e-06
    f32::from_bits(0xb5ad_1961), // -1.2896890666524996e-06
    f32::from_bits(0x36a0_463c), // 4.776547939400189e-06
    f32::from_bits(0x36f1_9318), // 7.199483661679551e-06
    f32::from_bits(0xb5f5_61c1), // -1.8282372593603213e-06
    f32::from_bits(0xb635_c813), // -2.7087560283689527e-06
    f32::from_bits(0x3687_492c), // 4.0318318497156724e-06
    f32::from_bits(0x369d_cc96), // 4.702781552623492e-06
    f32::from_bits(0x3510_536f), // 5.376559215619636e-07
    f32::from_bits(0xb6d3_758f), // -6.301975645328639e-06
    f32::from_bits(0x0000_0000), // 0.0
];

/// log10 c, with 16 bits after the binary point; for c above 3/2, log10(c / 2) plus the first part of [`LOG10_2`].
const LOG10_C: [f32; 16] = [
    f32::from_bits(0x3ce5_a000), // 0.0280303955078125
    f32::from_bits(0x3d4e_1000), // 0.0503082275390625
    f32::from_bits(0x3d97_2000), // 0.07379150390625
    f32::from_bits(0x3dc9_f000), // 0.098602294921875
    f32::from_bits(0x3ded_8800), // 0.1159820556640625
    f32::from_bits(0x3e09_4c00), // 0.1340789794921875
    f32::from_bits(0x3e1c_a400), // 0.1529693603515625
    f32::from_bits(0x3e30_dc00), // 0.1727142333984375
    f32::from_bits(0x3e46_0800), // 0.193389892578125
    f32::from_bits(0x3e5c_4400), // 0.2151031494140625
    f32::from_bits(0x3e67_d400), // 0.2263946533203125
    f32::from_bits(0x3e73_b000), // 0.23797607421875
    f32::from_bits(0x3e86_3200), // 0.2621002197265625
    f32::from_bits(0x3e8c_a600), // 0.2747039794921875
    f32::from_bits(0x3e93_4800), // 0.28765869140625
    f32::from_bits(0x3e9a_2000), // 0.301025390625
];

/// log10 c minus [`LOG10_C`].
const LOG10_C_LOW: [f32; 16] = [
    f32::from_bits(0xb5e0_664f), // -1.6719076256777043e-06
    f32::from_bits(0xb650_a820), // -3.109227691311389e-06
    f32::from_bits(0xb6b1_7e91), // -5.289745331538143e-06
    f32::from_bits(0x36fb_c1f8), // 7.502963853767142e-06
    f32::from_bits(0x35f6_bb35), // 1.8382912685410702e-06
    f32::from_bits(0x3652_7d9f), // 3.1365559607365867e-06
    f32::from_bits(0xb5ff_086b), // -1.9001430473508663e-06
    f32::from_bits(0xb636_333e), // -2.7149940251547378e-06
    f32::from_bits(0x36d0_dda5), // 6.224685876077274e-06
    f32::from_bits(0x374c_f9f3), // 1.2217543371662032e-05
    f32::from_bits(0x35e7_65cc), // 1.7240467968804296e-06
    f32::from_bits(0x3612_0236), // 2.1756982278020587e-06
    f32::from_bits(0x3744_75ab), // 1.1709907084878068e-05
    f32::from_bits(0xb644_2109), // -2.922550493167364e-06
    f32::from_bits(0x36f6_6150), // 7.3426999733783305e-06
    f32::from_bits(0x369a_84fc), // 4.605039066518657e-06
];

/// (log2(1 + t) - t log2 e) / t^2 for |t| < 0.0333, error 2^-30 of |t|.
const LOG2_TAIL: [f32; 4] = [
    f32::from_bits(0xbf38_aa3b), // -0.7213475108146667
    f32::from_bits(0x3ef6_384b), // 0.4808982312679291
    f32::from_bits(0xbeb8_cd01), // -0.36093905568122864
    f32::from_bits(0x3e93_e81a), // 0.2888801693916321
];

/// (log10(1 + t) - t log10 e) / t^2 for |t| < 0.0333, error 2^-30 of |t|.
const LOG10_TAIL: [f32; 4] = [
    f32::from_bits(0xbe5e_5bd8), // -0.21714723110198975
    f32::from_bits(0x3e14_3d39), // 0.14476479589939117
    f32::from_bits(0xbdde_85b8), // -0.1086534857749939
    f32::from_bits(0x3db2_18ec), // 0.08696159720420837
];

/// ln 2: with 16 bits after the binary point, and the remainder.
pub(crate) const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];

/// log10 2: with 16 bits after the binary point, and the remainder.
const LOG10_2: [f32; 2] = [0.301_025_4, 4.605_039e-6];

/// The bits of 1.0 and of 0.75.
pub(crate) const ONE: i32 = 0x3f80_0000;

const THREE_QUARTERS: i32 = 0x3f40_0000;

/// The bits of the lowest significand of the cells; the last cell contains 2.
pub(crate) const CUT_8: i32 = 0x3f88_8000;

const CUT_16: i32 = 0x3f84_0000;

/// `r`, or the special value of a logarithm at x = ±0, x < 0, inf and NaN.
#[inline(always)]
fn special_values<L: WideLanes>(x: F32<L>, r: F32<L>) -> F32<L> {
    let r = x.eq(f32::INFINITY).select(x, r);
    let r = x.ge(0.0).select(r, f32::NAN);
    x.eq(0.0).select(f32::NEG_INFINITY, r)
}

/// e ln 2 + log(1 + f).
#[inline(always)]
fn ln_of_parts<L: WideLanes>(e: F32<L>, f: F32<L>) -> F32<L> {
    let q = horner(f, &LN);
    let high = e.mul_add(LN_2[0], f);
    let low = f - e.neg_mul_add(LN_2[0], high);
    let low = e.mul_add(LN_2[1], low);
    high + (f * f).mul_add(q, low)
}

/// `x = 2^e c (1 + t)`, with the c of cell `index`.
struct Fraction<L: WideLanes> {
    e: F32<L>,
    t: F32<L>,
    index: Bits<f32, L>,
}

/// Reduces a positive normal number `x`: the bits of `c (1 + t)` are from CUT to CUT + 2^23, in K cells of equal size.
/// `e_offset` is subtracted from `e`.
#[inline(always)]
fn fraction<L: WideLanes, const CUT: i32, const K: usize>(
    x: F32<L>,
    e_offset: F32<L>,
    reciprocals: &[f32; K],
) -> Fraction<L> {
    let bits = x.bits();
    let shifted = bits + bits.splat(ONE - CUT);
    let e = shifted.float().exponent() - e_offset;
    let index = shifted >> (23 - K.trailing_zeros());
    let m = ((shifted & bits.splat(0x007f_ffff)) + bits.splat(CUT)).float();
    Fraction { e, t: m.mul_sub(F32::lookup(reciprocals, index), 1.0), index }
}

/// `(y, e_offset)` with y normal and `x = y 2^-e_offset`, for positive x; unspecified for x without a logarithm.
#[inline(always)]
fn normalized<L: WideLanes>(x: F32<L>) -> (F32<L>, F32<L>) {
    // The bits of a subnormal number count multiples of 2^-149.
    let small = x.lt(f32::MIN_POSITIVE);
    (small.select(counted(x), x), small.select(149.0, 0.0))
}

/// log x - e_offset log 2, for positive normal numbers x.
#[inline(always)]
fn ln_of_normal<L: WideLanes>(x: F32<L>, e_offset: F32<L>) -> F32<L> {
    let Fraction { e, t, index } = fraction::<L, CUT_8, 8>(x, e_offset, &RECIPROCALS_8);
    // `high` is exact.
    let high = e.mul_add(LN_2[0], F32::lookup(&LOG_C, index));
    let square = t * t;
    let low = e.mul_add(LN_2[1], F32::lookup(&LOG_C_LOW, index));
    let low = square.mul_add(cubic(t, square, LOG_TAIL), low);
    high + (t + low)
}

/// The natural logarithm, log x.
///
/// At most 0.88 ULP (all 2^32 inputs; 0.03 % are not correctly rounded), increasing.
///
/// log(±0) = -inf, log(x < 0) = NaN, log(inf) = inf, log(1) = +0.
#[inline(always)]
pub fn log<L: WideLanes>(x: F32<L>) -> F32<L> {
    if x.is_irregular().any() {
        let (y, e_offset) = normalized(x);
        return special_values(x, ln_of_normal(y, e_offset));
    }
    ln_of_normal(x, x.splat(0.0))
}

/// c[0] + c[1] t + c[2] t^2 + c[3] t^3, in pairs of terms: a shorter dependency chain than Horner's rule.
#[inline(always)]
fn cubic<L: WideLanes>(t: F32<L>, square: F32<L>, c: [f32; 4]) -> F32<L> {
    let high = t.splat(c[3]).mul_add(t, c[2]);
    high.mul_add(square, t.splat(c[1]).mul_add(t, c[0]))
}

/// log2 x - e_offset, for positive normal numbers x.
#[inline(always)]
fn log2_of_normal<L: WideLanes>(x: F32<L>, e_offset: F32<L>) -> F32<L> {
    let Fraction { e, t, index } = fraction::<L, CUT_16, 16>(x, e_offset, &RECIPROCALS_16);
    // `high` is exact.
    let high = e + F32::lookup(&LOG2_C, index);
    let square = t * t;
    let low = square.mul_add(cubic(t, square, LOG2_TAIL), F32::lookup(&LOG2_C_LOW, index));
    high + t.mul_add(core::f32::consts::LOG2_E, low)
}

/// The logarithm to base 2, log x / log 2.
///
/// At most 0.87 ULP (all 2^32 inputs; 0.03 % are not correctly rounded), increasing.
///
/// Powers of two have exact results. Special values as [`log`].
#[inline(always)]
pub fn log2<L: WideLanes>(x: F32<L>) -> F32<L> {
    if x.is_irregular().any() {
        let (y, e_offset) = normalized(x);
        return special_values(x, log2_of_normal(y, e_offset));
    }
    log2_of_normal(x, x.splat(0.0))
}

/// log10 x - e_offset log10 2, for positive normal numbers x.
#[inline(always)]
fn log10_of_normal<L: WideLanes>(x: F32<L>, e_offset: F32<L>) -> F32<L> {
    let Fraction { e, t, index } = fraction::<L, CUT_16, 16>(x, e_offset, &RECIPROCALS_16);
    // `high` is exact.
    let high = e.mul_add(LOG10_2[0], F32::lookup(&LOG10_C, index));
    let square = t * t;
    let low = e.mul_add(LOG10_2[1], F32::lookup(&LOG10_C_LOW, index));
    let low = square.mul_add(cubic(t, square, LOG10_TAIL), low);
    high + t.mul_add(core::f32::consts::LOG10_E, low)
}

/// The logarithm to base 10, log x / log 10.
///
/// At most 0.91 ULP (all 2^32 inputs; 0.03 % are not correctly rounded), increasing.
///
/// Powers of ten have exact results. Special values as [`log`].
#[inline(always)]
pub fn log10<L: WideLanes>(x: F32<L>) -> F32<L> {
    if x.is_irregular().any() {
        let (y, e_offset) = normalized(x);
        return special_values(x, log10_of_normal(y, e_offset));
    }
    log10_of_normal(x, x.splat(0.0))
}

/// log(1 + x), accurate also if 1 + x rounds to 1.
///
/// At most 0.92 ULP (all 2^32 inputs; 0.13 % are not correctly rounded).
///
/// log1p(±0) = ±0, log1p(-1) = -inf, log1p(x < -1) = NaN, log1p(inf) = inf.
#[inline(always)]
pub fn log1p<L: WideLanes>(x: F32<L>) -> F32<L> {
    // From 2^100 on, x is divided by 2^64, so that 2^-e is a normal number; 1 + x is x there.
    let tiny = x.is_tiny();
    let rare = !(x.gt(-1.0) & x.lt(two_to(100))) | tiny;
    let (mut y, mut bias) = (x, x.splat(two_to(23) + 127.0));
    if rare.any() {
        let large = x.gt(1.0) & rare;
        y = tiny.select(1.0, x);
        y = large.select(y * two_to(-64), y);
        bias = large.select(bias - 64.0, bias);
    }
    let bits = (y + 1.0).bits();
    let shifted = bits + bits.splat(ONE - THREE_QUARTERS);
    let e = ((shifted >> 23) | bits.splat(TWO_23)).float() - bias;
    let scale = (bits.splat(0x7f00_0000) - (shifted & bits.splat(0x7f80_0000))).float();
    let f = y.mul_add(scale, scale - 1.0);
    let r = ln_of_parts(e, f).copysign(x);
    if rare.any() { tiny.select(x, special_values(x + 1.0, r)) } else { r }
}
