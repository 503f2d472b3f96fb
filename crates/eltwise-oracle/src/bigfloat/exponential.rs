//! Exponentials and hyperbolic functions.
//!
//! Method: reduce `x = n ln 2 + r`, halve `r` 8 times, sum the Taylor series of `s = e^r - 1`, and undo each halving by
//! `s -> 2 s + s^2` (not `(1 + s)^2 - 1`, which would cancel).
//!
//! The error of `r` is absolute: about a unit in the last place of `x`. Where a result is in the range of `f64`, `|x|`
//! is below 2^10, so `e^x` has about 11 correct bits less than `x`, and [`evaluate`](crate::evaluate) subtracts them.

use super::constants::{LN_2, LN_10};
use super::{BigFloat, MAX_EXPONENT};

/// The exponentials of arguments from 2^23 on are 2^(±MAX_EXPONENT / 2), which overflows or underflows in every format.
/// Exponentials of smaller arguments have an exponent below `MAX_EXPONENT`.
const ARGUMENT_BITS: i32 = 23;

impl<const N: usize> BigFloat<N> {
    /// `e^self - 1` for `|self| < 1/2`.
    fn exp_m1_small(self) -> BigFloat<N> {
        // A halving saves terms of the series and costs a squaring. After 8, |r| is below 2^-9, so every term adds more
        // than 9 bits. A doubling adds about one rounding error to the relative error of s.
        const HALVINGS: i32 = 8;
        let r = self.scale(-HALVINGS);
        let mut term = r;
        let mut s = r;
        let mut k = 2;
        while !term.is_zero() && term.exponent > s.exponent - Self::BITS {
            term = (term * r).div_u64(k);
            s = s + term;
            k += 1;
        }
        for _ in 0..HALVINGS {
            s = s.scale(1) + s.square();
        }
        s
    }

    /// The integer nearest to `self`, for `|self| < 2^53`.
    fn round_to_f64(self) -> f64 {
        self.to_f64().round_ties_even()
    }

    /// Whether `|self|` is at least 2^23. `2^self` and `e^self` are then outside the exponent range of every format.
    fn has_no_exponential(self) -> bool {
        self.exponent > ARGUMENT_BITS
    }

    /// `(n, r)` with `self = n ln 2 + r`, or `None` if `e^self` is outside the exponent range of every format.
    fn reduce(self) -> Option<(f64, BigFloat<N>)> {
        if self.has_no_exponential() {
            return None;
        }
        let n = (self.to_f64() * core::f64::consts::LOG2_E).round_ties_even();
        Some((n, self - BigFloat::from_f64(n) * LN_2.resize()))
    }

    /// A power of two outside the exponent range of every format, instead of the exponential of `self`.
    fn out_of_range(self) -> BigFloat<N> {
        Self::ONE.scale(if self.negative { -MAX_EXPONENT / 2 } else { MAX_EXPONENT / 2 })
    }

    /// `e^self`.
    pub fn exp(self) -> BigFloat<N> {
        match self.reduce() {
            Some((n, r)) => (Self::ONE + r.exp_m1_small()).scale(n as i32),
            None => self.out_of_range(),
        }
    }

    /// `2^self`.
    pub fn exp2(self) -> BigFloat<N> {
        if self.has_no_exponential() {
            return self.out_of_range();
        }
        let n = self.round_to_f64();
        let r = (self - BigFloat::from_f64(n)) * LN_2.resize();
        (Self::ONE + r.exp_m1_small()).scale(n as i32)
    }

    /// `10^self`.
    pub fn exp10(self) -> BigFloat<N> {
        (self * LN_10.resize()).exp()
    }

    /// `e^self - 1`, without loss of relative accuracy near zero.
    pub fn exp_m1(self) -> BigFloat<N> {
        match self.reduce() {
            Some((0.0, _)) => self.exp_m1_small(),
            Some((n, r)) => (Self::ONE + r.exp_m1_small()).scale(n as i32) - Self::ONE,
            None => self.out_of_range() - Self::ONE,
        }
    }

    /// The hyperbolic sine.
    pub fn sinh(self) -> BigFloat<N> {
        let e = self.abs().exp_m1();
        (e + e / (e + Self::ONE)).scale(-1).with_sign(self.negative)
    }

    /// The hyperbolic cosine.
    pub fn cosh(self) -> BigFloat<N> {
        let e = self.abs().exp();
        (e + e.reciprocal()).scale(-1)
    }

    /// The hyperbolic tangent.
    pub fn tanh(self) -> BigFloat<N> {
        let e = self.abs().scale(1).exp_m1();
        (e / (e + BigFloat::from_f64(2.0))).with_sign(self.negative)
    }

    /// `self - tanh(self)`, without loss of relative accuracy near 0.
    pub fn tanhshrink(self) -> BigFloat<N> {
        if self.exponent > 0 {
            return self - self.tanh();
        }
        // (x cosh x - sinh x) / cosh x, whose numerator is the sum of x^(2 k + 1) 2 k / (2 k + 1)!.
        let square = self.square();
        let mut term = (self * square).div_u64(3);
        let (mut sum, mut k) = (term, 1);
        while !term.is_zero() && term.exponent > sum.exponent - Self::BITS {
            // From term k to k + 1: (k + 1) / k / ((2 k + 2) (2 k + 3)) = 1 / (2 k (2 k + 3)).
            term = (term * square).div_u64(2 * k * (2 * k + 3));
            sum = sum + term;
            k += 1;
        }
        sum / self.cosh()
    }

    /// `1 / (1 + e^-self)`.
    pub fn sigmoid(self) -> BigFloat<N> {
        (Self::ONE + (-self).exp()).reciprocal()
    }

    /// `log(1 + e^self)`.
    pub fn softplus(self) -> BigFloat<N> {
        let above_relu = (-self.abs()).exp().log_1p();
        if self.negative { above_relu } else { self + above_relu }
    }
}
