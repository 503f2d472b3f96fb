//! gelu of `f32`: `x Phi(x)`, Phi the distribution function of the normal distribution, in `f64` lanes, rounded once.
//!
//! 1. |x| <= 4: `x (1/2 + x p(x^2))`, p minimax of degree 14 in x^2. The sum cancels 14 bits at -4, which 53 bits
//!    allow.
//! 2. Above, in a rare branch: `max(x, 0) - |x| Phi(-|x|)`, `|x| Phi(-|x|) = exp(-x^2/2) q(1/x^2)`, minimax of degree 6
//!    in 1/x^2. x^2 is exact in `f64`.
//!
//! Largest error over all 2^32 inputs: 0.6222 ULP. Tables: `tools/coefficients/f32_gelu.py`.

use eltwise_simd::WideLanes;

use super::erf::exp2_wide;
use crate::polynomial::{horner, second_order_horner};
use crate::vector::{F32, F64};

/// `(Phi(x) - 1/2) / x` of `x^2`, for |x| <= 4. Error 2^-27.03 relative to Phi(-|x|).
const MIDDLE: [f64; 15] = [
    f64::from_bits(0x3fd9_8845_2394_2ba4), // 0.39894226526728915
    f64::from_bits(0xbfb1_0582_2c9a_c6f4), // -0.06649030293445063
    f64::from_bits(0x3f84_6cf1_d5d5_d364), // 0.009973420465692669
    f64::from_bits(0xbf53_737e_0ce7_3d4d), // -0.0011872034989329372
    f64::from_bits(0x3f1e_3e06_a8ec_0c71), // 0.00011536517761716478
    f64::from_bits(0xbee3_c0a8_9388_7a5c), // -9.418760428534286e-06
    f64::from_bits(0x3ea6_1e12_b9cb_6d21), // 6.591520676739896e-07
    f64::from_bits(0xbe65_6d76_0b13_e882), // -3.9911982505388026e-08
    f64::from_bits(0x3e21_e533_e3f9_82a2), // 2.0832897905016075e-09
    f64::from_bits(0xbdd9_4af4_4712_6a13), // -9.201463355838661e-11
    f64::from_bits(0x3d8d_3c61_bacd_f896), // 3.323733180532072e-12
    f64::from_bits(0xbd3a_4504_5381_7dbf), // -9.332835753103298e-14
    f64::from_bits(0x3ce1_06ef_add6_369d), // 1.8903872591807715e-15
    f64::from_bits(0xbc7c_128c_212f_0a23), // -2.4348969636009312e-17
    f64::from_bits(0x3c05_f2b3_4ed9_0e2b), // 1.4872576181494104e-19
];

/// `x Phi(-x) exp(x^2/2)` of `1/x^2`, for 16 <= x^2 <= 212. Relative error 2^-28.55.
const FAR: [f64; 7] = [
    f64::from_bits(0x3fd9_8845_1313_5a51), // 0.398942249897492
    f64::from_bits(0xbfd9_880e_a466_4d8f), // -0.39892927221918567
    f64::from_bits(0x3ff3_1dcd_a37d_1f9e), // 1.1947761904029686
    f64::from_bits(0xc017_4b09_c067_8029), // -5.823279386822869
    f64::from_bits(0x4041_5e2a_a6fc_0cff), // 34.7356766443936
    f64::from_bits(0xc066_9e7b_a611_5f88), // -180.9525938357658
    f64::from_bits(0x4080_03cb_047a_db14), // 512.4741296384914
];

/// -1/(2 ln 2)
const EXPONENT: f64 = -0.5 * core::f64::consts::LOG2_E;

/// The end of the first polynomial.
const FAR_FROM: f32 = 4.0;

/// gelu(x) for |x| <= 4.
#[inline(always)]
fn middle<L: WideLanes>(x: F64<L>) -> F64<L> {
    x * x.mul_add(second_order_horner(x * x, &MIDDLE), 0.5)
}

/// gelu(x) for |x| > 4; `near` in other lanes.
#[inline(always)]
fn far<L: WideLanes>(x: F64<L>, near: F64<L>) -> F64<L> {
    // Above sqrt(212) the product is less than half the smallest `f32`; so is this one.
    let u = (x * x).least(212.0);
    let one = u.splat(1.0);
    let tail = exp2_wide(u, EXPONENT) * horner(one / u, &FAR);
    x.abs().gt(FAR_FROM as f64).select(x.greatest(0.0) - tail, near)
}

/// gelu(x) = x Phi(x) = x/2 erfc(-x/sqrt(2)). At most 0.6222 ULP over all 2^32 inputs, the negative tail (to -14.36)
/// with its subnormal results included (Hendrycks and Gimpel 2016).
///
/// gelu(±0) = ±0, gelu(-inf) = -0, gelu(+inf) = +inf.
#[inline(always)]
pub fn gelu<L: WideLanes>(x: F32<L>) -> F32<L> {
    let [a, b] = x.widen();
    let (mut ra, mut rb) = (middle(a), middle(b));
    if x.abs().gt(FAR_FROM).any() {
        (ra, rb) = (far(a, ra), far(b, rb));
    }
    F32::narrow([ra, rb])
}
