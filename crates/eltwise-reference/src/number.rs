//! Exact numbers ([`Number`]) and their conversion to floats and integers: one rounding, in integer arithmetic.

use eltwise_core::DType;

/// A binary floating-point format: a sign bit, an exponent field and a fraction field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the fraction field. The precision is one bit more.
    pub fraction: u32,
    /// Bits of the exponent field.
    pub exponent: u32,
}

/// `f16`, IEEE binary16.
pub const F16: Format = Format { fraction: 10, exponent: 5 };
/// `bf16`, the upper half of binary32.
pub const BF16: Format = Format { fraction: 7, exponent: 8 };
/// `f32`, IEEE binary32.
pub const F32: Format = Format { fraction: 23, exponent: 8 };
/// `f64`, IEEE binary64.
pub const F64: Format = Format { fraction: 52, exponent: 11 };

impl Format {
    /// The format of a float dtype; `None` for other dtypes.
    pub const fn of(dtype: DType) -> Option<Format> {
        match dtype {
            DType::F16 => Some(F16),
            DType::BF16 => Some(BF16),
            DType::F32 => Some(F32),
            DType::F64 => Some(F64),
            _ => None,
        }
    }

    /// The exponent of the smallest normal number.
    const fn min_exponent(self) -> i32 {
        2 - (1 << (self.exponent - 1))
    }

    /// The exponent of the largest number.
    const fn max_exponent(self) -> i32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The bits of +infinity.
    pub const fn infinity(self) -> u64 {
        ((1 << self.exponent) - 1) << self.fraction
    }

    /// The sign bit.
    pub const fn sign_bit(self) -> u64 {
        1 << (self.exponent + self.fraction)
    }
}

/// An exact number, an infinity, or a NaN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Number {
    /// Not a number.
    Nan {
        /// The sign bit.
        negative: bool,
        /// The fraction field, aligned so that its highest bit is bit 51.
        payload: u64,
    },
    /// An infinity.
    Infinite {
        /// The sign.
        negative: bool,
    },
    /// `magnitude * 2^exponent` with a sign, also for zero.
    Finite {
        /// The sign.
        negative: bool,
        /// The magnitude, not normalized.
        magnitude: u128,
        /// The power of two.
        exponent: i32,
    },
}

impl Number {
    /// An integer.
    pub const fn integer(x: i128) -> Number {
        Number::Finite { negative: x < 0, magnitude: x.unsigned_abs(), exponent: 0 }
    }

    /// The number that `bits` represent in `format`.
    pub const fn decode(format: Format, bits: u64) -> Number {
        let negative = bits & format.sign_bit() != 0;
        let field = ((bits & format.infinity()) >> format.fraction) as i32;
        let fraction = bits & ((1 << format.fraction) - 1);
        if field == (1 << format.exponent) - 1 {
            return match fraction {
                0 => Number::Infinite { negative },
                _ => Number::Nan { negative, payload: fraction << (52 - format.fraction) },
            };
        }
        let (implicit, field) = if field == 0 { (0, 1) } else { (1 << format.fraction, field) };
        let exponent = field - 1 + format.min_exponent() - format.fraction as i32;
        Number::Finite { negative, magnitude: (fraction | implicit) as u128, exponent }
    }

    /// The bits of the nearest number of `format`, ties to even; infinity on overflow. A NaN becomes quiet and keeps
    /// its sign and the upper bits of its payload.
    pub const fn encode(self, format: Format) -> u64 {
        match self {
            Number::Nan { negative, payload } => {
                let quiet = 1 << (format.fraction - 1);
                signed(format, negative, format.infinity() | quiet | payload >> (52 - format.fraction))
            }
            Number::Infinite { negative } => signed(format, negative, format.infinity()),
            Number::Finite { negative, magnitude, exponent } => {
                signed(format, negative, round_magnitude(format, magnitude, exponent))
            }
        }
    }

    /// The number without its fraction, saturated to the range of the integer dtype `dtype`; 0 for NaN. Any other dtype
    /// means the range of `i128`.
    pub const fn truncate(self, dtype: DType) -> i128 {
        let (low, high) = integer_range(dtype);
        match self {
            Number::Nan { .. } => 0,
            Number::Infinite { negative } => {
                if negative {
                    low
                } else {
                    high
                }
            }
            Number::Finite { negative, magnitude, exponent } => {
                let end = if negative { low } else { high };
                let whole = match exponent {
                    _ if magnitude == 0 => 0,
                    ..=-128 => 0,
                    -127..0 => magnitude >> -exponent,
                    _ if exponent as u32 >= magnitude.leading_zeros() => return end,
                    _ => magnitude << exponent,
                };
                if whole >= end.unsigned_abs() {
                    end
                } else if negative {
                    -(whole as i128)
                } else {
                    whole as i128
                }
            }
        }
    }
}

/// The smallest and the largest integer of an integer dtype; of `i128` for any other dtype.
pub const fn integer_range(dtype: DType) -> (i128, i128) {
    match dtype {
        DType::I8 => (i8::MIN as i128, i8::MAX as i128),
        DType::I16 => (i16::MIN as i128, i16::MAX as i128),
        DType::I32 => (i32::MIN as i128, i32::MAX as i128),
        DType::I64 => (i64::MIN as i128, i64::MAX as i128),
        DType::U8 => (0, u8::MAX as i128),
        DType::U16 => (0, u16::MAX as i128),
        DType::U32 => (0, u32::MAX as i128),
        DType::U64 => (0, u64::MAX as i128),
        _ => (i128::MIN, i128::MAX),
    }
}

const fn signed(format: Format, negative: bool, bits: u64) -> u64 {
    if negative { bits | format.sign_bit() } else { bits }
}

/// `magnitude * 2^exponent` rounded to nearest, ties to even: the bits without the sign.
const fn round_magnitude(format: Format, magnitude: u128, exponent: i32) -> u64 {
    if magnitude == 0 {
        return 0;
    }
    // These limits are outside the exponent range of every format, and the sums below do not overflow.
    let exponent = match exponent {
        ..-99_999 => -99_999,
        100_000.. => 99_999,
        _ => exponent,
    };
    let leading = 127 - magnitude.leading_zeros() as i32 + exponent;
    if leading > format.max_exponent() {
        return format.infinity();
    }
    // The exponent of the result, not below that of subnormal numbers. `drop` bits of the magnitude do not fit.
    let binade = if leading < format.min_exponent() { format.min_exponent() } else { leading };
    let drop = binade - format.fraction as i32 - exponent;
    let kept = match drop {
        ..=0 => magnitude << -drop,
        1..128 => magnitude >> drop,
        _ => 0,
    } as u64;
    // The exponent field below is 1 too small for a normal number: the implicit bit in `kept` adds the 1, as does a
    // carry.
    let bits = kept + (((binade - format.min_exponent()) as u64) << format.fraction);
    if round_up(magnitude, drop, kept) { bits + 1 } else { bits }
}

/// Whether to round up: the lowest `drop` bits of `magnitude` are more than half a unit of the next bit, or exactly
/// half and `kept` is odd.
const fn round_up(magnitude: u128, drop: i32, kept: u64) -> bool {
    if drop < 1 || drop > 128 {
        return false; // Nothing is dropped, or everything is and it is less than a half.
    }
    let half = 1u128 << (drop - 1);
    let below = magnitude & (half - 1);
    magnitude & half != 0 && (below != 0 || kept & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::tests::Random;

    fn f64_to(format: Format, x: f64) -> u64 {
        Number::decode(F64, x.to_bits()).encode(format)
    }

    fn to_f64(format: Format, bits: u64) -> f64 {
        f64::from_bits(Number::decode(format, bits).encode(F64))
    }

    /// The value of a 16-bit float by the definition of its fields.
    fn by_fields(format: Format, bits: u64) -> f64 {
        let sign = if bits & format.sign_bit() != 0 { -1.0 } else { 1.0 };
        let field = (bits >> format.fraction) & ((1 << format.exponent) - 1);
        let fraction = (bits & ((1 << format.fraction) - 1)) as f64 / (1u64 << format.fraction) as f64;
        let bias = (1 << (format.exponent - 1)) - 1;
        match field {
            0 => sign * fraction * 2f64.powi(1 - bias),
            _ => sign * (1.0 + fraction) * 2f64.powi(field as i32 - bias),
        }
    }

    #[test]
    fn all_16_bit_floats_decode_and_round_trip() {
        for format in [F16, BF16] {
            for bits in 0..=0xffffu64 {
                let x = to_f64(format, bits);
                match Number::decode(format, bits) {
                    Number::Nan { .. } => {
                        assert!(x.is_nan());
                        assert_eq!(f64_to(format, x), bits | 1 << (format.fraction - 1));
                    }
                    Number::Infinite { negative } => {
                        assert_eq!(x, if negative { f64::NEG_INFINITY } else { f64::INFINITY });
                    }
                    Number::Finite { .. } => assert_eq!(x.to_bits(), by_fields(format, bits).to_bits()),
                }
                if !x.is_nan() {
                    assert_eq!(f64_to(format, x), bits);
                }
            }
        }
    }

    /// The midpoint of any two neighbours rounds to the even one, and the numbers next to the midpoint to the nearer
    /// one.
    #[test]
    fn every_tie_of_16_bit_floats_rounds_to_even() {
        for format in [F16, BF16] {
            for bits in 0..format.infinity() {
                let low = to_f64(format, bits);
                let above = if bits + 1 == format.infinity() {
                    low + (low - to_f64(format, bits - 1))
                } else {
                    to_f64(format, bits + 1)
                };
                let middle = low + (above - low) / 2.0; // exact: one bit more than the format has
                assert_eq!(f64_to(format, middle), bits + (bits & 1), "{middle:e}");
                assert_eq!(f64_to(format, middle.next_down()), bits);
                assert_eq!(f64_to(format, middle.next_up()), bits + 1);
                assert_eq!(f64_to(format, -middle), (bits + (bits & 1)) | format.sign_bit());
                let middle = middle as f32; // still exact
                let from_f32 = |x: f32| Number::decode(F32, u64::from(x.to_bits())).encode(format);
                assert_eq!(from_f32(middle), bits + (bits & 1));
                assert_eq!(from_f32(middle.next_down()), bits);
                assert_eq!(from_f32(middle.next_up()), bits + 1);
            }
        }
    }

    #[test]
    fn known_values_round_once() {
        for (x, bits) in [
            (65504.0, 0x7bff),
            (65519.99, 0x7bff),
            (65520.0, 0x7c00),
            (1e300, 0x7c00),
            (2f64.powi(-24), 1),
            (2f64.powi(-25), 0),
            (2f64.powi(-25).next_up(), 1),
            (-0.0, 0x8000),
            (-5e-324, 0x8000),
            (0.1, 0x2e66),
            (1.0 / 3.0, 0x3555),
            (6.103515625e-05, 0x0400),
            (f64::NEG_INFINITY, 0xfc00),
        ] {
            assert_eq!(f64_to(F16, x), bits, "{x}");
        }
        // One rounding, not two: rounded to f32 first, this would become the tie, and then 1.0.
        assert_eq!(f64_to(F16, 1.0 + 2f64.powi(-11) + 2f64.powi(-40)), 0x3c01);
        assert_eq!(f64_to(BF16, 1.0 + 2f64.powi(-8) + 2f64.powi(-40)), 0x3f81);
        assert_eq!(f64_to(BF16, 3.39e38), 0x7f7f);
        assert_eq!(f64_to(BF16, f64::from(f32::MAX)), 0x7f80);
    }

    #[test]
    fn conversions_to_f32_and_f64_equal_rust_casts() {
        let mut random = Random(1);
        let hard =
            [0, 1, -1, 1 << 24, (1 << 24) + 1, (1 << 53) + 1, u64::MAX as i128, i64::MIN as i128, i128::MAX, i128::MIN];
        let more = (0..200_000).map(|i| {
            let wide = i128::from(random.next()) << 64 | i128::from(random.next());
            wide >> (i % 127)
        });
        for x in hard.into_iter().chain(more) {
            assert_eq!(Number::integer(x).encode(F64), (x as f64).to_bits(), "{x}");
            assert_eq!(Number::integer(x).encode(F32), u64::from((x as f32).to_bits()), "{x}");
        }
        for i in 0..400_000 {
            let mut bits = random.next();
            if i % 2 == 0 {
                // Around the range of f32 and its subnormals, with many ties.
                bits = bits & 0x800f_ffff_ffff_ffff | (860 + bits % 300) << 52;
                bits &= !0 << (i % 40);
            }
            let x = f64::from_bits(bits);
            if !x.is_nan() {
                assert_eq!(f64_to(F32, x), u64::from((x as f32).to_bits()), "{x:e}");
            }
            let narrow = f32::from_bits(bits as u32);
            if !narrow.is_nan() {
                assert_eq!(to_f64(F32, bits & 0xffff_ffff).to_bits(), f64::from(narrow).to_bits());
            }
        }
    }

    #[test]
    fn exponents_out_of_range_do_not_overflow() {
        let tiny = Number::Finite { negative: true, magnitude: u128::MAX, exponent: i32::MIN };
        let huge = Number::Finite { negative: false, magnitude: 1, exponent: i32::MAX };
        assert_eq!(tiny.encode(F64), F64.sign_bit());
        assert_eq!(huge.encode(F16), F16.infinity());
        assert_eq!((tiny.truncate(DType::I8), huge.truncate(DType::I8)), (0, 127));
        let small = Number::Finite { negative: false, magnitude: u128::MAX, exponent: -1074 - 128 };
        assert_eq!(small.encode(F64), 1);
        let half = Number::Finite { negative: false, magnitude: 1 << 127, exponent: -1074 - 128 };
        assert_eq!(half.encode(F64), 0);
    }

    #[test]
    fn truncation_equals_rust_casts() {
        let mut random = Random(2);
        let edges = [
            0.0,
            -0.0,
            0.99,
            -0.99,
            127.5,
            128.0,
            -128.9,
            -129.0,
            1e9,
            1e19,
            1.9e19,
            -9.3e18,
            1e300,
            f64::INFINITY,
            f64::NAN,
        ];
        let more = (0..300_000)
            .map(|_| f64::from_bits(random.next() & 0x800f_ffff_ffff_ffff | (1000 + random.next() % 100) << 52));
        for x in edges.into_iter().chain(edges.map(|x: f64| -x)).chain(more) {
            let n = Number::decode(F64, x.to_bits());
            assert_eq!(n.truncate(DType::I8), i128::from(x as i8), "{x}");
            assert_eq!(n.truncate(DType::U8), i128::from(x as u8), "{x}");
            assert_eq!(n.truncate(DType::I16), i128::from(x as i16), "{x}");
            assert_eq!(n.truncate(DType::U16), i128::from(x as u16), "{x}");
            assert_eq!(n.truncate(DType::I32), i128::from(x as i32), "{x}");
            assert_eq!(n.truncate(DType::U32), i128::from(x as u32), "{x}");
            assert_eq!(n.truncate(DType::I64), i128::from(x as i64), "{x}");
            assert_eq!(n.truncate(DType::U64), i128::from(x as u64), "{x}");
            assert_eq!(n.truncate(DType::Opaque16), x as i128, "{x}");
        }
    }
}
