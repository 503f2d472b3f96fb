//! How accurate a math operator is to be.

use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

use crate::error::Error;

/// The tier of a math operator ([`Exactness::Math`](crate::op::Exactness)). Both have the same bits on every ISA, in every position and
/// length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
#[non_exhaustive]
pub enum Accuracy {
    /// At most 1 ULP from the exact value for `f32` and `f64`, 0.501 ULP for `f16` and `bf16`.
    #[default]
    Fast,
    /// The correctly rounded value. `f32`, `f16` and `bf16` have it, `f64` has not.
    Exact,
    /// Of `f64` only, for a result that is rounded to a narrower dtype next: at most 1 ULP from the exact value, and never halfway between
    /// two narrower numbers unless the exact value is. The correctly rounded tier of narrower dtypes is made of it; no text asks for it.
    ToNarrow,
}

impl Accuracy {
    /// Every tier that a caller may ask for.
    pub const ALL: [Accuracy; 2] = [Accuracy::Fast, Accuracy::Exact];

    /// The name in every language and on the command line: `fast`, `exact`.
    pub const fn name(self) -> &'static str {
        match self {
            Accuracy::Fast => "fast",
            Accuracy::Exact => "exact",
            Accuracy::ToNarrow => "to narrow",
        }
    }
}

impl fmt::Display for Accuracy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Accuracy {
    type Err = Error;

    fn from_str(s: &str) -> Result<Accuracy, Error> {
        let found = Accuracy::ALL.into_iter().find(|a| a.name() == s);
        found.ok_or_else(|| Error::UnknownAccuracy { given: s.to_string() })
    }
}
