//! sin, cos, tan of `f32`, for arguments of any size.
//!
//! 1. Reduction below 2^12, in `f32` lanes: `x = n pi/k + r` by fused multiply-adds with pi in three parts (Cody and
//!    Waite 1980). The first difference is exact; the rounding error of the second is kept in a second word.
//! 2. Reduction from 2^12 on, in `f64` lanes: `x / pi` modulo 2 (Payne and Hanek 1983, "Radian reduction for
//!    trigonometric functions"). A table row has the bits of 1/pi that matter for 8 exponents, as 29 + 24 + 53 bits, so
//!    that two of the three products are exact, and so is the sum of their fractions.
//! 3. sin and cos in `f32` lanes: sine and cosine of 16 angles from tables (Tang 1991), short minimax polynomials for
//!    `|r| <= pi/16`, and the rounding error of the sum of the two leading terms. cos is the sine of the angle 4
//!    entries further. In `f64` lanes: a minimax polynomial for `|r| <= pi/2`, error 2^-27.3; cos is the sine of a
//!    shifted argument.
//! 4. tan for `|r| <= pi/4`, or its reciprocal: in `f32` lanes a minimax polynomial of degree 15 plus the rounding
//!    errors of `r` and `r^2`, in `f64` lanes a rational function.
//! 5. Below 2^-40 the result is x or 1. Lanes below 2^-40 or from 2^12 on take rare branches.
//!
//! Largest errors over all 2^32 inputs: sin 0.8394 ULP, cos 0.8403, tan 0.9760; from 2^12 on, sin and cos 0.6013.
//! Tables: `tools/coefficients/f32_trigonometric.py`.

use eltwise_simd::WideLanes;

use super::constants::ROUND as ROUND_F32;
use crate::f64::tables::Tables;
use crate::polynomial::horner;
use crate::vector::{Bits, F32, F64};

/// `(sin(r)/r - 1) / r^2` of `r^2`. Error 2^-27.30 of sin(r).
const SINE: [f64; 4] = [
    f64::from_bits(0xbfc5_5554_bc83_4402), // -0.16666659550404012
    f64::from_bits(0x3f81_10ed_37fe_ebc8), // 0.00833306624541831
    f64::from_bits(0xbf29_f6ff_ed5e_4063), // -0.0001980960284382354
    f64::from_bits(0x3ec5_dbde_f8c6_4943), // 2.60578048578392e-06
];

/// tan r = r (1 + N u) / D(u), u = r^2. Error 2^-26.07 of tan.
const TANGENT_NUMERATOR: f64 = f64::from_bits(0xbfb8_8677_0431_b516); // -0.09580177166363443
/// D(u), the constant first.
const TANGENT_DENOMINATOR: [f64; 3] = [
    f64::from_bits(0x3ff0_0000_03cd_5a35), // 1.0000000141641412
    f64::from_bits(0xbfdb_76f5_ecb9_ce01), // -0.42913578145746106
    f64::from_bits(0x3f83_e66e_93ba_dab0), // 0.009716857798918482
];

/// sin(k pi / 8)
const SINES: [f32; 16] = [
    0.0,
    f32::from_bits(0x3ec3_ef15), // 0.3826834261417389
    f32::from_bits(0x3f35_04f3), // 0.7071067690849304
    f32::from_bits(0x3f6c_835e), // 0.9238795042037964
    f32::from_bits(0x3f80_0000), // 1.0
    f32::from_bits(0x3f6c_835e), // 0.9238795042037964
    f32::from_bits(0x3f35_04f3), // 0.7071067690849304
    f32::from_bits(0x3ec3_ef15), // 0.3826834261417389
    0.0,
    f32::from_bits(0xbec3_ef15), // -0.3826834261417389
    f32::from_bits(0xbf35_04f3), // -0.7071067690849304
    f32::from_bits(0xbf6c_835e), // -0.9238795042037964
    f32::from_bits(0xbf80_0000), // -1.0
    f32::from_bits(0xbf6c_835e), // -0.9238795042037964
    f32::from_bits(0xbf35_04f3), // -0.7071067690849304
    f32::from_bits(0xbec3_ef15), // -0.3826834261417389
];

/// sin(k pi / 8) minus [`SINES`].
const SINES_LOW: [f32; 16] = [
    0.0,
    f32::from_bits(0x31d5_d52c), // 6.2233507236442165e-09
    f32::from_bits(0x324f_e77a), // 1.2101617485882343e-08
    f32::from_bits(0x32f3_28d4), // 2.830748968563057e-08
    0.0,
    f32::from_bits(0x32f3_28d4), // 2.830748968563057e-08
    f32::from_bits(0x324f_e77a), // 1.2101617485882343e-08
    f32::from_bits(0x31d5_d52c), // 6.2233507236442165e-09
    0.0,
    f32::from_bits(0xb1d5_d52c), // -6.2233507236442165e-09
    f32::from_bits(0xb24f_e77a), // -1.2101617485882343e-08
    f32::from_bits(0xb2f3_28d4), // -2.830748968563057e-08
    0.0,
    f32::from_bits(0xb2f3_28d4), // -2.830748968563057e-08
    f32::from_bits(0xb24f_e77a), // -1.2101617485882343e-08
    f32::from_bits(0xb1d5_d52c), // -6.2233507236442165e-09
];

/// cos(k pi / 8)
const COSINES: [f32; 16] = [
    f32::from_bits(0x3f80_0000), // 1.0
    f32::from_bits(0x3f6c_835e), // 0.9238795042037964
    f32::from_bits(0x3f35_04f3), // 0.7071067690849304
    f32::from_bits(0x3ec3_ef15), // 0.3826834261417389
    0.0,
    f32::from_bits(0xbec3_ef15), // -0.3826834261417389
    f32::from_bits(0xbf35_04f3), // -0.7071067690849304
    f32::from_bits(0xbf6c_835e), // -0.9238795042037964
    f32::from_bits(0xbf80_0000), // -1.0
    f32::from_bits(0xbf6c_835e), // -0.9238795042037964
    f32::from_bits(0xbf35_04f3), // -0.7071067690849304
    f32::from_bits(0xbec3_ef15), // -0.3826834261417389
    0.0,
    f32::from_bits(0x3ec3_ef15), // 0.3826834261417389
    f32::from_bits(0x3f35_04f3), // 0.7071067690849304
    f32::from_bits(0x3f6c_835e), // 0.9238795042037964
];

/// `(sin(r) / r - 1) / r^2` of `r^2` for `|r| <= pi/16`. Error 2^-31.05 of sin(r).
const SINE_SHORT: [f32; 2] = [
    f32::from_bits(0xbe2a_aaa2), // -0.16666653752326965
    f32::from_bits(0x3c08_5b81), // 0.008322597481310368
];

/// `(cos(r) - 1) / r^2` of `r^2` for `|r| <= pi/16`. Error 2^-28.27.
const COSINE_SHORT: [f32; 2] = [
    f32::from_bits(0xbeff_ffe2), // -0.49999910593032837
    f32::from_bits(0x3d2a_5c4d), // 0.04159193113446236
];

/// Added to sin(r) / r: about half of the relative error of the float cos(pi/8).
const COSINE_BIAS: f32 = 1.6e-8;

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

/// The bits of 2^-40 and 2^12. Between them, three parts of pi/2 suffice.
const LEAST: i32 = (127 - 40) << 23;

const MOST: i32 = (127 + 12) << 23;

/// Row k: 1/pi without the bits of weight 2^(23 - 8k) and more, which add only multiples of 2 to the product. The first
/// 29 bits, the next 24, and the remainder, rounded.
static INVERSE_PI: Tables<3> = Tables::new([
    [
        0.3125,
        0.31829833984375,
        0.3183097839355469,
        0.3183098854497075,
        0.0019036361809412483,
        3.916945502169256e-06,
        1.2841276597619355e-08,
        3.559123243519757e-11,
        1.2093911941644725e-13,
        1.4685477398157775e-16,
        1.138005023905068e-18,
        2.669780972920044e-20,
        1.6271902917323017e-23,
        1.41881100420726e-25,
        1.325020238503155e-27,
        6.044807136532913e-30,
    ],
    [
        0.005809885449707508,
        1.1546337191248313e-05,
        1.0224823654425563e-07,
        7.340831276181348e-10,
        2.8494231713721563e-12,
        7.252281694831216e-15,
        3.5832471519062095e-17,
        5.3802851419563567e-20,
        4.397883643171292e-22,
        3.0370131164745746e-24,
        1.2634129709315422e-26,
        1.2355692215391402e-29,
        1.2835034737532426e-31,
        4.686003077909948e-34,
        2.1641687562611127e-36,
        1.259208201340745e-39,
    ],
    [
        7.340831634506093e-10,
        2.8494232251750202e-12,
        7.252282134619593e-15,
        3.583247455607534e-17,
        5.3802864053693746e-20,
        4.397883766728235e-22,
        3.037013244824923e-24,
        1.263413017791575e-26,
        1.2355694379560215e-29,
        1.2835034863453294e-31,
        4.686003272204884e-34,
        2.1641688142046795e-36,
        1.2592086916704748e-39,
        1.9429493537593412e-41,
        5.794356676714072e-44,
        4.903297298232168e-46,
    ],
]);

const PI: f64 = core::f64::consts::PI;

/// 1.5 * 2^52: after adding it to a number, the nearest integer is in the lowest bits.
const ROUND: f64 = 6755399441055744.0;

/// A reduced argument: the count of fractions of pi in the lowest bits, and the remainder as a sum of two floats.
type ReducedArgument<L> = (Bits<f32, L>, F32<L>, F32<L>);

/// `(s, l, n)` with `x = (n + s + l) pi` modulo 2 pi, for 2^9 <= |x| < 2^128; the parity of n is its lowest bit, |s| <=
/// 1/2, and l is small relative to the distance of s from the nearest multiple of 1/2.
#[inline(always)]
fn reduce_payne_hanek<L: WideLanes>(x: F64<L>) -> (F64<L>, F64<L>, Bits<f64, L>) {
    // One row for 8 exponents. The first two products are exact multiples of 2^-52.
    let [high, middle, low] = INVERSE_PI.lookup(x.bits() >> 55);
    let p = x * high;
    let n = p + ROUND;
    let f = p - (n - ROUND);
    let q = x * middle;
    let m = (f + q) + ROUND;
    let s = (q - (m - ROUND)) + f;
    (s, x * low, n.bits() + m.bits())
}

/// sin r for |r| <= pi/2, negated where `sign` has its sign bit set.
#[inline(always)]
fn sine<L: WideLanes>(r: F64<L>, sign: Bits<f64, L>) -> F64<L> {
    let u = r * r;
    r.xor_sign(sign) * horner(u, &SINE).mul_add(u, 1.0)
}

/// The sine of `n pi/8 + r + low`, for n given by its lowest bits and |r| <= pi/16.
///
/// sin(a + r) = S + C r + (S (cos r - 1) + C (sin r - r + low)), with S = sin a and C = cos a. The rounding error of
/// `S + C r` is kept. The representation error of C matters most for cos(pi/8); adding half of it at every angle
/// ([`COSINE_BIAS`]) is free, and halves the largest error: it then is the same at the angles with C = 1.
#[inline(always)]
fn sine_of_reduced<L: WideLanes>((n, r, low): ReducedArgument<L>) -> F32<L> {
    let (s, c) = (F32::lookup(&SINES, n), F32::lookup(&COSINES, n));
    let u = r * r;
    let sine = r.mul_add(u.mul_add(u.mul_add(SINE_SHORT[1], SINE_SHORT[0]), COSINE_BIAS), low);
    let cosine = u * u.mul_add(COSINE_SHORT[1], COSINE_SHORT[0]);
    let sum = c.mul_add(r, s);
    let lost = c.mul_add(r, s - sum);
    sum + (lost + c.mul_add(sine, s.mul_add(cosine, F32::lookup(&SINES_LOW, n))))
}

/// Reduces x by multiples of `pi/2 / PARTS`. The count, plus `AHEAD`, is in the lowest bits.
#[inline(always)]
fn reduce<L: WideLanes, const PARTS: u32, const AHEAD: u32>(x: F32<L>) -> ReducedArgument<L> {
    // x = n pi/2/PARTS + r + low. The first difference is exact, the second is exact if it is small.
    let (parts, round) = (PARTS as f32, ROUND_F32 + AHEAD as f32);
    let t = x.mul_add(core::f32::consts::FRAC_2_PI * parts, round);
    let n = t - round;
    let first = n.neg_mul_add(HALF_PI[0] / parts, x);
    let r = n.neg_mul_add(HALF_PI[1] / parts, first);
    let low = n.neg_mul_add(HALF_PI[2] / parts, n.neg_mul_add(HALF_PI[1] / parts, first - r));
    (t.bits(), r, low)
}

/// tan r for |r| <= pi/4, or -1/tan r where `odd` has its sign bit set.
#[inline(always)]
fn wide_tangent<L: WideLanes>(r: F64<L>, odd: Bits<f64, L>) -> F64<L> {
    let u = r * r;
    let r = r.xor_sign(odd);
    let n = r * u.mul_add(TANGENT_NUMERATOR, 1.0);
    let d = horner(u, &TANGENT_DENOMINATOR);
    let swap = odd.lt(odd.splat(0));
    swap.select(d, n) / swap.select(n, d)
}

/// The tangent of `n pi/2 + r + low`; the parity of n is its lowest bit.
#[inline(always)]
fn tangent_of_reduced<L: WideLanes>((n, r, low): ReducedArgument<L>) -> F32<L> {
    let u = r * r;
    // tan r = r + r v. The rounding error of u matters; half of it is added to v.
    let [a, b, c, d, e, f, g] = TANGENT_TAIL;
    let half = r.mul_sub(r, u) * 0.5;
    let square = u * u;
    // In pairs of terms: a shorter dependency chain than Horner's rule.
    let rest = square.mul_add(square.mul_add(u.mul_add(g, f), u.mul_add(e, d)), u.mul_add(c, b));
    let v = u.mul_add(a, square.mul_add(rest, half));
    // low times about the derivative, 1 + tan^2 r.
    let inner = r.mul_add(v, low.mul_add(u * 1.4, low));
    let tan = r + inner;
    // -1 / tan, with a Newton step.
    let inverse = r.splat(-1.0) / tan;
    let inverse = inverse.mul_add(inner.mul_add(inverse, r.mul_add(inverse, 1.0)), inverse);
    (n << 31).lt(r.int(0)).select(inverse, tan)
}

/// One of sin, cos and tan, by the size of the argument.
trait Circular {
    /// From 2^-40 to 2^12.
    fn near<L: WideLanes>(x: F32<L>) -> F32<L>;
    /// Below 2^-40.
    fn tiny<L: WideLanes>(x: F32<L>) -> F32<L>;
    /// From 2^9 on; NaN for infinities and NaN.
    fn far<L: WideLanes>(x: F64<L>) -> F64<L>;
}

/// A function at any argument. Every NaN result is `f32::NAN`.
#[inline(always)]
fn eval<L: WideLanes, F: Circular>(x: F32<L>) -> F32<L> {
    // From 2^-40 to 2^12, by one signed comparison: 2^31 is added to the difference from the bits of 2^-40.
    let bits = x.abs().bits();
    let near = (bits + bits.splat(i32::MIN.wrapping_sub(LEAST))).lt(bits.splat((MOST - LEAST).wrapping_add(i32::MIN)));
    if (!near).any() {
        let tiny = bits.lt(bits.splat(LEAST));
        let y = tiny.select(F::tiny(x), F::near(near.select(x, 1.0)));
        let far = !(near | tiny);
        if far.any() {
            return far.select(far_lanes::<L, F>(far.select(x, 1.0)).replace_nan(f32::NAN), y);
        }
        return y;
    }
    F::near(x)
}

/// A function at arguments from 2^12 on; lanes with 1 are unspecified. If no lane of the lower half and its counterpart
/// of the upper half both have an argument, one evaluation computes both halves.
#[inline(always)]
fn far_lanes<L: WideLanes, F: Circular>(x: F32<L>) -> F32<L> {
    let [a, b] = x.widen();
    let second = b.ne(1.0);
    let y = F::far(second.select(b, a));
    if (second & a.ne(1.0)).any() {
        return F32::narrow([F::far(a), y]);
    }
    F32::narrow([y, y])
}

struct Sine;

impl Circular for Sine {
    #[inline(always)]
    fn near<L: WideLanes>(x: F32<L>) -> F32<L> {
        sine_of_reduced(reduce::<L, 4, 0>(x))
    }
    #[inline(always)]
    fn tiny<L: WideLanes>(x: F32<L>) -> F32<L> {
        x
    }
    #[inline(always)]
    fn far<L: WideLanes>(x: F64<L>) -> F64<L> {
        let (s, l, n) = reduce_payne_hanek(x);
        sine((s + l) * PI, n << 63)
    }
}

struct Cosine;

impl Circular for Cosine {
    #[inline(always)]
    fn near<L: WideLanes>(x: F32<L>) -> F32<L> {
        sine_of_reduced(reduce::<L, 4, 4>(x))
    }
    #[inline(always)]
    fn tiny<L: WideLanes>(x: F32<L>) -> F32<L> {
        x.splat(1.0)
    }
    #[inline(always)]
    fn far<L: WideLanes>(x: F64<L>) -> F64<L> {
        let (s, l, n) = reduce_payne_hanek(x);
        let left = (s.splat(0.5) - s.abs()) - l.xor_sign(s.bits() & s.splat(-0.0).bits());
        sine(left * PI, n << 63)
    }
}

struct Tangent;

impl Circular for Tangent {
    #[inline(always)]
    fn near<L: WideLanes>(x: F32<L>) -> F32<L> {
        tangent_of_reduced(reduce::<L, 1, 0>(x))
    }
    #[inline(always)]
    fn tiny<L: WideLanes>(x: F32<L>) -> F32<L> {
        x
    }
    #[inline(always)]
    fn far<L: WideLanes>(x: F64<L>) -> F64<L> {
        let (s, l, _) = reduce_payne_hanek(x);
        let n = (s + s) + ROUND;
        wide_tangent((((s + s) - (n - ROUND)) + (l + l)) * (0.5 * PI), n.bits() << 63)
    }
}

/// sin x, radians. At most 0.8394 ULP (all 2^32 inputs), for any size of x.
///
/// sin(±0) = ±0, sin(±inf) = NaN. Odd; |sin x| <= 1.
#[inline(always)]
pub fn sin<L: WideLanes>(x: F32<L>) -> F32<L> {
    eval::<L, Sine>(x)
}

/// cos x, radians. At most 0.8403 ULP (all 2^32 inputs), for any size of x.
///
/// cos(±0) = 1, cos(±inf) = NaN. Even; |cos x| <= 1.
#[inline(always)]
pub fn cos<L: WideLanes>(x: F32<L>) -> F32<L> {
    eval::<L, Cosine>(x)
}

/// tan x, radians. At most 0.9760 ULP (all 2^32 inputs), for any size of x.
///
/// tan(±0) = ±0, tan(±inf) = NaN. Odd.
#[inline(always)]
pub fn tan<L: WideLanes>(x: F32<L>) -> F32<L> {
    eval::<L, Tangent>(x)
}
