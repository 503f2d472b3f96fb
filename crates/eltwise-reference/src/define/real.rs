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
{
    /// Whether the sign bit is set.
    fn negative(self) -> bool;
    /// With the sign bit cleared.
    fn magnitude(self) -> Self;
    /// The square root, correctly rounded.
    fn root(self) -> Self;
    /// `self * y + z`, rounded once.
    fn fused(self, y: Self, z: Self) -> Self;
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
}
