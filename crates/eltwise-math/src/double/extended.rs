//! Numbers of twice the precision, and e^x and log x to that precision: what the functions of `f64` are made of.
//!
//! A [`Pair`] is an unevaluated sum `hi + lo` with `|lo| <= ulp(hi) / 2` or little more (Dekker 1971; products by fused
//! multiply-add).
//!
//! * e^x: `x = j ln 2 + r` with `j` a multiple of 1/16 and `|r| <= ln 2 / 32`; `e^x = 2^floor(j) 2^frac(j) e^r`, the middle one from
//!   a table of 16 pairs (Tang 1989). `r` is exact to 2^-97, the terms `r + r^2 / 2` are pairs, the others a polynomial.
//! * log x: `x = 2^e m`, `r = m c - 1` with `c` from a table of 32 and `|r| <= 1/64` (Tang 1990); `c = 1` around 1, so that
//!   log x is as precise near 1, and log c is almost a short number. `e ln 2 - log c` is exact in its higher part, `r - r^2 / 2` are pairs, the others a polynomial.
//!
//! Relative errors as measured: e^x 2^-69.7, log x and log(1 + x) 2^-65.
//! The tables come from tools/coefficients/double_extended.py.

use eltwise_simd::MathLanes;

use crate::vector::{Bits, F64, Mask, horner};

/// `hi + lo`, unevaluated.
pub struct Pair<L: MathLanes<f64>> {
    /// The sum, rounded, or almost.
    pub hi: F64<L>,
    /// What is missing.
    pub lo: F64<L>,
}

impl<L: MathLanes<f64>> Clone for Pair<L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<L: MathLanes<f64>> Copy for Pair<L> {}

/// `a + b` exactly (Knuth).
#[inline(always)]
pub fn two_sum<L: MathLanes<f64>>(a: F64<L>, b: F64<L>) -> Pair<L> {
    let hi = a + b;
    let of_b = hi - a;
    let of_a = hi - of_b;
    Pair { hi, lo: (a - of_a) + (b - of_b) }
}

/// `a + b` exactly, where `a` is 0 or `|a| >= |b|` (Dekker).
#[inline(always)]
pub fn fast_two_sum<L: MathLanes<f64>>(a: F64<L>, b: F64<L>) -> Pair<L> {
    let hi = a + b;
    Pair { hi, lo: b - (hi - a) }
}

/// `a * b` exactly, unless its lower part is below the smallest number.
#[inline(always)]
pub fn two_product<L: MathLanes<f64>>(a: F64<L>, b: F64<L>) -> Pair<L> {
    let hi = a * b;
    Pair { hi, lo: a.mul_sub(b, hi) }
}

impl<L: MathLanes<f64>> Pair<L> {
    /// The sum, rounded.
    #[inline(always)]
    pub fn sum(self) -> F64<L> {
        self.hi + self.lo
    }
    /// The same sum with `hi` rounded, where `|hi| >= |lo|`.
    #[inline(always)]
    pub fn normal(self) -> Self {
        fast_two_sum(self.hi, self.lo)
    }
    /// `-self`
    #[inline(always)]
    pub fn negative(self) -> Self {
        Pair { hi: -self.hi, lo: -self.lo }
    }
    /// `self + b`, relative error 2^-103 where the signs are equal.
    #[inline(always)]
    pub fn plus(self, b: Self) -> Self {
        let sum = two_sum(self.hi, b.hi);
        Pair { hi: sum.hi, lo: sum.lo + (self.lo + b.lo) }.normal()
    }
    /// `self * b`, relative error 2^-102.
    #[inline(always)]
    pub fn times(self, b: Self) -> Self {
        let product = two_product(self.hi, b.hi);
        let lo = self.lo.mul_add(b.hi, self.hi.mul_add(b.lo, product.lo));
        Pair { hi: product.hi, lo }.normal()
    }
    /// `self / b`, relative error 2^-101.
    #[inline(always)]
    pub fn over(self, b: Self) -> Self {
        let hi = self.hi / b.hi;
        let rest = hi.neg_mul_add(b.hi, self.hi) + hi.neg_mul_add(b.lo, self.lo);
        Pair { hi, lo: rest / b.hi }.normal()
    }
    /// The square root, relative error 2^-101; `self` is positive.
    #[inline(always)]
    pub fn root(self) -> Self {
        let hi = self.hi.sqrt();
        let rest = hi.neg_mul_add(hi, self.hi) + self.lo;
        Pair { hi, lo: rest / (hi + hi) }.normal()
    }
    /// Both times a power of two.
    #[inline(always)]
    pub fn by(self, power: F64<L>) -> Self {
        Pair { hi: self.hi * power, lo: self.lo * power }
    }
}

/// e^x as `2^floor(j) (1 + p) power`.
pub(crate) struct Exponential<L: MathLanes<f64>> {
    /// A multiple of 1/16.
    pub j: F64<L>,
    /// 2^frac(j)
    pub power: Pair<L>,
    /// e^r - 1, not normal.
    pub p: Pair<L>,
}

/// Adding this leaves the multiples of 1/16 in the lower bits.
pub(crate) const SIXTEENTHS: f64 = (3u64 << 47) as f64;

/// 2^frac(j) for `j = (bits - bits(SIXTEENTHS)) / 16`.
#[inline(always)]
pub(crate) fn power_at<L: MathLanes<f64, Int = i64>>(at: Bits<f64, L>) -> Pair<L> {
    Pair { hi: F64::lookup(&POWERS, at), lo: F64::lookup(&POWERS_LOW, at) }
}

/// The parts of e^(hi + lo) for `|hi| <= 1000`, `|lo|` much less.
#[inline(always)]
pub(crate) fn exponential<L: MathLanes<f64, Int = i64>>(hi: F64<L>, lo: Option<F64<L>>) -> Exponential<L> {
    let sixteenths = hi.mul_add(core::f64::consts::LOG2_E, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    // Exact: both are multiples of 2^-58, and the difference is small.
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

/// e^(hi + lo) = (r.hi + r.lo) 2^n with `|r.hi|` in [0.97, 2] and relative error 2^-69.7: `(r.hi, r.lo, n)`.
///
/// `hi` is clamped to [-1000, 1000] (NaN stays NaN); where it is beyond, `lo` counts as 0.
#[inline(always)]
pub fn exp_parts<L: MathLanes<f64, Int = i64>>(hi: F64<L>, lo: F64<L>) -> (F64<L>, F64<L>, F64<L>) {
    let (hi, lo) = clamped(hi, lo, 1000.0);
    exponential(hi, Some(lo)).product()
}

impl<L: MathLanes<f64, Int = i64>> Exponential<L> {
    /// `(r.hi, r.lo, n)` of [`exp_parts`].
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

/// `hi` within `[-end, end]`, and `lo`, or 0 beyond.
#[inline(always)]
fn clamped<L: MathLanes<f64>>(hi: F64<L>, lo: F64<L>, end: f64) -> (F64<L>, F64<L>) {
    let far = !hi.abs().le(end);
    if far.any() {
        // The constants come first: NaN stays.
        return (hi.splat(end).least(hi.splat(-end).greatest(hi)), far.select(0.0, lo));
    }
    (hi, lo)
}

/// The parts of a logarithm: `log x = from + log(1 + r.hi + r.lo)`, `from = e ln 2 - log c`, its higher part exact.
pub(crate) struct Logarithm<L: MathLanes<f64>> {
    /// The exponent, as a number.
    pub e: F64<L>,
    /// The cell of the tables.
    pub at: Bits<f64, L>,
    /// `2^-e c`: what takes numbers to the measure of `r`; any number for x >= 2^1023.
    pub factor: F64<L>,
    /// `m c - 1`
    pub r: Pair<L>,
}

/// The bits of the lowest of the 32 cells, 1 - 37/128.
const FIRST: i64 = 0x3fe6_c000_0000_0000;
/// 1024 in the exponent's place.
const BIASED: i64 = 1024 << 52;

/// Reduces `x`, positive and normal.
#[inline(always)]
pub(crate) fn reduced<L: MathLanes<f64, Int = i64>>(x: F64<L>) -> Logarithm<L> {
    let bits = x.bits();
    let above = bits + bits.splat(BIASED - FIRST);
    let exponent = above >> 52;
    let ones = x.splat((1u64 << 52) as f64);
    let e = (exponent | ones.bits()).float() - ((1u64 << 52) + 1024) as f64;
    let m = ((above & bits.splat((1 << 52) - 1)) + bits.splat(FIRST)).float();
    let at = above >> 47;
    let c = F64::lookup(&INVERSE, at);
    let product = two_product(m, c);
    let factor = (c.bits() + (m.bits() - bits)).float();
    Logarithm { e, at, factor, r: Pair { hi: product.hi - 1.0, lo: product.lo } }
}

impl<L: MathLanes<f64, Int = i64>> Logarithm<L> {
    /// The logarithm with relative error 2^-66.
    #[inline(always)]
    pub(crate) fn parts(self) -> Pair<L> {
        let r = self.r.hi;
        let from = self.e.mul_add(LOG_2[0], F64::lookup(&LOG, self.at));
        let from_low = self.e * LOG_2[1];
        let square = two_product(r, r);
        let first = fast_two_sum(from, r);
        let second = fast_two_sum(first.hi, square.hi * -0.5);
        let small = (first.lo + second.lo)
            + (from_low + square.lo.mul_add(-0.5, (square.hi - r).mul_add(self.r.lo, self.r.lo)));
        let lo = (square.hi * r).mul_add(horner(r, &LOG_TAIL), small);
        fast_two_sum(second.hi, lo)
    }
}

/// 2^-200. Odd functions that are x near 0 take at least this, and what they make of it is put right where short results are looked
/// at: CPUs are slow at subnormal numbers.
pub(crate) const TINY: f64 = f64::from_bits(823 << 52);

/// From here on, 1 + x is x.
pub(crate) const FAR: f64 = f64::from_bits(2023 << 52);

/// The parts of log(1 + x), `x > -1` and finite; `rare` where x is `FAR` or more, and possibly elsewhere.
#[inline(always)]
pub(crate) fn reduced_above_one<L: MathLanes<f64, Int = i64>>(x: F64<L>, rare: Mask<f64, L>) -> Logarithm<L> {
    let one = two_sum(x.splat(1.0), x);
    let mut parts = reduced(one.hi);
    if rare.any() {
        parts.factor = x.ge(FAR).select(0.0, parts.factor);
    }
    // The product is exact where it matters: near 0, the factor is 1. There both may be of one size.
    parts.r = Pair { hi: parts.r.hi, lo: one.lo.mul_add(parts.factor, parts.r.lo) }.normal();
    parts
}

/// log(1 + hi + lo) with relative error 2^-65, for finite `hi > -1`.
///
/// For others any value. Zeros give +0.
#[inline(always)]
pub fn log1p_parts<L: MathLanes<f64, Int = i64>>(hi: F64<L>, lo: F64<L>) -> Pair<L> {
    let mut parts = reduced_above_one(hi, hi.ge(FAR));
    parts.r.lo = lo.mul_add(parts.factor, parts.r.lo);
    parts.parts()
}

/// log 2, and what is missing.
pub(crate) const LN2: [f64; 2] = [
    f64::from_bits(0x3fe6_2e42_fefa_39ef), // 0.6931471805599453
    f64::from_bits(0x3c7a_bc9e_3b39_803f), // 2.3190468138462996e-17
];

/// 2^(i/16), rounded.
pub(super) const POWERS: [f64; 16] = [
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

/// What is missing in `POWERS`.
pub(super) const POWERS_LOW: [f64; 16] = [
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

/// (e^r - 1 - r) / r^2; it leaves 2^-63 of e^r.
pub(crate) const EXP: [f64; 6] = [
    f64::from_bits(0x3fe0_0000_0000_0004), // 0.5000000000000004
    f64::from_bits(0x3fc5_5555_5555_6bfd), // 0.16666666666682764
    f64::from_bits(0x3fa5_5555_5548_ad58), // 0.04166666666091129
    f64::from_bits(0x3f81_1110_ef97_01e6), // 0.008333332359030398
    f64::from_bits(0x3f56_c183_29db_63e4), // 0.0013889103787987295
    f64::from_bits(0x3f2a_2f85_e1fa_bd99), // 0.00019978055296608342
];
/// (e^r - 1 - r - r^2/2) / r^3; it leaves 2^-71 of e^r.
const EXP_TAIL: [f64; 6] = [
    f64::from_bits(0x3fc5_5555_5555_5557), // 0.1666666666666667
    f64::from_bits(0x3fa5_5555_5555_6143), // 0.041666666666687856
    f64::from_bits(0x3f81_1111_110b_b8bb), // 0.00833333333272567
    f64::from_bits(0x3f56_c16b_f391_8611), // 0.0013888887608789517
    f64::from_bits(0x3f2a_01b4_1270_2fd1), // 0.00019841502327755262
    f64::from_bits(0x3efa_31cc_d950_1eb5), // 2.4981052394705816e-05
];

/// log 2, rounded to multiples of 2^-42, and what is missing.
pub(crate) const LOG_2: [f64; 2] = [
    f64::from_bits(0x3fe6_2e42_fefa_3800), // 0.6931471805598903
    f64::from_bits(0x3d2e_f357_93c7_6730), // 5.497923018708371e-14
];

/// c: about the inverse of the middle of each cell, such that `LOG` misses less than 2^-73 of -log c (Gal 1986).
const INVERSE: [f64; 32] = [
    f64::from_bits(0x3ff6_42c7_7e8d_ba81), // 1.391303533887964
    f64::from_bits(0x3ff5_c987_56df_9c0d), // 1.361701335286628
    f64::from_bits(0x3ff5_5554_fadd_878f), // 1.3333329963138316
    f64::from_bits(0x3ff4_e5de_29d6_d622), // 1.3061200746864263
    f64::from_bits(0x3ff4_7ae1_148b_6dc6), // 1.2799998095059535
    f64::from_bits(0x3ff4_1413_1df0_5b77), // 1.2549010438430892
    f64::from_bits(0x3ff3_b139_0725_feb1), // 1.2307672766909656
    f64::from_bits(0x3ff3_521c_4b24_32de), // 1.2075465140543922
    f64::from_bits(0x3ff2_f682_6e51_53c3), // 1.185182982376532
    f64::from_bits(0x3ff2_9e40_4afc_7be4), // 1.163635533251857
    f64::from_bits(0x3ff2_4922_ce33_4c0c), // 1.1428554587080297
    f64::from_bits(0x3ff1_f703_789a_18ea), // 1.1228060446751962
    f64::from_bits(0x3ff1_a7b7_649a_0177), // 1.1034463815450104
    f64::from_bits(0x3ff1_5b1e_418e_fbda), // 1.0847456513290497
    f64::from_bits(0x3ff1_1110_76c2_ba97), // 1.0666660918319957
    f64::from_bits(0x3ff0_c970_e0cb_cd64), // 1.0491799145791783
    f64::from_bits(0x3ff0_841f_6798_9a96), // 1.0322565123293876
    f64::from_bits(0x3ff0_4103_fc97_4bda), // 1.0158729426227553
    f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
    f64::from_bits(0x3fef_07c1_da01_666d), // 0.9696969278258628
    f64::from_bits(0x3fee_1e1d_bb17_2c16), // 0.9411762861358308
    f64::from_bits(0x3fed_41d2_0dfe_4ab5), // 0.9142847321803261
    f64::from_bits(0x3fec_71c7_19d2_f76f), // 0.8888888840080947
    f64::from_bits(0x3feb_acf7_bb53_13e9), // 0.8648642214471894
    f64::from_bits(0x3fea_f285_eb9e_e5a8), // 0.8421048738447796
    f64::from_bits(0x3fea_41a1_d5f2_0a04), // 0.8205117395994539
    f64::from_bits(0x3fe9_9998_1acc_3068), // 0.7999992869749919
    f64::from_bits(0x3fe8_f9bf_10af_dae2), // 0.7804866147915528
    f64::from_bits(0x3fe8_6185_9c47_2e35), // 0.7619045307450906
    f64::from_bits(0x3fe7_d05d_53de_c58b), // 0.7441851270761374
    f64::from_bits(0x3fe7_45d0_9b2e_b7df), // 0.7272723227413244
    f64::from_bits(0x3fe6_c169_d3b6_caed), // 0.7111100325622296
];

/// -log c, a multiple of 2^-42.
pub(crate) const LOG: [f64; 32] = [
    f64::from_bits(0xbfd5_22ab_9310_1000), // -0.33024110185237987
    f64::from_bits(0xbfd3_c250_0664_0000), // -0.30873489975056145
    f64::from_bits(0xbfd2_6961_01cd_7000), // -0.2876818196871227
    f64::from_bits(0xbfd1_1786_e249_6000), // -0.26706096742918817
    f64::from_bits(0xbfcf_991b_2d1b_2000), // -0.2468599291080409
    f64::from_bits(0xbfcd_1031_d141_8000), // -0.22705671994754084
    f64::from_bits(0xbfca_93df_eb01_2000), // -0.2076377770883937
    f64::from_bits(0xbfc8_23bc_d721_6000), // -0.1885906267586961
    f64::from_bits(0xbfc5_bf30_d3f8_4000), // -0.16989717817386918
    f64::from_bits(0xbfc3_65f6_b39d_4000), // -0.151549184515261
    f64::from_bits(0xbfc1_1782_258e_6000), // -0.13352991899296285
    f64::from_bits(0xbfbd_a718_da17_c000), // -0.11583094906359293
    f64::from_bits(0xbfb9_3341_9010_c000), // -0.09843835608694462
    f64::from_bits(0xbfb4_d30f_a41d_8000), // -0.08134553677291478
    f64::from_bits(0xbfb0_858f_ab07_0000), // -0.06453798222992191
    f64::from_bits(0xbfa8_949c_dce7_8000), // -0.048008825269562294
    f64::from_bits(0xbfa0_412b_155f_8000), // -0.03174719463254405
    f64::from_bits(0xbf90_2051_81cf_0000), // -0.01574828486241131
    f64::from_bits(0x0000_0000_0000_0000), // 0.0
    f64::from_bits(0x3f9f_829d_f44a_0000), // 0.0307717018463336
    f64::from_bits(0x3faf_0a37_5387_8000), // 0.0606248177971338
    f64::from_bits(0x3fb6_f0e4_9075_0000), // 0.08961323286803236
    f64::from_bits(0x3fbe_2707_85c0_4000), // 0.11778304114727689
    f64::from_bits(0x3fc2_9559_35bf_e000), // 0.14518275379646184
    f64::from_bits(0x3fc5_ff34_5174_e000), // 0.1718507192360903
    f64::from_bits(0x3fc9_5265_a9f8_e000), // 0.19782706069395317
    f64::from_bits(0x3fcc_8fff_419d_e000), // 0.22314444259586708
    f64::from_bits(0x3fcf_b925_37d9_a000), // 0.24783768870406675
    f64::from_bits(0x3fd1_675d_f170_d000), // 0.2719340188807564
    f64::from_bits(0x3fd2_e8e7_e97a_a000), // 0.2954654483860395
    f64::from_bits(0x3fd4_618e_175b_f000), // 0.3184542873493683
    f64::from_bits(0x3fd5_d1c4_1be6_4000), // 0.34092810368110804
];

/// (log(1 + r) - r + r^2/2) / r^3; it leaves 2^-68 of the logarithm.
pub(crate) const LOG_TAIL: [f64; 8] = [
    f64::from_bits(0x3fd5_5555_5555_5555), // 0.3333333333333333
    f64::from_bits(0xbfd0_0000_0000_0112), // -0.2500000000000152
    f64::from_bits(0x3fc9_9999_999a_05da), // 0.20000000000076917
    f64::from_bits(0xbfc5_5555_54e8_1e06), // -0.16666666646800382
    f64::from_bits(0x3fc2_4924_7b84_0d56), // 0.14285713225408853
    f64::from_bits(0xbfc0_0005_f09c_0e80), // -0.12500070808902208
    f64::from_bits(0x3fbc_7558_2278_de6c), // 0.11116553155522418
    f64::from_bits(0xbfb9_7448_6eb1_4232), // -0.09943058683826037
];
