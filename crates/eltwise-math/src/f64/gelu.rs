//! gelu of `f64`: `x Phi(x)`, Phi the distribution function of the normal distribution.
//!
//! 1. No cancellation: with `a = |x|` and the tail `Q = Phi(-a)`, `-a Q` for x < 0, else `a - a Q`.
//! 2. `Q = e^(-a^2/2) M(a)`; e^(-a^2/2) as a pair (`exp_pair.rs`), with a^2 exact.
//! 3. M for a from 0 to 39 is one polynomial of degree 22 in `v = a / (a + CENTRE)`, over `1 + SLOPE a` (Shepherd and
//!    Laframboise 1981, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < inf"). One division serves
//!    both quotients.
//! 4. The quotient keeps its remainder (Markstein 1990), products and sums keep their rounding errors (Dekker 1971);
//!    the power of two is multiplied in last.
//!
//! Errors are the largest over some 500,000 inputs in the relevant ranges, measured with 220 bits (MPFR).
//! Tables: `tools/coefficients/f64_activation.py`.

use eltwise_simd::WideLanes;

use super::constants::TINY;
use super::double_double::{Pair, fast_two_sum, quotient, two_product};
use super::exp_pair::exponential;
use super::subnormal::{linear, scaled};
use crate::polynomial::horner;
use crate::vector::{F64, Mask};

/// The `a` with v = 1/2, the middle of the interval of the polynomial.
const CENTRE: f64 = 5.5;

/// `sqrt(pi / 2)`, rounded.
const SLOPE: f64 = f64::from_bits(0x3ff4_0d93_1ff6_2706);

/// `((1 + SLOPE a) e^(a^2 / 2) erfc(a / sqrt 2) / 2 - 1/2) / (v (1 - v))` of `t = v - 1/2`, `v = a / (a + CENTRE)`: the
/// even powers. Error 2^-61.38 of the tail.
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

/// The odd powers of the polynomial of [`TAIL_EVEN`].
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

/// gelu x = `x (1 + erf(x / sqrt 2)) / 2` (Hendrycks and Gimpel 2016), at most 0.79 ULP, also if the result is
/// subnormal (down to x = -38.58).
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
        let v = tiny.select(linear(x, 0.5, 0.0), scaled(v, n).copysign(x));
        return x.gt(10.0).select(x, v);
    }
    let (v, n) = gelu_of::<NARROW, L>(a, x.lt(0.0));
    x.gt(10.0).select(x, v.scale(n).copysign(x))
}

/// A quotient of two pairs, and the reciprocal of the second.
pub(super) struct Ratio<L: WideLanes> {
    pub(super) tail: Pair<L>,
    pub(super) below: Pair<L>,
    pub(super) inverse: F64<L>,
}

/// `e^(a^2/2) Phi(-a)`, for a from 0 to 39.
#[inline(always)]
pub(super) fn tail_ratio<L: WideLanes>(a: F64<L>) -> Ratio<L> {
    let one = a.splat(1.0);
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
    // The polynomial is `from + rest`: products with `from` are exact, the others small.
    let [from, even @ ..] = TAIL_EVEN;
    let rest = horner(t2, &TAIL_ODD).mul_add(t, horner(t2, &even) * t2);
    let curve = v.neg_mul_add(v, v);
    let curve_low = v.neg_mul_add(v, v - curve);
    let first = curve.mul_add(from, 0.5);
    let second = curve.mul_add(rest, first);
    let lost = curve.mul_add(from, a.splat(0.5) - first) + curve.mul_add(rest, first - second);
    let tail = Pair { hi: second, lo: curve_low.mul_add(rest + from, lost) };
    Ratio { tail, below, inverse: shifted * both }
}

/// `(v, n)` with `|gelu x| = 2^n v`, for `a = |x|` from `TINY` to 39.
#[inline(always)]
fn gelu_of<const NARROW: bool, L: WideLanes>(a: F64<L>, negative: Mask<f64, L>) -> (F64<L>, F64<L>) {
    let square = two_product(a, a);
    let e = exponential(square.hi * -0.5, square.lo * -0.5);
    let Ratio { tail, below, inverse } = tail_ratio(a);
    let above = two_product(tail.hi, e.value.hi);
    let above_low = tail.hi.mul_add(e.value.lo, tail.lo.mul_add(e.value.hi, above.lo));
    let whole = two_product(a, above.hi);
    let above = Pair { lo: a.mul_add(above_low, whole.lo), ..whole };
    // q = 2^-n a Q: the result for negative x; for others it is subtracted from a.
    let q = quotient(above, below, inverse);
    let factor = e.n.greatest(-200.0).power_of_two();
    let rest = fast_two_sum(a, -(q.hi * factor));
    let (high, low) = (negative.select(q.hi, rest.hi), negative.select(q.lo, q.lo.neg_mul_add(factor, rest.lo)));
    (high.plus::<NARROW>(low), negative.select(e.n, 0.0))
}
