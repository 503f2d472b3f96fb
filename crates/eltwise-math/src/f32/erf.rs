//! erf, erfc of `f32`, in `f32` lanes.
//!
//! erf:
//!
//! 1. |x| < 1: `x + x p(x^2)`, minimax of degree 13.
//! 2. From 1 on: `1 - 2^(-3 + b g(b))`, where b is the distance from the argument with erfc = 1/8. The exponent is
//!    small where erfc is large, so that its rounding error does not show in erf. g is minimax of degree 5, error
//!    2^-29.12.
//!
//! erfc (Cody 1969, "Rational Chebyshev approximations for the error function"):
//!
//! 1. `erfc(|x|) = exp(-x^2) S(|x|)` with `S(a) = exp(a^2) erfc(a)`, and `2 - erfc(|x|)` for negative x.
//! 2. `exp(-x^2)`: x^2 is a sum of two floats, because an error of the exponent counts a hundredfold; the exponential
//!    is such a sum too.
//! 3. S: a value from a table of 16 intervals plus a polynomial of degree 6, so that only the last sum rounds visibly
//!    (Tang 1989).
//!
//! Largest errors over all 2^32 inputs: erf 0.9855 ULP, erfc 0.9861. Tables: `tools/coefficients/f32_error.py`.

use eltwise_simd::WideLanes;

use super::constants::{ROUND as ROUND_EXPONENT, ROUND_WIDE, two_to};
use super::exp::{EXP, LN_2_HIGH, LN_2_LOW};
use super::subnormal::{TWO_23, counted};
use crate::polynomial::horner;
use crate::vector::{Bits, F32, F64};

/// `erf(x)/x - 1` of `x^2`, for |x| < 1. Error 2^-29.39.
const SMALL: [f32; 7] = [
    f32::from_bits(0x3e03_75d4), // 0.12837916612625122
    f32::from_bits(0xbec0_939f), // -0.3761262595653534
    f32::from_bits(0x3de7_1673), // 0.11283578723669052
    f32::from_bits(0xbcdb_fb8d), // -0.026853347197175026
    f32::from_bits(0x3ba9_f912), // 0.005187162198126316
    f32::from_bits(0xba51_a8af), // -0.0007997853099368513
    f32::from_bits(0x38a3_b8ff), // 7.806903886375949e-05
];

/// The argument with erfc = 1/8.
const CENTRE: f32 = 1.084_787;

/// `log2(8 erfc(CENTRE + b)) / b` of `b`, for arguments between 1 and 3.93. Error 2^-29.12 of erf.
const LARGE: [f32; 6] = [
    f32::from_bits(0xc080_78ca), // -4.014744758605957
    f32::from_bits(0xbf9d_910c), // -1.2309889793395996
    f32::from_bits(0xbd62_4c71), // -0.0552486814558506
    f32::from_bits(0x3c59_132b), // 0.013249198906123638
    f32::from_bits(0xbb27_9d19), // -0.0025575815234333277
    f32::from_bits(0x3995_623c), // 0.00028492684941738844
];

/// `(2^f - 1) / f` of `f`, for |f| <= 1/2. Error 2^-29.00 of erf.
const POWER: [f32; 6] = [
    f32::from_bits(0x3f31_7218), // 0.6931471824645996
    f32::from_bits(0x3e75_fdbf), // 0.24022577702999115
    f32::from_bits(0x3d63_580f), // 0.05550390109419823
    f32::from_bits(0x3c1d_c055), // 0.009628375060856342
    f32::from_bits(0x3aaf_5708), // 0.001337737776339054
    f32::from_bits(0x3901_b62a), // 0.0001237026008311659
];

/// 1.5 * 2^23 plus the exponent field of 2^-3: after adding it to e, the lowest bits are the exponent field of 2^(-3 +
/// n), n the integer nearest to e.
const ROUND: f32 = 12583036.0;

/// The centres of the intervals of erfc.
const CENTRES: [f32; 16] = [
    f32::from_bits(0x3fbf_ff78), // 1.499983787536621
    f32::from_bits(0x4000_0068), // 2.0000247955322266
    f32::from_bits(0x4020_0038), // 2.5000133514404297
    f32::from_bits(0x403f_fff9), // 2.9999983310699463
    f32::from_bits(0x4070_008e), // 3.7500338554382324
    f32::from_bits(0x4097_ffa7), // 4.74995756149292
    f32::from_bits(0x40b8_0048), // 5.750034332275391
    f32::from_bits(0x40d7_ff89), // 6.749943256378174
    f32::from_bits(0x4103_fffd), // 8.24999713897705
    f32::from_bits(0x411a_cc7e), // 9.674924850463867
    f32::from_bits(0x0000_0000), // 0.0
    f32::from_bits(0x3e3f_ff85), // 0.18749816715717316
    f32::from_bits(0x3ec0_004e), // 0.37500232458114624
    f32::from_bits(0x3f20_0055), // 0.6250050663948059
    f32::from_bits(0x3f60_008c), // 0.8750083446502686
    f32::from_bits(0x3f8f_ff7c), // 1.1249842643737793
];

/// `S(c) = erfc(c) exp(c^2)` at the centres, which are such that it is almost exactly an `f32` (Gal and Bachelis 1991).
const SCALED: [f32; 16] = [
    f32::from_bits(0x3ea4_a731), // 0.32158806920051575
    f32::from_bits(0x3e82_c2e0), // 0.25539302825927734
    f32::from_bits(0x3e57_dd5d), // 0.21080537140369415
    f32::from_bits(0x3e37_4c1a), // 0.17900124192237854
    f32::from_bits(0x3e15_1526), // 0.1455884873867035
    f32::from_bits(0x3dee_30a3), // 0.1163037046790123
    f32::from_bits(0x3dc6_09b7), // 0.09669821709394455
    f32::from_bits(0x3da9_5c62), // 0.08269573748111725
    f32::from_bits(0x3d8b_0c81), // 0.06789494305849075
    f32::from_bits(0x3d6d_99c9), // 0.05800798907876015
    f32::from_bits(0x3f80_0000), // 1.0
    f32::from_bits(0x3f51_b5f7), // 0.819182813167572
    f32::from_bits(0x3f2f_943f), // 0.6858558058738708
    f32::from_bits(0x3f0e_8b36), // 0.5568116903305054
    f32::from_bits(0x3eed_b9e7), // 0.4643089473247528
    f32::from_bits(0x3eca_996e), // 0.3957018256187439
];

/// `(S(c + t) - S(c)) / t` as a polynomial of `t`, one row per power; in the first interval plus 1. Relative error of
/// erfc 2^-27.46.
const SLOPES: [[f32; 16]; 6] = [
    [
        f32::from_bits(0xbe27_8d6b), // -0.16362540423870087
        f32::from_bits(0xbdda_b705), // -0.10679439455270767
        f32::from_bits(0xbd98_4313), // -0.07434668391942978
        f32::from_bits(0xbd5e_b581), // -0.05437231436371803
        f32::from_bits(0xbd15_5289), // -0.0364556647837162
        f32::from_bits(0xbcc0_8b23), // -0.023503845557570457
        f32::from_bits(0xbc85_e1d2), // -0.01634303107857704
        f32::from_bits(0xbc44_8b46), // -0.01199609600007534
        f32::from_bits(0xbc04_ec60), // -0.008112996816635132
        f32::from_bits(0xbbc2_6c1a), // -0.005933296866714954
        f32::from_bits(0xbe03_75d4), // -0.12837916612625122
        f32::from_bits(0xbf52_396b), // -0.8211886286735535
        f32::from_bits(0xbf1d_2e10), // -0.6139841079711914
        f32::from_bits(0xbedd_5e26), // -0.43235892057418823
        f32::from_bits(0xbea1_b492), // -0.3158307671546936
        f32::from_bits(0xbe73_c6a9), // -0.2380625158548355
    ],
    [
        f32::from_bits(0x3d9b_f5eb), // 0.07615264505147934
        f32::from_bits(0x3d2b_3829), // 0.04180160537362099
        f32::from_bits(0x3ccc_4a1d), // 0.02493768371641636
        f32::from_bits(0x3c82_1ffd), // 0.015884393826127052
        f32::from_bits(0x3c11_773f), // 0.008878528140485287
        f32::from_bits(0x3b98_bf02), // 0.004661441780626774
        f32::from_bits(0x3b32_99ba), // 0.0027252272702753544
        f32::from_bits(0x3ae1_ce88), // 0.0017227688804268837
        f32::from_bits(0x3a7c_61de), // 0.000962762045674026
        f32::from_bits(0x3a1e_477b), // 0.0006037873099558055
        f32::from_bits(0xb35d_05dc), // -5.146090131802339e-08
        f32::from_bits(0x3f2a_4b4c), // 0.6652114391326904
        f32::from_bits(0x3ee9_45c1), // 0.4556103050708771
        f32::from_bits(0x3e92_bb4d), // 0.2865852415561676
        f32::from_bits(0x3e40_773a), // 0.18795481324195862
        f32::from_bits(0x3e02_f457), // 0.12788520753383636
    ],
    [
        f32::from_bits(0xbd06_e11c), // -0.03292952477931976
        f32::from_bits(0xbc7d_496c), // -0.015459399670362473
        f32::from_bits(0xbc03_1726), // -0.008001124486327171
        f32::from_bits(0xbb92_c72b), // -0.00447930907830596
        f32::from_bits(0xbb0a_1486), // -0.0021069361828267574
        f32::from_bits(0xba6e_0bde), // -0.0009080747840926051
        f32::from_bits(0xb9eb_2ec9), // -0.0004485755052883178
        f32::from_bits(0xb980_7362), // -0.000245000293944031
        f32::from_bits(0xb8ed_f0ff), // -0.00011345929669914767
        f32::from_bits(0xb880_35db), // -6.113546987762675e-05
        f32::from_bits(0x3ec0_9390), // 0.3761258125305176
        f32::from_bits(0xbeed_b7f0), // -0.4642939567565918
        f32::from_bits(0xbe97_4161), // -0.29542067646980286
        f32::from_bits(0xbe2c_e051), // -0.1688244491815567
        f32::from_bits(0xbdce_a9ff), // -0.10091017931699753
        f32::from_bits(0xbd80_9a80), // -0.06279468536376953
    ],
    [
        f32::from_bits(0x3c5b_2bed), // 0.013377171941101551
        f32::from_bits(0x3bb2_43f4), // 0.005440229550004005
        f32::from_bits(0x3b21_a700), // 0.0024666190147399902
        f32::from_bits(0x3aa0_4da4), // 0.0012230169959366322
        f32::from_bits(0x39ff_fe73), // 0.0004882696957793087
        f32::from_bits(0x3936_60d0), // 0.00017392938025295734
        f32::from_bits(0x3898_ee2f), // 7.292289956239983e-05
        f32::from_bits(0x3810_c425), // 3.4514949220465496e-05
        f32::from_bits(0x375e_dcab), // 1.3283609405334573e-05
        f32::from_bits(0x36ce_9fe1), // 6.1578907661896665e-06
        f32::from_bits(0x388d_0158), // 6.72365422360599e-05
        f32::from_bits(0x3e94_0260), // 0.2890806198120117
        f32::from_bits(0x3e30_8e4b), // 0.1724178045988083
        f32::from_bits(0x3db9_636d), // 0.0905216708779335
        f32::from_bits(0x3d4b_cfd6), // 0.049758754670619965
        f32::from_bits(0x3cea_8116), // 0.028626006096601486
    ],
    [
        f32::from_bits(0xbbab_0141), // -0.005218655336648226
        f32::from_bits(0xbaf2_dc75), // -0.0018528836080804467
        f32::from_bits(0xba42_6998), // -0.0007416247390210629
        f32::from_bits(0xb9ab_91b8), // -0.0003272423055022955
        f32::from_bits(0xb8ec_bb8c), // -0.00011288290261290967
        f32::from_bits(0xb80b_7142), // -3.3245662052650005e-05
        f32::from_bits(0xb746_5c73), // -1.1823244676634204e-05
        f32::from_bits(0xb6a2_8e91), // -4.844573140871944e-06
        f32::from_bits(0xb5d4_4e91), // -1.5818096699149464e-06
        f32::from_bits(0xb524_8b91), // -6.129785674602317e-07
        f32::from_bits(0xbde9_b951), // -0.11412299424409866
        f32::from_bits(0xbe2b_38c7), // -0.16720877587795258
        f32::from_bits(0xbdbd_aa73), // -0.09261026233434677
        f32::from_bits(0xbd39_401d), // -0.045227158814668655
        f32::from_bits(0xbcbd_7e07), // -0.02313138358294964
        f32::from_bits(0xbc49_f810), // -0.012327209115028381
    ],
    [
        f32::from_bits(0x3afa_234c), // 0.0019084005616605282
        f32::from_bits(0x3a1d_402b), // 0.0005998636479489505
        f32::from_bits(0x3962_bc3f), // 0.00021623166685458273
        f32::from_bits(0x38b0_aa79), // 8.424086990999058e-05
        f32::from_bits(0x37cf_64c2), // 2.472324194968678e-05
        f32::from_bits(0x36ce_9857), // 6.157013103802456e-06
        f32::from_bits(0x35fb_4f31), // 1.8724005030890112e-06
        f32::from_bits(0x3532_813a), // 6.64982167108974e-07
        f32::from_bits(0x3444_b62e), // 1.8320199046684138e-07
        f32::from_bits(0x338d_5570), // 6.581365141755668e-08
        f32::from_bits(0x3c20_8ad7), // 0.009798726998269558
        f32::from_bits(0x3db0_e6a6), // 0.08637742698192596
        f32::from_bits(0x3d3c_03da), // 0.04590211063623428
        f32::from_bits(0x3caf_4f83), // 0.021400218829512596
        f32::from_bits(0x3c51_53a7), // 0.01277629192918539
        f32::from_bits(0x3b9b_cd34), // 0.00475468672811985
    ],
];

/// `2^f` for |f| <= 1/2, in `f64` lanes. Relative error 2^-29.00.
const WIDE_POWER: [f64; 7] = [
    f64::from_bits(0x3ff0_0000_0026_1672), // 1.0000000005542486
    f64::from_bits(0x3fe6_2e43_0c7e_a990), // 0.6931472057379313
    f64::from_bits(0x3fce_bfbd_adc6_c16b), // 0.24022646889853702
    f64::from_bits(0x3fac_6aed_4b65_cc8a), // 0.05550328774816034
    f64::from_bits(0x3f83_b2db_be49_f431), // 0.00961848902192672
    f64::from_bits(0x3f55_f456_b3da_2953), // 0.001339993162590665
    f64::from_bits(0x3f24_1d31_d0c6_5e4c), // 0.00015345795726483464
];

/// erf x = 2/sqrt(pi) * integral from 0 to x of exp(-t^2) dt. At most 0.9855 ULP (all 2^32 inputs).
///
/// erf(±0) = ±0, erf(±inf) = ±1. Odd; |erf x| <= 1.
#[inline(always)]
pub fn erf<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    let tiny = x.is_tiny();
    let mut y = x;
    if tiny.any() {
        y = tiny.select(0.5, x);
    }
    let small = y.mul_add(horner(y * y, &SMALL), y);
    let b = a.least(3.93) - CENTRE;
    let e = b * horner(b, &LARGE);
    let t = e + ROUND;
    let f = e - (t - ROUND);
    let p = f.mul_add(horner(f, &POWER), 1.0);
    let large = p.neg_mul_add((t.bits() << 23).float(), 1.0);
    let erf = a.ge(1.0).select(large.copysign(x), small);
    if tiny.any() { tiny.select(erf_of_tiny(x), erf) } else { erf }
}

/// erf of numbers below 2^-63, without arithmetic on subnormal numbers.
#[inline(always)]
fn erf_of_tiny<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    let subnormal = a.bits().lt(x.int(1 << 23));
    let count = counted(a);
    let y = subnormal.select(count, a);
    let erf = y.mul_add(SMALL[0], y);
    // A sum with 2^23 rounds as a subnormal result is rounded; from 2^23 on, the result is normal.
    let subnormal_count = y.mul_add(SMALL[0], y + two_to(23)).bits() - x.int(TWO_23);
    let count = erf.lt(two_to(23)).select_bits(subnormal_count, erf.bits() - x.int(TWO_23 - (1 << 23)));
    subnormal.select_bits(count, erf.bits()).float().copysign(x)
}

/// `2^(u c)` in `f64` lanes, for exponents from -1000 to 0. Relative error 2^-29.
#[inline(always)]
pub(super) fn exp2_wide<L: WideLanes>(u: F64<L>, c: f64) -> F64<L> {
    let t = u.mul_add(c, ROUND_WIDE);
    let f = u.mul_add(c, -(t - ROUND_WIDE));
    (horner(f, &WIDE_POWER).bits() + (t.bits() << 52)).float()
}

/// erfc x = 1 - erf x. At most 0.9861 ULP (all 2^32 inputs), decreasing, subnormal results (from 9.2 to 10.05)
/// included.
///
/// erfc(±0) = 1, erfc(-inf) = 2, erfc(+inf) = +0. Every NaN result is `f32::NAN`.
#[inline(always)]
pub fn erfc<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    // From 2^-40 to 9: below, products may be subnormal; above, results may be.
    if !(!(a.ge(two_to(-40)) & a.lt(9.0))).any() {
        let (h, t) = scaled_erfc(a);
        let h = (h.bits() + (t.bits() << 23)).float();
        return x.lt(0.0).select(x.splat(2.0) - h, h);
    }
    // At 10.1 the result is less than half the smallest `f32`; below 2^-40 it is 1.
    let a = x.splat(two_to(-40)).greatest(x.splat(10.1).least(a));
    let (h, t) = scaled_erfc(a);
    // Scaling that underflows to 0 is slow: from 10.08 on, the significand is 0.
    let h = a.ge(10.08).select(0.0, h).scale(t - ROUND_EXPONENT);
    x.lt(0.0).select(x.splat(2.0) - h, h).replace_nan(f32::NAN)
}

/// `(2^-n erfc(a), n + ROUND_EXPONENT)` for a from 2^-40 to 10.1.
#[inline(always)]
fn scaled_erfc<L: WideLanes>(a: F32<L>) -> (F32<L>, F32<L>) {
    let shifted = a + 0.75;
    let first = shifted.lt(0.875);
    // e^(-a^2) = 2^n (e + tail).
    let b = first.select(0.0, a);
    let square = b * b;
    let square_low = b.mul_sub(b, square);
    let n_plus = square.neg_mul_add(core::f32::consts::LOG2_E, ROUND_EXPONENT);
    let n = n_plus - ROUND_EXPONENT;
    let r = n.neg_mul_add(LN_2_HIGH, -square);
    let low = n.mul_add(LN_2_LOW, square_low);
    let e = r + 1.0;
    let e_low = r - (e - 1.0);
    let near = r - low;
    let [_, _, c @ ..] = EXP;
    let tail = (near * near).mul_add(horner(near, &c), e_low - low);
    // S(a) = c + s.
    let index = shifted.bits() >> 21;
    let t = a - F32::lookup(&CENTRES, index);
    let [p0, p1, p2, p3, p4, p5] = slopes(index);
    let t2 = t * t;
    let slope = t2.mul_add(t2.mul_add(t.mul_add(p5, p4), t.mul_add(p3, p2)), t.mul_add(p1, p0));
    // In the first interval -t is added separately, so that the rounded sums decrease when a grows by one last place.
    let s = t.mul_add(slope, -first.select(t, 0.0));
    let c = F32::lookup(&SCALED, index);
    (c.mul_add(e, s.mul_add(e, (c + s) * tail)), n_plus)
}

/// The coefficients of interval `index`.
#[inline(always)]
fn slopes<L: WideLanes>(index: Bits<f32, L>) -> [F32<L>; 6] {
    let mut all = [F32::lookup(&SLOPES[0], index); 6];
    let mut k = 1;
    while k < 6 {
        all[k] = F32::lookup(&SLOPES[k], index);
        k += 1;
    }
    all
}
