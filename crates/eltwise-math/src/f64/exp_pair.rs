//! e^x, e^x - 1 and tanh x as pairs (`hi + lo`), relative error about 2^-60. Faster than `double_double/exp.rs`: the
//! parts of e^r are polynomials in r^2, and there is no table.
//!
//! 1. Reduction: `x = n ln 2 + r` with an integer n, `|r| <= ln 2 / 2`.
//! 2. `e^r = cosh r + sinh r`: `r` and `r^2 / 2` are kept with their rounding errors, the others are minimax
//!    polynomials ([`EVEN`], [`ODD`]).
//! 3. `tanh = sinh / cosh`, a quotient of pairs; sinh and cosh come from the same parts, with `2^n` and `2^-n`.
//!
//! Tables: `tools/coefficients/f64_hyperbolic.py`.

use eltwise_simd::WideLanes;

use super::double_double::{Pair, fast_two_sum, quotient, two_sum};
use crate::polynomial::horner;
use crate::vector::F64;

/// 1.5 * 2^52: adding and subtracting it rounds to an integer.
const ROUND: f64 = 6755399441055744.0;

/// The upper 42 bits of `ln 2`.
const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fefa_3800);

/// `ln 2 - LN2_HIGH`.
const LN2_LOW: f64 = f64::from_bits(0x3d2e_f357_93c7_6730);

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

/// `x = n ln 2 + r`, `e^r = 1 + r + half + even + odd`: `half` is `r^2/2`, rounded, `even = cosh r - 1 - half`, and
/// `odd = sinh r - r` plus the rounding error of `r`.
struct Reduced<L: WideLanes> {
    n: F64<L>,
    r: F64<L>,
    half: F64<L>,
    even: F64<L>,
    odd: F64<L>,
}

/// Reduces `x + low` for `|x| <= 1200` and `|low|` below the last place of `x`. `even` and `odd` are known to 2^-60.
#[inline(always)]
fn reduce<L: WideLanes>(x: F64<L>, low: F64<L>) -> Reduced<L> {
    let n = x.mul_add(core::f64::consts::LOG2_E, ROUND) - ROUND;
    // Exact: the operands are multiples of the last place of x or of 2^-42, and cancel.
    let most = n.neg_mul_add(LN2_HIGH, x);
    let least = n.neg_mul_add(LN2_LOW, low);
    let Pair { hi: r, lo: rest } = fast_two_sum(most, least);
    let r2 = r * r;
    let odd = horner(r2, &ODD).mul_add(r2 * r, rest);
    let lost = r.mul_sub(r, r2).mul_add(0.5, r * rest);
    let even = horner(r2, &EVEN).mul_add(r2 * r2, lost);
    Reduced { n, r, half: r2 * 0.5, even, odd }
}

/// `4 * 2^-n sinh(a + low)` and the same of cosh, for `a >= 0` and n = `a / ln 2` rounded. In each pair, `lo` is at
/// most 1/50 of `hi`.
struct SinhCosh<L: WideLanes> {
    sinh: Pair<L>,
    cosh: Pair<L>,
}

#[inline(always)]
fn sinh_cosh<L: WideLanes>(a: F64<L>, low: F64<L>) -> SinhCosh<L> {
    let Reduced { n, r, half, even, odd } = reduce(a, low);
    // 2^(1 - 2n). From n = 60 on it is too small to matter in the sums with 2.
    let tiny = n.least(60.0).neg_mul_add(2.0, a.splat(1.0)).power_of_two();
    let (plus, minus) = (tiny + 2.0, a.splat(2.0) - tiny);
    let left = (tiny - (plus - 2.0)) * (a.splat(1.0) - r);
    SinhCosh {
        sinh: linear_combination([minus, plus], r, half, even, odd, -left),
        cosh: linear_combination([plus, minus], r, half, even, odd, left),
    }
}

/// `a cosh r + b sinh r + left`, with the rounding errors of the leading terms.
#[inline(always)]
fn linear_combination<L: WideLanes>(
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

/// tanh(a + low) for `0 <= a <= 22`.
#[inline(always)]
pub(super) fn tanh_pair<L: WideLanes>(a: F64<L>, low: F64<L>) -> Pair<L> {
    let SinhCosh { sinh, cosh } = sinh_cosh(a, low);
    let (sinh, cosh) = (fast_two_sum(sinh.hi, sinh.lo), fast_two_sum(cosh.hi, cosh.lo));
    quotient(sinh, cosh, a.splat(1.0) / cosh.hi)
}

/// `e^x = 2^n value`, value from about 0.7 to 1.42, relative error about 2^-60.
pub(super) struct Exponential<L: WideLanes> {
    pub(super) n: F64<L>,
    pub(super) value: Pair<L>,
}

/// `e^(x + low)` for `|x| <= 1100`.
#[inline(always)]
pub(super) fn exponential<L: WideLanes>(x: F64<L>, low: F64<L>) -> Exponential<L> {
    let Reduced { n, r, half, even, odd } = reduce(x, low);
    let first = fast_two_sum(x.splat(1.0), r);
    let second = fast_two_sum(first.hi, half);
    Exponential { n, value: fast_two_sum(second.hi, (first.lo + second.lo) + (even + odd)) }
}

impl<L: WideLanes> Exponential<L> {
    /// The number itself. Values below 2^-200 are not exact.
    #[inline(always)]
    pub(super) fn scaled(&self) -> Pair<L> {
        let factor = self.n.greatest(-200.0).power_of_two();
        Pair { hi: self.value.hi * factor, lo: self.value.lo * factor }
    }
}

/// `e^(x + low) - 1` for `-1000 <= x <= 709`, as a pair; near 0 with a relative error of 2^-55.
#[inline(always)]
pub(super) fn expm1_pair<L: WideLanes>(x: F64<L>, low: F64<L>) -> Pair<L> {
    let Reduced { n, r, half, even, odd } = reduce(x, low);
    let factor = n.greatest(-60.0).power_of_two();
    // Above 2^53, `whole` is the factor and `left` is -1.
    let Pair { hi: whole, lo: left } = two_sum(factor, x.splat(-1.0));
    let first = factor.mul_add(r, whole);
    let second = factor.mul_add(half, first);
    let lost = factor.mul_add(r, whole - first) + factor.mul_add(half, first - second);
    fast_two_sum(second, factor.mul_add(even + odd, lost + left))
}
