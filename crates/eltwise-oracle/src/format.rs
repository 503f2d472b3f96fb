//! Binary floating-point formats: [`Format`], with exact decoding to `f64` and rounding from it.

/// A binary floating-point format: `f16`, `bf16`, `f32` or `f64`.
///
/// Numbers of a format are given as its bits in the low end of a `u64`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the significand, including the hidden bit.
    pub precision: i32,
    /// The exponent of the smallest normal number, 2^`min_exponent`.
    pub min_exponent: i32,
    /// The exponent of the largest binade; the largest number is just below 2^(`max_exponent` + 1).
    pub max_exponent: i32,
}

impl Format {
    /// `f16`.
    pub const F16: Format = Format { precision: 11, min_exponent: -14, max_exponent: 15 };
    /// `bf16`.
    pub const BF16: Format = Format { precision: 8, min_exponent: -126, max_exponent: 127 };
    /// `f32`.
    pub const F32: Format = Format { precision: 24, min_exponent: -126, max_exponent: 127 };
    /// `f64`.
    pub const F64: Format = Format { precision: 53, min_exponent: -1022, max_exponent: 1023 };

    /// Bits per number.
    pub const fn width(self) -> i32 {
        match self.precision {
            8 | 11 => 16,
            24 => 32,
            _ => 64,
        }
    }

    /// The bits of +infinity.
    pub const fn infinity(self) -> u64 {
        ((self.max_exponent - self.min_exponent + 2) as u64) << (self.precision - 1)
    }

    /// The bits of the quiet NaN that results use: sign bit clear, payload 0.
    pub const fn nan(self) -> u64 {
        self.infinity() | 1 << (self.precision - 2)
    }

    /// The sign bit.
    pub const fn sign_bit(self) -> u64 {
        1 << (self.width() - 1)
    }

    /// The number with these bits. Every number of a format is exact in `f64`.
    pub fn to_f64(self, bits: u64) -> f64 {
        match self.width() {
            64 => f64::from_bits(bits),
            32 => f64::from(f32::from_bits(bits as u32)),
            _ if self.precision == 8 => f64::from(f32::from_bits((bits as u32) << 16)),
            _ => {
                let (magnitude, negative) = (bits & 0x7fff, bits & 0x8000 != 0);
                let value = match (magnitude >> 10, magnitude & 0x3ff) {
                    (0x1f, 0) => f64::INFINITY,
                    (0x1f, _) => f64::NAN,
                    (0, m) => m as f64 * exp2(-24),
                    (e, m) => (m | 0x400) as f64 * exp2(e as i32 - 25),
                };
                if negative { -value } else { value }
            }
        }
    }

    /// The bits of `v` rounded to the nearest number of the format, ties to even.
    pub fn from_f64(self, v: f64) -> u64 {
        if v.is_nan() {
            return self.nan();
        }
        match self.precision {
            53 => return v.to_bits(),
            24 => return u64::from((v as f32).to_bits()),
            _ => {}
        }
        let bits = v.to_bits();
        let sign = if v.is_sign_negative() { self.sign_bit() } else { 0 };
        let (e, m) = ((bits >> 52 & 0x7ff) as i32 - 1023, bits & ((1 << 52) - 1) | 1 << 52);
        if e > self.max_exponent {
            return sign | self.infinity();
        }
        let quantum = e.max(self.min_exponent);
        // The bits of `m` below the format's last place.
        let shift = 53 - self.precision + (quantum - e);
        if shift > 54 {
            return sign;
        }
        let (floor, rest, half) = (m >> shift.min(63), m & ((1 << shift) - 1), 1 << (shift - 1));
        let up = rest > half || (rest == half && floor & 1 == 1);
        let magnitude = ((quantum - self.min_exponent) as u64) << (self.precision - 1);
        sign | (magnitude + floor + u64::from(up)).min(self.infinity())
    }
}

/// 2^n for n from -1022 to 1023.
pub(crate) fn exp2(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}
