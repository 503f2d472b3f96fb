//! softplus of `f32`, correctly rounded: `max(x, 0) + z l(z)`, `z = e^-|x|`, `l(z) = log(1 + z) / z` minimax of degree
//! 13, error 2^-38.3.

use eltwise_simd::WideLanes;

use super::exp::exp_parts;
use super::rounding::{near_halfway, patch_exceptions};
use crate::polynomial::horner;
use crate::vector::{F32, F64};

/// log(1 + t) / t for t from 0 to 1. Error 2^-38.27.
const LOG1P: [f64; 14] = [
    f64::from_bits(0x3fef_ffff_ffff_95b6), // 0.9999999999969791
    f64::from_bits(0xbfdf_ffff_feb2_0aaf), // -0.4999999987850669
    f64::from_bits(0x3fd5_5554_fdda_d62d), // 0.3333332518626289
    f64::from_bits(0xbfcf_ffed_d2ea_561a), // -0.24999783323862418
    f64::from_bits(0x3fc9_989b_13d5_1e32), // 0.19996965855010412
    f64::from_bits(0xbfc5_4ce4_92a4_e5e8), // -0.16640908394201337
    f64::from_bits(0x3fc2_19f1_6d10_d4c5), // 0.1414167196796027
    f64::from_bits(0xbfbe_9107_f347_2a6c), // -0.11940049828914717
    f64::from_bits(0x3fb8_6b95_2958_ab70), // 0.09539158114846003
    f64::from_bits(0xbfb1_3040_7afe_a3aa), // -0.06714251520919726
    f64::from_bits(0x3fa3_8e9c_1bd8_db3f), // 0.03819740142755856
    f64::from_bits(0xbf90_439f_f768_c3c2), // -0.015882968402539673
    f64::from_bits(0x3f71_2a39_c511_a2e1), // 0.004190660155565879
    f64::from_bits(0xbf41_0351_79fd_d590), // -0.0005191943964592428
];

/// `log(1 + e^x)`, correctly rounded. softplus(-inf) = +0, softplus(+inf) = +inf.
#[inline(always)]
pub fn softplus<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Below -87, results are subnormal.
    if !(!x.gt(-87.0)).any() {
        let [low, high] = x.widen();
        let sums = [softplus_of(low), softplus_of(high)];
        if !near_halfway::<16, L>(sums) {
            return F32::narrow(sums);
        }
    }
    let [low, high] = x.widen();
    patch_exceptions(
        x,
        F32::narrow([crate::f64::softplus(low), crate::f64::softplus(high)]),
        &[(0x39ea_41d0, 0x3f31_80bd)],
    )
}

#[inline(always)]
fn softplus_of<L: WideLanes>(x: F64<L>) -> F64<L> {
    let (p, power) = exp_parts(x.splat(-100.0).greatest(-x.abs()));
    let z = power.mul_add(p, power);
    // Even and odd powers in separate chains, for latency.
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = LOG1P;
    let square = z * z;
    let (even, odd) = (horner(square, &[a, c, e, g, i, k, m]), horner(square, &[b, d, f, h, j, l, n]));
    z.mul_add(odd.mul_add(z, even), x.splat(0.0).greatest(x))
}
