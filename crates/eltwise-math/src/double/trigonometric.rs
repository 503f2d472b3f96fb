//! sin, cos, tan of `f64`.
//!
//! |x| = n π/2 + r with r between about -π/4 and π/4 as a sum of two numbers. Below 2^22 the multiple of π/2 is subtracted in three
//! parts (Cody and Waite 1980), the first two without an error: n (the first part) is a multiple of an ulp of the difference, and the
//! second part has 31 digits. From 2^22 on, the product with 2/π is summed from four windows of 48 binary digits of 2/π that the
//! exponent of x selects (Payne and Hanek 1983); a vector without such a lane skips that.
//!
//! sin r = r + (r³ P(r²) + r_low cos r) and cos r = 1 - r²/2 + (r⁴ Q(r²) - ...) with the rounding errors of r² and of the first
//! subtraction carried along; the last operation adds a small term to a large one. tan is their quotient, with the remainder of the
//! division divided too. Coefficients: `tools/coefficients/double_trigonometric.py`.

use eltwise_simd::WideLanes;

use super::extended::{Pair as Sum, two_product, two_sum};
use crate::vector::{Bits, F64, horner};

/// π/2 in three parts: 53, 31 and 53 digits.
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3ff9_21fb_5444_2d18),
    f64::from_bits(0x3c91_a626_3300_0000),
    f64::from_bits(0x3a94_5c06_e0e6_8948),
];
/// π/2 less its first part.
const HALF_PI_TAIL: f64 = f64::from_bits(0x3c91_a626_3314_5c07);

/// (sin r / r - 1) / r² in powers of r². Error 2^-57.9 of sin.
const SIN: [f64; 6] = [
    f64::from_bits(0xbfc5_5555_5555_5548), // -0.1666666666666663
    f64::from_bits(0x3f81_1111_1110_f730), // 0.00833333333332184
    f64::from_bits(0xbf2a_01a0_19be_9217), // -0.00019841269829358528
    f64::from_bits(0x3ec7_1de3_5552_b3be), // 2.7557313538512684e-06
    f64::from_bits(0xbe5a_e5e4_b83b_635e), // -2.505073438863109e-08
    f64::from_bits(0x3de5_d8b5_57d9_a5bc), // 1.5895433227050956e-10
];
/// (cos r - 1 + r²/2) / r⁴ in powers of r². Error 2^-63.9 of cos.
const COS: [f64; 6] = [
    f64::from_bits(0x3fa5_5555_5555_554b), // 0.041666666666666595
    f64::from_bits(0xbf56_c16c_16c1_5013), // -0.0013888888888873338
    f64::from_bits(0x3efa_01a0_19c8_ed0d), // 2.4801587288997502e-05
    f64::from_bits(0xbe92_7e4f_7f14_1a12), // -2.755731421531163e-07
    f64::from_bits(0x3e21_ee9d_b8ec_3ee7), // 2.0875705117525873e-09
    f64::from_bits(0xbda8_fa65_ef43_fda9), // -1.1358732944716289e-11
];

/// The binary digits of 2/π after the point, 16 a word.
#[rustfmt::skip]
const DIGITS: [u16; 72] = [
    0xa2f9, 0x836e, 0x4e44, 0x1529, 0xfc27, 0x57d1, 0xf534, 0xddc0, 0xdb62, 0x9599, 0x3c43, 0x9041, 0xfe51, 0x63ab, 0xdebb, 0xc561,
    0xb724, 0x6e3a, 0x424d, 0xd2e0, 0x0649, 0x2eea, 0x09d1, 0x921c, 0xfe1d, 0xeb1c, 0xb129, 0xa73e, 0xe882, 0x35f5, 0x2ebb, 0x4484,
    0xe99c, 0x7026, 0xb45f, 0x7e41, 0x3991, 0xd639, 0x8353, 0x39f4, 0x9c84, 0x5f8b, 0xbdf9, 0x283b, 0x1ff8, 0x97ff, 0xde05, 0x980f,
    0xef2f, 0x118b, 0x5a0a, 0x6d1f, 0x6d36, 0x7ecf, 0x27cb, 0x09b7, 0x4f46, 0x3f66, 0x9e5f, 0xea2d, 0x7527, 0xbac7, 0xebe5, 0xf17b,
    0x3d07, 0x39f7, 0x8a52, 0x92ea, 0x6bfb, 0x5fb1, 0x1f8d, 0x5d08,
];
/// Row k: the 48 digits of 2/π * 2^(16 k - 30) with the weights 2 to 2^-46.
static WINDOWS: [f64; 128] = windows();

const fn windows() -> [f64; 128] {
    let (mut rows, mut window, mut k) = ([0.0; 128], 0, 0);
    while k < DIGITS.len() {
        window = (window << 16 | DIGITS[k] as u64) & 0xffff_ffff_ffff;
        rows[k] = window as f64 / (1u64 << 46) as f64;
        k += 1;
    }
    rows
}

/// Adding it makes integers of small numbers; their lowest digits are then the lowest bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;
/// Above it, π/2 times a multiple has no exact second part.
const LARGE: f64 = 4_194_304.0;

/// |x| less a multiple of π/2, in two parts, and in the lowest two bits the multiple.
struct Reduced<L: WideLanes> {
    quadrant: Bits<f64, L>,
    r: F64<L>,
    low: F64<L>,
}

#[inline(always)]
fn reduce<L: WideLanes>(x: F64<L>) -> Reduced<L> {
    let rounded = x.mul_add(core::f64::consts::FRAC_2_PI, x.splat(ROUNDER));
    let n = rounded - ROUNDER;
    let a = n.neg_mul_add(HALF_PI[0], x);
    let r = n.neg_mul_add(HALF_PI[1], a);
    let low = n.neg_mul_add(HALF_PI[2], n.neg_mul_add(HALF_PI[1], a - r));
    let small = Reduced { quadrant: rounded.bits(), r, low };
    let large = !x.lt(LARGE);
    if !large.any() {
        return small;
    }
    let far = reduce_large(x);
    Reduced {
        quadrant: large.select_bits(far.quadrant, small.quadrant),
        r: large.select(far.r, small.r),
        low: large.select(far.low, small.low),
    }
}

/// From 2^22 on; NaN for infinities and NaN.
#[inline(always)]
fn reduce_large<L: WideLanes>(x: F64<L>) -> Reduced<L> {
    let bits = x.bits();
    let exponent = (bits >> 52) - x.int(1023 + 22);
    let row = exponent >> 4;
    // x / 2^(16 row - 30): an integer below 2^69.
    let mantissa = bits & x.int((1 << 52) - 1);
    let y = (mantissa | (((exponent & x.int(15)) + x.int(1023 + 52)) << 52)).float();
    // The product of each window and y, the first two less a multiple of 4, and what rounding took from it.
    let c = F64::lookup(&WINDOWS, row);
    let Sum { hi: p0, lo: e0 } = two_product(c, y);
    let y = y * 2f64.powi(-48);
    let Sum { hi: p1, lo: e1 } = two_product(F64::lookup(&WINDOWS, row + x.int(3)), y);
    let y = y * 2f64.powi(-48);
    let Sum { hi: p2, lo: e2 } = two_product(F64::lookup(&WINDOWS, row + x.int(6)), y);
    let p3 = F64::lookup(&WINDOWS, row + x.int(9)) * (y * 2f64.powi(-48));
    let Sum { hi: s, lo: f0 } = two_sum(modulo_four(p0) + modulo_four(e0), modulo_four(p1));
    let n = s.round();
    let Sum { hi: s, lo: f1 } = two_sum(s - n, e1);
    let Sum { hi: s, lo: f2 } = two_sum(s, p2);
    let Sum { hi: s, lo: f3 } = two_sum(s, f0);
    let low = f1 + f2 + f3 + (e2 + p3);
    let fraction = s + low;
    let rest = (s - fraction) + low;
    // Times π/2.
    let Sum { hi: r, lo: e } = two_product(fraction, x.splat(HALF_PI[0]));
    let low = e + fraction.mul_add(HALF_PI_TAIL, rest * HALF_PI[0]);
    Reduced { quadrant: (n + ROUNDER).bits(), r: r + x * 0.0, low }
}

/// p less the nearest multiple of 4: exact.
#[inline(always)]
fn modulo_four<L: WideLanes>(p: F64<L>) -> F64<L> {
    (p * 0.25).round().neg_mul_add(4.0, p)
}

/// sin r and cos r, each a number and a small correction.
struct Pair<L: WideLanes> {
    sin: F64<L>,
    sin_low: F64<L>,
    cos: F64<L>,
    cos_low: F64<L>,
}

#[inline(always)]
fn sin_cos<L: WideLanes>(r: F64<L>, low: F64<L>) -> Pair<L> {
    let u = r * r;
    let half = r * 0.5;
    let v = half * r;
    // What v lacks of r² / 2, and of (r + low)² / 2.
    let lack = half.mul_sub(r, v);
    let v_low = r.mul_add(low, lack);
    let cos = v.splat(1.0) - v;
    let error = (v.splat(1.0) - cos) - v;
    let cos_low = (u * u).mul_add(horner(u, &COS), error - v_low);
    // r³ P changes by about -r / 3 of the former, |r| near π/4.
    let low = r.mul_add(lack * -0.32, low * cos);
    let sin_low = (r * u).mul_add(horner(u, &SIN), low);
    Pair { sin: r, sin_low, cos, cos_low }
}

/// sin(|x| + shift π/2) with the sign turned by `sign`.
#[inline(always)]
fn shifted<L: WideLanes>(x: F64<L>, shift: i64, sign: Bits<f64, L>) -> F64<L> {
    let reduced = reduce(x.abs());
    let quadrant = reduced.quadrant + x.int(shift);
    let p = sin_cos(reduced.r, reduced.low);
    let even = (quadrant & x.int(1)).eq(x.int(0));
    let y = even.select(p.sin, p.cos).plus_sticky(even.select(p.sin_low, p.cos_low));
    y.xor_sign(((quadrant << 62) ^ sign) & x.int(i64::MIN))
}

/// sin x.
///
/// Within 0.68 ULP, as measured on 2^24 numbers in each of several ranges and near multiples of π/2. sin(±0) = ±0, sin(±∞) = NaN.
#[inline(always)]
pub fn sin<L: WideLanes>(x: F64<L>) -> F64<L> {
    shifted(x, 0, x.bits())
}

/// cos x.
///
/// Within 0.68 ULP, as measured on 2^24 numbers in each of several ranges and near multiples of π/2. cos(±0) = 1, cos(±∞) = NaN.
#[inline(always)]
pub fn cos<L: WideLanes>(x: F64<L>) -> F64<L> {
    shifted(x, 1, x.int(0))
}

/// tan x.
///
/// Within 0.76 ULP, as measured on 2^24 numbers in each of several ranges and near multiples of π/2. tan(±0) = ±0, tan(±∞) = NaN.
#[inline(always)]
pub fn tan<L: WideLanes>(x: F64<L>) -> F64<L> {
    let reduced = reduce(x.abs());
    let p = sin_cos(reduced.r, reduced.low);
    // sin / cos, or cos / -sin in odd quadrants.
    let odd = (reduced.quadrant & x.int(1)).eq(x.int(1));
    let sin = p.sin + p.sin_low;
    let sin_low = (p.sin - sin) + p.sin_low;
    let cos = p.cos + p.cos_low;
    let cos_low = (p.cos - cos) + p.cos_low;
    let (a, a_low) = (odd.select(cos, sin), odd.select(cos_low, sin_low));
    let (b, b_low) = (odd.select(sin, cos), odd.select(sin_low, cos_low));
    let inverse = b.splat(1.0) / b;
    let q = a * inverse;
    let remainder = q.neg_mul_add(b, a) + q.neg_mul_add(b_low, a_low);
    let y = remainder.mul_add(inverse, q);
    y.xor_sign(((reduced.quadrant << 63) ^ x.bits()) & x.int(i64::MIN))
}
