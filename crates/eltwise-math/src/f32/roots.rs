//! rsqrt, cbrt of `f32`, without division, square root or estimate instruction.
//!
//! 1. Seed y: the bits of x divided by 2 or 3 and subtracted from a constant, within 4 % (Lomont 2003, "Fast inverse
//!    square root"). The seeds of rsqrt have 8 bits, so that y^2 is exact.
//! 2. One step of the binomial series in `h = 1 - x y^n`, as a minimax polynomial. For cbrt it gives x^(-2/3).
//! 3. cbrt adds the residual `x - c^3` of the approximation c, computed without rounding error, times the derivative.
//!
//! Largest errors over all 2^32 inputs: rsqrt 0.63 ULP, cbrt 0.503. Tables: `tools/coefficients/f32_power.py`.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::subnormal::{TWO_23, counted};
use crate::polynomial::horner;
use crate::vector::F32;

/// (1 - h)^(-1/2) = 1 + h p(h) for -0.0647 < h < 0.0784, error 2^-29.
const RSQRT_SHORT: [f32; 5] = [
    f32::from_bits(0x3f00_0001), // 0.5000000596046448
    f32::from_bits(0x3ebf_ffb6), // 0.3749977946281433
    f32::from_bits(0x3e9f_f962), // 0.31244951486587524
    f32::from_bits(0x3e8c_c10a), // 0.2749102711677551
    f32::from_bits(0x3e83_f6b1), // 0.2577414810657501
];

/// (1 - h)^(-2/3) = 1 + h p(h) for |h| < 0.1023, error 2^-16.8.
const CBRT: [f32; 3] = [
    f32::from_bits(0x3f2a_a964), // 0.66664719581604
    f32::from_bits(0x3f0f_3c0e), // 0.5595101118087769
    f32::from_bits(0x3f00_09f8), // 0.5001521110534668
];

/// The constant of the seed of rsqrt; its lower 16 bits are 0.
const RSQRT_SHORT_SEED: i32 = 0x5f36_0000;

/// The constant of the seed of cbrt, which makes h symmetric around 0.
const CBRT_SEED: i32 = 0x54a1_f5bb;

/// The bits of 2^124.
const LARGE: i32 = 0x7d80_0000;

/// One over the square root, x^(-1/2).
///
/// At most 0.63 ULP (all 2^32 inputs; 1.3 % are not correctly rounded).
///
/// rsqrt(±0) = ±inf, rsqrt(x < 0) = NaN, rsqrt(inf) = +0.
#[inline(always)]
pub fn rsqrt<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Rare: x or the square of its seed is not a positive normal number. One signed comparison of bits + 2^31 - 2^23.
    let bits = x.bits();
    let rare = !(bits + bits.splat(0x7f80_0000)).lt(bits.splat(LARGE - 0x0080_0000 - i32::MAX - 1));
    if rare.any() { rsqrt_rare(x) } else { rsqrt_of_normal(x) }
}

/// rsqrt(x) for x from 2^-126 to 2^124.
#[inline(always)]
fn rsqrt_of_normal<L: WideLanes>(x: F32<L>) -> F32<L> {
    // The seed y has 8 bits: its square is exact.
    let y = (x.int(RSQRT_SHORT_SEED) - x.bits().half_of_upper()).float();
    let h = x.neg_mul_add(y * y, 1.0);
    (y * h).mul_add(horner(h, &RSQRT_SHORT), y)
}

/// rsqrt(x) for all x.
#[inline(always)]
fn rsqrt_rare<L: WideLanes>(x: F32<L>) -> F32<L> {
    let (small, large) = (x.lt(f32::MIN_POSITIVE), x.ge(f32::from_bits(LARGE as u32)));
    // For subnormal x, 2^150 x; its bits count multiples of 2^-149.
    let count = counted(x);
    let r = rsqrt_of_normal(small.select(count + count, x) * large.select(two_to(-8), 1.0));
    let r = small.select(r * two_to(75), r * large.select(two_to(-4), 1.0));
    let r = x.lt(f32::INFINITY).select(r, x.eq(f32::INFINITY).select(0.0, x));
    let r = x.lt(0.0).select(f32::NAN, r);
    x.eq(0.0).select(x.splat(f32::INFINITY).copysign(x), r)
}

/// The cube root, x^(1/3).
///
/// At most 0.503 ULP (all 2^32 inputs; 0.06 % are not correctly rounded).
///
/// Odd. cbrt(±0) = ±0, cbrt(±inf) = ±inf; cubes have exact results. Every NaN result is `f32::NAN`.
#[inline(always)]
pub fn cbrt<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Rare: below 2^-99 the residual would underflow; infinities and NaN.
    let (mut a, mut unscale) = (x.abs(), x);
    let bits = a.bits();
    // One signed comparison, after adding 2^31.
    let rare = !(bits + bits.splat(0x7200_0000)).lt(bits.splat(0x7180_0000 - i32::MAX - 1));
    if rare.any() {
        let small = a.lt(two_to(-99));
        let subnormal = a.lt(f32::MIN_POSITIVE);
        let count = counted(a);
        a = subnormal.select(count, a) * subnormal.select(two_to(-98), small.select(two_to(51), a.splat(1.0)));
        unscale = small.select(two_to(-17), 1.0);
    }
    // The seed is CBRT_SEED - bits / 3, computed in floats on the upper 23 bits: `2^23 + bits` times -1/3, plus the
    // constant that makes the sum `2^23 + seed`.
    let third = ((a.bits() >> 8) | bits.splat(TWO_23)).float();
    let third = third.mul_add(-1.0 / 3.0, two_to(25) / 3.0 + (CBRT_SEED >> 8) as f32);
    let y = (third.bits() << 8).float();
    // a^(-2/3); a third of it is the derivative of the cube root.
    let square = y * y;
    let h = (a * y).neg_mul_add(square, 1.0);
    let power = (square * h).mul_add(horner(h, &CBRT), square);
    // c approximates the root; a - c^3 without rounding error.
    let c = a * power;
    let high = c * c;
    let low = c.neg_mul_add(c, high);
    let residual = low.mul_add(c, high.neg_mul_add(c, a));
    let r = residual.mul_add(power * (1.0 / 3.0), c);
    if !rare.any() {
        return r.copysign(x);
    }
    a.lt(f32::INFINITY).select(r * unscale, a).copysign(x).replace_nan(f32::NAN)
}
