//! tanhshrink of `f64`: `x - tanh x`.
//!
//! 1. |x| < 1/2: `x^3 (1/3 + u p(u))`, u = x^2, p minimax of degree 10. The cube, 1/3 and the sum are pairs.
//! 2. Above: the difference with tanh as a pair (`exp_pair.rs`) cancels less than four bits.
//!
//! Tables: `tools/coefficients/cancelling.py`.

use eltwise_simd::WideLanes;

use super::constants::two_to;
use super::double_double::{Pair, two_product, two_sum};
use super::exp_pair::tanh_pair;
use super::subnormal::scaled_down;
use crate::polynomial::second_order_horner;
use crate::vector::F64;

/// 1/3 as a sum of two floats.
const THIRD: [f64; 2] = [f64::from_bits(0x3fd5_5555_5555_5555), f64::from_bits(0x3c75_5555_5555_5555)];

/// `((x - tanh x) / x^3 - 1/3) / x^2` of `x^2`, for |x| <= 1/2. Error 2^-62.78 of tanhshrink.
const SHRUNK: [f64; 11] = [
    f64::from_bits(0xbfc1_1111_1111_1110), // -0.1333333333333333
    f64::from_bits(0x3fab_a1ba_1ba1_b662), // 0.05396825396824735
    f64::from_bits(0xbf96_64f4_8829_cd5a), // -0.021869488535640393
    f64::from_bits(0x3f82_26e3_5536_c592), // 0.008863235509894794
    f64::from_bits(0xbf6d_6d3c_cfdb_5e8b), // -0.0035921275838111714
    f64::from_bits(0x3f57_da2f_54de_ef24), // 0.001455827924913452
    f64::from_bits(0xbf43_54ff_f26b_8237), // -0.0005899667492848597
    f64::from_bits(0x3f2f_4b08_3789_4cf4), // 0.00023874736122540092
    f64::from_bits(0xbf18_fc5a_87b3_0eb8), // -9.531309653981301e-05
    f64::from_bits(0x3f02_4e23_9d3c_49b6), // 3.491445718685779e-05
    f64::from_bits(0xbee2_3504_2e12_10d2), // -8.681819453800277e-06
];

/// `x - tanh x` for |x| <= 1/2, x not tiny.
#[inline(always)]
fn small<L: WideLanes>(x: F64<L>) -> F64<L> {
    let square = two_product(x, x);
    let cube = two_product(x, square.hi);
    let cube_low = x.mul_add(square.lo, cube.lo);
    let more = square.hi * second_order_horner(square.hi, &SHRUNK);
    let factor = more + THIRD[0];
    let factor_low = (more - (factor - THIRD[0])) + THIRD[1];
    let product = two_product(cube.hi, factor);
    product.hi + cube.hi.mul_add(factor_low, cube_low.mul_add(factor, product.lo))
}

/// `a - tanh a` for a >= 1/2.
#[inline(always)]
fn large<L: WideLanes>(a: F64<L>) -> F64<L> {
    // From 22 on, tanh counts as 1.
    let tanh = tanh_pair(a.splat(22.0).least(a), a.splat(0.0));
    let Pair { hi, lo } = two_sum(a, -tanh.hi);
    hi + (lo - tanh.lo)
}

/// `x - tanh x`, at most 0.6 ULP.
///
/// tanhshrink(±0) = ±0, tanhshrink(±inf) = ±inf. Odd.
#[inline(always)]
pub fn tanhshrink<L: WideLanes>(x: F64<L>) -> F64<L> {
    let a = x.abs();
    let near = a.lt(0.5);
    // Below 2^-150, products with the cube's rounding error are subnormal.
    let tiny = a.lt(two_to(-150));
    let mut v = near.select(small(near.select(tiny.select(0.25, a), 0.25)), large(near.select(0.5, a)));
    if (tiny | !a.lt(f64::INFINITY)).any() {
        // 2^600 times a third of the cube. Below 2^-358 the result is 0; below 2^-370 the product is not computed.
        let up = a * two_to(200);
        let square = two_product(up, up);
        let cube = two_product(up, square.hi);
        let cube_low = up.mul_add(square.lo, cube.lo);
        let third = cube.hi.mul_add(THIRD[0], cube.hi.mul_add(THIRD[1], cube_low * THIRD[0]));
        let counts = a.gt(two_to(-370));
        let cubed = scaled_down::<600, L>(counts.select(third, 0.0));
        v = a.lt(f64::INFINITY).select(tiny.select(cubed, v), a);
    }
    x.is_nan().select(f64::NAN, v.copysign(x))
}
