//! Exponentials and hyperbolic functions.
//!
//! `x = n log 2 + r`, and `r` is halved 8 times before the Taylor series of `e^r - 1`, which keeps its relative accuracy when it is
//! doubled back by `s -> 2 s + s^2`.

use super::constants::{LN_2, LN_10};
use super::{MOST, Wide};

/// Powers of e beyond this one are 2^(±MOST / 2), which every dtype rounds alike.
const LARGEST: f64 = 1e7;

impl<const N: usize> Wide<N> {
    pub(crate) fn one() -> Wide<N> {
        Wide::from_f64(1.0)
    }

    /// `e^self - 1` for `|self| < 1/2`.
    fn exp_m1_small(self) -> Wide<N> {
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

    /// `(n, r)` with `self = n log 2 + r`; `None` when the power of e is far beyond every dtype.
    fn reduced(self) -> Option<(f64, Wide<N>)> {
        let x = self.to_f64();
        if x.abs() > LARGEST {
            return None;
        }
        let n = (x * core::f64::consts::LOG2_E).round_ties_even();
        Some((n, self - Wide::from_f64(n) * LN_2.resize()))
    }

    fn beyond(self) -> Wide<N> {
        Self::one().scale(if self.negative { -MOST / 2 } else { MOST / 2 })
    }

    /// `e^self`.
    pub fn exp(self) -> Wide<N> {
        match self.reduced() {
            Some((n, r)) => (Self::one() + r.exp_m1_small()).scale(n as i32),
            None => self.beyond(),
        }
    }

    /// `2^self`.
    pub fn exp2(self) -> Wide<N> {
        if self.exp > 23 {
            return self.beyond();
        }
        let n = self.nearest();
        let r = (self - Wide::from_f64(n)) * LN_2.resize();
        (Self::one() + r.exp_m1_small()).scale(n as i32)
    }

    /// `10^self`.
    pub fn exp10(self) -> Wide<N> {
        (self * LN_10.resize()).exp()
    }

    /// `e^self - 1`, as accurate near zero as elsewhere.
    pub fn exp_m1(self) -> Wide<N> {
        match self.reduced() {
            Some((0.0, _)) => self.exp_m1_small(),
            Some((n, r)) => (Self::one() + r.exp_m1_small()).scale(n as i32) - Self::one(),
            None => self.beyond() - Self::one(),
        }
    }

    /// The hyperbolic sine.
    pub fn sinh(self) -> Wide<N> {
        let e = self.abs().exp_m1();
        (e + e / (e + Self::one())).scale(-1).signed(self.negative)
    }

    /// The hyperbolic cosine.
    pub fn cosh(self) -> Wide<N> {
        let e = self.abs().exp();
        (e + e.reciprocal()).scale(-1)
    }

    /// The hyperbolic tangent.
    pub fn tanh(self) -> Wide<N> {
        let e = self.abs().scale(1).exp_m1();
        (e / (e + Wide::from_f64(2.0))).signed(self.negative)
    }

    /// `1 / (1 + e^-self)`.
    pub fn sigmoid(self) -> Wide<N> {
        (Self::one() + (-self).exp()).reciprocal()
    }

    /// `log(1 + e^self)`.
    pub fn softplus(self) -> Wide<N> {
        let rest = (-self.abs()).exp().log_1p();
        if self.negative { rest } else { self + rest }
    }
}
