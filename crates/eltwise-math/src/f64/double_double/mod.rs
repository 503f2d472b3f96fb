//! Double-double arithmetic: [`Pair`], an unevaluated sum `hi + lo` with `|lo|` at most about half an ULP of `hi`
//! (Dekker 1971).
//!
//! | file | contents |
//! |---|---|
//! | `mod.rs` | exact sums and products (error-free transformations), quotients |
//! | `exp.rs` | e^x of a pair, relative error 2^-69.7 |
//! | `log.rs` | log x and log(1 + x) as pairs, relative error 2^-65 |
//!
//! Tables: `tools/coefficients/f64_extended.py`.

pub(crate) mod exp;
pub(crate) mod log;

use eltwise_simd::MathLanes;

use crate::vector::F64;

/// `hi + lo`, unevaluated.
pub(crate) struct Pair<L: MathLanes<f64>> {
    /// The sum, rounded or nearly so.
    pub(crate) hi: F64<L>,
    /// The remainder.
    pub(crate) lo: F64<L>,
}

impl<L: MathLanes<f64>> Clone for Pair<L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: MathLanes<f64>> Copy for Pair<L> {}

/// `a + b`, exact (Knuth's TwoSum).
#[inline(always)]
pub(crate) fn two_sum<L: MathLanes<f64>>(a: F64<L>, b: F64<L>) -> Pair<L> {
    let hi = a + b;
    let of_b = hi - a;
    let of_a = hi - of_b;
    Pair { hi, lo: (a - of_a) + (b - of_b) }
}

/// `a + b`, exact if `a` is 0 or `|a| >= |b|` (Dekker's Fast2Sum).
#[inline(always)]
pub(crate) fn fast_two_sum<L: MathLanes<f64>>(a: F64<L>, b: F64<L>) -> Pair<L> {
    let hi = a + b;
    Pair { hi, lo: b - (hi - a) }
}

/// `a * b`, exact unless the low part underflows.
#[inline(always)]
pub(crate) fn two_product<L: MathLanes<f64>>(a: F64<L>, b: F64<L>) -> Pair<L> {
    let hi = a * b;
    Pair { hi, lo: a.mul_sub(b, hi) }
}

impl<L: MathLanes<f64>> Pair<L> {
    /// The pair with the same sum whose `hi` is the sum rounded to nearest; requires `|hi| >= |lo|`.
    #[inline(always)]
    pub(crate) fn normal(self) -> Self {
        fast_two_sum(self.hi, self.lo)
    }
}

/// `a / b`, given `reciprocal`, about `1 / b.hi`. If that has 50 correct bits, the relative error is near 2^-100.
#[inline(always)]
pub(crate) fn quotient<L: MathLanes<f64>>(a: Pair<L>, b: Pair<L>, reciprocal: F64<L>) -> Pair<L> {
    let high = a.hi * reciprocal;
    let rest = high.neg_mul_add(b.hi, a.hi) + high.neg_mul_add(b.lo, a.lo);
    Pair { hi: high, lo: rest * reciprocal }
}
