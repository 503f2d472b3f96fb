//! log, log2, log10 of `f32`, correctly rounded, and the logarithm of a sum of two floats.
//!
//! log, log2, log10:
//!
//! 1. Reduction: x = 2^e m, m in [1.03, 2.06) in one of 16 cells with a reciprocal c of five bits. t = m c - 1, |t| <
//!    0.046, is exact in `f32` lanes (Tang 1990).
//! 2. `e log 2 - log c`: the first part is exact; the second has an error of at most 2^-37, when e is large. Both are 0
//!    around 1.
//! 3. `log(1 + t) = t p(t)`, p minimax of degree 6, error 2^-40.3. The terms from t^5 on are summed in `f32` lanes,
//!    with the second part.
//!
//! log of a sum of two floats ([`log_of`]), whose t is not an `f32`:
//!
//! 1. Reduction with the 8 reciprocals of three bits of `f32/log.rs`; t, |t| < 0.07, is exact in `f64` lanes.
//! 2. `log(1 + t) = t + t^2 p(t)`, p minimax of degree 6, error 2^-40.9 of the logarithm.
//!
//! Tables: `tools/coefficients/correctly_rounded.py`.

use eltwise_simd::WideLanes;

use super::rounding::{near_halfway, patch_exceptions};
use crate::f32::log::{CUT_8, LN_2, LOG_C, LOG_C_LOW, ONE, RECIPROCALS_8};
use crate::polynomial::horner;
use crate::vector::{F32, F64};

/// The tables of a base.
struct Base {
    /// -log c: with few bits after the binary point, and the remainder. For m above 3/2, plus log 2, which e lacks
    /// there.
    upper: [f32; 16],
    rest: [f32; 16],
    /// log 2: with as many bits after the binary point, and the remainder.
    log_2: [f32; 2],
    /// log(1 + t) / t for |t| < 0.046: the terms summed in `f64` lanes, and those summed in `f32` lanes.
    log_1p_low: [f64; 4],
    log_1p_high: [f32; 3],
}

/// Base e.
const NATURAL: Base = Base {
    upper: [
        f32::from_bits(0x3d84_3000), // 0.064544677734375
        f32::from_bits(0x3e08_bc00), // 0.1335296630859375
        f32::from_bits(0x3e2d_fc00), // 0.1699066162109375
        f32::from_bits(0x3e54_a000), // 0.2076416015625
        f32::from_bits(0x3e93_4c00), // 0.287689208984375
        f32::from_bits(0x3ea9_1600), // 0.3302459716796875
        f32::from_bits(0x3ebf_d800), // 0.37469482421875
        f32::from_bits(0x3ed7_aa00), // 0.4212188720703125
        f32::from_bits(0x3ef0_a400), // 0.470001220703125
        f32::from_bits(0x3ef0_a400), // 0.470001220703125
        f32::from_bits(0x3f05_7400), // 0.52130126953125
        f32::from_bits(0x3f13_4b00), // 0.5753631591796875
        f32::from_bits(0x3f13_4b00), // 0.5753631591796875
        f32::from_bits(0x3f21_ed00), // 0.6325225830078125
        f32::from_bits(0x3f21_ed00), // 0.6325225830078125
        f32::from_bits(0x3f31_7200), // 0.693145751953125
    ],
    rest: [
        f32::from_bits(0xb6ce_94c4), // -6.1565970099763945e-06
        f32::from_bits(0x35e8_227e), // 1.72953855326341e-06
        f32::from_bits(0xb6fe_52af), // -7.579415523650823e-06
        f32::from_bits(0xb616_1ba9), // -2.236784212072962e-06
        f32::from_bits(0xb6ef_7659), // -7.136532531148987e-06
        f32::from_bits(0xb68f_c63b), // -4.284809165255865e-06
        f32::from_bits(0xb5b8_84fd), // -1.3747772982242168e-06
        f32::from_bits(0xb6b5_6dba), // -5.406994205259252e-06
        f32::from_bits(0x3621_a272), // 2.408542513876455e-06
        f32::from_bits(0x3621_a272), // 2.408542513876455e-06
        f32::from_bits(0xb691_d2fb), // -4.345898105384549e-06
        f32::from_bits(0x3584_4d37), // 9.857238865151885e-07
        f32::from_bits(0x3584_4d37), // 9.857238865151885e-07
        f32::from_bits(0xb2d0_6dc4), // -2.426430256718959e-08
        f32::from_bits(0xb2d0_6dc4), // -2.426430256718959e-08
        f32::from_bits(0x35bf_be8e), // 1.428606765330187e-06
    ],
    log_2: [
        f32::from_bits(0x3f31_7200), // 0.693145751953125
        f32::from_bits(0x35bf_be8e), // 1.428606765330187e-06
    ],
    log_1p_low: [
        f64::from_bits(0x3ff0_0000_0000_027a), // 1.0000000000001408
        f64::from_bits(0xbfe0_0000_000e_0fe1), // -0.5000000001023147
        f64::from_bits(0x3fd5_5555_538d_e972), // 0.3333333316765198
        f64::from_bits(0xbfcf_fffc_80a7_53d7), // -0.24999958307185352
    ],
    log_1p_high: [
        f32::from_bits(0x3e4c_cd7d), // 0.20000262558460236
        f32::from_bits(0xbe2b_1a82), // -0.16709330677986145
        f32::from_bits(0x3e11_6aa4), // 0.14200836420059204
    ],
};

/// Base 2: log 2 is 1, so its second part is 0.
const BINARY: Base = Base {
    upper: [
        f32::from_bits(0x3dbe_b000), // 0.093109130859375
        f32::from_bits(0x3e45_4400), // 0.1926422119140625
        f32::from_bits(0x3e7a_fe00), // 0.24510955810546875
        f32::from_bits(0x3e99_6000), // 0.299560546875
        f32::from_bits(0x3ed4_8000), // 0.4150390625
        f32::from_bits(0x3ef3_f000), // 0.4764404296875
        f32::from_bits(0x3f0a_6280), // 0.5405654907226562
        f32::from_bits(0x3f1b_9100), // 0.6076812744140625
        f32::from_bits(0x3f2d_9600), // 0.678070068359375
        f32::from_bits(0x3f2d_9600), // 0.678070068359375
        f32::from_bits(0x3f40_8800), // 0.7520751953125
        f32::from_bits(0x3f54_8000), // 0.830078125
        f32::from_bits(0x3f54_8000), // 0.830078125
        f32::from_bits(0x3f69_9c00), // 0.91253662109375
        f32::from_bits(0x3f69_9c00), // 0.91253662109375
        f32::from_bits(0x3f80_0000), // 1.0
    ],
    rest: [
        f32::from_bits(0x3492_d9f7), // 2.7353209475222684e-07
        f32::from_bits(0x3640_55fe), // 2.8660283533099573e-06
        f32::from_bits(0x3645_4832), // 2.93973107545753e-06
        f32::from_bits(0xb48e_4789), // -2.650160979555949e-07
        f32::from_bits(0xb5d1_cfdf), // -1.5632211898264359e-06
        f32::from_bits(0xb620_1ac7), // -2.3857444375607884e-06
        f32::from_bits(0x3641_fcd1), // 2.890639962060959e-06
        f32::from_bits(0x35ae_dc1d), // 1.3028071634835214e-06
        f32::from_bits(0x35f6_865d), // 1.8367533130003721e-06
        f32::from_bits(0x35f6_865d), // 1.8367533130003721e-06
        f32::from_bits(0xb635_c813), // -2.7087560283689527e-06
        f32::from_bits(0xb651_cfdf), // -3.1264423796528718e-06
        f32::from_bits(0xb651_cfdf), // -3.1264423796528718e-06
        f32::from_bits(0x3510_536f), // 5.376559215619636e-07
        f32::from_bits(0x3510_536f), // 5.376559215619636e-07
        f32::from_bits(0x0000_0000), // 0.0
    ],
    log_2: [
        f32::from_bits(0x3f80_0000), // 1.0
        f32::from_bits(0x0000_0000), // 0.0
    ],
    log_1p_low: [
        f64::from_bits(0x3ff7_1547_652b_8690), // 1.4426950408891663
        f64::from_bits(0xbfe7_1547_653f_cbe5), // -0.7213475205920729
        f64::from_bits(0x3fde_c709_d9a9_82f0), // 0.48089834457463976
        f64::from_bits(0xbfd7_1544_df5a_9321), // -0.36067315875907197
    ],
    log_1p_high: [
        f32::from_bits(0x3e93_bbe1), // 0.288542777299881
        f32::from_bits(0xbe76_d9c4), // -0.24106508493423462
        f32::from_bits(0x3e51_cd7c), // 0.20488542318344116
    ],
};

/// Base 10, with 18 bits after the binary point. With 16, 22 inputs around 0.966 were not correctly rounded: the parts
/// cancel to a third there, and the second was not precise enough.
const DECIMAL: Base = Base {
    upper: [
        f32::from_bits(0x3ce5_a000), // 0.0280303955078125
        f32::from_bits(0x3d6d_8800), // 0.05799102783203125
        f32::from_bits(0x3d97_1e00), // 0.07378768920898438
        f32::from_bits(0x3db8_ae00), // 0.09017562866210938
        f32::from_bits(0x3dff_e000), // 0.12493896484375
        f32::from_bits(0x3e12_dd00), // 0.14342117309570312
        f32::from_bits(0x3e26_a200), // 0.16272735595703125
        f32::from_bits(0x3e3b_5200), // 0.18292999267578125
        f32::from_bits(0x3e51_0500), // 0.20412063598632812
        f32::from_bits(0x3e51_0500), // 0.20412063598632812
        f32::from_bits(0x3e67_d400), // 0.2263946533203125
        f32::from_bits(0x3e7f_e000), // 0.2498779296875
        f32::from_bits(0x3e7f_e000), // 0.2498779296875
        f32::from_bits(0x3e8c_a580), // 0.2747001647949219
        f32::from_bits(0x3e8c_a580), // 0.2747001647949219
        f32::from_bits(0x3e9a_2080), // 0.3010292053222656
    ],
    rest: [
        f32::from_bits(0xb5e0_664f), // -1.6719076256777043e-06
        f32::from_bits(0x3576_bb35), // 9.191456342705351e-07
        f32::from_bits(0xb5c5_fa44), // -1.4750480659131426e-06
        f32::from_bits(0x3586_71b4), // 1.0016869964601938e-06
        f32::from_bits(0xb475_10e2), // -2.2823545009487134e-07
        f32::from_bits(0x3582_15af), // 9.692065532362903e-07
        f32::from_bits(0xb37b_14b7), // -5.8459331597759956e-08
        f32::from_bits(0x3539_76fd), // 6.909102125973732e-07
        f32::from_bits(0xb52f_6086), // -6.533304031108855e-07
        f32::from_bits(0xb52f_6086), // -6.533304031108855e-07
        f32::from_bits(0x35e7_65cc), // 1.7240467968804296e-06
        f32::from_bits(0xb4f5_10e2), // -4.564709001897427e-07
        f32::from_bits(0xb4f5_10e2), // -4.564709001897427e-07
        f32::from_bits(0x356f_7bdb), // 8.921467156142171e-07
        f32::from_bits(0x356f_7bdb), // 8.921467156142171e-07
        f32::from_bits(0x3554_27de), // 7.903416872068192e-07
    ],
    log_2: [
        f32::from_bits(0x3e9a_2080), // 0.3010292053222656
        f32::from_bits(0x3554_27de), // 7.903416872068192e-07
    ],
    log_1p_low: [
        f64::from_bits(0x3fdb_cb7b_1526_e95b), // 0.43429448190331293
        f64::from_bits(0xbfcb_cb7b_153f_5157), // -0.21714724099605107
        f64::from_bits(0x3fc2_87a7_61e3_dda3), // 0.14476482658186027
        f64::from_bits(0xbfbb_cb78_0b90_6c1f), // -0.10857343942954899
    ],
    log_1p_high: [
        f32::from_bits(0x3db1_e3ad), // 0.0868600383400917
        f32::from_bits(0xbd94_9e50), // -0.07256758213043213
        f32::from_bits(0x3d7c_9bda), // 0.06167206913232803
    ],
};

/// c, the reciprocals.
const RECIPROCALS: [f32; 16] = [
    f32::from_bits(0x3f70_0000), // 0.9375
    f32::from_bits(0x3f60_0000), // 0.875
    f32::from_bits(0x3f58_0000), // 0.84375
    f32::from_bits(0x3f50_0000), // 0.8125
    f32::from_bits(0x3f40_0000), // 0.75
    f32::from_bits(0x3f38_0000), // 0.71875
    f32::from_bits(0x3f30_0000), // 0.6875
    f32::from_bits(0x3f28_0000), // 0.65625
    f32::from_bits(0x3f20_0000), // 0.625
    f32::from_bits(0x3f20_0000), // 0.625
    f32::from_bits(0x3f18_0000), // 0.59375
    f32::from_bits(0x3f10_0000), // 0.5625
    f32::from_bits(0x3f10_0000), // 0.5625
    f32::from_bits(0x3f08_0000), // 0.53125
    f32::from_bits(0x3f08_0000), // 0.53125
    f32::from_bits(0x3f00_0000), // 0.5
];

/// The bits of the lowest significand of the cells.
const CUT: i32 = 0x3f84_0000;

/// (log(1 + t) - t) / t^2 for |t| < 0.07.
const TAIL: [f64; 7] = [
    f64::from_bits(0xbfe0_0000_0000_a00d), // -0.5000000000045489
    f64::from_bits(0x3fd5_5555_5786_7eb4), // 0.33333333537482734
    f64::from_bits(0xbfcf_ffff_e927_00ae), // -0.2499999893607358
    f64::from_bits(0x3fc9_9983_374d_cada), // 0.19999733162293049
    f64::from_bits(0xbfc5_557d_053c_1d7b), // -0.16667139773947412
    f64::from_bits(0x3fc2_69a7_5db5_eeb0), // 0.14384929729191276
    f64::from_bits(0xbfbf_f377_ebb8_cf61), // -0.12480878357820081
];

/// log(x + low) for positive normal numbers `x`; `low` is at most 2 ULP of `x`.
#[inline(always)]
pub(super) fn log_of<L: WideLanes>(x: F32<L>, low: F32<L>) -> [F64<L>; 2] {
    let bits = x.bits();
    let shifted = bits + bits.splat(ONE - CUT_8);
    let e = shifted.float().exponent();
    let index = shifted >> 20;
    let mantissa = (shifted & bits.splat(0x007f_ffff)) + bits.splat(CUT_8);
    let c = F32::lookup(&RECIPROCALS_8, index);
    // `upper` is exact.
    let upper = e.mul_add(LN_2[0], F32::lookup(&LOG_C, index));
    let rest = e.mul_add(LN_2[1], F32::lookup(&LOG_C_LOW, index));
    let (m, c2, upper, rest) = (mantissa.float().widen(), c.widen(), upper.widen(), rest.widen());
    // 2^-e c, to scale `low`.
    let scale = (c.bits() + (mantissa - bits)).float();
    let [low_a, low_b] = (low * scale).widen();
    let (t, u) = (m[0].mul_sub(c2[0], 1.0) + low_a, m[1].mul_sub(c2[1], 1.0) + low_b);
    [add_log_1p(t, upper[0], rest[0]), add_log_1p(u, upper[1], rest[1])]
}

/// `upper + rest + log(1 + t)`.
#[inline(always)]
fn add_log_1p<L: WideLanes>(t: F64<L>, upper: F64<L>, rest: F64<L>) -> F64<L> {
    upper + (t + (t * t).mul_add(horner(t, &TAIL), rest))
}

/// The logarithm of positive normal numbers in a base.
#[inline(always)]
fn log_in_base<L: WideLanes>(x: F32<L>, base: &Base) -> [F64<L>; 2] {
    let bits = x.bits();
    let shifted = bits + bits.splat(ONE - CUT);
    let index = shifted >> 19;
    let mantissa = (shifted & bits.splat(0x007f_ffff)) + bits.splat(CUT);
    let e = shifted.float().exponent();
    // t and `upper` are exact.
    let t = mantissa.float().mul_sub(F32::lookup(&RECIPROCALS, index), 1.0);
    let upper = e.mul_add(base.log_2[0], F32::lookup(&base.upper, index));
    let mut rest = F32::lookup(&base.rest, index);
    if base.log_2[1] != 0.0 {
        rest = e.mul_add(base.log_2[1], rest);
    }
    // The terms from t^5 on are so small that `f32` lanes suffice.
    let square = t * t;
    let rest = (square * square * t).mul_add(horner(t, &base.log_1p_high), rest);
    let (t, upper, rest) = (t.widen(), upper.widen(), rest.widen());
    [
        upper[0] + horner(t[0], &base.log_1p_low).mul_add(t[0], rest[0]),
        upper[1] + horner(t[1], &base.log_1p_low).mul_add(t[1], rest[1]),
    ]
}

/// log x, correctly rounded.
///
/// log(±0) = -inf, log(x < 0) = NaN, log(inf) = inf, log(1) = +0.
#[inline(always)]
pub fn log<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !x.is_irregular().any() {
        let log = log_in_base(x, &NATURAL);
        if !near_halfway::<17, L>(log) {
            return F32::narrow(log);
        }
    }
    let [low, high] = x.widen();
    F32::narrow([crate::f64::to_narrow::log(low), crate::f64::to_narrow::log(high)])
}

/// log10 x, correctly rounded; special values as [`log`].
#[inline(always)]
pub fn log10<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !x.is_irregular().any() {
        let log = log_in_base(x, &DECIMAL);
        if !near_halfway::<17, L>(log) {
            return F32::narrow(log);
        }
    }
    let [low, high] = x.widen();
    let y = F32::narrow([crate::f64::to_narrow::log10(low), crate::f64::to_narrow::log10(high)]);
    patch_exceptions(x, y, &[(0x0efe_ee7a, 0xc1e9_9d23)])
}

/// log2 x, correctly rounded; special values as [`log`].
#[inline(always)]
pub fn log2<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !x.is_irregular().any() {
        let log = log_in_base(x, &BINARY);
        if !near_halfway::<17, L>(log) {
            return F32::narrow(log);
        }
    }
    let [low, high] = x.widen();
    F32::narrow([crate::f64::log2(low), crate::f64::log2(high)])
}
