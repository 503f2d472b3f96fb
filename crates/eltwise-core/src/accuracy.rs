//! Tiers of accuracy of the math operators: [`Accuracy`], [`ErrorBound`].

use core::fmt;

/// The tier of accuracy of a math operator ([`Exactness::Math`](crate::op::Exactness)). In every tier, a result has the same
/// bits on every ISA, at every position and length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[non_exhaustive]
pub enum Accuracy {
    /// At most 1 ULP from the exact value for `f32` and `f64`, at most 0.501 ULP for `f16` and `bf16`. Some operators have a
    /// larger [`ErrorBound`] for `f64`.
    #[default]
    Fast,
    /// The correctly rounded value, for `f32`, `f16` and `bf16` only.
    CorrectlyRounded,
    /// For `f64` results that are then rounded to a narrower dtype: at most 1 ULP from the exact value, and never halfway
    /// between two narrower numbers unless the exact value is. The correctly rounded tier of narrower dtypes uses it. Callers
    /// cannot choose it.
    RoundToOdd,
}

impl Accuracy {
    /// Every tier that callers can choose.
    pub const ALL: [Accuracy; 2] = [Accuracy::Fast, Accuracy::CorrectlyRounded];

    /// The name in expressions, in Python and on the command line: `fast`, `correct`. Text is also read if it has `exact`,
    /// the earlier name of `correct`.
    pub const fn name(self) -> &'static str {
        match self {
            Accuracy::Fast => "fast",
            Accuracy::CorrectlyRounded => "correct",
            Accuracy::RoundToOdd => "to narrow",
        }
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How far a result in the tier [`Accuracy::Fast`] may be from the exact value.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct ErrorBound {
    /// The largest error in ULP; 0 for operators that are exact.
    pub ulp: u32,
    /// The largest absolute error where the error in ULP is larger, because terms of a function cancel at negative operands;
    /// 0 if no terms cancel.
    pub absolute: f64,
}

impl ErrorBound {
    /// No error.
    pub const EXACT: ErrorBound = ErrorBound { ulp: 0, absolute: 0.0 };

    /// 1 ULP.
    pub const ONE_ULP: ErrorBound = ErrorBound { ulp: 1, absolute: 0.0 };
}
