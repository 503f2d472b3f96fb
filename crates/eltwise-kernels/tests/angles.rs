//! The factors of the conversions between degrees and radians. No result shows whether the last bit of `lo` is right.

use eltwise_kernels::functions::AngleUnits;
use eltwise_oracle::{BigFloat, Format};

/// Checks that `hi` is the factor rounded toward zero, and `lo` the rest, rounded to nearest.
fn check(factor: BigFloat<4>, format: Format, [hi, lo]: [f64; 2]) {
    let rest = factor - BigFloat::from_f64(hi);
    let ulp = BigFloat::from_f64(1.0).scale(factor.exponent() - format.precision);
    assert!(!rest.is_negative() && (rest - ulp).is_negative(), "hi {hi:e}");
    assert_eq!(rest.round(format, 160, false), Some(format.from_f64(lo)), "lo {lo:e}");
}

#[test]
fn hi_and_lo_add_up_to_the_factor_to_the_last_bit() {
    let (pi, half_turn) = (BigFloat::from_f64(1.0).atan().scale(2), BigFloat::from_f64(180.0));
    check(pi / half_turn, Format::F32, f32::RADIANS_PER_DEGREE.map(f64::from));
    check(pi / half_turn, Format::F64, f64::RADIANS_PER_DEGREE);
    check(half_turn / pi, Format::F32, f32::DEGREES_PER_RADIAN.map(f64::from));
    check(half_turn / pi, Format::F64, f64::DEGREES_PER_RADIAN);
}
