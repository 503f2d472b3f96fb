//! e^x in double-double.
//!
//! 1. Reduction: `x = j ln 2 + r`, j a multiple of 1/16, `|r| <= ln 2 / 32`. r is known to 2^-97.
//! 2. `e^x = 2^floor(j) 2^frac(j) e^r`; `2^frac(j)` from a table of 16 pairs (Tang 1989).
//! 3. `e^r`: the terms `r + r^2 / 2` as pairs, the others a minimax polynomial of degree 8 ([`EXP_TAIL`]).
//!
//! Relative error, measured: 2^-69.7. Tables: `tools/coefficients/f64_extended.py`.

use eltwise_simd::MathLanes;

use crate::f64::constants::{LN2, SIXTEENTHS};
use crate::f64::double_double::{Pair, fast_two_sum, two_product};
use crate::polynomial::horner;
use crate::vector::{Bits, F64};

/// The parts of `e^x = 2^floor(j) power (1 + p)`.
pub(crate) struct Exponential<L: MathLanes<f64>> {
    /// A multiple of 1/16.
    pub(crate) j: F64<L>,
    /// 2^frac(j).
    pub(crate) power: Pair<L>,
    /// e^r - 1; `hi` is not rounded.
    pub(crate) p: Pair<L>,
}

/// 2^frac(j) for `j = (bits - bits(SIXTEENTHS)) / 16`.
#[inline(always)]
pub(crate) fn power_at<L: MathLanes<f64, Int = i64>>(index: Bits<f64, L>) -> Pair<L> {
    Pair { hi: F64::lookup(&POWERS, index), lo: F64::lookup(&POWERS_LOW, index) }
}

/// The parts of e^(hi + lo) for `|hi| <= 1000` and a much smaller `lo`.
#[inline(always)]
pub(crate) fn exponential<L: MathLanes<f64, Int = i64>>(hi: F64<L>, lo: Option<F64<L>>) -> Exponential<L> {
    let sixteenths = hi.mul_add(core::f64::consts::LOG2_E, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    // Exact: the operands are multiples of 2^-58, and the difference is small.
    let rest = j.neg_mul_add(LN2[0], hi);
    let r = j.neg_mul_add(LN2[1], rest);
    let r_low = j.neg_mul_add(LN2[1], rest - r);
    let r_low = match lo {
        Some(lo) => r_low + lo,
        None => r_low,
    };
    let square = two_product(r, r);
    let p = fast_two_sum(r, square.hi * 0.5);
    let tail = (square.hi * r).mul_add(horner(r, &EXP_TAIL), square.lo.mul_add(0.5, r.mul_add(r_low, r_low)));
    Exponential { j, power: power_at(sixteenths.bits()), p: Pair { hi: p.hi, lo: p.lo + tail } }
}

/// `(r.hi, r.lo, n)` with `e^(hi + lo) = (r.hi + r.lo) 2^n`, `|r.hi|` in [0.97, 2], relative error 2^-69.7.
///
/// `hi` is clamped to [-1000, 1000], and `lo` is 0 where it was outside. NaN remains NaN.
#[inline(always)]
pub(crate) fn exp_parts<L: MathLanes<f64, Int = i64>>(hi: F64<L>, lo: F64<L>) -> (F64<L>, F64<L>, F64<L>) {
    let (hi, lo) = clamped(hi, lo, 1000.0);
    exponential(hi, Some(lo)).product()
}

impl<L: MathLanes<f64, Int = i64>> Exponential<L> {
    /// `(r.hi, r.lo, n)`, as [`exp_parts`].
    #[inline(always)]
    pub(crate) fn product(self) -> (F64<L>, F64<L>, F64<L>) {
        let Exponential { j, power, p } = self;
        let product = two_product(power.hi, p.hi);
        let sum = fast_two_sum(power.hi, product.hi);
        let lo = power.hi.mul_add(p.lo, power.lo.mul_add(p.hi, power.lo + product.lo)) + sum.lo;
        let r = fast_two_sum(sum.hi, lo);
        (r.hi, r.lo, j.floor())
    }
}

/// `hi` clamped to `[-end, end]`, and `lo`, or 0 where `hi` was outside.
#[inline(always)]
fn clamped<L: MathLanes<f64>>(hi: F64<L>, lo: F64<L>, end: f64) -> (F64<L>, F64<L>) {
    let far = !hi.abs().le(end);
    if far.any() {
        // With the constant as the first operand, NaN remains NaN.
        return (hi.splat(end).least(hi.splat(-end).greatest(hi)), far.select(0.0, lo));
    }
    (hi, lo)
}

/// 2^(i/16), rounded.
pub(crate) const POWERS: [f64; 16] = [
    f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
    f64::from_bits(0x3ff0_b558_6cf9_890f), // 1.0442737824274138
    f64::from_bits(0x3ff1_72b8_3c7d_517b), // 1.0905077326652577
    f64::from_bits(0x3ff2_387a_6e75_6238), // 1.1387886347566916
    f64::from_bits(0x3ff3_06fe_0a31_b715), // 1.189207115002721
    f64::from_bits(0x3ff3_dea6_4c12_3422), // 1.241857812073484
    f64::from_bits(0x3ff4_bfda_d536_2a27), // 1.2968395546510096
    f64::from_bits(0x3ff5_ab07_dd48_5429), // 1.3542555469368927
    f64::from_bits(0x3ff6_a09e_667f_3bcd), // 1.4142135623730951
    f64::from_bits(0x3ff7_a114_73eb_0187), // 1.4768261459394993
    f64::from_bits(0x3ff8_ace5_422a_a0db), // 1.5422108254079407
    f64::from_bits(0x3ff9_c491_82a3_f090), // 1.6104903319492543
    f64::from_bits(0x3ffa_e89f_995a_d3ad), // 1.681792830507429
    f64::from_bits(0x3ffc_199b_dd85_529c), // 1.7562521603732995
    f64::from_bits(0x3ffd_5818_dcfb_a487), // 1.8340080864093424
    f64::from_bits(0x3ffe_a4af_a2a4_90da), // 1.9152065613971474
];

/// 2^(i/16) minus [`POWERS`].
pub(crate) const POWERS_LOW: [f64; 16] = [
    f64::from_bits(0x0000_0000_0000_0000), // 0.0
    f64::from_bits(0x3c98_a62e_4adc_610b), // 8.551889705537965e-17
    f64::from_bits(0xbc81_9041_b9d7_8a76), // -3.046782079812471e-17
    f64::from_bits(0x3c99_b07e_b6c7_0573), // 8.912812676025408e-17
    f64::from_bits(0x3c86_f46a_d231_82e4), // 3.982015231465646e-17
    f64::from_bits(0x3c8a_da09_11f0_9ebc), // 4.658027591836937e-17
    f64::from_bits(0x3c7d_4397_afec_42e2), // 2.5382502794888315e-17
    f64::from_bits(0x3c96_324c_0546_47ad), // 7.70094837980299e-17
    f64::from_bits(0xbc9b_dd34_13b2_6456), // -9.667293313452913e-17
    f64::from_bits(0xbc84_1577_ee04_992f), // -3.483994556892796e-17
    f64::from_bits(0x3c96_e9f1_5686_4b27), // 7.949834809697621e-17
    f64::from_bits(0x3c7c_7c46_b071_f2be), // 2.4707192569797888e-17
    f64::from_bits(0x3c97_a1cd_345d_cc81), // 8.199010020581497e-17
    f64::from_bits(0x3c81_1065_8950_48dd), // 2.960140695448873e-17
    f64::from_bits(0x3c82_ed02_d75b_3707), // 3.283107224245627e-17
    f64::from_bits(0xbc9e_9c23_179c_2893), // -1.0619946056195963e-16
];

/// (e^r - 1 - r) / r^2. Error 2^-63 of e^r.
pub(crate) const EXP: [f64; 6] = [
    f64::from_bits(0x3fe0_0000_0000_0004), // 0.5000000000000004
    f64::from_bits(0x3fc5_5555_5555_6bfd), // 0.16666666666682764
    f64::from_bits(0x3fa5_5555_5548_ad58), // 0.04166666666091129
    f64::from_bits(0x3f81_1110_ef97_01e6), // 0.008333332359030398
    f64::from_bits(0x3f56_c183_29db_63e4), // 0.0013889103787987295
    f64::from_bits(0x3f2a_2f85_e1fa_bd99), // 0.00019978055296608342
];

/// (e^r - 1 - r - r^2/2) / r^3. Error 2^-71 of e^r.
const EXP_TAIL: [f64; 6] = [
    f64::from_bits(0x3fc5_5555_5555_5557), // 0.1666666666666667
    f64::from_bits(0x3fa5_5555_5555_6143), // 0.041666666666687856
    f64::from_bits(0x3f81_1111_110b_b8bb), // 0.00833333333272567
    f64::from_bits(0x3f56_c16b_f391_8611), // 0.0013888887608789517
    f64::from_bits(0x3f2a_01b4_1270_2fd1), // 0.00019841502327755262
    f64::from_bits(0x3efa_31cc_d950_1eb5), // 2.4981052394705816e-05
];
