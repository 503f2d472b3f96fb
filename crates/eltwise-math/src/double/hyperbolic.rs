//! sinh, cosh, tanh of `f64`.
//!
//! `|x| = j ln 2 + r` with `j` a multiple of 1/16 as in exponential.rs, `2^j` and `2^-j` from its table. With `s` and `d` half the sum
//! and half the difference of the two,
//!
//! ```text
//! sinh |x| = d cosh r + s sinh r
//! cosh |x| = s cosh r + d sinh r
//! ```
//!
//! need no second exponential, and lose nothing where `j` is 0: sinh is then the odd polynomial. cosh and sinh of `|r| <= ln 2 / 32` are
//! polynomials of two or three coefficients. The leading terms are summed with their errors (Dekker 1971). Results near the largest
//! number are computed 2^512 times smaller.
//!
//! tanh is a polynomial in each of 16 intervals, as erf in error.rs. Where tanh is wanted in two parts it is the quotient of sinh and
//! cosh, with the remainder of the division (Markstein 1990), these by the same theorems with an integer `j`.
//!
//! Errors are the largest seen among 2^24 arguments in each interesting range and 2^24 bit patterns, compared with correctly rounded
//! results (core-math); those that differed were measured with 220 bits.
//! The tables come from tools/coefficients/double_hyperbolic.py.

use eltwise_simd::WideLanes;

use super::exponential::power;
use super::extended::{LN2, Pair, SIXTEENTHS, TINY, fast_two_sum};
use super::tables::Tables;
use crate::vector::{F64, Mask, horner};

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

/// (cosh r - 1) / r^2 of r^2, |r| <= ln 2 / 32. Error 2^-66.22 of 1.
const SHORT_EVEN: [f64; 3] = [
    f64::from_bits(0x3fe0_0000_0000_0004), // 0.5000000000000004
    f64::from_bits(0x3fa5_5555_5548_495c), // 0.04166666666073368
    f64::from_bits(0x3f56_c183_e1bb_36e0), // 0.0013889110477295838
];
/// sinh r / r of r^2 for cosh. Error 2^-61 of 1.
const SHORT_ODD: [f64; 3] = [
    1.0,
    f64::from_bits(0x3fc5_5555_554a_f429), // 0.16666666664778632
    f64::from_bits(0x3f81_1122_7ea1_a6cd), // 0.0083334631819584
];
/// (sinh r - r) / r^3 of r^2 for sinh. Error 2^-69 of sinh r.
const LONG_ODD: [f64; 3] = [
    f64::from_bits(0x3fc5_5555_5555_5557), // 0.1666666666666667
    f64::from_bits(0x3f81_1111_110b_6e17), // 0.008333333332692523
    f64::from_bits(0x3f2a_01b5_0774_0966), // 0.00019841513469749243
];
/// From here on, results are computed 2^512 times smaller. e^LARGEST is infinite.
const LARGE: f64 = 700.0;
const LARGEST: f64 = 711.0;

/// `a = j ln 2 + r + r_low`; `2^(j - 1) = up (1 + up_low)`, `2^(-j - 1) = down (1 + down_low)`.
struct Powers<L: WideLanes> {
    r: F64<L>,
    r_low: F64<L>,
    up: F64<L>,
    up_low: F64<L>,
    down: F64<L>,
    down_low: F64<L>,
}

/// The parts of `a`, 0 to `LARGEST`; where it is `large`, `up` is 2^512 times smaller and `down` just small.
#[inline(always)]
fn powers<L: WideLanes>(a: F64<L>, large: Option<Mask<f64, L>>) -> Powers<L> {
    // One less: the halves of the powers.
    let sixteenths = a.mul_add(core::f64::consts::LOG2_E, SIXTEENTHS - 1.0);
    let j = sixteenths - (SIXTEENTHS - 1.0);
    // Exact, as for e^x.
    let rest = j.neg_mul_add(LN2[0], a);
    let r = j.neg_mul_add(LN2[1], rest);
    let r_low = j.neg_mul_add(LN2[1], rest - r);
    let at = sixteenths.bits();
    // -j - 1 in sixteenths.
    let opposite = at.splat(-32) - at;
    let ([mut up, up_low], [mut down, down_low]) = (power(at), power(opposite));
    if let Some(large) = large {
        up = (up.bits() - large.select_bits(at.splat(512 << 52), at.splat(0))).float();
        down = large.select(f64::from_bits(700 << 52), down);
    }
    Powers { r, r_low, up, up_low, down, down_low }
}

/// sinh x, at most 0.60 ULP; odd bit for bit.
///
/// sinh(±0) = ±0, sinh(±inf) = ±inf. NaN is the quiet one.
#[inline(always)]
pub fn sinh<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    if (!(a.ge(TINY) & a.le(LARGE))).any() {
        // NaN stays; far down it is x.
        let (large, tiny) = (a.gt(LARGE), a.lt(TINY));
        let size = sinh_of(&powers(tiny.select(1.0, x.splat(LARGEST).least(a)), Some(large)));
        let v = size * large.select(f64::from_bits((1023 + 512) << 52), x.splat(1.0));
        return tiny.select(x, v.copysign(x)).replace_nan(f64::NAN);
    }
    sinh_of(&powers(a, None)).copysign(x)
}

#[inline(always)]
fn sinh_of<L: WideLanes>(powers: &Powers<L>) -> F64<L> {
    let Powers { r, r_low, up, up_low, down, down_low } = *powers;
    let (s, d) = (up + down, up - down);
    let d_low = down.neg_mul_add(down_low, up.mul_add(up_low, (up - d) - down));
    // d is 0 or the larger term.
    let first = s.mul_add(r, d);
    let lost = s.mul_add(r, d - first);
    let square = r * r;
    let odd = horner(square, &LONG_ODD).mul_add(square * r, r_low);
    let even = horner(square, &SHORT_EVEN) * square;
    first + s.mul_add(odd, d.mul_add(even, lost + d_low))
}

/// cosh x, at most 0.70 ULP; even bit for bit.
///
/// cosh(±0) = 1, cosh(±inf) = inf. NaN is the quiet one.
#[inline(always)]
pub fn cosh<L: WideLanes>(x: F64<L>) -> F64<L> {
    // Below, cosh is 1, and arithmetic on subnormal numbers slow; NaN stays.
    let a = x.splat(f64::from_bits((1023 - 200) << 52)).greatest(x.abs());
    if (!a.le(LARGE)).any() {
        let large = a.gt(LARGE);
        let size = cosh_of(&powers(x.splat(LARGEST).least(a), Some(large)));
        return (size * large.select(f64::from_bits((1023 + 512) << 52), x.splat(1.0))).replace_nan(f64::NAN);
    }
    cosh_of(&powers(a, None))
}

#[inline(always)]
fn cosh_of<L: WideLanes>(powers: &Powers<L>) -> F64<L> {
    let Powers { r, up, up_low, down, .. } = *powers;
    let (s, d) = (up + down, up - down);
    // What 2^-j misses is at most 1/8 ULP.
    let s_low = up.mul_add(up_low, down - (s - up));
    let square = r * r;
    let odd = horner(square, &SHORT_ODD) * r;
    let even = horner(square, &SHORT_EVEN) * square;
    s + d.mul_add(odd, s.mul_add(even, s_low))
}

/// tanh: centres, values there, and coefficients of x less the centre. Error 2^-56.04.
#[rustfmt::skip]
static TANH: Tables<16> = Tables::new([
    [0.0, 0.4813044197486645, 0.8027570458132038, 1.12377002801788,
     1.6048121873295327, 2.2467218034722833, 2.8893209261457953, 3.531408879385714,
     4.494237063975817, 5.778243216427333, 7.062658495160588, 8.347039441618453,
     10.457443506721509, 12.817653992776886, 15.293098853832264, 18.16551637113764],
    [0.0, 0.4472876681836746, 0.6655752903875923, 0.8088762681409349,
     0.9223897148061064, 0.977883170402014, 0.9938332468522519, 0.9982887421146307,
     0.9997503502893493, 0.9999808526996466, 0.9999985328231932, 0.9999998875696321,
     0.9999999983487609, 0.9999999999852851, 0.9999999999998959, 0.9999999999999997],
    [1.0, 0.799933741890811, 0.5570095328254722, 0.3457191828383943,
     0.1491972140199091, 0.043744505044505666, 0.012295477451110861, 0.00341958736718836,
     0.0004992370963232706, 3.829423408759083e-05, 2.9343514610404583e-06, 2.2486072316833596e-07,
     3.3024782866532425e-09, 2.9429791917038765e-11, 2.082778608774864e-13, 6.66372066003028e-16],
    [-1.1423387647592617e-16, -0.35780049811178233, -0.37073178155897074, -0.279644042439054,
     -0.13761797568968928, -0.04277701528058808, -0.012219654276836158, -0.0034137355713415255,
     -0.0004991124619266319, -3.8293500856396404e-05, -2.9343471558197603e-06, -2.2486069788007827e-07,
     -3.302478287614184e-09, -2.942979158017404e-11, -2.0827805432931515e-13, -6.684509720905608e-16],
    [-0.33333333333330345, -0.10660483015489791, 0.061080068891846674, 0.11095770184315452,
     0.07720500067550046, 0.027249421641407864, 0.008045806201656382, 0.0022680313336971227,
     0.00033257549320721665, 2.5528022943307776e-05, 1.956225696935605e-06, 1.4990709821599079e-07,
     2.201652211283407e-09, 1.9619861059591248e-11, 1.3885187745553503e-13, 4.4319372345602953e-16],
    [-2.7636834711506494e-12, 0.1669498586010456, 0.08292387593003132, 0.003463629024659551,
     -0.025340439991447868, -0.012387745732796704, -0.003922971608657364, -0.0011262382900817211,
     -0.0001661216451879056, -1.2763033864962798e-05, -9.78107108418017e-07, -7.495351558539165e-08,
     -1.100825999884238e-09, -9.809932809691265e-12, -6.942482072509455e-14, -2.0943138810891735e-16],
    [0.1333333334632891, -0.021363364195978632, -0.06317411614361128, -0.03210489942781227,
     0.0009542546158318614, 0.00400272763705127, 0.0014900770428439554, 0.00044429139173632375,
     6.631583283912471e-05, 5.104431487572165e-06, 3.912382512400741e-07, 2.9981379207571857e-08,
     4.4033023851208944e-10, 3.923973702197222e-12, 2.777048418495843e-14, 9.658787692668259e-17],
    [-3.639039987452511e-09, -0.05404550569482315, 0.006167354697058507, 0.018600036169828287,
     0.004508441444863267, -0.0007355517533935178, -0.0004447787754879606, -0.00014397912158951626,
     -2.20167834731234e-05, -1.7009558165573296e-06, -1.3040968643848867e-07, -9.993772946998317e-09,
     -1.4677723229306558e-10, -1.3079844217292256e-12, -9.259669722314938e-15, -6.187626241319138e-17],
    [-0.05396818779230837, 0.027233031821269786, 0.01713167807378627, -0.002609448675668019,
     -0.003076718554249821, -0.00010199716084549634, 9.811710547733505e-05, 3.8799080265916335e-05,
     6.239990463337409e-06, 4.856894673541746e-07, 3.725815985986911e-08, 2.8553538778945395e-09,
     4.193670930869475e-11, 3.737072779295678e-13, 2.6446812884657535e-15, -1.5503495027136666e-17],
    [-8.230001306430946e-07, 0.010301416260902543, -0.01083083753036349, -0.0034204815373825286,
     0.0010632541805172997, 0.00016017532532261843, -1.0567894163201425e-05, -8.542327469863696e-06,
     -1.5347736364666683e-06, -1.2127342593967547e-07, -9.313680225603494e-09, -7.138460505322428e-10,
     -1.048304276584584e-11, -9.343726184165756e-14, -6.574961278516089e-16, 3.635917410627046e-17],
    [0.02187670705358311, -0.013765192663365247, 8.29490881093886e-05, 0.0027614513709284813,
     -6.579951851393945e-05, -8.209597975065342e-05, -3.5160897860663817e-06, 1.3914737500639779e-06,
     3.29868010499763e-07, 2.6883572044131902e-08, 2.0693257700099447e-09, 1.5862828062955172e-10,
     2.329248860538067e-12, 2.0768493222416542e-14, 1.4692849740492962e-16, 3.5619116828079976e-17],
    [-4.5361641428391496e-05, 0.0010930941934281268, 0.003438242921830899, -0.0007467270910356769,
     -0.00016904294976717674, 2.7707671808610353e-05, 2.8494769611859747e-06, -8.006557311055292e-08,
     -6.15124050681153e-08, -5.350281512081435e-09, -4.136621203727927e-10, -3.168435390378888e-11,
     -4.671945946807507e-13, -4.145127045650308e-15, -3.188102013405516e-17, -1.9324219606388052e-17],
    [-0.008658460842659508, 0.004710063866461474, -0.0018011888992442231, -0.00029034051844836376,
     0.00012090252356473021, -5.646500788136515e-06, -1.1932329333029553e-06, -5.500738078199544e-08,
     9.588993908210135e-09, 9.62835681692864e-10, 7.512808834878605e-11, 5.7649025436825535e-12,
     8.492596327352747e-14, 7.49429924629934e-16, 5.4144726459461225e-18, -2.4316309126562672e-17],
    [-0.0006562254682488807, -0.0020833122536694426, -0.00017802962602215153, 0.00037603684714730245,
     -4.335945700008177e-05, -3.137605427627187e-07, 3.7354628294322e-07, 3.0933112071910946e-08,
     -1.0667914569751027e-09, -1.5722519557947257e-10, -1.2579495459121212e-11, -1.0260279905976475e-12,
     -1.3359091140278888e-14, -1.2848798128994773e-16, -7.081314276018411e-20, 7.198266621466134e-19],
    [0.005036329053290806, -0.0010015653600504197, 0.0006724732577299332, -0.00014684275898602667,
     1.767218968598338e-06, 1.0098707861276896e-06, -8.865655330725807e-08, -1.1309474386706137e-08,
     -2.8918652148282787e-11, 2.3724885603060212e-11, 1.9747548176894365e-12, 1.5235210538533323e-13,
     2.227165012730091e-15, 2.166002090388296e-17, 1.1285469347677782e-19, 6.406339078753047e-18],
    [-0.0020229480176699325, 0.001090251877142393, -0.0002577159569322969, -2.2106081533953564e-05,
     6.988153875330938e-06, -5.346509510718958e-07, 1.2369861121420105e-08, 3.766371789609276e-09,
     5.432505958605431e-11, -3.116943624387092e-12, -2.3050596144408384e-13, 2.0503025779834363e-14,
     -5.03841100654771e-16, -2.495176405858449e-18, -1.1926063636076997e-19, 1.6308315484967586e-18],
]);

/// `c[k] + c[k + 1] d + c[k + 2] d^2 + c[k + 3] d^3`
#[inline(always)]
fn four<L: WideLanes>(c: &[F64<L>; 16], k: usize, d: F64<L>, square: F64<L>) -> F64<L> {
    c[k + 3].mul_add(d, c[k + 2]).mul_add(square, c[k + 1].mul_add(d, c[k]))
}

/// tanh x, at most 0.79 ULP; odd bit for bit, never beyond ±1.
///
/// tanh(±0) = ±0, tanh(±inf) = ±1. NaN is the quiet one.
#[inline(always)]
pub fn tanh<L: WideLanes>(x: F64<L>) -> F64<L> {
    // From 19.07 on the result is 1; NaN stays.
    let a = x.splat(19.25).least(x.abs());
    let rare = !a.ge(TINY);
    if rare.any() {
        return rare.select(x, tanh_of(rare.select(1.0, a)).copysign(x)).replace_nan(f64::NAN);
    }
    tanh_of(a).xor_sign(x.bits() & x.int(i64::MIN))
}

/// tanh of a from `TINY` to 19.25.
#[inline(always)]
fn tanh_of<L: WideLanes>(a: F64<L>) -> F64<L> {
    let c = TANH.at(a.mul_add(1.5575, a.splat(2.0)).bits() >> 50);
    let d = a - c[0];
    let (square, fourth) = (d * d, (d * d) * (d * d));
    // A short chain of dependent operations, so that vectors overlap: by pairs, by fours, by Horner.
    let first = four(&c, 3, d, square);
    let second = four(&c, 7, d, square);
    let third = four(&c, 11, d, square);
    let sum = c[15].mul_add(fourth, third).mul_add(fourth, second).mul_add(fourth, first);
    d.mul_add(c[2], sum * square) + c[1]
}

/// tanh of `a + low`, `0 <= a <= 22`.
#[inline(always)]
pub(super) fn tanh_parts<L: WideLanes>(a: F64<L>, low: F64<L>) -> Pair<L> {
    let Hyperbolic { sinh, cosh } = hyperbolic(a, low);
    let (sinh, cosh) = (fast_two_sum(sinh.hi, sinh.lo), fast_two_sum(cosh.hi, cosh.lo));
    quotient(sinh, cosh, a.splat(1.0) / cosh.hi)
}
