//! exp, exp2, exp10, expm1 of `f32`, and the exponential in `f64` lanes that other functions use.
//!
//! exp, exp2, exp10 (base b):
//!
//! 1. Reduction: `x = n log_b(2) + r` with `n` a multiple of 1/8. `n log_b(2)` is subtracted in two parts, the first
//!    exact (Cody and Waite 1980, "Software Manual for the Elementary Functions").
//! 2. Table: `2^frac(n)` from 8 entries (Tang 1989, "Table-driven implementation of the exponential function in IEEE
//!    floating-point arithmetic").
//! 3. Polynomial: `b^r - 1` for `|r| <= log_b(2) / 16`, minimax of degree 4 ([`EXP_SHORT`], [`EXP2_SHORT`],
//!    [`EXP10_SHORT`]).
//! 4. Reconstruction: one fused multiply-add, then `2^floor(n)`. AVX-512 scales in one instruction; elsewhere the
//!    exponent is added to the bits of the table's entry, and a rare branch ([`finish`]) makes the results that are not
//!    normal numbers. Subnormal results are made as integers.
//!
//! The functions are monotone, although the table's entries are rounded. Where the rounding of an entry loses more than
//! that of the entry before it, either neighbouring arguments are far enough apart, or the arguments next to the step
//! happen to round well: the multipliers that select `n` ([`TO_POWER_OF_E`], [`TO_POWER_OF_10`]) are chosen for that.
//!
//! expm1, with an integer `n` and `|r| <= ln(2) / 2`: the sum of `2^n - 1` and `2^n (e^r - 1)` with its rounding error
//! (Dekker 1971, "A floating-point technique for extending the available precision").
//!
//! Tables: `tools/coefficients/f32_exponential.py`.

use core::f64::consts::{LN_2, LOG2_E};

use eltwise_simd::WideLanes;

use super::constants::{ROUND, ROUND_WIDE, two_to};
use super::subnormal::TWO_23;
use crate::polynomial::horner;
use crate::vector::{Bits, F32, F64};

/// 1.5 * 2^20: adding and subtracting it rounds numbers below 2^19 to multiples of 1/8.
const ROUND_EIGHTHS: f32 = 1_572_864.0;

/// 2^-36. Adding it to an argument changes no result, and keeps products from being subnormal.
const NOTHING: f32 = f32::from_bits(0x2d80_0000);

/// log2(e) and log2(10), each the float next to the nearest one: with these values exp and exp10 are monotone.
const TO_POWER_OF_E: f32 = f32::from_bits(0x3fb8_aa3c);

const TO_POWER_OF_10: f32 = f32::from_bits(0x4054_9a79);

/// ln(2) in two parts. Products of the first part with integers below 2^8 are exact, and subtracting them from `x` is
/// exact too.
pub(super) const LN_2_HIGH: f32 = f32::from_bits(0x3f31_7200);

pub(super) const LN_2_LOW: f32 = 1.428_606_8e-6;

/// log10(2) in two parts.
const LOG10_2_HIGH: f32 = f32::from_bits(0x3e9a_2000);

const LOG10_2_LOW: f32 = 4.605_039e-6;

/// 2^(k / 8)
const ROOTS: [f32; 8] = [
    f32::from_bits(0x3f80_0000), // 1.0
    f32::from_bits(0x3f8b_95c2), // 1.0905077457427979
    f32::from_bits(0x3f98_37f0), // 1.1892070770263672
    f32::from_bits(0x3fa5_fed7), // 1.2968395948410034
    f32::from_bits(0x3fb5_04f3), // 1.4142135381698608
    f32::from_bits(0x3fc5_672a), // 1.5422108173370361
    f32::from_bits(0x3fd7_44fd), // 1.6817928552627563
    f32::from_bits(0x3fea_c0c7), // 1.8340080976486206
];

/// [`ROOTS`] with `k << 20` subtracted from the bits. Adding a count of eighths, shifted left by 20, then adds its
/// integer part to the exponent.
const ROOTS_LESS_INDEX: [f32; 8] = [
    f32::from_bits(0x3f80_0000),
    f32::from_bits(0x3f8b_95c2 - (1 << 20)),
    f32::from_bits(0x3f98_37f0 - (2 << 20)),
    f32::from_bits(0x3fa5_fed7 - (3 << 20)),
    f32::from_bits(0x3fb5_04f3 - (4 << 20)),
    f32::from_bits(0x3fc5_672a - (5 << 20)),
    f32::from_bits(0x3fd7_44fd - (6 << 20)),
    f32::from_bits(0x3fea_c0c7 - (7 << 20)),
];

/// (e^r - 1 - r) / r^2 for |r| <= ln(2) / 16. Error 2^-32.42.
const EXP_SHORT: [f32; 3] = [
    f32::from_bits(0x3f00_0000), // 0.5
    f32::from_bits(0x3e2a_ae4a), // 0.1666804850101471
    f32::from_bits(0x3d2a_b1dc), // 0.04167352616786957
];

/// c(r) = (2^r - 1) / r - 1 for |r| <= 1/16. `r c(r) + r` is one fused operation, which keeps the power monotone. Error
/// 2^-31.77.
const EXP2_SHORT: [f32; 4] = [
    f32::from_bits(0xbe9d_1bd0), // -0.3068528175354004
    f32::from_bits(0x3e75_fdf0), // 0.24022650718688965
    f32::from_bits(0x3d63_5d0b), // 0.055508654564619064
    f32::from_bits(0x3c1d_8f4c), // 0.009616684168577194
];

/// (10^r - 1) / r - 1 for |r| <= log10(2) / 16, used as [`EXP2_SHORT`]. Error 2^-30.54.
const EXP10_SHORT: [f32; 4] = [
    f32::from_bits(0x3fa6_bb1c), // 1.3025851249694824
    f32::from_bits(0x4029_a927), // 2.650949239730835
    f32::from_bits(0x4002_3ae7), // 2.0348451137542725
    f32::from_bits(0x3f95_e5ec), // 1.171079158782959
];

/// e^r for |r| <= ln(2) / 2. Error 2^-28.22.
pub(super) const EXP: [f32; 7] = [
    f32::from_bits(0x3f80_0000), // 1.0
    f32::from_bits(0x3f80_0000), // 1.0
    f32::from_bits(0x3eff_fffe), // 0.4999999403953552
    f32::from_bits(0x3e2a_aa46), // 0.16666516661643982
    f32::from_bits(0x3d2a_ac2c), // 0.04166810214519501
    f32::from_bits(0x3c09_1ef0), // 0.008369192481040955
    f32::from_bits(0x3ab5_63a7), // 0.001383890281431377
];

/// (e^r - 1 - r) / r^2 for expm1, more precise for r < 0: error 2^-28.29 of e^(1.3 r).
const EXPM1: [f32; 5] = [
    f32::from_bits(0x3eff_fffd), // 0.49999991059303284
    f32::from_bits(0x3e2a_aa49), // 0.1666652113199234
    f32::from_bits(0x3d2a_ad36), // 0.0416690930724144
    f32::from_bits(0x3c09_1cd3), // 0.008368688635528088
    f32::from_bits(0x3ab4_7d2b), // 0.0013770213117823005
];

/// (e^r - 1 - r) / r^2 in `f64` lanes. Error 2^-33.51 of e^r.
const EXP_WIDE: [f64; 6] = [
    f64::from_bits(0x3fe0_0000_03a2_fe6e), // 0.5000000067738719
    f64::from_bits(0x3fc5_5555_1854_01fb), // 0.1666666382589169
    f64::from_bits(0x3fa5_5548_9237_b610), // 0.04166628632433966
    f64::from_bits(0x3f81_116c_147c_bf94), // 0.008334011435721135
    f64::from_bits(0x3f56_d92d_6dc6_c2d7), // 0.0013945525780451517
    f64::from_bits(0x3f29_8c93_4d6a_b071), // 0.00019492433667290005
];

/// A base b of an exponential function b^x, with the reduction `x = n log_b(2) + r`, `n` a multiple of 1/8.
trait Base {
    /// The smallest `x` for which b^x is a normal number.
    const SMALL: f32;
    /// b^x rounds to 0 for `x < DEAD`.
    const DEAD: f32;
    /// b^x is a normal number and `n < 127` for `|x| < REGULAR`.
    const REGULAR: f32;
    /// `n + ROUND_EIGHTHS`, whose lowest bits count eighths; `n`; and `r`.
    fn reduce<L: WideLanes>(x: F32<L>) -> (F32<L>, F32<L>, F32<L>);
    /// b^r - 1.
    fn minus_1<L: WideLanes>(r: F32<L>) -> F32<L>;
}

struct E;

impl Base for E {
    const SMALL: f32 = -87.336_54;
    const DEAD: f32 = -104.0;
    const REGULAR: f32 = 87.3;
    #[inline(always)]
    fn reduce<L: WideLanes>(x: F32<L>) -> (F32<L>, F32<L>, F32<L>) {
        let shifted = x.mul_add(TO_POWER_OF_E, ROUND_EIGHTHS);
        let n = shifted - ROUND_EIGHTHS;
        (shifted, n, n.neg_mul_add(LN_2_LOW, n.neg_mul_add(LN_2_HIGH, x)))
    }
    #[inline(always)]
    fn minus_1<L: WideLanes>(r: F32<L>) -> F32<L> {
        (r * r).mul_add(horner(r, &EXP_SHORT), r)
    }
}

struct Two;

impl Base for Two {
    const SMALL: f32 = -126.0;
    const DEAD: f32 = -150.0;
    const REGULAR: f32 = 126.0;
    #[inline(always)]
    fn reduce<L: WideLanes>(x: F32<L>) -> (F32<L>, F32<L>, F32<L>) {
        let shifted = x + ROUND_EIGHTHS;
        let n = shifted - ROUND_EIGHTHS;
        (shifted, n, x - n)
    }
    #[inline(always)]
    fn minus_1<L: WideLanes>(r: F32<L>) -> F32<L> {
        r.mul_add(horner(r, &EXP2_SHORT), r)
    }
}

struct Ten;

impl Base for Ten {
    const SMALL: f32 = -37.929_78;
    const DEAD: f32 = -46.0;
    const REGULAR: f32 = 37.9;
    #[inline(always)]
    fn reduce<L: WideLanes>(x: F32<L>) -> (F32<L>, F32<L>, F32<L>) {
        let shifted = x.mul_add(TO_POWER_OF_10, ROUND_EIGHTHS);
        let n = shifted - ROUND_EIGHTHS;
        (shifted, n, n.neg_mul_add(LOG10_2_LOW, n.neg_mul_add(LOG10_2_HIGH, x)))
    }
    #[inline(always)]
    fn minus_1<L: WideLanes>(r: F32<L>) -> F32<L> {
        r.mul_add(horner(r, &EXP10_SHORT), r)
    }
}

/// b^x. Every NaN result is `f32::NAN`.
#[inline(always)]
fn power<L: WideLanes, B: Base>(x: F32<L>) -> F32<L> {
    if F32::<L>::SCALES_ALL {
        let (shifted, n, r) = B::reduce(x + NOTHING);
        let root = F32::lookup(&ROOTS, shifted.bits());
        let mantissa = root.mul_add(B::minus_1(r), root);
        // `scale_floor` returns 0 where `small`: correct below `DEAD`, replaced in `finish` for subnormal results and
        // NaN.
        let small = !x.ge(B::SMALL);
        if (small & !x.lt(B::DEAD)).any() {
            return finish::<L, B>(x, mantissa, n);
        }
        return mantissa.scale_floor(n, small);
    }
    let irregular = !x.abs().lt(B::REGULAR);
    if irregular.any() {
        let to_zero = x.lt(B::DEAD);
        if !(irregular ^ to_zero).any() {
            return to_zero.select(0.0, regular::<L, B>(to_zero.select(0.0, x)));
        }
        let (shifted, n, r) = B::reduce((x + NOTHING).cut_input(to_zero, 1.2 * B::REGULAR));
        let root = F32::lookup(&ROOTS, shifted.bits());
        return finish::<L, B>(x, root.mul_add(B::minus_1(r), root), n);
    }
    regular::<L, B>(x)
}

/// b^x for `|x| < REGULAR`. The exponent is added to the bits of the table's entry, which is exact and gives the bits
/// of [`power`].
#[inline(always)]
fn regular<L: WideLanes, B: Base>(x: F32<L>) -> F32<L> {
    let (shifted, _, r) = B::reduce(x + NOTHING);
    let root = F32::lookup(&ROOTS_LESS_INDEX, shifted.bits()).bits();
    let root = (root + (shifted.bits() << 20)).float();
    root.mul_add(B::minus_1(r), root)
}

/// `mantissa 2^floor(n)`, for any `x`, without arithmetic on subnormal numbers.
///
/// Subnormal results are made as integers that count 2^-149, rounded by adding 2^23. For infinite or very large `n` the
/// mantissa is unspecified (infinite, NaN or positive) and `n` alone decides the result.
#[inline(always)]
fn finish<L: WideLanes, B: Base>(x: F32<L>, mantissa: F32<L>, n: F32<L>) -> F32<L> {
    let small = x.lt(B::SMALL);
    let y = mantissa.scale_floor(small.select(n + 149.0, n), x.lt(B::DEAD));
    let counted = (y + two_to(23)).bits() - x.int(TWO_23);
    small.select(counted.float(), y).replace_nan(f32::NAN)
}

/// `e^r - 1 - r - low`, from the coefficients of `(e^r - 1 - r) / r^2`.
#[inline(always)]
fn expm1_tail<L: WideLanes>(r: F32<L>, low: F32<L>, tail: &[f32; 5]) -> F32<L> {
    (r * r).mul_sub(horner(r, tail), low)
}

/// `e^x`.
///
/// At most 0.9291 ULP (all 2^32 inputs), increasing. exp(±0) = 1, exp(-inf) = +0, exp(+inf) = +inf; 0 below -103.97,
/// infinite above 88.72.
#[inline(always)]
pub fn exp<L: WideLanes>(x: F32<L>) -> F32<L> {
    power::<L, E>(x)
}

/// `2^x`.
///
/// At most 0.9316 ULP (all 2^32 inputs), increasing, exact for integers. exp2(±0) = 1, exp2(-inf) = +0, exp2(+inf) =
/// +inf.
#[inline(always)]
pub fn exp2<L: WideLanes>(x: F32<L>) -> F32<L> {
    power::<L, Two>(x)
}

/// `10^x`.
///
/// At most 0.9386 ULP (all 2^32 inputs), increasing, exact for the integers 0 to 10. exp10(±0) = 1, exp10(-inf) = +0,
/// exp10(+inf) = +inf.
#[inline(always)]
pub fn exp10<L: WideLanes>(x: F32<L>) -> F32<L> {
    power::<L, Ten>(x)
}

/// `e^x - 1`.
///
/// At most 0.9799 ULP (all 2^32 inputs), increasing. expm1(±0) = ±0, expm1(-inf) = -1, expm1(+inf) = +inf.
#[inline(always)]
pub fn expm1<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Below 2^-26 the result is x, and products would be subnormal. Below -18 it is -1, above 89 infinite.
    let tiny = x.abs().bits().lt(x.int(0x3280_0000));
    let y = tiny.select(1.0, x.splat(-18.0).greatest(x.splat(89.0).least(x)));
    let shifted = y.mul_add(core::f32::consts::LOG2_E, ROUND);
    let n = shifted - ROUND;
    let r = n.neg_mul_add(LN_2_HIGH, y);
    let low = n * LN_2_LOW;
    let tail = expm1_tail(r - low, low, &EXPM1);
    // Half of 2^n (e^r - 1) + (2^n - 1), so that 2^n is finite. For n = 0 only the first term remains.
    let power = ((shifted.bits() << 23) + x.int(126 << 23)).float();
    let less = power - 0.5;
    let sum = power.mul_add(r, less);
    let lost = power.mul_add(r, less - sum);
    // From n = 25 on, `power - 0.5` rounds to `power`: the lost half is subtracted here.
    let lost = x.int(0x4b7f_ffff).lt(power.bits()).select(lost - 0.5, lost);
    let half = sum + power.mul_add(tail, lost);
    tiny.select(x, half + half)
}

/// `r` and the exponent field of `2^n`, with `x = n ln(2) + r`, for `|x| <= 700`.
#[inline(always)]
pub(super) fn reduce<L: WideLanes>(x: F64<L>) -> (F64<L>, Bits<f64, L>) {
    let t = x.mul_add(LOG2_E, ROUND_WIDE);
    ((t - ROUND_WIDE).neg_mul_add(LN_2, x), t.bits() << 52)
}

/// `e^x - 1` for `|x| <= 700` with a relative error of 2^-31; +0 for -0.
#[inline(always)]
pub(super) fn expm1_wide<L: WideLanes>(x: F64<L>) -> F64<L> {
    let (r, n) = reduce(x);
    let power = (x.splat(1.0).bits() + n).float();
    // 2^n (e^r - 1) + (2^n - 1). For n = 0 only the first term remains.
    let square = r * r;
    let p = square.mul_add(exp_tail(r, square), r);
    power.mul_add(p, power - 1.0)
}

/// `(e^r - 1 - r) / r^2`, in pairs of terms: a shorter dependency chain than Horner's rule for one more operation.
#[inline(always)]
fn exp_tail<L: WideLanes>(r: F64<L>, square: F64<L>) -> F64<L> {
    let [a, b, c, d, e, f] = EXP_WIDE;
    let high = square.mul_add(r.mul_add(f, e), r.mul_add(d, c));
    square.mul_add(high, r.mul_add(b, a))
}
