//! `pow` by a scalar of the program: [`constant_power`] names the operator that takes its place. Data never choose it, so
//! that an element has the same result whatever its neighbours are.

use eltwise_core::{Constant, Op};

/// The largest magnitude of an integer exponent that makes a product, as in `eltwise_math::Exponent`.
const MAX_INTEGER: f64 = 64.0;

/// The operator of the fast tier that takes the place of `pow` with this exponent: `square` for 2, `reciprocal` for -1,
/// `pow_constant` for other floats that are integers up to 64 in magnitude, 0.5 or -0.5. `None` for other exponents. `square`
/// and `reciprocal` take the base only.
///
/// # Example
/// ```
/// use eltwise_core::{Constant, DType, Op};
/// use eltwise_plan::constant_power;
///
/// let two = Constant { dtype: DType::I8, bits: 2 };
/// assert_eq!(constant_power(two), Some(Op::Square));
/// let three = Constant { dtype: DType::F64, bits: 3f64.to_bits().into() };
/// assert_eq!(constant_power(three), Some(Op::PowConstant));
/// ```
pub fn constant_power(exponent: Constant) -> Option<Op> {
    let y = exponent.to_f64()?;
    if y == 2.0 {
        return Some(Op::Square);
    }
    let size = y.max(-y);
    if !exponent.dtype.is_float() || !(size == 0.5 || (size <= MAX_INTEGER && size == f64::from(size as u32))) {
        return None;
    }
    Some(if y == -1.0 { Op::Reciprocal } else { Op::PowConstant })
}

#[cfg(test)]
mod tests {
    use eltwise_core::DType;

    use super::*;

    fn of_f64(y: f64) -> Option<Op> {
        constant_power(Constant { dtype: DType::F64, bits: y.to_bits().into() })
    }

    #[test]
    fn exponents_choose_the_operator() {
        assert_eq!(of_f64(2.0), Some(Op::Square));
        assert_eq!(of_f64(-1.0), Some(Op::Reciprocal));
        for y in [0.0, -0.0, 0.5, -0.5, 1.0, -2.0, 3.0, 4.0, 17.0, 64.0, -64.0] {
            assert_eq!(of_f64(y), Some(Op::PowConstant), "{y}");
        }
        for y in [1.5, 0.25, -0.75, 65.0, -65.0, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            assert_eq!(of_f64(y), None, "{y}");
        }
        let of = |dtype, bits| constant_power(Constant { dtype, bits });
        assert_eq!(of(DType::F16, 0x4200), Some(Op::PowConstant));
        assert_eq!(of(DType::BF16, 0xbf80), Some(Op::Reciprocal));
        assert_eq!(of(DType::I32, 2), Some(Op::Square));
        // Of integers, only the square is another operator: negative exponents are reported.
        assert_eq!(of(DType::I32, 3), None);
        assert_eq!(of(DType::I32, 0xffff_ffff), None);
    }
}
