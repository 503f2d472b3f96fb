//! gelu of `f32`, correctly rounded.
//!
//! 1. `max(x, 0) - a Phi(-a)`, `a = |x|`, Phi the distribution function of the normal distribution. Nothing cancels:
//!    the difference is at least x / 2.
//! 2. `Phi(-a) = e^(-a^2 / 2) h(t)`, a^2 exact in `f64` lanes, the exponential of `exp.rs`, h minimax of degree 13 in
//!    `t = (a - 4) / (a + 4)` (Shepherd and Laframboise 1981, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0
//!    <= x < inf"), error 2^-39.28.

use core::f64::consts::LOG2_E;

use eltwise_simd::WideLanes;

use super::exp::scaled_exp2;
use super::rounding::{is_small, near_halfway};
use crate::polynomial::second_order_horner;
use crate::vector::{F32, F64};

/// The a with t = 0.
const CENTRE: f64 = 4.0;

/// The end of h. Below -MOST, results are subnormal.
const MOST: f32 = 13.1;

/// Phi(-a) e^(a^2 / 2) of t, for a from 0 to 13.2. Error 2^-39.28.
const TAIL: [f64; 14] = [
    f64::from_bits(0x3fb8_2b4b_b8c9_4c93), // 0.09441064130196457
    f64::from_bits(0xbfc5_cf97_b0b0_2829), // -0.17039772155141122
    f64::from_bits(0x3fbf_d751_a201_af3c), // 0.12437925534476063
    f64::from_bits(0xbfb2_5b6a_a87b_4dea), // -0.07170740712472648
    f64::from_bits(0x3f9f_9b05_ecb3_b212), // 0.030864803859843866
    f64::from_bits(0xbf81_644e_5d54_4ab4), // -0.008492099974806912
    f64::from_bits(0x3f40_a1c2_90bc_2899), // 0.0005075645471788347
    f64::from_bits(0x3f44_ef1d_5ca4_b5bc), // 0.000638856255397328
    f64::from_bits(0xbf28_88d7_9161_e085), // -0.00018718368000114976
    f64::from_bits(0xbf07_fd66_f1ab_fe78), // -4.5757011511324394e-05
    f64::from_bits(0x3efd_edcb_cc7f_8e31), // 2.8542414639688526e-05
    f64::from_bits(0x3ed5_5f90_8c51_f075), // 5.095791668737708e-06
    f64::from_bits(0xbed0_112d_a339_e4bf), // -3.830695778022838e-06
    f64::from_bits(0xbeb3_af41_0548_f5a9), // -1.1732927493035507e-06
];

/// `x Phi(x)`, correctly rounded.
///
/// gelu(±0) = ±0, gelu(-inf) = -0, gelu(+inf) = +inf.
#[inline(always)]
pub fn gelu<L: WideLanes>(x: F32<L>) -> F32<L> {
    // Otherwise, results may be subnormal.
    if !(!x.gt(-MOST) | is_small(x)).any() {
        let [low, high] = x.widen();
        let gelu = [gelu_of(low), gelu_of(high)];
        if !near_halfway::<15, L>(gelu) {
            // The sign of -0.
            return F32::narrow(gelu).copysign(x);
        }
    }
    let [low, high] = x.widen();
    F32::narrow([crate::f64::to_narrow::gelu(low), crate::f64::to_narrow::gelu(high)])
}

#[inline(always)]
fn gelu_of<L: WideLanes>(x: F64<L>) -> F64<L> {
    // Above MOST, the tail is negligible.
    let a = x.splat(MOST as f64).least(x.abs());
    let t = (a - CENTRE) / (a + CENTRE);
    let tail = a * scaled_exp2(a * a, -0.5 * LOG2_E);
    x.splat(0.0).greatest(x) - tail * second_order_horner(t, &TAIL)
}
