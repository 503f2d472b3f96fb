//! The error function and its complement.
//!
//! Below 2: Kummer's series, whose terms are all positive, `erf x = 2/sqrt(pi) e^(-x^2) sum 2^n x^(2n+1) / (2n+1)!!`.
//! From 2 on: Laplace's continued fraction `sqrt(pi) e^(x^2) erfc x = 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...))))`,
//! evaluated forwards.

use super::BigFloat;
use super::constants::TWO_OVER_SQRT_PI;

impl<const N: usize> BigFloat<N> {
    /// `erf(self)` for `0 <= self < 2`.
    fn erf_series(self) -> BigFloat<N> {
        let square = self.square();
        let (mut term, mut s) = (self, self);
        let mut k = 3;
        while !term.is_zero() && term.exponent > s.exponent - Self::BITS {
            term = (term * square).scale(1).div_u64(k);
            s = s + term;
            k += 2;
        }
        s * (-square).exp() * TWO_OVER_SQRT_PI.resize()
    }

    /// `e^(self^2) erfc(self)` for `self >= 2`.
    fn scaled_erfc(self) -> BigFloat<N> {
        // The error of convergent k is about exp(-4 x sqrt(k / 2)), or k! / (2 x^2)^k while k is small compared with
        // x^2.
        let (x, bits) = (self.to_f64(), 64.0 * N as f64);
        let root = bits * core::f64::consts::LN_2 / (2.8 * x);
        let last = (root * root + bits / (2.0 * x * x).log2()) as u64 + 8;
        let (mut p0, mut p1) = (BigFloat::ZERO, Self::ONE);
        let (mut q0, mut q1) = (Self::ONE, self);
        for k in 1..last {
            (p0, p1) = (p1, self * p1 + p0.mul_u64(k).scale(-1));
            (q0, q1) = (q1, self * q1 + q0.mul_u64(k).scale(-1));
        }
        p1 / q1 * TWO_OVER_SQRT_PI.resize().scale(-1)
    }

    /// `erfc(self)` for `self >= 2`.
    fn erfc_fraction(self) -> BigFloat<N> {
        self.scaled_erfc() * (-self.square()).exp()
    }

    fn is_below_2(self) -> bool {
        self.exponent <= 1
    }

    /// The error function.
    pub fn erf(self) -> BigFloat<N> {
        let x = self.abs();
        let erf = if x.is_below_2() { x.erf_series() } else { Self::ONE - x.erfc_fraction() };
        erf.with_sign(self.negative)
    }

    /// `e^(self^2) erfc(self)`.
    pub fn erfcx(self) -> BigFloat<N> {
        if self.negative || self.is_below_2() { self.square().exp() * self.erfc() } else { self.scaled_erfc() }
    }

    /// `1 - erf(self)`, without loss of relative accuracy if it is small.
    pub fn erfc(self) -> BigFloat<N> {
        if !self.negative && !self.is_below_2() { self.erfc_fraction() } else { Self::ONE - self.erf() }
    }
}
