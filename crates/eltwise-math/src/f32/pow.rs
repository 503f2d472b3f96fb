//! pow of `f32`: `2^(y log2 x)`, in `f32` lanes, with log2 x and y log2 x as sums of two floats (Dekker 1971).
//!
//! 1. log2 x: `x = 2^e c (1 + 2 h)`, c from a table of 16 reciprocals so short that `x/c - 1` is exact; log2 c in two
//!    parts (Tang 1990). c = 1 around 1, so that nothing cancels there.
//!    `log2(1 + 2 h) = (h - h^2) (2 log2 e + h^2 q(h))`, q minimax of degree 3, error 2^-37.1.
//! 2. 2^v: `v = n + f`, n a multiple of 1/16; `2^frac(n)` from a table in two parts, `2^f` minimax of degree 4.
//! 3. Negative, zero, subnormal and infinite operands, NaN, and results near the ends of the range take a rare branch.
//!
//! There is no division. Largest error: 0.68 ULP, 0.81 for subnormal results, over 2^30 pairs, random and near every
//! special value and threshold. Tables: `tools/coefficients/f32_power.py`.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::subnormal::{TWO_23, counted};
use crate::vector::{Bits, F32};

/// 2^23 plus the bias of the exponent.
const BIAS: f32 = two_to(23) + 127.0;

/// The bits of the lowest significand of the 16 cells, 0.7039.
const CUT: i32 = 0x3f34_3000;

/// The bits of 1.0.
const ONE: i32 = 0x3f80_0000;

/// 1/(2 c), c near the middle of the cell. So short that m/(2 c) - 1/2 is exact for every m of 24 bits.
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

/// log2 c, with 16 bits after the binary point, so that its sum with an exponent is exact.
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

/// log2 c minus [`LOG2_C`].
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

/// 2 log2 e in two parts.
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

/// 2^(k/16) with `k << 19` subtracted from the bits. Adding `n << 19` gives 2^(n/16), for k = n mod 16.
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

/// The relative error of the `f32` nearest to 2^(k/16).
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

/// 1.5 * 2^19: adding it rounds a number to a multiple of 1/16 and leaves the count in the lowest bits.
const SIXTEENTHS: f32 = 786_432.0;

/// log2 x as a sum of two floats, relative error 2^-34, for the bits of a positive normal number x. `bias` is [`BIAS`]
/// plus an offset that is subtracted from the result.
#[inline(always)]
fn log2_parts<L: WideLanes>(bits: Bits<f32, L>, bias: F32<L>) -> [F32<L>; 2] {
    let shifted = bits + bits.splat(ONE - CUT);
    let index = shifted >> 19;
    let e = ((shifted >> 23) | bits.splat(TWO_23)).float() - bias;
    let m = ((shifted & bits.splat(0x007f_ffff)) + bits.splat(CUT)).float();
    let base = e + F32::lookup(&LOG2_C, index);
    // x = 2^e c (1 + 2 h); h - h^2 = g - lost.
    let h = m.mul_sub(F32::lookup(&HALF_RECIPROCALS, index), 0.5);
    let square = h * h;
    let g = h.neg_mul_add(h, h);
    let lost = h.mul_add(h, g - h);
    let high = g.mul_add(TWO_LOG2_E[0], base);
    // The rounding error of `high`, exact: |high| is at least half of |base|, or base is 0.
    let low = g.mul_add(TWO_LOG2_E[0], base - high);
    let [a, b, c, d] = LOG2_1P;
    let q = h.mul_add(d, h.splat(c)).mul_add(square, h.mul_add(b, h.splat(a)));
    let rest = lost.neg_mul_add(TWO_LOG2_E[0], F32::lookup(&LOG2_C_LOW, index));
    [high, low + g.mul_add(square.mul_add(q, TWO_LOG2_E[1]), rest)]
}

/// x to the power of y.
///
/// At most 0.68 ULP, 0.81 if the result is subnormal (2^30 random and structured pairs; 0.7 % are not correctly
/// rounded). Exact results are exact.
///
/// Special values as in C23 F.10.4.4: pow(x, ±0) = pow(1, y) = 1 even for NaN, pow(-1, ±inf) = 1, pow of a
/// negative number is NaN unless y is an integer, and odd integers keep the sign of x, also of zeros and infinities.
#[inline(always)]
pub fn pow<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let bits = x.bits();
    // Positive normal numbers, by one signed comparison of bits + 2^31 - 2^23.
    let usual = (bits + bits.splat(0x7f80_0000)).lt(bits.splat(0x7f00_0000 - i32::MAX - 1));
    let [v, rest] = product(y, log2_parts(bits, x.splat(BIAS)));
    // The result is a normal number.
    let usual = usual & v.abs().lt(125.0);
    if !(!usual).any() {
        let [n, p] = exp2_parts(v, rest);
        let power = (F32::lookup(&POWERS, n.bits()).bits() + (n.bits() << 19)).float();
        return power.mul_add(p, power);
    }
    pow_rare(x, y)
}

/// y times a sum of two floats, as such a sum.
#[inline(always)]
fn product<L: WideLanes>(y: F32<L>, [high, low]: [F32<L>; 2]) -> [F32<L>; 2] {
    // Keeps products from being subnormal. From 2^-23 on, the sum is y; below, no result depends on it. Sums with
    // subnormal numbers are not slow.
    let y = y + two_to(-48);
    let v = y * high;
    [v, y.mul_add(low, y.mul_sub(high, v))]
}

/// `[n, p]` with 2^(v + rest) = 2^n (1 + p): n has a count of sixteenths in its lowest bits, 2^n is the value from
/// [`POWERS`].
#[inline(always)]
fn exp2_parts<L: WideLanes>(v: F32<L>, rest: F32<L>) -> [F32<L>; 2] {
    let n = v + SIXTEENTHS;
    let f = (v - (n - SIXTEENTHS)) + rest;
    let [a, b, c, d] = EXP2;
    let p = f.mul_add(d, f.splat(c)).mul_add(f * f, f.mul_add(b, f.splat(a)));
    [n, f.mul_add(p, F32::lookup(&POWERS_LOW, n.bits()))]
}

/// [`pow`] for all operands.
#[inline(always)]
fn pow_rare<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    let a = x.abs();
    // The bits of a subnormal number count multiples of 2^-149.
    let small = a.lt(f32::MIN_POSITIVE);
    let count = counted(a);
    let [v, rest] = product(y, log2_parts(small.select(count, a).bits(), small.select(a.splat(BIAS + 149.0), BIAS)));
    let rest = v.abs().lt(200.0).select(rest, 0.0);
    let v = v.greatest(-200.0).least(200.0);
    let [n, p] = exp2_parts(v, rest);
    let power = (F32::lookup(&POWERS, n.bits()).bits() + ((n.bits() & x.int(15)) << 19)).float();
    special_values(x, y, scale(power.mul_add(p, power), (n - SIXTEENTHS).floor()))
}

/// 2^n r, rounded once, for |n| <= 200 and r from 1/2 to 4. Subnormal results are made as integers, rounded by adding
/// 2^23.
#[inline(always)]
fn scale<L: WideLanes>(r: F32<L>, n: F32<L>) -> F32<L> {
    let small = n.lt(-127.0);
    let count = r * small.select(n + 149.0, 0.0).power_of_two() + two_to(23);
    let rounded = (count.bits() - r.int(TWO_23)).float();
    small.select(rounded, r.scale(small.select(0.0, n)))
}

/// pow(x, y), given `r` = |x|^y: the sign and the special values.
#[inline(always)]
fn special_values<L: WideLanes>(x: F32<L>, y: F32<L>, r: F32<L>) -> F32<L> {
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
