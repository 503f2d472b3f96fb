//! Bars: the largest factor by which a pattern may be slower than the contiguous operation.

use core::fmt;

use eltwise::{DType, Isa};

use crate::size::Size;

/// The bar of a pattern.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Bar {
    /// No bar: the factor is only printed.
    None,
    /// One bar for every size, dtype and ISA.
    AtMost(f64),
    /// The bar for one operand transposed relative to the output.
    Transposed,
    /// The bar for an NCHW operand with an NHWC one.
    Permuted,
}

impl Bar {
    /// The largest allowed factor. `None` without a bar, and on ISAs with vectors of less than 32 bytes.
    pub fn limit(self, dtype: DType, size: Size, isa: Isa) -> Option<f64> {
        if isa.vector_bytes() < 32 {
            return None;
        }
        let avx2 = isa == Isa::Avx2;
        let small = dtype.size() <= 2;
        match self {
            Bar::None => None,
            Bar::AtMost(factor) => Some(factor),
            Bar::Transposed | Bar::Permuted if size == Size::L2 => Some(if avx2 { 3.0 } else { 2.3 }),
            Bar::Transposed if small => Some(2.3),
            Bar::Transposed | Bar::Permuted => Some(if avx2 { 1.8 } else { 1.7 }),
        }
    }
}

/// A factor compared with its bar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Verdict {
    /// The pattern has no bar.
    NoBar,
    /// The factor is at most the bar.
    Ok,
    /// The factor is above this bar.
    Over(f64),
}

impl Verdict {
    /// Compares a factor with its bar in hundredths, as they are printed.
    pub fn of(factor: f64, limit: Option<f64>) -> Verdict {
        match limit {
            None => Verdict::NoBar,
            Some(limit) if (factor * 100.0).round() <= (limit * 100.0).round() => Verdict::Ok,
            Some(limit) => Verdict::Over(limit),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::NoBar => f.pad("-"),
            Verdict::Ok => f.pad("ok"),
            Verdict::Over(limit) => f.pad(&format!("over {limit}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposes_have_bars_by_size_dtype_and_level() {
        let limit = |bar: Bar, dtype, size, isa| bar.limit(dtype, size, isa).unwrap();
        let (t, p) = (Bar::Transposed, Bar::Permuted);
        for dtype in [DType::F32, DType::F64] {
            assert_eq!(limit(t, dtype, Size::Dram, Isa::Avx512), 1.7);
            assert_eq!(limit(t, dtype, Size::Dram, Isa::Avx2), 1.8);
        }
        for dtype in [DType::U8, DType::F16] {
            assert_eq!(limit(t, dtype, Size::Dram, Isa::Avx512), 2.3);
            assert_eq!(limit(t, dtype, Size::Dram, Isa::Avx2), 2.3);
            assert_eq!(limit(p, dtype, Size::Dram, Isa::Avx512Fp16), 1.7);
        }
        for bar in [t, p] {
            assert_eq!(limit(bar, DType::F32, Size::L2, Isa::Avx512), 2.3);
            assert_eq!(limit(bar, DType::U8, Size::L2, Isa::Avx2), 3.0);
        }
    }

    #[test]
    fn no_bar_without_wide_vectors() {
        assert_eq!(Bar::AtMost(1.25).limit(DType::F32, Size::L2, Isa::Scalar), None);
        assert_eq!(Bar::AtMost(1.25).limit(DType::F32, Size::L2, Isa::Neon), None);
        assert_eq!(Bar::AtMost(1.25).limit(DType::F32, Size::L2, Isa::Avx2), Some(1.25));
        assert_eq!(Bar::None.limit(DType::F32, Size::L2, Isa::Avx2), None);
    }

    #[test]
    fn verdicts_agree_with_the_printed_factors() {
        assert_eq!(Verdict::of(1.254, Some(1.25)), Verdict::Ok);
        assert_eq!(Verdict::of(1.256, Some(1.25)), Verdict::Over(1.25));
        assert_eq!(Verdict::of(9.0, None), Verdict::NoBar);
        assert_eq!(Verdict::of(f64::NAN, Some(1.25)), Verdict::Over(1.25));
        assert_eq!(Verdict::Over(1.25).to_string(), "over 1.25");
    }
}
