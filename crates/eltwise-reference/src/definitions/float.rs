//! The trait [`Float`], so that a formula is written once for `f32` and `f64`.
//!
//! Addition, subtraction, multiplication, division and the square root are Rust's, correctly rounded by IEEE 754. The
//! fused multiply-add is [`crate::fma`], so it does not depend on the CPU.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::fma::{fma_f32, fma_f64};

/// `f32` or `f64`. Methods that both types have keep their names and meanings.
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
    /// Bits of the significand, the hidden bit included.
    const PRECISION: usize;
    /// A NaN.
    const NAN: Self;

    fn is_sign_negative(self) -> bool;
    fn is_finite(self) -> bool;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    fn trunc(self) -> Self;

    /// `self * y + z`, rounded once.
    fn fma(self, y: Self, z: Self) -> Self;

    /// The magnitude of a finite number as `(m, e)`, which is `m * 2^e`.
    fn to_parts(self) -> (u64, i32);

    /// `m * 2^e`, where `m` has at most `PRECISION` bits; infinity if that overflows.
    fn from_parts(m: u64, e: i32) -> Self;

    fn is_nan(self) -> bool {
        self.partial_cmp(&self).is_none()
    }

    /// `self` with the sign of `y`.
    fn copysign(self, y: Self) -> Self {
        if self.is_sign_negative() == y.is_sign_negative() { self } else { -self }
    }
}

impl Float for f32 {
    const PRECISION: usize = 24;
    const NAN: f32 = f32::NAN;

    fn is_sign_negative(self) -> bool {
        f32::is_sign_negative(self)
    }
    fn is_finite(self) -> bool {
        f32::is_finite(self)
    }
    fn floor(self) -> f32 {
        f32::floor(self)
    }
    fn ceil(self) -> f32 {
        f32::ceil(self)
    }
    fn trunc(self) -> f32 {
        f32::trunc(self)
    }
    fn fma(self, y: f32, z: f32) -> f32 {
        fma_f32(self, y, z)
    }
    fn to_parts(self) -> (u64, i32) {
        let bits = self.to_bits() & u32::MAX >> 1;
        let (field, fraction) = ((bits >> 23) as i32, u64::from(bits & ((1 << 23) - 1)));
        if field == 0 { (fraction, 1 - 150) } else { (fraction | 1 << 23, field - 150) }
    }
    fn from_parts(m: u64, e: i32) -> f32 {
        let step = if e < 0 { 0.5 } else { 2.0 };
        (0..e.abs()).fold(m as f32, |x, _| x * step)
    }
}

impl Float for f64 {
    const PRECISION: usize = 53;
    const NAN: f64 = f64::NAN;

    fn is_sign_negative(self) -> bool {
        f64::is_sign_negative(self)
    }
    fn is_finite(self) -> bool {
        f64::is_finite(self)
    }
    fn floor(self) -> f64 {
        f64::floor(self)
    }
    fn ceil(self) -> f64 {
        f64::ceil(self)
    }
    fn trunc(self) -> f64 {
        f64::trunc(self)
    }
    fn fma(self, y: f64, z: f64) -> f64 {
        fma_f64(self, y, z)
    }
    fn to_parts(self) -> (u64, i32) {
        let bits = self.to_bits() & u64::MAX >> 1;
        let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        if field == 0 { (fraction, 1 - 1075) } else { (fraction | 1 << 52, field - 1075) }
    }
    fn from_parts(m: u64, e: i32) -> f64 {
        let step = if e < 0 { 0.5 } else { 2.0 };
        (0..e.abs()).fold(m as f64, |x, _| x * step)
    }
}
