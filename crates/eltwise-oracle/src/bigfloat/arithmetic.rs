//! `+ - * /`, square and cube roots.

use core::cmp::Ordering;
use core::ops::{Add, Div, Mul, Neg, Sub};

use super::BigFloat;

impl<const N: usize> Neg for BigFloat<N> {
    type Output = BigFloat<N>;
    fn neg(self) -> BigFloat<N> {
        self.with_sign(!self.negative)
    }
}

impl<const N: usize> Add for BigFloat<N> {
    type Output = BigFloat<N>;
    fn add(self, other: BigFloat<N>) -> BigFloat<N> {
        let (a, b) = if self.compare_magnitude(other) == Ordering::Less { (other, self) } else { (self, other) };
        let distance = a.exponent - b.exponent;
        if b.is_zero() || distance > Self::BITS {
            return a;
        }
        if a.negative == b.negative { sum(a, b, distance as usize) } else { difference(a, b, distance as usize) }
    }
}

impl<const N: usize> Sub for BigFloat<N> {
    type Output = BigFloat<N>;
    fn sub(self, other: BigFloat<N>) -> BigFloat<N> {
        self + -other
    }
}

/// `m >> by`, and the 64 bits that follow its lowest bit.
fn shift_right<const N: usize>(m: &[u64; N], by: usize) -> ([u64; N], u64) {
    let (limbs, bits) = (by / 64, by % 64);
    let limb = |i: usize| if i < N { m[i] } else { 0 };
    // The 64 bits that start `bits` bits above the bottom of limb i.
    let word = |i: usize| if bits == 0 { limb(i) } else { limb(i) >> bits | limb(i + 1) << (64 - bits) };
    let mut out = [0; N];
    for (i, limb) in out.iter_mut().enumerate() {
        *limb = word(i + limbs);
    }
    let guard = match limbs {
        0 if bits == 0 => 0,
        0 => limb(0) << (64 - bits),
        _ => word(limbs - 1),
    };
    (out, guard)
}

/// `|a| + |b|` with the sign of `a`. The exponent of `b` is `distance` lower than that of `a`.
fn sum<const N: usize>(a: BigFloat<N>, b: BigFloat<N>, distance: usize) -> BigFloat<N> {
    let (b, _) = shift_right(&b.m, distance);
    let mut m = [0; N];
    let mut carry = false;
    for i in 0..N {
        let (s, c1) = a.m[i].overflowing_add(b[i]);
        let (s, c2) = s.overflowing_add(u64::from(carry));
        m[i] = s;
        carry = c1 | c2;
    }
    if carry {
        (m, _) = shift_right(&m, 1);
        m[N - 1] |= 1 << 63;
    }
    BigFloat { negative: a.negative, exponent: a.exponent + i32::from(carry), m }
}

/// `|a| - |b|` with the sign of `a`, for `|a| >= |b|`. The exponent of `b` is `distance` lower than that of `a`.
fn difference<const N: usize>(a: BigFloat<N>, b: BigFloat<N>, distance: usize) -> BigFloat<N> {
    let (b, guard) = shift_right(&b.m, distance);
    let mut m = [0; N];
    let (guard, mut borrow) = 0u64.overflowing_sub(guard);
    for i in 0..N {
        let (d, b1) = a.m[i].overflowing_sub(b[i]);
        let (d, b2) = d.overflowing_sub(u64::from(borrow));
        m[i] = d;
        borrow = b1 | b2;
    }
    let mut limbs = [0; 5];
    limbs[0] = guard;
    limbs[1..=N].copy_from_slice(&m);
    let r = BigFloat::from_limbs(&limbs[..=N], a.exponent);
    r.with_sign(a.negative)
}

impl<const N: usize> Mul for BigFloat<N> {
    type Output = BigFloat<N>;
    fn mul(self, other: BigFloat<N>) -> BigFloat<N> {
        if self.is_zero() || other.is_zero() {
            return BigFloat::ZERO;
        }
        let mut t = [0u64; 8];
        for i in 0..N {
            let mut carry = 0u128;
            for j in 0..N {
                carry += u128::from(self.m[i]) * u128::from(other.m[j]) + u128::from(t[i + j]);
                t[i + j] = carry as u64;
                carry >>= 64;
            }
            t[i + N] = carry as u64;
        }
        let exponent = (self.exponent + other.exponent).clamp(-super::MAX_EXPONENT, super::MAX_EXPONENT);
        let mut m = [0; N];
        // The product of two significands in [1/2, 1) is in [1/4, 1): its highest bit may be clear.
        let shift = t[2 * N - 1] >> 63 == 0;
        for i in 0..N {
            m[i] = if shift { t[N + i] << 1 | t[N + i - 1] >> 63 } else { t[N + i] };
        }
        BigFloat { negative: self.negative != other.negative, exponent: exponent - i32::from(shift), m }
    }
}

impl<const N: usize> BigFloat<N> {
    /// The square.
    pub fn square(self) -> BigFloat<N> {
        self * self
    }

    /// `self * k`.
    pub(crate) fn mul_u64(self, k: u64) -> BigFloat<N> {
        if self.is_zero() || k == 0 {
            return BigFloat::ZERO;
        }
        let mut limbs = [0; 5];
        let mut carry = 0u128;
        for (limb, &m) in limbs.iter_mut().zip(&self.m) {
            carry += u128::from(m) * u128::from(k);
            *limb = carry as u64;
            carry >>= 64;
        }
        limbs[N] = carry as u64;
        BigFloat::from_limbs(&limbs[..=N], self.exponent + 64).with_sign(self.negative)
    }

    /// `self / k`.
    pub(crate) fn div_u64(self, k: u64) -> BigFloat<N> {
        let mut limbs = [0; 5];
        let mut remainder = 0u128;
        for i in (0..=N).rev() {
            remainder = remainder << 64 | u128::from(if i == 0 { 0 } else { self.m[i - 1] });
            limbs[i] = (remainder / u128::from(k)) as u64;
            remainder %= u128::from(k);
        }
        BigFloat::from_limbs(&limbs[..=N], self.exponent).with_sign(self.negative)
    }

    /// The leading 53 bits of the significand, as an `f64` in [1/2, 1).
    fn leading_bits(self) -> f64 {
        (self.m[N - 1] >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The number of Newton steps from a start value with 50 correct bits to the full significand.
    const NEWTON_STEPS: usize = if N <= 1 {
        1
    } else if N == 2 {
        2
    } else {
        3
    };

    /// `1 / self`.
    pub fn reciprocal(self) -> BigFloat<N> {
        let x = BigFloat { negative: false, exponent: 0, ..self };
        let mut r = BigFloat::from_f64(1.0 / self.leading_bits());
        for _ in 0..Self::NEWTON_STEPS {
            r = r + r * (Self::ONE - r * x);
        }
        BigFloat { negative: self.negative, exponent: r.exponent - self.exponent, ..r }
    }

    /// The square root of a number that is not negative.
    pub fn sqrt(self) -> BigFloat<N> {
        if self.is_zero() {
            return self;
        }
        let odd = self.exponent.rem_euclid(2);
        let x = BigFloat { exponent: odd, ..self };
        let mut s = BigFloat::from_f64((self.leading_bits() * f64::from(1 << odd)).sqrt());
        for _ in 0..Self::NEWTON_STEPS {
            s = (s + x / s).scale(-1);
        }
        BigFloat { exponent: s.exponent + (self.exponent - odd) / 2, ..s }
    }

    /// The cube root.
    pub fn cbrt(self) -> BigFloat<N> {
        if self.is_zero() {
            return self;
        }
        let third = self.exponent.rem_euclid(3);
        let x = BigFloat { exponent: third, negative: false, ..self };
        let mut c = BigFloat::from_f64((self.leading_bits() * f64::from(1 << third)).cbrt());
        for _ in 0..Self::NEWTON_STEPS {
            c = (c.scale(1) + x / c.square()).div_u64(3);
        }
        BigFloat { negative: self.negative, exponent: c.exponent + (self.exponent - third) / 3, ..c }
    }
}

impl<const N: usize> Div for BigFloat<N> {
    type Output = BigFloat<N>;
    fn div(self, other: BigFloat<N>) -> BigFloat<N> {
        let r = other.reciprocal();
        let q = self * r;
        // One correction step removes the error of the reciprocal.
        q + r * (self - q * other)
    }
}
