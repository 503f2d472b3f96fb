//! erf, erfc of `f32`.
//!
//! * erf below 1: `x + x p(x^2)`. From 1 on: `1 - 2^(-3 + b g(b))`, where `b` is the distance from the argument whose erfc is 1/8: the
//!   exponent is small where erfc is large, so that its rounding does not show in erf. Both are minimax polynomials, in `f32` lanes.
//! * erfc: `exp(-x^2)` times a rational function of |x| (Cody 1969), and 2 less that for negative x. In `f64` lanes, where `x^2` is
//!   exact: an error of the exponent would count a hundredfold.
//!
//! Measured over all 2^32 inputs: erf at most 0.9855 ULP, erfc 0.8028.
//! tools/coefficients/single_error.py prints the tables.

use eltwise_simd::WideLanes;

use crate::vector::horner;
use crate::{F32, F64};

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
/// Where erfc is 1/8.
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
/// Added to e it makes the exponent field of 2^(-3 + n) the lower bits of the sum, n the nearest integer.
const ROUND: f32 = 12583036.0;

/// `erfc(a) exp(a^2) = N(a) / D(a)` for 0 <= a <= 10.1: N. Relative error 2^-27.38.
const NUMERATOR: [f64; 5] = [
    f64::from_bits(0x4031_33b8_d0ff_6226), // 17.202038824414693
    f64::from_bits(0x4035_4daf_ba21_a94c), // 21.30346263238725
    f64::from_bits(0x4029_2bb6_4522_f7dc), // 12.585374985235767
    f64::from_bits(0x400f_8b9c_d305_981e), // 3.9431702123720376
    f64::from_bits(0x3fe2_0de5_8917_9287), // 0.5641963651256255
];
/// And D.
const DENOMINATOR: [f64; 6] = [
    f64::from_bits(0x4031_33b8_cf57_4ef4), // 17.202038725677042
    f64::from_bits(0x4044_5b60_e6f2_775a), // 40.71389471854373
    f64::from_bits(0x4044_a975_197b_3053), // 41.3238860942371
    f64::from_bits(0x4036_ccb1_c40f_73d4), // 22.799587491772243
    f64::from_bits(0x401b_f54a_54cc_5f9d), // 6.989541363691299
    f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
];
/// `2^f` of `f`, for |f| <= 1/2. Relative. Error 2^-29.00.
const WIDE_POWER: [f64; 7] = [
    f64::from_bits(0x3ff0_0000_0026_1672), // 1.0000000005542486
    f64::from_bits(0x3fe6_2e43_0c7e_a990), // 0.6931472057379313
    f64::from_bits(0x3fce_bfbd_adc6_c16b), // 0.24022646889853702
    f64::from_bits(0x3fac_6aed_4b65_cc8a), // 0.05550328774816034
    f64::from_bits(0x3f83_b2db_be49_f431), // 0.00961848902192672
    f64::from_bits(0x3f55_f456_b3da_2953), // 0.001339993162590665
    f64::from_bits(0x3f24_1d31_d0c6_5e4c), // 0.00015345795726483464
];
/// Added to a number of `f64` it makes the nearest integer the lower bits of the sum.
const ROUND_WIDE: f64 = 6755399441055744.0;

/// erf x = 2/sqrt(pi) * integral from 0 to x of exp(-t^2) dt. At most 0.9855 ULP (all 2^32 inputs).
///
/// erf(±0) = ±0, erf(±inf) = ±1. Odd; |erf x| <= 1.
#[inline(always)]
pub fn erf<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    let small = x.mul_add(horner(x * x, &SMALL), x);
    let b = a.least(3.93) - CENTRE;
    let e = b * horner(b, &LARGE);
    let t = e + ROUND;
    let f = e - (t - ROUND);
    let p = f.mul_add(horner(f, &POWER), 1.0);
    let large = p.neg_mul_add((t.bits() << 23).float(), 1.0);
    a.ge(1.0).select(large.copysign(x), small)
}

/// `2^(u c)` for exponents between -1000 and 0. Relative error 2^-29.
#[inline(always)]
pub(super) fn exponential<L: WideLanes>(u: F64<L>, c: f64) -> F64<L> {
    let t = u.mul_add(c, ROUND_WIDE);
    let f = u.mul_add(c, -(t - ROUND_WIDE));
    (horner(f, &WIDE_POWER).bits() + (t.bits() << 52)).float()
}

/// erfc x = 1 - erf x. At most 0.8028 ULP (all 2^32 inputs), subnormal results (from 9.2 to 10.05) included.
///
/// erfc(±0) = 1, erfc(-inf) = 2, erfc(+inf) = +0.
#[inline(always)]
pub fn erfc<L: WideLanes>(x: F32<L>) -> F32<L> {
    // At 10.1 the result is less than half of the smallest f32.
    let [a, b] = x.splat(10.1).least(x.abs()).widen();
    let h = F32::narrow([complement(a), complement(b)]);
    x.lt(0.0).select(h.splat(2.0) - h, h)
}

/// erfc a for 0 <= a <= 10.1.
#[inline(always)]
fn complement<L: WideLanes>(a: F64<L>) -> F64<L> {
    exponential(a * a, -core::f64::consts::LOG2_E) * horner(a, &NUMERATOR) / horner(a, &DENOMINATOR)
}
