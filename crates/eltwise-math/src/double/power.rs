//! Powers and roots of `f64`.
//!
//! * pow: `log |x|` as a pair times `y`, and the table-driven e^x of a pair. The rare arguments (0, infinities, NaN, negative x,
//!   infinite y) are sorted out after it, by C23 F.10.4.
//! * 1/√x and 1/∛x begin with an estimate `y` of the bits (Lomont 2003, Kahan 1991), right to 3 %, and a polynomial in
//!   `c - x y^n` makes that 2^-21 and 2^-32. The estimate of 1/√x is 0.84 of it: there the cubic that approximates 1/√t of
//!   `t = x y^2` begins with 1 and has, by the choice of `c`, no square, and is three operations. Then one step, of the third and of
//!   the second order, with an exact residual: of `1 - x y^2` for such `y` that their squares are exact, of `c^3 - x` for the
//!   cube root `c = x y^2`, and of `a^2 + b^2 - c^2` for hypot, whose squares are a sum of two numbers.
//!
//! There is no division and no square root: they are slow in wide vectors. Tables: tools/coefficients/double_power.py.
//!
//! Errors are the largest seen among 2^24 arguments in each interesting range and 2^24 bit patterns, compared with correctly rounded
//! results (core-math); those that differed were measured with 220 bits.

use eltwise_simd::WideLanes;

use super::exponential::{raised, within};
use super::extended::{LN2, SIXTEENTHS, TINY, two_product};
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

/// About 1/√x for normal x > 0, `[y, q]` with `y q` to a relative error of 2^-21.
#[inline(always)]
fn inverse_root<L: WideLanes>(x: F64<L>) -> [F64<L>; 2] {
    let bits = x.bits();
    let y = (bits.splat(ROOT) - (bits >> 1)).float();
    let [c, a, b] = ROOT_CUBIC;
    let h = (x * y).neg_mul_add(y, c);
    [y, h.mul_add(h, a).mul_add(h, b)]
}

/// 1/√x, at most 0.501 ULP; exact for powers of 4.
///
/// rsqrt(±0) = ±inf, rsqrt(inf) = 0; NaN below 0.
#[inline(always)]
pub fn rsqrt<L: WideLanes>(x: F64<L>) -> F64<L> {
    // From 2^1020 on, the square of the result may be subnormal.
    if (!x.bits().between(1 << 52, 2043 << 52)).any() {
        let (small, large) = (x.lt(f64::MIN_POSITIVE), x.ge(f64::from_bits(2043 << 52)));
        // Without arithmetic on subnormal numbers, which CPUs are slow at. 2^-4 and 2^-2; 2^537.
        let less = (x.bits() - x.int(4 << 52)).float();
        let r = near_rsqrt(small.select(counted(x), large.select(less, x)));
        let r = r * small.select(f64::from_bits(1560 << 52), large.select(0.25, x.splat(1.0)));
        let r = x.eq(0.0).select(x.splat(f64::INFINITY).copysign(x), r);
        let r = x.eq(f64::INFINITY).select(0.0, r);
        return (x.lt(0.0) | x.is_nan()).select(f64::NAN, r);
    }
    near_rsqrt(x)
}

/// 1/√x for x > 0 from 2^-1022 to 2^1020.
#[inline(always)]
fn near_rsqrt<L: WideLanes>(x: F64<L>) -> F64<L> {
    let [y, q] = inverse_root(x);
    // Of 26 digits: its square is exact.
    let y = ((y * q).bits() & x.int(-1 << 27)).float();
    let h = x.neg_mul_add(y * y, 1.0);
    (y * h).mul_add(h.mul_add(0.375, x.splat(0.5)), y)
}

/// ∛x, at most 0.503 ULP; exact for cubes, odd bit for bit.
///
/// cbrt(±0) = ±0, cbrt(±inf) = ±inf. NaN is the quiet one.
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
        return (of.eq(0.0) | !of.le(f64::MAX)).select(x, r.copysign(x)).replace_nan(f64::NAN);
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
/// inf where one is infinite, also beside NaN. NaN is the quiet one.
#[inline(always)]
pub fn hypot<L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    hypot_to::<false, L>(x, y)
}

#[inline(always)]
pub(super) fn hypot_to<const NARROW: bool, L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let (x, y) = (x.abs(), y.abs());
    // NaN is in one of them.
    let (a, b) = (x.greatest(y), y.least(x));
    // From 2^-450 on, squares and what they leave are normal; beside such a length, what is below 2^-500 is nothing.
    let least = f64::from_bits(573 << 52);
    let b = if !(!b.ge(least)).any() {
        b
    } else if !(!a.ge(least)).any() {
        at_least(b, -500)
    } else {
        return hypot_ends::<NARROW, L>(x, y);
    };
    let near = near_hypot(a, b);
    if NARROW && !(near.root.is_short() | near.root.is_nan()).any() {
        return near.root;
    }
    // Where the sum of the squares is infinite, this is NaN or infinite, which is short.
    if (!near.root.le(f64::MAX)).any() { hypot_ends::<NARROW, L>(x, y) } else { near.rounded::<NARROW>() }
}

/// [`hypot`] of two lengths where one may be of any size.
#[inline(always)]
fn hypot_ends<const NARROW: bool, L: WideLanes>(x: F64<L>, y: F64<L>) -> F64<L> {
    let (a, b) = (x.greatest(y), y.least(x));
    let (small, large) = (a.lt(f64::from_bits(573 << 52)), a.ge(f64::from_bits(1523 << 52)));
    // 2^600
    let (up, down) = (f64::from_bits(1623 << 52), f64::from_bits(423 << 52));
    let factor = large.select(down, 1.0);
    let beside = large.select(at_least(b, 300), at_least(b, -500));
    let near = near_hypot(
        small.select(scaled_up::<600, L>(a), a) * factor,
        small.select(scaled_up::<600, L>(b), beside) * factor,
    );
    let r = near.rounded::<NARROW>();
    let r = small.select(scaled_down::<600, L>(r), r * large.select(up, 1.0));
    let r = (x.is_nan() | y.is_nan()).select(f64::NAN, r);
    (x.eq(f64::INFINITY) | y.eq(f64::INFINITY)).select(f64::INFINITY, r)
}

/// b, or 2^exponent, which is nothing beside the other length, and whose square is normal; NaN stays.
#[inline(always)]
fn at_least<L: WideLanes>(b: F64<L>, exponent: i64) -> F64<L> {
    b.splat(f64::from_bits(((exponent + 1023) as u64) << 52)).greatest(b)
}

/// √(a² + b²), and the sum of the squares in two parts.
struct Hypot<L: WideLanes> {
    root: F64<L>,
    sum: F64<L>,
    low: F64<L>,
}

/// √(a² + b²) for a >= b >= 0, a from 2^-450 on and b² normal or nothing beside a², or both 0.
#[inline(always)]
fn near_hypot<L: WideLanes>(a: F64<L>, b: F64<L>) -> Hypot<L> {
    // The sum of the squares in two parts: of aa and b² as of any two numbers (Dekker).
    let aa = a * a;
    let sum = b.mul_add(b, aa);
    let low = b.mul_sub(b, sum - aa) + a.mul_sub(a, aa);
    let [y, q] = inverse_root(sum);
    let (inverse, c) = (y * q, (sum * y) * q);
    // √(c² + rest) = c / √(1 - h)
    let h = c.neg_mul_add(inverse, 1.0);
    let rest = c.neg_mul_add(c, sum) + low;
    Hypot { root: (rest * inverse).mul_add(h.mul_add(0.375, a.splat(0.5)), c), sum, low }
}

impl<L: WideLanes> Hypot<L> {
    /// The root; if `NARROW`, where it may lie halfway between narrower floats and is not exact, the next number toward the exact one.
    #[inline(always)]
    fn rounded<const NARROW: bool>(self) -> F64<L> {
        let Hypot { root, sum, low } = self;
        let short = root.is_short();
        if NARROW && short.any() {
            // Of operands of f32 the square lacks at least 2^-70 of itself, where the root is not but next to halfway between two.
            let rest = root.neg_mul_add(root, sum) + low;
            let next = (root.bits() + rest.lt(0.0).select_bits(root.int(-1), root.int(1))).float();
            return (short & rest.abs().gt(sum * f64::from_bits((1023 - 71) << 52))).select(next, root);
        }
        root
    }
}

/// The bits of 0.84/√x are about this less half those of x.
const ROOT: i64 = 0x5fe2_cb50_c7b5_37a9;
/// `c`, `a`, `b`: 1/√t is `h (h² + a) + b`, `h = c - t`, for `t = x y²` of such y = 0.84/√x; it leaves 2^-21 of the root.
const ROOT_CUBIC: [f64; 3] = [
    f64::from_bits(0x3ff0_1433_8bd2_5907), // 1.004931970766451
    f64::from_bits(0x3fe2_6518_e936_39e3), // 0.5748409800451636
    f64::from_bits(0x3fef_bb15_faa5_b2a6), // 0.9915876288847201
];
/// The upper words of 1/∛x are about this less a third of those of x.
const CUBE_ROOT: f64 = 1_430_189_300.0;
/// (1/∛(1 - h) - 1) / h; it leaves 2^-32 of the root.
const CUBE_ROOT_TAIL: [f64; 6] = [
    f64::from_bits(0x3fd5_5555_60f1_3c84), // 0.33333334414505367
    f64::from_bits(0x3fcc_71c6_6357_de2c), // 0.2222221360277542
    f64::from_bits(0x3fc6_1f4f_3802_b9ed), // 0.17283048853774066
    f64::from_bits(0x3fc2_709f_1a53_8a30), // 0.14406193528619005
    f64::from_bits(0x3fc0_3524_0b65_bf22), // 0.126621728482399
    f64::from_bits(0x3fbc_0968_c706_0e9c), // 0.1095185743234261
];
