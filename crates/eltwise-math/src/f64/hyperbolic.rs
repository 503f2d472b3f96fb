//! sinh, cosh of `f64`.
//!
//! 1. Reduction: `|x| = j ln 2 + r`, j a multiple of 1/16, as in `exp.rs`; 2^j and 2^-j from its table, with their
//!    relative errors.
//! 2. With s half the sum and d half the difference of the two powers,
//!
//!    ```text
//!    sinh |x| = d cosh r + s sinh r
//!    cosh |x| = s cosh r + d sinh r
//!    ```
//!
//!    There is no second exponential, and for j = 0 nothing cancels: sinh is the odd polynomial then.
//! 3. cosh r and sinh r for `|r| <= ln 2 / 32`: minimax polynomials of 3 coefficients. The leading terms are summed
//!    with their rounding errors (Dekker 1971).
//! 4. Results near the largest number are computed 2^512 times smaller.
//!
//! Errors are the largest of 2^24 arguments in each relevant range and of 2^24 bit patterns. Results that differ
//! from the correctly rounded ones of core-math were measured with 220 bits. Tables:
//! `tools/coefficients/f64_hyperbolic.py`.

use eltwise_simd::WideLanes;

use super::constants::{LN2, SIXTEENTHS, TINY, two_to};
use super::exp::power;
use crate::polynomial::horner;
use crate::vector::{F64, Mask};

/// (cosh r - 1) / r^2 of r^2, |r| <= ln 2 / 32. Error 2^-66.22 of 1.
const SHORT_EVEN: [f64; 3] = [
    f64::from_bits(0x3fe0_0000_0000_0004), // 0.5000000000000004
    f64::from_bits(0x3fa5_5555_5548_495c), // 0.04166666666073368
    f64::from_bits(0x3f56_c183_e1bb_36e0), // 0.0013889110477295838
];

/// sinh r / r of r^2 for cosh. Error 2^-61 of 1.
const SHORT_ODD: [f64; 3] = [
    1.0,
    f64::from_bits(0x3fc5_5555_554a_f429), // 0.16666666664778632
    f64::from_bits(0x3f81_1122_7ea1_a6cd), // 0.0083334631819584
];

/// (sinh r - r) / r^3 of r^2 for sinh. Error 2^-69 of sinh r.
const LONG_ODD: [f64; 3] = [
    f64::from_bits(0x3fc5_5555_5555_5557), // 0.1666666666666667
    f64::from_bits(0x3f81_1111_110b_6e17), // 0.008333333332692523
    f64::from_bits(0x3f2a_01b5_0774_0966), // 0.00019841513469749243
];

/// From `LARGE` on, results are computed 2^512 times smaller. e^`LARGEST` is infinite.
const LARGE: f64 = 700.0;

const LARGEST: f64 = 711.0;

/// `a = j ln 2 + r + r_low`; `2^(j - 1) = up (1 + up_low)`, `2^(-j - 1) = down (1 + down_low)`.
struct Powers<L: WideLanes> {
    r: F64<L>,
    r_low: F64<L>,
    up: F64<L>,
    up_low: F64<L>,
    down: F64<L>,
    down_low: F64<L>,
}

/// Reduces `a`, from 0 to `LARGEST`. Where `large`, `up` is 2^512 times smaller, and `down` is any small number.
#[inline(always)]
fn powers<L: WideLanes>(a: F64<L>, large: Option<Mask<f64, L>>) -> Powers<L> {
    // The exponents are one less, for half of the powers.
    let sixteenths = a.mul_add(core::f64::consts::LOG2_E, SIXTEENTHS - 1.0);
    let j = sixteenths - (SIXTEENTHS - 1.0);
    // Exact, as for e^x.
    let rest = j.neg_mul_add(LN2[0], a);
    let r = j.neg_mul_add(LN2[1], rest);
    let r_low = j.neg_mul_add(LN2[1], rest - r);
    let count = sixteenths.bits();
    // The bits for -j - 1.
    let opposite = count.splat(-32) - count;
    let ([mut up, up_low], [mut down, down_low]) = (power(count), power(opposite));
    if let Some(large) = large {
        up = (up.bits() - large.select_bits(count.splat(512 << 52), count.splat(0))).float();
        down = large.select(f64::from_bits(700 << 52), down);
    }
    Powers { r, r_low, up, up_low, down, down_low }
}

/// sinh x, at most 0.60 ULP; odd bit for bit.
///
/// sinh(±0) = ±0, sinh(±inf) = ±inf. Every NaN result is `f64::NAN`.
#[inline(always)]
pub fn sinh<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    if (!(a.ge(TINY) & a.le(LARGE))).any() {
        // `least` returns its second operand if one is NaN, so a NaN stays. Below TINY the result is x.
        let (large, tiny) = (a.gt(LARGE), a.lt(TINY));
        let size = sinh_of(&powers(tiny.select(1.0, x.splat(LARGEST).least(a)), Some(large)));
        let v = size * large.select(two_to(512), x.splat(1.0));
        return tiny.select(x, v.copysign(x)).replace_nan(f64::NAN);
    }
    sinh_of(&powers(a, None)).copysign(x)
}

#[inline(always)]
fn sinh_of<L: WideLanes>(powers: &Powers<L>) -> F64<L> {
    let Powers { r, r_low, up, up_low, down, down_low } = *powers;
    let (s, d) = (up + down, up - down);
    let d_low = down.neg_mul_add(down_low, up.mul_add(up_low, (up - d) - down));
    // d is 0 or larger than s r.
    let first = s.mul_add(r, d);
    let lost = s.mul_add(r, d - first);
    let square = r * r;
    let odd = horner(square, &LONG_ODD).mul_add(square * r, r_low);
    let even = horner(square, &SHORT_EVEN) * square;
    first + s.mul_add(odd, d.mul_add(even, lost + d_low))
}

/// cosh x, at most 0.70 ULP; even bit for bit.
///
/// cosh(±0) = 1, cosh(±inf) = inf. Every NaN result is `f64::NAN`.
#[inline(always)]
pub fn cosh<L: WideLanes>(x: F64<L>) -> F64<L> {
    // Below 2^-200, cosh is 1; squares would be subnormal. `greatest` and `least` return their second operand if one is
    // NaN, so a NaN stays.
    let a = x.splat(two_to(-200)).greatest(x.abs());
    if (!a.le(LARGE)).any() {
        let large = a.gt(LARGE);
        let size = cosh_of(&powers(x.splat(LARGEST).least(a), Some(large)));
        return (size * large.select(two_to(512), x.splat(1.0))).replace_nan(f64::NAN);
    }
    cosh_of(&powers(a, None))
}

#[inline(always)]
fn cosh_of<L: WideLanes>(powers: &Powers<L>) -> F64<L> {
    let Powers { r, up, up_low, down, .. } = *powers;
    let (s, d) = (up + down, up - down);
    // The error of 2^-j is at most 1/8 ULP of the result.
    let s_low = up.mul_add(up_low, down - (s - up));
    let square = r * r;
    let odd = horner(square, &SHORT_ODD) * r;
    let even = horner(square, &SHORT_EVEN) * square;
    s + d.mul_add(odd, s.mul_add(even, s_low))
}
