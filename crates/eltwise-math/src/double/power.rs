//! Powers and roots of `f64`.
//!
//! * pow: `log |x|` as a pair times `y`, and the table-driven e^x of a pair. The rare arguments (0, infinities, NaN, negative x,
//!   infinite y) are sorted out after it, by C23 F.10.4.
//! * 1/√x and 1/∛x begin with an estimate of the bits (Lomont 2003, Kahan 1991), right to 3.5 %, and a polynomial in
//!   `h = 1 - x y^n` makes that 2^-35 and 2^-32. Then one step of Newton with an exact residual: of `1 - x y^2`, of `c^3 - x` for
//!   the cube root `c = x y^2`, and of `a^2 + b^2 - c^2` for hypot, whose squares are pairs.
//!
//! There is no division and no square root: they are slow in wide vectors. Tables: tools/coefficients/double_power.py.
//!
//! Errors are the largest seen among 2^24 arguments in each interesting range and 2^24 bit patterns, compared with correctly rounded
//! results (core-math); those that differed were measured with 220 bits.

use eltwise_simd::WideLanes;

use super::exponential::{raised, within};
use super::extended::{LN2, SIXTEENTHS, TINY, fast_two_sum, two_product};
use super::logarithm::{reduced_all, special};
use super::subnormal::{counted, scaled_down, scaled_up};
use crate::vector::{F64, horner};

/// x^y, at most 0.57 ULP (0.76 where the result is subnormal); exact results are exact.
///
/// pow(x, ±0) = 1 and pow(1, y) = 1, also of NaN; NaN for finite x < 0 and y not an integer; zeros, infinities and the signs of odd
/// y as in C23 F.10.4.4.
#[inline(always)]
pub fn pow<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let of = x.abs();
    let log = reduced_all(of, special(of)).parts();
    // What is added no result sees; products with subnormal numbers are slow.
    let times = y + TINY;
    let product = two_product(log.hi, times);
    let low = log.lo.mul_add(times, product.lo);
    let plain = !(!product.hi.abs().le(708.0)).any();
    let (hi, low) = if plain {
        (product.hi, low)
    } else {
        let hi = within(product.hi, -746.0, 710.0);
        (hi, hi.eq(product.hi).select(low, 0.0))
    };
    let sixteenths = hi.mul_add(core::f64::consts::LOG2_E, SIXTEENTHS);
    let j = sixteenths - SIXTEENTHS;
    let r = j.neg_mul_add(LN2[1], j.neg_mul_add(LN2[0], hi) + low);
    let power = raised(sixteenths, j, r, plain);
    if (special(x) | !y.abs().le(f64::MAX)).any() {
        return unusual_power(x, y, power);
    }
    power
}

/// pow where x or y may be special; `power` is |x|^y where neither is.
#[inline(always)]
fn unusual_power<L: WideLanes>(x: F64<L>, y: F64<L>, power: F64<L>) -> F64<L> {
    let (of, infinity) = (x.abs(), f64::INFINITY);
    let (zero, infinite) = (of.eq(0.0), of.eq(infinity));
    // 0 or infinity: where x is one of them, or y is infinite and |x| is not 1.
    let grows = (of.gt(1.0) & y.gt(0.0)) | (of.lt(1.0) & y.lt(0.0));
    let limit = grows.select(infinity, 0.0);
    let endless = y.abs().eq(infinity);
    let size = (zero | infinite | endless).select(limit, power);
    let size = (of.eq(1.0) & endless).select(1.0, size);
    // Even are all from 2^53 on, and infinity.
    let integer = y.trunc().eq(y);
    let half = y * 0.5;
    let odd = integer & half.trunc().ne(half);
    let negative = x.splat(1.0).copysign(x).lt(0.0);
    let signed = (negative & odd).select(-size, size);
    let real = zero | infinite | integer | !negative;
    let number = !(x.is_nan() | y.is_nan());
    let result = (real & number).select(signed, f64::NAN);
    (y.eq(0.0) | x.eq(1.0)).select(1.0, result)
}

/// About 1/√x for normal x > 0: relative error 2^-35.
#[inline(always)]
fn inverse_root<L: WideLanes>(x: F64<L>) -> F64<L> {
    let bits = x.bits();
    let y = (bits.splat(ROOT) - (bits >> 1)).float();
    let h = (x * y).neg_mul_add(y, 1.0);
    (y * h).mul_add(horner(h, &ROOT_TAIL), y)
}

/// 1/√x, at most 0.501 ULP.
///
/// rsqrt(±0) = ±inf, rsqrt(inf) = 0; NaN below 0.
#[inline(always)]
pub fn rsqrt<L: WideLanes>(x: F64<L>) -> F64<L> {
    let rare = special(x);
    if rare.any() {
        let small = x.lt(f64::MIN_POSITIVE);
        // Without arithmetic on subnormal numbers, which CPUs are slow at. 2^537.
        let r = near_rsqrt(small.select(counted(x), x));
        let r = small.select(r * f64::from_bits(1560 << 52), r);
        let r = x.eq(0.0).select(x.splat(f64::INFINITY).copysign(x), r);
        let r = x.eq(f64::INFINITY).select(0.0, r);
        return (x.lt(0.0) | x.is_nan()).select(f64::NAN, r);
    }
    near_rsqrt(x)
}

/// 1/√x for normal x > 0.
#[inline(always)]
fn near_rsqrt<L: WideLanes>(x: F64<L>) -> F64<L> {
    let y = inverse_root(x);
    let product = two_product(x, y);
    let h = product.lo.neg_mul_add(y, product.hi.neg_mul_add(y, 1.0));
    (y * 0.5).mul_add(h, y)
}

/// ∛x, at most 0.503 ULP; exact for cubes, odd bit for bit.
///
/// cbrt(±0) = ±0, cbrt(±inf) = ±inf.
#[inline(always)]
pub fn cbrt<L: WideLanes>(x: F64<L>) -> F64<L> {
    let of = x.abs();
    // 2^-900: below, the residual would be subnormal.
    let least = f64::from_bits(123 << 52);
    if (!(of.ge(least) & of.le(f64::MAX))).any() {
        // 2^300, and 1 over its cube root.
        let small = of.lt(least);
        let r = near_cbrt(small.select(scaled_up::<300, L>(of), of));
        let r = small.select(r * f64::from_bits(923 << 52), r);
        return (of.eq(0.0) | !of.le(f64::MAX)).select(x, r.copysign(x));
    }
    near_cbrt(of).copysign(x)
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

/// √(x² + y²), at most 0.501 ULP (0.76 where the result is subnormal); symmetric bit for bit.
///
/// inf where one is infinite, also beside NaN.
#[inline(always)]
pub fn hypot<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let (x, y) = (x.abs(), y.abs());
    let turned = x.lt(y);
    let (a, b) = (turned.select(y, x), turned.select(x, y));
    // Below 2^-500, b is nothing, and its square may be subnormal; NaN stays.
    let some = x.splat(f64::from_bits(523 << 52)).greatest(b);
    // 2^-450 and 2^500: between, squares and what they leave are normal, or b is nothing.
    let (least, most) = (f64::from_bits(573 << 52), f64::from_bits(1523 << 52));
    if (!(a.ge(least) & a.le(most))).any() {
        // 2^600
        let (up, down) = (f64::from_bits(1623 << 52), f64::from_bits(423 << 52));
        let (small, large) = (a.lt(least), a.gt(most));
        let factor = large.select(down, 1.0);
        // 2^300
        let beside = large.select(x.splat(f64::from_bits(1323 << 52)).greatest(b), some);
        let r = near_hypot(
            small.select(scaled_up::<600, L>(a), a) * factor,
            small.select(scaled_up::<600, L>(b), beside) * factor,
        );
        let r = small.select(scaled_down::<600, L>(r), r * large.select(up, 1.0));
        let r = (x.is_nan() | y.is_nan()).select(f64::NAN, r);
        return (x.eq(f64::INFINITY) | y.eq(f64::INFINITY)).select(f64::INFINITY, r);
    }
    near_hypot(a, some)
}

/// √(a² + b²) for a >= b >= 0, a between 2^-450 and 2^500, or both 0.
#[inline(always)]
fn near_hypot<L: WideLanes>(a: F64<L>, b: F64<L>) -> F64<L> {
    let (aa, bb) = (two_product(a, a), two_product(b, b));
    let sum = fast_two_sum(aa.hi, bb.hi);
    let low = sum.lo + (aa.lo + bb.lo);
    let inverse = inverse_root(sum.hi);
    let c = sum.hi * inverse;
    let rest = c.neg_mul_add(c, sum.hi) + low;
    (inverse * 0.5).mul_add(rest, c)
}

/// The bits of 1/√x are about this less half those of x.
const ROOT: i64 = 0x5fe6_eb50_c7b5_37a9;
/// The upper words of 1/∛x are about this less a third of those of x.
const CUBE_ROOT: f64 = 1_430_189_300.0;
/// (1/√(1 - h) - 1) / h; it leaves 2^-35 of the root.
const ROOT_TAIL: [f64; 6] = [
    f64::from_bits(0x3fe0_0000_0124_8b3c), // 0.5000000021285369
    f64::from_bits(0x3fd7_ffff_fed6_65b4), // 0.3749999989173276
    f64::from_bits(0x3fd3_ffef_c91a_908c), // 0.31249613417663435
    f64::from_bits(0x3fd1_7ffe_4e5d_2127), // 0.27343709614480577
    f64::from_bits(0x3fcf_b790_af97_56a0), // 0.2477894647005785
    f64::from_bits(0x3fcc_fe5c_922a_a0a7), // 0.22651250016247568
];
/// (1/∛(1 - h) - 1) / h; it leaves 2^-32 of the root.
const CUBE_ROOT_TAIL: [f64; 6] = [
    f64::from_bits(0x3fd5_5555_60f1_3c84), // 0.33333334414505367
    f64::from_bits(0x3fcc_71c6_6357_de2c), // 0.2222221360277542
    f64::from_bits(0x3fc6_1f4f_3802_b9ed), // 0.17283048853774066
    f64::from_bits(0x3fc2_709f_1a53_8a30), // 0.14406193528619005
    f64::from_bits(0x3fc0_3524_0b65_bf22), // 0.126621728482399
    f64::from_bits(0x3fbc_0968_c706_0e9c), // 0.1095185743234261
];
