//! From and to floats: exact on the way in, rounded once on the way out.

use super::Wide;

/// A binary interchange format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Format {
    /// Bits of the significand with the hidden one.
    pub precision: i32,
    /// The exponent of the smallest normal number, 2^`min`.
    pub min: i32,
    /// The exponent of the largest binade.
    pub max: i32,
}

impl Format {
    /// `f16`.
    pub const F16: Format = Format { precision: 11, min: -14, max: 15 };
    /// `bf16`.
    pub const BF16: Format = Format { precision: 8, min: -126, max: 127 };
    /// `f32`.
    pub const F32: Format = Format { precision: 24, min: -126, max: 127 };
    /// `f64`.
    pub const F64: Format = Format { precision: 53, min: -1022, max: 1023 };

    /// The bits of a number.
    pub const fn width(self) -> i32 {
        match self.precision {
            8 | 11 => 16,
            24 => 32,
            _ => 64,
        }
    }

    /// The bits of +infinity.
    pub const fn infinity(self) -> u64 {
        ((self.max - self.min + 2) as u64) << (self.precision - 1)
    }

    /// The bits of the quiet NaN that results have.
    pub const fn nan(self) -> u64 {
        self.infinity() | 1 << (self.precision - 2)
    }

    /// The bit of the sign.
    pub const fn sign(self) -> u64 {
        1 << (self.width() - 1)
    }

    /// The number of these bits, exactly.
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
}

impl Format {
    /// An `f64` rounded to the nearest, ties to even.
    pub fn nearest(self, v: f64) -> u64 {
        if v.is_nan() {
            return self.nan();
        }
        match self.precision {
            53 => return v.to_bits(),
            24 => return u64::from((v as f32).to_bits()),
            _ => {}
        }
        let bits = v.to_bits();
        let sign = if v.is_sign_negative() { self.sign() } else { 0 };
        let (e, m) = ((bits >> 52 & 0x7ff) as i32 - 1023, bits & ((1 << 52) - 1) | 1 << 52);
        if e > self.max {
            return sign | self.infinity();
        }
        let quantum = e.max(self.min);
        // The significand without what is below the last place of the format.
        let shift = 53 - self.precision + (quantum - e);
        if shift > 54 {
            return sign;
        }
        let (floor, rest, half) = (m >> shift.min(63), m & ((1 << shift) - 1), 1 << (shift - 1));
        let up = rest > half || (rest == half && floor & 1 == 1);
        let magnitude = ((quantum - self.min) as u64) << (self.precision - 1);
        sign | (magnitude + floor + u64::from(up)).min(self.infinity())
    }
}

/// 2^n for n in the range of normal numbers.
pub(crate) fn exp2(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

impl<const N: usize> Wide<N> {
    /// A finite number, exactly.
    pub fn from_f64(x: f64) -> Wide<N> {
        let bits = x.to_bits() & !(1 << 63);
        let (e, m) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
        let (e, m) = if e == 0 { (1, m) } else { (e, m | 1 << 52) };
        Wide::from_limbs(&[m], e - 1075 + 64).signed(x.is_sign_negative())
    }

    /// An integer, exactly for N > 1.
    pub fn from_u128(n: u128) -> Wide<N> {
        Wide::from_limbs(&[n as u64, (n >> 64) as u64], 128)
    }

    /// Rounded to the nearest, ties to even, as bits of `format`.
    ///
    /// `bits` is how many leading bits of this value are right. `None` when the bits that are right do not tell on which side of a
    /// tie the value is; with `settle`, it is then the tie.
    pub fn round(self, format: Format, bits: i32, settle: bool) -> Option<u64> {
        if self.is_zero() {
            return (bits > 0 || settle).then_some(0);
        }
        let sign = if self.negative { format.sign() } else { 0 };
        let e = self.exp - 1;
        if e > format.max {
            return Some(sign | format.infinity());
        }
        // The significand is the first k bits.
        let quantum = e.max(format.min) - (format.precision - 1);
        let k = self.exp - quantum;
        let half = k >= 0 && self.bit(k);
        let tie = k >= -1 && (k + 1..bits).all(|i| self.bit(i) != half);
        if tie && !settle {
            return None;
        }
        let floor = if k <= 0 { 0 } else { self.m[N - 1] >> (64 - k) };
        let up = if tie { floor & 1 == 1 } else { half };
        let magnitude = ((e.max(format.min) - format.min) as u64) << (format.precision - 1);
        Some(sign | (magnitude + floor + u64::from(up)).min(format.infinity()))
    }

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        f64::from_bits(self.round(Format::F64, 64 * N as i32, true).unwrap_or(0))
    }
}
