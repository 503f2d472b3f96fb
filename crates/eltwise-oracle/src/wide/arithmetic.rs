//! `+ - * /`, square and cube roots.

use core::cmp::Ordering;
use core::ops::{Add, Div, Mul, Neg, Sub};

use super::Wide;

impl<const N: usize> Neg for Wide<N> {
    type Output = Wide<N>;
    fn neg(self) -> Wide<N> {
        self.signed(!self.negative)
    }
}

impl<const N: usize> Add for Wide<N> {
    type Output = Wide<N>;
    fn add(self, other: Wide<N>) -> Wide<N> {
        let (a, b) = if self.compare_magnitude(other) == Ordering::Less { (other, self) } else { (self, other) };
        let distance = a.exp - b.exp;
        if b.is_zero() || distance > 64 * N as i32 {
            return a;
        }
        if a.negative == b.negative { sum(a, b, distance as usize) } else { difference(a, b, distance as usize) }
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Wide<N>;
    fn sub(self, other: Wide<N>) -> Wide<N> {
        self + -other
    }
}

/// `m` moved `by` bits down, and the 64 bits below it.
fn shifted<const N: usize>(m: &[u64; N], by: usize) -> ([u64; N], u64) {
    let (limbs, bits) = (by / 64, by % 64);
    let limb = |i: usize| if i < N { m[i] } else { 0 };
    // The limb that begins `bits` bits above limb i, which may be -1: below the lowest.
    let at = |i: usize| if bits == 0 { limb(i) } else { limb(i) >> bits | limb(i + 1) << (64 - bits) };
    let mut out = [0; N];
    for (i, limb) in out.iter_mut().enumerate() {
        *limb = at(i + limbs);
    }
    let guard = match limbs {
        0 if bits == 0 => 0,
        0 => limb(0) << (64 - bits),
        _ => at(limbs - 1),
    };
    (out, guard)
}

/// `|a| + |b|` with the sign of `a`; `b` stands `distance` bits lower.
fn sum<const N: usize>(a: Wide<N>, b: Wide<N>, distance: usize) -> Wide<N> {
    let (b, _) = shifted(&b.m, distance);
    let mut m = [0; N];
    let mut carry = false;
    for i in 0..N {
        let (s, c1) = a.m[i].overflowing_add(b[i]);
        let (s, c2) = s.overflowing_add(u64::from(carry));
        m[i] = s;
        carry = c1 | c2;
    }
    if carry {
        (m, _) = shifted(&m, 1);
        m[N - 1] |= 1 << 63;
    }
    Wide { negative: a.negative, exp: a.exp + i32::from(carry), m }
}

/// `|a| - |b|` with the sign of `a`; `|a| >= |b|`, and `b` stands `distance` bits lower.
fn difference<const N: usize>(a: Wide<N>, b: Wide<N>, distance: usize) -> Wide<N> {
    let (b, guard) = shifted(&b.m, distance);
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
    let r = Wide::from_limbs(&limbs[..=N], a.exp);
    r.signed(a.negative)
}

impl<const N: usize> Mul for Wide<N> {
    type Output = Wide<N>;
    fn mul(self, other: Wide<N>) -> Wide<N> {
        if self.is_zero() || other.is_zero() {
            return Wide::ZERO;
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
        let exp = (self.exp + other.exp).clamp(-super::MOST, super::MOST);
        let mut m = [0; N];
        let low = t[2 * N - 1] >> 63 == 0;
        for i in 0..N {
            m[i] = if low { t[N + i] << 1 | t[N + i - 1] >> 63 } else { t[N + i] };
        }
        Wide { negative: self.negative != other.negative, exp: exp - i32::from(low), m }
    }
}

impl<const N: usize> Wide<N> {
    /// The square.
    pub fn square(self) -> Wide<N> {
        self * self
    }

    /// `self * k`.
    pub(crate) fn times(self, k: u64) -> Wide<N> {
        if self.is_zero() || k == 0 {
            return Wide::ZERO;
        }
        let mut limbs = [0; 5];
        let mut carry = 0u128;
        for (limb, &m) in limbs.iter_mut().zip(&self.m) {
            carry += u128::from(m) * u128::from(k);
            *limb = carry as u64;
            carry >>= 64;
        }
        limbs[N] = carry as u64;
        Wide::from_limbs(&limbs[..=N], self.exp + 64).signed(self.negative)
    }

    /// `self / k`.
    pub(crate) fn over(self, k: u64) -> Wide<N> {
        let mut limbs = [0; 5];
        let mut rest = 0u128;
        for i in (0..=N).rev() {
            rest = rest << 64 | u128::from(if i == 0 { 0 } else { self.m[i - 1] });
            limbs[i] = (rest / u128::from(k)) as u64;
            rest %= u128::from(k);
        }
        Wide::from_limbs(&limbs[..=N], self.exp).signed(self.negative)
    }

    /// The mantissa in [1/2, 1) as an `f64`.
    fn head(self) -> f64 {
        (self.m[N - 1] >> 11) as f64 / (1u64 << 53) as f64
    }

    /// The exact number `0.m` of an `f64` in [1/2, 1] and thereabouts, positive.
    fn seed(x: f64) -> Wide<N> {
        Wide::from_f64(x)
    }

    /// Steps of Newton's iteration from 50 bits to all.
    const STEPS: usize = if N <= 1 {
        1
    } else if N == 2 {
        2
    } else {
        3
    };

    /// `1 / self`.
    pub fn reciprocal(self) -> Wide<N> {
        let x = Wide { negative: false, exp: 0, ..self };
        let one = Wide::from_f64(1.0);
        let mut r = Wide::seed(1.0 / self.head());
        for _ in 0..Self::STEPS {
            r = r + r * (one - r * x);
        }
        Wide { negative: self.negative, exp: r.exp - self.exp, ..r }
    }

    /// The square root of a number that is not negative.
    pub fn sqrt(self) -> Wide<N> {
        if self.is_zero() {
            return self;
        }
        let odd = self.exp.rem_euclid(2);
        let x = Wide { exp: odd, ..self };
        let mut s = Wide::seed((self.head() * f64::from(1 << odd)).sqrt());
        for _ in 0..Self::STEPS {
            s = (s + x / s).scale(-1);
        }
        Wide { exp: s.exp + (self.exp - odd) / 2, ..s }
    }

    /// The cube root.
    pub fn cbrt(self) -> Wide<N> {
        if self.is_zero() {
            return self;
        }
        let rest = self.exp.rem_euclid(3);
        let x = Wide { exp: rest, negative: false, ..self };
        let mut c = Wide::seed((self.head() * f64::from(1 << rest)).cbrt());
        for _ in 0..Self::STEPS {
            c = (c.scale(1) + x / c.square()).over(3);
        }
        Wide { negative: self.negative, exp: c.exp + (self.exp - rest) / 3, ..c }
    }
}

impl<const N: usize> Div for Wide<N> {
    type Output = Wide<N>;
    fn div(self, other: Wide<N>) -> Wide<N> {
        let r = other.reciprocal();
        let q = self * r;
        // One correction makes up for what the reciprocal lost.
        q + r * (self - q * other)
    }
}
