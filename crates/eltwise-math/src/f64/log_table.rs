//! The table-driven logarithm of log, log1p, asinh, acosh and atanh, as a pair with an error of 2^-60.
//!
//! 1. Reduction: `y = 2^e m`, m in [0.703, 1.406), in one of 16 cells of equal size in the bits; `r = m c - 1`,
//!    `|r| < 0.0333`, c near the inverse of the cell's middle (Tang 1990).
//! 2. `log y = (e log 2 - log c) + r + r^2 P(r)`, P minimax of degree 8. The first sum is exact in its high part, the
//!    second keeps its rounding error.
//! 3. Where the logarithm is small, c has so few digits that r is exact or nearly so: its error is below 0.13 ULP of
//!    the result, and mostly
//!    0. c = 1 around 1, so that the relative error holds near 1.
//!
//! Each base has its own tables. Source: `tools/coefficients/f64_logarithm.py`.

use eltwise_simd::WideLanes;

use super::double_double::Pair;
use super::tables::Tables;
use crate::vector::{Bits, F64};

/// The tables of a base.
pub(super) struct Base {
    /// For each cell: c, -log c rounded to a multiple of 2^-42, the remainder, and 0 as padding.
    tables: &'static Tables<4>,
    /// log 2: rounded to a multiple of 2^-42, and the remainder.
    log_2: [f64; 2],
    /// log e as a sum of two floats.
    log_e: [f64; 2],
    /// (log(1 + r) - r) / r^2 in powers of r, times `log_e`. Error 2^-61.1 of the logarithm.
    tail: [f64; 9],
}

/// A reduced number: `2^e m` and the table entries of its cell.
pub(super) struct Cell<L: WideLanes> {
    /// `e << 52`, which was subtracted from the bits of the number to get `m`.
    exponent: Bits<f64, L>,
    m: F64<L>,
    c: F64<L>,
    high: F64<L>,
    low: F64<L>,
}

/// The bits of 0.703125, the lowest m.
const FIRST: i64 = 0x3fe6_8000_0000_0000;

/// Reduces a positive normal number.
#[inline(always)]
pub(super) fn cell<L: WideLanes>(y: F64<L>, base: &Base) -> Cell<L> {
    let bits = y.bits();
    let above = bits - bits.splat(FIRST);
    let exponent = above & bits.splat(-1 << 52);
    let m = (bits - exponent).float();
    let [c, high, low, _] = base.tables.lookup(above >> 48);
    Cell { exponent, m, c, high, low }
}

impl<L: WideLanes> Cell<L> {
    /// Multiplies the number by `2^n`.
    #[inline(always)]
    pub(super) fn times_two_to(self, n: i64) -> Self {
        Cell { exponent: self.exponent + self.exponent.splat(n << 52), ..self }
    }
    /// The logarithm, to 2^-60; with `MORE`, of the number plus a small `more`. `hi` is not rounded.
    #[inline(always)]
    pub(super) fn log<const MORE: bool>(self, more: F64<L>, base: &Base) -> Pair<L> {
        let unit = 1.0 / Bits::<f64, L>::WHOLE;
        let Cell { exponent, m, c, high, low } = self;
        let r = m.mul_sub(c, 1.0);
        let e = exponent.whole();
        let from = e.mul_add(base.log_2[0] * unit, high);
        let low = if base.log_2[1] == 0.0 { low } else { e.mul_add(base.log_2[1] * unit, low) };
        // p = r log e.
        let (p, low) = if base.log_e[1] == 0.0 {
            (r, low)
        } else {
            let p = r * base.log_e[0];
            (p, low + r.mul_add(base.log_e[1], r.mul_sub(base.log_e[0], p)))
        };
        let hi = from + p;
        let mut low = ((from - hi) + p) + low;
        if MORE {
            let more = more * (c.bits() - exponent).float();
            low = more + r.neg_mul_add(more, low);
        }
        let square = r * r;
        let t = &base.tail;
        let even = square.mul_add(t[8], t[6]).mul_add(square, t[4]).mul_add(square, t[2]).mul_add(square, t[0]);
        let odd = square.mul_add(t[7], t[5]).mul_add(square, t[3]).mul_add(square, t[1]);
        Pair { hi, lo: square.mul_add(odd.mul_add(r, even), low) }
    }
}

/// c, the reciprocals.
const INVERSE: [f64; 16] = [
    f64::from_bits(0x3ff6_4400_0000_0000), // 1.3916015625
    f64::from_bits(0x3ff5_5400_0000_0000), // 1.3330078125
    f64::from_bits(0x3ff4_7c00_0000_0000), // 1.2802734375
    f64::from_bits(0x3ff3_b000_0000_0000), // 1.23046875
    f64::from_bits(0x3ff2_f800_0000_0000), // 1.185546875
    f64::from_bits(0x3ff2_4800_0000_0000), // 1.142578125
    f64::from_bits(0x3ff1_a800_0000_0000), // 1.103515625
    f64::from_bits(0x3ff1_0c00_0000_0000), // 1.0654296875
    f64::from_bits(0x3ff0_8000_0000_0000), // 1.03125
    f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
    f64::from_bits(0x3fee_0000_0000_0000), // 0.9375
    f64::from_bits(0x3fec_7000_0000_0000), // 0.888671875
    f64::from_bits(0x3fea_f000_0000_0000), // 0.841796875
    f64::from_bits(0x3fe9_9800_0000_0000), // 0.7998046875
    f64::from_bits(0x3fe8_6000_0000_0000), // 0.76171875
    f64::from_bits(0x3fe7_4800_0000_0000), // 0.7275390625
];

/// Base e.
pub(super) const NATURAL: Base = Base {
    tables: &NATURAL_CELLS,
    log_2: [
        f64::from_bits(0x3fe6_2e42_fefa_3800), // 0.6931471805598903
        f64::from_bits(0x3d2e_f357_93c7_6730), // 5.497923018708371e-14
    ],
    log_e: [
        f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
    ],
    tail: [
        f64::from_bits(0xbfe0_0000_0000_0000), // -0.5
        f64::from_bits(0x3fd5_5555_5555_549e), // 0.33333333333332316
        f64::from_bits(0xbfd0_0000_0000_0a0a), // -0.25000000000014266
        f64::from_bits(0x3fc9_9999_99ca_31ae), // 0.20000000008839208
        f64::from_bits(0xbfc5_5555_5425_7651), // -0.16666666611392825
        f64::from_bits(0x3fc2_4922_94e5_8416), // 0.14285690565432735
        f64::from_bits(0xbfc0_0005_d1ef_e4cf), // -0.12500069380602105
        f64::from_bits(0x3fbc_822e_c1b2_ceee), // 0.11136142949072411
        f64::from_bits(0xbfb9_8d1b_b999_b5fa), // -0.09980939179668971
    ],
};

static NATURAL_CELLS: Tables<4> = Tables::new([
    INVERSE,
    [
        f64::from_bits(0xbfd5_262d_eeb9_9000), // -0.33045528710340477
        f64::from_bits(0xbfd2_6561_f133_8000), // -0.28743790201951924
        f64::from_bits(0xbfcf_a01c_3bb5_8000), // -0.24707367816426995
        f64::from_bits(0xbfca_8bec_fc88_2000), // -0.20739519434596332
        f64::from_bits(0xbfc5_c940_0759_8000), // -0.1702041660200848
        f64::from_bits(0xbfc1_0f8e_4225_4000), // -0.13328722219239353
        f64::from_bits(0xbfb9_375e_5559_4000), // -0.0985011061068235
        f64::from_bits(0xbfb0_398d_6b62_4000), // -0.06337818023371256
        f64::from_bits(0xbf9f_829b_0e78_0000), // -0.03077165866670839
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3fb0_8598_b59e_4000), // 0.0645385211375924
        f64::from_bits(0x3fbe_3707_ee30_4000), // 0.11802720608852724
        f64::from_bits(0x3fc6_0b31_00b0_a000), // 0.172216534935842
        f64::from_bits(0x3fcc_97f8_079d_4000), // 0.2233877217463487
        f64::from_bits(0x3fd1_6b5c_cbad_0000), // 0.2721778859158803
        f64::from_bits(0x3fd4_5b8c_0a17_e000), // 0.3180875872199067
    ],
    [
        f64::from_bits(0x3d3e_1b9f_7089_4a01), // 1.0696475387258266e-13
        f64::from_bits(0xbd38_b488_66fa_a45f), // -8.777052447805795e-14
        f64::from_bits(0x3d1a_1f71_fae1_d786), // 2.3201736484875263e-14
        f64::from_bits(0xbd3e_3185_cf21_b9cf), // -1.0726867577289733e-13
        f64::from_bits(0x3d3a_8d94_8cd2_3322), // 9.433537664581756e-14
        f64::from_bits(0x3d29_3b38_4339_6307), // 4.4819840726013836e-14
        f64::from_bits(0xbd3e_ddc3_7380_c364), // -1.0965899689943145e-13
        f64::from_bits(0x3d3a_b14d_fcbf_cd00), // 9.483115179088982e-14
        f64::from_bits(0xbd29_8026_7c7e_09e4), // -4.529814257790929e-14
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbd17_e5dd_7009_902c), // -2.1225608044809997e-14
        f64::from_bits(0x3d20_f684_e676_6abd), // 3.013227959910772e-14
        f64::from_bits(0xbd37_1456_c988_f814), // -8.199467511461324e-14
        f64::from_bits(0x3d23_b161_a8c6_e6c5), // 3.498161122982022e-14
        f64::from_bits(0xbd32_3299_042d_74bf), // -6.465103064005256e-14
        f64::from_bits(0xbd0d_9120_e7d0_a853), // -1.313034496619672e-14
    ],
    [0.0; 16],
]);

/// Base 2.
pub(super) const BINARY: Base = Base {
    tables: &BINARY_CELLS,
    log_2: [
        f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
    ],
    log_e: [
        f64::from_bits(0x3ff7_1547_652b_82fe), // 1.4426950408889634
        f64::from_bits(0x3c77_77d0_ffda_0d24), // 2.0355273740931033e-17
    ],
    tail: [
        f64::from_bits(0xbfe7_1547_652b_82fe), // -0.7213475204444817
        f64::from_bits(0x3fde_c709_dc3a_02f5), // 0.4808983469629731
        f64::from_bits(0xbfd7_1547_652b_917a), // -0.3606737602224467
        f64::from_bits(0x3fd2_776c_5112_a99d), // 0.2885390083053155
        f64::from_bits(0xbfce_c709_da83_9f47), // -0.24044917268406094
        f64::from_bits(0x3fca_6173_4b96_3465), // 0.20609894934424058
        f64::from_bits(0xbfc7_154f_cab1_df2a), // -0.18033788106162635
        f64::from_bits(0x3fc4_9086_a4e1_070d), // 0.16066058207257364
        f64::from_bits(0xbfc2_6e69_8975_e92f), // -0.14399451457922782
    ],
};

static BINARY_CELLS: Tables<4> = Tables::new([
    INVERSE,
    [
        f64::from_bits(0xbfde_8302_829a_6000), // -0.4767462039394559
        f64::from_bits(0xbfda_8a33_f17b_4000), // -0.41468523580715555
        f64::from_bits(0xbfd6_d01b_ecac_a000), // -0.35645197022176944
        f64::from_bits(0xbfd3_2639_636b_3000), // -0.29920801838738953
        f64::from_bits(0xbfcf_6e45_6568_0000), // -0.24555270625569392
        f64::from_bits(0xbfc8_9d0d_0ab4_4000), // -0.19229281447087487
        f64::from_bits(0xbfc2_3090_65d2_a000), // -0.14210705730260997
        f64::from_bits(0xbfb7_684f_39f5_0000), // -0.09143538632361015
        f64::from_bits(0xbfa6_bad3_758f_0000), // -0.04439411935845783
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3fb7_d604_96cf_c000), // 0.09310940439149817
        f64::from_bits(0x3fc5_cba5_3a07_6000), // 0.1702772649139206
        f64::from_bits(0x3fcf_cd67_7e5a_c000), // 0.24845594091084422
        f64::from_bits(0x3fd4_a03d_cbd2_e000), // 0.3222803583589666
        f64::from_bits(0x3fd9_2180_0924_e000), // 0.39266968625042864
        f64::from_bits(0x3fdd_5eac_4d46_4000), // 0.4589033846505117
    ],
    [
        f64::from_bits(0xbd07_9ec9_d8ef_da9c), // -1.0489505907007671e-14
        f64::from_bits(0xbd30_ad35_665e_0e32), // -5.9247170964458e-14
        f64::from_bits(0x3d10_c553_ee1c_9f2f), // 1.4895473230024762e-14
        f64::from_bits(0x3d3f_2994_7070_fc4b), // 1.1071116024939427e-13
        f64::from_bits(0x3d0a_aa72_ba2c_6ba2), // 1.1841999869037553e-14
        f64::from_bits(0x3d3e_665e_245f_e368), // 1.0800204817323626e-13
        f64::from_bits(0x3d30_dd83_0ee7_4ef2), // 5.991751464651391e-14
        f64::from_bits(0x3cea_6614_ee62_3a1b), // 2.9308507714717e-15
        f64::from_bits(0x3cf3_c676_4fc8_7b4a), // 4.390985973169353e-15
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbd12_ce63_12eb_b81d), // -1.6703260328550802e-14
        f64::from_bits(0x3d17_69a8_e6b4_0f5e), // 2.0794684620954387e-14
        f64::from_bits(0x3d30_39b7_72ed_a08e), // 5.764439755273126e-14
        f64::from_bits(0x3d1b_dc90_791a_ef03), // 2.474605363650006e-14
        f64::from_bits(0xbd26_2404_772a_151d), // -3.932977168458341e-14
        f64::from_bits(0xbd24_10f5_d316_1a62), // -3.564482217840959e-14
    ],
    [0.0; 16],
]);

/// Base 10.
pub(super) const DECIMAL: Base = Base {
    tables: &DECIMAL_CELLS,
    log_2: [
        f64::from_bits(0x3fd3_4413_509f_8000), // 0.3010299956640665
        f64::from_bits(0xbd38_0433_b83b_532a), // -8.532344317057107e-14
    ],
    log_e: [
        f64::from_bits(0x3fdb_cb7b_1526_e50e), // 0.4342944819032518
        f64::from_bits(0x3c69_5355_baaa_fad3), // 1.098319650216765e-17
    ],
    tail: [
        f64::from_bits(0xbfcb_cb7b_1526_e50e), // -0.2171472409516259
        f64::from_bits(0x3fc2_87a7_636f_42c0), // 0.14476482730107954
        f64::from_bits(0xbfbb_cb7b_1526_f67f), // -0.10857362047587492
        f64::from_bits(0x3fb6_3c62_777c_8629), // 0.08685889641903856
        f64::from_bits(0xbfb2_87a7_6267_52f4), // -0.07238241341049073
        f64::from_bits(0x3faf_c3f6_ec6a_b862), // 0.06204196582744782
        f64::from_bits(0xbfab_cb85_3170_1068), // -0.05428711155403293
        f64::from_bits(0x3fa8_c31e_f347_72c8), // 0.04836365432467954
        f64::from_bits(0xbfa6_3188_d3c1_52b4), // -0.04334666809942203
    ],
};

static DECIMAL_CELLS: Tables<4> = Tables::new([
    INVERSE,
    [
        f64::from_bits(0xbfc2_5eb2_4d8a_4000), // -0.14351490770468445
        f64::from_bits(0xbfbf_f509_155e_0000), // -0.1248326947370515
        f64::from_bits(0xbfbb_7831_29d0_0000), // -0.10730273505032528
        f64::from_bits(0xbfb7_0edd_b7d8_0000), // -0.090070588477829
        f64::from_bits(0xbfb2_ec56_8056_c000), // -0.07391873009942174
        f64::from_bits(0xbfad_a338_aaa9_8000), // -0.05788590510633185
        f64::from_bits(0xbfa5_e70f_d3ee_8000), // -0.042778486843644714
        f64::from_bits(0xbf9c_2f75_a75a_0000), // -0.02752479394848706
        f64::from_bits(0xbf8b_5e90_8eb2_0000), // -0.013363961558070514
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3f9c_b38f_ccd9_0000), // 0.02802872360030051
        f64::from_bits(0x3faa_3e90_02c7_0000), // 0.051258564318686695
        f64::from_bits(0x3fb3_259d_2107_c000), // 0.07479269081500206
        f64::from_bits(0x3fb8_d60b_4ee4_c000), // 0.09701605487930465
        f64::from_bits(0x3fbe_42b4_c16c_c000), // 0.11820535394940634
        f64::from_bits(0x3fc1_aeb1_363b_4000), // 0.13814368389148513
    ],
    [
        f64::from_bits(0xbd22_5b85_0410_c345), // -3.2609467857132974e-14
        f64::from_bits(0x3d38_f0d5_2020_07f8), // 8.860735092098357e-14
        f64::from_bits(0x3d2d_cfd0_b415_e812), // 5.2956356299314624e-14
        f64::from_bits(0x3d35_f89d_049f_fd9d), // 7.805719059757665e-14
        f64::from_bits(0xbcf6_e956_3590_7534), // -5.087368681553296e-15
        f64::from_bits(0xbd14_173b_2a06_eb58), // -1.7844167497892012e-14
        f64::from_bits(0x3d24_cc1c_6bf6_8db0), // 3.694344151696062e-14
        f64::from_bits(0xbd28_21c7_a44a_c36c), // -4.286695894533989e-14
        f64::from_bits(0x3d39_0dfe_0d16_01ca), // 8.901202535016551e-14
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbd30_0925_a535_ae72), // -5.697035970961075e-14
        f64::from_bits(0x3d21_d257_c8d0_d386), // 3.165761339154213e-14
        f64::from_bits(0x3d3b_5474_ae66_7c99), // 9.709532880677858e-14
        f64::from_bits(0x3d39_00e5_cc4e_4c82), // 8.883029934833509e-14
        f64::from_bits(0xbd35_0d78_0639_590c), // -7.479390502733346e-14
        f64::from_bits(0x3d23_219d_92f9_34cc), // 3.3984034502381275e-14
    ],
    [0.0; 16],
]);
