//! Trigonometric functions and their inverses.
//!
//! Arguments are reduced by the method of Payne and Hanek (1983): an integer product with all bits of 2/pi that count.

use super::BigFloat;
use super::constants::{PI, TWO_OVER_PI};

impl<const N: usize> BigFloat<N> {
    /// The quadrant `q` and the remainder `r` of `|x| = (4 k + q) pi/2 + r`, with `|r| <= pi/4`.
    fn quadrant(x: f64) -> (u64, BigFloat<N>) {
        if x.abs() < core::f64::consts::FRAC_PI_4 {
            return (0, BigFloat::from_f64(x.abs()));
        }
        let bits = x.to_bits() & !(1 << 63);
        let (e, m) = ((bits >> 52) as i32 - 1075, bits & ((1 << 52) - 1) | 1 << 52);
        // m * 2/pi. The binary point is above limb 23; multiplying by 2^e moves it e bits down.
        let mut product = [0u64; TWO_OVER_PI.len() + 1];
        let mut carry = 0u128;
        for (limb, &bits) in product.iter_mut().zip(&TWO_OVER_PI) {
            carry += u128::from(bits) * u128::from(m);
            *limb = carry as u64;
            carry >>= 64;
        }
        product[TWO_OVER_PI.len()] = carry as u64;
        // Six limbs from the two bits above the point down.
        let first = 64 * TWO_OVER_PI.len() as i32 - e + 2 - 64 * 6;
        let (limbs, shift) = ((first / 64) as usize, first % 64);
        let mut window = [0u64; 6];
        for (i, limb) in window.iter_mut().enumerate() {
            let (low, high) = (product[limbs + i], product.get(limbs + i + 1).copied().unwrap_or(0));
            *limb = if shift == 0 { low } else { low >> shift | high << (64 - shift) };
        }
        let mut q = window[5] >> 62;
        window[5] &= !(3 << 62);
        let fraction = BigFloat::<N>::from_limbs(&window, 2);
        // If the fraction is 1/2 or more, count it down from the next quadrant.
        let r = if window[5] >> 61 == 1 {
            q = (q + 1) % 4;
            for limb in &mut window {
                *limb = !*limb;
            }
            window[5] &= !(3 << 62);
            -BigFloat::from_limbs(&window, 2)
        } else {
            fraction
        };
        (q, r * PI.resize().scale(-1))
    }

    /// The sine and the cosine of a number in [-pi/4, pi/4].
    fn sin_cos_small(self) -> (BigFloat<N>, BigFloat<N>) {
        let square = self.square();
        let series = |first: BigFloat<N>, mut k: u64| {
            let (mut term, mut s) = (first, first);
            while !term.is_zero() && term.exponent > s.exponent - Self::BITS {
                term = -(term * square).div_u64(k * (k + 1));
                s = s + term;
                k += 2;
            }
            s
        };
        (series(self, 2), series(Self::ONE, 1))
    }

    /// The sine of any finite number.
    pub fn sin(x: f64) -> BigFloat<N> {
        let (q, r) = Self::quadrant(x);
        let (s, c) = r.sin_cos_small();
        let sin = match q {
            0 => s,
            1 => c,
            2 => -s,
            _ => -c,
        };
        if x < 0.0 { -sin } else { sin }
    }

    /// sin(pi x) of any finite number; zero for integers.
    pub fn sin_pi(x: f64) -> BigFloat<N> {
        // All of these differences are exact.
        let even = x.abs() % 2.0;
        let (size, is_negative) = if even > 1.0 { (even - 1.0, x > 0.0) } else { (even, x < 0.0) };
        let size = size.min(1.0 - size);
        let (angle, is_cosine) = if size > 0.25 { (0.5 - size, true) } else { (size, false) };
        let (sine, cosine) = (BigFloat::from_f64(angle) * PI.resize()).sin_cos_small();
        (if is_cosine { cosine } else { sine }).with_sign(is_negative)
    }

    /// The cosine of any finite number.
    pub fn cos(x: f64) -> BigFloat<N> {
        let (q, r) = Self::quadrant(x);
        let (s, c) = r.sin_cos_small();
        match q {
            0 => c,
            1 => -s,
            2 => -c,
            _ => s,
        }
    }

    /// The tangent of any finite number.
    pub fn tan(x: f64) -> BigFloat<N> {
        let (q, r) = Self::quadrant(x);
        let (s, c) = r.sin_cos_small();
        let tan = if q % 2 == 0 { s / c } else { -c / s };
        if x < 0.0 { -tan } else { tan }
    }

    /// The inverse tangent: the series for small numbers, otherwise a Newton step from the `f64` result.
    pub fn atan(self) -> BigFloat<N> {
        let x = self.abs();
        let a = if x.exponent > 1 { PI.resize().scale(-1) - x.reciprocal().atan_to_2() } else { x.atan_to_2() };
        a.with_sign(self.negative)
    }

    /// The inverse tangent of a number in [0, 2].
    fn atan_to_2(self) -> BigFloat<N> {
        if self.exponent < -4 {
            return self.atan_series();
        }
        let y = self.to_f64().atan();
        let (s, c) = (Self::sin(y), Self::cos(y));
        let correction = (self * c - s) / (c + self * s);
        BigFloat::from_f64(y) + correction.atan_series()
    }

    /// The inverse tangent of a small number.
    fn atan_series(self) -> BigFloat<N> {
        let square = -self.square();
        let (mut power, mut s) = (self, self);
        let mut k = 3;
        while !power.is_zero() && power.exponent > s.exponent - Self::BITS {
            power = power * square;
            s = s + power.div_u64(k);
            k += 2;
        }
        s
    }

    /// The inverse sine of a number in [-1, 1].
    pub fn asin(self) -> BigFloat<N> {
        let cos_square = (Self::ONE - self) * (Self::ONE + self);
        if cos_square.is_zero() {
            return PI.resize().scale(-1).with_sign(self.negative);
        }
        (self / cos_square.sqrt()).atan()
    }

    /// The inverse cosine of a number in [-1, 1).
    pub fn acos(self) -> BigFloat<N> {
        let one_plus = Self::ONE + self;
        if one_plus.is_zero() {
            return PI.resize();
        }
        ((Self::ONE - self) / one_plus).sqrt().atan().scale(1)
    }

    /// The angle of the point (x, y), neither coordinate zero.
    pub fn atan2(y: BigFloat<N>, x: BigFloat<N>) -> BigFloat<N> {
        let a = (y.abs() / x.abs()).atan();
        let a = if x.negative { PI.resize() - a } else { a };
        a.with_sign(y.negative)
    }
}
