//! deg2rad, rad2deg.
//!
//! The factor is `hi + lo`: `hi` is the factor rounded toward zero, and `lo` is the rest, rounded to nearest. The product
//! `fma(x, hi, x * lo)` is within 1 ULP, and nearly always correctly rounded unless `x * lo` is subnormal (N. Brisebarre
//! and J.-M. Muller, "Correctly rounded multiplication by arbitrary precision constants", IEEE Transactions on Computers
//! 57, 2008). Because `lo` is positive, zeros and infinities need no select: both terms have the sign of `x`.

use eltwise_simd::{Element, FloatLanes};

use super::lane_functions;

/// A float compute type, with the factors between units of angles as `[hi, lo]`.
pub trait AngleUnits: Element {
    /// pi / 180
    const RADIANS_PER_DEGREE: [Self; 2];
    /// 180 / pi
    const DEGREES_PER_RADIAN: [Self; 2];
}

impl AngleUnits for f32 {
    const RADIANS_PER_DEGREE: [f32; 2] = [f32::from_bits(0x3c8e_fa35), f32::from_bits(0x2f14_a74e)];
    const DEGREES_PER_RADIAN: [f32; 2] = [f32::from_bits(0x4265_2ee0), f32::from_bits(0x3653_1e10)];
}

impl AngleUnits for f64 {
    const RADIANS_PER_DEGREE: [f64; 2] = [f64::from_bits(0x3f91_df46_a252_9d39), f64::from_bits(0x3c15_c1d8_becd_d291)];
    const DEGREES_PER_RADIAN: [f64; 2] = [f64::from_bits(0x404c_a5dc_1a63_c1f7), f64::from_bits(0x3cf7_0c2a_5d4d_fd03)];
}

lane_functions! {
    /// `x * pi / 180`
    Deg2Rad: UnaryOp(l: FloatLanes<AngleUnits>, x) -> V => product(l, x, C::RADIANS_PER_DEGREE);
    /// `x * 180 / pi`
    Rad2Deg: UnaryOp(l: FloatLanes<AngleUnits>, x) -> V => product(l, x, C::DEGREES_PER_RADIAN);
}

/// The product of `x` and a factor `hi + lo`.
#[inline(always)]
fn product<C: Element, L: FloatLanes<C>>(l: L, x: L::V, [hi, lo]: [C; 2]) -> L::V {
    l.fma(x, l.splat(hi), l.mul(x, l.splat(lo)))
}
