//! Multi-word floating-point arithmetic: [`BigFloat`], with a significand of N 64-bit words.
//!
//! A number is `±0.m * 2^exponent` with a 32-bit exponent, so results neither overflow nor become subnormal. Operations
//! have an error of about one unit in the last place, 2^-(64 N - 1) of the result; none is correctly rounded, and none
//! needs to be. There are no infinities and no NaN: callers handle special values first.
//!
//! | file | contents |
//! |---|---|
//! | `arithmetic` | `+ - * /`, square and cube roots |
//! | `convert` | from floats and integers, correct rounding to a [`Format`](crate::Format) |
//! | `exponential` | exponentials, hyperbolic functions, sigmoid |
//! | `logarithm` | logarithms, inverse hyperbolic functions |
//! | `trigonometric` | trigonometric functions and their inverses |
//! | `error_function` | `erf`, `erfc` |
//! | `statistics` | `lgamma`, `digamma`, Bessel functions, inverses of `erf` and `erfc` |

mod arithmetic;
pub(crate) mod constants;
mod convert;
pub(crate) mod error_function;
pub(crate) mod exponential;
pub(crate) mod logarithm;
pub(crate) mod statistics;
pub(crate) mod trigonometric;

/// A float with a significand of N 64-bit words: `±0.m * 2^exponent`. N is 2 or 4.
///
/// The highest bit of `m` is set, except in zero, which has no bit set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BigFloat<const N: usize> {
    negative: bool,
    exponent: i32,
    /// The words of the significand (limbs), lowest first.
    m: [u64; N],
}

/// The largest magnitude of an exponent. It is outside the exponent range of every format, and sums of several
/// exponents do not overflow.
const MAX_EXPONENT: i32 = 1 << 26;

impl<const N: usize> BigFloat<N> {
    /// Zero.
    pub const ZERO: BigFloat<N> = BigFloat { negative: false, exponent: -MAX_EXPONENT, m: [0; N] };

    pub(crate) const ONE: BigFloat<N> = {
        let mut m = [0; N];
        m[N - 1] = 1 << 63;
        BigFloat { negative: false, exponent: 1, m }
    };

    /// Bits of the significand.
    pub(crate) const BITS: i32 = 64 * N as i32;

    /// The positive number `0.m * 2^exponent`.
    pub(crate) const fn constant(exponent: i32, m: [u64; N]) -> BigFloat<N> {
        BigFloat { negative: false, exponent, m }
    }

    /// Whether the number is zero.
    pub fn is_zero(self) -> bool {
        self.m[N - 1] == 0
    }

    /// Whether the number is below zero.
    pub fn is_negative(self) -> bool {
        self.negative
    }

    /// The `e` with `2^(e-1) <= |self| < 2^e`; a very small number for zero.
    pub fn exponent(self) -> i32 {
        self.exponent
    }

    /// The magnitude.
    pub fn abs(self) -> BigFloat<N> {
        BigFloat { negative: false, ..self }
    }

    /// `self`, negative or positive as given; its own sign does not count. A zero stays positive.
    pub(crate) fn with_sign(self, negative: bool) -> BigFloat<N> {
        BigFloat { negative: negative && !self.is_zero(), ..self }
    }

    /// `self * 2^n`.
    pub fn scale(self, n: i32) -> BigFloat<N> {
        if self.is_zero() {
            self
        } else {
            BigFloat { exponent: (self.exponent + n).clamp(-MAX_EXPONENT, MAX_EXPONENT), ..self }
        }
    }

    /// The number with a significand of M words. A shorter significand is truncated.
    pub fn resize<const M: usize>(self) -> BigFloat<M> {
        let mut m = [0; M];
        for i in 0..M.min(N) {
            m[M - 1 - i] = self.m[N - 1 - i];
        }
        BigFloat { negative: self.negative, exponent: self.exponent, m }
    }

    /// Bit `i` of the significand, counted from the highest; clear beyond the lowest.
    fn bit(self, i: i32) -> bool {
        let i = i as usize;
        i < 64 * N && self.m[N - 1 - i / 64] >> (63 - i % 64) & 1 == 1
    }

    /// The number `0.limbs * 2^exponent`, normalized. The limbs are given lowest first.
    pub(crate) fn from_limbs(limbs: &[u64], exponent: i32) -> BigFloat<N> {
        let Some(top) = limbs.iter().rposition(|&l| l != 0) else { return BigFloat::ZERO };
        let shift = limbs[top].leading_zeros();
        let limb = |i: usize| if i > top { 0 } else { limbs[top - i] };
        let mut m = [0; N];
        for i in 0..N {
            m[N - 1 - i] = if shift == 0 { limb(i) } else { limb(i) << shift | limb(i + 1) >> (64 - shift) };
        }
        let dropped = 64 * (limbs.len() - 1 - top) as i32 + shift as i32;
        BigFloat { negative: false, exponent: exponent - dropped, m }
    }

    /// Compares `|self|` with `|other|`.
    pub(crate) fn compare_magnitude(self, other: BigFloat<N>) -> core::cmp::Ordering {
        (!self.is_zero())
            .cmp(&!other.is_zero())
            .then(self.exponent.cmp(&other.exponent))
            .then_with(|| self.m.iter().rev().cmp(other.m.iter().rev()))
    }
}
