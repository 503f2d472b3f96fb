//! log, log2, log10, log1p of `f32`.
//!
//! log and log1p: x = 2^e (1 + f) with 1 + f in [3/4, 3/2), which is exact, and log(1 + f) = f + f^2 q(f) with a minimax polynomial q
//! of degree 8 (Remez); e log 2 is split into an upper part whose product with e is exact and a rest (Cody and Waite 1980), and the
//! upper sum's rounding error is carried along (Dekker 1971). log1p has f exactly as 2^-e x + (2^-e - 1).
//!
//! log2 and log10: x = 2^e c (1 + t) with a table of 16 reciprocals 1/c of few bits, of which one is 1 around x = 1, and of log c in
//! two parts (Tang 1990): the sum of e and the first is exact, and no other error needs to be carried along.
//!
//! Zeros, negative numbers, infinities, NaN and subnormal numbers go through a rare branch.
//!
//! Largest error of all 2^32 inputs: 0.92 ULP (log1p).
//!
//! Coefficients: `tools/coefficients/single_logarithm.py`.

use eltwise_simd::WideLanes;

use super::subnormal::{TWO_23, counted};
use crate::vector::{Bits, F32, Mask, horner};

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
/// 1/c for an interval of mantissas around c: log2 and log10 have 16 from NEARLY_THREE_QUARTERS on, 1 inside of one.
const RECIPROCALS: [f32; 16] = [
    f32::from_bits(0x3fac_0000), // 1.34375
    f32::from_bits(0x3fa4_0000), // 1.28125
    f32::from_bits(0x3f9c_0000), // 1.21875
    f32::from_bits(0x3f98_0000), // 1.1875
    f32::from_bits(0x3f94_0000), // 1.15625
    f32::from_bits(0x3f8c_0000), // 1.09375
    f32::from_bits(0x3f88_0000), // 1.0625
    f32::from_bits(0x3f84_0000), // 1.03125
    f32::from_bits(0x3f80_0000), // 1.0
    f32::from_bits(0x3f70_0000), // 0.9375
    f32::from_bits(0x3f64_0000), // 0.890625
    f32::from_bits(0x3f58_0000), // 0.84375
    f32::from_bits(0x3f4c_0000), // 0.796875
    f32::from_bits(0x3f44_0000), // 0.765625
    f32::from_bits(0x3f3c_0000), // 0.734375
    f32::from_bits(0x3f34_0000), // 0.703125
];
/// log2 c, 16 bits after the point.
const LOG2_C: [f32; 16] = [
    f32::from_bits(0xbeda_4000), // -0.42626953125
    f32::from_bits(0xbeb7_1200), // -0.3575592041015625
    f32::from_bits(0xbe92_2000), // -0.285400390625
    f32::from_bits(0xbe7d_e000), // -0.2479248046875
    f32::from_bits(0xbe56_7c00), // -0.2094573974609375
    f32::from_bits(0xbe04_6400), // -0.1292877197265625
    f32::from_bits(0xbdb3_2000), // -0.08746337890625
    f32::from_bits(0xbd35_d000), // -0.0443878173828125
    f32::from_bits(0x0000_0000), // 0.0
    f32::from_bits(0x3dbe_b000), // 0.093109130859375
    f32::from_bits(0x3e2b_2000), // 0.1671142578125
    f32::from_bits(0x3e7b_0000), // 0.2451171875
    f32::from_bits(0x3ea7_b800), // 0.32757568359375
    f32::from_bits(0x3ec5_4400), // 0.385284423828125
    f32::from_bits(0x3ee4_0c00), // 0.445404052734375
    f32::from_bits(0x3f02_1600), // 0.508148193359375
];
/// And the rest.
const LOG2_C_LOW: [f32; 16] = [
    f32::from_bits(0x36a0_463c), // 4.776547939400189e-06
    f32::from_bits(0x36f1_9318), // 7.199483661679551e-06
    f32::from_bits(0xb5f5_61c1), // -1.8282372593603213e-06
    f32::from_bits(0xb635_c813), // -2.7087560283689527e-06
    f32::from_bits(0x3687_492c), // 4.0318318497156724e-06
    f32::from_bits(0x369d_cc96), // 4.702781552623492e-06
    f32::from_bits(0x3510_536f), // 5.376559215619636e-07
    f32::from_bits(0xb6d3_758f), // -6.301975645328639e-06
    f32::from_bits(0x0000_0000), // 0.0
    f32::from_bits(0x3492_d9f7), // 2.7353209475222684e-07
    f32::from_bits(0xb68f_5801), // -4.271977104508551e-06
    f32::from_bits(0xb69d_5be7), // -4.68966345579247e-06
    f32::from_bits(0xb589_a627), // -1.0255652114210534e-06
    f32::from_bits(0x36c0_55fe), // 5.732056706619915e-06
    f32::from_bits(0x36ee_16a3), // 7.0955879891698714e-06
    f32::from_bits(0xb5ad_1961), // -1.2896890666524996e-06
];
/// log10 c, 16 bits after the point.
const LOG10_C: [f32; 16] = [
    f32::from_bits(0xbe03_6400), // -0.1283111572265625
    f32::from_bits(0xbddc_7000), // -0.107635498046875
    f32::from_bits(0xbdaf_f800), // -0.0859222412109375
    f32::from_bits(0xbd98_d800), // -0.0746307373046875
    f32::from_bits(0xbd81_2000), // -0.06304931640625
    f32::from_bits(0xbd1f_7000), // -0.0389251708984375
    f32::from_bits(0xbcd7_a000), // -0.0263214111328125
    f32::from_bits(0xbc5b_0000), // -0.01336669921875
    f32::from_bits(0x0000_0000), // 0.0
    f32::from_bits(0x3ce5_a000), // 0.0280303955078125
    f32::from_bits(0x3d4e_1000), // 0.0503082275390625
    f32::from_bits(0x3d97_2000), // 0.07379150390625
    f32::from_bits(0x3dc9_f000), // 0.098602294921875
    f32::from_bits(0x3ded_8800), // 0.1159820556640625
    f32::from_bits(0x3e09_4c00), // 0.1340789794921875
    f32::from_bits(0x3e1c_a400), // 0.1529693603515625
];
/// And the rest.
const LOG10_C_LOW: [f32; 16] = [
    f32::from_bits(0xb6f5_9e9b), // -7.320033091673395e-06
    f32::from_bits(0x35d9_62a6), // 1.6196470369322924e-06
    f32::from_bits(0x36ff_6eea), // 7.612504305143375e-06
    f32::from_bits(0xb641_5712), // -2.8809922696382273e-06
    f32::from_bits(0xb623_07c2), // -2.4293408387165982e-06
    f32::from_bits(0x36ee_665a), // 7.1048680183594115e-06
    f32::from_bits(0xb6fc_9580), // -7.5275893323123455e-06
    f32::from_bits(0x3637_b8a7), // 2.737660679485998e-06
    f32::from_bits(0x0000_0000), // 0.0
    f32::from_bits(0xb5e0_664f), // -1.6719076256777043e-06
    f32::from_bits(0xb650_a820), // -3.109227691311389e-06
    f32::from_bits(0xb6b1_7e91), // -5.289745331538143e-06
    f32::from_bits(0x36fb_c1f8), // 7.502963853767142e-06
    f32::from_bits(0x35f6_bb35), // 1.8382912685410702e-06
    f32::from_bits(0x3652_7d9f), // 3.1365559607365867e-06
    f32::from_bits(0xb5ff_086b), // -1.9001430473508663e-06
];
/// (log2(1 + t) - t log2 e) / t^2 for |t| < 0.0333, error 2^-30 of |t|.
const LOG2_TAIL: [f32; 4] = [
    f32::from_bits(0xbf38_aa3b), // -0.7213475108146667
    f32::from_bits(0x3ef6_384b), // 0.4808982312679291
    f32::from_bits(0xbeb8_cd01), // -0.36093905568122864
    f32::from_bits(0x3e93_e81a), // 0.2888801693916321
];
/// (log10(1 + t) - t log10 e) / t^2, the same.
const LOG10_TAIL: [f32; 4] = [
    f32::from_bits(0xbe5e_5bd8), // -0.21714723110198975
    f32::from_bits(0x3e14_3d39), // 0.14476479589939117
    f32::from_bits(0xbdde_85b8), // -0.1086534857749939
    f32::from_bits(0x3db2_18ec), // 0.08696159720420837
];
/// ln 2: 16 bits after the point, and the rest.
const LN_2: [f32; 2] = [0.693_145_75, 1.428_606_8e-6];
/// log10 2: 16 bits after the point, and the rest.
const LOG10_2: [f32; 2] = [0.301_025_4, 4.605_039e-6];
/// 1.0, 0.75 and 0.734375 as bits.
const ONE: i32 = 0x3f80_0000;
const THREE_QUARTERS: i32 = 0x3f40_0000;
const NEARLY_THREE_QUARTERS: i32 = 0x3f3c_0000;

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
        // No arithmetic on subnormal numbers.
        let small = x.lt(f32::MIN_POSITIVE);
        let count = counted(x);
        bits = small.select(count, x).bits();
        bias = small.select(bias + 149.0, bias);
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

/// x = 2^e c (1 + t), c of the table's entry `at`.
struct Fraction<L: WideLanes> {
    e: F32<L>,
    t: F32<L>,
    at: Bits<f32, L>,
    /// Lanes that are not positive normal numbers.
    rare: Mask<f32, L>,
}

#[inline(always)]
fn fraction<L: WideLanes>(x: F32<L>) -> Fraction<L> {
    let bits = x.bits();
    // As in `split`.
    let rare = !(bits + bits.splat(0x7f80_0000)).lt(bits.splat(0x7f00_0000 - i32::MAX - 1));
    let (mut bits, mut bias) = (bits, x.splat(two_to(23) + 127.0));
    if rare.any() {
        // No arithmetic on subnormal numbers.
        let small = x.lt(f32::MIN_POSITIVE);
        let count = counted(x);
        bits = small.select(count, x).bits();
        bias = small.select(bias + 149.0, bias);
    }
    let shifted = bits + bits.splat(ONE - NEARLY_THREE_QUARTERS);
    let e = ((shifted >> 23) | bits.splat(TWO_23)).float() - bias;
    let at = shifted >> 19;
    let m = ((shifted & bits.splat(0x007f_ffff)) + bits.splat(NEARLY_THREE_QUARTERS)).float();
    let t = m.mul_sub(F32::lookup(&RECIPROCALS, at), 1.0);
    Fraction { e, t, at, rare }
}

/// c[0] + c[1] t + c[2] t^2 + c[3] t^3: a shorter chain than Horner's.
#[inline(always)]
fn cubic<L: WideLanes>(t: F32<L>, square: F32<L>, c: [f32; 4]) -> F32<L> {
    let high = t.splat(c[3]).mul_add(t, c[2]);
    high.mul_add(square, t.splat(c[1]).mul_add(t, c[0]))
}

/// The logarithm to base 2, log x / log 2.
///
/// At most 0.87 ULP (all 2^32 inputs; 0.03 % are not correctly rounded), rising.
///
/// Powers of two have exact results. Special values as [`log`].
#[inline(always)]
pub fn log2<L: WideLanes>(x: F32<L>) -> F32<L> {
    let Fraction { e, t, at, rare } = fraction(x);
    // Exact.
    let high = e + F32::lookup(&LOG2_C, at);
    let square = t * t;
    let low = square.mul_add(cubic(t, square, LOG2_TAIL), F32::lookup(&LOG2_C_LOW, at));
    let r = high + t.mul_add(core::f32::consts::LOG2_E, low);
    if rare.any() { ends(x, r) } else { r }
}

/// The logarithm to base 10, log x / log 10.
///
/// At most 0.91 ULP (all 2^32 inputs; 0.03 % are not correctly rounded), rising.
///
/// Powers of ten have exact results. Special values as [`log`].
#[inline(always)]
pub fn log10<L: WideLanes>(x: F32<L>) -> F32<L> {
    let Fraction { e, t, at, rare } = fraction(x);
    // Exact.
    let high = e.mul_add(LOG10_2[0], F32::lookup(&LOG10_C, at));
    let square = t * t;
    let low = e.mul_add(LOG10_2[1], F32::lookup(&LOG10_C_LOW, at));
    let low = square.mul_add(cubic(t, square, LOG10_TAIL), low);
    let r = high + t.mul_add(core::f32::consts::LOG10_E, low);
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
    let r = sum(e, f).copysign(x);
    if rare.any() { tiny.select(x, ends(x + 1.0, r)) } else { r }
}
