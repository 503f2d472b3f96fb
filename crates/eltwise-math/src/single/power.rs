//! pow, cbrt, rsqrt, hypot of `f32`.
//!
//! The roots start from bits divided by 2 or 3 (a seed within 3.4 %), of which one step of the binomial series in h = 1 - a y^n makes
//! a root (for cbrt its square); cbrt and hypot then add the residual, computed without rounding (Dekker 1971), times the derivative.
//! No division, no square root, no estimate. pow is 2^(y log2 x) in `f64` lanes: log2 from 16 reciprocals 1/c and log2 c (Tang 1989)
//! with the interval around 1 exact, so that nothing cancels there; the powers of negative numbers, zeros, infinities and NaN are a
//! rare branch.
//!
//! Largest errors: rsqrt 0.61, cbrt 0.503 ULP of all 2^32 inputs; pow 0.54, hypot 0.75 ULP (subnormal results; 0.5 otherwise) of 2^28
//! pairs, random and near every special value and threshold.
//!
//! Coefficients: `tools/coefficients/single_power.py`.

use eltwise_simd::WideLanes;

use super::logarithm::two_to;
use crate::vector::{F32, F64, horner};

/// (1 - h)^(-1/2) = 1 + h p(h) for |h| < 0.0684, error 2^-30.
const RSQRT: [f32; 5] = [
    f32::from_bits(0x3f00_0000), // 0.5
    f32::from_bits(0x3ebf_ffb8), // 0.3749978542327881
    f32::from_bits(0x3e9f_ff5a), // 0.31249505281448364
    f32::from_bits(0x3e8c_c149), // 0.27491214871406555
    f32::from_bits(0x3e7d_f1b9), // 0.2479924112558365
];
/// The same, error 2^-20.1.
const SQRT: [f32; 3] = [
    f32::from_bits(0x3eff_ffb5), // 0.4999977648258209
    f32::from_bits(0x3ec0_8b45), // 0.3760625422000885
    f32::from_bits(0x3ea0_d666), // 0.31413573026657104
];
/// (1 - h)^(-2/3) = 1 + h p(h) for |h| < 0.1023, error 2^-16.8.
const CBRT: [f32; 3] = [
    f32::from_bits(0x3f2a_a964), // 0.66664719581604
    f32::from_bits(0x3f0f_3c0e), // 0.5595101118087769
    f32::from_bits(0x3f00_09f8), // 0.5001521110534668
];
/// The bits that make h symmetric around 0.
const RSQRT_SEED: i32 = 0x5f37_4753;
const CBRT_SEED: i32 = 0x54a1_f5bb;
/// 2^23 as bits: the integer in the lower bits becomes a number above 2^23.
const TWO_23: i32 = 0x4b00_0000;

/// The lowest mantissa of pow's 16 intervals: 0.734375 as bits.
const CUT: i64 = 0x3fe7_8000_0000_0000;
/// 1/c.
const RECIPROCALS: [f64; 16] = [
    f64::from_bits(0x3ff5_5400_0000_0000), // 1.3330078125
    f64::from_bits(0x3ff4_7c00_0000_0000), // 1.2802734375
    f64::from_bits(0x3ff3_b000_0000_0000), // 1.23046875
    f64::from_bits(0x3ff2_f800_0000_0000), // 1.185546875
    f64::from_bits(0x3ff2_4800_0000_0000), // 1.142578125
    f64::from_bits(0x3ff1_a800_0000_0000), // 1.103515625
    f64::from_bits(0x3ff1_1000_0000_0000), // 1.06640625
    f64::from_bits(0x3ff0_8400_0000_0000), // 1.0322265625
    f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
    f64::from_bits(0x3fee_2000_0000_0000), // 0.94140625
    f64::from_bits(0x3fec_7000_0000_0000), // 0.888671875
    f64::from_bits(0x3fea_f000_0000_0000), // 0.841796875
    f64::from_bits(0x3fe9_9800_0000_0000), // 0.7998046875
    f64::from_bits(0x3fe8_6000_0000_0000), // 0.76171875
    f64::from_bits(0x3fe7_4800_0000_0000), // 0.7275390625
    f64::from_bits(0x3fe6_4000_0000_0000), // 0.6953125
];
/// log2 c.
const LOG2_C: [f64; 16] = [
    f64::from_bits(0xbfda_8a33_f17b_442b), // -0.4146852358072148
    f64::from_bits(0xbfd6_d01b_ecac_9ef4), // -0.35645197022175457
    f64::from_bits(0xbfd3_2639_636b_2836), // -0.29920801838727884
    f64::from_bits(0xbfcf_6e45_6567_fe55), // -0.24555270625568207
    f64::from_bits(0xbfc8_9d0d_0ab4_30cd), // -0.19229281447076688
    f64::from_bits(0xbfc2_3090_65d2_9791), // -0.14210705730255005
    f64::from_bits(0xbfb7_beee_96b8_a281), // -0.09275714091985245
    f64::from_bits(0xbfa7_6dcf_723a_b46a), // -0.04575966138268302
    f64::from_bits(0x0000_0000_0000_0000), // 0.0
    f64::from_bits(0x3fb6_4ce2_6c06_7157), // 0.08711066377003839
    f64::from_bits(0x3fc5_cba5_3a07_62ed), // 0.17027726491394138
    f64::from_bits(0x3fcf_cd67_7e5a_c81d), // 0.24845594091090187
    f64::from_bits(0x3fd4_a03d_cbd2_e1be), // 0.3222803583589914
    f64::from_bits(0x3fd9_2180_0924_dd3b), // 0.3926696862503893
    f64::from_bits(0x3fdd_5eac_4d46_3d7e), // 0.4589033846504761
    f64::from_bits(0x3fe0_c6ca_af0c_5597), // 0.5242665690336022
];
/// log2(1 + r) / r for |r| <= 1/32, error 2^-37.
const LOG2_1P: [f64; 6] = [
    f64::from_bits(0x3ff7_1547_652b_ecae), // 1.442695040894971
    f64::from_bits(0xbfe7_1547_652f_d95d), // -0.7213475204760403
    f64::from_bits(0x3fde_c709_655c_f920), // 0.4808982362627763
    f64::from_bits(0xbfd7_1546_8988_9e5e), // -0.3606735556699955
    f64::from_bits(0x3fd2_7c5f_c001_c72b), // 0.2888411879604173
    f64::from_bits(0xbfce_d297_d524_f40b), // -0.240801791262044
];
/// (2^f - 1) / f for |f| <= 1/2, error 2^-29 of 2^f.
const EXP2: [f64; 6] = [
    f64::from_bits(0x3fe6_2e43_0cc4_cc4c), // 0.6931472062482356
    f64::from_bits(0x3fce_bfbe_0d78_26ed), // 0.2402265134590417
    f64::from_bits(0x3fac_6aec_f6e8_2559), // 0.055503277912132894
    f64::from_bits(0x3f83_b29a_a155_d801), // 0.009618003891528561
    f64::from_bits(0x3f55_f47a_ff6e_5680), // 0.0013400269651574759
    f64::from_bits(0x3f24_48fc_0738_0f8a), // 0.0001547629977808297
];

/// One over the square root, x^(-1/2).
///
/// At most 0.61 ULP (all 2^32 inputs; 0.6 % are not correctly rounded).
///
/// rsqrt(+-0) = +-inf, rsqrt(x < 0) = NaN, rsqrt(inf) = +0.
#[inline(always)]
pub fn rsqrt<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Lanes that are not positive normal numbers: one signed comparison of bits + 2^31 - 2^23.
    let bits = x.bits();
    let rare = !(bits + bits.splat(0x7f80_0000)).lt(bits.splat(0x7f00_0000 - i32::MAX - 1));
    let mut a = x;
    if rare.any() {
        // The bits of a subnormal number count multiples of 2^-149: 2^150 x, without arithmetic on what CPUs are slow at.
        let count = (bits | bits.splat(TWO_23)).float() - two_to(23);
        a = x.lt(f32::MIN_POSITIVE).select(count + count, x);
    }
    let y = (x.int(RSQRT_SEED) - (a.bits() >> 1)).float();
    // h without the rounding error of a y.
    let product = a * y;
    let h = a.neg_mul_add(y, product).mul_add(y, product.neg_mul_add(y, 1.0));
    let r = (y * h).mul_add(horner(h, &RSQRT), y);
    if !rare.any() {
        return r;
    }
    let r = x.lt(f32::MIN_POSITIVE).select(r * two_to(75), r);
    let r = x.lt(f32::INFINITY).select(r, x.eq(f32::INFINITY).select(0.0, x));
    let r = x.lt(0.0).select(f32::NAN, r);
    x.eq(0.0).select(x.splat(f32::INFINITY).copysign(x), r)
}

/// The cube root, x^(1/3).
///
/// At most 0.503 ULP (all 2^32 inputs; 0.06 % are not correctly rounded).
///
/// Odd. cbrt(+-0) = +-0, cbrt(+-inf) = +-inf; cubes have exact results.
#[inline(always)]
pub fn cbrt<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Below 2^-99 the residual would underflow; that, infinities and NaN are rare.
    let (mut a, mut back) = (x.abs(), x);
    let bits = a.bits();
    // One signed comparison: 2^31 is added.
    let rare = !(bits + bits.splat(0x7200_0000)).lt(bits.splat(0x7180_0000 - i32::MAX - 1));
    if rare.any() {
        let small = a.lt(two_to(-99));
        a = small.select(a * two_to(51), a);
        back = small.select(two_to(-17), 1.0);
    }
    // Bits / 3, in floats: the integer's upper 23 bits above 2^23, times -1/3, plus what makes that an integer above 2^23 again.
    let third = ((a.bits() >> 8) | bits.splat(TWO_23)).float();
    let third = third.mul_add(-1.0 / 3.0, two_to(25) / 3.0 + (CBRT_SEED >> 8) as f32);
    let y = (third.bits() << 8).float();
    // a^(-2/3), whose third is the cube root's derivative.
    let square = y * y;
    let h = (a * y).neg_mul_add(square, 1.0);
    let power = (square * h).mul_add(horner(h, &CBRT), square);
    // c is nearly the root; a - c^3 without a rounding error.
    let c = a * power;
    let high = c * c;
    let low = c.neg_mul_add(c, high);
    let residual = low.mul_add(c, high.neg_mul_add(c, a));
    let r = residual.mul_add(power * (1.0 / 3.0), c);
    if !rare.any() {
        return r.copysign(x);
    }
    a.lt(f32::INFINITY).select(r * back, a).copysign(x)
}

/// The length of the hypotenuse, (x^2 + y^2)^(1/2), without overflow or underflow on the way.
///
/// At most 0.501 ULP, 0.75 where the result is subnormal (2^28 pairs; 0.003 % are not correctly rounded).
///
/// hypot(+-inf, anything) = inf, NaN included; hypot(+-0, +-0) = +0. The signs and the order of the arguments do not matter.
#[inline(always)]
pub fn hypot<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let (x, y) = (x.abs(), y.abs());
    let sum = x + y;
    let (mut long, mut short) = (x.greatest(y), x.least(y));
    // Outside [2^-40, 2^60], squares may leave the range.
    let rare = !(sum.ge(two_to(-40)) & sum.le(two_to(60)));
    if rare.any() {
        let (small, large) = (sum.lt(two_to(-40)), sum.gt(two_to(60)));
        let scale = large.select(two_to(-70), 1.0);
        long = small.select(scaled_up(long), long) * scale;
        short = small.select(scaled_up(short), short) * scale;
    }
    let square = long * long;
    let rest = long.neg_mul_add(long, square);
    let other = short * short;
    let rest = short.neg_mul_add(short, other) + rest;
    let s = square + other;
    let low = ((square - s) + other) - rest;
    let z = (x.int(RSQRT_SEED) - (s.bits() >> 1)).float();
    let h = (s * z).neg_mul_add(z, 1.0);
    let z = (z * h).mul_add(horner(h, &SQRT), z);
    let root = s * z;
    let residual = root.neg_mul_add(root, s) + low;
    let r = residual.mul_add(z * 0.5, root);
    if !rare.any() {
        return r;
    }
    let r = sum.lt(two_to(-40)).select(scaled_down(r), r * sum.gt(two_to(60)).select(two_to(70), 1.0));
    let r = sum.is_nan().select(sum, r);
    (x.eq(f32::INFINITY) | y.eq(f32::INFINITY)).select(f32::INFINITY, r)
}

/// `2^90 x` for `0 <= x < 2^-36`, without arithmetic on subnormal numbers, which CPUs are slow at: their bits count multiples of
/// 2^-149.
#[inline(always)]
fn scaled_up<L: WideLanes>(x: F32<L>) -> F32<L> {
    let count = (x.bits() | x.int(TWO_23)).float() - two_to(23);
    let normal = (x.bits() + x.int(90 << 23)).float();
    x.bits().lt(x.int(1 << 23)).select(count * two_to(-59), normal)
}

/// `2^-90 x` for `0 <= x < 2^50`, rounded once: a sum with 2^23 rounds as a subnormal result does.
#[inline(always)]
fn scaled_down<L: WideLanes>(x: F32<L>) -> F32<L> {
    let count = (x * two_to(59) + two_to(23)).bits() - x.int(TWO_23);
    let normal = x.bits() - x.int(90 << 23);
    x.lt(two_to(-36)).select_bits(count, normal).float()
}

/// A polynomial of degree 5 in half the latency of Horner's rule (Estrin 1960).
#[inline(always)]
fn polynomial<L: WideLanes>(x: F64<L>, c: [f64; 6]) -> F64<L> {
    let square = x * x;
    let high = x.splat(c[5]).mul_add(x, c[4]);
    let middle = x.splat(c[3]).mul_add(x, c[2]);
    let low = x.splat(c[1]).mul_add(x, c[0]);
    high.mul_add(square, middle).mul_add(square, low)
}

/// x^y for positive finite x and finite y; any number for others.
#[inline(always)]
fn power<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let bits = x.bits();
    let shifted = bits + bits.splat(0x3ff0_0000_0000_0000 - CUT);
    // 2^52 as bits makes the biased exponent a number above 2^52.
    let e = ((shifted >> 52) | bits.splat(0x4330_0000_0000_0000)).float() - (4_503_599_627_370_496.0 + 1023.0);
    let at = shifted >> 48;
    let m = ((shifted & bits.splat(0x000f_ffff_ffff_ffff)) + bits.splat(CUT)).float();
    let r = m.mul_sub(F64::lookup(&RECIPROCALS, at), 1.0);
    let log2 = r.mul_add(polynomial(r, LOG2_1P), e + F64::lookup(&LOG2_C, at));
    let v = (y * log2).greatest(-200.0).least(200.0);
    // 1.5 * 2^52 rounds to an integer n and leaves it in the lower bits.
    let n = v + 6_755_399_441_055_744.0;
    let f = v - (n - 6_755_399_441_055_744.0);
    let p = f.mul_add(polynomial(f, EXP2), 1.0);
    (p.bits() + (n.bits() << 52)).float()
}

/// x to the power of y.
///
/// At most 0.54 ULP (2^28 pairs; 0.3 % are not correctly rounded). Exact results are exact.
///
/// The special values are those of C23, annex F.10.4.4: pow(x, +-0) = pow(1, y) = 1 even for NaN, pow(-1, +-inf) = 1, pow of a
/// negative number is NaN unless y is an integer, and odd integers keep the sign of x, also of zeros and infinities.
#[inline(always)]
pub fn pow<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let rare = !(x.gt(0.0) & x.lt(f32::INFINITY) & y.abs().lt(f32::INFINITY));
    let mut a = x;
    if rare.any() {
        a = x.abs();
    }
    let ([a0, a1], [y0, y1]) = (a.widen(), y.widen());
    let r = F32::narrow([power(a0, y0), power(a1, y1)]);
    if rare.any() { power_ends(x, y, r) } else { r }
}

/// `r` = |x|^y with the sign and the special values of pow(x, y).
#[inline(always)]
fn power_ends<L: WideLanes>(x: F32<L>, y: F32<L>, r: F32<L>) -> F32<L> {
    let (a, b) = (x.abs(), y.abs());
    let half = y * 0.5;
    let integer = y.trunc().eq(y);
    let odd = integer & half.trunc().ne(half);
    let edge = a.eq(0.0) | a.eq(f32::INFINITY) | b.eq(f32::INFINITY);
    let grows = a.gt(1.0) ^ y.lt(0.0);
    let r = edge.select(grows.select(f32::INFINITY, 0.0), r);
    let r = odd.select(r.copysign(x), r);
    let r = (x.lt(0.0) & x.gt(f32::NEG_INFINITY) & !integer).select(f32::NAN, r);
    let r = (x.is_nan() | y.is_nan()).select(f32::NAN, r);
    let one = x.eq(1.0) | y.eq(0.0) | (a.eq(1.0) & b.eq(f32::INFINITY));
    one.select(1.0, r)
}
