//! exp, exp2, exp10, expm1 of `f64`.
//!
//! 1. Reduction: `x = j ln 2 + r`, j a multiple of 1/16. exp2 and exp10 reduce in their own unit, `x = j + r` and
//!    `x = j log10 2 + r`, where the reduction is exact or nearly so.
//! 2. Table: `2^j` from 16 entries, with the exponent added to the bits ([`power`]); each entry also has its relative
//!    error `low` (Tang 1989, "Table-driven implementation of the exponential function in IEEE floating-point
//!    arithmetic").
//! 3. Polynomial: `p = r q(r) + low`, q minimax of degree 5; `|r q(r)| <= 0.022`, so that errors of p count a fiftieth.
//! 4. Reconstruction: `2^j (1 + p)`, one fused multiply-add. If the result may be subnormal, it is computed unscaled
//!    and scaled last.
//!
//! expm1 sums its two leading terms, `2^j - 1` and `2^j r`, with their rounding errors.
//!
//! Errors are the largest of 2^24 arguments in each relevant range and of 2^24 bit patterns. Results that differ
//! from the correctly rounded ones of core-math were measured with 220 bits.

use eltwise_simd::WideLanes;

use super::constants::{LN2, SIXTEENTHS, TINY, two_to};
use super::double_double::two_sum;
use super::subnormal::scaled;
use super::tables::Tables;
use crate::f64::double_double::exp::{EXP, POWERS, POWERS_LOW, power_at};
use crate::polynomial::horner;
use crate::vector::{Bits, F64, Mask};

/// [`POWERS`] with `k << 48` subtracted from the bits, and their relative errors. Adding a count of sixteenths, shifted
/// left by 48, gives the bits of 2^j.
static SHIFTED: Tables<2> = {
    let (mut rows, mut k) = ([POWERS, POWERS_LOW], 0);
    while k < 16 {
        rows[0][k] = f64::from_bits(POWERS[k].to_bits() - ((k as u64) << 48));
        rows[1][k] /= POWERS[k];
        k += 1;
    }
    Tables::new(rows)
};

/// `[power, low]` with `2^j = power (1 + low)`, from the bits of `j + SIXTEENTHS`, if 2^j is a normal number.
#[inline(always)]
pub(crate) fn power<L: WideLanes>(sixteenths: Bits<f64, L>) -> [F64<L>; 2] {
    let [shifted, low] = SHIFTED.lookup(sixteenths);
    [(shifted.bits() + (sixteenths << 48)).float(), low]
}

/// (e^r - 1) / r. Error 2^-56 of e^r.
pub(super) const GROWTH: [f64; 6] = [
    1.0,
    f64::from_bits(0x3fe0_0000_0000_00db), // 0.5000000000000243
    f64::from_bits(0x3fc5_5555_5548_4f1d), // 0.1666666666429756
    f64::from_bits(0x3fa5_5555_5338_35eb), // 0.041666666420592545
    f64::from_bits(0x3f81_1124_297a_35d5), // 0.008333475604810051
    f64::from_bits(0x3f56_c37b_95b1_0230), // 0.0013893801576757674
];

/// (2^r - 1) / r.
const GROWTH_2: [f64; 6] = [
    f64::from_bits(0x3fe6_2e42_fefa_39ef), // 0.6931471805599453
    f64::from_bits(0x3fce_bfbd_ff82_c734), // 0.2402265069591124
    f64::from_bits(0x3fac_6b08_d6f3_473d), // 0.05550410865693187
    f64::from_bits(0x3f83_b2ab_6dc6_aa82), // 0.009618129050825933
    f64::from_bits(0x3f55_d898_58cf_d5de), // 0.001333378578462933
    f64::from_bits(0x3f24_3265_33ec_a722), // 0.0001540897883043841
];

/// (10^r - 1) / r.
const GROWTH_10: [f64; 6] = [
    f64::from_bits(0x4002_6bb1_bbb5_5516), // 2.302585092994046
    f64::from_bits(0x4005_3524_c73c_eb8b), // 2.650949055239328
    f64::from_bits(0x4000_4705_91d4_3c9e), // 2.034678592004254
    f64::from_bits(0x3ff2_bd76_0822_408e), // 1.171255141995093
    f64::from_bits(0x3fe1_42b3_4cf9_7151), // 0.5393921378522838
    f64::from_bits(0x3fca_813d_3916_8bd8), // 0.2070690659284924
];

/// `e^x` and `x e^x` are 0 below: the last argument with a result other than 0 is -751.8, of `x e^x`.
pub(super) const ZERO_BELOW: f64 = -760.0;

/// `x` clamped to `[low, high]`, outside which results do not change. NaN remains NaN.
#[inline(always)]
pub(super) fn clamp<L: WideLanes>(x: F64<L>, low: f64, high: f64) -> F64<L> {
    x.splat(high).least(x.splat(low).greatest(x))
}

/// `2^j e^r`. `sixteenths` is `j + SIXTEENTHS`; with `plain`, the results of all lanes are normal numbers.
#[inline(always)]
pub(super) fn exp_of_reduced<L: WideLanes>(sixteenths: F64<L>, j: F64<L>, r: F64<L>, plain: bool) -> F64<L> {
    let power = power_at(sixteenths.bits());
    let p = (r * r).mul_add(horner(r, &EXP), r);
    let unscaled = power.hi.mul_add(p, power.lo) + power.hi;
    if plain {
        // The bits of `scaled`, by one addition.
        return (unscaled.bits() + ((sixteenths.bits() >> 4) << 52)).float();
    }
    scaled(unscaled, j.floor())
}

/// `2^j (1 + r q(r))`. `sixteenths` is `j + SIXTEENTHS`; with `plain`, the results of all lanes are normal numbers. A
/// NaN gives `f64::NAN`.
#[inline(always)]
fn product<L: WideLanes>(sixteenths: F64<L>, j: F64<L>, r: F64<L>, q: &[f64; 6], plain: bool) -> F64<L> {
    let count = sixteenths.bits();
    let [shifted, low] = SHIFTED.lookup(count);
    let p = r.mul_add(horner(r, q), low);
    if plain {
        let power = (shifted.bits() + (count << 48)).float();
        return power.mul_add(p, power);
    }
    let unscaled = F64::lookup(&POWERS, count);
    scaled(unscaled.mul_add(p, unscaled), j.floor()).replace_nan(f64::NAN)
}

/// e^x, at most 0.66 ULP (0.78 if the result is subnormal: it is rounded twice).
///
/// exp(±0) = 1, exp(-inf) = 0, exp(inf) = inf.
#[inline(always)]
pub fn exp<L: WideLanes>(x: F64<L>) -> F64<L> {
    let plain = !(!x.abs().le(708.0)).any();
    let x = (if plain { x } else { clamp(x, -746.0, 710.0) }) + TINY;
    let sixteenths = x.mul_add(core::f64::consts::LOG2_E, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    // The first step is exact.
    let r = j.neg_mul_add(LN2[1], j.neg_mul_add(LN2[0], x));
    product(sixteenths, j, r, &GROWTH, plain)
}

/// 2^x, at most 0.65 ULP (0.77 if the result is subnormal); exact for integers.
///
/// exp2(±0) = 1, exp2(-inf) = 0, exp2(inf) = inf.
#[inline(always)]
pub fn exp2<L: WideLanes>(x: F64<L>) -> F64<L> {
    let plain = !(!x.abs().le(1022.0)).any();
    let x = (if plain { x } else { clamp(x, -1076.0, 1025.0) }) + TINY;
    let sixteenths = x + SIXTEENTHS;
    let j = sixteenths - SIXTEENTHS;
    product(sixteenths, j, x - j, &GROWTH_2, plain)
}

/// log10 2 as a sum of two floats.
const LOG10_2: [f64; 2] = [
    f64::from_bits(0x3fd3_4413_509f_79ff), // 0.30102999566398120
    f64::from_bits(0xbc49_dc1d_a994_fd21), // -2.8037281277851704e-18
];

/// 10^x, at most 0.68 ULP (0.80 if the result is subnormal); exact for integers from 0 to 22.
///
/// exp10(±0) = 1, exp10(-inf) = 0, exp10(inf) = inf.
#[inline(always)]
pub fn exp10<L: WideLanes>(x: F64<L>) -> F64<L> {
    let plain = !(!x.abs().le(307.0)).any();
    let x = (if plain { x } else { clamp(x, -324.0, 309.0) }) + TINY;
    let sixteenths = x.mul_add(core::f64::consts::LOG2_10, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    // The first step is exact, as for e^x.
    let rest = j.neg_mul_add(LOG10_2[1], j.neg_mul_add(LOG10_2[0], x));
    product(sixteenths, j, rest, &GROWTH_10, plain)
}

/// e^x - 1, at most 0.58 ULP.
///
/// expm1(±0) = ±0, expm1(-inf) = -1, expm1(inf) = inf. Every NaN result is `f64::NAN`.
#[inline(always)]
pub fn expm1<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    if (!(a.ge(TINY) & a.le(700.0))).any() {
        // Large results are computed 2^512 times smaller, where -1 is negligible. Below TINY the result is x.
        let (large, tiny) = (x.gt(700.0), a.lt(TINY));
        let size = expm1_of(tiny.select(1.0, clamp(x, -700.0, 711.0)), Some(large));
        let v = size * large.select(two_to(512), x.splat(1.0));
        return tiny.select(x, v.copysign(x)).replace_nan(f64::NAN);
    }
    expm1_of(x, None).copysign(x)
}

/// e^x - 1 for x from -700 to 711, times 2^-512 where `large`. Zeros give +0.
#[inline(always)]
fn expm1_of<L: WideLanes>(x: F64<L>, large: Option<Mask<f64, L>>) -> F64<L> {
    let sixteenths = x.mul_add(core::f64::consts::LOG2_E, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    // Exact, as for e^x.
    let rest = j.neg_mul_add(LN2[0], x);
    let r = j.neg_mul_add(LN2[1], rest);
    let r_low = j.neg_mul_add(LN2[1], rest - r);
    let [mut power, low] = power(sixteenths.bits());
    if let Some(large) = large {
        power = (power.bits() - large.select_bits(x.int(512 << 52), x.int(0))).float();
    }
    // power (1 + r) - 1 and its rounding error; power - 1 is 0 or larger than power r.
    let above = two_sum(power, x.splat(-1.0));
    let first = power.mul_add(r, above.hi);
    let lost = power.mul_add(r, above.hi - first);
    let small = (r * r).mul_add(horner(r, &EXP), low.mul_add(r, low + r_low));
    first + power.mul_add(small, lost + above.lo)
}
