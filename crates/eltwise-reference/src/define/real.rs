//! What a float formula needs of `f32` and `f64`, so that it is written once for both. Addition, subtraction,
//! multiplication, division and the square root are the language's: correctly rounded by IEEE 754.

use std::ops::{Add, Div, Mul, Neg, Sub};

use crate::fma::{fma_f32, fma_f64};

/// `f32` or `f64`.
pub(super) trait Real:
    Copy
    + PartialOrd
    + Neg<Output = Self>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + From<f32>
{
    /// Whether the sign bit is set.
    fn negative(self) -> bool;
    /// With the sign bit cleared.
    fn magnitude(self) -> Self;
    /// The square root, correctly rounded.
    fn root(self) -> Self;
    /// `self * y + z`, rounded once.
    fn fused(self, y: Self, z: Self) -> Self;
    /// The bits of a significand, the hidden one counted.
    const PRECISION: usize;
    /// A NaN.
    const NAN: Self;
    /// `(m, e)` with the magnitude `m * 2^e`, for finite numbers.
    fn parts(self) -> (u64, i32);
    /// `m`, at most `PRECISION` bits long, times `2^e`; infinity when that is too large.
    fn from_parts(m: u64, e: i32) -> Self;
    /// Whether it is neither infinite nor a NaN.
    fn finite(self) -> bool;
    /// With the sign bit of `y`.
    fn signed_as(self, y: Self) -> Self {
        if self.negative() == y.negative() { self } else { -self }
    }
    /// Rounded down, up, toward zero.
    fn integral(self) -> [Self; 3];
    /// Whether it is a NaN.
    fn nan(self) -> bool {
        self.partial_cmp(&self).is_none()
    }
}

impl Real for f32 {
    fn negative(self) -> bool {
        self.is_sign_negative()
    }
    fn magnitude(self) -> f32 {
        self.abs()
    }
    fn root(self) -> f32 {
        self.sqrt()
    }
    fn fused(self, y: f32, z: f32) -> f32 {
        fma_f32(self, y, z)
    }
    const PRECISION: usize = 24;
    const NAN: f32 = f32::NAN;
    fn parts(self) -> (u64, i32) {
        let bits = self.to_bits() & u32::MAX >> 1;
        let (field, fraction) = ((bits >> 23) as i32, u64::from(bits & ((1 << 23) - 1)));
        if field == 0 { (fraction, 1 - 150) } else { (fraction | 1 << 23, field - 150) }
    }
    fn from_parts(m: u64, e: i32) -> f32 {
        let step = if e < 0 { 0.5 } else { 2.0 };
        (0..e.abs()).fold(m as f32, |x, _| x * step)
    }
    fn finite(self) -> bool {
        self.is_finite()
    }
    fn integral(self) -> [f32; 3] {
        [self.floor(), self.ceil(), self.trunc()]
    }
}

impl Real for f64 {
    fn negative(self) -> bool {
        self.is_sign_negative()
    }
    fn magnitude(self) -> f64 {
        self.abs()
    }
    fn root(self) -> f64 {
        self.sqrt()
    }
    fn fused(self, y: f64, z: f64) -> f64 {
        fma_f64(self, y, z)
    }
    const PRECISION: usize = 53;
    const NAN: f64 = f64::NAN;
    fn parts(self) -> (u64, i32) {
        let bits = self.to_bits() & u64::MAX >> 1;
        let (field, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        if field == 0 { (fraction, 1 - 1075) } else { (fraction | 1 << 52, field - 1075) }
    }
    fn from_parts(m: u64, e: i32) -> f64 {
        let step = if e < 0 { 0.5 } else { 2.0 };
        (0..e.abs()).fold(m as f64, |x, _| x * step)
    }
    fn finite(self) -> bool {
        self.is_finite()
    }
    fn integral(self) -> [f64; 3] {
        [self.floor(), self.ceil(), self.trunc()]
    }
}
