//! Special kernels, which only some operators have: a column of the [catalogue](mod@crate::catalogue).

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

/// The kernels column of a row: a bit per special kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct KernelSet(u8);

/// The bit of an operator without kernels.
const COMPOSITE: u8 = 1 << 7;

impl KernelSet {
    pub(crate) const EMPTY: KernelSet = KernelSet(0);

    /// Adds an entry of the column. An unknown entry does not compile, because rows are constants.
    pub(crate) const fn with(self, entry: &str) -> KernelSet {
        let bit = match entry.as_bytes() {
            b"composite" => COMPOSITE,
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
}
