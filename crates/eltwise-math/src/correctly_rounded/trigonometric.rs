//! sin, cos, tan of `f32`, correctly rounded.
//!
//! 1. Reduction below 2^30: `x = n pi + r` (tan: `n pi / 2 + r`; cos: n a half-integer) by two fused multiply-adds in
//!    `f64` lanes with pi in two parts (Cody and Waite 1980). No r of an `f32` is smaller than 2^-27.8, so its relative
//!    error is at most 2^-49. From 2^30 on, the function of `f64`.
//! 2. |r| <= pi/2: sin r is r times a minimax polynomial of degree 6 in r^2, error 2^-43.8.
//! 3. |r| <= pi/4: tan r or -1/tan r is a quotient of polynomials of degree 2 and 3 in r^2, error 2^-45.2.

use core::f64::consts::{FRAC_1_PI, FRAC_2_PI, PI};

use eltwise_simd::WideLanes;

use super::rounding::near_halfway;
use crate::f32::constants::{ROUND_WIDE, two_to};
use crate::polynomial::horner;
use crate::vector::{F32, F64};

/// pi minus `PI`.
const PI_REST: f64 = 1.2246467991473532e-16;

/// sin r / r of r^2, for |r| slightly above pi/2. Error 2^-43.84.
const SINE: [f64; 7] = [
    f64::from_bits(0x3fef_ffff_ffff_fdc6), // 0.9999999999999367
    f64::from_bits(0xbfc5_5555_5554_079f), // -0.1666666666642955
    f64::from_bits(0x3f81_1111_108f_a792), // 0.008333333318620881
    f64::from_bits(0xbf2a_019f_cdfd_2750), // -0.00019841266384395618
    f64::from_bits(0x3ec7_1dce_3a3c_688e), // 2.7556929626084808e-06
    f64::from_bits(0xbe5a_e009_8a95_be7e), // -2.502942978349287e-08
    f64::from_bits(0x3de5_2a5a_280d_04aa), // 1.5399883107043902e-10
];

/// tan r / r as a quotient of polynomials of r^2, for |r| slightly above pi/4. Error 2^-45.24.
const TANGENT_NUMERATOR: [f64; 3] = [
    f64::from_bits(0x3fef_ffff_ffff_ff27), // 0.9999999999999759
    f64::from_bits(0xbfbf_1072_e8b3_dc2b), // -0.12134473973479547
    f64::from_bits(0x3f60_a73f_158e_e012), // 0.002032874308920193
];

const TANGENT_DENOMINATOR: [f64; 4] = [
    f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
    f64::from_bits(0xbfdd_1972_0f83_05ed), // -0.45467807307076563
    f64::from_bits(0x3f94_bebf_adb1_5df3), // 0.020258898712510697
    f64::from_bits(0xbf19_8d99_762b_33a5), // -9.747742800954183e-05
];

/// From here on, two parts of pi do not suffice.
const LARGE: f32 = two_to(30);

/// sin x, radians, correctly rounded, for any size of x. sin(±0) = ±0, sin(±inf) = NaN.
#[inline(always)]
pub fn sin<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !(!x.abs().lt(LARGE)).any() {
        let [low, high] = x.widen();
        let sin = [sin_of(low), sin_of(high)];
        if !near_halfway::<11, L>(sin) {
            return F32::narrow(sin);
        }
    }
    let [low, high] = x.widen();
    F32::narrow([crate::f64::to_narrow::sin(low), crate::f64::to_narrow::sin(high)])
}

#[inline(always)]
fn sin_of<L: WideLanes>(x: F64<L>) -> F64<L> {
    let shifted = x.mul_add(FRAC_1_PI, ROUND_WIDE);
    let n = shifted - ROUND_WIDE;
    let r = n.neg_mul_add(PI_REST, n.neg_mul_add(PI, x));
    r.xor_sign(shifted.bits() << 63) * horner(r * r, &SINE)
}

/// cos x, radians, correctly rounded, for any size of x. cos(±0) = 1, cos(±inf) = NaN.
#[inline(always)]
pub fn cos<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !(!x.abs().lt(LARGE)).any() {
        let [low, high] = x.widen();
        let cos = [cos_of(low), cos_of(high)];
        if !near_halfway::<11, L>(cos) {
            return F32::narrow(cos);
        }
    }
    let [low, high] = x.widen();
    F32::narrow([crate::f64::to_narrow::cos(low), crate::f64::to_narrow::cos(high)])
}

#[inline(always)]
fn cos_of<L: WideLanes>(x: F64<L>) -> F64<L> {
    let shifted = x.mul_add(FRAC_1_PI, -0.5) + ROUND_WIDE;
    // cos x = ±sin(n pi - x) with a half-integer n; the parity of n - 1/2 gives the sign.
    let n = (shifted - ROUND_WIDE) + 0.5;
    let r = n.mul_add(PI_REST, n.mul_sub(PI, x));
    r.xor_sign(shifted.bits() << 63) * horner(r * r, &SINE)
}

/// tan x, radians, correctly rounded, for any size of x. tan(±0) = ±0, tan(±inf) = NaN.
#[inline(always)]
pub fn tan<L: WideLanes>(x: F32<L>) -> F32<L> {
    if !(!x.abs().lt(LARGE)).any() {
        let [low, high] = x.widen();
        let tan = [tan_of(low), tan_of(high)];
        if !near_halfway::<10, L>(tan) {
            return F32::narrow(tan);
        }
    }
    let [low, high] = x.widen();
    F32::narrow([crate::f64::tan(low), crate::f64::tan(high)])
}

#[inline(always)]
fn tan_of<L: WideLanes>(x: F64<L>) -> F64<L> {
    let shifted = x.mul_add(FRAC_2_PI, ROUND_WIDE);
    let n = shifted - ROUND_WIDE;
    let r = n.neg_mul_add(PI_REST / 2.0, n.neg_mul_add(PI / 2.0, x));
    let odd = shifted.bits() << 63;
    let u = r * r;
    let numerator = r.xor_sign(odd) * horner(u, &TANGENT_NUMERATOR);
    let denominator = horner(u, &TANGENT_DENOMINATOR);
    let swap = odd.lt(odd.splat(0));
    swap.select(denominator, numerator) / swap.select(numerator, denominator)
}
