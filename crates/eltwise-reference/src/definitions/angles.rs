//! Conversions of angles: products with an irrational factor.
//!
//! The factor is `hi + lo`: `hi` is the factor rounded toward zero in the compute type, and `lo` is the rest, rounded to
//! nearest. The product is `fma(x, hi, x * lo)`, by the method of N. Brisebarre and J.-M. Muller, "Correctly rounded
//! multiplication by arbitrary precision constants", IEEE Transactions on Computers 57 (2008). They round `hi` to
//! nearest. Rounding it toward zero makes `lo` positive, so `x * lo` has the sign of `x`: the sum is an infinity for
//! infinities (not `inf - inf`) and -0.0 for -0.0.
#![allow(non_snake_case, reason = "a definition has the name of the operator's variant in the catalogue")]

use eltwise_core::DType;

use super::compute_type::unary;
use super::float::Float;
use crate::value::Value;

// `hi` and `lo` of a factor for `p` = 24 and 53 bits, with mpmath, `mp.prec = 300`:
//
//     m, e = frexp(factor)
//     hi = ldexp(floor(ldexp(m, p)), e - p)
//     lo = mpf(factor - hi, prec=p)

/// pi / 180
const RADIANS_PER_DEGREE_F32: [f32; 2] = [f32::from_bits(0x3c8e_fa35), f32::from_bits(0x2f14_a74e)];
const RADIANS_PER_DEGREE_F64: [f64; 2] = [f64::from_bits(0x3f91_df46_a252_9d39), f64::from_bits(0x3c15_c1d8_becd_d291)];
/// 180 / pi
const DEGREES_PER_RADIAN_F32: [f32; 2] = [f32::from_bits(0x4265_2ee0), f32::from_bits(0x3653_1e10)];
const DEGREES_PER_RADIAN_F64: [f64; 2] = [f64::from_bits(0x404c_a5dc_1a63_c1f7), f64::from_bits(0x3cf7_0c2a_5d4d_fd03)];

pub(super) fn Deg2Rad(args: &[Value], _: Option<DType>) -> Value {
    // The catalogue gives these operators no integers.
    unary(args, |x| x, |x| product(x, RADIANS_PER_DEGREE_F32), |x| product(x, RADIANS_PER_DEGREE_F64))
}

pub(super) fn Rad2Deg(args: &[Value], _: Option<DType>) -> Value {
    unary(args, |x| x, |x| product(x, DEGREES_PER_RADIAN_F32), |x| product(x, DEGREES_PER_RADIAN_F64))
}

fn product<F: Float>(x: F, [hi, lo]: [F; 2]) -> F {
    x.fma(hi, x * lo)
}

#[cfg(test)]
mod tests {
    use eltwise_core::Op;
    use eltwise_oracle::{BigFloat, Format};

    use super::*;
    use crate::definitions::apply;
    use crate::value::tests::Random;

    use DType::*;

    /// An operator with its factor, and the constants of `f32` and `f64`.
    struct Conversion {
        op: Op,
        factor: BigFloat<4>,
        f32: [f32; 2],
        f64: [f64; 2],
    }

    fn conversions() -> Vec<Conversion> {
        let (pi, half_turn) = (BigFloat::from_f64(1.0).atan().scale(2), BigFloat::from_f64(180.0));
        vec![
            Conversion {
                op: Op::Deg2Rad,
                factor: pi / half_turn,
                f32: RADIANS_PER_DEGREE_F32,
                f64: RADIANS_PER_DEGREE_F64,
            },
            Conversion {
                op: Op::Rad2Deg,
                factor: half_turn / pi,
                f32: DEGREES_PER_RADIAN_F32,
                f64: DEGREES_PER_RADIAN_F64,
            },
        ]
    }

    #[test]
    fn hi_and_lo_add_up_to_the_factor_to_the_last_bit() {
        for c in conversions() {
            for (format, [hi, lo]) in [(Format::F32, c.f32.map(f64::from)), (Format::F64, c.f64)] {
                let rest = c.factor - BigFloat::from_f64(hi);
                let ulp = BigFloat::from_f64(1.0).scale(c.factor.exponent() - format.precision);
                assert!(!rest.is_negative() && (rest - ulp).is_negative(), "{} {hi:e}", c.op);
                assert_eq!(rest.round(format, 160, false), Some(format.from_f64(lo)), "{} {lo:e}", c.op);
            }
        }
    }

    #[test]
    fn zeros_and_infinities_keep_their_signs() {
        for c in conversions() {
            for dtype in [F16, BF16, F32, F64] {
                for x in [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY].map(|x| Value::from_f64(dtype, x)) {
                    assert_eq!(apply(c.op, &[x], None), x, "{} {dtype}", c.op);
                }
                assert!(apply(c.op, &[Value::from_f64(dtype, f64::NAN)], None).is_nan(), "{} {dtype}", c.op);
            }
        }
    }

    /// All exponents, each with thousands of significands.
    #[test]
    fn f32_is_within_1_ulp_and_correctly_rounded_for_larger_numbers() {
        for c in conversions() {
            let (factor, smallest_product) = (c.factor.to_f64(), f32::MIN_POSITIVE / c.f32[1]);
            for x in (0..f32::INFINITY.to_bits()).step_by(2503).map(f32::from_bits) {
                let [y, minus] = [x, -x].map(|x| apply(c.op, &[Value::from_f32(F32, x)], None).to_f32());
                assert_eq!(y.to_bits(), (-minus).to_bits(), "{} {x:e}", c.op);
                // The error of 2^-53 is negligible.
                let exact = f64::from(x) * factor;
                if x >= smallest_product {
                    assert_eq!(y, exact as f32, "{} {x:e}", c.op);
                } else {
                    let exponent = (exact.to_bits() >> 52) as i32 - 1023;
                    let ulp = 2f64.powi(exponent.max(-126) - 23);
                    assert!((f64::from(y) - exact).abs() < ulp, "{} {x:e}: {y:e}", c.op);
                }
            }
        }
    }

    #[test]
    fn f16_and_bf16_are_correctly_rounded() {
        for c in conversions() {
            let factor = c.factor.to_f64();
            for (dtype, bits) in [F16, BF16].into_iter().flat_map(|dtype| (0..=u16::MAX).map(move |bits| (dtype, bits)))
            {
                let x = Value::new(dtype, bits.into());
                let (y, nearest) = (apply(c.op, &[x], None), Value::from_f64(dtype, x.to_f64() * factor));
                assert!(y == nearest || y.is_nan() && x.is_nan(), "{} {x}: {y}", c.op);
            }
        }
    }

    #[test]
    fn f64_is_within_1_ulp_and_correctly_rounded_for_larger_numbers() {
        let mut random = Random(11);
        for c in conversions() {
            let smallest_product = f64::MIN_POSITIVE / c.f64[1];
            for i in 0..40_000 {
                let bits = random.next();
                // Every fourth number is tiny.
                let x = f64::from_bits(if i % 4 == 0 { bits & !(0x7c << 56) } else { bits });
                if !x.is_finite() || x == 0.0 {
                    continue;
                }
                let y = apply(c.op, &[Value::from_f64(F64, x)], None).to_f64();
                let exact = c.factor * BigFloat::from_f64(x);
                if x.abs() >= smallest_product {
                    assert_eq!(Some(y.to_bits()), exact.round(Format::F64, 160, false), "{} {x:e}", c.op);
                } else {
                    let ulp = BigFloat::from_f64(1.0).scale((exact.exponent() - 1).max(-1022) - 52);
                    assert!(((exact - BigFloat::from_f64(y)).abs() - ulp).is_negative(), "{} {x:e}: {y:e}", c.op);
                }
            }
        }
    }
}
