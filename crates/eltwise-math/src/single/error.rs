//! erf, erfc of `f32`.
//!
//! * erf below 1: `x + x p(x^2)`. From 1 on: `1 - 2^(-3 + b g(b))`, where `b` is the distance from the argument whose erfc is 1/8: the
//!   exponent is small where erfc is large, so that its rounding does not show in erf. Both are minimax polynomials, in `f32` lanes.
//!
//! tools/coefficients/single_error.py prints the tables.

use eltwise_simd::WideLanes;

use crate::F32;
use crate::vector::horner;

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
const CENTRE: f32 = 1.0847870111465454;
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
