//! rsqrt, cbrt of `f64`, without division, square root or estimate instruction, which are slow in wide vectors.
//!
//! 1. Seed y from the bits of x, to 3 % (Lomont 2003, "Fast inverse square root"; Kahan 1991 for the cube root).
//! 2. A polynomial in `c - x y^n` refines it to 2^-21 (rsqrt) or 2^-32 (cbrt). The seed of rsqrt is 0.84 / sqrt(x): the
//!    cubic that approximates `1 / sqrt(t)` of `t = x y^2` then begins with 1 and, by the choice of c, has no square;
//!    it takes three operations.
//! 3. One step of third order (rsqrt) or second order (cbrt), with an exact residual: `1 - x y^2`, with y short enough
//!    that y^2 is exact, or `c^3 - x` for the cube root `c = x y^2`.
//!
//! Errors are the largest of 2^24 arguments in each relevant range and of 2^24 bit patterns. Results that differ
//! from the correctly rounded ones of core-math were measured with 220 bits. Tables:
//! `tools/coefficients/f64_power.py`.

use eltwise_simd::WideLanes;

use super::double_double::two_product;
use super::subnormal::{counted, scaled_up};
use crate::polynomial::horner;
use crate::vector::F64;

/// `[y, q]` with `y q` about 1/√x, relative error 2^-21, for normal x > 0.
#[inline(always)]
pub(super) fn inverse_root<L: WideLanes>(x: F64<L>) -> [F64<L>; 2] {
    let bits = x.bits();
    let y = (bits.splat(ROOT) - (bits >> 1)).float();
    let [c, a, b] = ROOT_CUBIC;
    let h = (x * y).neg_mul_add(y, c);
    [y, h.mul_add(h, a).mul_add(h, b)]
}

/// 1/√x, at most 0.503 ULP; exact for powers of 4.
///
/// rsqrt(±0) = ±inf, rsqrt(inf) = 0; NaN below 0.
#[inline(always)]
pub fn rsqrt<L: WideLanes>(x: F64<L>) -> F64<L> {
    // From 2^1020 on, the square of the result may be subnormal.
    if (!x.bits().between(1 << 52, 2043 << 52)).any() {
        let (small, large) = (x.lt(f64::MIN_POSITIVE), x.ge(f64::from_bits(2043 << 52)));
        // Large x is divided by 2^4, and the result by 2^2. For subnormal x, 2^1074 x, and 2^537 times the result.
        let less = (x.bits() - x.int(4 << 52)).float();
        let r = near_rsqrt(small.select(counted(x), large.select(less, x)));
        let r = r * small.select(f64::from_bits(1560 << 52), large.select(0.25, x.splat(1.0)));
        let r = x.eq(0.0).select(x.splat(f64::INFINITY).copysign(x), r);
        let r = x.eq(f64::INFINITY).select(0.0, r);
        return (x.lt(0.0) | x.is_nan()).select(f64::NAN, r);
    }
    near_rsqrt(x)
}

/// 1/√x for x from 2^-1022 to 2^1020.
#[inline(always)]
fn near_rsqrt<L: WideLanes>(x: F64<L>) -> F64<L> {
    let [y, q] = inverse_root(x);
    // 26 bits: the square is exact.
    let y = ((y * q).bits() & x.int(-1 << 27)).float();
    let h = x.neg_mul_add(y * y, 1.0);
    (y * h).mul_add(h.mul_add(0.375, x.splat(0.5)), y)
}

/// ∛x, at most 0.503 ULP; exact for cubes, odd bit for bit.
///
/// cbrt(±0) = ±0, cbrt(±inf) = ±inf. Every NaN result is `f64::NAN`.
#[inline(always)]
pub fn cbrt<L: WideLanes>(x: F64<L>) -> F64<L> {
    let size = x.abs();
    // Below 2^-900, the residual would be subnormal.
    let least = f64::from_bits(123 << 52);
    if (!(size.ge(least) & size.le(f64::MAX))).any() {
        // Small x is multiplied by 2^300, and the result by 2^-100.
        let small = size.lt(least);
        let r = near_cbrt(small.select(scaled_up::<300, L>(size), size));
        let r = small.select(r * f64::from_bits(923 << 52), r);
        return (size.eq(0.0) | !size.le(f64::MAX)).select(x, r.copysign(x)).replace_nan(f64::NAN);
    }
    near_cbrt(size).copysign(x)
}

/// ∛x for x from 2^-900 on.
#[inline(always)]
fn near_cbrt<L: WideLanes>(x: F64<L>) -> F64<L> {
    let ones = x.splat((1u64 << 52) as f64);
    let word = ((x.bits() >> 32) | ones.bits()).float() - ones;
    let estimate = word.mul_add(-1.0 / 3.0, CUBE_ROOT + (1u64 << 52) as f64);
    let y = (estimate.bits() << 32).float();
    let h = (x * y).neg_mul_add(y * y, 1.0);
    let y = (y * h).mul_add(horner(h, &CUBE_ROOT_TAIL), y);
    let square = y * y;
    let c = x * square;
    let cc = two_product(c, c);
    let excess = cc.lo.mul_add(c, cc.hi.mul_sub(c, x));
    (square * (-1.0 / 3.0)).mul_add(excess, c)
}

/// Minus half of the bits of x, the bits of about 0.84/√x.
const ROOT: i64 = 0x5fe2_cb50_c7b5_37a9;

/// `c`, `a`, `b`: 1/√t is about `h (h² + a) + b`, `h = c - t`, for `t = x y²`, y about 0.84/√x. Error 2^-21 of the
/// root.
const ROOT_CUBIC: [f64; 3] = [
    f64::from_bits(0x3ff0_1433_8bd2_5907), // 1.004931970766451
    f64::from_bits(0x3fe2_6518_e936_39e3), // 0.5748409800451636
    f64::from_bits(0x3fef_bb15_faa5_b2a6), // 0.9915876288847201
];

/// Minus a third of the upper word of x, the upper word of about 1/∛x.
const CUBE_ROOT: f64 = 1_430_189_300.0;

/// (1/∛(1 - h) - 1) / h. Error 2^-32 of the root.
const CUBE_ROOT_TAIL: [f64; 6] = [
    f64::from_bits(0x3fd5_5555_60f1_3c84), // 0.33333334414505367
    f64::from_bits(0x3fcc_71c6_6357_de2c), // 0.2222221360277542
    f64::from_bits(0x3fc6_1f4f_3802_b9ed), // 0.17283048853774066
    f64::from_bits(0x3fc2_709f_1a53_8a30), // 0.14406193528619005
    f64::from_bits(0x3fc0_3524_0b65_bf22), // 0.126621728482399
    f64::from_bits(0x3fbc_0968_c706_0e9c), // 0.1095185743234261
];
