//! One element: [`Value`], its conversions, and comparisons of results.

use core::fmt;

use eltwise_core::{Constant, DType, ErrorBound};

use crate::number::{Format, Number};

/// One element as raw bits. Byte 0 in memory is the lowest byte of `bits`; bits above the dtype's size are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// The dtype.
    pub dtype: DType,
    /// The bits.
    pub bits: u128,
}

impl Value {
    /// An element with these bits; bits above the dtype's size are dropped.
    pub const fn new(dtype: DType, bits: u128) -> Value {
        Value { dtype, bits: bits & (u128::MAX >> (128 - 8 * dtype.size())) }
    }

    /// A bool, 0 or 1.
    pub const fn from_bool(x: bool) -> Value {
        Value { dtype: DType::Bool, bits: x as u128 }
    }

    /// An integer converted to any dtype: integers and opaque bits wrap, floats round to nearest even, `bool` is `x !=
    /// 0`.
    pub const fn from_i128(dtype: DType, x: i128) -> Value {
        match Format::of(dtype) {
            Some(format) => Value::new(dtype, Number::integer(x).encode(format) as u128),
            None if matches!(dtype, DType::Bool) => Value::from_bool(x != 0),
            None => Value::new(dtype, x as u128),
        }
    }

    /// An `f64` converted to any dtype: floats round once to nearest even, integers drop the fraction and saturate (NaN
    /// is 0), `bool` is `x != 0`, opaque elements take the bits of the `f64`.
    pub const fn from_f64(dtype: DType, x: f64) -> Value {
        if dtype.is_opaque() {
            return Value::new(dtype, x.to_bits() as u128);
        }
        Value::from_number(dtype, Number::decode(crate::number::F64, x.to_bits()))
    }

    /// An `f32` converted to any dtype, as by [`Value::from_f64`].
    pub const fn from_f32(dtype: DType, x: f32) -> Value {
        if dtype.is_opaque() {
            return Value::new(dtype, x.to_bits() as u128);
        }
        Value::from_number(dtype, Number::decode(crate::number::F32, x.to_bits() as u64))
    }

    /// An exact number converted to any dtype: floats round once, integers drop the fraction and saturate, `bool` is
    /// true if it is not zero.
    pub const fn from_number(dtype: DType, x: Number) -> Value {
        match Format::of(dtype) {
            Some(format) => Value::new(dtype, x.encode(format) as u128),
            None if matches!(dtype, DType::Bool) => Value::from_bool(!matches!(x, Number::Finite { magnitude: 0, .. })),
            None => Value::new(dtype, x.truncate(dtype) as u128),
        }
    }

    /// The exact number. `bool` is 0 or 1; opaque bits are read as an integer.
    pub const fn number(self) -> Number {
        match Format::of(self.dtype) {
            Some(format) => Number::decode(format, self.bits as u64),
            None => Number::integer(self.to_i128()),
        }
    }

    /// The value as an integer: exact for integers, 0 or 1 for `bool`, the bits of opaque elements. Floats drop the
    /// fraction and saturate to `i128`; NaN is 0.
    pub const fn to_i128(self) -> i128 {
        let width = 8 * self.dtype.size() as u32;
        match self.dtype {
            DType::Bool => (self.bits != 0) as i128,
            _ if self.dtype.is_float() => self.number().truncate(DType::Opaque16),
            // Sign-extend: shift up to bit 127 and back.
            _ if self.dtype.is_signed_integer() => ((self.bits << (128 - width)) as i128) >> (128 - width),
            // Clear the bits above the dtype's size.
            _ => (self.bits << (128 - width) >> (128 - width)) as i128,
        }
    }

    /// The value as `f64`: exact, except for 64-bit integers beyond 2^53, which round to nearest even.
    pub const fn to_f64(self) -> f64 {
        f64::from_bits(self.number().encode(crate::number::F64))
    }

    /// The value as `f32`, rounded to nearest even: exact for `f32`, `f16` and `bf16`.
    pub const fn to_f32(self) -> f32 {
        if matches!(self.dtype, DType::F32) {
            return f32::from_bits(self.bits as u32);
        }
        f32::from_bits(self.number().encode(crate::number::F32) as u32)
    }

    /// Whether the value counts as true: a `bool` with a non-zero byte, or a number that is not 0 (NaN included).
    pub const fn truth(self) -> bool {
        match Format::of(self.dtype) {
            Some(format) => self.bits as u64 & !format.sign_bit() != 0,
            None => self.bits != 0,
        }
    }

    /// Whether the value is a NaN of a float dtype.
    pub const fn is_nan(self) -> bool {
        match Format::of(self.dtype) {
            Some(format) => self.bits as u64 & !format.sign_bit() > format.infinity(),
            None => false,
        }
    }

    /// The element stored in `bytes`, lowest byte first. Missing bytes count as 0; bytes beyond the dtype's size are
    /// ignored.
    pub fn read(dtype: DType, bytes: &[u8]) -> Value {
        let mut all = [0; 16];
        let n = dtype.size().min(bytes.len());
        all[..n].copy_from_slice(&bytes[..n]);
        Value { dtype, bits: u128::from_le_bytes(all) }
    }

    /// Appends the element's bytes, lowest first.
    pub fn write(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.bits.to_le_bytes()[..self.dtype.size()]);
    }
}

/// Whether two elements are the same result: they have one dtype, and equal bits or both NaN.
pub const fn same(a: Value, b: Value) -> bool {
    a.dtype as u8 == b.dtype as u8 && (a.bits == b.bits || a.is_nan() && b.is_nan())
}

/// Whether `b` may be the result where `a` is the correctly rounded one: it is at most `bound.ulp` steps away among the
/// numbers of their float dtype, or at most `bound.absolute`. A number within n ULP of the exact value is at most n steps
/// from the nearest one.
///
/// A NaN matches NaN only. Two zeros must have the same sign.
pub fn is_within(a: Value, b: Value, bound: ErrorBound) -> bool {
    let sign = 1u128 << (8 * a.dtype.size() - 1);
    // The position in the ordered list of numbers; both zeros are at 0.
    let ordinal = |value: Value| {
        let magnitude = (value.bits & (sign - 1)) as i128;
        if value.bits & sign == 0 { magnitude } else { -magnitude }
    };
    if a.is_nan() || b.is_nan() {
        return a.is_nan() && b.is_nan();
    }
    let zeros = ordinal(a) == 0 && ordinal(b) == 0;
    let is_near = ordinal(a).abs_diff(ordinal(b)) <= bound.ulp.into();
    a.dtype == b.dtype
        && (!zeros || a.bits == b.bits)
        && (is_near || bound.absolute > 0.0 && (a.to_f64() - b.to_f64()).abs() <= bound.absolute)
}

impl From<Constant> for Value {
    fn from(constant: Constant) -> Value {
        Value::new(constant.dtype, constant.bits)
    }
}

impl fmt::Display for Value {
    /// `f32 1.5 (0x3fc00000)`, `i8 -1 (0xff)`, `opaque2 (0xffff)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = 2 * self.dtype.size();
        write!(f, "{}", self.dtype)?;
        if self.dtype.is_float() {
            write!(f, " {:?}", self.to_f64())?;
        } else if !self.dtype.is_opaque() {
            write!(f, " {}", self.to_i128())?;
        }
        write!(f, " (0x{:0digits$x})", self.bits)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use DType::*;

    /// SplitMix64.
    pub(crate) struct Random(pub(crate) u64);

    impl Random {
        pub(crate) fn next(&mut self) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ z >> 31
        }
    }

    #[test]
    fn integers_wrap_and_extend() {
        assert_eq!(Value::from_i128(I8, -1), Value::new(I8, 0xff));
        assert_eq!(Value::from_i128(I8, 200).to_i128(), -56);
        assert_eq!(Value::from_i128(U64, -1).to_i128(), u64::MAX.into());
        assert_eq!(Value::from_i128(I64, i64::MIN.into()).to_i128(), i64::MIN.into());
        assert_eq!(Value::new(Bool, 7).to_i128(), 1);
        assert_eq!(Value::new(Opaque16, u128::MAX).bits, u128::MAX);
    }

    #[test]
    fn truth_and_nan() {
        assert!(!Value::from_f64(F16, -0.0).truth());
        assert!(Value::from_f64(F16, f64::NAN).truth());
        assert!(Value::new(F64, 1).truth());
        assert!(Value::new(BF16, 0xff81).is_nan() && !Value::new(BF16, 0xff80).is_nan());
        assert!(!Value::new(I16, 0x7fff).is_nan());
        assert!(same(Value::new(F32, 0x7fc0_0000), Value::new(F32, 0xff80_0001)));
        assert!(!same(Value::new(F32, 0), Value::new(F32, 0x8000_0000)));
        assert!(!same(Value::new(F16, 0x7fff), Value::new(BF16, 0x7fff)));
        assert!(!same(Value::new(I8, 0), Value::new(U8, 0)));
    }

    #[test]
    fn bytes_and_text() {
        let mut bytes = Vec::new();
        Value::new(I32, 0x0403_0201).write(&mut bytes);
        assert_eq!(bytes, [1, 2, 3, 4]);
        assert_eq!(Value::read(I32, &bytes), Value::new(I32, 0x0403_0201));
        assert_eq!(Value::read(I32, &bytes[..1]).bits, 1);
        assert_eq!(Value::from_f64(F32, 1.5).to_string(), "f32 1.5 (0x3fc00000)");
        assert_eq!(Value::from_i128(I8, -1).to_string(), "i8 -1 (0xff)");
        assert_eq!(Value::new(Opaque2, 0xfff).to_string(), "opaque2 (0x0fff)");
    }
}
