//! gelu_tanh of `f32`, the approximation of gelu with tanh, as `x sigmoid(2 u)`.
//!
//! 1. `2^z = e^(-2 u)`: `z` is a polynomial of `x` with coefficients and products in two parts, because an error of the
//!    exponent counts `z` times in the result.
//! 2. `2^z = 2^n 2^r`, `n` the nearest integer, `|r| <= 1/2`: minimax of degree 6 ([`EXP2_TAIL`]).
//! 3. The quotient of `logistic.rs`.
//!
//! Tables: `tools/coefficients/f32_activation.py`.

use core::f32::consts::LN_2;

use eltwise_simd::WideLanes;

use super::logistic::{ROUND_TO_UNIT, UNIT, divisor, quotient, rare_result};
use crate::polynomial::quartic;
use crate::vector::F32;

/// (2^r - 1 - r ln(2)) / r^2, with the float nearest to ln(2), for |r| <= 1/2. Error 2^-27.52 of 2^r.
const EXP2_TAIL: [f32; 5] = [
    f32::from_bits(0x3e75_fdef), // 0.24022649228572845
    f32::from_bits(0x3d63_57c0), // 0.05550360679626465
    f32::from_bits(0x3c1d_95da), // 0.009618246927857399
    f32::from_bits(0x3aaf_8687), // 0.0013391532702371478
    f32::from_bits(0x3921_d121), // 0.00015432063082698733
];

/// `2 sqrt(2 / pi) / ln(2)` in two parts, the first a multiple of 2^-20; and 0.044715 times that in two parts.
const GELU_LINEAR: f32 = f32::from_bits(0x4013_5760);

const GELU_LINEAR_REST: f32 = f32::from_bits(0x3486_f39d);

const GELU_CUBIC: f32 = f32::from_bits(0x3dd2_d3e8);

const GELU_CUBIC_REST: f32 = f32::from_bits(0xb10a_8d57);

/// `UNIT (1 + 2^(z + z_low))` as a sum of two floats, for `-26.5 <= z <= 164`.
#[inline(always)]
fn exp2_divisor<L: WideLanes>(z: F32<L>, z_low: F32<L>) -> (F32<L>, F32<L>) {
    let t = z + ROUND_TO_UNIT;
    let high = z - (t - ROUND_TO_UNIT);
    let r = high + z_low;
    let low = (z_low - (r - high)) * LN_2;
    let square = r * r;
    let p = (t.bits() << 23).float();
    divisor(p, p * LN_2, r, square.mul_add(quartic(r, square, EXP2_TAIL), low))
}

/// `x / 2 (1 + tanh(u)) = x sigmoid(2 u)`, `u = sqrt(2 / pi) (x + 0.044715 x^3)` (Hendrycks and Gimpel 2016).
///
/// At most 0.9717 ULP (all 2^32 inputs). gelu_tanh(±0) = ±0, gelu_tanh(-inf) = -0, gelu_tanh(+inf) = +inf.
#[inline(always)]
pub fn gelu_tanh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let live = !x.lt(-10.8);
    let near = live.select(x.splat(5.2).least(x), -0.0);
    let tiny = x.is_tiny();
    if (tiny | (live & !x.ge(-9.9))).any() {
        return x.gt(5.2).select(x, rare_result(x, gelu_quotient(tiny.select(1.0, near)), tiny));
    }
    x.gt(5.2).select(x, gelu_quotient(near) * UNIT)
}

/// `x sigmoid(2 u) / UNIT`
#[inline(always)]
fn gelu_quotient<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Subtracting from 2^-30 changes no result and keeps squares of the difference from being subnormal.
    let v = x.splat(f32::from_bits(0x3080_0000)) - x;
    // z = v g, each in two parts.
    let square = v * v;
    let square_low = v.mul_sub(v, square);
    let g = square.mul_add(GELU_CUBIC, GELU_LINEAR);
    let g_low = square.mul_add(GELU_CUBIC, x.splat(GELU_LINEAR) - g)
        + square_low.mul_add(GELU_CUBIC, square.mul_add(GELU_CUBIC_REST, GELU_LINEAR_REST));
    let z = v * g;
    let z_low = v.mul_add(g_low, v.mul_sub(g, z));
    quotient(x, exp2_divisor(z, z_low))
}
