//! The trait [`Float`], so that a formula is written once for `f32` and `f64`.
//!
//! Addition, subtraction, multiplication, division and the square root are Rust's, correctly rounded by IEEE 754. The
//! fused multiply-add is [`crate::fma`], so it does not depend on the CPU.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::fma::{fma_f32, fma_f64};

/// `f32` or `f64`. Methods that both types have keep their names and meanings. `fma` has a name different from
/// `mul_add`, because it is this crate's: exact on every CPU.
pub(super) trait Float:
    Copy
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + From<f32>
{
    /// Bits of the significand, including the hidden bit.
    const PRECISION: usize;
    const ZERO: Self;
    const ONE: Self;
    const NAN: Self;

    fn is_sign_negative(self) -> bool;
    fn is_nan(self) -> bool;
    fn is_finite(self) -> bool;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;

    /// `self * y + z`, rounded once.
    fn fma(self, y: Self, z: Self) -> Self;

    /// The magnitude of a finite number as `(m, e)`, which is `m * 2^e`.
    fn to_parts(self) -> (u64, i32);

    /// `m * 2^e`, for an `m` that the type represents; infinity if that overflows. A result below the normal range must
    /// be representable: the halvings would round it more than once.
    fn from_parts(m: u64, e: i32) -> Self;

    /// `self` with the sign of `y`.
    fn copysign(self, y: Self) -> Self {
        if self.is_sign_negative() == y.is_sign_negative() { self } else { -self }
    }
}

macro_rules! float {
    ($($t:ident $bits:ident $fma:ident;)*) => {$(
        impl Float for $t {
            const PRECISION: usize = $t::MANTISSA_DIGITS as usize;
            const ZERO: $t = 0.0;
            const ONE: $t = 1.0;
            const NAN: $t = $t::NAN;

            fn is_sign_negative(self) -> bool {
                $t::is_sign_negative(self)
            }
            fn is_nan(self) -> bool {
                $t::is_nan(self)
            }
            fn is_finite(self) -> bool {
                $t::is_finite(self)
            }
            fn floor(self) -> $t {
                $t::floor(self)
            }
            fn ceil(self) -> $t {
                $t::ceil(self)
            }
            fn trunc(self) -> $t {
                $t::trunc(self)
            }
            fn fma(self, y: $t, z: $t) -> $t {
                $fma(self, y, z)
            }
            fn to_parts(self) -> (u64, i32) {
                const FRACTION_BITS: u32 = $t::MANTISSA_DIGITS - 1;
                // The bias of the exponent of the last fraction bit.
                const BIAS: i32 = $t::MAX_EXP - 1 + FRACTION_BITS as i32;
                const HIDDEN_BIT: $bits = 1 << FRACTION_BITS;
                let bits = self.abs().to_bits();
                let biased_exponent = (bits >> FRACTION_BITS) as i32;
                let fraction = bits & (HIDDEN_BIT - 1);
                if biased_exponent == 0 {
                    (fraction.into(), 1 - BIAS)
                } else {
                    ((fraction | HIDDEN_BIT).into(), biased_exponent - BIAS)
                }
            }
            fn from_parts(m: u64, e: i32) -> $t {
                // Step by step, because 2^e itself may be out of range.
                let step = if e < 0 { 0.5 } else { 2.0 };
                (0..e.abs()).fold(m as $t, |x, _| x * step)
            }
        }
    )*};
}

float! {
    f32 u32 fma_f32;
    f64 u64 fma_f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_number() {
        for x in [1.0f32, 1.5, f32::MAX, f32::MIN_POSITIVE, f32::from_bits(1), f32::from_bits(0x7f_ffff), 0.0] {
            let (m, e) = (-x).to_parts();
            assert_eq!(f32::from_parts(m, e), x);
            assert_eq!(f64::from_parts(m, e), f64::from(x));
        }
        for x in [1.0f64, f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), f64::from_bits((1 << 52) - 1)] {
            let (m, e) = x.to_parts();
            assert_eq!(f64::from_parts(m, e), x);
        }
        assert_eq!(1.0f32.to_parts(), (1 << 23, -23));
        assert_eq!(f64::from_bits(1).to_parts(), (1, -1074));
    }

    #[test]
    fn parts_may_have_one_bit_more_after_a_carry() {
        assert_eq!(f32::from_parts(1 << f32::MANTISSA_DIGITS, 3), 134_217_728.0);
        assert_eq!(f32::from_parts(1 << f32::MANTISSA_DIGITS, 104), f32::INFINITY);
    }
}
