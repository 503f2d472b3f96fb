//! sinh, cosh, tanh of `f64`.
//!
//! The argument is reduced as that of an exponential, `|x| = n ln 2 + r` with `|r| <= ln 2 / 2` in two parts (Cody and Waite), and
//! the hyperbolic functions of `r` are two short polynomials of `r^2`: `Reduced`. The addition theorems
//!
//! ```text
//! sinh |x| = (2^n - 2^-n)/2 cosh r + (2^n + 2^-n)/2 sinh r
//! cosh |x| = (2^n + 2^-n)/2 cosh r + (2^n - 2^-n)/2 sinh r
//! ```
//!
//! need no second exponential, and lose nothing where `n` is 0: sinh is then the odd polynomial. The factors are exact while
//! `n <= 26`; above, what does not fit is below the last place and is added there. The two leading terms are summed with their
//! error (Dekker 1971). tanh is the quotient, with the remainder of the division (Markstein 1990).
//!
//! Errors are the largest of some 500,000 inputs in the ranges that matter, measured with 220 bits (MPFR); besides, millions of inputs
//! and of random bit patterns were compared with the correctly rounded results of core-math: none is further than its neighbour.
//! The tables come from tools/coefficients/double_hyperbolic.py.

use eltwise_simd::WideLanes;

use super::extended::{Pair, fast_two_sum};
use crate::vector::{F64, horner};

/// Added and subtracted, it rounds to an integer.
const MAGIC: f64 = 6755399441055744.0;
/// `ln 2`, upper 42 bits.
pub(super) const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800);
/// `ln 2 - LN2_HIGH`
pub(super) const LN2_LOW: f64 = f64::from_bits(0x3d2e_f357_93c7_6730);
/// (cosh r - 1 - r^2/2) / r^4 of r^2. Error 2^-69.97 of 1.
const EVEN: [f64; 5] = [
    f64::from_bits(0x3fa5_5555_5555_5558), // 0.041666666666666685
    f64::from_bits(0x3f56_c16c_16c1_4ff8), // 0.001388888888887328
    f64::from_bits(0x3efa_01a0_1ad8_2350), // 2.4801587349218654e-05
    f64::from_bits(0x3e92_7e4c_c05f_9733), // 2.7557251802559157e-07
    f64::from_bits(0x3e21_f8bf_3a67_a9a7), // 2.09217750349969e-09
];
/// (sinh r - r) / r^3 of r^2. Error 2^-61.69 of sinh r.
const ODD: [f64; 5] = [
    f64::from_bits(0x3fc5_5555_5555_5559), // 0.16666666666666677
    f64::from_bits(0x3f81_1111_1110_f62a), // 0.008333333333321386
    f64::from_bits(0x3f2a_01a0_1b02_042f), // 0.00019841269886814022
    f64::from_bits(0x3ec7_1ddf_7b03_d86c), // 2.75572434571118e-06
    f64::from_bits(0x3e5a_f5ff_213d_42dc), // 2.5109317360844177e-08
];

/// `a / b`, of which the second part is rounded to few more bits than it needs: an error near 2^-100 of the quotient if `1 / b.hi`
/// is known to some 50 bits.
#[inline(always)]
pub(super) fn quotient<L: WideLanes>(a: Pair<L>, b: Pair<L>, reciprocal: F64<L>) -> Pair<L> {
    let high = a.hi * reciprocal;
    let rest = high.neg_mul_add(b.hi, a.hi) + high.neg_mul_add(b.lo, a.lo);
    Pair { hi: high, lo: rest * reciprocal }
}

/// `x = n ln 2 + r`, `e^r = 1 + r + half + even + odd`: `half` is `r^2/2` rounded, `even = cosh r - 1 - half`, `odd = sinh r - r` with
/// what `r` itself leaves out.
pub(super) struct Reduced<L: WideLanes> {
    pub n: F64<L>,
    pub r: F64<L>,
    pub half: F64<L>,
    pub even: F64<L>,
    pub odd: F64<L>,
}

/// Reduces `x + low` where `|x| <= 1200` and `|low|` is less than the last place of `x`. `even` and `odd` are known to 2^-60.
#[inline(always)]
pub(super) fn reduce<L: WideLanes>(x: F64<L>, low: F64<L>) -> Reduced<L> {
    let n = x.mul_add(core::f64::consts::LOG2_E, MAGIC) - MAGIC;
    // Exact: what cancels is a multiple of the last place of x, and of 2^-42.
    let most = n.neg_mul_add(LN2_HIGH, x);
    let least = n.neg_mul_add(LN2_LOW, low);
    let Pair { hi: r, lo: rest } = fast_two_sum(most, least);
    let r2 = r * r;
    let odd = horner(r2, &ODD).mul_add(r2 * r, rest);
    let lost = r.mul_sub(r, r2).mul_add(0.5, r * rest);
    let even = horner(r2, &EVEN).mul_add(r2 * r2, lost);
    Reduced { n, r, half: r2 * 0.5, even, odd }
}

/// Four times sinh and cosh of `a + low`, `a >= 0`, both times 2^-n, `n` rounded `a / ln 2`; each as a leading part
/// and a rest up to 1/50 of it.
struct Hyperbolic<L: WideLanes> {
    n: F64<L>,
    sinh: Pair<L>,
    cosh: Pair<L>,
}

#[inline(always)]
fn hyperbolic<L: WideLanes>(a: F64<L>, low: F64<L>) -> Hyperbolic<L> {
    let Reduced { n, r, half, even, odd } = reduce(a, low);
    // 2^(1 - 2n), of which what is too small for the sums with 2 is e^-2a itself, near enough.
    let tiny = n.least(60.0).neg_mul_add(2.0, a.splat(1.0)).power_of_two();
    let (plus, minus) = (tiny + 2.0, a.splat(2.0) - tiny);
    let left = (tiny - (plus - 2.0)) * (a.splat(1.0) - r);
    Hyperbolic {
        n,
        sinh: mixed([minus, plus], r, half, even, odd, -left),
        cosh: mixed([plus, minus], r, half, even, odd, left),
    }
}

/// `a cosh r + b sinh r + left`, the leading terms with what they lose.
#[inline(always)]
fn mixed<L: WideLanes>(
    [a, b]: [F64<L>; 2],
    r: F64<L>,
    half: F64<L>,
    even: F64<L>,
    odd: F64<L>,
    left: F64<L>,
) -> Pair<L> {
    let first = b.mul_add(r, a);
    let second = a.mul_add(half, first);
    let lost = b.mul_add(r, a - first) + a.mul_add(half, first - second);
    Pair { hi: second, lo: b.mul_add(odd, a.mul_add(even, lost + left)) }
}

/// `v * 2^(n - 2)`, rounded once: infinite beyond the largest number.
#[inline(always)]
fn scaled<L: WideLanes>(v: Pair<L>, n: F64<L>) -> F64<L> {
    (v.hi + v.lo) * (n - 2.0).power_of_two()
}

/// sinh x, at most 0.58 ULP; odd bit for bit.
///
/// sinh(±0) = ±0, sinh(±inf) = ±inf.
#[inline(always)]
pub fn sinh<L: WideLanes>(x: F64<L>) -> F64<L> {
    // NaN stays; above 710.476 all are infinite.
    let a = x.splat(710.7).least(x.abs());
    let Hyperbolic { n, sinh, .. } = hyperbolic(a, x.splat(0.0));
    scaled(sinh, n).copysign(x)
}

/// cosh x, at most 0.53 ULP; even bit for bit.
///
/// cosh(±0) = 1, cosh(±inf) = inf.
#[inline(always)]
pub fn cosh<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.splat(710.7).least(x.abs());
    let Hyperbolic { n, cosh, .. } = hyperbolic(a, x.splat(0.0));
    scaled(cosh, n)
}

/// tanh x, at most 0.55 ULP; odd bit for bit, never beyond ±1.
///
/// tanh(±0) = ±0, tanh(±inf) = ±1.
#[inline(always)]
pub fn tanh<L: WideLanes>(x: F64<L>) -> F64<L> {
    let tanh = tanh_parts(x.splat(22.0).least(x.abs()), x.splat(0.0));
    (tanh.hi + tanh.lo).copysign(x)
}

/// tanh of `a + low`, `0 <= a <= 22`.
#[inline(always)]
pub(super) fn tanh_parts<L: WideLanes>(a: F64<L>, low: F64<L>) -> Pair<L> {
    let Hyperbolic { sinh, cosh, .. } = hyperbolic(a, low);
    let (sinh, cosh) = (fast_two_sum(sinh.hi, sinh.lo), fast_two_sum(cosh.hi, cosh.lo));
    quotient(sinh, cosh, a.splat(1.0) / cosh.hi)
}
