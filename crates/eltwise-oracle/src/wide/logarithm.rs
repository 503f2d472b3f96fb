//! Logarithms and inverse hyperbolic functions.
//!
//! Near 1 the series of `2 atanh((x - 1) / (x + 1))`, elsewhere one Newton step from the logarithm in `f64`: `log x = y + log(x e^-y)`,
//! whose last logarithm is of a number within 2^-50 of 1.

use super::Wide;
use super::constants::{LN_2, LN_10};

impl<const N: usize> Wide<N> {
    /// `2 atanh(z)`, for small z.
    fn twice_atanh(z: Wide<N>) -> Wide<N> {
        let square = z.square();
        let mut power = z;
        let mut s = z;
        let mut k = 3;
        while !power.is_zero() && power.exp > s.exp - 64 * N as i32 {
            power = power * square;
            s = s + power.over(k);
            k += 2;
        }
        s.scale(1)
    }

    /// `log(1 + self)` for `self > -1`, as accurate near zero as elsewhere.
    pub fn log_1p(self) -> Wide<N> {
        if self.exp < -3 {
            return Self::twice_atanh(self / (self + Wide::from_f64(2.0)));
        }
        (self + Self::one()).log()
    }

    /// The natural logarithm of a positive number.
    pub fn log(self) -> Wide<N> {
        // In [1/sqrt(2), sqrt(2)).
        let mut m = Wide { exp: 0, ..self };
        let mut e = self.exp;
        if m.m[N - 1] < 0xb504_f333_f9de_6484 {
            m.exp = 1;
            e -= 1;
        }
        let difference = m - Self::one();
        let log = if difference.exp < -3 {
            Self::twice_atanh(difference / (m + Self::one()))
        } else {
            let y = Wide::from_f64(m.to_f64().ln());
            let rest = m * (-y).exp() - Self::one();
            y + Self::twice_atanh(rest / (rest + Wide::from_f64(2.0)))
        };
        if e == 0 { log } else { Wide::from_f64(f64::from(e)) * LN_2.resize() + log }
    }

    /// The logarithm to base 2 of a positive number.
    pub fn log2(self) -> Wide<N> {
        self.log() / LN_2.resize()
    }

    /// The logarithm to base 10 of a positive number.
    pub fn log10(self) -> Wide<N> {
        self.log() / LN_10.resize()
    }

    /// The inverse hyperbolic sine.
    pub fn asinh(self) -> Wide<N> {
        let x = self.abs();
        let root = (Self::one() + x.square()).sqrt();
        (x + x.square() / (Self::one() + root)).log_1p().signed(self.negative)
    }

    /// The inverse hyperbolic cosine of a number above 1.
    pub fn acosh(self) -> Wide<N> {
        let less = self - Self::one();
        (less + (less * (self + Self::one())).sqrt()).log_1p()
    }

    /// The inverse hyperbolic tangent of a number between -1 and 1.
    pub fn atanh(self) -> Wide<N> {
        let x = self.abs();
        (x.scale(1) / (Self::one() - x)).log_1p().scale(-1).signed(self.negative)
    }

    /// `log(self / (1 - self))` of a number between 0 and 1.
    pub fn logit(self) -> Wide<N> {
        let rest = Self::one() - self;
        let (low, high) = (Wide::from_f64(0.25), Wide::from_f64(0.75));
        if (self - low).negative || !(self - high).negative {
            self.log() - (-self).log_1p()
        } else {
            ((self.scale(1) - Self::one()) / rest).log_1p()
        }
    }
}
