//! Numbers of twice the precision, and e^x and log x to that precision: what the functions of `f64` are made of.
//!
//! A [`Pair`] is an unevaluated sum `hi + lo` with `|lo| <= ulp(hi) / 2` or little more (Dekker 1971; products by fused
//! multiply-add).
//!
//! * e^x: `x = j ln 2 + r` with `j` a multiple of 1/16 and `|r| <= ln 2 / 32`; `e^x = 2^floor(j) 2^frac(j) e^r`, the middle one from
//!   a table of 16 pairs (Tang 1989). `r` is exact to 2^-97, the terms `r + r^2 / 2` are pairs, the others a polynomial.
//! * log x: `x = 2^e m`, `r = m c - 1` with `c` from a table of 32 and `|r| <= 1/64` (Tang 1990); `c = 1` around 1, so that
//!   log x is as precise near 1. `e ln 2 - log c` is exact in its higher part, `r - r^2 / 2` are pairs, the others a polynomial.
//!
//! Relative errors as measured: e^x 2^-69.7, e^x - 1 2^-64.1, log x and log(1 + x) 2^-65.
//! The tables come from tools/coefficients/double_extended.py.

use eltwise_simd::MathLanes;

use crate::vector::{Bits, F64, horner};

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

/// e^x as `2^n (1 + p) power`.
pub(crate) struct Exponential<L: MathLanes<f64>> {
    /// An integer.
    pub n: F64<L>,
    /// 2^(i/16)
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
pub(crate) fn exponential<L: MathLanes<f64, Int = i64>>(hi: F64<L>, lo: F64<L>) -> Exponential<L> {
    let sixteenths = hi.mul_add(core::f64::consts::LOG2_E, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    // Exact: both are multiples of 2^-58, and the difference is small.
    let rest = j.neg_mul_add(LN2[0], hi);
    let r = j.neg_mul_add(LN2[1], rest);
    let r_low = j.neg_mul_add(LN2[1], rest - r) + lo;
    let square = two_product(r, r);
    let p = fast_two_sum(r, square.hi * 0.5);
    let tail = (square.hi * r).mul_add(horner(r, &EXP_TAIL), square.lo.mul_add(0.5, r.mul_add(r_low, r_low)));
    Exponential { n: j.floor(), power: power_at(sixteenths.bits()), p: Pair { hi: p.hi, lo: p.lo + tail } }
}

/// e^(hi + lo) = (r.hi + r.lo) 2^n with `|r.hi|` in [0.97, 2] and relative error 2^-69.7: `(r.hi, r.lo, n)`.
///
/// `hi` is clamped to [-1000, 1000] (NaN stays NaN); where it is beyond, `lo` counts as 0.
#[inline(always)]
pub fn exp_parts<L: MathLanes<f64, Int = i64>>(hi: F64<L>, lo: F64<L>) -> (F64<L>, F64<L>, F64<L>) {
    let (hi, lo) = clamped(hi, lo, 1000.0);
    let Exponential { n, power, p } = exponential(hi, lo);
    let product = two_product(power.hi, p.hi);
    let sum = fast_two_sum(power.hi, product.hi);
    let lo = power.hi.mul_add(p.lo, power.lo.mul_add(p.hi, power.lo + product.lo)) + sum.lo;
    let r = fast_two_sum(sum.hi, lo);
    (r.hi, r.lo, n)
}

/// e^(hi + lo) - 1 = (r.hi + r.lo) 2^n with relative error 2^-64: `(r, n)`.
///
/// `hi` is clamped to [-1000, 1000] (NaN stays NaN); where it is beyond, `lo` counts as 0. `n` is 0 near 0. Zeros give +0.
#[inline(always)]
pub fn expm1_parts<L: MathLanes<f64, Int = i64>>(hi: F64<L>, lo: F64<L>) -> (Pair<L>, F64<L>) {
    let (hi, lo) = clamped(hi, lo, 1000.0);
    // Below -100 the result is -1, and 2^-n a number.
    let hi = hi.splat(-100.0).greatest(hi);
    let Exponential { n, power, p } = exponential(hi, lo);
    let one = (-(n.splat(1000.0).least(n))).power_of_two();
    let above = two_sum(power.hi, -one);
    let product = two_product(power.hi, p.hi);
    let sum = fast_two_sum(above.hi, product.hi);
    let lo = power.hi.mul_add(p.lo, power.lo.mul_add(p.hi, power.lo + product.lo)) + above.lo + sum.lo;
    (fast_two_sum(sum.hi, lo), n)
}

/// `hi` within `[-end, end]`, and `lo`, or 0 beyond.
#[inline(always)]
fn clamped<L: MathLanes<f64>>(hi: F64<L>, lo: F64<L>, end: f64) -> (F64<L>, F64<L>) {
    // The constants come first: NaN stays.
    let within = hi.splat(end).least(hi.splat(-end).greatest(hi));
    (within, within.eq(hi).select(lo, 0.0))
}

/// The parts of a logarithm: `log x = from + log(1 + r.hi + r.lo)`, `from = e ln 2 - log c`, its higher part exact.
pub(crate) struct Logarithm<L: MathLanes<f64>> {
    /// The exponent, as a number.
    pub e: F64<L>,
    /// The cell of the tables.
    pub at: Bits<f64, L>,
    /// The inverse of the cell's middle.
    pub c: F64<L>,
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
    Logarithm { e, at, c, r: Pair { hi: product.hi - 1.0, lo: product.lo } }
}

impl<L: MathLanes<f64, Int = i64>> Logarithm<L> {
    /// `b`, which was added to the argument, in the measure of `r`.
    #[inline(always)]
    pub(crate) fn measured(&self, b: F64<L>) -> F64<L> {
        // Beyond 2^1022, b = 1 is nothing.
        b * (-(self.e.splat(1022.0).least(self.e))).power_of_two() * self.c
    }
    /// The logarithm with relative error 2^-66.
    #[inline(always)]
    pub(crate) fn parts(self) -> Pair<L> {
        let r = self.r.hi;
        let from = self.e.mul_add(LOG_2[0], F64::lookup(&LOG, self.at));
        let from_low = self.e.mul_add(LOG_2[1], F64::lookup(&LOG_LOW, self.at));
        let square = two_product(r, r);
        let first = fast_two_sum(from, r);
        let second = fast_two_sum(first.hi, square.hi * -0.5);
        let small = (first.lo + second.lo)
            + (from_low + square.lo.mul_add(-0.5, (square.hi - r).mul_add(self.r.lo, self.r.lo)));
        let lo = (square.hi * r).mul_add(horner(r, &LOG_TAIL), small);
        fast_two_sum(second.hi, lo)
    }
}

/// log x with relative error 2^-66.
///
/// For x = 0, infinity, NaN and negative x any value; subnormal ones are numbers like the others.
#[inline(always)]
pub fn log_parts<L: MathLanes<f64, Int = i64>>(x: F64<L>) -> Pair<L> {
    let small = x.lt(f64::MIN_POSITIVE);
    if small.any() {
        let mut parts = reduced(small.select(x * SUBNORMAL, x));
        parts.e = small.select(parts.e - 54.0, parts.e);
        return parts.parts();
    }
    reduced(x).parts()
}

/// 2^54
pub(crate) const SUBNORMAL: f64 = (1u64 << 54) as f64;

/// The parts of log(1 + x), `x > -1` and finite.
#[inline(always)]
pub(crate) fn reduced_above_one<L: MathLanes<f64, Int = i64>>(x: F64<L>) -> Logarithm<L> {
    let one = two_sum(x.splat(1.0), x);
    let mut parts = reduced(one.hi);
    // The product with c is exact where it matters: near 0, c is 1. There both may be of one size.
    parts.r = Pair { hi: parts.r.hi, lo: parts.r.lo + parts.measured(one.lo) }.normal();
    parts
}

/// log(1 + hi + lo) with relative error 2^-65, for finite `hi > -1`.
///
/// For others any value. Zeros give +0.
#[inline(always)]
pub fn log1p_parts<L: MathLanes<f64, Int = i64>>(hi: F64<L>, lo: F64<L>) -> Pair<L> {
    let mut parts = reduced_above_one(hi);
    parts.r.lo = parts.r.lo + parts.measured(lo);
    parts.parts()
}

/// log 2, and what is missing.
pub(crate) const LN2: [f64; 2] = [
    f64::from_bits(0x3fe6_2e42_fefa_39ef), // 0.6931471805599453
    f64::from_bits(0x3c7a_bc9e_3b39_803f), // 2.3190468138462996e-17
];

/// 2^(i/16), rounded.
const POWERS: [f64; 16] = [
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
const POWERS_LOW: [f64; 16] = [
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

/// c: the inverse of the middle of each cell.
const INVERSE: [f64; 32] = [
    f64::from_bits(0x3ff6_42c8_590b_2164), // 1.391304347826087
    f64::from_bits(0x3ff5_c988_2b93_1057), // 1.3617021276595744
    f64::from_bits(0x3ff5_5555_5555_5555), // 1.3333333333333333
    f64::from_bits(0x3ff4_e5e0_a72f_0539), // 1.3061224489795917
    f64::from_bits(0x3ff4_7ae1_47ae_147b), // 1.28
    f64::from_bits(0x3ff4_1414_1414_1414), // 1.2549019607843137
    f64::from_bits(0x3ff3_b13b_13b1_3b14), // 1.2307692307692308
    f64::from_bits(0x3ff3_521c_fb2b_78c1), // 1.2075471698113207
    f64::from_bits(0x3ff2_f684_bda1_2f68), // 1.1851851851851851
    f64::from_bits(0x3ff2_9e41_29e4_129e), // 1.1636363636363636
    f64::from_bits(0x3ff2_4924_9249_2492), // 1.1428571428571428
    f64::from_bits(0x3ff1_f704_7dc1_1f70), // 1.1228070175438596
    f64::from_bits(0x3ff1_a7b9_611a_7b96), // 1.103448275862069
    f64::from_bits(0x3ff1_5b1e_5f75_270d), // 1.0847457627118644
    f64::from_bits(0x3ff1_1111_1111_1111), // 1.0666666666666667
    f64::from_bits(0x3ff0_c971_4fbc_da3b), // 1.0491803278688525
    f64::from_bits(0x3ff0_8421_0842_1084), // 1.032258064516129
    f64::from_bits(0x3ff0_4104_1041_0410), // 1.0158730158730158
    f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
    f64::from_bits(0x3fef_07c1_f07c_1f08), // 0.9696969696969697
    f64::from_bits(0x3fee_1e1e_1e1e_1e1e), // 0.9411764705882353
    f64::from_bits(0x3fed_41d4_1d41_d41d), // 0.9142857142857143
    f64::from_bits(0x3fec_71c7_1c71_c71c), // 0.8888888888888888
    f64::from_bits(0x3feb_acf9_14c1_bad0), // 0.8648648648648649
    f64::from_bits(0x3fea_f286_bca1_af28), // 0.8421052631578947
    f64::from_bits(0x3fea_41a4_1a41_a41a), // 0.8205128205128205
    f64::from_bits(0x3fe9_9999_9999_999a), // 0.8
    f64::from_bits(0x3fe8_f9c1_8f9c_18fa), // 0.7804878048780488
    f64::from_bits(0x3fe8_6186_1861_8618), // 0.7619047619047619
    f64::from_bits(0x3fe7_d05f_417d_05f4), // 0.7441860465116279
    f64::from_bits(0x3fe7_45d1_745d_1746), // 0.7272727272727273
    f64::from_bits(0x3fe6_c16c_16c1_6c17), // 0.7111111111111111
];

/// -log c, rounded to multiples of 2^-42.
pub(crate) const LOG: [f64; 32] = [
    f64::from_bits(0xbfd5_22ae_0738_a000), // -0.33024168687052224
    f64::from_bits(0xbfd3_c252_7733_3000), // -0.30873548164959175
    f64::from_bits(0xbfd2_6962_1134_e000), // -0.28768207245184385
    f64::from_bits(0xbfd1_178e_8227_e000), // -0.2670627852489815
    f64::from_bits(0xbfcf_991c_6cb3_c000), // -0.2468600779316148
    f64::from_bits(0xbfcd_1037_f265_6000), // -0.22705745063535687
    f64::from_bits(0xbfca_93ed_3c8a_e000), // -0.20763936477828793
    f64::from_bits(0xbfc8_23c1_6551_a000), // -0.18859116980752333
    f64::from_bits(0xbfc5_bf40_6b54_4000), // -0.16989903679541385
    f64::from_bits(0xbfc3_65fc_b015_a000), // -0.151549898127314
    f64::from_bits(0xbfc1_178e_8227_e000), // -0.13353139262449076
    f64::from_bits(0xbfbd_a727_6384_4000), // -0.11583181552509814
    f64::from_bits(0xbfb9_335e_5d59_4000), // -0.09844007281321865
    f64::from_bits(0xbfb4_d311_5d20_8000), // -0.08134563945395712
    f64::from_bits(0xbfb0_8598_b59e_4000), // -0.0645385211375924
    f64::from_bits(0xbfa8_94aa_149f_8000), // -0.04800921918626955
    f64::from_bits(0xbfa0_415d_89e7_8000), // -0.03174869831468641
    f64::from_bits(0xbf90_2056_5893_0000), // -0.01574835696806076
    f64::from_bits(0x0000_0000_0000_0000), // 0.0
    f64::from_bits(0x3f9f_829b_0e78_0000), // 0.03077165866670839
    f64::from_bits(0x3faf_0a30_c011_8000), // 0.06062462181648698
    f64::from_bits(0x3fb6_f0d2_8ae5_8000), // 0.08961215868976069
    f64::from_bits(0x3fbe_2707_6e2b_0000), // 0.11778303565643
    f64::from_bits(0x3fc2_9552_f820_0000), // 0.14518200984457508
    f64::from_bits(0x3fc5_ff30_70a7_a000), // 0.17185025692674571
    f64::from_bits(0x3fc9_525a_9cf4_6000), // 0.19782574332998593
    f64::from_bits(0x3fcc_8ff7_c79a_a000), // 0.22314355131425145
    f64::from_bits(0x3fcf_b918_6d5e_4000), // 0.2478361639045943
    f64::from_bits(0x3fd1_675c_abab_a000), // 0.2719337154835557
    f64::from_bits(0x3fd2_e8e2_bae1_2000), // 0.2954642128938758
    f64::from_bits(0x3fd4_618b_c21c_6000), // 0.31845373111855224
    f64::from_bits(0x3fd5_d1bd_bf58_1000), // 0.34092658697068146
];

/// What is missing in `LOG`.
pub(crate) const LOG_LOW: [f64; 32] = [
    f64::from_bits(0xbd2e_ba70_8164_c759), // -5.4584388914304586e-14
    f64::from_bits(0xbd18_3454_b606_bd5c), // -2.1497841362979213e-14
    f64::from_bits(0x3d31_ba1f_1052_2625), // 6.297908504131321e-14
    f64::from_bits(0xbd31_e9b8_ce2d_07f2), // -6.363967541826173e-14
    f64::from_bits(0x3d39_0b84_cd7c_c834), // 8.897769688389272e-14
    f64::from_bits(0x3d08_527e_75b6_f6e4), // 1.0801245286524724e-14
    f64::from_bits(0x3d28_6a43_5056_2169), // 4.3369911444011306e-14
    f64::from_bits(0xbd1e_02db_9a63_1e83), // -2.6655267661544328e-14
    f64::from_bits(0x3d12_8023_eb68_981c), // 1.643178756532876e-14
    f64::from_bits(0x3d3f_d720_afb9_691b), // 1.1311962035603108e-13
    f64::from_bits(0xbd21_e778_ce2d_07f2), // -3.1804225197847076e-14
    f64::from_bits(0xbd1a_7940_1fa7_1733), // -2.3513311030807498e-14
    f64::from_bits(0xbd23_0f5c_3abd_47da), // -3.38573632414336e-14
    f64::from_bits(0x3cf5_3e25_82f4_e1ef), // 4.7168402252529375e-15
    f64::from_bits(0x3d17_e9dd_7009_902c), // 2.1239485832617812e-14
    f64::from_bits(0xbd39_a55a_8be9_7661), // -9.11125854955886e-14
    f64::from_bits(0x3d3d_dfc7_f461_c516), // 1.061342829278565e-13
    f64::from_bits(0xbd36_0dd2_7c8e_8417), // -7.835152267383152e-14
    f64::from_bits(0x0000_0000_0000_0000), // 0.0
    f64::from_bits(0x3d29_7c26_7c7e_09e4), // 4.527038700229366e-14
    f64::from_bits(0xbd2d_579e_8336_8e91), // -5.2122328603557226e-14
    f64::from_bits(0xbd34_b224_1b66_4613), // -7.35264771717827e-14
    f64::from_bits(0xbd2a_2c2c_2af0_003c), // -4.649178632475319e-14
    f64::from_bits(0xbd35_bd67_f447_1dfc), // -7.723552451951224e-14
    f64::from_bits(0xbd38_546f_183b_ebf2), // -8.643688492088945e-14
    f64::from_bits(0xbd32_9493_7d9f_158f), // -6.60107543013043e-14
    f64::from_bits(0xbd27_814f_689f_8434), // -4.175347699650321e-14
    f64::from_bits(0xbd0d_6b2a_ab99_3c87), // -1.30644916428282e-14
    f64::from_bits(0x3d38_3c0e_731f_55c4), // 8.609857887931859e-14
    f64::from_bits(0xbd26_791e_99b7_2bd8), // -3.9920286056070625e-14
    f64::from_bits(0xbd13_e02f_484c_84cc), // -1.765318688778829e-14
    f64::from_bits(0xbd38_d97d_c9c7_c238), // -8.828342723772789e-14
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
