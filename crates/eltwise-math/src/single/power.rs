//! pow, cbrt, rsqrt, hypot of `f32`.
//!
//! The roots start from bits divided by 2 or 3 (a seed within 4 %), of which one step of the binomial series in h = 1 - a y^n makes a
//! root (for cbrt its square). rsqrt's seeds have 8 bits, so that y^2 is exact; hypot adds half of what the roundings lost of s y and of the
//! sum of the squares s (Dekker 1971), cbrt the residual, computed without rounding, times the derivative.
//! No division, no square root, no estimate. pow is 2^(y log2 x) in `f32` lanes, with log2 x and y log2 x as sums of two numbers
//! (Dekker 1971): log2 from 16 reciprocals 1/c so short that x/c - 1 is exact, and log2 c in two parts (Tang 1989), with c = 1 around 1, so
//! that nothing cancels there; 2^v from 16 powers in two parts. Negative numbers, zeros, subnormal numbers, infinities, NaN and
//! results near the ends of the range are a rare branch.
//!
//! Largest errors: rsqrt 0.63, cbrt 0.503 ULP of all 2^32 inputs; pow 0.81 ULP (subnormal results; 0.68 otherwise) of 2^30 pairs and
//! hypot 0.91 ULP (subnormal results; 0.86 otherwise) of 2^28 pairs, random and near every special value and threshold.
//!
//! Coefficients: `tools/coefficients/single_power.py`.

use eltwise_simd::WideLanes;

use super::logarithm::two_to;
use super::subnormal::{TWO_23, counted, scaled_down, scaled_up};
use crate::vector::{Bits, F32, horner};

/// (1 - h)^(-1/2) = 1 + h p(h) for |h| < 0.0684, error 2^-30.
const RSQRT: [f32; 5] = [
    f32::from_bits(0x3f00_0000), // 0.5
    f32::from_bits(0x3ebf_ffb8), // 0.3749978542327881
    f32::from_bits(0x3e9f_ff5a), // 0.31249505281448364
    f32::from_bits(0x3e8c_c149), // 0.27491214871406555
    f32::from_bits(0x3e7d_f1b9), // 0.2479924112558365
];
/// The same for -0.0647 < h < 0.0784, error 2^-29.
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
/// The bits that make h symmetric around 0.
const RSQRT_SEED: i32 = 0x5f37_4753;
/// Without the lower half of all bits.
const RSQRT_SHORT_SEED: i32 = 0x5f36_0000;
const CBRT_SEED: i32 = 0x54a1_f5bb;

/// 2^124 as bits.
const LARGE: i32 = 0x7d80_0000;

/// What an exponent field above 2^23 has more than the exponent.
const BIAS: f32 = two_to(23) + 127.0;
/// The lowest mantissa of pow's 16 intervals, 0.7039, as bits.
const CUT: i32 = 0x3f34_3000;
/// 1.0 as bits.
const ONE: i32 = 0x3f80_0000;
/// 1/(2 c), c near the middle of an interval: so short that m/(2 c) - 1/2 is exact for every m of 24 bits.
const HALF_RECIPROCALS: [f32; 16] = [
    f32::from_bits(0x3f30_0000), // 0.6875
    f32::from_bits(0x3f2c_0000), // 0.671875
    f32::from_bits(0x3f24_0000), // 0.640625
    f32::from_bits(0x3f1c_0000), // 0.609375
    f32::from_bits(0x3f18_0000), // 0.59375
    f32::from_bits(0x3f14_0000), // 0.578125
    f32::from_bits(0x3f0c_0000), // 0.546875
    f32::from_bits(0x3f08_0000), // 0.53125
    f32::from_bits(0x3f04_0000), // 0.515625
    f32::from_bits(0x3f00_0000), // 0.5
    f32::from_bits(0x3ef0_0000), // 0.46875
    f32::from_bits(0x3ee4_0000), // 0.4453125
    f32::from_bits(0x3ed8_0000), // 0.421875
    f32::from_bits(0x3ecc_0000), // 0.3984375
    f32::from_bits(0x3ec4_0000), // 0.3828125
    f32::from_bits(0x3eb8_0000), // 0.359375
];
/// log2 c: 16 bits after the point, which leaves its sums with exponents exact,
const LOG2_C: [f32; 16] = [
    f32::from_bits(0xbeeb_3a00), // -0.4594268798828125
    f32::from_bits(0xbeda_4000), // -0.42626953125
    f32::from_bits(0xbeb7_1200), // -0.3575592041015625
    f32::from_bits(0xbe92_2000), // -0.285400390625
    f32::from_bits(0xbe7d_e000), // -0.2479248046875
    f32::from_bits(0xbe56_7c00), // -0.2094573974609375
    f32::from_bits(0xbe04_6400), // -0.1292877197265625
    f32::from_bits(0xbdb3_2000), // -0.08746337890625
    f32::from_bits(0xbd35_d000), // -0.0443878173828125
    f32::from_bits(0x0000_0000), // 0.0
    f32::from_bits(0x3dbe_b000), // 0.093109130859375
    f32::from_bits(0x3e2b_2000), // 0.1671142578125
    f32::from_bits(0x3e7b_0000), // 0.2451171875
    f32::from_bits(0x3ea7_b800), // 0.32757568359375
    f32::from_bits(0x3ec5_4400), // 0.385284423828125
    f32::from_bits(0x3ef3_f000), // 0.4764404296875
];
/// and the rest.
const LOG2_C_LOW: [f32; 16] = [
    f32::from_bits(0xb69f_0197), // -4.7387543418153655e-06
    f32::from_bits(0x36a0_463c), // 4.776547939400189e-06
    f32::from_bits(0x36f1_9318), // 7.199483661679551e-06
    f32::from_bits(0xb5f5_61c1), // -1.8282372593603213e-06
    f32::from_bits(0xb635_c813), // -2.7087560283689527e-06
    f32::from_bits(0x3687_492c), // 4.0318318497156724e-06
    f32::from_bits(0x369d_cc96), // 4.702781552623492e-06
    f32::from_bits(0x3510_536f), // 5.376559215619636e-07
    f32::from_bits(0xb6d3_758f), // -6.301975645328639e-06
    f32::from_bits(0x0000_0000), // 0.0
    f32::from_bits(0x3492_d9f7), // 2.7353209475222684e-07
    f32::from_bits(0xb68f_5801), // -4.271977104508551e-06
    f32::from_bits(0xb69d_5be7), // -4.68966345579247e-06
    f32::from_bits(0xb589_a627), // -1.0255652114210534e-06
    f32::from_bits(0x36c0_55fe), // 5.732056706619915e-06
    f32::from_bits(0xb620_1ac7), // -2.3857444375607884e-06
];
/// 2 log2 e.
const TWO_LOG2_E: [f32; 2] = [2.0 * core::f32::consts::LOG2_E, 3.851_926e-8];
/// log2(1 + 2 h) = (h - h^2) (2 log2 e + h^2 q(h)) for |h| < 0.01657, relative error 2^-37.1.
const LOG2_1P: [f32; 4] = [
    f32::from_bits(0x4076_384c), // 3.8471860885620117
    f32::from_bits(0xbff6_3846), // -1.9235923290252686
    f32::from_bits(0x40ea_2673), // 7.317193508148193
    f32::from_bits(0xc101_72fb), // -8.090571403503418
];
/// 2^f = 1 + f p(f) for |f| <= 0.0865, error 2^-28.7.
const EXP2: [f32; 4] = [
    f32::from_bits(0x3f31_7218), // 0.6931471824645996
    f32::from_bits(0x3e75_fdf0), // 0.24022650718688965
    f32::from_bits(0x3d63_6555), // 0.0555165596306324
    f32::from_bits(0x3c1d_9d5a), // 0.00962003506720066
];
/// 2^(k/16), with k 2^19 subtracted from the bits: n 2^19 added is 2^(n/16) for k = n mod 16,
const POWERS: [f32; 16] = [
    f32::from_bits(0x3f80_0000), // 1.0
    f32::from_bits(0x3f7d_aac3), // 0.9908868670463562
    f32::from_bits(0x3f7b_95c2), // 0.9827538728713989
    f32::from_bits(0x3f79_c3d3), // 0.9756442904472351
    f32::from_bits(0x3f78_37f0), // 0.9696035385131836
    f32::from_bits(0x3f76_f532), // 0.9646788835525513
    f32::from_bits(0x3f75_fed7), // 0.9609197974205017
    f32::from_bits(0x3f75_583f), // 0.9583777785301208
    f32::from_bits(0x3f75_04f3), // 0.9571067690849304
    f32::from_bits(0x3f75_08a4), // 0.9571630954742432
    f32::from_bits(0x3f75_672a), // 0.9586054086685181
    f32::from_bits(0x3f76_248c), // 0.9614951610565186
    f32::from_bits(0x3f77_44fd), // 0.9658964276313782
    f32::from_bits(0x3f78_ccdf), // 0.9718760848045349
    f32::from_bits(0x3f7a_c0c7), // 0.9795040488243103
    f32::from_bits(0x3f7d_257d), // 0.9888532757759094
];
/// and what the f32 nearest to 2^(k/16) lacks, relative.
const POWERS_LOW: [f32; 16] = [
    f32::from_bits(0x0000_0000), // 0.0
    f32::from_bits(0x3346_cb6a), // 4.6285471455576044e-08
    f32::from_bits(0xb24e_0611), // -1.199215748926008e-08
    f32::from_bits(0x334b_2482), // 4.7297824323777604e-08
    f32::from_bits(0x3309_2801), // 3.1934181521364735e-08
    f32::from_bits(0x331b_85f2), // 3.621057231839586e-08
    f32::from_bits(0xb305_1aa8), // -3.0990719324108795e-08
    f32::from_bits(0xb200_6c56), // -7.475213337215791e-09
    f32::from_bits(0x3293_02ae), // 1.7114270889351246e-08
    f32::from_bits(0xb302_e5a2), // -3.047683350132502e-08
    f32::from_bits(0x31b3_d0e5), // 5.233334210430485e-09
    f32::from_bits(0x31d1_daf2), // 6.10759176566944e-09
    f32::from_bits(0xb27c_e182), // -1.4719605090363075e-08
    f32::from_bits(0xb1b4_b0da), // -5.258795177098818e-09
    f32::from_bits(0xb1d2_90be), // -6.128259677495862e-09
    f32::from_bits(0x31b0_a147), // 5.140609271592211e-09
];
/// 1.5 * 2^19 rounds to a multiple of 1/16 and leaves it in the lower bits.
const SIXTEENTHS: f32 = 786_432.0;

/// One over the square root, x^(-1/2).
///
/// At most 0.63 ULP (all 2^32 inputs; 1.3 % are not correctly rounded).
///
/// rsqrt(+-0) = +-inf, rsqrt(x < 0) = NaN, rsqrt(inf) = +0.
#[inline(always)]
pub fn rsqrt<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Lanes that are not positive normal numbers, or whose seed's square is not: one signed comparison of bits + 2^31 - 2^23.
    let bits = x.bits();
    let rare = !(bits + bits.splat(0x7f80_0000)).lt(bits.splat(LARGE - 0x0080_0000 - i32::MAX - 1));
    if rare.any() { rsqrt_ends(x) } else { rsqrt_of_normal(x) }
}

/// [`rsqrt`] from 2^-126 to 2^124.
#[inline(always)]
fn rsqrt_of_normal<L: WideLanes>(x: F32<L>) -> F32<L> {
    // The seed y has 8 bits: its square is exact.
    let y = (x.int(RSQRT_SHORT_SEED) - x.bits().half_of_upper()).float();
    let h = x.neg_mul_add(y * y, 1.0);
    (y * h).mul_add(horner(h, &RSQRT_SHORT), y)
}

/// [`rsqrt`] where a lane is not usual.
#[inline(always)]
fn rsqrt_ends<L: WideLanes>(x: F32<L>) -> F32<L> {
    let (small, large) = (x.lt(f32::MIN_POSITIVE), x.ge(f32::from_bits(LARGE as u32)));
    // The bits of a subnormal number count multiples of 2^-149: 2^150 x, without arithmetic on what CPUs are slow at.
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
/// Odd. cbrt(+-0) = +-0, cbrt(+-inf) = +-inf; cubes have exact results. NaN is the quiet one.
#[inline(always)]
pub fn cbrt<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Below 2^-99 the residual would underflow; that, infinities and NaN are rare.
    let (mut a, mut back) = (x.abs(), x);
    let bits = a.bits();
    // One signed comparison: 2^31 is added.
    let rare = !(bits + bits.splat(0x7200_0000)).lt(bits.splat(0x7180_0000 - i32::MAX - 1));
    if rare.any() {
        // No arithmetic on subnormal numbers.
        let small = a.lt(two_to(-99));
        let subnormal = a.lt(f32::MIN_POSITIVE);
        let count = counted(a);
        a = subnormal.select(count, a) * subnormal.select(two_to(-98), small.select(two_to(51), a.splat(1.0)));
        back = small.select(two_to(-17), 1.0);
    }
    // Bits / 3, in floats: the integer's upper 23 bits above 2^23, times -1/3, plus what makes that an integer above 2^23 again.
    let third = ((a.bits() >> 8) | bits.splat(TWO_23)).float();
    let third = third.mul_add(-1.0 / 3.0, two_to(25) / 3.0 + (CBRT_SEED >> 8) as f32);
    let y = (third.bits() << 8).float();
    // a^(-2/3), whose third is the cube root's derivative.
    let square = y * y;
    let h = (a * y).neg_mul_add(square, 1.0);
    let power = (square * h).mul_add(horner(h, &CBRT), square);
    // c is nearly the root; a - c^3 without a rounding error.
    let c = a * power;
    let high = c * c;
    let low = c.neg_mul_add(c, high);
    let residual = low.mul_add(c, high.neg_mul_add(c, a));
    let r = residual.mul_add(power * (1.0 / 3.0), c);
    if !rare.any() {
        return r.copysign(x);
    }
    a.lt(f32::INFINITY).select(r * back, a).copysign(x).replace_nan(f32::NAN)
}

/// The length of the hypotenuse, (x^2 + y^2)^(1/2), without overflow or underflow on the way.
///
/// At most 0.86 ULP, 0.91 where the result is subnormal (2^28 pairs; 7 % are not correctly rounded). Exact results are exact.
///
/// hypot(+-inf, anything) = inf, NaN included; hypot(+-0, +-0) = +0. The signs and the order of the arguments do not matter.
#[inline(always)]
pub fn hypot<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let (x, y) = (x.abs(), y.abs());
    // A NaN is one of the two: both are the second operand where a comparison fails.
    let (long, short) = (x.greatest(y), y.least(x));
    // Outside [2^-40, 2^60], squares and what their rounding loses may leave the range of normal numbers.
    if (!short.ge(two_to(-40)) | !long.le(two_to(60))).any() { hypot_ends(x, y) } else { hypot_of_normal(long, short) }
}

/// [`hypot`] where the squares are normal numbers, and so is what the rounding of `short^2` loses, or either is 0.
#[inline(always)]
fn hypot_of_normal<L: WideLanes>(long: F32<L>, short: F32<L>) -> F32<L> {
    // s + e is the sum of the squares but for the rounding error of s.
    let square = short * short;
    let s = long.mul_add(long, square);
    let e = short.mul_sub(short, square);
    // With s z = q + lost, the root of s + e is q (1 - h)^(-1/2) + (lost + e z) / 2, as nearly as that matters.
    let z = (s.int(RSQRT_SEED) - (s.bits() >> 1)).float();
    let q = s * z;
    let lost = s.mul_sub(z, q);
    let h = q.neg_mul_add(z, 1.0);
    q.mul_add(h, e.mul_add(z, lost)).mul_add(horner(h, &RSQRT), q)
}

/// [`hypot`] of two lengths where a lane is not usual.
#[inline(always)]
fn hypot_ends<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let (long, short) = (x.greatest(y), y.least(x));
    let (small, large) = (long.lt(two_to(-27)), long.gt(two_to(60)));
    let scale = large.select(two_to(-70), 1.0);
    // Beside a number 2^13 times as long, nothing. Scaled up before anything is multiplied.
    let nothing = short.lt(large.select(x.splat(two_to(30)), two_to(-40)));
    let short = small.select(scaled_up(short), nothing.select(0.0, short)) * scale;
    let long = small.select(scaled_up(long), long) * scale;
    let r = hypot_of_normal(long, short);
    let r = small.select(scaled_down(r), r * large.select(two_to(70), 1.0));
    let sum = x + y;
    let r = sum.is_nan().select(sum, r);
    (x.eq(f32::INFINITY) | y.eq(f32::INFINITY)).select(f32::INFINITY, r)
}

/// log2 x in two parts with a relative error of 2^-34, for the bits of a positive normal number; `bias` is [`BIAS`], or more for less.
#[inline(always)]
fn log2_parts<L: WideLanes>(bits: Bits<f32, L>, bias: F32<L>) -> [F32<L>; 2] {
    let shifted = bits + bits.splat(ONE - CUT);
    let at = shifted >> 19;
    let e = ((shifted >> 23) | bits.splat(TWO_23)).float() - bias;
    let m = ((shifted & bits.splat(0x007f_ffff)) + bits.splat(CUT)).float();
    let base = e + F32::lookup(&LOG2_C, at);
    // x = 2^e c (1 + 2 h), and h - h^2 = g - lost.
    let h = m.mul_sub(F32::lookup(&HALF_RECIPROCALS, at), 0.5);
    let square = h * h;
    let g = h.neg_mul_add(h, h);
    let lost = h.mul_add(h, g - h);
    let high = g.mul_add(TWO_LOG2_E[0], base);
    // What the sum lost: at least half of the base stays, or it is 0.
    let low = g.mul_add(TWO_LOG2_E[0], base - high);
    let [a, b, c, d] = LOG2_1P;
    let q = h.mul_add(d, h.splat(c)).mul_add(square, h.mul_add(b, h.splat(a)));
    let rest = lost.neg_mul_add(TWO_LOG2_E[0], F32::lookup(&LOG2_C_LOW, at));
    [high, low + g.mul_add(square.mul_add(q, TWO_LOG2_E[1]), rest)]
}

/// x to the power of y.
///
/// At most 0.68 ULP, 0.81 where the result is subnormal (2^30 random and structured pairs; 0.7 % are not correctly rounded). Exact results
/// are exact.
///
/// The special values are those of C23, annex F.10.4.4: pow(x, +-0) = pow(1, y) = 1 even for NaN, pow(-1, +-inf) = 1, pow of a
/// negative number is NaN unless y is an integer, and odd integers keep the sign of x, also of zeros and infinities.
#[inline(always)]
pub fn pow<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let bits = x.bits();
    // Positive normal numbers: one signed comparison of bits + 2^31 - 2^23.
    let usual = (bits + bits.splat(0x7f80_0000)).lt(bits.splat(0x7f00_0000 - i32::MAX - 1));
    let [v, rest] = product(y, log2_parts(bits, x.splat(BIAS)));
    // Results that are normal numbers, and some more.
    let usual = usual & v.abs().lt(125.0);
    if !(!usual).any() {
        let [n, p] = exp2_parts(v, rest);
        let power = (F32::lookup(&POWERS, n.bits()).bits() + (n.bits() << 19)).float();
        return power.mul_add(p, power);
    }
    power_ends(x, y)
}

/// y times a number in two parts, in two parts.
#[inline(always)]
fn product<L: WideLanes>(y: F32<L>, [high, low]: [F32<L>; 2]) -> [F32<L>; 2] {
    // From 2^-23 on this is y, and below no result depends on it: no product is tiny. Sums with subnormal numbers are not slow.
    let y = y + two_to(-48);
    let v = y * high;
    [v, y.mul_add(low, y.mul_sub(high, v))]
}

/// n, whose lower bits count sixteenths, and p with 2^(v + rest) = 2^n (1 + p), where 2^n is of [`POWERS`].
#[inline(always)]
fn exp2_parts<L: WideLanes>(v: F32<L>, rest: F32<L>) -> [F32<L>; 2] {
    let n = v + SIXTEENTHS;
    let f = (v - (n - SIXTEENTHS)) + rest;
    let [a, b, c, d] = EXP2;
    let p = f.mul_add(d, f.splat(c)).mul_add(f * f, f.mul_add(b, f.splat(a)));
    [n, f.mul_add(p, F32::lookup(&POWERS_LOW, n.bits()))]
}

/// [`pow`] where a lane is not usual.
#[inline(always)]
fn power_ends<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let a = x.abs();
    // The bits of a subnormal number count multiples of 2^-149.
    let small = a.lt(f32::MIN_POSITIVE);
    let count = counted(a);
    let [v, rest] = product(y, log2_parts(small.select(count, a).bits(), small.select(a.splat(BIAS + 149.0), BIAS)));
    let rest = v.abs().lt(200.0).select(rest, 0.0);
    let v = v.greatest(-200.0).least(200.0);
    let [n, p] = exp2_parts(v, rest);
    let power = (F32::lookup(&POWERS, n.bits()).bits() + ((n.bits() & x.int(15)) << 19)).float();
    with_ends(x, y, scaled(power.mul_add(p, power), (n - SIXTEENTHS).floor()))
}

/// 2^n r, rounded once, for |n| <= 200 and r between 1/2 and 4. Below 2^-126, a sum with 2^23 rounds as a subnormal result does, which CPUs
/// are slow at.
#[inline(always)]
fn scaled<L: WideLanes>(r: F32<L>, n: F32<L>) -> F32<L> {
    let small = n.lt(-127.0);
    let count = r * small.select(n + 149.0, 0.0).power_of_two() + two_to(23);
    let rounded = (count.bits() - r.int(TWO_23)).float();
    small.select(rounded, r.scale(small.select(0.0, n)))
}

/// `r` = |x|^y with the sign and the special values of pow(x, y).
#[inline(always)]
fn with_ends<L: WideLanes>(x: F32<L>, y: F32<L>, r: F32<L>) -> F32<L> {
    let (a, b) = (x.abs(), y.abs());
    let half = y * 0.5;
    let integer = y.trunc().eq(y);
    let odd = integer & half.trunc().ne(half);
    let edge = a.eq(0.0) | a.eq(f32::INFINITY) | b.eq(f32::INFINITY);
    let grows = a.gt(1.0) ^ y.lt(0.0);
    let r = edge.select(grows.select(f32::INFINITY, 0.0), r);
    let r = odd.select(r.copysign(x), r);
    let r = (x.lt(0.0) & x.gt(f32::NEG_INFINITY) & !integer).select(f32::NAN, r);
    let r = (x.is_nan() | y.is_nan()).select(f32::NAN, r);
    let one = x.eq(1.0) | y.eq(0.0) | (a.eq(1.0) & b.eq(f32::INFINITY));
    one.select(1.0, r)
}
