//! sigmoid, silu, gelu, gelu_tanh, mish, softplus, elu, celu, selu, softcap of `f64`.
//!
//! All are forms without cancellation of one exponential `z = e^-|x|` in `(0, 1]`, known in two parts (`Exponential`, in `logistic`
//! by the table of exponential.rs), that is scaled at the end only, so that results below the smallest normal number are rounded once. Quotients keep the remainder of
//! their division (Markstein 1990), products and sums their error (Dekker 1971).
//!
//! ```text
//! logistic   x < 0: z / (1 + z), else 1 / (1 + z); silu, gelu_tanh: times x
//! mish       x < 0: x z (z + 2) / ((z + 1)^2 + 1), else x (4 z + 2) / ((2 z + 1)^2 + 1)
//! softplus   max(x, 0) + log(1 + z), the logarithm as in inverse_hyperbolic.rs
//! gelu       a = |x|: x < 0: -a Q, else a - a Q, with Q = e^(-a^2/2) M(a) and one polynomial for M from 0 to 39 (Shepherd and
//!            Laframboise 1981)
//! ```
//!
//! Errors are the largest of some 500,000 inputs in the ranges that matter, measured with 220 bits (MPFR); where results are subnormal
//! they are up to 0.75 ULP, because the sum of the two parts is rounded before it is scaled. The tables come from
//! tools/coefficients/double_activation.py.

use eltwise_simd::WideLanes;

use super::exponential::{GROWTH, power, within};
use super::extended::{LN2, Pair, SIXTEENTHS, TINY, fast_two_sum, two_product, two_sum};
use super::hyperbolic::{Reduced, quotient, reduce, tanh_parts};
use super::inverse_hyperbolic::{LOG_3_2, log_of};
use super::subnormal::{line, scaled, scaled_down, scaled_up};
use crate::vector::{F64, Mask, horner};

/// `e^x = 2^n (high + low)`, `high + low` near 0.7 to 1.42, to some 2^-60.
struct Exponential<L: WideLanes> {
    n: F64<L>,
    value: Pair<L>,
}

/// `e^(x + low)`, `|x| <= 1100`.
#[inline(always)]
fn exponential<L: WideLanes>(x: F64<L>, low: F64<L>) -> Exponential<L> {
    let Reduced { n, r, half, even, odd } = reduce(x, low);
    let first = fast_two_sum(x.splat(1.0), r);
    let second = fast_two_sum(first.hi, half);
    Exponential { n, value: fast_two_sum(second.hi, (first.lo + second.lo) + (even + odd)) }
}

impl<L: WideLanes> Exponential<L> {
    /// The number itself; what is below 2^-200 need not be exact.
    #[inline(always)]
    fn scaled(&self) -> Pair<L> {
        let factor = self.n.greatest(-200.0).power_of_two();
        Pair { hi: self.value.hi * factor, lo: self.value.lo * factor }
    }
}

/// From here down, logistic is computed 2^512 times larger and `far`.
const FAR: f64 = -600.0;

/// `factor / (1 + e^-w)` (1 for `None`) of `w + low`, w from -1000 to 1000, to 600 where there are lanes below `FAR`; then these are `far`.
///
/// z = e^-|w| is a product of a power of the table of exponentials and `1 + p`, with its rounding error.
#[inline(always)]
fn logistic<const NARROW: bool, L: WideLanes>(
    factor: Option<F64<L>>,
    w: F64<L>,
    low: Option<F64<L>>,
    far: Option<Mask<f64, L>>,
) -> F64<L> {
    // Below, z is 1, and arithmetic on subnormal numbers slow; NaN stays. Factors are not as small.
    let (negative, size) = (w.lt(0.0), if factor.is_some() { w.abs() } else { w.splat(TINY).greatest(w.abs()) });
    let sixteenths = size.mul_add(-core::f64::consts::LOG2_E, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    let mut rest = j.neg_mul_add(LN2[0], -size);
    if let Some(low) = low {
        rest = rest + (-low).xor_sign(w.bits() & w.int(i64::MIN));
    }
    let r = j.neg_mul_add(LN2[1], rest);
    let [mut power, missing] = power(sixteenths.bits());
    if let Some(far) = far {
        power = (power.bits() + far.select_bits(w.int(512 << 52), w.int(0))).float();
    }
    // By pairs: a shorter chain, so that vectors overlap.
    let square = r * r;
    let [a, b, c, d, e, f] = GROWTH;
    let upper = r.mul_add(f, r.splat(e)).mul_add(square, r.mul_add(d, r.splat(c)));
    let p = upper.mul_add(square, r.mul_add(b, r.splat(a))).mul_add(r, missing);
    let z = power.mul_add(p, power);
    let z_low = power.mul_add(p, power - z);
    let (share, share_low) = (negative.select(z, 1.0), negative.select(z_low, 0.0));
    let (above, above_low) = match factor {
        Some(factor) => (factor * share, factor.mul_add(share_low, factor.mul_sub(share, factor * share))),
        None => (share, share_low),
    };
    let (z, z_low) = match far {
        Some(far) => (far.select(0.0, z), far.select(0.0, z_low)),
        None => (z, z_low),
    };
    let below = fast_two_sum(w.splat(1.0), z);
    let inverse = w.splat(1.0) / below.hi;
    let q = above * inverse;
    let rest = q.neg_mul_add(below.hi, above) + q.neg_mul_add(below.lo + z_low, above_low);
    // Of arguments with few bits: (1 + x / 2) / 2 and x / 2 (1 + x / 2) lie next to halfway between narrower floats.
    let near = q.plus::<NARROW>(rest * inverse);
    let result = match far {
        Some(far) => far.select(scaled_down::<512, L>(near.abs()), near),
        None => near,
    };
    match factor {
        Some(factor) => result.copysign(factor),
        None => result,
    }
}

/// sigmoid x = `1 / (1 + e^-x)`, at most 0.67 ULP (0.80 where the result is subnormal), between 0 and 1.
///
/// sigmoid(±0) = 1/2, sigmoid(-inf) = 0, sigmoid(inf) = 1.
#[inline(always)]
pub fn sigmoid<L: WideLanes>(x: F64<L>) -> F64<L> {
    sigmoid_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn sigmoid_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    if (!x.abs().le(-FAR)).any() {
        return logistic::<NARROW, L>(None, within(x, -760.0, -FAR), None, Some(x.lt(FAR)));
    }
    logistic::<NARROW, L>(None, x, None, None)
}

/// silu x = `x / (1 + e^-x)`, at most 0.66 ULP (0.79 where the result is subnormal: down to x = -751.8).
///
/// silu(±0) = ±0, silu(-inf) = -0, silu(inf) = inf.
#[inline(always)]
pub fn silu<L: WideLanes>(x: F64<L>) -> F64<L> {
    silu_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn silu_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    if (!(a.ge(TINY) & a.le(-FAR))).any() {
        let w = a.lt(TINY).select(1.0, within(x, -760.0, -FAR));
        return ends(x, logistic::<NARROW, L>(Some(w), w, None, Some(x.lt(FAR))), -FAR);
    }
    logistic::<NARROW, L>(Some(x), x, None, None)
}

/// `v`, or x where that is above `most`, or x / 2 where it is below `TINY`.
#[inline(always)]
fn ends<L: WideLanes>(x: F64<L>, v: F64<L>, most: f64) -> F64<L> {
    x.gt(most).select(x, x.abs().lt(TINY).select(line(x, 0.5, 0.0), v))
}

/// The `a` in the middle of the interval of the polynomial.
const CENTRE: f64 = 5.5;
/// `sqrt(pi / 2)`, rounded.
const SLOPE: f64 = f64::from_bits(0x3ff4_0d93_1ff6_2706);
/// `((1 + SLOPE a) e^(a^2 / 2) erfc(a / sqrt 2) / 2 - 1/2) / (v (1 - v))` of `t = v - 1/2`, `v = a / (a + CENTRE)`, the even powers. Error
/// 2^-61.38 of the tail.
const TAIL_EVEN: [f64; 12] = [
    f64::from_bits(0x3fcc_4739_a42e_1357), // 0.22092361942864144
    f64::from_bits(0x3ff2_8d78_c913_3385), // 1.1595390181057337
    f64::from_bits(0x4000_77b4_8f9f_dd2e), // 2.058449861589586
    f64::from_bits(0x3ff7_8de8_70bb_9cf6), // 1.47214550052905
    f64::from_bits(0x3fa7_1bf8_6847_850a), // 0.045135271768012755
    f64::from_bits(0xbfc7_4071_5430_544c), // -0.18165413485317783
    f64::from_bits(0x3fb7_93e9_660f_a2c1), // 0.09210070363736646
    f64::from_bits(0xbfa2_707f_3d8e_ad13), // -0.036014534248659434
    f64::from_bits(0x3f8b_1c52_93f6_3491), // 0.013237614765581081
    f64::from_bits(0xbf77_1f49_663c_ba2c), // -0.005645071712747678
    f64::from_bits(0x3f70_b5c1_3b2c_1020), // 0.004079584893364824
    f64::from_bits(0xbf6a_9f2f_f7e9_ba7d), // -0.003249734581280804
];
/// The odd powers.
const TAIL_ODD: [f64; 11] = [
    f64::from_bits(0xbfe3_be10_c28c_e96f), // -0.6169513511479588
    f64::from_bits(0xbffb_6bb6_e720_b345), // -1.7137974766184965
    f64::from_bits(0xbfff_d909_0b4e_8d6e), // -1.9904871408151297
    f64::from_bits(0xbfe6_9f6c_88a1_3cb0), // -0.7069609325934803
    f64::from_bits(0x3fcf_d9a3_7755_3a35), // 0.24882930113604265
    f64::from_bits(0xbf82_c57c_f145_6f92), // -0.00916574107457516
    f64::from_bits(0xbfa1_f9e5_cb5d_a2c6), // -0.03510969264499901
    f64::from_bits(0x3f9f_385e_962b_061a), // 0.030488469996958846
    f64::from_bits(0xbf95_2a90_2eea_2564), // -0.020670178283159216
    f64::from_bits(0x3f8a_6309_9098_3faf), // 0.012884211278134076
    f64::from_bits(0xbf78_31c3_2962_2699), // -0.005906832075319856
];

/// gelu x = `x (1 + erf(x / sqrt 2)) / 2`, at most 0.79 ULP, also where the result is subnormal (down to x = -38.58).
///
/// gelu(±0) = ±0, gelu(-inf) = -0, gelu(inf) = inf.
#[inline(always)]
pub fn gelu<L: WideLanes>(x: F64<L>) -> F64<L> {
    gelu_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn gelu_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    if (!(a.ge(TINY) & a.le(37.0))).any() {
        let tiny = a.lt(TINY);
        let (v, n) = gelu_of::<NARROW, L>(tiny.select(1.0, x.splat(39.0).least(a)), x.lt(0.0));
        let v = tiny.select(line(x, 0.5, 0.0), scaled(v, n).copysign(x));
        return x.gt(10.0).select(x, v);
    }
    let (v, n) = gelu_of::<NARROW, L>(a, x.lt(0.0));
    x.gt(10.0).select(x, v.scale(n).copysign(x))
}

/// `|gelu x| = 2^n v` of `a = |x|` from `TINY` to 39: `(v, n)`.
#[inline(always)]
fn gelu_of<const NARROW: bool, L: WideLanes>(a: F64<L>, negative: Mask<f64, L>) -> (F64<L>, F64<L>) {
    let one = a.splat(1.0);
    let square = two_product(a, a);
    let e = exponential(square.hi * -0.5, square.lo * -0.5);
    // One division for v = a / (a + CENTRE) and for 1 / (1 + SLOPE a).
    let shifted = a + CENTRE;
    let below = a.mul_add(SLOPE, one);
    let below = Pair { lo: a.mul_add(SLOPE, one - below), hi: below };
    let both = one / (shifted * below.hi);
    let inverse = below.hi * both;
    let v = a * inverse;
    let rest = v.neg_mul_add(a - (shifted - CENTRE), v.neg_mul_add(shifted, a));
    let v = rest.mul_add(inverse, v);
    let t = v - 0.5;
    let t2 = t * t;
    // p = from + rest: the first terms of the sum are exact, the others small.
    let [from, even @ ..] = TAIL_EVEN;
    let rest = horner(t2, &TAIL_ODD).mul_add(t, horner(t2, &even) * t2);
    let curve = v.neg_mul_add(v, v);
    let curve_low = v.neg_mul_add(v, v - curve);
    let first = curve.mul_add(from, 0.5);
    let second = curve.mul_add(rest, first);
    let lost = curve.mul_add(from, a.splat(0.5) - first) + curve.mul_add(rest, first - second);
    let tail = Pair { hi: second, lo: curve_low.mul_add(rest + from, lost) };
    let above = two_product(tail.hi, e.value.hi);
    let above_low = tail.hi.mul_add(e.value.lo, tail.lo.mul_add(e.value.hi, above.lo));
    let whole = two_product(a, above.hi);
    let above = Pair { lo: a.mul_add(above_low, whole.lo), ..whole };
    // a times the tail, times 2^-n: the result for negative x. For others it is taken from x.
    let q = quotient(above, below, shifted * both);
    let factor = e.n.greatest(-200.0).power_of_two();
    let rest = fast_two_sum(a, -(q.hi * factor));
    let (high, low) = (negative.select(q.hi, rest.hi), negative.select(q.lo, q.lo.neg_mul_add(factor, rest.lo)));
    (high.plus::<NARROW>(low), negative.select(e.n, 0.0))
}

/// `2 sqrt(2 / pi)`, a multiple of 2^-47, and what is missing.
const TANH_FIRST: [f64; 2] = [f64::from_bits(0x3ff9_8845_33d4_3660), f64::from_bits(0xbcee_e5e0_6987_5fe9)];
/// `2 sqrt(2 / pi) 0.044715`, in two parts.
const TANH_THIRD: [f64; 2] = [f64::from_bits(0x3fb2_444f_2a4d_8b4b), f64::from_bits(0xbc26_c843_a29d_1c70)];

/// gelu with tanh: `x (1 + tanh u) / 2 = x / (1 + e^-2u)`, `u = sqrt(2 / pi) (x + 0.044715 x^3)` with the exact root and decimal; at most
/// 0.67 ULP (0.79 where the result is subnormal: down to x = -21.55).
///
/// gelu_tanh(±0) = ±0, gelu_tanh(-inf) = -0, gelu_tanh(inf) = inf.
#[inline(always)]
pub fn gelu_tanh<L: WideLanes>(x: F64<L>) -> F64<L> {
    gelu_tanh_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn gelu_tanh_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    if (!(a.ge(TINY) & a.le(19.0))).any() {
        let t = a.lt(TINY).select(1.0, within(x, -22.0, 19.0));
        let (w, low) = doubled(t);
        return ends(x, logistic::<NARROW, L>(Some(t), w, Some(low), Some(w.lt(FAR))), 19.0);
    }
    let (w, low) = doubled(x);
    logistic::<NARROW, L>(Some(x), w, Some(low), None)
}

/// `2 u` of gelu_tanh, and what is missing, up to 2 ULP.
#[inline(always)]
fn doubled<L: WideLanes>(t: F64<L>) -> (F64<L>, F64<L>) {
    let square = two_product(t, t);
    let inner = square.hi.mul_add(TANH_THIRD[0], t.splat(TANH_FIRST[0]));
    // The difference is exact: TANH_FIRST is short.
    let lost = square.hi.mul_add(TANH_THIRD[0], t.splat(TANH_FIRST[0]) - inner);
    let rest = square.lo.mul_add(TANH_THIRD[0], square.hi.mul_add(TANH_THIRD[1], t.splat(TANH_FIRST[1])));
    let w = t * inner;
    (w, t.mul_add(lost + rest, t.mul_sub(inner, w)))
}

/// mish x = `x tanh(log(1 + e^x))`, at most 0.52 ULP (0.75 where the result is subnormal: down to x = -751.8).
///
/// mish(±0) = ±0, mish(-inf) = -0, mish(inf) = inf.
#[inline(always)]
pub fn mish<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    if (!(a.ge(TINY) & a.le(700.0))).any() {
        let tiny = a.lt(TINY);
        let (v, n) = mish_of(tiny.select(1.0, within(x, -760.0, 760.0)));
        // Far down, v is up to 1065.
        let v = scaled(v.abs() * f64::from_bits((1023 - 10) << 52), n + 10.0).copysign(x);
        return x.gt(40.0).select(x, tiny.select(line(x, 0.6, SIX_TENTHS_LOW), v));
    }
    let (v, n) = mish_of(x);
    x.gt(40.0).select(x, v.scale(n).copysign(x))
}

/// 0.6 less its nearest double.
const SIX_TENTHS_LOW: f64 = f64::from_bits(0x3c79_9999_9999_999a);

/// `mish t = 2^n v`, `|t|` from `TINY` to 760: `(v, n)`.
#[inline(always)]
fn mish_of<L: WideLanes>(t: F64<L>) -> (F64<L>, F64<L>) {
    let negative = t.lt(0.0);
    let e = exponential(-t.abs(), t.splat(0.0));
    let z = e.scaled();
    // With y = z (x < 0) or 2 z, u = 1 + y: x z (1 + u) / (1 + u^2), or 2 x u / (1 + u^2).
    let factor = negative.select(1.0, t.splat(2.0));
    let u = fast_two_sum(t.splat(1.0), z.hi * factor);
    let u = fast_two_sum(u.hi, z.lo.mul_add(factor, u.lo));
    let square = two_product(u.hi, u.hi);
    let below = fast_two_sum(square.hi, t.splat(1.0));
    let below = Pair { lo: below.lo + (u.hi + u.hi).mul_add(u.lo, square.lo), ..below };
    let more = fast_two_sum(u.hi, negative.select(1.0, u.hi));
    let more_low = u.lo.mul_add(factor, more.lo);
    let outer = two_product(t, negative.select(e.value.hi, 1.0));
    let outer_low = t.mul_add(negative.select(e.value.lo, 0.0), outer.lo);
    let above = two_product(outer.hi, more.hi);
    let above = Pair { lo: above.lo + outer.hi.mul_add(more_low, outer_low * more.hi), ..above };
    let q = quotient(above, below, t.splat(1.0) / below.hi);
    (q.hi + q.lo, negative.select(e.n, 0.0))
}

/// softplus x = `log(1 + e^x)`, at most 0.53 ULP (0.75 where the result is subnormal).
///
/// softplus(±0) = log 2, softplus(-inf) = 0, softplus(inf) = inf.
#[inline(always)]
pub fn softplus<L: WideLanes>(x: F64<L>) -> F64<L> {
    let t = x.splat(-760.0).greatest(x.splat(760.0).least(x));
    let zero = x.splat(0.0);
    let e = exponential(-x.splat(TINY).greatest(t.abs()), zero);
    let z = e.scaled();
    // log(1 + z) = log c + 2 atanh((1 + z - c) / (1 + z + c)), c = 1 or 1.5.
    let upper = z.hi.gt(1.0 / 3.0);
    let below = fast_two_sum(upper.select(2.5, x.splat(2.0)), z.hi);
    let below = Pair { lo: below.lo + z.lo, ..below };
    let above = Pair { hi: z.hi - upper.select(0.5, zero), lo: z.lo };
    let s = quotient(above, below, x.splat(1.0) / below.hi);
    let log = log_of(s, [upper.select(LOG_3_2[0], zero), upper.select(LOG_3_2[1], zero)]);
    let all = two_sum(zero.greatest(t), log.hi);
    // Far out the logarithm is z, perhaps below the smallest normal number.
    let far = t.lt(-40.0);
    let v = far.select(e.value.hi, all.hi) + far.select(e.value.lo, all.lo + log.lo);
    x.gt(40.0).select(x, v.scale(far.select(e.n, zero)))
}

/// `e^(x + low) - 1`, `-1000 <= x <= 709`, in two parts; near 0 to 2^-55 of itself.
#[inline(always)]
fn less_one<L: WideLanes>(x: F64<L>, low: F64<L>) -> Pair<L> {
    let Reduced { n, r, half, even, odd } = reduce(x, low);
    let factor = n.greatest(-60.0).power_of_two();
    // Beyond 2^53 it is the 1 that is left.
    let Pair { hi: whole, lo: left } = two_sum(factor, x.splat(-1.0));
    let first = factor.mul_add(r, whole);
    let second = factor.mul_add(half, first);
    let lost = factor.mul_add(r, whole - first) + factor.mul_add(half, first - second);
    fast_two_sum(second, factor.mul_add(even + odd, lost + left))
}

/// `(a + a_low) v`, rounded: infinite and zero as `a v`, with its sign.
#[inline(always)]
fn times<const NARROW: bool, L: WideLanes>(a: F64<L>, a_low: F64<L>, v: Pair<L>) -> F64<L> {
    let lead = two_product(a, v.hi);
    let all = lead.hi.plus::<NARROW>(a.mul_add(v.lo, a_low.mul_add(v.hi, lead.lo)));
    lead.hi.abs().lt(f64::INFINITY).select(all, lead.hi).copysign(lead.hi)
}

/// elu x = `x > 0 ? x : alpha (e^x - 1)`, at most 0.54 ULP.
///
/// elu(±0) = ±0 and elu(-inf) = -alpha for positive alpha, elu(inf) = inf.
#[inline(always)]
pub fn elu<L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    elu_to::<false, L>(x, alpha)
}

#[inline(always)]
pub(super) fn elu_to<const NARROW: bool, L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    let tiny = x.abs().lt(TINY);
    if tiny.any() {
        let tiny = tiny & common(alpha);
        let size = scaled_down::<600, L>(scaled_up::<600, L>(x.abs()) * alpha.abs());
        let v = size.copysign(x).xor_sign(alpha.bits() & x.int(i64::MIN));
        return tiny.select(x.gt(0.0).select(x, v), elu_of::<NARROW, L>(tiny.select(1.0, x), alpha));
    }
    elu_of::<NARROW, L>(x, alpha)
}

/// Whether a parameter is between 2^-100 and 2^100.
#[inline(always)]
fn common<L: WideLanes>(alpha: F64<L>) -> Mask<f64, L> {
    alpha.abs().ge(f64::from_bits((1023 - 100) << 52)) & alpha.abs().le(f64::from_bits((1023 + 100) << 52))
}

#[inline(always)]
fn elu_of<const NARROW: bool, L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    let t = x.splat(-800.0).greatest(x.splat(0.0).least(x));
    let m = less_one(t, x.splat(0.0));
    let m = Pair { hi: m.hi.copysign(x), ..m };
    x.gt(0.0).select(x, times::<NARROW, L>(alpha, x.splat(0.0), m))
}

/// The exact decimal 1.0507009873554804934193349852946, in two parts.
const SELU: [f64; 2] = [f64::from_bits(0x3ff0_cfab_d6a9_1132), f64::from_bits(0x3c86_fc7d_272f_2695)];
/// That times 1.6732632423543772848170429916717.
const SELU_ALPHA: [f64; 2] = [f64::from_bits(0x3ffc_212c_c640_f031), f64::from_bits(0x3c70_5161_b045_a1fe)];

/// selu x = `scale (x > 0 ? x : alpha (e^x - 1))`, at most 0.54 ULP; the constants are Klambauer's (2017) with 31 digits.
///
/// selu(±0) = ±0, selu(-inf) = -scale alpha, selu(inf) = inf.
#[inline(always)]
pub fn selu<L: WideLanes>(x: F64<L>) -> F64<L> {
    selu_to::<false, L>(x)
}

#[inline(always)]
pub(super) fn selu_to<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let tiny = x.abs().lt(TINY);
    if tiny.any() {
        let slope = x.lt(0.0).select(line(x, SELU_ALPHA[0], SELU_ALPHA[1]), line(x, SELU[0], SELU[1]));
        return tiny.select(slope, selu_of::<NARROW, L>(tiny.select(1.0, x)));
    }
    selu_of::<NARROW, L>(x)
}

#[inline(always)]
fn selu_of<const NARROW: bool, L: WideLanes>(x: F64<L>) -> F64<L> {
    let t = x.splat(-800.0).greatest(x.splat(0.0).least(x));
    let m = less_one(t, x.splat(0.0));
    let m = Pair { hi: m.hi.copysign(x), ..m };
    let negative = times::<NARROW, L>(x.splat(SELU_ALPHA[0]), x.splat(SELU_ALPHA[1]), m);
    let positive = x.mul_add(SELU[0], x * SELU[1]);
    x.eq(f64::INFINITY).select(x, x.gt(0.0).select(positive, negative))
}

/// `a / b` in two parts, and what both were multiplied with (1, or 2^100 for so small a `b` that the
/// remainder would not fit), and its reciprocal.
#[inline(always)]
fn ratio<L: WideLanes>(a: F64<L>, b: F64<L>) -> (Pair<L>, F64<L>, F64<L>) {
    let small = b.abs().lt(1e-270);
    let up = small.select(f64::from_bits((1023 + 100) << 52), a.splat(1.0));
    let down = small.select(f64::from_bits((1023 - 100) << 52), a.splat(1.0));
    let (a, b) = (a * up, b * up);
    let high = a / b;
    (Pair { hi: high, lo: high.neg_mul_add(b, a) / b }, up, down)
}

/// celu x = `max(x, 0) + min(0, alpha (e^(x / alpha) - 1))`, at most 0.56 ULP (0.75 where the result is subnormal).
///
/// celu(±0) = ±0 and celu(-inf) = -alpha for positive alpha, celu(inf) = inf.
#[inline(always)]
pub fn celu<L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    celu_to::<false, L>(x, alpha)
}

#[inline(always)]
pub(super) fn celu_to<const NARROW: bool, L: WideLanes>(x: F64<L>, alpha: F64<L>) -> F64<L> {
    // What is x itself is taken from it below.
    let of = x;
    let tiny = x.abs().lt(TINY);
    let x = if tiny.any() { (tiny & common(alpha)).select(alpha * 1e-20, x) } else { x };
    let (q, up, down) = ratio(x, alpha);
    let near = q.hi.gt(-800.0) & q.hi.lt(709.0);
    let t = x.splat(-800.0).greatest(x.splat(709.0).least(q.hi));
    let m = less_one(t, near.select(q.lo, 0.0));
    let mut v = times::<NARROW, L>(alpha * up, x.splat(0.0), m) * down;
    // Only of a negative alpha: e^q, scaled together with it.
    let far = q.hi.ge(709.0);
    if far.any() {
        // Beyond these all results are infinite.
        let small = down.lt(1.0);
        let most = small.select(1460.0, x.splat(1380.0));
        let within = q.hi.lt(most);
        let e = exponential(within.select(q.hi, most), within.select(q.lo, 0.0));
        let lead = two_product(alpha * up, e.value.hi);
        let all = lead.hi + (alpha * up).mul_add(e.value.lo, lead.lo);
        v = far.select(all.scale(small.select(e.n - 100.0, e.n)).copysign(alpha), v);
    }
    // Below 2^-54 the result is x; there the quotient may be subnormal.
    let small = q.hi.abs().lt(5e-17);
    (x.gt(0.0) | small).select(of, v)
}

/// softcap x = `c tanh(x / c)`, at most 0.56 ULP (0.75 where the result is subnormal); odd bit for bit, never beyond ±c.
///
/// softcap(±0) = ±0, softcap(±inf) = ±|c|, and x where c is infinite.
#[inline(always)]
pub fn softcap<L: WideLanes>(x: F64<L>, c: F64<L>) -> F64<L> {
    softcap_to::<false, L>(x, c)
}

#[inline(always)]
pub(super) fn softcap_to<const NARROW: bool, L: WideLanes>(x: F64<L>, c: F64<L>) -> F64<L> {
    // What is x itself is taken from it below.
    let of = x;
    let tiny = x.abs().lt(TINY);
    let x = if tiny.any() { (tiny & common(c)).select(c * 1e-20, x) } else { x };
    let (q, up, down) = ratio(x.abs(), c.abs());
    let t = x.splat(22.0).least(q.hi);
    let tanh = tanh_parts(t, q.hi.lt(22.0).select(q.lo, 0.0));
    let v = times::<NARROW, L>(c.abs() * up, x.splat(0.0), tanh) * down;
    q.hi.lt(3e-9).select(of, v.copysign(of))
}
