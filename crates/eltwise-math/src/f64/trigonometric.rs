//! sin, cos, tan of `f64`, for arguments of any size.
//!
//! 1. Reduction: `x = n π/16 + r`, |r| up to about π/32, r as a sum of two floats.
//!    * Below 2^22, the multiple of π/16 is subtracted in three parts (Cody and Waite 1980), the first two without
//!      rounding error: n times the first part is a multiple of an ulp of the difference, and the second part has 28
//!      bits.
//!    * From 2^22 on, the product with 2/π is summed from four windows of 48 bits of 2/π that the exponent of x selects
//!      (Payne and Hanek 1983, "Radian reduction for trigonometric functions"). Vectors without a lane of that size
//!      skip this.
//! 2. s = sin(n π/16) and c = cos(n π/16) from a table of 16, each as a sum of two floats; minimax polynomials for sin
//!    r, cos r and tan r.
//! 3. Reconstruction:
//!
//!    ```text
//!    sin x = s + c r + (c (sin r - r) + s (cos r - 1))
//!    tan x = (s + c tan r) / (c - s tan r)
//!    ```
//!
//!    The rounding error of s + c r is kept; s is 0 or larger than |c r|. The quotient is corrected by its remainder.
//!    cos is the sine of n + 8.
//!
//! Tables: `tools/coefficients/f64_trigonometric.py`.

use eltwise_simd::WideLanes;

use super::constants::TINY;
use super::double_double::{Pair as Sum, fast_two_sum, two_product, two_sum};
use super::tables::Tables;
use crate::polynomial::horner;
use crate::vector::{Bits, F64};

/// π/16 in three parts, of 53, 28 and 53 bits.
const SIXTEENTH: [f64; 3] = [
    f64::from_bits(0x3fc9_21fb_5444_2d18), // 0.19634954084936207
    f64::from_bits(0x3c61_a626_3200_0000), // 7.654042466765781e-18
    f64::from_bits(0x3aa1_45c0_6e0e_6895), // 2.790517625932265e-26
];

const HALF_PI: f64 = core::f64::consts::FRAC_PI_2;

/// π/2 minus [`HALF_PI`].
const HALF_PI_TAIL: f64 = f64::from_bits(0x3c91_a626_3314_5c07);

/// (sin d / d - 1) / d² in powers of d², |d| <= π/32. Error 2^-67.4 of sin.
const SIN: [f64; 4] = [
    f64::from_bits(0xbfc5_5555_5555_5555), // -0.16666666666666666
    f64::from_bits(0x3f81_1111_1110_f163), // 0.008333333333319265
    f64::from_bits(0xbf2a_01a0_0fef_35e1), // -0.0001984126938325134
    f64::from_bits(0x3ec7_1ca5_4588_21cc), // 2.7551528030170807e-06
];

/// (cos d - 1) / d² in powers of d². Error 2^-63.9.
const COS: [f64; 4] = [
    f64::from_bits(0xbfdf_ffff_ffff_fffd), // -0.49999999999999983
    f64::from_bits(0x3fa5_5555_5554_fe36), // 0.041666666666511906
    f64::from_bits(0xbf56_c16c_08e8_3074), // -0.0013888888385080985
    f64::from_bits(0x3ef9_ffea_5852_ac9f), // 2.4795217105005718e-05
];

/// (tan d / d - 1) / d² in powers of d². Error 2^-58.9 of tan.
const TAN: [f64; 5] = [
    f64::from_bits(0x3fd5_5555_5555_55be), // 0.33333333333333914
    f64::from_bits(0x3fc1_1111_110b_cc4a), // 0.1333333333237497
    f64::from_bits(0x3fab_a1ba_4542_30e9), // 0.053968258814252774
    f64::from_bits(0x3f96_64ae_6349_f312), // 0.021868443307982828
    f64::from_bits(0x3f82_5bdd_4e66_2fbd), // 0.00896428008561389
];

/// sin of the multiples of π/16 below π and its rounding error, cos and its rounding error.
static ANGLES: Tables<4> = Tables::new([
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3fc8_f8b8_3c69_a60b), // 0.19509032201612828
        f64::from_bits(0x3fd8_7de2_a6ae_a963), // 0.3826834323650898
        f64::from_bits(0x3fe1_c73b_39ae_68c8), // 0.5555702330196022
        f64::from_bits(0x3fe6_a09e_667f_3bcd), // 0.7071067811865476
        f64::from_bits(0x3fea_9b66_290e_a1a3), // 0.8314696123025452
        f64::from_bits(0x3fed_906b_cf32_8d46), // 0.9238795325112867
        f64::from_bits(0x3fef_6297_cff7_5cb0), // 0.9807852804032304
        f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
        f64::from_bits(0x3fef_6297_cff7_5cb0), // 0.9807852804032304
        f64::from_bits(0x3fed_906b_cf32_8d46), // 0.9238795325112867
        f64::from_bits(0x3fea_9b66_290e_a1a3), // 0.8314696123025452
        f64::from_bits(0x3fe6_a09e_667f_3bcd), // 0.7071067811865476
        f64::from_bits(0x3fe1_c73b_39ae_68c8), // 0.5555702330196022
        f64::from_bits(0x3fd8_7de2_a6ae_a963), // 0.3826834323650898
        f64::from_bits(0x3fc8_f8b8_3c69_a60b), // 0.19509032201612828
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbc62_6d19_b9ff_8d82), // -7.991079068461731e-18
        f64::from_bits(0xbc67_2ced_d3d5_a610), // -1.0050772696461588e-17
        f64::from_bits(0x3c8b_25dd_267f_6600), // 4.709410940561677e-17
        f64::from_bits(0xbc8b_dd34_13b2_6456), // -4.833646656726457e-17
        f64::from_bits(0x3c39_f630_e8b6_dac8), // 1.4073856984728024e-18
        f64::from_bits(0x3c74_57e6_1023_1ac2), // 1.7645047084336677e-17
        f64::from_bits(0x3c75_6217_2a36_1fd3), // 1.8546939997825006e-17
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3c75_6217_2a36_1fd3), // 1.8546939997825006e-17
        f64::from_bits(0x3c74_57e6_1023_1ac2), // 1.7645047084336677e-17
        f64::from_bits(0x3c39_f630_e8b6_dac8), // 1.4073856984728024e-18
        f64::from_bits(0xbc8b_dd34_13b2_6456), // -4.833646656726457e-17
        f64::from_bits(0x3c8b_25dd_267f_6600), // 4.709410940561677e-17
        f64::from_bits(0xbc67_2ced_d3d5_a610), // -1.0050772696461588e-17
        f64::from_bits(0xbc62_6d19_b9ff_8d82), // -7.991079068461731e-18
    ],
    [
        f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
        f64::from_bits(0x3fef_6297_cff7_5cb0), // 0.9807852804032304
        f64::from_bits(0x3fed_906b_cf32_8d46), // 0.9238795325112867
        f64::from_bits(0x3fea_9b66_290e_a1a3), // 0.8314696123025452
        f64::from_bits(0x3fe6_a09e_667f_3bcd), // 0.7071067811865476
        f64::from_bits(0x3fe1_c73b_39ae_68c8), // 0.5555702330196022
        f64::from_bits(0x3fd8_7de2_a6ae_a963), // 0.3826834323650898
        f64::from_bits(0x3fc8_f8b8_3c69_a60b), // 0.19509032201612828
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbfc8_f8b8_3c69_a60b), // -0.19509032201612828
        f64::from_bits(0xbfd8_7de2_a6ae_a963), // -0.3826834323650898
        f64::from_bits(0xbfe1_c73b_39ae_68c8), // -0.5555702330196022
        f64::from_bits(0xbfe6_a09e_667f_3bcd), // -0.7071067811865476
        f64::from_bits(0xbfea_9b66_290e_a1a3), // -0.8314696123025452
        f64::from_bits(0xbfed_906b_cf32_8d46), // -0.9238795325112867
        f64::from_bits(0xbfef_6297_cff7_5cb0), // -0.9807852804032304
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3c75_6217_2a36_1fd3), // 1.8546939997825006e-17
        f64::from_bits(0x3c74_57e6_1023_1ac2), // 1.7645047084336677e-17
        f64::from_bits(0x3c39_f630_e8b6_dac8), // 1.4073856984728024e-18
        f64::from_bits(0xbc8b_dd34_13b2_6456), // -4.833646656726457e-17
        f64::from_bits(0x3c8b_25dd_267f_6600), // 4.709410940561677e-17
        f64::from_bits(0xbc67_2ced_d3d5_a610), // -1.0050772696461588e-17
        f64::from_bits(0xbc62_6d19_b9ff_8d82), // -7.991079068461731e-18
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3c62_6d19_b9ff_8d82), // 7.991079068461731e-18
        f64::from_bits(0x3c67_2ced_d3d5_a610), // 1.0050772696461588e-17
        f64::from_bits(0xbc8b_25dd_267f_6600), // -4.709410940561677e-17
        f64::from_bits(0x3c8b_dd34_13b2_6456), // 4.833646656726457e-17
        f64::from_bits(0xbc39_f630_e8b6_dac8), // -1.4073856984728024e-18
        f64::from_bits(0xbc74_57e6_1023_1ac2), // -1.7645047084336677e-17
        f64::from_bits(0xbc75_6217_2a36_1fd3), // -1.8546939997825006e-17
    ],
]);

/// The bits of 2/π after the binary point, 16 per word.
#[rustfmt::skip]
const TWO_OVER_PI: [u16; 72] = [
    0xa2f9, 0x836e, 0x4e44, 0x1529, 0xfc27, 0x57d1, 0xf534, 0xddc0, 0xdb62, 0x9599, 0x3c43, 0x9041, 0xfe51, 0x63ab, 0xdebb, 0xc561,
    0xb724, 0x6e3a, 0x424d, 0xd2e0, 0x0649, 0x2eea, 0x09d1, 0x921c, 0xfe1d, 0xeb1c, 0xb129, 0xa73e, 0xe882, 0x35f5, 0x2ebb, 0x4484,
    0xe99c, 0x7026, 0xb45f, 0x7e41, 0x3991, 0xd639, 0x8353, 0x39f4, 0x9c84, 0x5f8b, 0xbdf9, 0x283b, 0x1ff8, 0x97ff, 0xde05, 0x980f,
    0xef2f, 0x118b, 0x5a0a, 0x6d1f, 0x6d36, 0x7ecf, 0x27cb, 0x09b7, 0x4f46, 0x3f66, 0x9e5f, 0xea2d, 0x7527, 0xbac7, 0xebe5, 0xf17b,
    0x3d07, 0x39f7, 0x8a52, 0x92ea, 0x6bfb, 0x5fb1, 0x1f8d, 0x5d08,
];

/// Entry k: the 48 bits of 2/π * 2^(16 k - 30) with weights 2 to 2^-46.
static WINDOWS: [f64; 128] = windows();

const fn windows() -> [f64; 128] {
    let (mut rows, mut window, mut k) = ([0.0; 128], 0, 0);
    while k < TWO_OVER_PI.len() {
        window = (window << 16 | TWO_OVER_PI[k] as u64) & 0xffff_ffff_ffff;
        rows[k] = window as f64 / (1u64 << 46) as f64;
        k += 1;
    }
    rows
}

/// 1.5 * 2^52: after adding it to a number, the nearest integer is in the lowest bits.
const ROUND: f64 = 6_755_399_441_055_744.0;

/// 2^22. From here on, the second part of n π/16 is not exact.
const LARGE: f64 = 4_194_304.0;

/// `x - n π/16` as a sum of two floats, and n plus a shift in the lowest five bits.
struct Reduced<L: WideLanes> {
    multiple: Bits<f64, L>,
    r: F64<L>,
    low: F64<L>,
}

/// Whether all lanes are in [`TINY`, 2^22) in magnitude.
#[inline(always)]
fn all_usual<L: WideLanes>(x: F64<L>) -> bool {
    !(!x.abs().bits().between(TINY.to_bits() as i64, LARGE.to_bits() as i64)).any()
}

/// The reduction below 2^22.
#[inline(always)]
fn reduce<const SHIFT: i64, L: WideLanes>(x: F64<L>) -> Reduced<L> {
    let round = ROUND + SHIFT as f64;
    let rounded = x.mul_add(8.0 * core::f64::consts::FRAC_2_PI, x.splat(round));
    let n = rounded - round;
    let a = n.neg_mul_add(SIXTEENTH[0], x);
    let r = n.neg_mul_add(SIXTEENTH[1], a);
    let low = n.neg_mul_add(SIXTEENTH[2], n.neg_mul_add(SIXTEENTH[1], a - r));
    Reduced { multiple: rounded.bits(), r, low }
}

/// The reduction at any size; arguments below `TINY` are replaced by it.
#[inline(always)]
fn reduce_all<const SHIFT: i64, L: WideLanes>(x: F64<L>) -> Reduced<L> {
    let a = x.splat(TINY).greatest(x.abs()).copysign(x);
    let near = reduce::<SHIFT, L>(a);
    let large = !a.abs().lt(LARGE);
    if !large.any() {
        return near;
    }
    let far = reduce_payne_hanek(a.abs());
    let multiple = x.lt(0.0).select_bits(x.int(0) - far.multiple, far.multiple);
    Reduced {
        multiple: large.select_bits(multiple + x.int(SHIFT), near.multiple),
        r: large.select(far.r.xor_sign(x.bits() & x.int(i64::MIN)), near.r),
        low: large.select(far.low.xor_sign(x.bits() & x.int(i64::MIN)), near.low),
    }
}

/// The reduction of positive x from 2^22 on; NaN for infinities and NaN.
#[inline(always)]
fn reduce_payne_hanek<L: WideLanes>(x: F64<L>) -> Reduced<L> {
    let bits = x.bits();
    let exponent = (bits >> 52) - x.int(1023 + 22);
    let row = exponent >> 4;
    // x / 2^(16 row - 30): an integer below 2^69.
    let mantissa = bits & x.int((1 << 52) - 1);
    let y = (mantissa | (((exponent & x.int(15)) + x.int(1023 + 52)) << 52)).float();
    // The products of the windows and y with their rounding errors; the first two modulo 4.
    let c = F64::lookup(&WINDOWS, row);
    let Sum { hi: p0, lo: e0 } = two_product(c, y);
    let y = y * 2f64.powi(-48);
    let Sum { hi: p1, lo: e1 } = two_product(F64::lookup(&WINDOWS, row + x.int(3)), y);
    let y = y * 2f64.powi(-48);
    let Sum { hi: p2, lo: e2 } = two_product(F64::lookup(&WINDOWS, row + x.int(6)), y);
    let p3 = F64::lookup(&WINDOWS, row + x.int(9)) * (y * 2f64.powi(-48));
    let Sum { hi: s, lo: f0 } = two_sum(modulo_four(p0) + modulo_four(e0), modulo_four(p1));
    let n = (s * 8.0).round() * 0.125;
    let Sum { hi: s, lo: f1 } = two_sum(s - n, e1);
    let Sum { hi: s, lo: f2 } = two_sum(s, p2);
    let Sum { hi: s, lo: f3 } = two_sum(s, f0);
    let low = f1 + f2 + f3 + (e2 + p3);
    let fraction = s + low;
    let rest = (s - fraction) + low;
    // Times π/2.
    let Sum { hi: r, lo: e } = two_product(fraction, x.splat(HALF_PI));
    let low = e + fraction.mul_add(HALF_PI_TAIL, rest * HALF_PI);
    Reduced { multiple: n.mul_add(8.0, ROUND).bits(), r: r + x * 0.0, low }
}

/// p minus the nearest multiple of 4, exact.
#[inline(always)]
fn modulo_four<L: WideLanes>(p: F64<L>) -> F64<L> {
    (p * 0.25).round().neg_mul_add(4.0, p)
}

/// sin(π n / 16 + r) as a pair, up to the sign: for n modulo 16.
#[inline(always)]
fn sine_pair<L: WideLanes>(Reduced { multiple, r, low }: Reduced<L>) -> Sum<L> {
    let [s, s_low, c, c_low] = ANGLES.lookup(multiple);
    let u = r * r;
    // sin r = r + sin_tail, cos r = 1 + cos_tail.
    let sin_tail = (r * u).mul_add(horner(u, &SIN), low);
    let cos_tail = u * horner(u, &COS);
    let hi = c.mul_add(r, s);
    let error = c.mul_add(r, s - hi);
    let lo = c.mul_add(sin_tail, s.mul_add(cos_tail, c_low.mul_add(r, error + s_low)));
    Sum { hi, lo }
}

/// sin(π n / 16 + r) as a pair, for integers |n| <= 16 and |r| <= π/32.
#[inline(always)]
pub(super) fn sine_of_sixteenths<L: WideLanes>(n: F64<L>, r: Sum<L>) -> Sum<L> {
    let multiple = (n + ROUND).bits();
    let Sum { hi, lo } = sine_pair(Reduced { multiple, r: r.hi, low: r.lo });
    let sign = (multiple << 59) & n.int(i64::MIN);
    Sum { hi: hi.xor_sign(sign), lo: lo.xor_sign(sign) }
}

/// sin(x + SHIFT π/16), from the reduction with that SHIFT.
#[inline(always)]
fn sine<const NARROW: bool, L: WideLanes>(reduced: Reduced<L>) -> F64<L> {
    let sign = (reduced.multiple << 59) & reduced.r.int(i64::MIN);
    let Sum { hi, lo } = sine_pair(reduced);
    let y = hi + lo;
    if NARROW && y.is_short().any() {
        return hi.plus_sticky(lo).xor_sign(sign);
    }
    y.xor_sign(sign)
}

/// sin x.
///
/// At most 0.53 ULP, measured on 2^20 numbers in each of several ranges, of every magnitude, and on bit patterns.
/// sin(±0) = ±0, sin(±∞) = NaN. Every NaN result is `f64::NAN`.
#[inline(always)]
pub fn sin<L: WideLanes>(x: F64<L>) -> F64<L> {
    sin_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn sin_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    if all_usual(x) {
        return sine::<NARROW, L>(reduce::<0, L>(x));
    }
    x.abs().le(TINY).select(x, sine::<NARROW, L>(reduce_all::<0, L>(x)).replace_nan(f64::NAN))
}

/// cos x.
///
/// At most 0.53 ULP, measured on 2^20 numbers in each of several ranges, of every magnitude, and on bit patterns.
/// cos(±0) = 1, cos(±∞) = NaN. Every NaN result is `f64::NAN`.
#[inline(always)]
pub fn cos<L: WideLanes>(x: F64<L>) -> F64<L> {
    cos_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn cos_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    if all_usual(x) {
        return sine::<NARROW, L>(reduce::<8, L>(x));
    }
    sine::<NARROW, L>(reduce_all::<8, L>(x)).replace_nan(f64::NAN)
}

/// tan x.
///
/// At most 0.53 ULP, measured on 2^20 numbers in each of several ranges, of every magnitude, and on bit patterns.
/// tan(±0) = ±0, tan(±∞) = NaN. Every NaN result is `f64::NAN`.
#[inline(always)]
pub fn tan<L: WideLanes>(x: F64<L>) -> F64<L> {
    if all_usual(x) {
        return tangent(reduce::<0, L>(x));
    }
    x.abs().le(TINY).select(x, tangent(reduce_all::<0, L>(x)).replace_nan(f64::NAN))
}

/// tan x, from the reduction of x.
#[inline(always)]
fn tangent<L: WideLanes>(Reduced { multiple, r, low }: Reduced<L>) -> F64<L> {
    let [s, s_low, c, c_low] = ANGLES.lookup(multiple);
    // tan(a + r) = (s + c tan r) / (c - s tan r), tan r = r + tan_tail.
    let u = r * r;
    let tan_tail = (r * u).mul_add(horner(u, &TAN), low);
    let numerator = c.mul_add(r, s);
    let numerator_low = c.mul_add(tan_tail, c_low.mul_add(r, c.mul_add(r, s - numerator) + s_low));
    let denominator = s.neg_mul_add(r, c);
    let denominator_low = s.neg_mul_add(tan_tail, s_low.neg_mul_add(r, s.neg_mul_add(r, c - denominator) + c_low));
    // The correction of the quotient is of first order only: the low part of the divisor must be small.
    let Sum { hi: denominator, lo: denominator_low } = fast_two_sum(denominator, denominator_low);
    let inverse = r.splat(1.0) / denominator;
    let q = numerator * inverse;
    let remainder = q.neg_mul_add(denominator, numerator) + q.neg_mul_add(denominator_low, numerator_low);
    remainder.mul_add(inverse, q)
}
