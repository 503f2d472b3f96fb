//! pow of `f32`, correctly rounded.
//!
//! `2^(y log2 x)` in `f64` lanes. x = 2^e m as in `logarithm.rs`, with 16 reciprocals c of 8 bits: t = m c - 1, |t| < 0.032, is exact, and
//! `log2 x = (e - log2 c) + t p(t)` with a minimax polynomial p of degree 7, error 2^-50.5; around 1 the first sum is 0. The power is that of
//! `exponential.rs`, and the error of all 2^-43 where the result is a normal number.
//!
//! Where that is in doubt, x is not a positive normal number, or the result is not a normal one, the function of `f64` is taken, and
//! where its last bits count, `y log x` and its power are computed again as sums of two numbers (`double/extended.rs`), with an error of
//! 2^-57 at most, and far less where the power is near 1. Powers with such an exponent as 3/2 may be halfway between two `f32`: what is
//! nearer to that than the error is taken for it.

use eltwise_simd::WideLanes;

use super::exponential::power_of;
use super::rounding::doubtful;
use crate::double;
use crate::double::extended::{exp_parts, reduced, two_product};
use crate::double::tables::Tables;
use crate::single::logarithm::ONE;
use crate::vector::{F32, F64, horner};

/// Reciprocals for 16 intervals from CUT on, 2 inside the last, and the logarithms of their inverses.
static CELLS: Tables<2> = Tables::new([
    [
        f64::from_bits(0x3fee_2000_0000_0000), // 0.94140625
        f64::from_bits(0x3fec_8000_0000_0000), // 0.890625
        f64::from_bits(0x3feb_0000_0000_0000), // 0.84375
        f64::from_bits(0x3fe9_a000_0000_0000), // 0.80078125
        f64::from_bits(0x3fe8_6000_0000_0000), // 0.76171875
        f64::from_bits(0x3fe7_4000_0000_0000), // 0.7265625
        f64::from_bits(0x3fe6_4000_0000_0000), // 0.6953125
        f64::from_bits(0x3fe5_6000_0000_0000), // 0.66796875
        f64::from_bits(0x3fe4_8000_0000_0000), // 0.640625
        f64::from_bits(0x3fe3_c000_0000_0000), // 0.6171875
        f64::from_bits(0x3fe3_0000_0000_0000), // 0.59375
        f64::from_bits(0x3fe2_4000_0000_0000), // 0.5703125
        f64::from_bits(0x3fe1_a000_0000_0000), // 0.55078125
        f64::from_bits(0x3fe1_2000_0000_0000), // 0.53515625
        f64::from_bits(0x3fe0_8000_0000_0000), // 0.515625
        f64::from_bits(0x3fe0_0000_0000_0000), // 0.5
    ],
    [
        f64::from_bits(0x3fb6_4ce2_6c06_7157), // 0.08711066377003839
        f64::from_bits(0x3fc5_63dc_29ff_acb2), // 0.16710998583525832
        f64::from_bits(0x3fcf_5fd8_a906_3e35), // 0.24511249783653147
        f64::from_bits(0x3fd4_8365_e695_d797), // 0.320519900494554
        f64::from_bits(0x3fd9_2180_0924_dd3b), // 0.3926696862503893
        f64::from_bits(0x3fdd_7e6c_0abc_3579), // 0.4608411888919686
        f64::from_bits(0x3fe0_c6ca_af0c_5597), // 0.5242665690336022
        f64::from_bits(0x3fe2_a0f3_c340_705c), // 0.5821474851141022
        f64::from_bits(0x3fe4_8eef_1931_7991), // 0.6424479953819163
        f64::from_bits(0x3fe6_476d_98ad_990a), // 0.6962192518228971
        f64::from_bits(0x3fe8_10fa_51bf_65fd), // 0.7520724865564145
        f64::from_bits(0x3fe9_ecf5_0bf4_3f13), // 0.8101754411199827
        f64::from_bits(0x3feb_88cb_9a2a_b521), // 0.8604486476012064
        f64::from_bits(0x3fec_dceb_d237_3995), // 0.9019679170394733
        f64::from_bits(0x3fee_9452_c8a7_1028), // 0.9556058806415466
        f64::from_bits(0x3ff0_0000_0000_0000), // 1.0
    ],
]);
/// log2(1 + t) / t for |t| < 0.032. Error 2^-50.5.
const LOG2_1P: [f64; 8] = [
    f64::from_bits(0x3ff7_1547_652b_82fa), // 1.4426950408889625
    f64::from_bits(0xbfe7_1547_652b_8512), // -0.7213475204445408
    f64::from_bits(0x3fde_c709_dc42_1590), // 0.48089834699234135
    f64::from_bits(0xbfd7_1547_647c_e1a4), // -0.3606737595869396
    f64::from_bits(0x3fd2_776b_a2df_3943), // 0.28853884606805397
    f64::from_bits(0xbfce_c717_5cf6_b167), // -0.240450783150105
    f64::from_bits(0x3fca_6ae4_6785_74bf), // 0.2063870912051353
    f64::from_bits(0xbfc6_f35e_bd1f_7b77), // -0.17930206522484202
];
/// Where the intervals begin.
const CUT: i32 = 0x3f84_0000;
/// Results whose logarithm is less are normal numbers.
const MOST: f64 = 125.9;
/// Twice the error of the function of `f64`, and more.
const ERROR: f64 = f64::from_bits((1023 - 51) << 52);
/// The error of the sums of two numbers, times 1 and the size of the power's logarithm.
const NOISE: f64 = f64::from_bits((1023 - 64) << 52);

/// `x^y`, correctly rounded: of 2^30 and more pairs, random and near all that is exact or halfway between two floats.
///
/// pow(x, +-0) = 1 and pow(1, y) = 1, also of NaN; NaN for finite x < 0 and y not an integer; zeros, infinities and the signs of odd
/// y as in C23 F.10.4.4.
#[inline(always)]
pub fn pow<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    if !x.is_irregular().any() {
        let logs = logarithm(x);
        let [low, high] = y.widen();
        let (low, high) = (low * logs[0], high * logs[1]);
        if !(!low.abs().lt(MOST) | !high.abs().lt(MOST)).any() {
            let power = [power_of(low, 1.0), power_of(high, 1.0)];
            if !doubtful::<12, L>(power) {
                return F32::narrow(power);
            }
        }
    }
    let ([a, b], [c, d]) = (x.widen(), y.widen());
    let [low, high] = [double::pow(a, c), double::pow(b, d)];
    // Between the two the exact value lies, also where it rounds to a subnormal number.
    let below = F32::narrow([low * (1.0 - ERROR), high * (1.0 - ERROR)]);
    let above = F32::narrow([low * (1.0 + ERROR), high * (1.0 + ERROR)]);
    if (!below.bits().eq(above.bits())).any() {
        return F32::narrow([careful(a, c, low), careful(b, d, high)]);
    }
    below
}

/// log2 x of positive normal numbers, relative error 2^-50.
#[inline(always)]
fn logarithm<L: WideLanes>(x: F32<L>) -> [F64<L>; 2] {
    let bits = x.bits();
    let shifted = bits + bits.splat(ONE - CUT);
    let mantissa = (shifted & bits.splat(0x007f_ffff)) + bits.splat(CUT);
    let (m, e) = (mantissa.float().widen(), shifted.float().exponent().widen());
    [sum(m[0], e[0]), sum(m[1], e[1])]
}

/// e + log2 m
#[inline(always)]
fn sum<L: WideLanes>(m: F64<L>, e: F64<L>) -> F64<L> {
    let at = (m.bits() + m.int(((ONE - CUT) as i64) << 29)) >> 48;
    let [c, log] = CELLS.at(at);
    let t = m.mul_sub(c, 1.0);
    t.mul_add(horner(t, &LOG2_1P), e + log)
}

/// A number that rounds to an `f32` as `x^y` does, of `f32` and `near`, the nearest number or its neighbour.
#[inline(always)]
fn careful<L: WideLanes>(x: F64<L>, y: F64<L>, near: F64<L>) -> F64<L> {
    let (base, size) = (x.abs(), near.abs());
    // The others' powers are what they should be.
    let usual = base.gt(0.0) & base.le(f64::MAX) & y.abs().le(f64::MAX) & size.gt(0.0) & size.le(f64::MAX);
    let y = usual.select(y, 1.0);
    let log = reduced(usual.select(base, 1.0)).parts();
    let product = two_product(log.hi, y);
    let (hi, lo, n) = exp_parts(product.hi, log.lo.mul_add(y, product.lo));
    // Halfway between two floats are powers s^n of odd numbers s, of 25 bits at most, and 2^-150: y is a multiple of 1/8 or, where x is a
    // power of two, 1/128. What is less than the error is none there.
    let steps = y * 128.0;
    let may_be_halfway = steps.trunc().eq(steps) & y.abs().le(150.0);
    let little = lo.abs().lt(product.hi.abs().mul_add(NOISE, NOISE));
    let lo = (may_be_halfway & little).select(0.0, lo);
    usual.select(hi.plus_sticky(lo).scale(n).copysign(near), near)
}
