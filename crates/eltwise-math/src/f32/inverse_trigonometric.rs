//! asin, acos, atan, atan2 of `f32`.
//!
//! atan, in `f32` lanes:
//!
//! 1. Reduction: x up to 0.5463; `pi/4 + atan((x - 1) / (x + 1))` up to 1.8305; `pi/2 - atan(1/x)` above.
//! 2. Polynomial: odd minimax of degree 11 for |x| <= 0.547.
//! 3. Reconstruction: the sum carries the low part of pi and its own rounding error (Dekker 1971).
//!
//! asin, acos, in `f32` lanes:
//!
//! 1. Reduction: x up to 1/2; `asin(x) = pi/2 - 2 asin(s)` with `s = sqrt((1 - x)/2)` above.
//! 2. The rounding error of the square root, `(z - s^2) / 2s` for `z = (1 - x)/2`: a reciprocal of 3 bits suffices.
//! 3. Polynomial: odd minimax of degree 11 for |x| <= 1/2; reconstruction as for atan.
//!
//! atan2:
//!
//! 1. The quotient t of the smaller by the larger operand, and its remainder (Dekker 1971).
//! 2. Polynomial: `atan(t) / t` in `t^2 - MIDDLE`, with MIDDLE near the middle of [0, 1], so that all coefficients
//!    except the first are small. The product with the first is carried in two parts.
//! 3. Very small, very large and very different operands are computed in `f64` lanes, where the quotient neither
//!    overflows nor underflows.
//!
//! Largest errors over all 2^32 inputs: atan 0.9637 ULP, asin 0.7238, acos 0.6978; atan2 0.8520 over 2^30 pairs.
//! Tables: `tools/coefficients/f32_inverse.py`.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use crate::polynomial::horner;
use crate::vector::{F32, F64};

/// `(atan(x)/x - 1) / x^2` of `x^2`, for |x| <= 0.547. Error 2^-26.09.
const ATAN: [f32; 5] = [
    f32::from_bits(0xbeaa_aa62), // -0.3333311676979065
    f32::from_bits(0x3e4c_b0f3), // 0.1998937577009201
    f32::from_bits(0xbe10_870f), // -0.14114020764827728
    f32::from_bits(0x3dc9_f9a0), // 0.09862065315246582
    f32::from_bits(0xbd3d_e44b), // -0.04636029526591301
];

/// A `u` near 0.39 for which `atan(sqrt(u)) / sqrt(u)` is almost exactly an `f32`.
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

/// The `f32` nearest to pi/2.
const HALF_PI: f32 = core::f32::consts::FRAC_PI_2;

/// pi/2 minus [`HALF_PI`].
const HALF_PI_LOW: f32 = -4.371139e-8;

/// The relative error of the `f32` nearest to pi or pi/2.
const PI_ERROR: f32 = -2.7827534e-8;

/// The integer from which the bits of s are subtracted for the bits of 1/s, to within 1/8.
const RECIPROCAL_SEED: i32 = 0x7ef3_11c7;

/// Maps the bits of 2^-44 to the smallest `i32` by wrapping addition.
const LONG_FIRST: i32 = i32::MIN.wrapping_sub((127 - 44) << 23);

/// The bits of 2^96, mapped by adding [`LONG_FIRST`].
const LONG_LAST: i32 = i32::MIN + ((44 + 96) << 23);

const PI: f64 = core::f64::consts::PI;

/// Replaces infinity: the quotient of two is 1, and the quotient of any `f32` by it is below the smallest `f32`.
const HUGE: f64 = 1.0e300;

/// Replaces a divisor of 0, so that 0 / 0 becomes 0.
const TINY_DIVISOR: f64 = 1.0e-300;

/// atan x, radians. At most 0.9637 ULP (all 2^32 inputs).
///
/// atan(±0) = ±0, atan(±inf) = ±pi/2. Odd.
#[inline(always)]
pub fn atan<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Below 2^-20 the result is x (products would be subnormal), from 2^26 on pi/2.
    let size = x.abs();
    let a = x.splat(two_to(40)).least(x.splat(TINY).greatest(size));
    // The arc tangent of a; pi/4 plus that of (a - 1)/(a + 1); or pi/2 plus that of -1/a. A base is above 1/2 and hides
    // the rounding error of the quotient.
    let (above_half, steep) = (a.ge(0.5463025), a.gt(1.8305));
    let n = steep.select(-1.0, above_half.select(a - 1.0, a));
    let d = steep.select(a, above_half.select(a + 1.0, 1.0));
    let base = steep.select(HALF_PI, above_half.select(0.5 * HALF_PI, 0.0));
    let t = n / d;
    let u = t * t;
    let sum = base + t;
    let lost = (base - sum) + t;
    let rest = (t * u).mul_add(horner(u, &ATAN), base.mul_add(PI_ERROR, lost));
    size.lt(TINY).select(x, (sum + rest).copysign(x))
}

/// `z = (1 - a)/2`, its rounded square root s, and `2 (sqrt(z) - s)`.
#[inline(always)]
fn root<L: WideLanes>(a: F32<L>) -> (F32<L>, F32<L>, F32<L>) {
    let z = a.neg_mul_add(0.5, a.splat(0.5));
    let s = z.sqrt();
    // 1/s to within 1/8: the bits of a float approximate its logarithm.
    let inverse = (s.bits().splat(RECIPROCAL_SEED) - s.bits()).float();
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
    let (z, s, root_error) = root(a);
    let u = over.select(z, a * a);
    let p = horner(u, &ASIN) * u;
    let small = a.mul_add(p, a);
    let twice = s + s;
    let high = a.splat(HALF_PI) - twice;
    let low = (a.splat(HALF_PI) - high) - twice;
    let large = high + ((low + HALF_PI_LOW) - twice.mul_add(p, root_error));
    let asin = over.select(large, small).copysign(x);
    if tiny.any() { tiny.select(x, asin) } else { asin }
}

/// acos x, radians. At most 0.6978 ULP (all 2^32 inputs).
///
/// acos(1) = +0, NaN for |x| > 1.
#[inline(always)]
pub fn acos<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Adding 2^-36 changes no result by more than 1/1000 ULP, and keeps products from being subnormal.
    let x = x + two_to(-36);
    let a = x.abs();
    let over = a.gt(0.5);
    let (z, s, root_error) = root(a);
    let u = over.select(z, a * a);
    let p = horner(u, &ASIN) * u;
    // base + y (1 + p) is pi/2 - x (1 + p), 2s (1 + p), or pi - 2s (1 + p).
    let y = over.select((s + s).copysign(x), -x);
    let base = over.select(x.lt(0.0).select(2.0 * HALF_PI, 0.0), HALF_PI);
    let low = over.select(root_error.xor_sign(x.bits() & a.splat(-0.0).bits()), 0.0);
    let sum = base + y;
    let lost = (base - sum) + y;
    sum + y.mul_add(p, base.mul_add(PI_ERROR, lost) + low)
}

/// atan2(y, x), radians: the angle of the point (x, y). At most 0.8520 ULP (2^30 random and structured pairs).
///
/// atan2(±0, x) = ±0 for x > 0 or x = +0, ±pi for x < 0 or x = -0; atan2(y, ±0) = ±pi/2 with the sign of y; atan2(±y,
/// +inf) = ±0, atan2(±y, -inf) = ±pi, atan2(±inf, x) = ±pi/2; atan2(±inf, +inf) = ±pi/4, atan2(±inf, -inf) = ±3 pi/4.
/// Odd in y.
#[inline(always)]
pub fn atan2<L: WideLanes>(y: F32<L>, x: F32<L>) -> F32<L> {
    let (a, b) = (y.abs(), x.abs());
    let steep = a.gt(b);
    let (long, short) = (a.greatest(b).bits(), a.least(b).bits());
    // Usual: the longer is in [2^-44, 2^96), and the shorter is 0 or at least about 2^-36 of it. Nothing below is
    // subnormal then.
    let near = (long - short).lt(long.splat(36 << 23)) | short.eq(long.splat(0));
    let usual = near & (long + long.splat(LONG_FIRST)).lt(long.splat(LONG_LAST));
    let rare = (!usual).any();
    // base + atan(t): atan(y/x) near the x axis, pi/2 - atan(x/y) near the y axis.
    let (mut n, mut d) = (steep.select(-x, a), steep.select(a, x));
    if rare {
        (n, d) = (usual.select(n, 1.0), usual.select(d, 1.0));
    }
    let base = steep.select(HALF_PI, x.bits().lt(long.splat(0)).select(2.0 * HALF_PI, 0.0));
    let t = n / d;
    // The error of the quotient times the slope of atan. A reciprocal to within 1/8 suffices.
    let remainder = t.neg_mul_add(d, n);
    let inverse = (long.splat(RECIPROCAL_SEED) - t.mul_add(n, d).bits()).float();
    // The product with the first coefficient and its sum keep their rounding errors; the other terms are small.
    let [first, tail @ ..] = ATAN_WIDE;
    let sum = t.mul_add(first, base);
    let lost = t.mul_add(first, base - sum);
    let rest = remainder.mul_add(inverse, base.mul_add(PI_ERROR, lost));
    let v = t.mul_sub(t, MIDDLE);
    let r = (sum + (t * v).mul_add(arc(v, tail), rest)).copysign(y);
    if !rare {
        return r;
    }
    let ([ya, yb], [xa, xb]) = (y.widen(), x.widen());
    usual.select(r, F32::narrow([angle(ya, xa), angle(yb, xb)]))
}

/// A polynomial of degree 8: the small terms in pairs, a shorter dependency chain than Horner's rule; the two large
/// ones last.
#[inline(always)]
fn arc<L: WideLanes>(v: F32<L>, [c0, c1, c2, c3, c4, c5, c6, c7, c8]: [f32; 9]) -> F32<L> {
    let square = v * v;
    let high = square.mul_add(c8, horner(v, &[c6, c7]));
    let small = square.mul_add(square.mul_add(high, horner(v, &[c4, c5])), horner(v, &[c2, c3]));
    v.mul_add(v.mul_add(small, c1), c0)
}

/// atan2 in `f64` lanes, to the precision of `f32`.
#[inline(always)]
fn angle<L: WideLanes>(y: F64<L>, x: F64<L>) -> F64<L> {
    let (infinity, zero) = (x.splat(HUGE), x.splat(TINY_DIVISOR));
    let (a, b) = (infinity.least(y.abs()), infinity.least(x.abs()));
    let sign = x.bits() & x.splat(-0.0).bits();
    let steep = a.gt(b);
    let t = steep.select(-b, a).xor_sign(sign) / zero.greatest(steep.select(a, b));
    let base = steep.select(0.5 * PI, x.bits().lt(sign.splat(0)).select(PI, 0.0));
    t.mul_add(horner(t.mul_sub(t, f64::from(MIDDLE)), &ATAN_IN_F64), base).copysign(y)
}
