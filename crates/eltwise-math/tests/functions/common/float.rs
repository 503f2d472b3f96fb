//! `f32` and `f64`, for checks that are generic over both.

use core::fmt::LowerExp;

use eltwise_oracle::Format;
use eltwise_simd::Element;

/// A float of the functions under test.
pub(crate) trait Float: Element + LowerExp {
    /// The format in the oracle.
    const FORMAT: Format;
    /// The nearest float.
    fn from_f64(v: f64) -> Self;
    /// The bits, zero-extended; one pattern for every NaN.
    fn to_bits(self) -> u64;
    /// The float with the given bits.
    fn from_bits(bits: u64) -> Self;
}

macro_rules! floats {
    ($($c:ident $bits:ident $format:ident;)*) => {$(
        impl Float for $c {
            const FORMAT: Format = Format::$format;
            fn from_f64(v: f64) -> $c {
                v as $c
            }
            fn to_bits(self) -> u64 {
                if self.is_nan() { $c::NAN.to_bits().into() } else { self.to_bits().into() }
            }
            fn from_bits(bits: u64) -> $c {
                $c::from_bits(bits as $bits)
            }
        }
    )*};
}

floats! {
    f32 u32 F32;
    f64 u64 F64;
}
