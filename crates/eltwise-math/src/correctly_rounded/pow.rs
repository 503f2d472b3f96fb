//! pow of `f32`, correctly rounded: `2^(y log2 x)` in `f64` lanes.
//!
//! 1. log2 x: x = 2^e m as in `log.rs`, with 16 reciprocals c of 8 bits; t = m c - 1, |t| < 0.032, is exact.
//!    `log2 x = (e - log2 c) + t p(t)`, p minimax of degree 7, error 2^-50.5. Around 1 the first sum is 0.
//! 2. The power: the exponential of `exp.rs`. The total error is 2^-43 if the result is a normal number.
//! 3. If that leaves the rounding open, or x or the result is not a positive normal number: the function of `f64`.
//! 4. If the last bits of that matter: `y log x` and its power in double-double (`f64/double_double`), with an error of
//!    at most 2^-57, and far less if the power is near 1. Powers with an exponent such as 3/2 may be midpoints of two
//!    `f32`; a value that is closer to a midpoint than the error is taken for it.

use eltwise_simd::WideLanes;

use super::exp::scaled_exp2;
use super::rounding::near_halfway;
use crate::f32::log::ONE;
use crate::f64::constants::two_to;
use crate::f64::double_double::exp::exp_parts;
use crate::f64::double_double::log::reduced;
use crate::f64::double_double::two_product;
use crate::f64::tables::Tables;
use crate::polynomial::horner;
use crate::vector::{F32, F64};

/// Reciprocals c, and -log2 c, for 16 cells of significands. The first cell starts at [`CUT`], the last one contains 2.
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

/// The bits of the lowest significand of the cells.
const CUT: i32 = 0x3f84_0000;

/// Results with a smaller logarithm are normal numbers.
const MOST: f64 = 125.9;

/// More than twice the error of the function of `f64`.
const ERROR: f64 = two_to(-51);

/// The error in double-double, in multiples of 1 plus the magnitude of the logarithm of the power.
const NOISE: f64 = two_to(-64);

/// `x^y`, correctly rounded, as tested on more than 2^30 pairs: random ones, and ones near exact results and near
/// midpoints.
///
/// pow(x, ±0) = 1 and pow(1, y) = 1, also of NaN; NaN for finite x < 0 and y not an integer; zeros, infinities and the
/// signs of odd y as in C23 F.10.4.4.
#[inline(always)]
pub fn pow<L: WideLanes>(x: F32<L>, y: F32<L>) -> F32<L> {
    if !x.is_irregular().any() {
        let logs = log2_of_normal(x);
        let [low, high] = y.widen();
        let (low, high) = (low * logs[0], high * logs[1]);
        if !(!low.abs().lt(MOST) | !high.abs().lt(MOST)).any() {
            let power = [scaled_exp2(low, 1.0), scaled_exp2(high, 1.0)];
            if !near_halfway::<12, L>(power) {
                return F32::narrow(power);
            }
        }
    }
    let ([a, b], [c, d]) = (x.widen(), y.widen());
    let [low, high] = [crate::f64::pow(a, c), crate::f64::pow(b, d)];
    // The exact value is between these two, also if it rounds to a subnormal number.
    let below = F32::narrow([low * (1.0 - ERROR), high * (1.0 - ERROR)]);
    let above = F32::narrow([low * (1.0 + ERROR), high * (1.0 + ERROR)]);
    if (!below.bits().eq(above.bits())).any() {
        return F32::narrow([pow_double_double(a, c, low), pow_double_double(b, d, high)]);
    }
    below
}

/// log2 x of positive normal numbers, relative error 2^-50.
#[inline(always)]
fn log2_of_normal<L: WideLanes>(x: F32<L>) -> [F64<L>; 2] {
    let bits = x.bits();
    let shifted = bits + bits.splat(ONE - CUT);
    let mantissa = (shifted & bits.splat(0x007f_ffff)) + bits.splat(CUT);
    let (m, e) = (mantissa.float().widen(), shifted.float().exponent().widen());
    [log2_of_parts(m[0], e[0]), log2_of_parts(m[1], e[1])]
}

/// e + log2 m.
#[inline(always)]
fn log2_of_parts<L: WideLanes>(m: F64<L>, e: F64<L>) -> F64<L> {
    let index = (m.bits() + m.int(((ONE - CUT) as i64) << 29)) >> 48;
    let [c, log] = CELLS.lookup(index);
    let t = m.mul_sub(c, 1.0);
    t.mul_add(horner(t, &LOG2_1P), e + log)
}

/// A number that rounds to `f32` as `x^y` does. x and y are `f32` numbers, `near` is within 1 ULP of `x^y`.
#[inline(always)]
fn pow_double_double<L: WideLanes>(x: F64<L>, y: F64<L>, near: F64<L>) -> F64<L> {
    let (base, size) = (x.abs(), near.abs());
    // In other lanes, `near` is exact.
    let usual = base.gt(0.0) & base.le(f64::MAX) & y.abs().le(f64::MAX) & size.gt(0.0) & size.le(f64::MAX);
    let y = usual.select(y, 1.0);
    let log = reduced(usual.select(base, 1.0)).parts();
    let product = two_product(log.hi, y);
    let (hi, lo, n) = exp_parts(product.hi, log.lo.mul_add(y, product.lo));
    // Midpoints of two `f32` are powers s^n of odd numbers s of at most 25 bits, times a power of two, and 2^-150: y is
    // a multiple of 1/8 or, if x is a power of two, of 1/128. A low part below the error is 0 then.
    let steps = y * 128.0;
    let may_be_halfway = steps.trunc().eq(steps) & y.abs().le(150.0);
    let is_noise = lo.abs().lt(product.hi.abs().mul_add(NOISE, NOISE));
    let lo = (may_be_halfway & is_noise).select(0.0, lo);
    usual.select(hi.plus_sticky(lo).scale(n).copysign(near), near)
}
