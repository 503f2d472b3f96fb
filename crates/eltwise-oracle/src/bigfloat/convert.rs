//! Conversions: exact from `f64` and integers, rounded once to a [`Format`].

use super::BigFloat;
use crate::format::Format;

impl<const N: usize> BigFloat<N> {
    /// A finite `f64`, exactly.
    pub fn from_f64(x: f64) -> BigFloat<N> {
        let bits = x.to_bits() & !(1 << 63);
        let (e, m) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let (e, m) = if e == 0 { (1, m) } else { (e, m | 1 << 52) };
        BigFloat::from_limbs(&[m], e - 1075 + 64).with_sign(x.is_sign_negative())
    }

    /// An integer, exactly for N > 1.
    pub fn from_u128(n: u128) -> BigFloat<N> {
        BigFloat::from_limbs(&[n as u64, (n >> 64) as u64], 128)
    }

    /// The nearest number of `format`, ties to even, as bits.
    ///
    /// `correct_bits` is the number of leading bits of `self` that are correct. If they do not show on which side of a
    /// tie the exact value is, the result is `None`, or with `assume_tie` the tie rounded to even.
    pub fn round(self, format: Format, correct_bits: i32, assume_tie: bool) -> Option<u64> {
        if self.is_zero() {
            return (correct_bits > 0 || assume_tie).then_some(0);
        }
        let sign = if self.negative { format.sign_bit() } else { 0 };
        let e = self.exponent - 1;
        if e > format.max_exponent {
            return Some(sign | format.infinity());
        }
        // The rounded significand is the first k bits, before the carry.
        let quantum = e.max(format.min_exponent) - (format.precision - 1);
        let k = self.exponent - quantum;
        let half = k >= 0 && self.bit(k);
        let tie = k >= -1 && (k + 1..correct_bits).all(|i| self.bit(i) != half);
        if tie && !assume_tie {
            return None;
        }
        let floor = if k <= 0 { 0 } else { self.m[N - 1] >> (64 - k) };
        let up = if tie { floor & 1 == 1 } else { half };
        let magnitude = ((e.max(format.min_exponent) - format.min_exponent) as u64) << (format.precision - 1);
        Some(sign | (magnitude + floor + u64::from(up)).min(format.infinity()))
    }

    /// The nearest `f64`, ties to even.
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.round(Format::F64, Self::BITS, true).unwrap_or(0))
    }
}
