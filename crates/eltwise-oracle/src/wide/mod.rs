//! Floats of 64 N bits: what exact values are computed in.
//!
//! A number is `±0.m * 2^exp` with a 32-bit exponent, so nothing overflows and nothing is subnormal. Operations are right to about
//! one unit of the last place, 2^-(64 N - 1) of the result; nothing is rounded correctly, which nothing here needs. No infinities and
//! no NaN: special values are settled before.

mod arithmetic;
pub(crate) mod constants;
mod convert;
pub(crate) mod error_function;
pub(crate) mod exponential;
pub(crate) mod logarithm;
pub(crate) mod trigonometric;

pub use convert::Format;
pub(crate) use convert::exp2;

/// `±0.m * 2^exp`. The highest bit of `m` is set, but for zero, where all are clear.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wide<const N: usize> {
    negative: bool,
    exp: i32,
    /// Lowest limb first.
    m: [u64; N],
}

/// Exponents stop here: far beyond every dtype, and sums of some of them do not overflow.
const MOST: i32 = 1 << 26;

impl<const N: usize> Wide<N> {
    /// Zero.
    pub const ZERO: Wide<N> = Wide { negative: false, exp: -MOST, m: [0; N] };

    /// A positive number from its bits.
    pub(crate) const fn constant(exp: i32, m: [u64; N]) -> Wide<N> {
        Wide { negative: false, exp, m }
    }

    /// Whether this is zero.
    pub fn is_zero(self) -> bool {
        self.m[N - 1] == 0
    }

    /// Whether this is below zero.
    pub fn is_negative(self) -> bool {
        self.negative
    }

    /// The `e` of `2^(e-1) <= |self| < 2^e`; very small for zero.
    pub fn exponent(self) -> i32 {
        self.exp
    }

    /// The magnitude.
    pub fn abs(self) -> Wide<N> {
        Wide { negative: false, ..self }
    }

    /// `self` with the sign of a number that is negative or not.
    pub(crate) fn signed(self, negative: bool) -> Wide<N> {
        Wide { negative: negative && !self.is_zero(), ..self }
    }

    /// `self * 2^n`.
    pub fn scale(self, n: i32) -> Wide<N> {
        if self.is_zero() { self } else { Wide { exp: (self.exp + n).clamp(-MOST, MOST), ..self } }
    }

    /// The same number of another width, cut off where it is narrower.
    pub fn resize<const M: usize>(self) -> Wide<M> {
        let mut m = [0; M];
        for i in 0..M.min(N) {
            m[M - 1 - i] = self.m[N - 1 - i];
        }
        Wide { negative: self.negative, exp: self.exp, m }
    }

    /// Bit `i` of the mantissa, counted from the highest; clear outside.
    fn bit(self, i: i32) -> bool {
        let i = i as usize;
        i < 64 * N && self.m[N - 1 - i / 64] >> (63 - i % 64) & 1 == 1
    }

    /// From limbs, lowest first, that stand behind the point of `0.limbs * 2^exp`, leading zeros removed.
    pub(crate) fn from_limbs(limbs: &[u64], exp: i32) -> Wide<N> {
        let Some(top) = limbs.iter().rposition(|&l| l != 0) else { return Wide::ZERO };
        let shift = limbs[top].leading_zeros();
        let limb = |i: usize| if i > top { 0 } else { limbs[top - i] };
        let mut m = [0; N];
        for i in 0..N {
            m[N - 1 - i] = if shift == 0 { limb(i) } else { limb(i) << shift | limb(i + 1) >> (64 - shift) };
        }
        Wide { negative: false, exp: exp - (64 * (limbs.len() - 1 - top)) as i32 - shift as i32, m }
    }

    /// `|self|` below, equal to or above `|other|`.
    pub(crate) fn compare_magnitude(self, other: Wide<N>) -> core::cmp::Ordering {
        (!self.is_zero())
            .cmp(&!other.is_zero())
            .then(self.exp.cmp(&other.exp))
            .then_with(|| self.m.iter().rev().cmp(other.m.iter().rev()))
    }
}
