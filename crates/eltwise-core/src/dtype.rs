//! Element types.

use core::fmt;
use core::ops::RangeInclusive;

/// The type of an element.
///
/// | group | dtypes | operators |
/// |---|---|---|
/// | bool | `bool` | one byte; kernels read every non-zero byte as true and write 0 or 1 |
/// | integers | `i8 i16 i32 i64 u8 u16 u32 u64` | all integer operators, casts |
/// | floats | `f16 bf16 f32 f64` | all float operators, casts; `f16` and `bf16` compute in `f32` and round once |
/// | opaque | 1, 2, 4, 8 or 16 bytes | only moved: copy, broadcast, where |
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[non_exhaustive]
#[repr(u8)]
#[allow(missing_docs, reason = "the names are the documentation")]
pub enum DType {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    BF16,
    F32,
    F64,
    Opaque1,
    Opaque2,
    Opaque4,
    Opaque8,
    Opaque16,
}

use DType::*;

impl DType {
    /// Every dtype, in the order of the enum.
    pub const ALL: [DType; 18] =
        [Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64, Opaque1, Opaque2, Opaque4, Opaque8, Opaque16];
    /// Every dtype that has values: bool, integers, floats.
    pub const VALUES: [DType; 13] = [Bool, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64];

    /// Bytes of one element: 1, 2, 4, 8 or 16.
    #[inline]
    pub const fn size(self) -> usize {
        match self {
            Bool | I8 | U8 | Opaque1 => 1,
            I16 | U16 | F16 | BF16 | Opaque2 => 2,
            I32 | U32 | F32 | Opaque4 => 4,
            I64 | U64 | F64 | Opaque8 => 8,
            Opaque16 => 16,
        }
    }

    /// The name: `f32`, `bool`, `opaque16` ...
    pub const fn name(self) -> &'static str {
        match self {
            Bool => "bool",
            I8 => "i8",
            I16 => "i16",
            I32 => "i32",
            I64 => "i64",
            U8 => "u8",
            U16 => "u16",
            U32 => "u32",
            U64 => "u64",
            F16 => "f16",
            BF16 => "bf16",
            F32 => "f32",
            F64 => "f64",
            Opaque1 => "opaque1",
            Opaque2 => "opaque2",
            Opaque4 => "opaque4",
            Opaque8 => "opaque8",
            Opaque16 => "opaque16",
        }
    }

    /// `f16`, `bf16`, `f32` or `f64`.
    #[inline]
    pub const fn is_float(self) -> bool {
        matches!(self, F16 | BF16 | F32 | F64)
    }

    /// `f16` or `bf16`.
    #[inline]
    pub const fn is_half(self) -> bool {
        matches!(self, F16 | BF16)
    }

    /// One of the eight integer dtypes, which do not include `bool`.
    #[inline]
    pub const fn is_integer(self) -> bool {
        self.is_signed_integer() || matches!(self, U8 | U16 | U32 | U64)
    }

    /// `i8`, `i16`, `i32` or `i64`.
    #[inline]
    pub const fn is_signed_integer(self) -> bool {
        matches!(self, I8 | I16 | I32 | I64)
    }

    /// The values of an integer dtype; an empty range for other dtypes.
    pub const fn integer_range(self) -> RangeInclusive<i128> {
        let bits = 8 * self.size();
        if self.is_signed_integer() {
            -(1 << (bits - 1))..=(1 << (bits - 1)) - 1
        } else if self.is_integer() {
            0..=(1 << bits) - 1
        } else {
            RangeInclusive::new(1, 0)
        }
    }

    /// A float or an integer.
    #[inline]
    pub const fn is_numeric(self) -> bool {
        self.is_float() || self.is_integer()
    }

    /// One of the opaque dtypes, whose elements are only moved.
    #[inline]
    pub const fn is_opaque(self) -> bool {
        matches!(self, Opaque1 | Opaque2 | Opaque4 | Opaque8 | Opaque16)
    }

    /// The dtype that operators compute in: `f32` for `f16` and `bf16`, else the dtype itself.
    #[inline]
    pub const fn compute(self) -> DType {
        match self {
            F16 | BF16 => F32,
            other => other,
        }
    }

    /// The opaque dtype of `size` bytes, if there is one.
    pub const fn opaque(size: usize) -> Option<DType> {
        match size {
            1 => Some(Opaque1),
            2 => Some(Opaque2),
            4 => Some(Opaque4),
            8 => Some(Opaque8),
            16 => Some(Opaque16),
            _ => None,
        }
    }

    /// Position in [`DType::ALL`], for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_ranges_are_those_of_rust() {
        assert_eq!(I8.integer_range(), -128..=127);
        assert_eq!(U8.integer_range(), 0..=255);
        assert_eq!(I64.integer_range(), i64::MIN.into()..=i64::MAX.into());
        assert_eq!(U64.integer_range(), 0..=u64::MAX.into());
        assert!(F32.integer_range().is_empty() && Bool.integer_range().is_empty());
    }

    #[test]
    fn names_parse_back() {
        for (i, d) in DType::ALL.into_iter().enumerate() {
            assert_eq!(d.name().parse::<DType>().unwrap(), d);
            assert_eq!(d.index(), i);
        }
        let numpy = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"];
        for (name, dtype) in
            numpy.into_iter().chain(["float16", "bfloat16", "float32", "float64"]).zip(&DType::VALUES[1..])
        {
            assert_eq!(name.parse::<DType>().unwrap(), *dtype);
        }
        for name in ["f31", "float", "int", "i", "float8", "bfloat", "bint8", "int16 ", "uintool", ""] {
            assert!(name.parse::<DType>().is_err(), "{name}");
        }
    }
}
