//! sin, cos, tan of `f32`.
//!
//! sin and cos happen in `f64` lanes and are rounded to `f32` at the end: an `f32` near a multiple of pi loses up to 33 bits when that
//! multiple is taken off, which `f64` lanes afford without a second word. tan divides, which `f64` lanes are slow at: from 2^-40 to 2^12
//! it happens in `f32` lanes with a second word, and elsewhere as sin and cos do, a branch that only vectors with such a lane take, for that lane.
//!
//! 1. Below 2^26, `x = n pi/k + r` by two fused multiply-adds (Cody and Waite 1980): the first rounds once, since `n pi` has its 53
//!    bits and the product is exact inside; the second adds what pi lacks. In `f32` lanes pi has three parts: the first difference is
//!    exact, and what the second rounds away is kept.
//! 2. From 2^26 on, `x / pi` modulo 2 (Payne and Hanek 1983): a row of a table holds those bits of 1/pi that matter for 8 exponents,
//!    in 29 + 29 + 53 bits, so that two of the three products are exact. This is a branch that only vectors with such a lane take.
//! 3. sin: a minimax polynomial on `|r| <= pi/2`, relative error 2^-27.3; cos is the sine of a shifted argument. tan on `|r| <= pi/4`, or
//!    its reciprocal: in `f64` lanes a rational function, in `f32` lanes a polynomial, to which the rounding errors of `r` and `r^2` are added.
//!
//! Measured over all 2^32 inputs: sin and cos at most 0.6013 ULP, tan 0.9760.
//! tools/coefficients/single_trigonometric.py prints the tables.

use eltwise_simd::WideLanes;

use crate::single::exponential::ROUND as ROUND_SINGLE;
use crate::vector::horner;
use crate::{Bits, F32, F64};

/// `(sin(r)/r - 1) / r^2` of `r^2`. Error 2^-27.30 of sin(r).
const SINE: [f64; 4] = [
    f64::from_bits(0xbfc5_5554_bc83_4402), // -0.16666659550404012
    f64::from_bits(0x3f81_10ed_37fe_ebc8), // 0.00833306624541831
    f64::from_bits(0xbf29_f6ff_ed5e_4063), // -0.0001980960284382354
    f64::from_bits(0x3ec5_dbde_f8c6_4943), // 2.60578048578392e-06
];
/// tan r = r (1 + N u) / D(u), u = r^2. Error 2^-26.07 of tan.
const TANGENT_NUMERATOR: f64 = f64::from_bits(0xbfb8_8677_0431_b516); // -0.09580177166363443
/// D from the constant on.
const TANGENT_DENOMINATOR: [f64; 3] = [
    f64::from_bits(0x3ff0_0000_03cd_5a35), // 1.0000000141641412
    f64::from_bits(0xbfdb_76f5_ecb9_ce01), // -0.42913578145746106
    f64::from_bits(0x3f83_e66e_93ba_dab0), // 0.009716857798918482
];
/// tan r = r + r^3 p(r^2). Error 2^-29.55.
const TANGENT_TAIL: [f32; 7] = [
    f32::from_bits(0x3eaa_aab0), // 0.33333349227905273
    f32::from_bits(0x3e08_86cf), // 0.13332675397396088
    f32::from_bits(0x3d5d_6ce2), // 0.05405891686677933
    f32::from_bits(0x3cae_6053), // 0.021286165341734886
    f32::from_bits(0x3c31_6651), // 0.010827616788446903
    f32::from_bits(0x38cd_6ad3), // 9.79505930445157e-05
    f32::from_bits(0x3b8f_4a5c), // 0.00437287800014019
];
/// pi/2 in three parts, the second a multiple of 2^-36: its products with n below 2^12 are exact.
const HALF_PI: [f32; 3] = [
    f32::from_bits(0x3fc9_0fdb), // 1.5707963705062866
    f32::from_bits(0xb33b_c000), // -4.371395334601402e-08
    f32::from_bits(0x2c34_611a), // 2.5633440682570896e-12
];
/// The bits of 2^-40 and 2^12: between those, three parts of pi/2 are enough.
const TANGENT_LEAST: i32 = (127 - 40) << 23;
const TANGENT_MOST: i32 = (127 + 12) << 23;
/// 1/pi without the bits that are worth 2^(1 - 8k) and more, in row k: the first 29 bits.
const INVERSE_PI_HIGH: [f64; 16] = [
    0.31830988451838493,
    0.0058098861773032695,
    1.1546340033419256e-05,
    1.0224824364968299e-07,
    2.6842187587222677e-10,
    1.0304338186482766e-12,
    1.4685477398157775e-16,
    8.076898901962902e-18,
    5.3802863940363855e-20,
    1.6271902522892565e-23,
    1.3826520177095236e-24,
    6.171781631153255e-27,
    1.2355694378301007e-29,
    2.9742735324723736e-32,
    8.341433828509763e-35,
    6.595360432605233e-37,
];
/// The 29 bits after those.
const INVERSE_PI_MIDDLE: [f64; 16] = [
    1.6654057369280828e-09,
    6.4874020055689235e-12,
    7.25228211834769e-15,
    1.468547768767099e-16,
    2.706432972257744e-19,
    2.9808872123909174e-21,
    3.037013239734091e-24,
    3.8483524236783526e-26,
    1.1332988996447187e-28,
    5.227807999858302e-31,
    2.009344280519939e-33,
    1.1191965415417832e-35,
    1.259208639246515e-39,
    1.571827376940446e-40,
    5.794356641444275e-44,
    1.8916281912063902e-45,
];
/// What follows, rounded.
const INVERSE_PI_LOW: [f64; 16] = [
    1.138005036539198e-18,
    2.6697809741556135e-20,
    1.6271903045673365e-23,
    1.4188110088932633e-25,
    1.3250202406673238e-27,
    6.044807137792122e-30,
    5.090832193749855e-33,
    8.34143383430412e-35,
    2.8337785288901946e-37,
    1.2592086916704748e-39,
    2.2103380079700596e-42,
    1.310201590874657e-44,
    5.24239597217115e-47,
    8.053563926594112e-50,
    3.526979631752487e-52,
    2.94164369052781e-54,
];
const PI: f64 = core::f64::consts::PI;
const PI_LOW: f64 = 1.2246467991473532e-16;
const INVERSE_PI: f64 = core::f64::consts::FRAC_1_PI;
/// Added to a number it makes the nearest integer the lower bits of the sum.
const ROUND: f64 = 6755399441055744.0;
/// The same for multiples of 2^-20.
const ROUND_FINE: f64 = 6442450944.0;
/// From here on two words of pi are not enough.
const HUGE: f32 = 67108864.0;

/// An argument reduced: what is left, and in the sign bit whether the function changes its sign.
type Reduced<L> = (F64<L>, Bits<f64, L>);

/// `x = (n + s + l) pi`, n even or odd (its lowest bit): for 2^26 <= |x|, with |s| <= 1/2 and l small beside any multiple of 1/2 that
/// s is near.
#[inline(always)]
fn turns<L: WideLanes>(x: F64<L>) -> (F64<L>, F64<L>, Bits<f64, L>) {
    let bits = x.abs().bits();
    let row = ((bits >> 52) - bits.splat(1046)) >> 3;
    let p = x * F64::lookup(&INVERSE_PI_HIGH, row);
    let q = x * F64::lookup(&INVERSE_PI_MIDDLE, row);
    let n = p + ROUND;
    let f = p - (n - ROUND);
    // The sum of two: s + t is f + q exactly.
    let s = f + q;
    let back = s - f;
    let t = (f - (s - back)) + (q - back);
    let m = s + ROUND;
    let s = s - (m - ROUND);
    let l = x.mul_add(F64::lookup(&INVERSE_PI_LOW, row), t);
    (s, l, n.bits() + m.bits())
}

#[inline(always)]
fn sine_argument<L: WideLanes>(x: F64<L>) -> Reduced<L> {
    let t = x.mul_add(INVERSE_PI, ROUND);
    let n = t - ROUND;
    let r = n.neg_mul_add(PI, x);
    (n.neg_mul_add(PI_LOW, r), t.bits() << 63)
}

#[inline(always)]
fn huge_sine_argument<L: WideLanes>(x: F64<L>, (r, sign): Reduced<L>) -> Reduced<L> {
    let huge = x.abs().ge(HUGE as f64);
    let (s, l, n) = turns(x);
    (huge.select((s + l) * PI, r), huge.select_bits(n << 63, sign))
}

/// cos x = sin((n + 1/2) pi - x) for n even, and its negative for n odd.
#[inline(always)]
fn cosine_argument<L: WideLanes>(x: F64<L>) -> Reduced<L> {
    // The integer below, all but where x / pi is within 2^-21 of one: the lowest 20 bits are behind the point.
    let t = (x.mul_add(INVERSE_PI, ROUND_FINE).bits() & x.int(-1 << 20)).float();
    let n = t - (ROUND_FINE - 0.5);
    let r = n.mul_sub(PI, x);
    (n.mul_add(PI_LOW, r), t.bits() << 43)
}

#[inline(always)]
fn huge_cosine_argument<L: WideLanes>(x: F64<L>, (r, sign): Reduced<L>) -> Reduced<L> {
    let huge = x.abs().ge(HUGE as f64);
    let (s, l, n) = turns(x);
    let left = (s.splat(0.5) - s.abs()) - l.xor_sign(s.bits() & s.splat(-0.0).bits());
    (huge.select(left * PI, r), huge.select_bits(n << 63, sign))
}

/// sin r for |r| <= pi/2, or its negative.
#[inline(always)]
fn sine<L: WideLanes>((r, sign): Reduced<L>) -> F64<L> {
    let u = r * r;
    r.xor_sign(sign) * horner(u, &SINE).mul_add(u, 1.0)
}

/// sin x, radians. At most 0.6013 ULP (all 2^32 inputs), for any size of x.
///
/// sin(±0) = ±0, sin(±inf) = NaN. Odd; |sin x| <= 1.
#[inline(always)]
pub fn sin<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [a, b] = x.widen();
    let (mut ra, mut rb) = (sine_argument(a), sine_argument(b));
    if x.abs().ge(HUGE).any() {
        (ra, rb) = (huge_sine_argument(a, ra), huge_sine_argument(b, rb));
    }
    F32::narrow([sine(ra), sine(rb)])
}

/// cos x, radians. At most 0.6013 ULP (all 2^32 inputs), for any size of x.
///
/// cos(±0) = 1, cos(±inf) = NaN. Even; |cos x| <= 1.
#[inline(always)]
pub fn cos<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [a, b] = x.widen();
    let (mut ra, mut rb) = (cosine_argument(a), cosine_argument(b));
    if x.abs().ge(HUGE).any() {
        (ra, rb) = (huge_cosine_argument(a, ra), huge_cosine_argument(b, rb));
    }
    F32::narrow([sine(ra), sine(rb)])
}

/// The argument of tan reduced: its square as well, from what is left before the rest of pi is taken off, which is near enough and
/// ready sooner.
#[inline(always)]
fn tangent_argument<L: WideLanes>(x: F64<L>) -> (Reduced<L>, F64<L>) {
    let t = x.mul_add(2.0 * INVERSE_PI, ROUND);
    let n = t - ROUND;
    let r = n.neg_mul_add(0.5 * PI, x);
    ((n.neg_mul_add(0.5 * PI_LOW, r), t.bits() << 63), r * r)
}

#[inline(always)]
fn huge_tangent_argument<L: WideLanes>(x: F64<L>, ((r, odd), u): (Reduced<L>, F64<L>)) -> (Reduced<L>, F64<L>) {
    let huge = x.abs().ge(HUGE as f64);
    let (s, l, _) = turns(x);
    let n = (s + s) + ROUND;
    let left = (((s + s) - (n - ROUND)) + (l + l)) * (0.5 * PI);
    ((huge.select(left, r), huge.select_bits(n.bits() << 63, odd)), huge.select(left * left, u))
}

/// tan r for |r| <= pi/4, or -1/tan r; u = r^2.
#[inline(always)]
fn tangent<L: WideLanes>(((r, odd), u): (Reduced<L>, F64<L>)) -> F64<L> {
    let r = r.xor_sign(odd);
    let n = r * u.mul_add(TANGENT_NUMERATOR, 1.0);
    let d = horner(u, &TANGENT_DENOMINATOR);
    let swap = odd.lt(odd.splat(0));
    swap.select(d, n) / swap.select(n, d)
}

/// tan x, radians. At most 0.9760 ULP (all 2^32 inputs), for any size of x.
///
/// tan(±0) = ±0, tan(±inf) = NaN. Odd.
#[inline(always)]
pub fn tan<L: WideLanes>(x: F32<L>) -> F32<L> {
    // From 2^-40 to 2^12: one signed comparison of bits less those of 2^-40 and plus 2^31.
    let bits = x.abs().bits();
    let usual = (bits + bits.splat(i32::MIN.wrapping_sub(TANGENT_LEAST)))
        .lt(bits.splat((TANGENT_MOST - TANGENT_LEAST).wrapping_add(i32::MIN)));
    let tangent = tan_usual(usual.select(x, x.splat(1.0)));
    if (!usual).any() { usual.select(tangent, tan_wide(x)) } else { tangent }
}

/// [`tan`] in `f32` lanes, from 2^-40 to 2^12.
#[inline(always)]
fn tan_usual<L: WideLanes>(x: F32<L>) -> F32<L> {
    // x = n pi/2 + r + low: the first difference is exact, and the second where it is small.
    let t = x.mul_add(core::f32::consts::FRAC_2_PI, ROUND_SINGLE);
    let n = t - ROUND_SINGLE;
    let first = n.neg_mul_add(HALF_PI[0], x);
    let r = n.neg_mul_add(HALF_PI[1], first);
    let low = n.neg_mul_add(HALF_PI[2], n.neg_mul_add(HALF_PI[1], first - r));
    let u = r * r;
    // tan r = r + r v; the rounding error of u counts, half of it in v.
    let [a, b, c, d, e, f, g] = TANGENT_TAIL;
    let half = r.mul_sub(r, u) * 0.5;
    let square = u * u;
    // In pairs: a shorter chain than Horner's.
    let rest = square.mul_add(square.mul_add(u.mul_add(g, f), u.mul_add(e, d)), u.mul_add(c, b));
    let v = u.mul_add(a, square.mul_add(rest, half));
    // And the derivative for low: 1 + tan^2 r, or nearly so.
    let inner = r.mul_add(v, low.mul_add(u * 1.4, low));
    let tangent = r + inner;
    // The same divided into -1, with a step of Newton's.
    let inverse = x.splat(-1.0) / tangent;
    let inverse = inverse.mul_add(inner.mul_add(inverse, r.mul_add(inverse, 1.0)), inverse);
    (t.bits() << 31).lt(x.int(0)).select(inverse, tangent)
}

/// [`tan`] in `f64` lanes.
#[inline(always)]
fn tan_wide<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [a, b] = x.widen();
    let (mut ra, mut rb) = (tangent_argument(a), tangent_argument(b));
    if x.abs().ge(HUGE).any() {
        (ra, rb) = (huge_tangent_argument(a, ra), huge_tangent_argument(b, rb));
    }
    F32::narrow([tangent(ra), tangent(rb)])
}
