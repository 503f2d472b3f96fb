//! Exponentials and hyperbolic functions.
//!
//! Method: reduce `x = n log 2 + r`, halve `r` 8 times, sum the Taylor series of `s = e^r - 1`, and undo each halving
//! by `s -> 2 s + s^2`, which keeps the relative accuracy.

use super::constants::{LN_2, LN_10};
use super::{BigFloat, MAX_EXPONENT};

/// Exponents beyond this one give 2^(±MAX_EXPONENT / 2): every format overflows or underflows.
const LARGEST: f64 = 1e7;

impl<const N: usize> BigFloat<N> {
    pub(crate) fn one() -> BigFloat<N> {
        BigFloat::from_f64(1.0)
    }

    /// `e^self - 1` for `|self| < 1/2`.
    fn exp_m1_small(self) -> BigFloat<N> {
        const HALVINGS: i32 = 8;
        let r = self.scale(-HALVINGS);
        let mut term = r;
        let mut s = r;
        let mut k = 2;
        while !term.is_zero() && term.exp > s.exp - 64 * N as i32 {
            term = (term * r).over(k);
            s = s + term;
            k += 1;
        }
        for _ in 0..HALVINGS {
            s = s.scale(1) + s.square();
        }
        s
    }

    /// The nearest integer of a number below 2^53.
    fn nearest(self) -> f64 {
        self.to_f64().round_ties_even()
    }

    /// `(n, r)` with `self = n log 2 + r`, or `None` if `e^self` is far beyond every format.
    fn reduce(self) -> Option<(f64, BigFloat<N>)> {
        let x = self.to_f64();
        if x.abs() > LARGEST {
            return None;
        }
        let n = (x * core::f64::consts::LOG2_E).round_ties_even();
        Some((n, self - BigFloat::from_f64(n) * LN_2.resize()))
    }

    /// A power of two far beyond every format: the result instead of an exponential of `self`.
    fn out_of_range(self) -> BigFloat<N> {
        Self::one().scale(if self.negative { -MAX_EXPONENT / 2 } else { MAX_EXPONENT / 2 })
    }

    /// `e^self`.
    pub fn exp(self) -> BigFloat<N> {
        match self.reduce() {
            Some((n, r)) => (Self::one() + r.exp_m1_small()).scale(n as i32),
            None => self.out_of_range(),
        }
    }

    /// `2^self`.
    pub fn exp2(self) -> BigFloat<N> {
        if self.exp > 23 {
            return self.out_of_range();
        }
        let n = self.nearest();
        let r = (self - BigFloat::from_f64(n)) * LN_2.resize();
        (Self::one() + r.exp_m1_small()).scale(n as i32)
    }

    /// `10^self`.
    pub fn exp10(self) -> BigFloat<N> {
        (self * LN_10.resize()).exp()
    }

    /// `e^self - 1`, without loss of relative accuracy near zero.
    pub fn exp_m1(self) -> BigFloat<N> {
        match self.reduce() {
            Some((0.0, _)) => self.exp_m1_small(),
            Some((n, r)) => (Self::one() + r.exp_m1_small()).scale(n as i32) - Self::one(),
            None => self.out_of_range() - Self::one(),
        }
    }

    /// The hyperbolic sine.
    pub fn sinh(self) -> BigFloat<N> {
        let e = self.abs().exp_m1();
        (e + e / (e + Self::one())).scale(-1).with_sign(self.negative)
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

    /// `1 / (1 + e^-self)`.
    pub fn sigmoid(self) -> BigFloat<N> {
        (Self::one() + (-self).exp()).reciprocal()
    }

    /// `log(1 + e^self)`.
    pub fn softplus(self) -> BigFloat<N> {
        let rest = (-self.abs()).exp().log_1p();
        if self.negative { rest } else { self + rest }
    }
}
