//! log x and log(1 + x) in double-double.
//!
//! 1. Reduction: `x = 2^e m`, `r = m c - 1`, c from a table of 32, `|r| <= 1/64` (Tang 1990). c = 1 around 1, so that
//!    the relative error holds near 1; log c is almost a short number (Gal 1986, "Computing elementary functions: a new
//!    approach for achieving high accuracy and good performance").
//! 2. `e ln 2 - log c`: the high part is exact.
//! 3. `log(1 + r)`: the terms `r - r^2 / 2` as pairs, the others a minimax polynomial of degree 10 ([`LOG_TAIL`]).
//!
//! Relative error, measured: 2^-65. Tables: `tools/coefficients/f64_extended.py`.

use eltwise_simd::MathLanes;

use crate::f64::double_double::{Pair, fast_two_sum, two_product, two_sum};
use crate::polynomial::horner;
use crate::vector::{Bits, F64, Mask};

/// The parts of `log x = e ln 2 - log c + log(1 + r.hi + r.lo)`.
pub(crate) struct Logarithm<L: MathLanes<f64>> {
    /// The exponent, as a number.
    pub(crate) e: F64<L>,
    /// The index of the tables' cell.
    pub(crate) index: Bits<f64, L>,
    /// `2^-e c`, which scales an addend of x to one of r; unspecified for x >= 2^1023.
    pub(crate) factor: F64<L>,
    /// `m c - 1`.
    pub(crate) r: Pair<L>,
}

/// The bits of the lowest of the 32 cells, 1 - 37/128.
const FIRST: i64 = 0x3fe6_c000_0000_0000;

/// 1024 in the exponent field.
const BIASED: i64 = 1024 << 52;

/// Reduces a positive normal number.
#[inline(always)]
pub(crate) fn reduced<L: MathLanes<f64, Int = i64>>(x: F64<L>) -> Logarithm<L> {
    let bits = x.bits();
    let above = bits + bits.splat(BIASED - FIRST);
    let exponent = above >> 52;
    let ones = x.splat((1u64 << 52) as f64);
    let e = (exponent | ones.bits()).float() - ((1u64 << 52) + 1024) as f64;
    let m = ((above & bits.splat((1 << 52) - 1)) + bits.splat(FIRST)).float();
    let index = above >> 47;
    let c = F64::lookup(&INVERSE, index);
    let product = two_product(m, c);
    let factor = (c.bits() + (m.bits() - bits)).float();
    Logarithm { e, index, factor, r: Pair { hi: product.hi - 1.0, lo: product.lo } }
}

impl<L: MathLanes<f64, Int = i64>> Logarithm<L> {
    /// The logarithm, relative error 2^-66.
    #[inline(always)]
    pub(crate) fn parts(self) -> Pair<L> {
        let r = self.r.hi;
        let from = self.e.mul_add(LOG_2[0], F64::lookup(&LOG, self.index));
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

/// 2^1000. From here on, 1 + x counts as x.
pub(crate) const FAR: f64 = f64::from_bits(2023 << 52);

/// The parts of log(1 + x), for finite `x > -1`. `rare` is set at least where x is `FAR` or more.
#[inline(always)]
fn reduce_1p<L: MathLanes<f64, Int = i64>>(x: F64<L>, rare: Mask<f64, L>) -> Logarithm<L> {
    let one = two_sum(x.splat(1.0), x);
    let mut parts = reduced(one.hi);
    if rare.any() {
        parts.factor = x.ge(FAR).select(0.0, parts.factor);
    }
    // Near 0 the factor is 1 and the product exact. There r.hi and r.lo may be of similar size, hence `normal`.
    parts.r = Pair { hi: parts.r.hi, lo: one.lo.mul_add(parts.factor, parts.r.lo) }.normal();
    parts
}

/// log(1 + hi + lo), relative error 2^-65, for finite `hi > -1`; unspecified for other values. Zeros give +0.
#[inline(always)]
pub(crate) fn log1p_parts<L: MathLanes<f64, Int = i64>>(hi: F64<L>, lo: F64<L>) -> Pair<L> {
    let mut parts = reduce_1p(hi, hi.ge(FAR));
    parts.r.lo = lo.mul_add(parts.factor, parts.r.lo);
    parts.parts()
}

/// log 2: rounded to a multiple of 2^-42, and the remainder.
const LOG_2: [f64; 2] = [
    f64::from_bits(0x3fe6_2e42_fefa_3800), // 0.6931471805598903
    f64::from_bits(0x3d2e_f357_93c7_6730), // 5.497923018708371e-14
];

/// c, about the inverse of the middle of each cell, such that [`LOG`] is within 2^-73 of -log c (Gal 1986).
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
const LOG: [f64; 32] = [
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

/// (log(1 + r) - r + r^2/2) / r^3. Error 2^-68 of the logarithm.
const LOG_TAIL: [f64; 8] = [
    f64::from_bits(0x3fd5_5555_5555_5555), // 0.3333333333333333
    f64::from_bits(0xbfd0_0000_0000_0112), // -0.2500000000000152
    f64::from_bits(0x3fc9_9999_999a_05da), // 0.20000000000076917
    f64::from_bits(0xbfc5_5555_54e8_1e06), // -0.16666666646800382
    f64::from_bits(0x3fc2_4924_7b84_0d56), // 0.14285713225408853
    f64::from_bits(0xbfc0_0005_f09c_0e80), // -0.12500070808902208
    f64::from_bits(0x3fbc_7558_2278_de6c), // 0.11116553155522418
    f64::from_bits(0xbfb9_7448_6eb1_4232), // -0.09943058683826037
];
