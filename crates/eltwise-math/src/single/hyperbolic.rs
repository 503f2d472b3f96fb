//! sinh, cosh, tanh of `f32`.
//!
//! With `x = n ln(2) + r` (Cody and Waite 1980), `e^x` and `e^-x` share the even and the odd part of `e^r`: sinh and cosh need no
//! division. What of sinh depends on `n` alone is looked up. tanh is a polynomial of degree 6 around the centre of one of 16 cells
//! (Gal and Bachelis 1991: centres whose tanh is all but a float need no low part).
//!
//! The tables are printed by `tools/coefficients/single_hyperbolic.py`.

use core::f32::consts::{LN_2, LOG2_E};

use eltwise_simd::WideLanes;

use crate::single::exponential::{LN_2_HIGH, LN_2_LOW, ROUND};
use crate::vector::{F32, horner};

/// `(cosh(r) - 1) / r^2`. Error 2^-33.24 of cosh.
const COSH: [f32; 3] = [
    f32::from_bits(0x3f00_0000), // 0.5
    f32::from_bits(0x3d2a_aa73), // 0.041666459292173386
    f32::from_bits(0x3ab6_a788), // 0.0013935426250100136
];
/// `(sinh(r) - r) / r^3`. Error 2^-27.2 of sinh.
const SINH: [f32; 2] = [
    f32::from_bits(0x3e2a_aa4f), // 0.16666530072689056
    f32::from_bits(0x3c09_1939), // 0.008367829956114292
];
/// `(1 + 4^-n) / 2`, `(1 - 4^-n) / 2`, and a mean of what their rounding takes from `(e^r - 4^-n e^-r) / 2`.
#[rustfmt::skip]
const SUM: [f32; 16] = floats([
    0x3f80_0000, 0x3f20_0000, 0x3f08_0000, 0x3f02_0000, 0x3f00_8000, 0x3f00_2000, 0x3f00_0800, 0x3f00_0200,
    0x3f00_0080, 0x3f00_0020, 0x3f00_0008, 0x3f00_0002, 0x3f00_0000, 0x3f00_0000, 0x3f00_0000, 0x3f00_0000,
]);
#[rustfmt::skip]
const DIFFERENCE: [f32; 16] = floats([
    0x0000_0000, 0x3ec0_0000, 0x3ef0_0000, 0x3efc_0000, 0x3eff_0000, 0x3eff_c000, 0x3eff_f000, 0x3eff_fc00,
    0x3eff_ff00, 0x3eff_ffc0, 0x3eff_fff0, 0x3eff_fffc, 0x3eff_ffff, 0x3f00_0000, 0x3f00_0000, 0x3f00_0000,
]);
#[rustfmt::skip]
const LOST: [f32; 16] = floats([
    0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000,
    0x0000_0000, 0x0000_0000, 0x0000_0000, 0x0000_0000, 0xb1cc_cccd, 0xb206_6666, 0xb106_6666, 0x0000_0000,
]);
/// ln(2) less the nearest float.
const LN_2_REST: f32 = f32::from_bits(0xb102_e308);
/// `4^-n`, where that is not nothing.
#[rustfmt::skip]
const QUARTERS: [f32; 16] = floats([
    0x3f80_0000, 0x3e80_0000, 0x3d80_0000, 0x3c80_0000, 0x3b80_0000, 0x3a80_0000, 0x3980_0000, 0x3880_0000,
    0x3780_0000, 0x3680_0000, 0x3580_0000, 0x3480_0000, 0x3380_0000, 0x3280_0000, 0x3180_0000, 0x0000_0000,
]);
/// 2^-20
const TINY: f32 = f32::from_bits(0x3580_0000);
/// Where the cells of `|x|` have their centres, and of the polynomials around them the coefficients, the constant first.
#[rustfmt::skip]
const TANH_CENTRE: [f32; 16] = floats([
    0x3f38_43eb, 0x3f82_e282, 0x3fa9_bcc4, 0x3fd0_8d47, 0x4005_41a3, 0x402c_1d30, 0x4052_2551, 0x407c_ec26,
    0x4093_5c77, 0x40c5_bde6, 0x40e8_e5bf, 0x4105_1592, 0x0000_0000, 0x3e41_f1ab, 0x3eae_7f5f, 0x3efc_1f56,
]);
#[rustfmt::skip]
const TANH: [[f32; 16]; 7] = [
    floats([
        0x3f1d_e518, 0x3f45_5993, 0x3f5e_4803, 0x3f6d_0bf1, 0x3f78_2a29, 0x3f7d_a5f4, 0x3f7f_47fb, 0x3f7f_cf9c,
        0x3f7f_f2e4, 0x3f7f_ff70, 0x3f7f_fff0, 0x3f7f_fffe, 0x0000_0000, 0x3e3f_a864, 0x3ea8_0a85, 0x3ee9_8b37,
    ]),
    floats([
        0x3f1e_9d34, 0x3ecf_ba09, 0x3e7b_fc1a, 0x3e12_038d, 0x3d76_e491, 0x3c95_d209, 0x3bb7_c2e6, 0x3ac1_7db8,
        0x39d1_b941, 0x378f_fec8, 0x3600_01af, 0x3480_0054, 0x3f80_0000, 0x3f77_0835, 0x3f64_6c8c, 0x3f4a_bc53,
    ]),
    floats([
        0xbec3_a8b7, 0xbea0_22d8, 0xbe5a_cb80, 0xbe07_3419, 0xbd6f_560a, 0xbc94_71ad, 0xbbb7_3eb1, 0xbac1_5997,
        0xb9d1_a583, 0xb790_0f31, 0xb600_06b3, 0xb47f_efb8, 0xb2d1_68c7, 0xbe38_f199, 0xbe95_f0a0, 0xbeb8_f3a6,
    ]),
    floats([
        0x3cee_e10f, 0x3dd8_d2ac, 0x3dd3_f783, 0x3d99_0b9c, 0x3d15_b9d7, 0x3c42_449f, 0x3b72_ed4e, 0x3a80_b399,
        0x398b_dd2a, 0x3740_2b47, 0x35aa_55af, 0x342a_91d5, 0xbeaa_aa44, 0xbe93_62b0, 0xbe4e_21f2, 0xbdcb_3667,
    ]),
    floats([
        0x3de0_0ff9, 0x3cb9_7a69, 0xbc98_bc6d, 0xbcce_5123, 0xbc82_bcab, 0xbbbb_115d, 0xbaf0_437b, 0xba00_276b,
        0xb90c_f9ff, 0xb6bc_9ec0, 0xb529_739e, 0xb3ac_3937, 0xb902_78be, 0x3de9_8860, 0x3e27_a428, 0x3e29_9cf9,
    ]),
    floats([
        0xbd7f_ee59, 0xbd32_c9e7, 0xbc55_52fa, 0x3ac3_9669, 0x3b95_44ab, 0x3b0b_6396, 0x3a3e_3a97, 0x394d_fba7,
        0x385d_7f68, 0x3619_751f, 0x3490_5d1a, 0x330c_cad7, 0x3e0a_cb84, 0x3dc7_2224, 0x3d02_428f, 0xbcb4_3ce8,
    ]),
    floats([
        0xbbd6_ed29, 0x3c9b_7368, 0x3c4f_5ae5, 0x3b84_d07c, 0xb9d0_b9c3, 0xba1a_9628, 0xb96c_6e40, 0xb895_d5e3,
        0xb751_937d, 0xb593_5742, 0xb3d1_5739, 0xb215_e17b, 0xbc92_1fd4, 0xbd57_c1ce, 0xbd99_f1f9, 0xbd44_dd66,
    ]),
];

/// Floats from their bits.
const fn floats(bits: [u32; 16]) -> [f32; 16] {
    let mut out = [0.0; 16];
    let mut k = 0;
    while k < 16 {
        out[k] = f32::from_bits(bits[k]);
        k += 1;
    }
    out
}

/// `(e^x - e^-x) / 2`.
///
/// At most 0.9740 ULP (all 2^32 inputs), odd, rising. sinh(+-0) = +-0, sinh(+-inf) = +-inf.
#[inline(always)]
pub fn sinh<L: WideLanes>(x: F32<L>) -> F32<L> {
    let a = x.abs();
    let size = x.splat(TINY).greatest(x.splat(90.0).least(a));
    let shifted = size.mul_add(LOG2_E, ROUND);
    let n = shifted - ROUND;
    // r is exact but for the low part of n ln(2); t is the rounded rest.
    let r = n.neg_mul_add(LN_2_HIGH, size);
    let low = n * LN_2_LOW;
    let t = r - low;
    let square = t * t;
    let sinh_less_r = (t * square).mul_sub(horner(square, &SINH), low);
    // 2^n (e^r - 4^-n e^-r) / 2, where 4^-n counts as 0 from n = 15 on: where n is 0 this is sinh(r) alone.
    let at = x.splat(ROUND + 15.0).least(shifted).bits();
    let (sum, difference, lost) = (F32::lookup(&SUM, at), F32::lookup(&DIFFERENCE, at), F32::lookup(&LOST, at));
    let rest = (square * difference).mul_add(horner(square, &COSH), sinh_less_r.mul_add(sum, lost));
    let result = (r.mul_add(sum, rest) + difference).scale(n);
    // Below 2^-20 it is x, and products of tiny numbers are what CPUs are slow at.
    a.bits().lt(x.splat(TINY).bits()).select(x, result.copysign(x))
}

/// `(e^x + e^-x) / 2`.
///
/// At most 0.9741 ULP (all 2^32 inputs), even. cosh(+-0) = 1, cosh(+-inf) = +inf.
#[inline(always)]
pub fn cosh<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Below 2^-20 it is 1, and squares of tiny numbers are what CPUs are slow at.
    let x = x.splat(TINY).greatest(x.splat(90.0).least(x.abs()));
    let shifted = x.mul_add(LOG2_E, ROUND);
    let n = shifted - ROUND;
    // r is exact, and what the float lacks of ln(2) so little that 1.03 + r is near enough to e^r there.
    let r = n.neg_mul_add(LN_2, x);
    let less = r.mul_add(LN_2_REST, 1.03 * LN_2_REST);
    let square = r * r;
    // 2^(n-1) (e^r + k e^-r), with k = 4^-n.
    let k = F32::lookup(&QUARTERS, x.splat(ROUND + 15.0).least(shifted).bits());
    let (sum, difference) = (k + 1.0, x.splat(1.0) - k);
    let odd = (r * difference) * horner(square, &SINH);
    let both = horner(square, &COSH).mul_add(sum, odd);
    let rest = r.mul_add(difference, square.mul_add(both, n.neg_mul_add(less, k)));
    rest.mul_add(0.5, 0.5).scale(n)
}

/// `(e^x - e^-x) / (e^x + e^-x)`.
///
/// At most 0.9941 ULP (all 2^32 inputs), odd, never beyond +-1. tanh(+-0) = +-0, tanh(+-inf) = +-1.
#[inline(always)]
pub fn tanh<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Two exponent bits and two mantissa bits of 1.65 |x| + 1.0625 count the cells; tanh(9.05) rounds to 1.
    let mut size = x.splat(9.05).least(x.abs());
    let tiny = x.is_tiny();
    if tiny.any() {
        size = tiny.select(1.0, size);
    }
    let at = size.mul_add(1.65, 1.0625).bits() >> 21;
    let t = size - F32::lookup(&TANH_CENTRE, at);
    let mut sum = F32::lookup(&TANH[6], at);
    let mut k = 6;
    while k > 0 {
        k -= 1;
        sum = sum.mul_add(t, F32::lookup(&TANH[k], at));
    }
    let tanh = sum.copysign(x);
    if tiny.any() { tiny.select(x, tanh) } else { tanh }
}
