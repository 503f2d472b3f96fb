//! Functions of statistics: lgamma, digamma, modified Bessel functions, the inverse of the error function.
//!
//! * lgamma and digamma: Stirling's series at 200 or more, which the recurrences `lgamma(x + 1) = lgamma x + log x` and
//!   `digamma(x + 1) = digamma x + 1/x` reach; reflection for negative x. With 21 Bernoulli numbers the error is below
//!   2^-260.
//! * Bessel functions: below 100 the power series, whose terms are positive; from 100 on the asymptotic series, whose
//!   smallest term is about e^-200.
//! * The inverse error function: Newton's method on erf or on log erfc.

use super::BigFloat;
use super::constants::{PI, TWO_OVER_SQRT_PI};

/// The Bernoulli numbers B(2), B(4), ... as numerators and denominators.
const BERNOULLI: [(i128, u64); 21] = [
    (1, 6),
    (-1, 30),
    (1, 42),
    (-1, 30),
    (5, 66),
    (-691, 2730),
    (7, 6),
    (-3617, 510),
    (43867, 798),
    (-174611, 330),
    (854513, 138),
    (-236364091, 2730),
    (8553103, 6),
    (-23749461029, 870),
    (8615841276005, 14322),
    (-7709321041217, 510),
    (2577687858367, 6),
    (-26315271553053477373, 1919190),
    (2929993913841559, 6),
    (-261082718496449122051, 13530),
    (1520097643918070802691, 1806),
];

/// Stirling's series is good enough from here on.
const FAR: f64 = 200.0;

fn bernoulli<const N: usize>((numerator, denominator): (i128, u64)) -> BigFloat<N> {
    BigFloat::from_u128(numerator.unsigned_abs()).div_u64(denominator).with_sign(numerator < 0)
}

impl<const N: usize> BigFloat<N> {
    fn is_below(self, limit: f64) -> bool {
        (self - BigFloat::from_f64(limit)).is_negative()
    }

    /// `log |gamma(x)|`, for x that are not 0 or negative integers. The error is relative to 2^10 or to the result,
    /// whichever is larger.
    pub fn lgamma(x: f64) -> BigFloat<N> {
        if x < 0.0 {
            let area = (BigFloat::from_f64(x) * BigFloat::sin_pi(x)).abs();
            return (PI.resize::<N>() / area).log() - BigFloat::lgamma(-x);
        }
        let (mut z, mut product) = (BigFloat::from_f64(x), Self::ONE);
        while z.is_below(FAR) {
            product = product * z;
            z = z + Self::ONE;
        }
        let half = Self::ONE.scale(-1);
        let (inverse, mut sum) = (z.reciprocal(), PI.resize::<N>().scale(1).log().scale(-1));
        let (square, mut power) = (inverse.square(), inverse);
        for (k, &b) in (1u64..).zip(&BERNOULLI) {
            sum = sum + (bernoulli::<N>(b) * power).div_u64(2 * k * (2 * k - 1));
            power = power * square;
        }
        (z - half) * z.log() - z + sum - product.log()
    }

    /// The derivative of [`lgamma`](BigFloat::lgamma).
    pub fn digamma(x: f64) -> BigFloat<N> {
        if x < 0.0 {
            // cot(pi x) = cos(pi r) / sin(pi r), r the distance to the nearest integer.
            let rest = x - x.round();
            let sine = BigFloat::<N>::sin_pi(rest);
            let cosine = match rest.abs() {
                size if size < 0.25 => (Self::ONE - sine.square()).sqrt(),
                size => BigFloat::sin_pi(0.5 - size),
            };
            let above = (Self::ONE - BigFloat::from_f64(x)).positive_digamma();
            return if cosine.is_zero() { above } else { above - PI.resize::<N>() * cosine / sine };
        }
        BigFloat::from_f64(x).positive_digamma()
    }

    fn positive_digamma(self) -> BigFloat<N> {
        let (mut z, mut sum) = (self, BigFloat::ZERO);
        while z.is_below(FAR) {
            sum = sum - z.reciprocal();
            z = z + Self::ONE;
        }
        let inverse = z.reciprocal();
        let (square, mut power) = (inverse.square(), inverse.square());
        sum = sum + z.log() - inverse.scale(-1);
        for (k, &b) in (1u64..).zip(&BERNOULLI) {
            sum = sum - (bernoulli::<N>(b) * power).div_u64(2 * k);
            power = power * square;
        }
        sum
    }

    /// `e^-x I(x)` for the modified Bessel function of order 0 or 1 and x > 0.
    pub fn scaled_bessel(self, order: u64) -> BigFloat<N> {
        if self.is_below(100.0) {
            let square = self.square().scale(-2);
            let mut term = if order == 0 { Self::ONE } else { self.scale(-1) };
            let (mut sum, mut k) = (term, 1);
            while !term.is_zero() && term.exponent > sum.exponent - Self::BITS {
                term = (term * square).div_u64(k * (k + order));
                sum = sum + term;
                k += 1;
            }
            return sum * (-self).exp();
        }
        let eighth = self.scale(3).reciprocal();
        let (mut term, mut sum, mut k) = (Self::ONE, Self::ONE, 1u64);
        while !term.is_zero() && term.exponent > -Self::BITS && k < 200 {
            let odd = (2 * k - 1) * (2 * k - 1);
            // (odd - 4 order^2) is negative for k = order = 1 only.
            let factor = odd.abs_diff(4 * order * order);
            term = (term * eighth).mul_u64(factor).div_u64(k);
            term = if odd < 4 * order * order { -term } else { term };
            sum = sum + term;
            k += 1;
        }
        sum / (self.scale(1) * PI.resize()).sqrt()
    }

    /// The z with `erf z = self`, for `|self|` up to 3/4.
    pub fn inverse_erf(self) -> BigFloat<N> {
        let mut z = self / TWO_OVER_SQRT_PI.resize();
        // Each step doubles the number of correct bits.
        for _ in 0..12 {
            let step = (z.erf() - self) * z.square().exp() / TWO_OVER_SQRT_PI.resize();
            z = z - step;
            if step.is_zero() || step.exponent < z.exponent - Self::BITS / 2 - 8 {
                break;
            }
        }
        z
    }

    /// The z with `erfc z = self`, for positive numbers up to 1/2.
    pub fn inverse_erfc(self) -> BigFloat<N> {
        let log = self.log();
        let guess = (-log.to_f64()).sqrt() * 0.9;
        let mut z = BigFloat::from_f64(guess);
        for _ in 0..16 {
            let erfc = z.erfc();
            let step = (erfc.log() - log) * erfc * z.square().exp() / TWO_OVER_SQRT_PI.resize();
            z = z + step;
            if step.is_zero() || step.exponent < z.exponent - Self::BITS / 2 - 8 {
                break;
            }
        }
        z
    }
}
