//! Logarithms and inverse hyperbolic functions.
//!
//! Near 1: the series of `2 atanh((x - 1) / (x + 1))`. Elsewhere: one step from the logarithm `y` in `f64`,
//! `log x = y + log(x e^-y)`, where `x e^-y` is within 2^-50 of 1.

use super::BigFloat;
use super::constants::{LN_2, LN_10};

impl<const N: usize> BigFloat<N> {
    /// `2 atanh(z)` for small z.
    fn twice_atanh(z: BigFloat<N>) -> BigFloat<N> {
        let square = z.square();
        let mut power = z;
        let mut s = z;
        let mut k = 3;
        while !power.is_zero() && power.exponent > s.exponent - Self::BITS {
            power = power * square;
            s = s + power.div_u64(k);
            k += 2;
        }
        s.scale(1)
    }

    /// `log(1 + self)` for `self > -1`, without loss of relative accuracy near zero.
    pub fn log_1p(self) -> BigFloat<N> {
        if self.exponent < -3 {
            return Self::twice_atanh(self / (self + BigFloat::from_f64(2.0)));
        }
        (self + Self::ONE).log()
    }

    /// The natural logarithm of a positive number.
    pub fn log(self) -> BigFloat<N> {
        // self = m 2^e with m in [1/sqrt(2), sqrt(2)).
        let mut m = BigFloat { exponent: 0, ..self };
        let mut e = self.exponent;
        if m.m[N - 1] < 0xb504_f333_f9de_6484 {
            m.exponent = 1;
            e -= 1;
        }
        let difference = m - Self::ONE;
        let log = if difference.exponent < -3 {
            Self::twice_atanh(difference / (m + Self::ONE))
        } else {
            let y = BigFloat::from_f64(m.to_f64().ln());
            let difference = m * (-y).exp() - Self::ONE;
            y + Self::twice_atanh(difference / (difference + BigFloat::from_f64(2.0)))
        };
        if e == 0 { log } else { BigFloat::from_f64(f64::from(e)) * LN_2.resize() + log }
    }

    /// The logarithm to base 2 of a positive number.
    pub fn log2(self) -> BigFloat<N> {
        self.log() / LN_2.resize()
    }

    /// The logarithm to base 10 of a positive number.
    pub fn log10(self) -> BigFloat<N> {
        self.log() / LN_10.resize()
    }

    /// The inverse hyperbolic sine.
    pub fn asinh(self) -> BigFloat<N> {
        let x = self.abs();
        let root = (Self::ONE + x.square()).sqrt();
        (x + x.square() / (Self::ONE + root)).log_1p().with_sign(self.negative)
    }

    /// The inverse hyperbolic cosine of a number above 1.
    pub fn acosh(self) -> BigFloat<N> {
        let less = self - Self::ONE;
        (less + (less * (self + Self::ONE)).sqrt()).log_1p()
    }

    /// The inverse hyperbolic tangent of a number in (-1, 1).
    pub fn atanh(self) -> BigFloat<N> {
        let x = self.abs();
        (x.scale(1) / (Self::ONE - x)).log_1p().scale(-1).with_sign(self.negative)
    }

    /// `log(self / (1 - self))` of a number in (0, 1).
    pub fn logit(self) -> BigFloat<N> {
        let complement = Self::ONE - self;
        let (low, high) = (BigFloat::from_f64(0.25), BigFloat::from_f64(0.75));
        if (self - low).negative || !(self - high).negative {
            self.log() - (-self).log_1p()
        } else {
            ((self.scale(1) - Self::ONE) / complement).log_1p()
        }
    }
}
