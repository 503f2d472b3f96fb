//! log, log2 and log10 of `f32`, correctly rounded, and the logarithm of a number in two parts.
//!
//! x = 2^e m, m in [1.066, 2.13) in one of 8 intervals, with a reciprocal c of few bits: t = m c - 1, |t| < 0.07, is exact in `f64`
//! lanes (Tang 1990; the intervals are those of `single/logarithm.rs`). `log x = (e log 2 - log c) + t + t^2 p(t)` with a minimax
//! polynomial p of degree 6, error 2^-40.9 of the logarithm. What the tables give is added in `f32` lanes, in two parts, of which the
//! first is exact and the second wrong by 2^-37 at most where e is large, by 2^-42 where it is 0; around 1 both are 0.
//!
//! log2 has 16 intervals with reciprocals of five bits, so that t, |t| < 0.046, is exact in `f32` lanes, and so is e - log2 c but for a rest.
//! Of `log2(1 + t) = t p(t)`, p of degree 6 with an error of 2^-40.35, the terms from t^5 on are added up in `f32` lanes, with the rest.

use eltwise_simd::WideLanes;

use super::rounding::{doubtful, put_right};
use crate::double;
use crate::single::logarithm::{CUT_8, LN_2, LOG_C, LOG_C_LOW, ONE, RECIPROCALS_8};
use crate::vector::{F32, F64, horner};

/// What a base needs.
pub(super) struct Base {
    /// -log c, 16 bits after the point, and the rest; above 3/2 log 2 more, which e has too little.
    upper: [f32; 8],
    rest: [f32; 8],
    /// log 2: 16 bits after the point, and the rest.
    two: [f32; 2],
    /// log e.
    unit: f64,
    /// (log(1 + t) - t log e) / t^2.
    tail: [f64; 7],
}

/// Of base e.
pub(super) const NATURAL: Base = Base {
    upper: LOG_C,
    rest: LOG_C_LOW,
    two: LN_2,
    unit: 1.0,
    tail: [
        f64::from_bits(0xbfe0_0000_0000_a00d), // -0.5000000000045489
        f64::from_bits(0x3fd5_5555_5786_7eb4), // 0.33333333537482734
        f64::from_bits(0xbfcf_ffff_e927_00ae), // -0.2499999893607358
        f64::from_bits(0x3fc9_9983_374d_cada), // 0.19999733162293049
        f64::from_bits(0xbfc5_557d_053c_1d7b), // -0.16667139773947412
        f64::from_bits(0x3fc2_69a7_5db5_eeb0), // 0.14384929729191276
        f64::from_bits(0xbfbf_f377_ebb8_cf61), // -0.12480878357820081
    ],
};

/// Of base 10.
const DECIMAL: Base = Base {
    upper: [
        f32::from_bits(0x3d6d_9000), // 0.0579986572265625
        f32::from_bits(0x3db8_b000), // 0.090179443359375
        f32::from_bits(0x3e12_dc00), // 0.1434173583984375
        f32::from_bits(0x3e3b_5000), // 0.18292236328125
        f32::from_bits(0x3e51_0400), // 0.2041168212890625
        f32::from_bits(0x3e7f_e000), // 0.2498779296875
        f32::from_bits(0x3e8c_a600), // 0.2747039794921875
        f32::from_bits(0x3e9a_2000), // 0.301025390625
    ],
    rest: [
        f32::from_bits(0xb6e1_2899), // -6.710248726449208e-06
        f32::from_bits(0xb63c_c726), // -2.8130102691648062e-06
        f32::from_bits(0x36a0_856c), // 4.783903932548128e-06
        f32::from_bits(0x370b_9770), // 8.32030491437763e-06
        f32::from_bits(0x3654_27de), // 3.1613667488272768e-06
        f32::from_bits(0xb4f5_10e2), // -4.564709001897427e-07
        f32::from_bits(0xb644_2109), // -2.922550493167364e-06
        f32::from_bits(0x369a_84fc), // 4.605039066518657e-06
    ],
    two: [0.301_025_4, 4.605_039e-6],
    unit: core::f64::consts::LOG10_E,
    tail: [
        f64::from_bits(0xbfcb_cb7b_1527_fb18), // -0.2171472409536015
        f64::from_bits(0x3fc2_87a7_6556_ae7b), // 0.14476482818769285
        f64::from_bits(0xbfbb_cb7b_014e_7c65), // -0.10857361585520804
        f64::from_bits(0x3fb6_3c4f_060d_5e18), // 0.08685773751982884
        f64::from_bits(0xbfb2_87c9_dc4a_791f), // -0.07238446834751187
        f64::from_bits(0x3faf_fc74_8b69_58af), // 0.06247295572090771
        f64::from_bits(0xbfab_c098_7a16_6294), // -0.054203762915851744
    ],
};

/// Of log2: reciprocals of five bits, for 16 intervals from CUT on, 2 inside the last.
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
/// -log2 of them, 17 bits after the point, and the rest.
const LOG2_C: [f32; 16] = [
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
];
const LOG2_C_REST: [f32; 16] = [
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
];
/// log2(1 + t) / t for |t| < 0.046: what `f64` lanes add up of it, and what `f32` lanes. Error 2^-40.35.
const LOG2_1P: [f64; 4] = [
    f64::from_bits(0x3ff7_1547_652b_8690), // 1.4426950408891663
    f64::from_bits(0xbfe7_1547_653f_cbe5), // -0.7213475205920729
    f64::from_bits(0x3fde_c709_d9a9_82f0), // 0.48089834457463976
    f64::from_bits(0xbfd7_1544_df5a_9321), // -0.36067315875907197
];
const LOG2_1P_END: [f32; 3] = [
    f32::from_bits(0x3e93_bbe1), // 0.288542777299881
    f32::from_bits(0xbe76_d9c4), // -0.24106508493423462
    f32::from_bits(0x3e51_cd7c), // 0.20488542318344116
];
/// Where the intervals of log2 begin.
const CUT: i32 = 0x3f84_0000;

/// log(x + low) of positive normal numbers `x`; `low`, if it is given, is at most an ULP of `x` or two.
#[inline(always)]
pub(super) fn log_of<L: WideLanes>(x: F32<L>, low: Option<F32<L>>, base: &Base) -> [F64<L>; 2] {
    let bits = x.bits();
    let shifted = bits + bits.splat(ONE - CUT_8);
    let e = shifted.float().exponent();
    let at = shifted >> 20;
    let mantissa = (shifted & bits.splat(0x007f_ffff)) + bits.splat(CUT_8);
    let c = F32::lookup(&RECIPROCALS_8, at);
    // Exact.
    let upper = e.mul_add(base.two[0], F32::lookup(&base.upper, at));
    let rest = e.mul_add(base.two[1], F32::lookup(&base.rest, at));
    let (m, c2, upper, rest) = (mantissa.float().widen(), c.widen(), upper.widen(), rest.widen());
    let [mut t, mut u] = [m[0].mul_sub(c2[0], 1.0), m[1].mul_sub(c2[1], 1.0)];
    if let Some(low) = low {
        // 2^-e c low
        let scale = (c.bits() + (mantissa - bits)).float();
        let [less, more] = (low * scale).widen();
        (t, u) = (t + less, u + more);
    }
    [sum(t, upper[0], rest[0], base), sum(u, upper[1], rest[1], base)]
}

/// `upper + rest` and the logarithm of 1 + t.
#[inline(always)]
fn sum<L: WideLanes>(t: F64<L>, upper: F64<L>, rest: F64<L>, base: &Base) -> F64<L> {
    let tail = (t * t).mul_add(horner(t, &base.tail), rest);
    upper + (if base.unit == 1.0 { t + tail } else { t.mul_add(base.unit, tail) })
}

/// log x, correctly rounded.
///
/// log(+-0) = -inf, log(x < 0) = NaN, log(inf) = inf, log(1) = +0.
#[inline(always)]
pub fn log<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !x.is_irregular().any() {
        let log = log_of(x, None, &NATURAL);
        if !doubtful::<17, L>(log) {
            return F32::narrow(log);
        }
    }
    let [low, high] = x.widen();
    F32::narrow([double::log(low), double::log(high)])
}

/// log10 x, correctly rounded; special values as [`log`].
#[inline(always)]
pub fn log10<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !x.is_irregular().any() {
        let log = log_of(x, None, &DECIMAL);
        if !doubtful::<17, L>(log) {
            return F32::narrow(log);
        }
    }
    let [low, high] = x.widen();
    let y = F32::narrow([double::log10(low), double::log10(high)]);
    put_right(x, y, &[(0x0efe_ee7a, 0xc1e9_9d23)])
}

/// log2 x, correctly rounded; special values as [`log`].
#[inline(always)]
pub fn log2<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !x.is_irregular().any() {
        let log = binary(x);
        if !doubtful::<17, L>(log) {
            return F32::narrow(log);
        }
    }
    let [low, high] = x.widen();
    F32::narrow([double::log2(low), double::log2(high)])
}

/// log2 x of positive normal numbers.
#[inline(always)]
fn binary<L: WideLanes>(x: F32<L>) -> [F64<L>; 2] {
    let bits = x.bits();
    let shifted = bits + bits.splat(ONE - CUT);
    let at = shifted >> 19;
    let mantissa = (shifted & bits.splat(0x007f_ffff)) + bits.splat(CUT);
    // Both exact.
    let t = mantissa.float().mul_sub(F32::lookup(&RECIPROCALS, at), 1.0);
    let upper = shifted.float().exponent() + F32::lookup(&LOG2_C, at);
    // t^5 is so small that `f32` lanes do.
    let square = t * t;
    let rest = (square * square * t).mul_add(horner(t, &LOG2_1P_END), F32::lookup(&LOG2_C_REST, at));
    let (t, upper, rest) = (t.widen(), upper.widen(), rest.widen());
    [binary_sum(t[0], upper[0], rest[0]), binary_sum(t[1], upper[1], rest[1])]
}

#[inline(always)]
fn binary_sum<L: WideLanes>(t: F64<L>, upper: F64<L>, rest: F64<L>) -> F64<L> {
    upper + horner(t, &LOG2_1P).mul_add(t, rest)
}
