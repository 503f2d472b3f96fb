//! Special kernels, which only some operators have: a column of the [catalogue](mod@crate::catalogue).

use crate::accuracy::ErrorBound;

/// A kernel that an operator has in addition to its plain one. The catalogue has the name of the variant in snake case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
#[repr(u8)]
pub enum SpecialKernel {
    /// `correctly_rounded`: over f32, correctly rounded. Without it, a correctly rounded program computes in f64.
    CorrectlyRounded,
    /// `round_to_odd`: over f64, for results that are then rounded to a narrower dtype
    /// ([`Accuracy::RoundToOdd`](crate::Accuracy::RoundToOdd)).
    RoundToOdd,
}

/// 2^-45.
const TWO_TO_MINUS_45: f64 = 1.0 / (1u64 << 45) as f64;

/// The kernels column of a row: a bit per special kernel or other entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KernelSet(u8);

/// The bit of an operator without kernels.
const COMPOSITE: u8 = 1 << 7;

/// The bit of an operator without tiers of accuracy.
const FAST_ONLY: u8 = 1 << 6;

/// The bit of an operator whose error is also bounded absolutely, where terms cancel.
const ABSOLUTE_ERROR: u8 = 1 << 5;

/// The lower of the two bits with the error bound over f64, in ULP, less 1.
const ULP: u32 = 3;

impl KernelSet {
    pub(crate) const EMPTY: KernelSet = KernelSet(0);

    /// Adds an entry of the column. An unknown entry does not compile, because rows are constants.
    pub(crate) const fn with(self, entry: &str) -> KernelSet {
        let bit = match entry.as_bytes() {
            b"composite" => COMPOSITE,
            b"fast_only" => FAST_ONLY,
            b"three_ulp" => 2 << ULP,
            b"four_ulp" => 3 << ULP,
            b"absolute_error" => ABSOLUTE_ERROR,
            b"correctly_rounded" => 1 << SpecialKernel::CorrectlyRounded as u8,
            b"round_to_odd" => 1 << SpecialKernel::RoundToOdd as u8,
            _ => panic!("unknown entry in the kernels column of the catalogue"),
        };
        KernelSet(self.0 | bit)
    }

    pub(crate) const fn contains(self, kernel: SpecialKernel) -> bool {
        self.0 >> kernel as u8 & 1 == 1
    }

    /// Whether the operator has no kernel, because programs replace it by other operators.
    pub(crate) const fn is_composite(self) -> bool {
        self.0 & COMPOSITE != 0
    }

    /// Whether the operator has no tier of accuracy other than the fast one.
    pub(crate) const fn is_fast_only(self) -> bool {
        self.0 & FAST_ONLY != 0
    }

    /// The error bound of a math operator with this set in the fast tier.
    pub(crate) const fn error_bound(self, is_f64: bool) -> ErrorBound {
        ErrorBound {
            ulp: if is_f64 { 1 + (self.0 >> ULP & 3) as u32 } else { 1 },
            absolute: if self.0 & ABSOLUTE_ERROR != 0 { TWO_TO_MINUS_45 } else { 0.0 },
        }
    }
}
