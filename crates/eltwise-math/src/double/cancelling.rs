//! log(e^x + e^y) where the sum is near 1, so that the result is near 0: `x` and `y` cancel, and so do their exponentials and 1.
//!
//! `e^x = T (1 + p)` with `T` a number of at most 36 bits, the product of a power of two and an entry of each of three tables, whose
//! logarithms are known to 2^-160, and `p = e^u - 1`, `|u| <= 2^-12.9`, in three `f64`. Then
//!
//! ```text
//! 6 (e^x + e^y - 1) = 6 (T_x - 1 + T_y) + T_x 6 p_x + T_y 6 p_y,    6 p = 6 u + u^2 (3 + u + u^2 (1/4 + u/20 + u^2/120 + ...))
//! ```
//!
//! whose first term is exact, and whose other terms are sums of exact products with what they leave. (The factor of 6 leaves no long
//! coefficient before 1/20.) Where `T_x` is 1, `u` is `x`: the error is at most some 2^-148 of the larger argument, as measured,
//! however small that is. The result of random arguments that cancel is seldom less than 2^-80 of it, and of none that could be made
//! less than 2^-106.
//!
//! Tables: tools/coefficients/double_cancelling.py.

use core::f64::consts::LOG2_E;

use eltwise_simd::WideLanes;

use super::extended::{Pair, SIXTEENTHS, TINY, fast_two_sum, two_product, two_sum};
use super::tables::Tables;
use crate::vector::{F64, Mask, horner};

/// Adding this leaves the integers in the lower bits.
const ROUND: f64 = (3u64 << 51) as f64;
/// Below, products would be too small to be exact.
const SMALLEST: f64 = power_of_two(-600);
/// What such arguments and the powers are multiplied by.
const SCALE: i32 = 560;

const fn power_of_two(n: i32) -> f64 {
    f64::from_bits(((1023 + n) as u64) << 52)
}

/// `e^x = power e^(u[0] + u[1] + u[2])`, or 2^x.
struct Reduced<L: WideLanes> {
    power: F64<L>,
    u: [F64<L>; 3],
}

/// Reduces `x`, and multiplies the power by 2^scale.
#[inline(always)]
fn reduced<const BINARY: bool, L: WideLanes>(x: F64<L>, scale: F64<L>) -> Reduced<L> {
    let sixteenths = if BINARY { x + SIXTEENTHS } else { x.mul_add(LOG2_E, SIXTEENTHS) };
    // The nearest integer, so that it is 0 on both sides of 0.
    let n = ((sixteenths - SIXTEENTHS) + 0.5).floor();
    // The higher part stays exact: each step leaves a smaller number of the same last place, or of the table's.
    let (of_two, high) = if BINARY {
        let rest = x - n;
        (two_product(rest, x.splat(LN2_LONG[1])), two_product(rest, x.splat(LN2_LONG[0])))
    } else {
        (Pair { hi: n * LN2[1], lo: n * LN2[2] }, Pair { hi: n.neg_mul_add(LN2[0], x), lo: x })
    };
    let [first, log, first_middle, first_low] = FIRST.at(sixteenths.bits());
    let rest = high.hi - log;
    let [second, log, second_middle, second_low] = SECOND.at(rest.mul_add(304.0, ROUND).bits());
    let rest = rest - log;
    let [third, log, third_middle, third_low] = THIRD.at(rest.mul_add(4096.0, ROUND).bits());
    let rest = rest - log;
    let power = (first * second) * (third * (n + scale).power_of_two());
    let middle = two_sum(first_middle + second_middle, third_middle);
    let low = (first_low + second_low) + (third_low + middle.lo);
    let u = if BINARY {
        let low = (x - n).mul_add(LN2_LONG[2], of_two.lo - low);
        let a = two_sum(high.lo, of_two.hi);
        let b = two_sum(a.hi, -middle.hi);
        let sum = two_sum(rest, b.hi);
        [sum.hi, sum.lo, (a.lo + b.lo) + low]
    } else {
        let low = n.mul_add(LN2[3], low);
        let a = two_sum(of_two.hi, middle.hi);
        let b = two_sum(a.lo, of_two.lo);
        let sum = two_sum(rest, -a.hi);
        let next = two_sum(sum.lo, -b.hi);
        [sum.hi, next.hi, next.lo - (b.lo + low)]
    };
    Reduced { power, u }
}

/// `6 (e^u - 1 - u)`, in three parts.
#[inline(always)]
fn curve<L: WideLanes>(u: [F64<L>; 3]) -> [F64<L>; 3] {
    let square = two_product(u[0], u[0]);
    let twice = u[0] + u[0];
    let cross = two_product(twice, u[1]);
    let middle = two_sum(square.lo, cross.hi);
    let low = middle.lo + twice.mul_add(u[2], u[1].mul_add(u[1], cross.lo));
    let square = [square.hi, middle.hi, low];

    // 1/4 + u/20 + u^2/120 + ..., a pair.
    let sum = fast_two_sum(u[0].splat(OVER_840[0]), u[0] * horner(u[0], &TAIL));
    let mut tail = Pair { hi: sum.hi, lo: sum.lo + OVER_840[1] };
    let mut k = 0;
    while k < 3 {
        let [hi, lo] = [OVER_120, OVER_20, [0.25, 0.0]][k];
        let product = two_product(u[0], tail.hi);
        let sum = fast_two_sum(product.hi.splat(hi), product.hi);
        let low = u[0].mul_add(tail.lo, u[1].mul_add(tail.hi, product.lo));
        tail = Pair { hi: sum.hi, lo: sum.lo + (low + lo) };
        k += 1;
    }
    let product = two_product(square[0], tail.hi);
    let low = square[1].mul_add(tail.hi, square[2].mul_add(tail.hi, product.lo));
    let tail = Pair { hi: product.hi, lo: square[0].mul_add(tail.lo, low) };

    // 3 + u + u^2 tail, in three parts, times u^2.
    let lower = fast_two_sum(u[0], tail.hi);
    let first = fast_two_sum(u[0].splat(3.0), lower.hi);
    let a = two_sum(lower.lo, u[1]);
    let second = two_sum(first.lo, a.hi);
    let factor = [first.hi, second.hi, (a.lo + second.lo) + (tail.lo + u[2])];
    let first = two_product(square[0], factor[0]);
    let (b, c) = (two_product(square[0], factor[1]), two_product(square[1], factor[0]));
    let d = two_sum(b.hi, c.hi);
    let second = two_sum(first.lo, d.hi);
    let low = square[0].mul_add(factor[2], square[1].mul_add(factor[1], square[2] * factor[0]));
    [first.hi, second.hi, ((b.lo + c.lo) + (d.lo + second.lo)) + low]
}

/// The terms of `6 power u + power curve`: two of the highest order, four of some 2^-53 of it, and what is left.
#[inline(always)]
fn terms<L: WideLanes>(at: &Reduced<L>, curve: [F64<L>; 3]) -> ([F64<L>; 2], [F64<L>; 4], F64<L>) {
    let six = at.power * 6.0;
    let (u0, u1) = (two_product(six, at.u[0]), two_product(six, at.u[1]));
    let (c0, c1) = (two_product(at.power, curve[0]), two_product(at.power, curve[1]));
    let low = six.mul_add(at.u[2], at.power.mul_add(curve[2], u1.lo + c1.lo));
    ([u0.hi, c0.hi], [u0.lo, u1.hi, c0.lo, c1.hi], low)
}

/// Adds `term` to `sum`, and what that loses to `lost`.
#[inline(always)]
fn collect<L: WideLanes>(sum: F64<L>, term: F64<L>, lost: F64<L>) -> (F64<L>, F64<L>) {
    let next = two_sum(sum, term);
    (next.hi, lost + next.lo)
}

/// log(e^most + e^least), or with base 2, where `cancels` is set, some 2^-12 of `most` or less; any number elsewhere.
///
/// At most 0.51 ULP (1 ULP if `NARROW`, for results that may be ties of a narrower float) of results down to 2^-88 of `most`, 1 ULP down to 2^-94, and
/// also of both near -1 in base 2, whose errors are parts of what they are from there.
#[inline(always)]
pub(super) fn cancelled<const BINARY: bool, const NARROW: bool, L: WideLanes>(
    most: F64<L>,
    least: F64<L>,
    cancels: Mask<f64, L>,
) -> F64<L> {
    // Others take arguments of which nothing is slow.
    let (most, least) = (cancels.select(most, -0.6875), cancels.select(least, -0.6875));
    let tiny = most.abs().lt(SMALLEST);
    let scaled = tiny.select(most * power_of_two(SCALE), most);
    let x = reduced::<BINARY, L>(scaled, most.splat(0.0));
    let y = reduced::<BINARY, L>(least, tiny.select(f64::from(SCALE), 0.0));

    // e^x - 1 is x.
    let straight = most.abs().lt(TINY);
    let bent = [straight.select(0.0, x.u[0]), straight.select(0.0, x.u[1]), straight.select(0.0, x.u[2])];
    let (x_first, x_next, x_low) = terms(&x, curve(bent));
    let (y_first, y_next, y_low) = terms(&y, curve(y.u));

    let of_powers = ((x.power - 1.0) + y.power) * 6.0;
    let a = two_sum(x_first[0], y_first[0]);
    let b = two_sum(a.hi, of_powers);
    let c = two_sum(x_first[1], y_first[1]);
    let d = two_sum(b.hi, c.hi);
    let (mut sum, mut lost) = (a.lo, x_low + y_low);
    (sum, lost) = collect(sum, b.lo, lost);
    (sum, lost) = collect(sum, c.lo, lost);
    (sum, lost) = collect(sum, d.lo, lost);
    let mut k = 0;
    while k < 4 {
        (sum, lost) = collect(sum, x_next[k], lost);
        (sum, lost) = collect(sum, y_next[k], lost);
        k += 1;
    }
    let total = two_sum(d.hi, sum);
    let total = two_sum(total.hi, total.lo + lost);

    // log(1 + z) = z (1 - z/2 + z^2/3 - ...), times log2(e) in base 2.
    let unit = if BINARY { SIXTH_OF_LOG2_E } else { SIXTH };
    let product = two_product(total.hi, most.splat(unit[0]));
    let low = total.lo.mul_add(unit[0], total.hi.mul_add(unit[1], product.lo));
    let z = tiny.select(0.0, total.hi * SIXTH[0]);
    let r = product.hi.plus::<NARROW>(product.hi.mul_add(z * horner(z, &LOG1P), low));
    tiny.select(r * power_of_two(-SCALE), r)
}

/// Numbers of 10 bits near 2^(i/16), i from -8 to 7, at i modulo 16, and their logarithms.
static FIRST: Tables<4> = Tables::new([
    [
        f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
        f64::from_bits(0x3ff0_b800_0000_0000), // 1.044921875
        f64::from_bits(0x3ff1_7000_0000_0000), // 1.08984375
        f64::from_bits(0x3ff2_3800_0000_0000), // 1.138671875
        f64::from_bits(0x3ff3_0800_0000_0000), // 1.189453125
        f64::from_bits(0x3ff3_e000_0000_0000), // 1.2421875
        f64::from_bits(0x3ff4_c000_0000_0000), // 1.296875
        f64::from_bits(0x3ff5_a800_0000_0000), // 1.353515625
        f64::from_bits(0x3fe6_a000_0000_0000), // 0.70703125
        f64::from_bits(0x3fe7_a000_0000_0000), // 0.73828125
        f64::from_bits(0x3fe8_b000_0000_0000), // 0.771484375
        f64::from_bits(0x3fe9_c000_0000_0000), // 0.8046875
        f64::from_bits(0x3fea_f000_0000_0000), // 0.841796875
        f64::from_bits(0x3fec_2000_0000_0000), // 0.87890625
        f64::from_bits(0x3fed_6000_0000_0000), // 0.91796875
        f64::from_bits(0x3fee_a000_0000_0000), // 0.95703125
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3fa6_7f94_f094_bda0), // 0.04394212185649882
        f64::from_bits(0x3fb6_0658_a937_50c0), // 0.0860343373418031
        f64::from_bits(0x3fc0_9f56_1ee7_19c4), // 0.12986256131098461
        f64::from_bits(0x3fc6_350a_28aa_a758), // 0.17349364267038925
        f64::from_bits(0x3fcb_c286_742d_8cd8), // 0.2168739383006144
        f64::from_bits(0x3fd0_a324_e273_90e4), // 0.2599575244369261
        f64::from_bits(0x3fd3_5f86_5c93_293e), // 0.30270537415039545
        f64::from_bits(0xbfd6_3003_0b3a_ac4a), // -0.34668041321373677
        f64::from_bits(0xbfd3_6b67_76be_1116), // -0.30343042941992004
        f64::from_bits(0xbfd0_9aa5_72e6_c6d4), // -0.2594388601383859
        f64::from_bits(0xbfcb_d087_383b_d8ac), // -0.21730127568998137
        f64::from_bits(0xbfc6_0b31_00b0_9474), // -0.17221653493575995
        f64::from_bits(0xbfc0_8598_b59e_3a08), // -0.12907704227514238
        f64::from_bits(0xbfb5_e95a_4d97_91c8), // -0.08559193033540347
        f64::from_bits(0xbfa6_7c94_f2d4_bb60), // -0.043919233934835544
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbc8f_060c_0d89_4a6a), // -5.3817404373724206e-17
        f64::from_bits(0x3c8d_8ef7_4e27_bc92), // 5.127575634803037e-17
        f64::from_bits(0xbc78_2b8a_be8d_3d24), // -2.096420764473467e-17
        f64::from_bits(0xbc63_f547_e9c5_1630), // -8.655458536441874e-18
        f64::from_bits(0xbc8d_6063_176f_1e16), // -5.096012503802355e-17
        f64::from_bits(0xbc84_1181_0bfc_f1fe), // -3.4813081841468474e-17
        f64::from_bits(0x3c40_d8af_2d5b_0560), // 1.826492840598042e-18
        f64::from_bits(0x3c88_8f9c_c6b8_001a), // 4.2606518947757484e-17
        f64::from_bits(0xbc8d_9b61_e2ef_8f4e), // -5.1359892691153834e-17
        f64::from_bits(0xbc64_3c2e_6868_4d50), // -8.775568434888773e-18
        f64::from_bits(0xbc80_ee9a_afb5_28b6), // -2.937242086100521e-17
        f64::from_bits(0xbc8d_49b3_b83f_5fd2), // -5.0806405185823385e-17
        f64::from_bits(0x3c87_75c0_2640_afcc), // 4.0696548939014776e-17
        f64::from_bits(0xbc8b_e70e_8b8b_88a2), // -4.8403235743434527e-17
        f64::from_bits(0x3c8e_fbec_19af_a1a0), // 5.37487959612532e-17
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3936_009e_2c49_f95f), // 4.237510706332836e-33
        f64::from_bits(0x3939_c66d_48ed_8884), // 4.9641046644857143e-33
        f64::from_bits(0x3938_4e16_7d65_6de6), // 4.680978636189584e-33
        f64::from_bits(0xb939_8658_2f06_2b4f), // -4.915894405061965e-33
        f64::from_bits(0x3933_c3c5_87b9_48d9), // 3.806549078318594e-33
        f64::from_bits(0xb92e_3ae4_3f94_a084), // -2.9110474725566988e-33
        f64::from_bits(0xb931_de12_4a88_1a0f), // -3.4411488956502734e-33
        f64::from_bits(0xb924_79cd_4bbb_97ba), // -1.9717467407633347e-33
        f64::from_bits(0xb922_be25_024f_0484), // -1.8048613863433066e-33
        f64::from_bits(0xb934_1ab2_0fd4_9f0d), // -3.871943391484094e-33
        f64::from_bits(0xb937_42aa_9f65_1881), // -4.47979316833225e-33
        f64::from_bits(0xb934_0e45_350b_ed16), // -3.862595699878304e-33
        f64::from_bits(0x3931_a7da_0727_4e02), // 3.400358468213929e-33
        f64::from_bits(0x3936_01e6_4ca5_2902), // 4.2384749831314204e-33
        f64::from_bits(0xb91b_0be4_9788_2ea8), // -1.302239525339227e-33
    ],
]);
/// Numbers of 13 bits near e^(i/304), i from -7 to 7.
static SECOND: Tables<4> = Tables::new([
    [
        f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
        f64::from_bits(0x3ff0_0d00_0000_0000), // 1.003173828125
        f64::from_bits(0x3ff0_1b00_0000_0000), // 1.006591796875
        f64::from_bits(0x3ff0_2900_0000_0000), // 1.010009765625
        f64::from_bits(0x3ff0_3600_0000_0000), // 1.01318359375
        f64::from_bits(0x3ff0_4400_0000_0000), // 1.0166015625
        f64::from_bits(0x3ff0_5200_0000_0000), // 1.02001953125
        f64::from_bits(0x3ff0_5f00_0000_0000), // 1.023193359375
        f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
        f64::from_bits(0x3fef_4600_0000_0000), // 0.977294921875
        f64::from_bits(0x3fef_6000_0000_0000), // 0.98046875
        f64::from_bits(0x3fef_7a00_0000_0000), // 0.983642578125
        f64::from_bits(0x3fef_9400_0000_0000), // 0.98681640625
        f64::from_bits(0x3fef_b000_0000_0000), // 0.990234375
        f64::from_bits(0x3fef_ca00_0000_0000), // 0.993408203125
        f64::from_bits(0x3fef_e600_0000_0000), // 0.996826171875
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3f69_f575_b530_6550), // 0.003168802164066044
        f64::from_bits(0x3f7a_e951_80bb_c8d8), // 0.0065701659875562965
        f64::from_bits(0x3f84_65e8_8948_6560), // 0.009959999742067793
        f64::from_bits(0x3f8a_d2d5_8336_e4d4), // 0.013097446505400269
        f64::from_bits(0x3f90_dc45_18af_cc88), // 0.01646526301551579
        f64::from_bits(0x3f94_4c28_d451_662c), // 0.019821775397167382
        f64::from_bits(0x3f97_7a90_53b3_c3c8), // 0.022928481205727796
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbf97_849c_6051_eae8), // -0.022966807726770094
        f64::from_bits(0xbf94_32a9_2598_0cc0), // -0.019724505347778587
        f64::from_bits(0xbf90_e375_1f24_f444), // -0.016492681527996447
        f64::from_bits(0xbf8b_2df7_8a42_8a64), // -0.013271268755777395
        f64::from_bits(0xbf84_1929_f968_32f0), // -0.009813621448324622
        f64::from_bits(0xbf7b_16e1_c19b_cc00), // -0.0066136187176537575
        f64::from_bits(0xbf6a_0a95_bc29_7860), // -0.0031788753997679525
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbc4f_7f66_4fc5_70e0), // -3.4149825872103164e-18
        f64::from_bits(0x3c3c_750f_552a_f040), // 1.5426714380878553e-18
        f64::from_bits(0xbc4b_8bff_8fd8_1620), // -2.9866374472280667e-18
        f64::from_bits(0x3c04_eada_44ad_da00), // 1.4174176839844787e-19
        f64::from_bits(0xbc37_9c01_89fd_fe80), // -1.2798680563585918e-18
        f64::from_bits(0x3c24_a08c_f283_5100), // 5.591000396315264e-19
        f64::from_bits(0xbc31_db59_b014_0480), // -9.680210884886974e-19
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbc41_fb22_23a4_fe40), // -1.9495028067346376e-18
        f64::from_bits(0xbc43_9928_637f_df40), // -2.1248489656368665e-18
        f64::from_bits(0x3bf6_b771_14c0_cc00), // 7.69667303460676e-20
        f64::from_bits(0x3c3b_85a2_babd_0cc0), // 1.4919713849954279e-18
        f64::from_bits(0x3c2c_5517_f64b_c200), // 7.679511562940084e-19
        f64::from_bits(0xbc49_545d_fba4_cfe0), // -2.746236296802299e-18
        f64::from_bits(0x3c49_0527_bfe0_f120), // 2.712688773656578e-18
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x390e_3d79_aae8_86db), // 7.28004835198761e-34
        f64::from_bits(0x3918_8d13_b95d_122b), // 1.1820916101496321e-33
        f64::from_bits(0x3932_7ab0_3935_079e), // 3.558974373029437e-33
        f64::from_bits(0xb93b_8af5_d1f1_be80), // -5.304552911242559e-33
        f64::from_bits(0x3920_97bb_fb12_d7ac), // 1.597820055437835e-33
        f64::from_bits(0xb920_8f94_0b02_597f), // -1.594752106647902e-33
        f64::from_bits(0xb931_623a_6808_16f5), // -3.347979552046948e-33
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x38c6_b5d5_1248_b608), // 3.4170635186588504e-35
        f64::from_bits(0x3932_5a8d_1f27_6f8f), // 3.534797093893962e-33
        f64::from_bits(0x393a_9f57_792d_c366), // 5.127293221631769e-33
        f64::from_bits(0x392f_6197_f9d9_5c7f), // 3.0219020670717752e-33
        f64::from_bits(0x3931_5292_c45c_a7ec), // 3.336202158551997e-33
        f64::from_bits(0x3916_3afd_39fd_fb63), // 1.0703560984620483e-33
        f64::from_bits(0xb93b_f67f_540e_fd4f), // -5.385454864840245e-33
    ],
]);
/// 1 + i/4096, i from -7 to 7.
static THIRD: Tables<4> = Tables::new([
    [
        f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
        f64::from_bits(0x3ff0_0100_0000_0000), // 1.000244140625
        f64::from_bits(0x3ff0_0200_0000_0000), // 1.00048828125
        f64::from_bits(0x3ff0_0300_0000_0000), // 1.000732421875
        f64::from_bits(0x3ff0_0400_0000_0000), // 1.0009765625
        f64::from_bits(0x3ff0_0500_0000_0000), // 1.001220703125
        f64::from_bits(0x3ff0_0600_0000_0000), // 1.00146484375
        f64::from_bits(0x3ff0_0700_0000_0000), // 1.001708984375
        f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
        f64::from_bits(0x3fef_f200_0000_0000), // 0.998291015625
        f64::from_bits(0x3fef_f400_0000_0000), // 0.99853515625
        f64::from_bits(0x3fef_f600_0000_0000), // 0.998779296875
        f64::from_bits(0x3fef_f800_0000_0000), // 0.9990234375
        f64::from_bits(0x3fef_fa00_0000_0000), // 0.999267578125
        f64::from_bits(0x3fef_fc00_0000_0000), // 0.99951171875
        f64::from_bits(0x3fef_fe00_0000_0000), // 0.999755859375
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3f2f_ff00_0aaa_2ab0), // 0.00024411082752736268
        f64::from_bits(0x3f3f_fe00_2aa6_ab10), // 0.00048816207950135113
        f64::from_bits(0x3f47_fdc0_47f5_e184), // 0.0007321537849938474
        f64::from_bits(0x3f4f_fc00_aa8a_b110), // 0.0009760859730554589
        f64::from_bits(0x3f53_fce0_a683_a46c), // 0.0012199586727155388
        f64::from_bits(0x3f57_fb81_1faf_1845), // 0.0014637719129822074
        f64::from_bits(0x3f5b_f9e1_c8bf_79c8), // 0.0017075257228423724
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbf5c_0621_c9eb_99ee), // -0.0017104463547014076
        f64::from_bits(0xbf58_0481_2051_1854), // -0.0014659176824962832
        f64::from_bits(0xbf54_0320_a6d1_c471), // -0.0012214487899451477
        f64::from_bits(0xbf50_0200_5565_5889), // -0.0009770396478266127
        f64::from_bits(0xbf48_0240_480a_2186), // -0.000732690226940711
        f64::from_bits(0xbf40_0100_1557_5588), // -0.0004884004981088744
        f64::from_bits(0xbf30_0080_0555_9558), // -0.00024417043217391443
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0x3be1_0bbc_04dc_4e3e), // 2.887677227744166e-20
        f64::from_bits(0x3bf0_6678_ad8b_318d), // 5.556630628543204e-20
        f64::from_bits(0x3bf2_02d1_d416_fe97), // 6.10236898598613e-20
        f64::from_bits(0xbbe0_fecb_eb9b_6cdb), // -2.8791156534096714e-20
        f64::from_bits(0x3be0_2719_9cd0_6ae6), // 2.7363796732288505e-20
        f64::from_bits(0x3beb_9e6d_bb62_4f97), // 4.6788171950912193e-20
        f64::from_bits(0xbbe7_f81b_3042_7cfc), // -4.0605344715631245e-20
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xbbdc_2a9e_61b7_de71), // -2.3857935901676807e-20
        f64::from_bits(0xbbf9_cf9d_61bc_b040), // -8.74510533618093e-20
        f64::from_bits(0xbbeb_31f3_f686_cf3d), // -4.6070340247454745e-20
        f64::from_bits(0xbbe9_abe6_bf0f_a436), // -4.348919509358116e-20
        f64::from_bits(0x3bfe_cd2d_c564_fe87), // 1.0435947238866636e-19
        f64::from_bits(0xbbf1_bbce_06e0_86ef), // -6.008381614524869e-20
        f64::from_bits(0xbbe1_1666_af8e_f8e8), // -2.894735835953496e-20
    ],
    [
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xb87f_ab63_732f_4800), // -1.4890920865384943e-36
        f64::from_bits(0xb893_1eae_851c_5868), // -3.596044193310856e-36
        f64::from_bits(0xb89f_c4f9_d470_0838), // -5.9751670145169016e-36
        f64::from_bits(0xb877_171c_f29e_89d1), // -1.0857000045586348e-36
        f64::from_bits(0xb876_3267_cc12_cfa7), // -1.0436930491509379e-36
        f64::from_bits(0x387c_bc0d_dec2_dc0b), // 1.3510937708287164e-36
        f64::from_bits(0xb88b_11e1_f33e_d67b), // -2.5456368341190243e-36
        f64::from_bits(0x0000_0000_0000_0000), // 0.0
        f64::from_bits(0xb874_0332_2f1b_219c), // -9.40982498894544e-37
        f64::from_bits(0xb884_f675_6320_2ac0), // -1.9713255319200346e-36
        f64::from_bits(0xb88a_f886_25bb_9950), // -2.5363215539688703e-36
        f64::from_bits(0x3867_c7d3_35b2_16f3), // 5.590784328951911e-37
        f64::from_bits(0x3898_8c5e_ab13_20be), // 4.617025747438419e-36
        f64::from_bits(0x3885_2c36_a3d2_0146), // 1.991071961149851e-36
        f64::from_bits(0xb88c_6e92_8c01_f59b), // -2.673725248647092e-36
    ],
]);
/// log 2: three parts of 42 bits, of which integers below 2^11 have exact products, and what is missing.
const LN2: [f64; 4] = [
    f64::from_bits(0x3fe6_2e42_fefa_3800), // 0.6931471805598903
    f64::from_bits(0x3d2e_f357_93c7_6000), // 5.49792301870721e-14
    f64::from_bits(0x3a8c_c01f_97b5_7800), // 1.1612227229361786e-26
    f64::from_bits(0x37d0_3cd0_c99c_a62e), // 7.45592228304103e-40
];
/// log 2 in three parts of 53 bits.
const LN2_LONG: [f64; 3] = [
    f64::from_bits(0x3fe6_2e42_fefa_39ef), // 0.6931471805599453
    f64::from_bits(0x3c7a_bc9e_3b39_803f), // 2.3190468138462996e-17
    f64::from_bits(0x3907_b57a_079a_1934), // 5.707708438416212e-34
];
/// 6/5!, and what is missing.
const OVER_20: [f64; 2] = [
    f64::from_bits(0x3fa9_9999_9999_999a), // 0.05
    f64::from_bits(0xbc49_9999_9999_999a), // -2.7755575615628915e-18
];
/// 6/6!, and what is missing.
const OVER_120: [f64; 2] = [
    f64::from_bits(0x3f81_1111_1111_1111), // 0.008333333333333333
    f64::from_bits(0x3c01_1111_1111_1111), // 1.1564823173178714e-19
];
/// 6/7!, and what is missing.
const OVER_840: [f64; 2] = [
    f64::from_bits(0x3f53_8138_1381_3814), // 0.0011904761904761906
    f64::from_bits(0xbbff_b1fb_1fb1_fb20), // -1.073876437509452e-19
];
/// 6/8!, 6/9!, 6/10!
const TAIL: [f64; 3] = [
    f64::from_bits(0x3f23_8138_1381_3814), // 0.00014880952380952382
    f64::from_bits(0x3ef1_566a_bc01_1567), // 1.6534391534391536e-05
    f64::from_bits(0x3ebb_bd77_9334_ef0b), // 1.6534391534391535e-06
];
/// 1/6, and what is missing.
const SIXTH: [f64; 2] = [
    f64::from_bits(0x3fc5_5555_5555_5555), // 0.16666666666666666
    f64::from_bits(0x3c65_5555_5555_5555), // 9.25185853854297e-18
];
/// 1 / (6 log 2), and what is missing.
const SIXTH_OF_LOG2_E: [f64; 2] = [
    f64::from_bits(0x3fce_c709_dc3a_03fd), // 0.2404491734814939
    f64::from_bits(0x3c6d_27f0_5548_af0c), // 1.2644404162031477e-17
];
/// -1/2, 1/3, -1/4, ...: (log(1 + x) - x) / x^2.
const LOG1P: [f64; 5] = [
    f64::from_bits(0xbfe0_0000_0000_0000), // -0.5
    f64::from_bits(0x3fd5_5555_5555_5555), // 0.3333333333333333
    f64::from_bits(0xbfd0_0000_0000_0000), // -0.25
    f64::from_bits(0x3fc9_9999_9999_999a), // 0.2
    f64::from_bits(0xbfc5_5555_5555_5555), // -0.16666666666666666
];
