//! asin, acos, atan, atan2 of `f32`.
//!
//! * atan: a minimax polynomial to 0.5463, `pi/4 + atan((x - 1)/(x + 1))` to 1.8305 and `pi/2 - atan(1/x)` beyond, where the sum carries
//!   the low part of pi and its own rounding error (Dekker 1971). `f32` lanes.
//! * asin, acos: a minimax polynomial up to 1/2, and the same with `asin(x) = pi/2 - 2 asin(sqrt((1 - x)/2))` beyond. The rounding error of the
//!   root is `(z - s^2) / 2s`, for which a reciprocal of 3 bits is enough. `f32` lanes.
//! * atan2: the quotient t of the smaller by the larger with its residual (Dekker 1971), then a minimax polynomial of `t^2` less a
//!   number in the middle of [0, 1], so that all coefficients but the first are small; the first's product is carried in two parts.
//!   `f32` lanes; `f64` lanes, where the quotient neither overflows nor underflows, for tiny, huge and far different operands.
//!
//! Measured over all 2^32 inputs: atan at most 0.9637 ULP, asin 0.7238, acos 0.6978; atan2 0.8520 on 2^30 pairs.
//! tools/coefficients/single_inverse.py prints the tables.

use eltwise_simd::WideLanes;

use super::logarithm::two_to;
use crate::vector::horner;
use crate::{F32, F64};

/// `(atan(x)/x - 1) / x^2` of `x^2`, for |x| <= 0.547. Error 2^-26.09.
const ATAN: [f32; 5] = [
    f32::from_bits(0xbeaa_aa62), // -0.3333311676979065
    f32::from_bits(0x3e4c_b0f3), // 0.1998937577009201
    f32::from_bits(0xbe10_870f), // -0.14114020764827728
    f32::from_bits(0x3dc9_f9a0), // 0.09862065315246582
    f32::from_bits(0xbd3d_e44b), // -0.04636029526591301
];
/// Where `atan(sqrt(u)) / sqrt(u)` is nearly an `f32`.
const MIDDLE: f32 = 3198.0 / 8192.0;
/// `atan(x)/x` of `x^2 - MIDDLE`, for |x| <= 1. Error 2^-27.8.
const ATAN_WIDE: [f32; 10] = [
    f32::from_bits(0x3f64_d0f6), // 0.8938134908676147
    f32::from_bits(0xbe64_fa00), // -0.22360992431640625
    f32::from_bits(0x3dc9_6068), // 0.09832841157913208
    f32::from_bits(0xbd51_25aa), // -0.05106130987405777
    f32::from_bits(0x3ceb_94bc), // 0.028757445514202118
    f32::from_bits(0xbc8a_d9e3), // -0.016949599608778954
    f32::from_bits(0x3c2a_172d), // 0.010381502099335194
    f32::from_bits(0xbbe2_f725), // -0.006926434580236673
    f32::from_bits(0x3b95_92e9), // 0.004564632195979357
    f32::from_bits(0xbae5_e3fc), // -0.0017539258114993572
];
/// [`ATAN_WIDE`] in `f64` lanes.
const ATAN_IN_F64: [f64; 10] = {
    let mut c = [0.0; 10];
    let mut k = 0;
    while k < 10 {
        c[k] = ATAN_WIDE[k] as f64;
        k += 1;
    }
    c
};
/// `(asin(x)/x - 1) / x^2` of `x^2`, for |x| <= 1/2. Error 2^-27.62.
const ASIN: [f32; 5] = [
    f32::from_bits(0x3e2a_aae4), // 0.16666752099990845
    f32::from_bits(0x3d99_8102), // 0.074953094124794
    f32::from_bits(0x3d3a_3ddc), // 0.04546914994716644
    f32::from_bits(0x3cc6_1f2a), // 0.024184782058000565
    f32::from_bits(0x3d2c_ae2c), // 0.04215829074382782
];
/// 2^-20
const TINY: f32 = f32::from_bits(0x3580_0000);
/// The nearest f32.
const HALF_PI: f32 = core::f32::consts::FRAC_PI_2;
/// What it lacks.
const HALF_PI_LOW: f32 = -4.371139e-8;
/// What the f32 nearest to pi, or to pi/2, lacks, relative.
const PI_LACKS: f32 = -2.7827534e-8;

/// 1/s within an eighth from the bits of s.
const INVERSE: i32 = 0x7ef3_11c7;
/// Added to the bits of 2^-44, the least integer,
const LONG_FIRST: i32 = i32::MIN.wrapping_sub((127 - 44) << 23);
/// and to those of 2^96.
const LONG_LAST: i32 = i32::MIN + ((44 + 96) << 23);

const PI: f64 = core::f64::consts::PI;
/// In place of an infinity: the quotient with another is 1, and with any number less than the smallest f32.
const INFINITY: f64 = 1.0e300;
/// In place of a divisor of 0: 0 by it is 0.
const ZERO: f64 = 1.0e-300;

/// atan x, radians. At most 0.9637 ULP (all 2^32 inputs).
///
/// atan(±0) = ±0, atan(±inf) = ±pi/2. Odd.
#[inline(always)]
pub fn atan<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Below 2^-20 it is x and from 2^26 on pi/2, and products of tiny numbers are what CPUs are slow at.
    let size = x.abs();
    let a = x.splat(two_to(40)).least(x.splat(TINY).greatest(size));
    // The arcs of a, of (a - 1)/(a + 1) after pi/4, and of -1/a after pi/2: where there is a base it is 1/2 or more, and covers
    // the quotient's rounding.
    let (some, much) = (a.ge(0.5463025), a.gt(1.8305));
    let n = much.select(-1.0, some.select(a - 1.0, a));
    let d = much.select(a, some.select(a + 1.0, 1.0));
    let base = much.select(HALF_PI, some.select(0.5 * HALF_PI, 0.0));
    let t = n / d;
    let u = t * t;
    let sum = base + t;
    let lost = (base - sum) + t;
    let rest = (t * u).mul_add(horner(u, &ATAN), base.mul_add(PI_LACKS, lost));
    size.lt(TINY).select(x, (sum + rest).copysign(x))
}

/// `z = (1 - a)/2`, the rounded root of it, and what twice that lacks.
#[inline(always)]
fn root<L: WideLanes>(a: F32<L>) -> (F32<L>, F32<L>, F32<L>) {
    let z = a.neg_mul_add(0.5, a.splat(0.5));
    let s = z.sqrt();
    // 1/s within an eighth: the bits of a float are nearly its logarithm.
    let inverse = (s.bits().splat(INVERSE) - s.bits()).float();
    (z, s, s.neg_mul_add(s, z) * inverse)
}

/// asin x, radians. At most 0.7238 ULP (all 2^32 inputs).
///
/// asin(±0) = ±0, NaN for |x| > 1. Odd.
#[inline(always)]
pub fn asin<L: WideLanes>(x: F32<L>) -> F32<L> {
    let mut a = x.abs();
    let tiny = x.is_tiny();
    if tiny.any() {
        a = tiny.select(0.25, a);
    }
    let over = a.gt(0.5);
    let (z, s, lacks) = root(a);
    let u = over.select(z, a * a);
    let p = horner(u, &ASIN) * u;
    let small = a.mul_add(p, a);
    let twice = s + s;
    let high = a.splat(HALF_PI) - twice;
    let low = (a.splat(HALF_PI) - high) - twice;
    let large = high + ((low + HALF_PI_LOW) - twice.mul_add(p, lacks));
    let asin = over.select(large, small).copysign(x);
    if tiny.any() { tiny.select(x, asin) } else { asin }
}

/// acos x, radians. At most 0.6978 ULP (all 2^32 inputs).
///
/// acos(1) = +0, NaN for |x| > 1.
#[inline(always)]
pub fn acos<L: WideLanes>(x: F32<L>) -> F32<L> {
    // 2^-36 changes no result by more than a thousandth of an ULP, and no product is subnormal, which CPUs are slow at.
    let x = x + two_to(-36);
    let a = x.abs();
    let over = a.gt(0.5);
    let (z, s, lacks) = root(a);
    let u = over.select(z, a * a);
    let p = horner(u, &ASIN) * u;
    // base + y (1 + p): pi/2 - x (1 + p), or 2s (1 + p), or pi - 2s (1 + p).
    let y = over.select((s + s).copysign(x), -x);
    let base = over.select(x.lt(0.0).select(2.0 * HALF_PI, 0.0), HALF_PI);
    let low = over.select(lacks.xor_sign(x.bits() & a.splat(-0.0).bits()), 0.0);
    let sum = base + y;
    let lost = (base - sum) + y;
    sum + y.mul_add(p, base.mul_add(PI_LACKS, lost) + low)
}

/// atan2(y, x), radians: the angle of the point (x, y). At most 0.8520 ULP (2^30 random and structured pairs).
///
/// atan2(±0, x) = ±0 for x > 0 or x = +0, ±pi for x < 0 or x = -0; atan2(y, ±0) = ±pi/2 with the sign of y; atan2(±y, +inf) = ±0,
/// atan2(±y, -inf) = ±pi, atan2(±inf, x) = ±pi/2; atan2(±inf, +inf) = ±pi/4, atan2(±inf, -inf) = ±3 pi/4. Odd in y.
#[inline(always)]
pub fn atan2<L: WideLanes>(y: F32<L>, x: F32<L>) -> F32<L> {
    let (a, b) = (y.abs(), x.abs());
    let steep = a.gt(b);
    let (long, short) = (a.greatest(b).bits(), a.least(b).bits());
    // The longer between 2^-44 and 2^96, and the shorter 0 or at least about 2^-36 of it: nothing below is a subnormal number.
    let near = (long - short).lt(long.splat(36 << 23)) | short.eq(long.splat(0));
    let usual = near & (long + long.splat(LONG_FIRST)).lt(long.splat(LONG_LAST));
    let rare = (!usual).any();
    // base + atan(t): atan(y/x) near the axis of x, and pi/2 - atan(x/y) near the axis of y.
    let (mut n, mut d) = (steep.select(-x, a), steep.select(a, x));
    if rare {
        (n, d) = (usual.select(n, 1.0), usual.select(d, 1.0));
    }
    let base = steep.select(HALF_PI, x.bits().lt(long.splat(0)).select(2.0 * HALF_PI, 0.0));
    let t = n / d;
    // What the quotient lacks, times the slope of atan: of its divisor, 1/8 off is enough.
    let remainder = t.neg_mul_add(d, n);
    let inverse = (long.splat(INVERSE) - t.mul_add(n, d).bits()).float();
    // The first coefficient's product and sum keep what their rounding loses; the others are small.
    let [first, tail @ ..] = ATAN_WIDE;
    let sum = t.mul_add(first, base);
    let lost = t.mul_add(first, base - sum);
    let rest = remainder.mul_add(inverse, base.mul_add(PI_LACKS, lost));
    let v = t.mul_sub(t, MIDDLE);
    let r = (sum + (t * v).mul_add(arc(v, tail), rest)).copysign(y);
    if !rare {
        return r;
    }
    let ([ya, yb], [xa, xb]) = (y.widen(), x.widen());
    usual.select(r, F32::narrow([angle(ya, xa), angle(yb, xb)]))
}

/// A polynomial whose small terms are taken in pairs, a shorter chain than Horner's, and whose large ones are rounded once each.
#[inline(always)]
fn arc<L: WideLanes>(v: F32<L>, [c0, c1, c2, c3, c4, c5, c6, c7, c8]: [f32; 9]) -> F32<L> {
    let square = v * v;
    let high = square.mul_add(c8, horner(v, &[c6, c7]));
    let small = square.mul_add(square.mul_add(high, horner(v, &[c4, c5])), horner(v, &[c2, c3]));
    v.mul_add(v.mul_add(small, c1), c0)
}

/// atan2 in `f64` lanes, to the accuracy of an f32.
#[inline(always)]
fn angle<L: WideLanes>(y: F64<L>, x: F64<L>) -> F64<L> {
    let (infinity, zero) = (x.splat(INFINITY), x.splat(ZERO));
    let (a, b) = (infinity.least(y.abs()), infinity.least(x.abs()));
    let sign = x.bits() & x.splat(-0.0).bits();
    let steep = a.gt(b);
    let t = steep.select(-b, a).xor_sign(sign) / zero.greatest(steep.select(a, b));
    let base = steep.select(0.5 * PI, x.bits().lt(sign.splat(0)).select(PI, 0.0));
    t.mul_add(horner(t.mul_sub(t, f64::from(MIDDLE)), &ATAN_IN_F64), base).copysign(y)
}
