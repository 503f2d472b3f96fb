//! tanh of `f32`.
//!
//! 1. Interval: one of 16 of |x|, from two exponent bits and two significand bits of `1.65 |x| + 1.0625`.
//! 2. Polynomial of degree 6 around the centre of the interval. The centres are such that tanh there is almost exactly
//!    a float, so the constant term needs no low part (Gal and Bachelis 1991, "An accurate elementary mathematical
//!    library for the IEEE floating point standard").
//!
//! Tables: `tools/coefficients/f32_hyperbolic.py`.

use eltwise_simd::WideLanes;

use super::constants::floats_from_bits;
use crate::vector::F32;

/// The centres of the intervals of `|x|`.
#[rustfmt::skip]
const TANH_CENTRE: [f32; 16] = floats_from_bits([
    0x3f38_43eb, 0x3f82_e282, 0x3fa9_bcc4, 0x3fd0_8d47, 0x4005_41a3, 0x402c_1d30, 0x4052_2551, 0x407c_ec26,
    0x4093_5c77, 0x40c5_bde6, 0x40e8_e5bf, 0x4105_1592, 0x0000_0000, 0x3e41_f1ab, 0x3eae_7f5f, 0x3efc_1f56,
]);

/// The coefficients of the polynomials in `|x| - centre`, the constants first.
#[rustfmt::skip]
const TANH: [[f32; 16]; 7] = [
    floats_from_bits([
        0x3f1d_e518, 0x3f45_5993, 0x3f5e_4803, 0x3f6d_0bf1, 0x3f78_2a29, 0x3f7d_a5f4, 0x3f7f_47fb, 0x3f7f_cf9c,
        0x3f7f_f2e4, 0x3f7f_ff70, 0x3f7f_fff0, 0x3f7f_fffe, 0x0000_0000, 0x3e3f_a864, 0x3ea8_0a85, 0x3ee9_8b37,
    ]),
    floats_from_bits([
        0x3f1e_9d34, 0x3ecf_ba09, 0x3e7b_fc1a, 0x3e12_038d, 0x3d76_e491, 0x3c95_d209, 0x3bb7_c2e6, 0x3ac1_7db8,
        0x39d1_b941, 0x378f_fec8, 0x3600_01af, 0x3480_0054, 0x3f80_0000, 0x3f77_0835, 0x3f64_6c8c, 0x3f4a_bc53,
    ]),
    floats_from_bits([
        0xbec3_a8b7, 0xbea0_22d8, 0xbe5a_cb80, 0xbe07_3419, 0xbd6f_560a, 0xbc94_71ad, 0xbbb7_3eb1, 0xbac1_5997,
        0xb9d1_a583, 0xb790_0f31, 0xb600_06b3, 0xb47f_efb8, 0xb2d1_68c7, 0xbe38_f199, 0xbe95_f0a0, 0xbeb8_f3a6,
    ]),
    floats_from_bits([
        0x3cee_e10f, 0x3dd8_d2ac, 0x3dd3_f783, 0x3d99_0b9c, 0x3d15_b9d7, 0x3c42_449f, 0x3b72_ed4e, 0x3a80_b399,
        0x398b_dd2a, 0x3740_2b47, 0x35aa_55af, 0x342a_91d5, 0xbeaa_aa44, 0xbe93_62b0, 0xbe4e_21f2, 0xbdcb_3667,
    ]),
    floats_from_bits([
        0x3de0_0ff9, 0x3cb9_7a69, 0xbc98_bc6d, 0xbcce_5123, 0xbc82_bcab, 0xbbbb_115d, 0xbaf0_437b, 0xba00_276b,
        0xb90c_f9ff, 0xb6bc_9ec0, 0xb529_739e, 0xb3ac_3937, 0xb902_78be, 0x3de9_8860, 0x3e27_a428, 0x3e29_9cf9,
    ]),
    floats_from_bits([
        0xbd7f_ee59, 0xbd32_c9e7, 0xbc55_52fa, 0x3ac3_9669, 0x3b95_44ab, 0x3b0b_6396, 0x3a3e_3a97, 0x394d_fba7,
        0x385d_7f68, 0x3619_751f, 0x3490_5d1a, 0x330c_cad7, 0x3e0a_cb84, 0x3dc7_2224, 0x3d02_428f, 0xbcb4_3ce8,
    ]),
    floats_from_bits([
        0xbbd6_ed29, 0x3c9b_7368, 0x3c4f_5ae5, 0x3b84_d07c, 0xb9d0_b9c3, 0xba1a_9628, 0xb96c_6e40, 0xb895_d5e3,
        0xb751_937d, 0xb593_5742, 0xb3d1_5739, 0xb215_e17b, 0xbc92_1fd4, 0xbd57_c1ce, 0xbd99_f1f9, 0xbd44_dd66,
    ]),
];

/// `(e^x - e^-x) / (e^x + e^-x)`.
///
/// At most 0.9941 ULP (all 2^32 inputs), odd, never beyond ±1. tanh(±0) = ±0, tanh(±inf) = ±1.
#[inline(always)]
pub fn tanh<L: WideLanes>(x: F32<L>) -> F32<L> {
    // tanh(9.05) rounds to 1.
    let mut size = x.splat(9.05).least(x.abs());
    let tiny = x.is_tiny();
    if tiny.any() {
        size = tiny.select(1.0, size);
    }
    let index = size.mul_add(1.65, 1.0625).bits() >> 21;
    let t = size - F32::lookup(&TANH_CENTRE, index);
    let mut sum = F32::lookup(&TANH[6], index);
    let mut k = 6;
    while k > 0 {
        k -= 1;
        sum = sum.mul_add(t, F32::lookup(&TANH[k], index));
    }
    let tanh = sum.copysign(x);
    if tiny.any() { tiny.select(x, tanh) } else { tanh }
}
